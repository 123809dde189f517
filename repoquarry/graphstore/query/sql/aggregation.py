"""SQL of aggregating functions over columns."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.sql.errors import UnsupportedError
from repoquarry.graphstore.query.sql.select_builder import Value
from repoquarry.graphstore.query.sql.sql_types import ANY, FLOAT, INTEGER, NULL, encode, list_of


def aggregate(call: ast.Call, arguments: Sequence[Value], order: str) -> tuple[Value, str]:
    """Return the type and SQL of an aggregation; `order` is the column whose order collect() keeps."""
    name, value = call.name.lower(), arguments[0]
    distinct = "DISTINCT " if call.distinct else ""
    column = f"cy_canonical({value.sql})" if call.distinct and value.type.is_dynamic else value.sql
    if name == "count":
        return Value("", INTEGER, nullable=False), f"count({distinct}{column})"
    if name == "collect":
        sorting = f" ORDER BY {order}" if order else ""
        sql = f"coalesce(list({distinct}{column}{sorting}) FILTER (WHERE {value.sql} IS NOT NULL), [])"
        return Value("", list_of(value.type), value.names, nullable=False), sql
    if value.type == NULL:
        return (Value("", INTEGER), "0::BIGINT") if name == "sum" else (Value("", NULL), "NULL::BIGINT")
    if name in ("min", "max"):
        return _extreme(name, value)
    if name in ("percentilecont", "percentiledisc"):
        return _percentile(name, arguments, distinct)
    if value.type.is_dynamic:
        return _dynamic(name, _gathered(value, distinct))
    if not value.type.is_number:
        raise UnsupportedError(f"{call.name}() of a {value.type.kind}", call)
    if name == "sum":
        if value.type == INTEGER:
            return Value("", INTEGER, nullable=False), f"coalesce(sum({distinct}{column}), 0)::BIGINT"
        return Value("", FLOAT, nullable=False), f"coalesce(sum({distinct}{column}), 0.0::DOUBLE)"
    if name == "avg":
        return Value("", FLOAT), f"avg({distinct}{column})"
    if name in ("stdev", "stdevp"):
        function = "stddev_samp" if name == "stdev" else "stddev_pop"
        spread = f"{function}({distinct}{column}::DOUBLE)"
        few = f"CASE WHEN count({column}) > 0 THEN 0.0::DOUBLE END"  # Null for no number.
        return Value("", FLOAT), f"CASE WHEN count({distinct}{column}) < 2 THEN {few} ELSE {spread} END"
    raise UnsupportedError(f"{call.name}()", call)


def _gathered(value: Value, distinct: str) -> str:
    return f"list({distinct}{encode(value.sql, value.type)}) FILTER (WHERE {value.sql} IS NOT NULL)"


def _extreme(name: str, value: Value) -> tuple[Value, str]:
    if value.type.is_plain and not value.type.is_entity:
        return Value("", value.type), f"{name}({value.sql})"
    return Value("", ANY), f"cy_{name}({_gathered(value, '')})"


def _percentile(name: str, arguments: Sequence[Value], distinct: str) -> tuple[Value, str]:
    value, fraction = arguments
    function = "cy_percentile_cont" if name == "percentilecont" else "cy_percentile_disc"
    sql = f"{function}({_gathered(value, distinct)}, any_value({fraction.sql})::DOUBLE)"
    if value.type == FLOAT or (value.type == INTEGER and name == "percentiledisc"):
        return Value("", value.type), f"cy_to_{value.type.kind}({sql})"
    return Value("", ANY), sql


def _dynamic(name: str, gathered: str) -> tuple[Value, str]:
    if name == "sum":
        return Value("", ANY), f"cy_sum({gathered})"
    if name == "avg":
        return Value("", FLOAT), f"cy_mean({gathered})"
    raise UnsupportedError(f"{name}() of values whose type is known only at run time")
