"""Names, attributes and subscripts: what reads a value by where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.literals import Literals
from repoquarry.languages.python.reader import Reader

#: longer attributes than this, in bytes, are read by their syntax alone: what they belong to is more than names
DOTTED_TEXT = 80

_DOTTED = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
_CONSTANTS = frozenset(("None", "True", "False"))


class Names:
    """Reads names, attributes and subscripts."""

    def __init__(self, reader: Reader, literals: Literals) -> None:
        self.reader = reader
        self.literals = literals
        self._chains: dict[bytes, tuple[str, tuple[int, ...]]] = {}
        reader.register(
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
        return variable if variable is not None and not scope.loops else reader.scopes.read(name)

    # ---- attributes

    def attribute(self, node: Node) -> int:
        """The variable of an attribute."""
        reader = self.reader
        if node.end_byte - node.start_byte < DOTTED_TEXT and (chain := self.chain(node)) is not None:
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
        if not _DOTTED.fullmatch(raw):
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
        if (read := self.attribute_by_key(children)) is not None:
            return reader.graph.rooted(op.ATTR, *read, reader.line(children[0]), reader.owner)
        target = reader.value(children[0])
        line = reader.line(children[0])
        if len(children) == 2 and children[1].kind_id == g.SLICE:
            return self._slice(target, children[1])
        key, variable = self.literals.key(children[1]) if len(children) == 2 else (-1, reader.values(children[1:]))
        return reader.graph.rooted(op.ITEM, target, key, variable, line, reader.owner)

    def attribute_by_key(self, children: Sequence[Node]) -> tuple[int, int] | None:
        """Object and attribute of `obj.__dict__["name"]`, given the parts of the subscript; None for any other."""
        reader = self.reader
        if len(children) != 2 or children[0].kind_id != g.ATTRIBUTE or children[1].kind_id != g.STRING:
            return None
        parts = g.significant(children[0])
        name = self.literals.literal(children[1])
        if reader.text(parts[-1]) != "__dict__" or not name:
            return None
        return reader.value(parts[0]), reader.graph.symbol(name)

    def _slice(self, target: int, node: Node) -> int:
        reader = self.reader
        start = 0
        for position, child in enumerate(node.children):
            if child.is_named:
                reader.value(child)
                if position == 0 and child.kind_id == g.INTEGER and reader.text(child).isdigit():
                    start = int(reader.text(child))
        return reader.graph.value(op.SLICE, target, start)
