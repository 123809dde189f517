"""Wrappers: closures that `functools.wraps` dresses up as what they wrap.

One wrapper stands for every function that its decorator was ever applied to, so what it hands through from them would mix the results
of all. The wrapped function is known at each place where a wrapper was made, and flows there beside it: its result comes from itself,
and of the wrapper's own results only what does not come out of the wrapped call is taken.
"""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.calls.decorators import WRAPS
from tests.oracle.resolver.calls.operator_calls import OperatorCalls
from tests.oracle.resolver.program import MOST_COPIES, Program, Unit


class Wrappers(OperatorCalls):
    """Adds the results of wrappers."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._wrappers = {
            number
            for number, definition in enumerate(program.definitions)
            if number in program.functions and definition.parent and program.is_decorated_by(number, WRAPS)
        }
        self.wrapping |= {program.parents[number] for number in self._wrappers}
        self._own_results: dict[int, int] = {}
        self._inner: dict[int, list[int]] = {}
        """Function -> the functions directly inside it."""
        for number, parent in enumerate(program.parents):
            if number in program.functions and parent in program.functions:
                self._inner.setdefault(parent, []).append(number)
        self._rests = {
            number: variable
            for number in self._inner
            for _, variable, kind in program.functions[number].parameters
            if kind == op.REST
        }
        """Functions around others that take `*args`: decorators whose own arguments may be left out -> the variable of these."""
        self._decorated_by: dict[int, list[int]] = {}
        """Such a function -> variables that hold what it decorates."""

    def give_result(self, definition: int, target: int, passed: Mapping[int, int]) -> None:
        flags = self.program.functions[definition].flags
        if definition in self._wrappers and not flags & (op.GENERATOR | op.ASYNC):
            self.flow(self.result_of(definition), self.all_made.get(target, target))
        else:
            super().give_result(definition, target, passed)

    def own_share(self, definition: int, arguments: Arguments, target: int) -> int:
        rest = self._rests.get(definition, -1)
        if rest < 0:
            return target
        if definition not in self._decorated_by:
            elements = self.elements(self.rest_object(self.program.functions[definition].unit, rest))
            self._decorated_by[definition] = [elements, *self._inner_parameters(definition)]
            for variable in self._decorated_by[definition]:
                self.demand(variable)
        result = self.variable()
        own = arguments.positional[0] if arguments.positional else -1
        self.listen(result, self._on_shared, definition, own, target)
        return result

    def _inner_parameters(self, definition: int) -> list[int]:
        """The first parameters of the functions directly inside one."""
        inner = (self.program.functions[number] for number in self._inner[definition])
        return [function.parameters[0][1] for function in inner if function.parameters]

    def _on_shared(self, held: int, definition: int, own: int, target: int) -> None:
        """Of all classes and functions that such a decorator is given and gives back, a call gets back its own."""
        if own >= 0 and self._gives_back(held, definition):
            return
        given = any(held in self.holds[variable] for variable in self._decorated_by[definition])
        if self.objects.kind[held] not in (ob.CLASS, ob.FUNCTION) or not given:
            self.put(target, held)
        elif own >= 0:
            self.flow(own, target)

    def _gives_back(self, held: int, around: int) -> bool:
        """Whether an object is the inner function that gives back what it is given: it comes out only where nothing is decorated yet."""
        number = self.objects.a[held]
        return (
            self.objects.kind[held] == ob.FUNCTION and self.program.parents[number] == around and self.hands_on(number)
        )

    def result_of(self, definition: int) -> int:
        if definition not in self._wrappers:
            return super().result_of(definition)
        found = self._own_results.get(definition)
        if found is None:
            found = self._own_results[definition] = self.variable()
            function = self.program.functions[definition]
            for source in self.result_sources(definition):
                if not self._hands_through(function.unit, source, definition):
                    self.listen(source, self._on_own_result, found)
        return found

    def _on_own_result(self, held: int, target: int) -> None:
        """A container that a wrapper makes may hold what any wrapped function gave."""
        if self.objects.kind[held] != ob.CONTAINER:
            self.put(target, held)

    def _hands_through(self, unit: Unit, variable: int, definition: int) -> bool:
        """Whether a value is what calling the wrapped function gave, awaited or not."""
        if not unit.variables <= variable < unit.variables + len(unit.first):
            return False
        code, offset = unit.code, unit.first[variable - unit.variables]
        if offset >= 0 and code[offset] == op.AWAIT:
            offset = unit.first[code[offset + 2]]
        if offset < 0 or code[offset] != op.CALL:
            return False
        around = {self.program.parents[definition], self.program.parents[self.program.parents[definition]]}
        given = {
            variable
            for number in around
            if number in self.program.functions
            for _, variable, _ in self.program.functions[number].parameters
        }
        return self._leads_to(unit, code[offset + 3], given)

    @staticmethod
    def _leads_to(unit: Unit, variable: int, given: set[int]) -> bool:
        code = unit.code
        for _ in range(MOST_COPIES):
            if unit.variables + variable in given:
                return True
            offset = unit.first[variable]
            if offset < 0 or code[offset + 1] >= 0 or code[offset] not in (op.COPY, op.DECLARED):
                return False
            variable = code[offset + (4 if code[offset] == op.DECLARED else 2)]
        return False
