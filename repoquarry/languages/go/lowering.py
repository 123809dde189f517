"""Lowering of Go files to the tree of `declared_types`: declarations, types, expressions and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import (
    Declaration,
    LoweredFile,
    Node,
    Parameter,
    TypeParameter,
    encode_file,
)
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, named, named_type, text_of
from repoquarry.languages.go.builds import find_constraint

_BLANK = "_"
_SWITCHED = "switch"
"""Name for the value of a switch over types; a keyword, so that no variable has it."""
_SPECS = frozenset({"type_spec", "type_alias", "const_spec", "var_spec"})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_CONSTANT_TYPES = {
    "interpreted_string_literal": "string",
    "raw_string_literal": "string",
    "int_literal": "int",
    "float_literal": "float64",
    "rune_literal": "rune",
    "true": "bool",
    "false": "bool",
}


def lower(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    return encode_file(_GoLowering(definitions).file(root))


class _GoLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int]) -> None:
        self._definitions = definitions
        self._types: dict[str, Callable[[Syntax], Node | None]] = {
            "type_identifier": lambda node: named_type(text_of(node)),
            "identifier": lambda node: named_type(text_of(node)),
            "qualified_type": self._qualified_type,
            "pointer_type": lambda node: self._type_inside(node),
            "parenthesized_type": lambda node: self._type_inside(node),
            "type_elem": lambda node: self._type_inside(node),
            "generic_type": self._generic_type,
            "slice_type": lambda node: named_type("[]", self._type(node.child_by_field_name("element"))),
            "array_type": lambda node: named_type("[]", self._type(node.child_by_field_name("element"))),
            "implicit_length_array_type": lambda node: named_type("[]", self._type(named(node)[-1])),
            "map_type": self._map_type,
            "channel_type": lambda node: named_type("chan", self._type(node.child_by_field_name("value"))),
            "function_type": self._function_type,
            "struct_type": self._record,
            "interface_type": self._interface,
        }
        self._run: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": self._name,
            "type_identifier": self._name,
            "package_identifier": self._name,
            "selector_expression": self._selector,
            "qualified_type": self._qualified_value,
            "call_expression": self._call,
            "type_conversion_expression": self._conversion,
            "composite_literal": self._literal,
            "literal_value": lambda node: [tree.SEVERAL, self._each(node)],
            "keyed_element": self._keyed,
            "func_literal": self._function_literal,
            "type_assertion_expression": self._assertion,
            "type_instantiation_expression": self._instantiation,
            "index_expression": self._index,
            "slice_expression": lambda node: [tree.SAME, self._each(node)],
            "parenthesized_expression": lambda node: [tree.SAME, self._each(node)],
            "unary_expression": self._unary,
            "binary_expression": self._binary,
            "short_var_declaration": self._assignment,
            "receive_statement": self._assignment,
            "range_clause": self._range,
            "var_declaration": self._variables,
            "const_declaration": self._variables,
            "type_declaration": lambda node: [tree.SEVERAL, [[tree.DECLARE, one] for one in self._declared(node)]],
            "type_switch_statement": self._type_switch,
            **dict.fromkeys(
                ("block", "if_statement", "for_statement", "expression_case", "default_case", "communication_case",
                 "expression_switch_statement", "select_statement"),
                lambda node: [tree.BLOCK, list(self._statements(node))],
            ),
            **dict.fromkeys(
                ("slice_type", "array_type", "map_type", "channel_type", "pointer_type", "interface_type",
                 "struct_type", "generic_type", "function_type"),
                lambda node: [tree.TYPE, self._type(node), line_of(node)],
            ),
        }  # fmt: skip

    # ---- declarations

    def file(self, root: Syntax) -> LoweredFile:
        """Lower a file."""
        found = LoweredFile(condition=find_constraint(root.text or b""))
        for node in named(root):
            if node.type == "import_declaration":
                self._import(node, found)
            elif node.type in ("type_declaration", "const_declaration", "var_declaration"):
                found.declarations += self._declared(node)
            elif node.type in ("function_declaration", "method_declaration"):
                found.declarations.append(self._function(node))
        return found

    def _import(self, node: Syntax, found: LoweredFile) -> None:
        for child in named(node):
            if child.type == "import_spec_list":
                self._import(child, found)
            elif child.type == "import_spec":
                path = text_of(child.child_by_field_name("path")).strip('"`')
                alias = text_of(child.child_by_field_name("name"))
                if alias == ".":
                    found.wildcards.append([path])
                elif not alias:
                    found.modules.append([path])
                elif alias != _BLANK:
                    found.imports[alias] = [path]

    def _declared(self, node: Syntax) -> Iterator[Declaration]:
        """Yield the types, variables and constants of a declaration."""
        type_: Node | None = None
        for spec in self._specs(node):
            if spec.type == "type_spec":
                yield self._class(spec)
            elif spec.type == "type_alias":
                yield self._alias(spec)
            else:
                written, value = spec.child_by_field_name("type"), spec.child_by_field_name("value")
                # A constant without type and value has those of the constant before.
                type_ = self._type(written) if written is not None or value is not None else type_
                yield from self._values(spec, type_)

    def _specs(self, node: Syntax) -> Iterator[Syntax]:
        for child in named(node):
            if child.type in _SPECS:
                yield child
            elif child.type.endswith("_list"):
                yield from self._specs(child)

    def _values(self, spec: Syntax, type_: Node | None) -> Iterator[Declaration]:
        values = [self._value(one) for one in named(spec.child_by_field_name("value"))]
        names = spec.children_by_field_name("name")
        names = [one for one in names if one.type == "identifier"]
        for position, name in enumerate(names):
            one = Declaration(tree.VARIABLE, text_of(name), line_of(name), type=type_)
            if len(values) == len(names):
                one.value = values[position]
            elif values:
                one.value, one.position = values[0], position
            yield one

    def _class(self, spec: Syntax) -> Declaration:
        kind = spec.child_by_field_name("type")
        one = Declaration(tree.CLASS, text_of(spec.child_by_field_name("name")), line_of(spec))
        one.definition = self._definitions.get(spec.id, -1)
        one.type_parameters = self._type_parameters(spec)
        if kind is not None and kind.type == "struct_type":
            self._fields(kind, one)
        elif kind is not None and kind.type == "interface_type":
            one.flags = tree.ABSTRACT
            for part in named(kind):
                if part.type == "method_elem":
                    one.members.append(self._function(part, tree.ABSTRACT))
                elif part.type == "type_elem" and part.named_child_count == 1 and text_of(part)[:1] != "~":
                    one.bases += [base for base in [self._type(part)] if base is not None]
        else:
            one.type = self._type(kind)
        return one

    def _fields(self, struct: Syntax, owner: Declaration) -> None:
        for field in (one for part in named(struct) for one in named(part) if one.type == "field_declaration"):
            type_, names = self._type(field.child_by_field_name("type")), field.children_by_field_name("name")
            for name in names:
                owner.members.append(Declaration(tree.FIELD, text_of(name), line_of(name), type=type_))
            if not names and type_ is not None and type_[0] == tree.NAMED:
                owner.bases.append(type_)
                name = type_[1][-1]
                owner.members.append(Declaration(tree.FIELD, name, line_of(field), flags=tree.EMBEDDED, type=type_))

    def _alias(self, spec: Syntax) -> Declaration:
        name, type_ = text_of(spec.child_by_field_name("name")), self._type(spec.child_by_field_name("type"))
        one = Declaration(tree.TYPE_ALIAS, name, line_of(spec), type=type_)
        one.type_parameters = self._type_parameters(spec)
        return one

    def _type_parameters(self, node: Syntax) -> list[TypeParameter]:
        found = []
        for part in named(node.child_by_field_name("type_parameters")):
            constraint = named(part.child_by_field_name("type"))
            # A union of types has no methods of its own.
            bound = self._type(constraint[0]) if len(constraint) == 1 else None
            bounds = [bound] if bound is not None else []
            found += [TypeParameter(text_of(name), bounds) for name in part.children_by_field_name("name")]
        return found

    def _function(self, node: Syntax, flags: int = 0) -> Declaration:
        one = Declaration(tree.FUNCTION, text_of(node.child_by_field_name("name")), line_of(node), flags=flags)
        one.definition = self._definitions.get(node.id, -1)
        one.type_parameters = self._type_parameters(node)
        one.parameters = self._parameters(node.child_by_field_name("parameters"))
        one.result, one.results = self._result(node)
        body = node.child_by_field_name("body")
        one.body = self._value(body) if body is not None else None
        for receiver in self._parameters(node.child_by_field_name("receiver"))[:1]:
            one.owner = receiver.type
            one.receiver = receiver.pattern[1] if receiver.pattern is not None else ""
            arguments = receiver.type[2] if receiver.type is not None and receiver.type[0] == tree.NAMED else []
            names = (argument[1][0] for argument in arguments if argument is not None and argument[0] == tree.NAMED)
            one.type_parameters = [TypeParameter(name) for name in names]
        return one

    def _parameters(self, node: Syntax | None) -> list[Parameter]:
        found = []
        for part in named(node):
            type_ = self._type(part.child_by_field_name("type"))
            if part.type == "variadic_parameter_declaration":
                type_ = named_type("[]", type_)
            names = part.children_by_field_name("name")
            found += [Parameter([tree.BIND, text_of(name)], type_) for name in names] or [Parameter(None, type_)]
        return found

    def _result(self, node: Syntax) -> tuple[Node | None, list[Parameter]]:
        """Return the type of the result, and the results with names."""
        written = node.child_by_field_name("result")
        if written is None or written.type != "parameter_list":
            return self._type(written), []
        results = self._parameters(written)
        with_names = [one for one in results if one.pattern is not None]
        types = [one.type for one in results]
        return types[0] if len(types) == 1 else [tree.TUPLE, types], with_names

    # ---- types

    def _type(self, node: Syntax | None) -> Node | None:
        if node is None:
            return None
        read = self._types.get(node.type)
        return read(node) if read is not None else named_type("interface")

    def _type_inside(self, node: Syntax) -> Node | None:
        inside = named(node)
        return self._type(inside[0]) if inside else None

    def _qualified_type(self, node: Syntax) -> Node:
        parts = [text_of(node.child_by_field_name("package")), text_of(node.child_by_field_name("name"))]
        return [tree.NAMED, parts, []]

    def _generic_type(self, node: Syntax) -> Node | None:
        base = self._type(node.child_by_field_name("type"))
        arguments = [self._type(one) for one in named(node.child_by_field_name("type_arguments"))]
        return [tree.NAMED, base[1], arguments] if base is not None else None

    def _map_type(self, node: Syntax) -> Node:
        return named_type(
            "map", self._type(node.child_by_field_name("key")), self._type(node.child_by_field_name("value"))
        )

    def _function_type(self, node: Syntax) -> Node:
        types = [one.type for one in self._parameters(node.child_by_field_name("parameters"))]
        return [tree.FUNCTION_TYPE, types, self._result(node)[0]]

    def _record(self, node: Syntax) -> Node:
        fields = Declaration(tree.CLASS, "")
        self._fields(node, fields)
        return [tree.RECORD, [[one.name, one.type] for one in fields.members], fields.bases]

    def _interface(self, node: Syntax) -> Node:
        """An interface without a name: its methods are functions of unknown place."""
        methods = [
            [text_of(part.child_by_field_name("name")), self._function_type(part)]
            for part in named(node)
            if part.type == "method_elem"
        ]
        bases = [self._type(part) for part in named(node) if part.type == "type_elem" and part.named_child_count == 1]
        return [tree.RECORD, methods, bases] if methods or bases else named_type("any")

    # ---- expressions

    def _value(self, node: Syntax | None) -> Node | None:
        if node is None:
            return None
        read = self._run.get(node.type)
        if read is not None:
            return read(node)
        if node.type in _CONSTANT_TYPES:
            return [tree.LITERAL, named_type(_CONSTANT_TYPES[node.type]), [], line_of(node)]
        inside = named(node)
        if len(inside) == 1:
            return self._value(inside[0])
        return [tree.SEVERAL, list(self._statements(node))] if inside else None

    def _each(self, node: Syntax | None) -> list[Node | None]:
        return [self._value(child) for child in named(node)]

    def _statements(self, node: Syntax) -> Iterator[Node | None]:
        for child in named(node):
            if child.type == "statement_list":
                yield from self._statements(child)
            else:
                yield self._value(child)

    def _name(self, node: Syntax) -> Node:
        return [tree.NAME, text_of(node), line_of(node)]

    def _selector(self, node: Syntax) -> Node:
        field = node.child_by_field_name("field") or node
        return [tree.MEMBER, self._value(node.child_by_field_name("operand")), text_of(field), line_of(field)]

    def _qualified_value(self, node: Syntax) -> Node:
        name = node.child_by_field_name("name") or node
        package = node.child_by_field_name("package") or node
        return [tree.MEMBER, self._name(package), text_of(name), line_of(name)]

    def _call(self, node: Syntax) -> Node:
        function = node.child_by_field_name("function") or node
        called = function.child_by_field_name("field") or function
        types = [self._type(one) for one in named(node.child_by_field_name("type_arguments"))]
        arguments = self._each(node.child_by_field_name("arguments"))
        return [tree.CALL, self._value(function) or NOTHING, arguments, types, line_of(called)]

    def _conversion(self, node: Syntax) -> Node:
        """A conversion, or a call of a generic function: `f[int](x)` is read as one."""
        written, value = node.child_by_field_name("type"), self._value(node.child_by_field_name("operand"))
        if written is not None and written.type == "generic_type":
            types = [self._type(one) for one in named(written.child_by_field_name("type_arguments"))]
            function = self._value(written.child_by_field_name("type")) or NOTHING
            return [tree.CALL, function, [value], types, line_of(node)]
        return [tree.CAST, self._type(written), value, line_of(node)]

    def _literal(self, node: Syntax) -> Node:
        type_ = self._type(node.child_by_field_name("type"))
        return [tree.LITERAL, type_, self._each(node.child_by_field_name("body")), line_of(node)]

    def _keyed(self, node: Syntax) -> Node:
        """A value with its key; a plain name may be that of a field, and mentions nothing."""
        parts = named(node)
        key = named(parts[0])[0] if parts and named(parts[0]) else None
        return [tree.SEVERAL, [self._value(one) for one in (parts[1:] if key and key.type == "identifier" else parts)]]

    def _function_literal(self, node: Syntax) -> Node:
        result, results = self._result(node)
        parameters = [*self._parameters(node.child_by_field_name("parameters")), *results]
        patterns = [[one.pattern or [tree.ANY], one.type] for one in parameters]
        return [tree.LAMBDA, patterns, self._value(node.child_by_field_name("body")), result]

    def _assertion(self, node: Syntax) -> Node:
        type_, value = node.child_by_field_name("type"), node.child_by_field_name("operand")
        return [tree.CAST, self._type(type_), self._value(value), line_of(node)]

    def _instantiation(self, node: Syntax) -> Node:
        function, *arguments = named(node)
        return [tree.INSTANCE, self._value(function), [self._type(one) for one in arguments], line_of(node)]

    def _index(self, node: Syntax) -> Node:
        index = self._value(node.child_by_field_name("index"))
        return [tree.INDEX, self._value(node.child_by_field_name("operand")), index]

    def _unary(self, node: Syntax) -> Node:
        value = self._value(node.child_by_field_name("operand"))
        operator = node.children[0].type
        if operator == "<-":
            return [tree.ELEMENT, value]
        return [tree.SAME if operator in ("*", "&", "-", "+") else tree.OPERATOR, [value]]

    def _binary(self, node: Syntax) -> Node:
        form = tree.OPERATOR if node.children[1].type in _COMPARISONS else tree.SAME
        return [form, self._each(node)]

    # ---- statements

    def _patterns(self, node: Syntax | None) -> list[Node]:
        return [
            [tree.BIND, text_of(one)] if one.type == "identifier" and text_of(one) != _BLANK else [tree.ANY]
            for one in named(node)
        ]

    def _assignment(self, node: Syntax) -> Node | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self._value(right)
        values = named(right) if right.type == "expression_list" else [right]
        return self._let(self._patterns(left), None, [self._value(one) for one in values], line_of(node))

    def _let(self, patterns: list[Node], type_: Node | None, values: list[Node | None], line: int) -> Node:
        if not values:
            values = [None] * len(patterns)
        if len(values) == len(patterns):
            pairs = zip(patterns, values, strict=True)
            return [tree.SEVERAL, [[tree.LET, one, type_, value, False, line] for one, value in pairs]]
        return [tree.LET, [tree.EACH, patterns], type_, values[0], False, line]

    def _range(self, node: Syntax) -> Node | None:
        left, right = node.child_by_field_name("left"), self._value(node.child_by_field_name("right"))
        if left is None:
            return right
        return [tree.LET, [tree.EACH, self._patterns(left)], None, right, True, line_of(node)]

    def _variables(self, node: Syntax) -> Node:
        found = []
        for spec in self._specs(node):
            names = [one for one in spec.children_by_field_name("name") if one.type == "identifier"]
            patterns = [[tree.BIND, text_of(name)] for name in names]
            values = self._each(spec.child_by_field_name("value"))
            found.append(self._let(patterns, self._type(spec.child_by_field_name("type")), values, line_of(spec)))
        return [tree.SEVERAL, found]

    def _type_switch(self, node: Syntax) -> Node:
        """A switch over types: the name has the type of a case with one type, and the value's in all others."""
        alias, value = node.child_by_field_name("alias"), self._value(node.child_by_field_name("value"))
        name = text_of(named(alias)[0]) if alias is not None and named(alias) else ""
        switched: Node = [tree.NAME, _SWITCHED, line_of(node)]
        held: Node = [tree.LET, [tree.BIND, _SWITCHED], None, value, False, line_of(node)]
        cases: list[Node | None] = []
        for case in named(node):
            if case.type not in ("type_case", "default_case"):
                continue
            types = case.children_by_field_name("type")
            type_ = self._type(types[0]) if len(types) == 1 else None
            line = line_of(case)
            mentioned = [one for one in types if text_of(one) != "nil" and not (name and type_ is not None)]
            mentions = [[tree.TYPE, self._type(one), line] for one in mentioned]
            bound = [tree.LET, [tree.BIND, name], type_, switched, False, line]
            body = [self._value(one) for one in named(case) if one not in types]
            flat = [one for one in body if one is not None]
            cases.append([tree.BLOCK, [*mentions, *([bound] if name else []), *flat]])
        return [tree.BLOCK, [self._value(node.child_by_field_name("initializer")), held, *cases]]
