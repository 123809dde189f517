"""The dependency graph of a revision has the definitions and edges that queries return."""

from __future__ import annotations

from pathlib import Path

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.records import DependencyGraph
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings


def test_definitions_are_those_of_queries(impact_store: Store) -> None:
    graph, reader = impact_store.cached("shop", DependencyGraph), CodeReader(impact_store)
    assert len(graph.definition_by_id) > len(graph.definitions_by_path)
    assert reader.definitions(graph.definition_by_id) == list(graph.definition_by_id.values())
    for path, inside in graph.definitions_by_path.items():
        assert reader.inside("shop", path) == inside
    assert [item.path for item in graph.test_modules] == [
        f"tests/test_{name}.py" for name in ("one", "three", "two", "use")
    ]


def test_edges_are_those_of_queries(impact_store: Store) -> None:
    graph, reader = impact_store.cached("shop", DependencyGraph), CodeReader(impact_store)
    ids = list(graph.definition_by_id)
    for kind, edges in {
        "CALLS": reader.calls_to(ids),
        "OVERRIDES": reader.overridden(ids),
        "INHERITS": reader.subclasses(ids),
        "REFERENCES": reader.references_to(ids),
        "IMPORTS": reader.imports_to(ids),
    }.items():
        expected = [
            (edge.start, edge.end.id, edge.confidence, kind == "REFERENCES" and edge.how == "annotation")
            for edge in edges
        ]
        assert expected, kind
        assert list(graph.find_dependents(kind, ids)) == expected, kind


def test_a_value_is_built_once_for_each_revision(impact_store: Store, tmp_path: Path) -> None:
    graph = impact_store.cached("shop", DependencyGraph)
    assert impact_store.cached("shop", DependencyGraph) is graph
    (tmp_path / "tree" / "shop" / "more.py").write_text("def more():\n    return 2\n")
    index_repository(str(tmp_path / "tree"), impact_store, IngestSettings(workers=1), name="shop")
    assert "shop:shop/more.py::more" in impact_store.cached("shop", DependencyGraph).definition_by_id
