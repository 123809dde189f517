"""What conditions tell about the classes of names."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.reader import Reader


@dataclass(frozen=True, slots=True)
class Tested:
    """`isinstance(name, cls)` within a condition."""

    name: str
    cls: int
    """Variable of the class."""
    belongs: bool
    """The name is an instance where the condition holds (and not where `not isinstance(...)` does)."""
    when: bool | None
    """The outcome of the whole condition that tells it; None: either does."""


class Narrowing:
    """Narrows names to the classes that conditions test them for."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def narrowings(self, node: Node) -> list[Tested]:
        """What a condition tells about the classes of names."""
        kind = node.kind_id
        if kind == g.CALL:
            return self._isinstance(node)
        if kind == g.PARENTHESIZED:
            return self.narrowings(node.children[1])
        if kind == g.NOT_OPERATOR:
            return [
                Tested(found.name, found.cls, not found.belongs, None if found.when is None else not found.when)
                for found in self.narrowings(node.children[-1])
            ]
        if kind == g.BOOLEAN_OPERATOR:
            operands, both = g.operands(node)
            return [
                Tested(found.name, found.cls, found.belongs, both)
                for operand in operands
                for found in self.narrowings(operand)
                if found.when is None or found.when is both
            ]
        return []

    def _isinstance(self, node: Node) -> list[Tested]:
        reader = self.reader
        if reader.text(node.children[0]) != "isinstance":
            return []
        given = g.named(node.children[-1])
        if (
            len(given) != 2
            or given[0].kind_id != g.IDENTIFIER
            or given[1].kind_id not in (g.IDENTIFIER, g.ATTRIBUTE, g.TUPLE)
        ):
            return []
        return [Tested(reader.text(given[0]), reader.value(given[1]), True, None)]

    def apply(self, narrowed: list[Tested], *, truth: bool) -> None:
        """Narrows names as the condition being true or false says."""
        reader = self.reader
        env = reader.scopes.current.env
        for found in narrowed:
            if found.name in env and (found.when is None or found.when is truth):
                keep = found.belongs is truth
                env[found.name] = reader.graph.value(op.NARROW, reader.scopes.read(found.name), found.cls, int(keep))
