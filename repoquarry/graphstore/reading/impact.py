"""Impact of a change: changed lines to definitions to dependents and tests to run.

An edge has the confidence that resolution gave it, times a weight of its kind: a caller runs what it calls, while a module that
imports another one may use any part of it. Everything keeps its best path.

rare words of the changed lines.

A test that nothing leads to in the graph runs with its file: what a class of tests sets up, a fixture or a helper is reached first, and
the tests beside it depend on it without a call.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.patches import ChangedLines, Span, extract_words, word_overlap_scores
from repoquarry.graphstore.reading.records import DefinitionRecord, EdgeRecord
from repoquarry.languages.registry import family_name


def find_changed_definitions(
    reader: CodeReader, repository: str, changes: Iterable[ChangedLines]
) -> list[DefinitionRecord]:
    """Definitions and files that some changes touch, by path and line; files that are not indexed are left out."""
    found: dict[str, DefinitionRecord] = {}
    for change in changes:
        module = reader.module(repository, change.path)
        if module is None:
            continue
        inside = reader.inside(repository, change.path)
        for span in change.spans:
            found.update({item.id: item for item in _in_span(module, inside, span)})
    return sorted(found.values(), key=lambda item: (item.path, item.start_line, item.id))


def _in_span(module: DefinitionRecord, inside: Sequence[DefinitionRecord], span: Span) -> list[DefinitionRecord]:
    first, last = span
    if last < first:  # put in between two lines: only what holds both is touched
        around = [item for item in inside if item.start_line < first <= item.end_line]
        return [min(around, key=_length)] if around else [module]
    near = [item for item in inside if item.start_line <= last and first <= item.end_line]
    chosen: dict[str, DefinitionRecord] = {}
    for line in range(first, last + 1):
        around = [item for item in near if item.start_line <= line <= item.end_line]
        item = min(around, key=_length) if around else module
        chosen[item.id] = item
    return list(chosen.values())


def _length(item: DefinitionRecord) -> int:
    return item.end_line - item.start_line


WEIGHTS: Final[Mapping[str, float]] = {
    "CALLS": 0.95,
    "OVERRIDES": 0.9,
    "INHERITS": 0.8,
    "REFERENCES": 0.6,
    "IMPORTS": 0.6,
}
"""Share of a change's confidence that a step of a kind hands on, besides the confidence of the edge."""
_ANNOTATION: Final = 0.2
_CONSTRUCTOR: Final = 1.0
_ENCLOSING: Final = 0.9
_OWNER: Final = 0.3
_FILE: Final = 0.3
_MEMBER: Final = 0.5
_POSSIBLE: Final = 0.25
"""Steps that no relationship stands for: from a constructor to its class, from an inner function to the outer one, from a method to its
class, from a definition to its file, from a class to its methods, and to an unresolved call of a name."""
MAX_FRONTIER: Final = 2_000
"""Definitions of one hop that are followed, those of the highest confidence."""


@dataclass(frozen=True)
class AffectedDefinition:
    """Something that a change reaches. `via` is what it depends on, by id; empty for what was changed itself."""

    definition: DefinitionRecord
    confidence: float
    hops: int
    how: str
    via: str = ""


def propagate_impact(
    reader: CodeReader, touched: Sequence[DefinitionRecord], repositories: Sequence[str], hops: int, least: float
) -> dict[str, AffectedDefinition]:
    """Everything that is reached within so many hops with a confidence of at least `least`, by id; what was touched has 1.0.

    Calls are followed into those of `repositories` that use another one.
    """
    found = {item.id: AffectedDefinition(item, 1.0, 0, "changed") for item in touched}
    _reach(found, _possible(reader, touched, repositories), 1, least)
    frontier = sorted(found)
    for hop in range(1, hops + 1):
        steps = _steps(reader, [found[id_] for id_ in frontier], repositories)
        improved = _reach(found, steps, hop, least)
        frontier = sorted(improved, key=lambda id_: (-found[id_].confidence, id_))[:MAX_FRONTIER]
        if not frontier:
            break
    return found


def _reach(
    found: dict[str, AffectedDefinition], steps: Iterable[AffectedDefinition], hop: int, least: float
) -> set[str]:
    """Keep what is surer than before; the ids of these."""
    improved = set()
    for step in steps:
        id_, known = step.definition.id, found.get(step.definition.id)
        if step.confidence >= least and (known is None or step.confidence > known.confidence + 1e-9):
            found[id_] = AffectedDefinition(step.definition, step.confidence, hop, step.how, step.via)
            improved.add(id_)
    return improved


def _steps(
    reader: CodeReader, sources: Sequence[AffectedDefinition], repositories: Sequence[str]
) -> Iterator[AffectedDefinition]:
    sure = {item.definition.id: item.confidence for item in sources}
    ids = list(sure)
    for edges in (
        reader.calls_to(ids),
        reader.calls_from_elsewhere(ids, repositories),
        reader.overridden(ids),
        reader.subclasses(ids),
        reader.references_to(ids),
        reader.imports_to(ids),
    ):
        for edge in edges:
            confidence = sure[edge.end.id] * edge.confidence * _path_weight(edge)
            yield AffectedDefinition(edge.start, confidence, 0, edge.kind.lower(), edge.end.id)
    yield from _around(reader, sources)


def _path_weight(edge: EdgeRecord) -> float:
    return _ANNOTATION if edge.kind == "REFERENCES" and edge.how == "annotation" else WEIGHTS[edge.kind]


def _around(reader: CodeReader, sources: Sequence[AffectedDefinition]) -> Iterator[AffectedDefinition]:
    """Steps along the code tree: to what a definition is a part of, and from a class to its methods."""
    for source in sources:
        item = source.definition
        if item.label == "Module":
            continue
        outer = _outer(reader, item)
        if outer is not None:
            share = _ENCLOSING if outer.label == "Function" else _CONSTRUCTOR if item.kind == "constructor" else _OWNER
            yield AffectedDefinition(outer, source.confidence * share, 0, "part of it", item.id)
        if source.hops == 0:
            module = reader.module(item.repository, item.path)
            if module is not None:
                yield AffectedDefinition(module, source.confidence * _FILE, 0, "its file", item.id)
            if item.label == "Class":
                yield from _members(reader, source)


def _outer(reader: CodeReader, item: DefinitionRecord) -> DefinitionRecord | None:
    name = item.qualname.rpartition(".")[0]
    found = [other for other in reader.inside(item.repository, item.path) if other.qualname == name] if name else []
    return found[0] if found else None


def _members(reader: CodeReader, source: AffectedDefinition) -> Iterator[AffectedDefinition]:
    prefix = f"{source.definition.qualname}."
    for other in reader.inside(source.definition.repository, source.definition.path):
        if other.qualname.startswith(prefix):
            yield AffectedDefinition(other, source.confidence * _MEMBER, 0, "member", source.definition.id)


def _possible(
    reader: CodeReader, touched: Sequence[DefinitionRecord], repositories: Sequence[str]
) -> Iterator[AffectedDefinition]:
    """Who calls a changed name where the call could not be resolved."""
    functions = [item for item in touched if item.label == "Function" and not item.is_test]
    for site, target in reader.possible_calls(functions, repositories):
        yield AffectedDefinition(site.caller, _POSSIBLE, 0, "possible call", target.id)


_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")
_TELL_NOTHING: Final = frozenset({"test", "tests", "spec", "init", "index", "main", "conftest"})


def name_words(path: str) -> frozenset[str]:
    """The words of a file's name, lower case, without what says that it holds tests or stands for a folder."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return frozenset(word.lower() for word in _PART.findall(stem)) - _TELL_NOTHING


def name_similarity(paths: Iterable[str], modules: Sequence[DefinitionRecord]) -> dict[str, float]:
    """By id, how alike the name of each file is to the most alike of some paths, 0 to 1; left out where no word is shared.

    The weighted Jaccard index of their words; a word weighs ln((n + 1) / (d + 0.5)), where d of the n files have it in their names.
    """
    named = {module.id: name_words(module.path) for module in modules}
    files_with = Counter(word for words in named.values() for word in words)
    changed = {name_words(path) for path in paths}

    def weight(words: Iterable[str]) -> float:
        return math.fsum(math.log((len(named) + 1) / (files_with[word] + 0.5)) for word in sorted(words))

    found: dict[str, float] = {}
    for id_, words in named.items():
        shares = [weight(words & other) / whole for other in changed if (whole := weight(words | other)) > 0]
        if (best := max(shares, default=0.0)) > 0:
            found[id_] = best
    return found


_WORDING: Final = 2.0
"""What the share of a change's words counts for beside the confidence, in the order of files; figures are in docs/benchmarks.md."""
_NAMING: Final = 0.5
"""What the likeness of names to those of changed files counts for (`naming.name_likeness`), likewise."""
_MIN_SHARE: Final = 0.1
"""Share of a change's words that calls for a file to which nothing else leads."""
_WORDS_ALONE: Final = "has words of the change"
_NAMED_AFTER: Final = 0.5
"""Confidence of a test file that is named after a changed file."""
_SET_UP: Final = frozenset({"setUp", "setUpClass", "setUpTestData", "setup_method", "setup_class", "tearDown", "setup"})
_SHARED: Final = 0.5
"""Share of the confidence of a helper or fixture that the tests of its file have."""
_AFFIX: Final = re.compile(r"^(?:tests?[_.-])|(?:[_.-](?:tests?|spec))$|(?<=[a-z0-9])Tests?$", re.IGNORECASE)


@dataclass(frozen=True)
class RankedTest:
    """A test function or method, and what it depends on."""

    definition: DefinitionRecord
    confidence: float
    hops: int
    how: str
    via: str


@dataclass(frozen=True)
class RankedFile:
    """A file of tests with those in it that are called for, the surest first; none where only the file is known."""

    module: DefinitionRecord
    confidence: float
    how: str
    shared: float
    """Share of the change's words that it has, 0 to 1 (`wording.shared_words`)."""
    tests: tuple[RankedTest, ...]


def select_tests(
    reader: CodeReader,
    affected: Mapping[str, AffectedDefinition],
    touched: Sequence[DefinitionRecord],
    modules: Sequence[DefinitionRecord],
    words: Iterable[str],
) -> list[RankedFile]:
    """Files of tests among `modules` (all source files that may hold tests), the most telling first.

    `words`: of the change; the names of what is touched count besides.
    """
    reached: dict[tuple[str, str], list[AffectedDefinition]] = {}
    for item in affected.values():
        if item.definition.is_test:
            reached.setdefault((item.definition.repository, item.definition.path), []).append(item)
    stems = {_stem(item.path) for item in touched if not item.is_test} - {""}
    own, families = {item.repository for item in touched}, {family_name(item.path) for item in touched}
    tests = [one for one in modules if one.is_test and (one.repository in own or family_name(one.path) in families)]
    shared = word_overlap_scores(
        reader, tests, extract_words((*words, *(item.name for item in touched if item.label != "Module")))
    )
    files = []
    for module in tests:
        items = reached.get((module.repository, module.path), [])
        share = shared.get(module.id, 0.0)
        named = bool(stems & {_stem(module.path)}) and module.repository in own
        if items or named or share >= _MIN_SHARE:
            files.append(_file(reader, module, items, share, named=named))
    alike = name_similarity({item.path for item in touched if not item.is_test}, tests)

    def telling(file: RankedFile) -> float:
        sure = 0.0 if file.how == _WORDS_ALONE else file.confidence  # words count once
        return sure + _WORDING * file.shared + _NAMING * alike.get(file.module.id, 0.0)

    return sorted(files, key=lambda file: (-telling(file), -_weight(file), file.module.id))


def _file(
    reader: CodeReader, module: DefinitionRecord, items: Iterable[AffectedDefinition], shared: float, *, named: bool
) -> RankedFile:
    inside = reader.inside(module.repository, module.path)
    tests: dict[str, RankedTest] = {}
    best, how = (_NAMED_AFTER, "named after a changed file") if named else (shared / 2, _WORDS_ALONE)
    for item in items:
        if item.confidence > best:
            best, how = item.confidence, item.how
        if item.definition.label == "Module" and item.hops:
            continue  # it only imports what was changed: that speaks for the file, and for no test in it
        for definition, part in _tests_of(item.definition, inside):
            confidence = item.confidence * part
            known = tests.get(definition.id)
            if known is None or confidence > known.confidence:
                tests[definition.id] = RankedTest(definition, confidence, item.hops, item.how, item.via)
    ranked = sorted(tests.values(), key=lambda test: (-test.confidence, test.definition.id))
    return RankedFile(module, best, how, shared, tuple(ranked))


def _tests_of(item: DefinitionRecord, inside: Sequence[DefinitionRecord]) -> list[tuple[DefinitionRecord, float]]:
    """The tests that a reached definition of a test file stands for: itself, those of its class, those of its file."""
    if is_test_function(item):
        return [(item, 1.0)]
    owner = item.qualname if item.label == "Class" else item.qualname.rpartition(".")[0]
    beside = [other for other in inside if is_test_function(other)]
    if item.label == "Module":
        return [(other, 1.0) for other in beside]
    if owner:
        share = 1.0 if item.name in _SET_UP or item.label == "Class" else _SHARED
        return [(other, share) for other in beside if other.qualname.startswith(f"{owner}.")]
    return []


def is_test_function(item: DefinitionRecord) -> bool:
    """Whether a runner of tests would call it."""
    return item.label == "Function" and any(point.partition(":")[0] == "test" for point in item.entry_points)


def _stem(path: str) -> str:
    """What a file is named after, without what says that it holds tests; empty for names that say nothing."""
    stem = path.rpartition("/")[2].partition(".")[0]
    bare = _AFFIX.sub("", stem).strip("_").lower()
    return "" if bare in ("", "init", "conftest", "main", "index", "test", "tests") else bare


def _weight(file: RankedFile) -> float:
    return sum(test.confidence for test in file.tests)
