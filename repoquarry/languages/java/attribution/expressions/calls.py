"""Calls: which method they reach, and what they give."""

from __future__ import annotations

from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import ArrayType, ClassType, OutsideType, Type
from repoquarry.languages.java.attribution.expressions.invocations import Invocations
from repoquarry.languages.java.attribution.expressions.meanings import Meanings
from repoquarry.languages.java.attribution.expressions.overloads import Argument, Candidate, Overloads
from repoquarry.languages.java.attribution.expressions.receivers import Receivers
from repoquarry.languages.java.attribution.findings import Findings
from repoquarry.languages.java.attribution.places import Place, this_type
from repoquarry.languages.java.attribution.subtyping import Subtyping
from repoquarry.languages.java.attribution.types import OPAQUE, substitute, upper
from repoquarry.languages.java.tree import Node


class Calls:
    """Attributes calls."""

    def __init__(self, program: Program, findings: Findings, meanings: Meanings, invocations: Invocations) -> None:
        self._program = program
        self._findings = findings
        self._meanings = meanings
        self._invocations = invocations
        self._receivers = Receivers(program, findings, meanings)
        self._overloads = Overloads(program, Subtyping(program))

    def call(self, node: Node, place: Place, expected: Type) -> Type:
        """A method call."""
        _, receiver, name, *_ = node
        if receiver is None:
            return self._unqualified(node, place, expected)
        found, is_type = self._meanings.place_of(receiver, place)
        found = upper(found)
        if found == OPAQUE:
            self._findings.unresolved(place.caller, name, node[4], "outside the repository")
            self._invocations.without_method(node[3], place)
            return OPAQUE
        if isinstance(found, OutsideType):
            return self._outside(f"{found.name}.{name}", node, place)
        candidates = self._candidates(found, name, is_type=is_type)
        if isinstance(found, ArrayType) and name == "clone" and candidates:
            self._findings.call(place.caller, [candidates[0][0].symbol], node[4], "receiver")
            return found
        if not candidates:
            return self._nothing(node, place, found)
        rule = (
            "super"
            if receiver[0] == tree.SUPER
            else "self"
            if receiver[0] == tree.THIS
            else "class"
            if is_type
            else "receiver"
        )
        return self._reach(node, place, candidates, rule, found, expected)

    def _candidates(self, found: Type, name: str, *, is_type: bool) -> list[Candidate]:
        out: list[Candidate] = []
        for cls in self._meanings.classes_of(found):
            own = {} if is_type else self._program.mapping(cls)
            for method, mapping in self._program.members(cls.cls, name):
                seen = {one: substitute(given, own) for one, given in mapping.items()}
                out.append((method, {**seen, **own} if method.cls is cls.cls else seen))
        return out

    def _unqualified(self, node: Node, place: Place, expected: Type) -> Type:
        name = node[2]
        for here in place.around():
            candidates = self._candidates(this_type(here.cls), name, is_type=False)
            if candidates:
                return self._reach(node, place, candidates, "self", this_type(here.cls), expected)
        imported = [
            (method, mapping)
            for cls in self._program.naming.static_imports(name, place.cls.unit)
            if isinstance(cls, ClassType)
            for method, mapping in self._program.members(cls.cls, name)
            if method.has(tree.STATIC)
        ]
        if imported:
            return self._reach(node, place, imported, "name", None, expected)
        outside = next((f"{base}.{name}" for base in self._outside_bases(place)), None)
        static = [
            one.name
            for one in self._program.naming.static_imports(name, place.cls.unit)
            if isinstance(one, OutsideType)
        ]
        if static:
            outside = f"{static[0]}.{name}" if len(static) == 1 or outside is None else outside
        if outside is not None:
            return self._outside(outside, node, place)
        return self._nothing(node, place, None)

    def _outside_bases(self, place: Place) -> list[str]:
        return [base for here in place.around() for base in self._program.outside_bases(here.cls)]

    def _outside(self, name: str, node: Node, place: Place) -> Type:
        """A call of which only the name is known."""
        self._findings.call(place.caller, [name], node[4], "receiver")
        self._invocations.without_method(node[3], place)
        return OPAQUE

    def _nothing(self, node: Node, place: Place, found: Type) -> Type:
        """A call that no method answers."""
        name = node[2]
        bases = [base for cls in self._meanings.classes_of(found) for base in self._program.outside_bases(cls.cls)]
        if bases:
            return self._outside(f"{bases[0]}.{name}", node, place)
        reason = "unknown name" if node[1] is None else "unknown receiver" if found is None else "dynamic attribute"
        self._findings.unresolved(place.caller, name, node[4], reason)
        self._invocations.without_method(node[3], place)
        return None

    def _reach(
        self, node: Node, place: Place, candidates: list[Candidate], rule: str, receiver: Type, expected: Type
    ) -> Type:
        arguments = self._invocations.arguments(node[3], place, candidates)
        chosen = self._overloads.choose(candidates, arguments)
        if not chosen:
            return self._no_overload(node, place, candidates, arguments)
        self._findings.call(place.caller, [method.symbol for method, _ in chosen], node[4], rule)
        self._receivers.note_dispatch(node, place, chosen, rule, receiver)
        return self._invocations.apply(chosen[0], arguments, place, node[5], expected)

    def _no_overload(self, node: Node, place: Place, candidates: list[Candidate], arguments: list[Argument]) -> Type:
        bases = [base for method, _ in candidates for base in self._program.outside_bases(method.cls)]
        if bases:
            self._findings.call(place.caller, [f"{bases[0]}.{node[2]}"], node[4], "receiver")
            found: Type = OPAQUE
        else:
            found = None
            self._findings.unresolved(place.caller, node[2], node[4], "dynamic attribute")
        self._invocations.without_overload(arguments, place)
        return found
