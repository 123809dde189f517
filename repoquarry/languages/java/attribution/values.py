"""Types of expressions, and what the calls in them reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.calling import Calling
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    ClassInfo,
    ClassType,
    Intersection,
    OutsideType,
    Primitive,
    Type,
    VariableType,
    Wildcard,
)
from repoquarry.languages.java.attribution.findings import Findings
from repoquarry.languages.java.attribution.functions import Functions
from repoquarry.languages.java.attribution.places import Place, Variable, this_type
from repoquarry.languages.java.attribution.subtyping import YES, Subtyping
from repoquarry.languages.java.attribution.types import BOOLEAN, NULL, promoted, substitute, upper
from repoquarry.languages.java.tree import Node

_LOGICAL = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


class Values:
    """Attributes expressions of a program."""

    def __init__(self, program: Program, findings: Findings, open_class: Callable[[ClassInfo, Place], None]) -> None:
        self.program = program
        self.findings = findings
        self.subtyping = Subtyping(program)
        self.open_class = open_class
        self.calling = Calling(self)
        self.functions = Functions(self)
        self.run_block: Callable[[Node | None, Place], None] = lambda node, place: None
        self._read: dict[int, Callable[[Node, Place, Type], Type]] = {
            tree.NAME: lambda node, place, expected: self.place_of(node, place)[0],
            tree.FIELD: lambda node, place, expected: self.place_of(node, place)[0],
            tree.THIS: lambda node, place, expected: self.place_of(node, place)[0],
            tree.SUPER: lambda node, place, expected: self.place_of(node, place)[0],
            tree.CALL: self.calling.call,
            tree.NEW: self.calling.creation,
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
            tree.LAMBDA: self.functions.lambda_value,
            tree.REFERENCE: self.functions.reference_value,
            tree.SWITCH: self._switch,
            tree.SEVERAL: self._several,
        }

    def type_of(self, node: Node | None, place: Place, expected: Type = None) -> Type:
        """The type of an expression; `expected` is what the place where it stands asks for."""
        if node is None:
            return None
        return self._read[node[0]](node, place, expected)

    def written(self, node: Node | None, place: Place) -> Type:
        """A type that is written in code."""
        return self.program.naming.type_of(node, place.cls.unit, place.cls, place.names)

    # ---- names

    def place_of(self, node: Node, place: Place) -> tuple[Type, bool]:
        """Type of what stands before a dot, and whether it is a type itself and no value."""
        kind = node[0]
        if kind == tree.NAME:
            return self._name(node[1], place)
        if kind == tree.FIELD:
            return self._field(node, place)
        if kind == tree.THIS:
            return self._this(node[1], place), False
        if kind == tree.SUPER:
            return self.calling.above(node[1], place), False
        return self.type_of(node, place), False

    def _name(self, name: str, place: Place) -> tuple[Type, bool]:
        for here in place.around():
            variable = here.variable(name)
            if variable is not None:
                return variable.type, False
            found = self.program.field(here.cls, name)
            if found is not None:
                return substitute(self.program.naming.field_type(found[0]), found[1]), False
        for cls in self.program.naming.static_imports(name, place.cls.unit):
            found = self.program.field(cls.cls, name) if isinstance(cls, ClassType) else None
            if found is not None:
                return self.program.naming.field_type(found[0]), False
        type_ = self.program.naming.type_name(name, place.cls.unit, place.cls, place.names)
        if isinstance(type_, OutsideType) and not name[:1].isupper():
            return None, False
        return type_, True

    def _field(self, node: Node, place: Place) -> tuple[Type, bool]:
        name = node[2]
        if node[1] is None:
            return None, False
        dotted = self._dotted(node, place)
        if dotted is not None:
            return dotted, True
        found, is_type = self.place_of(node[1], place)
        found = upper(found)
        if isinstance(found, ArrayType) and name == "length":
            return Primitive("int"), False
        if is_type and isinstance(found, OutsideType):
            return (
                (OutsideType(f"{found.name}.{name}"), True)
                if name[:1].isupper() and not name.isupper()
                else (None, False)
            )
        for cls in self.classes_of(found):
            member = self.program.field(cls.cls, name)
            if member is not None:
                own = {} if is_type else self.program.mapping(cls)
                return substitute(substitute(self.program.naming.field_type(member[0]), member[1]), own), False
            inner = self.program.naming.member_class(cls.cls, name)
            if inner is not None:
                return ClassType(inner), True
        return None, False

    def _dotted(self, node: Node, place: Place) -> Type:
        """A class by its full name, where no variable hides the first part."""
        parts = [node[2]]
        here = node[1]
        while here is not None and here[0] == tree.FIELD:
            parts.append(here[2])
            here = here[1]
        if here is None or here[0] != tree.NAME:
            return None
        head = here[1]
        if self._name(head, place) != (None, False):
            return None
        name = ".".join([head, *reversed(parts)])
        cls = self.program.declared.named(name, place.cls.unit)
        if cls is not None:
            return ClassType(cls)
        return (
            OutsideType(name) if node[2][:1].isupper() and all(part.islower() for part in [head, *parts[1:]]) else None
        )

    def _this(self, name: str | None, place: Place) -> Type:
        for here in place.around():
            if name is None or here.cls.name == name.rpartition(".")[2]:
                return this_type(here.cls)
        return None

    def classes_of(self, found: Type) -> list[ClassType]:
        """The classes whose members a value of a type has."""
        found = upper(found)
        if isinstance(found, ClassType):
            return [found]
        if isinstance(found, VariableType):
            return [one for bound in found.variable.bounds for one in self.classes_of(bound)] or self._object()
        if isinstance(found, Intersection):
            return [one for part in found.types for one in self.classes_of(part)]
        return self._object() if isinstance(found, ArrayType) else []

    def _object(self) -> list[ClassType]:
        return [ClassType(self.program.object)] if self.program.object is not None else []

    def variable(self, node: Node | None, place: Place) -> Variable | None:
        """The local variable that an expression names."""
        if node is None or node[0] != tree.NAME:
            return None
        return next((found for here in place.around() if (found := here.variable(node[1])) is not None), None)

    # ---- expressions

    def _literal(self, node: Node, place: Place, expected: Type) -> Type:
        return self.program.string if node[1] == "String" else NULL if node[1] == "null" else Primitive(node[1])

    def _class_literal(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.program.naming.class_type("java.lang.Class")
        own = self.program.boxed(self.written(node[1], place))
        return ClassType(found.cls, (own,)) if isinstance(found, ClassType) else found

    def _assignment(self, node: Node, place: Place, expected: Type) -> Type:
        target = self.type_of(node[1], place)
        value = self.type_of(node[2], place, target)
        variable = self.variable(node[1], place)
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
            variable.functions |= self.functions.targets(node, place, variable.type)
        elif not (node[0] == tree.LITERAL and node[1] == "null"):
            variable.made = None

    def _binary(self, node: Node, place: Place, expected: Type) -> Type:
        types = [self.type_of(one, place) for one in node[2]]
        if node[1] in _LOGICAL:
            return BOOLEAN
        if node[1] == "+" and any(one == self.program.string for one in types):
            return self.program.string
        plain = [self.program.unboxed(one) for one in types]
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
        found = self.program.unboxed(self.type_of(node[2] if len(node) > 2 else None, place))
        return BOOLEAN if node[1] == "!" else promoted(found, found) if node[1] in ("-", "+", "~") and found else found

    def _conditional(self, node: Node, place: Place, expected: Type) -> Type:
        self.type_of(node[1], place)
        return self.common([self.type_of(one, place, expected) for one in node[2:4]], expected)

    def common(self, types: Sequence[Type], expected: Type) -> Type:
        """The type of an expression that gives one of several values."""
        known = [one for one in types if one is not None and one != NULL]
        if not known:
            return expected
        found: Type = known[0]
        for one in known[1:]:
            if isinstance(one, Primitive) and isinstance(found, Primitive):
                found = one if one == found else promoted(one, found)
            elif self.subtyping.subtype(self.program.boxed(found), self.program.boxed(one)) == YES:
                found = one
            elif self.subtyping.subtype(self.program.boxed(one), self.program.boxed(found)) != YES:
                found = expected if expected is not None else self.subtyping.shared(found, one)
        return found

    def _cast(self, node: Node, place: Place, expected: Type) -> Type:
        asked = self.written(node[1], place)
        self.type_of(node[2], place, asked)
        return asked

    def _instance(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.type_of(node[1], place)
        if node[3] is not None:
            self.bind(node[3], place, found)
        return BOOLEAN

    def bind(self, pattern: Node, place: Place, value: Type) -> None:
        """Binds the names of a pattern."""
        _, written, name, parts = pattern
        found = self.written(written, place) if written is not None and written[0] != "var" else value
        if name is not None:
            place.locals[-1][name] = Variable(found, None)
        record = found.cls.node[13] if isinstance(found, ClassType) else None
        own = self.program.mapping(found) if isinstance(found, ClassType) else {}
        for position, part in enumerate(parts or ()):
            type_: Type = None
            if isinstance(found, ClassType) and record and position < len(record):
                type_ = substitute(self.program.naming.field_type(found.cls.fields[record[position][0]]), own)
            self.bind(part, place, type_)

    def _index(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.type_of(node[1], place)
        self.type_of(node[2], place)
        return found.element if isinstance(found, ArrayType) else None

    def _array(self, node: Node, place: Place, expected: Type) -> Type:
        found = self.written(node[1], place) if node[1] is not None else expected
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
                    self.bind(label, place, value)
                elif label is not None and label[0] != tree.NAME:
                    self.type_of(label, place)
            if body[0] == tree.YIELD:
                types.append(self.type_of(body[1], place, expected))
            else:
                self.run_block(body, place)
            place.locals.pop()
        return self.common(types, expected)

    def _several(self, node: Node, place: Place, expected: Type) -> Type:
        for one in node[1]:
            self.type_of(one, place)
        return None

    def element(self, found: Type) -> Type:
        """Type of what iteration over a value gives."""
        found = upper(found)
        if isinstance(found, ArrayType):
            return found.element
        iterable = self.program.declared.named("java.lang.Iterable", 0)
        for cls in self.classes_of(found):
            above = self.program.as_super(cls, iterable) if iterable is not None else None
            if above is not None and above.arguments:
                given = above.arguments[0]
                return upper(given) if isinstance(given, Wildcard) else given
        return None
