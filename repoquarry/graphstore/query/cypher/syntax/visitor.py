"""Functions that traverse, transform and build nodes of the Cypher syntax tree."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from repoquarry.graphstore.query.cypher.syntax import ast

N = TypeVar("N", bound=ast.Node)
_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(node: ast.Node) -> tuple[str, ...]:
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = tuple(f.name for f in dataclasses.fields(node) if f.name not in ("start", "end"))
        _FIELDS[kind] = names
    return names


def children(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the direct children of a node in the order of the text."""
    for name in _fields(node):
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[ast.Node]:
    if isinstance(value, ast.Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def iterate_nodes(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the node and its descendants, parents first, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))


def local_names(node: ast.Node) -> frozenset[str]:
    """Return the variables that an expression introduces for its parts."""
    match node:
        case ast.ListComprehension() | ast.Quantifier():
            return frozenset({node.variable})
        case ast.Reduce():
            return frozenset({node.variable, node.accumulator})
        case ast.PatternComprehension():
            named = [node.pattern.variable, *(element.variable for element in node.pattern.elements)]
            return frozenset(name for name in named if name)
    return frozenset()


def free_variables(node: ast.Node, local: frozenset[str] = frozenset()) -> Iterator[ast.Variable]:
    """Yield the variables that the expression does not introduce, such as x of `[x IN list | x]`."""
    if isinstance(node, ast.Variable):
        if node.name not in local:
            yield node
        return
    inner = local | local_names(node)
    for child in children(node):
        yield from free_variables(child, inner)


def used_names(node: ast.Node) -> frozenset[str]:
    """Return the variables that an expression mentions, those of its patterns included."""
    found = set()
    for part in iterate_nodes(node):
        if isinstance(part, ast.Variable):
            found.add(part.name)
        elif isinstance(part, ast.NodePattern | ast.RelationshipPattern) and part.variable is not None:
            found.add(part.variable)
    return frozenset(found)


def label_names(labels: ast.LabelExpression | None) -> frozenset[str]:
    """Return the labels or types that an expression mentions."""
    parts = iterate_nodes(labels) if labels is not None else ()
    return frozenset(part.name for part in parts if isinstance(part, ast.LabelName))


def plain_names(labels: ast.LabelExpression | None) -> frozenset[str]:
    """Return the labels or types of a plain choice of names; empty for anything that may match others, such as `!A` and `%`."""
    parts = iterate_nodes(labels) if labels is not None else ()
    is_plain = all(isinstance(part, ast.LabelName | ast.LabelOr) for part in parts)
    return label_names(labels) if is_plain else frozenset()


def depth(node: ast.Node) -> int:
    """Return the number of nodes on the longest path down."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for parent in level for child in children(parent)]
    return deepest


def transform_children(node: N, change: Callable[[ast.Node], ast.Node]) -> N:
    """Apply `change` to each direct child; return the same object if nothing changed."""
    changed: dict[str, Any] = {}
    for name in _fields(node):
        old = getattr(node, name)
        new = _changed(old, change)
        if new is not old:
            changed[name] = new
    return dataclasses.replace(node, **changed) if changed else node


def _changed(value: Any, change: Callable[[ast.Node], ast.Node]) -> Any:
    if isinstance(value, ast.Node):
        return change(value)
    if isinstance(value, tuple):
        items = tuple(_changed(item, change) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


def replace_expressions(node: N, find: Callable[[ast.Expression], ast.Expression | None]) -> N:
    """Replace the outermost expressions for which `find` returns another one; it returns None for all others."""

    def change(part: ast.Node) -> ast.Node:
        found = find(part) if isinstance(part, ast.Expression) else None
        return found if found is not None else transform_children(part, change)

    return change(node)  # type: ignore[return-value]  # an expression takes the place of an expression


def replace_names(node: N, names: Mapping[str, str]) -> N:
    """Rename variables throughout a node."""

    def change(part: ast.Node) -> ast.Node:
        return _renamed(transform_children(part, change), names)

    return change(node)  # type: ignore[return-value]  # a renamed node is of its own kind


def _renamed(node: ast.Node, names: Mapping[str, str]) -> ast.Node:
    match node:
        case ast.Variable() if node.name in names:
            return dataclasses.replace(node, name=names[node.name])
        case ast.Item() if node.alias is not None and node.alias in names:
            return dataclasses.replace(node, alias=names[node.alias])
        case ast.Reduce() if node.accumulator in names:
            node = dataclasses.replace(node, accumulator=names[node.accumulator])
        case ast.CallSubquery() if node.imports:
            return dataclasses.replace(node, imports=tuple(names.get(name, name) for name in node.imports))
    variable = getattr(node, "variable", None)
    if isinstance(variable, str) and variable in names and dataclasses.is_dataclass(node):
        return dataclasses.replace(node, variable=names[variable])  # type: ignore[call-arg]
    return node


_MAX_CHAIN_LENGTH = 30

TRUE, FALSE, NULL = ast.Literal(True), ast.Literal(False), ast.Literal(None)


def call(name: str, *arguments: ast.Expression) -> ast.Call:
    return ast.Call(name, arguments)


def compare(left: ast.Expression, operator: str, right: ast.Expression) -> ast.Comparison:
    return ast.Comparison(left, ((operator, right),))


def all_of(conditions: Iterable[ast.Expression | None]) -> ast.Expression | None:
    """Return the conjunction, as a broad tree; None for no conditions."""
    level = [condition for condition in conditions if condition is not None]
    while len(level) > _MAX_CHAIN_LENGTH:
        level = [_row(level[at : at + _MAX_CHAIN_LENGTH]) for at in range(0, len(level), _MAX_CHAIN_LENGTH)]
    return _row(level) if level else None


def split_conjunction(node: ast.Expression | None) -> list[ast.Expression]:
    """Split a WHERE into its conjuncts."""
    if isinstance(node, ast.Binary) and node.operator == "AND":
        return split_conjunction(node.left) + split_conjunction(node.right)
    return [node] if node is not None else []


def split_equality(condition: ast.Expression) -> tuple[ast.Expression, ...]:
    """Return the two sides of `a = b`; nothing for another condition."""
    if not isinstance(condition, ast.Comparison) or len(condition.rest) != 1 or condition.rest[0][0] != "=":
        return ()
    return condition.first, condition.rest[0][1]


def equal_variable(name: str, condition: ast.Expression) -> str | None:
    """Return the variable that `condition` equates with `name`."""
    names = [side.name for side in split_equality(condition) if isinstance(side, ast.Variable)]
    return names[1 - names.index(name)] if len(names) == 2 and name in names else None


def _row(conditions: list[ast.Expression]) -> ast.Expression:
    result = conditions[0]
    for condition in conditions[1:]:
        result = ast.Binary("AND", result, condition)
    return result


def negate(condition: ast.Expression) -> ast.Expression:
    return ast.Unary("NOT", condition)


def case_when(*cases: tuple[ast.Expression, ast.Expression], default: ast.Expression) -> ast.Case:
    """Build `CASE WHEN ... THEN ... ELSE default END`."""
    return ast.Case(None, tuple(ast.When((test,), result) for test, result in cases), default)


def label_test(subject: ast.Expression, labels: ast.LabelExpression, *, of_relationship: bool) -> ast.Expression:
    """Convert a label expression to a condition on `labels(n)` or `type(r)`, which are null for a null subject."""
    match labels:
        case ast.LabelName():
            name = ast.Literal(labels.name)
            if of_relationship:
                return compare(call("type", subject), "=", name)
            return ast.Binary("IN", name, call("labels", subject))
        case ast.LabelNot():
            return negate(label_test(subject, labels.operand, of_relationship=of_relationship))
        case ast.LabelAnd() | ast.LabelOr():
            left = label_test(subject, labels.left, of_relationship=of_relationship)
            right = label_test(subject, labels.right, of_relationship=of_relationship)
            return ast.Binary("AND" if isinstance(labels, ast.LabelAnd) else "OR", left, right)
        case ast.LabelWildcard():
            if of_relationship:
                return ast.IsNull(call("type", subject), negated=True)
            return compare(call("size", call("labels", subject)), ">", ast.Literal(0))
    raise TypeError(f"no condition for {type(labels).__name__}")


def bind_once(name: str, value: ast.Expression, body: ast.Expression) -> ast.Expression:
    """Build `body` with `name` for `value`, which is computed once: `[name IN [value] | body][0]`."""
    bound = ast.ListComprehension(name, ast.ListLiteral((value,)), None, body)
    return ast.Index(bound, ast.Literal(0))


_FLIPPED = {
    ast.Direction.OUT: ast.Direction.IN,
    ast.Direction.IN: ast.Direction.OUT,
    ast.Direction.BOTH: ast.Direction.BOTH,
}


def reverse_path(path: ast.PathPattern) -> ast.PathPattern:
    """Return the path from its end to its start."""
    elements = tuple(
        dataclasses.replace(element, direction=_FLIPPED[element.direction])
        if isinstance(element, ast.RelationshipPattern)
        else element
        for element in reversed(path.elements)
    )
    return dataclasses.replace(path, elements=elements)
