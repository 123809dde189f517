"""Visitors that turn imports, exports, CommonJS and namespaces of JavaScript into import records and constraints.

A file's own scope, as others see it, holds the names that it exports; `default` is one of them. In addition, `=` is the complete
export object: `module.exports`, or the value of TypeScript's `export =`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.extraction_state import (
    BodyFrame,
    JavaScriptExtractionState,
    documentation,
    string_text,
)
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.module_resolution import without_scheme
from repoquarry.languages.javascript.scopes import WHOLE
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.classes import JavaScriptClassVisitor

_TYPE_EXPORT = re.compile(rb"export\s+type\b")


@dataclass(eq=False, repr=False)
class JavaScriptImportVisitor:
    """Visitor of imports between files."""

    reader: JavaScriptExtractionState
    types: TypeReader

    def __post_init__(self) -> None:
        self.reader.handlers |= {
            "import_statement": self._import,
            "import_alias": self._import_alias,
        }

    def _import(self, node: Node) -> int:
        reader = self.reader
        required = reader.part(node, "import_require_clause")
        typing = reader.has_token(node, "type", "typeof")
        if required is not None:
            return self._import_required(required, typing=typing)
        source, clause = self.source(node), reader.part(node, "import_clause")
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
                how = "typing" if typing else "import"
                reader.imports.append(Import(source, "", local, 0, reader.line(child), True, how))
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

    def _import_required(self, clause: Node, *, typing: bool) -> int:
        """`import x = require("./x")`."""
        reader = self.reader
        local, source = reader.part(clause, "identifier"), self.source(clause)
        if local is not None:
            self._bind(reader.text(local), source, WHOLE)
            how = "typing" if typing else "import"
            reader.imports.append(Import(source, "", reader.text(local), 0, reader.line(clause), True, how))
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
        graph.assign(self.reader.scopes.declare(local), op.FROM, graph.symbol(source), 0, graph.symbol(name), 0, -1)

    def take(self, source: str, name: str, alias: str, node: Node, *, typing: bool = False) -> None:
        """Record that a name is taken from another file."""
        reader = self.reader
        how = "typing" if typing else "star" if name == "*" and not alias else "from"
        at_top = reader.scopes.current is reader.scopes.module
        reader.imports.append(Import(source, name, alias, 0, reader.line(node), at_top, how))

    def source(self, node: Node) -> str:
        """Return the specifier of an import or export; empty for none."""
        source = node.child_by_field_name("source")
        return without_scheme(string_text(self.reader, source) or "") if source is not None else ""

    def name(self, node: Node) -> str:
        """Return the name of an import or export, which may be a string."""
        text = string_text(self.reader, node) if self.reader.kind(node) == "string" else None
        return text or self.reader.text(node)


class JavaScriptCommonJsVisitor:
    """Reads what files load, and what they are as a whole."""

    def __init__(self, reader: JavaScriptExtractionState) -> None:
        self.reader = reader
        self._whole = -1
        """Variable of `module.exports`, -1 as long as nothing uses it."""

    def whole(self) -> int:
        """Return the variable of the file's complete export object."""
        graph = self.reader.graph
        if self._whole < 0:
            self._whole = graph.variable()
            graph.assign(self._whole, op.CONTAINER, graph.symbol("dict"), 0)
        return self._whole

    def _is_free(self, node: Node, name: str) -> bool:
        reader = self.reader
        return reader.kind(node) == "identifier" and reader.text(node) == name and not reader.scopes.is_declared(name)

    def exported(self, node: Node) -> int:
        """Return the variable of `module.exports`, -1 for any other property."""
        name = node.child_by_field_name("property")
        if name is None or self.reader.text(name) != "exports":
            return -1
        owner = node.child_by_field_name("object")
        if owner is None or not self._is_free(owner, "module"):
            return -1
        return self.whole()

    def assign(self, target: Node, value: int) -> bool:
        """`module.exports = value`, `exports = value`: whether it was that."""
        if self.reader.kind(target) == "member_expression" and self.exported(target) >= 0:
            self.reader.graph.assign(self.whole(), op.COPY, value)
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
        text = without_scheme(text)
        reader.values(parts[1:])
        how = "dynamic" if is_import else "import"
        at_top = reader.owner < 0 and reader.scopes.current is reader.scopes.module
        deferred = reader.scopes.is_in_function()
        reader.imports.append(Import(text, "", "", 0, reader.line(function), at_top, how, deferred))
        loaded = reader.graph.value(
            op.FROM, reader.graph.symbol(text), 0, reader.graph.symbol("*" if is_import else WHOLE), 0, -1
        )
        if not is_import:
            return loaded
        awaitable = reader.graph.symbol("awaitable")
        return reader.graph.value(op.CONTAINER, awaitable, 1, op.ANY, loaded)

    def finish(self) -> None:
        """Bind the name `exports` to what the file is as a whole, where the file does not declare it."""
        graph, module = self.reader.graph, self.reader.scopes.module
        if "exports" in module.waiting:
            graph.assign(module.waiting.pop("exports"), op.COPY, self.whole())

    def offer(self) -> None:
        """Offer other files what the file is as a whole, if anything uses it."""
        if self._whole >= 0:
            self.reader.graph.scopes += (-1, self.reader.graph.symbol(WHOLE), self._whole)


_DECLARATIONS = frozenset(("lexical_declaration", "variable_declaration"))


@dataclass(eq=False, repr=False)
class JavaScriptExportVisitor:
    """Visitor of exports."""

    reader: JavaScriptExtractionState
    imports: JavaScriptImportVisitor
    commonjs: JavaScriptCommonJsVisitor
    classes: JavaScriptClassVisitor

    def __post_init__(self) -> None:
        self.exports: dict[str, list[int]] = {}
        """Name -> variables that the file, or the namespace being read, exports under it."""
        self.component = -1
        """Variable of the component that the options of a Vue file make; -1 without options."""
        self.reader.handlers["export_statement"] = self._export

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
        # The grammar does not know `export type *`, so the tree lacks the word there.
        typing = _TYPE_EXPORT.match(reader.source, node.start_byte) is not None
        clause = reader.part(node, "export_clause", "namespace_export")
        if clause is None:
            graph.effect(op.STAR, graph.symbol(source), 0)
            self.imports.take(source, "*", "", node, typing=typing)
            return
        if reader.kind(clause) == "namespace_export":
            name = self.imports.name(reader.parts(clause)[0])
            self._offer(name, graph.value(op.FROM, graph.symbol(source), 0, graph.symbol("*"), 0, -1))
            how = "typing" if typing else "import"
            reader.imports.append(Import(source, "", name, 0, reader.line(node), True, how))
            return
        for child in reader.parts(clause):
            own, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if own is None:
                continue
            taken = self.imports.name(own)
            shown = self.imports.name(alias) if alias is not None else taken
            self._offer(shown, graph.value(op.FROM, graph.symbol(source), 0, graph.symbol(taken), 0, -1))
            only_type = typing or reader.has_token(child, "type")
            self.imports.take(source, taken, shown if shown != taken else "", child, typing=only_type)

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
        """Return the names that a declaration binds."""
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
        if self.reader.path.endswith(".vue"):
            kind = self.reader.kind(value)
            self.component = self._define_component(node, held) if kind == "object" else held
        self._offer("default", held)

    def _define_component(self, node: Node, options: int) -> int:
        """Hand the options of a component to Vue, as the compiler of components does; the call is not one of the source."""
        reader, graph = self.reader, self.reader.graph
        name = graph.symbol("defineComponent")
        callee = graph.value(op.FROM, graph.symbol("vue"), 0, name, 0, -1)
        return graph.call(callee, reader.line(node), reader.owner, op.HANDLES, name, [op.POSITIONAL, options])

    def _own_name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self.reader.text(name) if name is not None else ""

    def _export_whole(self, node: Node) -> None:
        """`export = x`."""
        for child in self.reader.parts(node)[:1]:
            self.reader.graph.assign(self.commonjs.whole(), op.COPY, self.reader.value(child))

    def of_namespace(self, body: Node | None, *, is_ambient: bool) -> int:
        """Reads the body of a namespace; returns the variable of the object with its exports: all of it where it is declared only
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
        """List what the file offers; its names, None where it is a script that offers nothing."""
        graph = self.reader.graph
        self.commonjs.finish()
        for name, variables in self.exports.items():
            graph.scopes += (-1, graph.symbol(name), graph.copies(variables))
        self.commonjs.offer()
        return tuple(self.exports) if self.exports else None


@dataclass(eq=False, repr=False)
class JavaScriptNamespaceVisitor:
    """Visitor of namespaces."""

    reader: JavaScriptExtractionState
    exports: JavaScriptExportVisitor

    def __post_init__(self) -> None:
        for kind in ("internal_module", "module"):
            self.reader.handlers[kind] = self._namespace

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
        """Return the definition of a namespace; the variable of the object with its exports."""
        reader = self.reader
        start = self._start_of_namespace(node)
        index = reader.allocate(reader.text(name))
        nothing, calls = reader.graph.variable(), reader.calls
        reader.open(BodyFrame(index, -1, True, nothing, nothing))
        around = reader.around.get(node.id)
        is_ambient = around is not None and reader.kind(around) == "ambient_declaration"
        exported = self.exports.of_namespace(body, is_ambient=is_ambient)
        branches = reader.body.branches
        reader.close()
        reader.graph.functions[index] = [5, op.CLASS, 0, 0, 0]
        reader.definitions[index] = replace(
            reader.definitions[index],
            kind="class",
            start_line=reader.line(start),
            name_line=reader.line(name),
            end_line=node.end_point[0] + 1,
            docstring=documentation(reader, start),
            branches=branches,
            indent=node.start_point[1],
            calls=reader.calls - calls,
            form="namespace",
        )
        return exported

    def _start_of_namespace(self, node: Node) -> Node:
        """Where its text begins: `export`, `declare` included."""
        while (around := self.reader.around.get(node.id)) is not None:
            node = around
        return node
