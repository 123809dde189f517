"""The embedded engine: its accepted releases, and frames that are not pandas'."""

import math
import time
import tomllib
from pathlib import Path
from typing import Any

import kglite
import pytest

from repoquarry.graphstore.engines.kglite import require_supported
from repoquarry.graphstore.engines.kglite.change_writer import (
    ROWS_PER_FRAME,
    ColumnFrame,
    apply_changes,
    build_frame,
    chunks,
)
from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.model.graph_tables import Cell, GraphChanges, RelationshipTable
from repoquarry.graphstore.model.schema import Property, PropertyKind

_CELLS: dict[PropertyKind, list[Cell]] = {
    PropertyKind.STRING: ["1", None, "NaN"],
    PropertyKind.INTEGER: [1, None, 2**60],
    PropertyKind.FLOAT: [0.5, None, math.nan],
    PropertyKind.BOOLEAN: [True, None, False],
    PropertyKind.STRINGS: [["a", "b"], None, []],
    PropertyKind.INTEGERS: [[3], None, []],
}


@pytest.mark.parametrize("kind", list(PropertyKind))
def test_cells_come_back_as_they_are_given(kind: PropertyKind) -> None:
    columns: dict[str, list[Cell]] = {"id": ["a", "b", "c"], "name": ["x", "y", "z"], "given": _CELLS[kind]}
    frame, kinds = build_frame(columns, {"given": Property("given", kind, "")})
    graph: Any = kglite.KnowledgeGraph()
    graph.add_nodes(frame, "Thing", "id", "name", column_types=kinds)
    found = graph.cypher("MATCH (t:Thing) RETURN t.given AS given ORDER BY t.id").column("given")
    for wanted, cell in zip(_CELLS[kind], found, strict=True):
        assert type(cell) is type(wanted)
        assert cell == wanted or (cell != cell and wanted != wanted)


def test_a_table_is_cut_into_frames_of_bounded_size() -> None:
    parts = list(chunks({"id": list(range(ROWS_PER_FRAME + 1))}, ROWS_PER_FRAME + 1))
    assert [len(ColumnFrame(part)) for part in parts] == [ROWS_PER_FRAME, 1]


@pytest.mark.parametrize("version", ["0.21.1", "0.21.2", "0.21.10"])
def test_patch_releases_are_accepted(version: str) -> None:
    require_supported(version)


@pytest.mark.parametrize("version", ["0.21.0", "0.22.0", "0.20.9", "1.0"])
def test_other_release_is_refused_with_the_remedies(version: str) -> None:
    with pytest.raises(EngineUnavailableError, match=r"'kglite>=0.21.1,<0.22', or use Neo4j"):
        require_supported(version)


def test_bounds_are_those_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert "kglite>=0.21.1,<0.22" in project["project"]["dependencies"]


_SPOKES = 3_000


def _apply_seconds(ends: list[tuple[str, str]], *, removed: bool) -> float:
    """Processor time of removing or changing all calls of a graph."""
    graph: Any = kglite.KnowledgeGraph()
    graph.cypher("CREATE (:Repository {id: 'r', name: 'r', revision: '1'})")
    ids = sorted({end for pair in ends for end in pair})
    graph.cypher("UNWIND $ids AS id CREATE (:Function {id: id, name: id})", params={"ids": ids})
    create = "MATCH (a:Function {id: row[0]}) MATCH (b:Function {id: row[1]}) CREATE (a)-[:CALLS {count: 1}]->(b)"
    graph.cypher(f"UNWIND $rows AS row {create}", params={"rows": [list(pair) for pair in ends]})
    starts, targets = [start for start, _ in ends], [end for _, end in ends]
    table = RelationshipTable("CALLS", "Function", "Function", starts, targets, {"count": [2] * len(ends)})
    gone = {("CALLS", "Function", "Function"): ends} if removed else {}
    changes = GraphChanges("r", "1", {}, [], [], gone, [], [] if removed else [table])
    started = time.process_time()
    apply_changes(graph, changes)
    spent = time.process_time() - started
    counts = graph.cypher("MATCH ()-[c:CALLS]->() RETURN c.count AS count").column("count")
    assert list(counts) == ([] if removed else [2] * len(ends))
    return spent


@pytest.mark.parametrize("removed", [True, False], ids=["removed", "changed"])
@pytest.mark.parametrize("hub", ["start", "end", "both"])
def test_relationships_of_a_hub_cost_as_much_as_others(hub: str, removed: bool) -> None:
    """Written from the hub each row would read all of its relationships: 20 times as much."""
    spokes = [("hub", f"a{number}") for number in range(_SPOKES if hub == "start" else _SPOKES // 2)]
    pairs = {"start": spokes, "end": [(b, a) for a, b in spokes], "both": [*spokes, *((b, "sink") for _, b in spokes)]}
    plain = [(f"a{number}", f"b{number}") for number in range(_SPOKES)]
    assert _apply_seconds(pairs[hub], removed=removed) < 5 * _apply_seconds(plain, removed=removed) + 0.02
