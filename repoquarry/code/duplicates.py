"""Detection of duplicate functions: the longest duplicates in some repositories, or all copies of the functions that a request names.

Indexing stores a hash of each body without comments, documentation, formatting and the own name; functions with equal ones are
duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.model.values import Value, get_int, get_str, get_str_list

MIN_LINES: Final = 10
_MAX_FUNCTIONS: Final = 200
"""Maximum number of functions whose copies are looked up, best first; common names such as `main` have thousands of definitions."""


@dataclass(frozen=True)
class DuplicateGroup:
    lines: int
    """Lines of the longest copy."""
    copies: int
    repository_ids: tuple[str, ...]
    """Repositories of all copies, without the ref of a version (`name@ref`)."""
    definitions: tuple[DefinitionRecord, ...]
    """About twenty of the copies at most, by id."""


@dataclass(frozen=True)
class DuplicateRequest:
    repositories: tuple[str, ...]
    functions: tuple[DefinitionRecord, ...] | None = None
    """Functions whose copies are wanted, tests included; None for the longest duplicates."""
    repository: str = ""
    """For the longest duplicates: repository that has one of the copies; empty for any."""
    min_lines: int = MIN_LINES
    """For the longest duplicates."""
    tests: bool = False
    """For the longest duplicates: whether tests count."""
    first: int = 0
    limit: int = 50


@dataclass(frozen=True)
class DuplicateReport:
    """Groups of duplicates, longest first."""

    groups: tuple[DuplicateGroup, ...]
    notes: tuple[str, ...] = ()


def find_duplicates(reader: CodeReader, request: DuplicateRequest) -> DuplicateReport:
    """Find duplicates between repositories and at several places of one."""
    page: dict[str, Value] = {"first": request.first, "limit": request.limit}
    repositories: list[Value] = [*request.repositories]
    if request.functions is None:
        bounds: dict[str, Value] = {
            "repository": request.repository,
            "lines": request.min_lines,
            "tests": request.tests,
        }
        groups = _find_groups(reader, "duplicates", repositories=repositories, **bounds, **page)
        left_out = f"functions under {request.min_lines} lines" + ("" if request.tests else " and tests")
        return DuplicateReport(groups, (f"{left_out} are left out",))
    wanted = [item.id for item in request.functions[:_MAX_FUNCTIONS]]
    rows = reader.store.execute_named("bodies", ids=list(wanted)).rows
    hashes: list[Value] = [*dict.fromkeys(get_str(body_hash) for _, body_hash in rows)]
    notes = []
    if len(rows) < len(wanted):
        notes.append(f"{len(wanted) - len(rows)} of {len(wanted)} functions of that name are too short to compare")
    if len(request.functions) > _MAX_FUNCTIONS:
        count = len(request.functions)
        notes.append(f"only the first {_MAX_FUNCTIONS} of {count} functions of that name were compared")
    groups = _find_groups(reader, "duplicates_of", bodies=hashes, repositories=repositories, **page)
    return DuplicateReport(groups, tuple(notes))


def _find_groups(reader: CodeReader, query: str, **parameters: Value) -> tuple[DuplicateGroup, ...]:
    rows = reader.store.execute_named(query, **parameters).rows
    ids_by_row = [sorted(get_str_list(row[4])) for row in rows]
    known = {item.id: item for item in reader.definitions(id_ for ids in ids_by_row for id_ in ids)}
    return tuple(
        DuplicateGroup(
            get_int(row[1]),
            get_int(row[2]),
            tuple(sorted(get_str_list(row[3]))),
            tuple(known[id_] for id_ in ids if id_ in known),
        )
        for row, ids in zip(rows, ids_by_row, strict=True)
    )
