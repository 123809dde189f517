"""Visitors that turn methods, fields and decorators of JavaScript classes and interfaces into points-to constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState, computed_name, property_key
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.typing.contextual_typing import FIELDS, ContextualTyping, MemberDeclarations
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.type_forms import ClassMembers
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.functions import JavaScriptFunctionVisitor
from repoquarry.languages.javascript.visitors.signatures import FunctionForm, injects


def store_computed(reader: JavaScriptExtractionState, members: ClassMembers, key: int, value: int, node: Node) -> None:
    """Store a member under a computed key: instances have what their class has."""
    reader.graph.effect(op.SETITEM, members.value, -1, key, value, reader.line(node), reader.owner)


@dataclass(eq=False, repr=False)
class JavaScriptDecoratorVisitor:
    """Visitor of decorators."""

    reader: JavaScriptExtractionState

    def record(self, node: Node) -> Decorator:
        """Return a decorator as the definition has it."""
        reader = self.reader
        inner = (reader.parts(node) or [node])[0]
        called, arguments = inner, None
        if reader.kind(inner) == "call_expression":
            called = inner.child_by_field_name("function") or inner
            given = inner.child_by_field_name("arguments")
            arguments = reader.flat(given)[1:-1].strip()
        dotted = reader.flat(called)
        return Decorator(reader.flat(inner), dotted if dotted.replace(".", "").isidentifier() else "", arguments)

    def applied(self, decorators: Sequence[Node]) -> list[tuple[int, int, int]]:
        """Return (variable, line, symbol of the name) of each decorator."""
        reader, out = self.reader, []
        for decorator in decorators:
            for inner in reader.parts(decorator)[:1]:
                name = inner.child_by_field_name("property") or inner
                named = reader.kind(name) in ("identifier", "property_identifier")
                out.append((reader.value(inner), reader.line(inner), reader.symbol(name) if named else -1))
        return out

    def decorate(self, value: int, decorators: Sequence[tuple[int, int, int]]) -> int:
        """Call decorators, the last first, with the decorated definition."""
        for callee, line, name in reversed(decorators):
            arguments = [op.POSITIONAL, value]
            self.reader.graph.call(callee, line, self.reader.owner, op.DECORATES, name, arguments)
        return value


@dataclass(eq=False, repr=False)
class JavaScriptFieldVisitor:
    """Visitor of fields."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    documented: DocumentedTypes
    functions: JavaScriptFunctionVisitor
    decorators: JavaScriptDecoratorVisitor
    shapes: MemberDeclarations

    def read(self, node: Node, members: ClassMembers) -> None:
        """Visit a field of a class, or a property of an interface."""
        reader = self.reader
        key = node.child_by_field_name("name") or node.child_by_field_name("property")
        value, annotation = node.child_by_field_name("value"), node.child_by_field_name("type")
        name = property_key(reader, key) if key is not None else None
        computed = reader.value(reader.first(key)) if name is None and key is not None else -1
        if name is not None:
            self.shapes.note_optional(name, node, members)
        if name is not None and members.is_interface and self._is_function(annotation):
            self._declared_function(node, annotation, name, members)
            return
        if name is not None and key is not None:
            reader.scopes.log.assign(members.index, name, reader.line(key), reader.scopes.current)
        written = [child for child in node.named_children if reader.kind(child) == "decorator"]
        decorators = [one for one in (*members.decorators, *written) if reader.parts(one)]
        applied = self.decorators.applied(decorators)
        held = [made for one, (made, *_) in zip(decorators, applied, strict=True) if injects(reader, one)]
        if value is not None:
            self.contexts.expect(value, self.contexts.of_type(annotation))
            held.append(
                self._initial(node, value, name or (computed_name(reader, key) if key is not None else ""), members)
            )
        if annotation is not None:
            held = [self.types.declared(annotation, held[0])] if held else [self.types.annotated(annotation)]
        elif held and (tags := self.documented.tags(node)) is not None:
            held = [self.documented.declared(tags.type, node, held[0])]
        held = [variable for variable in held if variable >= 0]
        self.decorators.decorate(held[0] if held else reader.nothing(), applied)
        if computed >= 0 and held and not members.is_interface:
            store_computed(reader, members, computed, held[0], node)
        if name is not None:
            self.shapes.expect(name, annotation or self._made(value), members)
            is_redeclared = value is None and self._may_redeclare(node)
            if annotation is not None and (is_redeclared or self._names_types(annotation, members)):
                self.shapes.declare_again(name, annotation, members)
        if name is not None and held:
            members.bound.setdefault(name, []).extend(held)
            if annotation is not None:
                members.fields += (reader.graph.symbol(name), held[-1])

    def _may_redeclare(self, node: Node) -> bool:
        """Return whether a field without a value, such as `declare x: T` or `override x!: T`, may be one of a base class."""
        body = node.parent
        cls = body.parent if body is not None else None
        return cls is not None and self.reader.part(cls, "class_heritage") is not None

    def _names_types(self, annotation: Node, members: ClassMembers) -> bool:
        """Return whether a field of a class is of types that are named without type arguments, such as `Headers | undefined`."""
        return not members.is_interface and self._is_named(self.types.inner(annotation))

    def _is_named(self, node: Node) -> bool:
        reader = self.reader
        kind = reader.kind(node)
        if kind == "union_type":
            return all(self._is_named(part) for part in reader.parts(node))
        return kind == "literal_type" or (kind == "type_identifier" and self.types.is_plain_class(node))

    def _made(self, value: Node | None) -> Node | None:
        """`new Map<string, T>()`: such a field is of the type that is written there; None for any other value."""
        if value is None or self.reader.kind(value) != "new_expression":
            return None
        return value if value.child_by_field_name("type_arguments") is not None else None

    def _is_function(self, annotation: Node | None) -> TypeGuard[Node]:
        return annotation is not None and self.reader.kind(self.types.inner(annotation)) == "function_type"

    def _declared_function(self, node: Node, annotation: Node, name: str, members: ClassMembers) -> None:
        """`next: (value: T) => void` in an interface is called, and implemented, as a method is."""
        form = FunctionForm(
            name, kind="method", flags=op.METHOD | op.ABSTRACT, home=members.index, always_receives=True, start=node
        )
        value, is_first = self.functions.signature(self.types.inner(annotation), form)
        if is_first:
            members.bound.setdefault(name, []).append(value)

    def _initial(self, node: Node, value: Node, name: str, members: ClassMembers) -> int:
        """Return the value of a field; `this` in it is the instance, or the class where the field is static."""
        reader = self.reader
        before = reader.body.receiver
        is_static = reader.has_token(node, "static")
        if is_static:
            reader.body.receiver = members.value
        receiver = reader.body.receiver if reader.kind(value) in FUNCTIONS else -1
        found = reader.named_value(value, name, receiver=receiver)
        reader.body.receiver = before
        return found


_METHODS = frozenset(("method_definition", "method_signature", "abstract_method_signature"))


@dataclass(eq=False, repr=False)
class JavaScriptClassBodyVisitor:
    """Visitor of the bodies of classes."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    functions: JavaScriptFunctionVisitor
    decorators: JavaScriptDecoratorVisitor
    fields: JavaScriptFieldVisitor
    shapes: MemberDeclarations

    def read(self, nodes: Sequence[Node], members: ClassMembers, kind: str) -> None:
        """Visit the members of a class, an interface or an enumeration."""
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
                    self.fields.read(node, members)
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

    def _method(self, node: Node, what: str, members: ClassMembers) -> None:
        reader = self.reader
        key = node.child_by_field_name("name")
        name = property_key(reader, key) if key is not None else None
        computed = reader.value(reader.first(key)) if name is None and key is not None else -1
        written = [child for child in node.named_children if reader.kind(child) == "decorator"]
        decorators = [*members.decorators, *written]
        applied = self.decorators.applied(decorators)
        is_static = reader.has_token(node, "static")
        form = FunctionForm(
            name or (computed_name(reader, key) if key is not None else reader.unnamed("method")),
            kind="method",
            flags=op.METHOD | op.OF_CLASS * is_static,
            home=members.index,
            always_receives=not is_static,
            is_static=is_static,
            decorators=tuple(self.decorators.record(decorator) for decorator in decorators),
            start=members.decorators[0] if members.decorators else None,
        )
        if what == "method_definition" and node.child_by_field_name("body") is not None:
            form.group = self.functions.groups.pop((reader.owner, id(reader.scopes.current), form.name), None)
            value = self.functions.read(node, form)
        else:
            if members.is_interface or what == "abstract_method_signature":
                form.flags |= op.ABSTRACT
            value, is_first = self.functions.signature(node, form)
            if not is_first:
                return
        self.decorators.decorate(value, applied)
        if name is None:
            if computed >= 0:
                store_computed(reader, members, computed, value, node)
            return
        self.shapes.note_optional(name, node, members)
        if reader.has_token(node, "get", "set"):
            members.accessors.setdefault(name, [-1, -1])[reader.has_token(node, "set")] = value
        else:
            bound = members.bound.setdefault(name, [])
            if value not in bound:
                bound.append(value)

    def _static_block(self, node: Node, members: ClassMembers) -> None:
        reader = self.reader
        before, reader.body.receiver = reader.body.receiver, members.value
        reader.value(node.child_by_field_name("body"))
        reader.body.receiver = before

    def _nameless_signature(self, node: Node, what: str, members: ClassMembers) -> None:
        """`new (...): T`, `(...): T`, `[key: string]: T` of a type."""
        reader = self.reader
        annotation = node.child_by_field_name("return_type") or node.child_by_field_name("type")
        if annotation is None:
            return
        typed = self.types.annotated(annotation)
        if what == "call_signature" and self.contexts.is_read:
            for attribute, expected in self.contexts.shape_of(node):
                members.bound.setdefault(attribute, []).append(expected)
        if typed >= 0 and what == "index_signature":
            receiver = reader.receiver()
            reader.graph.effect(op.SETITEM, receiver, -1, -1, typed, reader.line(node), reader.owner)

    def _member_of_enumeration(self, node: Node, members: ClassMembers) -> None:
        reader = self.reader
        name = node.child_by_field_name("name") or node
        reader.value(node.child_by_field_name("value"))
        text = property_key(reader, name)
        if text is not None:
            reader.scopes.log.assign(members.index, text, reader.line(name), reader.scopes.current)
            members.bound[text] = [reader.graph.value(op.TYPED, members.value, -1)]
