"""Containers: their elements by key, and iteration."""

from __future__ import annotations

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.program import Program, Unit
from tests.oracle.resolver.values.values import Values


class Containers(Values):
    """Adds the reading of elements."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.late_keys: list[tuple[int, int, int]] = []
        """(container, variable of the key, target) of every read by a key that is not written out."""
        self._late_stores: list[tuple[int, int, int]] = []
        """(container, variable of the key, value) of every store under such a key."""
        self.assigns |= {
            op.CONTAINER: self._container,
            op.ITEM: self._item,
            op.UNPACK: self._unpack,
            op.SLICE: self._slice,
            op.EACH: self._each,
        }

    # ---- elements by key

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
        self.put(target, number)

    def _on_spread(self, held: int, number: int) -> None:
        """The elements of one container become elements of another: of mappings by key, or their keys where the other is none."""
        if not self.is_mapping(number):
            self.iterate(held, self.element(number, "*"))
        elif self.is_mapping(held):
            self.spread(held, number)
            self.flow(self.keys(held), self.keys(number))
        else:
            self.iterate(held, self.element(number, "*"))

    def is_mapping(self, held: int) -> bool:
        """Whether the object is a container of values by key."""
        return self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] in ob.MAPPINGS

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
        if self.is_mapping(held) or (
            self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] in ("list", "tuple", "deque")
        ):
            self.read_element_by(held, key, target)
            if self.objects.name[held] == "defaultdict":
                self.listen(key, self.add_key, held)
        else:
            self._on_item(held, target, -1)

    def read_element_by(self, held: int, key: int, target: int) -> None:
        """The elements whose keys the variable `key` holds; all of them where it is not known to hold constants only."""
        self.listen(key, self._on_key, held, target)
        self.late_keys.append((held, key, target))

    def add_key(self, key: int, held: int) -> None:
        """A mapping has a key that is no constant: iterating over the mapping gives it back."""
        if self.objects.kind[key] not in (ob.CONSTANT, ob.RESULT, ob.OPAQUE):
            self.put(self.keys(held), key)

    def store_element_by(self, held: int, key: int, value: int) -> None:
        """The value becomes an element under the keys that the variable `key` holds."""
        self.listen(key, self._on_store_key, held, value)
        self._late_stores.append((held, key, value))
        if self.is_mapping(held):
            self.listen(key, self.add_key, held)

    def _on_store_key(self, key: int, held: int, value: int) -> None:
        name = self.objects.name[key] if self.objects.is_key(key) else "*"
        self.flow(value, self.element(held, name))

    def settle_keys(self) -> None:
        """Where nothing is known of a key, any element may be meant."""
        for held, key, target in self.late_keys:
            if not self.holds[key]:
                self.read_elements(held, target)
        for held, key, value in self._late_stores:
            if not self.holds[key]:
                self.flow(value, self.element(held, "*"))

    def _on_key(self, key: int, held: int, target: int) -> None:
        if self.objects.is_key(key):
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
            if not self.call_method(held, "__getitem__", target, ()) and not self._read_field(held, key, target):
                self.flow(self.field(held, "[]"), target)
        elif kind == ob.CLASS and self.is_enumeration(self.objects.a[held]):
            self.put(target, self.objects.get(ob.INSTANCE, self.objects.a[held]))
        elif kind == ob.CLASS:
            self.put(target, held)
        elif kind == ob.RESULT:
            self.add_known(target, outside.element_of(self.objects.name[held]))
        elif kind == ob.EXTERNAL:
            self.put(target, held)

    def _unpack(self, unit: Unit, offset: int, target: int) -> None:
        key = unit.code[offset + 3]
        number = self.name_number(unit.symbols[key]) if key >= 0 else -1
        self.listen(unit.variables + unit.code[offset + 2], self._on_unpack, target, number)

    def _on_unpack(self, held: int, target: int, key: int) -> None:
        if key >= 0 and self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] in ("tuple", "list"):
            self.read_element(held, self._name_list[key], target)
        elif self.objects.kind[held] != ob.INSTANCE or not self._read_field(held, key, target):
            self.iterate(held, target)

    def _read_field(self, held: int, key: int, target: int) -> bool:
        """An instance gives its fields by position (named tuples, and data classes in patterns) or by key (typed dictionaries)."""
        if key < 0:
            return False
        names, text = self.field_names(self.objects.a[held]), self._name_list[key]
        by_key = {str(at): name for at, name in enumerate(names)} | {repr(name): name for name in names}
        found = by_key.get(text)
        if found is not None:
            self.attribute(held, found, target)
        return found is not None

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
                self.put(target, self.objects.a[held] if self.objects.kind[held] == ob.CONSTANT else held)
            return
        number = self.objects.get(ob.CONTAINER, place, name=self.objects.name[held])
        for key, variable in list(self.container(held).fields.items()):
            if key.isdigit() and int(key) >= start:
                self.flow(variable, self.element(number, str(int(key) - start)))
        self.flow(self.element(held, "*"), self.element(number, "*"))
        self.put(target, number)

    # ---- iteration

    def _each(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_each, target)

    def _on_each(self, held: int, target: int) -> None:
        self.iterate(held, target)

    def iterate(self, held: int, target: int) -> None:
        """`target` receives what iterating over the object gives."""
        objects = self.objects
        kind = objects.kind[held]
        if kind == ob.CONTAINER:
            if objects.name[held] in ob.MAPPINGS:
                keys = [key for key in self.container(held).fields if key != "*"]
                text = objects.get(ob.RESULT, name="builtins.str")
                self.add(target, [objects.get(ob.CONSTANT, text, name=key) for key in keys])
                self.flow(self.keys(held), target)
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
        if self.is_enumeration(self.objects.a[held]):
            self.put(target, self.objects.get(ob.INSTANCE, self.objects.a[held]))

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
            if not self.call_method(held, "__next__", target, (), site=target):
                later = self.variable()
                if self.call_method(held, "__anext__", later, (), site=target):
                    self.listen(later, self._on_await, target)
        else:
            self.iterate(held, target)
