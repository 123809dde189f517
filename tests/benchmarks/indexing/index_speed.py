"""Time and peak memory of indexing a repository, by stage, against plain tree-sitter parsing of the same files in the same run.

    python -m tests.benchmarks.indexing.index_speed [FOLDER ...]      default: BENCH_INDEX, folders separated by colons

Any tree will do: plain parsing is by the grammar of each file's language (`plain_parsing`). Each repository is indexed into a fresh store.
Memory is the sum over this process and its workers. The comparison is of CPU seconds, which a busy machine distorts less.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import IndexReport, index_repository
from repoquarry.ingest.settings import IngestSettings, usable_cores
from tests.benchmarks.__main__ import SKIPPED
from tests.process_checks import cpu_seconds

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
            before = cpu_seconds()
            first = index_repository(str(copy), store, IngestSettings())
            cpu = cpu_seconds() - before
    show(folder, first, parsed, cpu)
    line = {
        "repository": first.repository,
        "files": first.files,
        "seconds": round(first.seconds, 2),
        "peak_mb": round(first.peak_memory_bytes / MB),
        "cpu_seconds": round(cpu, 2),
        "plain_parse_cpu_seconds": round(parsed["cpu_seconds"], 2),
        "plain_parse_peak_mb": round(parsed["peak_bytes"] / MB),
        "languages": parsed["languages"],
        "nodes_and_relationships": sum(first.counts.values()),
    }
    print(json.dumps(line))


def parse_plainly(folder: Path) -> dict[str, Any]:
    """Cost of parsing the selected files and nothing else, in its own process."""
    command = [sys.executable, "-m", "tests.benchmarks.indexing.plain_parsing", str(folder)]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(found.stdout))


def show(folder: Path, report: IndexReport, parsed: dict[str, Any], cpu: float) -> None:
    print(f"\n{folder.name}: {report.files} files, {sum(report.counts.values()):,} nodes and relationships")
    print(f"  {'stage':14s} {'seconds':>8s} {'own cpu':>8s} {'peak MB':>8s}")
    for cost in report.costs:
        megabytes = cost.peak_memory_bytes / MB
        print(f"  {cost.stage:14s} {cost.seconds:8.2f} {cost.cpu_seconds:8.2f} {megabytes:8.0f}")
    print(f"  {'total':14s} {report.seconds:8.2f} {'':8s} {report.peak_memory_bytes / MB:8.0f}")
    for name, row in parsed["languages"].items():
        print(
            f"  {name:14s} {row['files']:6,} files {row['lines']:9,} lines, plain parsing {row['cpu_seconds']:.2f} s of CPU"
        )
    plain = parsed["cpu_seconds"]
    print(f"  CPU of all processes: {cpu:.2f} s; plain parsing in one: {plain:.2f} s, {cpu / plain:.1f} times less")


if __name__ == "__main__":
    sys.exit(main())
