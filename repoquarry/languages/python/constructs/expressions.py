"""Comprehensions, and expressions that pass on the value of another."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.assignments import Assignments
from repoquarry.languages.python.reader import Reader
from repoquarry.languages.python.scopes import COMPREHENSION

_COMPREHENSIONS = {
    "list_comprehension": "list",
    "set_comprehension": "set",
    "generator_expression": "generator",
    "dictionary_comprehension": "dict",
}


class Expressions:
    """Reads comprehensions, assignments within expressions, and what stands around a value."""

    def __init__(self, reader: Reader, assignments: Assignments) -> None:
        self.reader = reader
        self.assignments = assignments
        reader.register(
            {
                "parenthesized_expression": self._parenthesized_expression,
                "named_expression": self._named_expression,
                "await": self._await,
                "list_splat": self._list_splat,
                "type": self._type,
                "list_comprehension": self._comprehension,
                "set_comprehension": self._comprehension,
                "generator_expression": self._comprehension,
                "dictionary_comprehension": self._comprehension,
            }
        )

    def _parenthesized_expression(self, node: Node) -> int:
        return self.reader.value(g.first_named(node.children) or node.children[0])

    def _named_expression(self, node: Node) -> int:
        reader = self.reader
        name, _, expression = g.significant(node)
        value = reader.value(expression)
        reader.scopes.write(reader.text(name), value)
        return value

    def _await(self, node: Node) -> int:
        reader = self.reader
        return reader.graph.value(op.AWAIT, reader.value(g.significant(node)[-1]))

    def _list_splat(self, node: Node) -> int:
        return self.reader.value(node.children[-1])

    def _type(self, node: Node) -> int:
        return self.reader.value(node.children[0])

    # ---- comprehensions

    def _comprehension(self, node: Node) -> int:
        reader = self.reader
        kind = _COMPREHENSIONS[node.type]
        children = g.significant(node)
        clauses = [child for child in children if child.kind_id in (g.FOR_IN_CLAUSE, g.IF_CLAUSE)]
        source = self._iterated(clauses[0])
        reader.scopes.enter(COMPREHENSION, reader.owner)
        for clause in clauses:
            if clause.kind_id == g.IF_CLAUSE:
                reader.value(clause.children[-1])
                continue
            iterated = source if clause is clauses[0] else self._iterated(clause)
            left = g.named(clause)[0]
            element = reader.graph.rooted(op.EACH, iterated, reader.line(clause), reader.owner)
            self.assignments.comprehending = True
            self.assignments.bind(left, element)
            self.assignments.comprehending = False
        body = next(child for child in children if child.is_named)
        if body.kind_id == g.PAIR:
            parts = g.significant(body)
            reader.value(parts[0])
            body = parts[-1]
        element = reader.value(body)
        reader.scopes.leave()
        return reader.graph.value(op.CONTAINER, reader.graph.symbol(kind), 1, op.ANY, element)

    def _iterated(self, clause: Node) -> int:
        return self.reader.value(g.named(clause)[1])
