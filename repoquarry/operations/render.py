"""Wording of answers about code: tables, the same for terminals, MCP, agents and pages.

Renderers read reports and messages alike, because both have the same fields. Surfaces differ in width, escaping and budget only: a terminal
aligns cells, an agent gets them two spaces apart, the most useful lines within a budget of tokens.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from repoquarry.code.records import RelationKind, shown_name
from repoquarry.graphstore.model.call_views import ADDED, NOT_RUN, SURE, describe_view, is_hidden, view_of
from repoquarry.graphstore.model.values import count_noun
from repoquarry.languages.registry import unknown_calls

Rows = Sequence[Sequence[str]]
_MAX_LINES_OF_SITE: Final = 5
_MAX_FILES: Final = 8
"""Maximum number of files that are named for the rows of a table that are not shown."""
_MAX_TESTS: Final = 3


class Located(Protocol):
    """Definition, file, folder or external code: a record or an `Entity` of the contract."""

    @property
    def id(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def qualname(self) -> str: ...
    @property
    def repository(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def is_test(self) -> bool: ...


@dataclass(frozen=True)
class Table:
    """Rows below a title, the most useful first, and notes below them."""

    columns: tuple[str, ...]
    rows: Rows
    title: str = ""
    notes: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    """Columns of numbers."""

    def lines(self) -> Iterator[tuple[str, float]]:
        """Yield the lines with their weights: 1 for what explains the rows, less for each further row."""
        head, tail = [self.title, *(["  ".join(self.columns)] if self.rows else [])], self.notes
        rows = ((_join_cells(row), 1 / number) for number, row in enumerate(self.rows, 1))
        for text, weight in (*((line, 1.0) for line in head), *rows, *((note, 1.0) for note in tail)):
            yield from ((line, weight) for line in text.split("\n") if line)


def _join_cells(row: Sequence[str]) -> str:
    """Join cells with two spaces; `-` stands for an empty cell before others."""
    joined = "  ".join(cell or "-" for cell in row)
    return joined if row[-1] else joined.rstrip("- ")


def short(resource: str) -> str:
    """Return the id in a resource name; an id is its own."""
    return resource.rpartition("/")[2]


def format_place(item: Located) -> str:
    """Format a location as `path:start-end`; `external` for code that is not indexed."""
    if not item.path:
        return "external" if item.label == "External" else item.qualname or item.name
    path = " ".join(item.path.splitlines())
    if not item.start_line:
        return path
    return f"{path}:{item.start_line}" + (f"-{item.end_line}" if item.end_line > item.start_line else "")


def is_titled(item: Located) -> bool:
    """Return whether a test or suite has no name of its own; its `name` is its title then."""
    return item.qualname.rpartition(".")[2].startswith("<") and not item.name.startswith("<")


def format_name(item: Located) -> str:
    name = shown_name(item.name, getattr(item, "entry_points", ()))
    if item.kind == "lambda" and name.startswith("<"):
        name = "".join((*item.qualname.rpartition(".")[:2], name))
    elif not item.qualname.rpartition(".")[2].startswith("<"):
        is_file = item.label in ("Directory", "Document", "Module")
        name = item.qualname or (item.path if is_file else name)
    return " ".join(name.splitlines())


def format_kind(item: Located) -> str:
    return item.kind or item.label.lower()


def format_heading(item: Located) -> str:
    return f"{format_kind(item)} {format_name(item)}  {format_place(item)}"


def format_lines(lines: Sequence[int]) -> str:
    more = ", …" if len(lines) > _MAX_LINES_OF_SITE else ""
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines[:_MAX_LINES_OF_SITE]))}{more}" if lines else ""


def format_evidence(site: Any) -> str:
    """Format the evidence of a relationship: lines, rule, confidence, reason."""
    unresolved = f"unresolved: {site.reason}" if site.reason else ""
    return "; ".join(filter(None, (format_lines(site.lines), _format_rule(site), unresolved)))


def _format_rule(site: Any) -> str:
    """Format the rule of a relationship: with its figure where one target is meant, with words where several may run."""
    if view_of(site.how, site.targets) == SURE or not site.targets:
        return f"{site.how} {site.confidence:.2f}".lstrip() if site.confidence else site.how
    words = describe_view(site.how, site.targets, site.confidence)
    return words if site.how in (*ADDED, *NOT_RUN) else f"{site.how}, {words}"


_COUNTED: Final = {
    (RelationKind.CALLS, True): "caller",
    (RelationKind.CALLS, False): "callee",
    (RelationKind.IMPORTS, True): "importer",
    (RelationKind.IMPORTS, False): "import",
    (RelationKind.INHERITS, True): "subclass",
    (RelationKind.INHERITS, False): "base class",
    (RelationKind.REFERENCES, True): "reference",
}


def count_relations(meaning: Any, kind: RelationKind, *, incoming: bool) -> str:
    """Count what is related to a definition, and the sites of its callers; empty where calls are not resolved."""
    if not meaning.total and kind is RelationKind.CALLS and unknown_calls([meaning.entity.path]):
        return unknown_calls([meaning.entity.path])
    noun = _COUNTED.get((kind, incoming))
    if noun is None:
        return f"{'reached by' if incoming else 'reaches'} {meaning.total} through {kind.name}"
    hops = max((item.hops for item in meaning.relations), default=1)
    sites = sum(item.site.count for item in meaning.relations if item.hops == 1)
    counted = count_noun(meaning.total, noun) + (f" within {hops} hops" if hops > 1 else "")
    return f"{counted}, {count_noun(sites, 'call site')}" if kind is RelationKind.CALLS and sites else counted


def relation_tables(meaning: Any, kind: RelationKind, *, incoming: bool, max_rows: int = 0) -> Iterator[Table]:
    """Render the relations of one definition, code before tests; with `max_rows`, that many that are likely."""
    entity = meaning.entity
    every = sorted(meaning.relations, key=lambda item: (item.hops, item.entity.is_test))
    related = [item for item in every if not max_rows or not _is_unlikely(item.site)]
    shown = related[: max_rows or None]
    rows = [
        (
            str(item.hops),
            f"{short(item.entity.repository)}: " * _is_elsewhere(item.entity, entity) + format_place(item.entity),
            format_name(item.entity),
            str(item.site.count),
            format_evidence(item.site),
        )
        for item in shown
    ]
    notes = []
    if len(shown) < len(related):
        files = Counter(item.entity.path for item in related[len(shown) :]).most_common(_MAX_FILES)
        named = ", ".join(f"{path} ({count})" for path, count in files)
        notes.append(f"{len(shown)} of {len(related)}; --all prints the others: {named}, …")
    if unlikely := len(every) - len(related):
        notes.append(f"{count_noun(unlikely, 'unlikely call')} hidden; --all prints them")
    title = f"{format_heading(entity)}\n  {count_relations(meaning, kind, incoming=incoming)}"
    yield Table(("HOPS", "PLACE", "NAME", "SITES", "HOW"), rows, title, tuple(notes), (0, 3))
    if meaning.possible:
        rows_of_possible = [
            (format_place(item.entity), format_name(item.entity), format_evidence(item.site))
            for item in meaning.possible[: max_rows or None]
        ]
        title = f"  {sum(item.site.count for item in meaning.possible)} possible: unresolved calls of this name"
        yield Table(("PLACE", "NAME", "HOW"), rows_of_possible, title)


def _is_unlikely(site: Any) -> bool:
    return bool(site.confidence) and is_hidden(site.how, site.targets, site.confidence)


def _is_elsewhere(item: Located, known: Located) -> bool:
    return bool(item.repository) and item.repository != known.repository


_USES: Final = {
    RelationKind.CALLS: "call",
    RelationKind.REFERENCES: "reference",
    RelationKind.INHERITS: "base class",
    RelationKind.IMPORTS: "import",
}
"""Kind of use of a relationship that has none of its own."""


def list_uses(meanings: Iterable[Any]) -> list[tuple[Located, int, str]]:
    """List (user, line, kinds of use) of some definitions, code before tests."""
    uses = [
        (item.entity, line, ", ".join(item.site.kinds) or _USES[RelationKind(item.kind)])
        for meaning in meanings
        for item in meaning.relations
        for line in item.site.lines or [item.entity.start_line]
    ]
    return sorted(uses, key=lambda use: (use[0].is_test, use[0].path, use[1], use[0].id, use[2]))


def use_tables(meanings: Sequence[Any]) -> Iterator[Table]:
    """Render every use of some definitions, a table for each file."""
    uses = list_uses(meanings)
    files = list(dict.fromkeys((by.path, by.is_test) for by, _, _ in uses))
    headings = [format_heading(meaning.entity) for meaning in meanings]
    yield Table((), (), "\n".join((*headings, f"  {count_noun(len(uses), 'use')} in {count_noun(len(files), 'file')}")))
    for (path, is_test), group in itertools.groupby(uses, key=lambda use: (use[0].path, use[0].is_test)):
        rows = [(str(line), kinds, format_name(by) if by.qualname else "module") for by, line, kinds in group]
        yield Table(("LINE", "USE", "IN"), rows, f"{path}{'  (test)' if is_test else ''}", right=(0,))


def impact_tables(report: Any, least: float = 0.0) -> Iterator[Table]:
    """Render a change, its dependents of at least some confidence, and the tests to run."""
    changed = [(format_place(item), format_name(item)) for item in report.changed]
    notes = [] if changed else ["no indexed file changed"]
    if report.unknown_paths:
        notes.append(f"not indexed: {', '.join(report.unknown_paths)}")
    yield Table(("CHANGED", "NAME"), changed, notes=tuple(notes))
    shown = [item for item in report.affected if item.confidence >= least]
    hidden = len(report.affected) - len(shown)
    rows = [_weigh(item, format_place(item.entity), format_name(item.entity)) for item in shown]
    notes = _note_limit(len(rows), report.affected_total - hidden)
    if hidden:
        notes.append(f"{count_noun(hidden, 'unlikely dependent')} hidden; --all prints them")
    yield Table(("AFFECTED", "REPOSITORY", "PLACE", "NAME", "HOW"), rows, notes=tuple(notes))
    rows = [_weigh(file, file.entity.path, _name_tests(file.tests)) for file in report.test_files]
    notes = _note_limit(len(rows), report.test_file_total)
    yield Table(("TESTS", "REPOSITORY", "PLACE", "NAME", "HOW"), rows, notes=tuple(notes))


def count_tests(report: Any) -> str:
    return f"run {report.test_file_total} of {report.indexed_test_files} test files"


def _weigh(item: Any, place: str, name: str) -> tuple[str, ...]:
    weight = f"{item.confidence:.2f}" if item.confidence else "-"
    return weight, short(item.entity.repository), place, name, item.how


def _name_tests(tests: Sequence[Any]) -> str:
    more = f" and {len(tests) - _MAX_TESTS} more" if len(tests) > _MAX_TESTS else ""
    return ", ".join(format_name(test.entity) for test in tests[:_MAX_TESTS]) + more


def _note_limit(shown: int, total: int) -> list[str]:
    return [f"{shown} of {total}; more with --limit"] if total > shown > 0 else []


def duplicate_table(groups: Iterable[Any]) -> Table:
    """Render groups of equal functions; the first row of a group has its number of copies."""
    rows = [
        (
            *((str(group.lines), str(group.copies)) if number == 0 else ("", "")),
            short(item.repository),
            format_place(item),
            format_name(item),
        )
        for group in groups
        for number, item in enumerate(group.definitions)
    ]
    notes = () if rows else ("no duplicates",)
    return Table(("LINES", "COPIES", "REPOSITORY", "PLACE", "NAME"), rows, notes=notes, right=(0, 1))


def format_hit(item: Located, snippet: str, first_line: int) -> str:
    """Format a hit of a search with the lines that show it."""
    lines = [f"{short(item.repository)}  {format_place(item)}  {format_kind(item)} {format_name(item)}"]
    shown = snippet.rstrip().split("\n") if snippet else []
    return "\n".join([*lines, *(f"    {first_line + number:>5}  {line}" for number, line in enumerate(shown))])


def place_table(noun: str, places: Iterable[tuple[Any, float, Sequence[str]]], max_reasons: int = 1) -> Table:
    """Render (place, score, reasons) of ranked places, best first."""
    rows = [
        (
            str(number),
            short(item.repository),
            format_place(item) if item.qualname else item.path,
            item.qualname,
            f"{score:.3g}",
            ", ".join(reasons[:max_reasons]),
        )
        for number, (item, score, reasons) in enumerate(places, 1)
    ]
    columns = noun.upper(), "REPOSITORY", "PLACE", "NAME", "SCORE", "WHY"
    return Table(columns, rows, notes=() if rows else (f"no {noun} found",), right=(0, 4))


def format_match(number: int, repository: str, score: float, summary: str, reasons: Iterable[str]) -> str:
    """Format a repository that fits a task, with the reasons below it."""
    title = f"{number}. {short(repository)}  {score:.2f}  {summary}".rstrip()
    return "\n".join((title, *(f"     {reason}" for reason in reasons)))
