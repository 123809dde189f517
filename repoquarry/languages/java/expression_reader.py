"""Reader of Java expressions, patterns and types: converts tree-sitter nodes to nodes of the reduced tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tree_sitter import Node as Syntax

from repoquarry.languages.facts import LambdaArgument
from repoquarry.languages.java import reduced_tree
from repoquarry.languages.java.definition_stack import DefinitionStack, DepthCounter, first, line_of, named, text_of
from repoquarry.languages.java.reduced_tree import Node

TYPES = frozenset(
    {
        "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type", "integral_type", "floating_point_type",
        "boolean_type", "void_type", "catch_type", "wildcard",
    }
)  # fmt: skip


def type_of(node: Syntax, dimensions: int = 0) -> Node:
    """Return the type that a syntax node writes; `dimensions` are written after the name that has it."""
    kind = node.type
    if kind == "array_type":
        element, own = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
        return type_of(element or node.named_children[0], dimensions + brackets(own))
    if kind == "generic_type":
        children = named(node)
        arguments = next((child for child in children if child.type == "type_arguments"), None)
        found = type_of(children[0])
        given = [type_of(one) for one in named(arguments)] if arguments else None
        return [found[0], given, dimensions, *found[3:]]
    if kind == "annotated_type":
        return type_of(next(child for child in reversed(named(node))), dimensions)
    if kind == "wildcard":
        return _wildcard(node)
    if kind == "catch_type":
        types = [type_of(child) for child in named(node)]
        return types[0] if len(types) == 1 else ["|", types, 0]
    if kind == "scoped_type_identifier":
        return [_scoped(node), None, dimensions, *_around(node)]
    return [text_of(node), None, dimensions]


def _around(node: Syntax) -> list[Node]:
    """Arguments of the enclosing types, `Outer<T>.Inner`, in a list; empty where there are none."""
    outer = named(node)[0]
    if outer.type == "generic_type":
        found = type_of(outer)
        return [[*(found[1] or []), *(found[3] if len(found) > 3 else [])]]
    return _around(outer) if outer.type == "scoped_type_identifier" else []


def _scoped(node: Syntax) -> str:
    """`Map.Entry`, without annotations and the arguments of the enclosing types (`Outer<T>.Inner`)."""
    parts = ("scoped_type_identifier", "generic_type", "type_identifier")
    return ".".join(str(type_of(child)[0]) for child in named(node) if child.type in parts)


def _wildcard(node: Syntax) -> Node:
    bound = next((child for child in named(node) if child.type in TYPES), None)
    if bound is None:
        return ["?", 0, None]
    return ["?", 2 if first(node, "super") is not None else 1, type_of(bound)]


def brackets(node: Syntax | None) -> int:
    """Return the number of `[]`."""
    return 0 if node is None else sum(child.type == "[" for child in node.children)


def declared_type(node: Syntax, declarator: Syntax | None = None) -> Node | None:
    """Return the type of a declaration with a field `type`, with the brackets behind the declared name."""
    written = node.child_by_field_name("type") or next((child for child in named(node) if child.type in TYPES), None)
    if written is None:
        return None
    return type_of(written, brackets((declarator or node).child_by_field_name("dimensions")))


def type_parameters(node: Syntax) -> list[Node]:
    """Return (name, bounds) of each type parameter of a declaration."""
    written = node.child_by_field_name("type_parameters") or first(node, "type_parameters")
    out: list[Node] = []
    for one in named(written) if written else ():
        name, bound = first(one, "type_identifier", "identifier"), first(one, "type_bound")
        out.append([text_of(name) if name else "", [type_of(child) for child in named(bound)] if bound else []])
    return out


def parameters_of(node: Syntax) -> list[Node]:
    """Return (name, type) of each formal parameter; the type of a variadic one is the array."""
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


def pattern_of(node: Syntax) -> Node:
    """Condition of a pattern, and the names that it binds."""
    if node.type == "pattern":
        inner = named(node)
        return pattern_of(inner[0]) if inner else [reduced_tree.PATTERN, None, None, None]
    if node.type == "record_pattern":
        name, body = named(node)[0], first(node, "record_pattern_body")
        type_ = type_of(name) if name.type in TYPES else [text_of(name), None, 0]
        parts = [pattern_of(child) for child in named(body)] if body is not None else []
        return [reduced_tree.PATTERN, type_, None, parts]
    children = named(node)
    written = next((child for child in children if child.type in TYPES), None)
    bound = next((child for child in children if child.type == "identifier"), None)
    return [reduced_tree.PATTERN, type_of(written) if written else None, text_of(bound) if bound else None, None]


_LITERALS = {
    "decimal_integer_literal": "int", "hex_integer_literal": "int", "octal_integer_literal": "int", "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double", "hex_floating_point_literal": "double", "true": "boolean", "false": "boolean",
    "character_literal": "char", "string_literal": "String", "text_block": "String", "template_expression": "String", "null_literal": "null",
}  # fmt: skip
#: methods of reflection whose arguments name a class or member
_NAMING = frozenset({"forName", "getMethod", "getDeclaredMethod", "findVirtual", "findStatic", "findSpecial"})
#: nodes that may occur after `new` before the type, besides the enclosing object
_BEHIND_NEW = frozenset({"argument_list", "class_body", "type_arguments", "marker_annotation", "annotation"})


class BlockReader(Protocol):
    """Reader of statements that stand within expressions."""

    def block(self, node: Syntax) -> Node:
        """Return the statements of a lambda's body."""

    def switch(self, node: Syntax) -> Node:
        """Return a SWITCH node."""


class ClassBodyReader(Protocol):
    """Makes definitions of classes that stand within bodies."""

    def class_here(self, node: Syntax) -> Node:
        """Return the CLASS node of a local class."""

    def anonymous(self, node: Syntax, body: Syntax) -> Node:
        """Return the CLASS node of an anonymous class with that body."""


class JavaExpressionReader:
    """Reader of expressions."""

    def __init__(
        self, definitions: DefinitionStack, nesting: DepthCounter, blocks: BlockReader, classes: ClassBodyReader
    ) -> None:
        self._definitions = definitions
        self._nesting = nesting
        self._blocks = blocks
        self._classes = classes
        self._read: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": lambda node: [reduced_tree.NAME, text_of(node), line_of(node)],
            "this": lambda node: [reduced_tree.THIS, None],
            "super": lambda node: [reduced_tree.SUPER, None],
            "field_access": self._field_access,
            "scoped_identifier": self._scoped,
            "method_invocation": self._call,
            "object_creation_expression": self._creation,
            "array_creation_expression": self._array_creation,
            "array_initializer": lambda node: [reduced_tree.ARRAY, None, self.all(named(node))],
            "array_access": lambda node: [reduced_tree.INDEX, *self._fields(node, "array", "index")],
            "assignment_expression": self._assignment,
            "binary_expression": self._binary,
            "unary_expression": lambda node: [
                reduced_tree.UNARY,
                node.children[0].type,
                *self._fields(node, "operand"),
            ],
            "update_expression": lambda node: [reduced_tree.UNARY, "++", *self.all(named(node)[:1])],
            "cast_expression": self._cast,
            "instanceof_expression": self._instanceof,
            "ternary_expression": self._conditional,
            "lambda_expression": self._lambda,
            "method_reference": self._reference,
            "parenthesized_expression": lambda node: self.expression(next(iter(named(node)), None)),
            "class_literal": lambda node: [reduced_tree.CLASS_LITERAL, type_of(node.named_children[0])],
            "switch_expression": blocks.switch,
        }

    def expression(self, node: Syntax | None) -> Node | None:
        """An expression; None where there is none or it is nested too deeply."""
        if node is None:
            return None
        kind = node.type
        if kind in _LITERALS:
            return [reduced_tree.LITERAL, _literal(kind, node)]
        read = self._read.get(kind)
        if read is None:
            return [reduced_tree.SEVERAL, self.all(named(node))] if node.named_child_count else None
        return self._nesting.read(read, node)

    def reads(self, kind: str) -> bool:
        """Return whether nodes of a kind are expressions with parts."""
        return kind in self._read

    def all(self, nodes: list[Syntax]) -> list[Node | None]:
        """Several expressions."""
        return [self.expression(node) for node in nodes]

    def arguments(self, node: Syntax | None) -> list[Node | None]:
        """Return the values of an argument list."""
        return self.all(named(node)) if node is not None else []

    def _note_lambdas(self, callee: str, line: int, arguments: list[Node | None]) -> None:
        for position, one in enumerate(arguments):
            if one is not None and one[0] == reduced_tree.LAMBDA:
                self._definitions.lambdas.append(LambdaArgument(one[3], callee, line, position))

    def _fields(self, node: Syntax, *names: str) -> list[Node | None]:
        return [self.expression(node.child_by_field_name(name)) for name in names]

    def _field_access(self, node: Syntax) -> Node:
        field, target = node.child_by_field_name("field"), node.child_by_field_name("object")
        if field is not None and field.type == "this":
            return [reduced_tree.THIS, text_of(target) if target else None]
        if any(child.type == "super" for child in node.children) and target is not None and target.type != "super":
            return [
                reduced_tree.FIELD,
                [reduced_tree.SUPER, text_of(target)],
                text_of(field) if field else "",
                line_of(node),
            ]
        return [reduced_tree.FIELD, self.expression(target), text_of(field) if field else "", line_of(field or node)]

    def _scoped(self, node: Syntax) -> Node:
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        return [reduced_tree.FIELD, self.expression(scope), text_of(name) if name else "", line_of(node)]

    def _call(self, node: Syntax) -> Node:
        self._definitions.count(calls=1)
        name, target = node.child_by_field_name("name"), node.child_by_field_name("object")
        receiver = self.expression(target)
        if target is not None and target.type != "super" and any(child.type == "super" for child in node.children):
            receiver = [reduced_tree.SUPER, text_of(target)]
        written = node.child_by_field_name("type_arguments")
        types = [type_of(one) for one in named(written)] if written else None
        values = node.child_by_field_name("arguments")
        arguments, called = self.arguments(values), text_of(name) if name else ""
        if values is not None and called in _NAMING:
            for one, read in zip(named(values), arguments, strict=True):
                if one.type == "string_literal" and read is not None:
                    read.append(text_of(one)[1:-1])
        self._note_lambdas(called, line_of(name or node), arguments)
        return [reduced_tree.CALL, receiver, called, arguments, line_of(name or node), types]

    def _creation(self, node: Syntax) -> Node:
        self._definitions.count(calls=1)
        children = named(node)
        written = node.child_by_field_name("type")
        outer = children[0] if children and children[0] != written and children[0].type not in TYPES else None
        if outer is not None and outer.type in _BEHIND_NEW:
            outer = None
        body = first(node, "class_body")
        around = self.expression(outer)
        arguments = self.arguments(node.child_by_field_name("arguments"))
        made = self._classes.anonymous(node, body) if body is not None else None
        type_ = type_of(written) if written is not None else ["Object", None, 0]
        self._note_lambdas(str(type_[0]).rpartition(".")[2], line_of(node), arguments)
        return [reduced_tree.NEW, type_, arguments, line_of(node), made, around]

    def _array_creation(self, node: Syntax) -> Node:
        element, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        dimensions, sizes = 0, []
        for child in named(node):
            if child.type == "dimensions_expr":
                dimensions += 1
                sizes += self.all(named(child))
            elif child.type == "dimensions":
                dimensions += brackets(child)
        elements = self.all(named(value)) if value is not None else sizes
        return [reduced_tree.ARRAY, type_of(element, dimensions) if element is not None else None, elements]

    def _assignment(self, node: Syntax) -> Node:
        operator = node.child_by_field_name("operator")
        return [reduced_tree.ASSIGN, *self._fields(node, "left", "right"), operator.type if operator else "="]

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
        return [reduced_tree.BINARY, sign, [self.expression(one) for one in reversed(operands)]]

    def _cast(self, node: Syntax) -> Node:
        value = node.child_by_field_name("value")
        types = [type_of(child) for child in named(node) if child.type in TYPES and child != value]
        return [reduced_tree.CAST, types[0] if len(types) == 1 else ["&", types, 0], self.expression(value)]

    def _instanceof(self, node: Syntax) -> Node:
        right, name = node.child_by_field_name("right"), node.child_by_field_name("name")
        pattern = node.child_by_field_name("pattern")
        value = self.expression(node.child_by_field_name("left"))
        type_ = type_of(right) if right is not None else None
        made = pattern_of(pattern) if pattern is not None else None
        if name is not None:
            made = [reduced_tree.PATTERN, type_, text_of(name), None]
        return [reduced_tree.INSTANCE, value, type_, made]

    def _conditional(self, node: Syntax) -> Node:
        self._definitions.count(branches=1)
        return [reduced_tree.CONDITIONAL, *self._fields(node, "condition", "consequence", "alternative")]

    def _lambda(self, node: Syntax) -> Node:
        definition = self._definitions.open_lambda(node)
        written, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
        parameters: list[Node] = []
        if written is not None and written.type == "identifier":
            parameters = [[text_of(written), None]]
        elif written is not None and written.type == "inferred_parameters":
            parameters = [[text_of(child), None] for child in named(written)]
        elif written is not None:
            parameters = parameters_of(written)
        read = self._blocks.block(body) if body is not None and body.type == "block" else self.expression(body)
        self._definitions.close()
        return [reduced_tree.LAMBDA, parameters, read, definition, line_of(node)]

    def _reference(self, node: Syntax) -> Node:
        children = [child for child in node.children if child.is_named or child.type in ("new", "super", "this")]
        target, name = children[0], children[-1]
        word = "new" if name.type == "new" else text_of(name)
        is_type = target.type in TYPES
        value = None if is_type else self.expression(target)
        return [reduced_tree.REFERENCE, value, type_of(target) if is_type else None, word, line_of(name)]


def _literal(kind: str, node: Syntax) -> str:
    """Return the type of a literal."""
    if kind.endswith("integer_literal") and (node.text or b"")[-1:] in b"lL":
        return "long"
    if kind.endswith("point_literal") and (node.text or b"")[-1:] in b"fF":
        return "float"
    return _LITERALS[kind]
