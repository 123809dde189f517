"""The dependency graph of a revision has the definitions and edges that queries return."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.dependency_graph import DependencyGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

_FILES = {
    "shop/__init__.py": "",
    "shop/shapes.py": 'class Shape:\n    """Form."""\n\n    def area(self):\n        return 0\n\n\n'
    "class Square(Shape):\n    def area(self):\n        return 1\n",
    "shop/use.py": "from shop.shapes import Shape, Square\n\n\ndef total(shape: Shape):\n    return shape.area()\n\n\n"
    "def build(kind=Square):\n    return total(Square())\n\n\nHANDLERS = [build]\n",
    "tests/test_use.py": "from shop.use import build\n\n\ndef test_build():\n    assert build()\n",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    write_tree(tmp_path / "tree", dict(_FILES))
    with Store.open(StoreSettings(tmp_path / "store"), writable=True) as store:
        index_repository(str(tmp_path / "tree"), store, IngestSettings(workers=1), name="shop")
        yield store


def test_definitions_are_those_of_queries(store: Store) -> None:
    graph, reader = store.cached("shop", DependencyGraph), CodeReader(store)
    assert len(graph.definition_by_id) > len(_FILES)
    assert reader.definitions(graph.definition_by_id) == list(graph.definition_by_id.values())
    for path, inside in graph.definitions_by_path.items():
        assert reader.inside("shop", path) == inside
    assert [item.path for item in graph.test_modules] == ["tests/test_use.py"]


def test_edges_are_those_of_queries(store: Store) -> None:
    graph, reader = store.cached("shop", DependencyGraph), CodeReader(store)
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


def test_a_value_is_built_once_for_each_revision(store: Store, tmp_path: Path) -> None:
    graph = store.cached("shop", DependencyGraph)
    assert store.cached("shop", DependencyGraph) is graph
    (tmp_path / "tree" / "shop" / "more.py").write_text("def more():\n    return 2\n")
    index_repository(str(tmp_path / "tree"), store, IngestSettings(workers=1), name="shop")
    assert "shop:shop/more.py::more" in store.cached("shop", DependencyGraph).definition_by_id
