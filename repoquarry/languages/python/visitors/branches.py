"""Visitors that turn Python branches, loops, exception handlers, context managers and `match` into points-to constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.scopes import MODULE, Environment
from repoquarry.languages.python.type_annotations import PythonNarrowing
from repoquarry.languages.python.visitors.assignments import PythonAssignmentVisitor
from repoquarry.languages.python.visitors.expressions import PythonOperatorVisitor
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor
from repoquarry.languages.python.visitors.statements import PythonImportVisitor, PythonStatementVisitor


@dataclass(eq=False, repr=False)
class PythonBranchVisitor:
    """Visitor of statements that hold blocks."""

    reader: PythonExtractionState
    statements: PythonStatementVisitor
    assignments: PythonAssignmentVisitor
    narrowing: PythonNarrowing
    imports: PythonImportVisitor
    operators: PythonOperatorVisitor

    def __post_init__(self) -> None:
        self.reader.register(
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
        """Read a block from `env`; the environment at its end, None when its end is not reached."""
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
        """Return the statements of a clause."""
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
            self.operators.condition(condition)
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
        self.operators.condition(children[1])
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
        """Bind what an except clause catches; return its statements."""
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


_CASE_PATTERN = g.kind("case_pattern")
_CLASS_PATTERN = g.kind("class_pattern")
_KEYWORD_PATTERN = g.kind("keyword_pattern")
_DICT_PATTERN = g.kind("dict_pattern")
_SPLAT_PATTERN = g.kind("splat_pattern")
_ONE_OF = {_CASE_PATTERN, g.kind("union_pattern")}
_SEQUENCES = {g.LIST_PATTERN, g.TUPLE_PATTERN}


@dataclass(eq=False, repr=False)
class PythonPatternVisitor:
    """Visitor of `match`."""

    reader: PythonExtractionState
    branches: PythonBranchVisitor
    assignments: PythonAssignmentVisitor
    literals: PythonLiteralVisitor

    def __post_init__(self) -> None:
        self.reader.register({"match_statement": self._match_statement})

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
        """Bind the names of a pattern to their parts of `subject`; return the variable of the part that matches."""
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
                self.assignments.write(reader.text(child), reader.graph.value(op.SLICE, subject, 0, 0, reader.owner))
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
