"""Functions of every form: declarations, expressions, arrows, methods, overload signatures, and their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator, Definition
from repoquarry.languages.javascript.comments import documentation
from repoquarry.languages.javascript.reader import Body
from repoquarry.languages.javascript.typing.contexts import MOST_PARAMETERS, RESULT, parameter
from repoquarry.languages.javascript.typing.field_types import given_back, is_property
from repoquarry.languages.javascript.typing.predicates import predicate

if TYPE_CHECKING:
    from repoquarry.languages.javascript.walk import Walk

#: name, the variable that arguments flow into, kind
Parameter = tuple[str, int, int]
#: position, type and line of a parameter: tells calls what the function declares
Offer = Callable[[int, Node | None, int], None]

FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function", "function"))
_CLASSES = frozenset(("class", "class_declaration", "abstract_class_declaration"))
_WRAPPERS = frozenset(("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"))
_PARAMETERS = frozenset(("required_parameter", "optional_parameter"))


@dataclass(slots=True)
class Shape:
    """What is known of a function before it is read."""

    name: str
    kind: str = "function"
    flags: int = 0
    home: int = -1
    """Definition of the class that it is a method of."""
    receiver: int = -1
    """Variable of an object that it is called on (`{ f() {} }`), -1 for none."""
    always_receives: bool = False
    """It takes `this` whether it reads it or not: methods may be overridden by others that do."""
    is_static: bool = False
    decorators: tuple[Decorator, ...] = ()
    group: Group | None = None
    start: Node | None = None
    """Where its text begins, if that is before the node: `export`, decorators, `const f =`."""


@dataclass(slots=True)
class Group:
    """The overload signatures of one function, as far as they have been read."""

    place: tuple[int, str, str, str]
    signatures: list[str] = field(default_factory=list)
    declared: list[int] = field(default_factory=list)
    """Variables of the declared results."""
    value: int = -1
    flags: int = 0
    """What the signatures say of the implementation."""


class Functions:
    """Reads functions and their parameters."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        reader = self.reader = walk.reader
        self.groups: dict[tuple[int, int, str], Group] = {}
        """(owner, number of the block, name) -> overload signatures whose implementation has not come so far."""
        for kind in FUNCTIONS:
            reader.handlers[kind] = self._expression
        for kind in ("function_declaration", "generator_function_declaration"):
            reader.handlers[kind] = self._declaration
        reader.handlers["function_signature"] = self._signature

    # ---- forms

    def named_value(self, node: Node, name: str, *, receiver: int = -1, start: Node | None = None) -> int:
        """The value of an expression that gives its name to a function or class written in place."""
        reader, inner = self.reader, node
        while reader.kind(inner) in _WRAPPERS and (parts := reader.parts(inner)):
            inner = parts[0]
        kind = reader.kind(inner)
        if not name or (kind not in FUNCTIONS and kind not in _CLASSES):
            return reader.value(node)
        if kind in FUNCTIONS:
            return self._function_value(inner, name, receiver, start)
        return self.walk.classes.class_value(inner, name, start)

    def _function_value(self, node: Node, name: str, receiver: int, start: Node | None) -> int:
        own = node.child_by_field_name("name")
        is_arrow = self.reader.kind(node) == "arrow_function"
        shape = Shape(name, receiver=-1 if is_arrow else receiver, start=start)
        return self.read(node, shape, own_name=self.reader.text(own) if own is not None else "")

    def _expression(self, node: Node) -> int:
        own = node.child_by_field_name("name")
        if own is not None:
            name = self.reader.text(own)
            return self.read(node, Shape(name), own_name=name)
        return self.read(node, Shape(self.reader.unnamed(), kind="lambda"))

    def _declaration(self, node: Node) -> int:
        reader = self.reader
        own = node.child_by_field_name("name")
        name = reader.text(own) if own is not None else "default"
        group = self.groups.pop((reader.owner, id(reader.scopes.current), name), None)
        value = self.read(node, Shape(name, group=group))
        if own is not None:
            reader.graph.assign(reader.scopes.declare(name), op.COPY, value)
        return value

    def object_method(self, node: Node, name: str, receiver: int) -> int:
        """A method written in an object literal."""
        return self.read(node, Shape(name, receiver=receiver))

    # ---- overload signatures

    def _signature(self, node: Node) -> int:
        reader = self.reader
        own = node.child_by_field_name("name")
        name = reader.text(own) if own is not None else "default"
        value, is_first = self.signature(node, Shape(name))
        if is_first and own is not None:
            reader.graph.assign(reader.scopes.declare(name), op.COPY, value)
        return value

    def signature(self, node: Node, shape: Shape) -> tuple[int, bool]:
        """A function without a body; several of one name are one definition. Its value, and whether it is the first."""
        reader = self.reader
        key = (reader.owner, id(reader.scopes.current), shape.name)
        group = self.groups.get(key)
        is_first = group is None
        if group is None:
            group = self.groups[key] = Group(reader.reserve(shape.name))
            group.value = reader.graph.value(op.FUNC, group.place[0])
        shape.group = group
        index = group.place[0]
        before = reader.definitions[index]
        self.read(node, shape)
        group.signatures.append(reader.definitions[index].signature)
        if not is_first:
            reader.definitions[index] = _joined(before, group, reader.definitions[index].end_line)
        return group.value, is_first

    # ---- reading one

    def read(self, node: Node, shape: Shape, own_name: str = "") -> int:
        """Reads a function; returns the variable of the function itself."""
        reader = self.reader
        group = shape.group
        index, key, qualname, parent = group.place if group is not None else reader.reserve(shape.name)
        value = group.value if group is not None else reader.graph.value(op.FUNC, index)
        kind = reader.kind(node)
        calls = reader.calls
        is_arrow = kind == "arrow_function"
        result, yielded = reader.graph.variable(), reader.graph.variable()
        body = Body(index, -1, not is_arrow, result, yielded, shape.home)
        scope = reader.scopes.enter(is_function=True)
        reader.open(body)
        if own_name and own_name not in scope.names:
            scope.names[own_name] = value
        is_generic = self.walk.types.declare_parameters(node, index) > 0
        context = self.walk.contexts.of(node)
        tags = self.walk.documented.tags(shape.start or node)
        makes_generic = shape.name == "constructor" and shape.home >= 0 and self.walk.classes.members[-1].is_generic
        offer = self.walk.contexts.offer_whole if is_generic or makes_generic else self.walk.contexts.offer
        offered = partial(offer, value)
        parameters = self._parameters(node, tags.parameters if tags is not None else {}, offered, context)
        returns = node.child_by_field_name("return_type")
        flags = shape.flags | op.GUARDS * self._declares_predicate(value, node)
        if is_generic:
            self.walk.contexts.offer_result(value, returns, reader.line(node))
            self.walk.contexts.offer_defaults(value, self.walk.types.default_types(node), reader.line(node))
        body.expected = self.walk.contexts.of_type(returns)
        if returns is None and context >= 0:
            body.expected = self.walk.contexts.attribute(context, RESULT)
        declared = [
            *(group.declared if group is not None else ()),
            *self._declared(returns or self._own_field(node, shape)),
        ]
        if returns is None and tags is not None and tags.returns:
            told = self.walk.documented.told(tags.returns, node)
            flags |= op.GUARDS * self._tells(value, told, node)
            known = -1 if told is not None else self.walk.documented.annotated(tags.returns, node)
            declared += [known] if known >= 0 else []
        self._read_body(node, body)
        if not is_arrow and "arguments" in scope.waiting:
            self._tie_arguments(scope.waiting.pop("arguments"), parameters)
        receiver = self._receiver(body, shape)
        reader.close()
        reader.scopes.leave()
        is_async, is_generator = reader.has_token(node, "async"), body.yields or reader.has_token(node, "*")
        flags |= op.ACCESSOR * reader.has_token(node, "get", "set") | op.GENERIC * is_generic
        flags |= op.ASYNC * is_async | op.GENERATOR * is_generator
        if receiver >= 0:
            parameters.insert(0, ("this", receiver, op.PLAIN))
            flags |= op.RECEIVES
        else:
            flags |= op.STATIC
        if group is not None:
            group.declared = declared
            group.flags = flags = flags | group.flags & op.GUARDS
        elif returns is not None and declared and self.walk.types.is_plain_class(returns):
            body.result = self.walk.types.declared(returns, body.result)
        self._record(index, flags, body, declared, parameters)
        start = shape.start or node
        reader.definitions[index] = Definition(
            key=key,
            kind=shape.kind,
            name=shape.name,
            qualname=qualname,
            parent=parent,
            start_line=reader.line(start),
            name_line=reader.line(node.child_by_field_name("name") or start),
            end_line=node.end_point[0] + 1,
            signature=self._text(node),
            docstring=documentation(reader, start),
            decorators=shape.decorators,
            bases=(),
            branches=body.branches,
            indent=node.start_point[1],
            calls=reader.calls - calls,
            is_async=is_async,
            is_generator=is_generator,
            overloads=tuple(group.signatures) if group is not None and group.signatures else (),
            form=_form(node, shape),
            is_abstract=shape.kind != "lambda" and node.child_by_field_name("body") is None,
        )
        return value

    def _declares_predicate(self, value: int, node: Node) -> bool:
        """`isCircle(v): v is Circle`: the function has the type, and calls read it."""
        found = predicate(self.reader, node)
        return found is not None and self._tells(value, (found.name, self.walk.types.type(found.type)), found.type)

    def _tells(self, value: int, told: tuple[str, int] | None, node: Node) -> bool:
        """Notes attribute and type of a predicate; whether it has a type."""
        if told is None or told[1] < 0:
            return False
        reader, graph = self.reader, self.reader.graph
        graph.effect(op.SETATTR, value, graph.symbol(told[0]), told[1], reader.line(node), reader.owner)
        return True

    def _own_field(self, node: Node, shape: Shape) -> Node | None:
        """The declared type of the field that a method of a class with type parameters gives."""
        members = self.walk.classes.members
        types = members[-1].types if members else {}
        return types.get(given_back(self.reader, node)) if types and shape.home >= 0 else None

    def _declared(self, returns: Node | None) -> list[int]:
        if returns is None:
            return []
        found = self.walk.types.annotated(returns)
        return [found] if found >= 0 else []

    def _read_body(self, node: Node, body: Body) -> None:
        reader = self.reader
        block = node.child_by_field_name("body")
        if block is None:
            return
        if reader.kind(block) == "statement_block":
            reader.statements(block.named_children)
        else:
            self.walk.contexts.expect(block, body.expected)
            reader.graph.assign(body.result, op.COPY, reader.value(block))

    def _receiver(self, body: Body, shape: Shape) -> int:
        """The variable of `this` as a parameter, -1 where the function has none."""
        reader = self.reader
        if not body.binds_this:
            return -1
        if body.receiver < 0 and shape.always_receives:
            body.receiver = reader.graph.variable()
        if body.receiver >= 0 and shape.receiver >= 0:
            reader.graph.assign(body.receiver, op.COPY, shape.receiver)
        return body.receiver

    def _tie_arguments(self, variable: int, parameters: list[Parameter]) -> None:
        """`arguments`: what the parameters receive, and what comes behind them."""
        graph = self.reader.graph
        kind = graph.symbol("list")
        pairs: list[int] = []
        for position, (_, given, how) in enumerate(parameters):
            pairs += (op.SPREAD, given) if how == op.REST else (graph.symbol(str(position)), given)
        if not any(how == op.REST for _, _, how in parameters):
            rest = graph.value(op.CONTAINER, kind, 1, op.ANY, self.reader.nothing())
            parameters.append(("arguments", rest, op.REST))
            pairs += (op.SPREAD, rest)
        graph.assign(variable, op.CONTAINER, kind, len(pairs) >> 1, *pairs)

    def _record(self, index: int, flags: int, body: Body, declared: list[int], parameters: list[Parameter]) -> None:
        graph = self.reader.graph
        numbers = [n for name, variable, kind in parameters for n in (graph.symbol(name), variable, kind)]
        known = graph.copies(declared) if declared else -1
        record = [op.FUNC, flags, body.result, body.yielded, known, len(parameters), *numbers]
        graph.functions[index] = [len(record) + 1, *record]

    def _text(self, node: Node) -> str:
        """Signature as written, but for its layout."""
        reader = self.reader
        given = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        returns = node.child_by_field_name("return_type")
        text = reader.signature(given) or "()"
        if not text.startswith("("):
            text = f"({text})"
        return text + reader.signature(returns)

    # ---- parameters

    def _parameters(self, node: Node, documented: Mapping[str, str], offer: Offer, context: int) -> list[Parameter]:
        """The parameters of a function; `context`: what its place expects of it, -1 for nothing."""
        reader = self.reader
        single = node.child_by_field_name("parameter")
        if single is not None:
            return [self._parameter(single, None, None, documented, self._given(context, 0))]
        given = node.child_by_field_name("parameters")
        out: list[Parameter] = []
        for child in reader.parts(given) if given is not None else ():
            kind = reader.kind(child)
            if kind in _PARAMETERS:
                pattern = child.child_by_field_name("pattern") or (reader.parts(child) or [child])[0]
                annotation, default = child.child_by_field_name("type"), child.child_by_field_name("value")
                if reader.kind(pattern) == "this":
                    self._declared_receiver(annotation)
                    continue
                offer(len(out), annotation, reader.line(child))
                self.walk.contexts.expect(default, self.walk.contexts.of_type(annotation))
                out.append(self._parameter(pattern, annotation, default, documented, self._given(context, len(out))))
                self._property_of(child, pattern, out[-1][1], annotation)
            elif kind == "assignment_pattern":
                left = child.child_by_field_name("left") or child
                out.append(self._parameter(left, None, child.child_by_field_name("right"), documented, -1))
            elif kind != "decorator":
                out.append(self._parameter(child, None, None, documented, -1))
        return out

    def _given(self, context: int, position: int) -> int:
        """The type of a parameter that says none, by what is expected of the function."""
        if context < 0 or position > MOST_PARAMETERS:
            return -1
        return self.walk.contexts.attribute(context, parameter(position))

    def _declared_receiver(self, annotation: Node | None) -> None:
        if annotation is None:
            return
        typed = self.walk.types.annotated(annotation)
        if typed >= 0:
            self.reader.graph.assign(self.reader.receiver(), op.COPY, typed)

    def _property_of(self, node: Node, name: Node, variable: int, annotation: Node | None) -> None:
        """`constructor(private x: X)` makes an attribute of the parameter."""
        reader = self.reader
        if not is_property(reader, node):
            return
        value = reader.scopes.read(reader.text(name))
        reader.graph.effect(op.SETATTR, reader.receiver(), reader.symbol(name), value, reader.line(name), reader.owner)
        if annotation is not None:
            self.walk.classes.declare_field(reader.text(name), value, annotation)

    def _parameter(
        self, pattern: Node, annotation: Node | None, default: Node | None, documented: Mapping[str, str], given: int
    ) -> Parameter:
        reader, graph = self.reader, self.reader.graph
        if reader.kind(pattern) == "rest_pattern":
            return self._rest(pattern, annotation)
        variable = inner = graph.variable()
        if annotation is not None:
            inner = self.walk.types.declared(annotation, variable)
        elif given >= 0:
            inner = graph.value(op.DECLARED, given, reader.owner, variable)
        elif reader.kind(pattern) == "identifier":
            inner = self.walk.documented.declared(documented.get(reader.text(pattern), ""), pattern, variable)
        if default is not None:
            name = reader.text(pattern) if reader.kind(pattern) == "identifier" else ""
            graph.assign(variable, op.COPY, self.named_value(default, name))
        self.walk.patterns.declare(pattern, inner)
        named = reader.text(pattern) if reader.kind(pattern) == "identifier" else reader.flat(pattern)
        return named, variable, op.POSITION_ONLY

    def _rest(self, pattern: Node, annotation: Node | None) -> Parameter:
        reader, graph = self.reader, self.reader.graph
        element = reader.nothing()
        if annotation is not None and (typed := self.walk.types.annotated(annotation)) >= 0:
            element = graph.value(op.EACH, typed, reader.line(pattern), reader.owner)
        variable = graph.value(op.CONTAINER, graph.symbol("list"), 1, op.ANY, element)
        inner = (reader.parts(pattern) or [pattern])[0]
        if inner.id != pattern.id:
            self.walk.patterns.declare(inner, variable)
        return reader.flat(inner), variable, op.REST


def _form(node: Node, shape: Shape) -> str:
    """`constructor` or `property`; empty for other functions."""
    if any(not child.is_named and child.type in ("get", "set") for child in node.children):
        return "property"
    return "constructor" if shape.kind == "method" and shape.name == "constructor" and not shape.is_static else ""


def _joined(first: Definition, group: Group, end_line: int) -> Definition:
    return replace(first, overloads=tuple(group.signatures), end_line=max(first.end_line, end_line))
