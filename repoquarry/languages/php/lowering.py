"""Lowering of PHP files to the tree of `declared_types`: declarations, types, expressions and statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Declaration, LoweredFile, Node, Parameter, encode_file
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, lower_rest, named, named_type, text_of
from repoquarry.languages.declared_types.types import UNION
from repoquarry.languages.php.documentation import Documentation, read_documentation

CONSTRUCTOR: Final = "__construct"
CREATION: Final = "<new>"
"""Called member of a class that is computed: `new $name`."""
_CLASSES: Final = frozenset(
    {"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration", "anonymous_class"}
)
_TYPES: Final = frozenset(
    {"named_type", "optional_type", "union_type", "intersection_type", "primitive_type", "type_list"}
)
_VAGUE: Final = frozenset(
    {"array", "iterable", "mixed", "object", "callable", "null", "false", "true", "void", "never"}
)
"""Types that say nothing of members."""
_NAMES: Final = frozenset({"name", "qualified_name", "relative_name", "relative_scope"})
_CALLABLE: Final = frozenset({"variable_name", "class_constant_access_expression", "member_access_expression"})
"""What stands before the name of a method in an array that can be called."""
_NEGATED: Final = re.compile(r"!\s*\(?\s*\$\w+\s+instanceof")
_JUMPS: Final = ("return", "throw", "continue", "break")
_CONSTANT_TYPES: Final = {
    "string": "string",
    "encapsed_string": "string",
    "heredoc": "string",
    "integer": "int",
    "float": "float",
    "boolean": "bool",
}


def lower(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    return encode_file(_PhpLowering(definitions).file(root))


def path_of(node: Syntax | None) -> list[str]:
    """Return the parts of a name; one from the top begins with an empty part."""
    return text_of(node).replace("namespace\\", "").split("\\")


def _first(node: Syntax | None, *types: str) -> Syntax | None:
    return next((child for child in named(node) if child.type in types), None)


class _PhpLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int]) -> None:
        self._definitions = definitions
        self._bases: list[Node | None] = []
        """Extended class of each class around."""
        self._run: dict[str, Callable[[Syntax], Node | None]] = {
            "variable_name": lambda node: [tree.NAME, text_of(node), line_of(node)],
            "member_access_expression": self._property,
            "nullsafe_member_access_expression": self._property,
            "scoped_property_access_expression": self._static_member,
            "class_constant_access_expression": self._constant,
            "member_call_expression": self._method_call,
            "nullsafe_member_call_expression": self._method_call,
            "scoped_call_expression": self._method_call,
            "function_call_expression": self._call,
            "object_creation_expression": self._new,
            "anonymous_function": self._lambda,
            "arrow_function": self._lambda,
            "assignment_expression": self._assignment,
            "reference_assignment_expression": self._assignment,
            "augmented_assignment_expression": self._assignment,
            "binary_expression": self._binary,
            "conditional_expression": self._conditional,
            "match_expression": self._match,
            "subscript_expression": self._index,
            "array_creation_expression": self._array,
            "if_statement": self._if,
            "foreach_statement": self._foreach,
            "catch_clause": self._catch,
            "return_statement": lambda node: [tree.RETURN, [tree.SAME, self._each(node)]],
            "yield_expression": self._yield,
            "clone_expression": lambda node: [tree.SAME, self._each(node)],
            "parenthesized_expression": lambda node: [tree.SAME, self._each(node)],
            "static_variable_declaration": self._static_variable,
            "cast_expression": self._cast,
            "argument": self._argument,
            "expression_statement": self._statement,
            "function_definition": lambda node: [tree.DECLARE, self._function(node)],
            **dict.fromkeys(_CLASSES, lambda node: [tree.DECLARE, self._class(node)]),
            **dict.fromkeys(_TYPES, lambda _node: None),
            **dict.fromkeys(_NAMES, lambda _node: None),
        }

    # ---- declarations

    def file(self, root: Syntax) -> LoweredFile:
        """Lower a file."""
        found = LoweredFile()
        for node in named(root):
            if node.type == "namespace_definition" and node.child_by_field_name("body") is not None:
                space = Declaration(tree.SPACE, ".".join(path_of(node.child_by_field_name("name"))), line_of(node))
                for child in named(node.child_by_field_name("body")):
                    self._top(child, space.members, space.imports, found.statements)
                found.imports.update(space.imports)
                found.declarations.append(space)
            else:
                self._top(node, found.declarations, found.imports, found.statements)
        return found

    def _top(
        self, node: Syntax, declared: list[Declaration], imports: dict[str, list[str]], statements: list[Node]
    ) -> None:
        if node.type == "namespace_use_declaration":
            imports.update(self._imports(node))
        elif node.type == "function_definition":
            declared.append(self._function(node))
        elif node.type in _CLASSES:
            declared.append(self._class(node))
        elif node.type == "if_statement":
            for part in named(node.child_by_field_name("body")):
                self._top(part, declared, imports, statements)
            statements += [one for one in [self.value(node.child_by_field_name("condition"))] if one is not None]
        elif node.type != "namespace_definition":
            statements += [one for one in [self.value(node)] if one is not None]

    def _imports(self, node: Syntax) -> Iterator[tuple[str, list[str]]]:
        prefix = path_of(_first(node, "namespace_name")) if _first(node, "namespace_name") is not None else []
        for part in (node, *(child for child in named(node) if child.type == "namespace_use_group")):
            for clause in named(part):
                if clause.type == "namespace_use_clause":
                    written, alias = _first(clause, "qualified_name", "name"), clause.child_by_field_name("alias")
                    path = [*prefix, *(one for one in path_of(written) if one)]
                    yield text_of(alias) or path[-1], path

    def _class(self, node: Syntax) -> Declaration:
        one = Declaration(tree.CLASS, text_of(node.child_by_field_name("name")), line_of(node))
        one.definition = self._definitions.get(node.id, -1)
        if node.type == "interface_declaration":
            one.flags = tree.ABSTRACT
        body = node.child_by_field_name("body") or _first(node, "declaration_list")
        extended = [self._named(part) for part in named(_first(node, "base_clause"))]
        implemented = [self._named(part) for part in named(_first(node, "class_interface_clause"))]
        traits = [part for child in named(body) if child.type == "use_declaration" for part in named(child)]
        one.bases = [*(self._named(part) for part in traits if part.type in _NAMES), *extended, *implemented]
        self._bases.append(extended[0] if extended and node.type != "interface_declaration" else None)
        for child in named(body):
            one.members += self._members(child, is_interface=node.type == "interface_declaration")
        documented = read_documentation(node)
        one.members += [
            Declaration(tree.FIELD, name, one.line, type=type_) for name, type_ in documented.properties.items()
        ]
        self._bases.pop()
        return one

    def _members(self, node: Syntax, *, is_interface: bool) -> Iterator[Declaration]:
        if node.type == "method_declaration":
            one = self._function(node)
            parts = {child.type for child in node.children}
            if one.body is None and (is_interface or "abstract_modifier" in parts):
                one.flags |= tree.ABSTRACT
            if "static_modifier" in parts:
                one.flags |= tree.STATIC
                one.receiver = ""
            yield one
            for part in named(node.child_by_field_name("parameters")):
                if part.type == "property_promotion_parameter":
                    whole = next(each for each in one.parameters if each.pattern == self._target(part))
                    yield Declaration(tree.FIELD, self._variable(part), line_of(part), type=whole.type)
        elif node.type == "property_declaration":
            declared = self._declared(node, read_documentation(node).variable)
            for part in (child for child in named(node) if child.type == "property_element"):
                value = part.child_by_field_name("default_value")
                yield Declaration(
                    tree.FIELD, self._variable(part), line_of(part), type=declared, value=self.value(value)
                )
        elif node.type == "enum_case":
            yield Declaration(tree.VARIANT, text_of(node.child_by_field_name("name")), line_of(node))
        elif node.type == "const_declaration":
            for part in (child for child in named(node) if child.type == "const_element"):
                name, *values = named(part)
                first = self.value(values[-1]) if values else None
                yield Declaration(tree.FIELD, text_of(name), line_of(part), value=first)

    def _function(self, node: Syntax) -> Declaration:
        name = node.child_by_field_name("name")
        one = Declaration(tree.FUNCTION, text_of(name), line_of(name or node), self._definitions.get(node.id, -1))
        documented = read_documentation(node)
        one.parameters = self._parameters(node, documented)
        one.receiver = "$this" if node.type == "method_declaration" else ""
        if one.name == CONSTRUCTOR:
            one.flags |= tree.CONSTRUCTOR
        one.result = self._choose(self._type(node.child_by_field_name("return_type")), documented.result)
        body = node.child_by_field_name("body")
        one.body = [tree.SEVERAL, [*self._defaults(node), *self._each(body)]] if body is not None else None
        return one

    def _defaults(self, node: Syntax) -> list[Node | None]:
        parameters = named(node.child_by_field_name("parameters"))
        return [self.value(part.child_by_field_name("default_value")) for part in parameters]

    def _parameters(self, node: Syntax, documented: Documentation) -> list[Parameter]:
        found = []
        for part in named(node.child_by_field_name("parameters")):
            if part.child_by_field_name("name") is None:
                continue
            type_ = self._declared(part, documented.parameters.get(self._variable(part)))
            has_default = part.child_by_field_name("default_value") is not None
            pattern = self._target(part)
            if part.type == "variadic_parameter":
                # Calls give elements, and the function sees an array of them.
                pattern = [tree.TYPED, named_type("[]", type_), pattern]
            found.append(Parameter(pattern, type_, is_optional=has_default or part.type == "variadic_parameter"))
        return found

    def _variable(self, node: Syntax) -> str:
        name = node.child_by_field_name("name")
        inside = _first(name, "variable_name") if name is not None and name.type != "variable_name" else name
        return text_of(inside or name)

    def _target(self, node: Syntax) -> Node:
        return [tree.BIND, self._variable(node)]

    # ---- types

    def _declared(self, node: Syntax, documented: Node | None) -> Node | None:
        return self._choose(self._type(node.child_by_field_name("type")), documented)

    def _choose(self, written: Node | None, documented: Node | None) -> Node | None:
        """Return the type that is written; the documented one where it says nothing, or the same with arguments."""
        return documented if written is None else written

    def _named(self, node: Syntax) -> Node:
        return [tree.NAMED, path_of(node), []]

    def _type(self, node: Syntax | None) -> Node | None:
        if node is None:
            return None
        if node.type in (
            "union_type",
            "intersection_type",
            "optional_type",
            "type_list",
            "disjunctive_normal_form_type",
        ):
            parts = [one for one in map(self._type, named(node)) if one is not None]
            return parts[0] if len(parts) == 1 else named_type(UNION, *parts) if parts else None
        name = text_of(node)
        if name.lower() in _VAGUE:
            return None
        return [tree.NAMED, ["static" if name == "static" else part for part in path_of(node)], []]

    # ---- expressions

    def value(self, node: Syntax | None) -> Node | None:
        """Lower an expression or statement; nodes without an entry are those inside them."""
        if node is None:
            return None
        read = self._run.get(node.type)
        return read(node) if read is not None else lower_rest(node, self._each(node), _CONSTANT_TYPES)

    def _each(self, node: Syntax | None) -> list[Node | None]:
        return [self.value(child) for child in named(node)]

    def _statement(self, node: Syntax) -> Node | None:
        """A statement, with the type that a comment above gives to a variable."""
        value = self.value(named(node)[0]) if named(node) else None
        typed = read_documentation(node).variables
        if not typed or value is None:
            return value
        bound: list[Node] = [[tree.LET, [tree.BIND, name], type_, None, False, line_of(node)] for name, type_ in typed]
        return [tree.SEVERAL, [value, *bound]]

    def _receiver(self, node: Syntax | None) -> Node | None:
        """Lower what stands before `->` or `::`."""
        if node is None or node.type not in _NAMES:
            return self.value(node)
        if text_of(node) == "parent":
            type_ = self._bases[-1] if self._bases else None
            return [tree.TYPE, type_, line_of(node)] if type_ is not None else NOTHING
        return [tree.TYPE, self._named(node), line_of(node)]

    def _property(self, node: Syntax) -> Node | None:
        name, value = node.child_by_field_name("name"), self.value(node.child_by_field_name("object"))
        if name is None or name.type != "name":
            return [tree.SEVERAL, [value, self.value(name)]]
        return [tree.MEMBER, value or NOTHING, f"${text_of(name)}", line_of(name)]

    def _static_member(self, node: Syntax) -> Node:
        name = node.child_by_field_name("name")
        return [tree.MEMBER, self._receiver(node.child_by_field_name("scope")) or NOTHING, text_of(name), line_of(node)]

    def _constant(self, node: Syntax) -> Node | None:
        scope, *name = named(node)
        receiver = self._receiver(scope)
        if not name or text_of(name[-1]) == "class":
            return receiver
        return [tree.MEMBER, receiver or NOTHING, text_of(name[-1]), line_of(node)]

    def _arguments(self, node: Syntax) -> list[Node | None] | None:
        """Return the arguments of a call; None where it is not called: `f(...)`."""
        listed = node.child_by_field_name("arguments") or _first(node, "arguments")
        if _first(listed, "variadic_placeholder") is not None:
            return None
        return self._each(listed)

    def _argument(self, node: Syntax) -> Node | None:
        """An argument; its place says nothing of one with a name, and of several."""
        inside = named(node)
        value = self.value(inside[-1]) if inside else None
        if node.child_by_field_name("name") is not None or (inside and inside[-1].type == "variadic_unpacking"):
            return [tree.SEVERAL, [value]]
        return value

    def _method_call(self, node: Syntax) -> Node:
        receiver = self._receiver(node.child_by_field_name("object") or node.child_by_field_name("scope")) or NOTHING
        name, arguments = node.child_by_field_name("name"), self._arguments(node)
        if name is None or name.type != "name":
            return [tree.CALL, [tree.SEVERAL, [receiver, self.value(name)]], arguments or [], [], line_of(node)]
        function = [tree.MEMBER, receiver, text_of(name), line_of(name)]
        return function if arguments is None else [tree.CALL, function, arguments, [], line_of(name)]

    def _call(self, node: Syntax) -> Node:
        function, arguments = node.child_by_field_name("function"), self._arguments(node)
        called: Node | None = self.value(function)
        if function is not None and function.type in _NAMES:
            called = [tree.PATH, path_of(function), [], line_of(function)]
        if arguments is None:
            return called or NOTHING
        return [tree.CALL, called or NOTHING, arguments, [], line_of(function or node)]

    def _new(self, node: Syntax) -> Node:
        """Creation of an object; one of a class without a name is a local class."""
        inside = _first(node, "anonymous_class")
        made = inside or next((child for child in named(node) if child.type != "arguments"), None)
        arguments = self._arguments(inside or node) or []
        if inside is not None:
            one = self._class(inside)
            one.name = f"<class {line_of(node)}>"
            return [tree.BLOCK, [[tree.DECLARE, one]], [tree.NEW, named_type(one.name), arguments, line_of(node)]]
        if made is not None and made.type in _NAMES:
            is_parent = text_of(made) == "parent" and self._bases
            type_ = self._bases[-1] if is_parent else self._named(made)
            return [tree.NEW, type_, arguments, line_of(node)] if type_ is not None else [tree.SEVERAL, arguments]
        return [
            tree.CALL,
            [tree.MEMBER, self.value(made) or NOTHING, CREATION, line_of(node)],
            arguments,
            [],
            line_of(node),
        ]

    def _lambda(self, node: Syntax) -> Node:
        parameters = [[one.pattern, one.type] for one in self._parameters(node, Documentation())]
        body = node.child_by_field_name("body")
        if node.type == "arrow_function":
            inside: Node | None = self.value(body)
        else:
            inside = [tree.SEVERAL, self._each(body)]
        return [tree.LAMBDA, parameters, inside, self._type(node.child_by_field_name("return_type"))]

    def _store(self, target: Syntax | None, value: Node | None, line: int) -> Node | None:
        """Give a value to a variable, a field, an element, or the parts that it is taken apart into."""
        if target is None or target.type == "variable_name":
            return [tree.LET, [tree.BIND, text_of(target)], None, value, False, line]
        if target.type == "list_literal" or target.type == "array_creation_expression":
            parts = [named(part)[-1] if part.type == "array_element_initializer" else part for part in named(target)]
            names = [[tree.BIND, text_of(part)] if part.type == "variable_name" else [tree.ANY] for part in parts]
            return [tree.LET, [tree.EACH, names], None, value, False, line]
        if target.type == "subscript_expression":
            index = [self.value(part) for part in named(target)[1:]]
            whole = named(target)[0]
            if whole.type == "variable_name":
                return [tree.SEVERAL, [*index, value]]
            return [tree.SEVERAL, [*index, self._store(whole, [tree.SEQUENCE, [value]], line)]]
        name = target.child_by_field_name("name")
        if target.type == "member_access_expression" and name is not None and name.type == "name":
            return [tree.STORE, self.value(target.child_by_field_name("object")) or NOTHING, f"${text_of(name)}", value]
        if target.type == "scoped_property_access_expression":
            return [tree.STORE, self._receiver(target.child_by_field_name("scope")) or NOTHING, text_of(name), value]
        return [tree.SEVERAL, [self.value(target), value]]

    def _assignment(self, node: Syntax) -> Node | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.value(right)
        if right is not None and text_of(right) == "null":
            return value
        if node.type == "augmented_assignment_expression":
            if text_of(node.child_by_field_name("operator")) != "??=":
                return [tree.SEVERAL, [self.value(left), value]]
            value = [tree.ALTERNATIVES, [self.value(left), value]]
        return self._store(left, value, line_of(node))

    def _binary(self, node: Syntax) -> Node:
        operator = text_of(node.child_by_field_name("operator"))
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator == "instanceof":
            value = self.value(left)
            if left is None or left.type != "variable_name" or right is None or right.type not in _NAMES:
                return [tree.SEVERAL, [value, self.value(right)]]
            # A tested variable has the type from here on.
            return [tree.LET, [tree.BIND, text_of(left)], self._named(right), value, False, line_of(node)]
        return [tree.ALTERNATIVES if operator == "??" else tree.OPERATOR, [self.value(left), self.value(right)]]

    def _conditional(self, node: Syntax) -> Node:
        condition, tested = self._condition(node)
        body, other = node.child_by_field_name("body"), node.child_by_field_name("alternative")
        values = [self.value(body) if body is not None else condition]
        second = [tree.BLOCK, tested[1], self.value(other)] if tested[1] else self.value(other)
        return [
            tree.BLOCK,
            [*tested[0], condition if body is not None else None],
            [tree.ALTERNATIVES, [*values, second]],
        ]

    def _condition(self, node: Syntax) -> tuple[Node | None, tuple[list[Node], list[Node]]]:
        """Return a condition, what keeps the variables that it tests, and what gives their values back."""
        written = node.child_by_field_name("condition")
        names = sorted(set(_tested(written))) if written is not None else []
        line = line_of(node)
        kept = [[tree.LET, [tree.BIND, f"{name} {line}"], None, [tree.NAME, name, line], False, line] for name in names]
        given = [
            [tree.LET, [tree.BIND, name], None, [tree.NAME, f"{name} {line}", line], False, line] for name in names
        ]
        return self.value(written), (kept, given)

    def _match(self, node: Syntax) -> Node:
        values: list[Node | None] = []
        for part in named(node.child_by_field_name("body")):
            conditions = [self.value(one) for one in named(part.child_by_field_name("conditional_expressions"))]
            result = part.child_by_field_name("return_expression")
            values.append([tree.BLOCK, conditions, self.value(result)])
        return [tree.BLOCK, [self.value(node.child_by_field_name("condition"))], [tree.ALTERNATIVES, values]]

    def _index(self, node: Syntax) -> Node:
        value, *index = named(node)
        return [tree.INDEX, self.value(value), [tree.SEVERAL, [self.value(one) for one in index]]]

    def _array(self, node: Syntax) -> Node:
        """An array; `[$object, 'method']` names the method."""
        parts = [named(part)[-1] for part in named(node) if named(part)]
        if len(parts) == 2 and parts[1].type in ("string", "encapsed_string") and parts[0].type in _CALLABLE:
            name = text_of(parts[1]).strip("'\"")
            return (
                [tree.SEVERAL, [[tree.MEMBER, self.value(parts[0]) or NOTHING, name, line_of(node)]]]
                if name.isidentifier()
                else NOTHING
            )
        elements: list[Node | None] = []
        for part in named(node):
            *keys, value = self._each(part) or [None]
            elements.append([tree.BLOCK, keys, value] if keys else value)
        return [tree.SEQUENCE, elements]

    def _cast(self, node: Syntax) -> Node:
        return [tree.SEVERAL, self._each(node)]

    def _yield(self, node: Syntax) -> Node:
        """A function that yields returns what is iterated."""
        values = [self.value(part) for child in named(node) for part in (named(child) or [child])[-1:]]
        return [tree.SEVERAL, [[tree.RETURN, [tree.SEQUENCE, values]]]]

    # ---- statements

    def _if(self, node: Syntax) -> Node:
        """A condition and its branches; a tested variable has its type in the branch, and behind one that always leaves."""
        condition, (kept, given) = self._condition(node)
        body = node.child_by_field_name("body")
        leaves = text_of(body).lstrip("{ \n\t").startswith(_JUMPS) or (body is not None and _leaves(body))
        is_negated = _NEGATED.search(text_of(node.child_by_field_name("condition"))) is not None
        if is_negated and leaves:
            kept, given = [], []
        others = [self.value(one) for one in node.children_by_field_name("alternative")]
        return [tree.SEVERAL, [*kept, condition, self.value(body), *given, *others]]

    def _foreach(self, node: Syntax) -> Node:
        parts = named(node)
        body = node.child_by_field_name("body")
        value, target = parts[0], parts[1]
        element = named(target)[-1] if target.type == "pair" else target
        while element.type == "by_ref" and named(element):
            element = named(element)[-1]
        line = line_of(node)
        if element.type == "variable_name":
            each: Node | None = [tree.LET, [tree.BIND, text_of(element)], None, self.value(value), True, line]
        else:
            each = [tree.SEVERAL, [self.value(value), self._store(element, None, line)]]
        return [tree.SEVERAL, [each, self.value(body)]]

    def _catch(self, node: Syntax) -> Node:
        type_, name = self._type(node.child_by_field_name("type")), node.child_by_field_name("name")
        bound = [tree.LET, [tree.BIND, text_of(name)], type_, None, False, line_of(node)] if name is not None else None
        return [tree.SEVERAL, [bound, self.value(node.child_by_field_name("body"))]]

    def _static_variable(self, node: Syntax) -> Node:
        value = self.value(node.child_by_field_name("value"))
        return [tree.LET, self._target(node), None, value, False, line_of(node)]


def _tested(node: Syntax) -> Iterator[str]:
    """Yield the variables whose type a condition tests."""
    if node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) == "instanceof":
        left = node.child_by_field_name("left")
        if left is not None and left.type == "variable_name":
            yield text_of(left)
    for child in node.named_children if node.type not in ("anonymous_function", "arrow_function") else ():
        yield from _tested(child)


def _leaves(body: Syntax) -> bool:
    """Return whether a block ends with a jump."""
    last = named(body)[-1:] if body.type == "compound_statement" else [body]
    return bool(last) and text_of(last[0]).startswith(_JUMPS)
