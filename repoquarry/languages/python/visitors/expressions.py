"""Calls and operators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import, LambdaArgument
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.type_annotations import Annotations, PythonNarrowing
from repoquarry.languages.python.visitors.names import DOTTED_NAME_TEXT, PythonLiteralVisitor, PythonNameVisitor

#: functions that are given types, which may be quoted
_TAKE_TYPES = (b"cast", b"TypeVar")
_TAKE_MODULES = (b"import_module",)
_SPECIAL = (*_TAKE_TYPES, *_TAKE_MODULES)

_MARKED = {g.KEYWORD_ARGUMENT, g.LIST_SPLAT, g.DICTIONARY_SPLAT, *g.INSIGNIFICANT}


@dataclass(eq=False, repr=False)
class PythonCallVisitor:
    """Visitor of calls."""

    reader: PythonExtractionState
    names: PythonNameVisitor
    literals: PythonLiteralVisitor
    annotations: Annotations

    def __post_init__(self) -> None:
        self.reader.register({"call": self._call})

    def _call(self, node: Node) -> int:
        reader = self.reader
        children = node.children
        if len(children) != 2:
            children = g.significant(node)
        function = children[0]
        while function.kind_id == g.PARENTHESIZED:
            function = g.significant(function)[1]
        kind = function.kind_id
        callee, name, line = self._callee(function, kind)
        if name >= 0:
            reader.called.add(node.end_byte)
        given = children[-1]
        alone = given.kind_id == g.GENERATOR_EXPRESSION
        arguments = [op.POSITIONAL, reader.value(given)] if alone else self._arguments(given, function, line)
        if name >= 0 and reader.source.endswith(_SPECIAL, function.start_byte, function.end_byte):
            self._special(function, given, arguments, line)
        reader.scopes.current.items.clear()
        return reader.graph.call(callee, line, reader.owner, 0, name, arguments)

    def _special(self, function: Node, given: Node, arguments: list[int], line: int) -> None:
        """Visit a call of a function with special arguments."""
        called = self.reader.source[function.start_byte : function.end_byte]
        if called.endswith(_TAKE_MODULES):
            self._dynamic_import(given, line)
        elif given.kind_id != g.GENERATOR_EXPRESSION:
            self.annotations.read_types(called.rpartition(b".")[2], given, arguments)

    def _callee(self, function: Node, kind: int) -> tuple[int, int, int]:
        """The variable of the called value, the symbol of its name or -1, and the line to report."""
        reader = self.reader
        if kind == g.ATTRIBUTE:
            if (
                function.end_byte - function.start_byte < DOTTED_NAME_TEXT
                and (chain := self.names.chain(function)) is not None
            ):
                return chain
            callee, name = self.names.attribute(function), function.children[-1]
            return callee, reader.symbol(name), reader.line(name)
        callee = reader.handlers[kind](function)
        return callee, reader.symbol(function) if kind == g.IDENTIFIER else -1, reader.line(function)

    def _arguments(self, node: Node, function: Node, line: int) -> list[int]:
        """Kinds and variables of an argument list, alternating."""
        reader = self.reader
        out: list[int] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind == g.LAMBDA or (kind == g.KEYWORD_ARGUMENT and child.children[-1].kind_id == g.LAMBDA):
                name = function.children[-1] if function.kind_id == g.ATTRIBUTE else function
                called = reader.text(name) if name.kind_id == g.IDENTIFIER else ""
                keyword = reader.text(child.children[0]) if kind == g.KEYWORD_ARGUMENT else ""
                reader.lambdas.append(LambdaArgument(len(reader.definitions), called, line, len(out) >> 1, keyword))
            if kind not in _MARKED:
                out += (op.POSITIONAL, reader.handlers[kind](child))
            elif kind == g.KEYWORD_ARGUMENT:
                parts = child.children
                out += (reader.symbol(parts[0]), reader.value(parts[-1]))
            elif kind == g.LIST_SPLAT:
                out += (op.SPLAT, reader.value(child.children[-1]))
            elif kind == g.DICTIONARY_SPLAT:
                out += (op.KEYWORDS, reader.value(child.children[-1]))
        return out

    def _dynamic_import(self, arguments: Node, line: int) -> None:
        given = g.named(arguments)
        if given and given[0].kind_id == g.STRING and (text := self.literals.literal(given[0])):
            name = text.lstrip(".")
            self.reader.imports.append(Import(name, "", "", len(text) - len(name), line, False, "dynamic"))


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


@dataclass(eq=False, repr=False)
class PythonOperatorVisitor:
    """Visitor of expressions with operators."""

    reader: PythonExtractionState
    literals: PythonLiteralVisitor
    narrowing: PythonNarrowing

    def __post_init__(self) -> None:
        self.reader.register(
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
            narrowed = self.narrowing.narrowings(operand)  # all narrowings by earlier operands still hold
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
