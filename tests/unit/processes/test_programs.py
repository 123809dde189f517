"""Programs of others: what they say, how long they may take, and that nothing of them is left."""

import os
import signal
import sys
from pathlib import Path

import pytest

from repoquarry.processes.programs import BoundedOutput, ProgramProcess, collect_output, run_program
from repoquarry.processes.termination import kill_marked
from tests.process_checks import is_gone

_SLEEPS = "import time; time.sleep(600)"


class _WantedOtherwiseError(Exception):
    pass


def shell(text: str, **options: object) -> ProgramProcess:
    return ProgramProcess(["/bin/sh", "-c", text], **options)  # type: ignore[arg-type]


def test_program_returns_exit_code_output_and_errors(tmp_path: Path) -> None:
    ended = run_program(
        ["/bin/sh", "-c", "cat; pwd; echo $A >&2; exit 3"],
        seconds=0,
        cwd=tmp_path,
        environment={"A": "b"},
        given=b"in\n",
    )
    assert (ended.code, ended.output, ended.errors) == (3, f"in\n{tmp_path}\n".encode(), b"b\n")


def test_input_longer_than_a_pipe_is_given_whole() -> None:
    given = os.urandom(1 << 20)
    assert run_program(["/bin/cat"], seconds=0, given=given).output == given


def test_a_signal_is_told_as_a_negative_code() -> None:
    assert run_program(["/bin/sh", "-c", "kill -TERM $$"], seconds=0).code == -signal.SIGTERM


def test_an_unknown_program_is_refused() -> None:
    with pytest.raises(FileNotFoundError):
        run_program(["/no/such/program"], seconds=1)


def test_after_its_time_it_is_gone() -> None:
    program = shell("sleep 600")
    with pytest.raises(TimeoutError, match=r"/bin/sh took more than 0\.1 seconds"):
        program.finish(0.1)
    assert is_gone(program.pid)


def test_who_looks_may_end_it(tmp_path: Path) -> None:
    number = tmp_path / "number"
    program = shell(f"sleep 600 & echo $! > {number}.new; mv {number}.new {number}; sleep 600")

    def look() -> None:
        if number.exists():
            raise _WantedOtherwiseError

    with pytest.raises(_WantedOtherwiseError):
        program.finish(0, look)
    assert is_gone(program.pid)
    assert is_gone(int(number.read_text()))


def test_output_is_followed_to_the_end_of_the_program_alone() -> None:
    program, kept = shell("sleep 600 & echo out; echo err >&2", joined=True), BoundedOutput(0)
    assert collect_output(program, kept, None, lambda: "") == ""
    assert program.end() == 0
    assert kept.text() == "out\nerr\n"


def test_head_and_tail_are_kept_within_the_bound() -> None:
    kept = BoundedOutput(10)
    for number in range(1_000):
        kept.add(b"%03d" % number)
    assert kept.text() == "00000\n[… 2990 bytes of output omitted]\n98999"
    assert kept.dropped == 2_990


def test_marked_processes_are_killed_wherever_they_went() -> None:
    mark = f"{os.getpid()}-test"
    marked = ProgramProcess([sys.executable, "-c", _SLEEPS], environment={"A_MARK": mark})
    other = ProgramProcess([sys.executable, "-c", _SLEEPS], environment={"A_MARK": "other"})
    try:
        assert kill_marked("A_MARK", mark) == 1
        assert marked.ended(30)
        assert not other.ended()
    finally:
        marked.end()
        other.end()
