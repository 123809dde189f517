"""Changes between two states of a table say what came, went and differs, wherever rows stand."""

from hypothesis import given
from hypothesis import strategies as st

from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable, RepositoryGraph, diff_graphs

_CELLS = st.sampled_from([None, 1, 1.0, True, 0.0, -0.0, "1"])
_ROWS = st.dictionaries(st.sampled_from([f"n{number}" for number in range(12)]), _CELLS)


def _nodes(rows: dict[str, Cell]) -> list[NodeTable]:
    columns: dict[str, list[Cell]] = {"id": list(rows), "docstring": list(rows.values())}
    return [NodeTable("Function", columns)] if rows else []


def _edges(rows: dict[str, Cell]) -> list[RelationshipTable]:
    ends = list(rows), [f"{one}'" for one in rows]
    return [RelationshipTable("CALLS", "Function", "Function", *ends, {"how": list(rows.values())})] if rows else []


def _same(left: dict[str, Cell], right: dict[str, Cell]) -> bool:
    return {key: repr(cell) for key, cell in left.items()} == {key: repr(cell) for key, cell in right.items()}


@given(_ROWS, _ROWS, st.permutations(range(12)))
def test_the_changes_lead_from_one_state_to_the_other(
    old: dict[str, Cell], new: dict[str, Cell], order: list[int]
) -> None:
    new = {key: new[key] for key in sorted(new, key=lambda key: order[int(key[1:])])}
    found = diff_graphs(
        RepositoryGraph("shop", _nodes(old), _edges(old)), RepositoryGraph("shop", _nodes(new), _edges(new)), "1"
    )
    nodes = {key: cell for key, cell in old.items() if key not in found.removed_nodes.get("Function", ())}
    for table in (*found.added_nodes, *found.changed_nodes):
        nodes.update(zip(map(str, table.columns["id"]), table.columns["docstring"], strict=True))
    assert _same(nodes, new)
    changed = {str(one) for table in found.changed_nodes for one in table.columns["id"]}
    assert changed == {key for key in old.keys() & new.keys() if repr(old[key]) != repr(new[key])}
    gone = {start for start, _ in found.removed_relationships.get(("CALLS", "Function", "Function"), ())}
    edges = {key: cell for key, cell in old.items() if key not in gone}
    for relationships in (*found.added_relationships, *found.changed_relationships):
        assert relationships.end == [f"{one}'" for one in relationships.start]
        edges.update(zip(relationships.start, relationships.columns["how"], strict=True))
    assert _same(edges, new)


@given(_ROWS)
def test_nothing_changed_is_no_change(rows: dict[str, Cell]) -> None:
    graph = RepositoryGraph("shop", _nodes(rows), _edges(rows))
    assert len(diff_graphs(graph, graph, "1")) == 0
