"""Virtual dispatch: which implementations a method call may reach, by the classes that can have instances.

The fixpoint follows objects from where they are made. What a framework, a test runner or a caller outside the repository makes, it does
not see; a method called on `self` or on a parameter of a declared class then reaches what any live subclass has under that name.
A class is live when something makes an instance of it, hands it on as a value, or nothing stands below it that could be meant instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from pathspec import GitIgnoreSpec

from repoquarry.languages import constraints as op
from repoquarry.languages.python import PYTHON
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.program import Unit
from tests.oracle.resolver.report.rules import IN_CODE, IN_TESTS, NOWHERE
from tests.oracle.resolver.solver import Solver

_TESTS = GitIgnoreSpec.from_lines((*PYTHON.tests.files, *PYTHON.tests.folders))

#: from so many implementations on, those of a method called on `self` are all there to be called: a hook
HOOKS = 3
#: declared receivers of an abstract class with more implementations than this say little about each
FEW_IMPLEMENTATIONS = 4


class Dispatch:
    """Answers for one solved program; everything is computed when it is first asked for."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.program = solver.program
        self._live: dict[int, bool] = {}
        self._protocols: dict[int, bool] = {}
        self._made = solver.constructed | set(self._handed_on())
        self._definers: dict[str, set[int]] = {}
        for cls, record in self.program.classes.items():
            for name in record.names:
                self._definers.setdefault(name, set()).add(cls)
        self._made_in_code = {cls for place, cls in solver.constructions() if not self._is_in_tests(place)}
        self._relatives: dict[int, set[int]] = {}
        self._found: dict[tuple[int, str, str], dict[int, bool]] = {}

    def implementations(self, cls: int, name: str, caller: str = "") -> dict[int, bool]:
        """Method -> whether a live class reaches it, for `name` on an instance of `cls` or a subclass.

        With `caller`, the name of a method of `cls` that calls it on `self`: only classes in which `caller` is that very method.
        """
        key = (cls, name, caller)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = {}
            for one in self._conforming(cls) if not caller else ():
                for definition in self._methods(self._definer(one, name), name):
                    found[definition] = found.get(definition, False) or self.is_live(one)
            if self._varies(cls, name):
                for one in (cls, *self.solver.subclasses.get(cls, ())):
                    if not caller or self._definer(one, caller) == cls:
                        for definition in self._methods(self._definer(one, name), name):
                            found[definition] = found.get(definition, False) or self.is_live(one)
        return found

    def grounds(self, method: int) -> int:
        """Where instances are made of the classes of which a method is the one that they have."""
        cls, name = self.program.parents[method], self.program.definitions[method].name
        if cls not in self.program.classes:
            return IN_CODE
        having = (one for one in self.solver.subclasses.get(cls, ()) if self._definer(one, name) == cls)
        return min(
            IN_CODE if one in self._made_in_code else IN_TESTS if one in self._made else NOWHERE
            for one in (cls, *having)
        )

    def _is_in_tests(self, place: int) -> bool:
        unit = self.program.place(place)[0] if place >= 0 else self.program.unit_of_variable(-2 - place)
        return (place >= 0 or 0 <= -2 - place < self.program.variables) and _TESTS.match_file(unit.facts.path)

    def _varies(self, cls: int, name: str) -> bool:
        """Whether a subclass can reach something else than the class itself does."""
        relatives = self._relatives.get(cls)
        if relatives is None:
            below = self.solver.subclasses.get(cls, ())
            relatives = {one for subclass in below for one in self.solver.ancestors(subclass)}
            self._relatives[cls] = relatives = relatives.difference(self.solver.ancestors(cls))
        return not relatives.isdisjoint(self._definers.get(name, ()))

    def _conforming(self, cls: int) -> list[int]:
        """Classes that have all members of a protocol, without naming it as a base."""
        if not self.is_protocol(cls):
            return []
        members = {
            name
            for one in self.solver.ancestors(cls)
            for name in (*self.program.classes[one].names, *(name for name, _ in self.program.classes[one].fields))
            if not name.startswith("_")
        }
        candidates = set[int].intersection(*(self._having(name) for name in members)) if members else set()
        return sorted(one for one in candidates if cls not in self.solver.ancestors(one))

    def is_protocol(self, cls: int) -> bool:
        """Whether classes conform to this one by what they have."""
        found = self._protocols.get(cls)
        if found is None:
            bases = self.solver.outside_bases(cls)
            found = self._protocols[cls] = any(base.rpartition(".")[2] == "Protocol" for base in bases)
        return found

    def _having(self, name: str) -> set[int]:
        """Classes that define a name or inherit it."""
        definers = self._definers.get(name, set())
        return definers.union(*(self.solver.subclasses.get(one, ()) for one in definers))

    def _definer(self, cls: int, name: str) -> int:
        return next((one for one in self.solver.ancestors(cls) if name in self.program.classes[one].names), -1)

    def _methods(self, definer: int, name: str) -> Iterator[int]:
        if definer < 0:
            return
        record = self.program.classes[definer]
        variable = record.names[name]
        unit, first = record.unit, record.unit.first[variable - record.unit.variables]
        if first >= 0 and unit.code[first] == op.FUNC and unit.code[first + 1] < 0:
            yield unit.definitions + unit.code[first + 2]
            return
        if not self.solver.demanded[variable]:  # decorated, and nobody has asked for it so far
            self.solver.demand(variable)
            self.solver.run()
        objects = self.solver.objects
        for held in sorted(self.solver.holds[variable]):
            if objects.kind[held] in (ob.STATIC, ob.OF_CLASS):
                held = objects.b[held]
            if objects.kind[held] == ob.FUNCTION:
                yield objects.a[held]

    # ---- liveness

    def is_live(self, cls: int) -> bool:
        """Whether the class can have instances of its own."""
        found = self._live.get(cls)
        if found is None:
            found = self._live[cls] = (
                cls in self._made or not self.solver.subclasses.get(cls) or self.is_test(cls)
            ) and (cls in self._made or not self.solver.is_abstract_class(cls))
        return found

    def is_test(self, cls: int) -> bool:
        """Whether a test runner makes instances of the class."""
        name = self.program.definitions[cls].name
        return name.startswith("Test") or any("TestCase" in base for base in self.solver.outside_bases(cls))

    def _handed_on(self) -> Iterator[int]:
        """Classes that are passed as arguments."""
        objects = self.solver.objects
        for unit in self.program.units:
            for offset in unit.roots:
                if unit.code[offset] == op.CALL and not self._asks(unit, offset):
                    for at in range(offset + 10, offset + 9 + 2 * unit.code[offset + 8], 2):
                        for held in self.solver.holds[unit.variables + unit.code[at]]:
                            if objects.kind[held] == ob.CLASS:
                                yield objects.a[held]

    @staticmethod
    def _asks(unit: Unit, offset: int) -> bool:
        """Whether the call only asks about a class."""
        name = unit.code[offset + 7]
        return name >= 0 and unit.symbols[name] in ("isinstance", "issubclass", "super", "cast")
