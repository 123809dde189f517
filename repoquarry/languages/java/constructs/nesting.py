"""How deeply syntax is read: expressions and statements stand within each other, and both count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.java.constructs.definitions import Definitions
from repoquarry.languages.java.tree import Node

#: deeper nesting of syntax is left out
MAX_NESTING: Final = 400


class Nesting:
    """Counts the levels that are being read."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._depth = 0

    def read(self, read: Callable[[Syntax], Node | None], node: Syntax) -> Node | None:
        """Reads a node one level further down; None where that is too deep, which is recorded."""
        if self._depth >= MAX_NESTING:
            self._definitions.complain(node, f"nested deeper than {MAX_NESTING} levels: what follows was left out")
            return None
        self._depth += 1
        found = read(node)
        self._depth -= 1
        return found
