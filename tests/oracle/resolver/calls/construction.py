"""Calls of special methods, and of classes: what they make."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import NOTHING, Arguments
from tests.oracle.resolver.calls.calls import BITS
from tests.oracle.resolver.calls.decorators import Decorators
from tests.oracle.resolver.program import Program

_DATA_CLASSES = {"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}


class Construction(Decorators):
    """Adds the making of instances."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._constructed: set[int] = set()
        """places of calls and classes they construct, packed"""
        self.made: list[tuple[int, int]] = []
        """(class, variable of the result) of calls of classes with a `__new__` of their own"""
        self.constructed: set[int] = set()
        """Classes that some call makes an instance of."""
        self._made_of: dict[int, tuple[int, int]] = {}
        """class -> variables of all that its `__new__` gives anywhere, and of what of that is an instance of it"""

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

    def constructions(self) -> Iterator[tuple[int, int]]:
        """Places of calls and the classes that they construct."""
        for key in self._constructed:
            yield key >> BITS, key & ((1 << BITS) - 1)

    def construct(self, place: int, held: int, arguments: Arguments, target: int, how: str) -> None:
        """A class is called."""
        cls = self.objects.a[held]
        key = (place << BITS) + cls
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

    def _construct_by_fields(self, cls: int, instance: int, place: int, arguments: Arguments) -> None:
        """Classes without a constructor of their own: data classes take their fields, others their outside base's arguments."""
        names = self.field_names(cls)
        if names:
            for name, variable in zip(names, arguments.positional, strict=False):
                self.flow(variable, self.field(instance, name))
            for name, variable in arguments.keywords.items():
                self.flow(variable, self.field(instance, name))
            for variable in arguments.mappings:
                for name in names:
                    self.pass_element(variable, repr(name), self.field(instance, name))
            for variable in self.class_variables(cls, "__post_init__"):
                self.listen_call(variable, instance, place, NOTHING, self.ignored, "constructor")
            return
        for base in self.outside_bases(cls):
            if not base.startswith(("builtins.", "typing.", "abc.", "enum.")):
                self.note_outside(place, f"{base}.__init__", "constructor")
                break

    def field_names(self, cls: int) -> list[str]:
        """The annotated names that a class's constructor is made from; none where it is not."""
        if not self.is_data_class(cls):
            return []
        return [name for ancestor in reversed(self.ancestors(cls)) for name, _ in self.program.classes[ancestor].fields]

    def is_data_class(self, cls: int) -> bool:
        """Whether the class's constructor is made from its annotated names."""
        for ancestor in self.ancestors(cls):
            if self.program.is_decorated_by(ancestor, _DATA_CLASSES):
                return True
        return any(
            name.rpartition(".")[2] in ("NamedTuple", "TypedDict", "BaseModel", "Struct")
            for name in self.outside_bases(cls)
        )
