"""A set of changes applied to a loaded kglite graph.

Statements cost 5 to 40 us a row and nothing to begin with; frames cost less a row. Nothing here saves: a graph that an error has left half
changed is dropped by its engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from repoquarry.graphstore.engine import Progress
from repoquarry.graphstore.engines.checks import new_endpoints, refuse_missing
from repoquarry.graphstore.engines.kglite.loading import (
    add_nodes,
    add_relationships,
    drop_unused_packages,
    size,
    stored_ids,
)
from repoquarry.graphstore.errors import ChangesRefusedError
from repoquarry.graphstore.model.changes import GraphChanges
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable

_BY_STATEMENT = 5_000
"""Rows of one table that are added without a frame."""
_ALWAYS = ("id", "name")
"""Properties that every node has."""


def apply(graph: Any, changes: GraphChanges, progress: Progress | None = None) -> tuple[int, int, int, int]:
    """Apply changes; nodes and relationships written, nodes and relationships deleted.

    Raises: ChangesRefusedError when what is stored is not what they start from; InvalidGraphError.
    """
    _require_base(graph, changes)
    before = size(graph)
    for joined, pairs in changes.removed_relationships.items():
        kind, start, end = joined
        match = f"MATCH (a:{start} {{id: row[0]}})-[r:{kind}]->(b:{end} {{id: row[1]}})"
        _expect(graph, f"UNWIND $rows AS row {match} DELETE r", [list(pair) for pair in pairs], "relationships_deleted")
    for label, ids in changes.removed_nodes.items():
        _expect(graph, f"UNWIND $rows AS row MATCH (n:{label} {{id: row}}) DETACH DELETE n", [*ids], "nodes_deleted")
    deleted = size(graph)
    done, total = len(changes) - _written(changes), len(changes)
    for added in _put(graph, changes):
        done += added
        if progress is not None:
            progress(done, total)
    drop_unused_packages(graph)
    relationships = sum(map(len, (*changes.added_relationships, *changes.changed_relationships)))
    gone = before[0] - deleted[0], before[1] - deleted[1]
    return _written(changes) - relationships, relationships, *gone


def _written(changes: GraphChanges) -> int:
    nodes = sum(map(len, (*changes.added_nodes, *changes.changed_nodes)))
    return nodes + sum(map(len, (*changes.added_relationships, *changes.changed_relationships)))


def _require_base(graph: Any, changes: GraphChanges) -> None:
    text = "MATCH (r:Repository {id: $id}) RETURN r.revision AS revision"
    found = graph.cypher(text, params={"id": changes.repository})
    revision = found.column("revision")[0] if len(found) else None
    if revision != changes.base:
        raise ChangesRefusedError(
            f"{changes.repository} is stored at revision {revision}, and the changes start from {changes.base}"
        )


def _put(graph: Any, changes: GraphChanges) -> Iterator[int]:
    """Write what is added or changed; yields how many rows each step wrote."""
    for table in changes.added_nodes:
        yield from _create_nodes(graph, table)
    for table in changes.changed_nodes:
        names = [name for name in table.columns if name != "id"]
        rows = [list(row) for row in zip(*(table.columns[name] for name in ("id", *names)), strict=True)]
        yield _set(graph, f"MATCH (n:{table.label} {{id: row[0]}})", names, rows, 1)
    ends = new_endpoints(changes)
    refuse_missing(ends, {label: stored_ids(graph, label, ids) for label, ids in ends.items()})
    for joined in changes.added_relationships:
        yield from _create_relationships(graph, joined)
    for joined in changes.changed_relationships:
        pattern = f"(:{joined.start_label} {{id: row[0]}})-[n:{joined.type}]->(:{joined.end_label} {{id: row[1]}})"
        rows = [list(row) for row in zip(joined.start, joined.end, *joined.columns.values(), strict=True)]
        yield _set(graph, f"MATCH {pattern}", list(joined.columns), rows, 2)


def _create_nodes(graph: Any, table: NodeTable) -> Iterator[int]:
    there = stored_ids(graph, table.label, [str(node) for node in table.columns["id"]])
    if there and table.label != "Package":
        raise ChangesRefusedError(f"{table.label}: {len(there)} of the added nodes are stored already, {min(there)!r}")
    if len(table) > _BY_STATEMENT:
        yield from add_nodes(graph, table)
        return
    places = {name: place for place, name in enumerate(table.columns)}
    rows = [list(row) for row in zip(*table.columns.values(), strict=True) if row[places["id"]] not in there]
    # CREATE refuses a property that no stored node of the label has yet, SET does not
    given = ", ".join(f"n.{name} = row[{place}]" for name, place in places.items() if name not in _ALWAYS)
    known = ", ".join(f"{name}: row[{places[name]}]" for name in _ALWAYS)
    create = f"UNWIND $rows AS row CREATE (n:{table.label} {{{known}}})"
    graph.cypher(f"{create} SET {given}" if given else create, params={"rows": rows})
    yield len(table)


def _create_relationships(graph: Any, table: RelationshipTable) -> Iterator[int]:
    if len(table) > _BY_STATEMENT:
        yield from add_relationships(graph, table)
        return
    keys = ", ".join(f"{name}: row[{place}]" for place, name in enumerate(table.columns, 2))
    match = f"MATCH (a:{table.start_label} {{id: row[0]}}) MATCH (b:{table.end_label} {{id: row[1]}})"
    rows = [list(row) for row in zip(table.start, table.end, *table.columns.values(), strict=True)]
    properties = f" {{{keys}}}" if keys else ""
    create = f"CREATE (a)-[:{table.type}{properties}]->(b)"
    _expect(graph, f"UNWIND $rows AS row {match} {create}", rows, "relationships_created")
    yield len(rows)


def _set(graph: Any, match: str, names: Sequence[str], rows: list[list[Cell]], first: int) -> int:
    """Set the properties `names`, which stand in each row from the place `first` on."""
    if names:
        given = ", ".join(f"n.{name} = row[{place}]" for place, name in enumerate(names, first))
        found = graph.cypher(f"UNWIND $rows AS row {match} RETURN count(n) AS count", params={"rows": rows})
        if found.column("count")[0] != len(rows):
            raise ChangesRefusedError(f"{len(rows)} rows change, and {found.column('count')[0]} are stored ({match})")
        graph.cypher(f"UNWIND $rows AS row {match} SET {given}", params={"rows": rows})
    return len(rows)


def _expect(graph: Any, text: str, rows: list[Any], counted: str) -> None:
    """Run a statement that must do as much as it has rows. Raises: ChangesRefusedError when it does not."""
    if rows:
        graph.cypher(text, params={"rows": rows})
        done = graph.last_mutation_stats[counted]
        if done != len(rows):
            raise ChangesRefusedError(f"{counted}: {done} where {len(rows)} were expected ({text})")
