"""The whole solver: what always has to be resolved, and the order of work."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.outside.stubs import Stubs
from tests.oracle.resolver.program import Program, Unit

#: a mixin's attributes are looked for in so many of the classes that use it
MANY_SUBCLASSES = 40
_EMPTY_BASES = {"builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC", "abc.ABCMeta"}
_PLAIN_DECORATORS = {"staticmethod", "classmethod", "abstractmethod", "overload"}
_SETTERS = ("setattr", "__setattr__")
#: where an operation carries the name of what it may call
_NAME_AT = {op.ATTR: 3, op.OPER: 2}


class Solver(Stubs):
    """Resolves a program: `solve`, then read `reached`, `reached_outside` and `holds`."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
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

    # ---- the order of work

    def solve(self) -> None:
        """Runs to the fixpoint."""
        self._collect_special()
        self.find_loaders()
        for number, function in self.program.functions.items():
            if function.flags & op.ABSTRACT and function.owner >= 0:
                self._abstract_methods.setdefault(function.owner, set()).add(self.program.definitions[number].name)
        for unit in self.program.units:
            self._collect_stored(unit)
        for cls in self.program.classes.values():
            for variable in cls.bases:
                self.demand(variable)
        self.run()
        self.looking_for_bases = False
        self.forget_classes()
        self.find_subclasses()
        self._tell_of_subclasses()
        self.read_stubs()
        self.inject_fixtures()
        for unit in self.program.units:
            self._start(unit)
        self.run()
        self.settle_declarations()
        self.settle_keys()
        self.settle_made()
        self.settle_decorators()
        self.run()
        for definition in self._abstract_receivers:
            self._seed(definition)
        self.run()
        self._settle_mixins()
        self.run()
        self._settle()
        self.run()
        for unit in self.program.units:
            self._demand_handed_on(unit)
        self.run()
        self.settle_shared()

    def _tell_of_subclasses(self) -> None:
        """Making a class calls `__init_subclass__` of the next class above it that has one."""
        for cls in sorted(self.program.classes):
            for ancestor in self.ancestors(cls)[1:]:
                method = self.program.classes[ancestor].names.get("__init_subclass__")
                if method is not None:
                    receiver = self.objects.get(ob.INSTANCE, cls)
                    given = Arguments(keywords=dict(self.program.classes[cls].keywords))
                    place = -2 - self.variable()
                    self.listen_call(method, receiver, place, given, self.ignored, "implicit")
                    break

    def _demand_handed_on(self, unit: Unit) -> None:
        """Functions and classes that are named as an argument or in a table: mentions of them are edges too."""
        code, base = unit.code, unit.variables
        for offset in unit.roots:
            if code[offset] == op.CALL:
                for at in range(offset + 10, offset + 9 + 2 * code[offset + 8], 2):
                    if not self.demanded[base + code[at]] and self._is_named(unit, code[at]):
                        self.demand(base + code[at])
            elif code[offset] == op.MENTION and self._is_named(unit, code[offset + 2]):
                self.demand(base + code[offset + 2])

    def _is_named(self, unit: Unit, variable: int) -> bool:
        """Whether a variable is a definition by its name, or an attribute of something known."""
        code, first = unit.code, unit.first[unit.origin(variable)]
        if first < 0 or code[first + 1] >= 0:
            return False
        if code[first] == op.ATTR:
            return bool(self.demanded[unit.variables + code[first + 2]])
        if code[first] == op.CALL:
            return bool(code[first + 6] & op.DECORATES)
        return code[first] in (op.FUNC, op.CLASS, op.FROM)

    def _collect_special(self) -> None:
        """Names of properties and of special methods: only what may reach one of them is followed for its own sake."""
        for definition in self.program.definitions:
            if definition.kind == "method":
                name = definition.name
                if name.startswith("__"):
                    self.special.add(name)
                    self.special.add(name.replace("__", "__i", 1))
                elif not all(decorator.name in _PLAIN_DECORATORS for decorator in definition.decorators):
                    self.special.add(name)

    def _collect_stored(self, unit: Unit) -> None:
        for offset in unit.roots:
            if unit.code[offset] == op.SETATTR:
                self.store_name(unit.symbols[unit.code[offset + 3]])
            elif unit.code[offset] == op.CALL and _called_name(unit, offset) in _SETTERS:
                for name in self._constant_arguments(unit, offset):
                    self.store_name(name)
        for number in range(unit.definitions, unit.definitions + len(unit.facts.definitions)):
            cls = self.program.classes.get(number)
            if cls is not None and cls.fields and self.program.definitions[number].decorators:
                for name, _ in cls.fields:
                    self.store_name(name)

    @staticmethod
    def _constant_arguments(unit: Unit, offset: int) -> Iterator[str]:
        """The text constants that a call passes."""
        for at in range(offset + 10, offset + 9 + 2 * unit.code[offset + 8], 2):
            first = unit.first[unit.code[at]]
            if first >= 0 and unit.code[first] == op.CONST and unit.code[first + 3] >= 0:
                yield unit.symbols[unit.code[first + 3]].strip("'\"")

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
        if self.is_abstract_class(function.owner):
            self._abstract_receivers.append(definition)
        else:
            self._seed(definition)

    def is_abstract_class(self, cls: int) -> bool:
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
        if self.is_abstract_class(function.owner) and self.holds[variable]:
            return
        of_class = function.flags & (op.OF_CLASS | op.STATIC)
        self.put(variable, self.objects.get(ob.CLASS, function.owner) if of_class else self.instance(function.owner))

    def _settle_mixins(self) -> None:
        """What a class uses and does not define may be there in the classes that it is mixed into."""
        for receiver, target, name in self.unanswered_reads():
            for held in sorted(self.holds[receiver]):
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
        for receiver, target, name in self.unanswered_reads():
            for held in sorted(self.holds[receiver]):
                if self.objects.kind[held] in (ob.INSTANCE, ob.CLASS):
                    bases = self.outside_bases(self.objects.a[held])
                    base = next((base for base in bases if base not in _EMPTY_BASES), None)
                    if base is not None:
                        self.put(target, self.objects.get(ob.METHOD, b=held, name=f"{base}.{name}"))


def _called_name(unit: Unit, offset: int) -> str:
    """The name of what a call calls, empty where it is none."""
    name = unit.code[offset + 7]
    return unit.symbols[name] if name >= 0 else ""
