"""Graph of one repository read in pages through the API.

The ids of a label are read once, in pages; nodes and their outgoing relationships are then read by ranges of ids. Memory holds the
ids and one page. A truncated answer is requested again in smaller parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from repoquarry.client.values import from_message, to_message
from repoquarry.graphstore.model.graph_tables import Cell
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
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
