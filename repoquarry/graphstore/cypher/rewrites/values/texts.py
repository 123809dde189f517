"""Texts for an engine that takes a text such as `["x"]` for the list it spells, and prints every float with plain digits."""

from __future__ import annotations

import dataclasses

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.failures import Failure, fail
from repoquarry.graphstore.cypher.rewrites.values import kinds
from repoquarry.graphstore.cypher.rewrites.values.equality import is_fixed
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.syntax import ast, build

_SCALARS = frozenset({types.BOOLEAN, types.INTEGER, types.FLOAT, types.STRING})
_EXPONENT = fail(Failure.EXPONENT)
_ASTRAL = 0x10000
"""From here on Neo4j counts a character as two."""

_LARGE, _SMALL = 1e7, 1e-3
"""From here on, and below, Neo4j prints a float with an exponent."""


def is_reversed_text(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "reverse":
        return False
    return types.STRING in context.analysis.type_of(node.arguments[0]).kinds and not is_fixed(
        node.arguments[0], context
    )


def checked_reverse(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """reverse() of a text that may spell a list fails: the engine would reverse the list."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    return build.choose(
        (ast.Binary("STARTS WITH", node.arguments[0], ast.Literal("[")), fail(Failure.SPELT_LIST)), default=node
    )


def single_characters(node: ast.Expression) -> tuple[str, ...]:
    """The characters of a written list of separators of one character each; else nothing."""
    if not isinstance(node, ast.ListLiteral):
        return ()
    found = [item.value if isinstance(item, ast.Literal) else None for item in node.items]
    plain = [value for value in found if isinstance(value, str) and len(value) == 1 and ord(value) < _ASTRAL]
    return tuple(plain) if len(plain) == len(found) else ()


def splits_by_list(node: ast.Node, context: Context) -> bool:
    return isinstance(node, ast.Call) and node.name.lower() == "split" and bool(single_characters(node.arguments[1]))


def split_by_first(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """split(s, [',', ';']) as split(replace(s, ';', ','), ',')."""
    if not isinstance(node, ast.Call) or not isinstance(written, ast.Call):
        raise TypeError("not a call")
    first, *others = dict.fromkeys(single_characters(written.arguments[1]))
    text = node.arguments[0]
    for other in others:
        text = build.call("replace", text, ast.Literal(other), ast.Literal(first))
    return dataclasses.replace(node, arguments=(text, ast.Literal(first)))


def is_unwound_text(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Unwind):
        return False
    return types.STRING in context.analysis.type_of(node.source).kinds and not is_fixed(node.source, context)


def unwound_text(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """UNWIND of what may be a text, as a list of it: one row, whatever the text spells."""
    if not isinstance(node, ast.Unwind):
        raise TypeError("not an UNWIND")
    is_text = ast.IsTyped(node.source, "STRING NOT NULL", negated=False)
    source = build.choose((is_text, ast.ListLiteral((node.source,))), default=node.source)
    return dataclasses.replace(node, source=source)


def prints_float(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "tostring":
        return False
    return types.FLOAT in context.analysis.type_of(node.arguments[0]).kinds


def plain_digits(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """toString() of a float; one that Neo4j prints with an exponent fails."""
    if not isinstance(node, ast.Call) or not isinstance(written, ast.Call):
        raise TypeError("not a call")
    value = node.arguments[0]
    only_float = context.analysis.type_of(written.arguments[0]).kinds == {types.FLOAT}
    return build.choose((needs_exponent(value, only_float=only_float), _EXPONENT), default=node)


def printed_items(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """toStringList(l) as [x IN l | toString(x)], with the same care for floats."""
    if not isinstance(node, ast.Call) or not isinstance(written, ast.Call):
        raise TypeError("not a call")
    item = ast.Variable(context.new_name())
    printed: ast.Expression = build.call("toString", item)
    if context.analysis.type_of(written.arguments[0]).items.may_be(types.FLOAT):
        printed = build.choose((needs_exponent(item, only_float=False), _EXPONENT), default=printed)
    if context.analysis.type_of(written.arguments[0]).items.kinds - _SCALARS:
        printed = build.choose((kinds.is_one_of(item, _SCALARS), printed), default=build.NULL)
    return ast.ListComprehension(item.name, node.arguments[0], None, printed)


def needs_exponent(value: ast.Expression, *, only_float: bool) -> ast.Expression:
    """Whether Neo4j prints the value with an exponent. Source: Java's Double.toString: below 1e-3 and from 1e7 on."""
    near_zero = build.all_of([
        build.compare(value, ">", ast.Literal(-_SMALL)),
        build.compare(value, "<", ast.Literal(_SMALL)),
        build.compare(value, "<>", ast.Literal(0)),
    ])  # fmt: skip
    far = [build.compare(value, ">=", ast.Literal(_LARGE)), build.compare(value, "<=", ast.Literal(-_LARGE))]
    outside = ast.Binary("OR", ast.Binary("OR", *far), near_zero or build.FALSE)
    return outside if only_float else ast.Binary("AND", ast.IsTyped(value, "FLOAT NOT NULL", negated=False), outside)
