"""Writers that must release memory on a shared Neo4j server, and those that must retry; the test plays the server."""

import pytest

from repoquarry.graphstore.engines.neo4j.supervised_query import (
    MemoryPoolExhaustedError,
    TransactionMemoryMonitor,
    again_when_taken,
    in_bytes,
)
from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError

_POOL = 400 * 2**20


class _Server:
    """Gives scripted answers; `None` when it has no memory left to answer with."""

    def __init__(self, pool: int = _POOL) -> None:
        self.pool = pool
        self.held: dict[str, int] | None = {}

    def heap_bytes(self) -> dict[str, int]:
        if self.held is None:
            raise MemoryPoolExhaustedError("used up", limit="memory_bytes")
        return self.held

    def pool_bytes(self) -> int:
        return self.pool


@pytest.fixture
def server() -> _Server:
    return _Server()


@pytest.fixture
def watch(server: _Server) -> TransactionMemoryMonitor:
    """Looks only when a test allows it."""
    made = TransactionMemoryMonitor(server)
    made._thread = object()  # type: ignore[assignment]
    return made


def _over(watch: TransactionMemoryMonitor, *tokens: str) -> set[str]:
    return {token for token in tokens if watch.why_over(token)}


def test_a_query_over_its_own_limit_ends(watch: TransactionMemoryMonitor, server: _Server) -> None:
    watch.watch("small", "alice", 2**20)
    watch.watch("free", "alice", 0)
    server.held = {"small": 2**20 + 1, "free": 2**21, "gone": 2**30}
    watch.look()
    assert _over(watch, "small", "free", "gone") == {"small"}
    assert "more than 1 MiB" in watch.why_over("small")


def test_no_query_holds_half_of_what_is_there_for_all(watch: TransactionMemoryMonitor, server: _Server) -> None:
    """Whatever its own limit is: the default one is larger than many servers' memory."""
    watch.watch("half", "eve", 2**31)
    server.held = {"half": _POOL // 2}
    watch.look()
    assert not _over(watch, "half")
    server.held = {"half": _POOL // 2 + 1}
    watch.look()
    assert "half of the 400 MiB" in watch.why_over("half")


def test_of_many_the_largest_of_the_client_that_holds_most_ends(
    watch: TransactionMemoryMonitor, server: _Server
) -> None:
    for token, client in (("a", "alice"), ("e1", "eve"), ("e2", "eve"), ("e3", "eve")):
        watch.watch(token, client, 2**31)
    part = _POOL // 10
    server.held = {"a": 3 * part, "e1": part, "e2": 2 * part + 1, "e3": 2 * part}
    watch.look()
    assert _over(watch, "a", "e1", "e2", "e3") == {"e2"}
    watch.look()
    assert _over(watch, "a", "e1", "e2", "e3") == {"e2"}, "one at a time: the next when that one has gone"
    watch.forget("e2")
    server.held = {"a": 3 * part, "e1": part, "e3": 4 * part}
    watch.look()
    assert _over(watch, "a", "e1", "e3") == {"e3"}


def test_a_server_that_has_no_memory_to_answer_with_loses_the_largest(
    watch: TransactionMemoryMonitor, server: _Server
) -> None:
    """The question itself needs some: before, the watch gave up then, and nothing ended what held it all."""
    watch.watch("a", "alice", 2**31)
    watch.watch("e", "eve", 2**31)
    server.held = {"a": 10, "e": 20}
    watch.look()
    assert not _over(watch, "a", "e")
    server.held = None
    watch.look()
    assert _over(watch, "a", "e") == {"e"}


def test_without_any_look_the_client_with_most_queries_loses_its_oldest(
    watch: TransactionMemoryMonitor, server: _Server
) -> None:
    for token, client in (("e1", "eve"), ("a", "alice"), ("e2", "eve")):
        watch.watch(token, client, 2**31)
    server.held = None
    watch.look()
    assert _over(watch, "e1", "a", "e2") == {"e1"}


def test_greedy_is_who_was_seen_to_hold_much(watch: TransactionMemoryMonitor, server: _Server) -> None:
    watch.watch("a", "alice", 2**31)
    watch.watch("e", "eve", 2**31)
    server.held = {"a": _POOL // 100, "e": _POOL // 10}
    watch.look()
    assert (watch.is_greedy("a"), watch.is_greedy("e")) == (False, True)


def test_a_server_that_does_not_say_has_no_common_bound(watch: TransactionMemoryMonitor, server: _Server) -> None:
    server.pool = 0
    watch.watch("a", "alice", 2**31)
    server.held = {"a": 2**30}
    watch.look()
    assert not _over(watch, "a")


@pytest.mark.parametrize(
    ("text", "size"),
    [("358.40MiB", int(358.4 * 2**20)), ("0B", 0), ("1.00GiB", 2**30), ("512B", 512), ("none", 0), ("", 0)],
)
def test_sizes_are_read_as_the_server_writes_them(text: str, size: int) -> None:
    assert in_bytes(text) == size


class _Failing:
    """Fails so many times before it answers."""

    def __init__(self, times: int, error: type[QueryLimitError] = MemoryPoolExhaustedError) -> None:
        self.left = times
        self.error = error

    def __call__(self) -> str:
        if self.left:
            self.left -= 1
            raise self.error("used up", limit="memory_bytes")
        return "answer"


def test_a_query_whose_memory_others_took_is_run_again() -> None:
    failing = _Failing(2)
    assert again_when_taken(failing, lambda: False, 0, is_own=True) == "answer"
    assert not failing.left


def test_other_limits_are_not_tried_again() -> None:
    failing = _Failing(2, QueryLimitError)
    with pytest.raises(QueryLimitError):
        again_when_taken(failing, lambda: False, 0, is_own=True)
    assert failing.left == 1


def test_retry_without_time_left_names_the_exceeded_limit() -> None:
    """A short try in a quick place comes again in a slow one; the query's own time is over for good."""
    with pytest.raises(QueryLimitError) as brief:
        again_when_taken(_Failing(1), lambda: False, 0.01, is_own=False)
    assert brief.value.limit == "seconds"
    with pytest.raises(QueryLimitError) as own:
        again_when_taken(_Failing(1), lambda: False, 0.01, is_own=True)
    assert own.value.limit == "memory_bytes"


def test_cancelling_caller_returns_at_once() -> None:
    with pytest.raises(QueryCancelledError):
        again_when_taken(_Failing(1), lambda: True, 0, is_own=True)
