"""Small questions to a syntax node, as the columns of a table of rules."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node


def nothing(node: Node) -> str:
    """The empty text."""
    return ""


def no_texts(node: Node) -> tuple[str, ...]:
    """No texts."""
    return ()


def no_node(node: Node) -> Node | None:
    """No node."""
    return None


def never(node: Node) -> bool:
    """False."""
    return False


def text(node: Node) -> str:
    """Source text of a node, white space collapsed."""
    return " ".join((node.text or b"").decode("utf-8", "replace").split())


def word(given: str) -> Callable[[Node], str]:
    """Always the same text."""
    return lambda node: given


def field(name: str) -> Callable[[Node], Node | None]:
    """The child in a field."""
    return lambda node: node.child_by_field_name(name)


def field_text(name: str) -> Callable[[Node], str]:
    """Source text of the child in a field; empty without one."""

    def read(node: Node) -> str:
        child = node.child_by_field_name(name)
        return text(child) if child is not None else ""

    return read


name_of = field_text("name")
name_node = field("name")
parameters = field("parameters")


def child_of(*types: str) -> Callable[[Node], Node | None]:
    """The first direct child of one of the types."""
    wanted = frozenset(types)
    return lambda node: first_child(node, wanted)


def first_child(node: Node, types: frozenset[str]) -> Node | None:
    """The first direct child of one of the types."""
    return next((child for child in node.children if child.type in types), None)


def has_child(*types: str) -> Callable[[Node], bool]:
    """Whether a direct child is of one of the types."""
    wanted = frozenset(types)
    return lambda node: first_child(node, wanted) is not None


def has_word(within: str, *words: str) -> Callable[[Node], bool]:
    """Whether a direct child of the type `within` is, or holds directly, one of the words."""
    wanted = frozenset(words)

    def holds(node: Node) -> bool:
        for child in node.children:
            if child.type == within and (text(child) in wanted or any(text(part) in wanted for part in child.children)):
                return True
        return False

    return holds


def lacks_body(node: Node) -> bool:
    """Whether the field `body` is empty."""
    return node.child_by_field_name("body") is None


def texts_in(container: str, *left_out: str) -> Callable[[Node], tuple[str, ...]]:
    """Source texts of the named children of the first direct child of a type."""
    return lambda node: _texts(first_child(node, frozenset({container})), frozenset(left_out))


def texts_of(*types: str) -> Callable[[Node], tuple[str, ...]]:
    """Source texts of all named children in all direct children of some types."""
    wanted = frozenset(types)

    def read(node: Node) -> tuple[str, ...]:
        return tuple(part for child in node.children if child.type in wanted for part in _texts(child, frozenset()))

    return read


def _texts(node: Node | None, left_out: frozenset[str]) -> tuple[str, ...]:
    if node is None:
        return ()
    return tuple(text(child) for child in node.named_children if child.type not in left_out and child.type != "comment")
