"""Call sites: by which rule each of their targets was found, and why a site has none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.program import Unit
from tests.oracle.resolver.report.dispatch import FEW_IMPLEMENTATIONS, HOOKS, Dispatch
from tests.oracle.resolver.report.rules import confidence
from tests.oracle.resolver.solver import Solver

#: a call site with more targets that have nothing to do with each other is unresolved: most of such edges would be wrong
MANY_TARGETS = 8
#: the confidence below which that is said
VAGUE = 0.5


@dataclass(slots=True)
class Targets:
    """What a call site may reach in the repository."""

    rules: dict[int, str]
    """Definition -> the rule that found it."""
    count: int
    """How many of them can be called: abstract methods are not counted beside their implementations."""
    vague: bool = False
    """So many unrelated ones that each is a guess."""
    overriding: frozenset[int] = frozenset()
    """Those that override another one of them: which one is meant, only a run can tell."""


class Sites:
    """Reads the call sites of a solved program."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.program = solver.program
        self.dispatch = Dispatch(solver)

    def targets(self, unit: Unit, offset: int, inside: dict[int, str]) -> Targets:
        """The targets of a site for which the fixpoint found `inside`, and what dispatch adds to them."""
        if not inside:
            return Targets({}, 1)
        others = self._implementations(unit, offset)
        functions = [one for one in inside if one not in self.program.classes]
        concrete = {one for one in functions if not self.is_abstract(one)}
        concrete.update(one for one, live in others.items() if live and not self.is_abstract(one))
        shape, count = self.shape(unit, offset), len(concrete) or 1
        out = Targets({}, count)
        out.vague = count > MANY_TARGETS and self._is_vague(unit, offset, shape, concrete)
        added = self._rule_of_others(shape, functions, concrete)
        for definition, how in inside.items():
            rule = shape if how == "call" else how
            if concrete and self.is_abstract(definition):
                rule = "abstract"
            elif how == ob.POSSIBLE:
                rule = added if others.get(definition) else ob.POSSIBLE
            out.rules[definition] = rule
        for definition, live in others.items():
            abstract = bool(concrete) and self.is_abstract(definition)
            rule = "abstract" if abstract else added if live else ob.POSSIBLE
            out.rules.setdefault(definition, rule)
        out.overriding = self._overriding(out.rules)
        return out

    def grounds(self, targets: Targets, definition: int) -> int | None:
        """What stands for a target that dispatch adds, or that overrides another one of the site."""
        rule = targets.rules[definition]
        is_added = rule in ("hook", "implementation", "override", ob.POSSIBLE)
        if is_added or (definition in targets.overriding and rule != "abstract"):
            return self.dispatch.grounds(definition)
        return None

    def _overriding(self, definitions: Iterable[int]) -> frozenset[int]:
        functions = self.program.functions
        owners = {one: functions[one].owner for one in definitions if one in functions and functions[one].owner >= 0}
        having = set(owners.values())
        return frozenset(one for one, cls in owners.items() if not having.isdisjoint(self.solver.ancestors(cls)[1:]))

    def _rule_of_others(self, shape: str, found: list[int], concrete: set[int]) -> str:
        """The rule of implementations that no object was seen to lead to."""
        base_is_abstract = any(self.is_abstract(one) for one in found)
        if shape in ("self", "super"):
            owners = {self.program.parents[one] for one in found} & self.program.classes.keys()
            hook = base_is_abstract or len(concrete) >= HOOKS or not any(map(self.dispatch.is_live, owners))
            return "hook" if hook else ob.POSSIBLE
        if base_is_abstract:
            return "implementation" if len(concrete) <= FEW_IMPLEMENTATIONS else ob.POSSIBLE
        return "override" if len(concrete) == 2 else ob.POSSIBLE

    def _implementations(self, unit: Unit, offset: int) -> dict[int, bool]:
        """Methods that a receiver of a subclass may have instead of what is called, and whether a live class has them."""
        code, name = unit.code, unit.code[offset + 7]
        first = unit.first[code[offset + 3]]
        if name < 0 or first < 0 or code[first] != op.ATTR:
            return {}
        receiver = unit.variables + code[first + 2]
        method = self._method_of_receiver(unit, code[offset + 5], receiver)
        if method >= 0:
            caller = self.program.definitions[method].name
            return self.dispatch.implementations(self.program.parents[method], unit.symbols[name], caller)
        found: dict[int, bool] = {}
        for held in sorted(self.solver.holds[receiver]):
            cls = self.solver.objects.a[held]
            if self.solver.objects.kind[held] == ob.INSTANCE and (
                self.solver.objects.b[held] == ob.OR_SUBCLASS or self.dispatch.is_protocol(cls)
            ):
                for one, live in self.dispatch.implementations(cls, unit.symbols[name]).items():
                    found[one] = found.get(one, False) or live
        return found

    def _method_of_receiver(self, unit: Unit, owner: int, receiver: int) -> int:
        """The method whose own receiver the variable is, also within functions nested in it; -1 for none."""
        origin = unit.variables + unit.origin(receiver - unit.variables)
        definition = unit.definitions + owner if owner >= 0 else -1
        while definition >= 0:
            function = self.program.functions.get(definition)
            if function is not None and function.owner >= 0 and function.parameters:
                return definition if function.parameters[0][1] == origin else -1
            definition = self.program.parents[definition]
        return -1

    def _is_vague(self, unit: Unit, offset: int, rule: str, targets: set[int]) -> bool:
        """Whether the many targets of a call site are unrelated: not overrides of one method, and not what a container was seen to hold."""
        if confidence(rule, len(targets)) >= VAGUE or len({self._root(one) for one in targets}) <= MANY_TARGETS:
            return False
        first = unit.first[unit.origin(unit.code[offset + 3])]
        return first < 0 or unit.code[first] not in (op.ITEM, op.EACH, op.UNPACK)

    def _root(self, definition: int) -> tuple[int, str]:
        """The topmost class that has the method, and its name; a function stands for itself."""
        name, owner = self.program.definitions[definition].name, self.program.parents[definition]
        if owner not in self.program.classes:
            return definition, ""
        having = [one for one in self.solver.ancestors(owner) if name in self.program.classes[one].names]
        return (having[-1] if having else owner), name

    def is_abstract(self, definition: int) -> bool:
        function = self.program.functions.get(definition)
        return function is not None and bool(function.flags & op.ABSTRACT)

    def shape(self, unit: Unit, offset: int) -> str:
        """The rule by which a called object was found, from what is written before the bracket."""
        callee = unit.variables + unit.code[offset + 3]
        first = unit.first[callee - unit.variables]
        if first < 0 or unit.code[first] != op.ATTR:
            direct = first >= 0 and unit.code[first] in (op.COPY, op.FUNC, op.CLASS, op.FROM, op.IMPORT, op.NAME)
            return "name" if direct and len(self.solver.holds[callee]) == 1 else "value"
        receiver = unit.variables + unit.code[first + 2]
        if self._method_of_receiver(unit, unit.code[offset + 5], receiver) >= 0:
            return "self"
        kinds = {self.solver.objects.kind[held] for held in self.solver.holds[receiver]}
        if ob.SUPER in kinds:
            return "super"
        if kinds & {ob.MODULE, ob.NAMESPACE, ob.EXTERNAL} and not kinds & {ob.INSTANCE, ob.CLASS}:
            return "module"
        return "class" if ob.CLASS in kinds else "receiver"

    def reason(self, unit: Unit, offset: int) -> str:
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
