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


def comment_of(reader: Reader, node: Node) -> str | None:
    """Text of the documentation comment directly before a node, None without one."""
    here: Node | None = node
    while here is not None and here.parent is not None and here.parent.start_byte == here.start_byte:
        if here.parent.parent is None:
            break
        here = here.parent
    before = here.prev_named_sibling if here is not None else None
    while before is not None and reader.kind(before) == "decorator":
        before = before.prev_named_sibling
    if before is None or reader.kind(before) != "comment":
        return None
    text = reader.text(before)
    return text if text.startswith("/**") and len(text) > 4 else None


def documentation(reader: Reader, node: Node) -> str:
    """The documentation comment before a node without its marks; empty when absent."""
    text = comment_of(reader, node)
    return _STARS.sub("", text[3:-2]).strip() if text is not None else ""
