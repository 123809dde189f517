"""Types and parameters as they are written."""

from __future__ import annotations

from tree_sitter import Node as Syntax

from repoquarry.languages.java.grammar import first, named, text_of
from repoquarry.languages.java.tree import Node

TYPES = frozenset(
    {
        "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type", "integral_type", "floating_point_type",
        "boolean_type", "void_type", "catch_type", "wildcard",
    }
)  # fmt: skip


def type_of(node: Syntax, dimensions: int = 0) -> Node:
    """The type that a syntax node writes; `dimensions` stand behind the name that has it."""
    kind = node.type
    if kind == "array_type":
        element, own = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
        return type_of(element or node.named_children[0], dimensions + brackets(own))
    if kind == "generic_type":
        children = named(node)
        arguments = next((child for child in children if child.type == "type_arguments"), None)
        found = type_of(children[0])
        given = [type_of(one) for one in named(arguments)] if arguments else None
        return [found[0], given, dimensions, *found[3:]]
    if kind == "annotated_type":
        return type_of(next(child for child in reversed(named(node))), dimensions)
    if kind == "wildcard":
        return _wildcard(node)
    if kind == "catch_type":
        types = [type_of(child) for child in named(node)]
        return types[0] if len(types) == 1 else ["|", types, 0]
    if kind == "scoped_type_identifier":
        return [_scoped(node), None, dimensions, *_around(node)]
    return [text_of(node), None, dimensions]


def _around(node: Syntax) -> list[Node]:
    """The arguments of what is around, `Outer<T>.Inner`, in a list; nothing where there are none."""
    outer = named(node)[0]
    if outer.type == "generic_type":
        found = type_of(outer)
        return [[*(found[1] or []), *(found[3] if len(found) > 3 else [])]]
    return _around(outer) if outer.type == "scoped_type_identifier" else []


def _scoped(node: Syntax) -> str:
    """`Map.Entry`, without annotations and the arguments of what is around (`Outer<T>.Inner`)."""
    parts = ("scoped_type_identifier", "generic_type", "type_identifier")
    return ".".join(str(type_of(child)[0]) for child in named(node) if child.type in parts)


def _wildcard(node: Syntax) -> Node:
    bound = next((child for child in named(node) if child.type in TYPES), None)
    if bound is None:
        return ["?", 0, None]
    return ["?", 2 if first(node, "super") is not None else 1, type_of(bound)]


def brackets(node: Syntax | None) -> int:
    """Number of `[]`."""
    return 0 if node is None else sum(child.type == "[" for child in node.children)


def declared_type(node: Syntax, declarator: Syntax | None = None) -> Node | None:
    """The type of a declaration with a field `type`, with the brackets behind the declared name."""
    written = node.child_by_field_name("type") or next((child for child in named(node) if child.type in TYPES), None)
    if written is None:
        return None
    return type_of(written, brackets((declarator or node).child_by_field_name("dimensions")))


def type_parameters(node: Syntax) -> list[Node]:
    """(name, bounds) of each type parameter of a declaration."""
    written = node.child_by_field_name("type_parameters") or first(node, "type_parameters")
    out: list[Node] = []
    for one in named(written) if written else ():
        name, bound = first(one, "type_identifier", "identifier"), first(one, "type_bound")
        out.append([text_of(name) if name else "", [type_of(child) for child in named(bound)] if bound else []])
    return out


def parameters_of(node: Syntax) -> list[Node]:
    """(name, type) of each formal parameter; the type of a variadic one is the array."""
    out: list[Node] = []
    for one in named(node):
        if one.type == "formal_parameter":
            name = one.child_by_field_name("name")
            out.append([text_of(name) if name else "", declared_type(one)])
        elif one.type == "spread_parameter":
            declarator = first(one, "variable_declarator")
            name = declarator.child_by_field_name("name") if declarator is not None else None
            found = declared_type(one) or ["Object", None, 0]
            out.append([text_of(name) if name else "", [found[0], found[1], found[2] + 1]])
    return out
