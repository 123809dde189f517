"""Decorators: what comes back of what is decorated.

All that is ever decorated meets in the decorator's parameter, so that its result, taken as it is, would be all of that at every place.
"""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.calls import Calls
from tests.oracle.resolver.program import MOST_COPIES, Program

#: last part of the decorator of a closure that stands for what it wraps
WRAPS = frozenset({"wraps"})


class Decorators(Calls):
    """Adds what decorators give."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._doubtful: list[tuple[int, int]] = []
        """(object, variable) of what decorators may give back only where they are called with options"""
        self._given_back: dict[int, set[int]] = {}
        """Variable of what was decorated -> what else came back, -1 for the decorated itself"""
        self._around_others = set(program.parents)

    def _decorated(self, definition: int, passed: Mapping[int, int], argument: int, target: int) -> int:
        """The variable for what a decorator gives back: what it decorates elsewhere does not come out here.

        All that is ever decorated meets in the decorator's parameter; of it, only the argument of this very call goes on to `target`.
        """
        parameter = next((variable for variable, given in passed.items() if given == argument), -1)
        if parameter < 0 or self.result_sources(definition) == [parameter]:
            return target
        result = self.variable()
        self.listen(result, self._on_decorated, definition, parameter, argument, target)
        return result

    def _on_decorated(self, held: int, definition: int, parameter: int, argument: int, target: int) -> None:
        kind, about = self.objects.kind[held], self.objects.a[held]
        if kind == ob.CLASS and self._wraps_class(about, definition, parameter):
            self.flow(argument, target)
        elif held in self.holds[parameter] or self._is_of_another(held, definition):
            self.flow(argument, target)
            self._given_back.setdefault(target, set()).add(-1)
        elif kind == ob.PARTIAL or (kind == ob.FUNCTION and (self._may_decorate(about) or self._holds_class(argument))):
            self._doubtful.append((held, target))
        else:
            self._give_decorated(held, target)
        if kind == ob.FUNCTION and self._is_closure(about, definition) and self.program.is_decorated_by(about, WRAPS):
            self.flow(argument, target)

    def _give_decorated(self, held: int, target: int) -> None:
        self.put(target, held)
        self._given_back.setdefault(target, set()).add(held)

    def _may_decorate(self, definition: int) -> bool:
        """Whether a function has others inside, or gives back what it is given: a decorator rather than a wrapper."""
        return self.hands_on(definition) or definition in self._around_others

    def hands_on(self, definition: int) -> bool:
        """Whether all that a function gives back is its first parameter."""
        parameters = self.program.functions[definition].parameters
        return bool(parameters) and self.result_sources(definition) == [parameters[0][1]]

    def _holds_class(self, variable: int) -> bool:
        self.demand(variable)
        return any(self.objects.kind[held] == ob.CLASS for held in self.holds[variable])

    def _comes_of_options(self, held: int, target: int) -> bool:
        """Whether a decorator gives something back only where it is called with options and nothing to decorate yet.

        So it is with what the final wrapper is defined in, and with anything else where a class comes back as it was.
        """
        others = self._given_back.get(target, set())
        about = self.objects.a[held]
        if -1 in others or self.objects.kind[held] == ob.PARTIAL or about not in self._around_others:
            return bool(others)
        return any(
            self.objects.kind[one] == ob.FUNCTION and self.program.parents[self.objects.a[one]] == about
            for one in others
        )

    def _wraps_class(self, cls: int, definition: int, parameter: int) -> bool:
        """Whether a class is made around the one that is decorated: one for each, so it is taken for what it is made of.

        As one class it would inherit from everything that was ever decorated.
        """
        bases = self.program.classes[cls].bases
        return self._is_closure(cls, definition) and any(self._stands_for(base, parameter) for base in bases)

    def _is_of_another(self, held: int, definition: int) -> bool:
        """Whether a decorator gives back what it did not make but was given elsewhere: handed on to others, all meet further in."""
        kind, about = self.objects.kind[held], self.objects.a[held]
        if kind not in (ob.CLASS, ob.FUNCTION) or self._is_closure(about, definition):
            return False
        decorated = self.program.definitions[about].decorators
        return kind == ob.CLASS or (bool(decorated) and not self.program.is_decorated_by(about, WRAPS))

    def _on_decorator_made(self, held: int, definition: int, target: int) -> None:
        """A call gave this, and decorates by it: what the function gives back where it decorates itself is not meant."""
        if self.objects.kind[held] == ob.FUNCTION and self.program.is_decorated_by(self.objects.a[held], WRAPS):
            self._doubtful.append((held, target))
        elif not self._is_of_another(held, definition):
            self._give_decorated(held, target)

    def _stands_for(self, variable: int, parameter: int) -> bool:
        """Whether a variable is a mere copy of a parameter."""
        unit = self.program.unit_of_variable(variable)
        for _ in range(MOST_COPIES):
            if variable == parameter:
                return True
            copied = self.copied(unit, variable, {parameter})
            if not copied or len(copied) > 1:
                return False
            variable = copied[0]
        return False

    def _is_closure(self, definition: int, around: int) -> bool:
        """Whether a function is defined in another, directly or one level deeper."""
        parent = self.program.parents[definition]
        return parent >= 0 and around in (parent, self.program.parents[parent])

    def settle_decorators(self) -> None:
        """A decorator of which nothing is known gives back what it decorates."""
        for held, target in self._doubtful:
            if not self._comes_of_options(held, target):
                self._give_decorated(held, target)
        for place in sorted(self.decorations):
            unit, offset = self.unit_at(place)
            if not self.holds[unit.variables + unit.code[offset + 3]]:
                self.flow(unit.variables + unit.code[offset + 10], unit.variables + unit.code[offset + 2])
