"""Lookup of variables, fields and types by name in Java expressions; dispatch of calls by possible receiver classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Protocol

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    AttributionLog,
    ClassInfo,
    ClassType,
    CodeContext,
    Field,
    Intersection,
    LocalVariable,
    Method,
    OutsideType,
    Primitive,
    Type,
    VariableType,
    Wildcard,
    substitute,
    this_type,
    upper,
)
from repoquarry.languages.java.attribution.overload_resolution import Candidate
from repoquarry.languages.java.attribution.reflection import narrow
from repoquarry.languages.java.reduced_tree import Expression, WrittenType


class TypeOf(Protocol):
    """Attributes an expression. Handed in, as expressions stand within what holds them: a call within a lambda within a call."""

    def __call__(self, node: Expression | None, place: CodeContext, expected: Type = None) -> Type:
        """Return the type of an expression; `expected` is what the place where it stands asks for."""


class NameLookup:
    """Finder of the meaning of names and types at a place."""

    def __init__(self, program: JavaProgram, findings: AttributionLog, type_of: TypeOf) -> None:
        self._program = program
        self._findings = findings
        self._type_of = type_of
        self.assigned: set[int] = set()
        """Identities of the expressions that are assigned to."""

    def written(self, node: WrittenType | None, place: CodeContext) -> Type:
        """Return a type that is written in code."""
        return self._program.naming.type_of(node, place.cls.unit, place.cls, place.names)

    def place_of(self, node: Expression | None, place: CodeContext) -> tuple[Type, bool]:
        """Return the type of the expression before a dot, and whether it is a type itself and not a value."""
        if isinstance(node, tree.Name):
            return self._name(node.name, place, node)
        if isinstance(node, tree.FieldAccess):
            return self._field(node, place)
        if isinstance(node, tree.This):
            return self._this(node.type, place), False
        if isinstance(node, tree.Super):
            return self.above(node.type, place), False
        return self._type_of(node, place), False

    def use(self, found: Field, node: tree.Name | tree.FieldAccess, place: CodeContext, how: str) -> None:
        """Record the use of a field."""
        kind = "write" if id(node) in self.assigned else "read"
        self._findings.use(place.caller, found.cls.symbol, found.name, node.line, kind, how)

    def _name(self, name: str, place: CodeContext, node: tree.Name | None = None) -> tuple[Type, bool]:
        """Return what a name means; `node` is given where the name is an expression and not a part of a longer one."""
        for here in place.around():
            variable = here.variable(name)
            if variable is not None:
                return narrow(variable.type, variable.reflected), False
            found = self._program.field(here.cls, name)
            if found is not None:
                if node is not None:
                    self.use(found[0], node, place, "self")
                declared = substitute(self._program.naming.field_type(found[0]), found[1])
                return narrow(declared, found[0].reflected), False
        for cls in self._program.naming.static_imports(name, place.cls.unit):
            found = self._program.field(cls.cls, name) if isinstance(cls, ClassType) else None
            if found is not None:
                if node is not None:
                    self.use(found[0], node, place, "name")
                return self._program.naming.field_type(found[0]), False
        type_ = self._program.naming.type_name(name, place.cls.unit, place.cls, place.names)
        if isinstance(type_, OutsideType) and not name[:1].isupper():
            return None, False
        return type_, True

    def _field(self, node: tree.FieldAccess, place: CodeContext) -> tuple[Type, bool]:
        name = node.name
        if node.object is None:
            return None, False
        dotted = self._dotted(node, place)
        if dotted is not None:
            return dotted, True
        found, is_type = self.place_of(node.object, place)
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
            member = self._program.field(cls.cls, name)
            if member is not None:
                is_self = isinstance(node.object, tree.This | tree.Super)
                self.use(member[0], node, place, "name" if is_type else "self" if is_self else "receiver")
                own = {} if is_type else self._program.mapping(cls)
                declared = substitute(substitute(self._program.naming.field_type(member[0]), member[1]), own)
                return narrow(declared, member[0].reflected), False
            inner = self._program.naming.member_class(cls.cls, name)
            if inner is not None:
                return ClassType(inner), True
        return None, False

    def _dotted(self, node: tree.FieldAccess, place: CodeContext) -> Type:
        """Return a class by its full name, where no variable hides the first part."""
        parts = [node.name]
        here = node.object
        while isinstance(here, tree.FieldAccess):
            parts.append(here.name)
            here = here.object
        if not isinstance(here, tree.Name):
            return None
        head = here.name
        if self._name(head, place) != (None, False):
            return None
        name = ".".join([head, *reversed(parts)])
        cls = self._program.declared.named(name, place.cls.unit)
        if cls is not None:
            return ClassType(cls)
        is_class = node.name[:1].isupper() and all(part.islower() for part in [head, *parts[1:]])
        return OutsideType(name) if is_class else None

    def _this(self, name: str | None, place: CodeContext) -> Type:
        for here in place.around():
            if name is None or here.cls.name == name.rpartition(".")[2]:
                return this_type(here.cls)
        return None

    def above(self, name: str | None, place: CodeContext) -> Type:
        """Type of `super` or `Name.super`."""
        if name is not None:
            named = self._program.naming.type_name(name, place.cls.unit, place.cls, place.names)
            for here in place.around():
                if isinstance(named, ClassType) and here.cls is named.cls:
                    self._program.naming.read(here.cls)
                    return here.cls.superclass
            return named
        self._program.naming.read(place.cls)
        found = place.cls.superclass
        if found is None and place.cls.interfaces:
            return place.cls.interfaces[0]
        return found

    def classes_of(self, found: Type) -> list[ClassType]:
        """Return the classes whose members a value of a type has."""
        found = upper(found)
        if isinstance(found, ClassType):
            return [found]
        if isinstance(found, VariableType):
            return [one for bound in found.variable.bounds for one in self.classes_of(bound)] or self._object()
        if isinstance(found, Intersection):
            return [one for part in found.types for one in self.classes_of(part)]
        return self._object() if isinstance(found, ArrayType) else []

    def _object(self) -> list[ClassType]:
        return [ClassType(self._program.object)] if self._program.object is not None else []

    def variable(self, node: Expression | None, place: CodeContext) -> LocalVariable | None:
        """Return the local variable that an expression names."""
        if not isinstance(node, tree.Name):
            return None
        return next((found for here in place.around() if (found := here.variable(node.name)) is not None), None)

    def own_field(self, node: Expression | None, place: CodeContext) -> Field | None:
        """Return the final field of this class that an expression names."""
        if isinstance(node, tree.FieldAccess):
            is_own = isinstance(node.object, tree.This) and node.object.type is None
        else:
            is_own = isinstance(node, tree.Name)
        if not is_own or not isinstance(node, tree.Name | tree.FieldAccess):
            return None
        found = self._program.field(place.cls, node.name)
        return found[0] if found is not None and found[0].is_final else None

    def constant(self, node: Expression | None, place: CodeContext) -> str:
        """Return the text of a string, or of the static final field that an expression names; empty if it is not known."""
        if isinstance(node, tree.Literal):
            return node.text
        if isinstance(node, tree.Name) and self.variable(node, place) is None:
            imported = self._program.naming.static_imports(node.name, place.cls.unit)
            owners = [here.cls for here in place.around()]
            owners += [one.cls for one in imported if isinstance(one, ClassType)]
        elif isinstance(node, tree.FieldAccess) and node.object is not None:
            owners = [one.cls for one in self.classes_of(self.place_of(node.object, place)[0])]
        else:
            return ""
        fields = (found[0] for cls in owners if (found := self._program.field(cls, node.name)) is not None)
        field = next(fields, None)
        if field is None or not (field.is_static and field.is_final):
            return ""
        return field.value.text if isinstance(field.value, tree.Literal) else ""

    def element(self, found: Type) -> Type:
        """Return the type of the elements when iterating over a value."""
        found = upper(found)
        if isinstance(found, ArrayType):
            return found.element
        iterable = self._program.declared.named("java.lang.Iterable", 0)
        for cls in self.classes_of(found):
            above = self._program.as_super(cls, iterable) if iterable is not None else None
            if above is not None and above.arguments:
                given = above.arguments[0]
                return upper(given) if isinstance(given, Wildcard) else given
        return None


class ReceiverTracker:
    """Record of the possible receivers of calls."""

    def __init__(self, program: JavaProgram, findings: AttributionLog, meanings: NameLookup) -> None:
        self._program = program
        self._findings = findings
        self._meanings = meanings

    def note_dispatch(
        self, node: tree.Call, place: CodeContext, chosen: list[Candidate], rule: str, receiver: Type
    ) -> None:
        """Further targets of a call: overriding methods, and functions that are called through their interface."""
        if rule in ("super", "class", "name") or self._findings.is_trying:
            return
        method = chosen[0][0]
        if method.has(tree.STATIC) or method.has(tree.PRIVATE) or method.has(tree.FINAL):
            return
        variable = self._meanings.variable(node.object, place)
        if variable is not None and self._program.function(method.cls) is method:
            if variable.functions:
                self._findings.call(place.caller, sorted(variable.functions), node.line, "value")
            if variable.parameter is not None:
                self._findings.received.append((place.caller, variable.parameter, method.name, node.line))
        made = self._made(node.object, place)
        if made:
            own = [cls for cls in made if not self._program.declared.is_stub(cls)]
            exact = {self._implementation(cls, method) for cls in own} - {method.symbol}
            self._findings.call(place.caller, sorted(exact), node.line, "instance")
            return
        for cls in self._meanings.classes_of(receiver) or [ClassType(method.cls)]:
            self._findings.virtual.append((place.caller, method, cls.cls, node.line))

    def _made(self, node: Expression | None, place: CodeContext) -> set[ClassInfo]:
        """Classes of the objects that an expression was seen to be made of; empty where others are possible."""
        if isinstance(node, tree.New):
            found = self._meanings.written(node.type, place)
            return {found.cls} if isinstance(found, ClassType) and node.body is None else set()
        variable = self._meanings.variable(node, place)
        if variable is not None:
            return variable.made or set()
        field = self._meanings.own_field(node, place)
        if field is None or not isinstance(field.value, tree.New) or field.value.body is not None:
            return set()
        cls = field.cls
        made = self._program.naming.type_of(field.value.type, cls.unit, cls, cls.names)
        return {made.cls} if isinstance(made, ClassType) else set()

    def _implementation(self, cls: ClassInfo, method: Method) -> int:
        """Implementation of a method in an instance of a class."""
        count = len(method.node.parameters)
        same = [one for one, _ in self._program.members(cls, method.name) if len(one.node.parameters) == count]
        if len(same) > 1:
            mapping = next((given for above, given in self._program.line(cls) if above is method.cls), {})
            signature = self._program.signature(method, mapping)
            same = [
                one for one, given in self._program.members(cls, method.name)
                if self._program.signature(one, given) == signature
            ]  # fmt: skip
        return same[0].symbol if same else method.symbol


#: a call with more overrides or callbacks than this has an edge to the method that it names; its unresolved call states their number
MAX_TARGETS = 64


def add_possible(program: JavaProgram, findings: AttributionLog, injected: Mapping[ClassInfo, str]) -> None:
    """Overriding methods in classes of which instances are made somewhere; `injected` are those that a container makes -> its model."""
    models = {
        method.symbol: model
        for cls, model in injected.items()
        for methods in cls.methods.values()
        for method in methods
    }
    below: dict[ClassInfo, list[ClassInfo]] = defaultdict(list)
    for cls in program.declared.classes:
        if cls in findings.live:
            for above, _ in program.line(cls):
                below[above].append(cls)
    known: dict[tuple[Method, ClassInfo], list[int]] = {}
    for caller, method, receiver, line in findings.virtual:
        key = method, receiver
        if key not in known:
            known[key] = _overriding(program, method, below.get(receiver, []))
        if len(known[key]) > MAX_TARGETS:
            findings.unresolved(caller, method.name, line, f"and {len(known[key])} overrides")
        else:
            only = models.get(known[key][0]) if len(known[key]) == 1 and method.has(tree.ABSTRACT) else None
            findings.call(caller, known[key], line, f"model:{only}" if only else "possible")


def _overriding(program: JavaProgram, method: Method, classes: list[ClassInfo]) -> list[int]:
    """Symbols of the classes' implementations of a method, without the method itself."""
    found: set[int] = set()
    for cls in classes:
        if program.declared.is_stub(cls):
            continue
        mapping = next((given for above, given in program.line(cls) if above is method.cls), None)
        if mapping is None:
            continue
        signature = program.signature(method, mapping)
        for one, given in program.members(cls, method.name):
            if one is method or len(one.node.parameters) != len(method.node.parameters):
                continue
            if program.signature(one, given) == signature:
                found.add(one.symbol)
                break
    return sorted(found - {method.symbol})


def add_callbacks(findings: AttributionLog) -> None:
    """Functions that are passed to a parameter, where the parameter is called."""
    for caller, parameter, name, line in findings.received:
        targets = findings.passed.get(parameter, ())
        if len(targets) > MAX_TARGETS:
            findings.unresolved(caller, name, line, f"and {len(targets)} callbacks")
        else:
            findings.call(caller, sorted(targets), line, "callback")
