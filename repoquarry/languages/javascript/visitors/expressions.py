"""Visitors that turn names, property accesses, literals, calls and `new` in JavaScript into points-to constraints."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import LambdaArgument
from repoquarry.languages.javascript.extraction_state import (
    Handler,
    JavaScriptExtractionState,
    computed_name,
    property_key,
    string_text,
)
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.typing.contextual_typing import ContextualTyping
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.narrowing import ConditionNarrower
from repoquarry.languages.javascript.typing.type_forms import DECLARED_RESULT
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.classes import JavaScriptPrototypeVisitor
from repoquarry.languages.javascript.visitors.functions import JavaScriptFunctionVisitor
from repoquarry.languages.javascript.visitors.modules import JavaScriptCommonJsVisitor
from repoquarry.languages.model_files import compile_tables, load_models

#: longer arrays are one unordered heap of elements
KEYED_ELEMENTS = 64
#: objects with more properties than this are read without their names
KEYED_PROPERTIES = 2_000
#: shorter strings than this can be property names
KEYED_TEXT = 60

#: methods of event emitters that are given the name of an event, and what runs then
_REGISTERING = ("on", "once", "addListener", "prependListener", "prependOnceListener")
_EMITTING = "emit"
_TABLES = compile_tables(load_models("npm"))
#: methods that are given functions and do not give anything made of them
_OTHER_RESULTS = frozenset(
    (
        *_TABLES["container_methods"][::2],
        *(
            "setTimeout",
            "setInterval",
            "setImmediate",
            "queueMicrotask",
            "requestAnimationFrame",
            "nextTick",
            "Promise",
        ),
        *_REGISTERING,
    )
)
#: objects whose members belong to the object around them
_TRANSPARENT = ("exports", "prototype", "default")
#: global constants that are numbers
_NUMBERS = ("NaN", "Infinity")
#: functions of test runners whose first argument is a title
_TITLED = frozenset(
    ("it", "test", "specify", "describe", "suite", "context", "fit", "xit", "xtest", "fdescribe", "xdescribe")
)
_TITLE_WORD = re.compile(r"\w+")
_MAX_TITLE = 60
_CONSTANTS = {
    "number": "Number",
    "true": "Boolean",
    "false": "Boolean",
    "null": "undefined",
    "undefined": "undefined",
    "regex": "RegExp",
}


@dataclass(eq=False, repr=False)
class JavaScriptLiteralVisitor:
    """Visitor of literals."""

    reader: JavaScriptExtractionState
    contexts: ContextualTyping
    functions: JavaScriptFunctionVisitor

    def __post_init__(self) -> None:
        for kind, built_in in _CONSTANTS.items():
            self.reader.handlers[kind] = self._constant_of(built_in)
        self.reader.handlers |= {
            "string": self._string,
            "template_string": self._template,
            "array": self._array,
            "object": self._unnamed,
        }
        self.reader.naming["object"] = self._named

    def _element(self, node: Node) -> int:
        """Return the variable of an element of a spread value."""
        reader = self.reader
        value = reader.value(reader.first(node))
        return reader.graph.rooted(op.EACH, value, reader.line(node), reader.owner)

    def _unnamed(self, node: Node) -> int:
        name, holder = self.reader.given_names.pop(node.id, ("", ""))
        return self._named(node, name, -1, None, holder) if name else self._object(node)

    def _named(self, node: Node, name: str, receiver: int, start: Node | None, holder: str) -> int:
        """Methods of an object have its name: `left.start`."""
        if name in _TRANSPARENT:
            return self._object(node, holder)
        return self._object(node, f"{holder}.{name}" if holder else name)

    def _constant_of(self, built_in: str) -> Handler:
        reader = self.reader

        def read(node: Node) -> int:
            text = reader.text(node) if built_in == "Number" and node.end_byte - node.start_byte < 10 else ""
            return reader.constant(built_in, text if text.isdecimal() else "")

        return read

    def _string(self, node: Node) -> int:
        text = string_text(self.reader, node) if node.end_byte - node.start_byte < KEYED_TEXT else None
        return self.reader.constant("String", text if text and not text.endswith("*") else "")

    def _template(self, node: Node) -> int:
        reader = self.reader
        parts = [child for child in node.named_children if reader.kind(child) == "template_substitution"]
        if not parts:
            return self._string(node)
        reader.values(parts)
        first = node.named_children[0]
        beginning = reader.text(first) if reader.kind(first) == "string_fragment" else ""
        return reader.constant("String", f"{beginning}*" if beginning.isidentifier() else "")

    def _array(self, node: Node) -> int:
        reader = self.reader
        children = reader.parts(node)
        spread = [reader.kind(child) == "spread_element" for child in children]
        keyed = len(children) <= KEYED_ELEMENTS and not any(spread)
        pairs: list[int] = []
        for position, child in enumerate(children):
            if spread[position]:
                pairs += (op.ANY, self._element(child))
                continue
            value = reader.value(child)
            self._keep(child, value)
            pairs += (reader.graph.symbol(str(position)) if keyed else op.ANY, value)
        return reader.graph.value(op.CONTAINER, reader.graph.symbol("list"), len(pairs) >> 1, *pairs)

    def _object(self, node: Node, holder: str = "") -> int:
        """Methods that read `this` are given the object itself; `holder`: its name."""
        reader = self.reader
        target = reader.graph.variable()
        expected = self.contexts.of(node)
        pairs: list[int] = []
        accessors: dict[str, list[int]] = {}
        children = reader.parts(node)
        for child in children:
            kind = reader.kind(child)
            if expected >= 0:
                self._expect(child, expected)
            if kind == "spread_element":
                pairs += (op.SPREAD, reader.value(reader.parts(child)[0]) if reader.parts(child) else reader.nothing())
            elif kind == "method_definition":
                self._method(child, target, holder, pairs, accessors)
            elif kind == "pair":
                self._pair(child, target, holder, pairs, many=len(children) > KEYED_PROPERTIES)
            elif kind == "shorthand_property_identifier":
                reader.mention(child)
                value = reader.scopes.read(reader.text(child))
                self._keep(child, value)
                pairs += (reader.symbol(child), value)
            else:
                reader.value(child)
        for name, (getter, setter) in accessors.items():
            pairs += (reader.graph.symbol(name), reader.graph.value(op.PROPERTY, getter, setter))
        reader.graph.assign(target, op.CONTAINER, reader.graph.symbol("dict"), len(pairs) >> 1, *pairs)
        return target

    def _expect(self, node: Node, expected: int) -> None:
        """Pass what is expected of an object to a function or an object that is one of its properties."""
        reader = self.reader
        is_pair = reader.kind(node) == "pair"
        key = node.child_by_field_name("key" if is_pair else "name")
        value = node.child_by_field_name("value") if is_pair else node
        if key is None or not self.contexts.is_written(value) or (name := property_key(reader, key)) is None:
            return
        self.contexts.expect(value, self.contexts.of_property(expected, name))

    def _pair(self, node: Node, target: int, holder: str, pairs: list[int], *, many: bool) -> None:
        reader = self.reader
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value is None:
            return
        name = property_key(reader, key)
        computed = reader.value(reader.first(key)) if name is None else -1
        written = name or computed_name(reader, key)
        variable = reader.named_value(value, written, receiver=target, start=node, holder=holder)
        self._keep(value, variable)
        if name is None:
            reader.graph.effect(op.SETITEM, target, -1, computed, variable, reader.line(key), reader.owner)
            return
        if name == "__proto__":
            reader.graph.effect(op.INHERITS, target, variable)
        pairs += (reader.graph.symbol(name) if not many else op.ANY, variable)

    def _method(self, node: Node, target: int, holder: str, pairs: list[int], accessors: dict[str, list[int]]) -> None:
        reader = self.reader
        key = node.child_by_field_name("name")
        if key is None:
            return
        name = property_key(reader, key)
        computed = reader.value(reader.first(key)) if name is None else -1
        variable = self.functions.object_method(node, name or computed_name(reader, key), target, holder)
        if name is None:
            reader.graph.effect(op.SETITEM, target, -1, computed, variable, reader.line(key), reader.owner)
        elif reader.has_token(node, "get", "set"):
            accessors.setdefault(name, [-1, -1])[reader.has_token(node, "set")] = variable
        else:
            pairs += (reader.graph.symbol(name), variable)

    def _keep(self, node: Node, variable: int) -> None:
        """Record what a table keeps by name: handlers, registered classes."""
        if self.reader.kind(node) not in FUNCTIONS:
            self.reader.mention_handler(node, variable)


@dataclass(eq=False, repr=False)
class JavaScriptCallVisitor:
    """Visitor of calls."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    conditions: ConditionNarrower
    commonjs: JavaScriptCommonJsVisitor
    prototypes: JavaScriptPrototypeVisitor

    def __post_init__(self) -> None:
        self.reader.handlers |= {"call_expression": self._call, "new_expression": self._new}
        self.reader.naming["call_expression"] = self._named

    def _named(self, node: Node, name: str, receiver: int, start: Node | None, holder: str) -> int:
        """`const Button = forwardRef(() => ...)`: the only function, or else object, that a call is given has the name of the result."""
        reader = self.reader
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        last = function.child_by_field_name("property") or function if function is not None else None
        if given is not None and last is not None and reader.text(last) not in _OTHER_RESULTS:
            children = reader.parts(given)
            written = [child for child in children if reader.kind(child) in FUNCTIONS]
            inner = [child for child in children if reader.kind(child) == "call_expression"]
            only = written or inner or [child for child in children if reader.kind(child) == "object"]
            if len(only) == 1 and only[0].child_by_field_name("name") is None:
                self.reader.given_names[only[0].id] = name, holder
        return self._read(node)

    def _call(self, node: Node) -> int:
        name, holder = self.reader.given_names.pop(node.id, ("", ""))
        return self._named(node, name, -1, None, holder) if name else self._read(node)

    def _read(self, node: Node) -> int:
        reader = self.reader
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or given is None:
            return reader.values(node.named_children)
        kind = reader.kind(function)
        if kind == "import" or (kind == "identifier" and reader.text(function) == "require"):
            loaded = self.commonjs.load(function, given)
            if loaded >= 0:
                return loaded
        types = node.child_by_field_name("type_arguments")
        callee, name, line = self._callee(function)
        self.contexts.expect_arguments(callee, given, constructs=False)
        arguments = self._arguments(given, function, line)
        if self.prototypes.inherits(function, given, arguments):
            return reader.nothing()
        result = self._called(callee, line, 0, name, arguments)
        self.prototypes.define(function, given, arguments, result)
        holder = function.child_by_field_name("object")
        if holder is not None and reader.kind(holder) == "identifier" and reader.scopes.is_local(reader.text(holder)):
            reader.graph.receiver(result, reader.symbol(holder))
        self._note_event(function, given, callee, arguments)
        self.conditions.note_call(node, result)
        if types is not None:
            self._bracketed(result, types)
        return self._typed_by_brackets(result, callee, types) if types is not None else result

    def _note_event(self, function: Node, given: Node, callee: int, arguments: list[int]) -> None:
        """Record what is registered for an event with a constant name, and what such an event runs."""
        reader, graph = self.reader, self.reader.graph
        method = function.child_by_field_name("property")
        offset = graph.first[callee]
        if method is None or offset < 0 or graph.code[offset] != op.ATTR or not arguments:
            return
        called, line = reader.text(method), reader.line(method)
        if called not in (*_REGISTERING, _EMITTING) or not (event := self._event_name(reader.parts(given)[0])):
            return
        receiver, attribute = graph.code[offset + 2], graph.symbol(op.EVENT + event)
        if called == _EMITTING:
            handlers = graph.value(op.ATTR, receiver, attribute, line, reader.owner)
            graph.call(handlers, line, reader.owner, op.HANDLES, -1, arguments[2:])
        elif len(arguments) > 2:
            graph.effect(op.SETATTR, receiver, attribute, arguments[3], line, reader.owner)

    def _event_name(self, node: Node) -> str:
        """Return a string, or a constant as it is written; empty for names that are known at run time only."""
        kind, text = self.reader.kind(node), self.reader.text(node)
        if kind == "string":
            return string_text(self.reader, node) or ""
        is_constant = kind in ("identifier", "member_expression") and (
            text[:1].isupper() or text.rpartition(".")[2].isupper()
        )
        return text if is_constant else ""

    def _new(self, node: Node) -> int:
        reader = self.reader
        function, given = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        if function is None:
            return reader.values(node.named_children)
        types = node.child_by_field_name("type_arguments")
        callee, name, line = self._callee(function)
        if given is not None:
            self.contexts.expect_arguments(callee, given, constructs=True)
        arguments = self._arguments(given, function, line) if given is not None else []
        made = self._called(callee, line, op.CONSTRUCTS, name, arguments)
        if types is not None:
            self._bracketed(made, types)
        return self._typed_by_arguments(made, callee, types) if types is not None else made

    def _callee(self, function: Node) -> tuple[int, int, int]:
        """The variable of the called value, the symbol of its name or -1, and the line to report."""
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

    def _arguments(self, node: Node, function: Node, line: int) -> list[int]:
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
            index = len(reader.definitions)
            name, holder = self.reader.given_names.pop(child.id, ("", ""))
            if not name and reader.kind(child) in FUNCTIONS:
                name = self._title(function, reader.parts(node)[0])
            out += (kind, reader.named_value(child, name, holder=holder) if name else reader.value(child))
            if kind == op.SPLAT:
                reader.graph.rooted(op.EACH, out[-1], reader.line(child), reader.owner)
            if reader.kind(child) in FUNCTIONS and reader.definitions[index].kind == "lambda":
                called = reader.text(function.child_by_field_name("property") or function)
                reader.lambdas.append(LambdaArgument(index, called, line, (len(out) >> 1) - 1))
        return out

    def _title(self, function: Node, first: Node) -> str:
        """Return the name of a function that a test runner is given after its title, `<it: sends the body>`; empty for others."""
        reader = self.reader
        while reader.kind(function) in ("member_expression", "call_expression"):
            inner = function.child_by_field_name("object") or function.child_by_field_name("function")
            if inner is None:
                break
            function = inner
        if reader.text(function) not in _TITLED or reader.kind(first) not in ("string", "template_string"):
            return ""
        words = " ".join(_TITLE_WORD.findall(reader.flat(first)))[:_MAX_TITLE]
        return f"<{reader.text(function)}: {words}>" if words else ""

    def _called(self, callee: int, line: int, flags: int, name: int, arguments: list[int]) -> int:
        self.reader.calls += 1
        return self.reader.graph.call(callee, line, self.reader.owner, flags, name, arguments)

    def _bracketed(self, called: int, types: Node) -> None:
        """Record the type arguments that a call or a `new` has in brackets."""
        self.reader.graph.effect(op.BRACKETS, called, self.types.listed(self.reader.parts(types)))

    def _typed_by_brackets(self, result: int, callee: int, types: Node) -> int:
        """`load<Foo>()`: what the function declares to give, of these arguments."""
        graph = self.reader.graph
        declared = self.contexts.attribute(callee, DECLARED_RESULT)
        given = self.types.generics.with_arguments(declared, types)
        return graph.copies((result, graph.value(op.TYPED, given, self.reader.owner)))

    def _typed_by_arguments(self, made: int, callee: int, types: Node) -> int:
        """`new Map<string, Foo>()`: its elements are what the brackets say."""
        reader, graph = self.reader, self.reader.graph
        generic = self.types.generics.with_arguments(callee, types)
        return graph.copies((made, graph.value(op.TYPED, generic, reader.owner)))


@dataclass(eq=False, repr=False)
class JavaScriptExpressionVisitor:
    """Visitor of expressions."""

    reader: JavaScriptExtractionState
    documented: DocumentedTypes
    conditions: ConditionNarrower
    commonjs: JavaScriptCommonJsVisitor

    def __post_init__(self) -> None:
        self.reader.handlers |= {
            "identifier": self._identifier,
            "this": self._this,
            "super": self._super,
            "member_expression": self._member,
            "subscript_expression": self._subscript,
            "parenthesized_expression": self._parenthesized,
            "non_null_expression": self._first,
            "instantiation_expression": self._first,
            "spread_element": self._first,
            "satisfies_expression": self._first,
            "jsx_expression": self._first,
            "template_substitution": self._first,
            "await_expression": self._await,
            "yield_expression": self._yield,
        }

    def _first(self, node: Node) -> int:
        return self.reader.value(self.reader.first(node))

    def _identifier(self, node: Node) -> int:
        if self.reader.text(node) in _NUMBERS:
            return self.reader.constant("Number")
        self.reader.mention(node)
        return self.reader.scopes.read(self.reader.text(node))

    def _this(self, node: Node) -> int:
        known = self.conditions.narrowed(node)
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
        whole = self.commonjs.exported(node)
        if whole >= 0:
            return whole
        receiver = reader.value(target)
        value = reader.graph.rooted(op.ATTR, receiver, reader.symbol(name), reader.line(name), reader.owner)
        known = self.conditions.narrowed(node)
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
        if name.isdecimal():
            return reader.graph.rooted(op.ITEM, receiver, symbol, -1, line, reader.owner)
        return reader.graph.rooted(op.ATTR, receiver, symbol, line, reader.owner)

    def _parenthesized(self, node: Node) -> int:
        return self.documented.cast(node, self._first(node))

    def _await(self, node: Node) -> int:
        value = self._first(node)
        return self.reader.graph.value(op.AWAIT, value, self.reader.line(node), self.reader.owner)

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
            return reader.graph.value(op.AWAIT, value, reader.line(node), reader.owner)
        reader.graph.assign(reader.body.yielded, op.COPY, value)
        return reader.nothing()
