"""What the simplest operations mean: definitions, constants, names, imports."""

from __future__ import annotations

from abc import abstractmethod

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from repoquarry.languages.python.library_models import is_builtin
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.lookup import Lookup
from tests.oracle.resolver.program import Program, Unit


class Values(Lookup):
    """Adds the reading of values."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.assigns |= {
            op.CONST: self._const,
            op.FUNC: self._func,
            op.CLASS: self._class,
            op.NAME: self._name,
            op.IMPORT: self._import,
            op.FROM: self._from,
        }

    def place(self, unit: Unit, offset: int) -> int:
        """A number for an operation, unique in the program."""
        return unit.places + offset

    # ---- definitions, constants, names

    def _const(self, unit: Unit, offset: int, target: int) -> None:
        code = unit.code
        kind = self.objects.get(ob.RESULT, name=f"builtins.{unit.symbols[code[offset + 2]]}")
        value = code[offset + 3]
        self.put(target, self.objects.get(ob.CONSTANT, kind, name=unit.symbols[value]) if value >= 0 else kind)

    def _func(self, unit: Unit, offset: int, target: int) -> None:
        self.put(target, self.objects.get(ob.FUNCTION, unit.definitions + unit.code[offset + 2]))

    def _class(self, unit: Unit, offset: int, target: int) -> None:
        self.put(target, self.objects.get(ob.CLASS, unit.definitions + unit.code[offset + 2]))

    def _name(self, unit: Unit, offset: int, target: int) -> None:
        name = unit.symbols[unit.code[offset + 2]]
        for module, level in reversed(unit.stars):
            source = self.star_source(unit, module, level)
            if isinstance(source, int) and self.is_public(source, name):
                variable = self.module_variable(source, name)
                if variable is not None:
                    self.flow(variable, target)
                    return
        if is_builtin(name):
            self.put(target, self.objects.get(ob.EXTERNAL, name=f"builtins.{name}"))
        elif name == "__class__":
            return
        else:
            self._outside_star(unit.index, name, target)

    # ---- imports

    def _import(self, unit: Unit, offset: int, target: int) -> None:
        dotted, whole = unit.symbols[unit.code[offset + 2]], unit.code[offset + 3]
        name = dotted if whole else dotted.split(".", 1)[0]
        found = self.program.modules.find(name, unit.index)
        if found is None:
            self.put(target, self.objects.get(ob.EXTERNAL, name=name))
        else:
            self.put(target, self.module_object(found))

    def _from(self, unit: Unit, offset: int, target: int) -> None:
        module, level = unit.symbols[unit.code[offset + 2]], unit.code[offset + 3]
        name = unit.symbols[unit.code[offset + 4]]
        modules = self.program.modules
        found = modules.relative(module, level, unit.index) if level else modules.find(module, unit.index)
        if found is None:
            base = modules.absolute_name(module, level, unit.index)
            self.put(target, self.objects.get(ob.EXTERNAL, name=f"{base}.{name}" if base else name))
        else:
            self.module_attribute(self.module_object(found), name, target)
            if found == unit.index and (child := modules.child(found, name)) is not None:
                self.put(target, self.module_object(child))  # a package takes its module from itself

    # ---- what calls provide

    def result_of(self, definition: int) -> int:
        """The variable of what a function of the repository returns."""
        return self.program.functions[definition].result

    def add_known(self, target: int, name: str | None) -> None:
        """Adds an instance of an outside type that is known by name."""
        if name is not None:
            self.put(target, self.objects.get(ob.RESULT, name=name))

    @abstractmethod
    def call_method(self, held: int, name: str, target: int, arguments: tuple[int, ...], site: int = -1) -> bool:
        """Calls a special method of an instance; whether its class has one."""

    @abstractmethod
    def call_methods(
        self, objects: tuple[int, ...], name: int, target: int, argument: int, site: int
    ) -> tuple[int, ...]:
        """Calls a special method, by the number of its name, of all instances among objects; the objects that have none."""

    @abstractmethod
    def invoke_method(self, method: int, receiver: int, target: int, arguments: tuple[int, ...], site: int) -> None:
        """Calls a function object as a method of the receiver."""
