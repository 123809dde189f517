"""Does impact name the tests that a commit's authors changed? Commits of a real repository, each against the tree before it.

A case is a commit that changes source files and test files which the tree before it has. The tree is indexed without git, the change
is the commit's patch without its tests and what lies in their folders, and the gold are the test files that the commit changes. "Within
a quarter" counts a gold file when its rank is at most a quarter of all indexed test files. Python, JavaScript, TypeScript and Java.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.impact [--repository OWNER/NAME] [--count N]
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.impact.patches import read_patch, words_changed
from repoquarry.graphstore.impact.reach import affected_by
from repoquarry.graphstore.impact.tests_to_run import tests_to_run
from repoquarry.graphstore.impact.touched import touched_by
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.commit_cases import CommitCase, Mirror

_HOPS, _LEAST = 6, 0.05
_SUFFIXES = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".java")
_OF_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|specs?|testing|__snapshots__|testdata)/|(^|/)test_|_test\.|\.test\.|\.spec\.|Tests?\.java$|(^|/)conftest\.py$",
    re.IGNORECASE,
)
"""Paths of tests and of their data, which a change is asked about without."""


@dataclass(frozen=True)
class Outcome:
    """One case: changed test files, those named at all, those within a quarter, files named, files of tests indexed."""

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
            if outcome is not None:
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
    gold = {item.path for item in modules} & kept
    if not gold or gold == kept:
        return None
    every = mirror.git("diff", "--name-only", "--no-renames", "-z", parent, case.commit).split("\0")
    given = [path for path in every if path and path not in gold and not _OF_TESTS.search(path)]
    if not any(path in kept for path in given):
        return None
    changes = read_patch(mirror.git("diff", "--unified=0", "--no-renames", parent, case.commit, "--", *given))
    words = words_changed(changes)
    touched = touched_by(reader, "subject", changes)
    affected = affected_by(reader, touched, ["subject"], _HOPS, _LEAST)
    ranked = [file.module.path for file in tests_to_run(reader, affected, touched, modules, words)]
    quarter = set(ranked[: len(modules) // 4])
    return Outcome(len(gold), len(gold & set(ranked)), len(gold & quarter), len(ranked), len(modules))


def _print(repository: str, outcomes: list[Outcome]) -> None:
    gold = sum(one.gold for one in outcomes)
    if not gold:
        print(f"{repository}: no commit changes both source and tests")
        return
    share = sum(one.chosen / one.indexed for one in outcomes) / len(outcomes)
    print(
        f"{repository}: {len(outcomes)} commits, {gold} changed test files; named {sum(one.named for one in outcomes) / gold:.1%}, "
        f"within a quarter {sum(one.within for one in outcomes) / gold:.1%}; named files are {share:.1%} of all on average"
    )


if __name__ == "__main__":
    sys.exit(main())
