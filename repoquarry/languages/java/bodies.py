"""Expressions and statements -> the reduced tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tree_sitter import Node as Syntax

from repoquarry.languages.java import tree
from repoquarry.languages.java.grammar import first, line_of, named, text_of
from repoquarry.languages.java.tree import Node
from repoquarry.languages.java.types import TYPES, brackets, declared_type, type_of

#: deeper nesting of syntax is left out
MAX_NESTING = 400
_LITERALS = {
    "decimal_integer_literal": "int", "hex_integer_literal": "int", "octal_integer_literal": "int", "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double", "hex_floating_point_literal": "double", "true": "boolean", "false": "boolean",
    "character_literal": "char", "string_literal": "String", "text_block": "String", "template_expression": "String", "null_literal": "null",
}  # fmt: skip
_BRANCHES = {
    "if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement", "catch_clause", "ternary_expression",
    "switch_rule", "switch_block_statement_group",
}  # fmt: skip


class Opener(Protocol):
    """What makes definitions of classes and lambdas that stand in bodies."""

    def open_lambda(self, node: Syntax) -> int:
        """A definition for a lambda, whose body follows; `close` ends it."""

    def close(self) -> None:
        """Ends the innermost definition."""

    def class_here(self, node: Syntax) -> Node:
        """The CLASS node of a local class."""

    def anonymous(self, node: Syntax, body: Syntax) -> Node:
        """The CLASS node of an anonymous class with that body."""

    def count(self, *, branches: int = 0, calls: int = 0) -> None:
        """Counts for the innermost definition."""

    def complain(self, node: Syntax, message: str) -> None:
        """Records what could not be read."""


class Bodies:
    """Reads expressions and statements."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._depth = 0
        self._expressions: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": lambda node: [tree.NAME, text_of(node), line_of(node)],
            "this": lambda node: [tree.THIS, None],
            "super": lambda node: [tree.SUPER, None],
            "field_access": self._field_access,
            "scoped_identifier": self._scoped,
            "method_invocation": self._call,
            "object_creation_expression": self._creation,
            "array_creation_expression": self._array_creation,
            "array_initializer": lambda node: [tree.ARRAY, None, self._all(named(node))],
            "array_access": lambda node: [tree.INDEX, *self._fields(node, "array", "index")],
            "assignment_expression": self._assignment,
            "binary_expression": self._binary,
            "unary_expression": lambda node: [tree.UNARY, node.children[0].type, *self._fields(node, "operand")],
            "update_expression": lambda node: [tree.UNARY, "++", *self._all(named(node)[:1])],
            "cast_expression": self._cast,
            "instanceof_expression": self._instanceof,
            "ternary_expression": self._conditional,
            "lambda_expression": self._lambda,
            "method_reference": self._reference,
            "parenthesized_expression": lambda node: self.expression(next(iter(named(node)), None)),
            "class_literal": lambda node: [tree.CLASS_LITERAL, type_of(node.named_children[0])],
            "switch_expression": self._switch,
        }
        self._statements: dict[str, Callable[[Syntax], Node | None]] = {
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
            "return_statement": lambda node: [tree.RETURN, self.expression(next(iter(named(node)), None))],
            "yield_statement": lambda node: [tree.YIELD, self.expression(next(iter(named(node)), None))],
            "throw_statement": lambda node: self._do(next(iter(named(node)), None)),
            "assert_statement": lambda node: [tree.DO, [tree.SEVERAL, self._all(named(node))]],
            "synchronized_statement": self._parts,
            "try_statement": self._try,
            "try_with_resources_statement": self._try,
            "switch_expression": lambda node: [tree.DO, self._switch(node)],
            "explicit_constructor_invocation": self._construct,
            "class_declaration": self._class_here,
            "interface_declaration": self._class_here,
            "enum_declaration": self._class_here,
            "record_declaration": self._class_here,
        }

    # ---- entry

    def expression(self, node: Syntax | None) -> Node | None:
        """An expression; None where there is none or it is nested too deeply."""
        if node is None:
            return None
        kind = node.type
        if kind in _LITERALS:
            text = _LITERALS[kind]
            if kind.endswith("integer_literal") and (node.text or b"")[-1:] in b"lL":
                text = "long"
            elif kind.endswith("point_literal") and (node.text or b"")[-1:] in b"fF":
                text = "float"
            return [tree.LITERAL, text]
        read = self._expressions.get(kind)
        if read is None:
            return [tree.SEVERAL, self._all(named(node))] if node.named_child_count else None
        return self._nested(read, node)

    def statement(self, node: Syntax | None) -> Node | None:
        """A statement; None where it holds nothing that matters."""
        if node is None:
            return None
        read = self._statements.get(node.type)
        if node.type in _BRANCHES:
            self._opener.count(branches=1)
        if read is not None:
            return self._nested(read, node)
        return self._do(node) if node.type in self._expressions or node.type == "ERROR" else None

    def block(self, node: Syntax) -> Node:
        """The statements of a block."""
        return [tree.BLOCK, [found for child in named(node) if (found := self.statement(child)) is not None]]

    def arguments(self, node: Syntax | None) -> list[Node | None]:
        """The values of an argument list."""
        return self._all(named(node)) if node is not None else []

    def _nested(self, read: Callable[[Syntax], Node | None], node: Syntax) -> Node | None:
        if self._depth >= MAX_NESTING:
            self._opener.complain(node, f"nested deeper than {MAX_NESTING} levels: what follows was left out")
            return None
        self._depth += 1
        found = read(node)
        self._depth -= 1
        return found

    def _all(self, nodes: list[Syntax]) -> list[Node | None]:
        return [self.expression(node) for node in nodes]

    def _fields(self, node: Syntax, *names: str) -> list[Node | None]:
        return [self.expression(node.child_by_field_name(name)) for name in names]

    # ---- expressions

    def _field_access(self, node: Syntax) -> Node:
        field, target = node.child_by_field_name("field"), node.child_by_field_name("object")
        if field is not None and field.type == "this":
            return [tree.THIS, text_of(target) if target else None]
        if any(child.type == "super" for child in node.children) and target is not None and target.type != "super":
            return [tree.FIELD, [tree.SUPER, text_of(target)], text_of(field) if field else "", line_of(node)]
        return [tree.FIELD, self.expression(target), text_of(field) if field else "", line_of(field or node)]

    def _scoped(self, node: Syntax) -> Node:
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        return [tree.FIELD, self.expression(scope), text_of(name) if name else "", line_of(node)]

    def _call(self, node: Syntax) -> Node:
        self._opener.count(calls=1)
        name, target = node.child_by_field_name("name"), node.child_by_field_name("object")
        receiver = self.expression(target)
        if target is not None and target.type != "super" and any(child.type == "super" for child in node.children):
            receiver = [tree.SUPER, text_of(target)]
        written = node.child_by_field_name("type_arguments")
        types = [type_of(one) for one in named(written)] if written else None
        arguments = self.arguments(node.child_by_field_name("arguments"))
        return [tree.CALL, receiver, text_of(name) if name else "", arguments, line_of(name or node), types]

    def _creation(self, node: Syntax) -> Node:
        self._opener.count(calls=1)
        children = named(node)
        written = node.child_by_field_name("type")
        outer = children[0] if children and children[0] != written and children[0].type not in TYPES else None
        if outer is not None and outer.type in (
            "argument_list",
            "class_body",
            "type_arguments",
            "marker_annotation",
            "annotation",
        ):
            outer = None
        body = first(node, "class_body")
        around = self.expression(outer)
        arguments = self.arguments(node.child_by_field_name("arguments"))
        made = self._opener.anonymous(node, body) if body is not None else None
        type_ = type_of(written) if written is not None else ["Object", None, 0]
        return [tree.NEW, type_, arguments, line_of(node), made, around]

    def _array_creation(self, node: Syntax) -> Node:
        element, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        dimensions, sizes = 0, []
        for child in named(node):
            if child.type == "dimensions_expr":
                dimensions += 1
                sizes += self._all(named(child))
            elif child.type == "dimensions":
                dimensions += brackets(child)
        elements = self._all(named(value)) if value is not None else sizes
        return [tree.ARRAY, type_of(element, dimensions) if element is not None else None, elements]

    def _assignment(self, node: Syntax) -> Node:
        operator = node.child_by_field_name("operator")
        return [tree.ASSIGN, *self._fields(node, "left", "right"), operator.type if operator else "="]

    def _binary(self, node: Syntax) -> Node:
        """A chain of one operator is one node: `a + b + c` nests no deeper than `a + b`."""
        operator = node.child_by_field_name("operator")
        sign = operator.type if operator else ""
        operands, left = [], node
        while left.type == "binary_expression":
            own = left.child_by_field_name("operator")
            if own is None or own.type != sign:
                break
            operands.append(left.child_by_field_name("right"))
            below = left.child_by_field_name("left")
            if below is None:
                break
            left = below
        operands.append(left)
        return [tree.BINARY, sign, [self.expression(one) for one in reversed(operands)]]

    def _cast(self, node: Syntax) -> Node:
        value = node.child_by_field_name("value")
        types = [type_of(child) for child in named(node) if child.type in TYPES and child != value]
        return [tree.CAST, types[0] if len(types) == 1 else ["&", types, 0], self.expression(value)]

    def _instanceof(self, node: Syntax) -> Node:
        right, name = node.child_by_field_name("right"), node.child_by_field_name("name")
        pattern = node.child_by_field_name("pattern")
        value = self.expression(node.child_by_field_name("left"))
        type_ = type_of(right) if right is not None else None
        made = self._pattern(pattern) if pattern is not None else None
        if name is not None:
            made = [tree.PATTERN, type_, text_of(name), None]
        return [tree.INSTANCE, value, type_, made]

    def _pattern(self, node: Syntax) -> Node:
        if node.type == "pattern":
            inner = named(node)
            return self._pattern(inner[0]) if inner else [tree.PATTERN, None, None, None]
        if node.type == "record_pattern":
            name, body = named(node)[0], first(node, "record_pattern_body")
            type_ = type_of(name) if name.type in TYPES else [text_of(name), None, 0]
            parts = [self._pattern(child) for child in named(body)] if body is not None else []
            return [tree.PATTERN, type_, None, parts]
        children = named(node)
        written = next((child for child in children if child.type in TYPES), None)
        bound = next((child for child in children if child.type == "identifier"), None)
        return [tree.PATTERN, type_of(written) if written else None, text_of(bound) if bound else None, None]

    def _conditional(self, node: Syntax) -> Node:
        self._opener.count(branches=1)
        return [tree.CONDITIONAL, *self._fields(node, "condition", "consequence", "alternative")]

    def _lambda(self, node: Syntax) -> Node:
        definition = self._opener.open_lambda(node)
        written, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
        parameters: list[Node] = []
        if written is not None and written.type == "identifier":
            parameters = [[text_of(written), None]]
        elif written is not None and written.type == "inferred_parameters":
            parameters = [[text_of(child), None] for child in named(written)]
        elif written is not None:
            parameters = parameters_of(written)
        read = self.block(body) if body is not None and body.type == "block" else self.expression(body)
        self._opener.close()
        return [tree.LAMBDA, parameters, read, definition, line_of(node)]

    def _reference(self, node: Syntax) -> Node:
        children = [child for child in node.children if child.is_named or child.type in ("new", "super", "this")]
        target, name = children[0], children[-1]
        word = "new" if name.type == "new" else text_of(name)
        is_type = target.type in TYPES
        value = None if is_type else self.expression(target)
        return [tree.REFERENCE, value, type_of(target) if is_type else None, word, line_of(name)]

    def _switch(self, node: Syntax) -> Node:
        cases = []
        body = node.child_by_field_name("body")
        for child in named(body) if body is not None else ():
            if child.type in _BRANCHES:
                self._opener.count(branches=1)
            labels: list[Node | None] = []
            statements: list[Node] = []
            for one in named(child):
                if one.type == "switch_label":
                    labels += self._labels(one)
                elif (read := self.statement(one)) is not None:
                    statements.append(read)
            value = (
                statements[0][1] if child.type == "switch_rule" and statements and statements[0][0] == tree.DO else None
            )
            cases.append([tree.CASE, labels, [tree.YIELD, value] if value is not None else [tree.BLOCK, statements]])
        return [tree.SWITCH, self.expression(node.child_by_field_name("condition")), cases, line_of(node)]

    def _labels(self, node: Syntax) -> list[Node | None]:
        out: list[Node | None] = []
        for child in named(node):
            if child.type == "pattern":
                out.append(self._pattern(child))
            elif child.type == "guard":
                out += self._all(named(child))
            elif child.type != "identifier":  # constants of an enumeration call nothing
                out.append(self.expression(child))
        return out

    # ---- statements

    def _do(self, node: Syntax | None) -> Node | None:
        found = self.expression(node)
        return [tree.DO, found] if found is not None else None

    def _parts(self, node: Syntax) -> Node:
        """Conditions and bodies, in the order in which they stand."""
        out = []
        for child in named(node):
            found = self.statement(child) if child.type in self._statements else self._do(child)
            if found is not None:
                out.append(found)
        return [tree.BLOCK, out, False]

    def _local(self, node: Syntax) -> Node:
        declarators = []
        for one in node.children_by_field_name("declarator"):
            name = one.child_by_field_name("name")
            value = self.expression(one.child_by_field_name("value"))
            dimensions = brackets(one.child_by_field_name("dimensions"))
            declarators.append([text_of(name) if name else "", dimensions, value, line_of(one)])
        return [tree.LOCAL, declared_type(node), declarators]

    def _for(self, node: Syntax) -> Node:
        init = []
        for child in node.children_by_field_name("init"):
            found = self.statement(child) if child.type in self._statements else self._do(child)
            init += [found] if found is not None else []
        condition = self.expression(node.child_by_field_name("condition"))
        update = self._all(node.children_by_field_name("update"))
        return [tree.FOR, init, condition, update, self.statement(node.child_by_field_name("body"))]

    def _for_each(self, node: Syntax) -> Node:
        name = node.child_by_field_name("name")
        value = self.expression(node.child_by_field_name("value"))
        body = self.statement(node.child_by_field_name("body"))
        return [tree.FOR_EACH, declared_type(node), text_of(name) if name else "", value, body, line_of(node)]

    def _try(self, node: Syntax) -> Node:
        resources: list[Node] = []
        catches: list[Node] = []
        written = node.child_by_field_name("resources")
        for one in named(written) if written is not None else ():
            name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
            if name is None:
                resources.append([None, None, self.expression(next(iter(named(one)), None))])
            else:
                resources.append([declared_type(one), text_of(name), self.expression(value)])
        body = self.statement(node.child_by_field_name("body"))
        for clause in (child for child in named(node) if child.type == "catch_clause"):
            self._opener.count(branches=1)
            caught = first(clause, "catch_formal_parameter")
            name = caught.child_by_field_name("name") if caught is not None else None
            type_ = declared_type(caught) if caught is not None else None
            catches.append([type_, text_of(name) if name else "", self.statement(clause.child_by_field_name("body"))])
        last = first(node, "finally_clause")
        end = self.statement(first(last, "block")) if last is not None else None
        return [tree.TRY, resources, body, catches, end]

    def _construct(self, node: Syntax) -> Node:
        which, outer = node.child_by_field_name("constructor"), node.child_by_field_name("object")
        word = which.type if which is not None else "super"
        arguments = self.arguments(node.child_by_field_name("arguments"))
        return [tree.CONSTRUCT, word, arguments, line_of(node), self.expression(outer)]

    def _class_here(self, node: Syntax) -> Node:
        return [tree.CLASS_HERE, self._opener.class_here(node)]


def parameters_of(node: Syntax) -> list[Node]:
    """(name, type) of each formal parameter; the type of a variadic one is the array."""
    out: list[Node] = []
    for one in named(node):
        if one.type == "formal_parameter":
            name = one.child_by_field_name("name")
            out.append([text_of(name) if name else "", declared_type(one)])
        elif one.type == "spread_parameter":
            declarator = first(one, "variable_declarator")
            name = declarator.child_by_field_name("name") if declarator is not None else None
            found = declared_type(one) or ["Object", None, 0]
            out.append([text_of(name) if name else "", [found[0], found[1], found[2] + 1]])
    return out
