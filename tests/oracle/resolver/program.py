"""The facts of all files as one numbered program: variables, definitions and operations get repository-wide numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence, Set

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.python.module_resolution import ModuleSearch

#: so many single copies are followed back to where a value comes from
MOST_COPIES = 8


class Unit:
    """One file of the program. Local numbers become global ones by adding `variables` and `definitions`."""

    __slots__ = (
        "code",
        "definitions",
        "facts",
        "first",
        "index",
        "names",
        "places",
        "roots",
        "stars",
        "symbols",
        "variables",
    )

    def __init__(self, index: int, facts: FileFacts, variables: int, definitions: int, places: int) -> None:
        graph = facts.graph
        self.index = index
        self.facts = facts
        self.variables = variables
        self.definitions = definitions
        self.places = places
        """What makes an offset in `code` the number of a place in the program."""
        self.symbols = graph.symbols.texts()
        self.code = _ints(graph.code)
        self.first = _ints(graph.first)
        self.roots = _ints(graph.roots)
        self.names: dict[str, int] = {}
        """Names that the module binds -> global variable."""
        self.stars: list[tuple[str, int]] = []
        """(module, level) of its star imports."""

    def origin(self, variable: int) -> int:
        """The file's own number of the variable that one is a mere copy of: loops copy what they read from before them."""
        for _ in range(MOST_COPIES):
            first = self.first[variable]
            if first < 0 or self.code[first] != op.COPY or self.code[first + 1] >= 0:
                break
            variable = self.code[first + 2]
        return variable


class Function:
    """A function of the program, with global variables."""

    __slots__ = ("declared", "flags", "owner", "parameters", "result", "unit", "yielded")

    def __init__(self, unit: Unit, owner: int, record: Sequence[int]) -> None:
        base = unit.variables
        self.unit = unit
        self.owner = owner
        """The class around a method, -1 elsewhere."""
        self.flags = record[1]
        self.result = base + record[2]
        self.yielded = base + record[3]
        self.declared = base + record[4] if record[4] >= 0 else -1
        self.parameters = [
            (unit.symbols[record[at]], base + record[at + 1], record[at + 2]) for at in range(6, 6 + 3 * record[5], 3)
        ]


class Class:
    """A class of the program, with global variables."""

    __slots__ = ("bases", "fields", "keywords", "names", "unit")

    def __init__(self, unit: Unit, record: Sequence[int]) -> None:
        base, count = unit.variables, record[1]
        self.unit = unit
        self.bases = [base + variable for variable in record[2 : 2 + count]]
        at = 2 + count
        self.keywords = self._pairs(record, at)
        self.fields = self._pairs(record, at + 1 + 2 * record[at])
        self.names: dict[str, int] = {}
        """Names that its body binds -> global variable."""

    def _pairs(self, record: Sequence[int], at: int) -> list[tuple[str, int]]:
        count = record[at]
        return [
            (self.unit.symbols[record[place]], self.unit.variables + record[place + 1])
            for place in range(at + 1, at + 1 + 2 * count, 2)
        ]


class Program:
    """All files. `variables` counts all variables; more are made during resolution."""

    def __init__(self, files: Sequence[FileFacts], modules: ModuleSearch) -> None:
        self.modules = modules
        self.units: list[Unit] = []
        self.functions: dict[int, Function] = {}
        self.classes: dict[int, Class] = {}
        self.definitions: list[Definition] = []
        self.unit_of: list[int] = []
        """Definition -> unit."""
        self.parents: list[int] = []
        """Definition -> the definition around it, -1 at module level."""
        self.variables = 0
        self.final = bytearray()
        """Variable -> whether it is a name of a class body that is one definition: nothing else is ever assigned to it."""
        for index, facts in enumerate(files):
            self._load(index, facts)
        self._bases = [unit.variables for unit in self.units]
        self._places = [unit.places for unit in self.units]

    def unit_of_variable(self, variable: int) -> Unit:
        """The file whose extraction made a variable."""
        return self.units[bisect_right(self._bases, variable) - 1]

    def is_decorated_by(self, definition: int, names: Set[str]) -> bool:
        """Whether a decorator of the definition ends in one of the names, whatever module it is taken from."""
        return any(decorator.name in names for decorator in self.definitions[definition].decorators)

    def place(self, place: int) -> tuple[Unit, int]:
        """The file and the offset in its code that a number of a place stands for."""
        unit = self.units[bisect_right(self._places, place) - 1]
        return unit, place - unit.places

    def _load(self, index: int, facts: FileFacts) -> None:
        last = self.units[-1] if self.units else None
        places = last.places + len(last.code) if last else 0
        unit = Unit(index, facts, self.variables, len(self.definitions), places)
        self.units.append(unit)
        self.variables += len(unit.first)
        self.final.extend(bytes(len(unit.first)))
        local = {definition.key: unit.definitions + at for at, definition in enumerate(facts.definitions)}
        for definition in facts.definitions:
            self.parents.append(local.get(definition.parent, -1))
        self.definitions.extend(facts.definitions)
        self.unit_of.extend([index] * len(facts.definitions))
        self._load_definitions(unit)
        scopes = _ints(facts.graph.scopes)
        for at in range(0, len(scopes), 3):
            names = unit.names if scopes[at] < 0 else self.classes[unit.definitions + scopes[at]].names
            names[unit.symbols[scopes[at + 1]]] = unit.variables + scopes[at + 2]
            if scopes[at] >= 0 and _is_definition(unit, scopes[at + 2]):
                self.final[unit.variables + scopes[at + 2]] = 1
        for offset in unit.roots:
            if unit.code[offset] == op.STAR:
                unit.stars.append((unit.symbols[unit.code[offset + 2]], unit.code[offset + 3]))

    def _load_definitions(self, unit: Unit) -> None:
        records = _ints(unit.facts.graph.functions)
        at, number = 0, unit.definitions
        while at < len(records):
            length = records[at]
            record = records[at + 1 : at + length]
            if not record:  # the file was too deeply nested to be read to the end
                record = (op.FUNC, 0, 0, 0, -1, 0)
            if record[0] == op.CLASS:
                self.classes[number] = Class(unit, record)
            else:
                parent = self.parents[number]
                self.functions[number] = Function(unit, parent if parent in self.classes else -1, record)
            at += length
            number += 1


def _is_definition(unit: Unit, variable: int) -> bool:
    offset = unit.first[variable]
    return offset >= 0 and unit.code[offset] in (op.FUNC, op.CLASS) and unit.code[offset + 1] < 0


def _ints(raw: bytes) -> Sequence[int]:
    return memoryview(raw).cast("i") if raw else ()
