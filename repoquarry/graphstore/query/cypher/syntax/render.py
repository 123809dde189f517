"""Rendering of a syntax tree as Cypher text for the engine.

Engines never see the user's text. Comments, escapes and unusual spacing are removed and every compound operand is parenthesized, so no
difference between this parser and an engine's can hide a clause or change a precedence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from repoquarry.graphstore.query.cypher.syntax import ast

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_ATOMS = (
    ast.Parameter,
    ast.Variable,
    ast.Property,
    ast.Index,
    ast.Slice,
    ast.Call,
    ast.CountStar,
    ast.ListLiteral,
    ast.MapLiteral,
    ast.MapProjection,
    ast.ListComprehension,
    ast.PatternComprehension,
    ast.Quantifier,
    ast.Reduce,
    ast.Case,
    ast.Subquery,
)
_RESERVED = frozenset({  # Words that engines read as syntax where a name could be, so names equal to them are quoted.
    "ALL", "AND", "ANY", "AS", "ASC", "ASCENDING", "BY", "CALL", "CASE", "COLLECT", "CONTAINS", "COUNT", "CREATE",
    "DELETE", "DESC", "DESCENDING", "DETACH", "DISTINCT", "DROP", "ELSE", "END", "ENDS", "EXCEPT", "EXISTS",
    "EXPLAIN", "FALSE", "FINISH", "FOREACH", "HAVING", "IN", "INF", "INFINITY", "INSERT", "INTERSECT", "IS", "LIMIT",
    "LOAD", "MATCH", "MERGE", "NAN", "NONE", "NOT", "NULL", "NULLS", "OFFSET", "ON", "OPTIONAL", "OR", "ORDER",
    "OVER", "PARTITION", "PROFILE", "REMOVE", "RETURN", "SET", "SHOW", "SINGLE", "SKIP", "STARTS", "THEN", "TRUE",
    "TYPED", "UNION", "UNWIND", "USE", "USING", "WHEN", "WHERE", "WITH", "XOR", "YIELD",
})  # fmt: skip


def render(query: ast.Query) -> str:
    """Render the tree as one line of Cypher."""
    joint = " UNION ALL " if query.keep_duplicates else " UNION "
    return joint.join(" ".join(_clause(clause) for clause in part.clauses) for part in query.parts)


def name(text: str) -> str:
    """Render a variable, label, type or property name, quoted if necessary."""
    if _PLAIN_NAME.match(text) and text.upper() not in _RESERVED:
        return text
    return "`" + text.replace("`", "``") + "`"


def string(text: str) -> str:
    return "'" + "".join(_ESCAPES.get(char, char) for char in text) + "'"


def expression(node: ast.Expression) -> str:
    """Render an expression."""
    writer = _WRITERS.get(type(node))
    if writer is None:
        raise TypeError(f"no text for {type(node).__name__}")
    return writer(node)


def _operand(node: ast.Expression) -> str:
    text = expression(node)
    if isinstance(node, _ATOMS) or (isinstance(node, ast.Literal) and not text.startswith("-")):
        return text
    return f"({text})"


def _literal(node: ast.Literal) -> str:
    value = node.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
    return repr(value).replace("e+", "e")


def _slice(node: ast.Slice) -> str:
    low = _operand(node.low) if node.low is not None else ""
    high = _operand(node.high) if node.high is not None else ""
    return f"{_operand(node.subject)}[{low}..{high}]"


def _binary(node: ast.Binary) -> str:
    right = _operand(node.right)
    if node.operator == "IN" and not isinstance(node.right, ast.ListLiteral | ast.Variable | ast.Property):
        right = f"({expression(node.right)})"  # kglite reads `IN [` only as a list of values.
    elif node.operator == "-" and right.startswith("["):
        right = f"({right})"  # kglite reads `- [` as a relationship.
    return f"{_operand(node.left)} {node.operator} {right}"


def _call(node: ast.Call) -> str:
    arguments = ", ".join(expression(argument) for argument in node.arguments)
    called = ".".join(name(part) if not _PLAIN_NAME.match(part) else part for part in node.name.split("."))
    return f"{called}({'DISTINCT ' if node.distinct else ''}{arguments})"


def _list_literal(node: ast.ListLiteral) -> str:
    # A test is in parentheses, because `[x IN y]` would be read as a comprehension.
    return "[" + ", ".join(map(_operand, node.items)) + "]"


def _map_projection(node: ast.MapProjection) -> str:
    entries = [f".{key if key == '*' else name(key)}" if value is None else f"{name(key)}: {expression(value)}"
               for key, value in node.entries]  # fmt: skip
    return f"{name(node.subject.name)} {{{', '.join(entries)}}}"


def _list_comprehension(node: ast.ListComprehension) -> str:
    where = _where(node.where, _operand)
    result = f" | {expression(node.result)}" if node.result is not None else ""
    return f"[{name(node.variable)} IN {_operand(node.source)}{where}{result}]"


def _pattern_comprehension(node: ast.PatternComprehension) -> str:
    where = _where(node.where, _operand)
    return f"[{_path(node.pattern)}{where} | {expression(node.result)}]"


def _quantifier(node: ast.Quantifier) -> str:
    where = _where(node.where)
    return f"{node.kind}({name(node.variable)} IN {_operand(node.source)}{where})"


def _reduce(node: ast.Reduce) -> str:
    start = f"{name(node.accumulator)} = {expression(node.initial)}"
    return f"reduce({start}, {name(node.variable)} IN {_operand(node.source)} | {expression(node.result)})"


def _case(node: ast.Case) -> str:
    words = ["CASE"] if node.subject is None else ["CASE", _operand(node.subject)]
    for when in node.whens:
        write: Callable[[ast.Expression], str] = expression if node.subject is None else _case_test
        words += ["WHEN", ", ".join(write(test) for test in when.tests), "THEN", expression(when.result)]
    if node.default is not None:
        words += ["ELSE", expression(node.default)]
    return " ".join([*words, "END"])


def _case_test(test: ast.Expression) -> str:
    """Render a test of a simple CASE without its left side."""
    if isinstance(test, ast.Comparison) and test.rest[0][0] == "=":
        return _operand(test.rest[0][1])
    return expression(test).removeprefix("()").strip()


def _subquery(node: ast.Subquery) -> str:
    clauses = node.query.parts[0].clauses
    if (
        len(node.query.parts) == 1
        and len(clauses) == 1
        and isinstance(clauses[0], ast.Match)
        and not clauses[0].optional
        and not any(path.is_counted for path in clauses[0].patterns)  # A selector needs the word.
    ):
        bare = _clause(clauses[0]).removeprefix("MATCH ")  # kglite accepts the word MATCH here, but not below NOT.
        return f"{node.kind} {{ {bare} }}"
    return f"{node.kind} {{ {render(node.query)} }}"


def _where(condition: ast.Expression | None, write: Callable[[ast.Expression], str] = expression) -> str:
    return f" WHERE {write(condition)}" if condition is not None else ""


_WRITERS: dict[type[ast.Expression], Callable[[Any], str]] = {
    ast.Literal: _literal,
    ast.Parameter: lambda node: (
        "$" + (node.name if node.name.isidentifier() or node.name.isdecimal() else name(node.name))
    ),
    ast.Variable: lambda node: name(node.name),
    ast.Property: lambda node: f"{_operand(node.subject)}.{name(node.key)}",
    ast.Index: lambda node: f"{_operand(node.subject)}[{expression(node.index)}]",
    ast.Slice: _slice,
    ast.HasLabels: lambda node: f"{_operand(node.subject)}:{labels(node.labels)}",
    ast.Unary: lambda node: f"{node.operator}{' ' if node.operator == 'NOT' else ''}{_operand(node.operand)}",
    ast.Binary: _binary,
    ast.Comparison: lambda node: (
        _operand(node.first) + "".join(f" {operator} {_operand(operand)}" for operator, operand in node.rest)
    ),
    ast.IsNull: lambda node: f"{_operand(node.operand)} IS {'NOT ' if node.negated else ''}NULL",
    ast.IsTyped: lambda node: f"{_operand(node.operand)} IS {'NOT ' if node.negated else ''}:: {node.type_name}",
    ast.IsNormalized: lambda node: (
        f"{_operand(node.operand)} IS {'NOT ' if node.negated else ''}{node.form} NORMALIZED"
    ),
    ast.Call: _call,
    ast.CountStar: lambda node: "count(*)",
    ast.ListLiteral: _list_literal,
    ast.MapLiteral: lambda node: (
        "{" + ", ".join(f"{name(key)}: {expression(value)}" for key, value in node.entries) + "}"
    ),
    ast.MapProjection: _map_projection,
    ast.ListComprehension: _list_comprehension,
    ast.PatternComprehension: _pattern_comprehension,
    ast.Quantifier: _quantifier,
    ast.Reduce: _reduce,
    ast.Case: _case,
    ast.CaseSubject: lambda node: "",
    ast.PatternPredicate: lambda node: _path(node.pattern),
    ast.Subquery: _subquery,
}
"""Text of each kind of expression."""


def labels(node: ast.LabelExpression) -> str:
    """Render a label expression without its colon."""
    match node:
        case ast.LabelName():
            return name(node.name)
        case ast.LabelWildcard():
            return "%"
        case ast.LabelNot():
            return f"!{_label_operand(node.operand)}"
        case ast.LabelAnd():
            return f"{_label_operand(node.left)}{':' if node.colon else '&'}{_label_operand(node.right)}"
        case ast.LabelOr():
            return f"{labels(node.left)}|{_label_operand(node.right)}"
    raise TypeError(f"no text for {type(node).__name__}")


def _label_operand(node: ast.LabelExpression) -> str:
    colons = isinstance(node, ast.LabelAnd) and node.colon
    return labels(node) if colons or isinstance(node, ast.LabelName | ast.LabelWildcard) else f"({labels(node)})"


def _path(path: ast.PathPattern) -> str:
    elements = _elements(path.elements)
    text = elements
    if path.shortest:
        text = f"{path.shortest} {elements}" if path.is_counted else f"{path.shortest}({elements})"
    return f"{name(path.variable)} = {text}" if path.variable else text


def _elements(elements: tuple[ast.NodePattern | ast.RelationshipPattern, ...]) -> str:
    return "".join(_node(one) if isinstance(one, ast.NodePattern) else _relationship(one) for one in elements)


def _details(
    variable: str | None, label: ast.LabelExpression | None, length: str, properties: ast.Expression | None
) -> str:
    text = (name(variable) if variable else "") + (f":{labels(label)}" if label else "") + length
    if properties is not None:
        text += (" " if text else "") + expression(properties)
    return text


def _node(node: ast.NodePattern) -> str:
    text = _details(node.variable, node.labels, "", node.properties)
    return f"({text}{_where(node.where)})"


def _group(node: ast.PathGroup) -> str:
    return f"({_elements(node.elements)}{_where(node.where)})"


def _relationship(node: ast.RelationshipPattern) -> str:
    if node.group is not None and node.length is not None:
        return f"{_group(node.group)}{_bounds(node.length)}"
    quantified = node.length is not None and node.length.quantifier
    length = _star(node.length) if node.length and not quantified else ""
    text = _details(node.variable, node.types, length, node.properties)
    text += _where(node.where)
    left = "<" if node.direction is ast.Direction.IN else ""
    right = ">" if node.direction is ast.Direction.OUT else ""
    return f"{left}-[{text}]-{right}{_bounds(node.length) if node.length and quantified else ''}"


def _star(length: ast.Length) -> str:
    if length.low is None and length.high is None:
        return "*"
    if length.low == length.high:
        return f"*{length.low}"
    low = "" if length.low is None else str(length.low)
    return f"*{low}..{'' if length.high is None else length.high}"


def _bounds(length: ast.Length) -> str:
    return f"{{{length.low or 0},{'' if length.high is None else length.high}}}"


def _match(node: ast.Match) -> str:
    patterns = ", ".join(_path(path) for path in node.patterns)
    return f"{'OPTIONAL ' if node.optional else ''}MATCH {patterns}{_where(node.where)}"


def _projection(node: ast.Projection) -> str:
    items = ["*"] if node.star else []
    items += [expression(i.expression) + (f" AS {name(i.alias)}" if i.alias is not None else "") for i in node.items]
    text = f"{'RETURN' if node.is_return else 'WITH'} {'DISTINCT ' if node.distinct else ''}{', '.join(items)}"
    if node.order:
        text += " ORDER BY " + ", ".join(expression(s.expression) + " DESC" * s.descending for s in node.order)
    text += f" SKIP {expression(node.skip)}" if node.skip is not None else ""
    text += f" LIMIT {expression(node.limit)}" if node.limit is not None else ""
    return text + _where(node.where)


def _clause(node: ast.Clause) -> str:
    match node:
        case ast.Match():
            return _match(node)
        case ast.Unwind():
            return f"UNWIND {expression(node.source)} AS {name(node.variable)}"
        case ast.Projection():
            return _projection(node)
        case ast.CallSubquery():
            names = "*" if node.import_all else ", ".join(map(name, node.imports or ()))
            return f"CALL {f'({names}) ' if node.imports is not None else ''}{{ {render(node.query)} }}"
    raise TypeError(f"no text for {type(node).__name__}")
