"""Type predicates, which a function has in the place of its result: `v is Circle`, `this is Leaf`, `asserts v is Circle`.

A function declares the type as an attribute of itself, under a name that no program has: `<is:0>` for its first parameter, `<is:this>` for what it
is called on, `<asserts:0>` where the call only comes back if it holds. Conditions (`narrowing`) read it there, and so do outside functions
that are given a guard (`items.filter(isCircle)`).
Source: https://www.typescriptlang.org/docs/handbook/2/narrowing.html#using-type-predicates
"""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages.javascript.reader import Reader

_AROUND = frozenset(("type_predicate_annotation", "asserts_annotation"))
#: forms of a declared result that say of values what they are, and give a boolean or nothing themselves
FORMS = frozenset((*_AROUND, "type_predicate", "asserts"))


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a function says by coming back, or by what it gives."""

    name: str
    """The attribute of the function that has the type."""
    type: Node


def telling(of: int | str, *, asserts: bool = False) -> str:
    """The attribute that has what calls tell of a parameter, by its position, or of `this`."""
    return f"<{'asserts' if asserts else 'is'}:{of}>"


def predicate(reader: Reader, function: Node) -> Predicate | None:
    """The predicate of a function, a signature or a function type; None where its result is a plain type, or `asserts v` alone."""
    node = function.child_by_field_name("return_type")
    if node is None or reader.kind(node) not in FORMS:
        return None
    asserts = False
    while node is not None and reader.kind(node) != "type_predicate":
        asserts = asserts or reader.kind(node) == "asserts"
        node = reader.first(node) if reader.kind(node) in FORMS else None
    name, told = (node.child_by_field_name(field) for field in ("name", "type")) if node is not None else (None, None)
    if name is None or told is None:
        return None
    of = subject(reader, function, reader.text(name))
    return Predicate(telling(of, asserts=asserts), told) if of is not None else None


def subject(reader: Reader, function: Node, name: str) -> int | str | None:
    """Of what a predicate tells: the argument that a parameter of this name receives, by its position, or `this`."""
    if name == "this":
        return name
    position = 0
    given = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    for child in reader.parts(given) if given is not None else [single] if single is not None else []:
        pattern = child.child_by_field_name("pattern") or child.child_by_field_name("left") or child
        if reader.kind(pattern) == "this" or reader.kind(child) == "decorator":
            continue
        if reader.text(pattern) == name:
            return position
        position += 1
    return None
