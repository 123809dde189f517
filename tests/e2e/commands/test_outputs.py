"""Where answers go: full disks, closed streams, pipes and devices, terminals of other encodings; each told on one line or served."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from tests.command_line import COMMAND
from tests.e2e.service import run_here, write_tree

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


def test_a_closed_stdout_is_said_and_a_closed_stderr_is_borne(store: Path) -> None:
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


def test_a_terminal_of_another_encoding_gets_what_it_can_show(store: Path) -> None:
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
        "REPOQUARRY query --store {store} 'RETURN 1 AS x' --rows 99999999999999999999",
        "REPOQUARRY delete shop --store {store}",
        "REPOQUARRY delete shop --store {store} --json",
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason(store: Path, line: str) -> None:
    done = _shell(line.format(store=store))
    assert done.returncode == 2
    assert "REQUEST_INVALID" in _last(done)


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
    assert done.stdout.count("shop: 1 files") == 1
