"""Content of an engine as comparable text, and that of graphs that are not stored."""

from __future__ import annotations

from collections.abc import Collection

from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Node, Relationship, Value

_ALL = QueryLimits(seconds=60, rows=0, bytes=0)


def rows(engine: GraphEngine, text: str, **parameters: Value) -> list[tuple[Value, ...]]:
    return engine.run(text, parameters, _ALL).rows


def stored(engine: GraphEngine) -> dict[str, int]:
    """Nodes by label and relationships by type."""
    nodes = rows(engine, "MATCH (n) UNWIND labels(n) AS label RETURN label, count(*)")
    relationships = rows(engine, "MATCH ()-[r]->() RETURN type(r), count(*)")
    return {str(name): int(str(count)) for name, count in nodes + relationships}


def everything(engine: GraphEngine, ignored: Collection[str] = ()) -> tuple[set[str], set[str]]:
    """All nodes and relationships with their properties but the ignored ones of nodes, as comparable text."""
    nodes = {repr(sorted_node(row[0], ignored)) for row in rows(engine, "MATCH (n) RETURN n")}
    relationships = {repr(sorted_relationship(row[0])) for row in rows(engine, "MATCH ()-[r]->() RETURN r")}
    return nodes, relationships


def sorted_node(value: Value, ignored: Collection[str] = ()) -> tuple[object, ...]:
    assert isinstance(value, Node)
    return value.id, value.labels, sorted(item for item in value.properties.items() if item[0] not in ignored)


def sorted_relationship(value: Value) -> tuple[object, ...]:
    assert isinstance(value, Relationship)
    ends = (value.start_label, value.start_id, value.end_label, value.end_id)
    return value.type, ends, sorted(value.properties.items())


def content_of(*graphs: RepositoryGraph) -> tuple[set[str], set[str]]:
    """The same of graphs that have not been stored."""
    nodes, relationships = set(), set()
    for graph in graphs:
        for table in graph.nodes:
            for number, node in enumerate(table.columns["id"]):
                cells = {name: cells[number] for name, cells in table.columns.items() if cells[number] is not None}
                nodes.add(repr((node, (table.label,), sorted(cells.items()))))
        for joined in graph.relationships:
            for number in range(len(joined)):
                cells = {name: cells[number] for name, cells in joined.columns.items() if cells[number] is not None}
                ends = (joined.start_label, joined.start[number], joined.end_label, joined.end[number])
                relationships.add(repr((joined.type, ends, sorted(cells.items()))))
    return nodes, relationships
