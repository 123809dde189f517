"""Real server processes on free loopback ports, over stores in temporary folders."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from repoquarry.client import Client, ClientSettings
from repoquarry.server.application.working_folder import WorkingFolder
from repoquarry.server.cli.program import run
from tests.command_line import COMMAND
from tests.source_trees import write_tree
from tests.thread_workers import thread_workers

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_SECONDS = 600.0
"""Deadline of operations that end in seconds on an idle machine."""


@dataclass
class Service:
    """One running `repoquarry serve`."""

    process: subprocess.Popen[str]
    port: int
    store: Path
    log: Path
    clients: list[Client] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def client(self, **settings: object) -> Client:
        client = Client(ClientSettings(server=self.address, **settings))  # type: ignore[arg-type]
        self.clients.append(client)
        return client

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(DEADLINE_SECONDS)

    def stop(self) -> int:
        """As an operator would; the exit code."""
        self.process.terminate()
        return self.process.wait(DEADLINE_SECONDS)


StartService = Callable[..., Service]


def long_token(holder: str) -> str:
    """A token that is long enough for a server, named after who holds it."""
    return f"{holder}-token-of-tests"


def environment(store: Path, **variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REPOQUARRY_")}
    path = os.pathsep.join([str(ROOT), str(ROOT / "proto")])
    empty = {"XDG_CONFIG_HOME": str(store.parent), "REPOQUARRY_SERVER_SOURCE_ROOTS": "/"}
    return {**kept, **empty, "PYTHONPATH": path, "REPOQUARRY_STORE": str(store), **variables}


def launch(store: Path, log: Path, port: int = 0, **variables: str) -> Service:
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--listen", f"127.0.0.1:{port}"],
            env=environment(store, **variables),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=store.parent,
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("listening on "), f"the server did not start:\n{log.read_text()}"
    return Service(process, int(line.rpartition(":")[2]), store, log)


def end(service: Service) -> None:
    for client in service.clients:
        client.close()
    if service.process.poll() is None:
        service.process.kill()
        service.process.wait(DEADLINE_SECONDS)
    if service.process.stdout is not None:
        service.process.stdout.close()


def repoquarry(
    store: Path, *arguments: str, stdin: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(store, **variables),
        capture_output=True,
        text=True,
        input=stdin,
        timeout=DEADLINE_SECONDS,
        cwd=store.parent,
        check=False,
    )


@dataclass(frozen=True)
class CommandResult:
    """A command that was run in this process."""

    returncode: int
    stdout: str
    stderr: str


def run_here(
    store: Path, *arguments: str, stdin: str | None = None, folder: str = "", **variables: str
) -> CommandResult:
    """Run a command, and its indexing, without processes, which cost a second each: for tests of answers, not of processes.

    The working folder is `folder`, by default that of the store, as for `run`.
    """
    out, err = io.StringIO(), io.StringIO()
    here = WorkingFolder(Path(folder or store.parent))
    given = environment(store, **variables)
    with (
        mock.patch.dict(os.environ, given, clear=True),
        mock.patch.object(WorkingFolder, "current", return_value=here),
        mock.patch.object(sys, "stdin", io.StringIO(stdin or "")),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        thread_workers(),
    ):
        code = run(arguments)
    return CommandResult(code, out.getvalue(), err.getvalue())


def succeed(store: Path, *arguments: str, **variables: str) -> CommandResult:
    """Run a command in this process; it must exit with 0."""
    done = run_here(store, *arguments, **variables)
    assert done.returncode == 0, done.stderr
    return done


def run_json(store: Path, *arguments: str, **variables: str) -> Any:
    return json.loads(succeed(store, *arguments, "--json", **variables).stdout)


SHOP = {
    "README.md": "# Shop\n\nSells things over a counter.\n",
    "shop/__init__.py": '"""The shop."""\n\nfrom shop.counter import Counter\n',
    "shop/counter.py": (
        '"""Where customers stand."""\n\n'
        "from shop.till import Till\n\n\n"
        "class Counter:\n"
        '    """Serves customers."""\n\n'
        "    def __init__(self, till: Till) -> None:\n"
        "        self.till = till\n\n"
        "    def serve(self, order, gift):\n"
        '        """Serve one order."""\n'
        "        gift.wrap(order)\n"
        "        return self.till.charge(order)\n"
    ),
    "shop/till.py": (
        '"""Takes money."""\n\n\n'
        "class Till:\n"
        "    def charge(self, order):\n"
        "        total = price(order)\n"
        "        return total\n\n\n"
        "def price(order):\n"
        "    return len(order)\n\n\n"
        "def charge(order):\n"
        "    return price(order)\n"
    ),
    "shop/wrapping.py": "class Gift:\n    def wrap(self, order):\n        return order\n",
    "tests/test_shop.py": "from shop.till import price\n\n\ndef test_price():\n    assert price([1]) == 1\n",
    "broken.py": "def broken(:\n    pass\n",
}


def big_tree(folder: Path, modules: int) -> Path:
    """A repository whose indexing takes some seconds."""
    files = {}
    for number in range(modules):
        other = (number * 7 + 1) % modules
        body = [f"from big.m{other} import f{other}_0", ""]
        for place in range(40):
            body += [f"def f{number}_{place}(x):", f"    return f{other}_0(x) + f{number}_{(place + 1) % 40}(x)", ""]
        files[f"big/m{number}.py"] = "\n".join(body)
    files["big/__init__.py"] = ""
    return write_tree(folder, files)


def wait_until(condition: Callable[[], bool], seconds: float = DEADLINE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.05)
