"""What the solver found -> the edges of `Resolution`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from repoquarry.ingest.resolution.model import CallEdge, UnresolvedCall
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.program import Unit
from tests.oracle.resolver.report.rules import confidence, shown
from tests.oracle.resolver.report.sites import Sites
from tests.oracle.resolver.solver import Solver

#: so many definitions are listed as candidates of an unresolved call
MAX_CANDIDATES = 10

#: opcode -> where its line and owner stand
_LINE_AT = {
    op.ATTR: 4,
    op.CALL: 4,
    op.ITEM: 5,
    op.EACH: 3,
    op.ENTER: 3,
    op.OPER: 5,
    op.UNPACK: 4,
    op.SETATTR: 5,
    op.SETITEM: 6,
    op.RAISE: 3,
}


class Report:
    """Reads a solved program."""

    def __init__(self, solver: Solver, max_targets: int) -> None:
        self.solver = solver
        self.program = solver.program
        self.max_targets = max_targets
        self.sites = Sites(solver)
        self.externals: dict[str, int] = {}
        self._edges: dict[tuple[int, int], list[tuple[int, float, str]]] = defaultdict(list)
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._possible: dict[tuple[int, str, str], set[int]] = defaultdict(set)
        """(caller, name, reason) of unresolved calls -> the targets that were too many"""

    def definition_symbol(self, definition: int) -> int:
        """Symbols are listed by file: the module, then its definitions."""
        return definition + self.program.unit_of[definition] + 1

    def module_symbol(self, unit: Unit) -> int:
        """The symbol of a module."""
        return unit.definitions + unit.index

    def owner_symbol(self, unit: Unit, owner: int) -> int:
        """The symbol of the definition that an operation stands in."""
        return self.module_symbol(unit) if owner < 0 else self.definition_symbol(unit.definitions + owner)

    def external(self, name: str) -> int:
        """The number of an external: provisional, in order of first use."""
        return ~self.externals.setdefault(name, len(self.externals))

    # ---- calls

    def calls(self) -> tuple[list[CallEdge], list[UnresolvedCall]]:
        """All call edges and what remains unresolved."""
        unresolved: dict[tuple[int, str, str], list[int]] = defaultdict(list)
        edges: list[CallEdge] = []
        implicit = self._implicit_sites()
        injected: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for caller, fixture in self.solver.injected:
            injected[self.program.unit_of[caller]].append((caller, fixture))
        for unit in self.program.units:
            for offset in unit.roots:
                if unit.code[offset] == op.CALL:
                    self._site(unit, offset, unresolved)
            for offset, definition, rule, targets in implicit.pop(unit.index, ()):
                self._implicit(unit, offset, definition, rule, targets)
            for caller, fixture in injected.pop(unit.index, ()):
                line = self.program.definitions[caller].name_line
                self._edge(self.definition_symbol(caller), self.definition_symbol(fixture), line, "fixture", 1)
            edges += self._finished_edges()
        for definition in range(len(self.program.definitions)):
            self._by_name[self.program.definitions[definition].name].append(self.definition_symbol(definition))
        missing = [
            UnresolvedCall(
                caller,
                name,
                len(lines),
                tuple(sorted(lines)),
                reason,
                tuple((sorted(self._possible[caller, name, reason]) or self._by_name.get(name, []))[:MAX_CANDIDATES]),
            )
            for (caller, name, reason), lines in unresolved.items()
        ]
        return sorted(edges, key=lambda edge: (edge.caller, edge.callee)), sorted(
            missing, key=lambda one: (one.caller, one.name, one.reason)
        )

    def _finished_edges(self) -> Iterator[CallEdge]:
        """The edges of one file: all calls of a caller stand in its file."""
        for (caller, callee), sites in self._edges.items():
            best = max(sites, key=lambda site: (site[1], site[2]))
            lines = tuple(sorted(line for line, _, _ in sites))
            yield CallEdge(caller, callee, len(lines), lines, best[2], best[1])
        self._edges.clear()

    def _site(self, unit: Unit, offset: int, unresolved: dict[tuple[int, str, str], list[int]]) -> None:
        solver, code = self.solver, unit.code
        place = solver.place(unit, offset)
        inside, out = solver.reached.at(place), solver.reached_outside.at(place)
        line, caller = code[offset + 4], self.owner_symbol(unit, code[offset + 5])
        if not (inside or out):
            if place not in solver.silent:
                self._unresolved(unit, offset, self.sites.reason(unit, offset), (), unresolved)
            return
        targets = self.sites.targets(unit, offset, inside)
        if targets.count > self.max_targets:
            self._unresolved(unit, offset, "budget", (), unresolved)
            return
        if targets.vague:
            self._unresolved(unit, offset, "many targets", targets.rules, unresolved)
            return
        for definition, rule in targets.rules.items():
            possible = definition in targets.overriding
            grounds = self.sites.grounds(targets, definition)
            self._edge(
                caller,
                self.definition_symbol(definition),
                line,
                rule,
                targets.count,
                possible=possible,
                grounds=grounds,
            )
        for number, how in out.items():
            rule = self.sites.shape(unit, offset) if how == "call" else how
            self._edge(caller, self.external(solver.name_of(number)), line, rule, len(out) + len(inside))

    def _unresolved(
        self,
        unit: Unit,
        offset: int,
        reason: str,
        candidates: Iterable[int],
        unresolved: dict[tuple[int, str, str], list[int]],
    ) -> None:
        name = unit.code[offset + 7]
        key = (
            self.owner_symbol(unit, unit.code[offset + 5]),
            unit.symbols[name] if name >= 0 else "",
            reason,
        )
        unresolved[key].append(unit.code[offset + 4])
        self._possible[key].update(map(self.definition_symbol, candidates))

    def _edge(
        self,
        caller: int,
        callee: int,
        line: int,
        rule: str,
        targets: int,
        *,
        possible: bool = False,
        grounds: int | None = None,
    ) -> None:
        how = ob.POSSIBLE if possible else shown(rule)
        self._edges[caller, callee].append((line, confidence(rule, targets, grounds), how))

    def _implicit_sites(self) -> dict[int, list[tuple[int, int, str, int]]]:
        """Calls that no bracket shows: properties, operators, iteration, item assignment, raising.

        File -> (offset, definition, rule, number of targets).
        """
        found: dict[int, list[tuple[int, int, str, int]]] = defaultdict(list)
        for place in self.solver.reached.places():
            operation = self.solver.unit_at(place) if place >= 0 else self._operation(-2 - place)
            if operation is None:
                continue
            unit, offset = operation
            if place < 0 or unit.code[offset] != op.CALL:
                definitions = self.solver.reached.at(place)
                for definition, how in definitions.items():
                    rule = how if place >= 0 and how != "call" else "implicit"
                    found[unit.index].append((offset, definition, rule, len(definitions)))
        for target, getters in self.solver.getters.items():
            distinct = dict.fromkeys(definition for definition, _ in getters)
            for reader in self.solver.readers_of(target):
                if (operation := self._operation(reader)) is not None:
                    unit, offset = operation
                    found[unit.index] += [(offset, one, "property", len(distinct)) for one in distinct]
        return found

    def _operation(self, variable: int) -> tuple[Unit, int] | None:
        if not 0 <= variable < self.program.variables:
            return None
        unit = self.program.unit_of_variable(variable)
        offset = unit.first[variable - unit.variables]
        return (unit, offset) if offset >= 0 else None

    def _implicit(self, unit: Unit, offset: int, definition: int, rule: str, targets: int) -> None:
        at = _LINE_AT.get(unit.code[offset])
        if at is None:
            return
        line, owner = unit.code[offset + at], unit.code[offset + at + 1]
        self._edge(self.owner_symbol(unit, owner), self.definition_symbol(definition), line, rule, targets)

    def owners(self) -> Iterator[tuple[int, int]]:
        """(definition, class) of every method."""
        for number, function in self.program.functions.items():
            if function.owner >= 0:
                yield number, function.owner
