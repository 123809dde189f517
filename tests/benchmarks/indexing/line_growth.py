"""How a whole index and an update grow with the lines of a repository, from 50,000 to 2 million.

    python -m tests.benchmarks.indexing.line_growth BASE [MORE ...]      default: BENCH_GROWTH, folders separated by colons

Each size is a tree of the first folders of BASE, then of MORE, by the order of `index_growth`, with as many files as hold the lines;
sizes that the folders do not hold are left out, and a line says so. Wall and CPU seconds and peak memory as in `tool_comparison`.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.indexing.index_growth import mixed, sources
from tests.benchmarks.indexing.tool_comparison import FUNCTION, MB, Cost, largest, run_measured
from tests.command_line import COMMAND

LINES = (50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000)


def main() -> int:
    named = sys.argv[1:] or [path for path in os.environ.get("BENCH_GROWTH", "").split(":") if path]
    folders = [Path(path) for path in named if Path(path).is_dir()]
    if not folders:
        print("no repository: name folders, or set BENCH_GROWTH")
        return SKIPPED
    print(f"load before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")
    print("| lines | files | run | wall s | CPU s | peak MB | CPU s / 100,000 lines |\n|---|---|---|---|---|---|---|")
    for size in LINES:
        chosen, lines = _first(folders, size)
        if lines < size:
            print(f"the folders hold {lines:,} lines: larger sizes are left out")
            break
        for run, cost in _measure(chosen):
            print(
                f"| {lines:,} | {len(chosen)} | {run} | {cost.seconds:.1f} | {cost.cpu_seconds:.1f} "
                f"| {cost.peak_bytes / MB:.0f} | {cost.cpu_seconds / lines * 1e5:.2f} |",
                flush=True,
            )
    print(f"load after: {os.getloadavg()[0]:.1f}")
    return 0


def _first(folders: Sequence[Path], size: int) -> tuple[list[tuple[Path, Path]], int]:
    """Return the first files that hold `size` lines, each with its place in the tree, and their lines; all where they hold less."""
    chosen: list[tuple[Path, Path]] = []
    lines = 0
    for number, folder in enumerate(folders):
        for path in sorted(sources(folder), key=lambda path: mixed(path.relative_to(folder))):
            if lines >= size:
                return chosen, lines
            # Two folders may have the same name.
            chosen.append((path, Path(f"{number}-{folder.name}") / path.relative_to(folder)))
            lines += path.read_bytes().count(b"\n")
    return chosen, lines


def _measure(chosen: Sequence[tuple[Path, Path]]) -> Iterator[tuple[str, Cost]]:
    with tempfile.TemporaryDirectory(prefix="line-growth-") as scratch:
        tree = Path(scratch) / "tree"
        for path, place in chosen:
            (tree / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, tree / place)
        command = [*COMMAND, "index", str(tree), "--store", str(Path(scratch) / "store")]
        yield "whole", run_measured(command)
        with largest(tree).open("a") as file:
            file.write(FUNCTION)
        yield "one function", run_measured(command)


if __name__ == "__main__":
    sys.exit(main())
