"""Answers of lookup plans from the arrays of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from repoquarry.graphstore.engines.duckdb.graph_arrays import GraphArrays
from repoquarry.graphstore.query.cypher.syntax.ast import Parameter
from repoquarry.graphstore.query.sql.dynamic_values import EntityId
from repoquarry.graphstore.query.sql.lookup_expressions import Evaluator
from repoquarry.graphstore.query.sql.lookup_plan import LookupArm, LookupPlan
from repoquarry.graphstore.query.sql.sql_types import KIND_BITS, LABELS

_MAX_STEPS: Final = 2_000
"""Nodes and relationships of one lookup, above which joins in SQL are faster."""


class LargeLookupError(Exception):
    """A lookup with more steps than arrays answer well; SQL answers it."""


def answer_lookup(arrays: GraphArrays, plan: LookupPlan, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a plan, with the ids of entities. Raises: LargeLookupError; CypherFailure."""
    run = _Run(arrays, parameters)
    return [row for arm in plan.arms for row in run.rows(arm)]


class _Run:
    def __init__(self, arrays: GraphArrays, parameters: Mapping[str, Any]) -> None:
        self._arrays, self._parameters = arrays, parameters
        self._evaluator = Evaluator(arrays, parameters)
        self._steps = 0

    def rows(self, arm: LookupArm) -> Iterator[tuple[Any, ...]]:
        for row in self._unwound(arm):
            for node in self._anchors(arm, row):
                bound = {**row, arm.nodes[arm.anchor.place]: EntityId("n", node)}
                for match in self._matches(arm, bound, 0, ()):
                    if all(self._evaluator.holds(condition, match) for condition in arm.conditions):
                        yield tuple(_id(self._evaluator.value(item, match)) for item in arm.items)

    def _unwound(self, arm: LookupArm) -> list[dict[str, Any]]:
        if arm.unwind is None:
            return [{}]
        assert isinstance(arm.unwind.source, Parameter)  # noqa: S101 - so it was planned
        given = self._parameters[arm.unwind.source.name]
        values = given if isinstance(given, list | tuple) else [] if given is None else [given]
        return [{arm.unwind.variable: value} for value in values]

    def _anchors(self, arm: LookupArm, row: Mapping[str, Any]) -> Iterator[int]:
        """Yield the nodes that may be the anchor; the conditions decide."""
        found = self._evaluator.value(arm.anchor.value, row)
        values = found if arm.anchor.is_list and isinstance(found, list | tuple) else [found]
        for value in dict.fromkeys(value for value in values if isinstance(value, str)):
            for label in sorted(arm.labels):
                for node in self._arrays.find(label, arm.anchor.key, value):
                    self._count_step()
                    yield node

    def _matches(
        self, arm: LookupArm, row: dict[str, Any], place: int, used: tuple[int, ...]
    ) -> Iterator[dict[str, Any]]:
        """Yield the variables of all matches that extend a row by the hops from `place` on; relationships are distinct."""
        if place == len(arm.hops):
            yield row
            return
        hop = arm.hops[place]
        source = row[arm.nodes[hop.source]].id
        for relationship, end in self._arrays.neighbors(sorted(hop.types), hop.direction, source):
            self._count_step()
            if relationship in used or LABELS[end >> KIND_BITS] not in hop.labels:
                continue
            longer = {**row, arm.nodes[hop.target]: EntityId("n", end)}
            if arm.steps[hop.step]:
                longer[arm.steps[hop.step]] = EntityId("r", relationship)
            yield from self._matches(arm, longer, place + 1, (*used, relationship))

    def _count_step(self) -> None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise LargeLookupError


def _id(value: Any) -> Any:
    return value.id if isinstance(value, EntityId) else value
