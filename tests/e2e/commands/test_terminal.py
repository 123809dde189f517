"""What a repository contains never steers a terminal: every command over one that tries to."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from pathlib import Path

import pytest

from repoquarry.server.cli.commands import COMMANDS
from tests.e2e.service import repoquarry, run_here, write_tree

RED, TITLE, CLEAR, C1 = "\x1b[31m", "\x1b]0;owned\x07", "\x1b[2J\x1b[H", "\x9b31m"
BIDI = "\u202egnp.exe\u2066\u2069\u200f"
EVIL = f"{RED}{TITLE}{CLEAR}{C1}{BIDI}\r\x08\x7f\u2028\U000e0041"
FILE = f"evil{RED}{BIDI}\nforged: line.py"
FILES = {
    "README.md": f"# Shop {EVIL}\n\nSells {EVIL} things over a counter.\n",
    "pyproject.toml": '[project]\nname = "shop"\ndescription = "Sells \\u001B[31m\\u202E things"\n',
    "shop/__init__.py": "",
    "shop/till.py": (
        f'"""Takes {EVIL.replace(chr(13), "")} money."""\n\n\n'
        f'@route("{RED}{BIDI}")\n'
        f'def charge(order, text="{RED}{BIDI}"):\n'
        f'    """Charge {RED}{BIDI} an order."""\n'
        f"    return price(order) + order.{'total'}()\n\n\n"
        f'def price(order: "{RED}{BIDI}") -> int:\n    return len(order)\n'
    ),
    FILE: f'def broken(:  # {RED}\n    pass\n\n\ndef charge_{"twice"}(order):\n    """{RED}"""\n    return order\n',
}
CALLS: dict[str, list[list[str]]] = {
    "serve": [["--listen", f"nowhere{EVIL}"]],
    "index": [
        ["SHOP"],
        ["SHOP", "--json"],
        ["--from", f"/absent{EVIL}"],
        [f"/absent{EVIL}"],
        ["SHOP", "--ref", f"v{EVIL}"],
    ],
    "batch": [[f"batches/{EVIL}"], ["batches/absent", "--cancel"]],
    "list": [[], ["--jobs"], ["--batches"], ["--tasks"], ["--json"], ["--tasks", "--json"]],
    "query": [
        ["MATCH (n) RETURN n"],
        ["MATCH (n) RETURN n", "--json"],
        ["MATCH (n) RETURN n.path, n.docstring, n.source"],
        [f"MATCH (n:`{RED}{BIDI}`) RETURN n"],
        [f"RETURN {EVIL}"],
    ],
    "search": [["charge"], ["charge", "--json"], ["money", "--mode", "exact"]],
    "locate": [["charging an order is wrong"], ["charging", "--json"]],
    "show": [
        ["shop.till.charge"],
        ["charge", "--source"],
        ["charge", "--callees"],
        ["price", "--callers", "--json"],
        [f"absent{EVIL}"],
    ],
    "diff": [["shop", "shop"], ["shop", f"absent{EVIL}"], ["shop", "shop", "--json"]],
    "impact": [
        ["SHOP"],
        ["shop", "--symbol", "price"],
        ["shop", "--symbol", "price", "--json"],
        ["SHOP", "--range", f"A{EVIL}..B"],
    ],
    "duplicates": [[], ["shop", "--json"], ["--of", "price"], [f"absent{EVIL}"], ["--of", f"absent{EVIL}"]],
    "context": [["shop"], ["shop", "--json"]],
    "ask": [["who calls price?"], ["what does charge do?", "--json"], [f"where is {EVIL} charged?"]],
    "choose": [["sell things over a counter"], ["charge", "--json"], [f"{EVIL}x"]],
    "task": [["use shop to sell things", "--yes"], [f"do {EVIL}", "--input", f"/absent{EVIL}"]],
    "files": [[f"tasks/{EVIL}"], ["tasks/absent", "--output", "/tmp/absent"]],
    "evaluate": [
        [f"polybench{EVIL}", "--instances", f"/absent{EVIL}", "--predictions", f"/absent{EVIL}"],
        ["gittaskbench", "--data", f"/absent{EVIL}", "--output", f"out{EVIL}"],
    ],
    "provision": [
        [f"/absent{EVIL}"],
        ["-r", f"absent{EVIL}"],
        ["--list"],
        ["--list", "--json"],
        ["--remove", f"absent{EVIL}"],
    ],
    "export": [["shop"]],
    "delete": [[f"absent{EVIL}", "--yes"], ["shop", "--yes"]],
    "version": [[]],
    "mcp": [["--http", f"nowhere{EVIL}"]],
    "watch": [[f"/absent{EVIL}"], [f"https://example.org/{EVIL}", "--interval", "1"]],
}
HARMFUL = {"Cc", "Cf", "Zl", "Zp", "Cs"}


def assert_harmless(text: str, command: list[str]) -> None:
    raw = sorted({hex(ord(sign)) for sign in text if sign not in "\n\t" and unicodedata.category(sign) in HARMFUL})
    assert not raw, f"{command} prints {raw}: {text[:2000]!r}"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository that does what it can, and a store in which it is indexed."""
    folder = write_tree(tmp_path_factory.mktemp("hostile") / "shop", FILES)
    identity = ["-c", f"user.name=a{RED}", "-c", "user.email=a@example.org"]
    git = [["init", "-q", "-b", "main"], ["add", "-A"], [*identity, "commit", "-q", "-m", f"Charge {RED}{BIDI} orders"]]
    for arguments in git:
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    store = tmp_path_factory.mktemp("store") / "store"
    done = repoquarry(store, "index", str(folder))
    assert done.returncode == 0, done.stderr
    assert_harmless(done.stdout + done.stderr, ["index"])
    assert "syntax errors in 1: evil" in done.stdout
    return folder, store


def test_every_command_is_tried() -> None:
    assert set(CALLS) == set(COMMANDS)


def test_json_loses_nothing(hostile: tuple[Path, Path]) -> None:
    _, store = hostile
    answer = json.loads(run_here(store, "query", "MATCH (m:Module) RETURN m.path AS path", "--json").stdout)
    assert [FILE] in answer["rows"]


@pytest.mark.parametrize("name", sorted(CALLS, key=lambda name: (name == "delete", name)))
def test_no_command_prints_what_could_steer_a_terminal(hostile: tuple[Path, Path], name: str) -> None:
    folder, store = hostile
    for arguments in CALLS[name]:
        command = [name, *(str(folder) if argument == "SHOP" else argument for argument in arguments)]
        done = run_here(store, *command)
        assert_harmless(done.stdout + done.stderr, command)
        assert "Traceback" not in done.stderr, command


def test_the_log_of_a_server_is_harmless_too(tmp_path: Path) -> None:
    done = repoquarry(tmp_path / "store", "index", f"/absent{EVIL}", REPOQUARRY_SERVER_LOG_LEVEL="debug")
    assert_harmless(done.stdout + done.stderr, ["index", "debug"])
