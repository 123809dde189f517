"""Which files of a repository hold tests: by the conventions of their language, by what they define, and by who uses them.

A convention of paths alone takes a library's own testing tools for tests (`django/test/`), and tests in a folder of another name
(pytest's `testing/`) for code. What a repository offers to others and what localisation demotes depend on the difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pathspec import GitIgnoreSpec

from repoquarry.ingest.resolution import Resolution
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import load


@dataclass(frozen=True)
class TestSigns:
    """What says of each file alone that it holds tests."""

    certain: frozenset[str]
    """Paths of files that are named as tests, or define little else."""
    among: frozenset[str]
    """Paths of files that lie in folders of tests."""

    @classmethod
    def of(cls, files: Sequence[FileFacts]) -> TestSigns:
        certain = frozenset(facts.path for facts in files if _is_named_as_test(facts) or _defines_mostly_tests(facts))
        return cls(certain, frozenset(facts.path for facts in files if _lies_among_tests(facts)))

    def files(self, paths: Iterable[str], resolution: Resolution) -> frozenset[str]:
        """Paths of the files that hold tests or serve nothing but tests, among all `paths`.

        A file that only lies in a folder of tests is code when code imports it, itself or through others of that kind.
        """
        tests = self.certain | self.among
        imported = _imported(resolution)
        pending = [path for path in paths if path not in tests]
        while pending:
            used = (imported[pending.pop()] & tests) - self.certain
            tests -= used
            pending += used
        return tests


def _is_named_as_test(facts: FileFacts) -> bool:
    return _patterns(facts.language)[0].match_file(facts.path)


def _lies_among_tests(facts: FileFacts) -> bool:
    return _patterns(facts.language)[1].match_file(facts.path)


@cache
def _patterns(language: str) -> tuple[GitIgnoreSpec, GitIgnoreSpec]:
    """What the language calls a file of tests, and a folder of them."""
    tests = load(language).tests
    return GitIgnoreSpec.from_lines(tests.files), GitIgnoreSpec.from_lines(tests.folders)


def _defines_mostly_tests(facts: FileFacts) -> bool:
    """More than half of its functions and methods are called tests; those inside functions are left out."""
    is_test = load(facts.language).tests.is_test
    found = [
        is_test(definition)
        for definition in facts.definitions
        if definition.kind == "method" or (definition.kind == "function" and not definition.parent)
    ]
    return 2 * sum(found) > len(found)


def _imported(resolution: Resolution) -> dict[str, set[str]]:
    """The files that each file imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for edge in resolution.imports:
        source, target = resolution.path_key(edge.source), resolution.path_key(edge.target)
        if source and target:
            found[source[0]].add(target[0])
    return found
