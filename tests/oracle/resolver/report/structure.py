"""Edges other than calls: imports, inheritance, overriding, mentions, exports and entry points."""

from __future__ import annotations

from collections import defaultdict

from repoquarry.ingest.resolution.model import (
    EntryPoint,
    ExportedName,
    ImportEdge,
    InheritanceEdge,
    OverrideEdge,
    ReferenceEdge,
)
from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition, Import
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside.registrations import Registrations
from tests.oracle.resolver.program import Unit
from tests.oracle.resolver.report.report import Report


class Structure:
    """Reads the solved program of a report."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.solver = report.solver
        self.program = report.program
        self.registrations = Registrations(report)
        self.registered = list(self.registrations.registered())

    # ---- imports

    def imports(self) -> list[ImportEdge]:
        """One edge for each module and imported thing, by how it is imported."""
        found: dict[tuple[int, int, str], tuple[set[str], set[int]]] = defaultdict(lambda: (set(), set()))
        for unit in self.program.units:
            source = self.report.module_symbol(unit)
            for entry in unit.facts.imports:
                for target, name in self._targets(unit, entry):
                    names, lines = found[source, target, entry.how]
                    if name:
                        names.add(name)
                    lines.add(entry.line)
        for unit, included, line in self.registrations.included():
            pair = self.report.module_symbol(unit), self.report.module_symbol(included)
            found[*pair, "dynamic"][1].add(line)
        return [
            ImportEdge(source, target, tuple(sorted(names)), tuple(sorted(lines)), how)
            for (source, target, how), (names, lines) in sorted(found.items())
        ]

    def _targets(self, unit: Unit, entry: Import) -> list[tuple[int, str]]:
        """(what is imported, the name taken from it): a submodule is imported itself."""
        modules = self.program.modules
        module = (
            modules.relative(entry.module, entry.level, unit.index)
            if entry.level
            else modules.find(entry.module, unit.index)
        )
        if module is None:
            name = modules.absolute_name(entry.module, entry.level, unit.index)
            return [(self.report.external(name or entry.name), entry.name)]
        if entry.name and entry.name != "*":
            bound = isinstance(module, int) and self.solver.module_variable(module, entry.name) is not None
            child = None if bound else modules.child(module, entry.name)
            if isinstance(child, int):
                return [(self.report.module_symbol(self.program.units[child]), "")]
        if isinstance(module, int):
            return [(self.report.module_symbol(self.program.units[module]), entry.name)]
        return []

    # ---- classes

    def inherits(self) -> list[InheritanceEdge]:
        """Every class and its direct bases in order."""
        out = []
        for cls, record in self.program.classes.items():
            for position, variable in enumerate(record.bases):
                for held in sorted(self.solver.holds[variable]):
                    kind = self.solver.objects.kind[held]
                    if kind == ob.CLASS and self.solver.objects.a[held] != cls:
                        base = self.report.definition_symbol(self.solver.objects.a[held])
                    elif kind == ob.EXTERNAL:
                        base = self.report.external(self.solver.objects.name[held])
                    else:
                        continue
                    out.append(InheritanceEdge(self.report.definition_symbol(cls), base, position))
        return sorted(out, key=lambda edge: (edge.cls, edge.position, edge.base))

    def overrides(self) -> list[OverrideEdge]:
        """Every method and the nearest one that it overrides."""
        methods: dict[tuple[int, str], int] = {}
        for number, cls in self.report.owners():
            methods[cls, self.program.definitions[number].name] = number
        out = []
        for (cls, name), number in methods.items():
            for ancestor in self.solver.ancestors(cls)[1:]:
                overridden = methods.get((ancestor, name))
                if overridden is not None:
                    out.append(
                        OverrideEdge(self.report.definition_symbol(number), self.report.definition_symbol(overridden))
                    )
                    break
        return sorted(out, key=lambda edge: (edge.method, edge.overridden))

    # ---- mentions

    def references(self) -> list[ReferenceEdge]:
        """What is mentioned in annotations, applied as a decorator, raised, or handed over as a value."""
        found: dict[tuple[int, int, str], list[int]] = defaultdict(list)
        for unit in self.program.units:
            code, base = unit.code, unit.variables
            for offset in unit.roots:
                if code[offset] == op.MENTION:
                    source = self.report.owner_symbol(unit, code[offset + 4])
                    self._mention(
                        found, source, base + code[offset + 2], code[offset + 3], unit.symbols[code[offset + 5]]
                    )
                elif code[offset] == op.CALL and not code[offset + 6] & op.DECORATES:
                    source = self.report.owner_symbol(unit, code[offset + 5])
                    for at in range(offset + 9, offset + 9 + 2 * code[offset + 8], 2):
                        self._mention(found, source, base + code[at + 1], code[offset + 4], "handler", passed=True)
        for decoration, targets in self.registrations.decorators():
            for target in targets:
                found[self.report.definition_symbol(decoration.definition), target, "decorator"].append(decoration.line)
        for one in self.registered:
            source, target = self.report.owner_symbol(one.unit, one.owner), self.report.definition_symbol(one.target)
            if one.line not in found[source, target, "handler"]:
                found[source, target, "handler"].append(one.line)
        return [
            ReferenceEdge(source, target, len(lines), tuple(sorted(lines)), how)
            for (source, target, how), lines in sorted(found.items())
        ]

    def _mention(
        self,
        found: dict[tuple[int, int, str], list[int]],
        source: int,
        variable: int,
        line: int,
        how: str,
        *,
        passed: bool = False,
    ) -> None:
        objects = self.solver.objects
        for held in sorted(self.solver.holds[variable]):
            kind = objects.kind[held]
            if kind in (ob.CLASS, ob.FUNCTION, ob.BOUND):
                if (kind == ob.CLASS and passed) or (kind != ob.CLASS and how == "raises"):
                    continue
                shown = "value" if how == "handler" and kind == ob.CLASS else how
                found[source, self.report.definition_symbol(objects.a[held]), shown].append(line)
            elif kind == ob.INSTANCE and how == "raises":
                found[source, self.report.definition_symbol(objects.a[held]), how].append(line)
            elif (kind == ob.EXTERNAL and how in ("annotation", "raises")) or (kind == ob.RESULT and how == "raises"):
                found[source, self.report.external(objects.name[held]), how].append(line)

    # ---- exports and entry points

    def exports(self) -> list[ExportedName]:
        """What modules offer by `__all__`, and what packages offer by importing it."""
        out = set()
        for unit in self.program.units:
            facts = unit.facts
            names = facts.exports if facts.exports is not None else ()
            if facts.exports is None and facts.is_package:
                names = tuple(
                    entry.alias or entry.name
                    for entry in facts.imports
                    if entry.how == "from" and entry.at_module_level
                )
            for name in names:
                for target in self._named(unit, name):
                    out.add((self.report.module_symbol(unit), name, target))
        return [ExportedName(*entry) for entry in sorted(out)]

    def _named(self, unit: Unit, name: str) -> list[int]:
        variable = self.solver.module_variable(unit.index, name)
        objects, out = self.solver.objects, []
        for held in sorted(self.solver.holds[variable]) if variable is not None else ():
            if objects.kind[held] in (ob.CLASS, ob.FUNCTION):
                out.append(self.report.definition_symbol(objects.a[held]))
            elif objects.kind[held] == ob.MODULE:
                out.append(self.report.module_symbol(self.program.units[objects.a[held]]))
        return out

    def entry_points(self) -> list[EntryPoint]:
        """What is started from outside: scripts, routes, commands, tests, fixtures, hooks."""
        out = set()
        for unit in self.program.units:
            for kind, text, _ in unit.facts.entry_points:
                out.add((self.report.module_symbol(unit), kind, text))
            if unit.facts.module_name == "__main__":
                out.add((self.report.module_symbol(unit), "main", "__main__"))
            for local, definition in enumerate(unit.facts.definitions):
                for kind, text in self._entries(unit, local, definition):
                    out.add((self.report.definition_symbol(unit.definitions + local), kind, text))
        for number, kind, text in self.registrations.entries():
            out.add((self.report.definition_symbol(number), kind, text))
        for one in self.registered:
            out.add((self.report.definition_symbol(one.target), one.kind, one.name))
        return [EntryPoint(*entry) for entry in sorted(out)]

    def _entries(self, unit: Unit, local: int, definition: Definition) -> list[tuple[str, str]]:
        out = []
        if definition.name.startswith("pytest_") and unit.facts.module_name == "conftest" and not definition.parent:
            out.append(("hook", definition.name))
        if (
            definition.name.startswith("test")
            and definition.kind in ("function", "method")
            and self._is_test(unit, local, definition)
        ):
            out.append(("test", definition.name))
        return out

    def _is_test(self, unit: Unit, local: int, definition: Definition) -> bool:
        if definition.kind == "method":
            cls = self.program.functions[unit.definitions + local].owner
            bases = self.solver.outside_bases(cls)
            name = self.program.definitions[cls].name
            return name.startswith("Test") or any("TestCase" in base for base in bases)
        file = unit.facts.path.rpartition("/")[2]
        return not definition.parent and (file.startswith("test") or file.endswith("_test.py"))
