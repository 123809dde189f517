"""Calls: which functions a called object reaches, and what the call gives."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import NOTHING, Arguments, Binding, read_arguments
from tests.oracle.resolver.listeners import Reached
from tests.oracle.resolver.program import Function, Program, Unit


class Calls(Binding):
    """Adds calls of what the repository defines."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.decorations: set[int] = set()
        """places of calls that apply a decorator"""
        self._decorator_makers: set[int] = set()
        """places of calls whose result decorates: `@register(name="x")`"""
        self.silent: set[int] = set()
        """places where something outside is applied that gives back what it is given"""
        self.reached = Reached()
        """Definitions."""
        self.reached_outside = Reached()
        """Numbers of dotted names."""
        self._bound: dict[int, int] = {}
        """place of a call, what it calls, number of parameters taken, packed -> variable of the result"""
        self._received: set[int] = set()
        """variables that are called as methods and receivers, packed"""
        self._sources: dict[int, list[int]] = {}
        self.partials: dict[int, tuple[int, Arguments]] = {}
        """PARTIAL object -> (variable of the function, arguments given)"""
        self.looking_for_bases = True
        """Before the class hierarchy is known."""
        self._started: set[int] = set()
        self.wrapping: set[int] = set()
        """Functions that make wrappers of what they are given."""
        self.all_made: dict[int, int] = {}
        """variable of what one call of a `__new__` hands back of its arguments -> that of what it gives anywhere"""
        self._listened: set[int] = set()
        self._pending_calls: list[tuple[int, int, Arguments, int, str]] = []
        self.assigns |= {op.CALL: self._result_of_call}

    def start_call(self, unit: Unit, offset: int) -> None:
        """Resolves the call at an offset."""
        place = self.place(unit, offset)
        if place in self._started:
            return
        if self.looking_for_bases:
            self._started.add(place)
        if unit.code[offset + 6] & op.DECORATES:
            self.decorations.add(place)
            maker = unit.first[unit.origin(unit.code[offset + 3])]
            if maker >= 0 and unit.code[maker] == op.CALL:
                self._decorator_makers.add(self.place(unit, maker))
        self.listen(unit.variables + unit.code[offset + 3], self._on_call, unit.index, offset)

    def _result_of_call(self, unit: Unit, offset: int, target: int) -> None:
        """Every call is resolved anyway; its result flows when someone demands it.

        Only base classes are needed before that: those that are decorated, or made by a call.
        """
        if self.looking_for_bases:
            self.start_call(unit, offset)

    def _on_call(self, held: int, index: int, offset: int) -> None:
        unit = self.program.units[index]
        place, arguments, target = (
            unit.places + offset,
            read_arguments(unit, offset),
            unit.variables + unit.code[offset + 2],
        )
        self.call(held, place, arguments, target, "call")
        if place in self.decorations and self._is_of_outside(held):
            for variable in arguments.positional[:1]:
                self.flow(variable, target)
        elif self.objects.kind[held] == ob.OPAQUE and arguments == Arguments(arguments.positional[:1]) != Arguments():
            self.listen(arguments.positional[0], self._on_given_back, target)

    def _on_given_back(self, held: int, target: int) -> None:
        """`outside.made(1)(function)` decorates by a call: what it gives may run the function."""
        if self.objects.kind[held] in (ob.FUNCTION, ob.BOUND):
            self.put(target, held)

    def _is_of_outside(self, held: int) -> bool:
        """Whether calling the object runs code outside the repository of which nothing is known: applied as a decorator, it may give back
        what it decorates."""
        kind = self.objects.kind[held]
        if kind == ob.METHOD:
            return not self.objects.name[held].startswith("property.")
        return kind in (ob.OPAQUE, ob.RESULT)

    def unit_at(self, place: int) -> tuple[Unit, int]:
        """The file and offset of a place."""
        return self.program.place(place)

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
        if receiver >= 0:
            self.listen_receiver(variable, receiver, how)
        self.listen_known_call(variable, receiver, place, arguments, target, how)

    def listen_known_call(
        self, variable: int, receiver: int, place: int, arguments: Arguments, target: int, how: str
    ) -> None:
        """As `listen_call`, where the methods have been given their receiver."""
        key = ((((variable << BITS) + place) << BITS) + target) << 1 | (receiver >= 0)
        if key in self._listened:
            return
        self._listened.add(key)
        number = len(self._pending_calls)
        self._pending_calls.append((receiver, place, arguments, target, how))
        self.listen(variable, self._on_pending_call, number)

    def listen_receiver(self, variable: int, receiver: int, how: str) -> None:
        """What the variable holds is called as a method of `receiver` somewhere: said once, however many places call it."""
        pair = variable << BITS | receiver
        if pair not in self._received:
            self._received.add(pair)
            self.listen(variable, self._on_receiver, receiver, how == "constructor")

    def _on_receiver(self, held: int, receiver: int, constructing: int) -> None:
        if self.objects.kind[held] == ob.FUNCTION:
            function = self.program.functions[self.objects.a[held]]
            if function.flags & op.OF_CLASS:
                self._receive(function, self.class_of(receiver))
            elif constructing or not function.flags & op.STATIC:
                self._receive(function, receiver)

    def _receive(self, function: Function, receiver: int) -> int:
        """The first parameter takes the receiver; the number of parameters taken."""
        if function.parameters:
            _, variable, kind = function.parameters[0]
            if kind in (op.PLAIN, op.POSITION_ONLY):
                self.put(variable, receiver)
                return 1
        return 0

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
        self.reached.note(place, definition, how)

    def note_outside(self, place: int, name: str, how: str) -> None:
        """Records that the call at a place reaches something outside the repository."""
        self.reached_outside.note(place, self.name_number(name), how)

    def invoke(self, place: int, definition: int, receiver: int, arguments: Arguments, target: int, how: str) -> None:
        """A function of the repository is called, as a method where there is a receiver."""
        self.note(place, definition, how)
        function = self.program.functions[definition]
        skip = self._receive(function, receiver) if receiver >= 0 else 0
        call = ((place << BITS) + definition) << 1 | skip
        known = self._bound.get(call)
        if known == target:
            return
        self._bound[call] = target
        if known is None and arguments is not NOTHING:
            self.bind(function, skip, arguments)
        passed = self._passed(function, skip, arguments) if arguments is not NOTHING else {}
        if place in self._decorator_makers:
            made, target = target, self.variable()
            self.listen(target, self._on_decorator_made, definition, made)
        elif arguments.positional and (place in self.decorations or definition in self.wrapping):
            # what is decorated comes last, behind what a partial application was given before
            argument = arguments.positional[-1 if place in self.decorations else 0]
            target = self._decorated(definition, passed, argument, target)
        self.give_result(definition, self.own_share(definition, arguments, target), passed)

    def own_share(self, definition: int, arguments: Arguments, target: int) -> int:
        """The variable that takes the result of one call for `target`, where a function mixes what its calls give it."""
        return target

    @staticmethod
    def _passed(function: Function, skip: int, arguments: Arguments) -> dict[int, int]:
        """Variable of a parameter -> variable of the argument that it receives."""
        passed, given = {}, arguments.positional
        for position, (name, variable, kind) in enumerate(function.parameters, -skip):
            if kind in (op.PLAIN, op.POSITION_ONLY) and position < len(given):
                if position >= 0:
                    passed[variable] = given[position]
            elif name in arguments.keywords:
                passed[variable] = arguments.keywords[name]
        return passed

    def give_result(self, definition: int, target: int, passed: Mapping[int, int]) -> None:
        if target == self.ignored:
            return
        function = self.program.functions[definition]
        if function.flags & op.GENERATOR:
            self.put(target, self.objects.get(ob.GENERATOR, definition))
            return
        if function.flags & op.ASYNC:
            self.put(target, self.objects.get(ob.COROUTINE, definition))
            return
        anywhere = self.all_made.get(target, target)
        for source in self.result_sources(definition):
            if source in passed:
                self.give_back(passed[source], target)
            else:
                self.flow(source, anywhere)
        if function.declared >= 0:
            self.flow(function.declared, anywhere)

    def give_back(self, argument: int, target: int) -> None:
        """A function hands back what a call passes."""
        self.flow(argument, target)

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
            copied = None if variable in parameters else self.copied(unit, variable, parameters)
            if not copied or len(seen) > 40:
                sources.append(variable)
            else:
                pending += copied
        self._sources[definition] = sources
        return sources

    @staticmethod
    def copied(unit: Unit, variable: int, parameters: set[int]) -> list[int] | None:
        """The variables that are copied into one to which nothing else is assigned; None otherwise."""
        code, offset, copied = unit.code, unit.first[variable - unit.variables], []
        while offset >= 0:
            source = unit.variables + code[offset + (4 if code[offset] == op.DECLARED else 2)]
            if code[offset] != op.COPY and not (code[offset] in (op.DECLARED, op.NARROW) and source in parameters):
                return None
            copied.append(source)
            offset = code[offset + 1]
        return copied

    @abstractmethod
    def _decorated(self, definition: int, passed: Mapping[int, int], argument: int, target: int) -> int:
        """The variable for what a decorator gives back, of which what is meant for this place goes on to `target`."""

    @abstractmethod
    def _on_decorator_made(self, held: int, definition: int, target: int) -> None:
        """A call gave this, and decorates by it."""

    @abstractmethod
    def construct(self, place: int, held: int, arguments: Arguments, target: int, how: str) -> None:
        """A class is called."""

    # ---- outside

    @abstractmethod
    def call_outside(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """Something outside the repository is called."""

    @abstractmethod
    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """A method of an outside type is called on an object."""


#: keys of what was done pack several numbers into one: as tuples they would take three times the memory
BITS = 32
