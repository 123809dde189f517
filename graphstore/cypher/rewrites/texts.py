"""Texts for an engine that takes a text such as `["x"]` for the list it spells, and prints every float with plain digits.

Such a text compares as equal to its only item. Both are texts, and the spelt list is always the longer one: the same
length on both sides makes equality exact.
"""

from __future__ import annotations

from graphstore.cypher import ast, build, types
from graphstore.cypher.dialect import Context
from graphstore.cypher.types import Type

_FIXED_WORDS = frozenset({"id", "repository", "kind", "how", "reason"})
"""Properties whose stored texts are fixed words or begin with a repository's name: never the spelling of a list."""

_FIXED_CALLS = frozenset({"type", "labels"})
_FAIL = ast.Binary("/", ast.Literal(1), ast.Literal(0))
_LARGE, _SMALL = 1e7, 1e-3
"""From here on, and below, Neo4j prints a float with an exponent."""


def spells_list(value: object) -> bool:
    """Whether it is a text that the engine may take for a list."""
    return isinstance(value, str) and value.startswith("[") and value.endswith("]")


def _is_text(found: Type) -> bool:
    return found.kinds == {types.STRING}


def _is_fixed(node: ast.Expression) -> bool:
    """Whether it can never be the spelling of a list."""
    if isinstance(node, ast.Literal):
        return not spells_list(node.value)
    if isinstance(node, ast.ListLiteral):
        return all(_is_fixed(item) for item in node.items)
    if isinstance(node, ast.Property):
        return node.key in _FIXED_WORDS
    return isinstance(node, ast.Call) and node.name.lower() in _FIXED_CALLS


def is_doubtful(left: ast.Expression, right: ast.Expression, context: Context) -> bool:
    """Whether equality of the two, as written, needs its guard."""
    both = _is_text(context.analysis.type_of(left)) and _is_text(context.analysis.type_of(right))
    return both and not (_is_fixed(left) and _is_fixed(right))


def is_doubtful_value(key: str, value: ast.Expression, context: Context) -> bool:
    """Whether the entry `key: value` of a pattern, as written, needs its guard."""
    return _is_text(context.analysis.type_of(value)) and not (_is_fixed(value) and key in _FIXED_WORDS)


def is_text_equality(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Comparison) or len(node.rest) != 1 or node.rest[0][0] not in ("=", "<>"):
        return False
    return is_doubtful(node.first, node.rest[0][1], context)


def exact_equality(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`a = b` as `a = b AND size(a) = size(b)`, `a <> b` likewise; null where one of them is null, as before."""
    if not isinstance(node, ast.Comparison):
        raise TypeError("not a comparison")
    return exactly(node.first, node.rest[0][0], node.rest[0][1])


def exactly(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Expression:
    """Equality of two texts, or inequality, with its guard."""
    junction = "AND" if operator == "=" else "OR"
    return ast.Binary(junction, build.compare(left, operator, right), same_size(left, operator, right))


def same_size(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Expression:
    """The guard: `size(left) = size(right)`."""
    return build.compare(build.call("size", left), operator, build.call("size", right))


def is_text_membership(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Binary) or node.operator != "IN":
        return False
    items = context.analysis.type_of(node.right)
    texts = _is_text(context.analysis.type_of(node.left)) and types.LIST in items.kinds and _is_text(items.items)
    return texts and not (_is_fixed(node.left) and _is_fixed(node.right))


def exact_membership(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`x IN l` and one of its items has the length of x as well."""
    if not isinstance(node, ast.Binary):
        raise TypeError("not a membership")
    item = ast.Variable(context.new_name())
    return ast.Binary("AND", node, ast.Quantifier("any", item.name, node.right, exactly(item, "=", node.left)))


def is_reversed_text(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Call) or node.name.lower() != "reverse":
        return False
    return types.STRING in context.analysis.type_of(node.arguments[0]).kinds and not _is_fixed(node.arguments[0])


def checked_reverse(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """reverse() of a text that may spell a list fails: the engine would reverse the list."""
    if not isinstance(node, ast.Call):
        raise TypeError("not a call")
    return build.choose((ast.Binary("STARTS WITH", node.arguments[0], ast.Literal("[")), _FAIL), default=node)


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
    return build.choose((needs_exponent(value, only_float=only_float), _FAIL), default=node)


def printed_items(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """toStringList(l) as [x IN l | toString(x)], with the same care for floats."""
    if not isinstance(node, ast.Call) or not isinstance(written, ast.Call):
        raise TypeError("not a call")
    item = ast.Variable(context.new_name())
    printed: ast.Expression = build.call("toString", item)
    if context.analysis.type_of(written.arguments[0]).items.may_be(types.FLOAT):
        printed = build.choose((needs_exponent(item, only_float=False), _FAIL), default=printed)
    return ast.ListComprehension(item.name, node.arguments[0], None, printed)


def joins_float(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Binary) or node.operator != "+":
        return False
    left, right = context.analysis.type_of(node.left).kinds, context.analysis.type_of(node.right).kinds
    return _joins(left, right) or _joins(right, left)


def _joins(text: frozenset[str], number: frozenset[str]) -> bool:
    return types.STRING in text and types.FLOAT in number


def plain_joined_digits(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """Text + float; a float that Neo4j prints with an exponent fails."""
    if not isinstance(node, ast.Binary) or not isinstance(written, ast.Binary):
        raise TypeError("not a sum")
    left, right = context.analysis.type_of(written.left).kinds, context.analysis.type_of(written.right).kinds
    result: ast.Expression = node
    for text, number, texts, numbers in ((node.left, node.right, left, right), (node.right, node.left, right, left)):
        if _joins(texts, numbers):
            outside = needs_exponent(number, only_float=numbers == {types.FLOAT})
            if texts != {types.STRING}:
                outside = ast.Binary("AND", ast.IsTyped(text, "STRING NOT NULL", negated=False), outside)
            result = build.choose((outside, _FAIL), default=result)
    return result


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
