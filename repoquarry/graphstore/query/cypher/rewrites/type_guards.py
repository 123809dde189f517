"""Rewrites that test the types of operands at run time and fail the query as Neo4j does, or wrap a single value in a list.

The type of a value is often known only at run time, for example of a map's entry or an item of a mixed list. It is then tested by `IS
::`, and the query fails with the reason. Coercions of Neo4j, such as a value for a list of one, are made explicit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.runtime_failures import RuntimeFailure, failing_expression
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES
from repoquarry.graphstore.query.cypher.syntax import ast, visitor

TESTED = {
    types.BOOLEAN: "BOOLEAN",
    types.INTEGER: "INTEGER",
    types.FLOAT: "FLOAT",
    types.STRING: "STRING",
    types.LIST: "LIST<ANY>",
    types.MAP: "MAP",
    types.NODE: "NODE",
    types.RELATIONSHIP: "RELATIONSHIP",
    types.PATH: "PATH",
}
"""Name after `IS ::` of each type that the engine supports."""

HELD = frozenset(TESTED)
NUMBERS = frozenset({types.INTEGER, types.FLOAT})
WITH_PROPERTIES = frozenset({types.MAP, types.NODE, types.RELATIONSHIP})
_ENTITIES = frozenset({types.NODE, types.RELATIONSHIP})
_BOOLEAN = frozenset({types.BOOLEAN})
_STRING = frozenset({types.STRING})
_LIST = frozenset({types.LIST})
_SIMPLE = (ast.Literal, ast.Variable, ast.Parameter)

Kinds = frozenset[str]


def is_cheap(node: ast.Expression) -> bool:
    """Return whether an expression may be repeated."""
    return isinstance(node, _SIMPLE) or (isinstance(node, ast.Property) and isinstance(node.subject, _SIMPLE))


def bind(
    value: ast.Expression, context: RewriteContext, body: Callable[[ast.Expression], ast.Expression]
) -> ast.Expression:
    """Build `body` of the value, or of a name for the value if it may not be repeated."""
    if is_cheap(value):
        return body(value)
    name = ast.Variable(context.new_name())
    return visitor.bind_once(name.name, value, body(name))


def build_type_test(value: ast.Expression, kinds: Iterable[str]) -> ast.Expression:
    """Build a test whether the value is null or of one of the types."""
    tests = (ast.IsTyped(value, TESTED[kind], negated=False) for kind in sorted(kinds) if kind in TESTED)
    return reduce(lambda left, right: ast.Binary("OR", left, right), tests)  # type: ignore[arg-type,return-value]


def unexpected_kinds(node: ast.Expression, wanted: Kinds, context: RewriteContext) -> Kinds:
    """Return the types that the expression, as written, may have besides the wanted ones."""
    return (context.analysis.type_of(node).kinds & HELD) - wanted


def guard_type(
    value: ast.Expression,
    wanted: Kinds,
    context: RewriteContext,
    failure: RuntimeFailure | None = RuntimeFailure.TYPE_MISMATCH,
    body: Callable[[ast.Expression], ast.Expression] = lambda value: value,
) -> ast.Expression:
    """Return the value, or `body` of it; if it has another type, the query fails, or the result is null without a failure."""
    default = visitor.NULL if failure is None else failing_expression(failure)
    return bind(value, context, lambda x: visitor.case_when((build_type_test(x, wanted), body(x)), default=default))


_UNCHECKED = frozenset({"coalesce", "exists", "valuetype", "nullif", "tail", "count", "collect", "min", "max"})
_DOUBTFUL = frozenset({"left", "right", "substring", "split", "range"})
"""Functions that accept more types on Neo4j than they declare."""


def _wanted(node: ast.Call, number: int) -> Kinds:
    signature = SIGNATURES[node.name.lower()]
    if node.name.lower() == "split" and number == 1:
        return frozenset({types.LIST} if isinstance(node.arguments[1], ast.ListLiteral) else {types.STRING})
    return signature.arguments[min(number, len(signature.arguments) - 1)].kinds


def _is_guarded(node: ast.Call) -> bool:
    name = node.name.lower()
    return name not in _UNCHECKED and not name.endswith("ornull") and bool(SIGNATURES[name].arguments)


_WANTED_BY_OPERATOR = {
    **dict.fromkeys(("-", "*", "/", "%", "^"), NUMBERS),
    **dict.fromkeys(("AND", "OR", "XOR"), _BOOLEAN),
}


def _wanted_by_field(node: ast.Node) -> Mapping[str, Sequence[Kinds]]:
    """Return the types that the operands of a node must have: by field, one entry for each expression of the field."""
    match node:
        case ast.Binary() if node.operator in _WANTED_BY_OPERATOR:
            return dict.fromkeys(("left", "right"), (_WANTED_BY_OPERATOR[node.operator],))
        case ast.Unary():
            return {"operand": (_BOOLEAN if node.operator == "NOT" else NUMBERS,)}
        case ast.When():
            return {"tests": (_BOOLEAN,) * len(node.tests)}
        case ast.Call() if _is_guarded(node):
            return {"arguments": [_wanted(node, number) for number in range(len(node.arguments))]}
    return {"where": (_BOOLEAN,)} if getattr(node, "where", None) is not None else {}


def _operands(node: ast.Node, field: str) -> tuple[ast.Expression, ...]:
    found = getattr(node, field)
    return found if isinstance(found, tuple) else (found,)


def list_operands(node: ast.Node) -> Iterator[tuple[ast.Expression, Kinds]]:
    """Yield the operands of a node whose types are checked, with the wanted types."""
    for field, wanted in _wanted_by_field(node).items():
        yield from zip(_operands(node, field), wanted, strict=True)


def needs_guard(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether an operand may have another type than the node accepts."""
    return any(unexpected_kinds(operand, wanted, context) for operand, wanted in list_operands(node))


def guard_operands(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Guard every operand that may have another type."""
    is_doubtful = isinstance(node, ast.Call) and node.name.lower() in _DOUBTFUL
    failure = RuntimeFailure.LOOSE_TYPE_MISMATCH if is_doubtful else RuntimeFailure.TYPE_MISMATCH
    for field, wanted in _wanted_by_field(written).items():
        guarded = tuple(
            guard_type(operand, kinds, context, RuntimeFailure.NON_BOOLEAN_CONDITION if kinds == _BOOLEAN else failure)
            if unexpected_kinds(before, kinds, context)
            else operand
            for before, operand, kinds in zip(_operands(written, field), _operands(node, field), wanted, strict=True)
        )
        is_many = isinstance(getattr(node, field), tuple)
        changed: dict[str, Any] = {field: guarded if is_many else guarded[0]}
        node = dataclasses.replace(node, **changed)
    return node


def needs_sign_guard(node: ast.Unary, context: RewriteContext) -> bool:
    return node.operator == "+" or needs_guard(node, context)


def guard_sign(written: ast.Unary, node: ast.Unary, context: RewriteContext) -> ast.Node:
    """Guard `-x` of a number and NOT of a Boolean; `+x` is x for any type, like on Neo4j."""
    return node.operand if node.operator == "+" else guard_operands(written, node, context)


_OF_VARIABLES = frozenset({"keys", "properties", "labels", "type", "nodes", "relationships", "length"})
"""Functions that give null for anything but a name or a plain expression, so that the check is around the call."""


def guard_arguments(written: ast.Call, node: ast.Expression, context: RewriteContext) -> ast.Node:
    wanted = SIGNATURES[written.name.lower()].arguments[0].kinds
    if not isinstance(node, ast.Call):  # keys() of a node, made explicit.
        subject = written.arguments[0]
        return guard_type(subject, wanted, context, body=lambda _: node) if is_cheap(subject) else node
    if node.name.lower() in _OF_VARIABLES:
        call = node
        return guard_type(node.arguments[0], wanted, context, body=lambda x: dataclasses.replace(call, arguments=(x,)))
    return guard_operands(written, node, context)


def needs_subject_guard(node: ast.Property | ast.Index | ast.MapProjection, context: RewriteContext) -> bool:
    """Return whether the subject of `x.key`, `x[i]` or `x {.key}` may have neither properties nor items."""
    if isinstance(node, ast.Index) and context.analysis.type_of(node.subject).kinds <= _ENTITIES:
        return False  # n[key] of an entity is rewritten or refused.
    return bool(unexpected_kinds(node.subject, _wanted_subject(node), context))


def _wanted_subject(node: ast.Property | ast.Index | ast.MapProjection) -> Kinds:
    """Return the types of the subject: before a bracket an entity only with a literal key, since the engine has its own keys."""
    if not isinstance(node, ast.Index):
        return WITH_PROPERTIES
    is_written = isinstance(node.index, ast.Literal) and isinstance(node.index.value, str)
    return WITH_PROPERTIES | _LIST if is_written else frozenset({types.MAP, types.LIST})


def guard_subject(
    written: ast.Property | ast.Index, node: ast.Property | ast.Index, context: RewriteContext
) -> ast.Node:
    wanted = _wanted_subject(node)
    failure = RuntimeFailure.TYPE_MISMATCH if wanted >= _ENTITIES else RuntimeFailure.LOOSE_TYPE_MISMATCH
    return guard_type(node.subject, wanted, context, failure, lambda x: dataclasses.replace(node, subject=x))


def guard_projection(written: ast.MapProjection, node: ast.Expression, context: RewriteContext) -> ast.Node:
    return guard_type(written.subject, WITH_PROPERTIES, context, body=lambda _: node)


def needs_match_guard(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether the subject of `x =~ pattern` may have a type other than string."""
    return node.operator == "=~" and bool(unexpected_kinds(node.left, _STRING, context))


def guard_match(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    """Rewrite `x =~ pattern` to null if x is not a string, like on Neo4j."""
    return dataclasses.replace(node, left=guard_type(node.left, _STRING, context, None))


def _list_field(node: ast.Node) -> str:
    """Return the field of the expression at the position of a list; empty if there is none."""
    match node:
        case ast.Binary():
            return "right" if node.operator == "IN" else ""
        case ast.Call():
            return "arguments" if node.name.lower() == "tail" else ""
    return "subject" if isinstance(node, ast.Slice) else "source"


def needs_list_coercion(node: ast.Node, context: RewriteContext) -> bool:
    field = _list_field(node)
    return bool(field and unexpected_kinds(_operands(node, field)[0], _LIST, context))


def coerce_operand(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Apply the operation to a list in any case: a value other than a list or null is a list of one."""
    if isinstance(node, ast.ListComprehension) and node.where is None and node.result is None:
        return node.source  # Neo4j removes such a comprehension, even over a value.
    field = _list_field(node)
    value = bind(
        _operands(node, field)[0],
        context,
        lambda x: visitor.case_when((build_type_test(x, _LIST), x), default=ast.ListLiteral((x,))),
    )
    changed: dict[str, Any] = {field: (value,) if field == "arguments" else value}
    return dataclasses.replace(node, **changed)
