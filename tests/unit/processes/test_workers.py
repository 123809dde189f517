"""Child processes of our own: what they are started with, their memory limit, and why they exited."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from repoquarry.processes import workers
from repoquarry.processes.workers import ChildExit, ExitCause, FramedChild, open_worker_pipes, read_frame, write_frame
from repoquarry.search_path import PRODUCT_FOLDER

MIB = 1 << 20


def report() -> None:
    """The child's side: what a child sees, and how many threads numpy starts in it."""
    requests, answers = open_worker_pipes()
    before = psutil.Process().num_threads()
    import numpy as np

    np.ones((200, 200)) @ np.ones((200, 200))
    print("x" * 200_000, file=sys.stderr)  # more than a pipe holds
    print("not a frame", flush=True)
    told = [sys.path, sys.argv, psutil.Process().num_threads() - before]
    write_frame(answers, json.dumps(told).encode())
    read_frame(requests)


def grow() -> None:
    """The child's side: take memory until there is none, in steps of the size that is asked for."""
    taken = [bytearray(int(sys.argv[1]))]
    while True:
        taken.append(bytearray(taken[0]))


def test_a_child_sees_no_folder_of_its_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    child = FramedChild(f"{__name__}:report", ["one", "two"], inherit=True)
    try:
        path, arguments, threads = json.loads(child.receive())
    finally:
        exited = child.end()
    assert path[-1] == PRODUCT_FOLDER
    assert not {"", str(tmp_path), str(Path(sys.executable).parent)} & set(path)
    assert (arguments, threads) == ([f"{__name__}:report", "one", "two"], 0)
    assert exited.printed.endswith("x\nnot a frame")
    assert len(exited.printed) <= 1_000


@pytest.mark.parametrize("step", [MIB // 4, 30 * MIB])
def test_child_at_its_memory_limit_reports_it(step: int) -> None:
    child = FramedChild(f"{__name__}:grow", [str(step)], memory_bytes=100 * MIB)
    with pytest.raises(EOFError):
        child.receive()
    exited = child.await_exit()
    assert exited.cause is ExitCause.ALLOCATION
    said = "reached its memory limit of 100 MiB (exit status 1); raise a.b; it printed: MemoryError"
    assert exited.describe("a.b") == said


def test_kills_by_the_system_and_by_a_person_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(meanwhile: Callable[[], object]) -> ChildExit:
        child = FramedChild(f"{__name__}:report")
        child.receive()
        meanwhile()
        os.kill(child.pid, signal.SIGKILL)
        return child.await_exit()

    counts = tmp_path / "vmstat"
    counts.write_text("nr_free_pages 1\noom_kill 3\n")
    monkeypatch.setattr(workers, "_COUNTS", counts)
    assert killed(lambda: None).cause is ExitCause.KILLED
    assert killed(lambda: counts.write_text("nr_free_pages 1\noom_kill 4\n")).cause is ExitCause.SYSTEM_MEMORY


def test_error_near_the_memory_limit_counts_as_memory() -> None:
    """As of a library that does not look whether it was given any."""
    child = FramedChild(f"{__name__}:report", memory_bytes=200 * MIB)
    child._peak_bytes = 190 * MIB
    os.kill(child.pid, signal.SIGSEGV)
    assert child.await_exit().cause is ExitCause.ALLOCATION
