"""Rewrites of equality, IN and `range()` for the embedded engine, so that results equal those of Neo4j.

Neo4j gives `(end - start) / step` numbers by integer division, and one more: also one number if the end is less than a step behind the
start.

kglite may treat a string that spells a list as equal to another string. The spelled list is always longer, so an additional comparison of
sizes makes equality of strings exact. If a value's type is known only at run time, the guard tests it first.
"""

from __future__ import annotations

from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.rewrites.templates import build
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import Type
from repoquarry.graphstore.query.cypher.syntax import ast, visitor


def _has_step(node: ast.Call) -> bool:
    """Return whether this engine may give other numbers than Neo4j: a step that is computed, or that may miss the end."""
    if len(node.arguments) < 3:
        return False
    low, high, step = map(_whole_number, node.arguments)
    if step is None or step == 0:
        return step is None
    if abs(step) == 1:
        return False
    return low is None or high is None or ((high - low) * step < 0 and abs(high - low) < abs(step))


def needs_range_expansion(node: ast.Call, context: RewriteContext) -> bool:
    """Return whether the numbers can be counted: a literal step between integers, and a start that can be read twice."""
    if not _has_step(node) or _whole_number(node.arguments[2]) is None:
        return False
    start, end, _ = node.arguments
    is_plain = isinstance(start, ast.Literal | ast.Variable | ast.Parameter | ast.Property)
    return is_plain and all(context.analysis.type_of(one).kinds == {types.INTEGER} for one in (start, end))


def is_unsupported_range(node: ast.Call, context: RewriteContext) -> bool:
    return _has_step(node) and not needs_range_expansion(node, context)


def expand_range(written: ast.Call, node: ast.Call, context: RewriteContext) -> ast.Node:
    """Rewrite `range(a, b, s)` as `[i IN range(0, (b - a) / s) | a + i * s]`."""
    start, end, step = node.arguments
    return build("[_i IN range(0, ($b - $a) / $s) | $a + _i * $s]", context, a=start, b=end, s=step)


def _whole_number(node: ast.Expression) -> int | None:
    return node.value if isinstance(node, ast.Literal) and isinstance(node.value, int) else None


_FIXED_WORDS = frozenset({"id", "repository", "kind", "how", "reason"})
"""Properties whose stored strings are fixed words or start with a repository's name, and thus never spell a list."""

_FIXED_CALLS = frozenset({"type", "labels"})
_ENTITIES = frozenset({types.NODE, types.RELATIONSHIP})


def is_list_spelling(value: object) -> bool:
    """Return whether a value is a string that the engine may treat as a list."""
    return isinstance(value, str) and value.startswith("[") and value.endswith("]")


def is_fixed(node: ast.Expression, context: RewriteContext) -> bool:
    """Return whether neither the value nor its content can spell a list."""
    if isinstance(node, ast.Literal):
        return not is_list_spelling(node.value)
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


def is_ambiguous_equality(left: ast.Expression, right: ast.Expression, context: RewriteContext) -> bool:
    """Return whether equality of the two, as written, needs a guard."""
    found = context.analysis.type_of(left), context.analysis.type_of(right)
    if not _both_may_be(types.STRING, *found) and not _items_may_be_texts(*found):
        return False
    return not (is_fixed(left, context) and is_fixed(right, context))


def build_equality(before: tuple[ast.Expression, ast.Expression], left: ast.Expression, operator: str,
          right: ast.Expression, context: RewriteContext) -> ast.Expression:  # fmt: skip
    """Build `left = right` or `left <> right`, guarded if necessary; `before` are the two as written."""
    plain = visitor.compare(left, operator, right)
    if operator not in ("=", "<>") or not is_ambiguous_equality(*before, context):
        return plain
    found = context.analysis.type_of(before[0]), context.analysis.type_of(before[1])
    if all(side.kinds == {types.LIST} for side in found):
        guard = _same_sizes(found, left, operator, right, context)
    else:
        exactly = all(side.kinds == {types.STRING} for side in found)
        guard = (build_size_guard if exactly else _same_size_of_texts)(left, operator, right)
    return ast.Binary("AND" if operator == "=" else "OR", plain, guard)


def build_size_guard(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Expression:
    """Build the guard of two strings: `size(left) = size(right)`."""
    return visitor.compare(visitor.call("size", left), operator, visitor.call("size", right))


def _same_size_of_texts(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Expression:
    return build(
        "CASE WHEN $a IS :: STRING NOT NULL AND $b IS :: STRING NOT NULL THEN $guard ELSE $otherwise END",
        a=left, b=right, guard=build_size_guard(left, operator, right), otherwise=ast.Literal(operator == "="),
    )  # fmt: skip


def _same_sizes(found: tuple[Type, Type], left: ast.Expression, operator: str, right: ast.Expression,
                context: RewriteContext) -> ast.Expression:  # fmt: skip
    """Build the guard of two lists, item by item; range() does not accept null."""
    at = ast.Variable(context.new_name())
    exactly = all(side.items.kinds == {types.STRING} for side in found)
    guard = build_size_guard if exactly else _same_size_of_texts
    test = guard(ast.Index(left, at), operator, ast.Index(right, at))
    kind = "all" if operator == "=" else "any"
    return build(f"{kind}(at IN range(0, coalesce(size($left), 0) - 1) WHERE $test)", at=at.name, left=left, test=test)


def needs_equality_guard(node: ast.Comparison, context: RewriteContext) -> bool:
    if len(node.rest) != 1 or node.rest[0][0] not in ("=", "<>"):
        return False
    if isinstance(node.first, ast.CaseSubject):  # A test of a simple CASE, which is rewritten as a unit.
        return False
    return is_ambiguous_equality(node.first, node.rest[0][1], context)


def guard_equality(written: ast.Comparison, node: ast.Comparison, context: RewriteContext) -> ast.Node:
    """Rewrite `a = b` as `a = b AND size(a) = size(b)`, `a <> b` likewise; null if one of them is null, as before."""
    before = (written.first, written.rest[0][1])
    return build_equality(before, node.first, node.rest[0][0], node.rest[0][1], context)


def needs_membership_guard(node: ast.Binary, context: RewriteContext) -> bool:
    if node.operator != "IN":
        return False
    item, items = context.analysis.type_of(node.left), _items_of(context.analysis.type_of(node.right))
    return _both_may_be(types.STRING, item, items) and not (
        is_fixed(node.left, context) and is_fixed(node.right, context)
    )


def _items_of(found: Type) -> Type:
    """Return the type of the items of a list, or of the value itself."""
    alone = Type(found.kinds - {types.LIST})
    return types.union(found.items, alone) if types.LIST in found.kinds else alone


def guard_membership(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    """Rewrite `x IN l` to require an item that equals x and has the size of x."""
    found = context.analysis.type_of(written.left), _items_of(context.analysis.type_of(written.right))
    exactly = all(side.kinds == {types.STRING} for side in found)
    return build_membership(node, context.new_name(), exactly=exactly)


def build_membership(node: ast.Binary, name: str, *, exactly: bool = True) -> ast.Case:
    """Build the guarded form of `x IN l`; `name` is the variable of an item, and `exactly` says that all are strings."""
    item = ast.Variable(name)
    guard = (build_size_guard if exactly else _same_size_of_texts)(item, "=", node.left)
    test = ast.Binary("AND", visitor.compare(item, "=", node.left), guard)
    any_equal = ast.Quantifier("any", item.name, node.right, test)
    # CASE instead of AND, of which the engine evaluates both sides: the search through the list costs far more than
    # IN.
    return ast.Case(None, (ast.When((node,), any_equal),), node)


def needs_entry_guard(key: str, value: ast.Expression, context: RewriteContext) -> bool:
    """Return whether the entry `key: value` of a pattern, as written, needs a guard."""
    is_text = types.STRING in context.analysis.type_of(value).kinds
    return is_text and not (is_fixed(value, context) and key in _FIXED_WORDS)


def build_entry_guard(key: str, subject: ast.Variable, written: ast.Expression, value: ast.Expression,
                context: RewriteContext) -> ast.Expression:  # fmt: skip
    """Build the guard of such an entry."""
    exactly = context.analysis.type_of(written).kinds == {types.STRING}
    return (build_size_guard if exactly else _same_size_of_texts)(ast.Property(subject, key), "=", value)


def has_nested_texts(node: ast.Node, context: RewriteContext) -> bool:
    """Return whether maps, or lists of lists or maps, that may contain strings are compared: sizes do not distinguish them."""
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
    """Return whether one is known to be a map, or a list that can contain strings, and the other can be the same."""
    if one.kinds == {types.MAP}:
        return types.MAP in other.kinds
    if one.kinds != {types.LIST} or types.LIST not in other.kinds:
        return False
    return bool(one.items.kinds & {types.STRING, types.LIST, types.MAP} and other.items.kinds)
