"""What outside functions call their arguments with, as the stubs declare it: `addEventListener(name, listen: (event: Event) => void)`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tree_sitter import Node

from repoquarry.languages.javascript.grammar import parse
from repoquarry.languages.javascript.typing.attributes import parameter

_FUNCTIONS = frozenset(("function_signature", "method_signature", "abstract_method_signature"))
_TYPES = frozenset(("class_declaration", "interface_declaration", "internal_module", "module"))
_PLAIN = {"string": "String", "number": "Number", "boolean": "Boolean", "symbol": "Symbol", "bigint": "BigInt"}


def callbacks(source: bytes, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """(`name.<i>.<j>`, type) of the parameters of function types in a stub, where the type is one of `known`; names below their types."""
    pending = [(parse(".ts", source)[0].root_node, "")]
    while pending:
        node, within = pending.pop()
        name = node.child_by_field_name("name")
        if node.type in _FUNCTIONS and name is not None:
            yield from _of_function(node, f"{within}{_text(name)}", known)
            continue
        inner = f"{within}{_text(name)}." if node.type in _TYPES and name is not None else within
        pending.extend((child, inner) for child in node.named_children)


def _of_function(node: Node, name: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    for position, function in _parameters(node):
        if function.type != "function_type":
            continue
        for at, annotation in _parameters(function):
            found = _PLAIN.get(_text(annotation), _text(annotation))
            if found in known:
                yield f"{name}.{parameter(position)}.{parameter(at)}", found


def _parameters(node: Node) -> Iterator[tuple[int, Node]]:
    """(position, type) of the parameters of a function or a function type."""
    given = node.child_by_field_name("parameters")
    for position, child in enumerate(given.named_children if given is not None else ()):
        annotation = child.child_by_field_name("type")
        if annotation is not None and annotation.named_children:
            yield position, annotation.named_children[0]


def _text(node: Node) -> str:
    return node.text.decode() if node.text else ""
