"""Which tests a change calls for: those that it reaches, those that are named after a file that it changes, and those whose text has
rare words of the changed lines.

A test that nothing leads to in the graph runs with its file: what a class of tests sets up, a fixture or a helper is reached first, and
the tests beside it depend on it without a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition
from repoquarry.graphstore.impact.naming import name_likeness
from repoquarry.graphstore.impact.reach import Affected
from repoquarry.graphstore.impact.wording import shared_words, words_of

_WORDING: Final = 2.0
"""What the share of a change's words counts for beside the confidence, in the order of files; figures are in docs/benchmarks.md."""
_NAMING: Final = 0.5
"""What the likeness of names to those of changed files counts for (`naming.name_likeness`), likewise."""
_LEAST_SHARE: Final = 0.1
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

    definition: Definition
    confidence: float
    hops: int
    how: str
    via: str


@dataclass(frozen=True)
class RankedFile:
    """A file of tests with those in it that are called for, the surest first; none where only the file is known."""

    module: Definition
    confidence: float
    how: str
    shared: float
    """Share of the change's words that it has, 0 to 1 (`wording.shared_words`)."""
    tests: tuple[RankedTest, ...]


def tests_to_run(
    reader: CodeReader,
    affected: Mapping[str, Affected],
    touched: Sequence[Definition],
    modules: Sequence[Definition],
    words: Iterable[str],
) -> list[RankedFile]:
    """Files of tests among `modules` (all source files that may hold tests), the most telling first.

    `words`: of the change; the names of what is touched count besides.
    """
    reached: dict[tuple[str, str], list[Affected]] = {}
    for item in affected.values():
        if item.definition.is_test:
            reached.setdefault((item.definition.repository, item.definition.path), []).append(item)
    stems = {_stem(item.path) for item in touched if not item.is_test} - {""}
    tests = [module for module in modules if module.is_test]
    shared = shared_words(reader, tests, words_of((*words, *(item.name for item in touched if item.label != "Module"))))
    files = []
    for module in tests:
        items = reached.get((module.repository, module.path), [])
        share = shared.get(module.id, 0.0)
        named = bool(stems & {_stem(module.path)}) and module.repository in {item.repository for item in touched}
        if items or named or share >= _LEAST_SHARE:
            files.append(_file(reader, module, items, share, named=named))
    alike = name_likeness({item.path for item in touched if not item.is_test}, tests)

    def telling(file: RankedFile) -> float:
        sure = 0.0 if file.how == _WORDS_ALONE else file.confidence  # words count once
        return sure + _WORDING * file.shared + _NAMING * alike.get(file.module.id, 0.0)

    return sorted(files, key=lambda file: (-telling(file), -_weight(file), file.module.id))


def _file(
    reader: CodeReader, module: Definition, items: Iterable[Affected], shared: float, *, named: bool
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


def _tests_of(item: Definition, inside: Sequence[Definition]) -> list[tuple[Definition, float]]:
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


def is_test_function(item: Definition) -> bool:
    """Whether a runner of tests would call it."""
    return item.label == "Function" and any(point.partition(":")[0] == "test" for point in item.entry_points)


def _stem(path: str) -> str:
    """What a file is named after, without what says that it holds tests; empty for names that say nothing."""
    stem = path.rpartition("/")[2].partition(".")[0]
    bare = _AFFIX.sub("", stem).strip("_").lower()
    return "" if bare in ("", "init", "conftest", "main", "index", "test", "tests") else bare


def _weight(file: RankedFile) -> float:
    return sum(test.confidence for test in file.tests)
