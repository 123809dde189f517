"""Indexing compared with two other code graphs, in one run: whole, unchanged, after a comment and after one function; then our commands.

    python -m tests.benchmarks.indexing.tool_comparison TREE [NODE_MODULES]      default: BENCH_TREE, BENCH_NODE_MODULES

Without NODE_MODULES, npm installs both tools into a temporary folder. Every tool is run as its users run it, on a copy of the tree of its
own, the tools in turn, ROUNDS times: the figures are medians. Memory is the highest sum of proportional sizes over the processes of a run,
looked at every 50 ms. CPU seconds are those of all processes. The load of the machine is said first: compare wall times of a quiet machine
only.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from tests.benchmarks.__main__ import SKIPPED
from tests.command_line import COMMAND

ROUNDS = 3
_PEERS = ("@optave/codegraph@3.11.2", "@colbymchenry/codegraph@1.6.1")
_COMMENT = "# one comment more\n"
FUNCTION = "\n\ndef one_function_more(value):\n    return str(value)\n"
MB = 1e6
_COMMANDS = (
    ("list",),
    ("search", "text filter"),
    ("show", "one_function_more"),
    ("query", "MATCH (f:Function) RETURN count(f)"),
    ("explore", "one_function_more"),
)
"""The store of the last run has the added function."""


@dataclass(frozen=True)
class Tool:
    """How a tool is called; `{tree}` and `{store}` are filled in."""

    name: str
    whole: Sequence[str]
    again: Sequence[str]
    commands: Sequence[Sequence[str]] = ()
    """Run at last, on the store of the last run."""


@dataclass(frozen=True)
class Cost:
    seconds: float
    cpu_seconds: float
    peak_bytes: int


def children_seconds() -> float:
    """Return the processor time of the children of this process that have ended."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def main() -> int:
    given = sys.argv[1:] or [path for name in ("BENCH_TREE", "BENCH_NODE_MODULES") if (path := os.environ.get(name))]
    if not 1 <= len(given) <= 2 or not all(Path(path).is_dir() for path in given):
        print("name a tree, and the folder of node modules if there is one, or set BENCH_TREE and BENCH_NODE_MODULES")
        return SKIPPED
    if len(given) == 1 and shutil.which("npm") is None:
        print("npm is not installed, and no folder of node modules is named")
        return SKIPPED
    print(f"load before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}, medians of {ROUNDS}")
    costs: dict[tuple[str, str], list[Cost]] = {}
    with _node_modules(given[1:]) as modules:
        for _ in range(ROUNDS):
            for tool in _tools(modules):
                for run, cost in _measure(tool, Path(given[0])):
                    costs.setdefault((tool.name, run), []).append(cost)
    print(f"{'tool':26s} {'run':14s} {'wall s':>7s} {'cpu s':>7s} {'peak MB':>8s}")
    for (tool_name, run), measured in costs.items():
        _show(tool_name, run, middle(measured))
    print(f"load after: {os.getloadavg()[0]:.1f}")
    return 0


@contextmanager
def _node_modules(named: Sequence[str]) -> Iterator[Path]:
    """Yield the folder that has the other tools: the named one, or one installed for the block."""
    if named:
        yield Path(named[0])
        return
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, *_PEERS], check=True)
        yield Path(folder) / "node_modules"


def middle(costs: Sequence[Cost]) -> Cost:
    """Return the median of each column."""
    return Cost(
        median(cost.seconds for cost in costs),
        median(cost.cpu_seconds for cost in costs),
        int(median(cost.peak_bytes for cost in costs)),
    )


def _tools(modules: Path) -> list[Tool]:
    ours = [*COMMAND, "index", "{tree}", "--store", "{store}"]
    optave = ["node", str(modules / "@optave/codegraph/dist/cli.js"), "build", "{tree}"]
    colby = ["node", str(modules / "@colbymchenry/codegraph/npm-shim.js")]
    return [
        Tool("repoquarry", ours, ours, _COMMANDS),
        Tool("@optave/codegraph", optave, optave),
        Tool("@colbymchenry/codegraph", [*colby, "init", "{tree}"], [*colby, "sync", "{tree}"]),
    ]


def _measure(tool: Tool, tree: Path) -> Iterator[tuple[str, Cost]]:
    with tempfile.TemporaryDirectory(prefix="side-by-side-") as scratch:
        copy, store = Path(scratch) / tree.name, Path(scratch) / "store"
        shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        text = copy / "django" / "utils" / "text.py"
        edited = text if text.exists() else largest(copy)
        runs = (("whole", tool.whole, ""), ("no change", tool.again, ""), ("one comment", tool.again, _COMMENT))
        for run, command, added in (*runs, ("one function", tool.again, FUNCTION)):
            with edited.open("a") as file:
                file.write(added)
            yield run, run_measured([part.format(tree=copy, store=store) for part in command])
        for words in tool.commands:
            yield words[0], run_measured([*COMMAND, *words, "--store", str(store)])


def largest(tree: Path) -> Path:
    """Return the largest Python file of a tree."""
    return max(tree.rglob("*.py"), key=lambda path: path.stat().st_size)


def _show(tool: str, run: str, cost: Cost) -> None:
    print(f"{tool:26s} {run:14s} {cost.seconds:7.2f} {cost.cpu_seconds:7.2f} {cost.peak_bytes / MB:8.0f}", flush=True)


def run_measured(command: Sequence[str]) -> Cost:
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
