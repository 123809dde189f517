"""Shared fields of literal types, by which members of a union are told apart: `kind: "circle"`, `ok: true`, `kind: Kind.Circle`.

A class, an interface or an object type has the literals of such a field, one a line, as a constant under a name that no program has
(`<=kind>`); optional fields are noted as `<?name>`. Literals are written as keys: texts and numbers as they are, members of enumerations by
their last name (`.Circle`).
Source: https://www.typescriptlang.org/docs/handbook/2/narrowing.html#discriminated-unions
"""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages.javascript.property_names import string_text
from repoquarry.languages.javascript.reader import Reader

#: literal of conditions that only ask whether a field holds
TRUTHY = "<truthy>"
_EQUAL = {"===": True, "==": True, "!==": False, "!=": False}
_WORDS = frozenset(("true", "false", "null", "undefined"))
#: types and values that stand around a literal
_AROUND = frozenset(
    ("type_annotation", "literal_type", "parenthesized_type", "parenthesized_expression", "as_expression")
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field is compared with a literal, `s.kind === "circle"`, or asked for, `"radius" in s`."""

    subject: Node
    """What has the field."""
    field: str
    key: str | None
    """Key of the literal, None where the field is only asked for."""
    when: bool
    """The outcome of the condition for which the field has the value."""


def attribute(field: str) -> str:
    """The attribute of a type that has the literals of a field."""
    return f"<={field}>"


def optional(field: str) -> str:
    """The attribute that says that a field may be missing."""
    return f"<?{field}>"


def key(reader: Reader, node: Node | None) -> str | None:
    """The key of a literal, written as a value or as a type; None for anything else."""
    while node is not None and reader.kind(node) in _AROUND:
        node = reader.first(node)
    if node is None:
        return None
    kind, text = reader.kind(node), reader.text(node)
    if kind in ("string", "template_string"):
        return string_text(reader, node)
    if kind == "number" or kind in _WORDS or text in _WORDS:
        return text
    if kind == "unary_expression":
        return text if text[1:].isdigit() else None
    if kind == "type_query":
        return key(reader, reader.first(node))
    if kind in ("member_expression", "nested_type_identifier") and text.replace(".", "").isidentifier():
        return f".{text.rpartition('.')[2]}"
    return None


def keys(reader: Reader, annotation: Node | None) -> list[str]:
    """The keys of a literal type or of a union of such; empty for any other type."""
    while annotation is not None and reader.kind(annotation) in ("type_annotation", "parenthesized_type"):
        annotation = reader.first(annotation)
    if annotation is None:
        return []
    if reader.kind(annotation) != "union_type":
        found = key(reader, annotation)
        return [found] if found is not None else []
    parts = [keys(reader, part) for part in reader.parts(annotation)]
    return [one for part in parts for one in part] if all(parts) else []


def field_keys(reader: Reader, field: Node) -> list[str]:
    """The keys of what a field holds, by its type, or by its value where it never has another."""
    annotation, value = field.child_by_field_name("type"), field.child_by_field_name("value")
    if annotation is not None or value is None:
        return keys(reader, annotation)
    is_constant = reader.has_token(field, "readonly") or (
        reader.kind(value) == "as_expression" and reader.text(value).endswith("const")
    )
    found = key(reader, value) if is_constant else None
    return [found] if found is not None else []


def comparison(reader: Reader, left: Node, right: Node, sign: str) -> Comparison | None:
    """What an operator compares; None where no literal or no field is among it."""
    if sign == "in":
        field = reader.text(left) if reader.kind(left) == "private_property_identifier" else key(reader, left)
        is_name = reader.kind(left) in ("string", "private_property_identifier")
        return Comparison(right, field, None, True) if is_name and field else None
    when = _EQUAL.get(sign)
    for value, other in ((left, right), (right, left)):
        found = key(reader, other)
        named = field_of(reader, value)
        if when is not None and named is not None and found is not None:
            return Comparison(*named, found, when)
    return None


def field_of(reader: Reader, node: Node | None) -> tuple[Node, str] | None:
    """What a field is read of, and its name: `s.kind`."""
    while node is not None and reader.kind(node) in ("parenthesized_expression", "non_null_expression"):
        node = reader.first(node)
    if node is None or reader.kind(node) != "member_expression":
        return None
    subject, name = node.child_by_field_name("object"), node.child_by_field_name("property")
    return (subject, reader.text(name)) if subject is not None and name is not None else None
