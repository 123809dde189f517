"""Export of graphs: a repository read in pages through the API or at once from a store, and written as CSV for neo4j-admin or Parquet.

The ids of a label are read once, in pages; nodes and their outgoing relationships are then read by ranges of ids. Memory holds the
ids and one page. A truncated answer is requested again in smaller parts.

There is a file for each label and for each type between two labels; ids are grouped by label, because they are unique only within
a label. Several repositories share files: a shared package is written once, and links to other repositories are omitted, because
the engine could not write an incomplete repository later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Protocol

from repoquarry.client.values import from_message, to_message
from repoquarry.graphstore.model.graph_tables import Cell
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.graphstore.store import Store
from repoquarry.server.api import Api
from repoquarry.server.errors import request_error
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest

PAGE = 2_000
"""Rows of a page if one node has more relationships than an answer can hold."""
_IDS = 50_000
"""Maximum number of ids per request; a limit on rows truncates an answer earlier."""
_AT_ONCE = 1_000
"""Nodes per request, as a range of ids: the engine would search a list of ids for each node."""
_OUTWARD = [kind for kind in RELATIONSHIP_TYPES.values() if "Package" in kind.end]
"""Types with end nodes outside the repository: packages, and definitions of other repositories by `PROVIDES`."""
_PART = "{node}.repository = $repository AND {node}.id > $after AND {node}.id <= $until"
_LEAVING = "RETURN type(r) AS type, a.id AS start, labels(b)[0] AS label, b.id AS end, properties(r) AS properties"
_LEAVING_ORDER = "type, label, end, toString(properties.kind)"


@dataclass(frozen=True)
class ExportedNode:
    """Node with its set properties."""

    label: str
    id: str
    properties: dict[str, Any]


@dataclass(frozen=True)
class ExportedRelationship:
    """Relationship with its set properties."""

    type: str
    start_label: str
    start_id: str
    end_label: str
    end_id: str
    properties: dict[str, Any]


class GraphSource(Protocol):
    """Source of the graph of one repository."""

    @property
    def repository(self) -> str: ...

    def nodes(self) -> Iterator[ExportedNode]: ...

    def relationships(self) -> Iterator[ExportedRelationship]: ...


class StoreGraphSource:
    """Graph of a repository in a store of this process, read at once for exports of complete stores.

    Nodes of other repositories carry their repository id only.
    """

    def __init__(self, store: Store, repository: str) -> None:
        self.repository = repository
        self._graph = store.graph(repository)

    def nodes(self) -> Iterator[ExportedNode]:
        own: set[tuple[str, str]] = set()
        for table in self._graph.nodes:
            for cells in zip(*table.columns.values(), strict=True):
                properties = _present(table.columns, cells)
                own.add((table.label, properties["id"]))
                yield ExportedNode(table.label, properties["id"], properties)
        for joined in self._graph.relationships:
            for end in joined.end if joined.type == "PROVIDES" else ():
                if (joined.end_label, end) not in own:
                    yield ExportedNode(joined.end_label, end, {"repository": end.partition(":")[0]})

    def relationships(self) -> Iterator[ExportedRelationship]:
        for joined in self._graph.relationships:
            ends = zip(joined.start, joined.end, strict=True)
            rows = zip(*joined.columns.values(), strict=True) if joined.columns else ((),) * len(joined)
            for (start, end), cells in zip(ends, rows, strict=True):
                properties = _present(joined.columns, cells)
                yield ExportedRelationship(joined.type, joined.start_label, start, joined.end_label, end, properties)


def _present(names: Iterable[str], cells: Iterable[Cell]) -> dict[str, Any]:
    return {name: cell for name, cell in zip(names, cells, strict=True) if cell is not None}


class ApiGraphSource:
    """Nodes and relationships of a repository, with the external end nodes (packages, other repositories), read through the API."""

    def __init__(self, api: Api, repository: str) -> None:
        self._api = api
        self.repository = repository
        self._ids: dict[str, list[str]] = {}

    def nodes(self) -> Iterator[ExportedNode]:
        """Yield every node once."""
        for label in NODE_LABELS:
            query = f"MATCH (n:{label}) WHERE {_PART.format(node='n')} RETURN n"
            for (node,) in self.rows_of(label, query, "n.id"):
                yield ExportedNode(label, node["id"], node["properties"])
        for label, ids in self._elsewhere().items():
            for id_ in sorted(ids):
                ((node,),) = self._rows(f"MATCH (n:{label}) WHERE n.id = $id RETURN n", id=id_)[0]
                yield ExportedNode(label, node["id"], node["properties"])

    def relationships(self) -> Iterator[ExportedRelationship]:
        """Yield every relationship that starts in the repository once, grouped by ranges of start nodes."""
        for label in NODE_LABELS:
            if any(label in kind.start for kind in RELATIONSHIP_TYPES.values()):
                query = f"MATCH (a:{label})-[r]->(b) WHERE {_PART.format(node='a')} {_LEAVING}"
                for kind, start, end_label, end, properties in self.rows_of(label, query, _LEAVING_ORDER):
                    yield ExportedRelationship(kind, label, start, end_label, end, properties)

    def rows_of(self, label: str, query: str, order: str, **parameters: Any) -> Iterator[list[Any]]:
        """Yield all rows of a query about the nodes of a label of `$repository`, by ranges from `$after` to `$until`.

        `order` is a total order of the rows of one node, for nodes whose rows exceed an answer.
        """
        ids = self._own(label)
        for first in range(0, len(ids), _AT_ONCE):
            part = range(first, min(first + _AT_ONCE, len(ids)))
            yield from self._divided(query, order, ids, part, parameters)

    def _elsewhere(self) -> dict[str, set[str]]:
        """Return the ids of end nodes outside the repository, by label."""
        found: dict[str, set[str]] = {}
        for start in sorted({start for kind in _OUTWARD for start in kind.start}):
            types = "|".join(kind.name for kind in _OUTWARD if start in kind.start)
            query = (
                f"MATCH (a:{start})-[:{types}]->(b) WHERE {_PART.format(node='a')} AND coalesce(b.repository, '') <> $repository "
                "RETURN DISTINCT labels(b)[0] AS label, b.id AS id"
            )
            for label, id_ in self.rows_of(start, query, "label, id"):
                found.setdefault(label, set()).add(id_)
        return found

    def _own(self, label: str) -> list[str]:
        """Return the ids of the nodes of a label in the order of the engine; read once."""
        if label not in self._ids:
            query = (
                f"MATCH (n:{label}) WHERE n.repository = $repository AND n.id > $after "
                "RETURN n.id AS id ORDER BY id LIMIT $rows"
            )
            ids: list[str] = []
            while True:
                after = ids[-1] if ids else ""
                rows, cut = self._rows(query, repository=self.repository, after=after, rows=_IDS)
                if cut and not rows:
                    raise request_error(
                        "QUERY_LIMIT", f"the id behind {after!r} exceeds the size limit of a result", limit=cut
                    )
                ids += [id_ for (id_,) in rows]
                if not cut and len(rows) < _IDS:
                    break
            self._ids[label] = ids
        return self._ids[label]

    def _divided(
        self, query: str, order: str, ids: Sequence[str], part: range, parameters: dict[str, Any]
    ) -> Iterator[list[Any]]:
        """Yield the rows of a range of nodes: in halves if an answer is truncated, in pages for one node."""
        after, until = ids[part[0] - 1] if part[0] else "", ids[part[-1]]
        given = {"repository": self.repository, "after": after, "until": until, **parameters}
        rows, cut = self._rows(query, **given)
        if not cut:
            yield from rows
        elif len(part) > 1:
            yield from self._divided(query, order, ids, part[: len(part) // 2], parameters)
            yield from self._divided(query, order, ids, part[len(part) // 2 :], parameters)
        else:
            yield from self._paged(f"{query} ORDER BY {order}", **given)

    def _paged(self, ordered: str, **parameters: Any) -> Iterator[list[Any]]:
        """Yield all rows of an ordered query, in pages."""
        first = 0
        while True:
            rows, cut = self._rows(f"{ordered} SKIP $first LIMIT $rows", first=first, rows=PAGE, **parameters)
            if cut and not rows:
                raise request_error(
                    "QUERY_LIMIT", f"row {first} of {ordered!r} exceeds the size limit of a result", limit=cut
                )
            yield from rows
            first += len(rows)
            if not cut and len(rows) < PAGE:
                return

    def _rows(self, query: str, **parameters: Any) -> tuple[list[list[Any]], str]:
        """Return the rows of a query, and the limit that truncated them; empty for none."""
        given = {name: to_message(value) for name, value in parameters.items()}
        rows: list[list[Any]] = []
        cut = ""
        for part in self._api.queries.execute_cypher(ExecuteCypherRequest(query=query, parameters=given)):
            rows += [[from_message(value) for value in row.values] for row in part.rows.rows]
            if part.HasField("summary") and part.summary.truncated:
                cut = part.summary.truncated_by
        return rows, cut


ARGUMENTS = "arguments.txt"
_SEPARATOR = "\x1f"
"""Separator of list elements; it is replaced in texts."""
_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "long",
    PropertyKind.FLOAT: "double",
    PropertyKind.BOOLEAN: "boolean",
    PropertyKind.STRINGS: "string[]",
    PropertyKind.INTEGERS: "long[]",
}


def write_neo4j_csv(graphs: Iterable[GraphSource], chosen: Collection[str], folder: Path, database: str) -> str:
    """Write the files of the `chosen` repositories into an existing folder. Returns the import command.

    `graphs` are the graphs of the repositories, read one after the other.
    """
    with ExitStack() as opened:
        nodes, edges = _Files(folder, opened), _Files(folder, opened)
        packages: set[str] = set()
        for graph in graphs:
            absent = _write_nodes(graph, nodes, chosen, packages)
            _write_relationships(graph, edges, absent)
    lines = [f"--nodes={folder / name}" for name in nodes.names()]
    lines += [f"--relationships={folder / name}" for name in edges.names()]
    lines += ["--array-delimiter=U+001F", "--multiline-fields=true"]
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"neo4j-admin database import full {database} --overwrite-destination @{folder / ARGUMENTS}"


def _write_nodes(
    graph: GraphSource, files: _Files, chosen: Collection[str], packages: set[str]
) -> set[tuple[str, str]]:
    """Write the nodes of a repository and its packages. Returns label and id of the nodes outside the chosen repositories."""
    absent: set[tuple[str, str]] = set()
    for node in graph.nodes():
        owner = node.properties["repository"]
        if node.label == "Package":
            if node.id in packages:
                continue
            packages.add(node.id)
        elif owner != graph.repository:
            if owner not in chosen:
                absent.add((node.label, node.id))
            continue
        header, keys = _node_columns(node.label)
        row = [node.id, *map(node.properties.get, keys), node.label]
        files.write(f"nodes-{node.label}", header, row)
    return absent


@cache
def _node_columns(label: str) -> tuple[str, tuple[str, ...]]:
    """Return the header of a label's file, and the properties between the id and the label."""
    properties = [prop for prop in NODE_LABELS[label].properties if prop.name != "id"]
    columns = [f"id:ID({label})", *map(_column, properties), ":LABEL"]
    return ",".join(columns), tuple(prop.name for prop in properties)


@cache
def _relationship_columns(kind: str, start_label: str, end_label: str) -> tuple[str, tuple[str, ...]]:
    """Return the header of a type's file, and the properties between the ends and the type."""
    properties = RELATIONSHIP_TYPES[kind].properties
    columns = [f":START_ID({start_label})", f":END_ID({end_label})", *map(_column, properties), ":TYPE"]
    return ",".join(columns), tuple(prop.name for prop in properties)


def _write_relationships(graph: GraphSource, files: _Files, absent: set[tuple[str, str]]) -> None:
    for item in graph.relationships():
        if (item.end_label, item.end_id) in absent:
            continue
        header, keys = _relationship_columns(item.type, item.start_label, item.end_label)
        row = [item.start_id, item.end_id, *map(item.properties.get, keys), item.type]
        files.write(f"relationships-{item.type}-{item.start_label}-{item.end_label}", header, row)


class _Files:
    """Files without compression, which takes longer than the import saves, opened at their first row."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder = folder
        self._opened = opened
        self._files: dict[str, IO[str]] = {}

    def write(self, name: str, header: str, row: Iterable[Any]) -> None:
        file = self._files.get(name)
        if file is None:
            path = self._folder / f"{name}.csv"
            file = self._opened.enter_context(path.open("w", encoding="utf-8", newline=""))
            self._files[name] = file
            file.write(header + "\n")
        file.write(",".join(map(_cell, row)) + "\n")

    def names(self) -> list[str]:
        return [f"{name}.csv" for name in self._files]


def _column(prop: Property) -> str:
    return f"{prop.name}:{_TYPES[prop.kind]}"


def _cell(value: Any) -> str:
    """Format a value for the importer: nothing for null, quotes around all text, so that empty text is kept."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return _quoted(_SEPARATOR.join(str(item).replace(_SEPARATOR, " ") for item in value))
    return _quoted(str(value))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


_BATCH = 5_000
"""Rows of one row group in memory."""


def write_parquet(graph: ApiGraphSource, folder: Path) -> str:
    """Write the files into an existing folder. Returns their description. Raises: RequestError without pyarrow."""
    with ExitStack() as opened:
        tables = _Tables(folder, opened)
        for node in graph.nodes():
            tables.add(f"nodes-{node.label}", {"id": node.id, **node.properties}, NODE_LABELS[node.label].properties)
        for item in graph.relationships():
            row = {name: getattr(item, name) for name in _ENDS} | item.properties
            tables.add(f"relationships-{item.type}", row, RELATIONSHIP_TYPES[item.type].properties, _ENDS)
        tables.flush()
    return f"{len(tables.names)} Parquet files in {folder}"


_ENDS = ("start_id", "start_label", "end_id", "end_label")


class _Tables:
    """Files that are opened at their first row and written in batches."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as exc:
            message = "Parquet needs pyarrow: pip install 'repoquarry[parquet]'"
            raise request_error("EXTRA_MISSING", message, extra="parquet") from exc
        self._arrow: Any = pyarrow
        self._folder = folder
        self._opened = opened
        self._writers: dict[str, Any] = {}
        self._waiting: dict[str, list[dict[str, Any]]] = {}

    @property
    def names(self) -> list[str]:
        return list(self._writers)

    def add(self, name: str, row: dict[str, Any], properties: Sequence[Property], ends: Sequence[str] = ()) -> None:
        if name not in self._writers:
            schema = self._schema(properties, ends)
            path = str(self._folder / f"{name}.parquet")
            writer = self._arrow.parquet.ParquetWriter(path, schema, compression="zstd")
            self._writers[name] = self._opened.enter_context(writer)
        waiting = self._waiting.setdefault(name, [])
        waiting.append(row)
        if len(waiting) >= _BATCH:
            self._write(name)

    def flush(self) -> None:
        """Write the pending rows."""
        for name in list(self._waiting):
            self._write(name)

    def _write(self, name: str) -> None:
        rows, writer = self._waiting.pop(name), self._writers[name]
        writer.write_table(self._arrow.Table.from_pylist(rows, schema=writer.schema))

    def _schema(self, properties: Sequence[Property], ends: Sequence[str]) -> Any:
        arrow = self._arrow
        kinds = {
            PropertyKind.STRING: arrow.string(),
            PropertyKind.INTEGER: arrow.int64(),
            PropertyKind.FLOAT: arrow.float64(),
            PropertyKind.BOOLEAN: arrow.bool_(),
            PropertyKind.STRINGS: arrow.list_(arrow.string()),
            PropertyKind.INTEGERS: arrow.list_(arrow.int64()),
        }
        fields = [(name, arrow.string()) for name in ends]
        return arrow.schema([*fields, *((prop.name, kinds[prop.kind]) for prop in properties)])
