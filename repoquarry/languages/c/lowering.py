"""Lowering of C and C++ files to the tree of `declared_types`: namespaces, classes, functions, types and variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node as Syntax

from repoquarry.languages.c.body_lowering import BodyLowering
from repoquarry.languages.c.declarators import Declarator, parts_of, read_declarator
from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import (
    Declaration,
    LoweredFile,
    Node,
    Parameter,
    TypeParameter,
    encode_file,
)
from repoquarry.languages.declared_types.syntax import line_of, named, text_of

_CLASSES = frozenset({"class_specifier", "struct_specifier", "union_specifier", "enum_specifier"})
_TRANSPARENT = frozenset(
    {"linkage_specification", "declaration_list", "ERROR", "labeled_statement", "preproc_else", "preproc_elif"}
)
_TYPE_PARAMETERS = frozenset(
    {"type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration"}
)
_ALIASES = frozenset({"type_definition", "alias_declaration"})


def lower_c(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    return encode_file(_FileLowering(definitions, has_classes=False).file(root))


def lower_cpp(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """As `lower_c`, for C++: declared objects call constructors."""
    return encode_file(_FileLowering(definitions, has_classes=True).file(root))


class _FileLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int], *, has_classes: bool) -> None:
        self._definitions = definitions
        self._file = LoweredFile()
        self._body = BodyLowering(self._local, has_classes=has_classes)

    def file(self, root: Syntax) -> LoweredFile:
        """Return the whole file."""
        self._file.declarations = list(self._items(root, "", 0, None, []))
        return self._file

    def _local(self, node: Syntax) -> list[Declaration]:
        """Return the classes and aliases that a statement declares."""
        if node.type in _ALIASES:
            return list(self._aliases(node))
        return list(self._class(node, "", 0, [])) if node.type in _CLASSES else []

    def _items(
        self, node: Syntax, space: str, flags: int, owner: str | None, generic: list[TypeParameter]
    ) -> Iterator[Declaration]:
        """Yield the declarations directly in a file, namespace or class; `owner` is the name of the class."""
        for child in named(node):
            kind = child.type
            if kind == "namespace_definition":
                yield from self._namespace(child, space, flags)
            elif kind in _TRANSPARENT or kind.startswith("preproc_if"):
                yield from self._items(child, space, flags, owner, generic)
            elif kind == "template_declaration":
                yield from self._items(child, space, flags, owner, self._type_parameters(child))
            elif kind == "function_definition":
                yield from self._function(child, flags, owner, generic)
            elif kind in ("declaration", "field_declaration"):
                yield from self._declared(child, space, flags, owner, generic)
            elif kind in _CLASSES:
                yield from self._class(child, space, flags, generic)
            elif kind in _ALIASES:
                yield from self._aliases(child)
            elif kind in ("preproc_def", "preproc_function_def"):
                yield from self._macro(child)
            elif kind == "using_declaration":
                self._use(child)
            elif kind == "namespace_alias_definition":
                self._file.imports[text_of(child.child_by_field_name("name"))] = parts_of(named(child)[-1])
            elif kind == "expression_statement" and owner is None:
                self._file.statements.append([tree.SEVERAL, [self._body.value(child)]])

    def _namespace(self, node: Syntax, space: str, flags: int) -> Iterator[Declaration]:
        """A namespace; one without a name, and an inline one, gives its names to the one around it."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        inside = space
        if name is not None and all(child.type != "inline" for child in node.children):
            inside = "::".join([space, *parts_of(name)]).removeprefix("::")
        if body is not None:
            kept = flags if name is not None else flags | tree.LOCAL
            members = list(self._items(body, inside, kept, None, []))
            yield Declaration(tree.SPACE, inside, members=members)

    def _use(self, node: Syntax) -> None:
        path = parts_of(named(node)[-1]) if named(node) else []
        if any(child.type == "namespace" for child in node.children):
            self._file.wildcards.append(path)
        elif path:
            self._file.imports[path[-1]] = path

    def _macro(self, node: Syntax) -> Iterator[Declaration]:
        """A macro: a function, or another name for one."""
        name, value = text_of(node.child_by_field_name("name")), text_of(node.child_by_field_name("value")).strip()
        if node.type == "preproc_def":
            if value.isidentifier() and value != name:
                yield Declaration(tree.VARIABLE, name, line_of(node), value=[tree.NAME, value, line_of(node)])
            return
        one = Declaration(tree.FUNCTION, name, line_of(node), self._definitions.get(node.id, -1))
        written = node.child_by_field_name("parameters")
        one.parameters = [Parameter([tree.BIND, text_of(part)], None) for part in named(written)]
        if written is not None and any(part.type == "..." for part in written.children):
            one.parameters.append(Parameter(None, [tree.NAMED, ["..."], []], True))
        yield one

    # ---- types

    def _aliases(self, node: Syntax) -> Iterator[Declaration]:
        written = node.child_by_field_name("type")
        if node.type == "alias_declaration":
            name = text_of(node.child_by_field_name("name"))
            yield Declaration(tree.TYPE_ALIAS, name, line_of(node), type=self._body.type(written))
            return
        is_class = written is not None and written.type in _CLASSES
        is_nameless = is_class and written is not None and written.child_by_field_name("name") is None
        if is_class and written is not None:
            yield from self._class(written, "", 0, [], self._definitions.get(node.id, -1) if is_nameless else -1)
        type_ = self._body.type(written)
        for each in node.children_by_field_name("declarator"):
            found = read_declarator(each)
            # A structure and its alias may have one name.
            if found.parts and (type_ is None or type_[1] != found.parts or found.is_function):
                aliased = [tree.FUNCTION_TYPE, [], None] if found.is_function else type_
                yield Declaration(tree.TYPE_ALIAS, found.parts[-1], line_of(node), type=aliased)

    def _class(
        self, node: Syntax, space: str, flags: int, generic: list[TypeParameter], definition: int = -1
    ) -> Iterator[Declaration]:
        """A class, structure, union or enumeration that is defined here."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None:
            return
        path = parts_of(name) if name is not None else [self._body.nameless(node)]
        one = Declaration(tree.CLASS, path[-1], line_of(node), self._definitions.get(node.id, definition), flags)
        one.owner = [tree.NAMED, path[:-1], []] if path[:-1] else None
        one.type_parameters = generic
        if node.type == "enum_specifier":
            one.members = [
                Declaration(tree.VARIABLE, text_of(each.child_by_field_name("name")), type=[tree.NAMED, path, []])
                for each in named(body)
                if each.type == "enumerator"
            ]
        else:
            clauses = [each for each in named(node) if each.type == "base_class_clause"]
            bases = [self._body.type(each) for clause in clauses for each in named(clause)]
            one.bases = [base for base in bases if base is not None]
            one.members = list(self._items(body, space, flags & ~tree.LOCAL, path[-1], []))
            for member in one.members:
                if member.kind == tree.TYPE_ALIAS:
                    member.type_parameters = generic
        yield one

    def _type_parameters(self, node: Syntax) -> list[TypeParameter]:
        written = [each for each in named(node.child_by_field_name("parameters")) if each.type in _TYPE_PARAMETERS]
        return [TypeParameter(text_of(named(each)[0])) for each in written if named(each)]

    # ---- functions and variables

    def _signature(self, node: Syntax, found: Declarator, flags: int, generic: list[TypeParameter]) -> Declaration:
        one = Declaration(tree.FUNCTION, found.parts[-1], line_of(node), self._definitions.get(node.id, -1), flags)
        one.type_parameters = generic
        one.parameters = self._body.parameters(found.function)
        one.result = self._body.result(node, found.function)
        return one

    def _function(
        self, node: Syntax, flags: int, owner: str | None, generic: list[TypeParameter]
    ) -> Iterator[Declaration]:
        found = read_declarator(node.child_by_field_name("declarator"))
        if not found.parts or found.function is None:
            for child in named(node):
                yield from self._class(child, "", flags, generic) if child.type in _CLASSES else ()
            return
        one = self._signature(node, found, self._flags(node, flags, owner), generic)
        one.receiver = "this"
        if len(found.parts) > 1:
            one.owner = [tree.NAMED, found.parts[:-1], found.arguments(self._body.type)]
        one.body = self._body.function_body(node)
        yield one

    def _flags(self, node: Syntax, flags: int, owner: str | None) -> int:
        words = {text_of(child) for child in node.children if child.type == "storage_class_specifier"}
        if "static" in words:
            flags |= tree.STATIC if owner is not None else tree.LOCAL
        return flags

    def _declared(
        self, node: Syntax, space: str, flags: int, owner: str | None, generic: list[TypeParameter]
    ) -> Iterator[Declaration]:
        """Prototypes, fields and variables, and the class that is defined in front of them."""
        written = node.child_by_field_name("type")
        declarators: Sequence[Syntax] = node.children_by_field_name("declarator")
        if written is not None and written.type in _CLASSES:
            defined = list(self._class(written, space, flags, generic))
            is_nameless = written.child_by_field_name("name") is None
            # The members of a structure without any name are those of the one around it.
            yield from defined[0].members if defined and owner and is_nameless and not declarators else defined
        own = self._flags(node, flags, owner)
        for each in declarators:
            found = read_declarator(each)
            if found.parts and found.function is not None and (owner is not None or len(found.parts) == 1):
                is_pure = node.id in self._definitions
                yield self._signature(node, found, own | (tree.ABSTRACT if is_pure else tree.PROTOTYPE), generic)
            elif found.parts and found.function is None:
                yield self._variable(node, each, found, space, own, owner)

    def _variable(
        self, node: Syntax, written: Syntax, found: Declarator, space: str, flags: int, owner: str | None
    ) -> Declaration:
        type_ = self._body.variable_type(node, found)
        kind = tree.FIELD if owner is not None else tree.VARIABLE
        value = self._body.first_value(node, written, type_, found)
        one = Declaration(kind, found.parts[-1], line_of(node), flags=flags, type=type_)
        if type_ is None:
            one.value = value
        if value is not None and owner is None:
            around: list[Node] = [[tree.USE, {}, [space.split("::")]]] if space else []
            self._file.statements.append([tree.BLOCK, [*around, value]])
        return one
