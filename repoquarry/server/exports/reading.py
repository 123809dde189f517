"""The whole graph of one repository, label by label and type by type, in pages that fit every limit on a query.

Nodes are paged by id, relationships by the ids that they start from, so that memory holds one page and an answer that a
limit cut is asked for again in smaller parts, never taken for the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from repoquarry.client.values import from_message, to_message
from repoquarry.graphstore.model.records import Cell
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.store import Store
from repoquarry.server.api import Api
from repoquarry.server.errors import refuse
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest

PAGE = 2_000
"""Nodes asked for at once."""

_STARTS = 500
"""Nodes whose relationships are asked for at once."""


@dataclass(frozen=True)
class ExportedNode:
    """A node with the properties that are set on it."""

    label: str
    id: str
    properties: dict[str, Any]


@dataclass(frozen=True)
class ExportedRelationship:
    """A relationship with the properties that are set on it."""

    type: str
    start_label: str
    start_id: str
    end_label: str
    end_id: str
    properties: dict[str, Any]


class Readable(Protocol):
    """One repository as exports read it."""

    @property
    def repository(self) -> str: ...

    def nodes(self) -> Iterator[ExportedNode]: ...

    def relationships(self) -> Iterator[ExportedRelationship]: ...


class StoredGraph:
    """As `RepositoryGraph`, from a store of this process: read at once and not in pages, for whole stores.

    Of nodes of other repositories it gives no more than which repository they are of.
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


class RepositoryGraph:
    """The nodes of a repository, its relationships, and the nodes elsewhere that they lead to (packages, other repositories)."""

    def __init__(self, api: Api, repository: str) -> None:
        self._api = api
        self.repository = repository

    def nodes(self) -> Iterator[ExportedNode]:
        """Every node once."""
        for label in NODE_LABELS:
            for node in self._paged(label, "n"):
                yield ExportedNode(label, node["id"], node["properties"])
        yield from self._elsewhere()

    def _paged(self, label: str, wanted: str) -> Iterator[Any]:
        """One value for each node of a label, in the order of their ids."""
        query = (
            f"MATCH (n:{label}) WHERE n.repository = $repository AND n.id > $after "
            f"RETURN n.id AS id, {wanted} AS wanted ORDER BY n.id LIMIT $rows"
        )
        after = ""
        while True:
            rows, cut = self._rows(query, repository=self.repository, after=after, rows=PAGE)
            if cut and not rows:
                raise refuse("QUERY_LIMIT", f"one {label} behind {after!r} is larger than a result may be", limit=cut)
            yield from (value for _, value in rows)
            after = rows[-1][0] if rows else after
            if not cut and len(rows) < PAGE:
                return

    def _elsewhere(self) -> Iterator[ExportedNode]:
        seen: set[tuple[str, str]] = set()
        for kind in RELATIONSHIP_TYPES.values():
            for relationship in self._of_type(kind.name, kind.start, elsewhere=True):
                key = (relationship.end_label, relationship.end_id)
                if key not in seen:
                    seen.add(key)
                    yield self._node(*key)

    def _node(self, label: str, id_: str) -> ExportedNode:
        rows, _ = self._rows(f"MATCH (n:{label}) WHERE n.id = $id RETURN n", id=id_)
        ((node,),) = rows
        return ExportedNode(label, node["id"], node["properties"])

    def relationships(self) -> Iterator[ExportedRelationship]:
        """Every relationship that starts in the repository once."""
        for kind in RELATIONSHIP_TYPES.values():
            yield from self._of_type(kind.name, kind.start, elsewhere=False)

    def _of_type(self, kind: str, starts: Sequence[str], *, elsewhere: bool) -> Iterator[ExportedRelationship]:
        only = "AND coalesce(b.repository, '') <> $repository " if elsewhere else ""
        for label in starts:
            query = (
                f"MATCH (a:{label})-[r:{kind}]->(b) WHERE a.id IN $ids {only}"
                "RETURN a.id AS start, labels(b)[0] AS label, b.id AS end, properties(r) AS properties"
            )
            ids: list[str] = []
            for id_ in self._paged(label, "n.id"):
                ids.append(id_)
                if len(ids) == _STARTS:
                    yield from self._from(query, kind, label, ids)
                    ids = []
            yield from self._from(query, kind, label, ids)

    def _from(self, query: str, kind: str, label: str, ids: Sequence[str]) -> Iterator[ExportedRelationship]:
        """The relationships that start at these, in halves where one answer does not hold them."""
        if not ids:
            return
        given = {"repository": self.repository} if "$repository" in query else {}
        rows, cut = self._rows(query, ids=list(ids), **given)
        if not cut:
            for start, end_label, end, properties in rows:
                yield ExportedRelationship(kind, label, start, end_label, end, properties)
        elif len(ids) > 1:
            yield from self._from(query, kind, label, ids[: len(ids) // 2])
            yield from self._from(query, kind, label, ids[len(ids) // 2 :])
        else:
            yield from self._of_one(query, kind, label, ids[0], given)

    def _of_one(
        self, query: str, kind: str, label: str, id_: str, given: dict[str, str]
    ) -> Iterator[ExportedRelationship]:
        first = 0
        ordered = f"{query} ORDER BY end, label, toString(properties.kind) SKIP $first LIMIT $rows"
        while True:
            rows, cut = self._rows(ordered, ids=[id_], first=first, rows=PAGE, **given)
            if cut and not rows:
                raise refuse("QUERY_LIMIT", f"one {kind} of {id_!r} is larger than a result may be", limit=cut)
            for start, end_label, end, properties in rows:
                yield ExportedRelationship(kind, label, start, end_label, end, properties)
            first += len(rows)
            if not cut and len(rows) < PAGE:
                return

    def _rows(self, query: str, **parameters: Any) -> tuple[list[list[Any]], str]:
        """Rows of a query, and the limit that cut them; empty for none."""
        given = {name: to_message(value) for name, value in parameters.items()}
        rows: list[list[Any]] = []
        cut = ""
        for part in self._api.queries.execute_cypher(ExecuteCypherRequest(query=query, parameters=given)):
            rows += [[from_message(value) for value in row.values] for row in part.rows.rows]
            if part.HasField("summary") and part.summary.truncated:
                cut = part.summary.truncated_by
        return rows, cut
