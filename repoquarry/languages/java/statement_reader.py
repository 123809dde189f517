"""Reader of Java statements: converts tree-sitter nodes to nodes of the reduced tree."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node as Syntax

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.definition_stack import DefinitionStack, DepthCounter, first, line_of, named, text_of
from repoquarry.languages.java.expression_reader import (
    ClassBodyReader,
    JavaExpressionReader,
    brackets,
    declared_type,
    pattern_of,
)
from repoquarry.languages.java.reduced_tree import Expression, Pattern, Statement

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
        self._read: dict[str, Callable[[Syntax], Statement | None]] = {
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
            "return_statement": lambda node: tree.Return(self._only(node)),
            "yield_statement": lambda node: tree.Yield(self._only(node)),
            "throw_statement": lambda node: self._do(next(iter(named(node)), None)),
            "assert_statement": lambda node: tree.Do(tree.Several(self.expressions.all(named(node)))),
            "synchronized_statement": self._parts,
            "try_statement": self._try,
            "try_with_resources_statement": self._try,
            "switch_expression": lambda node: tree.Do(self.switch(node)),
            "explicit_constructor_invocation": self._construct,
            "class_declaration": self._class_here,
            "interface_declaration": self._class_here,
            "enum_declaration": self._class_here,
            "record_declaration": self._class_here,
        }

    def statement(self, node: Syntax | None) -> Statement | None:
        """Return a statement; None where it holds nothing that matters."""
        if node is None:
            return None
        read = self._read.get(node.type)
        if node.type in _BRANCHES:
            self._definitions.count(branches=1)
        if read is not None:
            return self._nesting.read(read, node)
        return self._do(node) if self.expressions.reads(node.type) or node.type == "ERROR" else None

    def block(self, node: Syntax) -> tree.Block:
        """Return the statements of a block."""
        return tree.Block([found for child in named(node) if (found := self.statement(child)) is not None])

    def switch(self, node: Syntax) -> tree.Switch:
        """Cases, each with its condition and its statements."""
        cases = []
        written = node.child_by_field_name("body")
        for child in named(written) if written is not None else ():
            if child.type in _BRANCHES:
                self._definitions.count(branches=1)
            labels: list[Expression | Pattern | None] = []
            statements: list[Statement] = []
            for one in named(child):
                if one.type == "switch_label":
                    labels += self._labels(one)
                elif (read := self.statement(one)) is not None:
                    statements.append(read)
            body: tree.Yield | tree.Block = tree.Block(statements)
            if child.type == "switch_rule" and statements and isinstance(only := statements[0], tree.Do):
                body = tree.Yield(only.value)
            cases.append(tree.Case(labels, body))
        return tree.Switch(self.expressions.expression(node.child_by_field_name("condition")), cases, line_of(node))

    def _labels(self, node: Syntax) -> list[Expression | Pattern | None]:
        out: list[Expression | Pattern | None] = []
        for child in named(node):
            if child.type == "pattern":
                out.append(pattern_of(child))
            elif child.type == "guard":
                out += self.expressions.all(named(child))
            else:
                out.append(self.expressions.expression(child))
        return out

    def _only(self, node: Syntax) -> Expression | None:
        return self.expressions.expression(next(iter(named(node)), None))

    def _do(self, node: Syntax | None) -> tree.Do | None:
        found = self.expressions.expression(node)
        return tree.Do(found) if found is not None else None

    def _parts(self, node: Syntax) -> tree.Block:
        """Conditions and bodies, in the order in which they stand."""
        out: list[Statement] = []
        for child in named(node):
            found = self.statement(child) if child.type in self._read else self._do(child)
            if found is not None:
                out.append(found)
        return tree.Block(out, has_scope=False)

    def _local(self, node: Syntax) -> tree.Local:
        declarators = []
        for one in node.children_by_field_name("declarator"):
            name = one.child_by_field_name("name")
            value = self.expressions.expression(one.child_by_field_name("value"))
            dimensions = brackets(one.child_by_field_name("dimensions"))
            declarators.append(tree.Declarator(text_of(name) if name else "", dimensions, value))
        return tree.Local(declared_type(node), declarators)

    def _for(self, node: Syntax) -> tree.For:
        init: list[Statement] = []
        for child in node.children_by_field_name("init"):
            found = self.statement(child) if child.type in self._read else self._do(child)
            init += [found] if found is not None else []
        condition = self.expressions.expression(node.child_by_field_name("condition"))
        update = self.expressions.all(node.children_by_field_name("update"))
        return tree.For(init, condition, update, self.statement(node.child_by_field_name("body")))

    def _for_each(self, node: Syntax) -> tree.ForEach:
        name = node.child_by_field_name("name")
        value = self.expressions.expression(node.child_by_field_name("value"))
        body = self.statement(node.child_by_field_name("body"))
        return tree.ForEach(declared_type(node), text_of(name) if name else "", value, body, line_of(node))

    def _try(self, node: Syntax) -> tree.Try:
        resources: list[tree.Resource] = []
        catches: list[tree.Catch] = []
        written = node.child_by_field_name("resources")
        for one in named(written) if written is not None else ():
            name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
            if name is None:
                resources.append(tree.Resource(None, None, self._only(one)))
            else:
                resources.append(tree.Resource(declared_type(one), text_of(name), self.expressions.expression(value)))
        body = self.statement(node.child_by_field_name("body"))
        for clause in (child for child in named(node) if child.type == "catch_clause"):
            self._definitions.count(branches=1)
            caught = first(clause, "catch_formal_parameter")
            name = caught.child_by_field_name("name") if caught is not None else None
            type_ = declared_type(caught) if caught is not None else None
            handler = self.statement(clause.child_by_field_name("body"))
            catches.append(tree.Catch(type_, text_of(name) if name else "", handler))
        last = first(node, "finally_clause")
        end = self.statement(first(last, "block")) if last is not None else None
        return tree.Try(resources, body, catches, end)

    def _construct(self, node: Syntax) -> tree.Construct:
        which, outer = node.child_by_field_name("constructor"), node.child_by_field_name("object")
        word = which.type if which is not None else "super"
        arguments = self.expressions.arguments(node.child_by_field_name("arguments"))
        return tree.Construct(word, arguments, line_of(node), self.expressions.expression(outer))

    def _class_here(self, node: Syntax) -> tree.LocalClass:
        return tree.LocalClass(self._classes.class_here(node))
