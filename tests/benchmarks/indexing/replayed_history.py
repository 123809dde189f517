"""Commits of real repositories, one after the other into one store: what each costs, and whether it ends where a fresh index does.

    python -m tests.benchmarks.indexing.replayed_history COMMITS REPOSITORY [REPOSITORY ...]      default: 10 BENCH_REPLAYED (paths by colons)

A repository is a git directory; its last COMMITS commits on the first-parent line are checked out oldest first, in a clone of its own. All that is
stored is compared byte for byte: revision, search index, graph. Seconds are of CPU, this process and its children.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

from tests.benchmarks.__main__ import SKIPPED
from tests.fresh_index_comparison import index
from tests.process_checks import cpu_seconds

_T = TypeVar("_T")


def main() -> int:
    given = sys.argv[1:] or ["10", *filter(None, os.environ.get("BENCH_REPLAYED", "").split(":"))]
    if len(given) < 2 or not all(Path(path).is_dir() for path in given[1:]):
        print("name a number of commits and git directories, or set BENCH_REPLAYED")
        return SKIPPED
    print(f"load before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")
    print(
        f"{'repository':24s} {'commits':>7s} {'files':>6s} {'again: median s':>16s} {'most':>6s} {'fresh: median s':>16s} {'unequal':>8s}"
    )
    return 1 if sum(_replay(Path(path), int(given[0])) for path in given[1:]) else 0


def _replay(repository: Path, commits: int) -> int:
    """How many commits did not end where a fresh index does."""
    again, anew, unequal, files = [], [], 0, 0
    with tempfile.TemporaryDirectory(prefix="replayed-") as scratch:
        tree, stored = Path(scratch) / "tree", Path(scratch) / "stored"
        _git(Path(scratch), "clone", "--quiet", "--no-checkout", "--shared", str(repository), str(tree))
        line = _git(tree, "rev-list", "--first-parent", f"--max-count={commits + 1}", "HEAD").split()[::-1]
        for number, commit in enumerate(line):
            _git(tree, "checkout", "--quiet", "--force", "--detach", commit)
            spent, found = _cpu_seconds(partial(index, tree, stored))
            if not number:
                continue  # the first is a fresh index itself
            taken, expected = _cpu_seconds(partial(index, tree, Path(scratch) / f"fresh{number}"))
            again.append(spent)
            anew.append(taken)
            files = found[0].files
            if (found[0].revision, *found[1:]) != (expected[0].revision, *expected[1:]):
                unequal += 1
                print(f"{repository}: {commit} does not end where a fresh index does")
    columns = f"{median(again):16.2f} {max(again):6.2f} {median(anew):16.2f} {unequal:8d}"
    print(f"{_name(repository):24s} {len(again):7d} {files:6d} {columns}", flush=True)
    return unequal


def _name(repository: Path) -> str:
    return repository.parent.name if repository.name in ("repo", ".git") else repository.name.removesuffix(".git")


def _cpu_seconds(work: Callable[[], _T]) -> tuple[float, _T]:
    before = cpu_seconds()
    result = work()
    return cpu_seconds() - before, result


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
