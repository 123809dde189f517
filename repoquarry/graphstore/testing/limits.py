"""A query from outside cannot write, reach out, run for ever or return without bound, and can be cancelled, on every engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from repoquarry.graphstore.errors import (
    GraphStoreError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
)
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.fixtures import EngineOpener
from repoquarry.graphstore.testing.sample_graphs import random_graph
from repoquarry.graphstore.testing.untrusted_queries import ENDLESS, ask_outside


@pytest.fixture(scope="module")
def limits_engine(open_engine: EngineOpener, shared_engine_settings: StoreSettings) -> Iterator[GraphEngine]:
    opened = open_engine(shared_engine_settings, writable=True)
    opened.replace_repository(random_graph("limits", 200, 400))
    try:
        yield opened
        # whatever the tests tried, the graph is as it was
        assert opened.run("MATCH (f:Function) RETURN count(f)", {}, QueryLimits()).rows == [(200,)]
    finally:
        opened.close()


def _ask(engine: GraphEngine, text: str, limits: QueryLimits | None = None) -> object:
    return ask_outside(engine, text, {}, limits or QueryLimits())


def test_rows_are_cut_and_the_cut_is_named(limits_engine: GraphEngine) -> None:
    text = "MATCH (f:Function) RETURN f.id AS id ORDER BY id"
    found = ask_outside(limits_engine, text, {}, QueryLimits(rows=200))
    assert (len(found.rows), found.truncated) == (200, None)
    cut = ask_outside(limits_engine, text, {}, QueryLimits(rows=199))
    assert (cut.rows, cut.truncated) == (found.rows[:199], "rows")


def test_bytes_are_cut_alike_on_every_engine(limits_engine: GraphEngine) -> None:
    text = "UNWIND range(1, 100) AS number RETURN number, 'some text' AS text"
    found = ask_outside(limits_engine, text, {}, QueryLimits(bytes=120))
    assert (len(found.rows), found.truncated) == (10, "bytes")


def test_an_endless_query_ends_at_its_time(limits_engine: GraphEngine) -> None:
    started = time.monotonic()
    with pytest.raises(QueryLimitError) as caught:
        _ask(limits_engine, ENDLESS, QueryLimits(seconds=1.5))
    assert caught.value.limit == "seconds"
    assert time.monotonic() - started < 30
    assert _ask(limits_engine, "RETURN 1 AS one")


def test_a_cancelled_query_is_stopped_on_the_engine(limits_engine: GraphEngine) -> None:
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    with pytest.raises(QueryCancelledError):
        ask_outside(limits_engine, ENDLESS, {}, QueryLimits(seconds=120), stop.is_set)
    if limits_engine.info.dialect == "neo4j":
        running = limits_engine.run("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery", {}, QueryLimits()).rows
        assert not [row for row in running if ENDLESS in str(row[0])]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n:Function {id: 'x'}) RETURN n",
        "MATCH (f:Function) SET f.name = 'x'",
        "MATCH (f:Function) DETACH DELETE f",
        "MERGE (n:Function {id: 'x'}) RETURN n",
        "MATCH (f:Function) REMOVE f.name",
        "CREATE INDEX by_kind FOR (f:Function) ON (f.kind)",
        "DROP CONSTRAINT Function_id",
        "FOREACH (x IN [1] | CREATE (:Function {id: 'x'}))",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
        "RETURN 1 AS x UNION LOAD CSV FROM 'file:///etc/passwd' AS x RETURN x",
        "SHOW SETTINGS",
        "SHOW TRANSACTIONS",
        "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
        "CALL dbms.listConfig() YIELD name RETURN name",
        "CALL dbms.killConnection('bolt-1')",
        "MATCH (f:Function) RETURN f; MATCH (f:Function) DELETE f",
        "MATCH (f:Function RETURN f",
        "RETURN nothing",
        "",
    ],
)
def test_what_does_not_only_read_is_refused(limits_engine: GraphEngine, text: str) -> None:
    """Here by the engine itself; the gate refuses all of it before an engine sees it."""
    with pytest.raises((QueryRefusedError, QueryFailedError)):
        _ask(limits_engine, text, QueryLimits(seconds=10))


def test_memory_is_bounded(limits_engine: GraphEngine) -> None:
    """On the embedded engine by the child's own limit; on Neo4j by the server's transaction memory."""
    bomb = "RETURN size(reduce(s = 'a', x IN range(1, 40) | s + s)) AS size"
    if limits_engine.info.dialect == "kglite":
        with pytest.raises(QueryLimitError) as caught:
            _ask(limits_engine, bomb, QueryLimits(memory_bytes=2**28))
        assert caught.value.limit == "memory_bytes"
    collect = "UNWIND range(1, 9000) AS x UNWIND range(1, 9000) AS y RETURN size(collect(toString(x) + 'text' + toString(y))) AS n"
    with pytest.raises(QueryLimitError):
        _ask(limits_engine, collect, QueryLimits(seconds=60, memory_bytes=2**28))
    assert _ask(limits_engine, "RETURN 1 AS one")


def test_queries_run_beside_one_another(limits_engine: GraphEngine) -> None:
    results: list[object] = []

    def ask() -> None:
        try:
            results.append(_ask(limits_engine, "MATCH (f:Function) RETURN count(f) AS n"))
        except GraphStoreError as exc:
            results.append(exc)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    assert not [result for result in results if isinstance(result, Exception)]
