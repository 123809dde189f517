"""Visitors that turn JavaScript statements, assignments, branches and loops into points-to constraints."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState, property_key
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.typing.contextual_typing import ContextualTyping
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.narrowing import ConditionNarrower, TypeNarrowing
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.bindings import JavaScriptPatternVisitor
from repoquarry.languages.javascript.visitors.classes import JavaScriptPrototypeVisitor
from repoquarry.languages.javascript.visitors.modules import JavaScriptCommonJsVisitor

#: properties whose functions run for an event: `onclick`, `onmessage`
_EVENT_PROPERTY = re.compile(r"on[a-z]{3,}")
_CHOOSING = frozenset(("||=", "&&=", "??="))


@dataclass(eq=False, repr=False)
class JavaScriptAssignmentVisitor:
    """Visitor of assignments."""

    reader: JavaScriptExtractionState
    documented: DocumentedTypes
    commonjs: JavaScriptCommonJsVisitor
    prototypes: JavaScriptPrototypeVisitor
    patterns: JavaScriptPatternVisitor

    def __post_init__(self) -> None:
        self.reader.handlers |= {
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
            "update_expression": self._update,
        }

    def _assignment(self, node: Node) -> int:
        reader = self.reader
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return reader.values(node.named_children)
        statement = self._statement_of(node)
        value = self._assigned(left, right, statement)
        if statement is not None and (tags := self.documented.tags(statement)) is not None:
            value = self.documented.declared(tags.type, node, value)
        if _EVENT_PROPERTY.fullmatch(reader.text(left.child_by_field_name("property") or left)):
            reader.mention_handler(right, value)
        if not self.commonjs.assign(left, value) and not self.prototypes.assign(left, right):
            self.patterns.assign(left, value)
            if statement is not None and reader.kind(left) == "identifier":
                reader.scopes.fix(reader.text(left), value)
        return value

    def _assigned(self, left: Node, right: Node, statement: Node | None) -> int:
        """Return the right side; a function that is assigned to a property is called on the object that has it."""
        reader = self.reader
        kind = reader.kind(left)
        if kind == "identifier":
            return reader.named_value(right, reader.text(left), start=statement)
        if kind not in ("member_expression", "subscript_expression"):
            return reader.value(right)
        name = left.child_by_field_name("property")
        index = left.child_by_field_name("index")
        text = reader.text(name) if name is not None else self._key(index) if index is not None else ""
        inner = right
        while reader.kind(inner) == "parenthesized_expression" and reader.parts(inner):
            inner = reader.parts(inner)[0]
        receiver = -1
        if reader.kind(inner) in FUNCTIONS and reader.kind(inner) != "arrow_function":
            receiver = self.prototypes.receiver(left)
        own = inner.child_by_field_name("name") if reader.kind(inner) in FUNCTIONS else None
        holder = self.prototypes.holder(left) if own is None or reader.text(own) == text else ""
        if own is not None:
            text = reader.text(own)
        return reader.named_value(right, text, receiver=receiver, start=statement, holder=holder)

    def _key(self, index: Node) -> str:
        """Return the name of what is assigned under a key: a constant, or the key as it is written, `[method]`."""
        constant = property_key(self.reader, index, computed=True)
        return constant or f"[{self.reader.text(index)}]" if index.child_count == 0 or constant else ""

    def _statement_of(self, node: Node) -> Node | None:
        """The statement that an expression is all of, to which a comment above it belongs; None for a part of another."""
        around = self.reader.around.get(node.id)
        return around if around is not None and self.reader.kind(around) == "expression_statement" else None

    def _augmented(self, node: Node) -> int:
        reader = self.reader
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return reader.values(node.named_children)
        before, value = reader.value(left), self._assigned(left, right, self._statement_of(node))
        sign = node.child_by_field_name("operator")
        if sign is None or reader.text(sign) not in _CHOOSING:
            return self._set(left)
        self.patterns.assign(left, value)
        return reader.graph.copies((before, value))

    def _update(self, node: Node) -> int:
        """`o.count++` reads and sets."""
        target = node.child_by_field_name("argument")
        self.reader.values(node.named_children)
        return self._set(target) if target is not None else self.reader.nothing()

    def _set(self, target: Node) -> int:
        """Set a property to a value that says nothing: its setter runs."""
        reader = self.reader
        name = target.child_by_field_name("property") if reader.kind(target) == "member_expression" else None
        if name is not None:
            receiver = reader.value(target.child_by_field_name("object"))
            reader.graph.effect(
                op.SETATTR, receiver, reader.symbol(name), reader.nothing(), reader.line(name), reader.owner
            )
        return reader.nothing()


_LEAVING = frozenset(("return_statement", "throw_statement", "break_statement", "continue_statement"))


@dataclass(eq=False, repr=False)
class JavaScriptBranchVisitor:
    """Visitor of statements that lead several ways."""

    reader: JavaScriptExtractionState
    conditions: ConditionNarrower
    patterns: JavaScriptPatternVisitor

    def __post_init__(self) -> None:
        for kind in ("do_statement", "catch_clause"):
            self.reader.handlers[kind] = self._branch
        for kind in ("while_statement", "for_statement"):
            self.reader.handlers[kind] = self._loop
        self.reader.handlers |= {
            "if_statement": self._if,
            "for_in_statement": self._for_in,
            "switch_statement": self._switch,
        }

    def _branch(self, node: Node) -> int:
        reader = self.reader
        reader.body.branches += 1
        reader.scopes.enter()
        if reader.kind(node) == "do_statement":
            reader.scopes.widen_assigned(reader.text(node))
        parameter = node.child_by_field_name("parameter")
        if parameter is not None:
            self.patterns.declare(parameter, reader.nothing())
        for child in reader.parts(node):
            if parameter is None or child.id != parameter.id:
                reader.value(child)
        reader.scopes.leave()
        return -1

    def _loop(self, node: Node) -> int:
        """Facts of a condition that hold in the body, and not where the next iteration begins."""
        reader = self.reader
        reader.body.branches += 1
        reader.scopes.widen_assigned(reader.text(node))
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
        """Visit a switch statement; `switch (true)` narrows in the body of a case that no other case falls into."""
        reader, conditions = self.reader, self.conditions
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        if value is None or body is None:
            return reader.values(node.named_children)
        reader.value(value)
        is_condition, falls_through = reader.kind(reader.first(value) or value) == "true", False
        reader.scopes.enter()
        for case in reader.parts(body):
            if reader.kind(case) not in ("switch_case", "switch_default"):
                continue
            reader.body.branches += reader.kind(case) == "switch_case"
            tested = case.child_by_field_name("value")
            reader.value(tested)
            if is_condition and tested is not None and not falls_through:
                conditions.apply(conditions.of(tested), truth=True)
            statements = [child for child in reader.parts(case) if child != tested]
            reader.statements(statements)
            reader.scopes.current.narrowed.clear()
            falls_through = not (statements and self._leaves(statements[-1]))
        reader.scopes.leave()
        return -1

    def _if(self, node: Node) -> int:
        reader = self.reader
        # chains of `else if` are as deep as they are long, so they are walked
        opened = 0
        here: Node | None = node
        behind: list[tuple[list[TypeNarrowing], bool]] = []
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
        """Return whether what follows a block is not reached from it."""
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
        reader.scopes.widen_assigned(reader.text(node))
        reader.scopes.enter()
        if sign is not None and reader.text(sign) == "of":
            element = reader.graph.rooted(op.EACH, source, reader.line(right), reader.owner)
            if reader.has_token(node, "await"):
                element = reader.graph.value(op.AWAIT, element, reader.line(node), reader.owner)
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


_SILENT = ("comment", "break_statement", "continue_statement", "empty_statement", "debugger_statement")


@dataclass(eq=False, repr=False)
class JavaScriptStatementVisitor:
    """Visitor of statements."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    documented: DocumentedTypes
    conditions: ConditionNarrower
    patterns: JavaScriptPatternVisitor

    def __post_init__(self) -> None:
        self.is_component = self.reader.path.endswith((".vue", ".svelte"))
        for kind in _SILENT:
            self.reader.handlers[kind] = lambda node: -1
        for kind in ("lexical_declaration", "using_declaration", "variable_declaration"):
            self.reader.handlers[kind] = self._declaration
        self.reader.handlers |= {
            "statement_block": self._block,
            "expression_statement": self._expression,
            "return_statement": self._return,
            "throw_statement": self._throw,
            "labeled_statement": self._labeled,
            "ambient_declaration": self._ambient,
        }

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
        expected = self.contexts.of_type(annotation)
        self.contexts.expect(value, expected)
        held = reader.named_value(value, text, start=start) if value is not None else -1
        if held >= 0 and expected >= 0 and self.contexts.is_written(value):
            self.contexts.offer_expected(held, expected)
        if annotation is not None:
            typed = self.types.annotated(annotation) if held < 0 else self.types.declared(annotation, held)
            held = typed
        elif held >= 0 and (tags := self.documented.tags(start)) is not None:
            held = self.documented.declared(tags.type, node, held)
        is_typed = annotation is not None or self.documented.tags(start) is not None
        if held >= 0:
            self.patterns.declare(name, held, in_function=is_var)
        elif not text:
            self.patterns.declare(name, reader.nothing(), in_function=is_var)
        if text and not is_typed and not reader.has_token(statement, "const"):
            reader.scopes.open(text, held)

    def _ambient(self, node: Node) -> int:
        """`declare ...`."""
        for child in self.reader.enclose(node):
            self.reader.value(child)
        return -1

    def _block(self, node: Node) -> int:
        reader = self.reader
        reader.scopes.enter()
        reader.statements(node.named_children)
        reader.scopes.leave()
        return -1

    def _expression(self, node: Node) -> int:
        """Return an expression for its effects; a call may only come back where something holds."""
        for child in self.reader.enclose(node):
            value = self.reader.value(child)
            if self.is_component:
                self.reader.mention_handler(child, value)
            if self.contexts.is_read and self.reader.kind(child) == "call_expression":
                self.conditions.assure(child)
            del self.reader.around[child.id]
        return -1

    def _labeled(self, node: Node) -> int:
        return self.reader.value(node.child_by_field_name("body"))

    def _return(self, node: Node) -> int:
        reader = self.reader
        for child in reader.parts(node)[:1]:
            self.contexts.expect(child, reader.body.expected)
            reader.graph.assign(reader.body.result, op.COPY, reader.value(child))
        return -1

    def _throw(self, node: Node) -> int:
        reader = self.reader
        for child in reader.parts(node)[:1]:
            value = reader.value(child)
            raises = reader.graph.symbol("raises")
            reader.graph.effect(op.MENTION, value, reader.line(child), reader.owner, raises)
        return -1
