"""Statements: declarations, blocks, branches, loops, results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition
from repoquarry.languages.javascript.comments import documentation
from repoquarry.languages.javascript.reader import Body
from repoquarry.languages.javascript.typing import discriminants
from repoquarry.languages.javascript.typing.narrowing import Narrowing

if TYPE_CHECKING:
    from repoquarry.languages.javascript.walk import Walk

_LEAVING = frozenset(("return_statement", "throw_statement", "break_statement", "continue_statement"))
_SILENT = ("comment", "break_statement", "continue_statement", "empty_statement", "debugger_statement")


class Statements:
    """Reads statements."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        reader = self.reader = walk.reader
        for kind in ("lexical_declaration", "using_declaration"):
            reader.handlers[kind] = self._declaration
        for kind in ("do_statement", "catch_clause"):
            reader.handlers[kind] = self._branch
        for kind in ("while_statement", "for_statement"):
            reader.handlers[kind] = self._loop
        for kind in _SILENT:
            reader.handlers[kind] = lambda node: -1
        reader.handlers |= {
            "variable_declaration": self._declaration,
            "statement_block": self._block,
            "expression_statement": self._expression,
            "if_statement": self._if,
            "for_in_statement": self._for_in,
            "switch_statement": self._switch,
            "return_statement": self._return,
            "throw_statement": self._throw,
            "labeled_statement": self._labeled,
            "internal_module": self._namespace,
            "module": self._namespace,
            "ambient_declaration": self._ambient,
        }

    # ---- declarations

    def _declaration(self, node: Node) -> int:
        for child in self.reader.parts(node):
            if self.reader.kind(child) == "variable_declarator":
                self._declarator(child, node)
        return -1

    def _declarator(self, node: Node, statement: Node) -> None:
        reader = self.reader
        name, value, annotation = (node.child_by_field_name(field) for field in ("name", "value", "type"))
        if name is None:
            return
        is_var = reader.kind(statement) == "variable_declaration"
        text = reader.text(name) if reader.kind(name) == "identifier" else ""
        if text:
            reader.scopes.declare(text, in_function=is_var)
        start = statement if statement.start_byte == node.start_byte or len(reader.parts(statement)) == 1 else node
        expected = self.walk.contexts.of_type(annotation)
        self.walk.contexts.expect(value, expected)
        held = self.walk.functions.named_value(value, text, start=start) if value is not None else -1
        if held >= 0 and expected >= 0 and self.walk.contexts.is_written(value):
            self.walk.contexts.offer_expected(held, expected)
        if annotation is not None:
            typed = self.walk.types.annotated(annotation) if held < 0 else self.walk.types.declared(annotation, held)
            held = typed
        elif held >= 0 and (tags := self.walk.documented.tags(start)) is not None:
            held = self.walk.documented.declared(tags.type, node, held)
        if held >= 0:
            self.walk.patterns.declare(name, held, in_function=is_var)
        elif not text:
            self.walk.patterns.declare(name, reader.nothing(), in_function=is_var)

    def _ambient(self, node: Node) -> int:
        """`declare ...`."""
        for child in self.reader.enclose(node):
            self.reader.value(child)
        return -1

    def _namespace(self, node: Node) -> int:
        """`namespace A.B { export ... }`: an object with the names that it exports."""
        reader = self.reader
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return reader.values(node.named_children)
        if reader.kind(name) == "string":
            # `declare module "x"`: what another module declares
            reader.scopes.enter()
            reader.value(body)
            reader.scopes.leave()
            return -1
        names = reader.text(name).split(".")
        exported = self._named_namespace(node, name, body)
        for inner in reversed(names[1:]):
            pair = (reader.graph.symbol(inner), exported)
            exported = reader.graph.value(op.CONTAINER, reader.graph.symbol("dict"), 1, *pair)
        reader.graph.assign(reader.scopes.declare(names[0]), op.COPY, exported)
        return -1

    def _named_namespace(self, node: Node, name: Node, body: Node | None) -> int:
        """The definition of a namespace; the variable of the object with what it exports."""
        reader = self.reader
        start = self._start_of_namespace(node)
        index, key, qualname, parent = reader.reserve(reader.text(name))
        nothing, calls = reader.graph.variable(), reader.calls
        reader.open(Body(index, -1, True, nothing, nothing))
        around = reader.around.get(node.id)
        is_ambient = around is not None and reader.kind(around) == "ambient_declaration"
        exported = self.walk.imports.namespace(body, is_ambient=is_ambient)
        branches = reader.body.branches
        reader.close()
        reader.graph.functions[index] = [5, op.CLASS, 0, 0, 0]
        reader.definitions[index] = Definition(
            key=key,
            kind="class",
            name=reader.text(name),
            qualname=qualname,
            parent=parent,
            start_line=reader.line(start),
            name_line=reader.line(name),
            end_line=node.end_point[0] + 1,
            signature="",
            docstring=documentation(reader, start),
            decorators=(),
            bases=(),
            branches=branches,
            indent=node.start_point[1],
            calls=reader.calls - calls,
            is_async=False,
            is_generator=False,
            form="namespace",
        )
        return exported

    def _start_of_namespace(self, node: Node) -> Node:
        """Where its text begins: `export`, `declare` included."""
        while (around := self.reader.around.get(node.id)) is not None:
            node = around
        return node

    # ---- blocks and branches

    def _block(self, node: Node) -> int:
        reader = self.reader
        reader.scopes.enter()
        reader.statements(node.named_children)
        reader.scopes.leave()
        return -1

    def _branch(self, node: Node) -> int:
        reader = self.reader
        reader.body.branches += 1
        reader.scopes.enter()
        parameter = node.child_by_field_name("parameter")
        if parameter is not None:
            self.walk.patterns.declare(parameter, reader.nothing())
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
        self.walk.conditions.apply(self.walk.conditions.of(self._condition(node)), truth=True)
        reader.value(body)
        if last is not None:
            reader.value(last)
        reader.scopes.leave()
        return -1

    def _condition(self, node: Node) -> Node | None:
        condition = node.child_by_field_name("condition")
        is_statement = condition is not None and self.reader.kind(condition) == "expression_statement"
        return self.reader.first(condition) if is_statement and condition is not None else condition

    def _expression(self, node: Node) -> int:
        """An expression for its effects; a call may only come back where something holds."""
        for child in self.reader.enclose(node):
            self.reader.value(child)
            if self.walk.contexts.is_read and self.reader.kind(child) == "call_expression":
                self.walk.conditions.assure(child)
            del self.reader.around[child.id]
        return -1

    def _switch(self, node: Node) -> int:
        """A case is narrowed by the literals that lead there, those that fall through from the cases before it included."""
        reader, conditions = self.reader, self.walk.conditions
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
            known = self.walk.conditions.of(condition)
            reader.scopes.enter()
            self.walk.conditions.apply(known, truth=True)
            reader.value(first)
            reader.scopes.leave()
            if opened == 0:
                behind = [(known, truth) for truth, way in ((False, first), (True, second)) if self._leaves(way)]
            if second is None:
                break
            reader.scopes.enter()
            opened += 1
            self.walk.conditions.apply(known, truth=False)
            parts = reader.parts(second)
            here = parts[0] if parts and reader.kind(parts[0]) == "if_statement" else None
            if here is None:
                reader.values(parts)
        for _ in range(opened):
            reader.scopes.leave()
        for known, truth in behind:
            self.walk.conditions.apply(known, truth=truth)
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
            self.walk.patterns.assign(left, element)
        else:
            self.walk.patterns.declare(left, element, in_function=reader.text(kind) == "var")
        reader.value(node.child_by_field_name("body"))
        reader.scopes.leave()
        return -1

    def _labeled(self, node: Node) -> int:
        return self.reader.value(node.child_by_field_name("body"))

    # ---- results

    def _return(self, node: Node) -> int:
        reader = self.reader
        for child in reader.parts(node)[:1]:
            self.walk.contexts.expect(child, reader.body.expected)
            reader.graph.assign(reader.body.result, op.COPY, reader.value(child))
        return -1

    def _throw(self, node: Node) -> int:
        reader = self.reader
        for child in reader.parts(node)[:1]:
            value = reader.value(child)
            raises = reader.graph.symbol("raises")
            reader.graph.effect(op.MENTION, value, reader.line(child), reader.owner, raises)
        return -1
