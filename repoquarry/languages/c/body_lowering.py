"""`BodyLowering`: types, parameters, expressions and statements of C and C++."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node as Syntax

from repoquarry.languages.c.declarators import (
    Declarator,
    parts_of,
    read_declarator,
    template_arguments,
)
from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Declaration, Node, Parameter
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, named, text_of

INITIALIZED = ":"
"""Before the name of a member or base in the initializer list of a constructor."""
VARIADIC = "..."
_SPECIFIERS = frozenset({"struct_specifier", "class_specifier", "enum_specifier", "union_specifier"})
_PLAIN_TYPES = frozenset(
    {"type_identifier", "primitive_type", "sized_type_specifier", "namespace_identifier", "identifier"}
)
_PATHS = frozenset({"qualified_identifier", "template_type", "dependent_name"})
_CASTS = frozenset({"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"})
_LISTS = frozenset({"argument_list", "initializer_list"})
_BLOCKS = (
    "compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement", "case_statement", "do_statement",
    "catch_clause",
)  # fmt: skip
_PARAMETERS = frozenset({"parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"})
_LITERALS = {
    "string_literal": "char",
    "concatenated_string": "char",
    "char_literal": "char",
    "number_literal": "int",
    "true": "bool",
    "false": "bool",
}
_ARITHMETIC = frozenset({"+", "-"})
Lower = Callable[[Syntax], Node | None]


class BodyLowering:
    """Lowering of what stands inside of declarations."""

    def __init__(self, declare: Callable[[Syntax], list[Declaration]], *, has_classes: bool) -> None:
        self._declare = declare
        self._has_classes = has_classes
        self._run: dict[str, Lower] = {
            **dict.fromkeys(("identifier", "field_identifier", "this"), self._name),
            "qualified_identifier": lambda node: [tree.PATH, parts_of(node), [], _last_line(node)],
            "template_function": lambda node: self._instance(node, self._name(named(node)[0])),
            "field_expression": self._member,
            "call_expression": self._call,
            "new_expression": self._new,
            "compound_literal_expression": self._literal,
            "cast_expression": self._cast,
            "declaration": self._variables,
            "parameter_declaration": self._caught,
            **dict.fromkeys((*_SPECIFIERS, "type_definition", "alias_declaration"), self._types),
            "for_range_loop": self._range,
            "lambda_expression": self._lambda,
            "subscript_expression": self._index,
            "pointer_expression": self._pointer,
            "conditional_expression": self._condition,
            **dict.fromkeys(("assignment_expression", "comma_expression"), lambda node: [tree.SAME, self.each(node)]),
            "binary_expression": self._binary,
            "initializer_pair": lambda node: self.value(node.child_by_field_name("value")),
            **dict.fromkeys(_BLOCKS, lambda node: [tree.BLOCK, self.each(node)]),
            **dict.fromkeys(_LITERALS, self._constant),
            **dict.fromkeys(
                ("function_definition", "preproc_def", "preproc_function_def", "sizeof_expression"), lambda _node: None
            ),
        }

    # ---- types

    def type(self, node: Syntax | None) -> Node | None:
        """Return a written type; pointers and references are their targets."""
        if node is None:
            return None
        if node.type in _PLAIN_TYPES:
            return [tree.NAMED, [text_of(node)], []]
        if node.type in _PATHS:
            return [tree.NAMED, parts_of(node), [self.type(each) for each in template_arguments(node)]]
        if node.type == "type_descriptor":
            inside, declarator = self.type(node.child_by_field_name("type")), node.child_by_field_name("declarator")
            is_function = declarator is not None and "function" in declarator.type
            return [tree.FUNCTION_TYPE, [], inside] if is_function else inside
        if node.type in _SPECIFIERS:
            name = node.child_by_field_name("name")
            return [tree.NAMED, parts_of(name) if name is not None else [self.nameless(node)], []]
        return None

    def nameless(self, node: Syntax) -> str:
        """Return a name for a structure without one."""
        return f"<{node.type} {node.start_byte}>"

    def variable_type(self, node: Syntax, found: Declarator) -> Node | None:
        """Return the type of a declared variable; None for `auto`."""
        type_ = self.type(node.child_by_field_name("type"))
        return [tree.FUNCTION_TYPE, [], type_] if found.is_function else type_

    def parameters(self, function: Syntax | None) -> list[Parameter]:
        """Return the parameters of a declared function."""
        written = function.child_by_field_name("parameters") if function is not None else None
        found: list[Parameter] = []
        for each in written.children if written is not None else ():
            if each.type == "identifier":
                found.append(Parameter([tree.BIND, text_of(each)], None))
            elif each.type == "..." or each.type == "variadic_parameter":
                found.append(Parameter(None, [tree.NAMED, [VARIADIC], []], True))
            elif each.type in _PARAMETERS and text_of(each) != "void":
                found.append(self._parameter(each))
        return found

    def _parameter(self, node: Syntax) -> Parameter:
        if node.type == "variadic_parameter_declaration":
            return Parameter(None, [tree.NAMED, [VARIADIC], []], True)
        declared = read_declarator(node.child_by_field_name("declarator"))
        pattern = [tree.BIND, declared.parts[-1]] if declared.parts else None
        return Parameter(pattern, self.variable_type(node, declared), node.type == "optional_parameter_declaration")

    def result(self, node: Syntax, function: Syntax | None) -> Node | None:
        """Return the type of a function's result."""
        for each in named(function):
            if each.type == "trailing_return_type" and named(each):
                return self.type(named(each)[0])
        return self.type(node.child_by_field_name("type"))

    def function_body(self, node: Syntax) -> Node:
        """Return the body of a function, and the initializers of a constructor."""
        body = node.child_by_field_name("body")
        lists = [each for each in named(node) if each.type == "field_initializer_list"]
        return [tree.BLOCK, [*(self._initializer(each) for one in lists for each in named(one)), self.value(body)]]

    def _initializer(self, node: Syntax) -> Node | None:
        inside = named(node)
        path = parts_of(inside[0]) if inside else [""]
        path[-1] = INITIALIZED + path[-1]
        arguments = [self.value(part) for each in inside[1:] for part in named(each)]
        return [tree.CALL, [tree.PATH, path, [], line_of(node)], arguments, [], line_of(node)]

    # ---- expressions

    def value(self, node: Syntax | None) -> Node | None:
        """Return an expression or statement."""
        if node is None:
            return None
        read = self._run.get(node.type)
        if read is not None:
            return read(node)
        inside = named(node)
        if len(inside) == 1:
            return self.value(inside[0])
        return [tree.SEVERAL, [self.value(each) for each in inside]] if inside else None

    def each(self, node: Syntax | None) -> list[Node | None]:
        """Return all parts of a node."""
        return [self.value(each) for each in named(node)]

    def _name(self, node: Syntax) -> Node:
        return [tree.NAME, text_of(node), line_of(node)]

    def _constant(self, node: Syntax) -> Node:
        return [tree.LITERAL, [tree.NAMED, [_LITERALS[node.type]], []], [], line_of(node)]

    def _instance(self, node: Syntax, function: Node) -> Node:
        return [tree.INSTANCE, function, [self.type(each) for each in template_arguments(node)], line_of(node)]

    def _member(self, node: Syntax) -> Node:
        field = node.child_by_field_name("field") or node
        return [tree.MEMBER, self.value(node.child_by_field_name("argument")), parts_of(field)[-1], _last_line(field)]

    def _call(self, node: Syntax) -> Node | None:
        function, arguments = node.child_by_field_name("function"), self.each(node.child_by_field_name("arguments"))
        if function is None or function.type == "primitive_type":
            return [tree.SEVERAL, arguments]
        types = [self.type(each) for each in template_arguments(function.child_by_field_name("field") or function)]
        path = parts_of(function) if function.type in ("template_function", "qualified_identifier") else []
        if path and path[-1] in _CASTS and len(arguments) == 1:
            return [tree.CAST, types[0] if types else None, arguments[0], line_of(node)]
        if path[:1] == ["std"] and path[-1] in ("move", "forward") and len(arguments) == 1:
            return arguments[0]
        if path and path[-1] in ("make_unique", "make_shared") and len(types) == 1:
            made = [tree.NEW, types[0], arguments, line_of(node)]
            pointer = f"{path[-1].removeprefix('make_')}_ptr"
            return [tree.CAST, [tree.NAMED, ["std", pointer], types], made, line_of(node)]
        called = self._name(named(function)[0]) if function.type == "template_function" else self.value(function)
        return [tree.CALL, called or NOTHING, arguments, types, _last_line(function)]

    def _new(self, node: Syntax) -> Node:
        arguments = self.each(node.child_by_field_name("arguments"))
        return [tree.NEW, self.type(node.child_by_field_name("type")), arguments, line_of(node)]

    def _literal(self, node: Syntax) -> Node:
        values = self.each(node.child_by_field_name("value"))
        form = tree.NEW if self._has_classes else tree.LITERAL
        return [form, self.type(node.child_by_field_name("type")), values, line_of(node)]

    def _cast(self, node: Syntax) -> Node:
        value = self.value(node.child_by_field_name("value"))
        return [tree.CAST, self.type(node.child_by_field_name("type")), value, line_of(node)]

    def _lambda(self, node: Syntax) -> Node:
        declarator, captures = node.child_by_field_name("declarator"), node.child_by_field_name("captures")
        patterns = [[each.pattern or [tree.ANY], each.type] for each in self.parameters(declarator)]
        body = [tree.BLOCK, [*self.each(captures), self.value(node.child_by_field_name("body"))]]
        return [tree.LAMBDA, patterns, body, self.result(node, declarator)]

    def _index(self, node: Syntax) -> Node:
        parts = [self.value(each) for each in (node.child_by_field_name("argument"), *named(node)[-1:])]
        return [tree.INDEX, parts[0], parts[-1]]

    def _pointer(self, node: Syntax) -> Node:
        value = self.value(node.child_by_field_name("argument"))
        return [tree.DEREFERENCE, value] if node.children[0].type == "*" else [tree.SAME, [value]]

    def _condition(self, node: Syntax) -> Node:
        condition = self.value(node.child_by_field_name("condition"))
        consequence = [tree.BLOCK, [condition], self.value(node.child_by_field_name("consequence"))]
        return [tree.ALTERNATIVES, [consequence, self.value(node.child_by_field_name("alternative"))]]

    def _binary(self, node: Syntax) -> Node:
        return [tree.SAME if node.children[1].type in _ARITHMETIC else tree.OPERATOR, self.each(node)]

    # ---- declarations in bodies

    def _types(self, node: Syntax) -> Node:
        return [tree.SEVERAL, [[tree.DECLARE, each] for each in self._declare(node)]]

    def _variables(self, node: Syntax) -> Node:
        written = node.child_by_field_name("type")
        found: list[Node | None] = [self._types(written)] if written is not None and written.type in _SPECIFIERS else []
        found += [self._variable(node, each) for each in node.children_by_field_name("declarator")]
        return [tree.SEVERAL, found]

    def _variable(self, node: Syntax, written: Syntax) -> Node:
        declared = read_declarator(written)
        if declared.function is not None and declared.parts:
            return self._built(node, declared)
        type_ = self.variable_type(node, declared)
        value = self.first_value(node, written, type_, declared)
        return [tree.LET, self._pattern(written, declared), type_, value, False, line_of(node)]

    def _built(self, node: Syntax, declared: Declarator) -> Node:
        """`T name(argument);` is written as a function; one whose parameters have no names is an object in a body."""
        parameters = self.parameters(declared.function) if self._has_classes else []
        if not parameters or any(each.pattern is not None or each.type is None for each in parameters):
            return NOTHING
        type_ = self.type(node.child_by_field_name("type"))
        types = [each.type for each in parameters if each.type is not None and each.type[0] == tree.NAMED]
        arguments: list[Node] = [[tree.PATH, each[1], [], line_of(node)] for each in types]
        made = [tree.NEW, type_, arguments, line_of(node)]
        return [tree.LET, [tree.BIND, declared.parts[-1]], type_, made, False, line_of(node)]

    def _pattern(self, written: Syntax, declared: Declarator) -> Node:
        binding = written if written.type == "structured_binding_declarator" else next(
            (each for each in named(written) if each.type == "structured_binding_declarator"), None
        )  # fmt: skip
        if binding is not None:
            return [tree.EACH, [[tree.BIND, text_of(each)] for each in named(binding)]]
        return [tree.BIND, declared.parts[-1]] if declared.parts else [tree.ANY]

    def first_value(self, node: Syntax, written: Syntax, type_: Node | None, declared: Declarator) -> Node | None:
        """Return what a variable is made by: the constructor of its class, or the written value."""
        value = written.child_by_field_name("value") or node.child_by_field_name("value")
        is_object = type_ is not None and type_[0] == tree.NAMED and declared.is_plain
        if is_object and self._has_classes and (value is None or value.type in _LISTS):
            is_made = value is not None or all(text_of(each) != "extern" for each in node.children)
            return [tree.NEW, type_, self.each(value), line_of(node)] if is_made else None
        return self.value(value)

    def _caught(self, node: Syntax) -> Node:
        declared = read_declarator(node.child_by_field_name("declarator"))
        pattern = [tree.BIND, declared.parts[-1]] if declared.parts else [tree.ANY]
        return [tree.LET, pattern, self.variable_type(node, declared), None, False, line_of(node)]

    def _range(self, node: Syntax) -> Node:
        written, value = node.child_by_field_name("declarator"), self.value(node.child_by_field_name("right"))
        declared = read_declarator(written)
        type_ = self.variable_type(node, declared)
        pattern = self._pattern(written, declared) if written is not None else [tree.ANY]
        bound = [tree.LET, pattern, type_, value, True, line_of(node)]
        return [tree.BLOCK, [bound, self.value(node.child_by_field_name("body"))]]


def _last_line(node: Syntax) -> int:
    """1-based line of the last part of a name."""
    return node.end_point.row + 1 if node.type != "lambda_expression" else line_of(node)
