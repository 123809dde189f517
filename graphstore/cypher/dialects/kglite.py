"""kglite 0.21, the embedded engine: what it answers as Neo4j does, what is rewritten for it, what is refused.

Found by running the openCypher TCK, a table of values through every function and operator, the project's corpus and random
queries on it beside Neo4j 5.26. It must be run with the optimiser passes `fold_aliasing_with` and
`extract_pushable_rel_predicates` disabled and with `hide_structural_keys`.
"""

from __future__ import annotations

from graphstore.cypher import ast, types
from graphstore.cypher.dialect import Change, Context, Dialect, Rule, Test
from graphstore.cypher.dialects.kglite_refusals import REFUSALS
from graphstore.cypher.dialects.shared import SHARED_RULES
from graphstore.cypher.rewrites import aggregation, expressions, matching, patterns, projections, subqueries, texts


def _calls(*names: str) -> Test:
    """Calls of these functions."""
    return lambda node, context: isinstance(node, ast.Call) and node.name.lower() in names


def _round_to_whole(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "round":
        return False
    whole = len(node.arguments) == 1 or node.arguments[1] == ast.Literal(0)
    return len(node.arguments) <= 2 and whole and context.analysis.type_of(node.arguments[0]).may_be(types.FLOAT)


def _open_bounds(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() not in ("substring", "left", "right"):
        return False
    return not all(isinstance(a, ast.Literal) and isinstance(a.value, int) and a.value >= 0 for a in node.arguments[1:])


def _root_or_logarithm(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() not in ("sqrt", "log", "log10"):
        return False
    argument = node.arguments[0]
    return not (isinstance(argument, ast.Literal) and isinstance(argument.value, int | float) and argument.value > 0)


def _rename(construct: str, old: str, new: str) -> Rule:
    return Rule(construct, ast.Call, _calls(old), "another name for the same function", f"RETURN {old}('aB') AS x",
                expressions.renamed(new))  # fmt: skip


def _over_list(old: str, new: str) -> Rule:
    return Rule(f"{old}()", ast.Call, _calls(old.lower()), f"the engine lacks it: [x IN list | {new}(x)]",
                f"RETURN {old}(['1', '2']) AS x", expressions.over_list(new))  # fmt: skip


def _rewrite(construct: str, kind: type[ast.Node], test: Test, change: Change, why: str, example: str) -> Rule:
    return Rule(construct, kind, test, why, example, change)


REWRITES: tuple[Rule, ...] = (
    _rewrite("chained comparison `a < b < c`", ast.Comparison, expressions.is_chain, expressions.split_chain,
             "as `a < b AND b < c`", "MATCH (f:Function) WHERE 1 < f.start_line <= 50 RETURN f.id"),
    _rewrite("label test in an expression `n:Function`", ast.HasLabels, expressions.is_label_test,
             expressions.label_condition, "as `'Function' IN labels(n)`, right also where n is null",
             "OPTIONAL MATCH (n:Class) RETURN n:Function AS x"),
    _rewrite("CASE with several values or comparisons in a WHEN", ast.Case, expressions.is_extended_case,
             expressions.searched_case, "as CASE WHEN value = ... OR ...", "RETURN CASE 3 WHEN 1, 3 THEN 'odd' END AS x"),
    _rewrite("floating-point division by a value", ast.Binary, expressions.is_open_division,
             expressions.guarded_division, "division by zero gives an infinity; the query fails where Neo4j gives NaN",
             "MATCH (m:Module) RETURN m.importance / m.lines AS x"),
    _rewrite("round(x)", ast.Call, _round_to_whole, expressions.half_up_round,
             "halves are rounded towards positive infinity", "MATCH (m:Module) RETURN round(m.importance) AS x"),
    _rewrite("sqrt(), log(), log10() of a value", ast.Call, _root_or_logarithm, expressions.above_zero,
             "the query fails where Neo4j gives NaN or an infinity", "MATCH (m:Module) RETURN sqrt(m.lines) AS x"),
    _rewrite("substring(), left(), right() with a computed number", ast.Call, _open_bounds,
             expressions.checked_bounds, "a negative number fails, as on Neo4j",
             "MATCH (m:Module) RETURN left(m.path, size(m.path) - 3) AS x"),
    _rewrite("isEmpty()", ast.Call, _calls("isempty"), expressions.is_empty, "as `size(x) = 0`",
             "MATCH (m:Module) RETURN isEmpty(m.name) AS x"),
    _rewrite("nullIf()", ast.Call, _calls("nullif"), expressions.null_if, "as CASE",
             "MATCH (m:Module) RETURN nullIf(m.lines, 0) AS x"),
    _rename("char_length()", "char_length", "size"),
    _rename("character_length()", "character_length", "size"),
    _rename("lower()", "lower", "toLower"),
    _rename("upper()", "upper", "toUpper"),
    _rewrite("toStringList()", ast.Call, _calls("tostringlist"), texts.printed_items,
             "the engine lacks it: [x IN list | toString(x)]", "RETURN toStringList(['1', '2']) AS x"),
    _rewrite("equality of texts", ast.Comparison, texts.is_text_equality, texts.exact_equality,
             "the engine takes the text '[\"x\"]' as equal to 'x': their sizes are compared as well",
             "MATCH (f:Function) WHERE f.name = 'run' RETURN f.id"),
    _rewrite("IN with texts", ast.Binary, texts.is_text_membership, texts.exact_membership,
             "sizes are compared as well, as with =", "MATCH (f:Function) WHERE f.name IN ['run', 'close'] RETURN f.id"),
    _rewrite("reverse() of a text", ast.Call, texts.is_reversed_text, texts.checked_reverse,
             "the query fails on a text that begins with `[`, which the engine takes for a list",
             "MATCH (m:Module) RETURN reverse(m.name) AS x"),
    _rewrite("toString() of a float", ast.Call, texts.prints_float, texts.plain_digits,
             "the query fails on a float that Neo4j prints with an exponent: below 0.001 or from 10,000,000 on",
             "MATCH (m:Module) RETURN toString(round(m.importance, 2)) AS x"),
    _rewrite("text + float", ast.Binary, texts.joins_float, texts.plain_joined_digits,
             "the query fails on a float that Neo4j prints with an exponent",
             "MATCH (m:Module) RETURN m.name + ': ' + round(m.importance, 2) AS x"),
    _over_list("toIntegerList", "toInteger"),
    _over_list("toFloatList", "toFloat"),
    _rewrite("list addition where a side may be null", ast.Binary, expressions.is_list_sum, expressions.null_safe_sum,
             "gives null, as on Neo4j", "MATCH (c:Class) RETURN c.bases + ['object'] AS x"),
    _rewrite("map projection of a map", ast.MapProjection, expressions.is_map_projection_of_map,
             expressions.entries_of_map, "as a map literal", "WITH {a: 1, b: 2} AS m RETURN m {.a} AS x"),
    _rewrite("exists(pattern)", ast.Call, expressions.is_pattern_exists, expressions.bare_predicate,
             "as the pattern itself", "MATCH (f:Function) WHERE exists((f)<-[:CALLS]-()) RETURN f.id"),
    _rewrite("=~", ast.Binary, matching.is_match, matching.portable_match,
             "the pattern is spelt for the engine: classes and (?i) written out; look-around is refused",
             "MATCH (f:Function) WHERE f.name =~ '(?i)get_.*' RETURN f.id"),
    _rewrite("conditions inside a pattern of MATCH", ast.Match, patterns.match_needs, patterns.plain_match,
             "WHERE, property maps, label expressions, {m,n} quantifiers and bound relationships move to WHERE or `*`",
             "MATCH (m:Module WHERE m.lines > 100)-[r:DEFINES]->(f:!Class {kind: 'method'}) RETURN f.id"),
    _rewrite("conditions inside a pattern predicate", ast.PatternPredicate, patterns.predicate_needs,
             patterns.plain_predicate, "as EXISTS { MATCH ... WHERE ... }",
             "MATCH (f:Function) WHERE NOT (f)<-[:CALLS]-({is_test: true}) RETURN f.id"),
    _rewrite("conditions inside a pattern comprehension", ast.PatternComprehension, patterns.comprehension_needs,
             patterns.plain_comprehension, "moved to its WHERE",
             "MATCH (m:Module) RETURN [(m)-[:DEFINES]->(f:Function {kind: 'function'}) | f.name] AS x"),
    _rewrite("EXISTS, COUNT and COLLECT with a RETURN", ast.Subquery, subqueries.is_subquery, subqueries.simplify,
             "a plain RETURN is dropped; a plain COLLECT is a pattern comprehension",
             "MATCH (m:Module) WHERE COUNT { MATCH (m)-[:DEFINES]->(f) RETURN f } > 2 RETURN m.id"),
    _rewrite("EXISTS, COUNT and COLLECT with more than one MATCH", ast.SingleQuery, subqueries.hoists, subqueries.hoist,
             "computed by a CALL (*) { } before the clause",
             "MATCH (m:Module) RETURN COLLECT { MATCH (m)-[:DEFINES]->(f) RETURN f.name ORDER BY f.name LIMIT 3 } AS x"),
    _rewrite("COUNT { } or EXISTS { } as the left operand of a comparison", ast.Comparison, subqueries.leads,
             subqueries.not_leading, "behind a number, since the engine misreads `(COUNT {`",
             "MATCH (f:Function) WHERE NOT (COUNT { (f)-[:CALLS]->() } > 2) RETURN f.id"),
    _rewrite("COUNT { } or EXISTS { } as the left operand of an operator", ast.Binary, subqueries.leads,
             subqueries.not_leading, "behind a constant, since the engine misreads `(EXISTS {`",
             "MATCH (f:Function) WHERE NOT (EXISTS { (f)-[:CALLS]->() } AND f.is_test) RETURN f.id"),
    _rewrite("aggregation inside CASE, all() or reduce()", ast.SingleQuery, aggregation.splits, aggregation.split,
             "grouped in a WITH first",
             "MATCH (f:Function) RETURN f.kind AS kind, CASE WHEN count(*) > 9 THEN 'many' ELSE 'few' END AS x"),
    _rewrite("ORDER BY and WHERE of a grouped projection by its expressions", ast.Projection,
             projections.sorts_by_projected_expressions, projections.sort_by_names, "by the names of the columns",
             "MATCH (f:Function) RETURN f.kind AS kind, count(*) AS n ORDER BY count(*) DESC, f.kind"),
    _rewrite("UNION with columns in another order", ast.Query, projections.union_order_differs, projections.align_union,
             "in the order of the first part", "RETURN 1 AS a, 2 AS b UNION RETURN 3 AS b, 4 AS a"),
)  # fmt: skip

FUNCTIONS = frozenset({
    "abs", "avg", "btrim", "ceil", "coalesce", "collect", "count", "e", "endnode", "exists", "exp", "floor", "head",
    "keys", "labels", "last", "left", "length", "log", "log10", "ltrim", "max", "min", "nodes", "pi", "properties", "rand",
    "randomuuid", "range", "relationships", "replace", "reverse", "right", "round", "rtrim", "sign", "size", "split",
    "sqrt", "startnode", "substring", "sum", "tail", "timestamp", "toboolean", "tofloat", "tointeger", "tolower",
    "tostring", "toupper", "trim", "type", "valuetype",
    # rewritten
    "char_length", "character_length", "isempty", "lower", "nullif", "tofloatlist", "tointegerlist", "tostringlist",
    "upper",
})  # fmt: skip
_TEMPORAL = "temporal values differ between engines: keep times as numbers or ISO strings"
_INTERNAL_ID = "internal numbers differ from engine to engine and change: use n.id, which is stable"
_LAST_DIGIT = "the last digit differs from Neo4j's"
MISSING = {
    "id": _INTERNAL_ID,
    "elementid": _INTERNAL_ID,
    "percentilecont": "the engine lacks it: collect the sorted values and take the one you want by its index",
    "percentiledisc": "the engine lacks it: collect the sorted values and take the one you want by its index",
    "stdev": f"{_LAST_DIGIT}: compute it from sum(x) and sum(x * x)",
    "stdevp": "the engine lacks it: compute it from sum(x) and sum(x * x)",
    "isnan": "no query on this engine yields NaN",
    "normalize": "the engine lacks it",
    **dict.fromkeys(("tobooleanlist", "tobooleanornull", "tofloatornull", "tointegerornull", "tostringornull"),
                    "the engine lacks it: use toBoolean(), toFloat(), toInteger() or toString()"),
    **dict.fromkeys(("sin", "cos", "tan", "cot", "asin", "acos", "atan", "atan2", "haversin", "degrees", "radians"),
                    _LAST_DIGIT),
    **dict.fromkeys(("point", "point.distance", "point.withinbbox"), "the graph holds no points"),
    **dict.fromkeys(("vector.similarity.cosine", "vector.similarity.euclidean"), "use the search of the service"),
    **dict.fromkeys(("date", "datetime", "localdatetime", "localtime", "time", "duration"), _TEMPORAL),
    **{f"{kind}.{how}": _TEMPORAL for kind in ("date", "datetime", "localdatetime", "localtime", "time")
       for how in ("realtime", "statement", "transaction", "truncate")},
    **{f"duration.{how}": _TEMPORAL for how in ("between", "indays", "inmonths", "inseconds")},
    "datetime.fromepoch": _TEMPORAL,
    "datetime.fromepochmillis": _TEMPORAL,
}  # fmt: skip

DIALECT = Dialect(
    name="kglite",
    rules=(*SHARED_RULES, *REFUSALS, *REWRITES),
    functions=FUNCTIONS,
    missing_functions=MISSING,
)
