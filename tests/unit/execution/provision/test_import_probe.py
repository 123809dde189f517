"""An import that waits is given up; one that computes on a busy machine is not."""

import signal
import time
from collections.abc import Iterator

import pytest

from repoquarry.execution.provision.python import import_probe


@pytest.fixture(autouse=True)
def no_alarm_is_left() -> Iterator[None]:
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)


def compute(seconds: float) -> float:
    """Seconds for which it computed."""
    import_probe.watch(0.05)
    begun = time.monotonic()
    while time.monotonic() < begun + seconds:
        pass
    return time.monotonic() - begun


def wait() -> None:
    import_probe.watch(0.05)
    for _ in range(100):
        signal.pause()  # until the alarm, which raises


def test_what_waits_is_given_up() -> None:
    with pytest.raises(TimeoutError):
        wait()


def test_what_computes_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_probe, "WORKING", 0.0)  # any share of a machine that others load
    assert compute(0.3) >= 0.3


def test_what_computes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_probe, "WORKING", 0.0)
    monkeypatch.setattr(import_probe, "MAX_SECONDS", 0.1)
    with pytest.raises(TimeoutError):
        compute(600)
