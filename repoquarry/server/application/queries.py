"""Implementation of QueryService: runs untrusted Cypher and named queries, streams their rows, and returns the graph schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.query.cypher.gate import QueryFootprint
from repoquarry.graphstore.query.query_scheduler import Lane, QueryScheduler, SchedulerSettings
from repoquarry.graphstore.query.untrusted_queries import QueryAnswer
from repoquarry.server.application.basis import BasisBuilder
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.errors import invalid_field
from repoquarry.server.value_messages import parameters_from_proto, to_message, to_proto
from repoquarry.v1 import query_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.graphstore.query.query_library import LibraryQuery

_NAMES_FROM_ROWS = 1_000
"""Number of rows whose names are checked for relevant unresolved calls."""
_ROWS_PER_BATCH = 500


class QueryApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._bases = bases
        # Conversions hold the interpreter lock; one at a time per client lets other clients proceed.
        self._turns = QueryScheduler(SchedulerSettings(slow_places=2, waiting=host.settings.server.query_threads))

    def execute_cypher(
        self, request: pb.ExecuteCypherRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> Iterator[pb.ExecuteCypherResponse]:
        """Run the query before the first part is returned, so that a rejection is an error and not a broken stream.

        `client` owns the query in the scheduler. The iterator holds the rows until it ends or is closed.
        """
        text = request.query
        if bool(text.strip()) == bool(request.named_query):
            raise invalid_field(
                "query", "give a query or the name of one, not both" if request.named_query else "empty"
            )
        with self._turns.turn(client, Lane.SLOW, cancelled):
            parameters = parameters_from_proto(request.parameters)
        if request.named_query:
            named = self._host.store.query_library().require(request.named_query)
            text, parameters = named.text, named.bind(parameters)
        answer = self._host.store.execute_untrusted(text, parameters, self._limits(request.limits), cancelled, client)
        return self._parts(answer, parameters, client)

    def list_named_queries(self, request: pb.ListNamedQueriesRequest) -> pb.ListNamedQueriesResponse:
        queries = self._host.store.query_library().queries.values()
        return pb.ListNamedQueriesResponse(queries=map(to_named_query, queries))

    def _parts(
        self, answer: QueryAnswer, parameters: Mapping[str, Value], client: str
    ) -> Iterator[pb.ExecuteCypherResponse]:
        with answer.rows as held:
            yield pb.ExecuteCypherResponse(header=pb.ResultHeader(columns=answer.columns))
            names = _Names(answer.about, parameters)
            for batch in held.batches():
                names.see(batch)
                yield from self._batches(batch, client)
        summary = pb.ResultSummary(
            row_count=answer.row_count,
            truncated=answer.truncated is not None,
            truncated_by=answer.truncated or "",
            warnings=answer.warnings,
            seconds=answer.seconds,
            basis=self._bases.of(self._drawn_from(answer.repositories), names.found()),
        )
        yield pb.ExecuteCypherResponse(summary=summary)

    def _batches(self, rows: Sequence[tuple[Value, ...]], client: str) -> Iterator[pb.ExecuteCypherResponse]:
        for start in range(0, len(rows), _ROWS_PER_BATCH):
            with self._turns.turn(client, Lane.SLOW, never):
                part = [
                    pb.Row(values=[to_proto(value) for value in row]) for row in rows[start : start + _ROWS_PER_BATCH]
                ]
            yield pb.ExecuteCypherResponse(rows=pb.RowBatch(rows=part))

    def _drawn_from(self, wanted: frozenset[str] | None) -> list[str]:
        """List the stored repositories that the query covers: the named repositories, all without names, none if nothing matches."""
        stored = self._host.store.repositories()
        return stored if wanted is None else [id_ for id_ in stored if id_ in wanted]

    def _limits(self, asked: pb.QueryLimits) -> QueryLimits:
        ours = self._host.settings.store.limits
        return replace(
            ours,
            seconds=_tighter(asked.seconds, ours.seconds, "limits.seconds"),
            rows=int(_tighter(asked.rows, ours.rows, "limits.rows")),
            bytes=int(_tighter(asked.bytes, ours.bytes, "limits.bytes")),
        )

    def get_schema(self, request: pb.GetSchemaRequest) -> pb.GetSchemaResponse:
        labels = [
            to_message(pb.NodeLabel, label, properties=_properties(label.properties)) for label in NODE_LABELS.values()
        ]
        kinds = [
            to_message(
                pb.RelationshipType,
                kind,
                start_labels=kind.start,
                end_labels=kind.end,
                properties=_properties(kind.properties),
            )
            for kind in RELATIONSHIP_TYPES.values()
        ]
        return pb.GetSchemaResponse(node_labels=labels, relationship_types=kinds)


class _Names:
    """Short names in a query and its first rows, whose unresolved calls are relevant to the answer."""

    def __init__(self, about: QueryFootprint, parameters: Mapping[str, Value]) -> None:
        self._calls = about.calls
        self._names: set[str] = set()
        self._rows = 0
        if self._calls:
            _collect(list(about.literals), self._names)
            for name in about.parameters:
                _collect(parameters.get(name), self._names)

    def see(self, rows: Sequence[tuple[Value, ...]]) -> None:
        if not self._calls:
            return
        for row in rows[: max(0, _NAMES_FROM_ROWS - self._rows)]:
            for value in row:
                _collect(value, self._names)
        self._rows += len(rows)

    def found(self) -> set[str] | None:
        """Return the names; None when every unresolved call is relevant, empty when the query covers no calls."""
        if not self._calls:
            return set()
        return {name for name in self._names if name.isidentifier()} or None


def to_named_query(query: LibraryQuery) -> pb.NamedQuery:
    parameters = [to_message(pb.NamedQueryParameter, one, default_json=one.default) for one in query.parameters]
    return to_message(pb.NamedQuery, query, parameters=parameters, rule=query.is_rule, query=query.text)


def _properties(properties: tuple[Property, ...]) -> list[pb.Property]:
    return [to_message(pb.Property, item, kind=item.kind.value) for item in properties]


def _tighter(asked: float, ours: float, field: str) -> float:
    """Return the smaller of two limits; 0 means no limit."""
    if not asked >= 0:
        raise invalid_field(field, f"{asked} is negative")
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
    """Return the last part of a dotted name or id: `a/b.py::Outer.method` gives `method`."""
    return re.sub(r"#\d+$", "", re.split(r"[.:/]", text)[-1])
