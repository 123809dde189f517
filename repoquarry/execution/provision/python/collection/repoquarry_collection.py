"""pytest plugin that reports what can be collected.

Runs in the environment that is tried, Python 3.6 or later, with any pytest from 2.8 on; its folder holds nothing else, as it is on the path.
"""

import os
import signal
import time
from typing import Any

SECONDS = 45
"""Time after which a file that does nothing is given up: it waits for a network, a window or a key, and would wait for ever."""

MAX_SECONDS = 135
"""Time of one file that works all the time."""

WORKING = 0.02
"""Share of the time in which a process computes that works, on a machine with many others too."""

ENDED = 70
"""Code with which the process ends where nothing else helps."""


OUTPUT = os.dup(1)
"""Where the process writes, before pytest takes hold of it."""


def pytest_collectstart(collector: Any) -> None:
    begun, computed = time.monotonic(), [time.process_time()]
    raised = [0.0]

    def look(*_: Any) -> None:
        waited, spent = time.monotonic() - begun, time.process_time() - computed[-1]
        if raised[0]:  # the exception was caught on its way, as loops of events do
            leave(collector)
        if waited >= MAX_SECONDS or spent < SECONDS * WORKING:
            raised[0] = waited
            raise TimeoutError(f"collecting it did not end within {waited:.0f} seconds")
        computed.append(time.process_time())

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)


def pytest_collectreport(report: Any) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)


def leave(collector: Any) -> None:
    """End the process, and say which file to leave out."""
    file = os.path.relpath(str(getattr(collector, "fspath", ".")))
    os.write(OUTPUT, f"\nrepoquarry: {file} does not let itself be collected\n".encode())
    os._exit(ENDED)
