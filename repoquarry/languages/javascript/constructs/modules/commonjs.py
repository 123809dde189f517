"""Modules of CommonJS, and `import()`: `require`, `module.exports`, `exports`."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.property_names import string_text
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.scopes import WHOLE


class CommonJs:
    """Reads what files load, and what they are as a whole."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._whole = -1
        """Variable of `module.exports`, -1 as long as nothing uses it."""

    def whole(self) -> int:
        """The variable of what the file is as a whole."""
        graph = self.reader.graph
        if self._whole < 0:
            self._whole = graph.variable()
            graph.assign(self._whole, op.CONTAINER, graph.symbol("dict"), 0)
        return self._whole

    def _is_free(self, node: Node, name: str) -> bool:
        reader = self.reader
        return reader.kind(node) == "identifier" and reader.text(node) == name and not reader.scopes.is_declared(name)

    def exported(self, node: Node) -> int:
        """The variable of `module.exports`, -1 for any other property."""
        name = node.child_by_field_name("property")
        if name is None or self.reader.text(name) != "exports":
            return -1
        owner = node.child_by_field_name("object")
        if owner is None or not self._is_free(owner, "module"):
            return -1
        return self.whole()

    def assign(self, target: Node, value: int) -> bool:
        """`module.exports = value`, `exports = value`: whether it was that."""
        if self.reader.kind(target) == "member_expression" and self.exported(target) >= 0:
            self.reader.graph.assign(self.whole(), op.COPY, value)
            return True
        return False

    def load(self, function: Node, given: Node) -> int:
        """`require("./x")` or `import("./x")` with a constant; -1 for anything else."""
        reader = self.reader
        parts = reader.parts(given)
        is_import = reader.kind(function) == "import"
        if not parts or (not is_import and reader.scopes.is_declared("require")):
            return -1
        text = string_text(reader, parts[0]) if reader.kind(parts[0]) in ("string", "template_string") else None
        if not text:
            reader.values(parts)
            return reader.nothing() if is_import else -1
        reader.values(parts[1:])
        how = "dynamic" if is_import else "import"
        at_top = reader.owner < 0 and reader.scopes.current is reader.scopes.module
        reader.imports.append(Import(text, "", "", 0, reader.line(function), at_top, how))
        loaded = reader.graph.value(
            op.FROM, reader.graph.symbol(text), 0, reader.graph.symbol("*" if is_import else WHOLE)
        )
        if not is_import:
            return loaded
        awaitable = reader.graph.symbol("awaitable")
        return reader.graph.value(op.CONTAINER, awaitable, 1, op.ANY, loaded)

    def finish(self) -> None:
        """Ties the name `exports` to what the file is as a whole, where the file does not declare it."""
        graph, module = self.reader.graph, self.reader.scopes.module
        if "exports" in module.waiting:
            graph.assign(module.waiting.pop("exports"), op.COPY, self.whole())

    def offer(self) -> None:
        """Offers other files what the file is as a whole, if anything uses it."""
        if self._whole >= 0:
            self.reader.graph.scopes += (-1, self.reader.graph.symbol(WHOLE), self._whole)
