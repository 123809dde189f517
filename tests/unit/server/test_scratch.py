"""A temporary folder goes with its process, however that ends."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from repoquarry.server.bulk.executor import ScratchFolder

_KILLED = """
import os, signal, sys, tempfile
from repoquarry.server.bulk.executor import ScratchFolder
tempfile.tempdir = sys.argv[1]
folder = ScratchFolder("rq-").path
(folder / "repoquarry-1").mkdir()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_is_removed_by_the_next(temporary: Path) -> None:
    subprocess.run([sys.executable, "-c", _KILLED, str(temporary)], check=False)
    (abandoned,) = temporary.iterdir()
    assert (abandoned / "repoquarry-1").is_dir()
    made = ScratchFolder("rq-")
    assert list(temporary.iterdir()) == [made.path]
    made.close()
    assert not list(temporary.iterdir())


def test_that_of_a_living_process_and_what_others_made_stay(temporary: Path) -> None:
    (temporary / "rq-no-lock").mkdir()
    (temporary / "other").mkdir()
    first, second = ScratchFolder("rq-"), ScratchFolder("rq-")
    assert first.path.is_dir()
    second.close()
    first.close()
    assert sorted(entry.name for entry in temporary.iterdir()) == ["other", "rq-no-lock"]
