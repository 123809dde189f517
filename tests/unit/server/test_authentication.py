"""Refused calls: counted and logged by address, in bounded memory, and slowed down when there are too many."""

from __future__ import annotations

import logging

import pytest

from repoquarry.server.authentication import Authenticator
from repoquarry.server.errors import ServerFailure
from repoquarry.server.settings.sections import ServerSettings

TOKEN = "read-token-of-tests"
SEARCH = "/repoquarry.v1.CodeService/Search"


class FakeClock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def authenticator(clock: FakeClock) -> Authenticator:
    return Authenticator(ServerSettings(tokens=(f"read:{TOKEN}",), max_failed_attempts=3), clock)


def reason(authenticator: Authenticator, header: str | None, peer: str = "192.0.2.1", method: str = SEARCH) -> str:
    refusal = authenticator.check(header, method)
    failure = ServerFailure("OK", "") if refusal is None else refusal(peer)
    return failure.reason


def test_too_many_attempts_of_an_address_are_refused_for_a_minute(
    authenticator: Authenticator, clock: FakeClock
) -> None:
    assert [reason(authenticator, "Bearer wrong") for _ in range(3)] == ["TOKEN_WRONG"] * 3
    assert reason(authenticator, "Bearer wrong") == "TOO_MANY_ATTEMPTS"
    assert reason(authenticator, None) == "TOO_MANY_ATTEMPTS"
    assert reason(authenticator, None, peer="192.0.2.2") == "TOKEN_MISSING"
    assert reason(authenticator, f"Bearer {TOKEN}") == "OK"
    assert reason(authenticator, f"Bearer {TOKEN}", method="/repoquarry.v1.TaskService/CreateTask") == "SCOPE_MISSING"
    clock.now = 61.0
    assert reason(authenticator, "Bearer wrong") == "TOKEN_WRONG"


def test_health_needs_no_token_and_every_token_reads_metrics(authenticator: Authenticator) -> None:
    assert reason(authenticator, None, method="/grpc.health.v1.Health/Check") == "OK"
    assert reason(authenticator, None, method="/metrics") == "TOKEN_MISSING"
    assert reason(authenticator, f"Bearer {TOKEN}", method="/metrics") == "OK"


def test_refusals_are_logged_with_their_address_and_the_log_is_bounded(
    authenticator: Authenticator, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(50):
            reason(authenticator, "Bearer wrong")
        assert [record.getMessage() for record in caplog.records] == [
            f"call_refused peer=192.0.2.1 method={SEARCH} reason=TOKEN_WRONG"
        ] * 5
        for number in range(20_000):
            reason(authenticator, "Bearer wrong", peer=f"198.51.100.{number}")
        assert len(caplog.records) == 100
        clock.now = 61.0
        reason(authenticator, "Bearer wrong")
    assert caplog.records[100].getMessage() == "calls_refused_unlogged count=19950"
    assert TOKEN not in caplog.text


def test_addresses_are_counted_in_bounded_memory(authenticator: Authenticator) -> None:
    for number in range(20_000):
        reason(authenticator, None, peer=f"peer-{number}")
    assert len(authenticator._refusals._count_by_peer) <= 10_001


def test_no_limit(clock: FakeClock) -> None:
    unlimited = Authenticator(ServerSettings(tokens=(TOKEN,), max_failed_attempts=0), clock)
    assert {reason(unlimited, None) for _ in range(100)} == {"TOKEN_MISSING"}
