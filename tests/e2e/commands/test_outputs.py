"""Outputs of commands: full disks, closed streams, pipes, devices, other encodings, and controls that terminals would obey."""

import os
import shlex
import stat
import subprocess
import threading
import unicodedata
from pathlib import Path

import pytest

from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.output import rewrite_line
from tests.command_line import COMMAND
from tests.e2e.service import repoquarry, run_here, run_json
from tests.source_trees import commit_tree, git, write_tree

_FULL = Path("/dev/full")
_PROGRAM = shlex.join(COMMAND)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    write_tree(folder / "shop", {"café.py": "def été(): pass\n"})
    assert run_here(folder / "store", "index", str(folder / "shop")).returncode == 0
    return folder / "store"


def _shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A line for the shell in which `REPOQUARRY` is the program."""
    env = {**os.environ, **environment}
    return subprocess.run(
        ["sh", "-c", line.replace("REPOQUARRY", _PROGRAM)],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
    )


def _last(done: subprocess.CompletedProcess[bytes]) -> str:
    assert b"Traceback" not in done.stderr
    return done.stderr.decode().strip().split("\n")[-1]


@pytest.mark.skipif(not _FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", ["--help", "version", "list --store {store}", "query --store {store} 'RETURN 1 AS x' --json"]
)
def test_an_answer_that_cannot_be_written_is_no_success(store: Path, arguments: str) -> None:
    done = _shell(f"REPOQUARRY {arguments.format(store=store)} > /dev/full")
    assert done.returncode == 5
    assert "OUTPUT_FAILED" in _last(done)


def test_closed_stdout_is_an_error_and_closed_stderr_is_ignored(store: Path) -> None:
    done = _shell(f"REPOQUARRY list --store {store} >&-")
    assert done.returncode == 5
    assert "OUTPUT_FAILED" in _last(done)
    done = _shell(f"REPOQUARRY query --store {store} 'RETURN 1 AS x' 2>&-")
    assert done.returncode == 0
    assert done.stdout == b"x\n1\n"


@pytest.mark.parametrize(
    "command", [["query", "MATCH (f:Function) RETURN f.name AS name"], ["export", "shop", "--format", "graphml"]]
)
def test_a_pipe_is_written_and_stays_a_pipe(store: Path, tmp_path: Path, command: list[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    assert run_here(store, *command, "--output", str(pipe)).returncode == 0
    reader.join(120)
    assert "été" in read[0]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_terminal_of_another_encoding_gets_encodable_text(store: Path) -> None:
    done = _shell(
        f"REPOQUARRY query --store {store} 'MATCH (f:Function) RETURN f.name AS name'", PYTHONIOENCODING="ascii"
    )
    assert done.returncode == 0
    assert b"\\xe9t\\xe9" in done.stdout


@pytest.mark.parametrize(
    "line",
    [
        "printf 'RETURN 1 AS \\377' | REPOQUARRY query --store {store} -",
        'REPOQUARRY show --store {store} "$(printf "caf\\351")"',
        "REPOQUARRY query --store {store} 'RETURN 1 AS x' --limit 99999999999999999999",
        "REPOQUARRY delete shop --store {store}",
        "REPOQUARRY delete shop --store {store} --json",
    ],
)
def test_unanswerable_question_is_refused_with_a_reason(store: Path, line: str) -> None:
    done = _shell(line.format(store=store))
    assert done.returncode == 2
    assert "REQUEST_INVALID" in _last(done)


def test_progress_line_never_wraps(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrapped line would stay in the terminal: only its last row is replaced."""
    monkeypatch.setenv("COLUMNS", "20")
    rewrite_line("shop (extract), " * 10)
    assert capsys.readouterr().err == "\r\x1b[Kshop (extract), sho"


def test_a_file_is_no_store(tmp_path: Path) -> None:
    write_tree(tmp_path / "shop", {"m.py": "x = 1\n"})
    (tmp_path / "file").write_text("")
    done = run_here(tmp_path / "file", "index", str(tmp_path / "shop"))
    assert done.returncode == 5
    assert done.stderr.strip().endswith("(STORE_UNWRITABLE)")


def test_a_source_that_is_named_twice_is_indexed_once(tmp_path: Path) -> None:
    write_tree(tmp_path / "shop", {"m.py": "x = 1\n"})
    done = run_here(tmp_path / "store", "index", str(tmp_path / "shop"), str(tmp_path / "shop"))
    assert done.returncode == 0, done
    assert done.stdout.count("shop: 1 file") == 1


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
    "interfaces": [
        ["--folder", "SHOP"],
        ["--folder", "SHOP", "--json"],
        ["add", f"cargo:x{EVIL}", "--folder", "SHOP"],
        ["add", "--from-environment", "--folder", f"/absent{EVIL}"],
        [f"remove{EVIL}"],
    ],
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
    "queries": [[], ["longest-functions"], ["--json"], [f"absent{EVIL}"]],
    "check": [["import-cycles"], ["length-limit", "--param", "lines=1", "--format", "markdown"], [f"absent{EVIL}"]],
    "search": [["charge"], ["charge", "--json"], ["money", "--mode", "exact"]],
    "locate": [["charging an order is wrong"], ["charging", "--json"]],
    "ui": [[f"absent{EVIL}", "--no-open"], ["--export", "page.html", "--change", f"absent{EVIL}"]],
    "explore": [["shop.till.charge"], ["charge", "--json"], [f"absent{EVIL}"]],
    "install": [["claude", "--folder", f"absent{EVIL}", "--dry-run"], [f"host{EVIL}"]],
    "uninstall": [["claude", "--folder", f"absent{EVIL}", "--dry-run"]],
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
    "tool": [["view", f"target=absent{EVIL}"], ["search", "text=charge"], [f"nothing{EVIL}"]],
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
    commit_tree(folder, f"Charge {RED}{BIDI} orders")
    git(folder, "-c", f"user.name=a{RED}", "commit", "-q", "--amend", "--no-edit", "--reset-author")
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
    answer = run_json(store, "query", "MATCH (m:Module) RETURN m.path AS path")
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
