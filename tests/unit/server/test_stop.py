"""The end of a server process after its grace period."""

from __future__ import annotations

import subprocess
import sys

_STUCK = """
import re, threading, time
from repoquarry.server.listeners import end_process_after
end_process_after({seconds})
{work}
"""


def _run(work: str, seconds: float = 0.5) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _STUCK.format(work=work, seconds=seconds)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_process_ends_after_its_grace_period_whatever_its_threads_do() -> None:
    for work in ("threading.Thread(target=time.sleep, args=(600,)).start()", "re.match('(a+)+$', 'a' * 60 + 'b')"):
        ended = _run(work)
        assert ended.returncode == 1
        assert "Timeout" in ended.stderr, "the log says what the threads were doing"


def test_a_process_that_ends_in_time_is_left_alone() -> None:
    assert _run("", 600).returncode == 0
