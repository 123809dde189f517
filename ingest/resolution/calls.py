"""Calls: which functions a called object reaches, and what the call gives."""

from __future__ import annotations

from ingest import constraints as op
from ingest.resolution import objects as ob
from ingest.resolution.arguments import Arguments, Binding, read_arguments
from ingest.resolution.model import Budget
from ingest.resolution.program import Program, Unit

NOTHING = Arguments()


class Calls(Binding):
    """Adds calls of what the repository defines."""

    def __init__(self, program: Program, budget: Budget) -> None:
        super().__init__(program, budget)
        self.sites: dict[int, tuple[Arguments, int]] = {}
        """place of a call -> (arguments, variable of its result)"""
        self.silent: set[int] = set()
        """places where something outside is applied that gives back what it is given"""
        self.reached: dict[int, dict[int, str]] = {}
        """place of a call -> {definition: how}"""
        self.reached_outside: dict[int, dict[str, str]] = {}
        """place of a call -> {dotted name: how}"""
        self._invoked: set[tuple[int, int, int]] = set()
        self._bound: set[tuple[int, int, int]] = set()
        self._sources: dict[int, list[int]] = {}
        self.partials: dict[int, tuple[int, Arguments]] = {}
        """PARTIAL object -> (variable of the function, arguments given)"""
        self.ignored = self.variable()
        """A variable that nobody ever demands."""
        self._listened: set[tuple[int, int, int, int]] = set()
        self._pending_calls: list[tuple[int, int, Arguments, int, str]] = []
        self.assigns |= {op.CALL: self._result_of_call}

    def start_call(self, unit: Unit, offset: int) -> None:
        """Resolves the call at an offset."""
        self.listen(unit.variables + unit.code[offset + 3], self._on_call, unit.index, offset)

    def _result_of_call(self, unit: Unit, offset: int, target: int) -> None:
        """Every call is resolved anyway; its result flows when someone demands it."""

    def _on_call(self, held: int, index: int, offset: int) -> None:
        unit = self.program.units[index]
        place = self.place(unit, offset)
        site = self.sites.get(place)
        if site is None:
            site = self.sites[place] = (read_arguments(unit, offset), unit.variables + unit.code[offset + 2])
        self.call(held, place, site[0], site[1], "call")

    def unit_at(self, place: int) -> tuple[Unit, int]:
        """The file and offset of a place."""
        return self.program.units[place >> 32], place & 0xFFFFFFFF

    def call(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """The object is called at a place."""
        objects = self.objects
        kind = objects.kind[held]
        if kind == ob.FUNCTION:
            self.invoke(place, objects.a[held], -1, arguments, target, how)
        elif kind == ob.BOUND:
            rule = objects.name[held] if how == "call" and objects.name[held] else how
            self.invoke(place, objects.a[held], objects.b[held], arguments, target, rule)
        elif kind == ob.CLASS:
            self.construct(place, held, arguments, target, how)
        elif kind == ob.INSTANCE:
            for variable in self.class_variables(objects.a[held], "__call__"):
                self.listen_call(variable, held, place, arguments, target, "instance")
        elif kind == ob.PARTIAL:
            function, given = self.partials[held]
            self.listen_call(function, -1, place, given.shifted(arguments), target, "partial")
        elif kind == ob.EXTERNAL:
            self.call_outside(held, place, arguments, target, how)
        elif kind == ob.METHOD:
            self.call_builtin_method(held, place, arguments, target, how)
        elif kind == ob.DECORATOR:
            self.silent.add(place)
            for variable in arguments.positional[:1]:
                self.flow(variable, target)
        elif kind == ob.STATIC:
            self.call(objects.b[held], place, arguments, target, how)
        elif kind == ob.RESULT and how == "call" and not objects.name[held].startswith("builtins."):
            self.note_outside(place, f"{objects.name[held]}.__call__", how)

    def listen_call(
        self, variable: int, receiver: int, place: int, arguments: Arguments, target: int, how: str
    ) -> None:
        """Calls whatever the variable holds, as a method of `receiver` where it is an object (-1: as it is)."""
        key = (variable, receiver, place, target)
        if key in self._listened:
            return
        self._listened.add(key)
        number = len(self._pending_calls)
        self._pending_calls.append((receiver, place, arguments, target, how))
        self.listen(variable, self._on_pending_call, number)

    def _on_pending_call(self, held: int, number: int) -> None:
        receiver, place, arguments, target, how = self._pending_calls[number]
        if receiver >= 0 and self.objects.kind[held] == ob.FUNCTION:
            flags = self.program.functions[self.objects.a[held]].flags
            if flags & op.OF_CLASS:
                receiver = self.class_of(receiver)
            elif flags & op.STATIC and how != "constructor":
                receiver = -1
            self.invoke(place, self.objects.a[held], receiver, arguments, target, how)
        else:
            self.call(held, place, arguments, target, how)

    # ---- functions

    def note(self, place: int, definition: int, how: str) -> None:
        """Records that the call at a place reaches a definition."""
        reached = self.reached.setdefault(place, {})
        if reached.get(definition, ob.POSSIBLE) == ob.POSSIBLE:
            reached[definition] = how

    def note_outside(self, place: int, name: str, how: str) -> None:
        """Records that the call at a place reaches something outside the repository."""
        self.reached_outside.setdefault(place, {}).setdefault(name, how)

    def invoke(self, place: int, definition: int, receiver: int, arguments: Arguments, target: int, how: str) -> None:
        """A function of the repository is called, as a method where there is a receiver."""
        self.note(place, definition, how)
        key = (place, definition, receiver)
        if key in self._invoked:
            return
        self._invoked.add(key)
        function = self.program.functions[definition]
        skip = 0
        if receiver >= 0 and function.parameters:
            _, variable, kind = function.parameters[0]
            if kind in (op.PLAIN, op.POSITION_ONLY):
                skip = 1
                self.add(variable, [receiver])
        if (place, definition, skip) not in self._bound:
            self._bound.add((place, definition, skip))
            self.bind(function, skip, arguments)
        passed = [-1] * skip + arguments.positional
        pairs = self._passed(definition, passed, arguments)
        if arguments.positional and self._decorates(place):
            target = self._decorated(definition, dict(pairs), arguments.positional[0], target)
        self.give_result(definition, target, pairs)

    def _decorates(self, place: int) -> bool:
        if place < 0:
            return False
        unit, offset = self.unit_at(place)
        return unit.code[offset] == op.CALL and bool(unit.code[offset + 6] & op.DECORATES)

    def _decorated(self, definition: int, passed: dict[int, int], argument: int, target: int) -> int:
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
        if self.objects.kind[held] == ob.FUNCTION and self._is_closure(self.objects.a[held], definition):
            self.add(target, [held])
            written = self.program.definitions[self.objects.a[held]].decorators
            if any(text.split("(")[0].rpartition(".")[2] == "wraps" for text in written):
                self.flow(argument, target)
        elif held in (self.holds[parameter] or ()):
            self.flow(argument, target)
        else:
            self.add(target, [held])

    def _is_closure(self, definition: int, around: int) -> bool:
        """Whether a function is defined in another, directly or one level deeper."""
        parent = self.program.parents[definition]
        return parent >= 0 and around in (parent, self.program.parents[parent])

    def _passed(self, definition: int, positional: list[int], arguments: Arguments) -> tuple[tuple[int, int], ...]:
        parameters = self.program.functions[definition].parameters
        pairs = []
        for position, (name, variable, kind) in enumerate(parameters):
            if kind in (op.PLAIN, op.POSITION_ONLY) and position < len(positional):
                pairs.append((variable, positional[position]))
            elif name in arguments.keywords:
                pairs.append((variable, arguments.keywords[name]))
        return tuple(pairs)

    def give_result(self, definition: int, target: int, arguments: tuple[tuple[int, int], ...]) -> None:
        function = self.program.functions[definition]
        if function.flags & op.GENERATOR:
            self.add(target, [self.objects.get(ob.GENERATOR, definition)])
            return
        if function.flags & op.ASYNC:
            self.add(target, [self.objects.get(ob.COROUTINE, definition)])
            return
        passed = dict(arguments)
        for source in self.result_sources(definition):
            given = passed.get(source, source)
            if given >= 0:
                self.flow(given, target)
            else:
                self.flow(source, target)
        if function.declared >= 0:
            self.flow(function.declared, target)

    def result_sources(self, definition: int) -> list[int]:
        """The variables whose values a function returns; parameters that it hands back stand for themselves.

        A parameter handed back is then tied to the argument of each call, so that identity-like functions and decorators do not mix what
        different callers pass.
        """
        found = self._sources.get(definition)
        if found is not None:
            return found
        function = self.program.functions[definition]
        parameters = {variable for _, variable, _ in function.parameters}
        unit = function.unit
        sources: list[int] = []
        pending, seen = [function.result], set()
        while pending:
            variable = pending.pop()
            if variable in seen:
                continue
            seen.add(variable)
            copied = None if variable in parameters else self._copied(unit, variable, parameters)
            if copied is None or len(seen) > 40:
                sources.append(variable)
            else:
                pending += copied
        self._sources[definition] = sources
        return sources

    @staticmethod
    def _copied(unit: Unit, variable: int, parameters: set[int]) -> list[int] | None:
        """The variables that are copied into one to which nothing else is assigned; None otherwise."""
        code, offset, copied = unit.code, unit.first[variable - unit.variables], []
        while offset >= 0:
            source = unit.variables + code[offset + (4 if code[offset] == op.DECLARED else 2)]
            if code[offset] != op.COPY and not (code[offset] in (op.DECLARED, op.NARROW) and source in parameters):
                return None
            copied.append(source)
            offset = code[offset + 1]
        return copied

    # ---- special methods

    def call_method(self, held: int, name: str, target: int, arguments: tuple[int, ...], site: int = -1) -> bool:
        found = False
        for variable in self.class_variables(self.objects.a[held], name):
            if name not in self.stored_names or self.holds_anything(variable):
                found = True
            place = -2 - (site if site >= 0 else target)
            self.listen_call(variable, held, place, Arguments(list(arguments)), target, "implicit")
        return found

    def holds_anything(self, variable: int) -> bool:
        """Whether the variable has a static definition or holds something by now."""
        return variable < self.program.variables or bool(self.holds[variable])

    def invoke_method(self, method: int, receiver: int, target: int, arguments: tuple[int, ...], site: int) -> None:
        if self.objects.kind[method] == ob.FUNCTION:
            self.invoke(-2 - site, self.objects.a[method], receiver, Arguments(list(arguments)), target, "implicit")

    # ---- classes

    def construct(self, place: int, held: int, arguments: Arguments, target: int, how: str) -> None:
        """A class is called."""
        cls = self.objects.a[held]
        if (place, -1 - cls, -1) in self._invoked:
            return
        self._invoked.add((place, -1 - cls, -1))
        self.note(place, cls, "constructor" if how == "call" else how)
        for meta in self.metaclasses(cls):
            for variable in self.class_variables(meta, "__call__"):
                self.listen_call(variable, held, place, arguments, target, "constructor")
        instance = self.objects.get(ob.INSTANCE, cls)
        self.add(target, [instance])
        found = False
        for name in ("__new__", "__init__"):
            for variable in self.class_variables(cls, name):
                found = found or variable < self.program.variables
                receiver = held if name == "__new__" else instance
                result = target if name == "__new__" else self.ignored
                self.listen_call(variable, receiver, place, arguments, result, "constructor")
        if not found:
            self._construct_by_fields(cls, instance, place, arguments)

    def _construct_by_fields(self, cls: int, instance: int, place: int, arguments: Arguments) -> None:
        """Classes without a constructor of their own: data classes take their fields, others their outside base's arguments."""
        names = [field for ancestor in reversed(self.ancestors(cls)) for field in self.program.classes[ancestor].fields]
        if names and self.is_data_class(cls):
            for (name, _), variable in zip(names, arguments.positional, strict=False):
                self.flow(variable, self.field(instance, name))
            for name, variable in arguments.keywords.items():
                self.flow(variable, self.field(instance, name))
            for variable in self.class_variables(cls, "__post_init__"):
                self.listen_call(variable, instance, place, NOTHING, self.ignored, "constructor")
            return
        for base in self.outside_bases(cls):
            if not base.startswith(("builtins.", "typing.", "abc.", "enum.")):
                self.note_outside(place, f"{base}.__init__", "constructor")
                break

    def is_data_class(self, cls: int) -> bool:
        """Whether the class's constructor is made from its annotated names."""
        for ancestor in self.ancestors(cls):
            definition = self.program.definitions[ancestor]
            if any(text.split("(")[0].rpartition(".")[2] in _DATA_CLASSES for text in definition.decorators):
                return True
        return any(name.rpartition(".")[2] in ("NamedTuple", "BaseModel", "Struct") for name in self.outside_bases(cls))

    # ---- outside

    def call_outside(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """Something outside the repository is called."""
        raise NotImplementedError

    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """A method of an outside type is called on an object."""
        raise NotImplementedError


_DATA_CLASSES = {"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}
