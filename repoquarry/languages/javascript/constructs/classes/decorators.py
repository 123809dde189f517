"""Decorators of classes and their members."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator
from repoquarry.languages.javascript.reader import Reader


class Decorators:
    """Reads decorators."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        reader.handlers["decorator"] = self._decorator

    def _decorator(self, node: Node) -> int:
        return self.reader.values(node.named_children)

    def record(self, node: Node) -> Decorator:
        """A decorator as the definition has it."""
        reader = self.reader
        inner = (reader.parts(node) or [node])[0]
        called, arguments = inner, None
        if reader.kind(inner) == "call_expression":
            called = inner.child_by_field_name("function") or inner
            given = inner.child_by_field_name("arguments")
            arguments = reader.flat(given)[1:-1].strip()
        dotted = reader.flat(called)
        return Decorator(reader.flat(inner), dotted if dotted.replace(".", "").isidentifier() else "", arguments)

    def applied(self, decorators: Sequence[Node]) -> list[tuple[int, int, int]]:
        """(variable, line, symbol of the name) of each decorator."""
        reader, out = self.reader, []
        for decorator in decorators:
            for inner in reader.parts(decorator)[:1]:
                name = inner.child_by_field_name("property") or inner
                named = reader.kind(name) in ("identifier", "property_identifier")
                out.append((reader.value(inner), reader.line(inner), reader.symbol(name) if named else -1))
        return out

    def decorate(self, value: int, decorators: Sequence[tuple[int, int, int]]) -> int:
        """Calls decorators, the last first, with what they stand before."""
        for callee, line, name in reversed(decorators):
            arguments = [op.POSITIONAL, value]
            self.reader.graph.call(callee, line, self.reader.owner, op.DECORATES, name, arguments)
        return value
