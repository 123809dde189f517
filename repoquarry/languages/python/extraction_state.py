"""State that the visitors of one Python file share: source text, scopes, constraint graph, handlers; decoding of source (PEP 263).

Each visitor (`visitors/`) receives this state and the visitors that it calls, and registers its handlers by node kind, through which
all other nodes are read; none inherits from another.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.extraction import ExtractionState
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.scopes import PythonScopeStack
from repoquarry.languages.source_text import unify_line_ends

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(source: bytes) -> tuple[bytes, str, str]:
    """`source` as UTF-8 bytes, the encoding that was used, and what was wrong with the declared one (empty when nothing)."""
    declared = _declared(source)
    if declared == "utf-8" and source.isascii():
        return unify_line_ends(source), "utf-8", ""
    for encoding, complaint in ((declared, ""), ("latin-1", f"cannot be decoded as {declared}; read as latin-1")):
        try:
            return unify_line_ends(source.decode(encoding).encode("utf-8", "replace")), encoding, complaint
        except (UnicodeError, LookupError):
            continue
    raise AssertionError("latin-1 decodes any bytes")


def _declared(source: bytes) -> str:
    for mark, encoding in _MARKS:
        if source.startswith(mark):
            return encoding
    for line in unify_line_ends(source[:400]).split(b"\n", 2)[:2]:
        if found := _COOKIE.match(line):
            name = found.group(1).decode("ascii", "replace").lower().replace("_", "-")
            return "utf-8" if name in ("utf8", "utf-8") or name.startswith("utf-8-") else name
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"


Handler = Callable[[Node], int]

_SPACE = re.compile(r"\s+")


class PythonExtractionState(ExtractionState):
    """One file of Python being read."""

    def __init__(self, path: str, source: bytes) -> None:
        super().__init__(path, source)
        self.scopes = PythonScopeStack(self.graph)
        self.exports: list[str] | None = None
        self.handlers: defaultdict[int, Handler] = defaultdict(lambda: self._unknown)
        """Kind of node -> what reads such nodes."""
        self.branches = 0
        """State of the function or class being read."""
        self.called: set[int] = set()
        """Where each call on a name or an attribute ends: as many as there are calls, also where one is read twice."""
        self.owner = -1
        self.line_offset: int | None = None
        """Set while a string annotation is read: its text stands for itself, and everything in it is on this line."""
        self._symbols: dict[bytes, int] = {}

    def plain(self, node: Node) -> str:
        """Return the source text of a node that is not worth keeping."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def flat(self, node: Node) -> str:
        """Source text on one line."""
        return _SPACE.sub(" ", self.plain(node)).strip()

    def symbol(self, node: Node) -> int:
        """Symbol number of a node's text."""
        raw = self.source[node.start_byte : node.end_byte]
        found = self._symbols.get(raw)
        if found is None:
            found = self._symbols[raw] = self.graph.symbol(self.text(node))
        return found

    def line(self, node: Node) -> int:
        """1-based line on which a node starts."""
        if self.line_offset is not None:
            return self.line_offset
        return node.start_point[0] + 1

    # ---- values

    def register(self, handlers: Mapping[str, Handler]) -> None:
        """Has these kinds of nodes read by these handlers."""
        self.handlers |= {g.kind(name): handler for name, handler in handlers.items()}

    def value(self, node: Node) -> int:
        """Return the variable of any expression; statements have none worth reading."""
        return self.handlers[node.kind_id](node)

    def values(self, nodes: Sequence[Node]) -> int:
        """Read several expressions for their effects; return a variable that holds nothing."""
        for node in nodes:
            if node.is_named and node.kind_id not in g.INSIGNIFICANT:
                self.value(node)
        return self.constant("object")

    def keep(self, node: Node, variable: int) -> None:
        """Record that a name or an attribute of an import is taken as a value: what it means is in use."""
        kind = node.kind_id
        if kind == g.ATTRIBUTE:
            while kind == g.ATTRIBUTE:
                node = node.children[0]
                kind = node.kind_id
            if kind != g.IDENTIFIER or not self._is_of_module(node, (op.IMPORT, op.FROM)):
                return
        elif kind != g.IDENTIFIER or not self._is_of_module(node, (op.FUNC, op.CLASS, op.FROM)):
            return
        self.graph.effect(op.MENTION, variable, self.line(node), self.owner, self.graph.symbol("value"))

    def _is_of_module(self, node: Node, operations: tuple[int, ...]) -> bool:
        """Return whether a name stands for a definition or an import, by one of the operations, as far as the scope can tell."""
        variable = self.scopes.current.env.get(self.text(node))
        if variable is None:
            return True
        offset = self.graph.first[self.graph.source(variable)]
        return offset >= 0 and self.graph.code[offset] in operations

    def _unknown(self, node: Node) -> int:
        if not node.is_named:
            return self.constant("object")
        return self.values(node.children)

    def allocate(self, name: str) -> int:
        """Return the index of a new definition inside the one being read."""
        return self._reservations.allocate(name, self.owner)

    def close(self) -> None:
        """Lets go of the parts, each of which holds the reader: what the walk took is then freed at once, and needs no collection of cycles."""
        self.handlers = defaultdict()
