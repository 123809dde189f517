"""The elements of a program: types, classes, methods, fields, and the names that places give to types.

Types name classes, and classes have types. None stands for a type that is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from repoquarry.languages.java.tree import Node


class TypeVariable:
    """A type parameter of a class or method; equal only to itself."""

    __slots__ = ("bounds", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.bounds: tuple[Type, ...] = ()


class ClassType(NamedTuple):
    """A class of the program or of the stubs; without arguments it is raw or has no parameters."""

    cls: ClassInfo
    arguments: tuple[Type, ...] = ()


class OutsideType(NamedTuple):
    """A class of which only the name is known."""

    name: str


class Primitive(NamedTuple):
    """`int`, ..., `void`, and `null` for the type of null."""

    name: str


class ArrayType(NamedTuple):
    """An array."""

    element: Type


class VariableType(NamedTuple):
    """A type parameter as a type."""

    variable: TypeVariable


class Wildcard(NamedTuple):
    """A type argument: kind 0 is `?`, 1 `? extends bound`, 2 `? super bound`."""

    kind: int
    bound: Type


class Intersection(NamedTuple):
    """All of several types."""

    types: tuple[Type, ...]


Type = ClassType | OutsideType | Primitive | ArrayType | VariableType | Wildcard | Intersection | None


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
    """Its type parameters, and behind them those of the classes around that it is an inner class of."""
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
