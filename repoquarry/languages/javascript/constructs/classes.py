"""Classes, interfaces and enumerations, and their members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator, Definition
from repoquarry.languages.javascript.comments import documentation
from repoquarry.languages.javascript.constructs.functions import FUNCTIONS, Shape
from repoquarry.languages.javascript.constructs.literals import property_key
from repoquarry.languages.javascript.reader import Body
from repoquarry.languages.javascript.typing import discriminants
from repoquarry.languages.javascript.typing.contexts import DEFAULTS, GENERIC_BASE, PARAMETERS
from repoquarry.languages.javascript.typing.field_types import FIELDS, declared_fields

if TYPE_CHECKING:
    from repoquarry.languages.javascript.walk import Walk

_CLASSES = ("class_declaration", "abstract_class_declaration")
_METHODS = frozenset(("method_definition", "method_signature", "abstract_method_signature"))
_INTERFACES = frozenset(("interface", "type alias"))


@dataclass(slots=True)
class Members:
    """Names that the body of a class binds, while it is read."""

    index: int
    value: int
    """Variable of the class itself."""
    bound: dict[str, list[int]] = field(default_factory=dict)
    accessors: dict[str, list[int]] = field(default_factory=dict)
    """Property -> variables of its getter and its setter, -1 for none."""
    fields: list[int] = field(default_factory=list)
    decorators: list[Node] = field(default_factory=list)
    """Those that stand before the next member."""
    types: dict[str, Node] = field(default_factory=dict)
    """Name of a field -> its declared type, of classes with type parameters."""
    is_interface: bool = False
    is_generic: bool = False


class Classes:
    """Reads what makes classes."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        reader = self.reader = walk.reader
        self.members: list[Members] = []
        """Of the classes being read, innermost last."""
        for kind in _CLASSES:
            reader.handlers[kind] = self._declaration
        reader.handlers |= {
            "class": self._expression,
            "interface_declaration": self._interface,
            "enum_declaration": self._enumeration,
            "decorator": self._decorator,
        }

    # ---- forms

    def _declaration(self, node: Node) -> int:
        return self.declare(node, None)

    def declare(self, node: Node, start: Node | None) -> int:
        """A class declaration; `start`: where its text begins, if before the node."""
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
        """Reads a class; returns the variable of what its decorators make of it."""
        reader = self.reader
        decorators = [child for child in node.named_children if reader.kind(child) == "decorator"]
        if start is not None and reader.kind(start) == "export_statement":
            decorators = [child for child in start.named_children if reader.kind(child) == "decorator"] + decorators
        applied = self._applied(decorators)
        written = tuple(self._record(decorator) for decorator in decorators)
        own = node.child_by_field_name("name")
        return self._decorate(self._class(node, own or node, name, start or node, written, "class"), applied)

    def _interface(self, node: Node) -> int:
        return self._type(node, "interface")

    def _type(self, node: Node, kind: str) -> int:
        reader = self.reader
        own = node.child_by_field_name("name") or node
        name = reader.text(own)
        value = self._class(node, own, name, node, (), kind)
        reader.graph.assign(reader.scopes.declare(name), op.COPY, value)
        return value

    def alias(self, node: Node, name: Node, body: Node) -> int:
        """`type Name = {...}`: as an interface."""
        return self._class(node, name, self.reader.text(name), node, (), "type alias", body=body)

    def _class(
        self,
        node: Node,
        own: Node,
        name: str,
        start: Node,
        decorators: tuple[Decorator, ...],
        kind: str,
        body: Node | None = None,
    ) -> int:
        reader = self.reader
        index, key, qualname, parent = reader.reserve(name)
        value = reader.graph.value(op.CLASS, index)
        calls = reader.calls
        reader.scopes.enter()
        if (
            reader.kind(node) == "class" and own.id != node.id
        ):  # a declared class is what its name outside means, namespaces included
            reader.scopes.current.names.setdefault(reader.text(own), value)
        self.walk.types.declare_parameters(node, index)
        defaults = self.walk.types.defaults(node)
        bases, texts, generic = self._heritage(node)
        members = Members(index, value, is_interface=kind in _INTERFACES, is_generic=bool(defaults))
        self.members.append(members)
        nothing = reader.graph.variable()
        reader.open(Body(index, reader.graph.value(op.TYPED, value, -1), True, nothing, nothing, index))
        body = body or node.child_by_field_name("body")
        if members.is_generic and body is not None:
            members.types |= dict(declared_fields(self.reader, body))
        self._body(body.named_children if body is not None else (), members, kind)
        branches = reader.body.branches
        reader.close()
        self.members.pop()
        reader.scopes.leave()
        self._finish(members, bases, generic, defaults, kind)
        reader.definitions[index] = Definition(
            key=key,
            kind="class",
            name=name,
            qualname=qualname,
            parent=parent,
            start_line=reader.line(start),
            name_line=reader.line(own),
            end_line=node.end_point[0] + 1,
            signature=f"({', '.join(texts)})" if texts else "",
            docstring=documentation(reader, start),
            decorators=decorators,
            bases=tuple(texts),
            branches=branches,
            indent=node.start_point[1],
            calls=reader.calls - calls,
            is_async=False,
            is_generator=False,
            form="" if kind == "class" else kind,
            is_abstract=reader.kind(node) == "abstract_class_declaration",
        )
        return value

    def _finish(self, members: Members, bases: list[int], generic: list[int], defaults: list[int], kind: str) -> None:
        graph = self.reader.graph
        for name, (getter, setter) in members.accessors.items():
            members.bound.setdefault(name, []).append(graph.value(op.PROPERTY, getter, setter))
        for name, variables in members.bound.items():
            graph.scopes += (members.index, graph.symbol(name), graph.copies(variables))
        keywords = [n for variable in generic for n in (graph.symbol(GENERIC_BASE), variable)]
        if defaults:
            given = [one if one >= 0 else graph.variable() for one in defaults]
            itself = graph.value(op.TYPEARGS, members.value, len(given), *given)
            keywords += [graph.symbol(PARAMETERS), itself]
            if any(one >= 0 for one in defaults):
                keywords += [graph.symbol(DEFAULTS), itself]
        if kind in _INTERFACES:
            keywords += [graph.symbol("interface"), self.reader.nothing()]
        record = [
            op.CLASS, len(bases), *bases, len(keywords) >> 1, *keywords, len(members.fields) >> 1, *members.fields,
        ]  # fmt: skip
        graph.functions[members.index] = [len(record) + 1, *record]

    def _heritage(self, node: Node) -> tuple[list[int], list[str], list[int]]:
        """Variables and texts of what a class extends and implements, and variables of those types that have arguments."""
        reader = self.reader
        clauses = [
            child for child in node.named_children if reader.kind(child) in ("class_heritage", "extends_type_clause")
        ]
        variables: list[int] = []
        texts: list[str] = []
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
                        generic.append(self.walk.types.with_arguments(variables[-1], child))
                else:
                    is_type = reader.kind(clause) in ("implements_clause", "extends_type_clause")
                    variables.append(self._base(child, generic) if is_type else reader.value(child))
                    texts.append(reader.flat(child))
        return variables, texts, generic

    def _base(self, node: Node, generic: list[int]) -> int:
        """`Name<T>` is the class `Name`, of certain arguments."""
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        if self.reader.kind(node) != "generic_type" or name is None or given is None:
            return self.walk.types.type(node)
        base = self.walk.types.type(name)
        if base >= 0:
            generic.append(self.walk.types.with_arguments(base, given))
        return base

    # ---- decorators

    def _decorator(self, node: Node) -> int:
        return self.reader.values(node.named_children)

    def _record(self, node: Node) -> Decorator:
        reader = self.reader
        inner = (reader.parts(node) or [node])[0]
        called, arguments = inner, None
        if reader.kind(inner) == "call_expression":
            called = inner.child_by_field_name("function") or inner
            given = inner.child_by_field_name("arguments")
            arguments = reader.flat(given)[1:-1].strip()
        dotted = reader.flat(called)
        return Decorator(reader.flat(inner), dotted if dotted.replace(".", "").isidentifier() else "", arguments)

    def _applied(self, decorators: Sequence[Node]) -> list[tuple[int, int, int]]:
        """(variable, line, symbol of the name) of each decorator."""
        reader, out = self.reader, []
        for decorator in decorators:
            for inner in reader.parts(decorator)[:1]:
                name = inner.child_by_field_name("property") or inner
                named = reader.kind(name) in ("identifier", "property_identifier")
                out.append((reader.value(inner), reader.line(inner), reader.symbol(name) if named else -1))
        return out

    def _decorate(self, value: int, decorators: Sequence[tuple[int, int, int]]) -> int:
        for callee, line, name in reversed(decorators):
            arguments = [op.POSITIONAL, value]
            self.reader.graph.call(callee, line, self.reader.owner, op.DECORATES, name, arguments)
        return value

    # ---- members

    def _body(self, nodes: Sequence[Node], members: Members, kind: str) -> None:
        reader = self.reader
        for node in nodes:
            what = reader.kind(node)
            try:
                if what == "comment":
                    continue
                if what == "decorator":
                    members.decorators.append(node)
                    continue
                if what in _METHODS:
                    self._method(node, what, members)
                elif what in FIELDS:
                    self._field(node, members)
                elif kind == "enum":
                    self._member_of_enumeration(node, members)
                elif what == "class_static_block":
                    self._static_block(node, members)
                elif what in ("index_signature", "call_signature", "construct_signature"):
                    self._nameless_signature(node, what, members)
                else:
                    reader.value(node)
            except (IndexError, KeyError, TypeError, ValueError):
                # only broken source has nodes of another shape than the grammar says
                reader.complain(node, f"not understood: {what}")
            members.decorators = []

    def _method(self, node: Node, what: str, members: Members) -> None:
        reader = self.reader
        key = node.child_by_field_name("name")
        name = property_key(reader, key) if key is not None else None
        if name is None and key is not None:
            reader.value(key)
        applied = self._applied(members.decorators)
        is_static = reader.has_token(node, "static")
        shape = Shape(
            name or reader.unnamed("method"),
            kind="method",
            flags=op.METHOD | op.OF_CLASS * is_static,
            home=members.index,
            always_receives=not is_static,
            is_static=is_static,
            decorators=tuple(self._record(decorator) for decorator in members.decorators),
            start=members.decorators[0] if members.decorators else None,
        )
        if what == "method_definition" and node.child_by_field_name("body") is not None:
            shape.group = self.walk.functions.groups.pop((reader.owner, id(reader.scopes.current), shape.name), None)
            value = self.walk.functions.read(node, shape)
        else:
            if members.is_interface or what == "abstract_method_signature":
                shape.flags |= op.ABSTRACT
            value, is_first = self.walk.functions.signature(node, shape)
            if not is_first:
                return
        self._decorate(value, applied)
        if name is None:
            return
        self._note_optional(name, node, members)
        if reader.has_token(node, "get", "set"):
            members.accessors.setdefault(name, [-1, -1])[reader.has_token(node, "set")] = value
        else:
            bound = members.bound.setdefault(name, [])
            if value not in bound:
                bound.append(value)

    def _field(self, node: Node, members: Members) -> None:
        reader = self.reader
        key = node.child_by_field_name("name") or node.child_by_field_name("property")
        value, annotation = node.child_by_field_name("value"), node.child_by_field_name("type")
        name = property_key(reader, key) if key is not None else None
        if name is None and key is not None:
            reader.value(key)
        if name is not None:
            self._note_optional(name, node, members)
        if name is not None and members.is_interface and self._is_function(annotation):
            self._declared_function(node, annotation, name, members)
            return
        written = [child for child in node.named_children if reader.kind(child) == "decorator"]
        applied = self._applied([*members.decorators, *written])
        held: list[int] = []
        if value is not None:
            self.walk.contexts.expect(value, self.walk.contexts.of_type(annotation))
            held.append(self._initial(node, value, name or "", members))
        if annotation is not None:
            held = [self.walk.types.declared(annotation, held[0])] if held else [self.walk.types.annotated(annotation)]
        elif held and (tags := self.walk.documented.tags(node)) is not None:
            held = [self.walk.documented.declared(tags.type, node, held[0])]
        for variable in held[:1]:
            self._decorate(variable, applied)
        held = [variable for variable in held if variable >= 0]
        if name is not None:
            self._shape(name, annotation or self._made(value), members)
            self._discriminant(name, node, members)
        if name is not None and held:
            members.bound.setdefault(name, []).extend(held)
            if annotation is not None:
                members.fields += (reader.graph.symbol(name), held[-1])

    def _shape(self, name: str, annotation: Node | None, members: Members) -> None:
        """What an interface expects of objects that are given for it; with type parameters, what those say of the parameters as well.
        Of a class, the type of a field that its type parameters declare."""
        contexts = self.walk.contexts
        if not members.is_interface and not (members.is_generic and self.walk.types.has_parameter(annotation)):
            return
        expected = contexts.of_value(annotation) if members.is_generic else contexts.of_type(annotation)
        if expected >= 0:
            members.bound.setdefault(f"<{name}>", []).append(expected)

    def _discriminant(self, name: str, field: Node, members: Members) -> None:
        """Notes the literals of a field, by which members of a union are told apart."""
        reader = self.reader
        if not self.walk.contexts.is_read:
            return
        keys = discriminants.field_keys(reader, field)
        if keys and all(keys):
            members.bound[discriminants.attribute(name)] = [reader.constant("String", "\n".join(keys))]

    def _note_optional(self, name: str, node: Node, members: Members) -> None:
        """Notes that a member may be missing."""
        if self.walk.contexts.is_read and self.reader.has_token(node, "?"):
            members.bound.setdefault(discriminants.optional(name), []).append(self.reader.nothing())

    def _made(self, value: Node | None) -> Node | None:
        """`new Map<string, T>()`: such a field is of the type that is written there; None for any other value."""
        if value is None or self.reader.kind(value) != "new_expression":
            return None
        return value if value.child_by_field_name("type_arguments") is not None else None

    def _is_function(self, annotation: Node | None) -> TypeGuard[Node]:
        return annotation is not None and self.reader.kind(self.walk.types.inner(annotation)) == "function_type"

    def _declared_function(self, node: Node, annotation: Node, name: str, members: Members) -> None:
        """`next: (value: T) => void` in an interface is called, and implemented, as a method is."""
        shape = Shape(
            name, kind="method", flags=op.METHOD | op.ABSTRACT, home=members.index, always_receives=True, start=node
        )
        value, is_first = self.walk.functions.signature(self.walk.types.inner(annotation), shape)
        if is_first:
            members.bound.setdefault(name, []).append(value)

    def _initial(self, node: Node, value: Node, name: str, members: Members) -> int:
        """The value of a field; `this` in it is the instance, or the class where the field is static."""
        reader = self.reader
        before = reader.body.receiver
        is_static = reader.has_token(node, "static")
        if is_static:
            reader.body.receiver = members.value
        receiver = reader.body.receiver if reader.kind(value) in FUNCTIONS else -1
        found = self.walk.functions.named_value(value, name, receiver=receiver)
        reader.body.receiver = before
        return found

    def declare_field(self, name: str, variable: int, annotation: Node) -> None:
        """A parameter of the constructor is a field."""
        if self.members:
            self.members[-1].bound.setdefault(name, []).append(variable)
            self._shape(name, annotation, self.members[-1])

    def _static_block(self, node: Node, members: Members) -> None:
        reader = self.reader
        before, reader.body.receiver = reader.body.receiver, members.value
        reader.value(node.child_by_field_name("body"))
        reader.body.receiver = before

    def _nameless_signature(self, node: Node, what: str, members: Members) -> None:
        """`new (...): T`, `(...): T`, `[key: string]: T` of a type."""
        reader = self.reader
        annotation = node.child_by_field_name("return_type") or node.child_by_field_name("type")
        if annotation is None:
            return
        typed = self.walk.types.annotated(annotation)
        if what == "call_signature" and self.walk.contexts.is_read:
            for attribute, expected in self.walk.contexts.shape_of(node):
                members.bound.setdefault(attribute, []).append(expected)
        if typed >= 0 and what == "index_signature":
            receiver = reader.receiver()
            reader.graph.effect(op.SETITEM, receiver, -1, -1, typed, reader.line(node), reader.owner)

    # ---- enumerations

    def _enumeration(self, node: Node) -> int:
        return self._type(node, "enum")

    def _member_of_enumeration(self, node: Node, members: Members) -> None:
        reader = self.reader
        name = node.child_by_field_name("name") or node
        reader.value(node.child_by_field_name("value"))
        text = property_key(reader, name)
        if text is not None:
            members.bound[text] = [reader.graph.value(op.TYPED, members.value, -1)]
