"""The whole solver: calls into the outside world, what always has to be resolved, and the order of work."""

from __future__ import annotations

from collections.abc import Callable

from ingest import constraints as op
from ingest.resolution import objects as ob
from ingest.resolution import outside
from ingest.resolution.arguments import Arguments
from ingest.resolution.calls import NOTHING, Calls
from ingest.resolution.model import Budget
from ingest.resolution.program import Program, Unit

Behaviour = Callable[[int, Arguments, int], None]


class Solver(Calls):
    """Resolves a program: `solve`, then read `reached`, `reached_outside` and `holds`."""

    def __init__(self, program: Program, budget: Budget) -> None:
        super().__init__(program, budget)
        self.special: set[str] = set()
        self._implicit: dict[int, set[str]] = {
            op.ATTR: set(),
            op.OPER: set(),
            op.EACH: {"__iter__", "__aiter__", "__next__", "__getitem__"},
            op.UNPACK: {"__iter__"},
            op.ENTER: {"__enter__", "__aenter__"},
            op.ITEM: {"__getitem__"},
        }
        self._abstract_methods: dict[int, set[str]] = {}
        self._abstract_classes: dict[int, bool] = {}
        self._abstract_receivers: list[int] = []
        """Methods of abstract classes: received by their own class only where no subclass is seen to."""
        self.setters: dict[int, list[int]] = {}
        """PROPERTY object -> variables of the setters' value parameters"""
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
            "builtins.iter": self._iter,
            "builtins.next": self._next,
            "builtins.map": self._map,
            "builtins.filter": self._filter,
            "builtins.zip": self._zip,
            "builtins.enumerate": self._enumerate,
            "builtins.dict": self._dict,
            "collections.OrderedDict": self._dict,
            "collections.defaultdict": self._defaultdict,
            "importlib.import_module": self._import_module,
            "builtins.__import__": self._import_module,
            "builtins.min": self._pick,
            "builtins.max": self._pick,
            "typing.cast": self._cast,
        }
        for name in ("list", "tuple", "set", "frozenset", "sorted", "reversed"):
            self.behaviours[f"builtins.{name}"] = self._copy_elements
        self.behaviours["collections.deque"] = self._copy_elements
        self.behaviours["itertools.chain"] = self._copy_elements

    # ---- the order of work

    def solve(self) -> None:
        """Runs to the fixpoint."""
        self._collect_special()
        for number, function in self.program.functions.items():
            if function.flags & op.ABSTRACT and function.owner >= 0:
                self._abstract_methods.setdefault(function.owner, set()).add(self.program.definitions[number].name)
        for unit in self.program.units:
            self._collect_stored(unit)
        for cls in self.program.classes.values():
            for variable in cls.bases:
                self.demand(variable)
        self.run()
        self._ancestors.clear()
        self.find_subclasses()
        for unit in self.program.units:
            self._start(unit)
        self.run()
        self.settle_declarations()
        self.settle_keys()
        self.run()
        for definition in self._abstract_receivers:
            self._seed(definition)
        self.run()
        self._settle_mixins()
        self.run()
        self._settle()
        self.run()

    def _collect_special(self) -> None:
        """Names of properties and of special methods: only what may reach one of them is followed for its own sake."""
        for definition in self.program.definitions:
            if definition.kind == "method":
                name = definition.name
                if name.startswith("__"):
                    self.special.add(name)
                    self.special.add(name.replace("__", "__i", 1))
                elif definition.decorators and not all(
                    text.endswith(_PLAIN_DECORATORS) for text in definition.decorators
                ):
                    self.special.add(name)

    def _collect_stored(self, unit: Unit) -> None:
        for offset in unit.roots:
            if unit.code[offset] == op.SETATTR:
                self.stored_names.add(unit.symbols[unit.code[offset + 3]])
        for number in range(unit.definitions, unit.definitions + len(unit.facts.definitions)):
            cls = self.program.classes.get(number)
            if cls is not None and cls.fields and self.program.definitions[number].decorators:
                self.stored_names.update(name for name, _ in cls.fields)

    def _start(self, unit: Unit) -> None:
        code, base = unit.code, unit.variables
        made_by = {offset: variable for variable, offset in enumerate(unit.first)}
        for number in range(unit.definitions, unit.definitions + len(unit.facts.definitions)):
            self._seed_receiver(number)
        for offset in unit.roots:
            opcode = code[offset]
            if opcode == op.CALL:
                self.start_call(unit, offset)
            elif opcode == op.SETATTR:
                value, name = base + code[offset + 4], self.name_number(unit.symbols[code[offset + 3]])
                self.listen(base + code[offset + 2], self._on_store, value, name)
            elif opcode == op.SETITEM:
                self._start_store_item(unit, offset)
            elif opcode in self._implicit:
                position = _NAME_AT.get(opcode)
                if (
                    unit.symbols[code[offset + position]] in self.special
                    if position
                    else self._implicit[opcode] & self.special
                ):
                    self.demand(base + made_by[offset])
            elif opcode == op.RAISE:
                self.listen(base + code[offset + 2], self._on_raise, unit.index, offset)

    def _seed_receiver(self, definition: int) -> None:
        function = self.program.functions.get(definition)
        if function is None or function.owner < 0 or not function.parameters:
            return
        if function.flags & op.STATIC and self.program.definitions[definition].name != "__new__":
            return
        if self._is_abstract(function.owner):
            self._abstract_receivers.append(definition)
        else:
            self._seed(definition)

    def _is_abstract(self, cls: int) -> bool:
        """Whether a class leaves methods to its subclasses, so that it has no instances of its own."""
        found = self._abstract_classes.get(cls)
        if found is None:
            names = {name for ancestor in self.ancestors(cls) for name in self._abstract_methods.get(ancestor, ())}
            found = any(self._is_left(cls, name) for name in names)
            self._abstract_classes[cls] = found
        return found

    def _is_left(self, cls: int, name: str) -> bool:
        for ancestor in self.ancestors(cls):
            if name in self.program.classes[ancestor].names:
                return name in self._abstract_methods.get(ancestor, ())
        return False

    def _seed(self, definition: int) -> None:
        function = self.program.functions[definition]
        variable = function.parameters[0][1]
        if self._is_abstract(function.owner) and self.holds[variable]:
            return
        of_class = function.flags & (op.OF_CLASS | op.STATIC)
        self.add(variable, [self.objects.get(ob.CLASS, function.owner) if of_class else self.instance(function.owner)])

    def _settle_mixins(self) -> None:
        """What a class uses and does not define may be there in the classes that it is mixed into."""
        for receiver, target, name in self.attribute_reads:
            if self.holds[target]:
                continue
            for held in sorted(self.holds[receiver] or ()):
                if self.objects.kind[held] == ob.INSTANCE and self.objects.b[held] == ob.OR_SUBCLASS:
                    self._look_in_subclasses(self.objects.a[held], name, target)

    def _look_in_subclasses(self, cls: int, name: str, target: int) -> None:
        found: dict[int, int] = {}
        for subclass in self.subclasses.get(cls, ())[:MANY_SUBCLASSES]:
            for variable in self.class_variables(subclass, name):
                found.setdefault(variable, subclass)
        for variable, subclass in found.items():
            self.listen_binding(variable, self.instance(subclass), target)

    def _settle(self) -> None:
        """After the first fixpoint: attributes that nothing in the repository defines are those of outside bases."""
        for receiver, target, name in self.attribute_reads:
            if self.holds[target]:
                continue
            for held in sorted(self.holds[receiver] or ()):
                if self.objects.kind[held] in (ob.INSTANCE, ob.CLASS):
                    bases = self.outside_bases(self.objects.a[held])
                    base = next((base for base in bases if base not in _EMPTY_BASES), None)
                    if base is not None:
                        self.add(target, [self.objects.get(ob.METHOD, b=held, name=f"{base}.{name}")])

    # ---- stores

    def _on_store(self, held: int, value: int, number: int) -> None:
        kind = self.objects.kind[held]
        name = self._name_list[number]
        if kind == ob.MODULE:
            variable = self.module_variable(self.objects.a[held], name)
            self.flow(value, variable if variable is not None else self.field(held, name))
        elif kind in (ob.INSTANCE, ob.CLASS, ob.FUNCTION):
            self.flow(value, self.field(held, name))
            if kind == ob.INSTANCE:
                self._store_by_property(held, name, value)

    def _store_by_property(self, held: int, name: str, value: int) -> None:
        for variable in self.class_variables(self.objects.a[held], name):
            if variable < self.program.variables and self.holds[variable]:
                for one in sorted(self.holds[variable] or ()):
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
                self.listen(key, self._on_store_key, held, value)
            else:
                self.flow(value, self.element(held, "*"))
        elif kind == ob.INSTANCE:
            for variable in self.class_variables(self.objects.a[held], "__setitem__"):
                given = Arguments([key if key >= 0 else self.ignored, value])
                self.listen_call(variable, held, place, given, self.ignored, "implicit")
            self.flow(value, self.field(held, "[]"))

    def _on_store_key(self, key: int, held: int, value: int) -> None:
        name = self.objects.name[key] if self.objects.kind[key] == ob.CONSTANT else "*"
        self.flow(value, self.element(held, name))

    def _on_raise(self, held: int, index: int, offset: int) -> None:
        if self.objects.kind[held] == ob.CLASS:
            self.construct(self.place(self.program.units[index], offset), held, NOTHING, self.ignored, "call")

    # ---- calls to the outside

    def call_outside(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        name = self.objects.name[held]
        self.note_outside(place, name, how)
        behaviour = self.behaviours.get(name)
        if behaviour is not None:
            behaviour(place, arguments, target)
        elif outside.is_property(name):
            self._property(place, arguments, target)
        elif name == "functools.wraps":
            self.add(target, [self.objects.get(ob.DECORATOR)])
        elif outside.is_transparent(name):
            self._transparent(place, arguments, target)
        elif (result := outside.result_type(name)) is not None:
            self.add(target, [self.objects.get(ob.RESULT, name=result)])
        else:
            self.add(target, [self.objects.get(ob.OPAQUE, name=name)])
        if place >= 0 and behaviour is None:
            unit, offset = self.unit_at(place)
            if unit.code[offset] == op.CALL and unit.code[offset + 6] & op.DECORATES:
                for variable in arguments.positional[:1]:
                    self.flow(variable, target)

    def _transparent(self, place: int, arguments: Arguments, target: int) -> None:
        self.add(target, [self.objects.get(ob.DECORATOR)])
        for variable in arguments.positional:
            self.flow(variable, target)

    def _cast(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[1:2]:
            self.flow(variable, target)

    def _super(self, place: int, arguments: Arguments, target: int) -> None:
        unit, offset = self.unit_at(place)
        if len(arguments.positional) >= 2:
            self.listen(arguments.positional[0], self._on_super_class, arguments.positional[1], target)
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
            self.add(target, [self.objects.get(ob.SUPER, cls, held)])

    def _property(self, place: int, arguments: Arguments, target: int) -> None:
        getter = [*arguments.positional, *(v for k, v in arguments.keywords.items() if k == "fget")]
        for variable in getter[:1]:
            self.listen(variable, self._on_getter, place, target)

    def _on_getter(self, held: int, place: int, target: int) -> None:
        self.add(target, [self.objects.get(ob.PROPERTY, place, held)])

    def _static(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_static, target)

    def _on_static(self, held: int, target: int) -> None:
        self.add(target, [self.objects.get(ob.STATIC, b=held)])

    def _of_class(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_of_class, target)

    def _on_of_class(self, held: int, target: int) -> None:
        self.add(target, [self.objects.get(ob.OF_CLASS, b=held)])

    def _partial(self, place: int, arguments: Arguments, target: int) -> None:
        if arguments.positional:
            number = self.objects.get(ob.PARTIAL, place)
            splats = [(at - 1, variable) for at, variable in arguments.splats]
            given = Arguments(arguments.positional[1:], splats, arguments.keywords, arguments.mappings)
            self.partials[number] = (arguments.positional[0], given)
            self.add(target, [number])

    def _type(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) == 1:
            self.listen(arguments.positional[0], self._on_type, target)

    def _on_type(self, held: int, target: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            self.add(target, [self.class_of(held)])
        elif self.objects.kind[held] == ob.RESULT:
            self.add(target, [self.objects.get(ob.EXTERNAL, name=self.objects.name[held])])

    def _getattr(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) >= 2:
            self.listen(arguments.positional[1], self._on_attribute_name, arguments.positional[0], target)
        for variable in arguments.positional[2:3]:
            self.flow(variable, target)

    def _on_attribute_name(self, held: int, receiver: int, target: int) -> None:
        if self.objects.kind[held] == ob.CONSTANT:
            self.read_attribute(receiver, self.objects.name[held].strip("'\""), target)

    def _setattr(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) == 3:
            self.listen(arguments.positional[1], self._on_store_name, arguments.positional[0], arguments.positional[2])

    def _on_store_name(self, held: int, receiver: int, value: int) -> None:
        if self.objects.kind[held] == ob.CONSTANT:
            name = self.objects.name[held].strip("'\"")
            self.stored_names.add(name)
            self.listen(receiver, self._on_store, value, self.name_number(name))

    # ---- iteration and containers

    def _made(self, place: int, kind: str, target: int) -> int:
        number = self.objects.get(ob.CONTAINER, place, name=kind)
        self.container(number)
        self.add(target, [number])
        return number

    def _copy_elements(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "list", target)
        for variable in arguments.positional:
            self.listen(variable, self._on_copy_elements, self.element(number, "*"), target)

    def _on_copy_elements(self, held: int, element: int, target: int) -> None:
        self.iterate(held, element)

    def _iter(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_iter, target, place)

    def _on_iter(self, held: int, target: int, place: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            for variable in self.class_variables(self.objects.a[held], "__iter__"):
                self.listen_call(variable, held, place, NOTHING, target, "implicit")
        else:
            self.add(target, [held])

    def _next(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_next_of, target, place)
        for variable in arguments.positional[1:2]:
            self.flow(variable, target)

    def _on_next_of(self, held: int, target: int, place: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            for variable in self.class_variables(self.objects.a[held], "__next__"):
                self.listen_call(variable, held, place, NOTHING, target, "implicit")
        else:
            self.iterate(held, target)

    def _callback(self, place: int, function: int, given: list[int], result: int) -> None:
        self.listen_call(function, -1, place, Arguments(given), result, "callback")

    def _map(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "generator", target)
        for position, function in enumerate(arguments.positional):
            given = []
            for other in arguments.positional[:position] + arguments.positional[position + 1 :]:
                element = self.variable()
                self.listen(other, self._on_each, element)
                given.append(element)
            self._callback(place, function, given, self.element(number, "*"))

    def _filter(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "generator", target)
        for variable in arguments.positional[1:2]:
            self.listen(variable, self._on_each, self.element(number, "*"))
            self._callback(place, arguments.positional[0], [self.element(number, "*")], self.ignored)

    def _zip(self, place: int, arguments: Arguments, target: int) -> None:
        pair = self.objects.get(ob.CONTAINER, place, name="tuple")
        for position, variable in enumerate(arguments.positional):
            self.listen(variable, self._on_each, self.element(pair, str(position)))
        self.add(self.element(self._made(place, "generator", target), "*"), [pair])

    def _enumerate(self, place: int, arguments: Arguments, target: int) -> None:
        pair = self.objects.get(ob.CONTAINER, place, name="tuple")
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, self.element(pair, "1"))
        self.add(self.element(self._made(place, "generator", target), "*"), [pair])

    def _dict(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "dict", target)
        for name, variable in arguments.keywords.items():
            self.flow(variable, self.element(number, repr(name)))
        for variable in (*arguments.positional[:1], *arguments.mappings):
            self.listen(variable, self._on_update, number)

    def _on_update(self, held: int, number: int) -> None:
        """A mapping or an iterable of pairs is added to a mapping."""
        if self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] == "dict":
            self._on_spread(held, number)
        else:
            pair = self.variable()
            self.iterate(held, pair)
            self.listen(pair, self._on_pair, number)

    def _on_pair(self, held: int, number: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER:
            self.read_element(held, "1", self.element(number, "*"))

    def _defaultdict(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "dict", target)
        for variable in arguments.positional[:1]:
            self._callback(place, variable, [], self.element(number, "*"))

    def _pick(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) == 1:
            self.listen(arguments.positional[0], self._on_each, target)
        else:
            for variable in arguments.positional:
                self.flow(variable, target)

    def _import_module(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_import_module, target, place)

    def _on_import_module(self, held: int, target: int, place: int) -> None:
        if self.objects.kind[held] != ob.CONSTANT:
            return
        text = self.objects.name[held].strip("'\"")
        name = text.lstrip(".")
        unit, _ = self.unit_at(place)
        modules = self.program.modules
        level = len(text) - len(name)
        found = modules.relative(name, level, unit.index) if level else modules.find(name, unit.index)
        self.add(target, [self.module_object(found) if found is not None else self.objects.get(ob.EXTERNAL, name=name)])

    # ---- methods of built-in types

    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        name, receiver = self.objects.name[held], self.objects.b[held]
        if name.startswith("property."):
            self._property_method(receiver, arguments, target)
            return
        self.note_outside(place, name, how)
        method = name.rpartition(".")[2]
        if self.objects.kind[receiver] == ob.CONTAINER:
            self._container_method(receiver, method, place, arguments, target)
        elif (result := outside.result_type(name)) is not None:
            self.add(target, [self.objects.get(ob.RESULT, name=result)])
        elif self.objects.kind[receiver] == ob.GENERATOR and method in ("__next__", "send", "__anext__"):
            self.iterate(receiver, target)
        elif method in ("__new__", "__enter__", "copy"):
            kind = self.objects.kind[receiver]
            self.add(
                target, [self.objects.get(ob.INSTANCE, self.objects.a[receiver]) if kind == ob.CLASS else receiver]
            )

    def _property_method(self, receiver: int, arguments: Arguments, target: int) -> None:
        self.add(target, [receiver])
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_setter, receiver)

    def _on_setter(self, held: int, receiver: int) -> None:
        if self.objects.kind[held] == ob.FUNCTION:
            parameters = self.program.functions[self.objects.a[held]].parameters
            if len(parameters) > 1:
                self.setters.setdefault(receiver, []).append(parameters[1][1])

    def _container_method(self, held: int, method: str, place: int, arguments: Arguments, target: int) -> None:
        given = arguments.positional
        if method in ("append", "add", "appendleft", "push"):
            for variable in given[:1]:
                self.flow(variable, self.element(held, "*"))
        elif method == "insert":
            for variable in given[1:2]:
                self.flow(variable, self.element(held, "*"))
        elif method in ("extend", "extendleft"):
            for variable in given[:1]:
                self.listen(variable, self._on_each, self.element(held, "*"))
        elif method == "update":
            for variable in given[:1]:
                self.listen(variable, self._on_update if self.objects.name[held] == "dict" else self._on_spread, held)
            for name, variable in arguments.keywords.items():
                self.flow(variable, self.element(held, repr(name)))
        elif method in ("pop", "get", "setdefault", "popleft", "popitem", "__getitem__"):
            self._take(held, method, arguments, target)
        elif method in ("values", "items", "keys"):
            self._view(held, method, place, target)
        elif method in ("copy", "__iter__", "union", "difference", "intersection"):
            self.add(target, [held])

    def _take(self, held: int, method: str, arguments: Arguments, target: int) -> None:
        given = arguments.positional
        if self.objects.name[held] == "dict" and given:
            self.read_element_by(held, given[0], target)
            for variable in given[1:2]:
                self.flow(variable, target)
                if method == "setdefault":
                    self.flow(variable, self.element(held, "*"))
        else:
            self.read_elements(held, target)

    def _view(self, held: int, method: str, place: int, target: int) -> None:
        number = self._made(place, "list", target)
        if method == "values":
            self.read_elements(held, self.element(number, "*"))
        elif method == "items":
            pair = self.objects.get(ob.CONTAINER, place, name="tuple")
            self.iterate(held, self.element(pair, "0"))
            self.read_elements(held, self.element(pair, "1"))
            self.add(self.element(number, "*"), [pair])
        else:
            self.iterate(held, self.element(number, "*"))


#: a mixin's attributes are looked for in so many of the classes that use it
MANY_SUBCLASSES = 40
_EMPTY_BASES = {"builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC", "abc.ABCMeta"}
_PLAIN_DECORATORS = ("staticmethod", "classmethod", "abstractmethod", "overload")
#: where an operation carries the name of what it may call
_NAME_AT = {op.ATTR: 3, op.OPER: 2}
