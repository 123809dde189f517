"""Export of graphs: a repository read in pages through the API, and written as Parquet.

The ids of a label are read once, in pages; nodes and their outgoing relationships are then read by ranges of ids. Memory holds the
ids and one page. A truncated answer is requested again in smaller parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repoquarry.client.values import from_message, to_message
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
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
