"""Does impact name the tests that a commit's authors changed? Commits of a real repository, each against the tree before it.

A case is a commit that changes source files and test files which the tree before it has. The tree is indexed without git, the change
is the commit's patch without its tests and the files in their folders, and the gold are the test files that the commit changes. "Within
a quarter" counts a gold file when its rank is at most a quarter of all indexed test files. Python, JavaScript, TypeScript and Java.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.impact [--repository OWNER/NAME] [--count N]
"""

import argparse
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.code.impact import analyze_impact, find_code_change
from repoquarry.code.patches import parse_patch
from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import CommitCase, Mirror

_SUFFIXES = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".java")
_OF_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|specs?|testing|__snapshots__|testdata)/|(^|/)test_|_test\.|\.test\.|\.spec\.|Tests?\.java$|(^|/)conftest\.py$",
    re.IGNORECASE,
)
"""Paths of tests and of their data, which a change is asked about without."""


@dataclass(frozen=True)
class Outcome:
    """One case: gold files, those named at all, those within a quarter, files named, files of tests indexed."""

    gold: int
    named: int
    within: int
    chosen: int
    indexed: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repository", default="pallets/flask", help="owner/name of a mirror below BENCH_MIRROR")
    parser.add_argument("--count", type=int, default=10, help="commits")
    arguments = parser.parse_args()
    mirror = Mirror.of(arguments.repository, _SUFFIXES) if "BENCH_MIRROR" in os.environ else None
    if mirror is None:
        print("BENCH_MIRROR names no folder with a mirror of it", file=sys.stderr)
        return SKIPPED
    _, cases = mirror.cases(arguments.count * 20)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as work, Store.open(StoreSettings(Path(work, "store")), writable=True) as store:
        for case in cases:
            outcome = _outcome(mirror, case, store, Path(work, "tree"))
            if outcome:
                outcomes.append(outcome)
                print(f"{case.commit[:10]} {outcome} {case.subject[:60]}", flush=True)
            if len(outcomes) == arguments.count:
                break
    _print(arguments.repository, outcomes)
    return 0


def _outcome(mirror: Mirror, case: CommitCase, store: Store, tree: Path) -> Outcome | None:
    """None where the commit changes no source file, or no test file, of the tree before it."""
    parent = f"{case.commit}^"
    kept = set(mirror.git("ls-tree", "-r", "--name-only", parent).splitlines()) & set(case.paths)
    if len(kept) < 2:
        return None
    mirror.lay_out(parent, tree)
    index_repository(str(tree), store, IngestSettings(), name="subject")
    reader = CodeReader(store)
    modules = [item for item in reader.modules(["subject"], limit=1_000_000) if item.is_test]
    changed = {item.path for item in modules} & kept
    if not changed or changed == kept:
        return None
    every = mirror.git("diff", "--name-only", "--no-renames", "-z", parent, case.commit).split("\0")
    given = [path for path in every if path and path not in changed and not _OF_TESTS.search(path)]
    if not any(path in kept for path in given):
        return None
    patch = mirror.git("diff", "--unified=0", "--no-renames", parent, case.commit, "--", *given)
    report = analyze_impact(reader, find_code_change(reader, "subject", parse_patch(patch)), ["subject"])
    ranked = [file.entity.path for file in report.test_files]
    indexed = report.indexed_test_files
    within = changed & set(ranked[: indexed // 4])
    return Outcome(len(changed), len(changed & set(ranked)), len(within), len(ranked), indexed)


def _print(repository: str, outcomes: Sequence[Outcome]) -> None:
    gold = sum(one.gold for one in outcomes)
    if not gold:
        print(f"{repository}: no changed test files")
        return
    share = statistics.median(one.chosen / one.indexed for one in outcomes)
    print(
        f"{repository}: {len(outcomes)} commits, {gold} changed test files; named {sum(one.named for one in outcomes) / gold:.1%}, "
        f"within a quarter {sum(one.within for one in outcomes) / gold:.1%}; named files are {share:.1%} of all in the median"
    )


if __name__ == "__main__":
    sys.exit(main())
