"""JSX: an element calls the component that it names with its attributes; lower-case names are elements of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from repoquarry.languages import constraints as op

if TYPE_CHECKING:
    from repoquarry.languages.javascript.walk import Walk

_OPENING = frozenset(("jsx_opening_element", "jsx_self_closing_element"))


class Jsx:
    """Reads JSX."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        reader = self.reader = walk.reader
        reader.handlers |= {
            "jsx_element": self._element,
            "jsx_self_closing_element": self._opening,
            "jsx_opening_element": self._opening,
            "jsx_expression": self._expression,
            "jsx_closing_element": lambda node: -1,
            "jsx_text": lambda node: -1,
        }

    def _expression(self, node: Node) -> int:
        parts = self.reader.parts(node)
        return self.reader.value(parts[0]) if parts else self.reader.nothing()

    def _element(self, node: Node) -> int:
        children, opening = [], None
        for child in self.reader.parts(node):
            if self.reader.kind(child) in _OPENING and opening is None:
                opening = child
            else:
                children.append(child)
        given = [self.reader.value(child) for child in children if self.reader.kind(child) != "jsx_closing_element"]
        return self._component(opening, [one for one in given if one >= 0]) if opening is not None else -1

    def _opening(self, node: Node) -> int:
        return self._component(node, [])

    def _component(self, node: Node, children: list[int]) -> int:
        reader, graph = self.reader, self.reader.graph
        name = node.child_by_field_name("name")
        pairs: list[int] = []
        for child in reader.parts(node):
            if reader.kind(child) == "jsx_attribute":
                self._attribute(child, pairs)
            elif name is None or child.id != name.id:
                pairs += (op.SPREAD, reader.value(child))
        for variable in children:
            pairs += (graph.symbol("children"), variable)
        given = graph.value(op.CONTAINER, graph.symbol("dict"), len(pairs) >> 1, *pairs)
        if name is None or (reader.kind(name) == "identifier" and reader.text(name)[:1].islower()):
            return reader.constant("undefined")
        if reader.kind(name) == "jsx_namespace_name":
            return reader.constant("undefined")
        last = name.child_by_field_name("property") or name
        reader.calls += 1
        arguments = [op.POSITIONAL, given]
        return graph.call(
            reader.value(name), reader.line(last), reader.owner, op.CONSTRUCTS, reader.symbol(last), arguments
        )

    def _attribute(self, node: Node, pairs: list[int]) -> None:
        reader = self.reader
        parts = reader.parts(node)
        if not parts:
            return
        value = reader.value(parts[1]) if len(parts) > 1 else reader.constant("Boolean")
        pairs += (reader.symbol(parts[0]), value)
