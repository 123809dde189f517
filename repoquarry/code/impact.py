"""Impact analysis of a change: changed lines are mapped to definitions, these to their dependents and to the tests to run.

A dependent has the confidence of its best path, the product over the edges of their confidence by resolution and a weight of their kind:
a caller runs the code that it calls, while an importing module may use any part of the imported one.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from repoquarry.code.patches import ChangedLines, Span, collect_changed_words
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DEPENDENCY_KINDS, AffectedDefinition, DefinitionRecord
from repoquarry.code.regression_tests import RankedFile, select_tests
from repoquarry.graphstore.model.call_views import POSSIBLE, is_in_views
from repoquarry.languages.registry import unknown_calls

MAX_HOPS: Final = 8
MIN_CONFIDENCE: Final = 0.05
MAX_FRONTIER: Final = 2_000
"""Maximum number of definitions that are followed per hop; the most confident are kept."""
_WEIGHTS: Final[Mapping[str, float]] = {
    "CALLS": 0.95,
    "OVERRIDES": 0.9,
    "INHERITS": 0.8,
    "REFERENCES": 0.6,
    "IMPORTS": 0.6,
}
"""Share of the confidence that an edge of each kind passes on, besides its own confidence."""
_ANNOTATION_WEIGHT: Final = 0.2

# Steps without a relationship in the graph.
_CONSTRUCTOR_TO_CLASS: Final = 1.0
_INNER_TO_OUTER_FUNCTION: Final = 0.9
_MEMBER_TO_CLASS: Final = 0.3
_DEFINITION_TO_FILE: Final = 0.3
_CLASS_TO_MEMBER: Final = 0.5


_T = TypeVar("_T")


@dataclass(frozen=True)
class Progress:
    """Progress of a stage, yielded before each of its steps; `total` 0 means unknown."""

    stage: str
    done: int = 0
    total: int = 0


Steps: TypeAlias = Generator[Progress, None, _T]


def run_steps(steps: Steps[_T]) -> _T:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result


@dataclass(frozen=True)
class CodeChange:
    repositories: tuple[str, ...]
    definitions: tuple[DefinitionRecord, ...]
    """Changed definitions, and files where a change is outside every definition."""
    words: frozenset[str] = frozenset()
    unknown_paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImpactReport:
    """Dependents of a change and tests to run, ranked."""

    changed: tuple[DefinitionRecord, ...]
    unknown_paths: tuple[str, ...]
    affected: tuple[AffectedDefinition, ...]
    """Unchanged definitions outside tests, most confident first."""
    affected_total: int
    test_files: tuple[RankedFile, ...]
    test_file_total: int
    indexed_test_files: int
    """Number of test files in `repositories`."""
    repositories: tuple[str, ...]
    notes: tuple[str, ...]

    def cut(self, max_affected: int, max_files: int, max_tests: int) -> ImpactReport:
        """Return the report with the first dependents and test files, and the first tests of each file; totals stay."""
        files = (replace(file, tests=file.tests[:max_tests]) for file in self.test_files[:max_files])
        return replace(self, affected=self.affected[:max_affected], test_files=tuple(files))


def analyze_impact(
    reader: CodeReader,
    change: CodeChange,
    repositories: Sequence[str],
    *,
    max_hops: int = MAX_HOPS,
    min_confidence: float = MIN_CONFIDENCE,
    how: Collection[str] = (),
) -> ImpactReport:
    """Find what depends on a change, within `max_hops`, in its own repositories and in those of `repositories` that use them.

    `how`: views or rules of the calls that are followed; none means all.
    """
    return run_steps(analyze_impact_steps(reader, change, repositories, max_hops, min_confidence, how))


def analyze_impact_steps(
    reader: CodeReader,
    change: CodeChange,
    repositories: Sequence[str],
    max_hops: int = MAX_HOPS,
    min_confidence: float = MIN_CONFIDENCE,
    how: Collection[str] = (),
) -> Steps[ImpactReport]:
    """Do as `analyze_impact`, in steps."""
    reached, unfollowed_count = yield from propagate_impact(
        reader, change.definitions, repositories, max_hops, min_confidence, how
    )
    yield Progress("tests")
    owners = sorted({*change.repositories, *(item.entity.repository for item in reached.values())})
    test_modules = [item for owner in owners for item in reader.preload(owner).test_modules]
    test_files = select_tests(reader, reached, change.definitions, test_modules, change.words)
    affected = [item for item in reached.values() if item.hops and not item.entity.is_test]
    affected.sort(key=lambda item: (-item.confidence, item.hops, item.entity.id))
    notes = []
    if unfollowed_count:
        followed = f"each hop follows {MAX_FRONTIER:,} at most"
        notes.append(f"the dependents of {unfollowed_count:,} affected definitions were not looked for: {followed}")
    if remote := sorted(set(owners) - set(reader.store.text_repositories())):
        notes.append(f"tests are not ranked by words where other data folders have the texts: {', '.join(remote)}")
    if unknown := unknown_calls(item.path for item in change.definitions):
        notes.append(unknown)
    return ImpactReport(
        change.definitions,
        change.unknown_paths,
        tuple(affected),
        len(affected),
        tuple(test_files),
        len(test_files),
        len(test_modules),
        tuple(owners),
        tuple(notes),
    )


def find_code_change(reader: CodeReader, repository: str, files: Sequence[ChangedLines]) -> CodeChange:
    found: dict[str, DefinitionRecord] = {}
    unknown = []
    for file in files:
        module = reader.module(repository, file.path)
        if module is None:
            unknown.append(file.path)
            continue
        inside = reader.inside(repository, file.path)
        for span in file.spans:
            found.update({item.id: item for item in _find_in_span(module, inside, span)})
    definitions = sorted(found.values(), key=lambda item: (item.path, item.start_line, item.id))
    return CodeChange((repository,), tuple(definitions), collect_changed_words(files), tuple(unknown))


def _find_in_span(module: DefinitionRecord, inside: Sequence[DefinitionRecord], span: Span) -> list[DefinitionRecord]:
    first, last = span
    if last > module.end_line:  # of a notebook, or of an older text
        last = max(first, module.end_line)
    if last < first:  # An insertion between two lines changes the innermost definition around both.
        around = [item for item in inside if item.start_line < first <= item.end_line]
        return [min(around, key=_line_count)] if around else [module]
    near = [item for item in inside if item.start_line <= last and first <= item.end_line]
    chosen: dict[str, DefinitionRecord] = {}
    for line in range(first, last + 1):
        around = [item for item in near if item.start_line <= line <= item.end_line]
        item = min(around, key=_line_count) if around else module
        chosen[item.id] = item
    return list(chosen.values())


def _line_count(item: DefinitionRecord) -> int:
    return item.end_line - item.start_line


def propagate_impact(
    reader: CodeReader,
    changed: Sequence[DefinitionRecord],
    repositories: Sequence[str],
    max_hops: int,
    min_confidence: float,
    how: Collection[str] = (),
) -> Steps[tuple[dict[str, AffectedDefinition], int]]:
    """Return the changed definitions (confidence 1.0) and their dependents by id, and how many `MAX_FRONTIER` kept from being followed.

    Calls from other repositories are followed into those of `repositories`. Callers that only the name of an unresolved call connects have
    confidence 0 and are not followed: about one such pair in a hundred is right, and candidates are call edges already.
    """
    yield Progress("possible callers")
    found = {item.id: AffectedDefinition(item, 1.0, 0, "changed") for item in changed}
    is_listed = min_confidence <= MIN_CONFIDENCE and (not how or POSSIBLE in how)
    possible = list(_list_possible_calls(reader, changed, repositories)) if is_listed else []
    frontier, unfollowed_count = sorted(found), 0
    for hop in range(1, max_hops + 1):
        yield Progress("hops of dependents", hop - 1, max_hops)
        steps = _follow_edges(reader, [found[id_] for id_ in frontier], repositories, how)
        improved = _merge_steps(found, steps, hop, min_confidence)
        frontier = sorted(improved, key=lambda id_: (-found[id_].confidence, id_))[:MAX_FRONTIER]
        unfollowed_count += len(improved) - len(frontier)
        if not frontier:
            break
    for step in possible:
        found.setdefault(step.entity.id, step)
    return found, unfollowed_count


def _merge_steps(
    found: dict[str, AffectedDefinition], steps: Iterable[AffectedDefinition], hop: int, min_confidence: float
) -> set[str]:
    """Keep the steps that raise a confidence; return their ids."""
    improved = set()
    for step in steps:
        id_, known = step.entity.id, found.get(step.entity.id)
        if step.confidence >= min_confidence and (known is None or step.confidence > known.confidence + 1e-9):
            found[id_] = AffectedDefinition(step.entity, step.confidence, hop, step.how, step.via_id)
            improved.add(id_)
    return improved


def _follow_edges(
    reader: CodeReader, sources: Sequence[AffectedDefinition], repositories: Sequence[str], how: Collection[str]
) -> Iterator[AffectedDefinition]:
    confidence_by_id = {item.entity.id: item.confidence for item in sources}
    ids_by_repository: dict[str, list[str]] = {}
    for item in sources:
        ids_by_repository.setdefault(item.entity.repository, []).append(item.entity.id)
    for kind in DEPENDENCY_KINDS:
        for repository, ids in ids_by_repository.items():
            views = how if kind == "CALLS" else ()
            dependents = reader.preload(repository).find_dependents(kind, ids, views)
            for start, end, edge_confidence, is_annotation in dependents:
                weight = _ANNOTATION_WEIGHT if is_annotation else _WEIGHTS[kind]
                yield AffectedDefinition(start, confidence_by_id[end] * edge_confidence * weight, 0, kind.lower(), end)
        if kind == "CALLS" and len({*repositories, *ids_by_repository}) > 1:
            calls = reader.calls_across(confidence_by_id, repositories)
            for edge in (one for one in calls if is_in_views(how, one.how, one.targets)):
                confidence = confidence_by_id[edge.end.id] * edge.confidence * _WEIGHTS[kind]
                yield AffectedDefinition(edge.start, confidence, 0, "calls", edge.end.id)
    yield from _follow_nesting(reader, sources)


def _follow_nesting(reader: CodeReader, sources: Sequence[AffectedDefinition]) -> Iterator[AffectedDefinition]:
    """Yield the steps to the enclosing definition and file, and from a class to its members."""
    for source in sources:
        item = source.entity
        if item.label == "Module":
            continue
        if (outer := reader.enclosing(item)) is not None:
            weight = _MEMBER_TO_CLASS
            if outer.label == "Function":
                weight = _INNER_TO_OUTER_FUNCTION
            elif item.kind == "constructor":
                weight = _CONSTRUCTOR_TO_CLASS
            yield AffectedDefinition(outer, source.confidence * weight, 0, "part of it", item.id)
        if source.hops == 0:
            module = reader.module(item.repository, item.path)
            if module is not None:
                yield AffectedDefinition(module, source.confidence * _DEFINITION_TO_FILE, 0, "its file", item.id)
            for member in reader.members(item) if item.label == "Class" else ():
                yield AffectedDefinition(member, source.confidence * _CLASS_TO_MEMBER, 0, "member", item.id)


def _list_possible_calls(
    reader: CodeReader, changed: Sequence[DefinitionRecord], repositories: Sequence[str]
) -> Iterator[AffectedDefinition]:
    functions = [item for item in changed if item.label == "Function" and not item.is_test]
    for site, target in reader.possible_calls(functions, repositories):
        yield AffectedDefinition(site.caller, 0.0, 1, "possible call", target.id)
