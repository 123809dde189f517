"""Branches and loops, exceptions and contexts: what values names have after statements that hold others."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.constructs.assignments import Assignments
from repoquarry.languages.python.constructs.imports import Imports
from repoquarry.languages.python.constructs.statements import Statements
from repoquarry.languages.python.reader import Reader
from repoquarry.languages.python.scopes import MODULE, Environment
from repoquarry.languages.python.typing.narrowing import Narrowing


class Branches:
    """Reads statements that hold blocks."""

    def __init__(
        self, reader: Reader, statements: Statements, assignments: Assignments, narrowing: Narrowing, imports: Imports
    ) -> None:
        self.reader = reader
        self.statements = statements
        self.assignments = assignments
        self.narrowing = narrowing
        self.imports = imports
        reader.register(
            {
                "if_statement": self._if_statement,
                "for_statement": self._for_statement,
                "while_statement": self._while_statement,
                "try_statement": self._try_statement,
                "with_statement": self._with_statement,
                "as_pattern": self._as_pattern,
            }
        )

    def branch(self, env: Environment, nodes: Sequence[Node]) -> Environment | None:
        """Reads a block from `env`; the environment at its end, None when its end is not reached."""
        scope = self.reader.scopes.current
        scope.env, scope.dead = env, False
        scope.items.clear()
        self.statements.block(nodes)
        dead, scope.dead = scope.dead, False
        return None if dead else scope.env

    def merge(self, ends: Sequence[Environment | None]) -> int:
        """Goes on after the branches that reach their end."""
        self.reader.scopes.merge([end for end in ends if end is not None])
        return -1

    @staticmethod
    def body(node: Node) -> Sequence[Node]:
        """The statements of a clause."""
        for child in reversed(node.children):
            if child.kind_id == g.BLOCK:
                return child.children
        return ()

    # ---- conditions

    def _if_statement(self, node: Node) -> int:
        reader = self.reader
        ends: list[Environment | None] = []
        scope = reader.scopes.current
        children = g.significant(node)
        clauses = [child for child in children if child.kind_id in (g.ELIF_CLAUSE, g.ELSE_CLAUSE)]
        otherwise = next((at for at, child in enumerate(clauses) if child.kind_id == g.ELSE_CLAUSE), len(clauses))
        for arm in (children, *map(g.significant, clauses[:otherwise])):
            reader.branches += 1
            condition, block = arm[1], next((child for child in arm if child.kind_id == g.BLOCK), None)
            reader.value(condition)
            narrowed = self.narrowing.narrowings(condition)
            before = scope.env
            scope.env = dict(before)
            self.narrowing.apply(narrowed, truth=True)
            ends.append(self._guarded(condition, scope.env, block))
            scope.env = dict(before)
            self.narrowing.apply(narrowed, truth=False)
        last = clauses[otherwise] if otherwise < len(clauses) else None
        ends.append(self.branch(scope.env, self.body(last)) if last is not None else scope.env)
        return self.merge(ends)

    def _guarded(self, condition: Node, env: Environment, block: Node | None) -> Environment | None:
        reader = self.reader
        text = reader.text(condition) if condition.end_byte - condition.start_byte < 60 else ""
        if text.startswith("__name__") and "__main__" in text and reader.scopes.current.kind == MODULE:
            reader.entry_points.append(("main", text, reader.line(condition)))
        imports = self.imports
        typing_only, imports.typing_only = imports.typing_only, imports.typing_only or text.endswith("TYPE_CHECKING")
        end = self.branch(env, block.children if block is not None else ())
        imports.typing_only = typing_only
        return end

    # ---- loops

    def _for_statement(self, node: Node) -> int:
        reader = self.reader
        reader.branches += 1
        children = g.significant(node)
        blocks = [child for child in children if child.kind_id in (g.BLOCK, g.ELSE_CLAUSE)]
        left, right = [child for child in children if child.is_named and child not in blocks][:2]
        iterated = reader.value(right)
        before = reader.scopes.begin_loop()
        self.assignments.bind(left, reader.graph.rooted(op.EACH, iterated, reader.line(right), reader.owner))
        self._loop(before, blocks)
        return -1

    def _while_statement(self, node: Node) -> int:
        reader = self.reader
        reader.branches += 1
        children = g.significant(node)
        before = reader.scopes.begin_loop()
        reader.value(children[1])
        self._loop(before, [child for child in children if child.kind_id in (g.BLOCK, g.ELSE_CLAUSE)])
        return -1

    def _loop(self, before: Environment, blocks: Sequence[Node]) -> None:
        reader = self.reader
        scope = reader.scopes.current
        if blocks and blocks[0].kind_id == g.BLOCK:
            self.statements.block(blocks[0].children)
        scope.dead = False
        reader.scopes.end_loop(before)
        if blocks and blocks[-1].kind_id == g.ELSE_CLAUSE:
            self.statements.block(self.body(blocks[-1]))
            scope.dead = False

    # ---- exceptions

    def _try_statement(self, node: Node) -> int:
        reader = self.reader
        children = g.significant(node)
        scope = reader.scopes.current
        before = dict(scope.env)
        body = self.branch(scope.env, next((child.children for child in children if child.kind_id == g.BLOCK), ()))
        reached = scope.env
        ends: list[Environment | None] = []
        for clause in children:
            if clause.kind_id == g.EXCEPT_CLAUSE:
                reader.branches += 1
                reader.scopes.merge([dict(before), reached])
                ends.append(self.branch(dict(scope.env), [clause.children[0], *self._handler(clause)]))
            elif clause.kind_id == g.ELSE_CLAUSE and body is not None:
                body = self.branch(dict(body), self.body(clause))
        final = next((clause for clause in children if clause.kind_id == g.FINALLY_CLAUSE), None)
        self.merge([body, *ends])
        if final is not None:
            dead = scope.dead
            self.statements.block(self.body(final))
            scope.dead = scope.dead or dead
        return -1

    def _handler(self, clause: Node) -> Sequence[Node]:
        """Binds what an except clause catches; returns its statements."""
        reader = self.reader
        for child in clause.children:
            if child.kind_id == g.AS_PATTERN:
                parts = g.significant(child)
                self.assignments.bind(parts[-1], reader.graph.value(op.TYPED, reader.value(parts[0]), reader.owner))
            elif child.is_named and child.kind_id not in (g.BLOCK, g.COMMENT):
                reader.value(child)
        return self.body(clause)

    # ---- with

    def _with_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.BLOCK:
                self.statements.block(child.children)
            elif child.is_named:
                for item in g.named(child):
                    self._with_item(item.children[0])
        return -1

    def _with_item(self, node: Node) -> None:
        reader = self.reader
        manager, target = node, None
        if node.kind_id == g.AS_PATTERN:
            parts = g.significant(node)
            manager, target = parts[0], parts[-1]
        elif node.kind_id == g.TUPLE and node.named_child_count:
            for child in g.named(node):
                self._with_item(child)
            return
        value = reader.value(manager)
        entered = reader.graph.rooted(op.ENTER, value, reader.line(manager), reader.owner)
        if target is not None:
            self.assignments.bind(target, entered)

    def _as_pattern(self, node: Node) -> int:
        parts = g.significant(node)
        value = self.reader.value(parts[0])
        self.assignments.bind(parts[-1], value)
        return value
