"""Long queries are checked in a process of their own, which is ended with the time."""

import pickle
import threading
import time

import pytest

from repoquarry.graphstore.errors import QueryCancelledError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.query.cypher import gate as gate_module
from repoquarry.graphstore.query.cypher.gate import SHORT_CHARACTERS, QueryGate, admit

_LONG = (
    "MATCH (f:Function) WHERE f.name =~ ('.*' + $name) AND f.name IN ["
    + ", ".join(["'abc'"] * 500)
    + "] RETURN f.id AS id"
)
_DEAR = "WITH 1 AS x " + "WITH * " * 9_000 + "RETURN x"


def _check(gate: QueryGate, query: str, seconds: float = 0, cancelled: threading.Event | None = None) -> object:
    stop = cancelled or threading.Event()
    return gate.check(query, {"name": "x"}, "kglite", path_hops=15, seconds=seconds, cancelled=stop.is_set)


def test_a_long_query_passes_as_a_short_one_does() -> None:
    gate = QueryGate()
    assert len(_LONG) > SHORT_CHARACTERS
    assert _check(gate, _LONG) == admit(_LONG, {"name": "x"}, "kglite")
    with pytest.raises(QueryRefusedError) as caught:
        _check(gate, _LONG + ", nothing")
    assert (caught.value.reason, caught.value.line) == ("undefined_variable", 1)
    gate.close()


def test_the_clock_and_the_caller_end_a_check() -> None:
    gate = QueryGate()
    with pytest.raises(QueryLimitError, match="exceeded its time limit"):
        _check(gate, _DEAR, seconds=0.5)
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(QueryCancelledError):
        _check(gate, _DEAR, cancelled=stop)
    assert _check(gate, _LONG), "the next query finds a new process"
    gate.close()


def test_a_check_has_its_time_from_when_its_child_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child takes longer to start than this, as on a busy machine the longest check does."""
    monkeypatch.setattr(gate_module, "FramedChild", _SlowToStart)
    monkeypatch.setattr(gate_module, "_MAX_SECONDS", 1.0)
    gate = QueryGate()
    with pytest.raises(QueryRefusedError) as caught:
        _check(gate, _LONG)
    assert caught.value.reason == "from_the_child"
    gate.close()


class _SlowToStart:
    """Is ready after the time of a check has passed, and answers then."""

    def __init__(self, entry: str, *, memory_bytes: int) -> None:
        self._answers = [b"ready", pickle.dumps((False, ("no", "from_the_child", None, None)))]
        self._given = 0.0

    def send(self, message: bytes, deadline: float, stopped: object) -> None:
        self._given = deadline

    def receive(self, deadline: float, stopped: object) -> bytes:
        answer = self._answers.pop(0)
        if answer == b"ready":
            time.sleep(1.2)
        elif self._given < time.monotonic() - 0.2:
            raise TimeoutError
        return answer

    def end(self) -> None:
        pass


def test_a_query_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(QueryRefusedError) as caught:
        _check(QueryGate(), "RETURN 1 AS x" + " " * 70_000)
    assert caught.value.reason == "query_too_long"
