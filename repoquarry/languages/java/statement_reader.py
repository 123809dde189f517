"""Reader of Java statements: converts tree-sitter nodes to nodes of the reduced tree."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node as Syntax

from repoquarry.languages.java import reduced_tree
from repoquarry.languages.java.definition_stack import DefinitionStack, DepthCounter, first, line_of, named, text_of
from repoquarry.languages.java.expression_reader import (
    ClassBodyReader,
    JavaExpressionReader,
    brackets,
    declared_type,
    pattern_of,
)
from repoquarry.languages.java.reduced_tree import Node

_BRANCHES = {
    "if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "catch_clause", "ternary_expression",
    "switch_rule", "switch_block_statement_group",
}  # fmt: skip


class JavaStatementReader:
    """Reads statements, and with them the expressions of bodies."""

    def __init__(self, definitions: DefinitionStack, classes: ClassBodyReader) -> None:
        self._definitions = definitions
        self._classes = classes
        self._nesting = DepthCounter(definitions)
        self.expressions = JavaExpressionReader(definitions, self._nesting, self, classes)
        self._read: dict[str, Callable[[Syntax], Node | None]] = {
            "block": self.block,
            "constructor_body": self.block,
            "expression_statement": lambda node: self._do(next(iter(named(node)), None)),
            "local_variable_declaration": self._local,
            "if_statement": self._parts,
            "while_statement": self._parts,
            "do_statement": self._parts,
            "labeled_statement": lambda node: self.statement(named(node)[-1]),
            "for_statement": self._for,
            "enhanced_for_statement": self._for_each,
            "return_statement": lambda node: [
                reduced_tree.RETURN,
                self.expressions.expression(next(iter(named(node)), None)),
            ],
            "yield_statement": lambda node: [
                reduced_tree.YIELD,
                self.expressions.expression(next(iter(named(node)), None)),
            ],
            "throw_statement": lambda node: self._do(next(iter(named(node)), None)),
            "assert_statement": lambda node: [
                reduced_tree.DO,
                [reduced_tree.SEVERAL, self.expressions.all(named(node))],
            ],
            "synchronized_statement": self._parts,
            "try_statement": self._try,
            "try_with_resources_statement": self._try,
            "switch_expression": lambda node: [reduced_tree.DO, self.switch(node)],
            "explicit_constructor_invocation": self._construct,
            "class_declaration": self._class_here,
            "interface_declaration": self._class_here,
            "enum_declaration": self._class_here,
            "record_declaration": self._class_here,
        }

    def statement(self, node: Syntax | None) -> Node | None:
        """Return a statement; None where it holds nothing that matters."""
        if node is None:
            return None
        read = self._read.get(node.type)
        if node.type in _BRANCHES:
            self._definitions.count(branches=1)
        if read is not None:
            return self._nesting.read(read, node)
        return self._do(node) if self.expressions.reads(node.type) or node.type == "ERROR" else None

    def block(self, node: Syntax) -> Node:
        """Return the statements of a block."""
        return [reduced_tree.BLOCK, [found for child in named(node) if (found := self.statement(child)) is not None]]

    def switch(self, node: Syntax) -> Node:
        """Cases, each with its condition and its statements."""
        cases = []
        body = node.child_by_field_name("body")
        for child in named(body) if body is not None else ():
            if child.type in _BRANCHES:
                self._definitions.count(branches=1)
            labels: list[Node | None] = []
            statements: list[Node] = []
            for one in named(child):
                if one.type == "switch_label":
                    labels += self._labels(one)
                elif (read := self.statement(one)) is not None:
                    statements.append(read)
            value = (
                statements[0][1]
                if child.type == "switch_rule" and statements and statements[0][0] == reduced_tree.DO
                else None
            )
            cases.append(
                [
                    reduced_tree.CASE,
                    labels,
                    [reduced_tree.YIELD, value] if value is not None else [reduced_tree.BLOCK, statements],
                ]
            )
        return [
            reduced_tree.SWITCH,
            self.expressions.expression(node.child_by_field_name("condition")),
            cases,
            line_of(node),
        ]

    def _labels(self, node: Syntax) -> list[Node | None]:
        out: list[Node | None] = []
        for child in named(node):
            if child.type == "pattern":
                out.append(pattern_of(child))
            elif child.type == "guard":
                out += self.expressions.all(named(child))
            else:
                out.append(self.expressions.expression(child))
        return out

    def _do(self, node: Syntax | None) -> Node | None:
        found = self.expressions.expression(node)
        return [reduced_tree.DO, found] if found is not None else None

    def _parts(self, node: Syntax) -> Node:
        """Conditions and bodies, in the order in which they stand."""
        out = []
        for child in named(node):
            found = self.statement(child) if child.type in self._read else self._do(child)
            if found is not None:
                out.append(found)
        return [reduced_tree.BLOCK, out, False]

    def _local(self, node: Syntax) -> Node:
        declarators = []
        for one in node.children_by_field_name("declarator"):
            name = one.child_by_field_name("name")
            value = self.expressions.expression(one.child_by_field_name("value"))
            dimensions = brackets(one.child_by_field_name("dimensions"))
            declarators.append([text_of(name) if name else "", dimensions, value, line_of(one)])
        return [reduced_tree.LOCAL, declared_type(node), declarators]

    def _for(self, node: Syntax) -> Node:
        init = []
        for child in node.children_by_field_name("init"):
            found = self.statement(child) if child.type in self._read else self._do(child)
            init += [found] if found is not None else []
        condition = self.expressions.expression(node.child_by_field_name("condition"))
        update = self.expressions.all(node.children_by_field_name("update"))
        return [reduced_tree.FOR, init, condition, update, self.statement(node.child_by_field_name("body"))]

    def _for_each(self, node: Syntax) -> Node:
        name = node.child_by_field_name("name")
        value = self.expressions.expression(node.child_by_field_name("value"))
        body = self.statement(node.child_by_field_name("body"))
        return [reduced_tree.FOR_EACH, declared_type(node), text_of(name) if name else "", value, body, line_of(node)]

    def _try(self, node: Syntax) -> Node:
        resources: list[Node] = []
        catches: list[Node] = []
        written = node.child_by_field_name("resources")
        for one in named(written) if written is not None else ():
            name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
            if name is None:
                resources.append([None, None, self.expressions.expression(next(iter(named(one)), None))])
            else:
                resources.append([declared_type(one), text_of(name), self.expressions.expression(value)])
        body = self.statement(node.child_by_field_name("body"))
        for clause in (child for child in named(node) if child.type == "catch_clause"):
            self._definitions.count(branches=1)
            caught = first(clause, "catch_formal_parameter")
            name = caught.child_by_field_name("name") if caught is not None else None
            type_ = declared_type(caught) if caught is not None else None
            catches.append([type_, text_of(name) if name else "", self.statement(clause.child_by_field_name("body"))])
        last = first(node, "finally_clause")
        end = self.statement(first(last, "block")) if last is not None else None
        return [reduced_tree.TRY, resources, body, catches, end]

    def _construct(self, node: Syntax) -> Node:
        which, outer = node.child_by_field_name("constructor"), node.child_by_field_name("object")
        word = which.type if which is not None else "super"
        arguments = self.expressions.arguments(node.child_by_field_name("arguments"))
        return [reduced_tree.CONSTRUCT, word, arguments, line_of(node), self.expressions.expression(outer)]

    def _class_here(self, node: Syntax) -> Node:
        return [reduced_tree.CLASS_HERE, self._classes.class_here(node)]
