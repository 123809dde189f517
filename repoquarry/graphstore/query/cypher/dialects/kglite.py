"""Dialect of kglite: constructs that pass or are rewritten.

The rules were found by running the openCypher TCK, a table of values for every function and operator, the project's corpus and random
queries on it and on Neo4j 5.26. kglite must run without the optimizer passes listed in
`repoquarry.graphstore.engines.kglite.loaded_graphs` and with `hide_structural_keys`.
"""

from __future__ import annotations

from repoquarry.graphstore.query.cypher.dialect import Dialect, read_rules

FUNCTIONS = frozenset({
    "abs", "avg", "btrim", "ceil", "coalesce", "collect", "count", "e", "endnode", "exists", "exp", "floor", "head",
    "keys", "labels", "last", "left", "length", "log", "log10", "ltrim", "max", "min", "nodes", "pi", "properties", "rand",
    "randomuuid", "range", "relationships", "replace", "reverse", "right", "round", "rtrim", "sign", "size", "split",
    "sqrt", "startnode", "substring", "sum", "tail", "toboolean", "tofloat", "tointeger", "tolower",
    "tostring", "toupper", "trim", "type", "valuetype",
    # rewritten
    "percentilecont", "percentiledisc", "stdev", "stdevp",
    "tobooleanlist", "tobooleanornull", "tofloatornull", "tointegerornull", "tostringornull",
    "char_length", "character_length", "isempty", "lower", "nullif", "tofloatlist", "tointegerlist", "tostringlist",
    "upper",
})  # fmt: skip
_TEMPORAL = "the engine has no temporal values: keep times as numbers or ISO strings"
_DAY = (
    "the engine has no temporal values: compare date(m.last_changed), date(r.commit_date) or date(datetime(r.indexed_at)) with "
    "date('2026-01-31'), read .year, .month or .day of these, or use the ISO string itself"
)
_INTERNAL_ID = "internal numbers differ from engine to engine and change: use n.id, which is stable"
_LAST_DIGIT = "the last digit differs from Neo4j's"
MISSING = {
    "id": _INTERNAL_ID,
    "elementid": _INTERNAL_ID,
    "isnan": "no query on this engine yields NaN",
    "normalize": "the engine lacks it",
    **dict.fromkeys(("sin", "cos", "tan", "cot", "asin", "acos", "atan", "atan2", "haversin", "degrees", "radians"),
                    _LAST_DIGIT),
    **dict.fromkeys(("point", "point.distance", "point.withinbbox"), "the graph holds no points"),
    **dict.fromkeys(("vector.similarity.cosine", "vector.similarity.euclidean"), "use the search of the service"),
    **dict.fromkeys(("date", "datetime"), _DAY),
    **dict.fromkeys(("localdatetime", "localtime", "time", "timestamp", "duration"), _TEMPORAL),
    **{f"{kind}.{how}": _TEMPORAL for kind in ("date", "datetime", "localdatetime", "localtime", "time")
       for how in ("realtime", "statement", "transaction", "truncate")},
    **{f"duration.{how}": _TEMPORAL for how in ("between", "indays", "inmonths", "inseconds")},
    "datetime.fromepoch": _TEMPORAL,
    "datetime.fromepochmillis": _TEMPORAL,
}  # fmt: skip

DIALECT = Dialect(
    name="kglite",
    rules=read_rules("kglite"),
    functions=FUNCTIONS,
    missing_functions=MISSING,
    finite_only=True,
)
