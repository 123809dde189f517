"""No process imports a module from the current directory, PYTHONPATH, the user site or a project of a `.pth` file.

The places are derived from the code: every command of the table, and every function that starts a process.
"""

import json
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from repoquarry.server.cli.commands import COMMANDS
from tests.e2e.service import SHOP, environment
from tests.scripted_chat import Reply, scripted_chat
from tests.source_trees import write_tree
from tests.traps import Traps

QUERY = "MATCH (f:Function {name: 'price'}) RETURN f.name AS name"
LONG = QUERY + " " * 3_000


@dataclass
class Caller:
    """A user in a folder full of traps who calls the installed script."""

    traps: Traps
    folder: Path
    settings: dict[str, str]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        given = {**environment(self.folder / "store", **self.settings), **self.traps.environment}
        command = [str(self.traps.script), *arguments]
        pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(command, cwd=self.traps.current, env=given, text=True, **pipes)

    def run(self, *arguments: str) -> str:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, (arguments, err)
        return out

    def stop(self, process: subprocess.Popen[str]) -> None:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Caller]:
    write_tree(tmp_path / "shop", SHOP)
    instance = dict.fromkeys(("instance_id", "repo", "base_commit", "patch"), "") | {
        "language": "Python",
        "modified_nodes": [],
    }
    files = {"i.jsonl": json.dumps(instance), "p.jsonl": '{"instance_id": "", "model_patch": ""}'}
    write_tree(tmp_path, {**files, "list.txt": f"{tmp_path}/mall", "mall/mall.py": "def sell():\n    return 1\n"})
    command = {"command": "echo x > outputs/x.txt"}
    with scripted_chat(Reply(calls=[("run_command", command)]), Reply(calls=[("finish", {"text": "Done."})])) as chat:
        options = json.dumps({"base_url": chat.base_url, "api_key": "none"})
        yield Caller(Traps(tmp_path / "traps"), tmp_path, {
            "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none", "REPOQUARRY_AGENT_WORKSPACE_INSTALL_HOSTS": "",
            "REPOQUARRY_AGENT_MODEL_NAME": "openai:scripted", "REPOQUARRY_AGENT_MODEL_OPTIONS": options,
        })  # fmt: skip


def _mcp(caller: Caller) -> None:
    """As an editor does in the workspace that it has opened."""
    server = caller.start("mcp")
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = [("initialize", client), ("tools/call", {"name": "cypher", "arguments": {"query": QUERY}})]
    assert server.stdin is not None
    assert server.stdout is not None
    for number, (method, params) in enumerate(asked):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
    assert "price" in str(answer["result"]), answer
    server.communicate(timeout=300)


def _serve(caller: Caller) -> None:
    """A server's own children: sandbox, gate, jobs; `batch` follows one of its lists."""
    server = caller.start("serve", "--listen", "127.0.0.1:0")
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1]
    assert "price" in caller.run("query", LONG, "--server", address)
    batch = caller.run("index", "--from", str(caller.folder / "list.txt"), "--detach", "--server", address).strip()
    assert "1 of 1" in caller.run("batch", batch, "--server", address)
    caller.stop(server)


def _watch(caller: Caller) -> None:
    watcher = caller.start("watch", str(caller.folder / "shop"), "--json")
    assert watcher.stdout is not None
    assert json.loads(watcher.stdout.readline())
    caller.stop(watcher)


def _task(caller: Caller) -> None:
    process = caller.start("task", "Make x.", "--policy", "chat", "--yes", "-o", str(caller.folder / "got"))
    _, said = process.communicate(timeout=300)
    assert (caller.folder / "got" / "x.txt").read_text() == "x\n", said
    assert "outputs/x.txt" in caller.run("files", said.split()[0])


LINES = {
    "version": ".",
    "index {0}/shop {0}/mall": "mall: 1 file",
    "index --from {0}/list.txt": "1 of 1",
    "interfaces --folder {0}/shop": "ecosystem",
    "list": "shop",
    f'query "{QUERY}"': "price",
    "query --named longest-functions": "price",
    "queries": "longest-functions",
    "check length-limit --repository shop": "length-limit",
    "search price": "price",
    "locate 'price of an order'": "till",
    "explore price": "price",
    "show price": "price",
    "ui shop/till.py::price --repository shop --export {0}/page.html": "",
    "install claude --folder {0}/host": "",
    "uninstall claude --folder {0}/host": "",
    "diff shop mall": "",
    "impact shop --symbol price": "price",
    "duplicates": "",
    "context shop": "shop",
    "choose 'charge for an order'": "shop",
    "tool constants text=price": "of 0 constants",
    "export shop --output {0}/shop.graphml": "",
    "provision {0}/mall": "",
    "ask 'Who calls price?' --policy deterministic": "price",
    "evaluate polybench --instances {0}/i.jsonl --predictions {0}/p.jsonl": "",
    "delete mall --yes": "",
}
"""Expected output by command, in an order in which each finds what it needs."""

OTHERS: Mapping[str, Callable[[Caller], None]] = {
    "mcp": _mcp,
    "serve batch": _serve,
    "watch": _watch,
    "task files": _task,
}


@pytest.mark.slow
def test_no_command_imports_what_a_caller_or_a_repository_chooses(caller: Caller) -> None:
    assert {line.split()[0] for line in LINES} | set(" ".join(OTHERS).split()) == set(COMMANDS)
    for line, expected in LINES.items():
        assert expected in caller.run(*(part.replace("{0}", str(caller.folder)) for part in shlex.split(line))), line
        assert caller.traps.sprung() == [], line
    for name, run in OTHERS.items():
        run(caller)
        assert caller.traps.sprung() == [], name
