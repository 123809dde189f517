"""What the solver found -> the edges of `Resolution`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ingest import constraints as op
from ingest.resolution import objects as ob
from ingest.resolution.model import CallEdge, UnresolvedCall
from ingest.resolution.program import Unit
from ingest.resolution.rules import confidence
from ingest.resolution.solver import Solver

#: so many definitions are listed as candidates of an unresolved call
MAX_CANDIDATES = 10

#: a call site with more targets that have nothing to do with each other is unresolved: most of such edges would be wrong
MANY_TARGETS = 8
#: the confidence below which that is said
VAGUE = 0.5

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
        for unit in self.program.units:
            for offset in unit.roots:
                if unit.code[offset] == op.CALL:
                    self._site(unit, offset, unresolved)
            for offset, definition, rule, targets in implicit.pop(unit.index, ()):
                self._implicit(unit, offset, definition, rule, targets)
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
        others = self._overriding(unit, offset) if inside else []
        functions = [one for one in inside if one not in self.program.classes]
        concrete = {one for one in (*functions, *others) if not self._is_abstract(one)}
        left = all(self._is_abstract(one) or inside[one] == ob.POSSIBLE for one in functions)
        count = len(concrete) or 1
        if place in solver.silent and not (inside or out):
            return
        if count > self.max_targets or not (inside or out):
            name = unit.symbols[code[offset + 7]] if code[offset + 7] >= 0 else ""
            reason = "budget" if count > self.max_targets else self._reason(unit, offset)
            unresolved[caller, name, reason].append(line)
            return
        shape = self._shape(unit, offset)
        if count > MANY_TARGETS and self._is_vague(unit, offset, shape, concrete):
            name = unit.symbols[code[offset + 7]] if code[offset + 7] >= 0 else ""
            unresolved[caller, name, "many targets"].append(line)
            self._possible[caller, name, "many targets"].update(map(self.definition_symbol, concrete))
            return
        for definition, how in inside.items():
            rule = shape if how == "call" else how
            if concrete and self._is_abstract(definition):
                rule = "abstract"
            elif rule == ob.POSSIBLE and left:
                rule = shape
            self._edge(caller, self.definition_symbol(definition), line, rule, count)
        for definition in others:
            if definition not in inside:
                rule = "abstract" if self._is_abstract(definition) else shape if left else ob.POSSIBLE
                self._edge(caller, self.definition_symbol(definition), line, rule, count)
        for number, how in out.items():
            self._edge(
                caller,
                self.external(solver.name_of(number)),
                line,
                shape if how == "call" else how,
                len(out) + len(inside),
            )

    def _is_vague(self, unit: Unit, offset: int, rule: str, targets: set[int]) -> bool:
        """Whether the many targets of a call site are unrelated: not overrides of one method, and not what a container was seen to hold."""
        if confidence(rule, len(targets)) >= VAGUE or len({self._root(one) for one in targets}) <= MANY_TARGETS:
            return False
        first = unit.first[self._origin(unit, unit.variables + unit.code[offset + 3]) - unit.variables]
        return first < 0 or unit.code[first] not in (op.ITEM, op.EACH, op.UNPACK)

    def _root(self, definition: int) -> tuple[int, str]:
        """The topmost class that has the method, and its name; a function stands for itself."""
        name, owner = self.program.definitions[definition].name, self.program.parents[definition]
        if owner not in self.program.classes:
            return definition, ""
        having = [one for one in self.solver.ancestors(owner) if name in self.program.classes[one].names]
        return (having[-1] if having else owner), name

    def _is_abstract(self, definition: int) -> bool:
        function = self.program.functions.get(definition)
        return function is not None and bool(function.flags & op.ABSTRACT)

    def _overriding(self, unit: Unit, offset: int) -> list[int]:
        """Methods that override what is called, in subclasses that the receiver may be of."""
        solver, name = self.solver, unit.code[offset + 7]
        callee = unit.variables + unit.code[offset + 3]
        first = unit.first[callee - unit.variables]
        if name < 0 or first < 0 or unit.code[first] != op.ATTR:
            return []
        found: dict[int, None] = {}
        for held in solver.holds[unit.variables + unit.code[first + 2]]:
            if solver.objects.kind[held] == ob.INSTANCE and solver.objects.b[held] == ob.OR_SUBCLASS:
                for _, variable in solver.overriding(solver.objects.a[held], unit.symbols[name]):
                    for one in solver.holds[variable]:
                        if solver.objects.kind[one] == ob.FUNCTION:
                            found[solver.objects.a[one]] = None
        return sorted(found)

    def _edge(self, caller: int, callee: int, line: int, rule: str, targets: int) -> None:
        self._edges[caller, callee].append((line, confidence(rule, targets), rule))

    def _shape(self, unit: Unit, offset: int) -> str:
        """The rule by which a called object was found, from what is written before the bracket."""
        callee = unit.variables + unit.code[offset + 3]
        first = unit.first[callee - unit.variables]
        if first < 0 or unit.code[first] != op.ATTR:
            direct = first >= 0 and unit.code[first] in (op.COPY, op.FUNC, op.CLASS, op.FROM, op.IMPORT, op.NAME)
            return "name" if direct and len(self.solver.holds[callee]) == 1 else "value"
        receiver = unit.variables + unit.code[first + 2]
        origin = self._origin(unit, receiver)
        owner = unit.code[offset + 5]
        function = self.program.functions.get(unit.definitions + owner) if owner >= 0 else None
        if function is not None and function.owner >= 0 and function.parameters and function.parameters[0][1] == origin:
            return "self"
        kinds = {self.solver.objects.kind[held] for held in self.solver.holds[receiver]}
        if ob.SUPER in kinds:
            return "super"
        if kinds & {ob.MODULE, ob.NAMESPACE, ob.EXTERNAL}:
            return "module"
        return "class" if ob.CLASS in kinds else "receiver"

    @staticmethod
    def _origin(unit: Unit, variable: int) -> int:
        """The variable that one is a mere copy of: loops copy what they read from before them."""
        code = unit.code
        for _ in range(8):
            first = unit.first[variable - unit.variables]
            if first < 0 or code[first] != op.COPY or code[first + 1] >= 0:
                break
            variable = unit.variables + code[first + 2]
        return variable

    def _reason(self, unit: Unit, offset: int) -> str:
        solver = self.solver
        callee = unit.variables + unit.code[offset + 3]
        if callee in solver.saturated:
            return "budget"
        first = unit.first[callee - unit.variables]
        if first >= 0 and unit.code[first] == op.NAME:
            return "unknown name"
        if first >= 0 and unit.code[first] == op.ATTR:
            receiver = unit.variables + unit.code[first + 2]
            known = {one for one in solver.holds[receiver] if not self._is_none(one)}
            if receiver in solver.saturated:
                return "budget"
            if not known:
                return "unknown receiver"
            outside = {ob.OPAQUE, ob.RESULT, ob.EXTERNAL, ob.METHOD, ob.DECORATOR}
            return (
                "outside the repository"
                if all(solver.objects.kind[one] in outside for one in known)
                else "dynamic attribute"
            )
        held = solver.holds[callee]
        return (
            "outside the repository"
            if held and all(solver.objects.kind[one] == ob.OPAQUE for one in held)
            else "unknown value"
        )

    def _is_none(self, held: int) -> bool:
        objects = self.solver.objects
        return objects.kind[held] in (ob.RESULT, ob.CONSTANT) and self.solver.type_name(held) == "builtins.NoneType"

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
            for reader in (target, *(self.solver.flows[target] or ())):
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
