"""Types of expressions, and what the calls in them reach."""

from __future__ import annotations

from collections.abc import Callable

from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import ArrayType, ClassInfo, ClassType, Primitive, Type
from repoquarry.languages.java.attribution.expressions.calls import Calls
from repoquarry.languages.java.attribution.expressions.creations import Creations
from repoquarry.languages.java.attribution.expressions.functions import Functions
from repoquarry.languages.java.attribution.expressions.invocations import Invocations
from repoquarry.languages.java.attribution.expressions.meanings import Meanings
from repoquarry.languages.java.attribution.findings import Findings
from repoquarry.languages.java.attribution.places import Place, Variable
from repoquarry.languages.java.attribution.subtyping import Subtyping
from repoquarry.languages.java.attribution.types import BOOLEAN, NULL, promoted, substitute
from repoquarry.languages.java.tree import Node

_LOGICAL = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


class Values:
    """Attributes expressions of a program."""

    def __init__(
        self,
        program: Program,
        findings: Findings,
        open_class: Callable[[ClassInfo, Place], None],
        run_block: Callable[[Node | None, Place], None],
    ) -> None:
        """`open_class` and `run_block` go through classes and blocks that stand within expressions."""
        self._program = program
        self._subtyping = Subtyping(program)
        self._run_block = run_block
        self.meanings = Meanings(program, self.type_of)
        self._functions = Functions(program, findings, self.meanings, self.type_of, run_block)
        invocations = Invocations(program, findings, self.meanings, self._functions, self.type_of)
        self.creations = Creations(program, findings, self.meanings, invocations, open_class)
        calls = Calls(program, findings, self.meanings, invocations)
        self._read: dict[int, Callable[[Node, Place, Type], Type]] = {
            tree.NAME: self._named,
            tree.FIELD: self._named,
            tree.THIS: self._named,
            tree.SUPER: self._named,
            tree.CALL: calls.call,
            tree.NEW: self.creations.creation,
            tree.LITERAL: self._literal,
            tree.CLASS_LITERAL: self._class_literal,
            tree.ASSIGN: self._assignment,
            tree.BINARY: self._binary,
            tree.UNARY: self._unary,
            tree.CONDITIONAL: self._conditional,
            tree.CAST: self._cast,
            tree.INSTANCE: self._instance,
            tree.INDEX: self._index,
            tree.ARRAY: self._array,
            tree.LAMBDA: self._functions.lambda_value,
            tree.REFERENCE: self._functions.reference_value,
            tree.SWITCH: self._switch,
            tree.SEVERAL: self._several,
        }

    def type_of(self, node: Node | None, place: Place, expected: Type = None) -> Type:
        """The type of an expression; `expected` is what the place where it stands asks for."""
        if node is None:
            return None
        return self._read[node[0]](node, place, expected)

    def _named(self, node: Node, place: Place, expected: Type) -> Type:
        return self.meanings.place_of(node, place)[0]

    def _literal(self, node: Node, place: Place, expected: Type) -> Type:
        return self._program.string if node[1] == "String" else NULL if node[1] == "null" else Primitive(node[1])

    def _class_literal(self, node: Node, place: Place, expected: Type) -> Type:
        found = self._program.naming.class_type("java.lang.Class")
        own = self._program.boxed(self.meanings.written(node[1], place))
        return ClassType(found.cls, (own,)) if isinstance(found, ClassType) else found

    def _assignment(self, node: Node, place: Place, expected: Type) -> Type:
        target = self.type_of(node[1], place)
        value = self.type_of(node[2], place, target)
        variable = self.meanings.variable(node[1], place)
        if variable is not None:
            self.assigned(variable, node[2], value, place)
        return target if target is not None else value

    def assigned(self, variable: Variable, node: Node | None, value: Type, place: Place) -> None:
        """Notes what an assignment puts into a local variable."""
        if node is None or variable.made is None:
            return
        if node[0] == tree.NEW and isinstance(value, ClassType):
            variable.made.add(value.cls)
        elif node[0] in (tree.LAMBDA, tree.REFERENCE):
            variable.functions |= self._functions.targets(node, place, variable.type)
        elif not (node[0] == tree.LITERAL and node[1] == "null"):
            variable.made = None

    def _binary(self, node: Node, place: Place, expected: Type) -> Type:
        types = [self.type_of(one, place) for one in node[2]]
        if node[1] in _LOGICAL:
            return BOOLEAN
        if node[1] == "+" and any(one == self._program.string for one in types):
            return self._program.string
        plain = [self._program.unboxed(one) for one in types]
        if node[1] in ("<<", ">>", ">>>"):
            return promoted(plain[0], plain[0])
        if any(one is None for one in plain):
            return None
        if all(one == BOOLEAN for one in plain):
            return BOOLEAN
        found = plain[0]
        for one in plain[1:]:
            found = promoted(found, one)
        return found

    def _unary(self, node: Node, place: Place, expected: Type) -> Type:
        found = self._program.unboxed(self.type_of(node[2] if len(node) > 2 else None, place))
        return BOOLEAN if node[1] == "!" else promoted(found, found) if node[1] in ("-", "+", "~") and found else found

    def _conditional(self, node: Node, place: Place, expected: Type) -> Type:
        self.type_of(node[1], place)
        return self._subtyping.common([self.type_of(one, place, expected) for one in node[2:4]], expected)

    def _cast(self, node: Node, place: Place, expected: Type) -> Type:
        asked = self.meanings.written(node[1], place)
        self.type_of(node[2], place, asked)
        return asked

    def _instance(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.type_of(node[1], place)
        if node[3] is not None:
            self._bind(node[3], place, found)
        return BOOLEAN

    def _bind(self, pattern: Node, place: Place, value: Type) -> None:
        """Binds the names of a pattern."""
        _, written, name, parts = pattern
        found = self.meanings.written(written, place) if written is not None and written[0] != "var" else value
        if name is not None:
            place.locals[-1][name] = Variable(found, None)
        record = found.cls.node[13] if isinstance(found, ClassType) else None
        own = self._program.mapping(found) if isinstance(found, ClassType) else {}
        for position, part in enumerate(parts or ()):
            type_: Type = None
            if isinstance(found, ClassType) and record and position < len(record):
                type_ = substitute(self._program.naming.field_type(found.cls.fields[record[position][0]]), own)
            self._bind(part, place, type_)

    def _index(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.type_of(node[1], place)
        self.type_of(node[2], place)
        return found.element if isinstance(found, ArrayType) else None

    def _array(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.meanings.written(node[1], place) if node[1] is not None else expected
        element = found.element if isinstance(found, ArrayType) else None
        for one in node[2]:
            self.type_of(one, place, element)
        return found

    def _switch(self, node: Node, place: Place, expected: Type) -> Type:
        value = self.type_of(node[1], place)
        types: list[Type] = []
        for _, labels, body in node[2]:
            place.locals.append({})
            for label in labels:
                if label is not None and label[0] == tree.PATTERN:
                    self._bind(label, place, value)
                elif label is not None and label[0] != tree.NAME:
                    self.type_of(label, place)
            if body[0] == tree.YIELD:
                types.append(self.type_of(body[1], place, expected))
            else:
                self._run_block(body, place)
            place.locals.pop()
        return self._subtyping.common(types, expected)

    def _several(self, node: Node, place: Place, expected: Type) -> Type:
        for one in node[1]:
            self.type_of(one, place)
        return None
