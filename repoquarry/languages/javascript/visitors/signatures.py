"""Visitors that turn parameters and declared results of JavaScript functions into constraints; records of overload signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import MAX_PARAMETERS, parameter_field
from repoquarry.languages.facts import Decorator
from repoquarry.languages.javascript.extraction_state import BodyFrame, JavaScriptExtractionState
from repoquarry.languages.javascript.typing.contextual_typing import (
    ContextualTyping,
    MemberDeclarations,
    is_property,
    returned_field,
)
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes, Tags
from repoquarry.languages.javascript.typing.type_forms import (
    RESULT,
    OpenClasses,
    predicate,
)
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.bindings import JavaScriptPatternVisitor


@dataclass(slots=True)
class FunctionForm:
    """Facts about a function before it is read."""

    name: str
    kind: str = "function"
    flags: int = 0
    home: int = -1
    """Definition of the class that it is a method of."""
    receiver: int = -1
    """Variable of an object that it is called on (`{ f() {} }`), -1 for none."""
    always_receives: bool = False
    """It takes `this` whether it reads it or not: methods may be overridden by others that do."""
    is_static: bool = False
    decorators: tuple[Decorator, ...] = ()
    group: OverloadSignatures | None = None
    start: Node | None = None
    """Where its text begins, if that is before the node: `export`, decorators, `const f =`."""
    holder: str = ""
    """Name of the object that it is assigned to (`app.f = function`), empty for none."""


@dataclass(slots=True)
class OverloadSignatures:
    """The overload signatures of one function, as far as they have been read."""

    index: int
    signatures: list[str] = field(default_factory=list)
    declared: list[int] = field(default_factory=list)
    """Variables of the declared results."""
    value: int = -1
    flags: int = 0
    """Types that the signatures give the implementation."""


#: name, the variable that arguments flow into, kind
Parameter = tuple[str, int, int]
#: position, type and line of a parameter: tells calls what the function declares
Offer = Callable[[int, Node | None, int], None]
_PARAMETERS = frozenset(("required_parameter", "optional_parameter"))


def injects(reader: JavaScriptExtractionState, decorator: Node) -> bool:
    """Return whether a decorator gives a parameter or field its value: `@Inject(token)`."""
    return any(reader.text(one).partition("(")[0].lower() == "inject" for one in reader.parts(decorator)[:1])


@dataclass(eq=False, repr=False)
class JavaScriptParameterVisitor:
    """Visitor of parameters."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    documented: DocumentedTypes
    patterns: JavaScriptPatternVisitor
    shapes: MemberDeclarations

    def read(self, node: Node, documented: Mapping[str, str], offer: Offer, context: int) -> list[Parameter]:
        """Return the parameters of a function; `context`: what its place expects of it, -1 for nothing."""
        reader = self.reader
        single = node.child_by_field_name("parameter")
        if single is not None:
            return [self._parameter(single, None, None, documented, self._given(context, 0))]
        given = node.child_by_field_name("parameters")
        out: list[Parameter] = []
        for child in reader.parts(given) if given is not None else ():
            kind = reader.kind(child)
            if kind in _PARAMETERS:
                pattern = child.child_by_field_name("pattern") or (reader.parts(child) or [child])[0]
                annotation, default = child.child_by_field_name("type"), child.child_by_field_name("value")
                if reader.kind(pattern) == "this":
                    self._declared_receiver(annotation)
                    continue
                offer(len(out), annotation, reader.line(child))
                self.contexts.expect(default, self.contexts.of_type(annotation))
                out.append(self._parameter(pattern, annotation, default, documented, self._given(context, len(out))))
                self._inject(child, out[-1][1])
                self._property_of(child, pattern, out[-1][1], annotation)
            elif kind == "assignment_pattern":
                left = child.child_by_field_name("left") or child
                out.append(self._parameter(left, None, child.child_by_field_name("right"), documented, -1))
            elif kind != "decorator":
                out.append(self._parameter(child, None, None, documented, -1))
        return out

    def _inject(self, node: Node, variable: int) -> None:
        """Let what the decorator `@Inject(token)` gives reach its parameter."""
        reader = self.reader
        for one in node.named_children:
            if reader.kind(one) == "decorator" and injects(reader, one):
                reader.graph.assign(variable, op.COPY, reader.value(reader.parts(one)[0]))

    def _given(self, context: int, position: int) -> int:
        """Return the type of a parameter without an annotation, from the expected type of the function."""
        if context < 0 or position > MAX_PARAMETERS:
            return -1
        return self.contexts.attribute(context, parameter_field(position))

    def _declared_receiver(self, annotation: Node | None) -> None:
        if annotation is None:
            return
        typed = self.types.annotated(annotation)
        if typed >= 0:
            self.reader.graph.assign(self.reader.receiver(), op.COPY, typed)

    def _property_of(self, node: Node, name: Node, variable: int, annotation: Node | None) -> None:
        """`constructor(private x: X)` makes an attribute of the parameter."""
        reader = self.reader
        if not is_property(reader, node):
            return
        value = reader.scopes.read(reader.text(name))
        reader.graph.effect(op.SETATTR, reader.receiver(), reader.symbol(name), value, reader.line(name), reader.owner)
        if annotation is not None:
            self.shapes.declare_field(reader.text(name), value, annotation)

    def _parameter(
        self, pattern: Node, annotation: Node | None, default: Node | None, documented: Mapping[str, str], given: int
    ) -> Parameter:
        reader, graph = self.reader, self.reader.graph
        if reader.kind(pattern) == "rest_pattern":
            return self._rest(pattern, annotation)
        variable = inner = graph.variable()
        if annotation is not None:
            inner = self.types.declared(annotation, variable)
        elif given >= 0:
            inner = graph.value(op.DECLARED, given, reader.owner, variable)
        elif reader.kind(pattern) == "identifier":
            inner = self.documented.declared(documented.get(reader.text(pattern), ""), pattern, variable)
        if default is not None:
            name = reader.text(pattern) if reader.kind(pattern) == "identifier" else ""
            graph.assign(variable, op.COPY, reader.named_value(default, name))
        self.patterns.declare(pattern, inner)
        named = reader.text(pattern) if reader.kind(pattern) == "identifier" else reader.flat(pattern)
        return named, variable, op.POSITION_ONLY

    def _rest(self, pattern: Node, annotation: Node | None) -> Parameter:
        reader, graph = self.reader, self.reader.graph
        element = reader.nothing()
        if annotation is not None and (typed := self.types.annotated(annotation)) >= 0:
            element = graph.value(op.EACH, typed, reader.line(pattern), reader.owner)
        variable = graph.value(op.CONTAINER, graph.symbol("list"), 1, op.ANY, element)
        inner = (reader.parts(pattern) or [pattern])[0]
        if inner.id != pattern.id:
            self.patterns.declare(inner, variable)
        return reader.flat(inner), variable, op.REST


@dataclass(eq=False, repr=False)
class JavaScriptResultVisitor:
    """Visitor of declared results."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    documented: DocumentedTypes
    classes: OpenClasses

    def read(
        self,
        value: int,
        node: Node,
        form: FunctionForm,
        body: BodyFrame,
        context: int,
        tags: Tags | None,
        *,
        is_generic: bool,
    ) -> tuple[int, list[int]]:
        """Flags of the function, and variables of the declared types. `context`: what its place expects of it, -1 for nothing."""
        returns = node.child_by_field_name("return_type")
        if returns is not None and self.reader.kind(self.types.inner(returns)) == "this_type" and body.binds_this:
            self.reader.graph.assign(body.result, op.COPY, self.reader.receiver())
            returns = None
        flags = op.GUARDS * self._declares_predicate(value, node)
        if is_generic:
            self.contexts.offer_result(value, returns, self.reader.line(node))
            self.contexts.offer_defaults(value, self.types.generics.default_types(node), self.reader.line(node))
        body.expected = self.contexts.of_type(returns)
        if returns is None and context >= 0:
            body.expected = self.contexts.attribute(context, RESULT)
        declared = [
            *(form.group.declared if form.group is not None else ()),
            *self._declared(returns or self._own_field(node, form)),
        ]
        if returns is None and tags is not None and tags.returns:
            told = self.documented.told(tags.returns, node)
            flags |= op.GUARDS * self._tells(value, told, node)
            known = -1 if told is not None else self.documented.annotated(tags.returns, node)
            declared += [known] if known >= 0 else []
        return flags, declared

    def of_class(self, returns: Node | None, declared: list[int], result: int) -> int:
        """Return the variable of the result, as far as it is of the declared type, where that is a class."""
        if returns is None or not declared or not self.types.is_plain_class(returns):
            return result
        return self.types.declared(returns, result)

    def _declares_predicate(self, value: int, node: Node) -> bool:
        """`isCircle(v): v is Circle`: the function has the type, and calls read it."""
        found = predicate(self.reader, node)
        return found is not None and self._tells(value, (found.name, self.types.type(found.type)), found.type)

    def _tells(self, value: int, told: tuple[str, int] | None, node: Node) -> bool:
        """Record attribute and type of a predicate; whether it has a type."""
        if told is None or told[1] < 0:
            return False
        reader, graph = self.reader, self.reader.graph
        graph.effect(op.SETATTR, value, graph.symbol(told[0]), told[1], reader.line(node), reader.owner)
        return True

    def _own_field(self, node: Node, form: FunctionForm) -> Node | None:
        """Return the declared type of the field that a method of a class with type parameters gives."""
        members = self.classes.innermost
        if members is None or not members.types or form.home < 0:
            return None
        return members.types.get(returned_field(self.reader, node))

    def _declared(self, returns: Node | None) -> list[int]:
        if returns is None:
            return []
        found = self.types.annotated(returns)
        return [found] if found >= 0 else []
