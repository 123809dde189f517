"""Classes, methods, fields and imports of a file: its definitions, and the tree that attribution reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from tree_sitter import Node as Syntax

from repoquarry.languages.facts import Decorator, Definition, Import, ParseError
from repoquarry.languages.java import tree
from repoquarry.languages.java.bodies import MAX_NESTING, Bodies, parameters_of
from repoquarry.languages.java.grammar import first, line_of, named, text_of
from repoquarry.languages.java.tree import Node
from repoquarry.languages.java.types import declared_type, type_of, type_parameters
from repoquarry.languages.layout import one_line

_CLASSES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_SPACE = re.compile(r"\s+")
_STAR = re.compile(r"^\s*\*? ?", re.MULTILINE)


@dataclass
class _Open:
    """A definition whose body is being read."""

    index: int
    key: str
    qualname: str
    kind: str
    branches: int = 0
    calls: int = 0
    lambdas: int = 0
    anonymous: int = 0


@dataclass
class Declarations:
    """Reads a file."""

    definitions: list[Definition] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    errors: list[ParseError] = field(default_factory=list)
    classes: list[Node] = field(default_factory=list)
    package: str = ""
    branches: int = 0

    def __post_init__(self) -> None:
        self._open: list[_Open] = []
        self._module = _Open(-1, "", "", "module")
        self._keys: dict[str, int] = {}
        self._imported: dict[str, str] = {}
        self._bodies = Bodies(self)

    def read(self, root: Syntax) -> None:
        """Everything in a file."""
        for node in named(root):
            if node.type == "package_declaration":
                name = first(node, "scoped_identifier", "identifier")
                self.package = text_of(name) if name is not None else ""
            elif node.type == "import_declaration":
                self._import(node)
            elif node.type in _CLASSES:
                self.classes.append(self.class_here(node))
            elif node.type == "method_declaration":  # a source file that is a class by itself
                self.complain(node, "a method outside a class")

    def _import(self, node: Syntax) -> None:
        name = first(node, "scoped_identifier", "identifier")
        text = text_of(name) if name is not None else ""
        is_static = any(child.type == "static" for child in node.children)
        module, _, last = text.rpartition(".")
        if first(node, "asterisk") is not None:
            module, last = text, "*"
        else:
            self._imported[last] = text
        how = "star" if last == "*" else "static" if is_static else "import"
        if is_static and how == "star":
            how = "static star"
        self.imports.append(Import(module, last, "", 0, line_of(node), True, how))

    # ---- of `Opener`

    def complain(self, node: Syntax, message: str) -> None:
        """Records what could not be read."""
        self.errors.append(ParseError(line_of(node), message))

    def count(self, *, branches: int = 0, calls: int = 0) -> None:
        """Counts for the innermost definition; calls count for those around it too."""
        self.branches += branches
        if self._open:
            self._open[-1].branches += branches
        for one in self._open:
            one.calls += calls

    def open_lambda(self, node: Syntax) -> int:
        """A definition for a lambda."""
        around = self._open[-1] if self._open else self._module
        around.lambdas += 1
        written = node.child_by_field_name("parameters")
        signature = one_line(text_of(written), "//") if written is not None else "()"
        return self._begin(node, node, "lambda", f"<lambda{around.lambdas}>", signature, "")

    def close(self) -> None:
        """Ends the innermost definition."""
        done = self._open.pop()
        made = self.definitions[done.index]
        if done.branches or done.calls:
            self.definitions[done.index] = _counted(made, done.branches, done.calls)

    def anonymous(self, node: Syntax, body: Syntax) -> Node:
        """The class of `new T() { ... }`."""
        around = self._open[-1] if self._open else self._module
        around.anonymous += 1
        written = node.child_by_field_name("type")
        bases = (_flat(text_of(written)),) if written is not None else ()
        index = self._begin(node, node, "class", f"<anonymous{around.anonymous}>", "", "anonymous class", bases)
        made = self._members(index, "anonymous", body, [])
        self.close()
        return made

    def class_here(self, node: Syntax) -> Node:
        """A class declaration."""
        kind = _CLASSES[node.type]
        name = _name(node)
        body = node.child_by_field_name("body")
        superclass, interfaces = _bases(node)
        bases = tuple(_flat(text_of(one)) for one in (*superclass, *interfaces))
        signature = f"({', '.join(bases)})" if bases else ""
        components = node.child_by_field_name("parameters") if kind == "record" else None
        index = self._begin(node, node, "class", name, signature, "" if kind == "class" else kind, bases)
        made = self._members(index, kind, body, type_parameters(node), components)
        made[4] = type_of(superclass[0]) if superclass else None
        made[5] = [type_of(one) for one in interfaces]
        made[1:3] = [kind, name]
        made[11] = kind != "class" or "static" in _modifiers(node) or len(self._open) == 1
        self.close()
        return made

    # ---- members

    def _members(
        self, index: int, kind: str, body: Syntax | None, parameters: list[Node], components: Syntax | None = None
    ) -> Node:
        """CLASS node with the members of a body; the caller fills in its name and bases."""
        own = self._open[-1]
        fields: list[Node] = []
        methods: list[Node] = []
        initialisers: list[Node] = []
        inner: list[Node] = []
        constants: list[Node] = []
        for node in _member_nodes(body):
            if node.type in _CLASSES and len(self._open) >= MAX_NESTING:
                self.complain(node, f"nested deeper than {MAX_NESTING} levels: what follows was left out")
            elif node.type in _CLASSES:
                inner.append(self.class_here(node))
            elif node.type in ("field_declaration", "constant_declaration"):
                fields += self._fields(node, is_constant=kind in ("interface", "annotation"))
            elif (
                node.type in ("method_declaration", "constructor_declaration", "compact_constructor_declaration")
                or node.type == "annotation_type_element_declaration"
            ):
                methods.append(self._method(node, kind, components))
            elif node.type == "enum_constant":
                constants.append(self._constant(node))
            elif node.type in ("static_initializer", "block"):
                block = first(node, "block") if node.type == "static_initializer" else node
                if block is not None:
                    initialisers.append([node.type != "block", self._bodies.block(block)])
        record = parameters_of(components) if components is not None else None
        return [
            index, kind, own.qualname.rpartition(".")[2], parameters, None, [], fields, methods, initialisers, inner, constants, False,
            self.definitions[index].name_line, record,
        ]  # fmt: skip

    def _fields(self, node: Syntax, *, is_constant: bool) -> Iterator[Node]:
        modifiers = _modifiers(node)
        for one in node.children_by_field_name("declarator"):
            value = self._bodies.expression(one.child_by_field_name("value"))
            is_static = is_constant or "static" in modifiers
            is_own = is_constant or "final" in modifiers
            yield [_name(one), declared_type(node, one), is_static, value, line_of(one), is_own]

    def _constant(self, node: Syntax) -> Node:
        written = node.child_by_field_name("arguments")
        body = node.child_by_field_name("body")
        self.count(calls=1)
        arguments = self._bodies.arguments(written)
        return [_name(node), arguments, self.anonymous(node, body) if body is not None else None, line_of(node)]

    def _method(self, node: Syntax, around: str, components: Syntax | None) -> Node:
        is_constructor = "constructor" in node.type
        name, modifiers = _name(node), _modifiers(node)
        body = node.child_by_field_name("body")
        written = node.child_by_field_name("parameters")
        parameters = components if node.type == "compact_constructor_declaration" else written
        result = None if is_constructor else declared_type(node)
        given = parameters_of(parameters) if parameters is not None else []
        is_variadic = parameters is not None and first(parameters, "spread_parameter") is not None
        in_interface = around in ("interface", "annotation")
        is_abstract = body is None and not is_constructor and "native" not in modifiers
        flags = (
            tree.STATIC * ("static" in modifiers)
            | tree.ABSTRACT * is_abstract
            | tree.VARIADIC * is_variadic
            | tree.CONSTRUCTOR * is_constructor
            | tree.PRIVATE * ("private" in modifiers)
            | tree.DEFAULT * (in_interface and body is not None)
            | tree.FINAL * ("final" in modifiers)
            | tree.PUBLIC * ("public" in modifiers)
        )
        text = one_line(text_of(written), "//") if written is not None else "()"
        returned = node.child_by_field_name("type")
        signature = text if returned is None else f"{text} -> {one_line(text_of(returned), '//')}"
        form = "constructor" if is_constructor else ""
        index = self._begin(node, node, "method", name, signature, form, is_abstract=is_abstract)
        own = type_parameters(node)
        block = self._bodies.block(body) if body is not None else None
        self.close()
        return [index, name, own, given, result, flags, block, self.definitions[index].name_line]

    # ---- definitions

    def _begin(
        self,
        node: Syntax,
        at: Syntax,
        kind: str,
        name: str,
        signature: str,
        form: str,
        bases: tuple[str, ...] = (),
        *,
        is_abstract: bool = False,
    ) -> int:
        around = self._open[-1] if self._open else self._module
        qualname = f"{around.qualname}.{name}" if around.qualname else name
        number = self._keys[qualname] = self._keys.get(qualname, 0) + 1
        key = qualname if number == 1 else f"{qualname}#{number}"
        identifier = at.child_by_field_name("name")
        index = len(self.definitions)
        self.definitions.append(
            Definition(
                key=key,
                kind=kind,
                name=name,
                qualname=qualname,
                parent=around.key,
                start_line=line_of(node),
                name_line=line_of(identifier if identifier is not None else at),
                end_line=node.end_point[0] + 1,
                signature=signature,
                docstring=_documentation(node) if kind != "lambda" and form != "anonymous class" else "",
                decorators=tuple(self._annotations(node)),
                bases=bases,
                branches=0,
                indent=node.start_point[1],
                calls=0,
                is_async=False,
                is_generator=False,
                form=form,
                is_abstract=is_abstract
                or (form in ("", "class") and kind == "class" and "abstract" in _modifiers(node)),
            )
        )
        self._open.append(_Open(index, key, qualname, kind))
        return index

    def _annotations(self, node: Syntax) -> Iterator[Decorator]:
        modifiers = first(node, "modifiers")
        for one in named(modifiers) if modifiers is not None else ():
            if one.type not in ("annotation", "marker_annotation"):
                continue
            name = one.child_by_field_name("name")
            written = one.child_by_field_name("arguments")
            text = text_of(name) if name is not None else ""
            head, dot, rest = text.partition(".")
            dotted = self._imported.get(head, head) + dot + rest
            arguments = text_of(written)[1:-1].strip() if written is not None else None
            yield Decorator(_flat(text_of(one)[1:]), dotted, arguments)


def _counted(made: Definition, branches: int, calls: int) -> Definition:
    return msgspec.structs.replace(made, branches=branches, calls=calls)


def _member_nodes(body: Syntax | None) -> Iterator[Syntax]:
    for node in named(body) if body is not None else ():
        if node.type == "enum_body_declarations":
            yield from named(node)
        else:
            yield node


def _bases(node: Syntax) -> tuple[list[Syntax], list[Syntax]]:
    """Syntax of the superclass, and of the interfaces."""
    above = node.child_by_field_name("superclass")
    lists = [node.child_by_field_name("interfaces"), first(node, "extends_interfaces")]
    interfaces = [one for written in lists if written is not None for inner in named(written) for one in named(inner)]
    return named(above) if above is not None else [], interfaces


def _name(node: Syntax) -> str:
    name = node.child_by_field_name("name")
    return text_of(name) if name is not None else ""


def _modifiers(node: Syntax) -> set[str]:
    written = first(node, "modifiers")
    return {child.type for child in written.children} if written is not None else set()


def _flat(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _documentation(node: Syntax) -> str:
    """The text of the comment `/** ... */` before a declaration."""
    before = node.prev_named_sibling
    if before is None or before.type != "block_comment":
        return ""
    text = text_of(before)
    return _STAR.sub("", text[3:-2]).strip() if text.startswith("/**") else ""
