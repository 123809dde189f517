"""Parameters of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.patterns import Patterns
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.attributes import MOST_PARAMETERS, parameter
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.field_types import is_property
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.shapes import Shapes
from repoquarry.languages.javascript.typing.types import Types

#: name, the variable that arguments flow into, kind
Parameter = tuple[str, int, int]
#: position, type and line of a parameter: tells calls what the function declares
Offer = Callable[[int, Node | None, int], None]
_PARAMETERS = frozenset(("required_parameter", "optional_parameter"))


class Parameters:
    """Reads parameters."""

    def __init__(
        self,
        reader: Reader,
        types: Types,
        contexts: Contexts,
        documented: DocumentedTypes,
        patterns: Patterns,
        shapes: Shapes,
    ) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.documented = documented
        self.patterns = patterns
        self.shapes = shapes

    def read(self, node: Node, documented: Mapping[str, str], offer: Offer, context: int) -> list[Parameter]:
        """The parameters of a function; `context`: what its place expects of it, -1 for nothing."""
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
                self._property_of(child, pattern, out[-1][1], annotation)
            elif kind == "assignment_pattern":
                left = child.child_by_field_name("left") or child
                out.append(self._parameter(left, None, child.child_by_field_name("right"), documented, -1))
            elif kind != "decorator":
                out.append(self._parameter(child, None, None, documented, -1))
        return out

    def _given(self, context: int, position: int) -> int:
        """The type of a parameter that says none, by what is expected of the function."""
        if context < 0 or position > MOST_PARAMETERS:
            return -1
        return self.contexts.attribute(context, parameter(position))

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
