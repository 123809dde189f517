"""`match` statements: what the patterns of each case bind."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.assignments import Assignments
from repoquarry.languages.python.constructs.branches import Branches
from repoquarry.languages.python.constructs.literals import Literals
from repoquarry.languages.python.reader import Reader
from repoquarry.languages.python.scopes import Environment

_CASE_PATTERN = g.kind("case_pattern")
_CLASS_PATTERN = g.kind("class_pattern")
_KEYWORD_PATTERN = g.kind("keyword_pattern")
_DICT_PATTERN = g.kind("dict_pattern")
_SPLAT_PATTERN = g.kind("splat_pattern")
_ONE_OF = {_CASE_PATTERN, g.kind("union_pattern")}
_SEQUENCES = {g.LIST_PATTERN, g.TUPLE_PATTERN}


class Patterns:
    """Reads `match`."""

    def __init__(self, reader: Reader, branches: Branches, assignments: Assignments, literals: Literals) -> None:
        self.reader = reader
        self.branches = branches
        self.assignments = assignments
        self.literals = literals
        reader.register(
            {
                "match_statement": self._match_statement,
            }
        )

    def _match_statement(self, node: Node) -> int:
        reader = self.reader
        children = g.significant(node)
        asked = next(child for child in children if child.is_named)
        subject = reader.value(asked)
        scope = reader.scopes.current
        before = scope.env
        ends: list[Environment | None] = []
        for case in children[-1].children:
            if case.kind_id != g.CASE_CLAUSE:
                continue
            scope.env = dict(before)
            for child in case.children:
                if child.kind_id == _CASE_PATTERN:
                    matched = self._pattern(child, subject)
                    if matched != subject and asked.kind_id == g.IDENTIFIER and reader.text(asked) in scope.env:
                        scope.env[reader.text(asked)] = matched
                elif child.kind_id == g.IF_CLAUSE:
                    reader.value(child.children[-1])
            ends.append(self.branches.branch(scope.env, self.branches.body(case)))
        return self.branches.merge([*ends, before])

    def _pattern(self, node: Node, subject: int) -> int:
        """Binds the names of a pattern to what they take from `subject`; the variable of what of it matches."""
        reader = self.reader
        kind = node.kind_id
        if kind == g.DOTTED_NAME:
            name = reader.text(node)
            if "." not in name and name != "_":
                self.assignments.write(name, subject)
        elif kind == _CLASS_PATTERN:
            return self._class_pattern(node, subject)
        elif kind == g.AS_PATTERN:
            parts = g.named(node)
            subject = self._pattern(parts[0], subject)
            self.assignments.write(reader.text(parts[-1]), subject)
        elif kind == _SPLAT_PATTERN:
            for child in g.named(node):
                self.assignments.write(reader.text(child), reader.graph.value(op.SLICE, subject, 0))
        elif kind == _DICT_PATTERN:
            self._dict_pattern(node, subject)
        elif kind in _SEQUENCES:
            for position, child in enumerate(g.named(node)):
                key = reader.graph.symbol(str(position))
                self._pattern(child, reader.graph.rooted(op.UNPACK, subject, key, reader.line(child), reader.owner))
        elif kind in _ONE_OF:
            return reader.graph.copies([self._pattern(child, subject) for child in g.named(node)] or [subject])
        else:
            for child in g.named(node):
                self._pattern(child, subject)
        return subject

    def _class_pattern(self, node: Node, subject: int) -> int:
        reader = self.reader
        parts = g.named(node)
        name, *rest = reader.text(parts[0]).split(".")
        cls = reader.scopes.read(name)
        for attribute in rest:
            cls = reader.graph.rooted(op.ATTR, cls, reader.graph.symbol(attribute), reader.line(node), reader.owner)
        narrowed = reader.graph.value(op.NARROW, subject, cls, 1)
        for position, part in enumerate(parts[1:]):
            inner = part.children[0] if part.kind_id == _CASE_PATTERN else part
            if inner.kind_id == _KEYWORD_PATTERN:
                keyword = reader.symbol(inner.children[0])
                taken = reader.graph.rooted(op.ATTR, narrowed, keyword, reader.line(inner), reader.owner)
                self._pattern(inner.children[-1], taken)
            else:
                key = reader.graph.symbol(str(position))
                self._pattern(part, reader.graph.rooted(op.UNPACK, narrowed, key, reader.line(part), reader.owner))
        return narrowed

    def _dict_pattern(self, node: Node, subject: int) -> None:
        reader = self.reader
        key = -1
        for child in node.children:
            if child.kind_id == g.STRING:
                text = self.literals.literal(child)
                key = reader.graph.symbol(repr(text)) if text is not None else -1
            elif child.kind_id == _CASE_PATTERN:
                self._pattern(child, reader.graph.rooted(op.ITEM, subject, key, -1, reader.line(child), reader.owner))
            elif child.kind_id == _SPLAT_PATTERN:
                self._pattern(child, subject)
