"""Operators and conditions within expressions."""

from __future__ import annotations

from itertools import pairwise

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.literals import Literals
from repoquarry.languages.python.reader import Reader
from repoquarry.languages.python.typing.narrowing import Narrowing

OPERATORS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "@": "__matmul__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
    "==": "__eq__",
    "!=": "__ne__",
    "<>": "__ne__",
    "in": "__contains__",
    "not in": "__contains__",
}
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


class Operators:
    """Reads expressions with operators."""

    def __init__(self, reader: Reader, literals: Literals, narrowing: Narrowing) -> None:
        self.reader = reader
        self.literals = literals
        self.narrowing = narrowing
        reader.register(
            {
                "binary_operator": self._binary_operator,
                "unary_operator": self._unary_operator,
                "comparison_operator": self._comparison_operator,
                "not_operator": self._not_operator,
                "boolean_operator": self._boolean_operator,
                "conditional_expression": self._conditional_expression,
            }
        )

    def _binary_operator(self, node: Node) -> int:
        reader = self.reader
        left, sign, right = g.significant(node)
        method = OPERATORS[reader.text(sign)]
        text = self.literals.literal(left) if left.kind_id == g.STRING and sign.type in ("+", "%") else None
        if text and (beginning := self.literals.beginning(text.partition("%")[0])):
            reader.value(right)
            return reader.constant("str", beginning)
        return reader.graph.rooted(
            op.OPER,
            reader.graph.symbol(method),
            reader.value(left),
            reader.value(right),
            reader.line(sign),
            reader.owner,
        )

    def _unary_operator(self, node: Node) -> int:
        reader = self.reader
        sign, operand = g.significant(node)
        if operand.kind_id == g.INTEGER:
            return reader.constant("int", reader.text(node))
        value = reader.value(operand)
        return reader.graph.rooted(
            op.OPER, reader.graph.symbol(_UNARY[reader.text(sign)]), value, value, reader.line(sign), reader.owner
        )

    def _comparison_operator(self, node: Node) -> int:
        reader = self.reader
        children = g.significant(node)
        left = reader.value(children[0])
        for sign, other in zip(children[1::2], children[2::2], strict=False):
            right = reader.value(other)
            method = OPERATORS.get(" ".join(reader.text(sign).split()))
            if method == "__contains__":
                reader.graph.rooted(op.OPER, reader.graph.symbol(method), right, left, reader.line(sign), reader.owner)
            elif method:
                reader.graph.rooted(op.OPER, reader.graph.symbol(method), left, right, reader.line(sign), reader.owner)
            left = right
        return reader.constant("bool")

    def _not_operator(self, node: Node) -> int:
        reader = self.reader
        reader.value(node.children[-1])
        return reader.constant("bool")

    def _boolean_operator(self, node: Node) -> int:
        reader = self.reader
        operands, both = g.operands(node)
        result = reader.value(operands[0])
        before: dict[str, int] = {}
        for operand, following in pairwise(operands):
            narrowed = self.narrowing.narrowings(operand)  # of what comes before, all that was narrowed still holds
            env = reader.scopes.current.env
            for found in narrowed:
                if found.name in env:
                    before.setdefault(found.name, env[found.name])
            self.narrowing.apply(narrowed, truth=both)
            result = reader.graph.copies((result, reader.value(following)))
        reader.scopes.current.env.update(before)
        return result

    def _conditional_expression(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        body, condition, other = children
        reader.value(condition)
        env = reader.scopes.current.env
        reader.scopes.current.env = dict(env)
        narrowed = self.narrowing.narrowings(condition)
        self.narrowing.apply(narrowed, truth=True)
        first = reader.value(body)
        reader.scopes.current.env = dict(env)
        self.narrowing.apply(narrowed, truth=False)
        second = reader.value(other)
        reader.scopes.current.env = env
        return reader.graph.copies((first, second))
