"""Review of a diff: changed definitions with the call sites outside the diff, affected definitions, and tests to run.

Definitions are parsed from the old and the new text of each file; those of the version that is indexed also have edges in the graph.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from repoquarry.code.calls import Neighbor, list_callers
from repoquarry.code.impact import (
    CodeChange,
    ImpactReport,
    Progress,
    Steps,
    analyze_impact_steps,
    find_code_change,
)
from repoquarry.code.patches import ChangedLines, diff_texts
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import AffectedDefinition, DefinitionRecord
from repoquarry.code.regression_tests import RankedFile
from repoquarry.code.repository_diff import (
    CalledNames,
    ChangedEdge,
    ChangeKind,
    extract_called_names,
    find_changed_edges,
)
from repoquarry.code.views.overview import list_dependencies
from repoquarry.languages.facts import Definition
from repoquarry.languages.registry import extract_definitions, is_source
from repoquarry.languages.source_text import find_closing, split_lines, split_parameters
from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded

_MAX_CHANGED_LINES: Final = 6
_MAX_PATHS: Final = 5
_MAX_SHOWN_CHARACTERS: Final = 80
_MAX_LINE_BRACKETS: Final = 1_000
"""Number of opening brackets in a line from which its file is a bundle; the longest line of a bundle has thousands."""
_CLOSE_CONFIDENCE: Final = 0.85
"""Least confidence of a test file that is close to the change."""
_SPACE = re.compile(r"\s+")


class FileTexts(Protocol):
    """Both texts of a changed file; None on a side without the file."""

    @property
    def path(self) -> str: ...
    @property
    def old_text(self) -> str | None: ...
    @property
    def new_text(self) -> str | None: ...


_PARSE_SECONDS: Final = 30.0
"""Time for one side of a changed file."""


@dataclass(frozen=True)
class OutsideSite:
    """Call site of a changed definition that the diff does not touch."""

    caller: Neighbor
    line: int
    source_line: str


@dataclass(frozen=True)
class ChangedDefinition:
    kind: ChangeKind
    before: DefinitionRecord | None
    after: DefinitionRecord | None
    parameters_changed: tuple[str, ...] = ()
    changed_lines: tuple[str, ...] = ()
    """First changed lines, with `+` or `-` before each."""
    called: CalledNames | None = None
    """Called names of both sides; None for a moved definition."""
    sites: tuple[OutsideSite, ...] = ()
    """Call sites outside the diff, code before tests, most certain first."""
    edges: tuple[ChangedEdge, ...] = ()

    @property
    def record(self) -> DefinitionRecord:
        """The definition on the later side that has it."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - one side has the definition
        return found

    @property
    def test_sites(self) -> int:
        return sum(site.caller.entity.is_test for site in self.sites)


@dataclass(frozen=True)
class ReachStep:
    """Definitions outside tests that a change reaches at one distance."""

    hops: int
    affected: tuple[AffectedDefinition, ...]
    """Most confident first."""

    @property
    def expected(self) -> float:
        return sum(item.confidence for item in self.affected)


@dataclass(frozen=True)
class TestTier:
    """Choice of test files, most relevant first."""

    __test__ = False  # no test class of pytest

    name: str
    meaning: str
    files: tuple[RankedFile, ...]


@dataclass(frozen=True)
class ChangeReport:
    """Everything that the view of a change shows; callers cut the lists."""

    definitions: tuple[ChangedDefinition, ...]
    """Removed with callers, changed signature with callers, changed body with callers, the rest."""
    impact: ImpactReport
    reach: tuple[ReachStep, ...]
    paths: tuple[tuple[AffectedDefinition, ...], ...]
    """Most confident paths from an entry point to a changed definition."""
    tiers: tuple[TestTier, ...]
    unknown_paths: tuple[str, ...]
    packages: tuple[str, ...]


def view_change(
    reader: CodeReader,
    repository: str,
    files: Sequence[FileTexts],
    *,
    is_new_indexed: bool,
    repositories: Sequence[str],
) -> Steps[ChangeReport]:
    """Read the view of a change in steps; `is_new_indexed` says which side the graph is of."""
    bundles = tuple(file.path for file in files if _is_bundle(file))
    files = [file for file in files if file.path not in bundles]
    lines = [found for file in files if (found := _diff_file(file, is_new_indexed=is_new_indexed)) is not None]
    change = find_code_change(reader, repository, lines)
    impact = yield from analyze_impact_steps(reader, change, repositories)
    compared: list[_ComparedDefinition] = []
    unread: list[str] = []
    for number, file in enumerate(files):
        yield Progress("files", number, len(files))
        if is_source(file.path) and _is_indexable(reader, repository, file, is_new_indexed=is_new_indexed):
            try:
                compared += _compare_file(reader, repository, file)
            except BoundedCallError:
                unread.append(file.path)
    spans = {item.path: item for item in lines}
    changed = list(_pair_moves(compared))
    _load_callers(reader, changed)
    definitions = []
    for number, item in enumerate(_add_edges(reader, repository, changed, is_new_indexed)):
        yield Progress("call sites", number, len(changed))
        definitions.append(_add_sites(reader, item, spans))
    return ChangeReport(
        tuple(sorted(definitions, key=_rank_definition)),
        impact,
        tuple(_group_by_hops(impact.affected, repository)),
        tuple(_find_paths(impact.affected, change)),
        tuple(_choose_tiers(impact.test_files)),
        (*change.unknown_paths, *bundles, *unread),
        tuple(item.package.partition("/")[2] for item in list_dependencies(reader.store, repository)),
    )


def _is_bundle(file: FileTexts) -> bool:
    """Return whether lines of a file hold so many definitions that comparing these by their lines is useless and slow."""
    texts = (text for text in (file.old_text, file.new_text) if text)
    return any(line.count("(") > _MAX_LINE_BRACKETS for text in texts for line in text.split("\n"))


def _is_indexable(reader: CodeReader, repository: str, file: FileTexts, *, is_new_indexed: bool) -> bool:
    """Return False for a file that indexing has skipped, such as a generated one."""
    indexed = file.new_text if is_new_indexed else file.old_text
    return indexed is None or reader.module(repository, file.path) is not None


def _diff_file(file: FileTexts, *, is_new_indexed: bool) -> ChangedLines | None:
    """Return the changed lines of a file, counted on the indexed side."""
    old, new = file.old_text or "", file.new_text or ""
    return diff_texts(file.path, new, old) if is_new_indexed else diff_texts(file.path, old, new)


@dataclass(frozen=True)
class _ParsedDefinition:
    """Definition of one side with its own lines, without those of nested definitions."""

    record: DefinitionRecord
    own_lines: tuple[str, ...]

    @property
    def body(self) -> str:
        return "\n".join(self.own_lines)


@dataclass(frozen=True)
class _ComparedDefinition:
    before: _ParsedDefinition | None
    after: _ParsedDefinition | None


def _compare_file(reader: CodeReader, repository: str, file: FileTexts) -> Iterator[_ComparedDefinition]:
    """Yield the definitions of a file that differ."""
    old, new = (_parse_side(reader, repository, file.path, text) for text in (file.old_text, file.new_text))
    for key in [*old, *(key for key in new if key not in old)]:
        before, after = old.get(key), new.get(key)
        if before is None or after is None or before.body != after.body or _signature(before) != _signature(after):
            yield _ComparedDefinition(before, after)


def _signature(item: _ParsedDefinition) -> str:
    return _SPACE.sub(" ", item.record.signature)


def _parse_side(reader: CodeReader, repository: str, path: str, text: str | None) -> dict[str, _ParsedDefinition]:
    """Return the definitions of one side by key; those of the graph where the graph has them. Raises: BoundedCallError."""
    if text is None:
        return {}
    file = {"path": path, "content": text.encode("utf-8", "surrogateescape")}
    definitions = call_bounded(extract_definitions, file, seconds=_PARSE_SECONDS)
    lines = split_lines(text)
    module = reader.module(repository, path)
    stored = {item.id: item for item in reader.inside(repository, path)} if module else {}
    found = {}
    for definition in definitions:
        if definition.kind == "lambda":
            continue
        id_ = f"{repository}:{path}::{definition.key}"
        known = stored.get(id_)
        record = _to_record(
            id_, repository, path, definition, is_test=known.is_test if known else bool(module and module.is_test)
        )
        found[definition.key] = _ParsedDefinition(record, _own_lines(lines, definition, definitions))
    return found


def _to_record(id_: str, repository: str, path: str, item: Definition, *, is_test: bool) -> DefinitionRecord:
    return DefinitionRecord(
        id=id_,
        label="Class" if item.kind == "class" else "Function",
        repository=repository,
        path=path,
        qualname=item.qualname,
        name=item.name,
        kind=item.form or item.kind,
        start_line=item.start_line,
        end_line=item.end_line,
        signature=item.signature,
        docstring=item.docstring,
        is_test=is_test,
    )


def _own_lines(lines: Sequence[str], item: Definition, definitions: Sequence[Definition]) -> tuple[str, ...]:
    """Return the lines of a definition without those of definitions inside it, blank lines and trailing space."""
    nested = {
        number
        for other in definitions
        if other.parent == item.key and other.kind != "lambda"
        for number in range(other.start_line, other.end_line + 1)
    }
    numbers = range(item.start_line, min(item.end_line, len(lines)) + 1)
    own = (lines[number - 1].rstrip() for number in numbers if number not in nested)
    return tuple(line for line in own if line)


def _pair_moves(compared: Sequence[_ComparedDefinition]) -> Iterator[ChangedDefinition]:
    """Yield the changed definitions; a removed and an added one of the same name and body were moved."""
    added: dict[tuple[str, str], list[_ParsedDefinition]] = {}
    for item in compared:
        if item.before is None and item.after is not None:
            added.setdefault((item.after.record.name, item.after.body.strip()), []).append(item.after)
    moved: set[str] = set()
    for item in compared:
        if item.after is not None or item.before is None:
            continue
        candidates = added.get((item.before.record.name, item.before.body.strip()), [])
        if candidates:
            after = candidates.pop(0)
            moved |= {item.before.record.id, after.record.id}
            yield ChangedDefinition(ChangeKind.MOVED, item.before.record, after.record)
    for item in compared:
        if not any(side is not None and side.record.id in moved for side in (item.before, item.after)):
            yield _describe(item)


def _describe(item: _ComparedDefinition) -> ChangedDefinition:
    """Return a definition that one side lacks, or that has another signature or body."""
    before, after = item.before, item.after
    records = before.record if before else None, after.record if after else None
    names = (extract_called_names(side.own_lines) if side else frozenset[str]() for side in (before, after))
    called = CalledNames(*records, *names)
    if before is None or after is None:
        return ChangedDefinition(ChangeKind.ADDED if before is None else ChangeKind.REMOVED, *records, called=called)
    changed = _cut_changed_lines(list(_list_changed_lines(before.own_lines, after.own_lines)))
    words = describe_signature_change(before.record.signature, after.record.signature)
    kind = ChangeKind.SIGNATURE if words else ChangeKind.BODY
    return ChangedDefinition(kind, *records, tuple(words), tuple(changed), called)


def _list_changed_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield removed and added lines. Similar lines are not compared by characters: a generated line can have a million."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag != "equal":
            yield from (f"-{line}" for line in before[first:last])
            yield from (f"+{line}" for line in after[new_first:new_last])


def _cut_changed_lines(lines: Sequence[str]) -> list[str]:
    """Return the first changed lines; a long removal does not hide the lines that replace it."""
    if len(lines) <= _MAX_CHANGED_LINES:
        return list(lines)
    removed, added = ([line for line in lines if line[0] == sign] for sign in "-+")
    room = max(_MAX_CHANGED_LINES // 2, _MAX_CHANGED_LINES - len(added))
    shown = removed[:room]
    return shown + added[: _MAX_CHANGED_LINES - len(shown)]


@dataclass(frozen=True)
class _Parameter:
    text: str
    has_default: bool


def describe_signature_change(old: str, new: str) -> list[str]:
    """Describe what changed between two signatures, one phrase for each change; empty for equal ones."""
    if _SPACE.sub("", old) == _SPACE.sub("", new):
        return []
    before, after = _parse_parameters(old), _parse_parameters(new)
    found = [f"{name} is removed" for name in before if name not in after]
    for name, parameter in after.items():
        known = before.get(name)
        if known is None:
            found.append(f"{name} is added" + ("" if parameter.has_default else " and required"))
        elif known.has_default != parameter.has_default:
            found.append(f"{name} is now {'optional' if parameter.has_default else 'required'}")
        elif _SPACE.sub("", known.text) != _SPACE.sub("", parameter.text):
            found.append(f"{name} is now {_show(parameter.text)}, was {_show(known.text)}")
    common = [name for name in before if name in after]
    if common != [name for name in after if name in before]:
        found.append("the order of parameters changed")
    old_result, new_result = (text[find_closing(text) + 1 :].strip(" :->") for text in (old, new))
    if _SPACE.sub("", old_result) != _SPACE.sub("", new_result):
        found.append(f"returns {_show(new_result)}, was {_show(old_result)}")
    return found or [f"is now {_show(new)}, was {_show(old)}"]


def _show(text: str) -> str:
    """Return a part of a signature in backquotes, cut in the middle when it is long."""
    if not text:
        return "nothing stated"
    half = _MAX_SHOWN_CHARACTERS // 2
    return f"`{text}`" if len(text) <= _MAX_SHOWN_CHARACTERS else f"`{text[:half]}…{text[-half:]}`"


def _parse_parameters(signature: str) -> dict[str, _Parameter]:
    found = {}
    for text in split_parameters(signature):
        head = re.split(r"[:=]", text, maxsplit=1)[0].strip()
        words = re.findall(r"\w+", head)
        if words:
            # Some languages put the type before the name, others after a colon.
            name = words[-1] if ":" not in text else words[0]
            found[name] = _Parameter(text, "=" in text or head.endswith("?") or text.startswith(("*", "...")))
    return found


def _add_edges(
    reader: CodeReader, repository: str, changed: Sequence[ChangedDefinition], is_new_indexed: bool
) -> list[ChangedDefinition]:
    """Add the calls that each definition outside tests gained or lost."""
    names = [item.called for item in changed if item.called is not None and not item.record.is_test]
    found = dict(zip(names, find_changed_edges(reader, repository, names, is_new_indexed=is_new_indexed), strict=True))
    return [replace(item, edges=found.get(item.called, ())) if item.called else item for item in changed]


def _load_callers(reader: CodeReader, changed: Iterable[ChangedDefinition]) -> None:
    """Read the callers of all changed definitions by one query, into the cache of the reader."""
    known = reader.definitions(side.id for item in changed for side in (item.after, item.before) if side is not None)
    reader.calls_to(called.id for item in known for called in (item, *reader.constructors(item)))


def _add_sites(
    reader: CodeReader, item: ChangedDefinition, lines_by_path: Mapping[str, ChangedLines]
) -> ChangedDefinition:
    """Add the call sites outside the diff of a definition that the graph has."""
    ids = [side.id for side in (item.after, item.before) if side is not None]
    known = reader.definitions(ids)
    if not known:
        return item
    sites = []
    for caller in list_callers(reader, known[0]):
        changed = lines_by_path.get(caller.entity.path)
        text = split_lines(reader.text(caller.entity.repository, caller.entity.path))
        for line in caller.lines:
            if changed is None or not any(first <= line <= last for first, last in changed.spans):
                source_line = text[line - 1].strip() if line <= len(text) else ""
                sites.append(OutsideSite(caller, line, source_line))
    sites.sort(
        key=lambda site: (
            site.caller.entity.is_test,
            -site.caller.confidence,
            site.caller.entity.path,
            site.line,
        )
    )
    return replace(item, sites=tuple(sites))


def _rank_definition(item: ChangedDefinition) -> tuple[int, int, int, str, int]:
    kinds = (ChangeKind.REMOVED, ChangeKind.SIGNATURE, ChangeKind.BODY)
    has_callers = bool(item.sites) and item.kind in kinds
    record = item.record
    return (
        kinds.index(item.kind) if has_callers else len(kinds) + record.is_test,
        item.test_sites - len(item.sites),
        -len(item.sites),
        record.path,
        record.start_line,
    )


def _group_by_hops(affected: Sequence[AffectedDefinition], repository: str) -> Iterator[ReachStep]:
    by_hops: dict[int, list[AffectedDefinition]] = {}
    for item in affected:
        if item.entity.repository == repository and item.entity.label != "Module":
            by_hops.setdefault(item.hops, []).append(item)
    for hops in sorted(by_hops):
        yield ReachStep(hops, tuple(by_hops[hops]))


def _find_paths(affected: Sequence[AffectedDefinition], change: CodeChange) -> Iterator[tuple[AffectedDefinition, ...]]:
    """Yield the most confident paths from entry points, each from the entry point to a changed definition."""
    by_id = {item.id: AffectedDefinition(item, 1.0, 0, "changed") for item in change.definitions}
    by_id |= {item.entity.id: item for item in affected}
    starts = [item for item in affected if item.entity.entry_points and item.entity.label != "Module"]
    for start in starts[:_MAX_PATHS]:
        path, seen = [start], {start.entity.id}
        while (following := by_id.get(path[-1].via_id)) is not None and following.entity.id not in seen:
            path.append(following)
            seen.add(following.entity.id)
        yield tuple(path)


def _choose_tiers(files: Sequence[RankedFile]) -> Iterator[TestTier]:
    """Yield the tests in three sizes, each within the next one."""
    reached = [file for file in files if file.tests or not file.how.startswith("has words")]
    close = [
        file for file in reached if file.confidence >= _CLOSE_CONFIDENCE or any(not test.hops for test in file.tests)
    ]
    calls = [file for file in reached if file in close or any(test.hops <= 1 for test in file.tests)]
    yield TestTier("close", "changed tests, and tests with a path of at least .85", tuple(close))
    yield TestTier("calls", "tests that call a changed definition", tuple(calls))
    yield TestTier("all", "all tests that reach the change", tuple(reached))
