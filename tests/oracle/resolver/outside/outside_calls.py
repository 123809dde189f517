"""Calls of functions outside the repository: those through which values pass, each a behaviour by its dotted name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.program import Program
from tests.oracle.resolver.values.stores import Stores

#: classes made of these do what they do
_DESCRIPTORS = ("builtins.staticmethod", "builtins.classmethod")

#: called with the place of the call, its arguments and the variable of its result
Behaviour = Callable[[int, Arguments, int], None]


class OutsideCalls(Stores):
    """Adds calls to the outside; `behaviours` says what each known function does."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.behaviours: dict[str, Behaviour] = {
            "builtins.super": self._super,
            "builtins.property": self._property,
            "builtins.staticmethod": self._static,
            "builtins.classmethod": self._of_class,
            "functools.partial": self._partial,
            "functools.partialmethod": self._partial,
            "builtins.type": self._type,
            "builtins.getattr": self._getattr,
            "builtins.setattr": self._setattr,
            "importlib.import_module": self._import_module,
            "builtins.__import__": self._import_module,
            "typing.cast": self._cast,
            "typing.TypeVar": self._type_variable,
            "typing_extensions.TypeVar": self._type_variable,
            "builtins.object.__new__": self.new_instance,
            "builtins.object.__setattr__": self._setattr,
            "asyncio.run": self._run,
            "asyncio.AbstractEventLoop.run_until_complete": self._run,
            "asyncio.wait_for": self._pass_on,
            "asyncio.shield": self._pass_on,
        }
        for name in ("dataclasses.replace", "copy.replace", "attr.evolve", "attrs.evolve"):
            self.behaviours[name] = self._pass_on
        self.beside: dict[str, Behaviour] = {}
        """What a function does beside giving something of which only the name is known."""

    def call_outside(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        name = self.objects.name[held]
        self.note_outside(place, name, how)
        behaviour = self.behaviours.get(name)
        if name in self.beside:
            self.beside[name](place, arguments, target)
        if behaviour is not None:
            behaviour(place, arguments, target)
        elif outside.is_property(name):
            self._property(place, arguments, target)
        elif name == "functools.wraps":
            self.put(target, self.objects.get(ob.DECORATOR))
        elif outside.is_transparent(name):
            self._transparent(place, arguments, target)
        elif (result := outside.result_type(name)) is not None:
            self.put(target, self.objects.get(ob.RESULT, name=result))
        else:
            self.put(target, self.objects.get(ob.OPAQUE, name=name))
        if place >= 0 and behaviour is None:
            unit, offset = self.unit_at(place)
            if unit.code[offset] == op.CALL and unit.code[offset + 6] & op.DECORATES:
                for variable in arguments.positional[:1]:
                    self.flow(variable, target)

    def construct(self, place: int, held: int, arguments: Arguments, target: int, how: str) -> None:
        super().construct(place, held, arguments, target, how)
        for base in self.outside_bases(self.objects.a[held]):
            if base in _DESCRIPTORS:
                self.behaviours[base](place, arguments, target)
            elif outside.is_property(base):
                self._property(place, arguments, target)

    def _transparent(self, place: int, arguments: Arguments, target: int) -> None:
        self.put(target, self.objects.get(ob.DECORATOR))
        for variable in arguments.positional:
            self.flow(variable, target)

    def _cast(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) == 2:
            types, value = arguments.positional
            self.demand(types)
            self.casts.append((types, target))
            self.declare(value, target, types)

    def _type_variable(self, place: int, arguments: Arguments, target: int) -> None:
        """A type variable stands for its bound or its constraints; one without says nothing."""
        bound = arguments.keywords.get("bound")
        given = (*arguments.positional[1:], *([bound] if bound is not None else []))
        for variable in given:
            self.flow(variable, target)
        if not given:
            self.put(target, self.objects.get(ob.RESULT, name="typing.TypeVar"))

    def _super(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) >= 2:
            self.listen(arguments.positional[0], self._on_super_class, arguments.positional[1], target)
            return
        unit, offset = self.unit_at(place)
        if place < 0 or unit.code[offset] != op.CALL:
            return
        owner = unit.code[offset + 5]
        definition = unit.definitions + owner if owner >= 0 else -1
        while definition >= 0 and (
            definition not in self.program.functions or self.program.functions[definition].owner < 0
        ):
            definition = self.program.parents[definition]
        if definition < 0:
            return
        function = self.program.functions[definition]
        if function.parameters:
            self.listen(function.parameters[0][1], self._on_super, function.owner, target)

    def _on_super_class(self, held: int, receiver: int, target: int) -> None:
        if self.objects.kind[held] == ob.CLASS:
            self.listen(receiver, self._on_super, self.objects.a[held], target)

    def _on_super(self, held: int, cls: int, target: int) -> None:
        if self.objects.kind[held] in (ob.INSTANCE, ob.CLASS) and cls in self.ancestors(self.objects.a[held]):
            self.put(target, self.objects.get(ob.SUPER, cls, held))

    def _property(self, place: int, arguments: Arguments, target: int) -> None:
        getter = [*arguments.positional, *(v for k, v in arguments.keywords.items() if k == "fget")]
        for variable in getter[:1]:
            self.listen(variable, self._on_getter, place, target)

    def _on_getter(self, held: int, place: int, target: int) -> None:
        self.put(target, self.objects.get(ob.PROPERTY, place, held))

    def _static(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_static, target)

    def _on_static(self, held: int, target: int) -> None:
        self.put(target, self.objects.get(ob.STATIC, b=held))

    def _of_class(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_of_class, target)

    def _on_of_class(self, held: int, target: int) -> None:
        self.put(target, self.objects.get(ob.OF_CLASS, b=held))

    def _partial(self, place: int, arguments: Arguments, target: int) -> None:
        if arguments.positional:
            number = self.objects.get(ob.PARTIAL, place)
            splats = tuple((max(at - 1, 0), variable) for at, variable in arguments.splats)
            given = Arguments(arguments.positional[1:], splats, arguments.keywords, arguments.mappings)
            self.partials[number] = (arguments.positional[0], given)
            self.put(target, number)

    def _type(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) == 1:
            self.listen(arguments.positional[0], self._on_type, target)

    def _on_type(self, held: int, target: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            self.put(target, self.class_of(held))
        elif self.objects.kind[held] == ob.RESULT and self.objects.name[held] != "builtins.NoneType":
            self.put(target, self.objects.get(ob.EXTERNAL, name=self.objects.name[held]))

    def _getattr(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) >= 2:
            self.listen(arguments.positional[1], self._on_attribute_name, arguments.positional[0], target)
        for variable in arguments.positional[2:3]:
            self.flow(variable, target)

    def _on_attribute_name(self, held: int, receiver: int, target: int) -> None:
        if self.objects.is_key(held):
            self.read_attribute(receiver, self.objects.name[held].strip("'\""), target)
        elif self.objects.kind[held] == ob.CONSTANT:
            self.listen(receiver, self._on_beginning, target, self.name_number(self.objects.name[held][:-1]))

    def _on_beginning(self, held: int, target: int, number: int) -> None:
        """Of a name that is made at run time the beginning is known: any attribute that begins so may be meant."""
        beginning, kind = self._name_list[number], self.objects.kind[held]
        names: Iterable[str] = ()
        if kind in (ob.INSTANCE, ob.CLASS):
            cls = self.objects.a[held]
            below = self.subclasses.get(cls, ()) if self.objects.b[held] == ob.OR_SUBCLASS else ()
            names = (name for one in (*self.ancestors(cls), *below) for name in self.program.classes[one].names)
        elif kind == ob.MODULE:
            names = self.program.units[self.objects.a[held]].names
        for name in sorted({name for name in names if name.startswith(beginning)}):
            found = self.variable()
            self.attribute(held, name, found)
            self.listen(found, self._on_named, target)

    def _on_named(self, held: int, target: int) -> None:
        objects = self.objects
        if objects.kind[held] == ob.BOUND:
            held = objects.get(ob.BOUND, objects.a[held], objects.b[held], "named")
        self.put_beyond_limit(target, held)

    def _setattr(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) == 3:
            receiver, name, value = arguments.positional
            self.listen(name, self._on_store_name, receiver, value)

    def _on_store_name(self, held: int, receiver: int, value: int) -> None:
        if self.objects.is_key(held):
            name = self.objects.name[held].strip("'\"")
            self.store_name(name)
            self.listen(receiver, self._on_store, value, self.name_number(name))

    def store_on(self, receiver: int, arguments: Arguments) -> None:
        """`__setattr__` of an outside base, called as a method of the receiver object."""
        if len(arguments.positional) == 2:
            bound = self.variable()
            self.put(bound, receiver)
            self.listen(arguments.positional[0], self._on_store_name, bound, arguments.positional[1])

    def new_instance(self, place: int, arguments: Arguments, target: int) -> None:
        """`__new__` of an outside base makes an instance of the class that it is given."""
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_new, target)

    def _on_new(self, held: int, target: int) -> None:
        if self.objects.kind[held] == ob.CLASS:
            self.put(target, self.objects.get(ob.INSTANCE, self.objects.a[held]))

    def _run(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_await, target)

    def _pass_on(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.flow(variable, target)

    def _import_module(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_import_module, target, place)

    def _on_import_module(self, held: int, target: int, place: int) -> None:
        if not self.objects.is_key(held):
            return
        text = self.objects.name[held].strip("'\"")
        name = text.lstrip(".")
        unit, _ = self.unit_at(place)
        modules = self.program.modules
        level = len(text) - len(name)
        found = modules.relative(name, level, unit.index) if level else modules.find(name, unit.index)
        self.put(target, self.module_object(found) if found is not None else self.objects.get(ob.EXTERNAL, name=name))
