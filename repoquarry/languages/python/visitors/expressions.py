"""Visitors that turn Python calls, operators and registrations of event handlers into points-to constraints."""

from __future__ import annotations

from collections.abc import Sequence
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
#: methods of signals: registering a receiver, and running all receivers
_CONNECTING, _SENDING = (b".connect", b".connect_via"), (b".send", b".send_robust", b".asend", b".asend_robust")
#: methods of event emitters that are given the name of an event
_REGISTERING, _EMITTING = (b".on", b".once", b".add_listener"), (b".emit",)
_EVENTS = (*_CONNECTING, *_SENDING, *_REGISTERING, *_EMITTING)
_SPECIAL = (*_TAKE_TYPES, *_TAKE_MODULES, *_EVENTS)

_MARKED = {g.KEYWORD_ARGUMENT, g.LIST_SPLAT, g.DICTIONARY_SPLAT, *g.INSIGNIFICANT}


@dataclass(eq=False, repr=False)
class PythonEventVisitor:
    """Visitor of signals and event emitters.

    A registered handler is an attribute of the signal under its own name, or of the emitter under the constant name of the event: all
    signals of a library are one object to the analysis.
    """

    reader: PythonExtractionState
    literals: PythonLiteralVisitor

    def call(self, function: Node, given: Node, callee: int, arguments: list[int]) -> None:
        """Read a call of a method that registers a handler or runs the registered ones."""
        reader, graph = self.reader, self.reader.graph
        offset = graph.first[callee]
        if offset < 0 or graph.code[offset] != op.ATTR or not (event := self._event(function, given)):
            return
        receiver, attribute, line = graph.code[offset + 2], graph.symbol(op.EVENT + event), reader.line(function)
        called = b"." + reader.source[function.start_byte : function.end_byte].rpartition(b".")[2]
        own = arguments[2:] if called in (*_REGISTERING, *_EMITTING) else arguments
        if called in (*_SENDING, *_EMITTING):
            handlers = graph.value(op.ATTR, receiver, attribute, line, reader.owner)
            graph.call(handlers, line, reader.owner, op.HANDLES, -1, own)
        elif own and own[0] == op.POSITIONAL:
            graph.effect(op.SETATTR, receiver, attribute, own[1], line, reader.owner)

    def decorate(self, decorators: Sequence[Node], value: int) -> None:
        """Read the decorators that register a function: `@receiver(signal)`, `@signal.connect`, `@emitter.on("event")`."""
        for decorator in decorators:
            expression = g.significant(decorator)[1]
            is_call = expression.kind_id == g.CALL
            called, given = (expression.children[0], expression.children[-1]) if is_call else (expression, expression)
            text = self.reader.source[called.start_byte : called.end_byte]
            if text.rpartition(b".")[2] == b"receiver" and is_call:
                for signal in given.named_children:
                    parts = signal.named_children if signal.kind_id in (g.LIST, g.TUPLE) else [signal]
                    for one in parts:
                        self._register(one, self._name(one), value)
            elif called.kind_id == g.ATTRIBUTE and text.endswith((*_CONNECTING, *_REGISTERING)):
                self._register(called.children[0], self._event(called, given), value)

    def _register(self, target: Node, event: str, value: int) -> None:
        reader = self.reader
        if event:
            attribute, line = reader.graph.symbol(op.EVENT + event), reader.line(target)
            reader.graph.effect(op.SETATTR, reader.value(target), attribute, value, line, reader.owner)

    def _event(self, function: Node, given: Node) -> str:
        """Return the name of the event; empty where none is constant."""
        if not self.reader.source.endswith((*_REGISTERING, *_EMITTING), function.start_byte, function.end_byte):
            return self._name(function.children[0])
        first = next(iter(given.named_children), None)
        return (self.literals.literal(first) or "") if first is not None and first.kind_id == g.STRING else ""

    def _name(self, signal: Node) -> str:
        named = signal.kind_id in (g.IDENTIFIER, g.ATTRIBUTE)
        return self.reader.text(signal).rpartition(".")[2] if named else ""


@dataclass(eq=False, repr=False)
class PythonCallVisitor:
    """Visitor of calls."""

    reader: PythonExtractionState
    names: PythonNameVisitor
    literals: PythonLiteralVisitor
    annotations: Annotations
    events: PythonEventVisitor

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
            self._special(function, given, callee, arguments, line)
        reader.scopes.current.items.clear()
        result = reader.graph.call(callee, line, reader.owner, 0, name, arguments)
        receiver = function.children[0] if kind == g.ATTRIBUTE else function
        if kind == g.ATTRIBUTE and receiver.kind_id == g.IDENTIFIER and reader.scopes.is_local(reader.text(receiver)):
            reader.graph.receiver(result, reader.symbol(receiver))
        return result

    def _special(self, function: Node, given: Node, callee: int, arguments: list[int], line: int) -> None:
        """Visit a call of a function with special arguments."""
        called = self.reader.source[function.start_byte : function.end_byte]
        if called.endswith(_TAKE_MODULES):
            self._dynamic_import(given, line)
        elif given.kind_id == g.GENERATOR_EXPRESSION:
            return
        elif called.endswith(_EVENTS):
            self.events.call(function, given, callee, arguments)
        else:
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
            deferred = self.reader.scopes.is_in_function()
            self.reader.imports.append(Import(name, "", "", len(text) - len(name), line, False, "dynamic", deferred))


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
#: kinds of expressions whose value may be an object with a truth of its own
_TESTED = {g.IDENTIFIER, g.ATTRIBUTE, g.CALL, g.SUBSCRIPT}
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


@dataclass(eq=False, repr=False)
class PythonOperatorVisitor:
    """Visitor of expressions with operators, and of conditions."""

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

    def condition(self, node: Node) -> int:
        """Read an expression that is tested for truth, which may run a method of its value."""
        reader = self.reader
        value = reader.value(node)
        if node.kind_id in _TESTED:
            method = reader.graph.symbol("__bool__")
            reader.graph.rooted(op.OPER, method, value, value, reader.line(node), reader.owner)
        return value

    def _not_operator(self, node: Node) -> int:
        self.condition(node.children[-1])
        return self.reader.constant("bool")

    def _boolean_operator(self, node: Node) -> int:
        reader = self.reader
        operands, both = g.operands(node)
        result = self.condition(operands[0])
        reader.keep(operands[0], result)
        before: dict[str, int] = {}
        for operand, following in pairwise(operands):
            narrowed = self.narrowing.narrowings(operand)  # all narrowings by earlier operands still hold
            env = reader.scopes.current.env
            for found in narrowed:
                if found.name in env:
                    before.setdefault(found.name, env[found.name])
            self.narrowing.apply(narrowed, truth=both)
            read = reader.value if following is operands[-1] else self.condition
            value = read(following)
            reader.keep(following, value)
            result = reader.graph.copies((result, value))
        reader.scopes.current.env.update(before)
        return result

    def _conditional_expression(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        body, condition, other = children
        self.condition(condition)
        env = reader.scopes.current.env
        reader.scopes.current.env = dict(env)
        narrowed = self.narrowing.narrowings(condition)
        self.narrowing.apply(narrowed, truth=True)
        first = reader.value(body)
        reader.keep(body, first)
        reader.scopes.current.env = dict(env)
        self.narrowing.apply(narrowed, truth=False)
        second = reader.value(other)
        reader.keep(other, second)
        reader.scopes.current.env = env
        return reader.graph.copies((first, second))
