"""Types: what annotations declare, what of a value conforms to them, and what `isinstance` tells apart."""

from __future__ import annotations

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from repoquarry.languages.python.library_models import PLAIN_TYPES
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.program import Program, Unit
from tests.oracle.resolver.values.operators import Operators


class Annotations(Operators):
    """Adds types."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.type_arguments: dict[int, tuple[int, list[int], int]] = {}
        """GENERIC object -> (base object, variables of the arguments, definition it stands in)."""
        self.declarations: list[tuple[int, int, int]] = []
        """(what flows in, variable of the declared type, variable of the types) of every demanded declaration."""
        self.casts: list[tuple[int, int]] = []
        """(variable of the type, variable of the result) of every cast."""
        self._declared_known: set[int] = set()
        self._taken_apart: set[int] = set()
        """Parametrised types and tuples of types by target and owner, packed."""
        self.assigns |= {
            op.TYPED: self._typed,
            op.DECLARED: self._declared,
            op.TYPEARGS: self._typeargs,
            op.NARROW: self._narrow,
        }

    def _typed(self, unit: Unit, offset: int, target: int) -> None:
        owner = unit.code[offset + 3]
        definition = unit.definitions + owner if owner >= 0 else -1
        self.listen(unit.variables + unit.code[offset + 2], self._on_typed, target, definition)

    def _on_typed(self, held: int, target: int, owner: int) -> None:
        objects = self.objects
        kind = objects.kind[held]
        if kind == ob.CLASS:
            self.put(target, self.instance(objects.a[held]))
        elif kind == ob.EXTERNAL:
            name = outside.canonical_type(objects.name[held])
            if name == "typing.Self":
                cls = self.enclosing_class(owner)
                if cls >= 0:
                    self.put(target, self.instance(cls))
            elif name is not None:
                self.put(target, objects.get(ob.RESULT, name=name))
        elif kind in (ob.GENERIC, ob.CONTAINER):
            key = (held << 32 | target) << 32 | owner + 1
            if key in self._taken_apart:  # types may hold themselves
                return
            self._taken_apart.add(key)
            if kind == ob.GENERIC:
                self._typed_generic(held, target)
            else:
                self.listen(self.elements(held), self._on_typed, target, owner)

    def _declared(self, unit: Unit, offset: int, target: int) -> None:
        self._typed(unit, offset, target)
        types = self.variable()
        self.flow(unit.variables + unit.code[offset + 2], types)
        self.declare(unit.variables + unit.code[offset + 4], target, types)

    def declare(self, source: int, target: int, types: int) -> None:
        """Of what `source` holds, what is of one of the types flows into `target`."""
        number = len(self.declarations)
        self.declarations.append((source, target, types))
        self.listen(types, self._on_declared_type, number)

    def _on_declared_type(self, held: int, number: int) -> None:
        """What flows into a variable of a declared type is of that type; checked again as more types are found."""
        source, target, types = self.declarations[number]
        if self.objects.kind[held] == ob.GENERIC:
            base, arguments, _ = self.type_arguments[held]
            if self.objects.kind[base] == ob.EXTERNAL and outside.generic_role(self.objects.name[base]) in (
                "either",
                "first",
            ):
                for variable in arguments:
                    self.flow(variable, types)
                return
        self._declared_known.add(number)
        self.listen(source, self._on_declared, target, types)

    def settle_declarations(self) -> None:
        """Declared types that could not be understood let everything through; casts of what is not known give their type."""
        for types, target in self.casts:
            if not self.holds[target]:
                self.listen(types, self._on_typed, target, -1)
        for number, (source, target, _) in enumerate(self.declarations):
            if number not in self._declared_known:
                self._declared_known.add(number)
                self.flow(source, target)

    def _on_declared(self, held: int, target: int, types: int) -> None:
        if self.conforms(held, types):
            self.put(target, held)

    def conforms(self, held: int, types: int) -> bool:
        """Whether an object may be of one of the types that a variable holds."""
        objects = self.objects
        for one in self.holds[types]:
            kind = objects.kind[one]
            if kind == ob.GENERIC:
                one = objects.b[one]
                kind = objects.kind[one]
                if kind == ob.EXTERNAL and outside.generic_role(objects.name[one]) in ("either", "first"):
                    continue
            if kind == ob.CLASS:
                if self._may_be(held, objects.a[one]):
                    return True
            elif kind == ob.EXTERNAL:
                if not self._excluded(held, objects.name[one]):
                    return True
            elif kind != ob.RESULT or objects.name[one] != "builtins.NoneType":
                return True
        return False

    def _may_be(self, held: int, cls: int) -> bool:
        bases = self.outside_bases(cls)
        if "typing.Protocol" in bases or "typing_extensions.Protocol" in bases:
            return True
        kind = self.objects.kind[held]
        if kind == ob.INSTANCE:
            return cls in self.ancestors(self.objects.a[held])
        return kind == ob.OPAQUE

    def _excluded(self, held: int, name: str) -> bool:
        """Whether an object cannot be of an outside type: said only of the plain built-in ones."""
        if name not in PLAIN_TYPES:
            return False
        kind = self.objects.kind[held]
        if kind in (ob.CONSTANT, ob.RESULT):
            return self.type_name(held) != name
        return kind in (
            ob.FUNCTION,
            ob.CLASS,
            ob.BOUND,
            ob.CONTAINER,
            ob.INSTANCE,
            ob.MODULE,
            ob.GENERATOR,
            ob.COROUTINE,
        )

    def enclosing_class(self, definition: int) -> int:
        """The class around a definition, -1 when there is none."""
        while definition >= 0 and definition not in self.program.classes:
            definition = self.program.parents[definition]
        return definition

    def _typed_generic(self, held: int, target: int) -> None:
        objects = self.objects
        base, arguments, owner = self.type_arguments[held]
        name = objects.name[base] if objects.kind[base] == ob.EXTERNAL else ""
        role = outside.generic_role(name)
        if role == "either":
            for variable in arguments:
                self.listen(variable, self._on_typed, target, owner)
        elif role == "first":
            self.listen(arguments[0], self._on_typed, target, owner)
        elif role == "class":
            self.listen(arguments[0], self._on_class_type, target)
        elif role in ob.CONTAINER_TYPES:
            number = objects.get(ob.CONTAINER, objects.a[held], name=role)
            for variable in _elements(role, arguments):
                self.listen(variable, self._on_typed, self.element(number, "*"), owner)
            if role in ob.MAPPINGS:
                self.listen(arguments[0], self._on_typed, self.keys(number), owner)
            self.put(target, number)
        else:
            self._on_typed(base, target, owner)

    def _on_class_type(self, held: int, target: int) -> None:
        """What `type[X]` says: a type variable without a bound, which is no class, says nothing."""
        if self.objects.kind[held] != ob.RESULT:
            self.put(target, held)

    def _typeargs(self, unit: Unit, offset: int, target: int) -> None:
        code, base = unit.code, unit.variables
        self.listen(base + code[offset + 2], self._on_typeargs, target, unit.index, offset)

    def _on_typeargs(self, held: int, target: int, index: int, offset: int) -> None:
        unit = self.program.units[index]
        code = unit.code
        if self.objects.kind[held] not in (ob.EXTERNAL, ob.CLASS):
            return
        arguments = [unit.variables + code[at] for at in range(offset + 4, offset + 4 + code[offset + 3])]
        number = self.objects.get(ob.GENERIC, self.place(unit, offset), held)
        self.type_arguments[number] = (held, arguments, -1)
        self.put(target, number)

    def _narrow(self, unit: Unit, offset: int, target: int) -> None:
        code, base = unit.code, unit.variables
        cls = base + code[offset + 3]
        self.demand(cls)
        self.listen(base + code[offset + 2], self._on_narrow, target, cls, code[offset + 4])
        if code[offset + 4]:
            self.listen(cls, self._on_narrow_class, target, base + code[offset + 2])

    def _on_narrow(self, held: int, target: int, cls: int, keep: int) -> None:
        if self.objects.kind[held] != ob.INSTANCE:
            self.put(target, held)
            return
        classes = self._narrowing_classes(cls)
        if not classes or bool(classes & set(self.ancestors(self.objects.a[held]))) == bool(keep):
            self.put(target, held)

    def _narrowing_classes(self, variable: int) -> set[int]:
        """The classes that a variable holds, by itself or in a tuple of classes."""
        found: set[int] = set()
        for held in self.holds[variable]:
            if self.objects.kind[held] == ob.CLASS:
                found.add(self.objects.a[held])
            elif self.objects.kind[held] == ob.CONTAINER:
                for element in self.container(held).fields.values():
                    self.demand(element)
                    found.update(
                        self.objects.a[one] for one in self.holds[element] if self.objects.kind[one] == ob.CLASS
                    )
        return found

    def _on_narrow_class(self, held: int, target: int, source: int) -> None:
        """A value of unknown origin is an instance of the class it was found to be of."""
        self._on_typed(held, target, -1)


def _elements(role: str, arguments: list[int]) -> list[int]:
    """Of the types in the brackets after a container, those of its elements."""
    if role == "tuple":
        return arguments
    return arguments[1:2] if role in ob.MAPPINGS else arguments[-1:] if role == "awaitable" else arguments[:1]
