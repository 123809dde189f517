"""What the object that a method is called on may be: which overriding methods a call may reach beside the one that the compiler names."""

from __future__ import annotations

from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import ClassInfo, ClassType, Method, Type
from repoquarry.languages.java.attribution.expressions.meanings import Meanings
from repoquarry.languages.java.attribution.expressions.overloads import Candidate
from repoquarry.languages.java.attribution.findings import Findings
from repoquarry.languages.java.attribution.places import Place
from repoquarry.languages.java.tree import Node


class Receivers:
    """Notes what receivers of calls may be."""

    def __init__(self, program: Program, findings: Findings, meanings: Meanings) -> None:
        self._program = program
        self._findings = findings
        self._meanings = meanings

    def note_dispatch(self, node: Node, place: Place, chosen: list[Candidate], rule: str, receiver: Type) -> None:
        """What else a call may reach: overriding methods, and functions that are called through their interface."""
        if rule in ("super", "class", "name") or self._findings.is_trying:
            return
        method = chosen[0][0]
        if method.has(tree.STATIC) or method.has(tree.PRIVATE) or method.has(tree.FINAL):
            return
        variable = self._meanings.variable(node[1], place)
        if variable is not None and self._program.function(method.cls) is method:
            if variable.functions:
                self._findings.call(place.caller, sorted(variable.functions), node[4], "value")
            if variable.parameter is not None:
                self._findings.received.append((place.caller, variable.parameter, node[4]))
        made = self._made(node[1], place)
        if made:
            own = [cls for cls in made if not self._program.declared.is_stub(cls)]
            exact = {self._implementation(cls, method) for cls in own} - {method.symbol}
            self._findings.call(place.caller, sorted(exact), node[4], "instance")
            return
        for cls in self._meanings.classes_of(receiver) or [ClassType(method.cls)]:
            self._findings.virtual.append((place.caller, method, cls.cls, node[4]))

    def _made(self, node: Node | None, place: Place) -> set[ClassInfo]:
        """Classes of the objects that an expression was seen to be made of; empty where others are possible."""
        if node is None:
            return set()
        if node[0] == tree.NEW:
            found = self._meanings.written(node[1], place)
            return {found.cls} if isinstance(found, ClassType) and node[4] is None else set()
        variable = self._meanings.variable(node, place)
        if variable is not None:
            return variable.made or set()
        own = node[0] == tree.FIELD and node[1] == [tree.THIS, None]
        name = node[1] if node[0] == tree.NAME else node[2] if own else None
        return self._made_for_field(name, place) if name is not None else set()

    def _made_for_field(self, name: str, place: Place) -> set[ClassInfo]:
        """The class of the object that a final field is made with."""
        found = self._program.field(place.cls, name)
        if found is None or not found[0].is_final or found[0].value is None:
            return set()
        value, cls = found[0].value, found[0].cls
        if value[0] != tree.NEW or value[4] is not None:
            return set()
        made = self._program.naming.type_of(value[1], cls.unit, cls, cls.names)
        return {made.cls} if isinstance(made, ClassType) else set()

    def _implementation(self, cls: ClassInfo, method: Method) -> int:
        """What an instance of a class has for a method."""
        wanted = {len(one.node[3] or ()) for one in (method,)}
        same = [one for one, _ in self._program.members(cls, method.name) if len(one.node[3] or ()) in wanted]
        if len(same) > 1:
            mapping = next((given for above, given in self._program.line(cls) if above is method.cls), {})
            signature = self._program.signature(method, mapping)
            same = [
                one for one, given in self._program.members(cls, method.name)
                if self._program.signature(one, given) == signature
            ]  # fmt: skip
        return same[0].symbol if same else method.symbol
