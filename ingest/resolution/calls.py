"""Calls: which functions a called object reaches, and what the call gives."""

from __future__ import annotations

from collections.abc import Mapping

from ingest import constraints as op
from ingest.resolution import objects as ob
from ingest.resolution.arguments import NOTHING, Arguments, Binding, read_arguments
from ingest.resolution.listeners import Reached
from ingest.resolution.model import Budget
from ingest.resolution.program import MOST_COPIES, Function, Program, Unit


class Calls(Binding):
    """Adds calls of what the repository defines."""

    def __init__(self, program: Program, budget: Budget) -> None:
        super().__init__(program, budget)
        self._decorations: set[int] = set()
        """places of calls that apply a decorator"""
        self._decorator_makers: set[int] = set()
        """places of calls whose result decorates: `@register(name="x")`"""
        self.silent: set[int] = set()
        """places where something outside is applied that gives back what it is given"""
        self.reached = Reached()
        """Definitions."""
        self.reached_outside = Reached()
        """Numbers of dotted names."""
        self._constructed: set[int] = set()
        """places of calls and classes they construct, packed"""
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
        self.made: list[tuple[int, int]] = []
        """(class, variable of the result) of calls of classes with a `__new__` of their own"""
        self._doubtful: list[tuple[int, int]] = []
        """(object, variable) of what decorators may give back only where they are called with options"""
        self._given_back: dict[int, set[int]] = {}
        """Variable of what was decorated -> what else came back, -1 for the decorated itself"""
        self._around_others = set(program.parents)
        self.constructed: set[int] = set()
        """Classes that some call makes an instance of."""
        self._made_of: dict[int, tuple[int, int]] = {}
        """class -> variables of all that its `__new__` gives anywhere, and of what of that is an instance of it"""
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
            self._decorations.add(place)
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
        place = unit.places + offset
        self.call(held, place, read_arguments(unit, offset), unit.variables + unit.code[offset + 2], "call")

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
        key = ((((variable << _BITS) + place) << _BITS) + target) << 1 | (receiver >= 0)
        if key in self._listened:
            return
        self._listened.add(key)
        number = len(self._pending_calls)
        self._pending_calls.append((receiver, place, arguments, target, how))
        self.listen(variable, self._on_pending_call, number)

    def listen_receiver(self, variable: int, receiver: int, how: str) -> None:
        """What the variable holds is called as a method of `receiver` somewhere: said once, however many places call it."""
        pair = variable << _BITS | receiver
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
        call = ((place << _BITS) + definition) << 1 | skip
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
        elif arguments.positional and (place in self._decorations or definition in self.wrapping):
            # what is decorated comes last, behind what a partial application was given before
            argument = arguments.positional[-1 if place in self._decorations else 0]
            target = self._decorated(definition, passed, argument, target)
        self.give_result(definition, self.own_share(definition, arguments, target), passed)

    def own_share(self, definition: int, arguments: Arguments, target: int) -> int:
        """The variable that takes the result of one call for `target`, where a function mixes what its calls give it."""
        return target

    def _decorated(self, definition: int, passed: Mapping[int, int], argument: int, target: int) -> int:
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
        kind, about = self.objects.kind[held], self.objects.a[held]
        if kind == ob.CLASS and self._wraps_class(about, definition, parameter):
            self.flow(argument, target)
        elif held in self.holds[parameter] or self._is_of_another(held, definition):
            self.flow(argument, target)
            self._given_back.setdefault(target, set()).add(-1)
        elif kind == ob.PARTIAL or (kind == ob.FUNCTION and (self._may_decorate(about) or self._holds_class(argument))):
            self._doubtful.append((held, target))
        else:
            self._give_decorated(held, target)
        if kind == ob.FUNCTION and self._is_closure(about, definition) and self.program.is_decorated_by(about, WRAPS):
            self.flow(argument, target)

    def _give_decorated(self, held: int, target: int) -> None:
        self.put(target, held)
        self._given_back.setdefault(target, set()).add(held)

    def _may_decorate(self, definition: int) -> bool:
        """Whether a function has others inside, or gives back what it is given: a decorator rather than a wrapper."""
        parameters = self.program.functions[definition].parameters
        given_back = bool(parameters) and self.result_sources(definition) == [parameters[0][1]]
        return given_back or definition in self._around_others

    def _holds_class(self, variable: int) -> bool:
        self.demand(variable)
        return any(self.objects.kind[held] == ob.CLASS for held in self.holds[variable])

    def _comes_of_options(self, held: int, target: int) -> bool:
        """Whether a decorator gives something back only where it is called with options and nothing to decorate yet.

        So it is with what the final wrapper is defined in, and with anything else where a class comes back as it was.
        """
        others = self._given_back.get(target, set())
        about = self.objects.a[held]
        if -1 in others or self.objects.kind[held] == ob.PARTIAL or about not in self._around_others:
            return bool(others)
        return any(
            self.objects.kind[one] == ob.FUNCTION and self.program.parents[self.objects.a[one]] == about
            for one in others
        )

    def _wraps_class(self, cls: int, definition: int, parameter: int) -> bool:
        """Whether a class is made around the one that is decorated: one for each, so it is taken for what it is made of.

        As one class it would inherit from everything that was ever decorated.
        """
        bases = self.program.classes[cls].bases
        return self._is_closure(cls, definition) and any(self._stands_for(base, parameter) for base in bases)

    def _is_of_another(self, held: int, definition: int) -> bool:
        """Whether a decorator gives back what it did not make but was given elsewhere: handed on to others, all meet further in."""
        kind, about = self.objects.kind[held], self.objects.a[held]
        if kind not in (ob.CLASS, ob.FUNCTION) or self._is_closure(about, definition):
            return False
        decorated = self.program.definitions[about].decorators
        return kind == ob.CLASS or (bool(decorated) and not self.program.is_decorated_by(about, WRAPS))

    def _on_decorator_made(self, held: int, definition: int, target: int) -> None:
        """A call gave this, and decorates by it: what the function gives back where it decorates itself is not meant."""
        if self.objects.kind[held] == ob.FUNCTION and self.program.is_decorated_by(self.objects.a[held], WRAPS):
            self._doubtful.append((held, target))
        elif not self._is_of_another(held, definition):
            self._give_decorated(held, target)

    def _stands_for(self, variable: int, parameter: int) -> bool:
        """Whether a variable is a mere copy of a parameter."""
        unit = self.program.unit_of_variable(variable)
        for _ in range(MOST_COPIES):
            if variable == parameter:
                return True
            copied = self._copied(unit, variable, {parameter})
            if not copied or len(copied) > 1:
                return False
            variable = copied[0]
        return False

    def _is_closure(self, definition: int, around: int) -> bool:
        """Whether a function is defined in another, directly or one level deeper."""
        parent = self.program.parents[definition]
        return parent >= 0 and around in (parent, self.program.parents[parent])

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
            copied = None if variable in parameters else self._copied(unit, variable, parameters)
            if not copied or len(seen) > 40:
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
            self.listen_call(variable, held, place, Arguments(arguments), target, "implicit")
        return found

    def holds_anything(self, variable: int) -> bool:
        """Whether the variable has a static definition or holds something by now."""
        return variable < self.program.variables or bool(self.holds[variable])

    def invoke_method(self, method: int, receiver: int, target: int, arguments: tuple[int, ...], site: int) -> None:
        if self.objects.kind[method] == ob.FUNCTION:
            self.invoke(-2 - site, self.objects.a[method], receiver, Arguments(arguments), target, "implicit")

    # ---- classes

    def construct(self, place: int, held: int, arguments: Arguments, target: int, how: str) -> None:
        """A class is called."""
        cls = self.objects.a[held]
        key = (place << _BITS) + cls
        if key in self._constructed:
            return
        self._constructed.add(key)
        self.constructed.add(cls)
        self.note(place, cls, "constructor" if how == "call" else how)
        for meta in self.metaclasses(cls):
            for variable in self.class_variables(meta, "__call__"):
                self.listen_call(variable, held, place, arguments, target, "constructor")
        instance = self.objects.get(ob.INSTANCE, cls)
        found = self._make(cls, place, arguments, target)
        for variable in self.class_variables(cls, "__init__"):
            found = found or variable < self.program.variables
            self.listen_call(variable, instance, place, arguments, self.ignored, "constructor")
        if not found:
            self._construct_by_fields(cls, instance, place, arguments)

    def _make(self, cls: int, place: int, arguments: Arguments, target: int) -> bool:
        """What calling a class gives: an instance, or what its own `__new__` does; whether it has one."""
        held, makers = self.objects.get(ob.CLASS, cls), self.class_variables(cls, "__new__")
        if not any(variable < self.program.variables for variable in makers):
            self.put(target, self.objects.get(ob.INSTANCE, cls))
        if not makers:
            return False
        made = self.variable()
        self.all_made[made] = self._made_anywhere(cls, target)
        self.listen(made, self._on_made, cls, target)
        for variable in makers:
            self.listen_call(variable, held, place, arguments, made, "constructor")
        self.made.append((cls, target))
        return True

    def _made_anywhere(self, cls: int, target: int) -> int:
        """The variable of what `__new__` gives for a class whatever it is given; the class's own instances among that reach `target`."""
        known = self._made_of.get(cls)
        if known is None:
            known = self._made_of[cls] = (self.variable(), self.variable())
            self.listen(known[0], self._on_made, cls, known[1])
        self.flow(known[1], target)
        return known[0]

    def _on_made(self, held: int, cls: int, target: int) -> None:
        """Of all that a `__new__` shared by many classes may give, calling one class gives its own instances."""
        if self.objects.kind[held] != ob.INSTANCE or cls in self.ancestors(self.objects.a[held]):
            self.put(target, held)

    def settle_made(self) -> None:
        """A `__new__` of which nothing is known gives an instance of its class or of a subclass."""
        for cls, target in self.made:
            if not any(self.objects.kind[held] == ob.INSTANCE for held in self.holds[target]):
                self.put(target, self.instance(cls))

    def settle_decorators(self) -> None:
        """A decorator of which nothing is known gives back what it decorates."""
        for held, target in self._doubtful:
            if not self._comes_of_options(held, target):
                self._give_decorated(held, target)
        for place in sorted(self._decorations):
            unit, offset = self.unit_at(place)
            if not self.holds[unit.variables + unit.code[offset + 3]]:
                self.flow(unit.variables + unit.code[offset + 10], unit.variables + unit.code[offset + 2])

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
            if self.program.is_decorated_by(ancestor, _DATA_CLASSES):
                return True
        return any(name.rpartition(".")[2] in ("NamedTuple", "BaseModel", "Struct") for name in self.outside_bases(cls))

    # ---- outside

    def call_outside(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """Something outside the repository is called."""
        raise NotImplementedError

    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        """A method of an outside type is called on an object."""
        raise NotImplementedError


#: keys of what was done pack several numbers into one: as tuples they would take three times the memory
_BITS = 32
#: last part of the decorator of a closure that stands for what it wraps
WRAPS = frozenset({"wraps"})
_DATA_CLASSES = {"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}
