"""Weighted lines for an evidence pack (one text about a name or question): source, callers, callees, tests, documents, ranked places.

A part is a list of entries, most useful first, so that a pack cuts every part at its end. The weight of an entry compares it with the
entries of all parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from repoquarry.code.calls import find_callees, find_callers
from repoquarry.code.excerpts.code_blocks import find_header_end
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, EdgeRecord
from repoquarry.code.regression_tests import build_test_commands, is_test_function
from repoquarry.code.relations import find_importers, find_subclasses
from repoquarry.graphstore.errors import TextsElsewhereError
from repoquarry.graphstore.model.call_views import ADDED, CANDIDATE, HIDDEN_BELOW, MODEL, NOT_RUN, describe_view
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.search.requests import SearchMode
from repoquarry.languages.registry import unknown_calls

_MAX_PLACES = 8
_MAX_TEST_HOPS = 2
_MAX_LINE = 160
_MAX_SOURCE = 300
"""Number of lines of a function that a pack can hold at most."""
_COMMENT = ("#", "//", "*", "/*", '"', "'")
_DECISIVE = re.compile(r"\b(?:return|raise|yield|throw|throws|panic|except|catch|if|elif|case|switch|match)\b")


@dataclass(frozen=True)
class EvidenceEntry:
    """One or more lines of text that are shown together or not at all."""

    text: str
    weight: float
    definition: DefinitionRecord | None = None
    """Definition that the text locates; None where the text locates none."""
    line: int = 0
    """Line number of source, by which entries are shown; 0 for other entries, which are shown in their order."""
    why: str = ""
    """Why the definition is a place of a question; empty for other entries."""


@dataclass
class EvidencePart:
    title: str
    entries: list[EvidenceEntry] = field(default_factory=list)

    def add(
        self, text: str, weight: float, definition: DefinitionRecord | None = None, line: int = 0, why: str = ""
    ) -> None:
        self.entries.append(EvidenceEntry(text, weight, definition, line, why))

    def extend(self, texts: Iterable[tuple[str, DefinitionRecord | None]], weight: float, half: int) -> None:
        """Add entries whose weight falls to a half after `half` entries."""
        for number, (text, definition) in enumerate(texts):
            self.add(text, weight / (1 + number / half), definition)


def subject_parts(reader: CodeReader, subject: Sequence[DefinitionRecord]) -> list[EvidencePart]:
    """Gather the parts of one subject: a function with its overloads, a class with its constructor, or a file."""
    callers = find_callers(reader, subject, [subject[0].repository], hops=_MAX_TEST_HOPS)
    own = {item.id for item in subject}
    parts = [
        _source(reader, subject),
        _callers(reader, [edge for edge in callers.direct if not edge.start.is_test and edge.start.id not in own]),
        _implementers(reader, subject),
        _tests(reader, subject, [edge.start for edges in callers.edges for edge in edges]),
        _callees(reader, subject),
        _documentation(reader, subject[0]),
    ]
    uncertain = EvidencePart("Uncertain")
    if note := unknown_calls(item.path for item in subject):
        uncertain.add(f"- {note}", 55)
    possible = sorted(callers.possible, key=lambda site: site.caller.is_test)
    if possible:
        count = count_noun(sum(site.count for site in possible), "unresolved call")
        where = ", ".join(f"{site.caller.path}:{site.lines[0]}" for site in possible[:3] if site.lines)
        text = f"- {count} of this name may reach it: {where}{' …' if len(possible) > 3 else ''}"
        uncertain.add(text, 45, possible[0].caller)
    return [*parts, uncertain]


def _source(reader: CodeReader, subject: Sequence[DefinitionRecord]) -> EvidencePart:
    first = subject[0]
    part = EvidencePart(f"Source {first.where()}")
    try:
        if first.label == "Function":
            for item in subject:
                _add_lines(part, item, reader.lines(item))
        else:
            part.extend(_outline_lines(reader, first, reader.lines(first)), 100, 12)
    except TextsElsewhereError as error:
        part.add(f"({error})", 100)
    return part


def _add_lines(part: EvidencePart, item: DefinitionRecord, lines: Sequence[str]) -> None:
    """Add the lines of a function: the signature weighs most, then lines that decide, then all others;
    documentation weighs least.
    """
    head, is_docstring = find_header_end(lines, 0, len(lines) - 1) + 1, False
    for number, line in enumerate(lines[:_MAX_SOURCE]):
        quotes = line.count('"""') % 2
        weight = 130.0 if number < head else 30 / (1 + number / 100)
        if is_docstring:
            weight = 8 / (1 + number / 100)
        elif number >= head and _DECISIVE.search(line) and not line.lstrip().startswith(_COMMENT):
            weight = 100 / (1 + number / 60)
        is_docstring ^= bool(quotes)
        text = _numbered(item.start_line + number, line)
        part.add(text, weight, None if number else item, item.start_line + number)


def _outline_lines(
    reader: CodeReader, item: DefinitionRecord, lines: Sequence[str]
) -> Iterator[tuple[str, DefinitionRecord | None]]:
    if item.label == "Class":
        for number in range(min(find_header_end(lines, 0, len(lines) - 1) + 1, 6)):
            yield _numbered(item.start_line + number, lines[number]), item if number == 0 else None
    if item.headline:
        yield f"        {item.headline[:_MAX_LINE]}", None
    depth = item.qualname.count(".") + 1 if item.qualname else 0
    for member in reader.members(item):
        if member.qualname.count(".") == depth:
            about = f"  # {member.headline}" if member.headline else ""
            signature = " ".join(member.signature.split())
            yield _numbered(member.start_line, f"{member.kind} {member.name}{signature[:100]}{about}"), member


def _numbered(number: int, line: str) -> str:
    return f"{number:>6}  {line.rstrip()[:_MAX_LINE]}"


def _callers(reader: CodeReader, edges: Sequence[EdgeRecord]) -> EvidencePart:
    part = EvidencePart("Callers")
    likely = [edge for edge in edges if edge.how not in NOT_RUN or edge.confidence >= HIDDEN_BELOW]
    part.extend(((_call_line(reader, edge, edge.start), edge.start) for edge in likely), 70, 5)
    if hidden := len(edges) - len(likely):
        part.add(f"- {count_noun(hidden, 'unlikely caller')} hidden", 60)
    return part


def _call_line(reader: CodeReader, edge: EdgeRecord, shown: DefinitionRecord) -> str:
    line = edge.lines[0] if edge.lines else edge.start.start_line
    return f"- {edge.start.path}:{line} {shown.title}: {_line_text(reader, edge.start, line)}{_certainty(edge)}"


def _certainty(edge: EdgeRecord) -> str:
    """Return the words about an edge that is not sure: a share of one call site says nothing by itself."""
    if edge.how in NOT_RUN:
        return f"  ({describe_view(edge.how, edge.targets, edge.confidence) if edge.how == CANDIDATE else edge.how})"
    if edge.how.startswith(MODEL):
        return f"  (by the model of {edge.how.removeprefix(MODEL)}{'' if edge.confidence > 0.5 else '; possibly'})"
    if edge.confidence >= 0.9 and edge.how not in ADDED:
        return ""
    is_alone = edge.confidence > 0.5 and edge.how not in ADDED
    return f"  (confidence {edge.confidence:.1f})" if is_alone else "  (one of several targets)"


def _line_text(reader: CodeReader, definition: DefinitionRecord, line: int) -> str:
    """Return one line of a definition's file; empty where its text is in another data folder."""
    try:
        lines = reader.text(definition.repository, definition.path).split("\n")
    except TextsElsewhereError:
        return ""
    return lines[line - 1].strip()[:_MAX_LINE] if 0 < line <= len(lines) else ""


def _callees(reader: CodeReader, subject: Sequence[DefinitionRecord]) -> EvidencePart:
    part = EvidencePart("Calls")
    if subject[0].label == "Module":
        return part
    report = find_callees(reader, subject)
    outer = {item.id for item in reader.with_members(subject)}
    ends = {edge.end.id: edge.end for edge in report.edges if edge.end.id not in outer}
    part.extend(((f"- {end.title}  {end.path}:{end.start_line}", end) for end in ends.values()), 40, 6)
    names = list(dict.fromkeys(name.qualname for name in report.external))
    if names:
        part.add(f"- external: {', '.join(names[:8])}{' …' if len(names) > 8 else ''}", 12)
    return part


def _implementers(reader: CodeReader, subject: Sequence[DefinitionRecord]) -> EvidencePart:
    """Subclasses of a class, overriding and overridden methods of a method, importers of a file."""
    first, ids = subject[0], [item.id for item in subject]
    if first.label == "Class":
        part, levels = EvidencePart("Subclasses"), find_subclasses(reader, subject[:1], 2)
        found = [edge.start for edges in levels.levels for edge in edges]
        bases = [f"- base: {edge.end.title}  {edge.end.path}:{edge.end.start_line}" for edge in levels.bases]
        part.extend(((base, None) for base in bases), 45, 3)
    elif first.label == "Module":
        part = EvidencePart("Imported by")
        found = [item.module for item in find_importers(reader, subject)]
    else:
        part, found = EvidencePart("Overrides"), [edge.end for edge in reader.overriding(ids)]
        found += [edge.start for edge in reader.overridden(ids)]
    found.sort(key=lambda item: item.is_test)
    part.extend(((f"- {item.title}  {item.path}:{item.start_line}", item) for item in found), 42, 5)
    return part


def _tests(
    reader: CodeReader, subject: Sequence[DefinitionRecord], callers: Sequence[DefinitionRecord]
) -> EvidencePart:
    """Test files that call the subject directly or through one function, and one command that runs them."""
    part = EvidencePart("Tests")
    if subject[0].label == "Module":
        callers = [item.module for item in find_importers(reader, subject)]
    by_file: dict[str, list[DefinitionRecord]] = {}
    for item in callers:
        if item.is_test and item.repository == subject[0].repository:
            by_file.setdefault(item.path, []).append(item)
    ranked = sorted(by_file.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    for command in build_test_commands([path for path, _ in ranked[:3]])[:1]:
        part.add(f"- run: {command}", 65)
    for number, (path, items) in enumerate(ranked):
        names = list(dict.fromkeys(item.title for item in items if is_test_function(item) and item.qualname))
        shown = f": {', '.join(names[:3])}{' …' if len(names) > 3 else ''}" if names else ""
        part.add(f"- {path}{shown}", 50 / (1 + number / 3), items[0])
    return part


def _documentation(reader: CodeReader, item: DefinitionRecord) -> EvidencePart:
    """Prose of the repository that contains the name of the subject."""
    part = EvidencePart("Documentation")
    if item.repository not in reader.store.text_repositories():
        return part
    texts: list[tuple[str, DefinitionRecord | None]] = []
    from repoquarry.code.excerpts.question_places import find_documents  # here because names need no stemmer

    for hit in find_documents(reader, item.name, [item.repository], SearchMode.KEYWORD):
        lines = reader.text(hit.repository, hit.path).split("\n")[: hit.end_line]
        mentions = [
            (item.title not in line, f"`{item.name}" not in line and f"{item.name}(" not in line, number, line)
            for number, line in enumerate(lines, 1)
            if number >= hit.start_line and item.name in line and item.name in re.findall(r"\w+", line)
        ]
        if mentions:
            *_, number, line = min(mentions)
            texts.append((f"- {hit.path}:{number} {line.strip()[:_MAX_LINE]}", None))
    part.extend(texts, 30, 2)
    return part


def place_parts(
    reader: CodeReader, question: str, repositories: Sequence[str]
) -> tuple[EvidencePart, list[DefinitionRecord]]:
    """Rank the places for a question, each with its decisive line; the definitions are returned in the same order."""
    from repoquarry.code.excerpts.question_places import rank_places  # here because names need no stemmer

    places, documents = rank_places(reader, question, repositories)
    part = EvidencePart("Places")
    for number, place in enumerate(places[:_MAX_PLACES], 1):
        item = place.definition
        about = f" — {(item.headline if item.qualname else '') or place.reason}"[:_MAX_LINE]
        text = f"{number}. {item.kind} {item.title}  {item.where()}{about.removesuffix(' — ')}"
        if place.line:
            text += f"\n{_numbered(place.line, place.source)}"
        part.add(text, 120 if number <= 5 else 40, item, why=place.reason)
    for item in documents:
        part.add(f"- documentation: {item.path}", 60, item, why="documentation")
    return part, [place.definition for place in places[:_MAX_PLACES]]
