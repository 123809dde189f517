"""Statements of Python: assignments, branches, loops, exceptions, imports."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.expressions import OPERATORS
from repoquarry.languages.python.scopes import CLASS, MODULE, Environment
from repoquarry.languages.python.types import Types

_STATEMENTS = (
    "expression_statement if_statement for_statement while_statement try_statement with_statement return_statement raise_statement",
    "import_statement import_from_statement future_import_statement global_statement nonlocal_statement delete_statement",
    "augmented_assignment type_alias_statement break_statement continue_statement print_statement exec_statement",
)


class Statements(Types):
    """Adds the reading of statements."""

    def __init__(self, path: str, source: bytes) -> None:
        super().__init__(path, source)
        self.results: list[tuple[int, int]] = []
        """(variable returned, variable yielded) of the functions being read, innermost last."""
        self.yields: list[bool] = []
        self.typing_only = False
        self.fields: list[list[int]] = []
        """(name symbol, variable) pairs of the annotated names of the classes being read, innermost last."""
        for name in " ".join(_STATEMENTS).split():
            self.handlers[g.kind(name)] = getattr(self, f"_{name}")

    def block(self, nodes: Sequence[Node]) -> None:
        """Reads statements in order. One that cannot be understood is recorded, and the rest goes on."""
        for node in nodes:
            if not node.is_named:
                continue
            try:
                self.value(node)
            except (IndexError, KeyError, TypeError, ValueError, StopIteration):
                # only broken source has nodes of another shape than the grammar says
                self.complain(node, f"not understood: {node.type}")

    def _branch(self, env: Environment, nodes: Sequence[Node]) -> Environment | None:
        """Reads a block from `env`; the environment at its end, None when its end is not reached."""
        scope = self.scopes.current
        scope.env, scope.dead = env, False
        scope.items.clear()
        self.block(nodes)
        dead, scope.dead = scope.dead, False
        return None if dead else scope.env

    def _merge(self, ends: Sequence[Environment | None]) -> int:
        self.scopes.merge([end for end in ends if end is not None])
        return -1

    def _expression_statement(self, node: Node) -> int:
        return self.values(node.children) if node.child_count > 1 else self.value(node.children[0])

    # ---- assignments

    def _assignment(self, node: Node) -> int:
        children = g.significant(node)
        target, last = children[0], children[-1]
        annotation = next((child for child in children if child.kind_id == g.TYPE), None)
        if annotation is None:
            value = self.value(last)
            if target.kind_id == g.IDENTIFIER and self.text(target) == "__all__":
                self._export(last, replace=True)
            if not self._bind_pairwise(target, last):
                self.bind(target, value)
            return value
        if last is not annotation:
            typed = self.graph.value(op.DECLARED, self.annotation(annotation), self.owner, self.value(last))
            self.bind(target, typed)
        else:
            typed = self.annotated(annotation)
        if last is not annotation:
            pass
        elif (
            target.kind_id == g.IDENTIFIER and self.scopes.current.kind in (MODULE, CLASS)
        ) or target.kind_id == g.ATTRIBUTE:
            self.bind(target, typed)
        if target.kind_id == g.IDENTIFIER and self.scopes.current.kind == CLASS:
            self.fields[-1] += (self.symbol(target), typed)
        return typed

    def _bind_pairwise(self, target: Node, source: Node) -> bool:
        """`a, b = x, y`: each its own, where both sides are written out."""
        lists = (g.PATTERN_LIST, g.TUPLE_PATTERN, g.LIST_PATTERN)
        if target.kind_id not in lists or source.kind_id not in (g.EXPRESSION_LIST, g.TUPLE, g.LIST):
            return False
        left, right = self._elements(target), self._elements(source)
        if len(left) != len(right) or any(mark != op.ANY for mark, _ in (*left, *right)):
            return False
        simple = (g.IDENTIFIER, g.ATTRIBUTE, g.INTEGER, g.STRING, g.NONE)
        if any(child.kind_id not in simple for _, child in right):
            return False
        values = [self.value(child) for _, child in right]
        for (_, child), value in zip(left, values, strict=True):
            self.bind(child, value)
        return True

    def bind(self, target: Node, value: int) -> None:
        kind = target.kind_id
        if kind == g.IDENTIFIER:
            self._write(self.text(target), value)
        elif kind == g.ATTRIBUTE:
            children = g.significant(target)
            receiver = self.value(children[0])
            self.graph.effect(
                op.SETATTR, receiver, self.symbol(children[-1]), value, self.line(children[-1]), self.owner
            )
        elif kind == g.SUBSCRIPT:
            self._set_item(target, value)
        elif kind in (g.PATTERN_LIST, g.TUPLE_PATTERN, g.LIST_PATTERN, g.TUPLE, g.LIST, g.EXPRESSION_LIST):
            self._unpack(target, value)
        elif kind in (g.AS_PATTERN_TARGET, g.PARENTHESIZED, g.LIST_SPLAT, g.LIST_SPLAT_PATTERN):
            self.bind(next(child for child in target.children if child.is_named), value)
        else:
            self.value(target)

    def _write(self, name: str, value: int) -> None:
        if self.comprehending:
            self.scopes.write_here(name, value)
        else:
            self.scopes.write(name, value)

    def _set_item(self, target: Node, value: int) -> None:
        children = [child for child in target.children if child.is_named and child.kind_id != g.COMMENT]
        if (stored := self.attribute_by_key(children)) is not None:
            receiver, name = stored
            self.graph.effect(op.SETATTR, receiver, name, value, self.line(target), self.owner)
            return
        receiver = self.value(children[0])
        if len(children) == 2 and children[1].kind_id != g.SLICE:
            key, variable = self.key(children[1])
        else:
            key, variable = -1, self.values(children[1:])
        self.graph.effect(op.SETITEM, receiver, key, variable, value, self.line(target), self.owner)
        items = self.scopes.current.items
        items.clear()
        if key >= 0:
            items[self.text(target)] = value

    def _unpack(self, target: Node, value: int) -> None:
        elements = self._elements(target)
        starred = next((at for at, (mark, _) in enumerate(elements) if mark == op.SPREAD), len(elements))
        for position, (mark, child) in enumerate(elements):
            if mark == op.SPREAD:
                part = self.graph.value(op.SLICE, value, position)
            else:
                key = self.graph.symbol(str(position)) if position < starred else op.ANY
                part = self.graph.rooted(op.UNPACK, value, key, self.line(child), self.owner)
            self.bind(child, part)

    def _augmented_assignment(self, node: Node) -> int:
        target, sign, expression = g.significant(node)
        self.scopes.current.items.clear()
        before = self.value(target)
        value = self.value(expression)
        if target.kind_id == g.IDENTIFIER and self.text(target) == "__all__":
            self._export(expression, replace=False)
        method = OPERATORS.get(self.text(sign)[:-1], "__add__").replace("__", "__i", 1)
        result = self.graph.rooted(op.OPER, self.graph.symbol(method), before, value, self.line(sign), self.owner)
        self.bind(target, result)
        return result

    def _export(self, node: Node, *, replace: bool) -> None:
        if self.scopes.current.kind != MODULE or node.kind_id not in (g.LIST, g.TUPLE, g.EXPRESSION_LIST):
            return
        names = [self.literal(child) for child in node.children if child.kind_id == g.STRING]
        kept = [] if replace or self.exports is None else self.exports
        self.exports = kept + [name for name in names if name]

    def _delete_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                self.scopes.forget(self.text(child))
            elif child.is_named:
                self.value(child)
        return -1

    def _type_alias_statement(self, node: Node) -> int:
        children = [child for child in node.children if child.kind_id == g.TYPE]
        name = next(child for child in children[0].children if child.is_named)
        if name.kind_id not in (g.IDENTIFIER, g.GENERIC_TYPE):
            return self._assignment_to_type(name, children[-1])
        while name.kind_id != g.IDENTIFIER:
            name = name.children[0]
        self._write(self.text(name), self.annotation(children[-1]))
        return -1

    def _assignment_to_type(self, target: Node, value: Node) -> int:
        """`type(x).name = value`, which the grammar takes for an alias called `(x).name`."""
        given = target
        while given.kind_id not in (g.PARENTHESIZED, g.TUPLE):
            given = next(child for child in given.children if child.is_named)
        self.called.add(given.end_byte)
        called = self.scopes.read("type")
        self.graph.call(called, self.line(given), self.owner, 0, self.graph.symbol("type"), [])
        self.value(target)
        self.value(value)
        return -1

    # ---- results

    def _return_statement(self, node: Node) -> int:
        children = [child for child in node.children if child.is_named and child.kind_id != g.COMMENT]
        if children:
            value = self.value(children[0])
            if self.results:
                self.graph.assign(self.results[-1][0], op.COPY, value)
        self.scopes.current.dead = True
        return -1

    def _yield(self, node: Node) -> int:
        children = g.significant(node)
        if self.yields:
            self.yields[-1] = True
        if len(children) == 1:
            return self.constant("object")
        value = self.value(children[-1])
        delegates = children[1].kind_id == g.FROM
        element = self.graph.rooted(op.EACH, value, self.line(node), self.owner) if delegates else value
        if self.results:
            self.graph.assign(self.results[-1][1], op.COPY, element)
        return self.graph.value(op.AWAIT if delegates else op.SENT, value)

    def _raise_statement(self, node: Node) -> int:
        children = [child for child in node.children if child.is_named and child.kind_id != g.COMMENT]
        for child in children:
            value = self.value(child)
            if child is children[0] and child.kind_id in (g.IDENTIFIER, g.ATTRIBUTE):
                self.graph.effect(op.RAISE, value, self.line(child), self.owner)
                self._mention_raised(child, value)
            elif child is children[0] and child.kind_id == g.CALL:
                self._return_by_raising(child, value)
                offset = self.graph.first[value]
                if offset >= 0 and self.graph.code[offset] == op.CALL:
                    self._mention_raised(child, self.graph.code[offset + 3])
        self.scopes.current.dead = True
        return -1

    def _mention_raised(self, node: Node, variable: int) -> None:
        """`variable` holds an exception or, where one is made in place, its class."""
        self.graph.effect(op.MENTION, variable, self.line(node), self.owner, self.graph.symbol("raises"))

    def _return_by_raising(self, node: Node, call: int) -> None:
        """`raise StopIteration(x)`, `raise gen.Return(x)`: how generators returned values before they could `return` them."""
        name = self.text(node.children[0]).rpartition(".")[2]
        offset = self.graph.first[call]
        code = self.graph.code[offset : offset + 11]
        if self.results and name in ("StopIteration", "Return") and code[8:10] == [1, op.POSITIONAL]:
            self.graph.assign(self.results[-1][0], op.COPY, code[10])

    def _break_statement(self, _: Node) -> int:
        return -1

    _continue_statement = _break_statement

    # ---- branches and loops

    def _count_branch(self) -> None:
        self.branches += 1

    def _if_statement(self, node: Node) -> int:
        ends: list[Environment | None] = []
        scope = self.scopes.current
        children = g.significant(node)
        clauses = [child for child in children if child.kind_id in (g.ELIF_CLAUSE, g.ELSE_CLAUSE)]
        otherwise = next((at for at, child in enumerate(clauses) if child.kind_id == g.ELSE_CLAUSE), len(clauses))
        for arm in (children, *map(g.significant, clauses[:otherwise])):
            self._count_branch()
            condition, block = arm[1], next((child for child in arm if child.kind_id == g.BLOCK), None)
            self.condition(condition)
            narrowed = self.narrowings(condition)
            before = scope.env
            scope.env = dict(before)
            self.apply(narrowed, truth=True)
            ends.append(self._guarded(condition, scope.env, block))
            scope.env = dict(before)
            self.apply(narrowed, truth=False)
        last = clauses[otherwise] if otherwise < len(clauses) else None
        ends.append(self._branch(scope.env, self._body(last)) if last is not None else scope.env)
        return self._merge(ends)

    def _guarded(self, condition: Node, env: Environment, block: Node | None) -> Environment | None:
        text = self.text(condition) if condition.end_byte - condition.start_byte < 60 else ""
        if text.startswith("__name__") and "__main__" in text and self.scopes.current.kind == MODULE:
            self.entry_points.append(("main", text, self.line(condition)))
        typing_only, self.typing_only = self.typing_only, self.typing_only or text.endswith("TYPE_CHECKING")
        end = self._branch(env, block.children if block is not None else ())
        self.typing_only = typing_only
        return end

    @staticmethod
    def _body(node: Node) -> Sequence[Node]:
        for child in reversed(node.children):
            if child.kind_id == g.BLOCK:
                return child.children
        return ()

    def _for_statement(self, node: Node) -> int:
        self._count_branch()
        children = g.significant(node)
        blocks = [child for child in children if child.kind_id in (g.BLOCK, g.ELSE_CLAUSE)]
        left, right = [child for child in children if child.is_named and child not in blocks][:2]
        iterated = self.value(right)
        before = self.scopes.begin_loop()
        self.bind(left, self.graph.rooted(op.EACH, iterated, self.line(right), self.owner))
        self._loop(before, blocks)
        return -1

    def _while_statement(self, node: Node) -> int:
        self._count_branch()
        children = g.significant(node)
        before = self.scopes.begin_loop()
        self.condition(children[1])
        self._loop(before, [child for child in children if child.kind_id in (g.BLOCK, g.ELSE_CLAUSE)])
        return -1

    def _loop(self, before: Environment, blocks: Sequence[Node]) -> None:
        scope = self.scopes.current
        if blocks and blocks[0].kind_id == g.BLOCK:
            self.block(blocks[0].children)
        scope.dead = False
        self.scopes.end_loop(before)
        if blocks and blocks[-1].kind_id == g.ELSE_CLAUSE:
            self.block(self._body(blocks[-1]))
            scope.dead = False

    def _try_statement(self, node: Node) -> int:
        children = g.significant(node)
        scope = self.scopes.current
        before = dict(scope.env)
        body = self._branch(scope.env, next((child.children for child in children if child.kind_id == g.BLOCK), ()))
        reached = scope.env
        ends: list[Environment | None] = []
        for clause in children:
            if clause.kind_id == g.EXCEPT_CLAUSE:
                self._count_branch()
                self.scopes.merge([dict(before), reached])
                ends.append(self._branch(dict(scope.env), [clause.children[0], *self._handler(clause)]))
            elif clause.kind_id == g.ELSE_CLAUSE and body is not None:
                body = self._branch(dict(body), self._body(clause))
        final = next((clause for clause in children if clause.kind_id == g.FINALLY_CLAUSE), None)
        self._merge([body, *ends])
        if final is not None:
            dead = scope.dead
            self.block(self._body(final))
            scope.dead = scope.dead or dead
        return -1

    def _handler(self, clause: Node) -> Sequence[Node]:
        """Binds what an except clause catches; returns its statements."""
        for child in clause.children:
            if child.kind_id == g.AS_PATTERN:
                parts = g.significant(child)
                self.bind(parts[-1], self.graph.value(op.TYPED, self.value(parts[0]), self.owner))
            elif child.is_named and child.kind_id not in (g.BLOCK, g.COMMENT):
                self.value(child)
        return self._body(clause)

    def _with_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.BLOCK:
                self.block(child.children)
            elif child.is_named and child.kind_id != g.COMMENT:
                for item in child.children:
                    if item.is_named and item.kind_id != g.COMMENT:
                        self._with_item(item.children[0])
        return -1

    def _with_item(self, node: Node) -> None:
        manager, target = node, None
        if node.kind_id == g.AS_PATTERN:
            parts = g.significant(node)
            manager, target = parts[0], parts[-1]
        elif node.kind_id == g.TUPLE and node.named_child_count:
            for child in node.children:
                if child.is_named:
                    self._with_item(child)
            return
        value = self.value(manager)
        entered = self.graph.rooted(op.ENTER, value, self.line(manager), self.owner)
        if target is not None:
            self.bind(target, entered)

    def _as_pattern(self, node: Node) -> int:
        parts = g.significant(node)
        value = self.value(parts[0])
        self.bind(parts[-1], value)
        return value

    # ---- imports

    def _import_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.DOTTED_NAME:
                module = self.text(child)
                self._note(child, module, "", "", 0, "import")
                top = self.graph.value(op.IMPORT, self.graph.symbol(module), 0)
                self._write(module.split(".", 1)[0], top)
            elif child.kind_id == g.ALIASED_IMPORT:
                parts = g.significant(child)
                module, alias = self.text(parts[0]), self.text(parts[-1])
                self._note(child, module, "", alias, 0, "import")
                self._write(alias, self.graph.value(op.IMPORT, self.graph.symbol(module), 1))
        return -1

    def _import_from_statement(self, node: Node) -> int:
        children = [child for child in g.significant(node) if child.is_named]
        module, level = self._source_module(children[0])
        for child in children[1:]:
            if child.kind_id == g.WILDCARD_IMPORT:
                self._note(child, module, "*", "", level, "star")
                self.graph.effect(op.STAR, self.graph.symbol(module), level)
                continue
            parts = g.significant(child) if child.kind_id == g.ALIASED_IMPORT else [child]
            name, alias = self.text(parts[0]), self.text(parts[-1])
            self._note(child, module, name, "" if alias == name else alias, level, "from")
            value = self.graph.value(op.FROM, self.graph.symbol(module), level, self.graph.symbol(name))
            self._write(alias, value)
        return -1

    def _future_import_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.DOTTED_NAME:
                self._note(child, "__future__", self.text(child), "", 0, "from")
        return -1

    def _source_module(self, node: Node) -> tuple[str, int]:
        if node.kind_id != g.RELATIVE_IMPORT:
            return self.text(node), 0
        level = len(self.text(node.children[0]).replace(" ", ""))
        return (self.text(node.children[1]) if len(node.children) > 1 else ""), level

    def _note(self, node: Node, module: str, name: str, alias: str, level: int, how: str) -> None:
        statement = node.parent
        top = statement is not None and statement.parent is not None and statement.parent.parent is None
        self.imports.append(
            Import(module, name, alias, level, self.line(node), top, "typing" if self.typing_only else how)
        )

    # ---- the rest

    def _global_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                self.scopes.declare(self.text(child), is_global=True)
        return -1

    def _nonlocal_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                self.scopes.declare(self.text(child), is_global=False)
        return -1

    def _print_statement(self, node: Node) -> int:
        self.complain(node, "Python 2: print without brackets")
        return self.values(node.children)

    def _exec_statement(self, node: Node) -> int:
        self.complain(node, "Python 2: exec without brackets")
        return self.values(node.children)
