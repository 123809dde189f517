"""What is stored in objects: attributes of instances, classes, functions, assigned in class bodies or from outside.

An attribute of an instance or a class is read from a whole line of ancestors, most of which nobody ever stores anything in. So a
reader does not ask each of them: it is told when one of them is first stored in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.hierarchy import Hierarchy
from tests.oracle.resolver.program import Program


class Fields(Hierarchy):
    """Adds attributes."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._fields: dict[tuple[int, str], int] = {}
        """(object, attribute) -> variable of what is stored there."""
        self._stored: dict[str, dict[tuple[int, int], int]] = {}
        """attribute -> (kind, class) -> variable of what is stored in the instances of a class, or in the class."""
        self._readers: dict[str, list[tuple[int, tuple[int, ...], int]]] = {}
        """attribute -> (kind, classes, variable that receives what is stored in any of them)."""
        self._defined: dict[str, dict[int, tuple[int, ...]]] = {}
        """attribute -> class and class behind which to look, packed -> `class_variables`"""
        self.stored_names: set[str] = set()
        """Names that some assignment to an attribute uses."""

    def store_name(self, name: str) -> None:
        """Some assignment to an attribute uses the name."""
        self.stored_names.add(name)
        self._defined.pop(name, None)

    def forget_classes(self) -> None:
        super().forget_classes()
        self._defined.clear()

    def class_variables(self, cls: int, name: str, after: int = -1) -> Sequence[int]:
        """Variables that hold the attribute `name` of a class: its body's or its nearest ancestor's, and what is assigned from outside.

        With `after`, only ancestors behind that class in the resolution order are looked at (`super()`).
        """
        known = self._defined.get(name)
        if known is None:
            known = self._defined[name] = {}
        key = cls << 32 | after + 1
        found = known.get(key)
        if found is None:
            found = known[key] = tuple(self._class_variables(cls, name, after))
        return found

    def _class_variables(self, cls: int, name: str, after: int) -> Iterator[int]:
        order = self.ancestors(cls)
        if after >= 0:
            order = order[order.index(after) + 1 :] if after in order else ()
        bound = -1
        for position, entry in enumerate(order):
            if (variable := self.program.classes[entry].names.get(name)) is not None:
                bound, order = variable, order[: position + 1]
                break
        if name in self.stored_names:
            yield self.stored(ob.CLASS, order, name)
        if bound >= 0:
            yield bound

    def field(self, number: int, name: str) -> int:
        """The variable of what is stored in an object itself under a name."""
        kind, cls = self.objects.kind[number], self.objects.a[number]
        if self.objects.b[number] == ob.OR_SUBCLASS and kind == ob.INSTANCE:
            number = self.objects.get(ob.INSTANCE, cls)
        variable = self._fields.get((number, name))
        if variable is None:
            variable = self._fields[number, name] = self.variable()
            if kind in (ob.INSTANCE, ob.CLASS):
                self._stored.setdefault(name, {})[kind, cls] = variable
                for wanted, classes, reader in self._readers.get(name, ()):
                    if wanted == kind and cls in classes:
                        self.flow(variable, reader)
        return variable

    def stored(self, kind: int, classes: tuple[int, ...], name: str) -> int:
        """A variable of what is stored under a name in the instances of classes, or in the classes, now and later."""
        reader = self.variable()
        there = self._stored.get(name, {})
        for cls in classes if there else ():
            if (variable := there.get((kind, cls))) is not None:
                self.flow(variable, reader)
        self._readers.setdefault(name, []).append((kind, classes, reader))
        return reader
