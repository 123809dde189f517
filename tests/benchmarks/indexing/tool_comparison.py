"""Indexing compared with two other code graphs, in one run: whole, unchanged, after a comment and after one function; then our commands.

    python -m tests.benchmarks.indexing.tool_comparison TREE NODE_MODULES      default: BENCH_TREE, BENCH_NODE_MODULES

NODE_MODULES is where `npm install @optave/codegraph @colbymchenry/codegraph` put them. Every tool is run as its users run it, on a copy
of the tree of its own; memory is the highest sum of proportional sizes over the processes of a run, looked at every 50 ms. CPU seconds are
those of all processes. The load of the machine is said first: compare wall times of a quiet machine only.
"""

import os
import resource
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

_COMMENT = "# one comment more\n"
_FUNCTION = "\n\ndef one_function_more(value):\n    return str(value)\n"
_MB = 1e6
_COMMANDS = (
    ("list",),
    ("search", "text filter"),
    ("show", "one_function_more"),
    ("query", "MATCH (f:Function) RETURN count(f)"),
    ("explore", "one_function_more"),
)
"""Commands on the store of the last run, which has the added function."""


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


def children_seconds() -> float:
    """Return the processor time of the children of this process that have ended."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


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
        copy, store = Path(scratch) / tree.name, Path(scratch) / "store"
        shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        text = copy / "django" / "utils" / "text.py"
        edited = text if text.exists() else max(copy.rglob("*.py"), key=lambda path: path.stat().st_size)
        runs = (("whole", tool.whole, ""), ("no change", tool.again, ""), ("one comment", tool.again, _COMMENT))
        for run, command, added in (*runs, ("one function", tool.again, _FUNCTION)):
            with edited.open("a") as file:
                file.write(added)
            _show(tool.name, run, _run([part.format(tree=copy, store=store) for part in command]))
        if tool.whole is tool.again:
            for words in _COMMANDS:
                command = [
                    *COMMAND,
                    *words,
                    "--store",
                    str(store),
                ]
                _show(tool.name, words[0], _run(command))


def _show(tool: str, run: str, cost: Cost) -> None:
    print(f"{tool:26s} {run:14s} {cost.seconds:7.2f} {cost.cpu_seconds:7.2f} {cost.peak_bytes / _MB:8.0f}", flush=True)


def _run(command: Sequence[str]) -> Cost:
    """Raises: subprocess.CalledProcessError."""
    started, peak, before = time.perf_counter(), 0, children_seconds()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        family = psutil.Process(process.pid)
        while process.poll() is None:
            peak = max(peak, sum(map(_proportional_bytes, [family, *_children(family)])))
            time.sleep(0.05)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, list(command))
    return Cost(time.perf_counter() - started, children_seconds() - before, peak)


def _proportional_bytes(process: psutil.Process) -> int:
    """Return the proportional size: pages that processes share count once. 0 for a process that has exited."""
    with suppress(OSError):
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


if __name__ == "__main__":
    sys.exit(main())
