"""Regression test selection: ranks the test files to run for a change by dependency, shared words and file names; builds test commands.

A file whose setup, fixtures or helpers depend on the change is selected as a whole: the tests in it depend on them without a call.
docs/explanation/benchmarks.md documents the effect of the weights.
"""

from __future__ import annotations

import math
import re
import shlex
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from repoquarry.code.patches import extract_words
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import AffectedDefinition, DefinitionRecord
from repoquarry.graphstore.model.values import get_str
from repoquarry.graphstore.store import Store
from repoquarry.languages.registry import family_name

_NAME_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")
_COMMON_NAME_WORDS: Final = frozenset({"test", "tests", "spec", "init", "index", "main", "conftest"})
_TEST_AFFIX: Final = re.compile(r"^(?:tests?[_.-])|(?:[_.-](?:tests?|spec))$|(?<=[a-z0-9])Tests?$", re.IGNORECASE)
_COMMON_STEMS: Final = frozenset({"", "init", "conftest", "main", "index", "test", "tests"})

_WORD_WEIGHT: Final = 2.0
"""Weight of the shared words relative to the confidence, in the order of files."""
_NAME_WEIGHT: Final = 0.5
"""Weight of the similarity of file names, likewise."""
_MIN_SHARED_WORDS: Final = 0.1
"""Share of a change's words that selects a file without any dependency."""
_MIN_RELEVANCE: Final = 0.3
"""Share of the relevance of the best file that selects a file."""
_CONFIDENT: Final = 0.5
"""Confidence of a dependency that selects a file whatever its relevance."""
_LIKELY: Final = 0.3
"""Confidence of a test by which files without reached tests are left out, where a change has no text."""
_MIN_RELEVANCE_OF_NAME: Final = 0.5
_MIN_CONFIDENCE_OF_FILE: Final = 0.3
"""Shares of the best file and of the surest test that select a file there."""
_WORDS_ONLY: Final = "has words of the change"
_NAMED_AFTER: Final = 0.5
"""Confidence of a test file that is named after a changed file."""
_SETUP_NAMES: Final = frozenset(
    {"setUp", "setUpClass", "setUpTestData", "setup_method", "setup_class", "tearDown", "setup"}
)


@dataclass(frozen=True)
class RankedFile:
    """A test file with its selected tests, most confident first; no tests where only the file is known."""

    entity: DefinitionRecord
    confidence: float
    how: str
    shared_words: float
    """Weighted share of the change's words that the file contains, 0 to 1."""
    tests: tuple[AffectedDefinition, ...]


def select_tests(
    reader: CodeReader,
    affected: Mapping[str, AffectedDefinition],
    changed: Sequence[DefinitionRecord],
    modules: Sequence[DefinitionRecord],
    words: Iterable[str],
) -> list[RankedFile]:
    """Rank the test files among `modules`, most relevant first; files far less relevant than the first are omitted.

    `affected` are the definitions that depend on the change, by id; the names of `changed` ones count as `words` of the change.
    """
    reached: dict[tuple[str, str], list[AffectedDefinition]] = {}
    for item in (*affected.values(), *_find_inheritors(reader, affected.values())):
        if item.entity.is_test:
            reached.setdefault((item.entity.repository, item.entity.path), []).append(item)
    words = frozenset(words)
    changed_code = [item for item in changed if not item.is_test]
    stems = {_file_stem(item.path) for item in changed_code} - {""}
    own, families = {item.repository for item in changed}, {family_name(item.path) for item in changed}
    tests = [one for one in modules if one.is_test and (one.repository in own or family_name(one.path) in families)]
    names = (item.name for item in changed if item.label != "Module")
    shared = word_overlap_scores(reader, tests, extract_words((*words, *names)))
    files = []
    for module in tests:
        items = reached.get((module.repository, module.path), [])
        share = shared.get(module.id, 0.0)
        is_named_after = _file_stem(module.path) in stems and module.repository in own
        if items or is_named_after or share >= _MIN_SHARED_WORDS:
            files.append(_rank_tests(reader, module, items, share, is_named_after=is_named_after))
    similar = name_similarity({item.path for item in changed_code}, tests)

    def relevance(file: RankedFile) -> float:
        confidence = 0.0 if file.how == _WORDS_ONLY else file.confidence  # Words count once.
        return confidence + _WORD_WEIGHT * file.shared_words + _NAME_WEIGHT * similar.get(file.entity.id, 0.0)

    selected = _select_files(files, relevance, has_text=bool(words))
    return sorted(
        selected, key=lambda file: (-relevance(file), -sum(test.confidence for test in file.tests), file.entity.id)
    )


def _select_files(
    files: Sequence[RankedFile], relevance: Callable[[RankedFile], float], *, has_text: bool
) -> list[RankedFile]:
    """Select files by relevance; without the text of a change, only by tests that reach it where there are likely ones.

    A name alone has too few words to tell files apart.
    """
    surest = max((test.confidence for file in files for test in file.tests), default=0.0)
    if has_text or surest < _LIKELY:
        enough = _MIN_RELEVANCE * max(map(relevance, files), default=0.0)
        return [file for file in files if relevance(file) >= enough or file.confidence >= _CONFIDENT]
    files = [_by_tests(file, _CONFIDENT * surest) for file in files if file.tests]
    enough = _MIN_RELEVANCE_OF_NAME * max(map(relevance, files))
    return [
        file
        for file in files
        if file.confidence >= (_MIN_CONFIDENCE_OF_FILE if relevance(file) >= enough else _CONFIDENT) * surest
    ]


def _by_tests(file: RankedFile, enough: float) -> RankedFile:
    """Return the file with the confidence of its surest test, and with the tests that are sure enough, or as sure as the first."""
    first = file.tests[0]
    tests = tuple(test for test in file.tests if test.confidence >= min(enough, first.confidence))
    return replace(file, confidence=first.confidence, how=first.how, tests=tests)


def _find_inheritors(reader: CodeReader, affected: Iterable[AffectedDefinition]) -> list[AffectedDefinition]:
    """Return reached tests once more for each class that inherits them: a runner runs them there as well.

    An inherited test is located at the class that inherits it; its id stays that of the test.
    """
    waiting: dict[str, list[AffectedDefinition]] = {}
    for item in affected:
        owner = item.entity.qualname.rpartition(".")[0]
        if owner and item.entity.is_test and (is_test_function(item.entity) or _is_mixed_in(item.entity)):
            waiting.setdefault(f"{item.entity.repository}:{item.entity.path}::{owner}", []).append(item)
    found: dict[tuple[str, str], AffectedDefinition] = {}
    seen = set(waiting)
    while waiting:
        following: dict[str, list[AffectedDefinition]] = {}
        for edge in reader.subclasses(waiting):
            subclass = edge.start
            own = {member.name for member in reader.members(subclass)}
            heirs = [_inherit(item, subclass) for item in waiting[edge.end.id] if item.entity.name not in own]
            for heir in heirs:
                key = subclass.id, heir.entity.name
                found[key] = max(found.get(key, heir), heir, key=lambda one: one.confidence)
            if subclass.id not in seen:
                following.setdefault(subclass.id, []).extend(heirs)
        seen |= following.keys()
        waiting = following
    return [found[key] for key in sorted(found)]


def _is_mixed_in(item: DefinitionRecord) -> bool:
    """Return whether a method is a test of those classes that inherit it, since its own class is none of a runner."""
    return item.label == "Function" and item.name.startswith("test")


def _inherit(item: AffectedDefinition, subclass: DefinitionRecord) -> AffectedDefinition:
    test = replace(
        item.entity,
        entry_points=(f"test: {item.entity.name}",),
        repository=subclass.repository,
        path=subclass.path,
        qualname=f"{subclass.qualname}.{item.entity.name}",
        start_line=subclass.start_line,
        end_line=subclass.end_line,
    )
    return replace(item, entity=test, hops=item.hops + 1, how="inherits tests", via_id=item.entity.id)


class TestWords:
    """Words of the test files of one stored revision: numbers of the files with each word. Immutable; built by `Store.cached`."""

    __test__ = False  # no test class of pytest

    def __init__(self, store: Store, repository: str) -> None:
        rows = store.execute_named("test_paths", repositories=[repository]).rows
        self.paths = [get_str(path) for (path,) in rows]
        self._files_by_word: dict[str, array[int]] = {}
        for number, path in enumerate(self.paths):
            for word in extract_words([store.source_text(repository, path)]):
                self._files_by_word.setdefault(sys.intern(word), array("i")).append(number)

    def find(self, words: Iterable[str]) -> dict[str, set[str]]:
        """Return those of some words that each file contains, by path; files without any are skipped."""
        found: dict[str, set[str]] = {}
        for word in words:
            for number in self._files_by_word.get(word, ()):
                found.setdefault(self.paths[number], set()).add(word)
        return found


def word_overlap_scores(
    reader: CodeReader, modules: Sequence[DefinitionRecord], words: frozenset[str]
) -> dict[str, float]:
    """Return the weighted share of the words that each test file contains, 0 to 1, by id.

    A word weighs ln((n + 1) / (d + 0.5)), its inverse document frequency, where d of the n files contain it. Words that no file contains
    do not count. Files whose texts are in another data folder are skipped.
    """
    if not words:
        return {}
    local = set(reader.store.text_repositories())
    ids_by_repository: dict[str, dict[str, str]] = {}
    for module in modules:
        if module.repository in local:
            ids_by_repository.setdefault(module.repository, {})[module.path] = module.id
    found = {
        ids[path]: contained
        for repository, ids in ids_by_repository.items()
        for path, contained in reader.store.cached(repository, TestWords).find(words).items()
        if path in ids
    }
    file_count = sum(map(len, ids_by_repository.values()))
    file_count_by_word = Counter(word for contained in found.values() for word in contained)
    weights = {word: math.log((file_count + 1) / (count + 0.5)) for word, count in file_count_by_word.items()}
    total = math.fsum(weights.values())
    return {id_: math.fsum(weights[word] for word in held) / total for id_, held in found.items()}


def name_words(path: str) -> frozenset[str]:
    """Return the words of a file's name in lower case, without those that mark tests or folder indexes."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return frozenset(word.lower() for word in _NAME_PART.findall(stem)) - _COMMON_NAME_WORDS


def name_similarity(paths: Iterable[str], modules: Sequence[DefinitionRecord]) -> dict[str, float]:
    """Return the similarity of each file's name to the most similar of some paths, 0 to 1, by id; files without a common word are skipped.

    The weighted Jaccard index of their words; a word weighs ln((n + 1) / (d + 0.5)), where d of the n files have it in their names.
    """
    words_by_id = {module.id: name_words(module.path) for module in modules}
    file_count_by_word = Counter(word for words in words_by_id.values() for word in words)
    changed = {name_words(path) for path in paths}

    def weigh(words: Iterable[str]) -> float:
        return math.fsum(math.log((len(words_by_id) + 1) / (file_count_by_word[word] + 0.5)) for word in sorted(words))

    found: dict[str, float] = {}
    for id_, words in words_by_id.items():
        shares = [weigh(words & other) / union for other in changed if (union := weigh(words | other)) > 0]
        if (best := max(shares, default=0.0)) > 0:
            found[id_] = best
    return found


def _rank_tests(
    reader: CodeReader,
    module: DefinitionRecord,
    items: Iterable[AffectedDefinition],
    shared_words: float,
    *,
    is_named_after: bool,
) -> RankedFile:
    candidates = [item for item in reader.inside(module.repository, module.path) if is_test_function(item)]
    tests: dict[str, AffectedDefinition] = {}
    best, how = (_NAMED_AFTER, "named after a changed file") if is_named_after else (shared_words / 2, _WORDS_ONLY)
    for item in items:
        if item.confidence > best:
            best, how = item.confidence, item.how
        if item.entity.label == "Module" and item.hops:
            continue  # The file only imports the changed code: evidence for the file, and for no test in it.
        for definition in _list_tests(item, candidates):
            known = tests.get(definition.qualname)
            if known is None or item.confidence > known.confidence:
                tests[definition.qualname] = replace(item, entity=definition)
    ranked = sorted(tests.values(), key=lambda test: (-test.confidence, test.entity.id, test.entity.qualname))
    return RankedFile(module, best, how, shared_words, tuple(ranked))


def _list_tests(affected: AffectedDefinition, tests: Sequence[DefinitionRecord]) -> list[DefinitionRecord]:
    """List those `tests` of its file that depend on a definition: itself, or the tests of its class or file.

    A class that a reached member belongs to says nothing of its other tests.
    """
    item = affected.entity
    if is_test_function(item):
        return [item]
    if item.label == "Module":
        return list(tests)
    is_class = item.label == "Class" and affected.how != "part of it"
    owner = item.qualname if is_class else item.qualname.rpartition(".")[0] if item.name in _SETUP_NAMES else ""
    return [other for other in tests if owner and other.qualname.startswith(f"{owner}.")]


def is_test_function(item: DefinitionRecord) -> bool:
    """Return whether a test runner would call the definition."""
    return item.label == "Function" and any(point.partition(":")[0] == "test" for point in item.entry_points)


def _file_stem(path: str) -> str:
    """Return the name that a test file shares with its subject; empty for names such as `index`."""
    stem = path.rpartition("/")[2].partition(".")[0]
    bare = _TEST_AFFIX.sub("", stem).strip("_").lower()
    return "" if bare in _COMMON_STEMS else bare


_SCRIPT: Final = re.compile(r"\.[cm]?[jt]sx?$")
_DEFAULT_SCRIPT_RUNNER: Final = "npm test --"
_SCRIPT_RUNNERS: Final[Mapping[str, str]] = {
    "vitest": "npx vitest run",
    "jest": "npx jest",
    "mocha": "npx mocha",
    "ava": "npx ava",
}
"""Commands by the package that provides them, the preferred one first."""


@dataclass(frozen=True)
class _Runner:
    command: str
    format_path: Callable[[str], str] = str
    """Return the argument of a test file; several files may share one."""
    separator: str = " "


def _folder_argument(path: str) -> str:
    return f"./{path.rpartition('/')[0]}"


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


_RUNNERS: Final[Mapping[str, _Runner]] = {
    ".py": _Runner("python -m pytest"),
    ".go": _Runner("go test", _folder_argument),
    ".java": _Runner("mvn test -Dtest=", _stem, ","),
    ".php": _Runner("vendor/bin/phpunit"),
    "_spec.rb": _Runner("bundle exec rspec"),
    ".rb": _Runner("bundle exec ruby -Itest"),
    ".rs": _Runner("cargo test", lambda _: ""),
}
"""Runners by the end of the path, the narrower one first."""


def build_test_commands(paths: Sequence[str], packages: Collection[str] = ()) -> list[str]:
    """Return one command for each known test runner, to be run in the root of the repository.

    `packages` are the dependencies of the repository, which decide the runner of JavaScript and TypeScript.
    """
    scripts = (command for package, command in _SCRIPT_RUNNERS.items() if package in packages)
    script_runner = _Runner(next(scripts, _DEFAULT_SCRIPT_RUNNER))
    arguments: dict[_Runner, dict[str, None]] = {}
    for path in paths:
        known = (runner for suffix, runner in _RUNNERS.items() if path.endswith(suffix))
        runner = script_runner if _SCRIPT.search(path) else next(known, None)
        if runner is not None:
            argument = runner.format_path(path)
            arguments.setdefault(runner, {})[shlex.quote(argument) if argument else ""] = None
    return [_join(runner, list(found)) for runner, found in arguments.items()]


def _join(runner: _Runner, arguments: Sequence[str]) -> str:
    first = "" if runner.command.endswith("=") else " "
    return f"{runner.command}{first}{runner.separator.join(arguments)}".rstrip()
