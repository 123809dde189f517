"""Indexing compared with two other code graphs, in one run: whole, and after one function was added; wall and CPU seconds, peak memory.

    python -m tests.benchmarks.indexing.tool_comparison TREE NODE_MODULES      default: BENCH_TREE, BENCH_NODE_MODULES

NODE_MODULES is where `npm install @optave/codegraph @colbymchenry/codegraph` put them. Every tool is run as its users run it, on a copy
of the tree of its own; memory is the highest sum over the processes of a run, looked at every 50 ms. The load of the machine is said first.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.benchmarks.__main__ import SKIPPED
from tests.command_line import COMMAND

_FUNCTION = "\n\ndef one_function_more(value):\n    return str(value)\n"
_MB = 1e6


@dataclass(frozen=True)
class Tool:
    """How a tool is called; `{tree}` and `{store}` are filled in."""

    name: str
    whole: Sequence[str]
    again: Sequence[str]


@dataclass(frozen=True)
class Cost:
    seconds: float
    cpu_seconds: float
    peak_bytes: int


def main() -> int:
    given = sys.argv[1:] or [os.environ.get("BENCH_TREE", ""), os.environ.get("BENCH_NODE_MODULES", "")]
    if len(given) != 2 or not all(Path(path).is_dir() for path in given):
        print("name a tree and the folder of node modules, or set BENCH_TREE and BENCH_NODE_MODULES")
        return SKIPPED
    tree, modules = map(Path, given)
    print(f"load before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")
    print(f"{'tool':26s} {'run':14s} {'wall s':>7s} {'cpu s':>7s} {'peak MB':>8s}")
    for tool in _tools(modules):
        _measure(tool, tree)
    print(f"load after: {os.getloadavg()[0]:.1f}")
    return 0


def _tools(modules: Path) -> list[Tool]:
    ours = [*COMMAND, "index", "{tree}", "--store", "{store}"]
    optave = ["node", str(modules / "@optave/codegraph/dist/cli.js"), "build", "{tree}"]
    colby = ["node", str(modules / "@colbymchenry/codegraph/npm-shim.js")]
    return [
        Tool("repoquarry", ours, ours),
        Tool("@optave/codegraph", optave, optave),
        Tool("@colbymchenry/codegraph", [*colby, "init", "{tree}"], [*colby, "sync", "{tree}"]),
    ]


def _measure(tool: Tool, tree: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="side-by-side-") as scratch:
        copy = Path(scratch) / tree.name
        shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for run, command in (("whole", tool.whole), ("no change", tool.again), ("one function", tool.again)):
            if run == "one function":
                largest = max(copy.rglob("*.py"), key=lambda path: path.stat().st_size)
                text = copy / "django" / "utils" / "text.py"
                with (text if text.exists() else largest).open("a") as file:
                    file.write(_FUNCTION)
            cost = _run([part.format(tree=copy, store=Path(scratch) / "store") for part in command])
            peak = cost.peak_bytes / _MB
            print(f"{tool.name:26s} {run:14s} {cost.seconds:7.2f} {cost.cpu_seconds:7.2f} {peak:8.0f}", flush=True)


def _run(command: Sequence[str]) -> Cost:
    """Raises: subprocess.CalledProcessError."""
    started, peak = time.perf_counter(), 0
    cpu: dict[int, float] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        family = psutil.Process(process.pid)
        while process.poll() is None:
            total = 0
            for member in [family, *_children(family)]:
                with suppress(psutil.Error):
                    total += member.memory_info().rss
                    times = member.cpu_times()
                    cpu[member.pid] = times.user + times.system
            peak = max(peak, total)
            time.sleep(0.05)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, list(command))
    return Cost(time.perf_counter() - started, sum(cpu.values()), peak)


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


if __name__ == "__main__":
    sys.exit(main())
