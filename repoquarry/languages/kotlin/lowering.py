"""Lowering of Kotlin files to the tree of `declared_types`: declarations, types, expressions and statements."""

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
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, lower_rest, named, named_type

RECEIVER: Final = "<receiver>"
"""Type constructor of the first parameter in `T.() -> R`: the receiver of a function literal."""
_CLASSES = frozenset({"class_declaration", "object_declaration", "companion_object"})
_TYPES = frozenset({"user_type", "nullable_type", "function_type", "parenthesized_type", "non_nullable_type"})
_JUMPS = ("return", "throw", "continue", "break")
_COMPARISONS = frozenset({"==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||"})
_CONSTANT_TYPES = {
    "number_literal": "Int",
    "float_literal": "Double",
    "character_literal": "Char",
    "string_literal": "String",
    "multiline_string_literal": "String",
}


def lower(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    return encode_file(_KotlinLowering(definitions).file(root))


def text_of(node: Syntax | None) -> str:
    """Return the source text of a node without the quotes of a name; empty for none."""
    return syntax.text_of(node).strip("`")


def _first(node: Syntax | None, *types: str) -> Syntax | None:
    return next((child for child in named(node) if child.type in types), None)


def _words(node: Syntax) -> set[str]:
    return {text_of(child) for child in named(_first(node, "modifiers"))}


class _KotlinLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int]) -> None:
        self._definitions = definitions
        self._bases: list[Node | None] = []
        """First base of each class around."""
        self._run: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": lambda node: [tree.NAME, text_of(node), line_of(node)],
            "this_expression": lambda node: [tree.NAME, "this", line_of(node)],
            "super_expression": self._super,
            "navigation_expression": self._member,
            "call_expression": self._call,
            "callable_reference": lambda node: self.value(named(node)[-1]) if named(node) else None,
            "lambda_literal": self._lambda,
            "anonymous_function": self._function_expression,
            "object_literal": self._object,
            "index_expression": self._index,
            "as_expression": self._cast,
            "is_expression": self._is,
            "when_expression": self._when,
            "if_expression": self._if,
            "for_statement": self._for,
            "catch_block": self._catch,
            "binary_expression": self._binary,
            "infix_expression": self._infix,
            "property_declaration": self._variable,
            "assignment": self._assignment,
            "function_declaration": lambda node: [tree.DECLARE, self._function(node)],
            "class_declaration": lambda node: [tree.DECLARE, self._class(node)],
            "object_declaration": lambda node: [tree.DECLARE, self._class(node)],
            "block": lambda node: self._block(named(node)),
            "function_body": lambda node: [tree.SAME, self._each(node)],
            "try_expression": lambda node: [tree.ALTERNATIVES, self._each(node)],
            "value_argument": self._argument,
            "while_statement": lambda node: [tree.BLOCK, self._each(node)],
            **dict.fromkeys(
                ("parenthesized_expression", "unary_expression", "annotated_lambda", "labeled_expression"),
                lambda node: [tree.SAME, self._each(node)],
            ),
        }  # fmt: skip

    def _argument(self, node: Syntax) -> Node | None:
        parts = named(node)
        is_named = len(parts) > 1 and any(child.type == "=" for child in node.children)
        value = self.value(parts[-1]) if parts else None
        return [tree.ARGUMENT, value, text_of(parts[0])] if is_named else value

    # ---- declarations

    def file(self, root: Syntax) -> LoweredFile:
        """Lower a file."""
        found = LoweredFile()
        for node in named(root):
            if node.type == "import":
                self._import(node, found)
            elif node.type != "package_header":
                declared = list(self._declared(node, tree.VARIABLE))
                found.declarations += declared
                if not declared:
                    found.statements += [one for one in [self.value(node)] if one is not None]
        return found

    def _import(self, node: Syntax, found: LoweredFile) -> None:
        path, *alias = named(node)
        parts = [text_of(part) for part in named(path)] or [text_of(path)]
        if any(child.type == "*" for child in node.children):
            found.wildcards.append(parts)
        else:
            found.imports[text_of(alias[0]) if alias else parts[-1]] = parts

    def _declared(self, node: Syntax, kind: int) -> Iterator[Declaration]:
        """Yield what a node declares in a file or class."""
        if node.type in _CLASSES:
            yield self._class(node)
        elif node.type == "function_declaration":
            yield self._function(node)
        elif node.type == "property_declaration":
            yield from self._properties(node, kind)
        elif node.type == "type_alias":
            name, *rest = named(node)
            one = Declaration(
                tree.TYPE_ALIAS, text_of(name), line_of(node), type=self._type(rest[-1]) if rest else None
            )
            one.type_parameters = self._type_parameters(node)
            yield one

    def _class(self, node: Syntax) -> Declaration:
        name = text_of(node.child_by_field_name("name")) or "Companion"
        one = Declaration(tree.CLASS, name, line_of(node))
        one.definition = self._definitions.get(node.id, -1)
        one.type_parameters = self._type_parameters(node)
        is_interface = any(child.type == "interface" for child in node.children)
        one.flags = tree.ABSTRACT if is_interface else 0
        constructions = list(self._add_bases(node, one))
        primary = _first(_first(node, "primary_constructor"), "class_parameters")
        parameters = [self._parameter(part) for part in named(primary) if part.type == "class_parameter"]
        for each, part in zip(parameters, named(primary), strict=False):
            one.members.append(
                Declaration(tree.FIELD, each.pattern[1] if each.pattern else "", line_of(part), type=each.type)
            )
            if each.is_optional:
                value = self._property_value(part)
                one.members.append(
                    Declaration(tree.FIELD, f"<default {line_of(part)}>", line_of(part), type=each.type, value=value)
                )
        body = _first(node, "class_body", "enum_class_body")
        has_other = any(child.type == "secondary_constructor" for child in named(body))
        if not is_interface and (primary is not None or not has_other):
            made = Declaration(
                tree.FUNCTION, "<init>", line_of(node), one.definition, tree.CONSTRUCTOR, parameters=parameters
            )
            one.members.append(made)
        one.members += constructions
        self._bases.append(one.bases[0] if one.bases else None)
        for child in named(body):
            one.members += self._member_declarations(child, name, is_interface=is_interface)
        self._bases.pop()
        return one

    def _add_bases(self, node: Syntax, one: Declaration) -> Iterator[Declaration]:
        """Add the bases, and yield the calls of their constructors."""
        for specifier in named(_first(node, "delegation_specifiers")):
            inside = _first(specifier, "constructor_invocation", "user_type", "explicit_delegation", "function_type")
            written = inside if inside is None or inside.type.endswith("_type") else _first(inside, "user_type")
            type_ = self._type(written)
            if inside is None or type_ is None:
                continue
            one.bases.append(type_)
            if inside.type == "constructor_invocation":
                arguments = self._each(_first(inside, "value_arguments"))
                yield Declaration(
                    tree.FIELD,
                    f"<base {len(one.bases)}>",
                    line_of(inside),
                    value=[tree.NEW, type_, arguments, line_of(inside)],
                )

    def _member_declarations(self, node: Syntax, cls: str, *, is_interface: bool) -> Iterator[Declaration]:
        if node.type == "companion_object":
            # Members of a companion are named by the class around.
            yield from (member for member in self._class(node).members if member.name != "<init>")
        elif node.type == "enum_entry":
            name = text_of(named(node)[0])
            yield Declaration(tree.VARIANT, name, line_of(node))
            for child in named(_first(node, "class_body")):
                yield from self._member_declarations(child, cls, is_interface=False)
        elif node.type == "anonymous_initializer":
            yield Declaration(
                tree.FIELD, f"<block {line_of(node)}>", line_of(node), value=self.value(_first(node, "block"))
            )
        elif node.type == "secondary_constructor":
            yield self._constructor(node, cls)
        else:
            for one in self._declared(node, tree.FIELD):
                if one.kind == tree.FUNCTION and (is_interface or "abstract" in _words(node)) and one.body is None:
                    one.flags |= tree.ABSTRACT
                yield one

    def _constructor(self, node: Syntax, cls: str) -> Declaration:
        one = Declaration(
            tree.FUNCTION, "constructor", line_of(node), self._definitions.get(node.id, -1), tree.CONSTRUCTOR
        )
        one.parameters, one.receiver = self._parameters(_first(node, "function_value_parameters")), "this"
        statements: list[Node | None] = []
        call = _first(node, "constructor_delegation_call")
        if call is not None:
            is_own = any(child.type == "this" for child in call.children)
            type_ = named_type(cls) if is_own else self._bases[-1]
            arguments = self._each(_first(call, "value_arguments"))
            statements.append(
                [tree.NEW, type_, arguments, line_of(call)] if type_ is not None else [tree.SEVERAL, arguments]
            )
        defaults = self._default_values(_first(node, "function_value_parameters"))
        one.body = [tree.SEVERAL, [*defaults, *statements, self.value(_first(node, "block"))]]
        return one

    def _properties(self, node: Syntax, kind: int) -> Iterator[Declaration]:
        """Yield the variables of a property, and its accessors as values that the class evaluates."""
        names = _first(node, "variable_declaration", "multi_variable_declaration")
        if names is None:
            return
        value = self._property_value(node)
        parts = [names] if names.type == "variable_declaration" else named(names)
        getter = _first(_first(node, "getter"), "function_body")
        for position, part in enumerate(parts):
            one = Declaration(kind, text_of(named(part)[0]), line_of(part), type=self._declared_type(part), value=value)
            one.position = position if len(parts) > 1 else -1
            if one.value is None and getter is not None and named(getter)[0].type != "block":
                one.value = self.value(getter)
            yield one
        for accessor in (child for child in named(node) if child.type in ("getter", "setter")):
            body = _first(accessor, "function_body")
            if body is not None and not (
                accessor.type == "getter" and named(body)[0].type != "block" and value is None
            ):
                yield Declaration(
                    kind, f"<{accessor.type} {line_of(accessor)}>", line_of(accessor), value=self.value(body)
                )

    def _property_value(self, node: Syntax) -> Node | None:
        delegate = _first(node, "property_delegate")
        if delegate is not None and named(delegate):
            return [tree.MEMBER, self.value(named(delegate)[0]), "value", line_of(delegate)]
        after = False
        for child in node.children:
            if after and child.is_named and not child.type.endswith("comment"):
                return self.value(child)
            after = after or child.type == "="
        return None

    def _function(self, node: Syntax) -> Declaration:
        name = node.child_by_field_name("name")
        one = Declaration(tree.FUNCTION, text_of(name), line_of(node), self._definitions.get(node.id, -1))
        one.type_parameters = self._type_parameters(node)
        listed = _first(node, "function_value_parameters")
        one.parameters, one.receiver = self._parameters(listed), "this"
        types = [child for child in named(node) if child.type in _TYPES]
        before = [child for child in types if name is not None and child.end_byte <= name.start_byte]
        after = [child for child in types if listed is not None and child.start_byte >= listed.end_byte]
        if before:
            one.flags |= tree.EXTENSION
            one.receiver = ""
            one.parameters.insert(0, Parameter([tree.BIND, "this"], self._type(before[0])))
        one.result = self._type(after[0]) if after else None
        body = _first(node, "function_body")
        one.body = self.value(body) if body is not None else None
        own_body, defaults = one.body, self._default_values(listed)
        if body is not None and one.result is None and named(body) and named(body)[0].type != "block":
            one.value = [
                tree.LAMBDA,
                [[each.pattern or [tree.ANY], each.type] for each in one.parameters],
                own_body,
                None,
            ]
        if own_body is not None and defaults:
            one.body = [tree.SEVERAL, [*defaults, own_body]]
        return one

    def _default_values(self, node: Syntax | None) -> list[Node]:
        """Return the values of parameters that calls may leave out, as the function evaluates them."""
        found: list[Node] = []
        type_: Node | None = None
        after = False
        for part in node.children if node is not None else ():
            if part.type == "parameter":
                type_ = self._parameter(part).type
            elif after and part.is_named and not part.type.endswith("comment"):
                found.append([tree.LET, [tree.ANY], type_, self.value(part), False, line_of(part)])
            after = part.type == "=" or (after and part.type.endswith("comment"))
        return found

    def _parameters(self, node: Syntax | None) -> list[Parameter]:
        found: list[Parameter] = []
        for part in node.children if node is not None else ():
            if part.type == "parameter":
                found.append(self._parameter(part))
            elif part.type == "=" and found:
                found[-1] = Parameter(found[-1].pattern, found[-1].type, is_optional=True)
        modifiers = [text_of(part) for part in named(node) if part.type == "parameter_modifiers"]
        if "vararg" in modifiers and found:
            last = found[-1]
            # Calls give elements, and the function sees an array of them.
            pattern = [tree.TYPED, named_type("Array", last.type), last.pattern]
            found[-1] = Parameter(pattern, last.type, is_optional=True, is_rest=True)
        return found

    def _parameter(self, node: Syntax) -> Parameter:
        name, type_ = _first(node, "identifier"), next((child for child in named(node) if child.type in _TYPES), None)
        is_optional = any(child.type == "=" for child in node.children)
        return Parameter([tree.BIND, text_of(name)], self._type(type_), is_optional)

    # ---- types

    def _type_parameters(self, node: Syntax) -> list[TypeParameter]:
        bounds: dict[str, list[Node]] = {}
        for constraint in named(_first(node, "type_constraints")):
            bound = self._type(named(constraint)[-1])
            if bound is not None:
                bounds.setdefault(text_of(_first(constraint, "identifier")), []).append(bound)
        found = []
        for part in named(_first(node, "type_parameters")):
            name = text_of(_first(part, "identifier"))
            bound = self._type(next((child for child in named(part) if child.type in _TYPES), None))
            found.append(TypeParameter(name, [*([bound] if bound is not None else []), *bounds.get(name, [])]))
        return found

    def _declared_type(self, node: Syntax) -> Node | None:
        return self._type(next((child for child in named(node) if child.type in _TYPES), None))

    def _type(self, node: Syntax | None) -> Node | None:
        if node is None:
            return None
        if node.type == "user_type":
            names = [text_of(child) for child in named(node) if child.type == "identifier"]
            arguments = [self._projection(one) for one in named(_first(node, "type_arguments"))]
            return [tree.NAMED, names, arguments] if names else None
        if node.type == "function_type":
            listed = _first(node, "function_type_parameters")
            parameters = [self._type(one if one.type in _TYPES else named(one)[-1]) for one in named(listed)]
            types = [child for child in named(node) if child.type in _TYPES]
            if len(types) > 1:
                parameters.insert(0, named_type(RECEIVER, self._type(types[0])))
            return [tree.FUNCTION_TYPE, parameters, self._type(types[-1]) if types else None]
        inside = next((child for child in named(node) if child.type in _TYPES), None)
        return self._type(inside)

    def _projection(self, node: Syntax) -> Node | None:
        return self._type(next((child for child in named(node) if child.type in _TYPES), None))

    # ---- expressions

    def value(self, node: Syntax | None) -> Node | None:
        """Lower an expression or statement; nodes without an entry are those inside them."""
        if node is None:
            return None
        read = self._run.get(node.type)
        return read(node) if read is not None else lower_rest(node, self._each(node), _CONSTANT_TYPES)

    def _each(self, node: Syntax | None) -> list[Node | None]:
        return [self.value(child) for child in named(node)]

    def _block(self, statements: list[Syntax]) -> Node:
        values = [self.value(one) for one in statements]
        return [tree.BLOCK, values[:-1], values[-1]] if values else [tree.BLOCK, []]

    def _super(self, node: Syntax) -> Node | None:
        type_ = self._bases[-1] if self._bases else None
        return [tree.TYPE, type_, line_of(node)] if type_ is not None else None

    def _member(self, node: Syntax) -> Node:
        value, name = named(node)[0], named(node)[-1]
        return [tree.MEMBER, self.value(value), text_of(name), line_of(name)]

    def _call(self, node: Syntax) -> Node:
        function, *rest = named(node)
        if function.type == "call_expression" and [part.type for part in rest] == ["annotated_lambda"]:
            # In `f(a) { .. }` the literal is the last argument of `f`.
            function, *before = named(function)
            rest = [*before, *rest]
        types: list[Node | None] = []
        arguments: list[Node | None] = []
        for part in rest:
            if part.type == "type_arguments":
                types = [self._projection(one) for one in named(part)]
            elif part.type == "annotated_lambda":
                arguments += [self.value(one) for one in named(part) if one.type == "lambda_literal"]
            else:
                arguments += self._each(part)
        called = named(function)[-1] if function.type == "navigation_expression" else function
        return [tree.CALL, self.value(function) or NOTHING, arguments, types, line_of(called)]

    def _lambda(self, node: Syntax) -> Node:
        inside = named(node)
        listed = inside[0] if inside and inside[0].type == "lambda_parameters" else None
        parameters = [[self._target(one), self._declared_type(one)] for one in named(listed)]
        body = self._block(inside[1:] if listed is not None else inside)
        return [tree.LAMBDA, parameters or [[[tree.BIND, "it"], None]], body, None]

    def _function_expression(self, node: Syntax) -> Node:
        one = self._function(node)
        return [tree.LAMBDA, [[each.pattern, each.type] for each in one.parameters], one.body, one.result]

    def _object(self, node: Syntax) -> Node:
        """An object without a name: a local class, and a value of it."""
        one = self._class(node)
        one.name = f"<object {line_of(node)}>"
        return [tree.BLOCK, [[tree.DECLARE, one]], [tree.LITERAL, named_type(one.name), [], line_of(node)]]

    def _index(self, node: Syntax) -> Node:
        value, *index = named(node)
        return [tree.INDEX, self.value(value), [tree.SEVERAL, [self.value(one) for one in index]]]

    def _cast(self, node: Syntax) -> Node:
        return [
            tree.CAST,
            self._type(node.child_by_field_name("right")),
            self.value(node.child_by_field_name("left")),
            line_of(node),
        ]

    def _is(self, node: Syntax) -> Node | None:
        """A test of a type: a tested variable has the type from here on."""
        left = node.child_by_field_name("left")
        value = self.value(left)
        if left is None or left.type != "identifier":
            return value
        type_ = self._type(node.child_by_field_name("right"))
        return [tree.LET, [tree.BIND, text_of(left)], type_, value, False, line_of(node)]

    def _binary(self, node: Syntax) -> Node:
        operator = next((child.type for child in node.children if not child.is_named), "")
        if operator == "?:":
            return [tree.ALTERNATIVES, self._each(node)]
        return [tree.OPERATOR if operator in _COMPARISONS else tree.SAME, self._each(node)]

    def _infix(self, node: Syntax) -> Node:
        """`a name b` is a call of a member or extension."""
        parts = named(node)
        if len(parts) != 3:
            return [tree.SEVERAL, self._each(node)]
        member = [tree.MEMBER, self.value(parts[0]), text_of(parts[1]), line_of(parts[1])]
        return [tree.CALL, member, [self.value(parts[2])], [], line_of(parts[1])]

    # ---- statements

    def _target(self, node: Syntax) -> Node:
        """A name, or the names that a value is taken apart into."""
        if node.type == "multi_variable_declaration":
            return [tree.EACH, [self._target(one) for one in named(node)]]
        name = text_of(_first(node, "identifier"))
        return [tree.BIND, name] if name != "_" else [tree.ANY]

    def _variable(self, node: Syntax) -> Node | None:
        names = _first(node, "variable_declaration", "multi_variable_declaration")
        if names is None:
            return None
        return [
            tree.LET,
            self._target(names),
            self._declared_type(names),
            self._property_value(node),
            False,
            line_of(node),
        ]

    def _assignment(self, node: Syntax) -> Node:
        parts = named(node)
        return [tree.SEVERAL, [self.value(one) for one in (parts[1:] if parts[0].type == "identifier" else parts)]]

    def _if(self, node: Syntax) -> Node:
        written = node.child_by_field_name("condition")
        condition, *bodies = named(node)
        values = [self.value(one) for one in bodies]
        if "!is" in text_of(written) and bodies and text_of(bodies[0]).lstrip("{ \n\t").startswith(_JUMPS):
            return [tree.SEVERAL, [self.value(condition), *values]]  # what is tested has the type afterwards
        first = [tree.BLOCK, [self.value(condition)], values[0] if values else None]
        return [tree.ALTERNATIVES, [first, *values[1:]]]

    def _when(self, node: Syntax) -> Node:
        """A `when`: the subject has the tested type in its entry."""
        subject = _first(node, "when_subject")
        written = named(subject)[-1] if named(subject) else None
        names = _first(subject, "variable_declaration")
        name = (
            text_of(names)
            if names is not None
            else text_of(written)
            if written is not None and written.type in ("identifier", "this_expression")
            else ""
        )
        cases: list[Node] = []
        for entry in (child for child in named(node) if child.type == "when_entry"):
            conditions = entry.children_by_field_name("condition")
            pattern: Node = [tree.ANY]
            if len(conditions) == 1 and conditions[0].type == "type_test" and name:
                pattern = [tree.TYPED, self._type(named(conditions[0])[-1]), [tree.BIND, name]]
            parts = [one for one in named(entry) if one.type not in ("type_test",)]
            values = [self.value(one) for one in parts]
            cases.append([pattern, [tree.BLOCK, values[:-1], values[-1] if values else None]])
        value = self.value(written)
        if names is not None:
            bound: Node = [
                tree.LET,
                [tree.BIND, text_of(named(names)[0])],
                self._declared_type(names),
                value,
                False,
                line_of(node),
            ]
            return [tree.BLOCK, [bound], [tree.MATCH, [tree.NAME, text_of(named(names)[0]), line_of(node)], cases]]
        return [tree.MATCH, value, cases]

    def _for(self, node: Syntax) -> Node:
        names, value, *body = named(node)
        each = [tree.LET, self._target(names), self._declared_type(names), self.value(value), True, line_of(node)]
        return [tree.BLOCK, [each, *map(self.value, body)]]

    def _catch(self, node: Syntax) -> Node:
        name = text_of(_first(node, "identifier"))
        bound = [tree.LET, [tree.BIND, name], self._declared_type(node), None, False, line_of(node)]
        return [tree.BLOCK, [bound], self.value(_first(node, "block"))]
