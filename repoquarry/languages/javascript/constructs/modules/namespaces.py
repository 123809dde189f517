"""Namespaces of TypeScript, and modules that are declared within a file."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition
from repoquarry.languages.javascript.comments import documentation
from repoquarry.languages.javascript.constructs.modules.exports import Exports
from repoquarry.languages.javascript.reader import Body, Reader


class Namespaces:
    """Reads namespaces."""

    def __init__(self, reader: Reader, exports: Exports) -> None:
        self.reader = reader
        self.exports = exports
        for kind in ("internal_module", "module"):
            reader.handlers[kind] = self._namespace

    def _namespace(self, node: Node) -> int:
        """`namespace A.B { export ... }`: an object with the names that it exports."""
        reader = self.reader
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return reader.values(node.named_children)
        if reader.kind(name) == "string":
            # `declare module "x"`: what another module declares
            reader.scopes.enter()
            reader.value(body)
            reader.scopes.leave()
            return -1
        names = reader.text(name).split(".")
        exported = self._named_namespace(node, name, body)
        for inner in reversed(names[1:]):
            pair = (reader.graph.symbol(inner), exported)
            exported = reader.graph.value(op.CONTAINER, reader.graph.symbol("dict"), 1, *pair)
        reader.graph.assign(reader.scopes.declare(names[0]), op.COPY, exported)
        return -1

    def _named_namespace(self, node: Node, name: Node, body: Node | None) -> int:
        """The definition of a namespace; the variable of the object with what it exports."""
        reader = self.reader
        start = self._start_of_namespace(node)
        index, key, qualname, parent = reader.reserve(reader.text(name))
        nothing, calls = reader.graph.variable(), reader.calls
        reader.open(Body(index, -1, True, nothing, nothing))
        around = reader.around.get(node.id)
        is_ambient = around is not None and reader.kind(around) == "ambient_declaration"
        exported = self.exports.of_namespace(body, is_ambient=is_ambient)
        branches = reader.body.branches
        reader.close()
        reader.graph.functions[index] = [5, op.CLASS, 0, 0, 0]
        reader.definitions[index] = Definition(
            key=key,
            kind="class",
            name=reader.text(name),
            qualname=qualname,
            parent=parent,
            start_line=reader.line(start),
            name_line=reader.line(name),
            end_line=node.end_point[0] + 1,
            signature="",
            docstring=documentation(reader, start),
            decorators=(),
            bases=(),
            branches=branches,
            indent=node.start_point[1],
            calls=reader.calls - calls,
            is_async=False,
            is_generator=False,
            form="namespace",
        )
        return exported

    def _start_of_namespace(self, node: Node) -> Node:
        """Where its text begins: `export`, `declare` included."""
        while (around := self.reader.around.get(node.id)) is not None:
            node = around
        return node
