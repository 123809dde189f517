"""Record of the findings of semantic analysis (types, variables, errors), and checks of aggregations and their grouping keys."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.types import Type, is_aggregate
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse
from repoquarry.graphstore.query.cypher.syntax.visitor import children, iterate_nodes, local_names, replace_expressions

Scope: TypeAlias = dict[str, Type]
"""Variables in scope with their types, in the order in which they were introduced."""

PropertyTypes: TypeAlias = Callable[[Type, str], Type]
"""Returns the type of a property of a subject of this type."""


_STORED = types.Type(types.EVERY - {types.MAP, types.NODE, types.RELATIONSHIP, types.PATH}, types.Type(
    types.EVERY - {types.LIST, types.MAP, types.NODE, types.RELATIONSHIP, types.PATH}
))  # fmt: skip


def storable_type(subject: Type, key: str) -> Type:
    """Return Neo4j's view: a property of a node or relationship can be any storable value, an entry of a map anything."""
    is_entity = bool(subject.kinds) and subject.kinds <= {types.NODE, types.RELATIONSHIP}
    return _STORED if is_entity else types.ANY


@dataclass
class Analysis:
    """Findings of one check. Mappings by the identity of a node are for nodes of the checked tree."""

    text: str
    parameters: Mapping[str, Type]
    property_types: PropertyTypes = storable_type
    strict: bool = True
    columns: tuple[str, ...] = ()
    names: set[str] = field(default_factory=set)
    types: dict[int, Type] = field(default_factory=dict)
    """Type of each expression, by its identity."""
    rebound: set[int] = field(default_factory=set)
    """Identities of relationships in patterns whose variable was bound before."""
    introduced: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """New variables, by the identity of a MATCH."""
    stars: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Expansion of `*`, by the identity of the projection."""
    kept: list[ast.Node] = field(default_factory=list)
    """Nodes created during the check, retained so that their identity stays unique."""

    def type_of(self, node: ast.Expression) -> Type:
        return self.types.get(id(node), types.ANY)

    def error(self, node: ast.Node, reason: str, message: str) -> QueryRefusedError:
        return refuse(self.text, max(node.start, 0), reason, message)

    def unknown(
        self, node: ast.Node, message: str, name: str, known: Iterable[str], *, reason: str
    ) -> QueryRefusedError:
        """Return the error for an unknown name, with the most similar known one."""
        by_lower = {each.lower(): each for each in known}
        near = difflib.get_close_matches(name.lower(), by_lower, 1, cutoff=0.5)
        return self.error(node, reason, f"{message}; did you mean `{by_lower[near[0]]}`?" if near else message)

    def expect(self, node: ast.Node, found: Type, wanted: Type) -> None:
        """Check that a value of `found` can be a `wanted`. Raises: QueryRefusedError `type_mismatch`."""
        if not self.strict or not found.kinds:
            return
        are_lists = found.kinds == wanted.kinds == {types.LIST} and bool(found.items.kinds)
        if not wanted.holds(*found.kinds) or (are_lists and not wanted.items.holds(*found.items.kinds)):
            message = f"Type mismatch: expected {wanted.describe()} but was {found.describe()}"
            raise self.error(node, "type_mismatch", message)


def is_aggregation(node: ast.Node) -> bool:
    return isinstance(node, ast.CountStar) or (isinstance(node, ast.Call) and is_aggregate(node.name))


def aggregations(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the aggregations of this query level, without those inside subqueries."""
    if is_aggregation(node):
        yield node
        return
    if not isinstance(node, ast.Subquery):
        for child in children(node):
            yield from aggregations(child)


def has_aggregation(node: ast.Node) -> bool:
    return next(aggregations(node), None) is not None


def forbid(node: ast.Node | None, findings: Analysis) -> None:
    """Check that no aggregation occurs where rows are not yet grouped. Raises: QueryRefusedError."""
    found = next(aggregations(node), None) if node is not None else None
    if found is not None:
        raise findings.error(
            found,
            "misplaced_aggregation",
            f"Invalid use of aggregating function {_name(found)}(...) in this context: aggregate in WITH, then use "
            "the result",
        )


def check_item(expression: ast.Expression, keys: tuple[ast.Expression, ...], findings: Analysis) -> None:
    """Check an item that aggregates, together with the items that do not (`keys`).

    Raises: QueryRefusedError for nested or misplaced aggregations and for grouping keys that are not projected.
    """
    _check_inside(expression, findings)
    usable = tuple(key for key in keys if isinstance(key, ast.Variable | ast.Property))
    _check_keys(expression, usable, frozenset(), findings)


def _check_inside(node: ast.Node, findings: Analysis) -> None:
    if is_aggregation(node):
        for inside in iterate_nodes(node):
            if isinstance(inside, ast.Call) and inside.name.lower() in ("rand", "randomuuid"):
                raise findings.error(
                    inside,
                    "random_in_aggregation",
                    "Can't use non-deterministic (random) functions inside of aggregate functions",
                )
        for child in children(node):
            if has_aggregation(child):
                inner = next(aggregations(child))
                raise findings.error(
                    inner, "nested_aggregation", "Can't use aggregate functions inside of aggregate functions"
                )
        return
    for part in _repeated_parts(node):
        forbid(part, findings)
    if not isinstance(node, ast.Subquery):
        for child in children(node):
            _check_inside(child, findings)


def _repeated_parts(node: ast.Node) -> tuple[ast.Expression | None, ...]:
    """Return the parts that are evaluated once per item of a list, where an aggregation is meaningless."""
    match node:
        case ast.ListComprehension() | ast.PatternComprehension():
            return (node.where, node.result)
        case ast.Quantifier():
            return (node.where,)
        case ast.Reduce():
            return (node.result,)
    return ()


def _check_keys(node: ast.Node, keys: tuple[ast.Expression, ...], local: frozenset[str], findings: Analysis) -> None:
    patterns = ast.Subquery | ast.PatternComprehension | ast.PatternPredicate
    if is_aggregation(node) or node in keys or isinstance(node, patterns):
        return
    if isinstance(node, ast.Variable) and node.name not in local:
        raise findings.error(
            node,
            "implicit_grouping",
            f"Aggregation column contains implicit grouping expressions: `{node.name}` is used with an aggregation "
            "but is not projected separately. Project it in a WITH first",
        )
    local |= local_names(node)
    for child in children(node):
        _check_keys(child, keys, local, findings)


def with_aliases(expression: ast.Expression, items: dict[ast.Expression, str]) -> ast.Expression:
    """Replace every part that is a projected item by the item's name."""

    def find(node: ast.Expression) -> ast.Expression | None:
        return ast.Variable(items[node], start=node.start, end=node.end) if node in items else None

    return replace_expressions(expression, find)


def _name(node: ast.Node) -> str:
    return node.name if isinstance(node, ast.Call) else "count"
