"""Operators on what may be many objects.

Where everything may be added to everything, as in computer algebra, an operand holds instances of a dozen classes at hundreds of thousands
of places. So the methods of one set of objects are found once, and each method is called once: all places that call it pass what they
pass into one variable and take from one what comes back.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.calls.construction import Construction
from tests.oracle.resolver.program import Program


@dataclass(slots=True)
class Shared:
    """The one call of a method that operators at many places make."""

    given: int
    """Variable of what all places pass."""
    result: int
    """Variable of what comes back, whatever is passed."""
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Place -> what it passes, variable of its result."""
    hands_back: bool = False
    """Whether what is passed may come back: then each place gets its own."""


class OperatorCalls(Construction):
    """Adds calls of special methods of many objects."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._methods: dict[tuple[int, tuple[int, ...]], tuple[dict[int, int], tuple[int, ...]]] = {}
        """number of the name of a method, objects -> `_find_methods`"""
        self._shared: dict[int, Shared] = {}
        """variable of a method -> the call of it"""
        self._at_result: dict[int, Shared] = {}
        """variable of its result -> the call"""

    def forget_classes(self) -> None:
        super().forget_classes()
        self._methods.clear()

    def call_methods(
        self, objects: tuple[int, ...], name: int, target: int, argument: int, site: int
    ) -> tuple[int, ...]:
        known = self._methods.get((name, objects))
        if known is None:
            known = self._methods[name, objects] = self._find_methods(objects, self.name_of(name))
        methods, without = known
        place = -2 - site
        for variable, receiver in methods.items():
            shared = self._shared.get(variable) or self._share(variable, receiver)
            if place not in shared.places:
                shared.places[place] = argument, target
                self.flow(argument, shared.given)
                if target != self.ignored:
                    self.flow(shared.result, target)
                    if shared.hands_back:
                        self.flow(argument, target)
        return without

    def _find_methods(self, objects: tuple[int, ...], name: str) -> tuple[dict[int, int], tuple[int, ...]]:
        """Variable of a method -> one of the objects it is a method of; the objects without it. The methods receive all of theirs."""
        methods: dict[int, int] = {}
        without = []
        for held in objects:
            found = False
            if self.objects.kind[held] == ob.INSTANCE:
                for variable in self.class_variables(self.objects.a[held], name):
                    found = found or name not in self.stored_names or self.holds_anything(variable)
                    methods.setdefault(variable, held)
                    self.listen_receiver(variable, held, "implicit")
            if not found:
                without.append(held)
        return methods, tuple(without)

    def _share(self, variable: int, receiver: int) -> Shared:
        shared = self._shared[variable] = Shared(self.variable(), self.variable())
        self._at_result[shared.result] = shared
        arguments, at = Arguments((shared.given,)), -2 - shared.result
        self.listen_known_call(variable, receiver, at, arguments, shared.result, "implicit")
        return shared

    def give_back(self, argument: int, target: int) -> None:
        shared = self._at_result.get(target)
        if shared is None or argument != shared.given:
            super().give_back(argument, target)
        elif not shared.hands_back:
            shared.hands_back = True
            for own, result in shared.places.values():
                if result != self.ignored:
                    self.flow(own, result)

    def settle_shared(self) -> None:
        """What a method called by many places was found to be, each of them reaches."""
        for shared in self._shared.values():
            for definition, how in self.reached.at(-2 - shared.result).items():
                for place in shared.places:
                    self.note(place, definition, how)
