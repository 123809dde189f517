"""Names, properties, calls and operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.functions import FUNCTIONS
from repoquarry.languages.javascript.constructs.literals import property_key
from repoquarry.languages.javascript.typing.contexts import DECLARED_RESULT
from repoquarry.languages.javascript.typing.narrowing import Narrowing

if TYPE_CHECKING:
    from repoquarry.languages.javascript.walk import Walk

_CHOOSING = frozenset(("||=", "&&=", "??="))


class Expressions:
    """Reads expressions."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        reader = self.reader = walk.reader
        reader.handlers |= {
            "identifier": self._identifier,
            "this": self._this,
            "super": self._super,
            "member_expression": self._member,
            "subscript_expression": self._subscript,
            "call_expression": self._call,
            "new_expression": self._new,
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._augmented,
            "binary_expression": self._binary,
            "ternary_expression": self._ternary,
            "sequence_expression": self._sequence,
            "parenthesized_expression": self._parenthesized,
            "non_null_expression": self._first,
            "instantiation_expression": self._first,
            "spread_element": self._first,
            "template_substitution": self._first,
            "await_expression": self._await,
            "yield_expression": self._yield,
            "unary_expression": self._unary,
        }

    def _first(self, node: Node) -> int:
        parts = self.reader.parts(node)
        return self.reader.value(parts[0]) if parts else self.reader.nothing()

    # ---- names and properties

    def _identifier(self, node: Node) -> int:
        return self.reader.scopes.read(self.reader.text(node))

    def _this(self, node: Node) -> int:
        known = self.walk.conditions.narrowed(node)
        return known if known >= 0 else self.reader.receiver()

    def _super(self, _: Node) -> int:
        reader = self.reader
        home = reader.home()
        return reader.graph.value(op.SUPER, home, reader.receiver()) if home >= 0 else reader.nothing()

    def _member(self, node: Node) -> int:
        reader = self.reader
        target, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if target is None or name is None:
            return reader.values(node.named_children)
        whole = self.walk.imports.exported(node)
        if whole >= 0:
            return whole
        receiver = reader.value(target)
        value = reader.graph.rooted(op.ATTR, receiver, reader.symbol(name), reader.line(name), reader.owner)
        known = self.walk.conditions.narrowed(node)
        return known if known >= 0 else value

    def _subscript(self, node: Node) -> int:
        reader = self.reader
        receiver = reader.value(node.child_by_field_name("object"))
        index = node.child_by_field_name("index")
        if index is None:
            return reader.nothing()
        name = property_key(reader, index, computed=True)
        line = reader.line(index)
        if name is None:
            return reader.graph.rooted(op.ITEM, receiver, -1, reader.value(index), line, reader.owner)
        symbol = reader.graph.symbol(name)
        if name.isdigit():
            return reader.graph.rooted(op.ITEM, receiver, symbol, -1, line, reader.owner)
        return reader.graph.rooted(op.ATTR, receiver, symbol, line, reader.owner)

    # ---- calls

    def _call(self, node: Node) -> int:
        reader = self.reader
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or given is None:
            return reader.values(node.named_children)
        kind = reader.kind(function)
        if kind == "import" or (kind == "identifier" and reader.text(function) == "require"):
            loaded = self.walk.imports.load(function, given)
            if loaded >= 0:
                return loaded
        types = node.child_by_field_name("type_arguments")
        callee, name, line = self._callee(function)
        self.walk.contexts.expect_arguments(callee, given, constructs=False)
        arguments = self.arguments(given)
        if self.walk.prototypes.inherits(function, given, arguments):
            return reader.nothing()
        result = self._called(callee, line, 0, name, arguments)
        self.walk.conditions.note_call(node, result)
        if types is not None:
            self._bracketed(result, types)
        return self._typed_by_brackets(result, callee, types) if types is not None else result

    def _bracketed(self, called: int, types: Node) -> None:
        """Notes the type arguments that a call or a `new` has in brackets."""
        self.reader.graph.effect(op.BRACKETS, called, self.walk.types.listed(self.reader.parts(types)))

    def _typed_by_brackets(self, result: int, callee: int, types: Node) -> int:
        """`load<Foo>()`: what the function declares to give, of these arguments."""
        graph = self.reader.graph
        declared = self.walk.contexts.attribute(callee, DECLARED_RESULT)
        given = self.walk.types.with_arguments(declared, types)
        return graph.copies((result, graph.value(op.TYPED, given, self.reader.owner)))

    def _called(self, callee: int, line: int, flags: int, name: int, arguments: list[int]) -> int:
        self.reader.calls += 1
        return self.reader.graph.call(callee, line, self.reader.owner, flags, name, arguments)

    def _callee(self, function: Node) -> tuple[int, int, int]:
        """The variable of what is called, the symbol of its name or -1, and the line to tell of."""
        reader = self.reader
        inner = function
        while reader.kind(inner) in ("parenthesized_expression", "non_null_expression") and reader.parts(inner):
            inner = reader.parts(inner)[0]
        kind = reader.kind(inner)
        if kind == "super":
            constructor = reader.graph.symbol("constructor")
            line = reader.line(inner)
            callee = reader.graph.rooted(op.ATTR, reader.value(inner), constructor, line, reader.owner)
            return callee, constructor, line
        if kind == "member_expression" and (name := inner.child_by_field_name("property")) is not None:
            return reader.value(inner), reader.symbol(name), reader.line(name)
        if kind == "subscript_expression" and (index := inner.child_by_field_name("index")) is not None:
            text = property_key(reader, index, computed=True)
            return reader.value(inner), reader.graph.symbol(text) if text else -1, reader.line(index)
        named = reader.symbol(inner) if kind == "identifier" else -1
        return reader.value(inner), named, reader.line(inner)

    def arguments(self, node: Node) -> list[int]:
        """Kinds and variables of the arguments of a call, alternating."""
        reader = self.reader
        out: list[int] = []
        if reader.kind(node) == "template_string":
            out += (op.POSITIONAL, reader.constant("Array"))
            for child in reader.parts(node):
                if reader.kind(child) == "template_substitution":
                    out += (op.POSITIONAL, reader.value(child))
            return out
        for child in reader.parts(node):
            kind = op.SPLAT if reader.kind(child) == "spread_element" else op.POSITIONAL
            out += (kind, reader.value(child))
        return out

    def _new(self, node: Node) -> int:
        reader = self.reader
        function, given = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        if function is None:
            return reader.values(node.named_children)
        types = node.child_by_field_name("type_arguments")
        callee, name, line = self._callee(function)
        if given is not None:
            self.walk.contexts.expect_arguments(callee, given, constructs=True)
        arguments = self.arguments(given) if given is not None else []
        made = self._called(callee, line, op.CONSTRUCTS, name, arguments)
        if types is not None:
            self._bracketed(made, types)
        return self._typed_by_arguments(made, callee, types) if types is not None else made

    def _typed_by_arguments(self, made: int, callee: int, types: Node) -> int:
        """`new Map<string, Foo>()`: its elements are what the brackets say."""
        reader, graph = self.reader, self.reader.graph
        generic = self.walk.types.with_arguments(callee, types)
        return graph.copies((made, graph.value(op.TYPED, generic, reader.owner)))

    # ---- assignments

    def _assignment(self, node: Node) -> int:
        reader = self.reader
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return reader.values(node.named_children)
        statement = self._statement_of(node)
        value = self._assigned(left, right, statement)
        if statement is not None and (tags := self.walk.documented.tags(statement)) is not None:
            value = self.walk.documented.declared(tags.type, node, value)
        if not self.walk.imports.assign(left, value) and not self.walk.prototypes.assign(left, right):
            self.walk.patterns.assign(left, value)
        return value

    def _assigned(self, left: Node, right: Node, statement: Node | None) -> int:
        """The right side; a function that is assigned to a property is called on the object that has it."""
        reader = self.reader
        kind = reader.kind(left)
        if kind == "identifier":
            return self.walk.functions.named_value(right, reader.text(left), start=statement)
        if kind not in ("member_expression", "subscript_expression"):
            return reader.value(right)
        name = left.child_by_field_name("property")
        index = left.child_by_field_name("index")
        text = reader.text(name) if name is not None else property_key(reader, index, computed=True) if index else None
        inner = right
        while reader.kind(inner) == "parenthesized_expression" and reader.parts(inner):
            inner = reader.parts(inner)[0]
        receiver = -1
        if reader.kind(inner) in FUNCTIONS and reader.kind(inner) != "arrow_function":
            receiver = self.walk.prototypes.receiver(left)
        own = inner.child_by_field_name("name") if reader.kind(inner) in FUNCTIONS else None
        if own is not None:
            text = reader.text(own)
        return self.walk.functions.named_value(right, text or "", receiver=receiver, start=statement)

    def _parenthesized(self, node: Node) -> int:
        return self.walk.documented.cast(node, self._first(node))

    def _statement_of(self, node: Node) -> Node | None:
        """The statement that an expression is all of, to which a comment above it belongs; None for a part of another."""
        around = self.reader.around.get(node.id)
        return around if around is not None and self.reader.kind(around) == "expression_statement" else None

    def _augmented(self, node: Node) -> int:
        reader = self.reader
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return reader.values(node.named_children)
        before, value = reader.value(left), self._assigned(left, right, self._statement_of(node))
        sign = node.child_by_field_name("operator")
        if sign is None or reader.text(sign) not in _CHOOSING:
            return reader.nothing()
        self.walk.patterns.assign(left, value)
        return reader.graph.copies((before, value))

    # ---- operators

    def _binary(self, node: Node) -> int:
        reader = self.reader
        left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
        if left is None or right is None or sign is None:
            return reader.values(node.named_children)
        text = reader.text(sign)
        if text not in ("&&", "||", "??"):
            reader.value(left)
            reader.value(right)
            return reader.constant("Boolean" if text in _COMPARISONS else "undefined")
        first = reader.value(left)
        known = self.walk.conditions.of(left) if text != "??" else []
        second = self._where(known, text == "&&", right)
        return reader.graph.copies((first, second))

    def _where(self, known: list[Narrowing], truth: bool, node: Node) -> int:
        """Reads an expression where what a condition says of names holds."""
        reader = self.reader
        before = dict(reader.scopes.current.narrowed)
        self.walk.conditions.apply(known, truth=truth)
        value = reader.value(node)
        reader.scopes.current.narrowed = before
        return value

    def _ternary(self, node: Node) -> int:
        reader = self.reader
        condition, first, second = (
            node.child_by_field_name(field) for field in ("condition", "consequence", "alternative")
        )
        if condition is None or first is None or second is None:
            return reader.values(node.named_children)
        reader.body.branches += 1
        reader.value(condition)
        known = self.walk.conditions.of(condition)
        return reader.graph.copies((self._where(known, True, first), self._where(known, False, second)))

    def _sequence(self, node: Node) -> int:
        last = self.reader.nothing()
        for child in self.reader.parts(node):
            last = self.reader.value(child)
        return last

    def _unary(self, node: Node) -> int:
        self.reader.values(node.named_children)
        return self.reader.constant("String" if self.reader.has_token(node, "typeof") else "Boolean")

    def _await(self, node: Node) -> int:
        return self.reader.graph.value(op.AWAIT, self._first(node))

    def _yield(self, node: Node) -> int:
        reader = self.reader
        reader.body.yields = True
        parts = reader.parts(node)
        if not parts:
            return reader.nothing()
        value = reader.value(parts[0])
        if reader.has_token(node, "*"):
            element = reader.graph.rooted(op.EACH, value, reader.line(node), reader.owner)
            reader.graph.assign(reader.body.yielded, op.COPY, element)
            return reader.graph.value(op.AWAIT, value)
        reader.graph.assign(reader.body.yielded, op.COPY, value)
        return reader.nothing()


_COMPARISONS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))
