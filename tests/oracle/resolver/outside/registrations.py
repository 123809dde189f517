"""What is applied as a decorator and what is handed to a framework, by what its name resolves to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from repoquarry.languages import constraints as op
from repoquarry.languages.python.kernel_tables import FRAMEWORKS
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.program import Unit
from tests.oracle.resolver.report.report import Report

_OUTSIDE = (ob.EXTERNAL, ob.METHOD, ob.RESULT, ob.OPAQUE)
_INSIDE = (ob.FUNCTION, ob.CLASS, ob.BOUND)
_DEEPEST = 4
"""So many attributes and calls are followed from what is written to what is known."""


@dataclass(frozen=True)
class Decoration:
    """One decorator that is applied to a definition."""

    unit: Unit
    callee: int
    """Variable, in the file's own numbers, of the decorator or of what makes it when it is called with arguments."""
    definition: int
    text: str
    line: int


@dataclass(frozen=True)
class Registration:
    """A function or class that a call hands to a framework."""

    unit: Unit
    owner: int
    """Index in the file of the definition in which the call stands, -1 for the module."""
    line: int
    target: int
    """The definition that is handed over."""
    kind: str
    name: str
    """The constant that the call names it by, such as a route's pattern; else the name of what is called."""


class Registrations:
    """Reads the decorators and the calls of a solved program."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.solver = report.solver
        self.program = report.program
        self.decorations: list[Decoration] = []
        for unit in self.program.units:
            self.decorations += self._decorations(unit)

    # ---- decorators

    def _decorations(self, unit: Unit) -> Iterator[Decoration]:
        code = unit.code
        applied: dict[int, tuple[int, int]] = {}
        """Result of a decorator -> the definition that it decorates, and how many decorators stand nearer to it."""
        for offset in unit.roots:
            if code[offset] != op.CALL or not code[offset + 6] & op.DECORATES or not code[offset + 8]:
                continue
            given = code[offset + 10]
            first = unit.first[given]
            if given in applied:
                local, depth = applied[given]
            elif first >= 0 and code[first] in (op.FUNC, op.CLASS):
                local, depth = code[first + 2], 0
            else:
                continue
            applied[code[offset + 2]] = local, depth + 1
            written = unit.facts.definitions[local].decorators
            text = written[-1 - depth].text if depth < len(written) else ""
            callee, made_by = code[offset + 3], self._call_of(unit, code[offset + 3])
            if made_by >= 0:
                callee = code[made_by + 3]
            yield Decoration(unit, callee, unit.definitions + local, text, code[offset + 4])

    def decorators(self) -> Iterator[tuple[Decoration, list[int]]]:
        """Every decoration and the symbols, or externals, of what is applied."""
        objects = self.solver.objects
        for decoration in self.decorations:
            found: set[int] = set()
            for held in self.solver.holds[decoration.unit.variables + decoration.callee]:
                if objects.kind[held] in _INSIDE:
                    found.add(self.report.definition_symbol(objects.a[held]))
                elif objects.kind[held] in (ob.EXTERNAL, ob.METHOD):
                    found.add(self.report.external(objects.name[held]))
            yield decoration, sorted(found)

    def entries(self) -> Iterator[tuple[int, str, str]]:
        """(definition, kind, decorator as written) of every definition that a decorator makes an entry point."""
        for decoration in self.decorations:
            kind = _entry_kind(self.names(decoration.unit, decoration.callee))
            if kind is not None:
                yield decoration.definition, kind, decoration.text

    # ---- calls

    def registered(self) -> Iterator[Registration]:
        """Functions and classes that are handed to a framework: views in `urlpatterns`, receivers of signals."""
        for unit in self.program.units:
            code = unit.code
            for offset in unit.roots:
                if code[offset] != op.CALL or code[offset + 6] & op.DECORATES or not code[offset + 8]:
                    continue
                kind = _entry_kind(self.names(unit, code[offset + 3]))
                if kind is None:
                    continue
                name = self._label(unit, offset)
                for target in sorted({one for given in _arguments(unit, offset) for one in self._handed(unit, given)}):
                    yield Registration(unit, code[offset + 5], code[offset + 4], target, kind, name)

    def included(self) -> Iterator[tuple[Unit, Unit, int]]:
        """(file, file, line) where the routes of one include those of another by the dotted name of its module."""
        for unit in self.program.units:
            for offset in unit.roots:
                name = unit.code[offset + 7] if unit.code[offset] == op.CALL else -1
                if name < 0 or "include" not in unit.symbols[name]:
                    continue
                if not any(name.startswith("django.") for name in self.names(unit, unit.code[offset + 3])):
                    continue
                for given in _arguments(unit, offset):
                    found = self.program.modules.find(self._text(unit, given), unit.index)
                    if isinstance(found, int):
                        yield unit, self.program.units[found], unit.code[offset + 4]

    def _handed(self, unit: Unit, variable: int, depth: int = 0) -> Iterator[int]:
        """The definitions that an argument is: itself, by its dotted name, as a view class, or within other wrappers."""
        made_by = self._call_of(unit, variable)
        if made_by >= 0 and depth < _DEEPEST:
            # what a wrapper gives back may be anything that it ever wrapped: what it is given here is meant
            inner = self._view_class(unit, made_by) or [
                one for given in _arguments(unit, made_by) for one in self._handed(unit, given, depth + 1)
            ]
            if inner:
                yield from inner
                return
        objects = self.solver.objects
        for held in self._held(unit.variables + variable):
            if objects.kind[held] in (ob.FUNCTION, ob.BOUND):
                yield objects.a[held]
        if "." in (dotted := self._text(unit, variable)):
            yield from self._by_dotted_name(unit, dotted)

    def _view_class(self, unit: Unit, call: int) -> list[int]:
        """The classes of `View.as_view(...)`."""
        first = unit.first[unit.code[call + 3]]
        if first < 0 or unit.code[first] != op.ATTR or unit.symbols[unit.code[first + 3]] != "as_view":
            return []
        objects = self.solver.objects
        held = self._held(unit.variables + unit.code[first + 2])
        return [objects.a[one] for one in held if objects.kind[one] == ob.CLASS]

    def _by_dotted_name(self, unit: Unit, dotted: str) -> Iterator[int]:
        module, _, name = dotted.rpartition(".")
        found = self.program.modules.find(module, unit.index)
        variable = self.solver.module_variable(found, name) if isinstance(found, int) else None
        if variable is not None:
            for held in self._held(variable):
                if self.solver.objects.kind[held] in (ob.FUNCTION, ob.CLASS):
                    yield self.solver.objects.a[held]

    def _held(self, variable: int) -> list[int]:
        """What a variable holds, also where no call site has asked for it."""
        if not self.solver.demanded[variable]:
            self.solver.demand(variable)
            self.solver.run()
        return sorted(self.solver.holds[variable])

    def _label(self, unit: Unit, offset: int) -> str:
        texts = (self._text(unit, given) for given in _arguments(unit, offset)[:1])
        name = unit.code[offset + 7]
        return next((text for text in texts if text), unit.symbols[name] if name >= 0 else "")

    # ---- names

    def names(self, unit: Unit, variable: int, depth: int = 0) -> set[str]:
        """Dotted names of what a variable of a file holds, in the repository or outside."""
        found = {name for held in self.solver.holds[unit.variables + variable] for name in self._names(held)}
        first = unit.first[unit.origin(variable)]
        if found or first < 0 or depth == _DEEPEST or unit.code[first] != op.ATTR:
            return found
        receiver, attribute = unit.code[first + 2], unit.symbols[unit.code[first + 3]]
        bases = self.names(unit, receiver, depth + 1) | self._made_by(unit, receiver, depth + 1)
        return {f"{base}.{attribute}" for base in bases}

    def _made_by(self, unit: Unit, variable: int, depth: int) -> set[str]:
        """Names of what made a value of which nothing else is known.

        What a decorator from outside makes of a function (`click.group`) has methods of that framework.
        """
        first = unit.first[unit.origin(variable)]
        if first < 0 or depth > _DEEPEST:
            return set()
        code = unit.code
        if code[first] == op.CALL:
            made_by = self._call_of(unit, code[first + 3])
            return self.names(unit, code[made_by + 3] if made_by >= 0 else code[first + 3], depth + 1)
        if code[first] != op.FROM:
            return set()
        modules, module, level = self.program.modules, unit.symbols[code[first + 2]], code[first + 3]
        found = modules.relative(module, level, unit.index) if level else modules.find(module, unit.index)
        bound = self.solver.module_variable(found, unit.symbols[code[first + 4]]) if isinstance(found, int) else None
        if bound is None or bound >= self.program.variables:
            return set()
        home = self.program.unit_of_variable(bound)
        return self._made_by(home, bound - home.variables, depth + 1)

    def _names(self, held: int) -> list[str]:
        objects = self.solver.objects
        if objects.kind[held] in _OUTSIDE:
            return [objects.name[held]]
        if objects.kind[held] == ob.PARTIAL:
            applied = self.solver.holds[self.solver.partials[held][0]]
            return [name for one in applied if objects.kind[one] in _INSIDE for name in self._names(one)]
        if objects.kind[held] not in _INSIDE:
            return []
        definition = objects.a[held]
        module = self.program.modules.infos[self.program.unit_of[definition]].name
        return [f"{module}.{self.program.definitions[definition].qualname}"]

    @staticmethod
    def _call_of(unit: Unit, variable: int) -> int:
        """Offset of the call whose result a variable is, -1 for none."""
        first = unit.first[unit.origin(variable)]
        return first if first >= 0 and unit.code[first] == op.CALL and not unit.code[first + 6] & op.DECORATES else -1

    @staticmethod
    def _text(unit: Unit, variable: int) -> str:
        """The text constant that a variable is, empty for anything else."""
        first = unit.first[unit.origin(variable)]
        if first < 0 or unit.code[first] != op.CONST or unit.code[first + 3] < 0:
            return ""
        text = unit.symbols[unit.code[first + 3]]
        return text[1:-1].replace("\\\\", "\\") if text[:1] in ("'", '"') else ""


def _arguments(unit: Unit, offset: int) -> list[int]:
    """Variables, in the file's own numbers, of the arguments of a call."""
    return list(unit.code[offset + 10 : offset + 9 + 2 * unit.code[offset + 8] : 2])


def _entry_kind(names: Iterable[str]) -> str | None:
    """The kind of entry point that a decorator or function makes, by the dotted names that it resolves to."""
    for name in sorted(names):
        package, *rest = name.split(".")
        table = FRAMEWORKS.get(package, {})
        kind = table.get(".".join(rest[-2:])) or table.get(rest[-1] if rest else "")
        if kind:
            return kind
    return None
