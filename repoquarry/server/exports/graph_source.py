"""Graph of one repository read in pages through the API.

The ids of a label are asked for once, in pages; nodes and what starts at them are then asked for from one id to another. Memory holds the
ids and one page. An answer that a limit cut is asked for again in smaller parts, never taken for the whole.
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
"""Rows of a page where one node has more relationships than an answer holds."""

_IDS = 50_000
"""Ids asked for at once; a limit on rows cuts an answer earlier."""
_AT_ONCE = 1_000
"""Nodes that are asked for at once, and whose relationships are: from one id to another, because a list of ids would be looked through
for each node."""
_OUTWARD = [kind for kind in RELATIONSHIP_TYPES.values() if "Package" in kind.end]
"""Types that lead to nodes that are not of the repository: packages, and by `PROVIDES` what other repositories define."""
_PART = "{node}.repository = $repository AND {node}.id > $after AND {node}.id <= $until"
_LEAVING = "RETURN type(r) AS type, a.id AS start, labels(b)[0] AS label, b.id AS end, properties(r) AS properties"
_LEAVING_ORDER = "type, label, end, toString(properties.kind)"


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


class GraphSource(Protocol):
    """One repository as exports read it."""

    @property
    def repository(self) -> str: ...

    def nodes(self) -> Iterator[ExportedNode]: ...

    def relationships(self) -> Iterator[ExportedRelationship]: ...


class StoreGraphSource:
    """As `ApiGraphSource`, from a store of this process: read at once and not in pages, for whole stores.

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


class ApiGraphSource:
    """The nodes of a repository, its relationships, and the nodes elsewhere that they lead to (packages, other repositories)."""

    def __init__(self, api: Api, repository: str) -> None:
        self._api = api
        self.repository = repository
        self._ids: dict[str, list[str]] = {}

    def nodes(self) -> Iterator[ExportedNode]:
        """Every node once."""
        for label in NODE_LABELS:
            query = f"MATCH (n:{label}) WHERE {_PART.format(node='n')} RETURN n"
            for (node,) in self.rows_of(label, query, "n.id"):
                yield ExportedNode(label, node["id"], node["properties"])
        for label, ids in self._elsewhere().items():
            for id_ in sorted(ids):
                ((node,),) = self._rows(f"MATCH (n:{label}) WHERE n.id = $id RETURN n", id=id_)[0]
                yield ExportedNode(label, node["id"], node["properties"])

    def relationships(self) -> Iterator[ExportedRelationship]:
        """Every relationship that starts in the repository once, those of some starts together."""
        for label in NODE_LABELS:
            if any(label in kind.start for kind in RELATIONSHIP_TYPES.values()):
                query = f"MATCH (a:{label})-[r]->(b) WHERE {_PART.format(node='a')} {_LEAVING}"
                for kind, start, end_label, end, properties in self.rows_of(label, query, _LEAVING_ORDER):
                    yield ExportedRelationship(kind, label, start, end_label, end, properties)

    def rows_of(self, label: str, query: str, order: str, **parameters: Any) -> Iterator[list[Any]]:
        """All rows of a query about the nodes of a label of `$repository`, those behind `$after` up to `$until` at a time.

        `order` makes the rows of one node a sequence, for where an answer does not hold them.
        """
        ids = self._own(label)
        for first in range(0, len(ids), _AT_ONCE):
            part = range(first, min(first + _AT_ONCE, len(ids)))
            yield from self._divided(query, order, ids, part, parameters)

    def _elsewhere(self) -> dict[str, set[str]]:
        """By label the ids of the nodes of no repository or of others that relationships lead to."""
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
        """Ids of the repository's nodes of a label in the engine's order, asked for once."""
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
                        "QUERY_LIMIT", f"the id behind {after!r} is larger than a result may be", limit=cut
                    )
                ids += [id_ for (id_,) in rows]
                if not cut and len(rows) < _IDS:
                    break
            self._ids[label] = ids
        return self._ids[label]

    def _divided(
        self, query: str, order: str, ids: Sequence[str], part: range, parameters: dict[str, Any]
    ) -> Iterator[list[Any]]:
        """The rows of a part of the nodes: in halves where one answer does not hold them, those of one node in pages."""
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
        """All rows of an ordered query, in pages."""
        first = 0
        while True:
            rows, cut = self._rows(f"{ordered} SKIP $first LIMIT $rows", first=first, rows=PAGE, **parameters)
            if cut and not rows:
                raise request_error(
                    "QUERY_LIMIT", f"row {first} of {ordered!r} is larger than a result may be", limit=cut
                )
            yield from rows
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
