"""Calls and tokens of scripted readers until the right place of a reading task is in the answers; no model takes part.

Readers are grep with reading of hits, `repoquarry mcp`, and the MCP servers of other code graphs that are installed. A reader makes a
fixed sequence of at most six calls for each kind of task. The folder holds a checkout of each repository, named as in
`questions/reading_tasks.toml`, which every code graph has indexed: `repoquarry index FOLDER/NAME` into STORE, and `jcodemunch-mcp index
FOLDER/NAME`; code-index-mcp indexes when it starts. `python -m tests.benchmarks.tasks.reading_calls STORE FOLDER` prints the tasks and the table.
"""

import itertools
import json
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.token_counting import count_tokens

_TASKS = Path(__file__).parent / "questions" / "reading_tasks.toml"
_MAX_CALLS = 6
_MAX_HITS = 100
"""Number of lines of grep that a reader looks at."""
_MAX_RESULTS = 20
_AROUND = 40
"""Number of lines that are read from before a hit."""

Tool = Callable[[str, dict[str, object]], str]
"""Calls a tool of an MCP server: (name, arguments) -> text."""


@dataclass(frozen=True)
class ReadingTask:
    """A question whose answer is a place."""

    repository: str
    kind: str
    """`words`, `callers` or `tests`."""
    target: str
    places: tuple[str, ...]
    """Right places, as `path::qualname` or a path."""


def load_tasks() -> list[ReadingTask]:
    kinds = tomllib.loads(_TASKS.read_text()).items()
    return [
        ReadingTask(repository, kind, target, tuple(places))
        for repository, tasks in kinds
        for kind, targets in tasks.items()
        for target, places in targets.items()
    ]


def read_with_grep(task: ReadingTask, folder: Path) -> Iterator[str]:
    """Grep for the name or the longest words, and read the first hit of each."""
    words = sorted(dict.fromkeys(re.findall(r"\w{4,}", task.target)), key=len, reverse=True)
    for word in [word for word in words if terms(word)] if task.kind == "words" else [task.target]:
        found = subprocess.run(
            ["git", "grep", "-n", "-I", "-i" if task.kind == "words" else "-w", word],
            cwd=folder, capture_output=True, text=True, check=False,
        ).stdout.splitlines()  # fmt: skip
        hits = [line for line in found if task.kind != "tests" or "test" in line.partition(":")[0]][:_MAX_HITS]
        yield "\n".join(line[:200] for line in hits)
        for hit in hits[:1]:
            path, number, _ = hit.split(":", 2)
            lines = (folder / path).read_text(errors="replace").splitlines()
            start = max(0, int(number) - _AROUND)
            yield "\n".join(
                f"{path}:{start + n}:{text}" for n, text in enumerate(lines[start : start + 2 * _AROUND], 1)
            )


def read_with_repoquarry(task: ReadingTask, tool: Tool) -> Iterator[str]:
    """Explore, then the candidates of an ambiguous name, then the list of the kind."""
    first = tool("explore", {"target": task.target, "repository": task.repository})
    yield first
    for id_ in re.findall(rf"^\d+\. ({re.escape(task.repository)}:[^\s(]+)", first, re.MULTILINE)[:3]:
        yield tool("explore", {"target": id_, "repository": task.repository})
    if task.kind == "words":
        yield tool("search", {"text": task.target, "mode": "task", "repository": task.repository})
    elif task.kind == "callers":
        yield tool("relations", {"target": task.target, "kind": "callers", "repository": task.repository})
    else:
        yield tool("impact", {"target": task.target, "repository": task.repository})


def read_with_jcodemunch(task: ReadingTask, tool: Tool) -> Iterator[str]:
    """Search symbols, by all words and then by single ones; references and the call hierarchy of a name."""
    repos = tool("order", {"action": "list_repos", "args": {}})
    found = re.search(
        rf"[\w.+-]*{re.escape(task.repository)}[\w.+-]*/[\w.+-]+|local/{re.escape(task.repository)}[\w-]*", repos
    )
    repo = found.group() if found else task.repository

    def order(action: str, **arguments: object) -> str:
        return tool("order", {"action": action, "args": {"repo": repo, **arguments}})

    first = order("search_symbols", query=task.target)
    if task.kind == "words":
        yield first
        for word in sorted(re.findall(r"\w{4,}", task.target), key=len, reverse=True):
            yield order("search_symbols", query=word)
        return
    yield order("check_references", identifier=task.target)
    yield first
    aliases = dict(re.findall(r"^(@\d+)=(.+)$", first, re.MULTILINE))
    for id_ in re.findall(rf"[@\w./-]+::(?:\w+\.)*{re.escape(task.target)}#\w+", first)[:3]:
        path, separator, rest = id_.partition("::")
        yield order("get_call_hierarchy", symbol_id=aliases.get(path, path) + separator + rest, direction="callers")


def read_with_code_index(task: ReadingTask, tool: Tool) -> Iterator[str]:
    """Search code for a name or the longest words, and read the summary of the first file."""
    tool("build_deep_index", {})
    words = sorted(dict.fromkeys(re.findall(r"\w{4,}", task.target)), key=len, reverse=True)
    for word in words if task.kind == "words" else [task.target]:
        found = tool("search_code_advanced", {"pattern": word, "max_results": _MAX_RESULTS})
        yield found
        for path in re.findall(r'"file": "([^"]+)"', found)[:1]:
            yield tool("get_file_summary", {"file_path": path})


@contextmanager
def connect(command: list[str], folder: Path) -> Iterator[Tool]:
    """Start an MCP server over stdio in a folder."""
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    stdin, stdout = process.stdin, process.stdout
    assert stdin
    assert stdout
    number = 0

    def send(method: str, params: dict[str, Any]) -> dict[str, Any]:
        nonlocal number
        number += 1
        stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        stdin.flush()
        while (message := json.loads(stdout.readline())).get("id") != number:
            pass
        return dict(message)

    def call(name: str, arguments: dict[str, object]) -> str:
        result = send("tools/call", {"name": name, "arguments": arguments}).get("result", {})
        return "\n".join(str(part.get("text", "")) for part in result.get("content", []))

    try:
        info = {"name": "reading_calls", "version": "1"}
        send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info})
        stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        stdin.flush()
        yield call
    finally:
        process.kill()
        process.wait()


def holds_place(text: str, places: tuple[str, ...], spans: dict[str, tuple[int, int]]) -> bool:
    """Return whether an answer names one of some places, by path and name or by path and a line inside."""
    for place in places:
        path, _, qualname = place.partition("::")
        if path not in text:
            continue
        first, last = spans.get(place, (0, 0))
        numbers = map(int, re.findall(rf"{re.escape(path)}:(\d+)", text))
        if not qualname or any(first <= n <= last for n in numbers):
            return True
        if re.search(rf"\b{re.escape(qualname.rpartition('.')[2])}\b", text):
            return True
    return False


def measure(answers: Iterator[str], task: ReadingTask, spans: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """Return (calls, tokens) until an answer holds the place; 0 calls where none does."""
    tokens = 0
    for number, text in zip(range(1, _MAX_CALLS + 1), answers, strict=False):
        tokens += count_tokens(text)
        if holds_place(text, task.places, spans):
            return number, tokens
    return 0, tokens


def find_spans(store: Path, tasks: list[ReadingTask]) -> dict[str, tuple[int, int]]:
    """Return the lines of the definitions among the right places. Raises: LookupError for one that does not exist."""
    spans = {}
    with Store.open(StoreSettings(store)) as opened:
        reader = CodeReader(opened)
        for task in tasks:
            for place in task.places:
                path, separator, qualname = place.partition("::")
                items = reader.inside(task.repository, path)
                found = [item for item in items if item.qualname == qualname]
                if separator and not found:
                    raise LookupError(f"{place} of {task.repository}")
                spans[place] = (found[0].start_line, found[-1].end_line) if found else (0, 0)
    return spans


_SERVERS: dict[str, tuple[list[str], Callable[[ReadingTask, Tool], Iterator[str]]]] = {
    "repoquarry": ([str(Path(sys.executable).with_name("repoquarry")), "mcp", "--store"], read_with_repoquarry),
    "jcodemunch-mcp": (["jcodemunch-mcp", "serve"], read_with_jcodemunch),
    "code-index-mcp": (["code-index-mcp", "--project-path", "."], read_with_code_index),
}


def main() -> None:
    store, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    tasks = load_tasks()
    spans = find_spans(store, tasks)
    results = {
        "grep and read": [measure(read_with_grep(task, folder / task.repository), task, spans) for task in tasks]
    }
    for name, (command, read) in _SERVERS.items():
        if shutil.which(command[0]) is None:
            print(f"{name} is not installed")
            continue
        command = [*command, str(store)] if name == "repoquarry" else command
        found = []
        for repository, group in itertools.groupby(tasks, key=lambda task: task.repository):
            with connect(command, folder / repository) as tool:
                found += [measure(read(task, tool), task, spans) for task in group]
        results[name] = found
    for number, task in enumerate(tasks):
        row = "  ".join(f"{name} {found[number][0] or '-'}/{found[number][1]:,}" for name, found in results.items())
        print(f"{task.repository} {task.kind} {task.target}: {row}")
    for name, found in results.items():
        solved = [one for one in found if one[0]]
        calls, tokens = (statistics.median([one[place] for one in solved] or [0]) for place in (0, 1))
        kinds = [
            f"{sum(bool(f[0]) for t, f in zip(tasks, found, strict=True) if t.kind == kind)}"
            for kind in ("words", "callers", "tests")
        ]
        mean = statistics.mean(one[1] for one in found)
        print(f"| {name} | {len(solved)} | {' | '.join(kinds)} | {calls:.1f} | {tokens:,.0f} | {mean:,.0f} |")


if __name__ == "__main__":
    main()
