"""Choice among functions of one name by arguments, and functions that extend types."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.dialect import NameLookup
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    ClassType,
    FunctionType,
    OutsideType,
    ParameterType,
    Symbol,
    TupleType,
    Type,
)

_IMPOSSIBLE = -20
"""Fit of an argument that a parameter cannot take."""


def choose_by_arguments(
    names: NameLookup, symbols: tuple[Symbol, ...], count: int, types: Sequence[Type]
) -> tuple[Symbol, ...]:
    """Return those of several functions that take so many arguments, and among them those whose types fit best."""
    if len(symbols) < 2:
        return symbols
    fitting = [one for one in symbols if takes(one, count)] or list(symbols)
    scores = [sum(fits_of(names, one, types)) for one in fitting]
    best = [one for one, score in zip(fitting, scores, strict=True) if score == max(scores)]
    best = [one for one in best if len(one.declaration.parameters) == count] or best
    own = [one for one in best if not names.is_stub(one)] or best
    fewest = min(len(one.generic) for one in own)
    plain = [one for one in own if len(one.generic) == fewest]
    special = [one for one in plain if not any(_is_case(names, other, one) for other in plain if other is not one)]
    return tuple(special or plain)


def _is_case(names: NameLookup, one: Symbol, other: Symbol) -> bool:
    """Return whether each parameter of a function is a case of that of another, and not the other way."""

    def fits(given: Sequence[Type], declared: Sequence[Type]) -> bool:
        return all(fit(names, wide, narrow) > 0 for wide, narrow in zip(declared, given, strict=False))

    inner, outer = names.signature_of(one).parameters, names.signature_of(other).parameters
    return len(inner) == len(outer) and fits(inner, outer) and not fits(outer, inner)


def place_arguments(
    symbols: tuple[Symbol, ...], arguments: list[Node | None], before: int
) -> tuple[tuple[Symbol, ...], list[Node | None]]:
    """Return those functions that have parameters of the names in a call, and its arguments in the order of the first one.

    `before` is the number of parameters in front of the first argument.
    """
    named = {str(one[2]): one for one in arguments if one is not None and one[0] == tree.ARGUMENT}
    if not named:
        return symbols, arguments
    values = [one[1] if one is not None and one[0] == tree.ARGUMENT else one for one in arguments]
    fitting = tuple(one for one in symbols if named.keys() <= set(_parameter_names(one)))
    if not fitting:
        return symbols, values
    is_named = [one is not None and one[0] == tree.ARGUMENT for one in arguments]
    first = is_named.index(True)
    # A function literal may follow the arguments with names.
    after = [one for one, has_name in zip(values[first:], is_named[first:], strict=True) if not has_name]
    placed = values[:first]
    for name in _parameter_names(fitting[0])[before + len(placed) :]:
        placed.append(named.pop(name)[1] if name in named else None)
        if not named:
            break
    return fitting, [*placed, *after] if not named else values


def _parameter_names(symbol: Symbol) -> list[str]:
    patterns = [one.pattern for one in symbol.declaration.parameters]
    return [str(one[1]) if one is not None and one[0] == tree.BIND else "" for one in patterns]


def is_applicable(names: NameLookup, symbol: Symbol, count: int, types: Sequence[Type]) -> bool:
    """Return whether a function can be called with so many arguments of these types, as far as they are known."""
    return takes(symbol, count) and all(one > _IMPOSSIBLE for one in fits_of(names, symbol, types))


def fits_of(names: NameLookup, symbol: Symbol, types: Sequence[Type]) -> list[int]:
    """Return how well each argument fits its parameter."""
    declared, written = names.signature_of(symbol).parameters, symbol.declaration.parameters
    fits = [fit(names, one, given) for one, given in zip(declared, types, strict=False)]
    if written and written[-1].is_rest and len(types) >= len(written):
        # The last parameter may take the elements of a sequence one by one.
        element = names.dialect.find_element(declared[-1])
        rest = [fit(names, element, given) for given in types[len(written) - 1 :]]
        if element is not None and (len(rest) > 1 or min(rest) > fits[-1]):
            fits[-1] = min(rest) - (1 if min(rest) > _IMPOSSIBLE else 0)
    return fits


def takes(symbol: Symbol, count: int) -> bool:
    """Return whether a function can be called with so many arguments."""
    parameters = symbol.declaration.parameters
    needed = sum(not one.is_optional for one in parameters)
    return needed <= count and (count <= len(parameters) or (bool(parameters) and parameters[-1].is_rest))


def fit(names: NameLookup, declared: Type, given: Type, depth: int = 0) -> int:
    """Return 4 for the same type, less for one that it is a case of, `_IMPOSSIBLE` for another type, and 0 where either is unknown."""
    if declared is None or given is None or depth > MAX_DEPTH:
        return 0
    if isinstance(declared, ParameterType):
        return _fit_parameter(names, declared, given)
    below = names.members.underlying(declared)
    if isinstance(below, FunctionType):
        return _fit_function(names, below, names.members.underlying(given), depth)
    if isinstance(declared, ClassType) and isinstance(given, ClassType):
        return _fit_class(names, declared, given, depth)
    if isinstance(declared, TupleType) and isinstance(given, TupleType):
        return 2 if len(declared.parts) == len(given.parts) else _IMPOSSIBLE
    return names.dialect.fit_outside(declared, given)


def _fit_parameter(names: NameLookup, declared: ParameterType, given: Type) -> int:
    if isinstance(given, FunctionType) and given.is_lambda and not declared.bounds:
        return names.dialect.literal_fit
    bounds = [one for one in declared.bounds if isinstance(one, ClassType)]
    known = isinstance(given, ClassType) and names.members.outside_base(given) is None
    lacks = known and any(names.members.view_as(given, one.symbol) is None for one in bounds)
    return _IMPOSSIBLE if lacks else 0


def _fit_class(names: NameLookup, declared: ClassType, given: ClassType, depth: int) -> int:
    seen = names.members.view_as(given, declared.symbol)
    if seen is None:
        is_known = names.members.outside_base(given) is None
        return names.dialect.other_class_fit if is_known and not names.dialect.converts(declared, given) else 0
    pairs = zip(declared.arguments, seen.arguments, strict=False)
    inside = [fit(names, one, other, depth + 1) for one, other in pairs]
    if inside and min(inside) <= _IMPOSSIBLE:
        return _IMPOSSIBLE // 2
    return 4 if seen is given else 3 if min(inside, default=0) >= 4 else 2


def _fit_function(names: NameLookup, declared: FunctionType, given: Type, depth: int) -> int:
    """A function fits by the number of its parameters, then by its result; one without a result is no case of one that has one."""
    if not isinstance(given, FunctionType):
        is_other = isinstance(given, ClassType | OutsideType) or (isinstance(given, ParameterType) and not given.bounds)
        return _IMPOSSIBLE if is_other else 0
    if len(declared.parameters) != len(given.parameters):
        return names.dialect.literal_fit
    pairs = zip(declared.parameters, given.parameters, strict=True)
    inside = [fit(names, one, other, depth + 1) for one, other in pairs]
    if min(inside, default=0) <= _IMPOSSIBLE:
        return _IMPOSSIBLE
    if names.dialect.is_nothing(declared.result) or names.dialect.is_nothing(given.result):
        same = names.dialect.is_nothing(declared.result) and names.dialect.is_nothing(given.result)
        return 3 if same else -1 if names.dialect.is_nothing(declared.result) else _IMPOSSIBLE
    result = fit(names, declared.result, given.result, depth + 1)
    return _IMPOSSIBLE if result <= _IMPOSSIBLE else 1 + result // 2


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
