"""Stubs beside sources: the types that `module.pyi` gives to what `module.py` defines."""

from __future__ import annotations

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside.fixtures import Fixtures
from tests.oracle.resolver.program import Program, Unit


class Stubs(Fixtures):
    """Adds what stubs declare."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._sources_of: dict[int, int] = {}
        """Class of a stub -> the class that it describes"""

    def instance(self, cls: int) -> int:
        return super().instance(self._sources_of.get(cls, cls))

    def read_stubs(self) -> None:
        """Types of results, parameters and attributes flow from each stub into its source."""
        by_path = {unit.facts.path: unit for unit in self.program.units}
        for stub in self.program.units:
            source = by_path.get(stub.facts.path[:-1]) if stub.facts.is_stub else None
            if source is not None:
                self._read_stub(stub, source)

    def _read_stub(self, stub: Unit, source: Unit) -> None:
        theirs = {one.key: source.definitions + at for at, one in enumerate(source.facts.definitions)}
        types = self._declared_types(stub)
        for at, definition in enumerate(stub.facts.definitions):
            number, declared = theirs.get(definition.key, -1), stub.definitions + at
            if number in self.program.functions and declared in self.program.functions:
                self._declare_function(number, declared, types)
            elif number in self.program.classes and declared in self.program.classes:
                self._sources_of[declared] = number
                self._declare_attributes(number, declared)

    @staticmethod
    def _declared_types(stub: Unit) -> dict[int, int]:
        """Variable of a parameter -> the one that holds instances of its declared type."""
        code = stub.code
        return {
            stub.variables + code[offset + 4]: stub.variables + code[offset + 2]
            for offset in stub.first
            if offset >= 0 and code[offset] == op.DECLARED
        }

    def _declare_function(self, number: int, declared: int, types: dict[int, int]) -> None:
        function, stub = self.program.functions[number], self.program.functions[declared]
        if function.declared < 0:
            function.declared = stub.declared
        typed = {name: types[variable] for name, variable, _ in stub.parameters if variable in types}
        for name, variable, _ in function.parameters:
            if name in typed:
                self.listen(typed[name], self._on_typed, variable, declared)

    def _declare_attributes(self, number: int, declared: int) -> None:
        instance = self.objects.get(ob.INSTANCE, number)
        for name, variable in self.program.classes[declared].fields:
            self.store_name(name)
            self.flow(variable, self.field(instance, name))
