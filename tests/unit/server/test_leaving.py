"""A command's process ends at once when its work is done, but not before what is to happen at its end."""

import subprocess
import sys

import pytest

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


def left(work: str) -> tuple[int, str]:
    ended = subprocess.run([sys.executable, "-c", _MAIN.format(work=work)], capture_output=True, text=True, timeout=60)
    assert ended.stderr == ""
    return ended.returncode, ended.stdout


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
    assert left(work) == (7, said)
