"""The class hierarchy: linearised ancestors (C3), subclasses, metaclasses."""

from __future__ import annotations

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.points_to_solver import PointsToSolver
from tests.oracle.resolver.program import Program


class Hierarchy(PointsToSolver):
    """Adds what follows from the bases of classes."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._ancestors: dict[int, tuple[tuple[int, ...], tuple[str, ...]]] = {}
        self._linearising: set[int] = set()
        self._metaclass_variables: dict[int, tuple[int, ...]] = {}
        self.subclasses: dict[int, list[int]] = {}
        self._overriding: dict[tuple[int, str], list[tuple[int, int]]] = {}

    def ancestors(self, cls: int) -> tuple[int, ...]:
        """The class and its ancestors in the repository, in method resolution order (C3 where it exists)."""
        found = self._ancestors.get(cls)
        return found[0] if found is not None else self.hierarchy(cls)[0]

    def outside_bases(self, cls: int) -> tuple[str, ...]:
        """Dotted names of the ancestors outside the repository."""
        return self.hierarchy(cls)[1]

    def is_enumeration(self, cls: int) -> bool:
        """Whether the class is an enumeration: what its body assigns are its members, instances of itself."""
        return any(outside.is_enumeration(base) for base in self.outside_bases(cls))

    def forget_classes(self) -> None:
        """Bases are better known by now: what was read off them is read again."""
        self._ancestors.clear()
        self._metaclass_variables.clear()

    def hierarchy(self, cls: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Ancestors inside and outside the repository."""
        found = self._ancestors.get(cls)
        if found is None:
            if cls in self._linearising:
                return (cls,), ()
            self._linearising.add(cls)
            found = self._linearise(cls)
            self._linearising.discard(cls)
            self._ancestors[cls] = found
        return found

    def _linearise(self, cls: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
        inside, outside = self.bases(cls)
        outer = dict.fromkeys(outside)
        sequences = []
        for base in inside:
            mro, names = self.hierarchy(base)
            sequences.append(list(mro))
            outer.update(dict.fromkeys(names))
        sequences.append(list(inside))
        order = [cls]
        while sequences := [sequence for sequence in sequences if sequence]:
            heads = [sequence[0] for sequence in sequences]
            tails = {entry for sequence in sequences for entry in sequence[1:]}
            head = next((entry for entry in heads if entry not in tails), heads[0])
            if head not in order:
                order.append(head)
            sequences = [[entry for entry in sequence if entry != head] for sequence in sequences]
        return tuple(order), tuple(outer)

    def bases(self, cls: int) -> tuple[list[int], list[str]]:
        """Direct bases that are classes of the repository, and names of those that are not."""
        inside: list[int] = []
        outside: list[str] = []
        for variable in self.program.classes[cls].bases:
            for held in sorted(self.holds[variable]):
                kind = self.objects.kind[held]
                if kind == ob.CLASS and self.objects.a[held] != cls:
                    inside.append(self.objects.a[held])
                elif kind == ob.EXTERNAL:
                    outside.append(self.objects.name[held])
        return list(dict.fromkeys(inside)), outside

    def instance(self, cls: int) -> int:
        """An instance of a class that is known by declaration only: it may be of a subclass."""
        return self.objects.get(ob.INSTANCE, cls, ob.OR_SUBCLASS if self.subclasses.get(cls) else -1)

    def find_subclasses(self) -> None:
        """Notes the descendants of every class."""
        for cls in self.program.classes:
            for ancestor in self.ancestors(cls)[1:]:
                self.subclasses.setdefault(ancestor, []).append(cls)

    def overriding(self, cls: int, name: str) -> list[tuple[int, int]]:
        """(descendant, variable) of all descendants of a class that define the attribute themselves."""
        found = self._overriding.get((cls, name))
        if found is None:
            names = [(one, self.program.classes[one].names.get(name)) for one in self.subclasses.get(cls, ())]
            found = self._overriding[cls, name] = [(one, variable) for one, variable in names if variable is not None]
        return found

    def metaclasses(self, cls: int) -> list[int]:
        """Classes of the repository that are metaclass of a class or of one of its ancestors."""
        variables = self._metaclass_variables.get(cls)
        if variables is None:
            keywords = [pair for ancestor in self.ancestors(cls) for pair in self.program.classes[ancestor].keywords]
            variables = tuple(variable for keyword, variable in keywords if keyword == "metaclass")
            self._metaclass_variables[cls] = variables
        found: dict[int, None] = {}
        for variable in variables:
            self.demand(variable)
            for held in sorted(self.holds[variable]):
                if self.objects.kind[held] == ob.CLASS:
                    found[self.objects.a[held]] = None
        return list(found)
