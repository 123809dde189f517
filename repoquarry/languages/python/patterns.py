"""`match` statements: what the patterns of each case bind."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.scopes import Environment
from repoquarry.languages.python.statements import Statements

_CASE_PATTERN = g.kind("case_pattern")
_CLASS_PATTERN = g.kind("class_pattern")
_KEYWORD_PATTERN = g.kind("keyword_pattern")
_DICT_PATTERN = g.kind("dict_pattern")
_SPLAT_PATTERN = g.kind("splat_pattern")
_UNION_PATTERN = g.kind("union_pattern")
_SEQUENCES = {g.LIST_PATTERN, g.TUPLE_PATTERN, g.kind("list_pattern"), g.kind("tuple_pattern")}


class Patterns(Statements):
    """Adds the reading of `match`."""

    def __init__(self, path: str, source: bytes) -> None:
        super().__init__(path, source)
        self.handlers[g.kind("match_statement")] = self._match_statement

    def _match_statement(self, node: Node) -> int:
        children = g.significant(node)
        subject = self.value(next(child for child in children if child.is_named))
        scope = self.scopes.current
        before = scope.env
        ends: list[Environment | None] = []
        for case in children[-1].children:
            if case.kind_id != g.CASE_CLAUSE:
                continue
            scope.env = dict(before)
            for child in case.children:
                if child.kind_id == _CASE_PATTERN:
                    self._pattern(child, subject)
                elif child.kind_id == g.IF_CLAUSE:
                    self.condition(child.children[-1])
            ends.append(self._branch(scope.env, self._body(case)))
        return self._merge([*ends, before])

    def _pattern(self, node: Node, subject: int) -> None:
        """Binds the names of a pattern to what they take from `subject`."""
        kind = node.kind_id
        if kind == g.DOTTED_NAME:
            name = self.text(node)
            if "." in name or name == "_":
                return
            self._write(name, subject)
        elif kind == _CLASS_PATTERN:
            self._class_pattern(node, subject)
        elif kind == g.AS_PATTERN:
            parts = [child for child in node.children if child.is_named]
            self._pattern(parts[0], subject)
            self._write(self.text(parts[-1]), subject)
        elif kind == _SPLAT_PATTERN:
            for child in node.children:
                if child.is_named:
                    self._write(self.text(child), self.graph.value(op.SLICE, subject, 0))
        elif kind == _DICT_PATTERN:
            self._dict_pattern(node, subject)
        elif kind in _SEQUENCES:
            for position, child in enumerate(child for child in node.children if child.is_named):
                key = self.graph.symbol(str(position))
                self._pattern(child, self.graph.rooted(op.UNPACK, subject, key, self.line(child), self.owner))
        else:
            for child in node.children:
                if child.is_named:
                    self._pattern(child, subject)

    def _class_pattern(self, node: Node, subject: int) -> None:
        parts = [child for child in node.children if child.is_named]
        name, *rest = self.text(parts[0]).split(".")
        cls = self.scopes.read(name)
        for attribute in rest:
            cls = self.graph.rooted(op.ATTR, cls, self.graph.symbol(attribute), self.line(node), self.owner)
        narrowed = self.graph.value(op.NARROW, subject, cls, 1)
        for part in parts[1:]:
            inner = part.children[0] if part.kind_id == _CASE_PATTERN else part
            if inner.kind_id == _KEYWORD_PATTERN:
                keyword = self.symbol(inner.children[0])
                taken = self.graph.rooted(op.ATTR, narrowed, keyword, self.line(inner), self.owner)
                self._pattern(inner.children[-1], taken)
            else:
                self._pattern(part, self.constant("object"))

    def _dict_pattern(self, node: Node, subject: int) -> None:
        key = -1
        for child in node.children:
            if child.kind_id == g.STRING:
                text = self.literal(child)
                key = self.graph.symbol(repr(text)) if text is not None else -1
            elif child.kind_id == _CASE_PATTERN:
                self._pattern(child, self.graph.rooted(op.ITEM, subject, key, -1, self.line(child), self.owner))
            elif child.kind_id == _SPLAT_PATTERN:
                self._pattern(child, subject)
