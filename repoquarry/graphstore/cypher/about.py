"""What a query is about, as far as its text says: labels, relationship types and names that it asks for. `reach` says in which repositories."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.graphstore.cypher.syntax import ast
from repoquarry.graphstore.cypher.syntax.walk import walk

_FOLLOWS_CALLS = frozenset({"CALLS", "UNRESOLVED"})
_COUNTS_CALLS = frozenset({"calls_in", "calls_out"})


@dataclass(frozen=True)
class About:
    """What a query names. Values that come by parameter or from the graph are named by their property or parameter only."""

    labels: frozenset[str]
    relationship_types: frozenset[str]
    any_relationship: bool
    """Whether it follows relationships of any type."""

    literals: tuple[str, ...]
    """Texts that it writes out, each once, in the order of the query."""

    parameters: frozenset[str]
    properties: frozenset[str]

    @property
    def calls(self) -> bool:
        """Whether it looks at calls, so that a call that was not resolved may be missing from its answer."""
        return self.any_relationship or bool(
            self.relationship_types & _FOLLOWS_CALLS or self.properties & _COUNTS_CALLS
        )


def about(query: ast.Query) -> About:
    """What the query as written is about."""
    nodes = list(walk(query))
    labels: set[str] = set()
    kinds: set[str] = set()
    any_relationship = False
    for node in nodes:
        if isinstance(node, ast.NodePattern | ast.HasLabels) and node.labels is not None:
            labels.update(_names(node.labels))
        elif isinstance(node, ast.RelationshipPattern) and node.group is None:
            any_relationship |= node.types is None or not _plain(node.types)
            kinds.update(_names(node.types) if node.types is not None else ())
    return About(
        labels=frozenset(labels),
        relationship_types=frozenset(kinds),
        any_relationship=any_relationship,
        literals=tuple(
            dict.fromkeys(n.value for n in nodes if isinstance(n, ast.Literal) and isinstance(n.value, str))
        ),
        parameters=frozenset(node.name for node in nodes if isinstance(node, ast.Parameter)),
        properties=frozenset(node.key for node in nodes if isinstance(node, ast.Property)),
    )


def _names(labels: ast.LabelExpression) -> list[str]:
    return [node.name for node in walk(labels) if isinstance(node, ast.LabelName)]


def _plain(types: ast.LabelExpression) -> bool:
    """Whether it is a choice of names: `!A` and `%` stand for any other type."""
    return all(isinstance(node, ast.LabelName | ast.LabelOr) for node in walk(types))
