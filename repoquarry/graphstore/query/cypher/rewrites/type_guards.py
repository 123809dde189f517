"""Run-time type guards and list coercion.

The type of a value is often known only at run time, for example of a map's entry or an item of a mixed list. It is then tested by `IS
::`, and the query fails with the reason. Coercions of Neo4j, such as a value for a list of one, are made explicit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

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
_SIMPLE = (ast.Literal, ast.Variable, ast.Parameter)

Kinds = frozenset[str]


def is_cheap(node: ast.Expression) -> bool:
    """Return whether an expression may be repeated."""
    return isinstance(node, _SIMPLE) or (isinstance(node, ast.Property) and isinstance(node.subject, _SIMPLE))


def build_type_test(value: ast.Expression, kinds: Iterable[str]) -> ast.Expression:
    """Build a test whether the value is null or of one of the types."""
    tests = [ast.IsTyped(value, TESTED[kind], negated=False) for kind in sorted(kinds) if kind in TESTED]
    found: ast.Expression = tests[0]
    for test in tests[1:]:
        found = ast.Binary("OR", found, test)
    return found


def unexpected_kinds(node: ast.Expression, wanted: Kinds, context: RewriteContext) -> Kinds:
    """Return the types that the expression, as written, may have besides the wanted ones."""
    return (context.analysis.type_of(node).kinds & HELD) - wanted


def guard_type(
    value: ast.Expression, wanted: Kinds, context: RewriteContext, failure: RuntimeFailure = RuntimeFailure.KIND
) -> ast.Expression:
    """Return the value; the query fails if it has another type."""
    if is_cheap(value):
        return visitor.case_when((build_type_test(value, wanted), value), default=failing_expression(failure))
    name = ast.Variable(context.new_name())
    body = visitor.case_when((build_type_test(name, wanted), name), default=failing_expression(failure))
    return visitor.bind_once(name.name, value, body)


_UNCHECKED = frozenset({"coalesce", "exists", "valuetype", "nullif", "tail", "count", "collect", "min", "max"})
_DOUBTFUL = frozenset({"left", "right", "substring", "split", "range"})
"""Functions that accept more types on Neo4j than they declare."""


def _wanted(node: ast.Call, number: int) -> Kinds:
    signature = SIGNATURES[node.name.lower()]
    if node.name.lower() == "split" and number == 1:
        return frozenset({types.LIST} if isinstance(node.arguments[1], ast.ListLiteral) else {types.STRING})
    return signature.arguments[min(number, len(signature.arguments) - 1)].kinds


def _is_guarded(node: ast.Node) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() not in SIGNATURES:
        return False
    name = node.name.lower()
    return name not in _UNCHECKED and not name.endswith("ornull") and bool(SIGNATURES[name].arguments)


def needs_argument_guard(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether an argument may have a type that the function does not accept."""
    if not _is_guarded(node):
        return False
    return any(unexpected_kinds(argument, _wanted(node, i), context) for i, argument in enumerate(node.arguments))


_OF_VARIABLES = frozenset({"keys", "properties", "labels", "type", "nodes", "relationships", "length"})
"""Functions that give null for anything but a name or a plain expression, so that the check is around the call."""


def _checked_result(written: ast.Call, node: ast.Expression) -> ast.Expression:
    subject = written.arguments[0]
    wanted = SIGNATURES[written.name.lower()].arguments[0].kinds
    return (
        visitor.case_when((build_type_test(subject, wanted), node), default=failing_expression(RuntimeFailure.KIND))
        if is_cheap(subject)
        else node
    )


def _checked_before(written: ast.Expression, node: ast.Call, context: RewriteContext) -> ast.Expression:
    subject = node.arguments[0]
    wanted = SIGNATURES[node.name.lower()].arguments[0].kinds
    if is_cheap(subject):
        return visitor.case_when(
            (build_type_test(subject, wanted), node), default=failing_expression(RuntimeFailure.KIND)
        )
    name = ast.Variable(context.new_name())
    call = dataclasses.replace(node, arguments=(name,))
    return visitor.bind_once(
        name.name,
        subject,
        visitor.case_when((build_type_test(name, wanted), call), default=failing_expression(RuntimeFailure.KIND)),
    )


def guard_arguments(written: ast.Call, node: ast.Expression, context: RewriteContext) -> ast.Node:
    if not isinstance(node, ast.Call):  # keys() of a node, made explicit.
        return _checked_result(written, node)
    if node.name.lower() in _OF_VARIABLES:
        return _checked_before(written.arguments[0], node, context)
    failure = RuntimeFailure.LOOSE_KIND if node.name.lower() in _DOUBTFUL else RuntimeFailure.KIND
    arguments = [
        guard_type(argument, _wanted(node, i), context, failure)
        if unexpected_kinds(written.arguments[i], _wanted(node, i), context)
        else argument
        for i, argument in enumerate(node.arguments)
    ]
    return dataclasses.replace(node, arguments=tuple(arguments))


_WANTED_BY_OPERATOR = {
    **dict.fromkeys(("-", "*", "/", "%", "^"), NUMBERS),
    **dict.fromkeys(("AND", "OR", "XOR"), frozenset({types.BOOLEAN})),
}


def needs_operand_guard(node: ast.Binary, context: RewriteContext) -> bool:
    if node.operator not in _WANTED_BY_OPERATOR:
        return False
    wanted = _WANTED_BY_OPERATOR[node.operator]
    return any(unexpected_kinds(side, wanted, context) for side in (node.left, node.right))


def guard_operands(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    wanted = _WANTED_BY_OPERATOR[node.operator]
    failure = RuntimeFailure.TRUTH if types.BOOLEAN in wanted else RuntimeFailure.KIND
    left, right = (
        guard_type(side, wanted, context, failure) if unexpected_kinds(before, wanted, context) else side
        for before, side in ((written.left, node.left), (written.right, node.right))
    )
    return dataclasses.replace(node, left=left, right=right)


def needs_sign_guard(node: ast.Node, context: RewriteContext) -> bool:
    return isinstance(node, ast.Unary) and (node.operator == "+" or bool(_outside_sign(node, context)))


def _outside_sign(node: ast.Unary, context: RewriteContext) -> Kinds:
    return unexpected_kinds(node.operand, frozenset({types.BOOLEAN}) if node.operator == "NOT" else NUMBERS, context)


def guard_sign(written: ast.Unary, node: ast.Unary, context: RewriteContext) -> ast.Node:
    """Guard `-x` of a number and NOT of a Boolean; `+x` is x for any type, like on Neo4j."""
    if node.operator == "+":
        return node.operand
    if node.operator == "NOT":
        return dataclasses.replace(
            node, operand=guard_type(node.operand, frozenset({types.BOOLEAN}), context, RuntimeFailure.TRUTH)
        )
    return dataclasses.replace(node, operand=guard_type(node.operand, NUMBERS, context))


def needs_condition_guard(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether a condition may have a type other than Boolean; unknown types pass, or the query would be refused."""
    return any(unexpected_kinds(test, frozenset({types.BOOLEAN}), context) for test in _conditions(node))


def _conditions(node: ast.Node) -> list[ast.Expression]:
    if isinstance(node, ast.Case):
        return [test for when in node.whens for test in when.tests] if node.subject is None else []
    where = getattr(node, "where", None)
    return [where] if isinstance(where, ast.Expression) else []


def guard_condition(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Guard the conditions of WHERE and WHEN."""
    wanted = frozenset({types.BOOLEAN})
    if isinstance(node, ast.Case) and isinstance(written, ast.Case):
        whens = [
            dataclasses.replace(
                when,
                tests=tuple(
                    guard_type(test, wanted, context, RuntimeFailure.TRUTH)
                    if unexpected_kinds(old, wanted, context)
                    else test
                    for old, test in zip(before.tests, when.tests, strict=True)
                ),
            )
            for before, when in zip(written.whens, node.whens, strict=True)
        ]
        return dataclasses.replace(node, whens=tuple(whens))
    if not isinstance(
        node, ast.Match | ast.Projection | ast.ListComprehension | ast.Quantifier | ast.PatternComprehension
    ):
        raise TypeError("nothing with a condition")
    if node.where is None:
        return node
    return dataclasses.replace(node, where=guard_type(node.where, wanted, context, RuntimeFailure.TRUTH))


_ENTITIES = frozenset({types.NODE, types.RELATIONSHIP})


def needs_subject_guard(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether the subject of `x.key` or `x[i]` may have neither."""
    if isinstance(node, ast.Property):
        return bool(unexpected_kinds(node.subject, WITH_PROPERTIES, context))
    if not isinstance(node, ast.Index) or context.analysis.type_of(node.subject).kinds <= _ENTITIES:
        return False  # n[key] of an entity is rewritten or refused.
    return bool(unexpected_kinds(node.subject, _indexed(node), context))


def _indexed(node: ast.Index) -> Kinds:
    """Return the types allowed before the bracket: an entity only with a literal key, since the engine has its own keys."""
    is_written = isinstance(node.index, ast.Literal) and isinstance(node.index.value, str)
    return WITH_PROPERTIES | {types.LIST} if is_written else frozenset({types.MAP, types.LIST})


def guard_subject(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    if isinstance(node, ast.Property):
        wanted: Kinds = WITH_PROPERTIES
    elif isinstance(node, ast.Index):
        wanted = _indexed(node)
    else:
        raise TypeError("nothing with a subject")
    failure = RuntimeFailure.KIND if wanted >= _ENTITIES else RuntimeFailure.LOOSE_KIND
    if is_cheap(node.subject):
        return visitor.case_when((build_type_test(node.subject, wanted), node), default=failing_expression(failure))
    name = ast.Variable(context.new_name())
    body = visitor.case_when(
        (build_type_test(name, wanted), dataclasses.replace(node, subject=name)), default=failing_expression(failure)
    )
    return visitor.bind_once(name.name, node.subject, body)


def needs_projection_guard(node: ast.MapProjection, context: RewriteContext) -> bool:
    """Return whether the subject of `x {.key}` may have no properties."""
    return bool(unexpected_kinds(node.subject, WITH_PROPERTIES, context))


def guard_projection(written: ast.MapProjection, node: ast.Expression, context: RewriteContext) -> ast.Node:
    return visitor.case_when(
        (build_type_test(written.subject, WITH_PROPERTIES), node), default=failing_expression(RuntimeFailure.KIND)
    )


def needs_match_guard(node: ast.Binary, context: RewriteContext) -> bool:
    """Return whether the subject of `x =~ pattern` may have a type other than string."""
    if node.operator != "=~":
        return False
    return bool(unexpected_kinds(node.left, frozenset({types.STRING}), context))


def guard_match(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    """Rewrite `x =~ pattern` to null if x is not a string, like on Neo4j."""
    text = frozenset({types.STRING})
    if is_cheap(node.left):
        return dataclasses.replace(
            node, left=visitor.case_when((build_type_test(node.left, text), node.left), default=visitor.NULL)
        )
    name = ast.Variable(context.new_name())
    body = visitor.case_when((build_type_test(name, text), name), default=visitor.NULL)
    return dataclasses.replace(node, left=visitor.bind_once(name.name, node.left, body))


_LIST = frozenset({types.LIST})


def coerce_to_list(value: ast.Expression, context: RewriteContext) -> ast.Expression:
    """Return the value if it is a list or null, otherwise a list of it."""
    if is_cheap(value):
        return visitor.case_when((build_type_test(value, _LIST), value), default=ast.ListLiteral((value,)))
    name = ast.Variable(context.new_name())
    body = visitor.case_when((build_type_test(name, _LIST), name), default=ast.ListLiteral((name,)))
    return visitor.bind_once(name.name, value, body)


def _source(node: ast.Node) -> ast.Expression | None:
    """Return the expression at the position of a list."""
    match node:
        case ast.Binary() if node.operator == "IN":
            return node.right
        case ast.Slice():
            return node.subject
        case ast.ListComprehension() | ast.Quantifier() | ast.Reduce():
            return node.source
        case ast.Call() if node.name.lower() == "tail":
            return node.arguments[0]
    return None


def needs_list_coercion(node: ast.Node, context: RewriteContext) -> bool:
    source = _source(node)
    return source is not None and bool(unexpected_kinds(source, _LIST, context))


def coerce_operand(written: ast.Node, node: ast.Node, context: RewriteContext) -> ast.Node:
    """Apply the operation to a list in any case."""
    source = _source(node)
    if source is None:
        raise TypeError("nothing that takes a list")
    taken = coerce_to_list(source, context)
    match node:
        case ast.Binary():
            return dataclasses.replace(node, right=taken)
        case ast.Slice():
            return dataclasses.replace(node, subject=taken)
        case ast.ListComprehension() if node.where is None and node.result is None:
            return node.source  # Neo4j removes such a comprehension, even over a value.
        case ast.ListComprehension() | ast.Quantifier() | ast.Reduce():
            return dataclasses.replace(node, source=taken)
        case ast.Call():
            return dataclasses.replace(node, arguments=(taken,))
    return node
