"""`export` statements.

A file's own scope, as others see it, holds the names that it exports; `default` is one of them. Beside them `=` is what the file is as a
whole: `module.exports`, or what TypeScript's `export =` gives.
"""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.constructs.classes.classes import Classes
from repoquarry.languages.javascript.constructs.modules.commonjs import CommonJs
from repoquarry.languages.javascript.constructs.modules.imports import Imports
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.reader import Reader

_DECLARATIONS = frozenset(("lexical_declaration", "variable_declaration"))


class Exports:
    """Reads what files offer each other."""

    def __init__(self, reader: Reader, imports: Imports, commonjs: CommonJs, classes: Classes) -> None:
        self.reader = reader
        self.imports = imports
        self.commonjs = commonjs
        self.classes = classes
        self.exports: dict[str, list[int]] = {}
        """Name -> variables of what the file, or the namespace being read, exports under it."""
        reader.handlers["export_statement"] = self._export

    def _export(self, node: Node) -> int:
        reader = self.reader
        reader.enclose(node)
        source = self.imports.source(node)
        declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        if source:
            self._export_from(node, source)
        elif declaration is not None:
            self._export_declaration(node, declaration)
        elif reader.has_token(node, "="):
            self._export_whole(node)
        elif value is not None:
            self._export_default(node, value)
        else:
            for clause in reader.parts(node):
                if reader.kind(clause) == "export_clause":
                    self._export_names(clause)
                elif reader.kind(clause) != "identifier":
                    reader.value(clause)
        return -1

    def _offer(self, name: str, variable: int) -> None:
        self.exports.setdefault(name, []).append(variable)

    def _export_names(self, clause: Node) -> None:
        reader = self.reader
        for child in reader.parts(clause):
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None:
                self._offer(self.imports.name(alias or name), reader.scopes.plain(reader.text(name)))

    def _export_from(self, node: Node, source: str) -> None:
        reader, graph = self.reader, self.reader.graph
        clause = reader.part(node, "export_clause", "namespace_export")
        if clause is None:
            graph.effect(op.STAR, graph.symbol(source), 0)
            self.imports.take(source, "*", "", node)
            return
        if reader.kind(clause) == "namespace_export":
            name = self.imports.name(reader.parts(clause)[0])
            self._offer(name, graph.value(op.FROM, graph.symbol(source), 0, graph.symbol("*")))
            reader.imports.append(Import(source, "", name, 0, reader.line(node), True, "import"))
            return
        for child in reader.parts(clause):
            own, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if own is None:
                continue
            taken = self.imports.name(own)
            shown = self.imports.name(alias) if alias is not None else taken
            self._offer(shown, graph.value(op.FROM, graph.symbol(source), 0, graph.symbol(taken)))
            self.imports.take(
                source, taken, shown if shown != taken else "", child, typing=reader.has_token(node, "type")
            )

    def _export_declaration(self, node: Node, declaration: Node) -> None:
        reader = self.reader
        is_default = reader.has_token(node, "default")
        is_class = reader.kind(declaration) in ("class_declaration", "abstract_class_declaration")
        value = self.classes.declare(declaration, node) if is_class else reader.value(declaration)
        if is_default:
            self._offer("default", value)
            return
        for name in self._declared(declaration):
            self._offer(name, reader.scopes.plain(name))

    def _declared(self, node: Node) -> list[str]:
        """The names that a declaration binds."""
        reader = self.reader
        kind = reader.kind(node)
        if kind == "ambient_declaration":
            return [name for child in reader.parts(node) for name in self._declared(child)]
        if kind in _DECLARATIONS:
            found: list[str] = []
            for child in reader.parts(node):
                name = child.child_by_field_name("name")
                if name is not None:
                    found += self._bound(name)
            return found
        name = node.child_by_field_name("name")
        return [reader.text(name).split(".")[0]] if name is not None else []

    def _bound(self, pattern: Node) -> list[str]:
        reader = self.reader
        kind = reader.kind(pattern)
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            return [reader.text(pattern)]
        if kind == "pair_pattern":
            value = pattern.child_by_field_name("value")
            return self._bound(value) if value is not None else []
        if kind in ("assignment_pattern", "object_assignment_pattern"):
            left = pattern.child_by_field_name("left")
            return self._bound(left) if left is not None else []
        return [name for child in reader.parts(pattern) for name in self._bound(child)]

    def _export_default(self, node: Node, value: Node) -> None:
        if self.reader.kind(value) in FUNCTIONS or self.reader.kind(value) == "class":
            held = self.reader.named_value(value, self._own_name(value) or "default", start=node)
        else:
            held = self.reader.value(value)
        self._offer("default", held)

    def _own_name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self.reader.text(name) if name is not None else ""

    def _export_whole(self, node: Node) -> None:
        """`export = x`."""
        for child in self.reader.parts(node)[:1]:
            self.reader.graph.assign(self.commonjs.whole(), op.COPY, self.reader.value(child))

    def of_namespace(self, body: Node | None, *, is_ambient: bool) -> int:
        """Reads the body of a namespace; returns the variable of the object with what it exports: all of it where it is declared only
        (`is_ambient`) and nothing is marked."""
        reader, graph = self.reader, self.reader.graph
        outer, self.exports = self.exports, {}
        reader.scopes.enter(is_function=True)
        if body is not None:
            reader.statements(body.named_children)
        if is_ambient and not self.exports:
            self.exports = {name: [variable] for name, variable in reader.scopes.current.names.items()}
        pairs = [n for name, held in self.exports.items() for n in (graph.symbol(name), graph.copies(held))]
        reader.scopes.leave()
        self.exports = outer
        return graph.value(op.CONTAINER, graph.symbol("dict"), len(pairs) >> 1, *pairs)

    def finish(self) -> tuple[str, ...] | None:
        """Lists what the file offers; its names, None where it is a script that offers nothing."""
        graph = self.reader.graph
        self.commonjs.finish()
        for name, variables in self.exports.items():
            graph.scopes += (-1, graph.symbol(name), graph.copies(variables))
        self.commonjs.offer()
        return tuple(self.exports) if self.exports else None
