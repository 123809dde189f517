"""Refused constructs, which kglite answers incorrectly."""

from __future__ import annotations

import dataclasses
import math

from repoquarry.graphstore.query.cypher.dialect import DialectRule, RewriteContext
from repoquarry.graphstore.query.cypher.rewrites import (
    aggregation,
    conversions,
    operators,
    path_groups,
    patterns,
    strings,
    type_guards,
)
from repoquarry.graphstore.query.cypher.rewrites import conversions as rounding
from repoquarry.graphstore.query.cypher.semantics import scope, types
from repoquarry.graphstore.query.cypher.semantics.types import EVERY, SIGNATURES, Type
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes

_NUMBERS = frozenset({types.INTEGER, types.FLOAT})
_SCALAR_TYPES = frozenset({"BOOLEAN", "INTEGER", "FLOAT", "STRING"})


def has_known_type(found: Type) -> bool:
    return bool(found.kinds) and found.kinds != EVERY


def has_mistyped_argument(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Call):
        return False
    signature = SIGNATURES.get(node.name.lower())
    if signature is None or not signature.arguments:
        return False
    for i, argument in enumerate(node.arguments):
        wanted = signature.arguments[min(i, len(signature.arguments) - 1)]
        found = context.analysis.type_of(argument)
        if has_known_type(found) and not found.holds(*wanted.kinds) and node.name.lower() != "tail":
            return True
    return False


def has_mistyped_operand(node: ast.Node, context: RewriteContext) -> bool:
    if isinstance(node, ast.Unary) and node.operator == "NOT":
        return _no_truth(node.operand, context)
    if not isinstance(node, ast.Binary):
        return False
    if node.operator in ("AND", "OR", "XOR"):
        return _no_truth(node.left, context) or _no_truth(node.right, context)
    left, right = context.analysis.type_of(node.left), context.analysis.type_of(node.right)
    if node.operator in ("-", "*", "/", "%", "^"):
        return any(has_known_type(side) and not side.holds(*_NUMBERS) for side in (left, right))
    if node.operator == "+" and has_known_type(left) and has_known_type(right):
        either = left.kinds | right.kinds
        numbers = left.holds(*_NUMBERS) and right.holds(*_NUMBERS)
        return types.LIST not in either and types.STRING not in either and not numbers
    return False


def _no_truth(node: ast.Expression, context: RewriteContext) -> bool:
    found = context.analysis.type_of(node)
    return has_known_type(found) and not found.holds(types.BOOLEAN)


_Conditional = (
    ast.Match
    | ast.Projection
    | ast.NodePattern
    | ast.RelationshipPattern
    | ast.PatternComprehension
    | ast.ListComprehension
    | ast.Quantifier
)


def has_mistyped_condition(node: ast.Node, context: RewriteContext) -> bool:
    if isinstance(node, ast.Case):
        tests = [test for when in node.whens for test in when.tests] if node.subject is None else []
        return any(_no_truth(test, context) for test in tests)
    return isinstance(node, _Conditional) and node.where is not None and _no_truth(node.where, context)


_HAVE_PROPERTIES = frozenset({types.MAP, types.NODE, types.RELATIONSHIP})


def is_property_of_value(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether the subject cannot be a map, node or relationship: Neo4j fails at run time, the engine may read another variable."""
    if not isinstance(node, ast.Property) or isinstance(
        node.subject, ast.Call
    ):  # A function is refused by its own reason.
        return False
    found = context.analysis.type_of(node.subject)
    return has_known_type(found) and not found.holds(*_HAVE_PROPERTIES)


def _mixes_numbers(found: Type) -> bool:
    if not has_known_type(found):
        return False
    if found.kinds >= _NUMBERS:
        return True
    return types.LIST in found.kinds and found.item is not None and _mixes_numbers(found.item)


def has_mixed_grouping(node: ast.Node, context: RewriteContext) -> bool:
    if isinstance(node, ast.Call):
        return node.distinct and any(_mixes_numbers(context.analysis.type_of(a)) for a in node.arguments)
    if not isinstance(node, ast.Projection):
        return False
    keys = [i.expression for i in node.items if not scope.has_aggregation(i.expression)]
    grouped = node.distinct or len(keys) < len(node.items)
    return grouped and any(_mixes_numbers(context.analysis.type_of(key)) for key in keys)


def has_mixed_union(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Query) or node.keep_duplicates or len(node.parts) < 2:
        return False
    columns: dict[str, list[Type]] = {}
    for part in node.parts:
        last = part.clauses[-1]
        for item in last.items if isinstance(last, ast.Projection) else ():
            name = item.alias or (item.expression.name if isinstance(item.expression, ast.Variable) else "")
            columns.setdefault(name, []).append(context.analysis.type_of(item.expression))
    return any(_mixes_numbers(types.union(*found)) for found in columns.values())


def is_type_list(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "valuetype":
        return False
    found = context.analysis.type_of(node.arguments[0])
    return types.LIST in found.kinds and not _one_kind(found)


def _one_kind(found: Type) -> bool:
    """Return whether it is a list whose items, and nested items, have one type."""
    if found.kinds != {types.LIST}:
        return len(found.kinds) == 1
    return len(found.items.kinds) == 1 and _one_kind(found.items)


def has_compound_type(node: ast.Node, context: RewriteContext) -> bool:
    return isinstance(node, ast.IsTyped) and node.type_name.removesuffix(" NOT NULL") not in _SCALAR_TYPES


def has_ordered_maps(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Comparison):
        return False
    operands = [node.first, *(operand for _, operand in node.rest)]
    inequality = any(operator not in ("=", "<>") for operator, _ in node.rest)
    return inequality and any(context.analysis.type_of(o).kinds == {types.MAP} for o in operands)


def has_null_bound(node: ast.Node, context: RewriteContext) -> bool:
    return isinstance(node, ast.Slice) and any(
        bound is not None and context.analysis.type_of(bound).kinds != {types.INTEGER}
        for bound in (node.low, node.high)
    )


_ENGINE_KEYS = frozenset({"title", "type", "label", "node_type"})
"""Keys that kglite answers for every node and relationship from its own data."""


def is_engine_key(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Property) or node.key not in _ENGINE_KEYS:
        return False
    return context.analysis.type_of(node.subject).kinds <= {types.NODE, types.RELATIONSHIP}


def can_be_engine_key(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Property) or node.key not in _ENGINE_KEYS:
        return False
    kinds = context.analysis.type_of(node.subject).kinds
    return not kinds <= {types.NODE, types.RELATIONSHIP} and bool(kinds & {types.NODE, types.RELATIONSHIP})


def rewrite_as_null(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    return visitor.NULL


def has_computed_key(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Index):
        return False
    kinds = context.analysis.type_of(node.subject).kinds
    if kinds == EVERY or not kinds & {types.NODE, types.RELATIONSHIP} or reads_properties(node, context):
        return False
    return not isinstance(node.index, ast.Literal) or node.index.value in _ENGINE_KEYS


def reads_properties(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether it is n[key] of a variable that is a node or relationship of a pattern, or null."""
    if (
        not isinstance(node, ast.Index)
        or not isinstance(node.subject, ast.Variable)
        or isinstance(node.index, ast.Literal)
    ):
        return False
    found, key = context.analysis.type_of(node.subject).kinds, context.analysis.type_of(node.index).kinds
    is_element = found <= {types.NODE} or found <= {types.RELATIONSHIP}
    return is_element and key <= {types.STRING} and not patterns.can_be_copy(node.subject, context)


def read_properties(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    if not isinstance(node, ast.Index):
        raise TypeError("not an index")
    return dataclasses.replace(node, subject=visitor.call("properties", node.subject))


def _is_endpoint(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() in ("startnode", "endnode")


def is_loose_endpoint(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether startNode(r) is used other than below `.`, labels(), a comparison and the like, where the engine returns a node."""
    if not isinstance(node, ast.Query):
        return False
    held: set[int] = set()
    for part in iterate_nodes(node):
        if isinstance(part, ast.Property | ast.HasLabels):
            held.add(id(part.subject))
        elif isinstance(part, ast.Comparison):
            held |= {id(part.first), *(id(operand) for _, operand in part.rest)}
        elif isinstance(part, ast.Call) and part.name.lower() in ("labels", "properties", "keys"):
            held.add(id(part.arguments[0]))
        elif isinstance(part, ast.IsNull):
            held.add(id(part.operand))
    return any(_is_endpoint(part) and id(part) not in held for part in iterate_nodes(node))


def is_endpoint_of_other(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Call) or not _is_endpoint(node):
        return False
    return bool(type_guards.unexpected_kinds(node.arguments[0], frozenset({types.RELATIONSHIP}), context))


def is_full_map_read(node: ast.Node, context: RewriteContext) -> bool:
    return (
        isinstance(node, ast.MapProjection)
        and context.analysis.type_of(node.subject).kinds not in ({types.NODE}, {types.RELATIONSHIP})
        and any(key == "*" for key, _ in node.entries)
    )


def has_entity_sort(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Sort):
        return False
    found = context.analysis.type_of(node.expression)
    return has_known_type(found) and found.holds(types.NODE, types.RELATIONSHIP, types.PATH)


def is_shortest_path_value(node: ast.Node, context: RewriteContext) -> bool:
    return isinstance(node, ast.PatternPredicate) and bool(node.pattern.shortest)


def always_applies(node: ast.Node, context: RewriteContext) -> bool:
    return True


def is_infinite_or_nan(node: ast.Node, context: RewriteContext) -> bool:
    return isinstance(node, ast.Literal) and isinstance(node.value, float) and not math.isfinite(node.value)


def is_character_split(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "split":
        return False
    by = node.arguments[1]
    found = context.analysis.type_of(by)
    if strings.parse_separators(by):
        return False
    return (isinstance(by, ast.Literal) and by.value == "") or (has_known_type(found) and types.LIST in found.kinds)


def has_rebound_list(node: ast.Node, context: RewriteContext) -> bool:
    return (
        isinstance(node, ast.RelationshipPattern) and node.length is not None and id(node) in context.analysis.rebound
    )


def divides_by_literal_zero(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether a literal zero divides: Neo4j folds constants by other rules than it divides values."""
    if not isinstance(node, ast.Binary) or node.operator != "/":
        return False
    is_zero = isinstance(node.right, ast.Literal) and node.right.value == 0 and node.right.value is not False
    if not is_zero or not isinstance(node.right, ast.Literal):
        return False
    return isinstance(node.right.value, float) or context.analysis.type_of(node.left).may_be(types.FLOAT)


def has_empty_length(node: ast.Node, context: RewriteContext) -> bool:
    if not isinstance(node, ast.Length) or node.high is None:
        return False
    return node.high < (node.low if node.low is not None else 1)


REFUSALS: tuple[DialectRule, ...] = (
    DialectRule("a property of a value other than a node, relationship or map", ast.Property, is_property_of_value,
         "Neo4j fails on it when it runs", "MATCH (m:Module) RETURN m.name AS m ORDER BY m.path",
         instead="another name for the column, when it hides a node", reason="type_mismatch"),
    DialectRule("n.title, n.type, n.label", ast.Property, is_engine_key, "no node or relationship has such a property: null",
         "MATCH (f:Function) RETURN f.title AS x", rewrite_as_null),
    DialectRule(".title, .type or .label of a possible node or map", ast.Property, can_be_engine_key,
         "the engine answers these keys of a node from its own data", "MATCH (f:Function) UNWIND [f, {type: 1}] AS row RETURN row.type AS x",
         instead="another key"),
    DialectRule("a property of a pattern's node or relationship by a computed key `n[key]`", ast.Index, reads_properties,
         "as properties(n)[key]", "UNWIND ['name', 'path'] AS key MATCH (f:Function) RETURN f[key] AS x", read_properties),
    DialectRule("a property by a computed key `n[key]`", ast.Index, has_computed_key,
         "the engine answers some keys from its own data", "MATCH (f:Function) RETURN head(collect(f))[$key] AS x",
         instead="n.name, or properties(n)[key]"),
    DialectRule("an argument of the wrong type", ast.Call, has_mistyped_argument,
         "by the schema a value of another type can come here; Neo4j fails on it and this engine gives null",
         "MATCH (m:Module) RETURN toUpper(m.lines) AS x", instead="toString() or the property that was meant",
         reason="type_mismatch"),
    DialectRule("an operand of the wrong type", ast.Binary, has_mistyped_operand,
         "by the schema a value of another type can come here; Neo4j fails on it and this engine gives null",
         "MATCH (m:Module) RETURN m.name - 1 AS x", instead="a conversion such as toInteger()", reason="type_mismatch"),
    DialectRule("NOT of a value other than a Boolean", ast.Unary, has_mistyped_operand, "Neo4j fails on it",
         "MATCH (m:Module) WHERE NOT m.lines RETURN m.id", instead="a comparison", reason="type_mismatch"),
    DialectRule("WHERE with a value other than a Boolean", ast.Match, has_mistyped_condition, "Neo4j fails on it",
         "MATCH (m:Module) WHERE m.lines RETURN m.id", instead="a comparison", reason="type_mismatch"),
    DialectRule("WITH ... WHERE with a value other than a Boolean", ast.Projection, has_mistyped_condition, "Neo4j fails on it",
         "MATCH (m:Module) WITH m WHERE m.lines RETURN m.id", instead="a comparison", reason="type_mismatch"),
    *(DialectRule(f"{name} with a value other than a Boolean", kind, has_mistyped_condition, "Neo4j fails on it", example,
           instead="a comparison", reason="type_mismatch")
      for name, kind, example in (
          ("WHERE inside a node", ast.NodePattern, "MATCH (m:Module WHERE m.lines) RETURN m.id"),
          ("WHERE inside a relationship", ast.RelationshipPattern, "MATCH ()-[r:CALLS WHERE r.count]->(f) RETURN f.id"),
          ("WHERE of a pattern comprehension", ast.PatternComprehension,
           "MATCH (m:Module) RETURN [(m)-[:DEFINES]->(f) WHERE f.name | f.id] AS x"),
          ("WHERE of a list comprehension", ast.ListComprehension, "MATCH (m:Module) RETURN [x IN [1] WHERE m.name] AS x"),
          ("WHERE of all(), any(), none(), single()", ast.Quantifier, "MATCH (m:Module) RETURN any(x IN [1] WHERE m.name) AS x"),
          ("CASE WHEN", ast.Case, "MATCH (m:Module) RETURN CASE WHEN m.name THEN 1 END AS x"),
      )),
    DialectRule("DISTINCT or grouping over integers mixed with floats", ast.Projection, has_mixed_grouping,
         "the engine distinguishes 1 and 1.0", "UNWIND [1, 1.0] AS x RETURN DISTINCT x", instead="toFloat(x)"),
    DialectRule("UNION over integers mixed with floats", ast.Query, has_mixed_union, "the engine distinguishes 1 and 1.0",
         "RETURN 1 AS x UNION RETURN 1.0 AS x", instead="toFloat(x), or UNION ALL"),
    DialectRule("an aggregation with DISTINCT over integers mixed with floats", ast.Call, has_mixed_grouping,
         "the engine distinguishes 1 and 1.0", "UNWIND [1, 1.0] AS x RETURN count(DISTINCT x) AS n",
         instead="toFloat(x)"),
    DialectRule("startNode(r) or endNode(r) as a value", ast.Query, is_loose_endpoint,
         "the engine gives the node's name instead of the node", "MATCH ()-[r:CALLS]->() RETURN startNode(r) AS x",
         instead="a variable in the pattern: (a)-[r]->(b); startNode(r).name is fine"),
    DialectRule("shortestPath(...) as an expression", ast.PatternPredicate, is_shortest_path_value, "the engine lacks it",
         "MATCH (a:Class), (b:Class) RETURN length(shortestPath((a)-[:INHERITS*]->(b))) AS x",
         instead="MATCH p = shortestPath((a)-[*]->(b))"),
    DialectRule("IS NORMALIZED", ast.IsNormalized, always_applies, "the engine lacks it", "RETURN 'a' IS NORMALIZED AS x"),
    DialectRule("IS :: with a compound type", ast.IsTyped, has_compound_type, "the engine names such types differently",
         "RETURN [1] IS :: LIST<INTEGER> AS x", instead="IS :: INTEGER, FLOAT, STRING or BOOLEAN"),
    DialectRule("the numbers NaN and Infinity", ast.Literal, is_infinite_or_nan, "the engine compares them differently",
         "RETURN NaN AS x"),
    DialectRule("division by a zero that is written out", ast.Binary, divides_by_literal_zero,
         "Neo4j gives an infinity or fails, depending on where it computes it",
         "RETURN 1 / 0.0 AS x"),
    DialectRule("split() by several separators or into characters", ast.Call, is_character_split,
         "the engine takes one separator, and Neo4j splits characters outside the basic plane in two", "RETURN split('abc', '') AS x",
         instead="[i IN range(0, size(s) - 1) | substring(s, i, 1)]"),
    DialectRule("round() with a mode or a computed number of digits", ast.Call, rounding.is_unsupported_round, "the engine rounds other halves",
         "MATCH (m:Module) RETURN round(m.importance, m.lines) AS x", instead="round(x, 2), with the number written out"),
    DialectRule("trim(), ltrim(), rtrim(), btrim() of given characters", ast.Call, conversions.is_trim_with_characters, "the engine lacks it",
         "RETURN btrim('--a--', '-') AS x", instead="replace(), or substring() behind a test with STARTS WITH"),
    DialectRule("toIntegerOrNull() and the like of a possible list, map or node", ast.Call, conversions.is_unsupported_or_null,
         "the engine lacks it", "MATCH (c:Class) RETURN toStringOrNull(c.bases) AS x", instead="toString() of a scalar"),
    DialectRule("valueType() of a possible list", ast.Call, is_type_list, "the engine lists the types of items in another order",
         "RETURN valueType([1, 'a']) AS x", instead="IS :: for the type that is asked for"),
    DialectRule("range() with a computed step, or with a step between computed numbers that are not surely whole", ast.Call,
         operators.is_unsupported_range,
         "Neo4j gives one number where the step leads away from the end", "WITH 2 AS s RETURN range(0, 1, s) AS x",
         instead="a step of 1 and a list comprehension"),
    DialectRule("equality of maps, or of lists inside lists, that may contain strings", ast.Comparison, operators.has_nested_texts,
         "the engine takes the text '[\"x\"]' inside them as equal to 'x'",
         "MATCH (a:Class), (b:Class) RETURN properties(a) = properties(b) AS x", instead="their entries one by one"),
    DialectRule("IN with maps or lists inside lists that may hold texts", ast.Binary, operators.has_nested_texts,
         "the engine takes the text '[\"x\"]' inside them as equal to 'x'",
         "MATCH (c:Class) RETURN c.bases IN [['object'], []] AS x", instead="any(item IN list WHERE ...) over their entries"),
    DialectRule("maps compared by size", ast.Comparison, has_ordered_maps, "the engine does not order maps",
         "RETURN {a: 1} < {a: 2} AS x"),
    DialectRule("a quantified path group in OPTIONAL MATCH, on a named path that may be empty, or with more than 128 relationships",
         ast.RelationshipPattern, path_groups.is_unsupported_group, "it is too much to write out",
         "MATCH (a:Class) ((x)-[:DEFINES]->(y)-[:CALLS]->(z))+ (b) RETURN b.id",
         instead="smaller bounds, or p = (a)-[:INHERITS*1..3]->(b) with conditions over nodes(p)", reason="quantified_path_pattern"),
    DialectRule("a variable-length relationship that is bound already", ast.RelationshipPattern, has_rebound_list,
         "the engine follows it again", "MATCH (a)-[r:CALLS*1..2]->(b) MATCH (c)-[r*1..2]->(d) RETURN c.id"),
    DialectRule("ORDER BY a node, relationship or path", ast.Sort, has_entity_sort,
         "their order is that of internal numbers, which differ from engine to engine",
         "MATCH (c:Class) RETURN c ORDER BY c", instead="ORDER BY c.id"),
    DialectRule("a path whose upper bound is below its lower one", ast.Length, has_empty_length, "the engine lacks it",
         "MATCH (a:Class)-[:INHERITS*3..1]->(b) RETURN b.id"),
    DialectRule("a slice whose bounds may be null or a float", ast.Slice, has_null_bound, "the engine fails on it",
         "WITH [1, 2] AS l RETURN l[null..1] AS x", instead="toInteger(coalesce(bound, 0))"),
    DialectRule("m {.*} of a value other than a node or relationship", ast.MapProjection, is_full_map_read, "the engine gives null",
         "WITH {a: 1} AS m RETURN m {.*} AS x", instead="the map itself, or its keys by name"),
    DialectRule("properties() of a node that is not a variable of a pattern", ast.Call, patterns.is_full_read_of_copy,
         "the engine adds a key of its own", "MATCH (n:Module) RETURN properties(head(collect(n))) AS x",
         instead="the node itself, or the keys by name: x {.name, .path}"),
    DialectRule("x {.*} of a node that is not a variable of a pattern", ast.MapProjection, patterns.is_full_read_of_copy,
         "the engine adds a key of its own", "MATCH (n:Module) UNWIND [n] AS x RETURN x {.*} AS y",
         instead="the node itself, or the keys by name: x {.name, .path}"),
    DialectRule("startNode() or endNode() of a value other than a relationship", ast.Call, is_endpoint_of_other,
         "the engine gives null where Neo4j fails", "WITH {a: 1} AS m RETURN startNode(m.a).name AS x",
         instead="the relationship's variable", reason="type_mismatch"),
    DialectRule("a percentile that is computed", ast.Call, aggregation.has_computed_percentile, "the rows may give several",
         "MATCH (m:Module) RETURN percentileCont(m.lines, 1.0 / 2) AS x", instead="the number, or a parameter"),
    DialectRule("a percentile over integers mixed with floats", ast.Call, aggregation.has_mixed_numbers,
         "which of 1 and 1.0 comes first, no engine promises", "UNWIND [1, 1.0] AS x RETURN percentileDisc(x, 0.5) AS y",
         instead="toFloat(x)"),
)  # fmt: skip
