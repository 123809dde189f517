"""Documentation comments (`/** ... */`) and what their tags say of types.

Source: https://jsdoc.app
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import Node

if TYPE_CHECKING:
    from repoquarry.languages.javascript.reader import Reader

_STARS = re.compile(r"^[ \t]*\*? ?", re.MULTILINE)
_OPENING = re.compile(rb"/\*\*(?!/)")


def documented_places(reader: Reader, root: Node) -> dict[int, str]:
    """Documentation comments by the byte at which begins what each stands directly before, decorators left aside.

    From the comments and not from what they document: a node of a syntax tree finds those around and before it from the root on.
    """
    found: dict[int, str] = {}
    end = 0
    for opening in _OPENING.finditer(reader.source):
        comment = root.descendant_for_byte_range(*opening.span()) if opening.start() >= end else None
        if comment is None or reader.kind(comment) != "comment" or comment.start_byte != opening.start():
            continue
        end = comment.end_byte
        after = comment.next_named_sibling
        while after is not None and reader.kind(after) == "decorator":
            after = after.next_named_sibling
        if after is not None:
            found[after.start_byte] = reader.text(comment)
    return found


def comment_of(reader: Reader, node: Node) -> str | None:
    """Text of the documentation comment directly before a node, None without one."""
    return reader.documented.get(node.start_byte)


def documentation(reader: Reader, node: Node) -> str:
    """The documentation comment before a node without its marks; empty when absent."""
    text = comment_of(reader, node)
    return _STARS.sub("", text[3:-2]).strip() if text is not None else ""
