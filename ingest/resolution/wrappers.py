"""Wrappers: closures that `functools.wraps` dresses up as what they wrap.

One wrapper stands for every function that its decorator was ever applied to, so what it hands through from them would mix the results
of all. The wrapped function is known at each place where a wrapper was made, and flows there beside it: its result comes from itself,
and of the wrapper's own results only what does not come out of the wrapped call is taken.
"""

from __future__ import annotations

from collections.abc import Mapping

from ingest import constraints as op
from ingest.resolution import objects as ob
from ingest.resolution.calls import Calls
from ingest.resolution.model import Budget
from ingest.resolution.program import Program, Unit

#: so many single copies are followed back to a parameter of the decorator
_COPIES = 8


class Wrappers(Calls):
    """Adds the results of wrappers."""

    def __init__(self, program: Program, budget: Budget) -> None:
        super().__init__(program, budget)
        self._wrappers = {
            number
            for number, definition in enumerate(program.definitions)
            if number in program.functions and definition.parent and _wraps(definition.decorators)
        }
        self.wrapping |= {program.parents[number] for number in self._wrappers}
        self._own_results: dict[int, int] = {}

    def give_result(self, definition: int, target: int, passed: Mapping[int, int]) -> None:
        flags = self.program.functions[definition].flags
        if definition in self._wrappers and not flags & (op.GENERATOR | op.ASYNC):
            self.flow(self.result_of(definition), target)
        else:
            super().give_result(definition, target, passed)

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
        for _ in range(_COPIES):
            if unit.variables + variable in given:
                return True
            offset = unit.first[variable]
            if offset < 0 or code[offset + 1] >= 0 or code[offset] not in (op.COPY, op.DECLARED):
                return False
            variable = code[offset + (4 if code[offset] == op.DECLARED else 2)]
        return False


def _wraps(decorators: tuple[str, ...]) -> bool:
    return any(text.split("(")[0].rpartition(".")[2] == "wraps" for text in decorators)
