"""QueryService: Cypher from outside, answered in a header, batches of rows and a summary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from repoquarry.graphstore.engine import QueryLimits, QueryResult
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.host import Host
from repoquarry.server.errors import invalid
from repoquarry.server.values import from_proto, to_proto
from repoquarry.v1 import query_service_pb2 as pb

_MAX_QUERY = 1_000_000
_CALLS = re.compile(r"\bCALLS\b|\bUNRESOLVED\b|-\[\s*\w*\s*(\*[\d.]*)?\s*\]-|--|calls_in|calls_out")
"""Queries that look at calls, or at relationships of any type: only those can miss a call that was not resolved."""


def never() -> bool:
    """A caller that does not cancel."""
    return False


class QueryApplication:
    """QueryService over a store in this process."""

    def __init__(self, host: Host, bases: Bases) -> None:
        self._host = host
        self._bases = bases

    def execute_cypher(
        self, request: pb.ExecuteCypherRequest, cancelled: Callable[[], bool] = never
    ) -> Iterator[pb.ExecuteCypherResponse]:
        """Run the query before the first part is given, so that a refusal is an error and not a broken stream."""
        if not request.query.strip():
            raise invalid("query", "empty")
        if len(request.query) > _MAX_QUERY:
            raise invalid("query", f"longer than {_MAX_QUERY} characters")
        parameters = {name: from_proto(value) for name, value in request.parameters.items()}
        result = self._host.store.query(request.query, parameters, self._limits(request.limits), cancelled)
        return self._parts(request, result)

    def _parts(self, request: pb.ExecuteCypherRequest, result: QueryResult) -> Iterator[pb.ExecuteCypherResponse]:
        yield pb.ExecuteCypherResponse(header=pb.ResultHeader(columns=result.columns))
        size = self._host.settings.server.rows_per_batch
        for start in range(0, len(result.rows), size):
            rows = [pb.Row(values=[to_proto(value) for value in row]) for row in result.rows[start : start + size]]
            yield pb.ExecuteCypherResponse(rows=pb.RowBatch(rows=rows))
        summary = pb.ResultSummary(
            row_count=len(result.rows),
            truncated=result.truncated is not None,
            truncated_by=result.truncated or "",
            warnings=result.warnings,
            seconds=result.seconds,
            basis=self._bases.of(self._host.store.repositories(), self._names(request, result)),
        )
        yield pb.ExecuteCypherResponse(summary=summary)

    def _names(self, request: pb.ExecuteCypherRequest, result: QueryResult) -> set[str] | None:
        """Short names in the answer whose unresolved calls could bear on it; None when it is about calls at large."""
        if not _CALLS.search(request.query):
            return set()
        found: set[str] = set()
        for row in result.rows[:1_000]:
            for value in row:
                _collect(value, found)
        for literal in re.findall(r"'([^'\\]*)'|\"([^\"\\]*)\"", request.query):
            found.update(_short(part) for part in literal)
        for parameter in request.parameters.values():
            _collect(from_proto(parameter), found)
        return {name for name in found if name.isidentifier()} or None

    def _limits(self, asked: pb.QueryLimits) -> QueryLimits:
        ours = self._host.settings.store.limits
        return QueryLimits(
            seconds=_tighter(asked.seconds, ours.seconds, "limits.seconds"),
            rows=int(_tighter(asked.rows, ours.rows, "limits.rows")),
            bytes=int(_tighter(asked.bytes, ours.bytes, "limits.bytes")),
            memory_bytes=ours.memory_bytes,
            path_hops=ours.path_hops,
        )

    def get_schema(self, request: pb.GetSchemaRequest) -> pb.GetSchemaResponse:
        labels = [
            pb.NodeLabel(name=label.name, meaning=label.meaning, properties=_properties(label.properties))
            for label in NODE_LABELS.values()
        ]
        kinds = [
            pb.RelationshipType(
                name=kind.name,
                meaning=kind.meaning,
                start_labels=kind.start,
                end_labels=kind.end,
                properties=_properties(kind.properties),
            )
            for kind in RELATIONSHIP_TYPES.values()
        ]
        return pb.GetSchemaResponse(node_labels=labels, relationship_types=kinds)


def _properties(properties: tuple[Property, ...]) -> list[pb.Property]:
    return [
        pb.Property(name=item.name, kind=item.kind.value, meaning=item.meaning, required=item.required)
        for item in properties
    ]


def _tighter(asked: float, ours: float, field: str) -> float:
    """The smaller of two limits, where 0 means none."""
    if not asked >= 0:
        raise invalid(field, f"{asked} is negative")
    return min(asked, ours) if asked and ours else asked or ours


def _collect(value: Value, found: set[str]) -> None:
    match value:
        case str():
            found.add(_short(value))
        case Node():
            name = value.properties.get("name")
            if isinstance(name, str) and set(value.labels) & {"Function", "Class", "Name", "External"}:
                found.add(_short(name))
        case Relationship():
            found.update(_short(id_) for id_ in (value.start_id, value.end_id))
        case Path():
            for node in value.nodes:
                _collect(node, found)
        case list():
            for item in value:
                _collect(item, found)
        case dict():
            for item in value.values():
                _collect(item, found)


def _short(text: str) -> str:
    """The last part of a dotted name or id: `a/b.py::Outer.method` gives `method`."""
    return re.split(r"[.:/]", text)[-1].partition("#")[0]
