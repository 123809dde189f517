"""Decorators: as records, and as calls on what they stand before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.importing.imported_names import ImportedNames
from repoquarry.languages.python.reader import Reader

_DOTTED = re.compile(r"\w+(?:\.\w+)*")


class Decorators:
    """Reads decorators."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._imported = ImportedNames()

    def written(self, decorators: Sequence[Node]) -> tuple[Decorator, ...]:
        """Records of decorators as they are written."""
        return tuple([self._record(g.significant(decorator)[1]) for decorator in decorators])

    def _record(self, expression: Node) -> Decorator:
        reader = self.reader
        called, arguments = expression, None
        if expression.kind_id == g.CALL:
            called, brackets = expression.children[0], expression.children[-1]
            arguments = reader.flat(brackets)[1:-1].strip()
        dotted = reader.flat(called) if called.kind_id in (g.IDENTIFIER, g.ATTRIBUTE) else ""
        if not _DOTTED.fullmatch(dotted):
            dotted = ""
        return Decorator(reader.flat(expression), self._imported.full_name(dotted, reader.imports), arguments)

    def evaluated(self, decorators: Sequence[Node]) -> list[tuple[int, int, int]]:
        """(variable, line, symbol of the name) of each decorator; read before the definition, as they are evaluated."""
        reader = self.reader
        out = []
        for decorator in decorators:
            expression = g.significant(decorator)[1]
            name = expression.children[-1] if expression.kind_id == g.ATTRIBUTE else expression
            named = name.kind_id == g.IDENTIFIER
            out.append((reader.value(expression), reader.line(expression), reader.symbol(name) if named else -1))
        return out

    def decorate(self, value: int, decorators: Sequence[tuple[int, int, int]]) -> int:
        """Result of applying evaluated decorators to `value`, the last one first."""
        reader = self.reader
        for callee, line, name in reversed(decorators):
            value = reader.graph.call(callee, line, reader.owner, op.DECORATES, name, [op.POSITIONAL, value])
        return value
