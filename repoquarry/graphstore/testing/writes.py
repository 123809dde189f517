"""Requirements on every engine for writes: replace, keep, delete, refuse, and leave nothing half done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from repoquarry.graphstore.errors import InvalidGraphError, NotFoundError, StoreReadOnlyError
from repoquarry.graphstore.graph_engine import GraphEngine
from repoquarry.graphstore.model.graph_tables import NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.contents import content_of, everything, rows, stored
from repoquarry.graphstore.testing.fixtures import EngineOpener
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, random_graph, sample_graph


def test_what_is_stored_is_what_was_given(engine: GraphEngine) -> None:
    graph = sample_graph()
    engine.replace_repository(graph)
    assert stored(engine) == graph.counts()
    assert everything(engine) == content_of(graph)
    assert engine.repositories() == ["shop"]


def test_writing_twice_changes_nothing(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    engine.replace_repository(sample_graph())
    assert everything(engine) == content_of(sample_graph())


def _next_revision() -> RepositoryGraph:
    """The sample with nodes and relationships that came, went and changed."""
    b = GraphBuilder("shop")
    root = b.repository_node(revision="2", commit="f00d")
    top = b.directory(".", files=1, lines=7)
    app = b.module("shop/app.py", importance=1.5)
    new = b.module("shop/new.py")
    b.join("CONTAINS", root, top)
    b.join("CONTAINS", top, app)
    b.join("CONTAINS", top, new)
    main = b.define("Function", app, "main", 12)
    helper = b.define("Function", new, "helper", 1)
    b.call(main, helper, 13)
    b.call(app, main, 20, 21)
    b.join("PROVIDES", root, b.node("Package", "package:pypi/shop", "shop", ecosystem="pypi"))
    return b.build()


def test_a_new_revision_replaces_the_old_one_and_nothing_else(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    engine.replace_repository(sample_graph("tools"))
    engine.replace_repository(_next_revision())
    assert everything(engine) == content_of(_next_revision(), sample_graph("tools"))


def test_a_large_change_is_as_whole_as_a_small_one(open_engine: EngineOpener, engine_settings: StoreSettings) -> None:
    """With a limit of nothing per transaction Neo4j must prepare a copy and exchange it."""
    engine = open_engine(replace(engine_settings, neo4j_transaction_rows=0), writable=True)
    try:
        engine.replace_repository(sample_graph())
        engine.replace_repository(sample_graph("tools"))
        engine.replace_repository(_next_revision())
        assert everything(engine) == content_of(_next_revision(), sample_graph("tools"))
        engine.delete_repository("tools")
        assert everything(engine) == content_of(_next_revision())
    finally:
        engine.close()


def test_a_package_stays_as_long_as_somebody_points_at_it(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    engine.replace_repository(sample_graph("tools"))
    packages = "MATCH (p:Package) RETURN p.name ORDER BY p.name"
    assert rows(engine, packages) == [("requests",), ("shop",), ("tools",)]
    summary = engine.delete_repository("shop")
    assert summary.nodes_deleted == sum(map(len, sample_graph().nodes)) - 2  # packages belong to nobody
    assert rows(engine, packages) == [("requests",), ("tools",)]
    assert everything(engine) == content_of(sample_graph("tools"))
    engine.delete_repository("tools")
    assert stored(engine) == {}
    assert engine.repositories() == []


def _linked() -> RepositoryGraph:
    """A repository one of whose outside names is defined in the sample."""
    b = GraphBuilder("client")
    b.repository_node()
    outside = b.external("shop.app.total")
    b.join("PROVIDES", outside, "shop:shop/app.py::total", "Function")
    b.join("PROVIDES", b.external("shop.app.main"), "shop:shop/app.py::main", "Function")
    return b.build()


@pytest.mark.parametrize("transaction_rows", [20_000, 0])
def test_links_from_other_repositories_survive_where_their_end_does(
    open_engine: EngineOpener, engine_settings: StoreSettings, transaction_rows: int
) -> None:
    engine = open_engine(replace(engine_settings, neo4j_transaction_rows=transaction_rows), writable=True)
    links = "MATCH (:External)-[:PROVIDES]->(f:Function) RETURN f.id ORDER BY f.id"
    try:
        engine.replace_repository(sample_graph())
        engine.replace_repository(_linked())
        assert rows(engine, links) == [("shop:shop/app.py::main",), ("shop:shop/app.py::total",)]
        engine.replace_repository(_next_revision())
        assert rows(engine, links) == [("shop:shop/app.py::main",)]
        engine.delete_repository("shop")
        assert rows(engine, links) == []
    finally:
        engine.close()


def test_a_write_that_is_cancelled_changes_nothing(engine: GraphEngine) -> None:
    class CancelledError(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        if done > total // 2:
            raise CancelledError

    engine.replace_repository(sample_graph("tools"))
    before = everything(engine)
    for graph in (sample_graph(), random_graph("tools", 400, 500)):
        with pytest.raises(CancelledError):
            engine.replace_repository(graph, cancel)
        assert everything(engine) == before
        assert engine.repositories() == ["tools"]
    engine.replace_repository(sample_graph())
    assert everything(engine) == content_of(sample_graph(), sample_graph("tools"))


def test_progress_ends_at_the_total(engine: GraphEngine) -> None:
    seen: list[tuple[int, int]] = []
    engine.replace_repository(sample_graph(), lambda done, total: seen.append((done, total)))
    total = sum(sample_graph().counts().values())
    assert seen[-1] == (total, total)
    assert seen == sorted(seen)


def test_unknown_repositories_cannot_be_deleted(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    with pytest.raises(NotFoundError, match="'shap'"):
        engine.delete_repository("shap")


def test_an_engine_opened_for_reading_does_not_write(open_engine: EngineOpener, engine_settings: StoreSettings) -> None:
    reader = open_engine(engine_settings, writable=False)
    try:
        with pytest.raises(StoreReadOnlyError):
            reader.replace_repository(sample_graph())
        with pytest.raises(StoreReadOnlyError):
            reader.delete_repository("shop")
    finally:
        reader.close()


def _broken() -> dict[str, RepositoryGraph]:
    good = sample_graph()
    extra = {
        "unknown label": NodeTable("Planet", {"id": ["x"], "repository": ["shop"], "name": ["x"]}),
        "unknown property": NodeTable("Name", {"id": ["x"], "repository": ["shop"], "name": ["x"], "mass": [1]}),
        "occurs twice": NodeTable("Name", {"id": ["x", "x"], "repository": ["shop", "shop"], "name": ["x", "y"]}),
        "null in a required": NodeTable("Name", {"id": ["x"], "repository": ["shop"], "name": [None]}),
        "where string is expected": NodeTable("Name", {"id": ["x"], "repository": ["shop"], "name": [7]}),
        "required column": NodeTable("Name", {"id": ["x"], "repository": ["shop"]}),
        "in the graph of": NodeTable("Name", {"id": ["x"], "repository": ["tools"], "name": ["x"]}),
    }
    found = {message: replace(good, nodes=[*good.nodes, table]) for message, table in extra.items()}
    total = "shop:shop/app.py::total"
    broken = {
        "does not connect": RelationshipTable("CALLS", "Module", "Module", [], [], {}),
        "unknown relationship type": RelationshipTable("EATS", "Module", "Module", [], [], {}),
        "does not contain": RelationshipTable("OVERRIDES", "Function", "Function", [total], ["nobody"], {}),
        "do not exist": RelationshipTable("PROVIDES", "External", "Function", ["shop:external:json.dumps"], ["no"], {}),
        "1 starts and 0 ends": RelationshipTable("OVERRIDES", "Function", "Function", [total], [], {}),
        "pair of nodes occurs twice": RelationshipTable(
            "OVERRIDES", "Function", "Function", [total] * 2, [total] * 2, {}
        ),
        "64 bits": RelationshipTable("INHERITS", "Class", "Class", [], [], {}),
    }
    found |= {message: replace(good, relationships=[*good.relationships, table]) for message, table in broken.items()}
    big = NodeTable("Package", {"id": ["p"], "repository": [""], "name": ["p"], "ecosystem": ["pypi"]})
    found["64 bits"] = replace(good, nodes=[*good.nodes, replace(big, label="Directory", columns={
        "id": ["d"], "repository": ["shop"], "name": ["d"], "path": ["d"], "files": [2**63], "lines": [0],
    })])  # fmt: skip
    found["exactly its own Repository node"] = replace(good, repository="tools", nodes=[], relationships=[])
    return found


@pytest.mark.parametrize("message", sorted(_broken()))
def test_graphs_that_break_the_schema_are_refused_whole(engine: GraphEngine, message: str) -> None:
    with pytest.raises(InvalidGraphError, match=message):
        engine.replace_repository(_broken()[message])
    assert stored(engine) == {}
