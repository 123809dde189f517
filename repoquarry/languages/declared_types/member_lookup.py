"""`MemberLookup`: members of types, in bases and embedded types as well, and the types that named types stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    UNION,
    ClassType,
    Context,
    Found,
    FunctionValue,
    OutsideType,
    ParameterType,
    RecordType,
    Symbol,
    TupleType,
    Type,
    TypeValue,
    arguments_by_name,
    substitute,
)


class TypeReader(Protocol):
    """Reader of the types of declarations."""

    def context_of(self, symbol: Symbol) -> Context:
        """Return where a declaration stands."""

    def read_type(self, node: Node | None, context: Context) -> Type:
        """Return the type that is written."""

    def type_of(self, symbol: Symbol) -> Type:
        """Return the type of a variable or field."""


class Member(NamedTuple):
    """Declarations of one name in one type."""

    symbols: tuple[Symbol, ...]
    by_name: Mapping[str, Type]
    """Type parameters of the declaring type with their meaning."""
    is_inherited: bool


class MemberLookup:
    """Members of types."""

    def __init__(self, names: TypeReader, *, separates_fields: bool) -> None:
        self._names = names
        self._separates_fields = separates_fields

    def find(self, type_: Type, name: str, depth: int = 0, *, is_call: bool = False) -> Member | None:
        """Return the members of a name: the type's own, otherwise those of the nearest base."""
        if depth > MAX_DEPTH:
            return None
        if isinstance(type_, ParameterType) and type_.name == UNION:
            every = [self.find(bound, name, depth + 1, is_call=is_call) for bound in type_.bounds]
            symbols = dict.fromkeys(symbol for one in every if one is not None for symbol in one.symbols)
            return Member(tuple(symbols), {}, is_inherited=True) if symbols else None
        if isinstance(type_, ParameterType):
            for bound in type_.bounds:
                if (found := self.find(bound, name, depth + 1, is_call=is_call)) is not None:
                    return Member(found.symbols, {**found.by_name, "Self": type_}, is_inherited=True)
            return None
        if not isinstance(type_, ClassType):
            return None
        if name.startswith(tree.ABOVE):
            return self._find_above(type_, name.removeprefix(tree.ABOVE), depth, is_call=is_call)
        own = type_.symbol.members.get(name)
        if own:
            return Member(self._choose(own, is_call=is_call), arguments_by_name(type_), depth > 0)
        return self._find_above(type_, name, depth, is_call=is_call)

    def _choose(self, own: list[Symbol], *, is_call: bool) -> tuple[Symbol, ...]:
        if self._separates_fields and len(own) > 1:
            own = [one for one in own if (one.kind == tree.FUNCTION) == is_call] or own
        return tuple(own)

    def _find_above(self, type_: ClassType, name: str, depth: int, *, is_call: bool) -> Member | None:
        """Look in the bases, level by level: the shallowest wins, as where types are embedded."""
        level, seen = [type_], {type_.symbol}
        for _ in range(MAX_DEPTH - depth):
            above: list[ClassType] = []
            for one in level:
                for base in self.bases(one):
                    if isinstance(base, ParameterType):
                        if (found := self.find(base, name, depth + 1, is_call=is_call)) is not None:
                            return found
                    elif isinstance(base, ClassType) and base.symbol not in seen:
                        seen.add(base.symbol)
                        above.append(base)
            for one in above:
                if own := one.symbol.members.get(name):
                    return Member(self._choose(own, is_call=is_call), arguments_by_name(one), is_inherited=True)
            level = above
        return None

    def bases(self, type_: ClassType) -> list[Type]:
        """Return the bases of a class with its type arguments."""
        by_name = arguments_by_name(type_)
        return [substitute(one, by_name) for one in self.declared_bases(type_.symbol)]

    def declared_bases(self, cls: Symbol) -> list[Type]:
        """Return the bases of a class as declared; None for unknown ones."""
        if cls.resolved_bases is None:
            cls.resolved_bases = []
            context = self._names.context_of(cls)
            found = [self._names.read_type(one, context) for one in cls.declaration.bases]
            found += [self._names.read_type(one, context) for one, context in cls.extra_bases]
            cls.resolved_bases = found
        return cls.resolved_bases

    def underlying(self, type_: Type) -> Type:
        """Return the type that a named type is declared by, where it is declared by another; None for itself."""
        seen: set[Symbol] = set()
        while isinstance(type_, ClassType) and type_.symbol.declaration.type is not None:
            if type_.symbol in seen:
                return None
            seen.add(type_.symbol)
            context = self._names.context_of(type_.symbol)
            declared = self._names.read_type(type_.symbol.declaration.type, context)
            type_ = substitute(declared, arguments_by_name(type_))
        return type_

    def get(self, type_: Type, name: str, *, is_call: bool = False) -> Found:
        """Return a member of a value of a type."""
        if isinstance(type_, RecordType):
            if name in type_.fields:
                return type_.fields[name], "receiver"
            found = (self.get(base, name, is_call=is_call) for base in type_.bases)
            return next((one for one in found if one[0] is not None), (None, ""))
        if isinstance(type_, TupleType) and name.isdecimal() and int(name) < len(type_.parts):
            return type_.parts[int(name)], "receiver"
        member = self.find(type_, name, is_call=is_call)
        if member is None:
            below = self.underlying(type_)
            return self.get(below, name, is_call=is_call) if below is not type_ else (None, "")
        first = member.symbols[0]
        if first.kind == tree.FUNCTION:
            return FunctionValue(member.symbols, type_), "receiver"
        if first.kind == tree.CLASS:
            return TypeValue(ClassType(first)), "class"
        return substitute(self._names.type_of(first), member.by_name), "receiver"

    def view_as(self, type_: Type, cls: Symbol) -> ClassType | None:
        """Return a type as one of its bases, or itself; None where a class is no base of it."""
        level, seen = [type_], {cls}
        for _ in range(MAX_DEPTH):
            above: list[Type] = []
            for one in level:
                if isinstance(one, ParameterType):
                    above += one.bounds
                elif isinstance(one, ClassType):
                    if one.symbol is cls:
                        return one
                    if one.symbol not in seen:
                        seen.add(one.symbol)
                        above += self.bases(one)
            level = above
        return None

    def outside_base(self, type_: Type) -> OutsideType | None:
        """Return the first base outside the program, at any level."""
        level, seen = [type_], set()
        for _ in range(MAX_DEPTH):
            above: list[Type] = []
            for one in level:
                if isinstance(one, OutsideType):
                    return one
                if isinstance(one, ClassType) and one.symbol not in seen:
                    seen.add(one.symbol)
                    above += self.bases(one)
            level = above
        return None
