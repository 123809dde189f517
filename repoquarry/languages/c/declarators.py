"""Declarators of C and C++: which name a declaration gives, and whether it is a function's or that of a pointer to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.syntax import named, text_of

_NAMES = frozenset(
    {
        "identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name",
        "template_function", "template_method", "primitive_type", "operator_cast",
    }
)  # fmt: skip
_AROUND = frozenset(
    {"reference_declarator", "parenthesized_declarator", "variadic_declarator", "attributed_declarator"}
)
_POINTERS = frozenset({"pointer_declarator", "reference_declarator", "array_declarator"})
_TEMPLATES = frozenset({"template_type", "template_function", "template_method"})
_MAX_DEPTH = 64


def parts_of(node: Syntax | None) -> list[str]:
    """Return the parts of a qualified name without template arguments; the first one is empty after a leading `::`."""
    found: list[str] = []
    current = node
    while current is not None and current.type == "qualified_identifier":
        scope = current.child_by_field_name("scope")
        found += parts_of(scope) if scope is not None else [""]
        current = current.child_by_field_name("name")
    if current is None:
        return found or [""]
    if current.type in _TEMPLATES:
        return [*found, *parts_of(current.child_by_field_name("name"))]
    if current.type == "nested_namespace_specifier":
        return [*found, *(part for each in named(current) for part in parts_of(each))]
    if current.type == "dependent_name" and named(current):
        return [*found, *parts_of(named(current)[-1])]
    if current.type == "operator_cast":
        return [*found, f"operator {text_of(current.child_by_field_name('type'))}"]
    return [*found, text_of(current).replace(" ", "")]


def template_arguments(node: Syntax | None) -> list[Syntax]:
    """Return the last template arguments in a qualified name."""
    found: list[Syntax] = []
    current = node
    while current is not None:
        if current.type in _TEMPLATES:
            return named(current.child_by_field_name("arguments"))
        if current.type == "dependent_name" and named(current):
            current = named(current)[-1]
            continue
        if current.type != "qualified_identifier":
            break
        found = template_arguments(current.child_by_field_name("scope")) or found
        current = current.child_by_field_name("name")
    return found


@dataclass
class Declarator:
    """What a declarator declares."""

    parts: list[str] = field(default_factory=list)
    """Parts of the name; empty for none."""
    name: Syntax | None = None
    function: Syntax | None = None
    """The declarator with the parameters of a function that is declared itself."""
    is_function: bool = False
    """True for a function, and for a pointer to one."""
    is_plain: bool = True
    """False for pointers, references and arrays."""

    def arguments(self, read: Callable[[Syntax], Node | None]) -> list[Node | None]:
        """Return the template arguments of the class in front of the name."""
        scope = self.name.child_by_field_name("scope") if self.name is not None else None
        return [read(each) for each in template_arguments(scope)]


def read_declarator(node: Syntax | None) -> Declarator:
    """Read a declarator from outside to inside."""
    found = Declarator()
    current, is_pointer = node, False
    for _ in range(_MAX_DEPTH):
        if current is None or current.type in _NAMES:
            break
        inner = current.child_by_field_name("declarator")
        if current.type == "function_declarator":
            found.function, found.is_function = current, True
            is_pointer = False
            if inner is not None and inner.type == "function_declarator":
                return _named_by_macro(inner, found)
        elif current.type in _POINTERS:
            found.is_plain, is_pointer = False, is_pointer or found.function is not None
        if inner is None and current.type in _AROUND | _POINTERS:
            inner = named(current)[-1] if named(current) else None
        current = inner
    if current is not None:
        found.name, found.parts = current, parts_of(current)
    last = current
    while last is not None and last.type == "qualified_identifier":
        last = last.child_by_field_name("name")
    if last is not None and last.type == "operator_cast":
        found.function, found.is_function = last.child_by_field_name("declarator"), True
    elif is_pointer:
        found.function = None
    return found


def _named_by_macro(inner: Syntax, found: Declarator) -> Declarator:
    """`FN(first)(int a)`: a macro makes the name of a function from its argument."""
    words = named(inner.child_by_field_name("parameters"))
    found.name = inner
    found.parts = [text_of(words[0])] if words else parts_of(inner.child_by_field_name("declarator"))
    return found
