"""Visitors that turn JavaScript classes, interfaces, enumerations and prototypes into definitions and points-to constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator
from repoquarry.languages.javascript.extraction_state import (
    BodyFrame,
    JavaScriptExtractionState,
    documentation,
    property_key,
)
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.typing.contextual_typing import declared_fields
from repoquarry.languages.javascript.typing.type_forms import DEFAULTS, ClassMembers, OpenClasses
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.class_members import (
    JavaScriptClassBodyVisitor,
    JavaScriptDecoratorVisitor,
)

#: functions that stand in a descriptor: under a computed key, one that is passed in belongs to one of several properties
_WRITTEN = FUNCTIONS | {"method_definition"}
_INHERIT = frozenset(("inherits", "setPrototypeOf"))


class JavaScriptPrototypeVisitor:
    """Visitor of inheritance between functions and prototypes."""

    def __init__(self, reader: JavaScriptExtractionState) -> None:
        self.reader = reader

    def receiver(self, target: Node) -> int:
        """Receivers of a function that is assigned to a property: the object that has it, or an instance."""
        reader = self.reader
        owner = target.child_by_field_name("object")
        if owner is None:
            return -1
        function = self._function_of(owner)
        if function is not None:
            return reader.graph.value(op.TYPED, reader.value(function), -1)
        return reader.value(owner)

    def holder(self, target: Node) -> str:
        """Return `app` of `app.f` and `F` of `F.prototype.f`; empty for exports, `this` and longer paths."""
        owner = target.child_by_field_name("object")
        named = self._function_of(owner) or owner if owner is not None else None
        text = self.reader.text(named) if named is not None and self.reader.kind(named) == "identifier" else ""
        return text if text not in ("exports", "module") else ""

    def assign(self, target: Node, source: Node) -> bool:
        """`F.prototype = Object.create(Base.prototype)` or `new Base()`: whether it was that."""
        function = self._function_of(target)
        if function is None:
            return False
        base = self._base_of(source)
        if base is None:
            return False
        self._inherit(self.reader.value(function), self.reader.value(base))
        return True

    def inherits(self, function: Node, given: Node, arguments: list[int]) -> bool:
        """`inherits(F, Base)`, `Object.setPrototypeOf(F.prototype, Base.prototype)`: whether it was that."""
        if len(arguments) < 4:
            return False
        reader = self.reader
        name = function.child_by_field_name("property") or function
        if reader.text(name) not in _INHERIT:
            return False
        first, second = reader.parts(given)[:2]
        sub, base = self._function_of(first) or first, self._function_of(second) or second
        self._inherit(reader.value(sub), reader.value(base))
        return reader.text(name) == "setPrototypeOf"

    def define(self, function: Node, given: Node, arguments: list[int], result: int) -> None:
        """Store what `Object.defineProperty(o, "x", { get() {} })`, `defineProperties` and `create` with descriptors define."""
        reader = self.reader
        name = reader.text(function.child_by_field_name("property") or function)
        parts = reader.parts(given)
        if name == "defineProperty" and len(arguments) >= 6:
            self._define(arguments[1], (parts[1], arguments[3]), parts[2], arguments[5])
        elif name in ("defineProperties", "create") and len(arguments) >= 4 and reader.kind(parts[1]) == "object":
            target = result if name == "create" else arguments[1]
            for key, value in self._pairs(parts[1]):
                descriptor = self._attribute(arguments[3], key)
                self._define(target, (key, -1), value, descriptor)

    def _define(self, target: int, key: tuple[Node, int], written: Node, descriptor: int) -> None:
        """Store a property of a descriptor that is written there; `key`: its node, and its value where it is no constant."""
        reader, graph = self.reader, self.reader.graph
        node, computed = key
        constant = property_key(reader, node, computed=computed >= 0)
        names = {
            reader.text(name): name
            for name, value in self._pairs(written)
            if constant is not None or reader.kind(value) in _WRITTEN
        }
        found = [self._attribute(descriptor, names[name]) if name in names else -1 for name in ("value", "get", "set")]
        if max(found) < 0:
            return
        value = found[0] if found[0] >= 0 else graph.value(op.PROPERTY, found[1], found[2])
        line = reader.line(node)
        if constant is not None:
            graph.effect(op.SETATTR, target, graph.symbol(constant), value, line, reader.owner)
        elif computed >= 0:
            graph.effect(op.SETITEM, target, -1, computed, value, line, reader.owner)

    def _pairs(self, node: Node) -> Iterator[tuple[Node, Node]]:
        """Yield key and value of the pairs and methods of an object literal."""
        for child in self.reader.parts(node) if self.reader.kind(node) == "object" else ():
            key = child.child_by_field_name("key") or child.child_by_field_name("name") or child
            yield key, child.child_by_field_name("value") or child

    def _attribute(self, value: int, name: Node) -> int:
        """Return the value of an entry; a function in it is not bound to the object that holds the entry."""
        reader = self.reader
        key = reader.graph.symbol(property_key(reader, name) or reader.text(name))
        return reader.graph.value(op.ITEM, value, key, -1, reader.line(name), reader.owner)

    def _inherit(self, sub: int, base: int) -> None:
        self.reader.graph.effect(op.INHERITS, sub, base)

    def _function_of(self, node: Node) -> Node | None:
        """`F` of `F.prototype`."""
        name = node.child_by_field_name("property")
        if name is None or self.reader.text(name) != "prototype":
            return None
        return node.child_by_field_name("object")

    def _base_of(self, node: Node) -> Node | None:
        reader = self.reader
        kind = reader.kind(node)
        if kind == "new_expression":
            return node.child_by_field_name("constructor")
        if kind != "call_expression":
            return None
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or given is None or reader.text(function) != "Object.create":
            return None
        parts = reader.parts(given)
        return self._function_of(parts[0]) if parts else None


_CLASSES = ("class_declaration", "abstract_class_declaration")
_INTERFACES = frozenset(("interface", "type alias"))


@dataclass(slots=True)
class ClassHeader:
    """Facts about a class before its body is read."""

    node: Node
    own: Node
    """Its name; the node itself where it has none."""
    name: str
    start: Node
    """Where its text begins."""
    kind: str = "class"
    decorators: tuple[Decorator, ...] = ()


@dataclass(eq=False, repr=False)
class JavaScriptClassVisitor:
    """Visitor of class declarations and expressions."""

    reader: JavaScriptExtractionState
    types: TypeReader
    decorators: JavaScriptDecoratorVisitor
    classes: OpenClasses
    bodies: JavaScriptClassBodyVisitor

    def __post_init__(self) -> None:
        for kind in _CLASSES:
            self.reader.handlers[kind] = self.declare
        for kind in ("class", *_CLASSES):
            self.reader.naming[kind] = self._named
        self.reader.handlers |= {
            "class": self._expression,
            "interface_declaration": partial(self._type, kind="interface"),
            "enum_declaration": partial(self._type, kind="enum"),
        }

    def declare(self, node: Node, start: Node | None = None) -> int:
        """Return a class declaration; `start`: where its text begins, if before the node."""
        reader = self.reader
        own = node.child_by_field_name("name")
        name = reader.text(own) if own is not None else "default"
        bound = reader.scopes.declare(name) if own is not None else -1
        value = self.class_value(node, name, start)
        if bound >= 0:
            reader.graph.assign(bound, op.COPY, value)
        return value

    def _expression(self, node: Node) -> int:
        own = node.child_by_field_name("name")
        return self.class_value(node, self.reader.text(own) if own is not None else self.reader.unnamed("class"), None)

    def class_value(self, node: Node, name: str, start: Node | None) -> int:
        """Read a class; return the variable of the value that its decorators make of it."""
        reader = self.reader
        decorators = [child for child in node.named_children if reader.kind(child) == "decorator"]
        if start is not None and reader.kind(start) == "export_statement":
            decorators = [child for child in start.named_children if reader.kind(child) == "decorator"] + decorators
        applied = self.decorators.applied(decorators)
        written = tuple(self.decorators.record(decorator) for decorator in decorators)
        own = node.child_by_field_name("name")
        head = ClassHeader(node, own or node, name, start or node, decorators=written)
        return self.decorators.decorate(self._class(head), applied)

    def _named(self, node: Node, name: str, receiver: int, start: Node | None, holder: str) -> int:
        return self.class_value(node, name, start)

    def _type(self, node: Node, kind: str) -> int:
        reader = self.reader
        own = node.child_by_field_name("name") or node
        name = reader.text(own)
        value = self._class(ClassHeader(node, own, name, node, kind))
        reader.graph.assign(reader.scopes.declare(name), op.COPY, value)
        return value

    def alias(self, node: Node, name: Node, body: Node) -> int:
        """`type Name = {...}`: as an interface."""
        return self._class(ClassHeader(node, name, self.reader.text(name), node, "type alias"), body)

    def _class(self, head: ClassHeader, body: Node | None = None) -> int:
        reader = self.reader
        index, calls = reader.allocate(head.name), reader.calls
        value = reader.graph.value(op.CLASS, index)
        reader.scopes.enter()
        if reader.kind(head.node) == "class" and head.own.id != head.node.id:
            # a declared class is what its name outside means, namespaces included
            reader.scopes.current.names.setdefault(reader.text(head.own), value)
        self.types.generics.declare(head.node, index)
        defaults = self.types.generics.defaults(head.node)
        bases, texts, generic = self._heritage(head.node)
        members = ClassMembers(index, value, is_interface=head.kind in _INTERFACES, is_generic=bool(defaults))
        branches = self._body(body or head.node.child_by_field_name("body"), members, head.kind)
        reader.scopes.leave()
        self._finish(members, bases, generic, defaults, head.kind)
        self._define(head, index, texts, branches=branches, calls=reader.calls - calls)
        return value

    def _body(self, body: Node | None, members: ClassMembers, kind: str) -> int:
        """Read the members; how many branches are among them."""
        reader = self.reader
        self.classes.open(members)
        nothing = reader.graph.variable()
        receiver = reader.graph.value(op.TYPED, members.value, -1)
        reader.open(BodyFrame(members.index, receiver, True, nothing, nothing, members.index))
        if members.is_generic and body is not None:
            members.types |= dict(declared_fields(reader, body))
        self.bodies.read(body.named_children if body is not None else (), members, kind)
        branches = reader.body.branches
        reader.close()
        self.classes.close()
        return branches

    def _define(
        self, head: ClassHeader, index: int, bases: list[tuple[str, int]], *, branches: int, calls: int
    ) -> None:
        reader = self.reader
        reader.definitions[index] = replace(
            reader.definitions[index],
            kind="class",
            start_line=reader.line(head.start),
            name_line=reader.line(head.own),
            end_line=head.node.end_point[0] + 1,
            signature=f"({', '.join(text for text, _ in bases)})" if bases else "",
            docstring=documentation(reader, head.start),
            decorators=head.decorators,
            bases=tuple(text for text, _ in bases),
            base_lines=tuple(line for _, line in bases),
            branches=branches,
            indent=head.node.start_point[1],
            calls=calls,
            form="" if head.kind == "class" else head.kind,
            is_abstract=reader.kind(head.node) == "abstract_class_declaration",
        )

    def _finish(
        self, members: ClassMembers, bases: list[int], generic: list[int], defaults: list[int], kind: str
    ) -> None:
        graph = self.reader.graph
        for name, (getter, setter) in members.accessors.items():
            members.bound.setdefault(name, []).append(graph.value(op.PROPERTY, getter, setter))
        for name, variables in members.bound.items():
            graph.scopes += (members.index, graph.symbol(name), graph.copies(variables))
        keywords = [n for variable in generic for n in (graph.symbol(op.GENERIC_BASE), variable)]
        if defaults:
            given = [one if one >= 0 else graph.variable() for one in defaults]
            itself = graph.value(op.TYPEARGS, members.value, len(given), *given)
            keywords += [graph.symbol(op.TYPE_PARAMETERS), itself]
            if any(one >= 0 for one in defaults):
                keywords += [graph.symbol(DEFAULTS), itself]
        if kind in _INTERFACES:
            keywords += [graph.symbol("interface"), self.reader.nothing()]
        record = [
            op.CLASS, len(bases), *bases, len(keywords) >> 1, *keywords, len(members.fields) >> 1, *members.fields,
        ]  # fmt: skip
        graph.functions[members.index] = [len(record) + 1, *record]

    def _heritage(self, node: Node) -> tuple[list[int], list[tuple[str, int]], list[int]]:
        """Variables, texts and lines of the types that a class extends and implements, and variables of those types that have arguments."""
        reader = self.reader
        clauses = [
            child for child in node.named_children if reader.kind(child) in ("class_heritage", "extends_type_clause")
        ]
        variables: list[int] = []
        texts: list[tuple[str, int]] = []
        generic: list[int] = []
        pending = list(clauses)
        while pending:
            clause = pending.pop(0)
            for child in reader.parts(clause):
                kind = reader.kind(child)
                if kind in ("extends_clause", "implements_clause"):
                    pending.append(child)
                elif kind == "type_arguments":
                    if variables and variables[-1] >= 0:
                        generic.append(self.types.generics.with_arguments(variables[-1], child))
                else:
                    is_type = reader.kind(clause) in ("implements_clause", "extends_type_clause")
                    variables.append(self._base(child, generic) if is_type else reader.value(child))
                    texts.append((reader.flat(child), reader.line(child)))
        return variables, texts, generic

    def _base(self, node: Node, generic: list[int]) -> int:
        """`Name<T>` is the class `Name`, of certain arguments."""
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        if self.reader.kind(node) != "generic_type" or name is None or given is None:
            return self.types.type(node)
        base = self.types.type(name)
        if base >= 0:
            generic.append(self.types.generics.with_arguments(base, given))
        return base
