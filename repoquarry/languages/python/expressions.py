"""Expressions of Python as operations: each handler returns the variable that holds the expression's value."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.literals import Literals
from repoquarry.languages.python.reader import Handler
from repoquarry.languages.python.scopes import COMPREHENSION

#: longer attributes than this, in bytes, are read by their syntax alone: what they belong to is more than names
DOTTED_TEXT = 80

_DOTTED = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
_CONSTANTS = frozenset(("None", "True", "False"))

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
#: functions that are given types, which may be quoted
_TAKE_TYPES = (b"cast", b"TypeVar")
#: methods that a number tells into how many parts they cut
_TAKE_COUNTS = (b".split", b".rsplit")
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_EXPRESSIONS = (
    "identifier attribute call subscript string concatenated_string tuple list set dictionary expression_list lambda",
    "binary_operator boolean_operator comparison_operator not_operator unary_operator conditional_expression",
    "parenthesized_expression named_expression await yield list_splat type assignment as_pattern",
)
_COMPREHENSIONS = {
    "list_comprehension": "list",
    "set_comprehension": "set",
    "generator_expression": "generator",
    "dictionary_comprehension": "dict",
}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """`isinstance(name, cls)` within a condition."""

    name: str
    cls: int
    """Variable of the class."""
    belongs: bool
    """The name is an instance where the condition holds (and not where `not isinstance(...)` does)."""
    when: bool | None
    """The outcome of the whole condition that tells it; None: either does."""


class Expressions(Literals):
    """Adds the reading of expressions."""

    def __init__(self, path: str, source: bytes) -> None:
        super().__init__(path, source)
        self._chains: dict[bytes, tuple[str, tuple[int, ...]]] = {}
        self.comprehending = False
        """The targets being bound belong to a comprehension, not to the scope around it."""
        self.handlers: dict[int, Handler] = {
            g.kind(name): getattr(self, f"_{name}") for name in " ".join(_EXPRESSIONS).split()
        }
        for name in _COMPREHENSIONS:
            self.handlers[g.kind(name)] = self._comprehension
        for name, kind in (
            ("integer", "int"),
            ("float", "float"),
            ("true", "bool"),
            ("false", "bool"),
            ("none", "NoneType"),
            ("ellipsis", "ellipsis"),
        ):
            self.handlers[g.kind(name)] = self._constant_of(kind)

    def value(self, node: Node) -> int:
        """The variable of any expression."""
        handler = self.handlers.get(node.kind_id)
        return handler(node) if handler is not None else self._unknown(node)

    def values(self, nodes: Sequence[Node]) -> int:
        """Reads several expressions for their effects; returns a variable that holds nothing."""
        for node in nodes:
            if node.is_named and node.kind_id != g.COMMENT:
                self.value(node)
        return self.constant("object")

    def _unknown(self, node: Node) -> int:
        if not node.is_named:
            return self.constant("object")
        return self.values(node.children)

    def _constant_of(self, kind: str) -> Handler:
        def read(node: Node) -> int:
            return self.constant(kind, self.text(node) if kind == "int" else "")

        return read

    # ---- names, attributes, calls

    def _identifier(self, node: Node) -> int:
        raw = self.source[node.start_byte : node.end_byte]
        scope = self.scopes.current
        # what `text` and `scopes.read` do, for the most frequent of all nodes
        name = self._texts.get(raw) or self.text(node)
        variable = scope.env.get(name)
        return variable if variable is not None and not scope.loops else self.scopes.read(name)

    def _attribute(self, node: Node) -> int:
        if node.end_byte - node.start_byte < DOTTED_TEXT and (chain := self._chain(node)) is not None:
            return chain[0]
        children = node.children
        if len(children) != 3:
            children = g.significant(node)
        target = self.value(children[0])
        name = children[-1]
        return self.graph.rooted(op.ATTR, target, self.symbol(name), self.line(name), self.owner)

    def _chain(self, node: Node) -> tuple[int, int, int] | None:
        """Value, last name and line of `a.b.c`, read from its text, as most attributes are; None of anything else."""
        start = node.start_byte
        raw = self.source[start : node.end_byte]
        known = self._chains.get(raw)
        if known is None:
            known = self._chains[raw] = self._names_of(raw)
        name, symbols = known
        if not symbols:
            return None
        graph, line = self.graph, self.line(node)
        code, first, roots = graph.code, graph.first, graph.roots
        variable = self.scopes.read(name)
        for symbol in symbols:
            # as `graph.rooted`, a third of whose time is the call
            roots.append(len(code))
            first.append(len(code))
            code += (op.ATTR, -1, variable, symbol, line, self.owner)
            variable = len(first) - 1
        return variable, symbols[-1], line

    def _names_of(self, raw: bytes) -> tuple[str, tuple[int, ...]]:
        """The first name and the symbols of the others; no others where the text is something else than names and dots."""
        if not _DOTTED.fullmatch(raw):
            return "", ()
        first, *rest = raw.decode().split(".")
        return ("", ()) if first in _CONSTANTS else (first, tuple(map(self.graph.symbol, rest)))

    def _call(self, node: Node) -> int:
        children = node.children
        if len(children) != 2:
            children = g.significant(node)
        function = children[0]
        while function.kind_id == g.PARENTHESIZED:
            function = g.significant(function)[1]
        kind = function.kind_id
        callee, name, line = self._callee(function, kind)
        if name >= 0:
            self.called.add(node.end_byte)
        given = children[-1]
        if given.kind_id == g.GENERATOR_EXPRESSION:
            arguments = [op.POSITIONAL, self.value(given)]
        else:
            arguments = self.arguments(given)
            if self.source.endswith(_TAKE_TYPES, function.start_byte, function.end_byte):
                self.read_types(self.text(function).rpartition(".")[2], given, arguments)
            elif self.source.endswith(_TAKE_COUNTS, function.start_byte, function.end_byte):
                self.read_counts(given, arguments)
        if name >= 0 and self.source.endswith(b"import_module", function.start_byte, function.end_byte):
            self._dynamic_import(given, line)
        self.scopes.current.items.clear()
        return self.graph.call(callee, line, self.owner, 0, name, arguments)

    def _callee(self, function: Node, kind: int) -> tuple[int, int, int]:
        """The variable of what is called, the symbol of its name or -1, and the line to tell of."""
        if kind == g.ATTRIBUTE:
            if function.end_byte - function.start_byte < DOTTED_TEXT and (chain := self._chain(function)) is not None:
                return chain
            callee, name = self._attribute(function), function.children[-1]
            return callee, self.symbol(name), self.line(name)
        callee = self.value(function)
        return callee, self.symbol(function) if kind == g.IDENTIFIER else -1, self.line(function)

    def arguments(self, node: Node) -> list[int]:
        """Kinds and variables of an argument list, alternating."""
        out: list[int] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind == g.KEYWORD_ARGUMENT:
                parts = child.children
                out += (self.symbol(parts[0]), self.value(parts[-1]))
            elif kind == g.LIST_SPLAT:
                out += (op.SPLAT, self.value(child.children[-1]))
            elif kind == g.DICTIONARY_SPLAT:
                out += (op.KEYWORDS, self.value(child.children[-1]))
            elif kind != g.COMMENT:
                out += (op.POSITIONAL, self.value(child))
        return out

    def _dynamic_import(self, arguments: Node, line: int) -> None:
        given = [child for child in arguments.children if child.is_named]
        if given and given[0].kind_id == g.STRING and (text := self.literal(given[0])):
            name = text.lstrip(".")
            self.imports.append(Import(name, "", "", len(text) - len(name), line, False, "dynamic"))

    def _subscript(self, node: Node) -> int:
        items = self.scopes.current.items
        if items and (known := items.get(self.text(node))) is not None:
            return known
        children = [child for child in node.children if child.is_named and child.kind_id != g.COMMENT]
        if (read := self.attribute_by_key(children)) is not None:
            return self.graph.rooted(op.ATTR, *read, self.line(children[0]), self.owner)
        target = self.value(children[0])
        line = self.line(children[0])
        if len(children) == 2 and children[1].kind_id == g.SLICE:
            return self._slice(target, children[1])
        key, variable = self.key(children[1]) if len(children) == 2 else (-1, self.values(children[1:]))
        return self.graph.rooted(op.ITEM, target, key, variable, line, self.owner)

    def attribute_by_key(self, children: Sequence[Node]) -> tuple[int, int] | None:
        """Object and attribute of `obj.__dict__["name"]`, given the parts of the subscript; None for any other."""
        if len(children) != 2 or children[0].kind_id != g.ATTRIBUTE or children[1].kind_id != g.STRING:
            return None
        parts = g.significant(children[0])
        name = self.literal(children[1])
        if self.text(parts[-1]) != "__dict__" or not name:
            return None
        return self.value(parts[0]), self.graph.symbol(name)

    def _slice(self, target: int, node: Node) -> int:
        start = 0
        for position, child in enumerate(node.children):
            if child.is_named:
                self.value(child)
                if position == 0 and child.kind_id == g.INTEGER and self.text(child).isdigit():
                    start = int(self.text(child))
        return self.graph.value(op.SLICE, target, start)

    def _comprehension(self, node: Node) -> int:
        kind = _COMPREHENSIONS[node.type]
        children = g.significant(node)
        clauses = [child for child in children if child.kind_id in (g.FOR_IN_CLAUSE, g.IF_CLAUSE)]
        source = self._iterated(clauses[0])
        self.scopes.enter(COMPREHENSION, self.owner)
        for clause in clauses:
            if clause.kind_id == g.IF_CLAUSE:
                self.condition(clause.children[-1])
                continue
            iterated = source if clause is clauses[0] else self._iterated(clause)
            left = next(child for child in clause.children if child.is_named and child.kind_id != g.COMMENT)
            element = self.graph.rooted(op.EACH, iterated, self.line(clause), self.owner)
            self.comprehending = True
            self.bind(left, element)
            self.comprehending = False
        body = next(child for child in children if child.is_named)
        if body.kind_id == g.PAIR:
            parts = g.significant(body)
            self.value(parts[0])
            body = parts[-1]
        element = self.value(body)
        self.scopes.leave()
        return self.graph.value(op.CONTAINER, self.graph.symbol(kind), 1, op.ANY, element)

    def _iterated(self, clause: Node) -> int:
        return self.value([child for child in clause.children if child.is_named and child.kind_id != g.COMMENT][1])

    # ---- operators

    def _binary_operator(self, node: Node) -> int:
        left, sign, right = g.significant(node)
        method = OPERATORS[self.text(sign)]
        text = self.literal(left) if left.kind_id == g.STRING and sign.type in ("+", "%") else None
        if text and (beginning := self._beginning(text.partition("%")[0])):
            self.value(right)
            return self.constant("str", beginning)
        return self.graph.rooted(
            op.OPER, self.graph.symbol(method), self.value(left), self.value(right), self.line(sign), self.owner
        )

    def _boolean_operator(self, node: Node) -> int:
        operands, both = g.operands(node)
        result = self.value(operands[0])
        before: dict[str, int] = {}
        for operand, following in pairwise(operands):
            narrowed = self.narrowings(operand)  # of what comes before, all that was narrowed still holds
            env = self.scopes.current.env
            for found in narrowed:
                if found.name in env:
                    before.setdefault(found.name, env[found.name])
            self.apply(narrowed, truth=both)
            result = self.graph.copies((result, self.value(following)))
        self.scopes.current.env.update(before)
        return result

    def _comparison_operator(self, node: Node) -> int:
        children = g.significant(node)
        left = self.value(children[0])
        for sign, other in zip(children[1::2], children[2::2], strict=False):
            right = self.value(other)
            method = OPERATORS.get(" ".join(self.text(sign).split()))
            if method == "__contains__":
                self.graph.rooted(op.OPER, self.graph.symbol(method), right, left, self.line(sign), self.owner)
            elif method:
                self.graph.rooted(op.OPER, self.graph.symbol(method), left, right, self.line(sign), self.owner)
            left = right
        return self.constant("bool")

    def _not_operator(self, node: Node) -> int:
        self.value(node.children[-1])
        return self.constant("bool")

    def _unary_operator(self, node: Node) -> int:
        sign, operand = g.significant(node)
        if operand.kind_id == g.INTEGER:
            return self.constant("int", self.text(node))
        value = self.value(operand)
        return self.graph.rooted(
            op.OPER, self.graph.symbol(_UNARY[self.text(sign)]), value, value, self.line(sign), self.owner
        )

    def _conditional_expression(self, node: Node) -> int:
        children = [child for child in node.children if child.is_named and child.kind_id != g.COMMENT]
        body, condition, other = children
        self.condition(condition)
        env = self.scopes.current.env
        self.scopes.current.env = dict(env)
        narrowed = self.narrowings(condition)
        self.apply(narrowed, truth=True)
        first = self.value(body)
        self.scopes.current.env = dict(env)
        self.apply(narrowed, truth=False)
        second = self.value(other)
        self.scopes.current.env = env
        return self.graph.copies((first, second))

    def _parenthesized_expression(self, node: Node) -> int:
        return self.value(
            next((child for child in node.children if child.is_named and child.kind_id != g.COMMENT), node.children[0])
        )

    def _named_expression(self, node: Node) -> int:
        name, _, expression = g.significant(node)
        value = self.value(expression)
        self.scopes.write(self.text(name), value)
        return value

    def _await(self, node: Node) -> int:
        return self.graph.value(op.AWAIT, self.value(g.significant(node)[-1]))

    def _list_splat(self, node: Node) -> int:
        return self.value(node.children[-1])

    def _type(self, node: Node) -> int:
        return self.value(node.children[0])

    # ---- what other parts of the walk provide

    @abstractmethod
    def bind(self, target: Node, value: int) -> None:
        """Assigns `value` to a target expression."""

    @abstractmethod
    def read_types(self, called: str, node: Node, arguments: list[int]) -> None:
        """Replaces the variables of arguments that are types by what they say."""

    def condition(self, node: Node) -> int:
        """Reads a condition."""
        return self.value(node)

    @abstractmethod
    def narrowings(self, node: Node) -> list[Narrowing]:
        """What a condition tells about the classes of names."""

    @abstractmethod
    def apply(self, narrowed: list[Narrowing], *, truth: bool) -> None:
        """Narrows names as the condition being true or false says."""

    @abstractmethod
    def _lambda(self, node: Node) -> int: ...

    @abstractmethod
    def _yield(self, node: Node) -> int: ...

    @abstractmethod
    def _assignment(self, node: Node) -> int: ...

    @abstractmethod
    def _as_pattern(self, node: Node) -> int: ...
