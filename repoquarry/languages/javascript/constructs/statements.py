"""Statements: declarations, blocks, expressions, results."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.patterns import Patterns
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.narrowing import Conditions
from repoquarry.languages.javascript.typing.types import Types

_SILENT = ("comment", "break_statement", "continue_statement", "empty_statement", "debugger_statement")


class Statements:
    """Reads statements."""

    def __init__(
        self,
        reader: Reader,
        types: Types,
        contexts: Contexts,
        documented: DocumentedTypes,
        conditions: Conditions,
        patterns: Patterns,
    ) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.documented = documented
        self.conditions = conditions
        self.patterns = patterns
        for kind in _SILENT:
            reader.handlers[kind] = lambda node: -1
        for kind in ("lexical_declaration", "using_declaration", "variable_declaration"):
            reader.handlers[kind] = self._declaration
        reader.handlers |= {
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
        if held >= 0:
            self.patterns.declare(name, held, in_function=is_var)
        elif not text:
            self.patterns.declare(name, reader.nothing(), in_function=is_var)

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
        """An expression for its effects; a call may only come back where something holds."""
        for child in self.reader.enclose(node):
            self.reader.value(child)
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
