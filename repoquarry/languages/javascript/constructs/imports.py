"""Modules: `import`, `export`, `require`, `module.exports`.

A file's own scope, as others see it, holds the names that it exports; `default` is one of them. Beside them `=` is what the file is as a
whole: `module.exports`, or what TypeScript's `export =` gives. An import says which of these it takes: `FROM specifier 0 name`, where the
name `*` is all of the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.constructs.functions import FUNCTIONS
from repoquarry.languages.javascript.constructs.literals import string_text

if TYPE_CHECKING:
    from repoquarry.languages.javascript.walk import Walk

#: the name under which a file's scope has what the file is as a whole
WHOLE = "="
_DECLARATIONS = frozenset(("lexical_declaration", "variable_declaration"))


class Imports:
    """Reads what ties files together."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        reader = self.reader = walk.reader
        self.exports: dict[str, list[int]] = {}
        """Name -> variables of what the file, or the namespace being read, exports under it."""
        self._whole = -1
        """Variable of `module.exports`, -1 as long as nothing uses it."""
        self.is_module = False
        reader.handlers |= {
            "import_statement": self._import,
            "export_statement": self._export,
            "import_alias": self._import_alias,
        }

    # ---- CommonJS

    def _exports(self) -> int:
        graph = self.reader.graph
        if self._whole < 0:
            self._whole = graph.variable()
            graph.assign(self._whole, op.CONTAINER, graph.symbol("dict"), 0)
        return self._whole

    def _is_free(self, node: Node, name: str) -> bool:
        reader = self.reader
        return reader.kind(node) == "identifier" and reader.text(node) == name and not reader.scopes.is_declared(name)

    def exported(self, node: Node) -> int:
        """The variable of `module.exports`, -1 for any other property."""
        name = node.child_by_field_name("property")
        if name is None or self.reader.text(name) != "exports":
            return -1
        owner = node.child_by_field_name("object")
        if owner is None or not self._is_free(owner, "module"):
            return -1
        return self._exports()

    def free_exports(self) -> int:
        """The variable of the name `exports`, where the file does not declare it."""
        return self._exports()

    def assign(self, target: Node, value: int) -> bool:
        """`module.exports = value`, `exports = value`: whether it was that."""
        if self.reader.kind(target) == "member_expression" and self.exported(target) >= 0:
            self.reader.graph.assign(self._exports(), op.COPY, value)
            return True
        return False

    def load(self, function: Node, given: Node) -> int:
        """`require("./x")` or `import("./x")` with a constant; -1 for anything else."""
        reader = self.reader
        parts = reader.parts(given)
        is_import = reader.kind(function) == "import"
        if not parts or (not is_import and reader.scopes.is_declared("require")):
            return -1
        text = string_text(reader, parts[0]) if reader.kind(parts[0]) in ("string", "template_string") else None
        if not text:
            reader.values(parts)
            return reader.nothing() if is_import else -1
        reader.values(parts[1:])
        how = "dynamic" if is_import else "import"
        at_top = reader.owner < 0 and reader.scopes.current is reader.scopes.module
        reader.imports.append(Import(text, "", "", 0, reader.line(function), at_top, how))
        loaded = reader.graph.value(
            op.FROM, reader.graph.symbol(text), 0, reader.graph.symbol("*" if is_import else WHOLE)
        )
        if not is_import:
            return loaded
        awaitable = reader.graph.symbol("awaitable")
        return reader.graph.value(op.CONTAINER, awaitable, 1, op.ANY, loaded)

    # ---- import

    def _take(self, source: str, name: str, alias: str, node: Node, *, typing: bool = False) -> None:
        reader = self.reader
        how = "typing" if typing else "star" if name == "*" and not alias else "from"
        at_top = reader.scopes.current is reader.scopes.module
        reader.imports.append(Import(source, name, alias, 0, reader.line(node), at_top, how))

    def _bind(self, local: str, source: str, name: str) -> None:
        graph = self.reader.graph
        graph.assign(self.reader.scopes.declare(local), op.FROM, graph.symbol(source), 0, graph.symbol(name))

    def _source(self, node: Node) -> str:
        source = node.child_by_field_name("source")
        return (string_text(self.reader, source) or "") if source is not None else ""

    def _import(self, node: Node) -> int:
        reader = self.reader
        self.is_module = True
        required = reader.part(node, "import_require_clause")
        if required is not None:
            return self._import_required(required)
        source, clause = self._source(node), reader.part(node, "import_clause")
        typing = reader.has_token(node, "type", "typeof")
        if clause is None:
            reader.imports.append(Import(source, "", "", 0, reader.line(node), True, "import"))
            return -1
        for child in reader.parts(clause):
            kind = reader.kind(child)
            if kind == "identifier":
                self._bind(reader.text(child), source, "default")
                self._take(source, "default", reader.text(child), child, typing=typing)
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
            taken = self._name(name)
            local = reader.text(alias) if alias is not None else taken
            self._bind(local, source, taken)
            only_type = typing or reader.has_token(child, "type", "typeof")
            self._take(source, taken, local if local != taken else "", child, typing=only_type)

    def _import_required(self, clause: Node) -> int:
        """`import x = require("./x")`."""
        reader = self.reader
        local, source = reader.part(clause, "identifier"), self._source(clause)
        if local is not None:
            self._bind(reader.text(local), source, WHOLE)
            reader.imports.append(Import(source, "", reader.text(local), 0, reader.line(clause), True, "import"))
        return -1

    def _import_alias(self, node: Node) -> int:
        """`import A = B.C`."""
        reader = self.reader
        parts = reader.parts(node)
        if len(parts) == 2:
            value = self.walk.types.type(parts[1])
            bound = reader.scopes.declare(reader.text(parts[0]))
            if value >= 0:
                reader.graph.assign(bound, op.COPY, value)
        return -1

    def _name(self, node: Node) -> str:
        """The name of an import or export, which may be a string."""
        text = string_text(self.reader, node) if self.reader.kind(node) == "string" else None
        return text or self.reader.text(node)

    # ---- export

    def _export(self, node: Node) -> int:
        reader = self.reader
        self.is_module = True
        reader.enclose(node)
        source = self._source(node)
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
                self._offer(self._name(alias or name), reader.scopes.plain(reader.text(name)))

    def _export_from(self, node: Node, source: str) -> None:
        reader, graph = self.reader, self.reader.graph
        clause = reader.part(node, "export_clause", "namespace_export")
        if clause is None:
            graph.effect(op.STAR, graph.symbol(source), 0)
            self._take(source, "*", "", node)
            return
        if reader.kind(clause) == "namespace_export":
            name = self._name(reader.parts(clause)[0])
            self._offer(name, graph.value(op.FROM, graph.symbol(source), 0, graph.symbol("*")))
            reader.imports.append(Import(source, "", name, 0, reader.line(node), True, "import"))
            return
        for child in reader.parts(clause):
            own, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if own is None:
                continue
            taken = self._name(own)
            shown = self._name(alias) if alias is not None else taken
            self._offer(shown, graph.value(op.FROM, graph.symbol(source), 0, graph.symbol(taken)))
            self._take(source, taken, shown if shown != taken else "", child, typing=reader.has_token(node, "type"))

    def _export_declaration(self, node: Node, declaration: Node) -> None:
        reader = self.reader
        is_default = reader.has_token(node, "default")
        kind = reader.kind(declaration)
        if kind in ("class_declaration", "abstract_class_declaration"):
            value = self.walk.classes.declare(declaration, node)
        else:
            value = reader.value(declaration)
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
            held = self.walk.functions.named_value(value, self._own_name(value) or "default", start=node)
        else:
            held = self.reader.value(value)
        self._offer("default", held)

    def _own_name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self.reader.text(name) if name is not None else ""

    def _export_whole(self, node: Node) -> None:
        """`export = x`."""
        for child in self.reader.parts(node)[:1]:
            self.reader.graph.assign(self._exports(), op.COPY, self.reader.value(child))

    # ---- namespaces, and the end of the file

    def namespace(self, body: Node | None, *, is_ambient: bool) -> int:
        """Reads the body of a namespace; returns the variable of the object with what it exports: all of it where it is declared only
        (`is_ambient`) and nothing is marked."""
        reader, graph = self.reader, self.reader.graph
        outer, self.exports = self.exports, {}
        was_module = self.is_module
        reader.scopes.enter(is_function=True)
        if body is not None:
            reader.statements(body.named_children)
        if is_ambient and not self.exports:
            self.exports = {name: [variable] for name, variable in reader.scopes.current.names.items()}
        pairs = [n for name, held in self.exports.items() for n in (graph.symbol(name), graph.copies(held))]
        reader.scopes.leave()
        self.exports, self.is_module = outer, was_module
        return graph.value(op.CONTAINER, graph.symbol("dict"), len(pairs) >> 1, *pairs)

    def finish(self) -> tuple[str, ...] | None:
        """Lists what the file offers; its names, None where it is a script that offers nothing."""
        graph = self.reader.graph
        if "exports" in self.reader.scopes.module.waiting:
            graph.assign(self.reader.scopes.module.waiting.pop("exports"), op.COPY, self._exports())
        for name, variables in self.exports.items():
            graph.scopes += (-1, graph.symbol(name), graph.copies(variables))
        if self._whole >= 0:
            graph.scopes += (-1, graph.symbol(WHOLE), self._whole)
        return tuple(self.exports) if self.exports else None
