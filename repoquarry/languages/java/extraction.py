"""Extractor of Java files: definitions, imports and reduced syntax trees of one file; module map of all Java files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import msgspec
from tree_sitter import Node as Syntax

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import ConstraintGraphBuilder
from repoquarry.languages.extraction import find_syntax_errors, raise_recursion_limit
from repoquarry.languages.facts import FileFacts, Import, Variable
from repoquarry.languages.family import Configuration, ExternalOrigin, ModuleInfo, ModuleMap
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.definition_stack import (
    MAX_NESTING,
    DefinitionStack,
    first,
    flat,
    line_of,
    modifiers_of,
    named,
    parse,
    text_of,
)
from repoquarry.languages.java.expression_reader import declared_type, parameters_of, type_of, type_parameters
from repoquarry.languages.java.reduced_tree import Parameter, TypeParameter
from repoquarry.languages.java.statement_reader import JavaStatementReader
from repoquarry.languages.source_text import as_utf8, normalize_layout

_STANDARD_EXTENSIONS = (
    "accessibility annotation.processing crypto imageio lang.model management naming net print rmi script security.auth "
    "security.cert security.sasl smartcardio sound sql swing tools transaction.xa xml"
)
_STANDARD_PACKAGES = (
    *("java.", "jdk.", "com.sun.", "sun.", "org.w3c.dom.", "org.xml.sax.", "org.ietf.jgss."),
    *(f"javax.{name}." for name in _STANDARD_EXTENSIONS.split()),
)


def find_modules(files: Sequence[FileFacts], _configuration: Configuration, _roots: Sequence[str] | None) -> ModuleMap:
    """The modules of Java files. The names of classes decide the meaning of imports, whatever their folder."""
    return ModuleMap([_info(facts) for facts in files])


def external_origins(_files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: a package ends before the first capitalized part."""
    packages = [".".join(takewhile(lambda part: not part[:1].isupper(), name.split("."))) or name for name in externals]
    return [ExternalOrigin(package, f"{package}.".startswith(_STANDARD_PACKAGES)) for package in packages]


def _info(facts: FileFacts) -> ModuleInfo:
    folder = facts.path.rpartition("/")[0]
    package = facts.namespace.replace(".", "/")
    is_below = folder == package or folder.endswith(f"/{package}") or not package
    root = folder[: len(folder) - len(package)].strip("/") if is_below else folder
    if facts.path.startswith("/"):  # definitions of stubs are named as the language names them
        return ModuleInfo(facts.path, facts.namespace, root, is_package=False)
    name = f"{facts.namespace}.{facts.module_name}" if facts.namespace else facts.module_name
    return ModuleInfo(facts.path, name, root, is_package=False)


_CLASSES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_FLAGS = {
    "static": tree.STATIC,
    "private": tree.PRIVATE,
    "final": tree.FINAL,
    "public": tree.PUBLIC,
}


class JavaDeclarationReader:
    """Reader of a file."""

    def __init__(self) -> None:
        self.definitions = DefinitionStack()
        self.imports: list[Import] = []
        self.classes: list[tree.ClassNode] = []
        self.variables: list[Variable] = []
        self.package = ""
        self._statements = JavaStatementReader(self.definitions, self)

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
                self.definitions.complain(node, "a method outside a class")

    def _import(self, node: Syntax) -> None:
        name = first(node, "scoped_identifier", "identifier")
        text = text_of(name) if name is not None else ""
        is_static = any(child.type == "static" for child in node.children)
        module, _, last = text.rpartition(".")
        if first(node, "asterisk") is not None:
            module, last = text, "*"
        else:
            self.definitions.imported[last] = text
        how = "star" if last == "*" else "static" if is_static else "import"
        if is_static and how == "star":
            how = "static star"
        self.imports.append(Import(module, last, "", 0, line_of(node), True, how))

    def anonymous(self, node: Syntax, body: Syntax) -> tree.ClassNode:
        """Return the class of `new T() { ... }`."""
        around = self.definitions.around()
        around.anonymous += 1
        written = node.child_by_field_name("type")
        bases = [written] if written is not None else []
        index = self.definitions.open(node, "class", f"<anonymous{around.anonymous}>", "", "anonymous class", bases)
        made = self._members(index, "anonymous", body, [])
        self.definitions.close()
        return made

    def class_here(self, node: Syntax) -> tree.ClassNode:
        """Return a class declaration."""
        kind = _CLASSES[node.type]
        name = _name(node)
        body = node.child_by_field_name("body")
        superclass, interfaces = _bases(node)
        bases = [*superclass, *interfaces]
        signature = f"({', '.join(flat(text_of(one)) for one in bases)})" if bases else ""
        components = node.child_by_field_name("parameters") if kind == "record" else None
        index = self.definitions.open(node, "class", name, signature, "" if kind == "class" else kind, bases)
        made = self._members(index, kind, body, type_parameters(node), components)
        made.superclass = type_of(superclass[0]) if superclass else None
        made.interfaces = [type_of(one) for one in interfaces]
        made.name = name
        made.is_static = kind != "class" or "static" in modifiers_of(node) or self.definitions.depth == 1
        self.definitions.close()
        return made

    def _members(
        self,
        index: int,
        kind: str,
        body: Syntax | None,
        parameters: list[TypeParameter],
        components: Syntax | None = None,
    ) -> tree.ClassNode:
        """Return a class with the members of a body; the caller fills in its bases."""
        own = self.definitions.around()
        fields: list[tree.FieldNode] = []
        methods: list[tree.MethodNode] = []
        initializers: list[tree.Initializer] = []
        inner: list[tree.ClassNode] = []
        constants: list[tree.EnumConstant] = []
        for node in _member_nodes(body):
            if node.type in _CLASSES and self.definitions.depth >= MAX_NESTING:
                self.definitions.complain(node, f"nested deeper than {MAX_NESTING} levels: the rest was skipped")
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
                    initializers.append(tree.Initializer(node.type != "block", self._statements.block(block)))
        record = parameters_of(components) if components is not None else None
        line = self.definitions.made[index].name_line
        written = [(one.name, line) for one in record or ()]
        written += [(one.name, one.line) for one in fields] + [(one.name, one.line) for one in constants]
        self.variables += [Variable(index, name, at) for name, at in dict(reversed(written)).items()]
        return tree.ClassNode(
            index, kind, own.qualname.rpartition(".")[2], parameters, None, [], fields, methods, initializers, inner, constants,
            False, line, record,
        )  # fmt: skip

    def _fields(self, node: Syntax, *, is_constant: bool) -> Iterator[tree.FieldNode]:
        modifiers = modifiers_of(node)
        for one in node.children_by_field_name("declarator"):
            written = one.child_by_field_name("value")
            value = self._statements.expressions.expression(written)
            is_static = is_constant or "static" in modifiers
            is_own = is_constant or "final" in modifiers
            if is_static and is_own and written is not None and isinstance(value, tree.Literal):
                value.text = text_of(written)[1:-1] if written.type == "string_literal" else ""
            yield tree.FieldNode(_name(one), declared_type(node, one), is_static, value, line_of(one), is_own)

    def _constant(self, node: Syntax) -> tree.EnumConstant:
        written = node.child_by_field_name("arguments")
        body = node.child_by_field_name("body")
        self.definitions.count(calls=1)
        arguments = self._statements.expressions.arguments(written)
        line = line_of(node.child_by_field_name("name") or node)  # Annotations precede the name.
        return tree.EnumConstant(_name(node), arguments, self.anonymous(node, body) if body is not None else None, line)

    def _method(self, node: Syntax, around: str, components: Syntax | None) -> tree.MethodNode:
        is_constructor = "constructor" in node.type
        name, modifiers = _name(node), modifiers_of(node)
        body = node.child_by_field_name("body")
        written = node.child_by_field_name("parameters")
        parameters = components if node.type == "compact_constructor_declaration" else written
        result = None if is_constructor else declared_type(node)
        given: list[Parameter] = parameters_of(parameters) if parameters is not None else []
        is_abstract = body is None and not is_constructor and "native" not in modifiers
        is_default = around in ("interface", "annotation") and body is not None
        is_variadic = parameters is not None and first(parameters, "spread_parameter") is not None
        flags = (
            sum(flag for word, flag in _FLAGS.items() if word in modifiers)
            | tree.ABSTRACT * is_abstract
            | tree.VARIADIC * is_variadic
            | tree.CONSTRUCTOR * is_constructor
            | tree.DEFAULT * is_default
            | tree.BROKEN * (parameters is not None and parameters.has_error)
        )
        text = normalize_layout(text_of(written), "//") if written is not None else "()"
        returned = node.child_by_field_name("type")
        signature = text if returned is None else f"{text} -> {normalize_layout(text_of(returned), '//')}"
        form = "constructor" if is_constructor else ""
        index = self.definitions.open(node, "method", name, signature, form, is_abstract=is_abstract)
        own = type_parameters(node)
        block = self._statements.block(body) if body is not None else None
        self.definitions.close()
        line = self.definitions.made[index].name_line
        return tree.MethodNode(index, name, own, given, result, flags, block, line)


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


_MAX_DEPTH = 20_000


def extract(path: str, source: bytes) -> FileFacts:
    """Extract the facts of one file. Bad input is recorded in `FileFacts.parse_errors` and raises nothing."""
    text, encoding = as_utf8(source)
    root = parse(text).root_node
    found = JavaDeclarationReader()
    found.definitions.errors += find_syntax_errors(root)
    with raise_recursion_limit(_MAX_DEPTH):
        try:
            found.read(root)
            packed = msgspec.msgpack.encode(found.classes)
        except RecursionError:
            found.definitions.complain(root, "nested too deeply: the rest was skipped")
            packed = msgspec.msgpack.encode([])
    return _facts(path, text, encoding, found, packed)


def _facts(path: str, text: bytes, encoding: str, found: JavaDeclarationReader, packed: bytes) -> FileFacts:
    graph, definitions = ConstraintGraphBuilder(), found.definitions.made
    graph.functions = [[3, op.CLASS, 0] if one.kind == "class" else [] for one in definitions]
    outer = next((one for one in definitions if not one.parent), None)
    return FileFacts(
        path=path,
        language="java",
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=path.rpartition("/")[2].rsplit(".", 1)[0],
        is_package=False,
        is_stub=False,
        docstring=outer.docstring if outer is not None else "",
        branches=found.definitions.branches,
        deepest_indent=max((one.indent for one in definitions), default=0),
        definitions=tuple(definitions),
        imports=tuple(found.imports),
        exports=None,
        entry_points=(),
        parse_errors=tuple(sorted(found.definitions.errors, key=lambda error: (error.line, error.message))),
        graph=graph.finish(),
        namespace=found.package,
        own=packed,
        variables=tuple(sorted(found.variables, key=lambda one: (one.owner, one.line, one.name))),
        lambdas=tuple(found.definitions.lambdas),
    )
