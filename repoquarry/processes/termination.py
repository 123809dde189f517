"""Termination of processes with all their descendants."""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import os
import select
import signal
import sys
import time
from collections.abc import Sequence

import psutil

from repoquarry.processes.workers import FramedChild

_ROUNDS = 200
"""Maximum number of passes. A process may fork while the process list is read, so passes repeat until the list is empty."""
_WAIT_SECONDS = 0.1


def descendants(process: int) -> list[psutil.Process]:
    """List running descendants of a process at any depth."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(process).children(recursive=True)
    return []


def child_processes(process: int) -> list[int]:
    """List the direct children of a process; this costs the same however many processes the machine has."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]
    return []


def kill_groups(process: int) -> None:
    """Kill the process groups that children of a process lead: no member of a group can fork meanwhile."""
    for child in child_processes(process):
        with contextlib.suppress(OSError):  # The child leads no group.
            os.killpg(child, signal.SIGKILL)


def kill_descendants(process: int) -> None:
    """Kill all descendants of a process that does not exit meanwhile."""
    for _ in range(_ROUNDS):
        below = [other for other in descendants(process) if _alive(other)]
        if not below:
            return
        _kill(below)


def kill_marked(variable: str, value: str) -> int:
    """Kill all processes whose environment has this value of a variable; return their number."""
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        if not (found := _marked(variable, value)):
            break
        _kill(found)
        killed.update(other.pid for other in found)
    return len(killed)


def _kill(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=_WAIT_SECONDS)


def _alive(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def _marked(variable: str, value: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if _alive(process) and process.environ().get(variable) == value:
                found.append(process)
    return found


_GUARD_ENTRY = f"{__name__}:kill_parent_in_time"


def end_process_after_signals(signals: Sequence[signal.Signals], seconds: float) -> None:
    """Have a child kill this process so many seconds after one of the signals, unless it has exited.

    The handlers that are installed run as before. The child learns of the signal from faulthandler, which needs no interpreter lock:
    C code that never releases the lock cannot keep the process alive.
    """
    guard = FramedChild(_GUARD_ENTRY, (str(os.getpid()), str(seconds)))
    atexit.register(guard.end)
    for number in signals:
        faulthandler.register(number, guard.input, all_threads=False, chain=True)


def kill_parent_in_time() -> None:
    """Run as the child: wait for any bytes, then for the end of the parent, which closes the pipe."""
    for number in (signal.SIGTERM, signal.SIGINT):  # sent to all processes of a service
        signal.signal(number, signal.SIG_IGN)
    parent, seconds = int(sys.argv[1]), float(sys.argv[2])
    if not os.read(0, 1):
        return
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if select.select([0], [], [], left)[0] and not os.read(0, 1 << 16):
            return
    os.kill(parent, signal.SIGKILL)
