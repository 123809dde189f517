"""The end of processes: servers after their grace period, and commands once their work is done."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

_STUCK = """
import re, threading, time
from repoquarry.server.listeners import end_process_after
end_process_after({seconds})
{work}
"""


def _run(script: str, **parts: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script.format(**parts)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_process_ends_after_its_grace_period_despite_threads() -> None:
    for work in ("threading.Thread(target=time.sleep, args=(600,)).start()", "re.match('(a+)+$', 'a' * 60 + 'b')"):
        ended = _run(_STUCK, work=work, seconds=0.5)
        assert ended.returncode == 1
        assert "Timeout" in ended.stderr, "the log says what the threads were doing"


_LOCKED = """
import ctypes, signal, sys
from repoquarry.processes.termination import end_process_after_signals
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
end_process_after_signals([signal.SIGTERM], 0.5)
print("ready", flush=True)
{work}
"""


_DEADLOCK = """
library, mutex = ctypes.PyDLL(None), ctypes.create_string_buffer(256)
library.pthread_mutex_lock(mutex), library.pthread_mutex_lock(mutex)
"""
"""`PyDLL` keeps the interpreter lock during a call, and no signal interrupts the second one."""


@pytest.mark.parametrize(
    ("work", "code"),
    [(_DEADLOCK, -signal.SIGKILL), ("signal.pause()", 3)],
    ids=["C code that holds the interpreter lock", "a handler that ends the process"],
)
def test_a_signal_ends_a_process_in_time(work: str, code: int) -> None:
    with subprocess.Popen([sys.executable, "-c", _LOCKED.format(work=work)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        (guard,) = psutil.Process(process.pid).children()
        time.sleep(0.5)  # until the process is in its work
        os.killpg(os.getpgid(guard.pid), signal.SIGTERM)
        process.terminate()
        assert process.wait(60) == code
    psutil.wait_procs([guard], timeout=60)
    assert not guard.is_running()


def test_a_process_that_ends_in_time_is_left_alone() -> None:
    assert _run(_STUCK, work="", seconds=600).returncode == 0


_SERVICE = """
import asyncio, os, signal
from repoquarry.server.listener import Listener, ServiceContext
from repoquarry.server.listeners import serve
from repoquarry.server.settings.loading import load_settings

class Server:
    port = 1
    async def start(self): asyncio.get_running_loop().call_later(0.1, os.kill, os.getpid(), signal.SIGTERM)
    async def stop(self): print("calls ended")

listener = Listener("grpc", "server.listen", "", "listening", lambda *_: Server())
asyncio.run(serve(ServiceContext(load_settings(), None, None, on_stop=lambda: print("work stopped")), [listener]))
"""


def test_work_is_cancelled_before_waiting_for_calls() -> None:
    assert _run(_SERVICE).stdout.split("\n") == ["listening", "work stopped", "calls ended", ""]


_MAIN = """
import atexit, sys, threading, time
from repoquarry.server.cli import main, program
def late():
    time.sleep(0.2)
    print("late")
def work(arguments):
    {work}
    print("done", end="")
    return 7
program.run = work
main([])
"""


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ("pass", "done"),
        ("atexit.register(print, ' at the end')", "done at the end\n"),
        ("threading.Thread(target=late).start()", "donelate\n"),
        ("threading.Thread(target=late, daemon=True).start()", "done"),
        ("sys.setprofile(lambda *_: None); atexit.register(print, ' at the end')", "done at the end\n"),
    ],
)
def test_what_is_to_happen_at_the_end_happens(work: str, said: str) -> None:
    ended = _run(_MAIN, work=work)
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, said, "")
