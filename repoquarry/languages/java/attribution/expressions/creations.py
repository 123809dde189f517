"""Creations of objects: which constructor they call, and of what type the object is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import ClassInfo, ClassType, OutsideType, Type, TypeVariable
from repoquarry.languages.java.attribution.expressions.invocations import Invocations
from repoquarry.languages.java.attribution.expressions.meanings import Meanings
from repoquarry.languages.java.attribution.expressions.overloads import Candidate, Overloads
from repoquarry.languages.java.attribution.findings import Findings
from repoquarry.languages.java.attribution.places import Place, this_type
from repoquarry.languages.java.attribution.subtyping import Subtyping
from repoquarry.languages.java.attribution.types import substitute
from repoquarry.languages.java.tree import Node


class Creations:
    """Attributes creations."""

    def __init__(
        self,
        program: Program,
        findings: Findings,
        meanings: Meanings,
        invocations: Invocations,
        open_class: Callable[[ClassInfo, Place], None],
    ) -> None:
        """`open_class` goes through the members of an anonymous class."""
        self._program = program
        self._findings = findings
        self._meanings = meanings
        self._invocations = invocations
        self._open_class = open_class
        self._subtyping = Subtyping(program)
        self._overloads = Overloads(program, self._subtyping)

    def creation(self, node: Node, place: Place, expected: Type) -> Type:
        """`new T(...)`, perhaps with a body."""
        _, written, values, line, body, outer = node
        found = self._created(written, outer, place)
        if not isinstance(found, ClassType):
            name = found.name if isinstance(found, OutsideType) else str(written[0])
            self._findings.call(place.caller, [name], line, "constructor")
            self._invocations.without_method(values, place)
            return self._with_body(body, found, place) if body is not None else found
        if written[1] == [] and body is not None and isinstance(expected, ClassType):
            found = self._program.as_super(expected, found.cls) or found
        is_diamond = written[1] == []
        if body is None or "<init>" in found.cls.methods:
            self.construct(found.cls, values, place, line, "constructor")
        if body is not None:
            return self._with_body(body, found, place)
        if not self._findings.is_trying:
            self._findings.live.add(found.cls)
        return self._diamond(found.cls, values, place, expected) if is_diamond else found

    def _created(self, written: Node, outer: Node | None, place: Place) -> Type:
        if outer is None:
            return self._meanings.written(written, place)
        around, _ = self._meanings.place_of(outer, place)
        for cls in self._meanings.classes_of(around):
            inner = self._program.naming.member_class(cls.cls, written[0])
            if inner is None:
                continue
            above = self._program.as_super(cls, inner.outer) if inner.outer is not None else None
            own = tuple(self._meanings.written(one, place) for one in written[1] or ())
            return ClassType(inner, (*own, *above.arguments) if above is not None else own)
        return None

    def _diamond(self, cls: ClassInfo, values: Sequence[Node | None], place: Place, expected: Type) -> Type:
        """The type of `new T<>(...)`: by what it is given, and by what is asked for."""
        made = this_type(cls)
        if self._findings.may_try:
            with self._findings.trying():
                candidates: list[Candidate] = [(one, {}) for one, _ in self._program.members(cls, "<init>")]
                arguments = self._invocations.arguments(values, place, candidates)
                chosen = self._overloads.choose(candidates, arguments)
                if chosen:
                    return self._invocations.apply(chosen[0], arguments, place, None, expected, cls.variables, made)
        guess: dict[TypeVariable, Type] = dict.fromkeys(cls.variables)
        self._subtyping.infer(made, expected, guess)
        return substitute(made, guess)

    def construct(self, cls: ClassInfo, values: Sequence[Node | None], place: Place, line: int, rule: str) -> None:
        """A call of a constructor of a class; the class itself where it has none of its own."""
        candidates: list[Candidate] = [(one, {}) for one, _ in self._program.members(cls, "<init>")]
        arguments = self._invocations.arguments(values, place, candidates)
        chosen = self._overloads.choose(candidates, arguments)
        if not chosen:
            self._findings.call(place.caller, [cls.symbol], line, rule)
            self._invocations.without_overload(arguments, place)
            return
        self._findings.call(place.caller, [method.symbol for method, _ in chosen], line, rule)
        self._invocations.apply(chosen[0], arguments, place)

    def _with_body(self, body: Node, base: Type, place: Place) -> Type:
        made = self._program.declared.declare(body, place.cls.unit, place.cls, place.names, is_local=True)
        made.anonymous_of = base if base is not None else OutsideType("")
        if not self._findings.is_trying:
            self._findings.live.add(made)
            self._findings.call(place.caller, [made.symbol], made.node[12], "constructor")
            self._open_class(made, place)
        return ClassType(made)
