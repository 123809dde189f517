"""`import` statements. An import says what it takes of a file: `FROM specifier 0 name`, where the name `*` is all of the module."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.property_names import string_text
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.scopes import WHOLE
from repoquarry.languages.javascript.typing.types import Types


class Imports:
    """Reads what files take from each other."""

    def __init__(self, reader: Reader, types: Types) -> None:
        self.reader = reader
        self.types = types
        reader.handlers |= {
            "import_statement": self._import,
            "import_alias": self._import_alias,
        }

    def _import(self, node: Node) -> int:
        reader = self.reader
        required = reader.part(node, "import_require_clause")
        if required is not None:
            return self._import_required(required)
        source, clause = self.source(node), reader.part(node, "import_clause")
        typing = reader.has_token(node, "type", "typeof")
        if clause is None:
            reader.imports.append(Import(source, "", "", 0, reader.line(node), True, "import"))
            return -1
        for child in reader.parts(clause):
            kind = reader.kind(child)
            if kind == "identifier":
                self._bind(reader.text(child), source, "default")
                self.take(source, "default", reader.text(child), child, typing=typing)
            elif kind == "namespace_import":
                local = reader.text(reader.parts(child)[0])
                self._bind(local, source, "*")
                reader.imports.append(Import(source, "", local, 0, reader.line(child), True, "import"))
            elif kind == "named_imports":
                self._named(child, source, typing=typing)
        return -1

    def _named(self, node: Node, source: str, *, typing: bool) -> None:
        reader = self.reader
        for child in reader.parts(node):
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is None:
                continue
            taken = self.name(name)
            local = reader.text(alias) if alias is not None else taken
            self._bind(local, source, taken)
            only_type = typing or reader.has_token(child, "type", "typeof")
            self.take(source, taken, local if local != taken else "", child, typing=only_type)

    def _import_required(self, clause: Node) -> int:
        """`import x = require("./x")`."""
        reader = self.reader
        local, source = reader.part(clause, "identifier"), self.source(clause)
        if local is not None:
            self._bind(reader.text(local), source, WHOLE)
            reader.imports.append(Import(source, "", reader.text(local), 0, reader.line(clause), True, "import"))
        return -1

    def _import_alias(self, node: Node) -> int:
        """`import A = B.C`."""
        reader = self.reader
        parts = reader.parts(node)
        if len(parts) == 2:
            value = self.types.type(parts[1])
            bound = reader.scopes.declare(reader.text(parts[0]))
            if value >= 0:
                reader.graph.assign(bound, op.COPY, value)
        return -1

    def _bind(self, local: str, source: str, name: str) -> None:
        graph = self.reader.graph
        graph.assign(self.reader.scopes.declare(local), op.FROM, graph.symbol(source), 0, graph.symbol(name))

    def take(self, source: str, name: str, alias: str, node: Node, *, typing: bool = False) -> None:
        """Notes that a name is taken from another file."""
        reader = self.reader
        how = "typing" if typing else "star" if name == "*" and not alias else "from"
        at_top = reader.scopes.current is reader.scopes.module
        reader.imports.append(Import(source, name, alias, 0, reader.line(node), at_top, how))

    def source(self, node: Node) -> str:
        """The specifier of an import or export; empty for none."""
        source = node.child_by_field_name("source")
        return (string_text(self.reader, source) or "") if source is not None else ""

    def name(self, node: Node) -> str:
        """The name of an import or export, which may be a string."""
        text = string_text(self.reader, node) if self.reader.kind(node) == "string" else None
        return text or self.reader.text(node)
