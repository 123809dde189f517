"""Lowering of C# files to the tree of `declared_types`: declarations, types, expressions and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types import syntax
from repoquarry.languages.declared_types.lowered_tree import (
    Declaration,
    LoweredFile,
    Node,
    Parameter,
    TypeParameter,
    encode_file,
)
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, named, named_type

ARRAY: Final = "__array"
"""Arrays among the stubs; two underscores, so that no program has it."""
GLOBAL: Final = "<global>"
"""Space of the namespaces that `global using` imports."""
_CLASSES = frozenset(
    {"class_declaration", "struct_declaration", "interface_declaration", "record_declaration", "enum_declaration"}
)
_NAMESPACES = frozenset({"namespace_declaration", "file_scoped_namespace_declaration"})
TASK: Final = "Task"
CONVERSION: Final = "operator()"
"""Conversions that a class declares."""
_DELEGATES = {"Action": "void", "Predicate": "bool", "Comparison": "int", "EventHandler": "void"}
"""Delegates of the library with a result that is not an argument."""
_PLAIN_NAMES = {
    "Boolean": "bool", "Byte": "byte", "Char": "char", "Decimal": "decimal", "Double": "double", "Int16": "short", "Int32": "int",
    "Int64": "long", "Object": "object", "Single": "float", "String": "string",
}  # fmt: skip
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_CONSTANT_TYPES = {
    "string_literal": "string",
    "verbatim_string_literal": "string",
    "raw_string_literal": "string",
    "integer_literal": "int",
    "real_literal": "double",
    "character_literal": "char",
    "boolean_literal": "bool",
}


def lower(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    return encode_file(_CSharpLowering(definitions).file(root))


def text_of(node: Syntax | None) -> str:
    """Return the source text of a node without the mark of a name; empty for none."""
    return syntax.text_of(node).removeprefix("@")


def _last(node: Syntax) -> Syntax | None:
    inside = named(node)
    return inside[-1] if inside else None


def _gives(node: Syntax) -> bool:
    """Return whether statements return a value, or end by an exception only."""
    if node.type == "return_statement":
        return bool(named(node))
    if node.type.startswith(("lambda", "anonymous", "local_function")):
        return False
    inside = named(node)
    if node.type == "block" and inside and inside[-1].type == "throw_statement":
        return True
    return any(_gives(one) for one in inside)


def _words(node: Syntax) -> set[str]:
    return {text_of(child) for child in node.children if child.type == "modifier"}


class _CSharpLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int]) -> None:
        self._definitions = definitions
        self._run: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": lambda node: [tree.NAME, text_of(node), line_of(node)],
            "this": lambda node: [tree.NAME, "this", line_of(node)],
            "base": lambda node: [tree.TYPE, named_type(tree.ABOVE), line_of(node)],
            "predefined_type": lambda node: [tree.TYPE, self._type(node), line_of(node)],
            "generic_name": lambda node: [tree.TYPE, self._type(node), line_of(node)],
            "qualified_name": lambda node: [tree.TYPE, self._type(node), line_of(node)],
            "alias_qualified_name": lambda node: [tree.NAME, text_of(node.child_by_field_name("name")), line_of(node)],
            "member_access_expression": self._member,
            "conditional_access_expression": self._conditional,
            "invocation_expression": self._call,
            "object_creation_expression": self._creation,
            "array_creation_expression": lambda node: [tree.LITERAL, self._type(node.child_by_field_name("type")), self._each(node), line_of(node)],
            "element_access_expression": self._index,
            "lambda_expression": self._lambda,
            "anonymous_method_expression": self._lambda,
            "cast_expression": self._cast,
            "as_expression": self._as,
            "default_expression": self._cast,
            "is_pattern_expression": self._is,
            "switch_expression": self._switch_expression,
            "switch_section": self._section,
            "binary_expression": self._binary,
            "conditional_expression": lambda node: [tree.ALTERNATIVES, self._each(node)],
            "assignment_expression": self._assignment,
            "argument": self._argument,
            "await_expression": lambda node: [tree.TRY, self.value(_last(node))],
            "tuple_expression": lambda node: [tree.PARTS, self._each(node)],
            "declaration_expression": self._declared_value,
            "typeof_expression": lambda node: [tree.CAST, named_type("Type"), [tree.TYPE, self._type(_last(node)), line_of(node)], line_of(node)],
            "interpolated_string_expression": lambda node: [tree.LITERAL, named_type("string"), self._each(node), line_of(node)],
            "local_declaration_statement": lambda node: [tree.SEVERAL, self._each(node)],
            "variable_declaration": self._variables,
            "foreach_statement": self._foreach,
            "catch_declaration": self._declared_value,
            "local_function_statement": lambda node: [tree.DECLARE, self._function(node)],
            "query_expression": self._query,
            "block": lambda node: [tree.BLOCK, self._each(node)],
            "collection_expression": lambda node: [tree.SEQUENCE, self._each(node)],
            "implicit_array_creation_expression": lambda node: [tree.SEQUENCE, [self.value(one) for part in named(node) for one in named(part)]],
            **dict.fromkeys(
                ("parenthesized_expression", "checked_expression", "with_expression",
                 "prefix_unary_expression", "postfix_unary_expression", "ref_expression", "expression_element",
                 "collection_element", "arrow_expression_clause", "constant_pattern", "throw_expression"),
                lambda node: [tree.SAME, self._each(node)],
            ),
            **dict.fromkeys(
                ("for_statement", "using_statement", "while_statement", "catch_clause", "fixed_statement", "lock_statement"),
                lambda node: [tree.BLOCK, self._each(node)],
            ),
        }  # fmt: skip

    # ---- declarations

    def file(self, root: Syntax) -> LoweredFile:
        """Lower a file."""
        found = LoweredFile()
        scoped = next((one for one in named(root) if one.type == "file_scoped_namespace_declaration"), None)
        whole = Declaration(tree.SPACE, self._namespace(scoped, "")) if scoped is not None else None
        for node in named(root):
            if node.type == "using_directive":
                self._using(node, found.imports, found.wildcards, found.declarations)
            elif node.type == "global_statement":
                found.statements += [one for one in self._each(node) if one is not None]
            elif node.type not in _NAMESPACES or node is not scoped:
                target = whole.members if whole is not None else found.declarations
                target += self._declared(node, whole.name if whole is not None else "")
        found.declarations += [whole] if whole is not None else []
        return found

    def _namespace(self, node: Syntax | None, around: str) -> str:
        name = text_of(node.child_by_field_name("name")).replace(" ", "") if node is not None else ""
        return f"{around}.{name}".strip(".")

    def _using(
        self, node: Syntax, imports: dict[str, list[str]], wildcards: list[list[str]], declared: list[Declaration]
    ) -> None:
        alias, parts = node.child_by_field_name("name"), named(node)
        path = text_of(parts[-1]).partition("<")[0].replace("global::", "").replace(" ", "").split(".") if parts else []
        if alias is not None:
            imports[text_of(alias)] = path
        elif any(child.type == "global" for child in node.children):
            declared.append(Declaration(tree.SPACE, GLOBAL, wildcards=[path]))
        else:
            wildcards.append(path)

    def _declared(self, node: Syntax, space: str) -> Iterator[Declaration]:
        """Yield what a declaration declares in a namespace or class."""
        if node.type in _NAMESPACES:
            one = Declaration(tree.SPACE, self._namespace(node, space))
            for child in named(node.child_by_field_name("body")):
                if child.type == "using_directive":
                    self._using(child, one.imports, one.wildcards, one.members)
                else:
                    one.members += self._declared(child, one.name)
            yield one
        elif node.type in _CLASSES:
            yield self._class(node)
        elif node.type == "delegate_declaration":
            one = self._start(tree.CLASS, node)
            one.type = [
                tree.FUNCTION_TYPE,
                [each.type for each in self._parameters(node)],
                self._type(node.child_by_field_name("type")),
            ]
            yield one

    def _start(self, kind: int, node: Syntax) -> Declaration:
        one = Declaration(kind, text_of(node.child_by_field_name("name")), line_of(node))
        one.definition = self._definitions.get(node.id, -1)
        bounds = self._constraints(node)
        for part in (each for child in named(node) if child.type == "type_parameter_list" for each in named(child)):
            name = text_of(part.child_by_field_name("name"))
            one.type_parameters.append(TypeParameter(name, bounds.get(name, [])))
        return one

    def _constraints(self, node: Syntax) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for clause in (child for child in named(node) if child.type == "type_parameter_constraints_clause"):
            name, *parts = named(clause)
            types = [self._type(part.child_by_field_name("type")) for part in parts]
            found[text_of(name)] = [one for one in types if one is not None]
        return found

    def _class(self, node: Syntax) -> Declaration:
        one = self._start(tree.CLASS, node)
        modifiers = _words(node)
        is_interface = node.type == "interface_declaration"
        one.flags = (tree.ABSTRACT if is_interface else 0) | (tree.PARTIAL if "partial" in modifiers else 0)
        for part in (child for child in named(node) if child.type == "base_list"):
            types = [self._type(each) for each in named(part) if each.type != "argument_list"]
            one.bases += [each for each in types if each is not None]
        for parameter in self._parameters(node):
            if parameter.pattern is not None:
                one.members.append(Declaration(tree.FIELD, parameter.pattern[1], line_of(node), type=parameter.type))
        for child in named(node.child_by_field_name("body")):
            one.members += self._member_declarations(child, one.name)
        for member in one.members if is_interface else ():
            if member.kind == tree.FUNCTION and member.body is None:
                member.flags |= tree.ABSTRACT
        return one

    def _member_declarations(self, node: Syntax, cls: str) -> Iterator[Declaration]:
        kind = node.type
        if kind in _CLASSES or kind == "delegate_declaration":
            yield from self._declared(node, "")
        elif kind == "enum_member_declaration":
            yield Declaration(tree.VARIANT, text_of(node.child_by_field_name("name")), line_of(node))
        elif kind in ("field_declaration", "event_field_declaration"):
            yield from self._field_declarations(node)
        elif kind in ("property_declaration", "event_declaration", "indexer_declaration"):
            yield from self._property(node)
        elif kind in (
            "method_declaration",
            "constructor_declaration",
            "destructor_declaration",
            "operator_declaration",
            "conversion_operator_declaration",
        ):
            one = self._function(node)
            if kind == "operator_declaration":
                one.name = f"operator{text_of(node.child_by_field_name('operator'))}"
            if kind == "conversion_operator_declaration":
                one.name = CONVERSION
            if kind == "destructor_declaration":
                one.name = f"~{cls}"
            if kind == "constructor_declaration":
                one.flags |= tree.CONSTRUCTOR
                self._chain(node, one, cls)
            yield one

    def _chain(self, node: Syntax, one: Declaration, cls: str) -> None:
        """Let a constructor call the one that it names: `: this(..)` or `: base(..)`."""
        for part in (child for child in named(node) if child.type == "constructor_initializer"):
            is_own = any(child.type == "this" for child in part.children)
            type_ = named_type("this" if is_own else tree.ABOVE)
            arguments = self._each(next((each for each in named(part) if each.type == "argument_list"), None))
            call: Node = [tree.NEW, type_, arguments, line_of(part)]
            one.body = [tree.SEVERAL, [call, one.body]]

    def _field_declarations(self, node: Syntax) -> Iterator[Declaration]:
        for declaration in (child for child in named(node) if child.type == "variable_declaration"):
            type_ = self._type(declaration.child_by_field_name("type"))
            for name, value in self._declarators(declaration, type_):
                yield Declaration(tree.FIELD, text_of(name), line_of(name), type=type_, value=value)

    def _property(self, node: Syntax) -> Iterator[Declaration]:
        """A property is a field; one with code is a function as well, under a name that no source has."""
        name = text_of(node.child_by_field_name("name")) or "this[]"
        type_ = self._type(node.child_by_field_name("type"))
        if node.type != "indexer_declaration":
            yield Declaration(tree.FIELD, name, line_of(node), type=type_)
        bodies = [node.child_by_field_name("value"), node.child_by_field_name("accessors")]
        parts = [
            one
            for body in bodies
            if body is not None
            for one in ([body] if body.type != "accessor_list" else named(body))
        ]
        written = [
            self.value(one.child_by_field_name("body") or one)
            for one in parts
            if one.type != "accessor_declaration" or one.child_by_field_name("body")
        ]
        one = Declaration(tree.FUNCTION, name if node.type == "indexer_declaration" else f"{name}()", line_of(node))
        one.definition = self._definitions.get(node.id, -1)
        one.parameters, one.receiver, one.result = self._parameters(node), "this", type_
        value: Node = [tree.LET, [tree.BIND, "value"], type_, None, False, line_of(node)]
        one.body = [tree.BLOCK, [value, *written]] if written else None
        if one.body is not None or node.type == "indexer_declaration":
            yield one

    def _function(self, node: Syntax) -> Declaration:
        one = self._start(tree.FUNCTION, node)
        modifiers = _words(node)
        one.flags = (tree.STATIC if "static" in modifiers else 0) | (tree.ABSTRACT if "abstract" in modifiers else 0)
        one.receiver = "" if "static" in modifiers or node.type == "local_function_statement" else "this"
        one.parameters = self._parameters(node)
        listed = node.child_by_field_name("parameters")
        if any(child.type == "explicit_interface_specifier" for child in node.children):
            one.flags |= tree.HIDDEN
        first = next((part for part in named(listed) if part.type == "parameter"), None)
        if first is not None and "this" in _words(first):
            one.flags |= tree.EXTENSION
        one.result = self._type(node.child_by_field_name("returns") or node.child_by_field_name("type"))
        body = node.child_by_field_name("body")
        one.body = self.value(body) if body is not None else None
        return one

    def _parameters(self, node: Syntax) -> list[Parameter]:
        listed = node.child_by_field_name("parameters")
        listed = listed or next((child for child in named(node) if child.type == "parameter_list"), None)
        found = []
        for part in (child for child in named(listed) if child.type == "parameter"):
            is_optional = len([child for child in part.children if child.type == "="]) > 0
            pattern = [tree.BIND, text_of(part.child_by_field_name("name"))]
            found.append(Parameter(pattern, self._type(part.child_by_field_name("type")), is_optional))
        rest = listed.child_by_field_name("name") if listed is not None else None
        if rest is not None and listed is not None:
            found.append(
                Parameter(
                    [tree.BIND, text_of(rest)],
                    self._type(listed.child_by_field_name("type")),
                    is_optional=True,
                    is_rest=True,
                )
            )
        return found

    # ---- types

    def _type(self, node: Syntax | None) -> Node | None:
        """Lower a type."""
        if node is None or node.type == "implicit_type":
            return None
        kind = node.type
        if kind in ("nullable_type", "ref_type", "pointer_type", "scoped_type"):
            return self._type(node.child_by_field_name("type") or _last(node))
        if kind == "array_type":
            return named_type(ARRAY, self._type(node.child_by_field_name("type")))
        if kind == "tuple_type":
            return [tree.TUPLE, [self._type(one.child_by_field_name("type")) for one in named(node)]]
        if kind in ("identifier", "predefined_type"):
            return named_type(_PLAIN_NAMES.get(text_of(node), text_of(node)))
        if kind == "alias_qualified_name":
            return self._type(node.child_by_field_name("name"))
        if kind == "qualified_name":
            before, last = (
                self._type(node.child_by_field_name("qualifier")),
                self._type(node.child_by_field_name("name")),
            )
            if before is None or last is None or last[0] != tree.NAMED:
                return last
            return [tree.NAMED, [*before[1], *last[1]], last[2]]
        return self._generic_type(node) if kind == "generic_name" else None

    def _generic_type(self, node: Syntax) -> Node | None:
        name, *rest = named(node)
        arguments = [self._type(one) for part in rest for one in named(part)]
        called = text_of(name)
        if called == "Expression" and arguments:
            return arguments[0]
        if called in ("Func", "Converter"):
            return [tree.FUNCTION_TYPE, arguments[:-1], arguments[-1]]
        if called in _DELEGATES:
            parameters = {"Comparison": arguments * 2, "EventHandler": [named_type("object"), *arguments]}
            return [tree.FUNCTION_TYPE, parameters.get(called, arguments), named_type(_DELEGATES[called])]
        return [tree.NAMED, [called], arguments]

    # ---- expressions

    def value(self, node: Syntax | None) -> Node | None:
        """Lower an expression or statement; nodes without an entry are those inside them."""
        if node is None:
            return None
        read = self._run.get(node.type)
        if read is not None:
            return read(node)
        if node.type in _CONSTANT_TYPES:
            return [tree.LITERAL, named_type(_CONSTANT_TYPES[node.type]), [], line_of(node)]
        inside = self._each(node)
        return [tree.SEVERAL, inside] if inside else None

    def _each(self, node: Syntax | None) -> list[Node | None]:
        return [self.value(child) for child in named(node) if not child.type.startswith("preproc_pragma")]

    def _name_and_types(self, node: Syntax | None) -> tuple[str, list[Node | None]]:
        """Return a name and its type arguments."""
        if node is not None and node.type == "generic_name":
            name, *rest = named(node)
            return text_of(name), [self._type(one) for part in rest for one in named(part)]
        return text_of(node), []

    def _member(self, node: Syntax) -> Node:
        name = node.child_by_field_name("name") or node
        return [
            tree.MEMBER,
            self.value(node.child_by_field_name("expression")),
            self._name_and_types(name)[0],
            line_of(name),
        ]

    def _conditional(self, node: Syntax) -> Node:
        """`a?.b`: a member of the value, if there is one."""
        value, *rest = named(node)
        found = self.value(value)
        for part in rest:
            name = part.child_by_field_name("name")
            if part.type == "member_binding_expression" and name is not None:
                found = [tree.MEMBER, found, self._name_and_types(name)[0], line_of(name)]
            else:
                found = [tree.INDEX, found, self.value(part)]
        return found or NOTHING

    def _call(self, node: Syntax) -> Node:
        function = node.child_by_field_name("function") or node
        name = function if function.type in ("identifier", "generic_name") else function.child_by_field_name("name")
        if function.type == "conditional_access_expression":
            name = named(function)[-1].child_by_field_name("name")
        _, types = self._name_and_types(name)
        callee = (
            [tree.NAME, self._name_and_types(function)[0], line_of(function)]
            if function.type == "generic_name"
            else self.value(function)
        )
        arguments = self._each(node.child_by_field_name("arguments"))
        return [tree.CALL, callee or NOTHING, arguments, types, line_of(name or function)]

    def _argument(self, node: Syntax) -> Node | None:
        value, name = self.value(_last(node)), node.child_by_field_name("name")
        return [tree.ARGUMENT, value, text_of(name)] if name is not None else value

    def _creation(self, node: Syntax) -> Node:
        type_ = self._type(node.child_by_field_name("type"))
        made: Node = [tree.NEW, type_, self._each(node.child_by_field_name("arguments")), line_of(node)]
        initial = node.child_by_field_name("initializer")
        return made if initial is None else [tree.SAME, [made, *self._each(initial)]]

    def _index(self, node: Syntax) -> Node:
        index = [tree.SEVERAL, self._each(node.child_by_field_name("subscript"))]
        return [
            tree.INDEX,
            self.value(node.child_by_field_name("expression")) or [tree.NAME, "this", line_of(node)],
            index,
        ]

    def _lambda(self, node: Syntax) -> Node:
        written = node.child_by_field_name("parameters")
        if written is not None and written.type == "implicit_parameter":
            parameters = [[[tree.BIND, text_of(written)], None]]
        else:
            parameters = [[one.pattern or [tree.ANY], one.type] for one in self._parameters(node)]
        body = node.child_by_field_name("body") or _last(node)
        is_async = "async" in (_words(node) | {child.type for child in node.children})
        is_silent = body is not None and body.type == "block" and not _gives(body)
        value = self._lambda_body(body)
        if is_async and not is_silent:
            value = [tree.WRAP, value, [TASK]]
        return [tree.LAMBDA, parameters, value, named_type(TASK if is_async else "void") if is_silent else None]

    def _lambda_body(self, body: Syntax | None) -> Node | None:
        """A body in braces has the value of its last `return`."""
        if body is None or body.type != "block":
            return self.value(body)
        statements = named(body)
        if statements and statements[-1].type == "return_statement" and named(statements[-1]):
            return [tree.BLOCK, [self.value(one) for one in statements[:-1]], self.value(named(statements[-1])[0])]
        return self.value(body)

    def _cast(self, node: Syntax) -> Node:
        return [
            tree.CAST,
            self._type(node.child_by_field_name("type")),
            self.value(node.child_by_field_name("value")),
            line_of(node),
        ]

    def _as(self, node: Syntax) -> Node:
        return [
            tree.CAST,
            self._type(node.child_by_field_name("right")),
            self.value(node.child_by_field_name("left")),
            line_of(node),
        ]

    def _is(self, node: Syntax) -> Node:
        pattern = self._pattern(node.child_by_field_name("pattern"))
        return [tree.LET, pattern, None, self.value(node.child_by_field_name("expression")), False, line_of(node)]

    def _switch_expression(self, node: Syntax) -> Node:
        value, *arms = named(node)
        cases = []
        for arm in filter(named, arms):  # A damaged arm may have nothing.
            pattern, *rest = named(arm)
            cases.append(
                [
                    self._pattern(pattern),
                    [tree.BLOCK, [self.value(one) for one in rest[:-1]], self.value(rest[-1]) if rest else None],
                ]
            )
        return [tree.MATCH, self.value(value), cases]

    def _section(self, node: Syntax) -> Node:
        """A section of a `switch`: names of its pattern, then its statements."""
        statements: list[Node | None] = []
        for part in named(node):
            is_pattern = part.type.endswith("_pattern") and part.type != "constant_pattern"
            statements.append(
                [tree.LET, self._pattern(part), None, None, False, line_of(part)] if is_pattern else self.value(part)
            )
        return [tree.BLOCK, statements]

    def _binary(self, node: Syntax) -> Node:
        operator = text_of(node.child_by_field_name("operator"))
        return [
            tree.OPERATOR if operator in _COMPARISONS else tree.ALTERNATIVES if operator == "??" else tree.SAME,
            self._each(node),
        ]

    def _assignment(self, node: Syntax) -> Node:
        left, right = node.child_by_field_name("left"), self.value(node.child_by_field_name("right"))
        if left is not None and left.type == "tuple_expression":
            return [tree.LET, self._tuple(left), None, right, False, line_of(node)]
        return (
            [tree.SEVERAL, [right]]
            if left is None or left.type == "identifier"
            else [tree.SEVERAL, [self.value(left), right]]
        )

    # ---- statements

    def _declared_value(self, node: Syntax) -> Node:
        name, type_ = text_of(node.child_by_field_name("name")), self._type(node.child_by_field_name("type"))
        return [tree.LET, [tree.BIND, name], type_, None, False, line_of(node)]

    def _declarators(self, node: Syntax, type_: Node | None) -> Iterator[tuple[Syntax, Node | None]]:
        """Yield the names and first values of a declaration; `new()` is of the declared type."""
        for part in (child for child in named(node) if child.type == "variable_declarator"):
            name, *values = named(part)
            written = values[-1] if values else None
            value = self.value(written)
            if written is not None and written.type == "implicit_object_creation_expression":
                arguments = next((one for one in named(written) if one.type == "argument_list"), None)
                value = [tree.NEW, type_, self._each(arguments), line_of(written)]
            yield name, value

    def _variables(self, node: Syntax) -> Node:
        type_ = self._type(node.child_by_field_name("type"))
        pairs = list(self._declarators(node, type_))
        return [
            tree.SEVERAL,
            [[tree.LET, self._target(name), type_, value, False, line_of(name)] for name, value in pairs],
        ]

    def _target(self, node: Syntax | None) -> Node:
        """A name, or the names of a tuple."""
        if node is None:
            return [tree.ANY]
        return self._tuple(node) if node.type.startswith("tuple") else [tree.BIND, text_of(node)]

    def _tuple(self, node: Syntax) -> Node:
        parts = [named(one)[0] if one.type == "argument" else one for one in named(node)]
        found: list[Node] = []
        for one in parts:
            name = one.child_by_field_name("name") if one.type == "declaration_expression" else one
            type_ = self._type(one.child_by_field_name("type")) if one.type == "declaration_expression" else None
            bound = self._target(name)
            found.append([tree.TYPED, type_, bound] if type_ is not None else bound)
        return [tree.EACH, found]

    def _foreach(self, node: Syntax) -> Node:
        type_, value = self._type(node.child_by_field_name("type")), self.value(node.child_by_field_name("right"))
        each = [tree.LET, self._target(node.child_by_field_name("left")), type_, value, True, line_of(node)]
        return [tree.BLOCK, [each, self.value(node.child_by_field_name("body"))]]

    def _query(self, node: Syntax) -> Node:
        """A query: each clause in the scope of the ones before, and a sequence of what it selects."""
        statements: list[Node | None] = []
        selected: list[Node | None] = []
        for part in named(node):
            values = self._each(part)
            if part.type == "from_clause":
                name = text_of(part.child_by_field_name("name"))
                statements.append([tree.LET, [tree.BIND, name], None, values[-1], True, line_of(part)])
            elif part.type == "let_clause":
                statements.append(
                    [tree.LET, [tree.BIND, text_of(named(part)[0])], None, values[-1], False, line_of(part)]
                )
            elif part.type == "select_clause":
                selected = values
            else:
                statements += values
        return [tree.BLOCK, statements, [tree.SEQUENCE, selected]]

    # ---- patterns

    def _pattern(self, node: Syntax | None) -> Node:
        """Lower a pattern to the names that it binds."""
        if node is None:
            return [tree.ANY]
        kind = node.type
        if kind == "declaration_pattern":
            bound = self._target(node.child_by_field_name("name"))
            type_ = self._type(node.child_by_field_name("type"))
            return [tree.TYPED, type_, bound] if type_ is not None else bound
        if kind == "var_pattern":
            return self._target(_last(node))
        if kind == "recursive_pattern":
            return self._recursive(node)
        if kind in ("or_pattern", "and_pattern", "negated_pattern", "parenthesized_pattern", "list_pattern"):
            return [tree.EITHER, [self._pattern(one) for one in named(node)]]
        return [tree.ANY]

    def _recursive(self, node: Syntax) -> Node:
        type_, name = self._type(node.child_by_field_name("type")), node.child_by_field_name("name")
        path = type_[1] if type_ is not None and type_[0] == tree.NAMED else []
        found: Node = [tree.ANY]
        for clause in named(node):
            parts = [named(one) for one in named(clause)]
            if clause.type == "property_pattern_clause":
                pairs = [[text_of(part[0]), self._pattern(part[-1])] for part in parts if len(part) > 1]
                found = [tree.FIELDS, path, pairs]
            elif clause.type == "positional_pattern_clause":
                found = [tree.MADE, path, [self._pattern(part[-1]) if part else [tree.ANY] for part in parts]]
        if name is not None:
            found = [tree.ALIAS, text_of(name), found]
        return [tree.TYPED, type_, found] if type_ is not None else found
