"""Branches and loops, and what their conditions say of what stands in them."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.patterns import Patterns
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing import discriminants
from repoquarry.languages.javascript.typing.narrowing import Conditions, Narrowing

_LEAVING = frozenset(("return_statement", "throw_statement", "break_statement", "continue_statement"))


class Branches:
    """Reads statements that lead several ways."""

    def __init__(self, reader: Reader, conditions: Conditions, patterns: Patterns) -> None:
        self.reader = reader
        self.conditions = conditions
        self.patterns = patterns
        for kind in ("do_statement", "catch_clause"):
            reader.handlers[kind] = self._branch
        for kind in ("while_statement", "for_statement"):
            reader.handlers[kind] = self._loop
        reader.handlers |= {
            "if_statement": self._if,
            "for_in_statement": self._for_in,
            "switch_statement": self._switch,
        }

    def _branch(self, node: Node) -> int:
        reader = self.reader
        reader.body.branches += 1
        reader.scopes.enter()
        parameter = node.child_by_field_name("parameter")
        if parameter is not None:
            self.patterns.declare(parameter, reader.nothing())
        for child in reader.parts(node):
            if parameter is None or child.id != parameter.id:
                reader.value(child)
        reader.scopes.leave()
        return -1

    def _loop(self, node: Node) -> int:
        """What a condition says holds in the body, and not where the next round begins."""
        reader = self.reader
        reader.body.branches += 1
        reader.scopes.enter()
        body, last = node.child_by_field_name("body"), node.child_by_field_name("increment")
        for child in reader.parts(node):
            if child not in (body, last):
                reader.value(child)
        self.conditions.apply(self.conditions.of(self._condition(node)), truth=True)
        reader.value(body)
        if last is not None:
            reader.value(last)
        reader.scopes.leave()
        return -1

    def _condition(self, node: Node) -> Node | None:
        condition = node.child_by_field_name("condition")
        is_statement = condition is not None and self.reader.kind(condition) == "expression_statement"
        return self.reader.first(condition) if is_statement and condition is not None else condition

    def _switch(self, node: Node) -> int:
        """A case is narrowed by the literals that lead there, those that fall through from the cases before it included."""
        reader, conditions = self.reader, self.conditions
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        if value is None or body is None:
            return reader.values(node.named_children)
        reader.value(value)
        switched = reader.first(value) or value
        cases = [child for child in reader.parts(body) if reader.kind(child) in ("switch_case", "switch_default")]
        literals = [discriminants.key(reader, case.child_by_field_name("value")) for case in cases]
        leading: list[str | None] = []
        reader.scopes.enter()
        for case, literal in zip(cases, literals, strict=True):
            reader.body.branches += reader.kind(case) == "switch_case"
            tested, is_default = case.child_by_field_name("value"), reader.kind(case) == "switch_default"
            reader.value(tested)
            statements = [child for child in reader.parts(case) if child != tested]
            if is_default and not leading:
                conditions.apply_case(switched, [one for one in literals if one is not None], truth=False)
            leading.append(literal)
            if not is_default and None not in leading:
                conditions.apply_case(switched, leading, truth=True)
            elif reader.kind(switched) == "true" and len(leading) == 1:
                conditions.apply(conditions.of(tested), truth=True)
            reader.statements(statements)
            reader.scopes.current.narrowed.clear()
            leading = [] if statements and self._leaves(statements[-1]) else leading
        reader.scopes.leave()
        return -1

    def _if(self, node: Node) -> int:
        reader = self.reader
        # chains of `else if` are as deep as they are long, so they are walked
        opened = 0
        here: Node | None = node
        behind: list[tuple[list[Narrowing], bool]] = []
        while here is not None:
            reader.body.branches += 1
            condition, first, second = (
                here.child_by_field_name(field) for field in ("condition", "consequence", "alternative")
            )
            reader.value(condition)
            known = self.conditions.of(condition)
            reader.scopes.enter()
            self.conditions.apply(known, truth=True)
            reader.value(first)
            reader.scopes.leave()
            if opened == 0:
                behind = [(known, truth) for truth, way in ((False, first), (True, second)) if self._leaves(way)]
            if second is None:
                break
            reader.scopes.enter()
            opened += 1
            self.conditions.apply(known, truth=False)
            parts = reader.parts(second)
            here = parts[0] if parts and reader.kind(parts[0]) == "if_statement" else None
            if here is None:
                reader.values(parts)
        for _ in range(opened):
            reader.scopes.leave()
        for known, truth in behind:
            self.conditions.apply(known, truth=truth)
        return -1

    def _leaves(self, node: Node | None) -> bool:
        """Whether what follows a block is not reached from it."""
        reader = self.reader
        while node is not None and reader.kind(node) in ("statement_block", "else_clause"):
            node = (reader.parts(node) or (None,))[-1]
        return node is not None and reader.kind(node) in _LEAVING

    def _for_in(self, node: Node) -> int:
        """`for (x of xs)` takes elements, `for (x in xs)` names of properties."""
        reader = self.reader
        reader.body.branches += 1
        left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
        if left is None or right is None:
            return reader.values(node.named_children)
        source = reader.value(right)
        reader.scopes.enter()
        if sign is not None and reader.text(sign) == "of":
            element = reader.graph.rooted(op.EACH, source, reader.line(right), reader.owner)
            if reader.has_token(node, "await"):
                element = reader.graph.value(op.AWAIT, element)
        else:
            element = reader.graph.variable()
        kind = node.child_by_field_name("kind")
        if kind is None:
            self.patterns.assign(left, element)
        else:
            self.patterns.declare(left, element, in_function=reader.text(kind) == "var")
        reader.value(node.child_by_field_name("body"))
        reader.scopes.leave()
        return -1
