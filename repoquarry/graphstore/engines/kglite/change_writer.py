"""Writer of graph tables and changes into a kglite graph in memory.

The type of every column comes from the schema. Inferring it from the cells would depend on the content of a repository: numeric strings,
lists that are all missing, integers with gaps. kglite needs only the methods of `ColumnFrame` from a data frame; pandas itself would cost
a third of a second and 80 MB.

Statements cost 5 to 40 us per row without a fixed cost; frames cost less per row. This module saves nothing: the engine drops a graph
that an error left half changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from repoquarry.graphstore.engines.change_plan import new_endpoints, require_base, require_endpoints
from repoquarry.graphstore.errors import ChangesRefusedError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import (
    Cell,
    GraphChanges,
    Joined,
    NodeTable,
    Pair,
    RelationshipTable,
    RepositoryGraph,
)
from repoquarry.graphstore.model.schema import Property, PropertyKind, properties_of_node, properties_of_relationship

ROWS_PER_FRAME = 50_000
"""Limit of the memory of one load: a frame and its conversion exist in addition to the graph."""

_COLUMN_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "integer",
    PropertyKind.FLOAT: "float",
    PropertyKind.BOOLEAN: "boolean",
    PropertyKind.STRINGS: "list",
    PropertyKind.INTEGERS: "list",
}


class FrameColumn:
    """Cells of one column with the interface of a pandas series."""

    dtype = "object"

    def __init__(self, cells: list[Any]) -> None:
        self._cells = cells

    def __len__(self) -> int:
        return len(self._cells)

    def tolist(self) -> list[Any]:
        return self._cells

    def isna(self) -> FrameColumn:
        """Return for each cell whether it is missing; NaN, which pandas treats as missing, is not."""
        return FrameColumn([cell is None for cell in self._cells])


class ColumnFrame:
    """Columns of equal length by name, with the interface of a pandas data frame."""

    def __init__(self, columns: Mapping[str, list[Cell]]) -> None:
        self._columns = columns
        self.columns = list(columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name: str) -> FrameColumn:
        return FrameColumn(self._columns[name])

    def reset_index(self, *, drop: bool) -> ColumnFrame:
        """Return the frame: rows have no labels."""
        assert drop  # noqa: S101 - else there would be a column more
        return self


def chunks(columns: Mapping[str, list[Cell]], length: int) -> Iterator[dict[str, list[Cell]]]:
    for start in range(0, length, ROWS_PER_FRAME):
        yield {name: cells[start : start + ROWS_PER_FRAME] for name, cells in columns.items()}


def build_frame(
    columns: Mapping[str, list[Cell]], properties: Mapping[str, Property]
) -> tuple[ColumnFrame, dict[str, str]]:
    """Build a frame, and kglite's names of the types that the schema gives its columns."""
    kinds = {name: properties[name].kind if name in properties else PropertyKind.STRING for name in columns}
    return ColumnFrame(columns), {name: _COLUMN_TYPES[kind] for name, kind in kinds.items()}


_START, _END = "start node", "end node"
"""Frame columns of the endpoints; the space prevents a clash with properties."""


def load_tables(graph: Any, source: RepositoryGraph) -> Iterator[int]:
    """Load the tables; yield the number of rows that each step added."""
    for table in source.nodes:
        yield from add_nodes(graph, table)
    for relationships in source.relationships:
        yield from add_relationships(graph, relationships)


def add_nodes(graph: Any, table: NodeTable) -> Iterator[int]:
    properties = properties_of_node(table.label)
    for chunk in chunks(table.columns, len(table)):
        frame, kinds = build_frame(chunk, properties)
        graph.add_nodes(frame, table.label, "id", "name", column_types=kinds)
        yield len(frame)


def add_relationships(graph: Any, table: RelationshipTable) -> Iterator[int]:
    properties = properties_of_relationship(table.type)
    ends: dict[str, list[Cell]] = {_START: [*table.start], _END: [*table.end]}
    for chunk in chunks(ends | table.columns, len(table)):
        frame, kinds = build_frame(chunk, properties)
        graph.add_relationships(frame, table.type, table.start_label, _START, table.end_label, _END, column_types=kinds)
        yield len(frame)


def size(graph: Any) -> tuple[int, int]:
    """Return the number of nodes and relationships."""
    info = graph.graph_info()
    return info["node_count"], info["edge_count"]


def stored_ids(graph: Any, label: str, ids: Sequence[str]) -> set[str]:
    found = graph.cypher(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id AS id", params={"ids": list(ids)})
    return set(found.column("id")) if len(found) else set()


def drop_unused_packages(graph: Any) -> None:
    graph.cypher("MATCH (p:Package) WHERE NOT (p)--() DELETE p")


LISTED = ("Repository", "Package")
"""Labels of the nodes in the list of repositories."""


def directory_rows(graph: RepositoryGraph) -> RepositoryGraph:
    """Return the Repository node, the packages, and their relationships."""
    nodes: list[NodeTable] = [table for table in graph.nodes if table.label in LISTED]
    joined = [
        table for table in graph.relationships if table.start_label == "Repository" and table.end_label == "Package"
    ]
    return RepositoryGraph(graph.repository, nodes, joined)


def listed_changes(changes: GraphChanges) -> GraphChanges:
    """Return the changes of the list of repositories."""

    def kept(tables: Sequence[RelationshipTable]) -> list[RelationshipTable]:
        return [table for table in tables if (table.start_label, table.end_label) == LISTED]

    removed: Mapping[Joined, Sequence[Pair]] = {
        joined: pairs for joined, pairs in changes.removed_relationships.items() if joined[1:] == LISTED
    }
    return GraphChanges(
        changes.repository,
        changes.base,
        {},
        [table for table in changes.added_nodes if table.label in LISTED],
        [table for table in changes.changed_nodes if table.label in LISTED],
        removed,
        kept(changes.added_relationships),
        kept(changes.changed_relationships),
    )


_BY_STATEMENT = 5_000
"""Maximum rows of one table that are added without a frame."""
_ALWAYS = ("id", "name")
"""Properties of every node."""


def apply_changes(graph: Any, changes: GraphChanges, progress: Progress | None = None) -> None:
    """Apply changes. Raises: ChangesRefusedError if the stored graph is not the base of the changes; InvalidGraphError."""
    text = "MATCH (r:Repository {id: $id}) RETURN r.revision AS revision"
    found = graph.cypher(text, params={"id": changes.repository})
    require_base(changes, found.column("revision")[0] if len(found) else None)
    for joined, pairs in changes.removed_relationships.items():
        for match, rows in _match_relationships(joined, [list(pair) for pair in pairs]):
            _expect(graph, f"UNWIND $rows AS row {match} DELETE n", rows, "relationships_deleted")
    for label, ids in changes.removed_nodes.items():
        _expect(graph, f"UNWIND $rows AS row MATCH (n:{label} {{id: row}}) DETACH DELETE n", [*ids], "nodes_deleted")
    total = len(changes)
    done = total - changes.count_written()
    for added in _put(graph, changes):
        done += added
        if progress is not None:
            progress(done, total)
    drop_unused_packages(graph)


def _put(graph: Any, changes: GraphChanges) -> Iterator[int]:
    """Write added and changed rows; yield the number of rows of each step."""
    for table in changes.added_nodes:
        yield from _create_nodes(graph, table)
    for table in changes.changed_nodes:
        names = [name for name in table.columns if name != "id"]
        rows = [list(row) for row in zip(*(table.columns[name] for name in ("id", *names)), strict=True)]
        yield _set(graph, f"MATCH (n:{table.label} {{id: row[0]}})", names, rows, 1)
    ends = new_endpoints(changes)
    require_endpoints(ends, {label: stored_ids(graph, label, ids) for label, ids in ends.items()})
    for joined in changes.added_relationships:
        yield from _create_relationships(graph, joined)
    for joined in changes.changed_relationships:
        rows = [list(row) for row in zip(joined.start, joined.end, *joined.columns.values(), strict=True)]
        for match, part in _match_relationships((joined.type, joined.start_label, joined.end_label), rows):
            yield _set(graph, match, list(joined.columns), part, 2)


def _match_relationships(joined: Joined, rows: list[list[Cell]]) -> Iterator[tuple[str, list[list[Cell]]]]:
    """Yield patterns of relationships `n` with the rows whose ends, at 0 and 1, they match.

    A pattern is expanded from its first node, once for each row: from the end that fewer rows share, because the other may be a hub.
    """
    kind, start, end = joined
    first, second = f"(:{start} {{id: row[0]}})", f"(:{end} {{id: row[1]}})"
    starts, ends = Counter(row[0] for row in rows), Counter(row[1] for row in rows)
    forward: list[list[Cell]] = []
    backward: list[list[Cell]] = []
    for row in rows:
        (forward if starts[row[0]] <= ends[row[1]] else backward).append(row)
    if forward:
        yield f"MATCH {first}-[n:{kind}]->{second}", forward
    if backward:
        yield f"MATCH {second}<-[n:{kind}]-{first}", backward


def _create_nodes(graph: Any, table: NodeTable) -> Iterator[int]:
    there = stored_ids(graph, table.label, [str(node) for node in table.columns["id"]])
    if there and table.label != "Package":
        raise ChangesRefusedError(f"{table.label}: {len(there)} of the added nodes are stored already, {min(there)!r}")
    if len(table) > _BY_STATEMENT:
        yield from add_nodes(graph, table)
        return
    places = {name: place for place, name in enumerate(table.columns)}
    rows = [list(row) for row in zip(*table.columns.values(), strict=True) if row[places["id"]] not in there]
    # CREATE rejects a property that no stored node of the label has yet, SET does not.
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
    """Set the properties `names`, whose values start at position `first` of each row."""
    if names:
        given = ", ".join(f"n.{name} = row[{place}]" for place, name in enumerate(names, first))
        found = graph.cypher(f"UNWIND $rows AS row {match} RETURN count(n) AS count", params={"rows": rows})
        if found.column("count")[0] != len(rows):
            raise ChangesRefusedError(f"{len(rows)} rows change, and {found.column('count')[0]} are stored ({match})")
        graph.cypher(f"UNWIND $rows AS row {match} SET {given}", params={"rows": rows})
    return len(rows)


def _expect(graph: Any, text: str, rows: list[Any], counted: str) -> None:
    """Run a statement that must affect as many items as it has rows. Raises: ChangesRefusedError otherwise."""
    if rows:
        graph.cypher(text, params={"rows": rows})
        done = graph.last_mutation_stats[counted]
        if done != len(rows):
            raise ChangesRefusedError(f"{counted}: {done} where {len(rows)} were expected ({text})")
