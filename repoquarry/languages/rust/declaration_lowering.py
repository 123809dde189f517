"""`DeclarationLowering`: declarations, types and patterns of Rust as those of `declared_types`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import (
    Declaration,
    LoweredFile,
    Node,
    Parameter,
    TypeParameter,
)
from repoquarry.languages.declared_types.syntax import line_of, named_type
from repoquarry.languages.rust.builds import is_built
from repoquarry.languages.rust.syntax import (
    SLICE,
    find_path,
    named,
    path_parts,
    read_use,
    text_of,
)

_MARKERS = frozenset({"Send", "Sync", "Sized", "Unpin", "Copy", "UnwindSafe", "RefUnwindSafe"})
"""Traits without methods: another bound is the type of a value with several."""
_FUTURES = frozenset({"Future", "IntoFuture"})
_NAMES = ("type_identifier", "identifier", "scoped_type_identifier", "scoped_identifier", "primitive_type", "self")


class DeclarationLowering:
    """Lowering of what files, modules and blocks declare."""

    def __init__(self, definitions: Mapping[int, int], lower_body: Callable[[Syntax], Node | None]) -> None:
        self._definitions = definitions
        self._lower_body = lower_body
        self.other_modules: list[str] = []
        """Modules in files that the usual build leaves out, as `FileFacts.imports` names them."""
        self._items: dict[str, Callable[[Syntax], Declaration | None]] = {
            "function_item": self._function,
            "function_signature_item": self._function,
            "mod_item": self._module,
            "struct_item": self._class,
            "union_item": self._class,
            "enum_item": self._class,
            "trait_item": self._trait,
            "impl_item": self._implementation,
            "const_item": self._constant,
            "static_item": self._constant,
            "type_item": self._alias,
            "associated_type": self._associated_type,
            "macro_definition": self._macro,
        }
        self._types: dict[str, Callable[[Syntax], Node | None]] = {
            **dict.fromkeys(_NAMES, lambda node: [tree.NAMED, path_parts(node), []]),
            "generic_type": self._generic_type,
            "array_type": lambda node: named_type(SLICE, self.type(node.child_by_field_name("element"))),
            "tuple_type": lambda node: [tree.TUPLE, [self.type(one) for one in named(node)]],
            "unit_type": lambda _node: [tree.TUPLE, []],
            "function_type": self._function_type,
            "bounded_type": self._bounded_type,
            "dynamic_type": lambda node: self._future(self.type(node.child_by_field_name("trait"))),
            "abstract_type": lambda node: self._future(self.type(node.child_by_field_name("trait"))),
            "type_binding": lambda node: self.type(node.child_by_field_name("type")),
            **dict.fromkeys(
                ("reference_type", "pointer_type", "higher_ranked_trait_bound", "qualified_type"),
                lambda node: self.type(node.child_by_field_name("type")),
            ),
            **dict.fromkeys(
                ("bracketed_type", "parenthesized_type", "type_arguments", "trait_bounds", "removed_trait_bound"),
                lambda node: next((self.type(one) for one in named(node)), None),
            ),
        }
        self._patterns: dict[str, Callable[[Syntax], Node]] = {
            "identifier": self._bound_name,
            "shorthand_field_identifier": self._bound_name,
            "tuple_pattern": lambda node: [tree.EACH, [self.pattern(one) for one in named(node)]],
            "tuple_struct_pattern": self._made,
            "struct_pattern": self._fields_pattern,
            "or_pattern": lambda node: [tree.EITHER, [self.pattern(one) for one in named(node)]],
            "captured_pattern": lambda node: [tree.ALIAS, text_of(named(node)[0]), self.pattern(named(node)[-1])],
            **dict.fromkeys(
                ("match_pattern", "ref_pattern", "mut_pattern", "reference_pattern"),
                lambda node: self.pattern(next((one for one in named(node)), None)),
            ),
        }  # fmt: skip

    # ---- declarations

    def declared(self, node: Syntax) -> Iterator[Declaration]:
        """Yield the declarations among the children of a node, with the flags that their attributes give."""
        attributes: list[Syntax] = []
        for child in named(node):
            if child.type == "attribute_item":
                attributes.append(child)
                continue
            written = [text_of(each) for each in attributes]
            if child.type == "mod_item" and not child.child_by_field_name("body") and not all(map(is_built, written)):
                self.other_modules += [find_path(written) or f"self::{text_of(child.child_by_field_name('name'))}"]
            if child.type == "foreign_mod_item" and (body := child.child_by_field_name("body")) is not None:
                yield from self.declared(body)
            elif (one := self.item(child)) is not None:
                if not all(map(is_built, written)):
                    _set_other_build(one)
                one.bases += [base for each in attributes for base in self._derived(each)]
                yield one
            attributes = []

    def imports(self, node: Syntax, found: Declaration | LoweredFile) -> None:
        """Add what a file or module imports."""
        for child in named(node):
            if child.type == "use_declaration":
                read_use(child.child_by_field_name("argument"), [], found.imports, found.wildcards)
            elif child.type == "extern_crate_declaration":
                name = text_of(child.child_by_field_name("name"))
                found.imports[text_of(child.child_by_field_name("alias")) or name] = ["", name]

    def item(self, node: Syntax) -> Declaration | None:
        """Lower an item; None for other nodes."""
        read = self._items.get(node.type)
        return read(node) if read is not None else None

    def _derived(self, attribute: Syntax) -> list[Node]:
        """Return the traits of `#[derive(..)]`, which are implemented as by `impl`."""
        content = named(attribute)[0] if named(attribute) else None
        arguments = content.child_by_field_name("arguments") if content is not None else None
        if arguments is None or content is None or not text_of(content).startswith("derive"):
            return []
        paths = text_of(arguments).strip("()").split(",")
        return [[tree.NAMED, path.strip().split("::"), []] for path in paths if path.strip()]

    def _start(self, kind: int, node: Syntax) -> Declaration:
        one = Declaration(kind, text_of(node.child_by_field_name("name")), line_of(node))
        one.definition = self._definitions.get(node.id, -1)
        one.type_parameters = self._type_parameters(node)
        return one

    def _macro(self, node: Syntax) -> Declaration:
        one = self._start(tree.FUNCTION, node)
        one.name += "!"
        return one

    def _module(self, node: Syntax) -> Declaration | None:
        body = node.child_by_field_name("body")
        if body is None:
            return None
        one = Declaration(tree.SPACE, text_of(node.child_by_field_name("name")), line_of(node))
        self.imports(body, one)
        one.members = list(self.declared(body))
        return one

    def _class(self, node: Syntax) -> Declaration:
        one = self._start(tree.CLASS, node)
        body = node.child_by_field_name("body")
        if node.type == "enum_item":
            for variant in named(body):
                if variant.type == "enum_variant":
                    member = Declaration(tree.VARIANT, text_of(variant.child_by_field_name("name")), line_of(variant))
                    member.members = list(self._fields(variant.child_by_field_name("body")))
                    one.members.append(member)
        else:
            one.members = list(self._fields(body))
        return one

    def _fields(self, body: Syntax | None) -> Iterator[Declaration]:
        if body is not None and body.type == "ordered_field_declaration_list":
            for position, written in enumerate(body.children_by_field_name("type")):
                yield Declaration(tree.FIELD, str(position), line_of(written), type=self.type(written))
        else:
            for field in named(body):
                if field.type == "field_declaration":
                    name, type_ = field.child_by_field_name("name"), field.child_by_field_name("type")
                    yield Declaration(tree.FIELD, text_of(name), line_of(field), type=self.type(type_))

    def _trait(self, node: Syntax) -> Declaration:
        one = self._start(tree.CLASS, node)
        one.flags = tree.ABSTRACT
        one.bases = self._bounds(node.child_by_field_name("bounds"))
        one.bases += [bound for bounds in self._conditions(node, "Self") for bound in bounds]
        body = node.child_by_field_name("body")
        one.members = list(self.declared(body)) if body is not None else []
        for member in one.members:
            if member.kind == tree.FUNCTION and member.body is None:
                member.flags |= tree.ABSTRACT
        return one

    def _implementation(self, node: Syntax) -> Declaration | None:
        body = node.child_by_field_name("body")
        if body is None:
            return None
        one = Declaration(tree.IMPLEMENTATION, "", line_of(node))
        one.type_parameters = self._type_parameters(node)
        one.owner = self.type(node.child_by_field_name("type"))
        one.trait = self.type(node.child_by_field_name("trait"))
        one.members = list(self.declared(body))
        if one.trait is not None and one.trait[0] == tree.NAMED:
            # An associated type is an argument of the trait, as it is in a bound: `Iterator<Item = T>`.
            own = [member.type for member in one.members if member.kind == tree.TYPE_ALIAS]
            one.trait = [tree.NAMED, one.trait[1], [*one.trait[2], *own]]
        return one

    def _constant(self, node: Syntax) -> Declaration:
        one = self._start(tree.VARIABLE, node)
        one.type = self.type(node.child_by_field_name("type"))
        value = node.child_by_field_name("value")
        one.value = self._lower_body(value) if value is not None else None
        return one

    def _alias(self, node: Syntax) -> Declaration:
        one = self._start(tree.TYPE_ALIAS, node)
        one.type = self.type(node.child_by_field_name("type"))
        return one

    def _associated_type(self, node: Syntax) -> Declaration:
        """A type that implementations choose; what is known of it are its bounds."""
        one = self._start(tree.TYPE_ALIAS, node)
        one.type = next(iter(self._bounds(node.child_by_field_name("bounds"))), None)
        return one

    def _function(self, node: Syntax) -> Declaration:
        one = self._start(tree.FUNCTION, node)
        for part in named(node.child_by_field_name("parameters")):
            pattern = part.child_by_field_name("pattern")
            if part.type == "self_parameter" or (pattern is not None and pattern.type == "self"):
                one.receiver, one.flags = "self", tree.WRITES_RECEIVER
            elif part.type == "parameter":
                type_ = self.type(part.child_by_field_name("type"))
                one.parameters.append(Parameter(self.pattern(pattern), type_))
        one.result = self.type(node.child_by_field_name("return_type"))
        body = node.child_by_field_name("body")
        one.body = self._lower_body(body) if body is not None else None
        return one

    # ---- types

    def _type_parameters(self, node: Syntax) -> list[TypeParameter]:
        found = []
        for part in named(node.child_by_field_name("type_parameters")):
            if part.type == "type_parameter":
                name = text_of(part.child_by_field_name("name"))
                bounds = self._bounds(part.child_by_field_name("bounds"))
                more = [bound for group in self._conditions(node, name) for bound in group]
                default = self.type(part.child_by_field_name("default_type"))
                found.append(TypeParameter(name, bounds + more, default))
        return found

    def _conditions(self, node: Syntax, name: str) -> Iterator[list[Node]]:
        """Yield the bounds of a name in the `where` clause."""
        for clause in (child for child in named(node) if child.type == "where_clause"):
            for predicate in named(clause):
                if text_of(predicate.child_by_field_name("left")) == name:
                    yield self._bounds(predicate.child_by_field_name("bounds"))

    def _bounds(self, node: Syntax | None) -> list[Node]:
        return [type_ for one in named(node) if (type_ := self.type(one)) is not None and not _is_marker(type_)]

    def type(self, node: Syntax | None) -> Node | None:
        """Lower a type; references are their targets."""
        read = self._types.get(node.type) if node is not None else None
        return read(node) if read is not None and node is not None else None

    def _generic_type(self, node: Syntax) -> Node:
        arguments = [
            one for one in named(node.child_by_field_name("type_arguments")) if one.type not in ("lifetime", "block")
        ]
        return [
            tree.NAMED,
            path_parts(node.child_by_field_name("type") or node),
            [self.type(one) for one in arguments],
        ]

    def _function_type(self, node: Syntax) -> Node:
        parameters = [
            self.type(one.child_by_field_name("type") or one) for one in named(node.child_by_field_name("parameters"))
        ]
        return [tree.FUNCTION_TYPE, parameters, self.type(node.child_by_field_name("return_type"))]

    def _bounded_type(self, node: Syntax) -> Node | None:
        types = [type_ for one in named(node) if (type_ := self.type(one)) is not None]
        return next((one for one in types if not _is_marker(one)), types[0] if types else None)

    def _future(self, type_: Node | None) -> Node | None:
        """Read a future as the value that it gives, because `await` is nothing else."""
        is_future = type_ is not None and type_[0] == tree.NAMED and type_[1][-1] in _FUTURES
        return type_[2][0] if is_future and type_ is not None and type_[2] else type_

    # ---- patterns

    def pattern(self, node: Syntax | None) -> Node:
        """Lower a pattern."""
        read = self._patterns.get(node.type) if node is not None else None
        return read(node) if read is not None and node is not None else [tree.ANY]

    def _bound_name(self, node: Syntax) -> Node:
        """A name; one that begins with a capital is a constant or variant."""
        name = text_of(node)
        return [tree.ANY] if name[:1].isupper() else [tree.BIND, name]

    def _made(self, node: Syntax) -> Node:
        constructor, *parts = named(node)
        return [tree.MADE, path_parts(constructor), [self.pattern(one) for one in parts]]

    def _fields_pattern(self, node: Syntax) -> Node:
        constructor, *parts = named(node)
        fields = []
        for part in parts:
            if part.type == "field_pattern":
                name, inner = part.child_by_field_name("name"), part.child_by_field_name("pattern")
                fields.append([text_of(name), self.pattern(inner or name) if name is not None else [tree.ANY]])
        return [tree.FIELDS, path_parts(constructor), fields]


def _is_marker(type_: Node) -> bool:
    return bool(type_[0] == tree.NAMED and type_[1][-1] in _MARKERS)


def _set_other_build(one: Declaration) -> None:
    one.flags |= tree.OTHER_BUILD
    for member in one.members:
        _set_other_build(member)
