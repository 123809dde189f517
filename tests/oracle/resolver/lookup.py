"""Reading attributes: descriptors, what instances, classes and modules have under a name."""

from __future__ import annotations

import re
from abc import abstractmethod
from array import array
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.fields import Fields
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.program import Program, Unit

#: names of outside things have so many dots at most: a loop over attributes would go on for ever
DEEPEST_NAME = 12
#: a method overridden in more subclasses than this is not followed into them
FEW_SUBCLASSES = 6
#: an attribute of so many objects at once is read into one variable for all who read it of the same
WORTH_UNITING = 4
#: objects in the body of an enumeration that make no members of it
_NO_MEMBERS = (ob.FUNCTION, ob.PROPERTY, ob.STATIC, ob.OF_CLASS)
_WORD = "[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*"
#: a text that may name a definition
_DOTTED = re.compile(f"{_WORD}(\\.{_WORD})*[.:]{_WORD}")
_NOTHING_READ: Mapping[int, int] = MappingProxyType({})


class Lookup(Fields):
    """Adds attribute access."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._attribute_reads = array("i")
        """receiver variable, target, number of the name: of every attribute read so far."""
        self._attributes: dict[str, dict[int, int]] = {}
        """name -> object -> variable of what reading the attribute of the object gives"""
        self._united: dict[tuple[int, tuple[int, ...]], int] = {}
        """number of a name, objects -> variable of what reading the attribute of any of them gives"""
        self.unions: set[int] = set()
        """The variables of `_united`."""
        self._from_stars: dict[tuple[int, str], int | None] = {}
        """module and name -> variable that the module has by a star import"""
        self.getters: dict[int, list[tuple[int, int]]] = {}
        """Variable of what a property or descriptor gives -> (function definition, receiver object) that reading it calls."""
        self._naming: dict[int, bool] = {}
        """Constant -> whether it names a definition."""
        self._names: dict[str, int] = {}
        self._name_list: list[str] = []
        self.assigns |= {op.ATTR: self._attr}

    def store_name(self, name: str) -> None:
        if name not in self.stored_names:
            super().store_name(name)
            for held, variable in list(self._attributes.get(name, {}).items()):
                self._look_up(held, name, variable)

    def forget_classes(self) -> None:
        super().forget_classes()
        self._attributes.clear()
        self._united.clear()

    # ---- reading attributes

    def _attr(self, unit: Unit, offset: int, target: int) -> None:
        code = unit.code
        receiver = unit.variables + code[offset + 2]
        self.read_attribute(receiver, unit.symbols[code[offset + 3]], target)

    def read_attribute(self, receiver: int, name: str, target: int) -> None:
        """`target` receives the attribute `name` of whatever `receiver` holds."""
        number = self.name_number(name)
        self._attribute_reads.extend((receiver, target, number))
        self.listen_together(receiver, self._on_attribute, target, number)

    def unanswered_reads(self) -> Iterator[tuple[int, int, str]]:
        """(receiver variable, target, name) of the attribute reads that gave nothing."""
        reads, at = self._attribute_reads, 0
        while at < len(reads):
            receiver, target = reads[at], reads[at + 1]
            if not self.holds[target]:
                yield receiver, target, self._name_list[reads[at + 2]]
            at += 3

    def readers_of(self, variable: int) -> Iterator[int]:
        """The variable of an attribute of one object, and those that are read from it."""
        yield variable
        for reader in self.flows[variable] or ():
            yield reader
            if reader in self.unions:
                yield from self.flows[reader] or ()

    def name_number(self, name: str) -> int:
        """A number that stands for a name among the operands of a listener."""
        number = self._names.get(name)
        if number is None:
            number = self._names[name] = len(self._name_list)
            self._name_list.append(name)
        return number

    def name_of(self, number: int) -> str:
        """The name that a number stands for."""
        return self._name_list[number]

    def _on_attribute(self, objects: tuple[int, ...], target: int, number: int) -> None:
        if len(objects) >= WORTH_UNITING:
            self.flow(self._read_united(objects, number), target)
            return
        name = self._name_list[number]
        known = self._attributes.get(name, _NOTHING_READ)
        for held in objects:
            if (variable := known.get(held)) is not None:
                self.flow(variable, target)
            else:
                self.attribute(held, name, target)

    def _read_united(self, objects: tuple[int, ...], number: int) -> int:
        """The variable of an attribute of several objects: as they travel together, many places read it of all of them."""
        key = (number, objects)
        variable = self._united.get(key)
        if variable is None:
            variable = self._united[key] = self.variable()
            self.unions.add(variable)
            self.demand(variable)
            name = self._name_list[number]
            for held in objects:
                self.attribute(held, name, variable)
        return variable

    def attribute(self, held: int, name: str, target: int) -> None:
        """`target` receives the attribute `name` of one object."""
        objects = self.objects
        kind = objects.kind[held]
        if kind in (ob.INSTANCE, ob.CLASS):
            self.flow(self._read_once(held, name), target)
        elif kind in (ob.MODULE, ob.NAMESPACE):
            self.module_attribute(held, name, target)
        elif kind == ob.EXTERNAL:
            if objects.name[held].count(".") < DEEPEST_NAME:
                self.put(target, objects.get(ob.EXTERNAL, name=f"{objects.name[held]}.{name}"))
        elif kind == ob.CONTAINER and objects.name[held] == "namespace":
            self.read_element(held, repr(name), target)
        elif kind in (ob.RESULT, ob.CONSTANT, ob.CONTAINER, ob.GENERATOR, ob.COROUTINE):
            self._builtin_attribute(held, name, target)
        elif kind == ob.SUPER:
            self._super_attribute(held, name, target)
        elif kind == ob.PROPERTY and name in ("setter", "getter", "deleter"):
            self.put(target, objects.get(ob.METHOD, b=held, name=f"property.{name}"))
        elif kind == ob.BOUND and name == "__func__":
            self.put(target, objects.get(ob.FUNCTION, objects.a[held]))
        elif kind == ob.BOUND and name == "__self__":
            self.put(target, objects.b[held])
        elif kind == ob.BOUND:
            self.flow(self.field(objects.get(ob.FUNCTION, objects.a[held]), name), target)
        elif kind == ob.FUNCTION:
            self.flow(self.field(held, name), target)

    def _read_once(self, held: int, name: str) -> int:
        """The variable of an object's attribute: many places read the same one."""
        known = self._attributes.get(name)
        if known is None:
            known = self._attributes[name] = {}
        variable = known.get(held)
        if variable is None:
            variable = known[held] = self.variable()
            self.demand(variable)
            self._look_up(held, name, variable)
        return variable

    def _look_up(self, held: int, name: str, target: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            self._instance_attribute(held, name, target)
        else:
            self._class_attribute(held, name, target)

    def _builtin_attribute(self, held: int, name: str, target: int) -> None:
        owner = self.type_name(held)
        if owner != "builtins.NoneType" and outside.may_have(owner, name):  # nobody means to call a method of None
            method = f"{owner}.{name}"
            if self.objects.kind[held] == ob.CONSTANT and not outside.takes_apart(method):
                held = self.objects.a[held]
            self.put(target, self.objects.get(ob.METHOD, b=held, name=method))

    def type_name(self, held: int) -> str:
        """Dotted name of the outside type of an object."""
        kind = self.objects.kind[held]
        if kind == ob.CONTAINER:
            return ob.CONTAINER_TYPES[self.objects.name[held]]
        if kind == ob.CONSTANT:
            return self.objects.name[self.objects.a[held]]
        if kind in (ob.GENERATOR, ob.COROUTINE):
            return "builtins.generator" if kind == ob.GENERATOR else "builtins.coroutine"
        return self.objects.name[held]

    def _instance_attribute(self, held: int, name: str, target: int) -> None:
        cls = self.objects.a[held]
        if name == "__class__":
            self.put(target, self.objects.get(ob.CLASS, cls))
            return
        if name in self.stored_names:
            self.flow(self.stored(ob.INSTANCE, self.ancestors(cls), name), target)
        if self.is_enumeration(cls) and not name.startswith("__"):
            self._member_attribute(held, name, target)
        else:
            for variable in self.class_variables(cls, name):
                self.listen_binding(variable, held, target)
        if self.objects.b[held] == ob.OR_SUBCLASS:
            overriding = self.overriding(cls, name)
            for subclass, variable in overriding if len(overriding) <= FEW_SUBCLASSES else ():
                self.listen(variable, self._on_possible, subclass, target)

    def _member_attribute(self, held: int, name: str, target: int) -> None:
        """An attribute of a member of an enumeration: what the class has, or `value`, what the body gave any of its members."""
        variables = self.class_variables(self.objects.a[held], name)
        for variable in variables:
            self.listen(variable, self._on_member, held, target)
        if name == "value" and not variables:
            for cls in self.ancestors(self.objects.a[held]):
                for variable in self.program.classes[cls].names.values():
                    self.listen(variable, self._on_member_value, target)

    def _on_member(self, held: int, receiver: int, target: int) -> None:
        """What the body of an enumeration holds under a name is a member of it, unless it is a function or a descriptor."""
        if self.objects.kind[held] not in _NO_MEMBERS:
            self.put(target, self.objects.get(ob.INSTANCE, self.objects.a[receiver]))
        elif self.objects.kind[receiver] == ob.CLASS:
            self._on_class_bind(held, receiver, target)
        else:
            self._on_bind(held, receiver, target)

    def _on_member_value(self, held: int, target: int) -> None:
        if self.objects.kind[held] not in _NO_MEMBERS:
            self.put(target, held)

    def overflow(self, held: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
        """Instances of many classes become instances of the nearest class that all of them descend from."""
        classes = {self.objects.a[one] for one in (*held, *new) if self.objects.kind[one] == ob.INSTANCE}
        lines = [self.ancestors(cls) for cls in sorted(classes)]
        common = next((one for one in lines[0] if all(one in line for line in lines)), -1) if lines else -1
        return (self.instance(common),) if common >= 0 and self.instance(common) not in held else ()

    def _on_possible(self, held: int, subclass: int, target: int) -> None:
        receiver = self.instance(subclass)
        if self.objects.kind[held] != ob.FUNCTION:
            self._on_bind(held, receiver, target)
        elif not self.program.functions[self.objects.a[held]].flags & (op.STATIC | op.OF_CLASS):
            self.put(target, self.objects.get(ob.BOUND, self.objects.a[held], receiver, ob.POSSIBLE))

    def listen_binding(self, variable: int, receiver: int, target: int) -> None:
        """`target` receives what `variable` holds, bound to the receiver as descriptors are."""
        self.listen(variable, self._on_bind, receiver, target)

    def _on_bind(self, held: int, receiver: int, target: int) -> None:
        objects = self.objects
        kind = objects.kind[held]
        if kind == ob.FUNCTION:
            flags = self.program.functions[objects.a[held]].flags
            if flags & op.STATIC:
                self.put(target, held)
            elif flags & op.OF_CLASS:
                self.put(target, objects.get(ob.BOUND, objects.a[held], self.class_of(receiver)))
            else:
                self.put(target, objects.get(ob.BOUND, objects.a[held], receiver))
        elif kind == ob.PROPERTY:
            self.read_property(held, receiver, target)
        elif kind == ob.STATIC:
            self.put(target, objects.b[held])
        elif kind == ob.OF_CLASS:
            self._on_bind(objects.b[held], self.class_of(receiver), target)
        elif kind == ob.INSTANCE and self.descriptor(held) is not None:
            self.read_descriptor(held, receiver, target)
        else:
            self.put(target, held)

    def class_of(self, held: int) -> int:
        """The class object of an instance; a class stays what it is."""
        return self.objects.get(ob.CLASS, self.objects.a[held]) if self.objects.kind[held] == ob.INSTANCE else held

    def descriptor(self, held: int) -> int | None:
        """The variable of `__get__` of an instance's class, None when it is no descriptor."""
        return next(iter(self.class_variables(self.objects.a[held], "__get__")), None)

    def read_property(self, held: int, receiver: int, target: int) -> None:
        """Reading a property calls its getter."""
        getter = self.objects.b[held]
        if self.objects.kind[getter] == ob.FUNCTION:
            definition = self.objects.a[getter]
            function = self.program.functions[definition]
            self.getters.setdefault(target, []).append((definition, receiver))
            if function.parameters:
                self.put(function.parameters[0][1], receiver)
            self.give_result(definition, target, {})

    def read_descriptor(self, held: int, receiver: int, target: int) -> None:
        """Reading a descriptor calls its `__get__`."""
        variable = self.descriptor(held)
        if variable is not None:
            self.listen(variable, self._on_get, held, target, receiver)

    def _on_get(self, method: int, descriptor: int, target: int, receiver: int) -> None:
        if self.objects.kind[method] != ob.FUNCTION:
            return
        definition = self.objects.a[method]
        function = self.program.functions[definition]
        self.getters.setdefault(target, []).append((definition, descriptor))
        for parameter, held in zip(function.parameters, (descriptor, receiver, self.class_of(receiver)), strict=False):
            self.put(parameter[1], held)
        self.give_result(definition, target, {})

    @abstractmethod
    def field_names(self, cls: int) -> list[str]:
        """The annotated names that a class's constructor is made from; none where it is not."""

    @abstractmethod
    def _on_await(self, held: int, target: int) -> None:
        """Awaiting the object gives this."""

    @abstractmethod
    def give_result(self, definition: int, target: int, passed: Mapping[int, int]) -> None:
        """What calling a function of the repository gives flows into `target`."""

    def _class_attribute(self, held: int, name: str, target: int) -> None:
        cls = self.objects.a[held]
        if name == "__mro__":
            return
        member = self.is_enumeration(cls) and not name.startswith("__")
        for variable in self.class_variables(cls, name):
            self.listen(variable, self._on_member if member else self._on_class_bind, held, target)
        for meta in self.metaclasses(cls):
            for variable in self.class_variables(meta, name):
                self.listen_binding(variable, held, target)

    def _on_class_bind(self, held: int, cls: int, target: int) -> None:
        objects = self.objects
        kind = objects.kind[held]
        if (
            kind == ob.FUNCTION and not self.program.functions[objects.a[held]].flags & op.OF_CLASS
        ) or kind == ob.PROPERTY:
            self.put(target, held)
        else:
            self._on_bind(held, cls, target)

    def _super_attribute(self, held: int, name: str, target: int) -> None:
        after, receiver = self.objects.a[held], self.objects.b[held]
        cls = self.objects.a[receiver]
        found = False
        for variable in self.class_variables(cls, name, after):
            found = True
            self.listen_binding(variable, receiver, target)
        if not found:
            outside = self.outside_bases(cls) or ("builtins.object",)
            self.put(target, self.objects.get(ob.METHOD, b=receiver, name=f"{outside[0]}.{name}"))

    # ---- modules

    def names_something(self, number: int) -> bool:
        known = self._naming.get(number)
        if known is None:
            module, name = self.dotted(self.objects.name[number])
            is_named = isinstance(module, int) and bool(name) and self.module_variable(module, name) is not None
            known = self._naming[number] = is_named
        return known

    def dotted(self, text: str) -> tuple[int | str | None, str]:
        """The module that a text names, and the name in it; `a.b.C`, `a.b:C` or, with an empty name, a module itself."""
        text = text.strip("'\"")
        if not _DOTTED.fullmatch(text):
            return None, ""
        parent, _, name = text.replace(":", ".").rpartition(".")
        module = self.program.modules.find_anywhere(parent)
        if module is not None:
            return module, name
        return self.program.modules.find_anywhere(text), ""

    def module_attribute(self, held: int, name: str, target: int) -> None:
        """`target` receives the attribute `name` of a module or namespace package."""
        place: int | str = self.objects.a[held] if self.objects.kind[held] == ob.MODULE else self.objects.name[held]
        if isinstance(place, int) and (variable := self.module_variable(place, name)) is not None:
            self.flow(variable, target)
            return
        if (child := self.program.modules.child(place, name)) is not None:
            self.put(target, self.module_object(child))
            return
        if isinstance(place, int):
            self.flow(self.field(held, name), target)
            self._outside_star(place, name, target)

    def module_object(self, place: int | str) -> int:
        """The object of a module or of a namespace package."""
        return (
            self.objects.get(ob.MODULE, place) if isinstance(place, int) else self.objects.get(ob.NAMESPACE, name=place)
        )

    def module_variable(self, index: int, name: str, seen: frozenset[int] = frozenset()) -> int | None:
        """The variable that a module binds to a name, also through star imports of modules of the repository."""
        unit = self.program.units[index]
        if (variable := unit.names.get(name)) is not None or not unit.stars:
            return variable
        if seen:
            return self._starred(unit, name, seen)
        key = (index, name)
        if key not in self._from_stars:
            self._from_stars[key] = self._starred(unit, name, seen)
        return self._from_stars[key]

    def _starred(self, unit: Unit, name: str, seen: frozenset[int]) -> int | None:
        for module, level in reversed(unit.stars):
            source = self.star_source(unit, module, level)
            if isinstance(source, int) and source not in seen and self.is_public(source, name):
                found = self.module_variable(source, name, seen | {unit.index})
                if found is not None:
                    return found
        return None

    def star_source(self, unit: Unit, module: str, level: int) -> int | str | None:
        """The module that a star import takes from."""
        modules = self.program.modules
        return modules.relative(module, level, unit.index) if level else modules.find(module, unit.index)

    def is_public(self, index: int, name: str) -> bool:
        """Whether a star import takes the name."""
        exports = self.program.units[index].facts.exports
        return not name.startswith("_") if exports is None else name in exports

    def _outside_star(self, index: int, name: str, target: int) -> None:
        """A name that a module may have by a star import from outside: sure only when there is one such import."""
        unit = self.program.units[index]
        outside = [module for module, level in unit.stars if self.star_source(unit, module, level) is None]
        if len(outside) == 1:
            self.put(target, self.objects.get(ob.EXTERNAL, name=f"{outside[0]}.{name}"))
