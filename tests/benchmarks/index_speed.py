"""Time and peak memory of indexing a repository, by stage, against plain tree-sitter parsing of the same files in the same run.

    python -m tests.benchmarks.index_speed [FOLDER ...]      default: BENCH_INDEX, folders separated by colons

Each repository is indexed twice into a fresh store: the first run parses everything, the second finds it unchanged; then one
file is changed and it is indexed again. Memory is the sum over this process and its workers.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from graphstore.settings import StoreSettings
from graphstore.store import Store
from ingest.pipeline import IndexReport, index_repository
from ingest.selection import select
from ingest.settings import IngestSettings, usable_cores

SKIPPED = 77
MB = 1e6


def main() -> int:
    named = sys.argv[1:] or [path for path in os.environ.get("BENCH_INDEX", "").split(":") if path]
    folders = [Path(path) for path in named if Path(path).is_dir()]
    if not folders:
        print("no repository: name folders, or set BENCH_INDEX")
        return SKIPPED
    print(f"cores: {usable_cores()}, workers: {IngestSettings().worker_count}")
    for folder in folders:
        measure(folder)
    return 0


def measure(folder: Path) -> None:
    """Print the costs of one repository as a table, and as one line of JSON."""
    parsed = parse_plainly(folder)
    with tempfile.TemporaryDirectory(prefix="repoquarry-bench-") as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy, symlinks=True)
        with Store.open(StoreSettings(folder=Path(scratch) / "store"), writable=True) as store:
            first = index_repository(str(copy), store, IngestSettings())
            again = index_repository(str(copy), store, IngestSettings())
            largest = max(store.sources.files(first.repository).values(), key=lambda entry: entry.size)
            (copy / largest.path).write_bytes((copy / largest.path).read_bytes() + b"\n")
            touched = index_repository(str(copy), store, IngestSettings())
    show(folder, first, parsed)
    print(f"  unchanged: {again.seconds:.2f} s ({again.unchanged}); one file changed: {touched.seconds:.2f} s")
    line = {
        "repository": first.repository,
        "files": first.files,
        "seconds": round(first.seconds, 2),
        "peak_mb": round(first.peak_memory_bytes / MB),
        "plain_parse_seconds": round(parsed, 2),
        "unchanged_seconds": round(again.seconds, 2),
        "one_file_changed_seconds": round(touched.seconds, 2),
        "nodes_and_relationships": sum(first.counts.values()),
    }
    print(json.dumps(line))


def parse_plainly(folder: Path) -> float:
    """Seconds to parse the selected Python files one after the other, and nothing else."""
    from tree_sitter import Language, Parser
    from tree_sitter_python import language

    parser = Parser(Language(language()))
    contents = [
        (folder / file.path).read_bytes()
        for file in select(folder, IngestSettings()).files
        if file.kind == "source" and file.path.endswith(".py")
    ]
    started = time.perf_counter()
    for content in contents:
        parser.parse(content)
    return time.perf_counter() - started


def show(folder: Path, report: IndexReport, parsed: float) -> None:
    print(f"\n{folder.name}: {report.files} files, {sum(report.counts.values()):,} nodes and relationships")
    print(f"  {'stage':14s} {'seconds':>8s} {'own cpu':>8s} {'peak MB':>8s}")
    for cost in report.costs:
        megabytes = cost.peak_memory_bytes / MB
        print(f"  {cost.stage:14s} {cost.seconds:8.2f} {cost.cpu_seconds:8.2f} {megabytes:8.0f}")
    print(f"  {'total':14s} {report.seconds:8.2f} {'':8s} {report.peak_memory_bytes / MB:8.0f}")
    print(
        f"  plain tree-sitter parsing, one process: {parsed:.2f} s; indexing takes {report.seconds / parsed:.1f} times as long"
    )


if __name__ == "__main__":
    sys.exit(main())
