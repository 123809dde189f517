"""Reader of Java expressions, patterns and types: converts tree-sitter nodes to nodes of the reduced tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tree_sitter import Node as Syntax

from repoquarry.languages.facts import LambdaArgument
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.definition_stack import DefinitionStack, DepthCounter, first, line_of, named, text_of
from repoquarry.languages.java.reduced_tree import Expression, Parameter, Pattern, TypeParameter, WrittenType

TYPES = frozenset(
    {
        "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type", "integral_type", "floating_point_type",
        "boolean_type", "void_type", "catch_type", "wildcard",
    }
)  # fmt: skip


def type_of(node: Syntax, dimensions: int = 0) -> WrittenType:
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
        return WrittenType(found.name, given, dimensions, found.outer_arguments)
    if kind == "annotated_type":
        return type_of(next(child for child in reversed(named(node))), dimensions)
    if kind == "wildcard":
        return _wildcard(node)
    if kind == "catch_type":
        types = [type_of(child) for child in named(node)]
        return types[0] if len(types) == 1 else WrittenType("|", types)
    if kind == "scoped_type_identifier":
        return WrittenType(_scoped(node), None, dimensions, _outer_arguments(node))
    return WrittenType(text_of(node), None, dimensions)


def _outer_arguments(node: Syntax) -> list[WrittenType]:
    """Return the arguments of the enclosing types, `Outer<T>.Inner`."""
    outer = named(node)[0]
    if outer.type == "generic_type":
        found = type_of(outer)
        return [*(found.arguments or ()), *found.outer_arguments]
    return _outer_arguments(outer) if outer.type == "scoped_type_identifier" else []


def _scoped(node: Syntax) -> str:
    """`Map.Entry`, without annotations and the arguments of the enclosing types (`Outer<T>.Inner`)."""
    parts = ("scoped_type_identifier", "generic_type", "type_identifier")
    return ".".join(type_of(child).name for child in named(node) if child.type in parts)


def _wildcard(node: Syntax) -> WrittenType:
    bound = next((child for child in named(node) if child.type in TYPES), None)
    if bound is None:
        return WrittenType("?")
    return WrittenType("? extends" if first(node, "super") is None else "? super", [type_of(bound)])


def brackets(node: Syntax | None) -> int:
    """Return the number of `[]`."""
    return 0 if node is None else sum(child.type == "[" for child in node.children)


def declared_type(node: Syntax, declarator: Syntax | None = None) -> WrittenType | None:
    """Return the type of a declaration with a field `type`, with the brackets behind the declared name."""
    written = node.child_by_field_name("type") or next((child for child in named(node) if child.type in TYPES), None)
    if written is None:
        return None
    return type_of(written, brackets((declarator or node).child_by_field_name("dimensions")))


def type_parameters(node: Syntax) -> list[TypeParameter]:
    """Return the type parameters of a declaration."""
    written = node.child_by_field_name("type_parameters") or first(node, "type_parameters")
    out: list[TypeParameter] = []
    for one in named(written) if written else ():
        name, bound = first(one, "type_identifier", "identifier"), first(one, "type_bound")
        bounds = [type_of(child) for child in named(bound)] if bound else []
        out.append(TypeParameter(text_of(name) if name else "", bounds))
    return out


def parameters_of(node: Syntax) -> list[Parameter]:
    """Return the formal parameters; the type of a variadic one is the array."""
    out: list[Parameter] = []
    for one in named(node):
        if one.type == "formal_parameter":
            name = one.child_by_field_name("name")
            out.append(Parameter(text_of(name) if name else "", declared_type(one)))
        elif one.type == "spread_parameter":
            declarator = first(one, "variable_declarator")
            name = declarator.child_by_field_name("name") if declarator is not None else None
            found = declared_type(one) or WrittenType("Object")
            array = WrittenType(found.name, found.arguments, found.dimensions + 1)
            out.append(Parameter(text_of(name) if name else "", array))
    return out


def pattern_of(node: Syntax) -> Pattern:
    """Condition of a pattern, and the names that it binds."""
    if node.type == "pattern":
        inner = named(node)
        return pattern_of(inner[0]) if inner else Pattern()
    if node.type == "record_pattern":
        name, body = named(node)[0], first(node, "record_pattern_body")
        type_ = type_of(name) if name.type in TYPES else WrittenType(text_of(name))
        parts = [pattern_of(child) for child in named(body)] if body is not None else []
        return Pattern(type_, None, parts)
    children = named(node)
    written = next((child for child in children if child.type in TYPES), None)
    bound = next((child for child in children if child.type == "identifier"), None)
    return Pattern(type_of(written) if written else None, text_of(bound) if bound else None)


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

    def block(self, node: Syntax) -> tree.Block:
        """Return the statements of a lambda's body."""

    def switch(self, node: Syntax) -> tree.Switch:
        """Return a switch, as statement or expression."""


class ClassBodyReader(Protocol):
    """Makes definitions of classes that stand within bodies."""

    def class_here(self, node: Syntax) -> tree.ClassNode:
        """Return a local class."""

    def anonymous(self, node: Syntax, body: Syntax) -> tree.ClassNode:
        """Return an anonymous class with that body."""


class JavaExpressionReader:
    """Reader of expressions."""

    def __init__(
        self, definitions: DefinitionStack, nesting: DepthCounter, blocks: BlockReader, classes: ClassBodyReader
    ) -> None:
        self._definitions = definitions
        self._nesting = nesting
        self._blocks = blocks
        self._classes = classes
        self._read: dict[str, Callable[[Syntax], Expression | None]] = {
            "identifier": lambda node: tree.Name(text_of(node), line_of(node)),
            "this": lambda node: tree.This(),
            "super": lambda node: tree.Super(),
            "field_access": self._field_access,
            "scoped_identifier": self._scoped,
            "method_invocation": self._call,
            "object_creation_expression": self._creation,
            "array_creation_expression": self._array_creation,
            "array_initializer": lambda node: tree.ArrayCreation(None, self.all(named(node))),
            "array_access": lambda node: tree.Index(self._field(node, "array"), self._field(node, "index")),
            "assignment_expression": self._assignment,
            "binary_expression": self._binary,
            "unary_expression": lambda node: tree.Unary(node.children[0].type, self._field(node, "operand")),
            "update_expression": lambda node: tree.Unary("++", self.expression(next(iter(named(node)), None))),
            "cast_expression": self._cast,
            "instanceof_expression": self._instanceof,
            "ternary_expression": self._conditional,
            "lambda_expression": self._lambda,
            "method_reference": self._reference,
            "parenthesized_expression": lambda node: self.expression(next(iter(named(node)), None)),
            "class_literal": lambda node: tree.ClassLiteral(type_of(node.named_children[0])),
            "switch_expression": blocks.switch,
        }

    def expression(self, node: Syntax | None) -> Expression | None:
        """An expression; None where there is none or it is nested too deeply."""
        if node is None:
            return None
        kind = node.type
        if kind in _LITERALS:
            return tree.Literal(_literal(kind, node))
        read = self._read.get(kind)
        if read is None:
            return tree.Several(self.all(named(node))) if node.named_child_count else None
        return self._nesting.read(read, node)

    def reads(self, kind: str) -> bool:
        """Return whether nodes of a kind are expressions with parts."""
        return kind in self._read

    def all(self, nodes: list[Syntax]) -> list[Expression | None]:
        """Several expressions."""
        return [self.expression(node) for node in nodes]

    def arguments(self, node: Syntax | None) -> list[Expression | None]:
        """Return the values of an argument list."""
        return self.all(named(node)) if node is not None else []

    def _note_lambdas(self, callee: str, line: int, arguments: list[Expression | None]) -> None:
        for position, one in enumerate(arguments):
            if isinstance(one, tree.Lambda):
                self._definitions.lambdas.append(LambdaArgument(one.definition, callee, line, position))

    def _field(self, node: Syntax, name: str) -> Expression | None:
        return self.expression(node.child_by_field_name(name))

    def _field_access(self, node: Syntax) -> tree.FieldAccess | tree.This:
        field, target = node.child_by_field_name("field"), node.child_by_field_name("object")
        if field is not None and field.type == "this":
            return tree.This(text_of(target) if target else None)
        if any(child.type == "super" for child in node.children) and target is not None and target.type != "super":
            return tree.FieldAccess(tree.Super(text_of(target)), text_of(field) if field else "", line_of(node))
        return tree.FieldAccess(self.expression(target), text_of(field) if field else "", line_of(field or node))

    def _scoped(self, node: Syntax) -> tree.FieldAccess:
        name = node.child_by_field_name("name")
        return tree.FieldAccess(self._field(node, "scope"), text_of(name) if name else "", line_of(node))

    def _call(self, node: Syntax) -> tree.Call:
        self._definitions.count(calls=1)
        name, target = node.child_by_field_name("name"), node.child_by_field_name("object")
        receiver = self.expression(target)
        if target is not None and target.type != "super" and any(child.type == "super" for child in node.children):
            receiver = tree.Super(text_of(target))
        written = node.child_by_field_name("type_arguments")
        types = [type_of(one) for one in named(written)] if written else None
        values = node.child_by_field_name("arguments")
        arguments, called = self.arguments(values), text_of(name) if name else ""
        if values is not None and called in _NAMING:
            for one, read in zip(named(values), arguments, strict=True):
                if one.type == "string_literal" and isinstance(read, tree.Literal):
                    read.text = text_of(one)[1:-1]
        self._note_lambdas(called, line_of(name or node), arguments)
        return tree.Call(receiver, called, arguments, line_of(name or node), types)

    def _creation(self, node: Syntax) -> tree.New:
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
        type_ = type_of(written) if written is not None else WrittenType("Object")
        self._note_lambdas(type_.name.rpartition(".")[2], line_of(node), arguments)
        return tree.New(type_, arguments, line_of(node), made, around)

    def _array_creation(self, node: Syntax) -> tree.ArrayCreation:
        element, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        dimensions, sizes = 0, list[Expression | None]()
        for child in named(node):
            if child.type == "dimensions_expr":
                dimensions += 1
                sizes += self.all(named(child))
            elif child.type == "dimensions":
                dimensions += brackets(child)
        elements = self.all(named(value)) if value is not None else sizes
        return tree.ArrayCreation(type_of(element, dimensions) if element is not None else None, elements)

    def _assignment(self, node: Syntax) -> tree.Assign:
        operator = node.child_by_field_name("operator")
        return tree.Assign(self._field(node, "left"), self._field(node, "right"), operator.type if operator else "=")

    def _binary(self, node: Syntax) -> tree.Binary:
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
        return tree.Binary(sign, [self.expression(one) for one in reversed(operands)])

    def _cast(self, node: Syntax) -> tree.Cast:
        value = node.child_by_field_name("value")
        types = [type_of(child) for child in named(node) if child.type in TYPES and child != value]
        return tree.Cast(types[0] if len(types) == 1 else WrittenType("&", types), self.expression(value))

    def _instanceof(self, node: Syntax) -> tree.InstanceOf:
        right, name = node.child_by_field_name("right"), node.child_by_field_name("name")
        pattern = node.child_by_field_name("pattern")
        value = self._field(node, "left")
        type_ = type_of(right) if right is not None else None
        made = pattern_of(pattern) if pattern is not None else None
        if name is not None:
            made = Pattern(type_, text_of(name))
        return tree.InstanceOf(value, type_, made)

    def _conditional(self, node: Syntax) -> tree.Conditional:
        self._definitions.count(branches=1)
        return tree.Conditional(*(self._field(node, name) for name in ("condition", "consequence", "alternative")))

    def _lambda(self, node: Syntax) -> tree.Lambda:
        definition = self._definitions.open_lambda(node)
        written, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
        parameters: list[Parameter] = []
        if written is not None and written.type == "identifier":
            parameters = [Parameter(text_of(written), None)]
        elif written is not None and written.type == "inferred_parameters":
            parameters = [Parameter(text_of(child), None) for child in named(written)]
        elif written is not None:
            parameters = parameters_of(written)
        read = self._blocks.block(body) if body is not None and body.type == "block" else self.expression(body)
        self._definitions.close()
        return tree.Lambda(parameters, read, definition, line_of(node))

    def _reference(self, node: Syntax) -> tree.Reference:
        children = [child for child in node.children if child.is_named or child.type in ("new", "super", "this")]
        target, name = children[0], children[-1]
        word = "new" if name.type == "new" else text_of(name)
        is_type = target.type in TYPES
        value = None if is_type else self.expression(target)
        return tree.Reference(value, type_of(target) if is_type else None, word, line_of(name))


def _literal(kind: str, node: Syntax) -> str:
    """Return the type of a literal."""
    if kind.endswith("integer_literal") and (node.text or b"")[-1:] in b"lL":
        return "long"
    if kind.endswith("point_literal") and (node.text or b"")[-1:] in b"fF":
        return "float"
    return _LITERALS[kind]
