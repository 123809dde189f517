"""One analyst's queries may not take the memory of a Neo4j server from the others: neither from their queries nor from writes."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from repoquarry.graphstore.engines.neo4j.engine import Neo4jEngine
from repoquarry.graphstore.errors import GraphStoreError, QueryLimitError
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.sample_graphs import random_graph
from repoquarry.graphstore.testing.untrusted_queries import ask_outside

_EATER = "UNWIND range(1, 9000) AS x UNWIND range(1, 9000) AS y RETURN size(collect(toString(x) + 'text' + toString(y))) AS n"
_EATERS = 4
_DEADLINE_SECONDS = 300.0
_LARGE = 2**30


@pytest.mark.neo4j
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_an_analyst_cannot_take_the_memory_from_the_others(neo4j_settings: StoreSettings) -> None:
    """With the default limits, whose memory for one query is larger than all that this server has for transactions."""
    engine = Neo4jEngine(replace(neo4j_settings, neo4j_connect_seconds=_DEADLINE_SECONDS), writable=True)
    pool = engine.pool_bytes()
    if not 0 < pool < _LARGE:
        engine.close()
        pytest.skip(f"a server with {pool} bytes for transactions is not filled so soon")
    engine.replace_repository(random_graph("limits", 200, 400))
    stop, ended = threading.Event(), []

    def eat(number: int) -> None:
        while not stop.is_set():
            try:
                ask_outside(engine, f"{_EATER} // {number}", {}, QueryLimits(seconds=600), stop.is_set, client="eve")
            except GraphStoreError as exc:
                ended.append(exc)

    eaters = [threading.Thread(target=eat, args=(number,), daemon=True) for number in range(_EATERS)]
    try:
        for eater in eaters:
            eater.start()
        _wait(lambda: bool(ended), "no query was ended")
        for _ in range(5):
            asked = QueryLimits(seconds=_DEADLINE_SECONDS)
            assert ask_outside(engine, "MATCH (f:Function) RETURN count(f) AS n", {}, asked, client="alice").rows == [
                (200,)
            ]
        engine.replace_repository(random_graph("other", 200, 400))
        assert list(engine.repositories()) == ["limits", "other"]
        seen = list(ended)
    finally:
        stop.set()
        for eater in eaters:
            eater.join(_DEADLINE_SECONDS)
        engine.close()
    assert "memory_bytes" in {exc.limit for exc in seen if isinstance(exc, QueryLimitError)}, seen


def _wait(until: Callable[[], bool], problem: str) -> None:
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while not until():
        assert time.monotonic() < deadline, problem
        time.sleep(0.05)
