"""Authentication of callers, and what the scope of a token permits."""

import logging
from contextlib import nullcontext
from pathlib import Path

import pytest

from repoquarry.client.errors import RequestError
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.graphstore.query.query_scheduler import owner_of
from repoquarry.server.authentication import USER_KEY, Authenticator, Callers, check_isolation
from repoquarry.server.errors import ServerFailure, SettingsError
from repoquarry.server.settings.loading import load_settings
from repoquarry.server.settings.sections import (
    METHODS,
    ServerSettings,
    TokenScope,
    missing_scope,
    read_token,
    scopes_by_token,
)
from tests.unit.server import test_documented

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


def test_every_method_of_the_contract_has_a_scope_and_nothing_else_has() -> None:
    declared = {f"/{method.containing_service.full_name}/{method.name}" for method in test_documented.METHODS}
    assert declared == set(METHODS)


def test_what_has_no_scope_is_for_administrators() -> None:
    assert (
        missing_scope("/repoquarry.v1.New/Method", frozenset({TokenScope.READ, TokenScope.TASK, TokenScope.INDEX}))
        is TokenScope.ADMIN
    )
    assert missing_scope("/repoquarry.v1.New/Method", frozenset({TokenScope.ADMIN})) is None
    assert missing_scope("/grpc.reflection.v1alpha.ServerReflection/Info", frozenset({TokenScope.TASK})) is None


def test_entries() -> None:
    plain, scoped = "plain+/=token-of-tests", "abcdefghijklmnop"
    assert read_token(plain) == (plain, frozenset(TokenScope))
    assert read_token(f"read+task:{scoped}") == (scoped, frozenset({TokenScope.READ, TokenScope.TASK}))
    both = frozenset({TokenScope.READ, TokenScope.INDEX})
    assert scopes_by_token([f"read:{scoped}", f"index:{scoped}"]) == {scoped: both}


@pytest.mark.parametrize("entry", ["s3cret", "read:s3cret", "s3cret-of-15-sig"[:15]])
def test_short_tokens_are_refused_with_a_remedy(entry: str) -> None:
    with pytest.raises(
        SettingsError, match=r"characters is too short; use at least 16, .*: openssl rand -hex 32$"
    ) as caught:
        load_settings({}, {"server.tokens": [entry]})
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("entry", ["write:s3cret", ":s3cret", "read:", "read+:s3cret", "READ:s3cret"])
def test_entries_that_say_nonsense(entry: str) -> None:
    with pytest.raises(SettingsError, match=r"server\.tokens: an entry is TOKEN or") as caught:
        load_settings({}, {"server.tokens": [entry]})
    assert "s3cret" not in str(caught.value)


class _StubContext:
    def __init__(self, token: str = "", user: str = "", peer: str = "ipv4:10.0.0.7:50000") -> None:
        self._metadata = [("authorization", f"Bearer {token}")] * bool(token) + [(USER_KEY, user)] * bool(user)
        self._peer = peer

    def invocation_metadata(self) -> list[tuple[str, str]]:
        return self._metadata

    def peer(self) -> str:
        return self._peer


def _client(callers: Callers, *arguments: str) -> str:
    return callers.client(_StubContext(*arguments))  # type: ignore[arg-type]  # the parts that are asked for


def test_users_of_a_token_that_may_vouch_are_clients_of_one_owner() -> None:
    callers = Callers(["read+vouch:application-token", "read:plain-token-of-a-user"])
    one, two, none = (_client(callers, "application-token", user) for user in ("one", "two", ""))
    assert len({one, two, none}) == 3
    assert owner_of(one) == owner_of(two) == none
    assert _client(callers, "plain-token-of-a-user") != none
    with pytest.raises(RequestError) as caught:
        _client(callers, "plain-token-of-a-user", "one")
    assert caught.value.failure.reason == "SCOPE_MISSING"
    with pytest.raises(RequestError) as caught:
        _client(callers, "application-token", "x" * 129)
    assert caught.value.failure.reason == "REQUEST_INVALID"


def test_without_tokens_a_header_makes_no_other_owner_of_an_address() -> None:
    callers = Callers([])
    assert _client(callers, "made-up-1") == _client(callers, "made-up-2") == "10.0.0.7"
    assert owner_of(_client(callers, "", "user")) == "10.0.0.7"


@pytest.mark.parametrize(("listen", "isolation", "is_refused"), [
    ("127.0.0.1:1", "none", False), ("0.0.0.0:1", "none", True), ("0.0.0.0:1", "landlock", False), ("[::]:1", "none", True)
])  # fmt: skip
def test_commands_without_isolation_are_refused_beyond_loopback(
    tmp_path: Path, listen: str, isolation: str, is_refused: bool
) -> None:
    workspace = WorkspaceSettings(tmp_path, isolation=isolation)
    with pytest.raises(SettingsError, match="isolation is none") if is_refused else nullcontext():
        check_isolation(workspace, listen, "server.listen")
    check_isolation(WorkspaceSettings(isolation="none"), listen, "server.listen")
