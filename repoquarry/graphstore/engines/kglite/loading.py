"""Tables of a repository's graph loaded into a kglite graph, through data frames and ten times as fast as statements.

Every column's kind is taken from the schema, so that nothing is guessed from its content.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
    from repoquarry.graphstore.engines import frames  # brings pandas, which takes longer to import than a graph to load

    properties = properties_of_node(table.label)
    for chunk in frames.chunks(table.columns, len(table)):
        frame, kinds = frames.frame_of(chunk, properties)
        graph.add_nodes(frame, table.label, "id", "name", column_types=kinds)
        floats = {name: cells for name, cells in chunk.items() if kinds.get(name) == "float"}
        _set_nans(graph, f"MATCH (n:{table.label} {{id: row[0]}})", floats, [chunk["id"]])
        yield len(frame)


def add_relationships(graph: Any, table: RelationshipTable) -> Iterator[int]:
    from repoquarry.graphstore.engines import frames  # brings pandas, which takes longer to import than a graph to load

    properties = properties_of_relationship(table.type)
    ends: dict[str, list[Cell]] = {_START: [*table.start], _END: [*table.end]}
    pattern = f"(:{table.start_label} {{id: row[0]}})-[n:{table.type}]->(:{table.end_label} {{id: row[1]}})"
    for chunk in frames.chunks(ends | table.columns, len(table)):
        frame, kinds = frames.frame_of(chunk, properties)
        graph.add_relationships(frame, table.type, table.start_label, _START, table.end_label, _END, column_types=kinds)
        floats = {name: cells for name, cells in chunk.items() if kinds.get(name) == "float"}
        _set_nans(graph, f"MATCH {pattern}", floats, [chunk[_START], chunk[_END]])
        yield len(frame)


def _set_nans(graph: Any, match: str, floats: Mapping[str, list[Cell]], keys: Sequence[list[Cell]]) -> None:
    """Set the cells that are NaN: a data frame cannot tell them from missing ones."""
    for name, cells in floats.items():
        if not any(map(operator.ne, cells, cells)):
            continue
        rows = [list(key) for cell, *key in zip(cells, *keys, strict=True) if cell != cell]
        if rows:
            graph.cypher(f"UNWIND $rows AS row {match} SET n.{name} = $nan", params={"rows": rows, "nan": math.nan})


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
