"""Imports: the names that they bind, and the records of them."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.assignments import Assignments
from repoquarry.languages.python.reader import Reader


class Imports:
    """Reads import statements."""

    def __init__(self, reader: Reader, assignments: Assignments) -> None:
        self.reader = reader
        self.assignments = assignments
        self.typing_only = False
        """What is being read is there for type checkers alone."""
        reader.register(
            {
                "import_statement": self._import_statement,
                "import_from_statement": self._import_from_statement,
                "future_import_statement": self._future_import_statement,
            }
        )

    def _import_statement(self, node: Node) -> int:
        reader = self.reader
        direct = _at_top(node)
        for child in node.children:
            if child.kind_id == g.DOTTED_NAME:
                module = reader.text(child)
                self._note(child, module, "", "", 0, "import", direct)
                top = reader.graph.value(op.IMPORT, reader.graph.symbol(module), 0)
                self.assignments.write(module.split(".", 1)[0], top)
            elif child.kind_id == g.ALIASED_IMPORT:
                parts = g.significant(child)
                module, alias = reader.text(parts[0]), reader.text(parts[-1])
                self._note(child, module, "", alias, 0, "import", direct)
                self.assignments.write(alias, reader.graph.value(op.IMPORT, reader.graph.symbol(module), 1))
        return -1

    def _import_from_statement(self, node: Node) -> int:
        reader = self.reader
        children = [child for child in g.significant(node) if child.is_named]
        direct = _at_top(node)
        module, level = self._source_module(children[0])
        for child in children[1:]:
            if child.kind_id == g.WILDCARD_IMPORT:
                self._note(child, module, "*", "", level, "star", direct)
                reader.graph.effect(op.STAR, reader.graph.symbol(module), level)
                continue
            parts = g.significant(child) if child.kind_id == g.ALIASED_IMPORT else [child]
            name, alias = reader.text(parts[0]), reader.text(parts[-1])
            self._note(child, module, name, "" if alias == name else alias, level, "from", direct)
            value = reader.graph.value(op.FROM, reader.graph.symbol(module), level, reader.graph.symbol(name))
            self.assignments.write(alias, value)
        return -1

    def _future_import_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.DOTTED_NAME:
                self._note(child, "__future__", self.reader.text(child), "", 0, "from", _at_top(node))
        return -1

    def _source_module(self, node: Node) -> tuple[str, int]:
        reader = self.reader
        if node.kind_id != g.RELATIVE_IMPORT:
            return reader.text(node), 0
        level = len(reader.text(node.children[0]).replace(" ", ""))
        return (reader.text(node.children[1]) if len(node.children) > 1 else ""), level

    def _note(self, node: Node, module: str, name: str, alias: str, level: int, how: str, direct: bool) -> None:
        reader = self.reader
        reader.imports.append(
            Import(module, name, alias, level, reader.line(node), direct, "typing" if self.typing_only else how)
        )


def _at_top(statement: Node) -> bool:
    """Whether it stands in the module directly. A tree is gone through from its root to find a parent, so this is asked once a statement."""
    return statement.parent is not None and statement.parent.parent is None
