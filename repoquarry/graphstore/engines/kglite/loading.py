"""Tables of a repository's graph loaded into a kglite graph, through frames and ten times as fast as statements.

Every column's kind is taken from the schema, so that nothing is guessed from its content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from repoquarry.graphstore.engines import frames
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import properties_of_node, properties_of_relationship

_START, _END = "start node", "end node"
"""Columns of a frame that hold the endpoints; with a space, so that no property can be called the same."""


def load(graph: Any, source: RepositoryGraph) -> Iterator[int]:
    """Load the tables; yields how many rows each step added."""
    for table in source.nodes:
        yield from add_nodes(graph, table)
    for relationships in source.relationships:
        yield from add_relationships(graph, relationships)


def add_nodes(graph: Any, table: NodeTable) -> Iterator[int]:
    properties = properties_of_node(table.label)
    for chunk in frames.chunks(table.columns, len(table)):
        frame, kinds = frames.frame_of(chunk, properties)
        graph.add_nodes(frame, table.label, "id", "name", column_types=kinds)
        yield len(frame)


def add_relationships(graph: Any, table: RelationshipTable) -> Iterator[int]:
    properties = properties_of_relationship(table.type)
    ends: dict[str, list[Cell]] = {_START: [*table.start], _END: [*table.end]}
    for chunk in frames.chunks(ends | table.columns, len(table)):
        frame, kinds = frames.frame_of(chunk, properties)
        graph.add_relationships(frame, table.type, table.start_label, _START, table.end_label, _END, column_types=kinds)
        yield len(frame)


def size(graph: Any) -> tuple[int, int]:
    """Nodes and relationships."""
    info = graph.graph_info()
    return info["node_count"], info["edge_count"]


def stored_ids(graph: Any, label: str, ids: Sequence[str]) -> set[str]:
    """Those of the ids that nodes of the label have."""
    found = graph.cypher(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id AS id", params={"ids": list(ids)})
    return set(found.column("id")) if len(found) else set()


def drop_unused_packages(graph: Any) -> None:
    """Delete the packages that nothing points at."""
    graph.cypher("MATCH (p:Package) WHERE NOT (p)--() DELETE p")
