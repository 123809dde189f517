"""Duplicate functions, across repositories or of one function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.model.values import Value, get_int, get_str, get_str_list
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.store import Store

MEANINGS: Final = 200
"""Meanings of a name whose code is looked for elsewhere, the best first; common names such as `main` have thousands."""


@dataclass(frozen=True)
class DuplicateGroup:
    """Functions whose text is the same but for comments, documentation, layout and their own name."""

    lines: int
    """Of the longest copy."""

    copies: int
    repositories: tuple[str, ...]
    """All that have one, without the ref of a version (`name@ref`)."""

    definitions: tuple[DefinitionRecord, ...]
    """Some twenty of the copies at the most, by id."""

    def heading(self) -> str:
        """One line that says how much it is."""
        return f"{self.lines} lines, {self.copies} copies in {', '.join(self.repositories)}"


@dataclass(frozen=True)
class GroupRange:
    """Which groups of a list are wanted: those from `first` on, `limit` at the most."""

    first: int
    limit: int


def find_longest_duplicates(
    store: Store, repositories: Sequence[str], repository: str, least_lines: int, page: GroupRange
) -> list[DuplicateGroup]:
    """What several of `repositories` have, tests left out, the longest first; with `repository` only what that one has too."""
    rows = store.execute_named(
        "duplicates",
        repositories=list(repositories),
        repository=repository,
        lines=least_lines,
        first=page.first,
        limit=page.limit,
    ).rows
    return _duplicates(store, rows)


def load_body_hashes(store: Store, functions: Iterable[str]) -> dict[str, str]:
    """Hash of what each function says, by its id, of functions by their ids; those that are too short to compare are left out."""
    return {get_str(id_): get_str(body) for id_, body in store.execute_named("bodies", ids=list(functions)).rows}


def find_duplicates(
    store: Store, hashes: Sequence[str], repositories: Sequence[str], page: GroupRange
) -> list[DuplicateGroup]:
    """What is found elsewhere with one of these hashes, in other repositories or at other places of the same, tests included."""
    wanted: list[Value] = [*dict.fromkeys(hashes)]
    rows = store.execute_named(
        "duplicates_of", bodies=wanted, repositories=list(repositories), first=page.first, limit=page.limit
    ).rows
    return _duplicates(store, rows)


def _duplicates(store: Store, rows: Sequence[tuple[Value, ...]]) -> list[DuplicateGroup]:
    groups = [sorted(get_str_list(row[4])) for row in rows]
    known = {item.id: item for item in CodeReader(store).definitions(id_ for ids in groups for id_ in ids)}
    return [
        DuplicateGroup(
            get_int(row[1]),
            get_int(row[2]),
            tuple(sorted(get_str_list(row[3]))),
            tuple(known[id_] for id_ in ids if id_ in known),
        )
        for row, ids in zip(rows, groups, strict=True)
    ]
