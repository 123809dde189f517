"""State shared by the parts of the walk over one file: text, lines, the graph under construction, counters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from tree_sitter import Node

from repoquarry.languages.constraints import CONST, GraphBuilder
from repoquarry.languages.facts import Definition, Import, ParseError
from repoquarry.languages.python.scopes import ScopeStack

Handler = Callable[[Node], int]

_NEWLINE = re.compile(rb"\n")


class Reader:
    """One file being read. Subclasses add expressions, types, statements and definitions, in this order."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.newlines = _newlines(source)
        self.graph = GraphBuilder()
        self.scopes = ScopeStack(self.graph)
        self.definitions: list[Definition] = []
        self.imports: list[Import] = []
        self.errors: list[ParseError] = []
        self.entry_points: list[tuple[str, str, int]] = []
        self.exports: list[str] | None = None
        self.branches = 0
        self.called: set[int] = set()
        """Where each call on a name or an attribute ends: as many as there are calls, also where one is read twice."""
        self.owner = -1
        self.line_offset: int | None = None
        """Set while a string annotation is read: its text stands for itself, and everything in it is on this line."""
        self._constants: dict[tuple[str, str], int] = {}
        self._texts: dict[bytes, str] = {}
        self._symbols: dict[bytes, int] = {}

    def text(self, node: Node) -> str:
        """Source text of a node; equal texts are one object."""
        raw = self.source[node.start_byte : node.end_byte]
        try:
            return self._texts[raw]
        except KeyError:
            found = self._texts[raw] = raw.decode("utf-8", "replace")
            return found

    def symbol(self, node: Node) -> int:
        """Symbol number of a node's text."""
        raw = self.source[node.start_byte : node.end_byte]
        try:
            return self._symbols[raw]
        except KeyError:
            found = self._symbols[raw] = self.graph.symbol(self.text(node))
            return found

    def line(self, node: Node) -> int:
        """1-based line on which a node starts."""
        if self.line_offset is not None:
            return self.line_offset
        return bisect_right(self.newlines, node.start_byte)

    def constant(self, kind: str, text: str = "") -> int:
        """The variable of a constant of a built-in type; `text` where its value can be a key."""
        variable = self._constants.get((kind, text))
        if variable is None:
            value = self.graph.symbol(text) if text else -1
            variable = self._constants[kind, text] = self.graph.value(CONST, self.graph.symbol(kind), value)
        return variable

    def complain(self, node: Node, message: str) -> None:
        """Records a place that could not be read."""
        self.errors.append(ParseError(node.start_point[0] + 1, message))


def _newlines(source: bytes) -> list[int]:
    return [0, *(found.end() for found in _NEWLINE.finditer(source))]
