"""Calls: what is called, with which arguments, and the few functions whose arguments say more than their values."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.literals import Literals
from repoquarry.languages.python.constructs.names import DOTTED_TEXT, Names
from repoquarry.languages.python.reader import Reader
from repoquarry.languages.python.typing.annotations import Annotations

#: functions that are given types, which may be quoted
_TAKE_TYPES = (b"cast", b"TypeVar")
#: methods that a number tells into how many parts they cut
_TAKE_COUNTS = (b".split", b".rsplit")
_TAKE_MODULES = (b"import_module",)
_SPECIAL = (*_TAKE_TYPES, *_TAKE_COUNTS, *_TAKE_MODULES)

_MARKED = {g.KEYWORD_ARGUMENT, g.LIST_SPLAT, g.DICTIONARY_SPLAT, *g.INSIGNIFICANT}


class Calls:
    """Reads calls."""

    def __init__(self, reader: Reader, names: Names, literals: Literals, annotations: Annotations) -> None:
        self.reader = reader
        self.names = names
        self.literals = literals
        self.annotations = annotations
        reader.register(
            {
                "call": self._call,
            }
        )

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
        arguments = [op.POSITIONAL, reader.value(given)] if alone else self._arguments(given)
        if name >= 0 and reader.source.endswith(_SPECIAL, function.start_byte, function.end_byte):
            self._special(function, given, arguments, line)
        reader.scopes.current.items.clear()
        return reader.graph.call(callee, line, reader.owner, 0, name, arguments)

    def _special(self, function: Node, given: Node, arguments: list[int], line: int) -> None:
        """The few functions whose arguments say more than their values."""
        called = self.reader.source[function.start_byte : function.end_byte]
        if called.endswith(_TAKE_MODULES):
            self._dynamic_import(given, line)
        elif given.kind_id == g.GENERATOR_EXPRESSION:
            return
        elif called.endswith(_TAKE_COUNTS):
            self.literals.read_counts(given, arguments)
        else:
            self.annotations.read_types(called.rpartition(b".")[2], given, arguments)

    def _callee(self, function: Node, kind: int) -> tuple[int, int, int]:
        """The variable of what is called, the symbol of its name or -1, and the line to tell of."""
        reader = self.reader
        if kind == g.ATTRIBUTE:
            if (
                function.end_byte - function.start_byte < DOTTED_TEXT
                and (chain := self.names.chain(function)) is not None
            ):
                return chain
            callee, name = self.names.attribute(function), function.children[-1]
            return callee, reader.symbol(name), reader.line(name)
        callee = reader.handlers[kind](function)
        return callee, reader.symbol(function) if kind == g.IDENTIFIER else -1, reader.line(function)

    def _arguments(self, node: Node) -> list[int]:
        """Kinds and variables of an argument list, alternating."""
        reader = self.reader
        out: list[int] = []
        for child in node.named_children:
            kind = child.kind_id
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
