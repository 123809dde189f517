"""Types that the language computes from functions: `ReturnType<typeof load>`, `Parameters<typeof load>`, `ConstructorParameters<typeof Box>`.

A function has them as attributes under names that no program has, as the shape of a function type does (`attributes`).
Source: https://www.typescriptlang.org/docs/handbook/utility-types.html
"""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.reader import Handler, Reader
from repoquarry.languages.javascript.typing import attributes


class ComputedTypes:
    """Reads such types."""

    def __init__(self, reader: Reader, type_of: Handler) -> None:
        """`type_of` reads the types that stand in brackets."""
        self.reader = reader
        self._type_of = type_of
        self._forms: dict[str, Handler] = {
            "ReturnType": self._result,
            "Parameters": self._parameters,
            "ConstructorParameters": partial(self._parameters, constructs=True),
        }

    def type(self, node: Node) -> int | None:
        """The variable of such a type, -1 where it names no class; None for any other type."""
        name, function = self._named(node)
        form = self._forms.get(name)
        return form(function) if form is not None and function is not None else None

    def value(self, node: Node) -> int | None:
        """As `type`, of what a value of the type may be: what the function itself gives, whether it declares that or not."""
        name, function = self._named(node)
        called = self._type_of(function) if name == "ReturnType" and function is not None else -1
        if called < 0:
            return None
        declared = self.reader.graph.value(op.TYPED, self._attribute(called, attributes.RESULT), self.reader.owner)
        return self.reader.graph.copies((self._attribute(called, attributes.GIVEN), declared))

    def one_of(self, node: Node) -> int | None:
        """The type of one of the parameters, `Parameters<typeof load>[0]`; None for any other look-up."""
        parts = self.reader.parts(node)
        position = self.reader.text(parts[1]) if len(parts) == 2 else ""
        name, function = self._named(parts[0]) if position.isdigit() else ("", None)
        if (
            function is None
            or name not in ("Parameters", "ConstructorParameters")
            or int(position) > attributes.MOST_PARAMETERS
        ):
            return None
        called = self._called(function, constructs=name == "ConstructorParameters")
        return self._attribute(called, attributes.parameter(int(position))) if called >= 0 else -1

    def is_of_result(self, node: Node) -> bool:
        """Whether a type is `ReturnType<...>`."""
        return self._named(node)[0] == "ReturnType"

    def _named(self, node: Node) -> tuple[str, Node | None]:
        """Name and argument of a type with brackets that no declaration of the file means."""
        reader = self.reader
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        if name is None or given is None or reader.kind(node) != "generic_type":
            return "", None
        text = reader.text(name)
        return ("", None) if reader.scopes.is_declared(text) else (text, reader.first(given))

    def _result(self, function: Node) -> int:
        called = self._type_of(function)
        return self._attribute(called, attributes.RESULT) if called >= 0 else -1

    def _parameters(self, function: Node, *, constructs: bool = False) -> int:
        graph, called = self.reader.graph, self._called(function, constructs=constructs)
        if called < 0:
            return -1
        placed = [self._attribute(called, attributes.parameter(at)) for at in range(attributes.MOST_PARAMETERS + 1)]
        return graph.value(op.TYPEARGS, graph.value(op.NAME, graph.symbol("%Tuple")), len(placed), *placed)

    def _called(self, function: Node, *, constructs: bool) -> int:
        """The variable of a function type, of its constructor where that is meant; -1 where nothing is known."""
        called = self._type_of(function)
        return self._attribute(called, "constructor") if constructs and called >= 0 else called

    def _attribute(self, function: int, name: str) -> int:
        reader = self.reader
        return reader.graph.value(op.ATTR, function, reader.graph.symbol(name), 0, reader.owner)
