"""Views of one definition and of one file: source with callers, calls, unresolved calls, overrides, references and imports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from repoquarry.code.calls import Neighbor, list_callers, list_remote_callers, merge_neighbors
from repoquarry.code.name_resolution import find_nearest_paths
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, UnresolvedSite
from repoquarry.code.views.call_sites import (
    MAX_CALLERS,
    CallSite,
    EdgeFilter,
    NeighborGroup,
    external_sites,
    find_call_sites,
    group_by_repository,
    group_neighbors,
    list_external_calls,
)
from repoquarry.code.views.token_spans import TokenSpan, compute_token_spans
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.languages.source_text import split_lines


@dataclass(frozen=True)
class SourceView:
    """Lines of a file with the token spans of each."""

    path: str
    start_line: int
    lines: tuple[str, ...]
    spans: dict[int, list[TokenSpan]]
    """By line; lines without spans are missing."""
    total_lines: int

    @property
    def end_line(self) -> int:
        return self.start_line + len(self.lines) - 1


def read_source_view(reader: CodeReader, repository: str, path: str, first: int, last: int) -> SourceView:
    """Read the lines `first` to `last` of a file, cut to the lines that it has. Raises: NotFoundError."""
    lines = split_lines(reader.text(repository, path))
    first, last = max(first, 1), min(last, len(lines))
    spans = compute_token_spans(path, lines, first, last)
    return SourceView(path, first, tuple(lines[first - 1 : last]), spans, len(lines))


@dataclass(frozen=True)
class SymbolRequest:
    max_callers: int = MAX_CALLERS
    max_targets: int = 3
    max_lines: int = 400
    shown: EdgeFilter = field(default_factory=EdgeFilter)
    includes_external: bool = False


@dataclass(frozen=True)
class SymbolFigures:
    """Figures of the answer line; the filter of the request changes none of them."""

    callers: int
    caller_files: int
    test_callers: int
    test_files: int
    unresolved_sites: int
    expected: float
    """Sum of the confidences of the callers."""


@dataclass(frozen=True)
class SymbolReport:
    """Everything that the view of one definition shows; callers cut groups and lists to their own limits."""

    entity: DefinitionRecord
    source: SourceView
    caller_groups: tuple[NeighborGroup, ...]
    calls: tuple[CallSite, ...]
    external_call_count: int
    """Calls to built-ins and external code that are not in `calls`."""
    unresolved: tuple[UnresolvedSite, ...]
    """Unresolved calls that may reach the definition: one per caller and reason, most sites first."""
    unresolved_reasons: tuple[tuple[str, int], ...]
    overrides: tuple[Neighbor, ...]
    overridden_by: tuple[Neighbor, ...]
    """Overriding methods, or subclasses, code before tests."""
    references: tuple[Neighbor, ...]
    other_repositories: tuple[NeighborGroup, ...]
    members: tuple[DefinitionRecord, ...]
    """Definitions directly inside a class or file, by line."""
    figures: SymbolFigures


def view_symbol(
    reader: CodeReader, definition: DefinitionRecord, repositories: Sequence[str], request: SymbolRequest
) -> SymbolReport:
    """Read the view of one definition; `repositories` are those whose calls count.

    Raises: NotFoundError when the text of its file is not here.
    """
    last = min(definition.end_line, definition.start_line + request.max_lines - 1)
    source = read_source_view(reader, definition.repository, definition.path, definition.start_line, last)
    callers = list_callers(reader, definition)
    unresolved = _list_unresolved(reader, definition, repositories)
    calls, external_count = _list_calls(reader, definition, request)
    overrides, overridden_by = _list_overrides(reader, definition)
    shown = [item for item in callers if request.shown.has(item)]
    references = reader.references_to([definition.id])
    return SymbolReport(
        definition,
        source,
        tuple(group_neighbors(shown, request.max_callers)),
        tuple(calls),
        external_count,
        tuple(unresolved),
        _count_reasons(unresolved),
        tuple(overrides),
        tuple(overridden_by),
        tuple(merge_neighbors(Neighbor.from_edge(edge, is_start=True) for edge in references)),
        tuple(group_by_repository(list_remote_callers(reader, definition, repositories))),
        tuple(_list_members(reader, definition)),
        _count_figures(callers, unresolved),
    )


def _list_calls(reader: CodeReader, definition: DefinitionRecord, request: SymbolRequest) -> tuple[list[CallSite], int]:
    """List the calls of a definition, and count those to external code that are not listed."""
    lines = split_lines(reader.text(definition.repository, definition.path))
    calls = find_call_sites(reader, [definition], lines, request.shown, request.max_targets)
    external = list_external_calls(reader, [definition])
    if not request.includes_external:
        return calls, sum(item.count for item in external)
    calls += external_sites(external, lines)
    return sorted(calls, key=lambda site: (site.line, site.column)), 0


def _list_unresolved(
    reader: CodeReader, definition: DefinitionRecord, repositories: Sequence[str]
) -> list[UnresolvedSite]:
    if definition.label == "Module":
        return []
    sites = [site for site, _ in reader.possible_calls([definition], repositories)]
    return sorted(sites, key=lambda site: (site.caller.is_test, -site.count, site.caller.id))


def _count_reasons(sites: Sequence[UnresolvedSite]) -> tuple[tuple[str, int], ...]:
    counts: Counter[str] = Counter()
    for site in sites:
        counts[site.reason] += site.count
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _list_overrides(reader: CodeReader, definition: DefinitionRecord) -> tuple[list[Neighbor], list[Neighbor]]:
    """List the overridden methods and the overriding ones; of a class its base classes and subclasses."""
    if definition.label == "Class":
        above = [Neighbor.from_edge(edge, is_start=False) for edge in reader.bases([definition.id])]
        below = [Neighbor.from_edge(edge, is_start=True) for edge in reader.subclasses([definition.id])]
    else:
        above = [Neighbor.from_edge(edge, is_start=True) for edge in reader.overridden([definition.id])]
        below = [Neighbor.from_edge(edge, is_start=False) for edge in reader.overriding([definition.id])]
    return above, sorted(below, key=lambda item: (item.entity.is_test, item.entity.id))


def _list_members(reader: CodeReader, definition: DefinitionRecord) -> list[DefinitionRecord]:
    if definition.label == "Function":
        return []
    depth = definition.qualname.count(".") + 1 if definition.qualname else 0
    return [item for item in reader.members(definition) if item.qualname.count(".") == depth]


def _count_figures(callers: Sequence[Neighbor], unresolved: Sequence[UnresolvedSite]) -> SymbolFigures:
    tests = [item for item in callers if item.entity.is_test]
    return SymbolFigures(
        callers=len(callers),
        caller_files=len({item.entity.path for item in callers}),
        test_callers=len(tests),
        test_files=len({item.entity.path for item in tests}),
        unresolved_sites=sum(site.count for site in unresolved),
        expected=sum(item.confidence for item in callers),
    )


_MAX_TARGETS = 3
_MAX_ROWS = 60


@dataclass(frozen=True)
class DefinitionCallers:
    """Callers of a definition that begins in the lines of a view."""

    entity: DefinitionRecord
    groups: tuple[NeighborGroup, ...]


@dataclass(frozen=True)
class FileReport:
    entity: DefinitionRecord
    source: SourceView
    outline: tuple[DefinitionRecord, ...]
    callers: tuple[DefinitionCallers, ...]
    calls: tuple[CallSite, ...]
    """Calls in these lines, by line and column."""
    imports: tuple[Neighbor, ...]
    imported_by: tuple[Neighbor, ...]
    """Code before tests."""
    unresolved_sites: int


def view_file(reader: CodeReader, repository: str, path: str, first: int, last: int) -> FileReport:
    """Read the view of the lines `first` to `last`, cut to those that the file has. Raises: NotFoundError."""
    path = path.replace("\\", "/").strip("/").removeprefix("./")
    module = reader.module(repository, path)
    if module is None:
        nearest = find_nearest_paths(path, (found for _, found in reader.files_ending("", [repository])))
        hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
        raise NotFoundError(
            f"{repository} has no indexed source file {path!r}{hint}", kind="path", value=path, nearest=nearest
        )
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
        tuple(sorted(importers, key=lambda item: (item.entity.is_test, item.entity.path))),
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
