"""The arguments of a call, and how they reach the parameters of what is called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.annotations import Annotations
from tests.oracle.resolver.program import Function, Unit

_NONE: Mapping[str, int] = MappingProxyType({})


class Arguments(msgspec.Struct, frozen=True, gc=False):
    """Variables of what a call passes."""

    positional: tuple[int, ...] = ()
    splats: tuple[tuple[int, int], ...] = ()
    """(number of positional arguments before, variable) of each `*x`"""
    keywords: Mapping[str, int] = _NONE
    mappings: tuple[int, ...] = ()

    def shifted(self, more: Arguments) -> Arguments:
        """These arguments first, then `more` (what a partial application was given before the call's own)."""
        offset = len(self.positional)
        return Arguments(
            self.positional + more.positional,
            (*self.splats, *((at + offset, variable) for at, variable in more.splats)),
            {**self.keywords, **more.keywords},
            self.mappings + more.mappings,
        )


NOTHING = Arguments()


def read_arguments(unit: Unit, offset: int) -> Arguments:
    """The arguments of a CALL operation."""
    code, base = unit.code, unit.variables
    count = code[offset + 8]
    if not count:
        return NOTHING
    positional: list[int] = []
    splats: list[tuple[int, int]] = []
    keywords: dict[str, int] = {}
    mappings: list[int] = []
    for at in range(offset + 9, offset + 9 + 2 * count, 2):
        kind, variable = code[at], base + code[at + 1]
        if kind == op.POSITIONAL:
            positional.append(variable)
        elif kind == op.SPLAT:
            splats.append((len(positional), variable))
        elif kind == op.KEYWORDS:
            mappings.append(variable)
        else:
            keywords[unit.symbols[kind]] = variable
    return Arguments(tuple(positional), tuple(splats), keywords or _NONE, tuple(mappings))


class Binding(Annotations):
    """Adds the passing of arguments."""

    def bind(self, function: Function, skip: int, arguments: Arguments) -> None:
        """Arguments flow into the parameters; the first `skip` parameters are taken."""
        parameters = function.parameters[skip:]
        by_position = [entry for entry in parameters if entry[2] in (op.PLAIN, op.POSITION_ONLY)]
        rest = next((variable for _, variable, kind in parameters if kind == op.REST), -1)
        for position, variable in enumerate(arguments.positional):
            if position < len(by_position):
                self.flow(variable, by_position[position][1])
            elif rest >= 0:
                self.flow(
                    variable, self.element(self.rest_object(function.unit, rest), str(position - len(by_position)))
                )
        for start, variable in arguments.splats:
            for position in range(start, len(by_position)):
                self.pass_element(variable, str(position - start), by_position[position][1])
            if rest >= 0:
                self.pass_element(variable, "", self.element(self.rest_object(function.unit, rest), "*"))
        if arguments.keywords or arguments.mappings:
            self._bind_keywords(function, parameters, arguments)

    def _bind_keywords(self, function: Function, parameters: list[tuple[str, int, int]], arguments: Arguments) -> None:
        named = {name: variable for name, variable, kind in parameters if kind in (op.PLAIN, op.KEYWORD_ONLY)}
        rest = next((variable for _, variable, kind in parameters if kind == op.KEYWORD_REST), -1)
        for name, variable in arguments.keywords.items():
            if name in named:
                self.flow(variable, named[name])
            elif rest >= 0:
                self.flow(variable, self.element(self.rest_object(function.unit, rest), repr(name)))
        for variable in arguments.mappings:
            for name, parameter in named.items():
                self.pass_element(variable, repr(name), parameter)
            if rest >= 0:
                self.listen(variable, self._on_spread, self.rest_object(function.unit, rest))

    def rest_object(self, unit: Unit, variable: int) -> int:
        """The container that a `*args` or `**kwargs` parameter holds."""
        offset = unit.first[variable - unit.variables]
        return self.objects.get(ob.CONTAINER, self.place(unit, offset), name=unit.symbols[unit.code[offset + 2]])

    def pass_element(self, variable: int, key: str, target: int) -> None:
        """An element of what is spread over the arguments flows into a parameter; every element where the key is empty."""
        if self.demanded[target]:
            self.listen(variable, self._on_pass, target, self.name_number(key))
        else:
            self.waiting_elements.setdefault(target, []).append((variable, key))

    def _on_pass(self, held: int, target: int, number: int) -> None:
        key = self._name_list[number]
        if self.objects.kind[held] != ob.CONTAINER:
            return
        if key:
            self.read_element(held, key, target)
        else:
            self.read_elements(held, target)

    def demand_elements(self, variable: int) -> None:
        """What is spread over the arguments, for a parameter that has come to be demanded."""
        for source, key in self.waiting_elements.pop(variable, ()):
            self.listen(source, self._on_pass, variable, self.name_number(key))
