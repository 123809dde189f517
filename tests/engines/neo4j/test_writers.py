"""Several writers on one Neo4j at once: none waits for ever, harms another's work or undoes it, and what a killed one left goes."""

import logging
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import TransientError

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.neo4j.claims import Transactions
from repoquarry.graphstore.engines.neo4j.driver_adapter import Endpoints, endpoints_of
from repoquarry.graphstore.errors import NotFoundError, StoreBusyError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.contents import content_of, everything
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, random_graph, sample_graph
from tests.neo4j_server import Neo4jServer

pytestmark = pytest.mark.neo4j
_ROUNDS = 12
_PREPARED = 0
"""Rows of a transaction that make every replacing write prepare a copy."""

_TOGETHER = 20_000


def user_of_shop(repository: str, revision: str) -> RepositoryGraph:
    """A repository with packages that all others have too, in another order each time, and with links into `shop`."""
    b = GraphBuilder(repository)
    root = b.repository_node(revision=revision)
    module = b.module("use.py", docstring=f"Revision {revision}.")
    b.define("Function", module, "use", 1)
    packages = [f"p{number}" for number in range(200)]
    for name in packages if int(revision) % 2 else reversed(packages):
        b.join("DEPENDS_ON", root, b.node("Package", f"package:pypi/{name}", name, ecosystem="pypi"), weight=1.0)
    for name in ("total", "main") if int(revision) % 2 else ("main", "total"):
        outside = b.external(f"shop.app.{name}")
        b.call(module, outside, 3)
        b.join("PROVIDES", outside, f"shop:shop/app.py::{name}", "Function")
    return b.build()


_WRITER = """
import logging, sys
from pathlib import Path
from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.neo4j.test_writers import user_of_shop
uri, user, password, repository, rounds = sys.argv[1:]
logging.basicConfig(level=logging.WARNING)
engines = [
    open_engine(StoreSettings(Path("."), "neo4j", uri, neo4j_user=user, neo4j_password=password, neo4j_transaction_rows=rows), writable=True)
    for rows in (20_000, 0, 20_000)
]
for turn in range(int(rounds)):
    engine = engines[turn % 3]
    if turn % 4 == 3:
        engine.delete_repository(repository)
    engine.replace_repository(user_of_shop(repository, str(turn)))
"""


@pytest.fixture
def other(neo4j_settings: StoreSettings) -> Iterator[GraphEngine]:
    """A writer that waits for others for less than a second."""
    engine = open_engine(replace(neo4j_settings, neo4j_wait_seconds=0.7), writable=True)
    try:
        yield engine
    finally:
        engine.close()


def opened(settings: StoreSettings, transaction_rows: int) -> GraphEngine:
    return open_engine(replace(settings, neo4j_transaction_rows=transaction_rows), writable=True)


def start(script: str, server: Neo4jServer, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, server.uri, server.user, server.password, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_four_processes_write_what_shares_packages_and_links(
    neo4j_instance: Neo4jServer, neo4j_settings: StoreSettings
) -> None:
    """While the repository that all link to is replaced, too. No transaction is in another's way, so none is repeated."""
    names = ["one", "two", "three", "four"]
    with_shop = opened(neo4j_settings, _PREPARED)
    with_shop.replace_repository(sample_graph())
    writers = [start(_WRITER, neo4j_instance, name, str(_ROUNDS)) for name in names]
    while any(writer.poll() is None for writer in writers):
        with_shop.replace_repository(sample_graph())
    told = [writer.communicate()[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 4, told
    assert not any("transaction_repeated" in text for text in told), told
    last = [user_of_shop(name, str(_ROUNDS - 1)) for name in names]
    assert everything(with_shop) == content_of(sample_graph(), *last)
    with_shop.close()


@pytest.mark.parametrize("transaction_rows", [_TOGETHER, _PREPARED])
def test_two_writers_of_one_repository_take_turns(neo4j_settings: StoreSettings, transaction_rows: int) -> None:
    """Whoever is last wins whole."""
    graphs = [random_graph("big", 120, 300, seed) for seed in (0, 1)]
    failures: list[Exception] = []

    def write(graph: RepositoryGraph) -> None:
        engine = opened(neo4j_settings, transaction_rows)
        try:
            for _ in range(3):
                engine.replace_repository(graph)
        except Exception as exc:
            failures.append(exc)
        finally:
            engine.close()

    writers = [threading.Thread(target=write, args=(graph,)) for graph in graphs]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failures == []
    engine = opened(neo4j_settings, transaction_rows)
    assert everything(engine) in [content_of(graph) for graph in graphs]
    engine.close()


def test_a_query_whose_relationships_are_replaced_while_it_reads_runs_again(
    neo4j_settings: StoreSettings, other: GraphEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the relationships and the ids of their ends, another writer replaces the repository."""
    first, second = (random_graph("big", 120, 300, seed) for seed in (0, 1))
    other.replace_repository(first)
    read: list[Endpoints] = []

    def endpoints(transaction: neo4j.Transaction, rows: Iterable[Any]) -> Endpoints:
        if not read:
            other.delete_repository("big")
            other.replace_repository(second)
        read.append({})
        return endpoints_of(transaction, rows)

    monkeypatch.setattr("repoquarry.graphstore.engines.neo4j.engine.endpoints_of", endpoints)
    engine = opened(neo4j_settings, _PREPARED)
    found = engine.run("MATCH ()-[r:CALLS]->() RETURN r", {}, QueryLimits(30, 0, 0, 0)).rows
    engine.close()
    calls = next(table for table in second.relationships if table.type == "CALLS")
    assert len(read) == 2
    assert len(found) == len(calls.start)


@pytest.mark.parametrize("stored", [False, True])
def test_a_writer_that_opens_leaves_alone_what_others_prepare(
    neo4j_settings: StoreSettings, other: GraphEngine, stored: bool
) -> None:
    """In the middle of a first write, and of the preparing of a copy, another process opens, writes and deletes."""
    engine = opened(neo4j_settings, _PREPARED)
    if stored:
        engine.replace_repository(random_graph("big", 100, 200, seed=0))
    seen: list[str] = []

    def meanwhile(done: int, total: int) -> None:
        if not seen and done > total // 2:
            seen.append("half")
            other.replace_repository(sample_graph("tools"))
            other.replace_repository(sample_graph())
            other.delete_repository("tools")
            open_engine(neo4j_settings, writable=True).close()

    engine.replace_repository(random_graph("big", 100, 200, seed=1), meanwhile)
    assert seen == ["half"]
    assert everything(engine) == content_of(sample_graph(), random_graph("big", 100, 200, seed=1))
    engine.close()


def test_writer_waits_for_writer_of_same_repository_up_to_its_limit(
    neo4j_settings: StoreSettings, other: GraphEngine
) -> None:
    engine = opened(neo4j_settings, _PREPARED)
    refused: list[str] = []

    def meanwhile(done: int, total: int) -> None:
        if not refused and done > total // 2:
            writes = (partial(other.replace_repository, sample_graph()), partial(other.delete_repository, "shop"))
            for write in writes:
                with pytest.raises(StoreBusyError, match=r"has been writing 'shop' for 0\.7 seconds") as caught:
                    write()
                refused.append(str(caught.value))

    engine.replace_repository(sample_graph(), meanwhile)
    assert len(refused) == 2
    assert everything(engine) == content_of(sample_graph())
    other.delete_repository("shop")
    with pytest.raises(NotFoundError):
        engine.delete_repository("shop")
    engine.close()


_HALF = """
import sys
from pathlib import Path
from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.sample_graphs import random_graph
uri, user, password, seed = sys.argv[1:]
engine = open_engine(StoreSettings(Path("."), "neo4j", uri, neo4j_user=user, neo4j_password=password, neo4j_transaction_rows=0), writable=True)
def half(done, total):
    if done > total // 2:
        print("half", flush=True)
        sys.stdin.read()
engine.replace_repository(random_graph("big", 100, 200, int(seed)), half)
"""


@pytest.mark.parametrize("stored", [False, True])
def test_what_a_killed_writer_left_is_removed(
    neo4j_instance: Neo4jServer, neo4j_settings: StoreSettings, database: neo4j.Session, stored: bool
) -> None:
    """By the next one that opens, and by one that was open all the time when it writes."""
    engine = opened(neo4j_settings, _TOGETHER)
    before = [sample_graph(), *([random_graph("big", 100, 200, seed=0)] if stored else [])]
    for graph in before:
        engine.replace_repository(graph)
    for next_one in ("opens", "writes"):
        writer = start(_HALF, neo4j_instance, "1")
        assert writer.stdout is not None
        assert writer.stdout.readline() == "half\n"
        writer.kill()
        writer.communicate()
        disconnected(database)
        assert everything(engine) != content_of(*before)
        if next_one == "opens":
            opened(neo4j_settings, _TOGETHER).close()
        else:
            engine.replace_repository(sample_graph())
        assert everything(engine) == content_of(*before)
    engine.close()


def disconnected(database: neo4j.Session) -> None:
    """Wait until the server has noticed that no writer is there."""
    text = (
        "SHOW TRANSACTIONS YIELD metaData, status "
        "WHERE metaData.repoquarry_writer IS NOT NULL AND NOT status STARTS WITH 'Terminated' RETURN count(*)"
    )
    while database.run(text).single(strict=True)[0]:
        pass


@pytest.mark.parametrize("stored", [False, True])
def test_a_writer_that_lost_its_claim_publishes_nothing(
    neo4j_settings: StoreSettings, database: neo4j.Session, stored: bool
) -> None:
    """The server ends the transaction that stands for it, and another writer takes the repository over."""
    engine, other = opened(neo4j_settings, _PREPARED), opened(neo4j_settings, _TOGETHER)
    if stored:
        engine.replace_repository(random_graph("big", 100, 200, seed=0))
    lost: list[str] = []

    def lose(done: int, total: int) -> None:
        if not lost and done > total * 0.9:
            lost.append("claim")
            text = "SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.repoquarry_writer IS NOT NULL RETURN id"
            for transaction in database.run(text).value():
                database.run("TERMINATE TRANSACTION $id", {"id": transaction}).consume()
            disconnected(database)
            other.replace_repository(random_graph("big", 100, 200, seed=2))

    with pytest.raises(StoreBusyError, match="another process took over the write of 'big'"):
        engine.replace_repository(random_graph("big", 100, 200, seed=1), lose)
    assert everything(other) == content_of(random_graph("big", 100, 200, seed=2))
    engine.close()
    other.close()


def test_deadlock_is_repeated_without_the_graph_of_locks(
    neo4j_settings: StoreSettings, database: neo4j.Session, caplog: pytest.LogCaptureFixture
) -> None:
    """Each of two writers holds what the other one wants next."""
    database.run("UNWIND ['a', 'b'] AS id CREATE (:_Locked {id: id})").consume()
    engine = opened(neo4j_settings, _PREPARED)
    both_hold = threading.Barrier(2, timeout=60)
    attempts: list[str] = []

    def write(first: str, second: str) -> None:
        begun = []

        def lock(tx: neo4j.ManagedTransaction) -> None:
            begun.append(first)
            attempts.append(first)
            tx.run("MATCH (n:_Locked {id: $id}) SET n.by = $id", id=first).consume()
            if len(begun) == 1:
                both_hold.wait()
            tx.run("MATCH (n:_Locked {id: $id}) SET n.by = $id", id=second).consume()

        with engine._session(neo4j.WRITE_ACCESS) as session:  # type: ignore[attr-defined]
            Transactions(60).write(session, lock)

    with caplog.at_level(logging.WARNING), ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(write, "a", "b"), threads.submit(write, "b", "a")]:
            done.result(120)
    database.run("MATCH (n:_Locked) DELETE n").consume()
    engine.close()
    assert len(attempts) == 3
    assert [record.getMessage() for record in caplog.records] == ["transaction_repeated attempt=2"]


def test_a_transaction_is_repeated_for_reasons_that_pass_and_not_for_ever(
    neo4j_instance: Neo4jServer, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[int] = []

    def deadlock(times: int) -> int:
        tried.append(1)
        if len(tried) <= times:
            raise TransientError("another transaction holds the lock")
        return len(tried)

    with (
        neo4j.GraphDatabase.driver(
            neo4j_instance.uri, auth=neo4j_instance.auth, max_transaction_retry_time=1.5
        ) as driver,
        driver.session() as session,
        caplog.at_level(logging.WARNING),
    ):
        assert Transactions(60).write(session, lambda tx: deadlock(1)) == 2
        assert [record.getMessage() for record in caplog.records if "transaction_repeated" in record.message] == [
            "transaction_repeated attempt=2"
        ]
        tried.clear()
        with pytest.raises(TransientError):
            Transactions(60).write(session, lambda tx: deadlock(1_000_000))
        assert 1 < len(tried) < 10
