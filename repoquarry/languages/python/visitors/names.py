"""Visitors that turn Python names, attributes, subscripts, constants and containers into points-to constraints."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import Handler, PythonExtractionState
from repoquarry.languages.python.scopes import CLASS

#: longer literals than this are one unordered heap of elements
KEYED_ELEMENTS = 64
#: shorter string constants than this, in bytes, are distinguished: they can be keys
KEYED_TEXT = 60
#: and dotted names up to this: they may name what is loaded by them
DOTTED_TEXT = 150

_DOTTED = re.compile(rb"""[rRuU]?["'][A-Za-z_][\w.:]*["']""")
_SPREAD = {g.LIST_SPLAT, g.LIST_SPLAT_PATTERN}
_PREFIXES = b"rRuUbBfFtT"
_TYPE_CONVERSION = g.kind("type_conversion")
_CONVERSIONS = {"!r": "__repr__", "!a": "__repr__", "!s": "__str__"}
_CHOICES = (g.kind("conditional_expression"), g.BOOLEAN_OPERATOR, g.PARENTHESIZED)
_VALUELESS = frozenset("fFtTbB")
"""Prefixes of strings whose text is not their value."""


class PythonLiteralVisitor:
    """Visitor of literals."""

    def __init__(self, reader: PythonExtractionState) -> None:
        self.reader = reader
        self._strings: dict[bytes, int] = {}
        reader.register(
            {
                "string": self._string,
                "concatenated_string": self._concatenated_string,
                "tuple": self._tuple,
                "list": self._list,
                "set": self._set,
                "dictionary": self._dictionary,
                "expression_list": self._tuple,
                "integer": self._integer,
                "float": self._constant_of("float"),
                "true": self._constant_of("bool"),
                "false": self._constant_of("bool"),
                "none": self._constant_of("NoneType"),
                "ellipsis": self._constant_of("ellipsis"),
            }
        )

    def key(self, node: Node) -> tuple[int, int]:
        """Symbol and variable of a subscript or dictionary key: a constant has only the symbol, anything else only
        the variable."""
        reader = self.reader
        if node.kind_id == g.INTEGER:
            return reader.graph.symbol(reader.text(node)), -1
        if node.kind_id == g.STRING and (text := self.literal(node)) is not None:
            return reader.graph.symbol(repr(text)), -1
        return -1, reader.value(node)

    # ---- constants

    def _integer(self, node: Node) -> int:
        return self.reader.constant("int", self.reader.text(node))

    def _constant_of(self, kind: str) -> Handler:
        return lambda node: self.reader.constant(kind)

    def literal(self, node: Node) -> str | None:
        """Return the text of a string constant as written between its quotes; None for f-strings and bytes."""
        raw = self.reader.plain(node)
        quote = 0
        while quote < len(raw) and raw[quote] not in "'\"":
            quote += 1
        if quote == len(raw):
            return None  # a string that the grammar inserted to recover from an error
        if quote and not _VALUELESS.isdisjoint(raw[:quote]):
            return None
        width = 3 if raw[quote : quote + 3] in ("'''", '"""') else 1
        return raw[quote + width : -width]

    def docstring(self, body: Sequence[Node]) -> str:
        """Return the string that a body opens with, without quotes and indentation."""
        first = g.first_named(body)
        if first is None or first.kind_id != g.EXPRESSION_STATEMENT:
            return ""
        expression = first.children[0]
        if expression.kind_id == g.CONCATENATED_STRING:
            return inspect.cleandoc("".join(self.literal(part) or "" for part in expression.children))
        if expression.kind_id != g.STRING:
            return ""
        return inspect.cleandoc(self.literal(expression) or "")

    def _string(self, node: Node) -> int:
        reader = self.reader
        start = node.start_byte
        length = node.end_byte - start
        raw = reader.source[start : start + min(length, DOTTED_TEXT)]
        if (known := self._strings.get(raw)) is not None:
            return known
        prefix = raw[: len(raw) - len(raw.lstrip(_PREFIXES))].lower()
        if not prefix.strip(b"ru"):
            keyed = length < KEYED_TEXT or (length < DOTTED_TEXT and _DOTTED.fullmatch(raw))
            text = repr(self.literal(node)) if keyed else ""
            variable = reader.constant("str", text)
            if text:
                self._strings[raw] = variable
            return variable
        if b"f" in prefix or b"t" in prefix:
            self._interpolations(node)
            text = reader.plain(node)[len(prefix) :].lstrip("'\"")
            return reader.constant("str", self.beginning(text.partition("{")[0]))
        return reader.constant("bytes" if b"b" in prefix else "str")

    @staticmethod
    def beginning(text: str) -> str:
        """Return a constant that stands for all texts that begin so, where that much is a name; it can be no key."""
        return f"{text}*" if text.isidentifier() else ""

    def _interpolations(self, node: Node) -> None:
        for child in node.children:
            if child.kind_id == g.INTERPOLATION:
                self._interpolation(child)

    def _interpolation(self, node: Node) -> None:
        """Read an expression within a string, and the method that makes a text of its value."""
        reader, value, method = self.reader, -1, "__format__"
        for part in node.children:
            if part.kind_id == g.FORMAT_SPECIFIER:
                for inner in part.named_children:
                    self._interpolation(inner)
            elif part.kind_id == _TYPE_CONVERSION:
                method = _CONVERSIONS.get(reader.text(part), method)
            elif part.is_named:
                value = reader.value(part)
        if value >= 0:
            reader.graph.rooted(op.OPER, reader.graph.symbol(method), value, value, reader.line(node), reader.owner)

    def _concatenated_string(self, node: Node) -> int:
        reader = self.reader
        last = reader.constant("str")
        for child in node.children:
            if child.kind_id == g.STRING:
                last = self._string(child)
        return last if last == reader.constant("bytes") else reader.constant("str")

    # ---- containers

    def elements(self, node: Node) -> list[tuple[int, Node]]:
        """Return (kind, node) of each element: kind is SPREAD for `*x`, else ANY."""
        out = []
        for child in node.named_children:
            kind = child.kind_id
            if kind in _SPREAD:
                out.append((op.SPREAD, child.children[-1]))
            elif kind not in g.INSIGNIFICANT:
                out.append((op.ANY, child))
        return out

    def _sequence(self, node: Node, kind: str, *, keyed: bool) -> int:
        reader = self.reader
        elements = self.elements(node)
        keyed = keyed and len(elements) <= KEYED_ELEMENTS and op.SPREAD not in [mark for mark, _ in elements]
        graph, pairs = reader.graph, list[int]()
        for position, (mark, child) in enumerate(elements):
            variable = reader.value(child)
            self.keep(child, variable)
            pairs += (graph.symbol(str(position)) if keyed else mark, variable)
        return graph.value(op.CONTAINER, graph.symbol(kind), len(elements), *pairs)

    def keep(self, node: Node, variable: int) -> None:
        """Record what a table or an attribute keeps by name: handlers, registered classes; local names of a function are values as any other."""
        reader = self.reader
        named = node.kind_id == g.ATTRIBUTE or (
            node.kind_id == g.IDENTIFIER and not reader.scopes.is_local(reader.text(node))
        )
        if named or node.kind_id in _CHOICES:
            reader.graph.effect(op.MENTION, variable, reader.line(node), reader.owner, reader.graph.symbol("handler"))

    def _tuple(self, node: Node) -> int:
        return self._sequence(node, "tuple", keyed=True)

    def _list(self, node: Node) -> int:
        return self._sequence(node, "list", keyed=True)

    def _set(self, node: Node) -> int:
        return self._sequence(node, "set", keyed=False)

    def _dictionary(self, node: Node) -> int:
        reader = self.reader
        pairs: list[int] = []
        many = node.named_child_count > KEYED_ELEMENTS * 4
        for child in node.children:
            if child.kind_id == g.PAIR:
                parts = g.significant(child)
                key, _ = self.key(parts[0])
                variable = reader.value(parts[-1])
                self.keep(parts[-1], variable)
                pairs += (op.ANY if many else key, variable)
            elif child.kind_id == g.DICTIONARY_SPLAT:
                pairs += (op.SPREAD, reader.value(child.children[-1]))
        return reader.graph.value(op.CONTAINER, reader.graph.symbol("dict"), len(pairs) >> 1, *pairs)


#: longer attributes than this, in bytes, are read by their syntax alone: what they belong to is more than names
DOTTED_NAME_TEXT = 80

_DOTTED_NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
_CONSTANTS = frozenset(("None", "True", "False"))


@dataclass(eq=False, repr=False)
class PythonNameVisitor:
    """Visitor of names, attributes and subscripts."""

    reader: PythonExtractionState
    literals: PythonLiteralVisitor

    def __post_init__(self) -> None:
        self._chains: dict[bytes, tuple[str, tuple[int, ...]]] = {}
        self.reader.register(
            {
                "identifier": self._identifier,
                "attribute": self.attribute,
                "subscript": self._subscript,
            }
        )

    def _identifier(self, node: Node) -> int:
        reader = self.reader
        raw = reader.source[node.start_byte : node.end_byte]
        scope = reader.scopes.current
        # what `text` and `scopes.read` do, for the most frequent of all nodes
        name = reader.texts.get(raw) or reader.text(node)
        variable = scope.env.get(name)
        if variable is None or scope.kind <= CLASS:
            reader.scopes.log.mentions.append((scope, name, reader.line(node), reader.owner))
        return variable if variable is not None and not scope.loops else reader.scopes.read(name)

    # ---- attributes

    def attribute(self, node: Node) -> int:
        """Return the variable of an attribute."""
        reader = self.reader
        if node.end_byte - node.start_byte < DOTTED_NAME_TEXT and (chain := self.chain(node)) is not None:
            return chain[0]
        children = node.children
        if len(children) != 3:
            children = g.significant(node)
        target = reader.value(children[0])
        name = children[-1]
        return reader.graph.rooted(op.ATTR, target, reader.symbol(name), reader.line(name), reader.owner)

    def chain(self, node: Node) -> tuple[int, int, int] | None:
        """Value, last name and line of `a.b.c`, read from its text, as most attributes are; None of anything else."""
        reader = self.reader
        start = node.start_byte
        raw = reader.source[start : node.end_byte]
        known = self._chains.get(raw)
        if known is None:
            known = self._chains[raw] = self._names_of(raw)
        name, symbols = known
        if not symbols:
            return None
        graph, owner, line = reader.graph, reader.owner, reader.line(node)
        code, first, roots = graph.code, graph.first, graph.roots
        reader.scopes.log.mentions.append((reader.scopes.current, name, line, owner))
        variable = reader.scopes.read(name)
        for symbol in symbols:
            # as `graph.rooted`, a third of whose time is the call
            offset, target = len(code), len(first)
            roots.append(offset)
            first.append(offset)
            code += (op.ATTR, -1, variable, symbol, line, owner)
            variable = target
        return variable, symbols[-1], line

    def _names_of(self, raw: bytes) -> tuple[str, tuple[int, ...]]:
        """The first name and the symbols of the others; no others where the text is something else than names and dots."""
        if not _DOTTED_NAME.fullmatch(raw):
            return "", ()
        first, *rest = raw.decode().split(".")
        return ("", ()) if first in _CONSTANTS else (first, tuple(map(self.reader.graph.symbol, rest)))

    # ---- subscripts

    def _subscript(self, node: Node) -> int:
        reader = self.reader
        items = reader.scopes.current.items
        if items and (known := items.get(reader.text(node))) is not None:
            return known
        children = g.named(node)
        target = reader.value(children[0])
        line = reader.line(children[0])
        if len(children) == 2 and children[1].kind_id == g.SLICE:
            return self._slice(target, children[1], line)
        key, variable = self.literals.key(children[1]) if len(children) == 2 else (-1, reader.values(children[1:]))
        return reader.graph.rooted(op.ITEM, target, key, variable, line, reader.owner)

    def _slice(self, target: int, node: Node, line: int) -> int:
        reader = self.reader
        start = 0
        for position, child in enumerate(node.children):
            if child.is_named:
                reader.value(child)
                if position == 0 and child.kind_id == g.INTEGER and reader.text(child).isdecimal():
                    start = int(reader.text(child))
        return reader.graph.rooted(op.SLICE, target, start, line, reader.owner)
