"""Reports of a run while it runs: whose memory counts, and tasks in parallel with a stage end with it."""

import threading
from collections.abc import Callable

import pytest

from repoquarry.ingest.errors import IngestCancelledError
from repoquarry.ingest.run_monitor import IndexProgress, RunMonitor


def _silent(progress: IndexProgress) -> None:
    """Nobody listens."""


def test_processes_of_two_threads_are_watched_each_as_long_as_it_asks() -> None:
    meter = RunMonitor(_silent, lambda: False)
    with meter.watch_processes(lambda: [1]):
        with meter.watch_processes(lambda: [2, 3]):
            assert meter.watched() == [1, 2, 3]
        assert meter.watched() == [1]
    assert meter.watched() == []


def test_work_beside_a_stage_gives_its_result() -> None:
    with RunMonitor(_silent, lambda: False).run_in_background("adding", lambda ended: 1 + 1) as adding:
        assert adding.result() == 2


def _until_told(asked: threading.Event) -> Callable[[Callable[[], bool]], str]:
    def work(ended: Callable[[], bool]) -> str:
        asked.set()
        while not ended():
            pass
        return "ended"

    return work


def test_background_work_stops_when_a_stage_fails() -> None:
    started, waiting = threading.Event(), []

    def stage() -> None:
        with RunMonitor(_silent, lambda: False).run_in_background("waiting", _until_told(started)) as future:
            waiting.append(future)
            started.wait()
            raise ValueError("of the stage")

    with pytest.raises(ValueError, match="of the stage"):
        stage()
    assert waiting[0].result(timeout=0) == "ended"  # the block is left once the work has ended


def test_background_work_learns_of_cancellation() -> None:
    cancelled, started = threading.Event(), threading.Event()
    meter = RunMonitor(_silent, cancelled.is_set)
    with meter.run_in_background("waiting", _until_told(started)) as waiting:
        started.wait()
        cancelled.set()
        assert waiting.result() == "ended"
    with pytest.raises(IngestCancelledError):
        meter.check()
