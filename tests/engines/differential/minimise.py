"""Makes a query that shows a difference as small as it can be while it still shows it."""

import dataclasses
from collections.abc import Callable, Iterator

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from repoquarry.graphstore.query.cypher.syntax.visitor import children, transform_children


def minimise(query: str, still_fails: Callable[[str], bool], tries: int = 400) -> str:
    """The smallest query found from which nothing more can be taken without the failure going away."""
    best = query
    progress = True
    while progress and tries > 0:
        progress = False
        for smaller in _smaller(parse(best)):
            tries -= 1
            text = render(smaller)
            if len(text) < len(best) and _reads(text) and still_fails(text):
                best, progress = text, True
                break
            if tries <= 0:
                break
    return best


def _reads(text: str) -> bool:
    try:
        parse(text)
    except QueryRefusedError:
        return False
    return True


def _smaller(query: ast.Query) -> Iterator[ast.Query]:
    """The query with one thing less: an arm of a UNION, a clause, a condition, an item, an operand."""
    if len(query.parts) > 1:
        for part in query.parts:
            yield dataclasses.replace(query, parts=(part,))
    for changed in _variants(query):
        if isinstance(changed, ast.Query):
            yield changed


def _variants(node: ast.Node) -> Iterator[ast.Node]:
    yield from _direct(node)
    for child in children(node):
        for variant in _variants(child):
            yield transform_children(node, lambda part, old=child, new=variant: new if part is old else part)  # type: ignore[misc]


def _direct(node: ast.Node) -> Iterator[ast.Node]:
    match node:
        case ast.SingleQuery():
            yield from _without_one(node, "clauses")
        case ast.Match():
            if node.where is not None:
                yield dataclasses.replace(node, where=None)
            yield from _without_one(node, "patterns")
        case ast.Projection():
            yield from _smaller_projections(node)
        case ast.PathPattern():
            if len(node.elements) > 1 and not node.shortest:
                yield dataclasses.replace(node, elements=node.elements[:-2])
                yield dataclasses.replace(node, elements=node.elements[2:])
        case ast.NodePattern() | ast.RelationshipPattern():
            if node.properties is not None or node.where is not None:
                yield dataclasses.replace(node, properties=None, where=None)
        case ast.Binary():
            yield node.left
            yield node.right
        case ast.Unary():
            yield node.operand


def _without_one(node: ast.Node, field: str) -> Iterator[ast.Node]:
    """Drop each element of a field in turn; the last one stays."""
    values = getattr(node, field)
    for i in range(len(values) if len(values) > 1 else 0):
        yield dataclasses.replace(node, **{field: values[:i] + values[i + 1 :]})


def _smaller_projections(node: ast.Projection) -> Iterator[ast.Node]:
    if node.order or node.skip is not None or node.limit is not None:
        yield dataclasses.replace(node, order=(), skip=None, limit=None)
    if node.where is not None:
        yield dataclasses.replace(node, where=None)
    if node.distinct:
        yield dataclasses.replace(node, distinct=False)
    yield from _without_one(node, "items")
