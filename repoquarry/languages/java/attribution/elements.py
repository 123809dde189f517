"""The elements of a program: classes, methods, fields, and the names that places give to types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from repoquarry.languages.java.attribution.types import Type, TypeVariable
from repoquarry.languages.java.tree import Node


@dataclass(eq=False, slots=True)
class Names:
    """Types that a place gives names to: type parameters, local classes."""

    outer: Names | None
    types: dict[str, TypeVariable | ClassInfo] = field(default_factory=dict)

    def find(self, name: str) -> TypeVariable | ClassInfo | None:
        here: Names | None = self
        while here is not None:
            if name in here.types:
                return here.types[name]
            here = here.outer
        return None


@dataclass(eq=False, slots=True)
class Method:
    """A method or constructor; its types are resolved when they are first asked for (`Naming.header`)."""

    cls: ClassInfo
    name: str
    flags: int
    symbol: int
    node: Node
    variables: tuple[TypeVariable, ...] = ()
    parameters: tuple[Type, ...] = ()
    result: Type = None
    names: Names | None = None
    is_read: bool = False

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)


@dataclass(eq=False, slots=True)
class Field:
    """A field or constant of an enumeration."""

    cls: ClassInfo
    name: str
    written: Node | None
    is_static: bool
    value: Node | None = None
    is_final: bool = False
    type: Type = None
    is_read: bool = False


@dataclass(eq=False, slots=True)
class ClassInfo:
    """A class of the program or of the stubs."""

    name: str
    full: str
    kind: str
    unit: int
    symbol: int
    outer: ClassInfo | None
    node: Node
    names: Names
    is_static: bool
    variables: tuple[TypeVariable, ...] = ()
    superclass: Type = None
    interfaces: tuple[Type, ...] = ()
    methods: dict[str, list[Method]] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    inner: dict[str, ClassInfo] = field(default_factory=dict)
    anonymous_of: Type = None
    is_read: bool = False
    is_reading: bool = False

    @property
    def is_interface(self) -> bool:
        return self.kind in ("interface", "annotation")


def variables_of(written: Sequence[Node], names: Names) -> tuple[TypeVariable, ...]:
    """Type parameters, put among the names."""
    made = tuple(TypeVariable(name) for name, _ in written)
    names.types.update({one.name: one for one in made})
    return made
