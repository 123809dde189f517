"""The classes, interfaces and enumerations that are being read, and what their bodies bind."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node


@dataclass(slots=True)
class Members:
    """Names that the body of a class binds, while it is read."""

    index: int
    value: int
    """Variable of the class itself."""
    bound: dict[str, list[int]] = field(default_factory=dict)
    accessors: dict[str, list[int]] = field(default_factory=dict)
    """Property -> variables of its getter and its setter, -1 for none."""
    fields: list[int] = field(default_factory=list)
    decorators: list[Node] = field(default_factory=list)
    """Those that stand before the next member."""
    types: dict[str, Node] = field(default_factory=dict)
    """Name of a field -> its declared type, of classes with type parameters."""
    is_interface: bool = False
    is_generic: bool = False


class OpenClasses:
    """Those whose bodies are being read."""

    def __init__(self) -> None:
        self._members: list[Members] = []

    def open(self, members: Members) -> None:
        """Goes on reading within a class."""
        self._members.append(members)

    def close(self) -> None:
        """Leaves the innermost class."""
        self._members.pop()

    @property
    def innermost(self) -> Members | None:
        """The innermost class, None outside of classes."""
        return self._members[-1] if self._members else None
