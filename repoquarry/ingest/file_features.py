"""Features of single files for importance scores (complexity, documentation, keywords in names); classifier of test files.

Paths alone misclassify a library's own testing tools (`django/test/`) as tests, and tests in a folder of another name (pytest's
`testing/`) as code; definitions and imports decide. Provided names and the ranking of localization depend on the result.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from pathspec import GitIgnoreSpec

from repoquarry.ingest.resolution import Resolution
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.registry import load


@dataclass(frozen=True)
class CandidateTests:
    """Test evidence that each file carries by itself."""

    certain: frozenset[str]
    """Paths of files that are named like tests, or define little else."""
    among: frozenset[str]
    """Paths of files that are located in test folders."""

    @classmethod
    def of(cls, files: Sequence[FileFacts]) -> CandidateTests:
        named, among = (
            frozenset(facts.path for facts in files if _patterns(facts.language)[kind].match_file(facts.path))
            for kind in range(2)
        )
        return cls(named.union(facts.path for facts in files if _defines_mostly_tests(facts)), among)

    def files(self, paths: Iterable[str], resolution: Resolution) -> frozenset[str]:
        """Return the paths of test files and of files that only tests import, among all `paths`.

        A file that is merely located in a test folder is code if code imports it, directly or through other such
        files.
        """
        tests = self.certain | self.among
        imported = _imported(resolution)
        pending = [path for path in paths if path not in tests]
        while pending:
            used = (imported[pending.pop()] & tests) - self.certain
            tests -= used
            pending += used
        return tests


@cache
def _patterns(language: str) -> tuple[GitIgnoreSpec, GitIgnoreSpec]:
    """Return the name patterns of test files and of test folders in the language."""
    tests = load(language).tests
    return GitIgnoreSpec.from_lines(tests.files), GitIgnoreSpec.from_lines(tests.folders)


def _defines_mostly_tests(facts: FileFacts) -> bool:
    """Return whether more than half of the functions and methods outside functions are named like tests."""
    is_test = load(facts.language).tests.is_test
    found = [
        is_test(definition)
        for definition in facts.definitions
        if definition.kind == "method" or (definition.kind == "function" and not definition.parent)
    ]
    return 2 * sum(found) > len(found)


def _imported(resolution: Resolution) -> dict[str, set[str]]:
    """Map each file to the files that it imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for edge in resolution.imports:
        source, target = resolution.path_key(edge.source), resolution.path_key(edge.target)
        if source and target:
            found[source[0]].add(target[0])
    return found


Place = tuple[str, str]
"""(path, key) of a definition."""

_BRANCHES: Final = 50.0
_INDENT, _LEVELS, _DEPTH_WEIGHT = 4.0, 5.0, 0.3
_KEY_WORD_IN: Final = re.compile("main|core|engine|api|service|processor|factory|builder|scheduler|config")
_BRANCH_WORD: Final = re.compile(r"\b(?:if|for|while|except)\b")
_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DOC_LENGTH, _DOC_WEIGHT = 200.0, 0.7
_DOC_PARTS: Final = (
    (re.compile(r"^\s*(?:args|arguments|param(?:eter)?s)\b\s*:?\s*$|[:@]param\b|\bargs:", re.I | re.M), 0.15),
    (re.compile(r"^\s*returns?\b\s*:|^\s*returns?\s*$|[:@]returns?\b", re.I | re.M), 0.15),
    (re.compile(r"^\s*examples?\b\s*:|^\s*examples?\s*$|@example\b|^\s*>>> ", re.I | re.M), 0.1),
)
_NEVER_CORE: Final = frozenset({"namespace", "anonymous class"})


@dataclass(frozen=True)
class FileFeatures:
    """Features by file, and by class or method in file order."""

    complexity: Mapping[str, float]
    """Complexity by path."""
    documentation: Mapping[str, float]
    """Documentation score by path."""
    telling: frozenset[str]
    """Paths of files that have a function whose name contains a keyword."""
    printed_telling: frozenset[str]
    """Paths of files that have a function whose name has a keyword as one of its words."""
    methods: Mapping[Place, int]
    """Number of methods by class."""
    owner: Mapping[Place, Place]
    """Class by class or method; nested classes come before their methods."""
    members: frozenset[Place]
    """All classes and methods."""
    never_core: frozenset[Place]
    """Classes that cannot be core classes: namespaces and anonymous classes."""
    tests: CandidateTests

    @classmethod
    def of(cls, files: Sequence[FileFacts]) -> FileFeatures:
        methods: dict[Place, int] = {}
        owner: dict[Place, Place] = {}
        members: set[Place] = set()
        never_core: set[Place] = set()
        for path, definition in ((facts.path, one) for facts in files for one in facts.definitions):
            place, above = (path, definition.key), (path, definition.parent)
            if definition.kind == "class":
                members.add(place)
                methods[place] = 0
                owner[place] = place
                never_core.update([place] if definition.form in _NEVER_CORE else ())
            elif definition.kind == "method":
                members.add(place)
                if above in methods:
                    methods[above] += 1
                    owner[place] = above
        return cls(
            {facts.path: _complexity(facts.branches, facts.deepest_indent) for facts in files},
            {facts.path: documentation(facts.docstring) for facts in files},
            _telling(files, has_keyword),
            _telling(files, has_keyword_as_word),
            methods,
            owner,
            frozenset(members),
            frozenset(never_core),
            CandidateTests.of(files),
        )


def documentation(docstring: str) -> float:
    """Score the docstring by its length up to 200 characters, and by sections on parameters, results and examples."""
    if not docstring:
        return 0.0
    parts = sum(worth for pattern, worth in _DOC_PARTS if pattern.search(docstring))
    return min(min(len(docstring) / _DOC_LENGTH, 1.0) * _DOC_WEIGHT + parts, 1.0)


def has_keyword(name: str) -> bool:
    """Return whether a name contains one of the keywords of the paper, also inside a word: `domain` contains `main`."""
    return _KEY_WORD_IN.search(name.lower()) is not None


def has_keyword_as_word(name: str) -> bool:
    """Return whether one word of a name is a keyword of the paper; words end at case changes and at other characters."""
    return any(_KEY_WORD_IN.fullmatch(word.lower()) for word in _NAME_WORD.findall(name))


def _telling(files: Iterable[FileFacts], matches: Callable[[str], bool]) -> frozenset[str]:
    """Return the paths of files with a function or method whose name matches."""
    return frozenset(facts.path for facts in files if any(matches(one.name) for one in _functions(facts)))


def _functions(facts: FileFacts) -> Iterator[Definition]:
    return (one for one in facts.definitions if one.kind in ("function", "method"))


def printed_complexity(facts: FileFacts, text: str) -> float:
    """Score the branch words of a complete text, and its deepest function. Source: RepoMaster, algorithm 2."""
    return _complexity(len(_BRANCH_WORD.findall(text)), max((one.indent for one in _functions(facts)), default=0))


def _complexity(branches: int, indent: int) -> float:
    return min(branches / _BRANCHES, 1.0) + min(indent / _INDENT / _LEVELS, 1.0) * _DEPTH_WEIGHT
