"""Errors of the compiler."""

from __future__ import annotations

from repoquarry.graphstore.query.cypher.syntax import ast


class UnsupportedError(Exception):
    """Construct that is not compiled; the engine refuses the query with the reason."""

    def __init__(self, reason: str, node: ast.Node | None = None) -> None:
        super().__init__(reason)
        self.start = node.start if node is not None else -1


class RowsNeededError(Exception):
    """Expression that needs a FROM of its own, met inside of a lambda; its list is compiled to a subquery instead."""
