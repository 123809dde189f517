"""Grid of paths on the embedded engine: rows equal those of the enumeration, with and without each optimizer pass of kglite."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import kglite
import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.kglite.graph_folder import FOLDER, GraphFolder
from repoquarry.graphstore.engines.kglite.loaded_graphs import GraphCache
from repoquarry.graphstore.engines.kglite.optimizer_passes import ALWAYS_DISABLED, find_disabled_passes
from repoquarry.graphstore.graph_engine import WHOLE, GraphEngine, QueryLimits
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.settings import StoreSettings
from tests.engines.differential.engine_pair import key
from tests.engines.differential.pattern_grid import Case, GridGraph, grid_cases, grid_graph

_LIMITS = QueryLimits(seconds=60.0, rows=0, bytes=0)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphEngine]:
    opened = open_engine(StoreSettings(tmp_path_factory.mktemp("grid")), writable=True)
    opened.replace_repository(grid_graph())
    yield opened
    opened.close()


def _keys(rows: Sequence[Sequence[Value]], *, is_ordered: bool) -> list[list[str]]:
    found = [[key(cell) for cell in row] for row in rows]
    return found if is_ordered else sorted(found)


def _differences(engine: GraphEngine, share: int) -> list[str]:
    found = []
    for case in grid_cases(GridGraph(grid_graph()), share=share):
        gated = admit(case.text, case.parameters, "kglite")
        rows = engine.run(gated.text, gated.parameters, _LIMITS, WHOLE).rows
        if _keys(rows, is_ordered=case.is_ordered) != _keys(case.rows, is_ordered=case.is_ordered):
            found.append(f"{case.text}\n  has {rows}\n  not {list(case.rows)}")
    return found


@pytest.mark.parametrize("share", [83, pytest.param(17, marks=pytest.mark.long)])
def test_rows_of_the_grid_are_those_of_the_enumeration(engine: GraphEngine, share: int) -> None:
    found = _differences(engine, share)
    assert not found, f"{len(found)} differ:\n" + "\n".join(found[:5])


_F1 = "{id: 'grid:m.py::f1'}"
_PASS_QUERIES = (
    "MATCH (a:Function) WHERE a.start_line = 1 OR a.start_line = 2 RETURN a.name AS a",
    "MATCH (a:Function) MATCH (a)-[:CALLS]->(b) RETURN a.name AS a, count(b) AS n",
    "MATCH (a:Function) RETURN a.name AS n ORDER BY a.start_line DESC LIMIT 2",
    "MATCH (m:Module)-[:DEFINES]->(:Function)-[:CALLS]->(g:Function) RETURN m.id AS m, count(DISTINCT g) AS n",
    "MATCH (a:Function)-[:CALLS]->(b) WITH b, count(a) AS n RETURN b.name AS b, n ORDER BY n DESC, b LIMIT 2",
    "MATCH (a:Function)-[:CALLS]->(b) WITH b, count(a) AS n RETURN n ORDER BY n DESC LIMIT 2",
    "MATCH (a:Function) WITH a ORDER BY a.start_line LIMIT 2 MATCH (a)-[:CALLS]->(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a:Function) RETURN a.kind AS k, count(*) AS n LIMIT 1",
    "MATCH (a:Function), (b:Class {name: 'c0'}) MATCH (a)-[:CALLS]->(b) RETURN a.name AS a",
    "MATCH (a:Function)-[:CALLS]->(b:Function), (b)-[:CALLS]->(c {name: 'f0'}) RETURN a.name AS a, c.name AS c",
    "MATCH (a)-[:CALLS]->(b) MATCH (c:Class {id: 'grid:m.py::c0'})<-[:CALLS]-(a) RETURN a.name AS a, b.name AS b",
    "MATCH (a:Function) WITH collect(a) AS l UNWIND l AS b RETURN b.name AS b",
    "MATCH (a:Function) WITH a.name AS n, a.start_line AS l ORDER BY l DESC LIMIT 3 RETURN n, l",
    f"MATCH (a:Function {_F1})-[:CALLS]->() RETURN count(*) AS n",
    "MATCH (a:Function)-[:CALLS]->(b:Function) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c)-[:CALLS]->(a) RETURN a.name AS a, c.name AS c",
)
_UNREACHED = {
    "anchor_element_id": "the gate refuses elementId()",
    "anchor_rel_property_index": "the graphs have no index of relationships",
    "fuse_anchored_edge_count": "needs a node by its internal number",
    "fuse_spatial_join": "the graphs have no points",
    "fuse_text_bm25_order_limit": "the service searches, not the engine",
    "fuse_unwind_valid_at": "the graphs have no periods of validity",
    "fuse_vector_score_order_limit": "the service searches, not the engine",
    "reorder_cyclic_pattern_edges": "needs statistics of a larger graph",
    "mark_skip_target_type_check": "needs labels that the types of relationships imply",
}
"""Passes of the engine that no admitted query on such a graph uses."""


def _rows(graph: Any, text: str, parameters: Mapping[str, Value], disabled: Sequence[str]) -> list[list[str]]:
    found = graph.cypher(text, params=dict(parameters), disabled_passes=list(disabled), hide_structural_keys=True)
    return sorted([repr(value) for value in row.values()] for row in found.to_list())


def _passes(graph: Any, text: str, parameters: Mapping[str, Value]) -> list[str]:
    """Return the passes that the engine applies to a query."""
    plan = graph.cypher(
        f"EXPLAIN {text}",
        params=dict(parameters),
        disabled_passes=find_disabled_passes(text),
        hide_structural_keys=True,
    )
    words = (str(step["operation"]).split() for step in plan.to_list())
    return [word[1] for word in words if word[0] == "OptimizerPass"]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("passes")
    opened = open_engine(StoreSettings(folder), writable=True)
    opened.replace_repository(grid_graph())
    opened.close()
    return GraphCache(GraphFolder(folder / FOLDER)).view(WHOLE).graph


def test_rows_do_not_depend_on_a_pass_of_the_optimizer(graph: Any) -> None:
    applied: set[str] = set()
    texts = [Case(text, {}, [], False) for text in _PASS_QUERIES]
    for case in [*texts, *grid_cases(GridGraph(grid_graph()), share=151)]:
        gated = admit(case.text, case.parameters, "kglite")
        disabled = find_disabled_passes(gated.text)
        rows = _rows(graph, gated.text, gated.parameters, disabled)
        for name in _passes(graph, gated.text, gated.parameters):
            applied.add(name)
            assert _rows(graph, gated.text, gated.parameters, [*disabled, name]) == rows, f"{name}: {case.text}"
    untried = {*kglite.cypher_pass_names()} - applied - _UNREACHED.keys() - {*ALWAYS_DISABLED}
    assert not untried, "passes of this release of kglite that no query of the grid uses"
