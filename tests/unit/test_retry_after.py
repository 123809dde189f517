"""Waits that servers ask for, in every form of RFC 9110, in a zone that is not UTC."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from repoquarry.graphstore.retry_after import parse_retry_after


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "America/New_York")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    "form",
    [
        "%a, %d %b %Y %H:%M:%S GMT",
        "%A, %d-%b-%y %H:%M:%S GMT",
        "%a %b %e %H:%M:%S %Y",
        "%a, %d %b %Y %H:%M:%S +0000",
        "%a, %d %b %Y %H:%M:%S -0000",
    ],
)
def test_dates_of_every_form_are_waits(form: str) -> None:
    at = datetime.now(UTC) + timedelta(seconds=30)
    seconds = parse_retry_after(at.strftime(form))
    assert seconds is not None
    assert 27 < seconds <= 31


@pytest.mark.parametrize(("value", "seconds"), [("30", 30), (" 7 ", 7), ("1.5", 1.5), ("0", 0)])
def test_numbers_are_seconds(value: str, seconds: float) -> None:
    assert parse_retry_after(value) == seconds


def test_a_date_that_has_passed_is_no_wait() -> None:
    assert parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT") == 0


@pytest.mark.parametrize(
    "value", ["", "soon", "-5", "+5", "nan", "1e999", "9" * 400, "3, 4", "²", "Fri, 31 Dec 99999 23:59:59 GMT"]
)
def test_other_values_are_none(value: str) -> None:
    assert parse_retry_after(value) is None
