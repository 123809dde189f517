"""Reader of TypeScript declarations (`.d.ts`) as interface tables. What conditional and mapped types say is left out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from repoquarry.ingest.interfaces.python_reader import MAX_LENGTH
from repoquarry.ingest.interfaces.tables import Alias, Entry, Signature, Type, Value
from repoquarry.languages.javascript.grammar import parse

_FUNCTIONS: Final = frozenset(("function_signature", "function_declaration", "generator_function_declaration"))
_CLASSES: Final = frozenset(("class_declaration", "abstract_class_declaration", "class", "interface_declaration"))
_METHODS: Final = frozenset(("method_signature", "abstract_method_signature", "method_definition"))
_FIELDS: Final = frozenset(("property_signature", "public_field_definition"))
_VARIABLES: Final = frozenset(("lexical_declaration", "variable_declaration"))
_SPACES: Final = frozenset(("internal_module", "module"))
_PLAIN: Final = {"string": "string", "number": "number", "boolean": "boolean"}
_LANGUAGE: Final = frozenset(
    (
        "Array",
        "ReadonlyArray",
        "Promise",
        "PromiseLike",
        "Partial",
        "Readonly",
        "Required",
        "NonNullable",
        "Iterable",
        "Set",
    )
)
_ENDINGS: Final = (".d.ts", ".d.mts", ".ts", ".tsx", "/index.d.ts", "/index.d.mts", "/index.ts")
_SUFFIX: Final = re.compile(r"\.(d\.)?[cm]?[jt]sx?$")


def read_declarations(
    package: str, files: Mapping[str, str], entries: Sequence[str], parts: Collection[str] = ()
) -> dict[str, Entry]:
    """Read what the entry files of a package declare or pass on; paths lead to texts. Names are unique in a package.

    `parts` are other packages whose declarations are among the files.
    """
    reader = _Reader(package, parts)
    for path in _reachable(files, entries):
        reader.add_file(parse(".ts", files[path].encode())[0].root_node)
    return dict(sorted(reader.read().items()))


def _reachable(files: Mapping[str, str], entries: Sequence[str]) -> list[str]:
    """Return the entry files and those that they import or export by relative paths."""
    found: dict[str, None] = {}
    pending = [path for path in entries if path in files][::-1]
    while pending:
        path = pending.pop()
        if path in found:
            continue
        found[path] = None
        for specifier in reversed(re.findall(r"""(?:from|import|path=)\s*\(?["']([^"']*)["']""", files[path])):
            is_relative = specifier.startswith(".") or specifier.endswith(".d.ts")
            base = posixpath.join(posixpath.dirname(path), specifier) if is_relative else specifier
            base = _SUFFIX.sub("", posixpath.normpath(base))
            candidates = (f"{base}{end}" for end in _ENDINGS)
            if (target := next((one for one in candidates if one in files), None)) is not None:
                pending.append(target)
    return list(found)


def _text(node: Node | None) -> str:
    return (node.text or b"").decode() if node is not None else ""


def _field(node: Node, name: str) -> Node | None:
    return node.child_by_field_name(name)


@dataclass
class _Reader:
    package: str
    parts: Collection[str]
    declared: dict[str, list[Node]] = field(default_factory=dict)
    """Name -> declarations, merged."""
    own: set[str] = field(default_factory=set)
    """Names for modules of the package."""
    imported: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    """Exported name -> local name."""
    parameters: set[str] = field(default_factory=set)
    """Type parameters of the declarations that are being read."""

    # ---- declarations

    def add_file(self, root: Node) -> None:
        for one in root.named_children:
            if one.type == "import_statement":
                self._add_import(one)
            else:
                self._add(one)

    def _add_import(self, node: Node) -> None:
        source = _text(_field(node, "source")).strip("\"'")
        is_own = source.startswith(".") or source in self.parts
        for clause in node.named_children:
            for one in clause.named_children if clause.type == "import_clause" else ():
                if one.type == "namespace_import":
                    name = _text(one.named_children[0])
                    if is_own:
                        self.own.add(name)
                    else:
                        self.imported.setdefault(name, source)
                elif not is_own:
                    self._add_names(one, source)

    def _add_names(self, clause: Node, source: str) -> None:
        """Add the default import or the names in braces."""
        if clause.type == "identifier":
            self.imported.setdefault(_text(clause), f"{source}.default")
        for one in clause.named_children:
            name = _text(_field(one, "name"))
            self.imported.setdefault(_text(_field(one, "alias")) or name, f"{source}.{name}")

    def _add(self, node: Node) -> None:
        if node.type == "export_statement":
            self._add_export(node)
        elif node.type in _FUNCTIONS | _CLASSES or node.type == "type_alias_declaration":
            self._put(node)
        elif node.type in _VARIABLES:
            for child in node.named_children:
                self._put(child)
        elif node.type in _SPACES or node.type in ("ambient_declaration", "expression_statement"):
            body = _field(node, "body") if node.type in _SPACES else node
            for child in body.named_children if body is not None else ():
                self._add(child)

    def _add_export(self, node: Node) -> None:
        declaration, value = _field(node, "declaration"), _field(node, "value")
        if declaration is not None:
            self._add(declaration)
            if any(child.type == "default" for child in node.children):
                self.renamed["default"] = _text(_field(declaration, "name"))
        elif value is not None:
            self.renamed["default"] = _text(value)
        else:
            self._add_clause(node)

    def _put(self, node: Node) -> None:
        name = _text(_field(node, "name"))
        if name.isidentifier():
            self.declared.setdefault(name, []).append(node)

    def _add_clause(self, node: Node) -> None:
        source = _text(_field(node, "source")).strip("\"'")
        for clause in node.named_children:
            if clause.type == "export_clause":
                for one in clause.named_children:
                    name, alias = _text(_field(one, "name")), _text(_field(one, "alias"))
                    if alias and (source.startswith(".") or not source):
                        self.renamed[alias] = name
            elif clause.type == "identifier" and not source:  # export = name
                self.renamed["default"] = _text(clause)

    # ---- entries

    def read(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for name, nodes in self.declared.items():
            for node in nodes:
                entry = self._entry(node)
                if entry is not None:
                    found[name] = _merged(found.get(name), entry)
        for name, local in self.renamed.items():
            if local in found and name not in found:
                found[name] = Alias(f"{self.package}.{local}")
        return found

    def _entry(self, node: Node) -> Entry | None:
        outer = set(self.parameters)
        parameters = self._type_parameters(node)
        try:
            if node.type in _FUNCTIONS:
                return self._signature(node)
            if node.type in _CLASSES:
                return self._type_entry(node, parameters)
            if node.type == "type_alias_declaration":
                return self._alias(_field(node, "value"), parameters)
            annotation = _field(node, "type")
            if annotation is None or not annotation.named_children:
                return Value()
            written = annotation.named_children[0]
            return self._signature(written) if written.type == "function_type" else Value(self.type(written))
        finally:
            self.parameters = outer

    def _alias(self, value: Node | None, parameters: Sequence[str]) -> Entry | None:
        if value is None:
            return None
        if value.type == "object_type":
            return Type(tuple(parameters), (), self._members(value))
        return Value(self.type(value)) if not parameters else None

    def _type_parameters(self, node: Node) -> list[str]:
        given = _field(node, "type_parameters")
        names = [_text(_field(one, "name")) for one in given.named_children] if given is not None else []
        self.parameters |= set(names)
        return [f"~{name}" for name in names]

    def _type_entry(self, node: Node, parameters: Sequence[str]) -> Type:
        bases = list[str]()
        for clause in node.named_children:
            parts = (
                [clause]
                if clause.type == "extends_type_clause"
                else clause.named_children
                if clause.type == "class_heritage"
                else []
            )
            for part in parts:
                bases += [self._base(one, part) for one in part.named_children if one.type != "type_arguments"]
        return Type(tuple(parameters), tuple(one or "?" for one in bases), self._members(_field(node, "body")))

    def _base(self, node: Node, clause: Node) -> str:
        if clause.type == "implements_clause" or node.type in (
            "generic_type",
            "type_identifier",
            "nested_type_identifier",
        ):
            return self.type(node)
        given = next((one for one in clause.named_children if one.type == "type_arguments"), None)
        arguments = f"[{','.join(map(self.type, given.named_children))}]" if given is not None else ""
        return self._named(_text(node)) + arguments

    def _members(self, body: Node | None) -> dict[str, Signature | Value]:
        found: dict[str, Signature | Value] = {}
        for one in body.named_children if body is not None else ():
            name = _text(_field(one, "name")).strip("\"'")
            if any(child.type == "accessibility_modifier" and _text(child) == "private" for child in one.children):
                continue
            outer = set(self.parameters)
            if one.type in _METHODS and name.isidentifier():
                self._type_parameters(one)
                marks = {child.type for child in one.children}
                made = self._signature(one)
                if "get" in marks:
                    made = Signature((), made.result, "property")
                known = found.get(name)
                if not isinstance(known, Signature):
                    found[name] = made
            elif one.type in _FIELDS and name.isidentifier():
                found[name] = self._field_entry(one)
            elif one.type == "call_signature":
                self._type_parameters(one)
                found.setdefault("__call__", self._signature(one))
            self.parameters = outer
        return dict(sorted(found.items()))

    def _field_entry(self, node: Node) -> Signature | Value:
        annotation = _field(node, "type")
        written = annotation.named_children[0] if annotation is not None and annotation.named_children else None
        while written is not None and written.type == "parenthesized_type":
            written = written.named_children[0]
        if written is not None and written.type == "function_type":
            self._type_parameters(written)
            return self._signature(written)
        return Value(self.type(written))

    def _signature(self, node: Node) -> Signature:
        given, result = _field(node, "parameters"), _field(node, "return_type")
        placed = [
            (_text(_field(one, "pattern")), self._annotated(one))
            for one in (given.named_children if given is not None else ())
        ]
        placed = [("" if not name.isidentifier() else name, kind) for name, kind in placed if name != "this"]
        written = (
            result.named_children[0]
            if result is not None and result.type == "type_annotation" and result.named_children
            else result
        )
        return Signature(tuple(placed), self.type(written))

    def _annotated(self, node: Node) -> str:
        annotation = _field(node, "type")
        return self.type(annotation.named_children[0]) if annotation is not None and annotation.named_children else ""

    # ---- types

    def type(self, node: Node | None) -> str:
        """Return the text of a type; empty where it says nothing."""
        text = self._type(node) if node is not None else ""
        return "" if len(text) > MAX_LENGTH else text

    def _type(self, node: Node) -> str:
        read = _TYPES.get(node.type)
        return read(self, node) if read is not None else ""

    def _of_inner(self, node: Node) -> str:
        return self._type(node.named_children[0]) if node.named_children else ""

    def _named_type(self, node: Node) -> str:
        return self._named(_text(node))

    def _named(self, name: str) -> str:
        first, _, rest = name.partition(".")
        if first in self.parameters and not rest:
            return f"~{first}"
        last = name.rpartition(".")[2]
        if last in self.declared and (not rest or first not in self.imported):
            return f"{self.package}.{last}"
        if first in self.imported:
            return f"{self.imported[first].removesuffix('.default')}.{rest}" if rest else self.imported[first]
        return name if name in _LANGUAGE else ""

    def _generic(self, node: Node) -> str:
        given = _field(node, "type_arguments")
        base = self._named(_text(_field(node, "name")))
        arguments = [self._type(one) for one in given.named_children] if given is not None else []
        return f"{base}[{','.join(arguments)}]" if base else ""

    def _union(self, node: Node) -> str:
        parts = list[str]()
        pending = [*node.named_children]
        while pending:
            one = pending.pop(0)
            if one.type == "union_type":
                pending = [*one.named_children, *pending]
            else:
                parts.append(self._type(one))
        known = [one for one in dict.fromkeys(parts) if one]
        return known[0] if len(known) == 1 else f"Union[{','.join(known)}]" if known else ""

    def _array(self, node: Node) -> str:
        inner = self._of_inner(node)
        return f"Array[{inner}]" if inner else ""

    def _function(self, node: Node) -> str:
        outer = set(self.parameters)
        self._type_parameters(node)
        made = self._signature(node)
        self.parameters = outer
        return f"Callable[[{','.join(kind for _, kind in made.parameters)}],{made.result}]"


_TYPES: Final[Mapping[str, Callable[[_Reader, Node], str]]] = {
    "type_identifier": _Reader._named_type, "nested_type_identifier": _Reader._named_type, "identifier": _Reader._named_type,
    "generic_type": _Reader._generic, "union_type": _Reader._union, "array_type": _Reader._array, "readonly_type": _Reader._of_inner,
    "parenthesized_type": _Reader._of_inner, "function_type": _Reader._function, "this_type": lambda _, __: "this",
    "predefined_type": lambda _, node: _PLAIN.get(_text(node), ""), "intersection_type": _Reader._union,
    "type_annotation": _Reader._of_inner,
}  # fmt: skip


def _merged(known: Entry | None, added: Entry) -> Entry:
    """Merge the declarations of one name: interfaces and classes join, and the first function of overloads is kept."""
    if isinstance(known, Type) and isinstance(added, Type):
        bases = tuple(dict.fromkeys((*known.bases, *added.bases)))
        return Type(known.parameters or added.parameters, bases, {**added.members, **known.members})
    if isinstance(known, Type) or known is None:
        return known if isinstance(known, Type) and not isinstance(added, Signature) else added
    return known
