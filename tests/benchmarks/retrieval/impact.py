"""Does impact name the tests that a commit's authors changed? Commits of a real repository, each against the tree before it.

A case is a commit that changes source files and test files which the tree before it has. The tree is indexed without git, the change
is the commit's patch without its tests and the files in their folders, and the gold are the test files that the commit changes. "Within
a quarter" counts a gold file when its rank is at most a quarter of all indexed test files. Python, JavaScript, TypeScript and Java.

With `--python`, an interpreter that has pytest and what a Python project needs, the tests of the tree before are run with the patch and
without it: files with a test that fails only with it are a second gold, and both together a third.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.impact [--repository OWNER/NAME] [--count N] [--python INTERPRETER]
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.impact import analyze_impact, find_code_change
from repoquarry.graphstore.reading.patches import parse_patch
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import CommitCase, Mirror

_TEST_SECONDS = 600
_CHANGED, _FAILING, _EITHER = "changed test files", "test files made fail", "test files of both sorts"
_SUFFIXES = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".java")
_OF_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|specs?|testing|__snapshots__|testdata)/|(^|/)test_|_test\.|\.test\.|\.spec\.|Tests?\.java$|(^|/)conftest\.py$",
    re.IGNORECASE,
)
"""Paths of tests and of their data, which a change is asked about without."""


@dataclass(frozen=True)
class Outcome:
    """One case and one gold: gold files, those named at all, those within a quarter, files named, files of tests indexed."""

    gold: int
    named: int
    within: int
    chosen: int
    indexed: int


@dataclass(frozen=True)
class Answer:
    """Tests that impact selects for a case, best first, with the gold."""

    ranked: Sequence[str]
    indexed: int

    def against(self, gold: set[str]) -> Outcome:
        quarter = set(self.ranked[: self.indexed // 4])
        return Outcome(len(gold), len(gold & set(self.ranked)), len(gold & quarter), len(self.ranked), self.indexed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repository", default="pallets/flask", help="owner/name of a mirror below BENCH_MIRROR")
    parser.add_argument("--count", type=int, default=10, help="commits")
    parser.add_argument("--python", help="interpreter to run a Python project's tests with")
    arguments = parser.parse_args()
    mirror = Mirror.of(arguments.repository, _SUFFIXES) if "BENCH_MIRROR" in os.environ else None
    if mirror is None:
        print("BENCH_MIRROR names no folder with a mirror of it", file=sys.stderr)
        return SKIPPED
    _, cases = mirror.cases(arguments.count * 20)
    outcomes: list[dict[str, Outcome]] = []
    with tempfile.TemporaryDirectory() as work, Store.open(StoreSettings(Path(work, "store")), writable=True) as store:
        for case in cases:
            outcome = _outcome(mirror, case, store, Path(work, "tree"), arguments.python)
            if outcome:
                outcomes.append(outcome)
                print(f"{case.commit[:10]} {outcome} {case.subject[:60]}", flush=True)
            if len(outcomes) == arguments.count:
                break
    for gold in (_CHANGED, _FAILING, _EITHER) if arguments.python else (_CHANGED,):
        _print(arguments.repository, gold, [outcome[gold] for outcome in outcomes])
    return 0


def _outcome(mirror: Mirror, case: CommitCase, store: Store, tree: Path, interpreter: str | None) -> dict[str, Outcome]:
    """An outcome for each gold; none where the commit changes no source file, or no test file, of the tree before it."""
    parent = f"{case.commit}^"
    kept = set(mirror.git("ls-tree", "-r", "--name-only", parent).splitlines()) & set(case.paths)
    if len(kept) < 2:
        return {}
    mirror.lay_out(parent, tree)
    index_repository(str(tree), store, IngestSettings(), name="subject")
    reader = CodeReader(store)
    modules = [item for item in reader.modules(["subject"], limit=1_000_000) if item.is_test]
    changed = {item.path for item in modules} & kept
    if not changed or changed == kept:
        return {}
    every = mirror.git("diff", "--name-only", "--no-renames", "-z", parent, case.commit).split("\0")
    given = [path for path in every if path and path not in changed and not _OF_TESTS.search(path)]
    if not any(path in kept for path in given):
        return {}
    patch = mirror.git("diff", "--unified=0", "--no-renames", parent, case.commit, "--", *given)
    report = analyze_impact(reader, find_code_change(reader, "subject", parse_patch(patch)), ["subject"])
    answer = Answer([file.module.path for file in report.test_files], report.indexed_test_files)
    outcome = {_CHANGED: answer.against(changed)}
    if interpreter is not None:
        failing = _made_fail(mirror, case, tree, given, interpreter) & {item.path for item in modules}
        outcome |= {_FAILING: answer.against(failing), _EITHER: answer.against(changed | failing)}
    return outcome


def _made_fail(mirror: Mirror, case: CommitCase, tree: Path, given: Iterable[str], interpreter: str) -> set[str]:
    """Files with tests that fail once the change is made to the tree before it."""
    before = _failing(tree, interpreter)
    there = set(mirror.git("ls-tree", "-r", "--name-only", case.commit).splitlines())
    for path in given:
        file = tree / path
        if path in there:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(mirror.git("show", f"{case.commit}:{path}").encode("utf-8", "surrogateescape"))
        else:
            file.unlink(missing_ok=True)
    return {name.partition("::")[0] for name in _failing(tree, interpreter) - before}


def _failing(tree: Path, interpreter: str) -> set[str]:
    """Names of the tests that fail, and of the files that cannot be collected."""
    environment = {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [interpreter, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=_TEST_SECONDS
    )
    if done.returncode not in (0, 1, 2):  # passed, failed, not collected
        raise SystemExit(f"pytest ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
    found = (re.match(r"(?:FAILED|ERROR) (\S+)", line) for line in done.stdout.splitlines())
    return {match[1] for match in found if match}


def _print(repository: str, what: str, outcomes: Sequence[Outcome]) -> None:
    gold = sum(one.gold for one in outcomes)
    if not gold:
        print(f"{repository}: no {what}")
        return
    with_gold = [one for one in outcomes if one.gold]
    share = statistics.median(one.chosen / one.indexed for one in with_gold)
    print(
        f"{repository}: {len(with_gold)} commits, {gold} {what}; named {sum(one.named for one in outcomes) / gold:.1%}, "
        f"within a quarter {sum(one.within for one in outcomes) / gold:.1%}; named files are {share:.1%} of all in the median"
    )


if __name__ == "__main__":
    sys.exit(main())
