"""The schema of a Neo4j database: made by numbered migrations, once each and in order, regardless of which process starts when."""

import logging
import threading
from collections.abc import Iterator

import neo4j
import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.neo4j.migrations import MIGRATIONS
from repoquarry.graphstore.errors import StoreCorruptError, StoreNewerError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.schema import NODE_LABELS
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.contents import content_of, everything
from repoquarry.graphstore.testing.sample_graphs import sample_graph

pytestmark = pytest.mark.neo4j
_NUMBERS = [migration.number for migration in MIGRATIONS]


def recorded(database: neo4j.Session) -> list[str]:
    return database.run(
        "SHOW INDEXES YIELD name WHERE name STARTS WITH 'repoquarry_migration_' RETURN name ORDER BY name"
    ).value()


def all_recorded() -> list[str]:
    return [f"repoquarry_migration_{number:04}" for number in _NUMBERS]


@pytest.fixture
def migrated(database: neo4j.Session, neo4j_settings: StoreSettings) -> Iterator[GraphEngine]:
    """An engine that was the first to open the database for writing."""
    engine = open_engine(neo4j_settings, writable=True)
    try:
        yield engine
    finally:
        engine.close()


def test_numbers_are_consecutive() -> None:
    assert list(range(1, len(MIGRATIONS) + 1)) == _NUMBERS


def test_the_first_writer_makes_the_schema(database: neo4j.Session, migrated: GraphEngine) -> None:
    assert recorded(database) == all_recorded()
    assert database.run("MATCH (n) RETURN count(n)").single(strict=True)[0] == 0
    unique = database.run(
        "SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE properties = ['id'] RETURN labelsOrTypes[0]"
    )
    assert set(unique.value()) >= set(NODE_LABELS)
    own = database.run(
        "SHOW INDEXES YIELD labelsOrTypes, properties WHERE properties = ['repository'] RETURN labelsOrTypes[0]"
    )
    assert set(own.value()) == set(NODE_LABELS) - {"Repository", "Package"}
    staged = database.run(
        "SHOW INDEXES YIELD labelsOrTypes, properties WHERE properties = ['id'] RETURN labelsOrTypes[0]"
    )
    assert set(staged.value()) >= {f"_Staged{label}" for label in NODE_LABELS if label != "Package"}
    states = database.run("SHOW INDEXES YIELD state RETURN DISTINCT state").value()
    assert states == ["ONLINE"]


def test_a_second_writer_changes_nothing(
    migrated: GraphEngine, neo4j_settings: StoreSettings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        open_engine(neo4j_settings, writable=True).close()
    assert "schema_migrated" not in caplog.text


def test_a_reader_does_not_migrate(database: neo4j.Session, neo4j_settings: StoreSettings) -> None:
    open_engine(neo4j_settings, writable=False).close()
    assert recorded(database) == []


@pytest.mark.parametrize("writable", [True, False])
def test_an_older_version_refuses_a_newer_schema(
    database: neo4j.Session, migrated: GraphEngine, neo4j_settings: StoreSettings, writable: bool
) -> None:
    newer = _NUMBERS[-1] + 1
    database.run(f"CREATE INDEX repoquarry_migration_{newer:04} FOR (n:_Migration{newer:04}) ON (n.id)").consume()
    with pytest.raises(StoreNewerError, match=f"has number {newer}, and this version knows {newer - 1}"):
        open_engine(neo4j_settings, writable=writable)


def test_a_database_from_before_the_numbers_is_migrated(database: neo4j.Session, neo4j_settings: StoreSettings) -> None:
    """Some indexes of the migrations exist by the same names, with a repository and leftovers of a killed writer."""
    with_numbers = open_engine(neo4j_settings, writable=True)
    with_numbers.replace_repository(sample_graph())
    with_numbers.close()
    for name in [*recorded(database), "Function_name", "repoquarry_text", "Name_staged"]:
        database.run(f"DROP INDEX {name}").consume()
    database.run("DROP CONSTRAINT _Writing_id").consume()
    database.run("CREATE (:_Writing {id: 'half'}), (:Module {id: 'half:a.py', repository: 'half'})").consume()
    database.run("CREATE (:_StagedClass {id: 'half:a.py::A', repository: 'half'})").consume()
    engine = open_engine(neo4j_settings, writable=True)
    try:
        assert recorded(database) == all_recorded()
        names = database.run("SHOW INDEXES YIELD name RETURN name").value()
        assert {"Function_name", "repoquarry_text", "Name_staged"} <= set(names)
        assert everything(engine) == content_of(sample_graph())
    finally:
        engine.close()


def test_a_migration_that_was_cut_short_is_repeated(
    database: neo4j.Session, migrated: GraphEngine, neo4j_settings: StoreSettings, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("repoquarry_migration_0003", "Class_name"):
        database.run(f"DROP INDEX {name}").consume()
    with caplog.at_level(logging.INFO):
        open_engine(neo4j_settings, writable=True).close()
    assert [record.getMessage() for record in caplog.records if "schema_migrated" in record.message] == [
        "schema_migrated number=3 name='nodes by name'"
    ]
    assert "Class_name" in database.run("SHOW INDEXES YIELD name RETURN name").value()


@pytest.mark.parametrize("turn", range(3))
def test_writers_that_start_at_once_migrate_once(
    database: neo4j.Session, neo4j_settings: StoreSettings, caplog: pytest.LogCaptureFixture, turn: int
) -> None:
    together = threading.Barrier(3)
    failures: list[Exception] = []

    def start() -> None:
        together.wait()
        try:
            open_engine(neo4j_settings, writable=True).close()
        except Exception as exc:
            failures.append(exc)

    writers = [threading.Thread(target=start) for _ in range(3)]
    with caplog.at_level(logging.INFO):
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
    assert failures == []
    applied = [record.args for record in caplog.records if "schema_migrated" in record.message]
    assert applied == [(migration.number, migration.name) for migration in MIGRATIONS]
    assert recorded(database) == all_recorded()
    assert database.run("MATCH (n) RETURN count(n)").single(strict=True)[0] == 0


def test_what_is_stored_may_not_allow_a_migration(database: neo4j.Session, neo4j_settings: StoreSettings) -> None:
    database.run("CREATE (:Class {id: 'twice'}), (:Class {id: 'twice'})").consume()
    with pytest.raises(StoreCorruptError, match=r"migration 1 \(unique ids\) .* failed"):
        open_engine(neo4j_settings, writable=True)
    assert recorded(database) == []
    assert database.run("MATCH (n:_Writing) RETURN count(n)").single(strict=True)[0] == 0
    database.run("MATCH (n:Class) DELETE n").consume()
    open_engine(neo4j_settings, writable=True).close()
    assert recorded(database) == all_recorded()


def test_analysts_find_by_full_text(database: neo4j.Session, migrated: GraphEngine) -> None:
    migrated.replace_repository(sample_graph())
    database.run("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()").consume()
    found = database.run(
        "CALL db.index.fulltext.queryNodes('repoquarry_text', 'selling cents') YIELD node RETURN node.id ORDER BY node.id"
    )
    assert found.value() == ["shop:shop/models.py::Item", "shop:shop/models.py::Item.price"]
