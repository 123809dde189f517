"""Lowering of Rust files to the tree of `declared_types`: expressions and statements, arguments of macros included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import tree_sitter_rust
from tree_sitter import Language, Parser
from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import LoweredFile, Node, encode_file
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, named_type
from repoquarry.languages.rust.declaration_lowering import DeclarationLowering
from repoquarry.languages.rust.syntax import named, path_parts, read_use, text_of

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_CONSTANT_TYPES = {
    "string_literal": "str",
    "raw_string_literal": "str",
    "integer_literal": "i32",
    "float_literal": "f64",
    "char_literal": "char",
    "boolean_literal": "bool",
}
_MACRO_TYPES = {
    "format": "String",
    "concat": "str",
    "stringify": "str",
    "env": "str",
    "include_str": "str",
    "matches": "bool",
}
_SAME_VALUE = frozenset({"dbg", "identity"})
_MACRO_READINGS = ((b"fn f(){m(", b"\n);}"), (b"fn f(){", b"\n}"))
"""What stands around the arguments of a macro when they are read as arguments of a call, otherwise as statements."""
_MAX_MACROS = 16
"""Macros in the arguments of macros are read so deep."""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_rust.language()))


def lower(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    declarations = _RustLowering(definitions).declarations
    found = LoweredFile()
    declarations.imports(root, found)
    found.declarations = list(declarations.declared(root))
    found.condition = " ".join(declarations.other_modules)
    return encode_file(found)


class _RustLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int]) -> None:
        self.declarations = DeclarationLowering(definitions, self.value)
        self._type = self.declarations.type
        self._pattern = self.declarations.pattern
        self._row = 0
        """Row of the file on which the text that is read begins: arguments of macros are read from a copy."""
        self._depth = 0
        self._run: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": lambda node: [tree.NAME, text_of(node), self._line(node)],
            "self": lambda node: [tree.NAME, "self", self._line(node)],
            "scoped_identifier": self._path,
            "generic_function": self._instance,
            "field_expression": self._member,
            "call_expression": self._call,
            "macro_invocation": self._macro,
            "struct_expression": self._literal,
            "closure_expression": self._closure,
            "let_declaration": self._let,
            "let_condition": self._let,
            "match_expression": self._match,
            "for_expression": self._for,
            "if_expression": self._if,
            "while_expression": lambda node: [tree.BLOCK, self._each(node)],
            "block": self._block,
            "try_expression": lambda node: [tree.TRY, self._first(node)],
            "unary_expression": self._unary,
            "binary_expression": self._binary,
            "index_expression": self._index,
            "range_expression": lambda node: [tree.LITERAL, named_type("Range", named_type("usize")), self._each(node), self._line(node)],
            "tuple_expression": lambda node: [tree.PARTS, self._each(node)],
            "array_expression": lambda node: [tree.SEQUENCE, self._each(node)],
            "type_cast_expression": self._cast,
            "use_declaration": self._use,
            "const_item": self._constant,
            "static_item": self._constant,
            **dict.fromkeys(
                ("reference_expression", "parenthesized_expression", "await_expression", "expression_statement",
                 "unsafe_block", "async_block", "const_block", "else_clause", "labeled_block", "try_block", "gen_block"),
                lambda node: [tree.SAME, [self._last(node)]],
            ),
            **dict.fromkeys(
                ("function_item", "struct_item", "enum_item", "union_item", "trait_item", "impl_item", "type_item"),
                self._declare,
            ),
        }  # fmt: skip

    # ---- nodes

    def value(self, node: Syntax | None) -> Node | None:
        """Lower an expression or statement; nodes without an entry are those inside them."""
        if node is None:
            return None
        read = self._run.get(node.type)
        if read is not None:
            return read(node)
        if node.type in _CONSTANT_TYPES:
            return [tree.LITERAL, named_type(_CONSTANT_TYPES[node.type]), [], self._line(node)]
        inside = self._each(node)
        return [tree.SEVERAL, inside] if inside else None

    def _each(self, node: Syntax | None) -> list[Node | None]:
        return [self.value(one) for one in named(node)]

    def _first(self, node: Syntax) -> Node | None:
        return self.value(next(iter(named(node)), None))

    def _last(self, node: Syntax) -> Node | None:
        inside = [one for one in named(node) if one.type != "label"]
        return self.value(inside[-1]) if inside else None

    def _line(self, node: Syntax) -> int:
        return line_of(node) + self._row

    # ---- names and calls

    def _path(self, node: Syntax) -> Node:
        """A path; `<T as Trait>::name` is a member of the type."""
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name") or node
        if path is not None and path.type in ("bracketed_type", "generic_type"):
            return [tree.MEMBER, [tree.TYPE, self._type(path), self._line(path)], text_of(name), self._line(name)]
        return [tree.PATH, path_parts(node), [], self._line(name)]

    def _instance(self, node: Syntax) -> Node:
        types = [self._type(one) for one in named(node.child_by_field_name("type_arguments"))]
        function = self.value(node.child_by_field_name("function"))
        return [tree.INSTANCE, function or NOTHING, types, self._line(node)]

    def _member(self, node: Syntax) -> Node:
        field = node.child_by_field_name("field") or node
        return [tree.MEMBER, self.value(node.child_by_field_name("value")), text_of(field), self._line(field)]

    def _call(self, node: Syntax) -> Node:
        function = node.child_by_field_name("function") or node
        types: list[Node | None] = []
        if function.type == "generic_function":
            types = [self._type(one) for one in named(function.child_by_field_name("type_arguments"))]
            function = function.child_by_field_name("function") or function
        called = function.child_by_field_name("field") or function.child_by_field_name("name") or function
        arguments = self._each(node.child_by_field_name("arguments"))
        return [tree.CALL, self.value(function) or NOTHING, arguments, types, self._line(called)]

    def _literal(self, node: Syntax) -> Node:
        name = node.child_by_field_name("name") or node
        values = []
        for field in named(node.child_by_field_name("body")):
            written = field.child_by_field_name("value") or (named(field) or [field])[-1]
            values.append(self.value(written))
        type_ = self._type(name) or [tree.NAMED, path_parts(name), []]
        return [tree.LITERAL, type_, values, self._line(node)]

    def _closure(self, node: Syntax) -> Node:
        parameters = []
        for one in named(node.child_by_field_name("parameters")):
            if one.type == "parameter":
                pattern = self._pattern(one.child_by_field_name("pattern"))
                parameters.append([pattern, self._type(one.child_by_field_name("type"))])
            else:
                parameters.append([self._pattern(one), None])
        result = self._type(node.child_by_field_name("return_type"))
        return [tree.LAMBDA, parameters, self.value(node.child_by_field_name("body")), result]

    def _index(self, node: Syntax) -> Node:
        inside = named(node)
        value, index = self.value(inside[0]), self.value(inside[-1])
        # A range of a sequence is a sequence.
        return [tree.SAME, [value, index]] if inside[-1].type == "range_expression" else [tree.INDEX, value, index]

    def _unary(self, node: Syntax) -> Node:
        operator = node.children[0].type
        if operator == "*":
            return [tree.DEREFERENCE, self._first(node)]
        return [tree.SAME, self._each(node)]

    def _binary(self, node: Syntax) -> Node:
        is_comparison = node.children[1].type in _COMPARISONS
        return [tree.OPERATOR if is_comparison else tree.SAME, self._each(node)]

    def _cast(self, node: Syntax) -> Node:
        type_, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        return [tree.CAST, self._type(type_), self.value(value), self._line(node)]

    # ---- statements

    def _let(self, node: Syntax) -> Node:
        type_ = self._type(node.child_by_field_name("type"))
        value = self.value(node.child_by_field_name("value"))
        found = [tree.LET, self._pattern(node.child_by_field_name("pattern")), type_, value, False, self._line(node)]
        otherwise = node.child_by_field_name("alternative")
        return found if otherwise is None else [tree.SEVERAL, [found, self.value(otherwise)]]

    def _constant(self, node: Syntax) -> Node:
        pattern = [tree.BIND, text_of(node.child_by_field_name("name"))]
        type_ = self._type(node.child_by_field_name("type"))
        return [tree.LET, pattern, type_, self.value(node.child_by_field_name("value")), False, self._line(node)]

    def _match(self, node: Syntax) -> Node:
        cases = []
        for arm in named(node.child_by_field_name("body")):
            written = arm.child_by_field_name("pattern")
            if arm.type != "match_arm" or written is None:
                continue
            body = self.value(arm.child_by_field_name("value"))
            condition = written.child_by_field_name("condition")
            if condition is not None:
                body = [tree.BLOCK, [self.value(condition)], body]
            cases.append([self._pattern(written), body])
        return [tree.MATCH, self.value(node.child_by_field_name("value")), cases]

    def _for(self, node: Syntax) -> Node:
        pattern, value = node.child_by_field_name("pattern"), self.value(node.child_by_field_name("value"))
        each = [tree.LET, self._pattern(pattern), None, value, True, self._line(node)]
        return [tree.BLOCK, [each, self.value(node.child_by_field_name("body"))]]

    def _if(self, node: Syntax) -> Node:
        condition = self.value(node.child_by_field_name("condition"))
        then = [tree.BLOCK, [condition], self.value(node.child_by_field_name("consequence"))]
        return [tree.ALTERNATIVES, [then, self.value(node.child_by_field_name("alternative"))]]

    def _block(self, node: Syntax) -> Node:
        """A block; its value is that of a last expression without a semicolon."""
        inside = [one for one in named(node) if one.type not in ("label", "attribute_item", "empty_statement")]
        last = inside[-1] if inside else None
        statements = [self.value(one) for one in inside]
        has_value = last is not None and not (
            last.type in ("let_declaration", "use_declaration") or last.type.endswith("_item")
        )
        if last is not None and last.type == "expression_statement" and last.children[-1].type == ";":
            has_value = False
        return [tree.BLOCK, statements[:-1], statements[-1]] if has_value else [tree.BLOCK, statements, None]

    def _use(self, node: Syntax) -> Node:
        imports: dict[str, list[str]] = {}
        wildcards: list[list[str]] = []
        read_use(node.child_by_field_name("argument"), [], imports, wildcards)
        return [tree.USE, imports, wildcards]

    def _declare(self, node: Syntax) -> Node | None:
        if self._row:
            return None  # lines of declarations are those of the copy
        one = self.declarations.item(node)
        return [tree.DECLARE, one] if one is not None else None

    # ---- macros

    def _macro(self, node: Syntax) -> Node | None:
        """A call of a macro: its arguments are read again as expressions."""
        written, inside = node.child_by_field_name("macro"), next(iter(named(node)[::-1]), None)
        if written is None or inside is None or inside.type != "token_tree" or self._depth > _MAX_MACROS:
            return None
        line, parts = self._line(written), path_parts(written)
        arguments = self._macro_arguments(inside)
        name = parts[-1]
        if name == "vec":
            return [tree.SEQUENCE, arguments]
        if name in _SAME_VALUE or name == "try":
            return [
                tree.TRY if name == "try" else tree.SAME,
                arguments[0] if name == "try" and arguments else arguments,
            ]
        if name in _MACRO_TYPES:
            return [tree.LITERAL, named_type(_MACRO_TYPES[name]), arguments, line]
        return [tree.CALL, [tree.PATH, [*parts[:-1], f"{name}!"], [], line], arguments, [], line]

    def _macro_arguments(self, inside: Syntax) -> list[Node | None]:
        source = (inside.text or b"")[1:-1]
        if not source.strip():
            return []
        row = self._row
        self._row, self._depth = row + inside.start_point.row, self._depth + 1
        try:
            roots = [_parser().parse(before + source + after).root_node for before, after in _MACRO_READINGS]
            root = next((one for one in roots if not one.has_error), roots[0])
            body = (named(root) or [root])[0].child_by_field_name("body")
            if root is roots[0] and body is not None and named(body):
                call = named(named(body)[0])
                return self._each(call[0].child_by_field_name("arguments") if call else body)
            return self._each(body)
        finally:
            self._row, self._depth = row, self._depth - 1
