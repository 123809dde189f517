"""What the operations other than attributes and calls mean: definitions, imports, containers, iteration, types."""

from __future__ import annotations

from ingest import constraints as op
from ingest.resolution import objects as ob
from ingest.resolution import outside
from ingest.resolution.lookup import Lookup
from ingest.resolution.model import Budget
from ingest.resolution.program import Program, Unit

#: several roots of one place (a container and the type it is of) get places of their own
_PLACES_PER_UNIT = 1 << 32


class Values(Lookup):
    """Adds the reading of values."""

    def __init__(self, program: Program, budget: Budget) -> None:
        super().__init__(program, budget)
        self.type_arguments: dict[int, tuple[int, list[int], int]] = {}
        """GENERIC object -> (base object, variables of the arguments, definition it stands in)."""
        self.declarations: list[tuple[int, int, int]] = []
        """(what flows in, variable of the declared type, variable of the types) of every demanded declaration."""
        self.late_keys: list[tuple[int, int, int]] = []
        """(container, variable of the key, target) of every read by a key that is not written out."""
        self._declared_known: set[int] = set()
        self.assigns |= {
            op.CONST: self._const,
            op.FUNC: self._func,
            op.CLASS: self._class,
            op.NAME: self._name,
            op.IMPORT: self._import,
            op.FROM: self._from,
            op.CONTAINER: self._container,
            op.EACH: self._each,
            op.AWAIT: self._await,
            op.ENTER: self._enter,
            op.OPER: self._oper,
            op.ITEM: self._item,
            op.UNPACK: self._unpack,
            op.SLICE: self._slice,
            op.TYPED: self._typed,
            op.DECLARED: self._declared,
            op.TYPEARGS: self._typeargs,
            op.NARROW: self._narrow,
        }

    def place(self, unit: Unit, offset: int) -> int:
        """A number for an operation, unique in the program."""
        return unit.index * _PLACES_PER_UNIT + offset

    # ---- definitions, constants, names

    def _const(self, unit: Unit, offset: int, target: int) -> None:
        code = unit.code
        kind = self.objects.get(ob.RESULT, name=f"builtins.{unit.symbols[code[offset + 2]]}")
        value = code[offset + 3]
        self.add(target, [self.objects.get(ob.CONSTANT, kind, name=unit.symbols[value]) if value >= 0 else kind])

    def _func(self, unit: Unit, offset: int, target: int) -> None:
        self.add(target, [self.objects.get(ob.FUNCTION, unit.definitions + unit.code[offset + 2])])

    def _class(self, unit: Unit, offset: int, target: int) -> None:
        self.add(target, [self.objects.get(ob.CLASS, unit.definitions + unit.code[offset + 2])])

    def _name(self, unit: Unit, offset: int, target: int) -> None:
        name = unit.symbols[unit.code[offset + 2]]
        for module, level in reversed(unit.stars):
            source = self.star_source(unit, module, level)
            if isinstance(source, int) and self.is_public(source, name):
                variable = self.module_variable(source, name)
                if variable is not None:
                    self.flow(variable, target)
                    return
        if outside.is_builtin(name):
            self.add(target, [self.objects.get(ob.EXTERNAL, name=f"builtins.{name}")])
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
            self.add(target, [self.objects.get(ob.EXTERNAL, name=name)])
        else:
            self.add(target, [self.module_object(found)])

    def _from(self, unit: Unit, offset: int, target: int) -> None:
        module, level = unit.symbols[unit.code[offset + 2]], unit.code[offset + 3]
        name = unit.symbols[unit.code[offset + 4]]
        modules = self.program.modules
        found = modules.relative(module, level, unit.index) if level else modules.find(module, unit.index)
        if found is None:
            base = modules.absolute_name(module, level, unit.index)
            self.add(target, [self.objects.get(ob.EXTERNAL, name=f"{base}.{name}" if base else name)])
        else:
            self.module_attribute(self.module_object(found), name, target)

    # ---- containers

    def _container(self, unit: Unit, offset: int, target: int) -> None:
        code, base = unit.code, unit.variables
        number = self.objects.get(ob.CONTAINER, self.place(unit, offset), name=unit.symbols[code[offset + 2]])
        if number not in self.containers:
            self.container(number)
            for at in range(offset + 4, offset + 4 + 2 * code[offset + 3], 2):
                key, variable = code[at], base + code[at + 1]
                if key == op.SPREAD:
                    self.listen(variable, self._on_spread, number)
                else:
                    self.flow(variable, self.element(number, unit.symbols[key] if key >= 0 else "*"))
        self.add(target, [number])

    def _on_spread(self, held: int, number: int) -> None:
        """The elements of one container (for mappings: by key) become elements of another."""
        if self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] == "dict":
            for key, variable in list(self.container(held).fields.items()):
                self.flow(variable, self.element(number, key))
        self.iterate(held, self.element(number, "*"), values=True)

    def _item(self, unit: Unit, offset: int, target: int) -> None:
        code = unit.code
        receiver, key, variable = unit.variables + code[offset + 2], code[offset + 3], code[offset + 4]
        if key >= 0:
            self.listen(receiver, self._on_item, target, self.name_number(unit.symbols[key]))
        elif variable >= 0:
            self.listen(receiver, self._on_item_by, target, unit.variables + variable)
        else:
            self.listen(receiver, self._on_item, target, -1)

    def _on_item_by(self, held: int, target: int, key: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] in ("dict", "list", "tuple"):
            self.read_element_by(held, key, target)
        else:
            self._on_item(held, target, -1)

    def read_element_by(self, held: int, key: int, target: int) -> None:
        """The elements whose keys the variable `key` holds; all of them where it is not known to hold constants only."""
        self.listen(key, self._on_key, held, target)
        self.late_keys.append((held, key, target))

    def settle_keys(self) -> None:
        """Where nothing is known of a key, any element may be meant."""
        for held, key, target in self.late_keys:
            if not self.holds[key]:
                self.read_elements(held, target)

    def _on_key(self, key: int, held: int, target: int) -> None:
        if self.objects.kind[key] == ob.CONSTANT:
            self.read_element(held, self.objects.name[key], target)
        else:
            self.read_elements(held, target)

    def _on_item(self, held: int, target: int, key: int) -> None:
        kind = self.objects.kind[held]
        if kind == ob.CONTAINER:
            if key >= 0 and not self._name_list[key].startswith("-"):
                self.read_element(held, self._name_list[key], target)
            else:
                self.read_elements(held, target)
        elif kind == ob.INSTANCE:
            if not self.call_method(held, "__getitem__", target, ()):
                self.flow(self.field(held, "[]"), target)
        elif kind == ob.CLASS:
            self.add(target, [held])
        elif kind == ob.RESULT:
            self.add_known(target, outside.element_of(self.objects.name[held]))
        elif kind == ob.EXTERNAL:
            self.add(target, [held])

    def _unpack(self, unit: Unit, offset: int, target: int) -> None:
        key = unit.code[offset + 3]
        number = self.name_number(unit.symbols[key]) if key >= 0 else -1
        self.listen(unit.variables + unit.code[offset + 2], self._on_unpack, target, number)

    def _on_unpack(self, held: int, target: int, key: int) -> None:
        if key >= 0 and self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] in ("tuple", "list"):
            self.read_element(held, self._name_list[key], target)
        else:
            self.iterate(held, target)

    def _slice(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(
            unit.variables + unit.code[offset + 2],
            self._on_slice,
            target,
            self.place(unit, offset),
            unit.code[offset + 3],
        )

    def _on_slice(self, held: int, target: int, place: int, start: int) -> None:
        if self.objects.kind[held] != ob.CONTAINER:
            if self.objects.kind[held] == ob.INSTANCE:
                self.call_method(held, "__getitem__", target, ())
            else:
                self.add(target, [held])
            return
        number = self.objects.get(ob.CONTAINER, place, name=self.objects.name[held])
        for key, variable in list(self.container(held).fields.items()):
            if key.isdigit() and int(key) >= start:
                self.flow(variable, self.element(number, str(int(key) - start)))
        self.flow(self.element(held, "*"), self.element(number, "*"))
        self.add(target, [number])

    # ---- iteration, awaiting, context managers, operators

    def _each(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_each, target)

    def _on_each(self, held: int, target: int) -> None:
        self.iterate(held, target)

    def iterate(self, held: int, target: int, *, values: bool = False) -> None:
        """`target` receives what iterating over the object gives; for mappings with `values` their values."""
        objects = self.objects
        kind = objects.kind[held]
        if kind == ob.CONTAINER:
            if objects.name[held] == "dict" and not values:
                keys = [key for key in self.container(held).fields if key != "*"]
                text = objects.get(ob.RESULT, name="builtins.str")
                self.add(target, [objects.get(ob.CONSTANT, text, name=key) for key in keys])
            else:
                self.read_elements(held, target)
        elif kind == ob.GENERATOR:
            self.flow(self.program.functions[objects.a[held]].yielded, target)
        elif kind == ob.INSTANCE:
            self._iterate_instance(held, target)
        elif kind == ob.CLASS:
            for meta in self.metaclasses(objects.a[held]):
                for variable in self.class_variables(meta, "__iter__"):
                    self.listen(variable, self._on_iterator, held, target)
            self.enumerate_class(held, target)
        elif kind == ob.RESULT:
            self.add_known(target, outside.element_of(objects.name[held]))

    def enumerate_class(self, held: int, target: int) -> None:
        """Iterating over an enumeration gives its members."""
        if any(name.startswith("enum.") for name in self.outside_bases(self.objects.a[held])):
            self.add(target, [self.objects.get(ob.INSTANCE, self.objects.a[held])])

    def _iterate_instance(self, held: int, target: int) -> None:
        for name in ("__iter__", "__aiter__"):
            iterator = self.variable()
            if self.call_method(held, name, iterator, (), site=target):
                self.listen(iterator, self._on_next, target)
                return
        if not self.call_method(held, "__getitem__", target, (), site=target):
            self.flow(self.field(held, "[]"), target)

    def _on_iterator(self, method: int, receiver: int, target: int) -> None:
        if self.objects.kind[method] == ob.FUNCTION:
            iterator = self.variable()
            self.invoke_method(method, receiver, iterator, (), target)
            self.listen(iterator, self._on_next, target)

    def _on_next(self, held: int, target: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            for name in ("__next__", "__anext__"):
                if self.call_method(held, name, target, (), site=target):
                    return
        else:
            self.iterate(held, target)

    def _await(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_await, target)

    def _on_await(self, held: int, target: int) -> None:
        kind = self.objects.kind[held]
        if kind in (ob.COROUTINE, ob.GENERATOR):
            function = self.program.functions[self.objects.a[held]]
            self.flow(function.result, target)
            if function.declared >= 0 and kind == ob.COROUTINE:
                self.flow(function.declared, target)
        elif kind == ob.INSTANCE:
            if self.call_method(held, "__await__", self.variable(), (), site=target):
                return
        elif kind == ob.CONTAINER:
            self.read_elements(held, target)
        else:
            self.add_known(target, outside.awaited(self.type_name(held)) if kind == ob.RESULT else None)

    def _enter(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_enter, target)

    def _on_enter(self, held: int, target: int) -> None:
        kind = self.objects.kind[held]
        if kind == ob.INSTANCE:
            for name in ("__enter__", "__aenter__"):
                result = target if name == "__enter__" else self.variable()
                if self.call_method(held, name, result, (), site=target):
                    if result != target:
                        self.listen(result, self._on_await, target)
                    break
            else:
                self.add(target, [held] if self.outside_bases(self.objects.a[held]) else [])
            for name in ("__exit__", "__aexit__"):
                self.call_method(held, name, self.variable(), (), site=target)
        elif kind == ob.GENERATOR:
            self.flow(self.program.functions[self.objects.a[held]].yielded, target)
        elif kind in (ob.RESULT, ob.OPAQUE):
            self.add(target, [held])
        elif kind == ob.COROUTINE:
            self.flow(self.program.functions[self.objects.a[held]].yielded, target)

    def _oper(self, unit: Unit, offset: int, target: int) -> None:
        code, base = unit.code, unit.variables
        name = self.name_number(unit.symbols[code[offset + 2]])
        left, right = base + code[offset + 3], base + code[offset + 4]
        self.listen(left, self._on_oper, target, right, name)
        if left != right and not self._name_list[name].startswith("__i"):
            self.listen(right, self._on_reflected, target, left, name)

    def _on_oper(self, held: int, target: int, right: int, number: int) -> None:
        name = self._name_list[number]
        if self.objects.kind[held] == ob.INSTANCE:
            if name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__contains__"):
                self.call_method(held, name, self.variable(), (right,), site=target)
            elif not self.call_method(held, name, target, (right,), site=target) and name.startswith("__i"):
                self.call_method(held, name.replace("__i", "__", 1), target, (right,), site=target)
        elif self.objects.kind[held] in (ob.CONTAINER, ob.RESULT) and name in (
            "__add__",
            "__iadd__",
            "__or__",
            "__ior__",
            "__mul__",
            "__mod__",
        ):
            self.add(target, [held])
            if self.objects.kind[held] == ob.CONTAINER and name != "__mod__":
                self.listen(right, self._on_concatenated, held, target)
        elif self.objects.kind[held] == ob.CONSTANT:
            self.add(target, [self.objects.a[held]])

    def _on_concatenated(self, held: int, left: int, target: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER:
            self.add(target, [held])

    def _on_reflected(self, held: int, target: int, left: int, number: int) -> None:
        name = self._name_list[number]
        if self.objects.kind[held] == ob.INSTANCE:
            self.call_method(held, name.replace("__", "__r", 1), target, (left,), site=target)

    # ---- types

    def _typed(self, unit: Unit, offset: int, target: int) -> None:
        owner = unit.code[offset + 3]
        definition = unit.definitions + owner if owner >= 0 else -1
        self.listen(unit.variables + unit.code[offset + 2], self._on_typed, target, definition)

    def _on_typed(self, held: int, target: int, owner: int) -> None:
        objects = self.objects
        kind = objects.kind[held]
        if kind == ob.CLASS:
            self.add(target, [self.instance(objects.a[held])])
        elif kind == ob.EXTERNAL:
            name = outside.canonical_type(objects.name[held])
            if name == "typing.Self":
                cls = self.enclosing_class(owner)
                if cls >= 0:
                    self.add(target, [self.instance(cls)])
            elif name is not None:
                self.add(target, [objects.get(ob.RESULT, name=name)])
        elif kind == ob.GENERIC:
            self._typed_generic(held, target)
        elif kind == ob.CONTAINER:
            elements = self.variable()
            self.read_elements(held, elements)
            self.listen(elements, self._on_typed, target, owner)

    def _declared(self, unit: Unit, offset: int, target: int) -> None:
        self._typed(unit, offset, target)
        types = self.variable()
        self.flow(unit.variables + unit.code[offset + 2], types)
        number = len(self.declarations)
        self.declarations.append((unit.variables + unit.code[offset + 4], target, types))
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
        """Declared types that could not be understood let everything through."""
        for number, (source, target, _) in enumerate(self.declarations):
            if number not in self._declared_known:
                self._declared_known.add(number)
                self.flow(source, target)

    def _on_declared(self, held: int, target: int, types: int) -> None:
        if self.conforms(held, types):
            self.add(target, [held])

    def conforms(self, held: int, types: int) -> bool:
        """Whether an object may be of one of the types that a variable holds."""
        objects = self.objects
        for one in self.holds[types] or ():
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
        if name not in outside.PLAIN_TYPES:
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
            self.flow(arguments[0], target)
        elif role in ("list", "dict", "tuple", "generator"):
            number = objects.get(ob.CONTAINER, objects.a[held], name=role)
            for variable in arguments[1:2] if role == "dict" else arguments if role == "tuple" else arguments[:1]:
                self.listen(variable, self._on_typed, self.element(number, "*"), owner)
            self.add(target, [number])
        else:
            self._on_typed(base, target, owner)

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
        self.add(target, [number])

    def _narrow(self, unit: Unit, offset: int, target: int) -> None:
        code, base = unit.code, unit.variables
        cls = base + code[offset + 3]
        self.demand(cls)
        self.listen(base + code[offset + 2], self._on_narrow, target, cls, code[offset + 4])
        if code[offset + 4]:
            self.listen(cls, self._on_narrow_class, target, base + code[offset + 2])

    def _on_narrow(self, held: int, target: int, cls: int, keep: int) -> None:
        if self.objects.kind[held] != ob.INSTANCE:
            self.add(target, [held])
            return
        classes = self._narrowing_classes(cls)
        if not classes or bool(classes & set(self.ancestors(self.objects.a[held]))) == bool(keep):
            self.add(target, [held])

    def _narrowing_classes(self, variable: int) -> set[int]:
        """The classes that a variable holds, by itself or in a tuple of classes."""
        found: set[int] = set()
        for held in self.holds[variable] or ():
            if self.objects.kind[held] == ob.CLASS:
                found.add(self.objects.a[held])
            elif self.objects.kind[held] == ob.CONTAINER:
                for element in self.container(held).fields.values():
                    self.demand(element)
                    found.update(
                        self.objects.a[one] for one in self.holds[element] or () if self.objects.kind[one] == ob.CLASS
                    )
        return found

    def _on_narrow_class(self, held: int, target: int, source: int) -> None:
        """A value of unknown origin is an instance of the class it was found to be of."""
        self._on_typed(held, target, -1)

    # ---- what calls provide

    def add_known(self, target: int, name: str | None) -> None:
        """Adds an instance of an outside type that is known by name."""
        if name is not None:
            self.add(target, [self.objects.get(ob.RESULT, name=name)])

    def call_method(self, held: int, name: str, target: int, arguments: tuple[int, ...], site: int = -1) -> bool:
        """Calls a special method of an instance; whether its class has one."""
        raise NotImplementedError

    def invoke_method(self, method: int, receiver: int, target: int, arguments: tuple[int, ...], site: int) -> None:
        """Calls a function object as a method of the receiver."""
        raise NotImplementedError
