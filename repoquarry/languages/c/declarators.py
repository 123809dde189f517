"""Declarators of C and of what grew from it: the name and the parameters of a function stand deep inside what is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from repoquarry.languages.structure import ImportSeen
from repoquarry.languages.structure.nodes import field_text, text

_NAMES: Final = frozenset(
    {
        *(
            "identifier",
            "field_identifier",
            "type_identifier",
            "qualified_identifier",
            "destructor_name",
            "operator_name",
        ),
        *("operator_cast", "template_function", "template_method"),
    }
)
_KEYWORDS: Final = frozenset({"if", "for", "while", "switch", "return", "else", "do", "sizeof", "defined", "catch"})
"""Names of functions in code that a macro has made unreadable."""
_DEEPEST: Final = 64
_TEMPLATE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")


def function_declarator(node: Node) -> Node | None:
    """The innermost declarator that holds parameters: `(*handler(int signal))(int)` declares a function of `signal`."""
    current, found = node.child_by_field_name("declarator"), None
    for _ in range(_DEEPEST):
        if current is None:
            break
        if current.type in ("function_declarator", "operator_cast"):
            found = current
        inner = current.child_by_field_name("declarator")
        current = inner or next((child for child in current.named_children if child.type.endswith("declarator")), None)
    return found


def declared(node: Node) -> Node | None:
    """The node that names what a declaration declares."""
    current: Node | None = function_declarator(node) or node.child_by_field_name("declarator")
    for _ in range(_DEEPEST):
        if current is None or current.type in _NAMES:
            return current
        inner = current.child_by_field_name("declarator")
        current = inner or next(
            (child for child in current.named_children if child.type in _NAMES or child.type.endswith("declarator")),
            None,
        )
    return None


def parts(node: Node) -> tuple[str, ...]:
    """The parts of a declared name, outermost scope first: `a::B<int>::run` gives a, B, run."""
    found: list[str] = []
    current: Node | None = declared(node)
    for _ in range(_DEEPEST):
        if current is None or current.type != "qualified_identifier":
            break
        scope = current.child_by_field_name("scope")
        found += [plain(scope)] if scope is not None else []
        current = current.child_by_field_name("name")
    if current is not None:
        found.append(_last(current))
    return tuple(part for part in found if part and part not in _KEYWORDS)


def plain(node: Node) -> str:
    """A name without its template arguments."""
    named = (
        node.child_by_field_name("name")
        if node.type in ("template_type", "template_function", "template_method")
        else None
    )
    return text(named or node)


def _last(node: Node) -> str:
    if node.type == "operator_cast":
        kind = node.child_by_field_name("type")
        return f"operator {text(kind)}" if kind is not None else "operator"
    return (
        plain(node).replace("operator ", "operator") if node.type == "operator_name" else plain(node).replace(" ", "")
    )


def name(node: Node) -> str:
    """The last part of a declared name."""
    return (parts(node) or ("",))[-1]


def owner(node: Node) -> str:
    """Dotted scope in front of a declared name."""
    return ".".join(parts(node)[:-1])


def parameters(node: Node) -> Node | None:
    """The parameters of a declared function."""
    declarator = function_declarator(node)
    if declarator is not None and declarator.type == "operator_cast":
        declarator = declarator.child_by_field_name("declarator")
    return declarator.child_by_field_name("parameters") if declarator is not None else None


def returns(node: Node) -> str:
    """The declared type of the result, with the stars and references that stand beside the name."""
    kind = node.child_by_field_name("type")
    if kind is None:
        return ""
    marks, current = "", node.child_by_field_name("declarator")
    while current is not None and current.type in ("pointer_declarator", "reference_declarator"):
        marks += text(current.children[0])
        inner = current.child_by_field_name("declarator")
        current = inner or next((child for child in current.named_children if child.type.endswith("declarator")), None)
    return text(kind) + (f" {marks}" if marks else "")


def with_body(node: Node) -> str:
    """The name of a structure, union, enumeration or class that is defined here and not only mentioned."""
    named = node.child_by_field_name("name")
    return ".".join(_scoped(named)) if named is not None and node.child_by_field_name("body") is not None else ""


def _scoped(node: Node) -> list[str]:
    return [part.strip() for part in _TEMPLATE_ARGUMENTS.sub("", text(node)).split("::") if part.strip()]


def named_by_typedef(node: Node) -> str:
    """The name that a `typedef` gives to a structure without one."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.child_by_field_name("body") is None or kind.child_by_field_name("name") is not None:
        return ""
    target = declared(node)
    return text(target) if target is not None else ""


def form_of_typedef(node: Node) -> str:
    """`struct`, `union` or `enum`."""
    kind = node.child_by_field_name("type")
    return kind.type.removesuffix("_specifier") if kind is not None else ""


def included(node: Node) -> Iterator[ImportSeen]:
    """The file of an `#include`; one that is sought among the system's headers first keeps its angle brackets."""
    if path := field_text("path")(node):
        yield ImportSeen(path.strip('"'), "include")
