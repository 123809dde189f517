"""A stored repository read back as columns: the inverse of writing it, for rebuilding what is only a cache of the graph."""

from __future__ import annotations

from repoquarry.graphstore.engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, NodeLabel, Property, RelationshipType
from repoquarry.graphstore.model.values import Node, Relationship, Value

_UNBOUNDED = QueryLimits(seconds=0, rows=0, bytes=0, memory_bytes=0)


def read_repository(engine: GraphEngine, repository: str) -> RepositoryGraph:
    """The nodes and relationships of one repository; of the shared packages those that it points at."""
    nodes = [_nodes(engine, label, repository) for label in NODE_LABELS.values()]
    relationships = [
        _relationships(engine, kind, start, end, repository)
        for kind in RELATIONSHIP_TYPES.values()
        for start in kind.start
        for end in kind.end
    ]
    return RepositoryGraph(
        repository, [table for table in nodes if len(table)], [table for table in relationships if len(table)]
    )


def _nodes(engine: GraphEngine, label: NodeLabel, repository: str) -> NodeTable:
    match label.name:
        case "Repository":
            text = "MATCH (n:Repository {id: $repository}) RETURN n"
        case "Package":
            text = "MATCH (r:Repository {id: $repository})-->(n:Package) RETURN DISTINCT n ORDER BY n.id"
        case _:
            text = f"MATCH (n:{label.name}) WHERE n.repository = $repository RETURN n ORDER BY n.id"
    rows = engine.run(text, {"repository": repository}, _UNBOUNDED).rows
    found = [row[0] for row in rows if isinstance(row[0], Node)]
    return NodeTable(label.name, _columns(label.properties, [node.properties for node in found]))


def _relationships(
    engine: GraphEngine, kind: RelationshipType, start: str, end: str, repository: str
) -> RelationshipTable:
    where = "a.id = $repository" if start == "Repository" else "a.repository = $repository"
    text = (
        f"MATCH (a:{start})-[r:{kind.name}]->(b:{end}) WHERE {where} "
        "RETURN a.id AS a_id, b.id AS b_id, r AS relation ORDER BY a_id, b_id"
    )
    rows = engine.run(text, {"repository": repository}, _UNBOUNDED).rows
    properties = [row[2].properties for row in rows if isinstance(row[2], Relationship)]
    return RelationshipTable(
        kind.name,
        start,
        end,
        [str(row[0]) for row in rows],
        [str(row[1]) for row in rows],
        _columns(kind.properties, properties),
    )


def _columns(properties: tuple[Property, ...], rows: list[dict[str, Value]]) -> dict[str, list[Cell]]:
    return {prop.name: [_cell(row.get(prop.name)) for row in rows] for prop in properties}


def _cell(value: Value) -> Cell:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list):
        return value  # type: ignore[return-value]  # the schema has lists of strings and of integers only
    raise TypeError(f"no property holds a {type(value).__name__}")
