"""Blocks of statements, and the statements that hold no others."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.assignments import Assignments
from repoquarry.languages.python.constructs.overloads import OverloadGroups
from repoquarry.languages.python.reader import Reader


class Statements:
    """Reads blocks, and statements about names."""

    def __init__(self, reader: Reader, assignments: Assignments, groups: OverloadGroups) -> None:
        self.reader = reader
        self.assignments = assignments
        self.groups = groups
        reader.register(
            {
                "expression_statement": self._expression_statement,
                "delete_statement": self._delete_statement,
                "global_statement": self._global_statement,
                "nonlocal_statement": self._nonlocal_statement,
                "print_statement": self._print_statement,
                "exec_statement": self._exec_statement,
                "break_statement": self._break_statement,
                "continue_statement": self._break_statement,
            }
        )

    def block(self, nodes: Sequence[Node]) -> None:
        """Reads statements in order. One that cannot be understood is recorded, and the rest goes on.

        Stubs of overloads whose implementation does not follow in the block stand for themselves from its end on.
        """
        reader, groups = self.reader, self.groups
        outer, groups.unbound = groups.unbound, {}
        handlers = reader.handlers
        for node in nodes:
            if not node.is_named:
                continue
            try:
                handlers[node.kind_id](node)
            except (IndexError, KeyError, TypeError, ValueError, StopIteration):
                # only broken source has nodes of another shape than the grammar says
                reader.complain(node, f"not understood: {node.type}")
        for name, value in groups.unbound.items():
            self.assignments.write(name, value)
        groups.unbound = outer

    def _expression_statement(self, node: Node) -> int:
        reader = self.reader
        children = node.children
        if len(children) > 1:
            return reader.values(children)
        only = children[0]
        return reader.handlers[only.kind_id](only)

    def _delete_statement(self, node: Node) -> int:
        reader = self.reader
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                reader.scopes.forget(reader.text(child))
            elif child.is_named:
                reader.value(child)
        return -1

    def _global_statement(self, node: Node) -> int:
        reader = self.reader
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                reader.scopes.declare(reader.text(child), is_global=True)
        return -1

    def _nonlocal_statement(self, node: Node) -> int:
        reader = self.reader
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                reader.scopes.declare(reader.text(child), is_global=False)
        return -1

    def _print_statement(self, node: Node) -> int:
        reader = self.reader
        reader.complain(node, "Python 2: print without brackets")
        return reader.values(node.children)

    def _exec_statement(self, node: Node) -> int:
        reader = self.reader
        reader.complain(node, "Python 2: exec without brackets")
        return reader.values(node.children)

    def _break_statement(self, _: Node) -> int:
        return -1
