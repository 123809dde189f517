"""Resolver of reads and assignments of constants and fields, and of imports of definitions, without the points-to solver.

Values are traced backwards through the constraint graphs of the files. A use is found where the source states every step:
an import, an annotation, a constructor call, the receiver of a method. Other uses are not guessed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

from repoquarry.ingest.resolution.model import Resolution, UseSites, VariableUse, merge_uses
from repoquarry.languages import constraints as op
from repoquarry.languages.extraction import receivers
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import ModuleMap

MODULE, CLASS, INSTANCE, FUNCTION = range(4)
Value = tuple[int, int]
"""Kind, and the file of a module or the symbol of a definition."""
Values = tuple[Value, ...]
_MAX_VALUES = 6
"""Values of more kinds than this are unknown."""
_MAX_DEPTH = 40
"""Steps through assignments, attributes and calls."""
_WHOLE = ("*", "=")
"""Imported names that stand for the module itself."""
_TYPE_FORMS = frozenset(("Annotated", "ClassVar", "Final", "InitVar", "Optional", "Union"))
"""Generic types whose arguments are what a value of the type is."""


class Target(NamedTuple):
    """A variable of a module (owner -1) or class."""

    unit: int
    owner: int
    name: str


class _Unit:
    """Decoded constraint graph of one file."""

    def __init__(self, facts: FileFacts) -> None:
        graph = facts.graph
        self.facts = facts
        self.code = memoryview(graph.code).cast("i")
        self.first = memoryview(graph.first).cast("i")
        self.roots = memoryview(graph.roots).cast("i")
        self.texts = graph.symbols.texts()
        self.variables = {(one.owner, one.name): one for one in facts.variables}
        keys = {one.key: index for index, one in enumerate(facts.definitions)}
        self.parents = [keys.get(one.parent, -1) for one in facts.definitions]
        self.definitions = {
            (parent, one.name): index
            for index, (parent, one) in enumerate(zip(self.parents, facts.definitions, strict=True))
        }
        scopes = memoryview(graph.scopes).cast("i").tolist()
        self.scopes = {(scopes[at], self.texts[scopes[at + 1]]): scopes[at + 2] for at in range(0, len(scopes), 3)}
        self.functions = list(_records(memoryview(graph.functions).cast("i").tolist()))
        self.receivers = {
            variable: (CLASS if is_class else INSTANCE, owner)
            for variable, owner, is_class in receivers(self.functions, facts.definitions, keys)
        }
        self.parameters = {
            variable
            for record in self.functions
            if len(record) > 6 and record[1] == op.FUNC
            for variable in record[8::3]
        }

    def operations(self, variable: int) -> Iterator[int]:
        """Yield the offsets of the operations that assign to a variable."""
        offset = self.first[variable]
        while offset >= 0:
            yield offset
            offset = self.code[offset + 1]

    def sources(self, variable: int) -> Iterator[int]:
        """Yield the offsets of the operations that assign to a variable, behind copies."""
        for at in self.operations(variable):
            for _ in range(op.MAX_COPIES):
                following = self.first[self.code[at + 2]] if self.code[at] == op.COPY else -1
                at = following if following >= 0 else at
            yield at

    def is_whole_module(self, variable: int) -> bool:
        """Return whether a variable is a CommonJS module."""
        return any(
            self.code[at] == op.FROM and self.texts[self.code[at + 4]] == "=" for at in self.operations(variable)
        )

    def exported(self, name: str) -> Iterator[int]:
        """Yield the variables of a name that a CommonJS module exports."""
        if (whole := self.scopes.get((-1, "="))) is None:
            return
        for at in self.sources(whole):
            if self.code[at] == op.CONTAINER:
                pairs = self.code[at + 4 : at + 4 + 2 * self.code[at + 3]]
                yield from (
                    value for key, value in zip(pairs[::2], pairs[1::2], strict=True) if self.texts[key] == name
                )
        yield from (value for _, value in self.stores.get(name, ()))

    def around(self, definition: int) -> int:
        """Return the class around a definition, -1 without one."""
        while definition >= 0 and self.facts.definitions[definition].kind != "class":
            definition = self.parents[definition]
        return definition

    @cached_property
    def imports(self) -> dict[str, tuple[str, int, str]]:
        """Local name -> specifier, level and imported name."""
        return {
            one.alias or one.name or one.module: (one.module, one.level, one.name or "*")
            for one in self.facts.imports
            if one.how != "star" and (one.name or one.alias or "." not in one.module)
        }

    @cached_property
    def stars(self) -> list[tuple[str, int]]:
        return [(one.module, one.level) for one in self.facts.imports if one.how == "star"]

    @cached_property
    def stores(self) -> dict[str, list[tuple[int, int]]]:
        """Attribute -> object and value of each assignment."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at in self.roots:
            if self.code[at] == op.SETATTR:
                found[self.texts[self.code[at + 3]]].append((self.code[at + 2], self.code[at + 4]))
        return found


def _records(numbers: list[int]) -> Iterator[list[int]]:
    at = 0
    while at < len(numbers):
        yield numbers[at : at + numbers[at]]
        at += numbers[at]


class VariableResolver:
    """Resolver of the uses of variables in the files of a family."""

    def __init__(self, files: Sequence[FileFacts], modules: ModuleMap, found: Resolution) -> None:
        self._units = [_Unit(facts) for facts in files]
        self._starts = list(accumulate((1 + len(facts.definitions) for facts in files), initial=0))
        self._modules = modules
        self._bases: dict[int, list[int]] = defaultdict(list)
        for edge in sorted(found.inherits, key=lambda one: one.position):
            if edge.base >= 0:
                self._bases[edge.cls].append(edge.base)
        self._imported: dict[tuple[int, int], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
        for one in found.imports:
            if one.target >= 0:
                for line in one.lines:
                    self._imported[one.source, line].append((one.target, one.names))
        self._readers: dict[int, Callable[[int, int, int], Values]] = {
            op.COPY: self._copied,
            op.AWAIT: self._copied,
            op.FUNC: self._defined,
            op.CLASS: self._defined,
            op.FROM: self._imported_name,
            op.ATTR: self._read_attribute,
            op.CALL: self._called,
            op.TYPED: self._typed,
            op.DECLARED: self._declared,
            op.NARROW: self._narrowed,
            op.TYPEARGS: self._generic,
            op.ENTER: self._entered,
        }
        self._values: dict[tuple[int, int], Values] = {}
        self._lines: dict[int, list[int]] = {}
        self._sources: dict[tuple[int, str, int, str], tuple[tuple[int, bool], ...]] = {}

    def uses(self, count: int) -> list[VariableUse]:
        """Return the uses in the first `count` files, each source and variable once."""
        names = {name for unit in self._units[:count] for _, name in unit.variables}
        found: UseSites = defaultdict(set)
        for number in range(count):
            for target, owner, line, kind, how in chain(
                self._mentions(number), self._accesses(number, names), self._import_uses(number)
            ):
                variable = self._units[target.unit].variables[target.owner, target.name]
                is_definition = target.unit == number and line == variable.line and kind == "write"
                if target.unit < count and not is_definition:
                    place = self._starts[target.unit] + 1 + target.owner
                    found[self._starts[number] + 1 + owner, place, target.name].add((line, kind, how))
            for definition, line in self._imported_definitions(number):
                if definition < self._starts[count]:
                    found[self._starts[number], definition, ""].add((line, "import", "name"))
        return merge_uses(found)

    # ---- sites

    def _mentions(self, number: int) -> Iterator[tuple[Target, int, int, str, str]]:
        unit = self._units[number]
        rows = memoryview(unit.facts.mentions).cast("i").tolist()
        for at in range(0, len(rows), 3):
            name, line, owner = unit.texts[rows[at]], rows[at + 1], rows[at + 2]
            own = next((one for one in (owner, -1) if (one, name) in unit.variables), None)
            target = Target(number, own, name) if own is not None else self._local(number, name)
            if isinstance(target, Target):
                yield target, owner, abs(line), "write" if line < 0 else "read", "name"

    def _accesses(self, number: int, names: set[str]) -> Iterator[tuple[Target, int, int, str, str]]:
        unit = self._units[number]
        code, texts = unit.code, unit.texts
        for at in unit.roots:
            kind = code[at]
            if kind not in (op.ATTR, op.SETATTR) or (name := texts[code[at + 3]]) not in names:
                continue
            behind = at + 4 if kind == op.ATTR else at + 5
            for value in self._value(number, code[at + 2]):
                target = self._member(value, name)
                if isinstance(target, Target):
                    how = "name" if value[0] == MODULE else "self" if code[at + 2] in unit.receivers else "receiver"
                    yield target, code[behind + 1], code[behind], "read" if kind == op.ATTR else "write", how

    def _import_uses(self, number: int) -> Iterator[tuple[Target, int, int, str, str]]:
        for one in self._units[number].facts.imports:
            if one.name and one.name != "*":
                target = self._from(number, one.module, one.level, one.name)
                if isinstance(target, Target):
                    yield target, -1, one.line, "import", "name"

    def _imported_definitions(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the classes and functions that a file imports by name or as a CommonJS module, with the line."""
        unit = self._units[number]
        found = [
            (self._from(number, one.module, one.level, one.name or "="), one.line)
            for one in unit.facts.imports
            if one.name != "*"
        ]
        lines = {one.line for one in unit.facts.imports if not one.name}
        for at in unit.roots:  # `const { a } = require("./m")` reads `a` of the module on the line of the import.
            if unit.code[at] == op.ATTR and unit.code[at + 4] in lines and unit.is_whole_module(unit.code[at + 2]):
                name = unit.texts[unit.code[at + 3]]
                found += [
                    (self._member(one, name), unit.code[at + 4]) for one in self._value(number, unit.code[at + 2])
                ]
        for meant, line in found:
            if meant is not None and not isinstance(meant, Target) and meant[0] in (CLASS, FUNCTION):
                yield meant[1], line

    # ---- names

    def _local(self, number: int, name: str) -> Target | Value | None:
        """Return what an imported name means in a file."""
        unit = self._units[number]
        if (written := unit.imports.get(name)) is not None:
            return self._from(number, *written)
        return self._by_star(number, name, frozenset())

    def _from(
        self, number: int, module: str, level: int, name: str, seen: frozenset[int] = frozenset()
    ) -> Target | Value | None:
        for place, is_submodule in self._places(number, module, level, name):
            if name == "=" and (found := self._of_module(place, name, seen)) is not None:
                return found
            if name in _WHOLE or is_submodule:
                return MODULE, place
            if (found := self._of_module(place, name, seen)) is not None:
                return found
        return None

    def _places(self, number: int, module: str, level: int, name: str) -> tuple[tuple[int, bool], ...]:
        """Return the files that an import leads to, and whether the imported name is that file itself."""
        key = number, module, level, name
        if key not in self._sources:
            self._sources[key] = tuple(self._find_places(*key))
        return self._sources[key]

    def _find_places(self, number: int, module: str, level: int, name: str) -> Iterator[tuple[int, bool]]:
        place = self._modules.targets.get((number, module, level))
        if isinstance(place, int):
            yield place, False
            return
        wanted = "" if name in _WHOLE else name
        for one in self._units[number].facts.imports:
            if (one.module, one.level) == (module, level) and one.name in (wanted, name):
                for target, names in self._imported.get((self._starts[number], one.line), ()):
                    unit = self._unit_of(target)
                    stem = self._units[unit].facts.module_name
                    if name in names or (not wanted and stem == module.rpartition(".")[2]):
                        yield unit, False
                    elif stem == name:
                        yield unit, True

    def _of_module(self, number: int, name: str, seen: frozenset[int]) -> Target | Value | None:
        """Return what a module has under a name: its own, what it imports, or what it takes by star imports."""
        unit = self._units[number]
        if number in seen:
            return None
        if (-1, name) in unit.variables:
            return Target(number, -1, name)
        if (index := unit.definitions.get((-1, name))) is not None:
            return self._definition(number, index)
        seen |= {number}
        variable = unit.scopes.get((-1, name))
        for at in chain.from_iterable(map(unit.sources, unit.exported(name) if variable is None else (variable,))):
            if unit.code[at] == op.FROM:
                source, imported = unit.texts[unit.code[at + 2]], unit.texts[unit.code[at + 4]]
                return self._from(number, source, unit.code[at + 3], imported, seen)
            if unit.code[at] in (op.FUNC, op.CLASS):
                return self._definition(number, unit.code[at + 2])
        return self._by_star(number, name, seen | {number})

    def _by_star(self, number: int, name: str, seen: frozenset[int]) -> Target | Value | None:
        for module, level in self._units[number].stars:
            for place, _ in self._places(number, module, level, "*"):
                if place != number and (found := self._of_module(place, name, seen)) is not None:
                    return found
        return None

    def _member(self, value: Value, name: str) -> Target | Value | None:
        kind, number = value
        if kind == MODULE:
            return self._of_module(number, name, frozenset())
        received: Target | None = None
        for cls in self._line(number) if kind in (CLASS, INSTANCE) else ():
            unit = self._unit_of(cls)
            index = cls - self._starts[unit] - 1
            if (variable := self._units[unit].variables.get((index, name))) is not None:
                received = Target(unit, index, name)
                if not variable.is_received:
                    return received
            elif (own := self._units[unit].definitions.get((index, name))) is not None:
                return received or self._definition(unit, own)
        # The attribute belongs to the furthest ancestor that assigns it.
        return received

    def _line(self, cls: int) -> list[int]:
        """Return a class and its ancestors, nearest first."""
        if cls not in self._lines:
            self._lines[cls] = [cls]
            above = [one for base in self._bases.get(cls, ()) for one in self._line(base)]
            self._lines[cls] = list(dict.fromkeys([cls, *above]))
        return self._lines[cls]

    def _definition(self, number: int, index: int) -> Value:
        is_class = self._units[number].facts.definitions[index].kind == "class"
        return CLASS if is_class else FUNCTION, self._starts[number] + 1 + index

    def _unit_of(self, symbol: int) -> int:
        return bisect_right(self._starts, symbol) - 1

    # ---- values

    def _value(self, number: int, variable: int, depth: int = 0) -> Values:
        """Return the values of a variable of a file; empty where they are unknown."""
        key = number, variable
        if (known := self._values.get(key)) is not None:
            return known
        unit = self._units[number]
        if (received := unit.receivers.get(variable)) is not None:
            self._values[key] = ((received[0], self._starts[number] + 1 + received[1]),)
            return self._values[key]
        if depth > _MAX_DEPTH:
            return ()
        self._values[key] = ()  # A variable may be assigned to itself.
        found: dict[Value, None] = {}
        for at in unit.operations(variable):
            read = self._readers.get(unit.code[at])
            if read is not None and (variable not in unit.parameters or unit.code[at] in (op.TYPED, op.DECLARED)):
                found.update(dict.fromkeys(read(number, at, depth + 1)))
        self._values[key] = tuple(found) if len(found) <= _MAX_VALUES else ()
        return self._values[key]

    def _copied(self, number: int, at: int, depth: int) -> Values:
        return self._value(number, self._units[number].code[at + 2], depth)

    def _defined(self, number: int, at: int, depth: int) -> Values:
        return (self._definition(number, self._units[number].code[at + 2]),)

    def _imported_name(self, number: int, at: int, depth: int) -> Values:
        unit = self._units[number]
        source, level, name = unit.code[at + 2 : at + 5]
        return self._meaning(self._from(number, unit.texts[source], level, unit.texts[name]), depth)

    def _read_attribute(self, number: int, at: int, depth: int) -> Values:
        unit = self._units[number]
        return self._attribute(self._copied(number, at, depth), unit.texts[unit.code[at + 3]], depth)

    def _typed(self, number: int, at: int, depth: int) -> Values:
        return _instances(self._copied(number, at, depth))

    def _declared(self, number: int, at: int, depth: int) -> Values:
        return self._typed(number, at, depth) or self._value(number, self._units[number].code[at + 4], depth)

    def _narrowed(self, number: int, at: int, depth: int) -> Values:
        cls, is_kept = self._units[number].code[at + 3 : at + 5]
        narrowed = _instances(self._value(number, cls, depth)) if is_kept else ()
        return narrowed or self._copied(number, at, depth)

    def _entered(self, number: int, at: int, depth: int) -> Values:
        return self._results(self._attribute(self._copied(number, at, depth), "__enter__", depth), depth)

    def _instances_above(self, number: int, cls: int) -> Values:
        """Return instances of the bases of a class, given by its definition."""
        return tuple((INSTANCE, base) for base in self._bases.get(self._starts[number] + 1 + cls, ()))

    def _is_super(self, number: int, at: int) -> bool:
        unit = self._units[number]
        return unit.code[at] == op.NAME and unit.texts[unit.code[at + 2]] == "super"

    def _generic(self, number: int, at: int, depth: int) -> Values:
        unit = self._units[number]
        base = unit.code[at + 2]
        form = unit.first[base]
        for _ in range(op.MAX_COPIES):
            form = unit.first[unit.code[form + 2]] if form >= 0 and unit.code[form] == op.COPY else form
        if form >= 0 and unit.code[form] == op.FROM and unit.texts[unit.code[form + 4]] in _TYPE_FORMS:
            arguments = unit.code[at + 4 : at + 4 + unit.code[at + 3]]
            return tuple(chain.from_iterable(self._value(number, one, depth) for one in arguments))
        return self._value(number, base, depth)

    def _called(self, number: int, at: int, depth: int) -> Values:
        code = self._units[number].code
        if (callee := self._units[number].first[code[at + 3]]) >= 0 and self._is_super(number, callee):
            return self._instances_above(number, self._units[number].around(code[at + 5]))
        called = self._value(number, code[at + 3], depth)
        found = self._results(called, depth)
        if not found and code[at + 6] & op.DECORATES and code[at + 8]:
            return self._value(number, code[at + 10], depth)
        return found

    def _results(self, called: Values, depth: int) -> Values:
        """Return what calls of some values give: instances, or what functions declare or return."""
        found: list[Value] = []
        for kind, symbol in called:
            if kind == CLASS:
                found.append((INSTANCE, symbol))
            elif kind == FUNCTION:
                unit = self._unit_of(symbol)
                record = self._units[unit].functions[symbol - self._starts[unit] - 1]
                for variable in (record[5], record[3]) if len(record) > 5 else ():
                    if variable >= 0 and (given := self._value(unit, variable, depth)):
                        found += given
                        break
        return tuple(found)

    def _attribute(self, values: Values, name: str, depth: int) -> Values:
        found: list[Value] = []
        for value in values:
            meant = self._member(value, name)
            if (
                isinstance(meant, tuple)
                and not isinstance(meant, Target)
                and meant[0] == FUNCTION
                and value[0] == INSTANCE
            ):
                unit = self._unit_of(meant[1])
                if self._units[unit].facts.definitions[meant[1] - self._starts[unit] - 1].form == "property":
                    found += self._results((meant,), depth)
                    continue
            found += self._meaning(meant, depth)
        return tuple(found)

    def _meaning(self, meant: Target | Value | None, depth: int) -> Values:
        """Return the values of a variable, or the value itself."""
        if not isinstance(meant, Target):
            return (meant,) if meant is not None else ()
        unit = self._units[meant.unit]
        variable = unit.scopes.get((meant.owner, meant.name))
        found = self._value(meant.unit, variable, depth) if variable is not None else ()
        if found or meant.owner < 0:
            return found
        owner = self._starts[meant.unit] + 1 + meant.owner
        stored: dict[Value, None] = {}
        for target, value in unit.stores.get(meant.name, ()):
            if (INSTANCE, owner) in self._value(meant.unit, target, depth):
                stored.update(dict.fromkeys(self._value(meant.unit, value, depth)))
        return tuple(stored)


def _instances(types: Values) -> Values:
    return tuple((INSTANCE, number) for kind, number in types if kind == CLASS)
