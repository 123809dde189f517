"""Equality for an engine that takes a text such as `["x"]` as equal to its only item, the text `x`.

The spelt list is always the longer one: asking for the same length as well makes equality of texts exact. Where a value's type
is known only when the query runs, the guard asks for it first.
"""

from __future__ import annotations

from repoquarry.graphstore.cypher.dialect import Context
from repoquarry.graphstore.cypher.semantics import types
from repoquarry.graphstore.cypher.semantics.types import Type
from repoquarry.graphstore.cypher.syntax import ast, build

_FIXED_WORDS = frozenset({"id", "repository", "kind", "how", "reason"})
"""Properties whose stored texts are fixed words or begin with a repository's name: never the spelling of a list."""

_FIXED_CALLS = frozenset({"type", "labels"})
_ENTITIES = frozenset({types.NODE, types.RELATIONSHIP})


def spells_list(value: object) -> bool:
    """Whether it is a text that the engine may take for a list."""
    return isinstance(value, str) and value.startswith("[") and value.endswith("]")


def is_fixed(node: ast.Expression, context: Context) -> bool:
    """Whether neither it nor what it holds can ever be the spelling of a list."""
    if isinstance(node, ast.Literal):
        return not spells_list(node.value)
    if isinstance(node, ast.ListLiteral):
        return all(is_fixed(item, context) for item in node.items)
    if isinstance(node, ast.MapLiteral):
        return all(is_fixed(value, context) for _, value in node.entries)
    if isinstance(node, ast.Property):
        return node.key in _FIXED_WORDS and context.analysis.type_of(node.subject).kinds <= _ENTITIES
    return isinstance(node, ast.Call) and node.name.lower() in _FIXED_CALLS


def _both_may_be(kind: str, left: Type, right: Type) -> bool:
    return kind in left.kinds and kind in right.kinds


def _items_may_be_texts(left: Type, right: Type) -> bool:
    return _both_may_be(types.LIST, left, right) and _both_may_be(types.STRING, left.items, right.items)


def is_doubtful(left: ast.Expression, right: ast.Expression, context: Context) -> bool:
    """Whether equality of the two, as written, needs its guard."""
    found = context.analysis.type_of(left), context.analysis.type_of(right)
    if not _both_may_be(types.STRING, *found) and not _items_may_be_texts(*found):
        return False
    return not (is_fixed(left, context) and is_fixed(right, context))


def equal(before: tuple[ast.Expression, ast.Expression], left: ast.Expression, operator: str,
          right: ast.Expression, context: Context) -> ast.Expression:  # fmt: skip
    """`left = right` or `left <> right`, guarded where it has to be; `before` are the two as written."""
    plain = build.compare(left, operator, right)
    if operator not in ("=", "<>") or not is_doubtful(*before, context):
        return plain
    found = context.analysis.type_of(before[0]), context.analysis.type_of(before[1])
    if all(side.kinds == {types.LIST} for side in found):
        guard = _same_sizes(found, left, operator, right, context)
    else:
        exactly = all(side.kinds == {types.STRING} for side in found)
        guard = (same_size if exactly else _same_size_of_texts)(left, operator, right)
    return ast.Binary("AND" if operator == "=" else "OR", plain, guard)


def same_size(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Expression:
    """The guard of two texts: `size(left) = size(right)`."""
    return build.compare(build.call("size", left), operator, build.call("size", right))


def _same_size_of_texts(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Expression:
    texts = [ast.IsTyped(side, "STRING NOT NULL", negated=False) for side in (left, right)]
    otherwise = build.TRUE if operator == "=" else build.FALSE
    return build.choose((ast.Binary("AND", texts[0], texts[1]), same_size(left, operator, right)), default=otherwise)


def _same_sizes(found: tuple[Type, Type], left: ast.Expression, operator: str, right: ast.Expression,
                context: Context) -> ast.Expression:  # fmt: skip
    """The guard of two lists, item by item."""
    at = ast.Variable(context.new_name())
    exactly = all(side.items.kinds == {types.STRING} for side in found)
    guard = same_size if exactly else _same_size_of_texts
    test = guard(ast.Index(left, at), operator, ast.Index(right, at))
    size = build.call("coalesce", build.call("size", left), ast.Literal(0))  # range() takes no null
    last = ast.Binary("-", size, ast.Literal(1))
    kind = "all" if operator == "=" else "any"
    return ast.Quantifier(kind, at.name, build.call("range", ast.Literal(0), last), test)


def is_guarded_equality(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Comparison) or len(node.rest) != 1 or node.rest[0][0] not in ("=", "<>"):
        return False
    if isinstance(node.first, ast.CaseSubject):  # a test of a simple CASE, which is rewritten as a whole
        return False
    return is_doubtful(node.first, node.rest[0][1], context)


def guarded_equality(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`a = b` as `a = b AND size(a) = size(b)`, `a <> b` likewise; null where one of them is null, as before."""
    if not isinstance(node, ast.Comparison) or not isinstance(written, ast.Comparison):
        raise TypeError("not a comparison")
    before = (written.first, written.rest[0][1])
    return equal(before, node.first, node.rest[0][0], node.rest[0][1], context)


def is_guarded_membership(node: ast.Node, context: Context) -> bool:
    if not isinstance(node, ast.Binary) or node.operator != "IN":
        return False
    item, items = context.analysis.type_of(node.left), _items_of(context.analysis.type_of(node.right))
    return _both_may_be(types.STRING, item, items) and not (
        is_fixed(node.left, context) and is_fixed(node.right, context)
    )


def _items_of(found: Type) -> Type:
    """What stands in the list, or for it."""
    alone = Type(found.kinds - {types.LIST})
    return types.union(found.items, alone) if types.LIST in found.kinds else alone


def guarded_membership(written: ast.Node, node: ast.Node, context: Context) -> ast.Node:
    """`x IN l` and one of its items that equals x has the length of x as well."""
    if not isinstance(node, ast.Binary) or not isinstance(written, ast.Binary):
        raise TypeError("not a membership")
    item = ast.Variable(context.new_name())
    found = context.analysis.type_of(written.left), _items_of(context.analysis.type_of(written.right))
    exactly = all(side.kinds == {types.STRING} for side in found)
    guard = (same_size if exactly else _same_size_of_texts)(item, "=", node.left)
    test = ast.Binary("AND", build.compare(item, "=", node.left), guard)
    any_equal = ast.Quantifier("any", item.name, node.right, test)
    # CASE rather than AND, of which the engine evaluates both sides: the search through the list costs far more than IN
    return ast.Case(None, (ast.When((node,), any_equal),), node)


def may_spell_list(key: str, value: ast.Expression, context: Context) -> bool:
    """Whether the entry `key: value` of a pattern, as written, needs its guard."""
    is_text = types.STRING in context.analysis.type_of(value).kinds
    return is_text and not (is_fixed(value, context) and key in _FIXED_WORDS)


def entry_guard(key: str, subject: ast.Variable, written: ast.Expression, value: ast.Expression,
                context: Context) -> ast.Expression:  # fmt: skip
    """What such an entry needs besides equality."""
    exactly = context.analysis.type_of(written).kinds == {types.STRING}
    return (same_size if exactly else _same_size_of_texts)(ast.Property(subject, key), "=", value)


def holds_nested_texts(node: ast.Node, context: Context) -> bool:
    """Equality of maps, or of lists of lists or maps, that may hold texts: no length tells them apart."""
    if isinstance(node, ast.Binary) and node.operator == "IN":
        left, right = context.analysis.type_of(node.left), context.analysis.type_of(node.right).items
        sides = (node.left, node.right)
    elif isinstance(node, ast.Comparison) and len(node.rest) == 1 and node.rest[0][0] in ("=", "<>"):
        sides = (node.first, node.rest[0][1])
        left, right = (context.analysis.type_of(side) for side in sides)
        if _flat_texts(left) and _flat_texts(right):
            return False
    else:
        return False
    nested = any(_known_nested(a, b) for a, b in ((left, right), (right, left)))
    return nested and not all(is_fixed(side, context) for side in sides)


def _flat_texts(found: Type) -> bool:
    return found.kinds == {types.LIST} and not found.items.kinds & {types.LIST, types.MAP}


def _known_nested(one: Type, other: Type) -> bool:
    """Whether one is known to be a map, or a list that can hold texts, and the other can be the same."""
    if one.kinds == {types.MAP}:
        return types.MAP in other.kinds
    if one.kinds != {types.LIST} or types.LIST not in other.kinds:
        return False
    return bool(one.items.kinds & {types.STRING, types.LIST, types.MAP} and other.items.kinds)
