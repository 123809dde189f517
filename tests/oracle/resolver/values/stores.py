"""Stores into attributes and elements, and what raising makes."""

from __future__ import annotations

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import NOTHING, Arguments
from tests.oracle.resolver.calls.wrappers import Wrappers
from tests.oracle.resolver.program import Program, Unit


class Stores(Wrappers):
    """Adds the operations that assign to no variable."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.setters: dict[int, list[int]] = {}
        """PROPERTY object -> variables of the setters' value parameters"""

    def _on_store(self, held: int, value: int, number: int) -> None:
        kind = self.objects.kind[held]
        name = self._name_list[number]
        if kind == ob.MODULE:
            variable = self.module_variable(self.objects.a[held], name)
            self.flow(value, variable if variable is not None else self.field(held, name))
        elif kind == ob.CONTAINER and self.objects.name[held] == "namespace":
            self.flow(value, self.element(held, repr(name)))
        elif kind in (ob.INSTANCE, ob.CLASS, ob.FUNCTION):
            self.flow(value, self.field(held, name))
            if kind == ob.INSTANCE:
                self._store_by_property(held, name, value)

    def _store_by_property(self, held: int, name: str, value: int) -> None:
        for variable in self.class_variables(self.objects.a[held], name):
            if variable < self.program.variables and self.holds[variable]:
                for one in sorted(self.holds[variable]):
                    for setter in self.setters.get(one, ()):
                        self.flow(value, setter)

    def _start_store_item(self, unit: Unit, offset: int) -> None:
        code, base = unit.code, unit.variables
        receiver, key, variable, value = (
            base + code[offset + 2],
            code[offset + 3],
            code[offset + 4],
            base + code[offset + 5],
        )
        number = self.name_number(unit.symbols[key]) if key >= 0 else -1
        self.listen(
            receiver,
            self._on_store_item,
            value,
            number,
            base + variable if variable >= 0 else -1,
            self.place(unit, offset),
        )

    def _on_store_item(self, held: int, value: int, number: int, key: int, place: int) -> None:
        kind = self.objects.kind[held]
        if kind == ob.CONTAINER:
            if number >= 0:
                self.flow(value, self.element(held, self._name_list[number]))
            elif key >= 0:
                self.store_element_by(held, key, value)
            else:
                self.flow(value, self.element(held, "*"))
        elif kind == ob.INSTANCE:
            for variable in self.class_variables(self.objects.a[held], "__setitem__"):
                given = Arguments((key if key >= 0 else self.ignored, value))
                self.listen_call(variable, held, place, given, self.ignored, "implicit")
            self.flow(value, self.field(held, "[]"))

    def _on_raise(self, held: int, index: int, offset: int) -> None:
        if self.objects.kind[held] == ob.CLASS:
            self.construct(self.place(self.program.units[index], offset), held, NOTHING, self.ignored, "call")
