"""pytest plugin that interrupts the collection of a test file after a time limit, and prints the file or ends the process.

The plugin runs in the environment under test: Python 3.6 or later, pytest 2.8 or later. Its folder contains no other file, because the
folder is on `sys.path`.
"""

import os
import signal
import time
from typing import Any

SECONDS = 45
"""Seconds after which an idle test file is abandoned: it waits for a network, a window or a key."""
MAX_SECONDS = 135
"""Seconds after which a busy test file is abandoned."""
WORKING = 0.02
"""Minimum share of processor time of a busy process, on a loaded machine too."""
ENDED = 70
"""Exit code of a process that cannot be interrupted otherwise."""
OUTPUT = os.dup(1)
"""Standard output of the process, before pytest redirects it."""


def pytest_collectstart(collector: Any) -> None:
    begun, computed = time.monotonic(), [time.process_time()]
    raised = [0.0]

    def look(*_: Any) -> None:
        waited, spent = time.monotonic() - begun, time.process_time() - computed[-1]
        if raised[0]:  # The exception was caught, as event loops do.
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
    """Terminate the process, and report the file to skip."""
    file = os.path.relpath(str(getattr(collector, "fspath", ".")))
    os.write(OUTPUT, f"\nrepoquarry: {file} cannot be collected in time\n".encode())
    os._exit(ENDED)
