"""Types and values that expressions have, and symbols: the declarations of a program by identity. None is an unknown type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeAlias

import msgspec

from repoquarry.languages.declared_types.lowered_tree import Declaration, Node

UNION = "|"
"""Name of the type parameter that stands for one of its bounds; without any it may be too many types."""
SELF = "Self"
"""Name of the type parameter that stands for the type of a receiver."""
CLASS_OBJECT = "<class>"
"""Type constructor of classes as values."""
RESULT, VALUE = "result", "value"
MAX_UNION = 6
"""A value that may have more types has an unknown one."""
MAX_DEPTH = 8
"""Types inside so many others are not looked at, nor bases above so many."""


class Symbol:
    """A declaration of the program."""

    __slots__ = (
        "block", "declaration", "extra_bases", "function", "generic", "is_busy", "kind", "learned", "members", "name", "number", "owner", "reason",
        "renamed", "resolved_bases", "round", "scopes", "signature", "space", "type", "type_is_known", "unit",
    )  # fmt: skip

    def __init__(self, declaration: Declaration, unit: int, space: str, owner: Symbol | None, number: int) -> None:
        self.declaration = declaration
        self.kind = declaration.kind
        self.name = declaration.name
        self.unit = unit
        self.space = space
        self.owner = owner
        self.number = number
        """Symbol of the resolution; -1 where the graph has no node."""
        self.members: defaultdict[str, list[Symbol]] = defaultdict(list)
        self.generic: dict[str, list[Node]] = {one.name: one.bounds for one in declaration.type_parameters}
        """Type parameter -> bounds as written."""
        self.renamed: dict[str, str] = {}
        """Own name for a type parameter of the class -> the class's."""
        self.extra_bases: list[tuple[Node, Context]] = []
        """Bases that implementation blocks add."""
        self.resolved_bases: list[Type] | None = None
        self.signature: Signature | None = None
        self.type: Type = None
        self.type_is_known = False
        self.function: FunctionValue | None = None
        """Function that a variable was first given."""
        self.reason = "unknown value"
        """Cause of an unknown type."""
        self.is_busy = False
        self.learned: dict[int | str, Type] = {}
        """Types that the program shows: of parameters by position, of `RESULT`, and of the values of a field as `VALUE`."""
        self.round = 0
        """Last round of learning in which the body was run."""
        self.block: tuple[Declaration, Context] | None = None
        """Implementation block around a member, and where it stands."""
        self.scopes: list[dict[str, Found]] | None = None
        """Names around a local declaration."""

    def __repr__(self) -> str:
        return f"<{self.name} {self.number}>"

    def has(self, flag: int) -> bool:
        """Return whether the declaration has a flag."""
        return bool(self.declaration.flags & flag)


class ClassType(msgspec.Struct, frozen=True):
    """A class, interface or other named type of the program."""

    symbol: Symbol
    arguments: tuple[Type, ...] = ()


class OutsideType(msgspec.Struct, frozen=True):
    """A type outside the program by its full name, or a type constructor of the language."""

    name: str
    arguments: tuple[Type, ...] = ()


class ParameterType(msgspec.Struct, frozen=True):
    """A type parameter."""

    name: str
    bounds: tuple[Type, ...] = ()


class TupleType(msgspec.Struct, frozen=True):
    """Several values."""

    parts: tuple[Type, ...]


class FunctionType(msgspec.Struct, frozen=True):
    """A function value whose declaration is unknown."""

    parameters: tuple[Type, ...]
    result: Type
    is_lambda: bool = False
    """True for a function literal, whose calls count as those of the definition around it."""
    literals: tuple[int, ...] = ()
    """Function literals of a language that learns types, by the identity of their nodes."""


class RecordType(msgspec.Struct, frozen=True):
    """A structure without a name."""

    fields: dict[str, Type]
    bases: tuple[Type, ...] = ()


class TypeValue(msgspec.Struct, frozen=True):
    """A type used as a value."""

    type: Type
    named_by: Symbol | None = None
    """The alias or variant by which it is named."""


class FunctionValue(msgspec.Struct, frozen=True):
    """Declared functions of one name, overloads of each other or of other builds."""

    symbols: tuple[Symbol, ...]
    receiver: Type = None
    arguments: tuple[Type, ...] = ()
    """Type arguments that are written where the function is named."""


class SpaceValue(msgspec.Struct, frozen=True):
    """A package, module or namespace of the program."""

    space: str


class OutsideValue(msgspec.Struct, frozen=True):
    """Something outside the program by its full name: a package, or a function or class in it."""

    name: str


Type: TypeAlias = (
    ClassType | OutsideType | ParameterType | TupleType | FunctionType | RecordType | None
)  # fmt: skip
Value: TypeAlias = Type | TypeValue | FunctionValue | SpaceValue | OutsideValue
Found: TypeAlias = tuple[Value, str]
"""A value, and the rule by which it is known; where it is None, the reason why it is not."""


class Signature(msgspec.Struct, frozen=True):
    """Declared types of a function."""

    parameters: list[Type]
    result: Type


class Context:
    """Where an expression stands: file, space, class and function around it, and the local names."""

    __slots__ = ("caller", "cls", "generic", "own_type", "renamed", "returned", "scopes", "space", "unit")

    def __init__(
        self,
        unit: int,
        space: str,
        cls: Symbol | None = None,
        generic: Mapping[str, Sequence[Node]] | None = None,
        caller: int = -1,
    ) -> None:
        self.unit = unit
        self.space = space
        self.cls = cls
        self.generic = generic or {}
        """Type parameter in scope -> bounds as written."""
        self.renamed: Mapping[str, str] = {}
        """Other names of type parameters in scope."""
        self.own_type: Node | None = None
        """Type of the receiver as an implementation block writes it; None for the class itself."""
        self.returned: list[Type] = []
        """Types of the values that the function around returns."""
        self.caller = caller
        """Symbol to which calls are attributed; -1 for none."""
        self.scopes: list[dict[str, Found]] = [{}]

    def find_local(self, name: str) -> Found | None:
        """Return what a local name means."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None


def substitute(type_: Type, by_name: Mapping[str, Type], depth: int = 0) -> Type:
    """Replace type parameters; those without a replacement stay."""
    if type_ is None or not by_name or depth > MAX_DEPTH:
        return type_

    def each(types: Sequence[Type]) -> tuple[Type, ...]:
        return tuple(substitute(one, by_name, depth + 1) for one in types)

    if isinstance(type_, ParameterType):
        if type_.name in by_name:
            return by_name[type_.name]
        return ParameterType(type_.name, each(type_.bounds)) if type_.bounds else type_
    if isinstance(type_, ClassType):
        return ClassType(type_.symbol, each(type_.arguments)) if type_.arguments else type_
    if isinstance(type_, OutsideType):
        return OutsideType(type_.name, each(type_.arguments)) if type_.arguments else type_
    if isinstance(type_, TupleType):
        return TupleType(each(type_.parts))
    if isinstance(type_, FunctionType):
        return FunctionType(each(type_.parameters), substitute(type_.result, by_name, depth + 1))
    return type_


def unify(declared: Type, given: Type, by_name: dict[str, Type], depth: int = 0) -> None:
    """Add what type parameters of a declared type stand for, where the given type shows it."""
    if declared is None or given is None or depth > MAX_DEPTH:
        return
    if isinstance(declared, ParameterType):
        by_name.setdefault(declared.name, given)
        for bound in declared.bounds:
            if isinstance(bound, FunctionType):
                whole = isinstance(given, FunctionType)
                unify(bound if whole else bound.result, given, by_name, depth + 1)
    elif isinstance(declared, ClassType) and isinstance(given, ClassType):
        if declared.symbol is given.symbol:
            _unify_each(declared.arguments, given.arguments, by_name, depth)
    elif isinstance(declared, OutsideType) and isinstance(given, OutsideType):
        if declared.name == given.name:
            _unify_each(declared.arguments, given.arguments, by_name, depth)
    elif isinstance(declared, TupleType) and isinstance(given, TupleType):
        _unify_each(declared.parts, given.parts, by_name, depth)
    elif isinstance(declared, FunctionType) and isinstance(given, FunctionType):
        _unify_each(declared.parameters, given.parameters, by_name, depth)
        unify(declared.result, given.result, by_name, depth + 1)


def _unify_each(declared: Sequence[Type], given: Sequence[Type], by_name: dict[str, Type], depth: int) -> None:
    for one, other in zip(declared, given, strict=False):
        unify(one, other, by_name, depth + 1)


def arguments_by_name(type_: Type) -> dict[str, Type]:
    """Return what the type parameters of a class stand for in one of its types."""
    if not isinstance(type_, ClassType):
        return {}
    return dict(zip(type_.symbol.generic, type_.arguments, strict=False))


def fill_arguments(declared: Type, given: Type) -> Type:
    """Return a declared type with those type arguments that it leaves out and the given type has."""
    if declared is None or not isinstance(declared, ClassType) or not isinstance(given, ClassType):
        return given if declared is None else declared
    if declared.symbol is not given.symbol:
        return declared
    pairs = zip(declared.arguments, given.arguments, strict=False)
    return ClassType(declared.symbol, tuple(fill_arguments(one, other) for one, other in pairs) or given.arguments)


def join(types: Iterable[Type]) -> Type:
    """Return the type of a value that has one of several types; None for unknown ones does not count."""
    found: list[Type] = []
    for one in types:
        for part in one.bounds if isinstance(one, ParameterType) and one.name == UNION else (one,):
            same = next((each for each in found if _is_alike(each, part)), None)
            if isinstance(one, ParameterType) and one.name == UNION and not one.bounds:
                return one
            if same is None and part is not None:
                found.append(part)
            elif isinstance(same, OutsideType) and isinstance(part, OutsideType) and same != part:
                pairs = zip_longest(same.arguments, part.arguments)
                found[found.index(same)] = OutsideType(same.name, tuple(map(join, pairs)))
            elif isinstance(same, FunctionType) and isinstance(part, FunctionType) and same != part:
                literals = tuple(dict.fromkeys((*same.literals, *part.literals)))
                result = join((same.result, part.result))
                found[found.index(same)] = FunctionType(same.parameters, result, same.is_lambda, literals)
    if len(found) < 2:
        return found[0] if found else None
    return ParameterType(UNION, tuple(found) if len(found) <= MAX_UNION else ())


def _is_alike(one: Type, other: Type) -> bool:
    if isinstance(one, OutsideType) and isinstance(other, OutsideType):
        return one.name == other.name
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        return one.is_lambda and other.is_lambda
    return one == other


def without_self(type_: Type) -> Type:
    """Return the class of a receiver."""
    is_self = isinstance(type_, ParameterType) and type_.name == SELF and len(type_.bounds) == 1
    return type_.bounds[0] if is_self and isinstance(type_, ParameterType) else type_


def object_type(value: Value) -> Type:
    """Return the type of a value; a class as a value has the type `CLASS_OBJECT`."""
    if isinstance(value, TypeValue):
        return OutsideType(CLASS_OBJECT, (without_self(value.type),))
    return without_self(as_type(value))


def as_type(value: Value) -> Type:
    """Return the type of a value; None for packages, functions and types themselves."""
    return None if isinstance(value, TypeValue | FunctionValue | SpaceValue | OutsideValue) else value
