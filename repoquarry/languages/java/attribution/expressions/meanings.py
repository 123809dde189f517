"""What names mean where they are written: variables, fields, classes (The Java Language Specification, 6.5), and what members their types have."""

from __future__ import annotations

from typing import Protocol

from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    ClassType,
    Intersection,
    OutsideType,
    Primitive,
    Type,
    VariableType,
    Wildcard,
)
from repoquarry.languages.java.attribution.places import Place, Variable, this_type
from repoquarry.languages.java.attribution.types import substitute, upper
from repoquarry.languages.java.tree import Node


class TypeOf(Protocol):
    """Attributes an expression. Handed in, as expressions stand within what holds them: a call within a lambda within a call."""

    def __call__(self, node: Node | None, place: Place, expected: Type = None) -> Type:
        """The type of an expression; `expected` is what the place where it stands asks for."""


class Meanings:
    """Finds what names and types mean at a place."""

    def __init__(self, program: Program, type_of: TypeOf) -> None:
        self._program = program
        self._type_of = type_of

    def written(self, node: Node | None, place: Place) -> Type:
        """A type that is written in code."""
        return self._program.naming.type_of(node, place.cls.unit, place.cls, place.names)

    def place_of(self, node: Node, place: Place) -> tuple[Type, bool]:
        """Type of what stands before a dot, and whether it is a type itself and no value."""
        kind = node[0]
        if kind == tree.NAME:
            return self._name(node[1], place)
        if kind == tree.FIELD:
            return self._field(node, place)
        if kind == tree.THIS:
            return self._this(node[1], place), False
        if kind == tree.SUPER:
            return self.above(node[1], place), False
        return self._type_of(node, place), False

    def _name(self, name: str, place: Place) -> tuple[Type, bool]:
        for here in place.around():
            variable = here.variable(name)
            if variable is not None:
                return variable.type, False
            found = self._program.field(here.cls, name)
            if found is not None:
                return substitute(self._program.naming.field_type(found[0]), found[1]), False
        for cls in self._program.naming.static_imports(name, place.cls.unit):
            found = self._program.field(cls.cls, name) if isinstance(cls, ClassType) else None
            if found is not None:
                return self._program.naming.field_type(found[0]), False
        type_ = self._program.naming.type_name(name, place.cls.unit, place.cls, place.names)
        if isinstance(type_, OutsideType) and not name[:1].isupper():
            return None, False
        return type_, True

    def _field(self, node: Node, place: Place) -> tuple[Type, bool]:
        name = node[2]
        if node[1] is None:
            return None, False
        dotted = self._dotted(node, place)
        if dotted is not None:
            return dotted, True
        found, is_type = self.place_of(node[1], place)
        found = upper(found)
        if isinstance(found, ArrayType) and name == "length":
            return Primitive("int"), False
        if is_type and isinstance(found, OutsideType):
            return (
                (OutsideType(f"{found.name}.{name}"), True)
                if name[:1].isupper() and not name.isupper()
                else (None, False)
            )
        for cls in self.classes_of(found):
            member = self._program.field(cls.cls, name)
            if member is not None:
                own = {} if is_type else self._program.mapping(cls)
                return substitute(substitute(self._program.naming.field_type(member[0]), member[1]), own), False
            inner = self._program.naming.member_class(cls.cls, name)
            if inner is not None:
                return ClassType(inner), True
        return None, False

    def _dotted(self, node: Node, place: Place) -> Type:
        """A class by its full name, where no variable hides the first part."""
        parts = [node[2]]
        here = node[1]
        while here is not None and here[0] == tree.FIELD:
            parts.append(here[2])
            here = here[1]
        if here is None or here[0] != tree.NAME:
            return None
        head = here[1]
        if self._name(head, place) != (None, False):
            return None
        name = ".".join([head, *reversed(parts)])
        cls = self._program.declared.named(name, place.cls.unit)
        if cls is not None:
            return ClassType(cls)
        return (
            OutsideType(name) if node[2][:1].isupper() and all(part.islower() for part in [head, *parts[1:]]) else None
        )

    def _this(self, name: str | None, place: Place) -> Type:
        for here in place.around():
            if name is None or here.cls.name == name.rpartition(".")[2]:
                return this_type(here.cls)
        return None

    def above(self, name: str | None, place: Place) -> Type:
        """What `super` or `Name.super` is."""
        if name is not None:
            named = self._program.naming.type_name(name, place.cls.unit, place.cls, place.names)
            for here in place.around():
                if isinstance(named, ClassType) and here.cls is named.cls:
                    self._program.naming.read(here.cls)
                    return here.cls.superclass
            return named
        self._program.naming.read(place.cls)
        found = place.cls.superclass
        if found is None and place.cls.interfaces:
            return place.cls.interfaces[0]
        return found

    def classes_of(self, found: Type) -> list[ClassType]:
        """The classes whose members a value of a type has."""
        found = upper(found)
        if isinstance(found, ClassType):
            return [found]
        if isinstance(found, VariableType):
            return [one for bound in found.variable.bounds for one in self.classes_of(bound)] or self._object()
        if isinstance(found, Intersection):
            return [one for part in found.types for one in self.classes_of(part)]
        return self._object() if isinstance(found, ArrayType) else []

    def _object(self) -> list[ClassType]:
        return [ClassType(self._program.object)] if self._program.object is not None else []

    def variable(self, node: Node | None, place: Place) -> Variable | None:
        """The local variable that an expression names."""
        if node is None or node[0] != tree.NAME:
            return None
        return next((found for here in place.around() if (found := here.variable(node[1])) is not None), None)

    def element(self, found: Type) -> Type:
        """Type of what iteration over a value gives."""
        found = upper(found)
        if isinstance(found, ArrayType):
            return found.element
        iterable = self._program.declared.named("java.lang.Iterable", 0)
        for cls in self.classes_of(found):
            above = self._program.as_super(cls, iterable) if iterable is not None else None
            if above is not None and above.arguments:
                given = above.arguments[0]
                return upper(given) if isinstance(given, Wildcard) else given
        return None
