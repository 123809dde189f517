"""How resolution grows with the size of a repository: the same measure at 0.25, 0.5, 1 and 4 times a base.

    python -m tests.benchmarks.indexing.index_growth BASE [MORE ...]      default: BENCH_GROWTH, folders separated by colons

The smaller sizes are the first folders of BASE by a fixed order of their paths' hashes, so that each is a mixture of the whole and what
belongs together stays together; the larger ones are BASE and as many files of MORE as it takes. Sizes are source bytes. Printed: CPU
seconds of extraction and of resolution, peak memory of the process that resolved, each also for a megabyte; linear growth keeps these
the same. Each size runs in a process of its own.
"""

import hashlib
import multiprocessing
import os
import resource
import sys
import time
from pathlib import Path

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.registry import is_source, language_for
from tests.benchmarks.__main__ import SKIPPED

SIZES = (0.25, 0.5, 1.0, 4.0)
MB = 1e6


def main() -> int:
    named = sys.argv[1:] or [path for path in os.environ.get("BENCH_GROWTH", "").split(":") if path]
    folders = [Path(path) for path in named if Path(path).is_dir()]
    if not folders:
        print("no repository: name folders, or set BENCH_GROWTH")
        return SKIPPED
    base = sorted(sources(folders[0]), key=lambda path: mixed(path.relative_to(folders[0])))
    more = [path for folder in folders[1:] for path in sources(folder)]
    whole = sum(path.stat().st_size for path in base)
    print(
        "| size | files | MB | extract s | resolve s | peak MB | resolve s / MB | peak MB / MB |\n|---|---|---|---|---|---|---|---|"
    )
    for size in SIZES:
        chosen = first(base if size <= 1 else base + more, size * whole)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            extracting, resolving, peak = pool.apply(measure, (chosen, [str(folder.parent) for folder in folders]))
        megabytes = sum(path.stat().st_size for path in chosen) / MB
        print(
            f"| {size} | {len(chosen)} | {megabytes:.1f} | {extracting:.1f} | {resolving:.1f} | {peak:.0f} "
            f"| {resolving / megabytes:.2f} | {peak / megabytes:.0f} |",
            flush=True,
        )
    return 0


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if path.is_file() and is_source(path.name))


def mixed(path: Path) -> tuple[bytes, str]:
    """A key that orders folders in an arbitrary but fixed way, and the files in each by name."""
    return hashlib.sha256(path.parent.as_posix().encode()).digest(), path.name


def first(paths: list[Path], size: float) -> list[Path]:
    """As many of the first files as hold `size` bytes; all of them where they hold less."""
    chosen, held = [], 0
    for path in paths:
        if held >= size:
            break
        chosen.append(path)
        held += path.stat().st_size
    return chosen


def measure(paths: list[Path], around: list[str]) -> tuple[float, float, float]:
    """CPU seconds of extraction and of resolution, and the peak memory in megabytes; names are relative to the folders' parents."""
    before = time.process_time()
    files = []
    for path in paths:
        parent = next(parent for parent in around if path.is_relative_to(parent))
        files.append(language_for(path.name).extract(path.relative_to(parent).as_posix(), path.read_bytes()))
    extracted = time.process_time()
    resolve(files)
    return (
        extracted - before,
        time.process_time() - extracted,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


if __name__ == "__main__":
    sys.exit(main())
