"""`repoquarry watch`: a changed folder is indexed again, once a burst, and changes that do not concern the index start nothing."""

import json
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from tests.command_line import COMMAND
from tests.e2e.service import environment, run_here

_SECONDS = 300.0


@dataclass
class Watching:
    """A running watcher: the JSON reports of its rounds and the lines on its stderr, as they come."""

    process: subprocess.Popen[str]
    reports: queue.Queue[str]
    notes: queue.Queue[str]

    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.reports.get(timeout=_SECONDS))
        return found

    def until(self, text: str) -> None:
        while text not in self.notes.get(timeout=_SECONDS):
            pass


def _collect(stream: IO[str]) -> queue.Queue[str]:
    lines: queue.Queue[str] = queue.Queue()

    def collect() -> None:
        for line in stream:
            lines.put(line)

    threading.Thread(target=collect, daemon=True).start()
    return lines


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "till.py").write_text("def open_till():\n    return 1\n")
    (folder / "counter.py").write_text("from till import open_till\n\n\ndef serve():\n    return open_till()\n")
    return folder


def _watch(folder: Path, *arguments: str) -> Watching:
    process = subprocess.Popen(
        [*COMMAND, "watch", *arguments, "--json"],
        env=environment(folder / "store"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    return Watching(process, _collect(process.stdout), _collect(process.stderr))


@pytest.fixture
def watching(tree: Path, tmp_path: Path) -> Iterator[Watching]:
    found = _watch(tmp_path, str(tree), "--debounce", "0.2")
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait(300)


def names(store: Path) -> set[str]:
    found = run_here(store, "query", "MATCH (f:Function) RETURN f.qualname AS name", "--json")
    return {row[0] for row in json.loads(found.stdout)["rows"]}


@pytest.mark.slow
def test_changes_are_followed_until_it_is_interrupted(watching: Watching, tree: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert watching.report()["changed"] == []
    watching.until("press Ctrl-C to stop")
    assert names(store) == {"open_till", "serve"}

    (tree / "till.py").write_text("def open_till():\n    return 1\n\n\ndef close_till():\n    return 2\n")
    assert watching.report()["changed"] == ["till.py"]
    assert names(store) == {"open_till", "close_till", "serve"}

    (tree / "__pycache__").mkdir()
    (tree / "__pycache__" / "till.pyc").write_bytes(b"x")
    (tree / "notes.tmp").write_text("x")
    (tree / "counter.py").rename(tree / "desk.py")
    report = watching.report()
    assert report["changed"] == ["counter.py", "desk.py"], "what indexing never reads must not start a round"
    assert names(store) == {"open_till", "close_till", "serve"}

    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(300) == 130


@pytest.mark.slow
def test_failed_round_is_reported_and_watching_continues(watching: Watching, tree: Path, tmp_path: Path) -> None:
    watching.report()
    watching.until("press Ctrl-C to stop")
    kept = (tree / "till.py").read_text()
    for path in list(tree.iterdir()):
        path.unlink() if path.is_file() else shutil.rmtree(path)
    watching.until("REPOSITORY_EMPTY")
    (tree / "till.py").write_text(kept)
    assert watching.report()["changed"] == ["till.py"]
    assert names(tmp_path / "store") == {"open_till"}


def test_what_cannot_be_watched_is_refused(tmp_path: Path) -> None:
    missing = run_here(tmp_path / "store", "watch", str(tmp_path / "nowhere"))
    assert (missing.returncode, "no such folder" in missing.stderr) == (3, True)
    mixed = run_here(tmp_path / "store", "watch", "https://example.org/shop.git", str(tmp_path))
    assert (mixed.returncode, "with separate commands" in mixed.stderr) == (2, True)
