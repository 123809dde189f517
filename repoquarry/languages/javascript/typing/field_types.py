"""Types of the fields of a class: what they are declared as, and what a method is of that gives one of them back.

`class Box<T> { item: T; get() { return this.item; } }`: calls of `get` give a `T`, as the compiler infers it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from repoquarry.languages.javascript.reader import Reader

FIELDS = frozenset(("field_definition", "public_field_definition", "property_signature"))
_AROUND = frozenset(("parenthesized_expression", "non_null_expression"))
#: what has return statements of its own
_OTHERS = frozenset(
    (
        "arrow_function", "function_expression", "function_declaration", "generator_function", "method_definition", "class",
        "generator_function_declaration", "class_declaration",
    )
)  # fmt: skip


def is_property(reader: Reader, parameter: Node) -> bool:
    """Whether a parameter of a constructor is a field of the class as well."""
    has_modifier = reader.part(parameter, "accessibility_modifier", "override_modifier") is not None
    return has_modifier or reader.has_token(parameter, "readonly")


def declared_fields(reader: Reader, body: Node) -> Iterator[tuple[str, Node]]:
    """Names and declared types of the fields of a class, parameters of the constructor that are fields included."""
    for node in body.named_children:
        for one in _properties(reader, node) if reader.kind(node) == "method_definition" else [node]:
            name = one.child_by_field_name("name") or one.child_by_field_name("pattern")
            annotation = one.child_by_field_name("type")
            if name is not None and annotation is not None and (one is not node or reader.kind(node) in FIELDS):
                yield reader.text(name), annotation


def _properties(reader: Reader, method: Node) -> list[Node]:
    name, given = method.child_by_field_name("name"), method.child_by_field_name("parameters")
    if name is None or given is None or reader.text(name) != "constructor":
        return []
    return [one for one in reader.parts(given) if is_property(reader, one)]


def given_back(reader: Reader, function: Node) -> str:
    """The field that every call of a function gives, `return this.item`; empty where that is not all."""
    body = function.child_by_field_name("body")
    if body is None or reader.has_token(function, "async", "*"):
        return ""
    given = [body] if reader.kind(body) != "statement_block" else _returned(reader, body)
    value = given[0] if len(given) == 1 else None
    while value is not None and reader.kind(value) in _AROUND:
        value = reader.first(value)
    if value is None or reader.kind(value) != "member_expression":
        return ""
    target, name = value.child_by_field_name("object"), value.child_by_field_name("property")
    is_own = target is not None and name is not None and reader.kind(target) == "this"
    return reader.text(name) if is_own and name is not None else ""


def _returned(reader: Reader, body: Node) -> list[Node]:
    """What the return statements of a body give, the statement itself where that is nothing."""
    found: list[Node] = []
    pending = [body]
    while pending:
        one = pending.pop()
        if reader.kind(one) == "return_statement":
            found.append(reader.first(one) or one)
        elif reader.kind(one) not in _OTHERS:
            pending.extend(one.named_children)
    return found
