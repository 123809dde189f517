"""Requirements on every engine for changes: the result equals writing the complete graph, or the change is refused without effect."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from repoquarry.graphstore.errors import ChangesRefusedError, InvalidGraphError, StoreReadOnlyError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.graph_tables import (
    Cell,
    GraphChanges,
    NodeTable,
    RelationshipTable,
    RepositoryGraph,
    diff_graphs,
)
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.testing.contents import content_of, everything
from repoquarry.graphstore.testing.fixtures import EngineOpener
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder, random_graph, sample_graph

_ALL = QueryLimits(seconds=60, rows=0, bytes=0)


def _next() -> RepositoryGraph:
    """The sample's next revision: what came, what went, what changed, and a class where a function was."""
    b = GraphBuilder("shop")
    root = b.repository_node(revision="2", commit="f00d")
    top = b.directory(".", files=1, lines=7)
    app = b.module("shop/app.py", importance=-0.0, exports=["a", "b"])
    b.join("CONTAINS", root, top)
    b.join("CONTAINS", top, app)
    main = b.define("Class", app, "main", 12, docstring="new")
    b.call(app, main, 20, 21)
    b.unresolved(main, "nobody", 3, reason="unknown name")
    b.join("PROVIDES", root, b.node("Package", "package:pypi/other", "other", ecosystem="pypi"))
    return b.build()


def _shuffled(graph: RepositoryGraph, seed: int) -> RepositoryGraph:
    """The graph at another revision, with cells of one kind exchanged and relationships omitted at random."""
    chosen = random.Random(seed)

    def column(name: str, cells: list[Cell]) -> list[Cell]:
        if name in ("id", "repository", "name"):
            return cells
        return [chosen.choice(cells) if chosen.random() < 0.05 else cell for cell in cells]

    nodes = [NodeTable(t.label, {name: column(name, cells) for name, cells in t.columns.items()}) for t in graph.nodes]
    for table in nodes:
        if table.label == "Repository":
            table.columns["revision"] = [str(seed)]
    relationships = []
    for joined in graph.relationships:
        kept = [row for row in range(len(joined)) if chosen.random() > 0.1]
        starts, ends = [joined.start[row] for row in kept], [joined.end[row] for row in kept]
        columns = {name: [cells[row] for row in kept] for name, cells in joined.columns.items()}
        named = (joined.type, joined.start_label, joined.end_label)
        relationships.append(RelationshipTable(*named, starts, ends, columns))
    return RepositoryGraph(graph.repository, nodes, relationships)


def test_changes_end_where_the_whole_graph_ends(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    engine.replace_repository(sample_graph("tools"))
    changes = diff_graphs(sample_graph(), _next(), "1")
    engine.change_repository(changes)
    assert everything(engine) == content_of(_next(), sample_graph("tools"))
    engine.change_repository(diff_graphs(_next(), sample_graph(), "2"))
    assert everything(engine) == content_of(sample_graph(), sample_graph("tools"))


def test_changes_after_reading_ahead_start_from_what_is_stored_then(engine: GraphEngine) -> None:
    with engine.prefetch("shop"):  # of which nothing is stored
        engine.replace_repository(sample_graph())
    with engine.prefetch("shop"):
        engine.change_repository(diff_graphs(sample_graph(), _next(), "1"))
        engine.change_repository(diff_graphs(_next(), sample_graph(), "2"))
    assert everything(engine) == content_of(sample_graph())
    with engine.prefetch("shop"):
        engine.replace_repository(_next())
        engine.change_repository(diff_graphs(_next(), sample_graph(), "2"))
    assert everything(engine) == content_of(sample_graph())
    with engine.prefetch("shop"), pytest.raises(ChangesRefusedError):
        engine.change_repository(diff_graphs(_next(), sample_graph(), "2"))
    assert everything(engine) == content_of(sample_graph())


@pytest.mark.parametrize("seed", range(2, 5))
def test_random_changes_end_where_the_whole_graph_ends(engine: GraphEngine, seed: int) -> None:
    before = random_graph("big", 300, 600)
    base = next(str(table.columns["revision"][0]) for table in before.nodes if table.label == "Repository")
    after = _shuffled(before, seed)
    engine.replace_repository(before)
    engine.change_repository(diff_graphs(before, after, base))
    assert everything(engine) == content_of(after)
    engine.change_repository(diff_graphs(after, before, str(seed)))
    assert everything(engine) == content_of(before)


def test_many_rows_are_added_as_few_are(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    b = GraphBuilder("shop")
    b.repository_node()
    many = b.build()
    names: list[Cell] = [f"n{number}" for number in range(6_000)]
    nodes = NodeTable("Name", {"id": names, "repository": ["shop"] * 6_000, "name": [*names]})
    changes = GraphChanges("shop", "1", added_nodes=[nodes], changed_nodes=[_at(many, "2")])
    engine.change_repository(changes)
    assert len(engine.run("MATCH (n:Name) WHERE n.id STARTS WITH 'n' RETURN n.id", {}, _ALL).rows) == 6_000


def test_changes_may_bring_a_property_that_nothing_stored_has(engine: GraphEngine) -> None:
    """The first docstring of a repository, the first entry point: what is null everywhere is in no stored graph."""

    def graph(revision: str) -> RepositoryGraph:
        b = GraphBuilder("bare")
        root = b.repository_node(revision=revision)
        module = b.module("bare/app.py")
        b.join("CONTAINS", root, module)
        b.define("Function", module, "old", 1)
        if revision == "2":
            b.define("Function", module, "new", 5, docstring="Does it.", entry_points=["main: main"])
        return b.build()

    engine.replace_repository(graph("1"))
    engine.change_repository(diff_graphs(graph("1"), graph("2"), "1"))
    assert everything(engine) == content_of(graph("2"))


def test_links_from_other_repositories_survive_changes_where_their_end_does(engine: GraphEngine) -> None:
    b = GraphBuilder("client")
    b.repository_node()
    for name in ("total", "main"):
        b.join("PROVIDES", b.external(f"shop.app.{name}"), f"shop:shop/app.py::{name}", "Function")
    engine.replace_repository(sample_graph())
    engine.replace_repository(b.build())
    engine.change_repository(diff_graphs(sample_graph(), _next(), "1"))
    found = engine.run("MATCH (:External)-[:PROVIDES]->(f) RETURN f.id", {}, _ALL).rows
    assert found == []  # one was deleted, the other is a class now
    engine.replace_repository(sample_graph())
    engine.replace_repository(b.build())
    only = [replace(table, columns={"id": table.columns["id"], "name": ["new"]}) for table in sample_graph().nodes[:1]]
    engine.change_repository(GraphChanges("shop", "1", changed_nodes=only))
    assert len(engine.run("MATCH (:External)-[:PROVIDES]->(f) RETURN f.id", {}, _ALL).rows) == 2


def test_links_are_exchanged_wherever_they_were_written(engine: GraphEngine) -> None:
    b = GraphBuilder("client")
    b.repository_node()
    outside = b.external("shop.app.total")
    total, main = "shop:shop/app.py::total", "shop:shop/app.py::main"
    b.join("PROVIDES", outside, total, "Function")
    own = b.build()
    engine.replace_repository(sample_graph())
    engine.replace_repository(own)
    joined = "MATCH (:External)-[r:PROVIDES]->(f) RETURN f.id, count(r)"

    def link(end: str) -> RelationshipTable:
        return RelationshipTable("PROVIDES", "External", "Function", [outside], [end], {})

    for _ in range(2):  # deleted nodes are skipped, and existing ones stay once
        engine.exchange_links([link(total)], [link(main)])
        assert engine.run(joined, {}, _ALL).rows == [(main, 1)]
    alone = replace(sample_graph(), relationships=[*sample_graph().relationships, link(main)])
    engine.replace_repository(alone)  # written for the repository at the other end
    engine.exchange_links([link(main)], [link(total)])
    assert engine.run(joined, {}, _ALL).rows == [(total, 1)]
    engine.exchange_links([link(total)], [])
    assert engine.run(joined, {}, _ALL).rows == []


def _at(graph: RepositoryGraph, revision: str) -> NodeTable:
    """Changes of nothing but the revision."""
    return NodeTable("Repository", {"id": [graph.repository], "revision": [revision]})


def _relationship(end: str) -> RelationshipTable:
    return RelationshipTable("OVERRIDES", "Function", "Function", ["shop:shop/app.py::total"], [end], {})


_UNFIT: dict[str, Callable[[], GraphChanges]] = {
    "another revision": lambda: diff_graphs(sample_graph(), _next(), "7"),
    "another repository": lambda: GraphChanges("nobody", "1"),
    "a node to remove that is not there": lambda: GraphChanges("shop", "1", {"Function": ["nobody"]}),
    "a node to change that is not there": lambda: GraphChanges(
        "shop", "1", changed_nodes=[NodeTable("Function", {"id": ["nobody"], "name": ["x"]})]
    ),
    "a relationship to remove that is not there": lambda: GraphChanges(
        "shop", "1", removed_relationships={("OVERRIDES", "Function", "Function"): [("a", "b")]}
    ),
    "a node to add that is there": lambda: GraphChanges(
        "shop", "1", added_nodes=[table for table in sample_graph().nodes if table.label == "Function"]
    ),
}


@pytest.mark.parametrize("case", _UNFIT)
def test_changes_that_do_not_fit_are_refused_whole(engine: GraphEngine, case: str) -> None:
    engine.replace_repository(sample_graph())
    with pytest.raises(ChangesRefusedError):
        engine.change_repository(_UNFIT[case]())
    assert everything(engine) == content_of(sample_graph())


def test_changes_that_break_the_schema_are_refused_whole(engine: GraphEngine) -> None:
    engine.replace_repository(sample_graph())
    for changes in (
        GraphChanges("shop", "1", added_relationships=[_relationship("nobody")]),
        GraphChanges("shop", "1", changed_nodes=[NodeTable("Function", {"id": ["x"], "mass": [1]})]),
        GraphChanges("shop", "1", changed_nodes=[NodeTable("Function", {"id": ["x"], "calls_in": ["many"]})]),
        GraphChanges("shop", "1", {"Package": ["package:pypi/shop"]}),
    ):
        with pytest.raises(InvalidGraphError):
            engine.change_repository(changes)
    assert everything(engine) == content_of(sample_graph())


def test_changes_that_are_cancelled_change_nothing(engine: GraphEngine) -> None:
    class CancelledError(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        raise CancelledError

    engine.replace_repository(sample_graph())
    with pytest.raises(CancelledError):
        engine.change_repository(diff_graphs(sample_graph(), _next(), "1"), cancel)
    assert everything(engine) == content_of(sample_graph())


def test_more_changes_than_a_transaction_holds_are_refused_where_there_is_such_a_limit(
    open_engine: EngineOpener,
    engine_settings: StoreSettings,
) -> None:
    engine = open_engine(replace(engine_settings, neo4j_transaction_rows=1), writable=True)
    try:
        engine.replace_repository(sample_graph())
        try:
            engine.change_repository(diff_graphs(sample_graph(), _next(), "1"))
        except ChangesRefusedError:
            engine.replace_repository(_next())
        assert everything(engine) == content_of(_next())
    finally:
        engine.close()


def test_an_engine_opened_for_reading_refuses_changes(
    open_engine: EngineOpener, engine_settings: StoreSettings
) -> None:
    reader = open_engine(engine_settings, writable=False)
    try:
        with pytest.raises(StoreReadOnlyError):
            reader.change_repository(GraphChanges("shop", "1"))
    finally:
        reader.close()
