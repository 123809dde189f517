"""Choice among functions of one name by arguments, and functions that extend types."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types.dialect import NameLookup
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    ClassType,
    FunctionType,
    OutsideType,
    ParameterType,
    Symbol,
    Type,
)


def choose_by_arguments(
    names: NameLookup, symbols: tuple[Symbol, ...], count: int, types: Sequence[Type]
) -> tuple[Symbol, ...]:
    """Return those of several functions that take so many arguments, and among them those whose types fit best."""
    if len(symbols) < 2:
        return symbols
    fitting = [one for one in symbols if takes(one, count)] or list(symbols)
    scores = [
        sum(
            _fit(names, declared, given)
            for declared, given in zip(names.signature_of(one).parameters, types, strict=False)
        )
        for one in fitting
    ]
    best = [one for one, score in zip(fitting, scores, strict=True) if score == max(scores)]
    exact = [one for one in best if len(one.declaration.parameters) == count]
    return tuple(exact or best)


def takes(symbol: Symbol, count: int) -> bool:
    """Return whether a function can be called with so many arguments."""
    parameters = symbol.declaration.parameters
    needed = sum(not one.is_optional for one in parameters)
    return needed <= count and (count <= len(parameters) or (bool(parameters) and parameters[-1].is_optional))


def _fit(names: NameLookup, declared: Type, given: Type) -> int:
    """Return 2 for the same type, 1 for a base, -2 for another type, and 0 where either is unknown."""
    if isinstance(declared, ClassType) and isinstance(given, ClassType):
        if declared.symbol is given.symbol:
            return 2
        return 1 if names.members.view_as(given, declared.symbol) is not None else -2
    if isinstance(declared, OutsideType) and isinstance(given, OutsideType):
        return 2 if declared.name == given.name else -1
    known = (ClassType, OutsideType, FunctionType)
    is_other = isinstance(declared, known) and isinstance(given, known) and type(declared) is not type(given)
    return -2 if is_other else 0


def extends(names: NameLookup, function: Symbol, receiver: Type) -> bool:
    """Return whether a function whose first parameter is its receiver extends a type."""
    signature = names.signature_of(function).parameters
    declared = signature[0] if signature else None
    if isinstance(declared, ParameterType):
        return not declared.bounds or any(
            isinstance(bound, ClassType) and names.members.view_as(receiver, bound.symbol) is not None
            for bound in declared.bounds
        )
    if isinstance(declared, ClassType):
        return names.members.view_as(receiver, declared.symbol) is not None
    below = receiver if isinstance(receiver, OutsideType) else names.members.outside_base(receiver)
    return isinstance(declared, OutsideType) and below is not None and last_name(declared) == last_name(below)


def last_name(type_: OutsideType) -> str:
    """Return the last part of the name of a type outside."""
    return type_.name.rpartition(".")[2]


def find_base(names: NameLookup, type_: Type, name: str) -> ClassType | None:
    """Return the type itself or the nearest of its bases that has a name and is declared in a stub."""
    level: list[Type] = [type_]
    for _ in range(MAX_DEPTH):
        above: list[Type] = []
        for one in level:
            if isinstance(one, ParameterType):
                above += one.bounds
            elif isinstance(one, ClassType):
                if one.symbol.name == name and names.is_stub(one.symbol):
                    return one
                above += names.members.bases(one)
        level = above[:64]
    return None
