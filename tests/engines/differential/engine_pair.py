"""The same graphs on the embedded engine and on Neo4j, one query through the gate on both, and whether the rows are equal.

Equal means: the same columns and the same rows; in the same order where the query sorts its result; lists that gather
rows (collect, COLLECT, comprehensions over patterns) without regard to order unless rows were sorted before; floats to
twelve digits, because sums are taken in the order of rows, which no engine promises; standard deviations, which are sums of
squares of differences, to nine.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from repoquarry.graphstore.errors import GraphStoreError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.query.cypher.gate import admit

LIMITS = QueryLimits(seconds=300.0, rows=20_000)
"""Time for a busy machine: a written query that is cut is not compared, and its test fails."""

_SORTED = re.compile(r"ORDER BY(?!.*\b(MATCH|UNWIND|WITH|CALL|UNION|RETURN)\b)", re.DOTALL)
_DEVIATES = re.compile(r"\bstdevp?\(", re.IGNORECASE)
_GATHERS = re.compile(r"\b(collect|COLLECT|keys)\b|\[\s*\(|\[\s*\w+\s*=\s*\(")


@dataclass(frozen=True)
class Verdict:
    """`kind` is equal, refused, rejected (by both), failed, cut (by a limit), or DIFFERENT; `detail` says what was seen.

    `rows` is how many rows were compared.
    """

    kind: str
    detail: str = ""
    rows: int = 0


def compare(
    embedded: GraphEngine,
    reference: GraphEngine,
    query: str,
    parameters: Mapping[str, Value] | None = None,
    limits: QueryLimits = LIMITS,
) -> Verdict:
    """Run the query on both engines; on the reference only where the first was not cut."""
    given = parameters or {}
    found, failure = _run(embedded, query, given, limits)
    if isinstance(failure, QueryLimitError):
        return Verdict("cut", str(failure))
    expected, error = _run(reference, query, given, limits)
    if isinstance(error, QueryLimitError):
        return Verdict("cut", str(error))
    if expected is None:
        if found is None:
            return Verdict("rejected", str(error))
        return Verdict("DIFFERENT", f"reference fails: {error}\nembedded gives {found}")
    if found is None:
        kind = "refused" if isinstance(failure, QueryRefusedError) else "failed"
        return Verdict(kind, f"{type(failure).__name__}: {failure}")
    loose, digits = bool(_GATHERS.search(query)), 9 if _DEVIATES.search(query) else 12
    left, right = ([[key(cell, loose, digits) for cell in row] for row in rows] for _, rows in (found, expected))
    if not _SORTED.search(query):
        left, right = sorted(left), sorted(right)
    if found[0] != expected[0] or left != right:
        return Verdict("DIFFERENT", _difference(found, expected, left, right))
    return Verdict("equal", rows=len(left))


_Result = tuple[tuple[str, ...], list[tuple[Value, ...]]]


def _run(
    engine: GraphEngine, query: str, parameters: Mapping[str, Value], limits: QueryLimits
) -> tuple[_Result | None, GraphStoreError | None]:
    try:
        gated = admit(query, parameters, engine.info.dialect, path_hops=15)
        result = engine.run(gated.text, gated.parameters, limits)
        if result.truncated is not None:
            raise QueryLimitError(f"more than {limits.rows} rows", limit="rows")
    except GraphStoreError as error:
        return None, error
    return (gated.columns, result.rows), None


def _difference(found: _Result, expected: _Result, left: list[Any], right: list[Any]) -> str:
    only_left = [row for row in left if row not in right][:3]
    only_right = [row for row in right if row not in left][:3]
    return (
        f"columns {found[0]} | {expected[0]}; rows {len(left)} | {len(right)}\n"
        f"only embedded: {only_left}\nonly reference: {only_right}"
    )


def key(value: Value, loose: bool = False, digits: int = 12) -> str:
    """A text that is equal for equal values only: 1 and 1.0 differ."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else f"{value:.{digits}g}f"
    if isinstance(value, Node):
        return f"({value.labels} {key(value.properties)})"
    if isinstance(value, Relationship):
        ends = f"{value.start_label} {value.start_id} {value.end_label} {value.end_id}"
        return f"[{value.type} {ends} {key(value.properties)}]"
    if isinstance(value, Path):
        return f"<{key(list(value.nodes))} {key(list(value.relationships))}>"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name!r}:{key(item, loose, digits)}" for name, item in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        items = [key(item, loose, digits) for item in value]
        return "[" + ",".join(sorted(items) if loose else items) + "]"
    return repr(value)
