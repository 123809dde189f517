"""Time and peak memory of indexing a repository, by stage, against plain tree-sitter parsing of the same files in the same run.

    python -m tests.benchmarks.index_speed [FOLDER ...]      default: BENCH_INDEX, folders separated by colons

Each repository is indexed twice into a fresh store: the first run parses everything, the second finds it unchanged; then one
file is changed and it is indexed again. Memory is the sum over this process and its workers. The comparison is of CPU seconds, which
a busy machine distorts less.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.selection import select
from repoquarry.ingest.pipeline import IndexReport, index_repository
from repoquarry.ingest.settings import IngestSettings, usable_cores
from tests.benchmarks.__main__ import SKIPPED

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
            before = spent()
            first = index_repository(str(copy), store, IngestSettings())
            cpu = spent() - before
            again = index_repository(str(copy), store, IngestSettings())
            largest = max(store.sources.files(first.repository).values(), key=lambda entry: entry.size)
            (copy / largest.path).write_bytes((copy / largest.path).read_bytes() + b"\n")
            touched = index_repository(str(copy), store, IngestSettings())
    show(folder, first, parsed, cpu)
    print(f"  unchanged: {again.seconds:.2f} s ({again.unchanged}); one file changed: {touched.seconds:.2f} s")
    line = {
        "repository": first.repository,
        "files": first.files,
        "seconds": round(first.seconds, 2),
        "peak_mb": round(first.peak_memory_bytes / MB),
        "cpu_seconds": round(cpu, 2),
        "plain_parse_cpu_seconds": round(parsed, 2),
        "unchanged_seconds": round(again.seconds, 2),
        "one_file_changed_seconds": round(touched.seconds, 2),
        "nodes_and_relationships": sum(first.counts.values()),
    }
    print(json.dumps(line))


def parse_plainly(folder: Path) -> float:
    """CPU seconds to parse the selected Python files one after the other, and nothing else."""
    from tree_sitter import Language, Parser
    from tree_sitter_python import language

    parser = Parser(Language(language()))
    contents = [
        (folder / file.path).read_bytes()
        for file in select(folder, IngestSettings()).files
        if file.kind == "source" and file.path.endswith(".py")
    ]
    started = time.process_time()
    for content in contents:
        parser.parse(content)
    return time.process_time() - started


def spent() -> float:
    """CPU seconds of this process and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def show(folder: Path, report: IndexReport, parsed: float, cpu: float) -> None:
    print(f"\n{folder.name}: {report.files} files, {sum(report.counts.values()):,} nodes and relationships")
    print(f"  {'stage':14s} {'seconds':>8s} {'own cpu':>8s} {'peak MB':>8s}")
    for cost in report.costs:
        megabytes = cost.peak_memory_bytes / MB
        print(f"  {cost.stage:14s} {cost.seconds:8.2f} {cost.cpu_seconds:8.2f} {megabytes:8.0f}")
    print(f"  {'total':14s} {report.seconds:8.2f} {'':8s} {report.peak_memory_bytes / MB:8.0f}")
    print(f"  CPU of all processes: {cpu:.2f} s; plain parsing in one: {parsed:.2f} s, {cpu / parsed:.1f} times less")


if __name__ == "__main__":
    sys.exit(main())
