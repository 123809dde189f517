"""Dialect of kglite: constructs that pass or are rewritten.

The rules were found by running the openCypher TCK, a table of values for every function and operator, the project's corpus and random
queries on it and on Neo4j 5.26. kglite must run without the optimizer passes listed in
`repoquarry.graphstore.engines.kglite.loaded_graphs` and with `hide_structural_keys`.
"""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.query.cypher.dialect import Change, Dialect, DialectRule, RewriteContext, Test
from repoquarry.graphstore.query.cypher.dialects.cost_limits import SHARED_RULES
from repoquarry.graphstore.query.cypher.dialects.kglite_refusals import REFUSALS
from repoquarry.graphstore.query.cypher.rewrites import (
    aggregation,
    anchoring,
    conversions,
    dates,
    expressions,
    operators,
    patterns,
    regex_match,
    strings,
    subqueries,
    type_guards,
)
from repoquarry.graphstore.query.cypher.rewrites import anchoring as seeking
from repoquarry.graphstore.query.cypher.rewrites import conversions as rounding
from repoquarry.graphstore.query.cypher.rewrites import expressions as projections
from repoquarry.graphstore.query.cypher.rewrites import path_groups as groups
from repoquarry.graphstore.query.cypher.rewrites import shortest_paths as shortest
from repoquarry.graphstore.query.cypher.syntax import ast


def _calls(*names: str) -> Test:
    """Return a test for calls of these functions."""
    return lambda node, context: isinstance(node, ast.Call) and node.name.lower() in names


def _open_bounds(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() not in ("substring", "left", "right"):
        return False
    return not all(isinstance(a, ast.Literal) and isinstance(a.value, int) and a.value >= 0 for a in node.arguments[1:])


def _root_or_logarithm(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() not in ("sqrt", "log", "log10"):
        return False
    argument = node.arguments[0]
    return not (isinstance(argument, ast.Literal) and isinstance(argument.value, int | float) and argument.value > 0)


def _rename(construct: str, old: str, new: str) -> DialectRule:
    return DialectRule(construct, ast.Call, _calls(old), "another name for the same function", f"RETURN {old}('aB') AS x",
                expressions.rename_function(new))  # fmt: skip


def _over_list(old: str, new: str, convert: Change) -> DialectRule:
    return DialectRule(f"{old}()", ast.Call, _calls(old.lower()), f"the engine lacks it: [x IN list | {new}(x)]",
                f"RETURN {old}(['1', '2']) AS x", conversions.convert_items(new, convert))  # fmt: skip


def _rewrite(construct: str, kind: type[ast.Node], test: Test, change: Change, why: str, example: str) -> DialectRule:
    return DialectRule(construct, kind, test, why, example, change)


KINDS: tuple[DialectRule, ...] = (
    _rewrite("keys() of a node that is not a variable of a pattern", ast.Call, patterns.needs_key_filter, patterns.remove_engine_key,
             "the engine adds a key of its own", "MATCH (n:Module) RETURN keys(head(collect(n))) AS x"),
    _rewrite("an argument of a type that the function does not accept", ast.Call, type_guards.needs_argument_guard,
             type_guards.guard_arguments, "checked at run time: the query fails, as on Neo4j",
             "UNWIND [1, 'a', 2.5] AS x RETURN toUpper(x) AS y"),
    _rewrite("an operand other than a number or Boolean", ast.Binary, type_guards.needs_operand_guard,
             type_guards.guard_operands, "checked at run time: the query fails, as on Neo4j",
             "WITH {a: 1} AS m RETURN m.a - 1 AS x"),
    _rewrite("+x, and -x or NOT x of a value that may have another type", ast.Unary, type_guards.needs_sign_guard, type_guards.guard_sign,
             "`+x` is x; the type of the others is checked at run time", "MATCH (m:Module) RETURN +m.lines AS x"),
    _rewrite("x.key of a value other than a node, relationship or map", ast.Property, type_guards.needs_subject_guard,
             type_guards.guard_subject, "checked at run time: the query fails, as on Neo4j",
             "WITH {a: {b: 1}} AS m RETURN m.a.b AS x"),
    _rewrite("x[i] of a value other than a list or map", ast.Index, type_guards.needs_subject_guard, type_guards.guard_subject,
             "the engine reads a text such as '[1]' as a list: the type is checked at run time",
             "WITH {a: [1]} AS m RETURN m.a[0] AS x"),
    *(_rewrite(f"{name} that may not be a Boolean", kind, type_guards.needs_condition_guard, type_guards.guard_condition,
               "checked at run time: the query fails", example)
      for name, kind, example in (
          ("WHERE", ast.Match, "WITH {a: true} AS o MATCH (m:Module) WHERE o.a RETURN m.id"),
          ("WITH ... WHERE", ast.Projection, "WITH {a: true} AS o WITH o WHERE o.a RETURN o.a AS x"),
          ("WHERE of a list comprehension", ast.ListComprehension, "WITH {a: true} AS o RETURN [x IN [1] WHERE o.a] AS x"),
          ("WHERE of all(), any(), none(), single()", ast.Quantifier, "WITH {a: true} AS o RETURN any(x IN [1] WHERE o.a) AS x"),
          ("WHERE of a pattern comprehension", ast.PatternComprehension,
           "WITH {a: true} AS o MATCH (m:Module) RETURN [(m)-[:DEFINES]->(f) WHERE o.a | f.id] AS x"),
          ("CASE WHEN", ast.Case, "WITH {a: true} AS o RETURN CASE WHEN o.a THEN 1 END AS x"),
      )),
    _rewrite("=~ of a value other than a string", ast.Binary, type_guards.needs_match_guard, type_guards.guard_match,
             "null where it is none", "UNWIND [1, 'a'] AS x RETURN x =~ 'a.*' AS y"),
    *(_rewrite(f"{name} where a value may stand for a list", kind, type_guards.needs_list_coercion, type_guards.coerce_operand,
               "a value is a list of one, as on Neo4j, and a string that looks like a list stays a string", example)
      for name, kind, example in (
          ("IN", ast.Binary, "MATCH (f:Function) WHERE 'Oslo' IN f.docstring RETURN f.id"),
          ("a slice", ast.Slice, "MATCH (f:Function) RETURN f.docstring[0..1] AS x"),
          ("a list comprehension", ast.ListComprehension, "MATCH (f:Function) RETURN [x IN f.docstring | x] AS x"),
          ("all(), any(), none(), single()", ast.Quantifier, "MATCH (f:Function) RETURN any(x IN f.lines WHERE x = 1) AS x"),
          ("reduce()", ast.Reduce, "MATCH (f:Function) RETURN reduce(s = 0, x IN f.docstring | s + 1) AS x"),
          ("tail()", ast.Call, "WITH {a: 1} AS m RETURN tail(m.a) AS x"),
      )),
)  # fmt: skip

REWRITES: tuple[DialectRule, ...] = (
    dataclasses.replace(
        _rewrite("a quantified path group other than a quantified relationship", ast.SingleQuery, groups.needs_expansion, groups.expand_groups,
                 "a pattern for each number of repetitions, 128 relationships in all",
                 "MATCH (a:Class) ((x)-[:DEFINES]->(y)-[:CALLS]->(z)){1,2} (b) RETURN b.id, size(x) AS n"), is_early=True),
    dataclasses.replace(
        _rewrite("SHORTEST k, SHORTEST k GROUPS, ANY k", ast.SingleQuery, shortest.needs_search_by_length, shortest.search_by_length,
                 "a search for each length, from the distance of the ends on, until there are enough paths",
                 "MATCH p = SHORTEST 2 (a:Class)-[:INHERITS]->+(b:Class) RETURN a.id, b.id, length(p) AS x"), is_early=True),
    dataclasses.replace(
        _rewrite("comparison of date() or datetime() of stored or literal days", ast.Comparison, dates.is_day_comparison, dates.compare_strings,
                 "by their ISO strings", "MATCH (m:Module) WHERE date(m.last_changed) >= date('2026-01-31') RETURN m.id"), is_early=True),
    dataclasses.replace(
        _rewrite("year, month and day of a stored or literal day", ast.Property, dates.is_part_of_day, dates.read_digits,
                 "by the digits of the ISO string", "MATCH (m:Module) RETURN date(m.last_changed).year AS x"), is_early=True),
    _rewrite("COUNT { } or EXISTS { } as the left operand of a comparison", ast.Comparison, subqueries.needs_leading_subquery_guard,
             subqueries.guard_leading_subquery, "behind a number, since the engine misreads `(COUNT {`",
             "MATCH (f:Function) WHERE NOT (COUNT { (f)-[:CALLS]->() } > 2) RETURN f.id"),
    _rewrite("COUNT { } or EXISTS { } as the left operand of an operator", ast.Binary, subqueries.needs_leading_subquery_guard,
             subqueries.guard_leading_subquery, "behind a constant, since the engine misreads `(EXISTS {`",
             "MATCH (f:Function) WHERE NOT (EXISTS { (f)-[:CALLS]->() } AND f.is_test) RETURN f.id"),
    _rewrite("chained comparison `a < b < c`", ast.Comparison, expressions.needs_chain_split, expressions.split_chain,
             "as `a < b AND b < c`", "MATCH (f:Function) WHERE 1 < f.start_line <= 50 RETURN f.id"),
    _rewrite("label test in an expression `n:Function`", ast.HasLabels, expressions.needs_label_test_rewrite,
             expressions.rewrite_label_test, "as `'Function' IN labels(n)`, right also where n is null",
             "OPTIONAL MATCH (n:Class) RETURN n:Function AS x"),
    _rewrite("CASE with several values or comparisons in a WHEN", ast.Case, expressions.needs_case_expansion,
             expressions.expand_case, "as CASE WHEN value = ... OR ...", "RETURN CASE 3 WHEN 1, 3 THEN 'odd' END AS x"),
    _rewrite("floating-point division by a value", ast.Binary, expressions.needs_division_guard,
             expressions.guard_division,
             "by the integer 0 it fails, as on Neo4j; by 0.0 it gives an infinity; the query fails where Neo4j gives NaN",
             "MATCH (m:Module) RETURN m.importance / m.lines AS x"),
    _rewrite("round(x), round(x, digits)", ast.Call, rounding.needs_round_rewrite, rounding.rewrite_round,
             "halves as Neo4j rounds them: by the decimal digits of the float, which the engine multiplies by a power of ten",
             "MATCH (m:Module) RETURN round(m.importance, 2) AS x"),
    _rewrite("-x of a float", ast.Unary, expressions.needs_negation_rewrite, expressions.rewrite_negation,
             "as `0 - x`, since Neo4j never gives -0.0 here", "MATCH (m:Module) RETURN -m.importance AS x"),
    _rewrite("e()", ast.Call, _calls("e"), expressions.inline_euler_constant, "the engine lacks it: the number", "RETURN e() AS x"),
    _rewrite("toInteger() of a text or float", ast.Call, conversions.needs_integer_conversion, conversions.convert_to_integer,
             "floats beyond 64 bits give the largest integer; the query fails on a text of 16 digits or with an exponent",
             "MATCH (f:Function) RETURN toInteger(f.name) AS x"),
    _rewrite("toFloat() of a text", ast.Call, conversions.needs_float_conversion, conversions.convert_to_float,
             "the query fails on a text that only one engine reads as a number, such as '1f' or ' 1'",
             "MATCH (f:Function) RETURN toFloat(f.name) AS x"),
    _rewrite("toBoolean() of a text or integer", ast.Call, conversions.needs_boolean_conversion, conversions.convert_to_boolean,
             "white space around the text is ignored; `n <> 0` for an integer", "MATCH (f:Function) RETURN toBoolean(f.name) AS x"),
    _rewrite("toIntegerOrNull(), toFloatOrNull(), toBooleanOrNull(), toStringOrNull()", ast.Call, conversions.needs_or_null_conversion,
             conversions.convert_or_null, "as the plain function, where it takes the argument", "RETURN toIntegerOrNull('12') AS x"),
    _rewrite("trim(), ltrim(), rtrim(), btrim()", ast.Call, conversions.needs_trim_check, conversions.check_trim,
             "the query fails on a text with a character at its edge that only one engine takes for white space",
             "MATCH (m:Module) RETURN trim(m.docstring) AS x"),
    _rewrite("sqrt(), log(), log10() of a value", ast.Call, _root_or_logarithm, expressions.guard_positive_argument,
             "the query fails where Neo4j gives NaN or an infinity", "MATCH (m:Module) RETURN sqrt(m.lines) AS x"),
    _rewrite("substring(), left(), right() with a computed number", ast.Call, _open_bounds,
             expressions.check_bounds, "a negative number fails, as on Neo4j",
             "MATCH (m:Module) RETURN left(m.path, size(m.path) - 3) AS x"),
    _rewrite("isEmpty()", ast.Call, _calls("isempty"), expressions.rewrite_is_empty, "as `size(x) = 0`",
             "MATCH (m:Module) RETURN isEmpty(m.name) AS x"),
    _rewrite("nullIf()", ast.Call, _calls("nullif"), expressions.rewrite_null_if, "as CASE",
             "MATCH (m:Module) RETURN nullIf(m.lines, 0) AS x"),
    _rename("char_length()", "char_length", "size"),
    _rename("character_length()", "character_length", "size"),
    _rename("lower()", "lower", "toLower"),
    _rename("upper()", "upper", "toUpper"),
    _rewrite("toStringList()", ast.Call, _calls("tostringlist"), strings.convert_items_to_string,
             "the engine lacks it: [x IN list | toString(x)]", "RETURN toStringList(['1', '2']) AS x"),
    _rewrite("equality of texts or lists of texts", ast.Comparison, operators.needs_equality_guard, operators.guard_equality,
             "the engine takes the text '[\"x\"]' as equal to 'x': their sizes are compared as well",
             "MATCH (f:Function) WHERE f.name = 'run' RETURN f.id"),
    _rewrite("IN with texts", ast.Binary, operators.needs_membership_guard, operators.guard_membership,
             "sizes are compared as well, as with =", "MATCH (f:Function) WHERE f.name IN ['run', 'close'] RETURN f.id"),
    _rewrite("UNWIND of a text", ast.Unwind, strings.needs_unwind_wrap, strings.wrap_unwound_text,
             "the engine would take the text '[1, 2]' for a list: as UNWIND [text]",
             "MATCH (m:Module) UNWIND m.summary AS x RETURN x"),
    _rewrite("reverse() of a text", ast.Call, strings.needs_reverse_check, strings.check_reverse,
             "the query fails on a text that begins with `[`, which the engine takes for a list",
             "MATCH (m:Module) RETURN reverse(m.name) AS x"),
    _rewrite("range() with a step", ast.Call, operators.needs_range_expansion, operators.expand_range,
             "counted as Neo4j does, which gives one number where the step leads away from the end",
             "MATCH (c:Class) RETURN range(0, size(c.bases), 2) AS x"),
    _rewrite("split() by a list of characters", ast.Call, strings.needs_separator_merge, strings.merge_separators,
             "replaced by the first of them before it is split", "MATCH (m:Module) RETURN split(m.path, ['/', '.']) AS x"),
    _rewrite("toString() of a float", ast.Call, strings.needs_float_format_check, strings.check_float_format,
             "the query fails on a float that Neo4j prints with an exponent: below 0.001 or from 10,000,000 on",
             "MATCH (m:Module) RETURN toString(round(m.importance, 2)) AS x"),
    _rewrite("+ and || of a list, null, or a string and a float", ast.Binary, strings.needs_addition_guard, strings.guard_addition,
             "null where a side of a list addition is null; the query fails on a float that Neo4j prints with an exponent",
             "MATCH (c:Class) RETURN c.bases + ['object'] AS x"),
    _over_list("toIntegerList", "toInteger", conversions.convert_to_integer),
    _over_list("toFloatList", "toFloat", conversions.convert_to_float),
    _over_list("toBooleanList", "toBoolean", conversions.convert_to_boolean),
    _rewrite("map projection of a map or relationship", ast.MapProjection, expressions.needs_projection_expansion,
             expressions.expand_map_projection, "as a map literal or properties()", "WITH {a: 1, b: 2} AS m RETURN m {.a} AS x"),
    _rewrite("map projection of a value without properties", ast.MapProjection, type_guards.needs_projection_guard,
             type_guards.guard_projection, "checked at run time: the query fails, as on Neo4j",
             "WITH {a: {b: 1}} AS m WITH m.a AS x RETURN x {.b} AS y"),
    _rewrite("exists(pattern)", ast.Call, expressions.needs_exists_unwrap, expressions.unwrap_exists,
             "as the pattern itself", "MATCH (f:Function) WHERE exists((f)<-[:CALLS]-()) RETURN f.id"),
    _rewrite("=~", ast.Binary, regex_match.is_match, regex_match.translate_match,
             "the pattern is spelt for the engine: classes and (?i) written out; look-around is refused",
             "MATCH (f:Function) WHERE f.name =~ '(?i)get_.*' RETURN f.id"),
    _rewrite("WHERE inside a quantified relationship", ast.RelationshipPattern, groups.has_inner_condition, groups.test_each_relationship,
             "tested on each relationship of the path", "MATCH (a)-[r:CALLS WHERE r.count > 1]->{1,2}(b) RETURN b.id"),
    _rewrite("a quantified path group of one step", ast.RelationshipPattern, groups.is_single_relationship, groups.convert_to_relationship,
             "as a quantified relationship, whose conditions are tested on each relationship of the path",
             "MATCH (a:Class) ((x)-[:INHERITS]->(y)){1,3} (b:Class) RETURN b.id"),
    _rewrite("conditions inside a pattern of MATCH", ast.Match, patterns.needs_match_rewrite, patterns.move_match_conditions,
             "WHERE, property maps, label expressions, {m,n} quantifiers and bound relationships move to WHERE or `*`",
             "MATCH (m:Module WHERE m.lines > 100)-[r:DEFINES]->(f:!Class {kind: 'method'}) RETURN f.id"),
    _rewrite("conditions inside a pattern predicate", ast.PatternPredicate, patterns.needs_predicate_rewrite,
             patterns.move_predicate_conditions, "as EXISTS { MATCH ... WHERE ... }",
             "MATCH (f:Function) WHERE NOT (f)<-[:CALLS]-({is_test: true}) RETURN f.id"),
    _rewrite("conditions inside a pattern comprehension", ast.PatternComprehension, patterns.needs_comprehension_rewrite,
             patterns.move_comprehension_conditions, "moved to its WHERE",
             "MATCH (m:Module) RETURN [(m)-[:DEFINES]->(f:Function {kind: 'function'}) | f.name] AS x"),
    _rewrite("shortestPath, allShortestPaths", ast.SingleQuery, shortest.needs_ends_first, shortest.match_ends_first,
             "the ends are matched first; the query fails, as on Neo4j, where both ends are the same node",
             "MATCH p = shortestPath((a:Class)-[:INHERITS*]->(b:Class)) WHERE a <> b RETURN length(p) AS x"),
    _rewrite("EXISTS, COUNT and COLLECT with a RETURN", ast.Subquery, subqueries.is_subquery, subqueries.simplify_subquery,
             "a plain RETURN is dropped; a plain COLLECT is a pattern comprehension",
             "MATCH (m:Module) WHERE COUNT { MATCH (m)-[:DEFINES]->(f) RETURN f } > 2 RETURN m.id"),
    _rewrite("EXISTS, COUNT and COLLECT with more than one MATCH", ast.SingleQuery, subqueries.needs_hoist, subqueries.hoist_subqueries,
             "computed by a CALL (*) { } before the clause",
             "MATCH (m:Module) RETURN COLLECT { MATCH (m)-[:DEFINES]->(f) RETURN f.name ORDER BY f.name LIMIT 3 } AS x"),
    _rewrite("percentileCont, percentileDisc, stDev, stDevP; aggregation inside CASE, all() or reduce()", ast.SingleQuery,
             aggregation.needs_split, aggregation.split_projection,
             "grouped in a WITH first; the statistics are computed from the collected values, with Neo4j's arithmetic",
             "MATCH (f:Function) RETURN f.kind AS kind, CASE WHEN count(*) > 9 THEN 'many' ELSE 'few' END AS x"),
    _rewrite("grouping before CALL { }", ast.SingleQuery, aggregation.needs_null_key_preservation, aggregation.preserve_null_keys,
             "the keys are projected again: the engine loses null keys",
             "MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b, count(*) AS n "
             "CALL (b) { MATCH (b)-[:DEFINES]->(f) RETURN count(f) AS x } RETURN n, x"),
    _rewrite("a first MATCH by a list of ids", ast.SingleQuery, seeking.needs_id_lookup, seeking.rewrite_id_lookup,
             "the ids go in front, each once: the engine would look at every node",
             "MATCH (f:Function)-[:CALLS]->(g:Function) WHERE g.id IN ['a:b.py::c'] RETURN f.id"),
    _rewrite("ORDER BY and WHERE of a grouped projection by its expressions", ast.Projection,
             projections.needs_sort_by_names, projections.sort_by_names, "by the names of the columns",
             "MATCH (f:Function) RETURN f.kind AS kind, count(*) AS n ORDER BY count(*) DESC, f.kind"),
    _rewrite("variables of patterns whose names need quotes", ast.Query, patterns.needs_variable_renaming,
             patterns.rename_variables, "by plain names; columns keep theirs", "MATCH (größe:Module) RETURN größe.id AS x"),
    _rewrite("UNION with columns in another order", ast.Query, projections.needs_union_alignment, projections.align_union,
             "in the order of the first part", "RETURN 1 AS a, 2 AS b UNION RETURN 3 AS b, 4 AS a"),
    _rewrite("patterns that begin at a null, end at a bound node, or hold a bound relationship", ast.Query, anchoring.is_top_level_query,
             anchoring.anchor_patterns, "tied to the bound nodes by their ids, or turned round: the engine would try every node first",
             "MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b)-[:OVERRIDES]->(c) RETURN c.id"),
)  # fmt: skip

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
    rules=(*SHARED_RULES, *REFUSALS, *KINDS, *REWRITES),
    functions=FUNCTIONS,
    missing_functions=MISSING,
    finite_only=True,
)
