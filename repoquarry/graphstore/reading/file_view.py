"""View of one file: source lines with the callers and calls of each line, outline, imports both ways."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.neighbors import (
    CallSite,
    EdgeFilter,
    Neighbor,
    NeighborGroup,
    find_call_sites,
    group_neighbors,
    merge_neighbors,
)
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.reading.symbol_view import SourceView, read_source_view
from repoquarry.languages.source_text import split_lines

_MAX_TARGETS = 3
_MAX_ROWS = 60


@dataclass(frozen=True)
class DefinitionCallers:
    """Callers of a definition that begins in the lines of a view."""

    definition: DefinitionRecord
    groups: tuple[NeighborGroup, ...]


@dataclass(frozen=True)
class FileReport:
    module: DefinitionRecord
    source: SourceView
    outline: tuple[DefinitionRecord, ...]
    """Classes and functions of the whole file, by line."""
    callers: tuple[DefinitionCallers, ...]
    calls: tuple[CallSite, ...]
    """Calls in these lines, by line and column."""
    imports: tuple[Neighbor, ...]
    imported_by: tuple[Neighbor, ...]
    """Code before tests."""
    unresolved_sites: int
    """Unresolved call sites of the whole file."""


def view_file(reader: CodeReader, repository: str, path: str, first: int, last: int) -> FileReport:
    """Read the view of the lines `first` to `last`, cut to those that the file has. Raises: NotFoundError."""
    path = path.replace("\\", "/").strip("/").removeprefix("./")
    module = reader.module(repository, path)
    if module is None:
        raise NotFoundError(f"{repository} has no indexed source file {path!r}", kind="path", value=path)
    source = read_source_view(reader, repository, path, first, last)
    outline = reader.inside(repository, path)
    visible = range(source.start_line, source.end_line + 1)
    around = [item for item in outline if item.start_line <= source.end_line and item.end_line >= source.start_line]
    lines = split_lines(reader.text(repository, path))
    calls = find_call_sites(reader, [module, *around], lines, EdgeFilter(), _MAX_TARGETS)
    importers = [Neighbor.from_edge(edge, is_start=True) for edge in reader.imports_to([module.id])]
    unresolved = reader.unresolved_from([module.id, *(item.id for item in outline)])
    return FileReport(
        module,
        source,
        tuple(outline),
        tuple(_list_callers(reader, [item for item in outline if item.start_line in visible])),
        tuple(site for site in calls if site.line in visible),
        tuple(Neighbor.from_edge(edge, is_start=False) for edge in reader.imports_from([module.id])),
        tuple(sorted(importers, key=lambda item: (item.definition.is_test, item.definition.path))),
        sum(site.count for site in unresolved),
    )


def _list_callers(reader: CodeReader, definitions: list[DefinitionRecord]) -> list[DefinitionCallers]:
    """List the callers of some definitions by line; definitions without callers are skipped."""
    callers: dict[str, list[Neighbor]] = {}
    for edge in reader.calls_to([item.id for item in definitions]):
        callers.setdefault(edge.end.id, []).append(Neighbor.from_edge(edge, is_start=True))
    return [
        DefinitionCallers(item, tuple(group_neighbors(merge_neighbors(callers[item.id]), _MAX_ROWS)))
        for item in definitions
        if item.id in callers
    ]
