"""Visitor that turns JavaScript functions of every form into definitions and points-to constraints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.extraction_state import BodyFrame, JavaScriptExtractionState, documentation
from repoquarry.languages.javascript.grammar import FUNCTIONS
from repoquarry.languages.javascript.typing.contextual_typing import ContextualTyping
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.type_forms import OpenClasses
from repoquarry.languages.javascript.typing.types import TypeReader
from repoquarry.languages.javascript.visitors.signatures import (
    FunctionForm,
    JavaScriptParameterVisitor,
    JavaScriptResultVisitor,
    OverloadSignatures,
    Parameter,
)


@dataclass(eq=False, repr=False)
class JavaScriptFunctionVisitor:
    """Visitor of functions."""

    reader: JavaScriptExtractionState
    types: TypeReader
    contexts: ContextualTyping
    documented: DocumentedTypes
    classes: OpenClasses
    parameters: JavaScriptParameterVisitor

    def __post_init__(self) -> None:
        self.results = JavaScriptResultVisitor(self.reader, self.types, self.contexts, self.documented, self.classes)
        self.groups: dict[tuple[int, int, str], OverloadSignatures] = {}
        """(owner, number of the block, name) -> overload signatures whose implementation has not come so far."""
        for kind in FUNCTIONS:
            self.reader.handlers[kind] = self._expression
            self.reader.naming[kind] = self._named
        for kind in ("function_declaration", "generator_function_declaration"):
            self.reader.handlers[kind] = self._declaration
        self.reader.handlers["function_signature"] = self._signature

    def _named(self, node: Node, name: str, receiver: int, start: Node | None, holder: str) -> int:
        own = node.child_by_field_name("name")
        is_arrow = self.reader.kind(node) == "arrow_function"
        is_titled = name.startswith("<")
        form = FunctionForm(
            name,
            kind="lambda" if is_titled else "function",
            receiver=-1 if is_arrow else receiver,
            start=start,
            holder="" if is_titled else holder,
        )
        return self.read(node, form, own_name=self.reader.text(own) if own is not None else "")

    def _expression(self, node: Node) -> int:
        own = node.child_by_field_name("name")
        if own is not None:
            name = self.reader.text(own)
            return self.read(node, FunctionForm(name), own_name=name)
        return self.read(node, FunctionForm(self.reader.unnamed(), kind="lambda"))

    def _declaration(self, node: Node) -> int:
        reader = self.reader
        own = node.child_by_field_name("name")
        name = reader.text(own) if own is not None else "default"
        group = self.groups.pop((reader.owner, id(reader.scopes.current), name), None)
        value = self.read(node, FunctionForm(name, group=group))
        if own is not None:
            reader.graph.assign(reader.scopes.declare(name), op.COPY, value)
        return value

    def object_method(self, node: Node, name: str, receiver: int, holder: str) -> int:
        """Return a method written in an object literal; `holder`: the name of the object."""
        return self.read(node, FunctionForm(name, receiver=receiver, holder=holder))

    def _signature(self, node: Node) -> int:
        reader = self.reader
        own = node.child_by_field_name("name")
        name = reader.text(own) if own is not None else "default"
        value, is_first = self.signature(node, FunctionForm(name))
        if is_first and own is not None:
            reader.graph.assign(reader.scopes.declare(name), op.COPY, value)
        return value

    def signature(self, node: Node, form: FunctionForm) -> tuple[int, bool]:
        """A function without a body; several of one name are one definition. Its value, and whether it is the first."""
        reader = self.reader
        key = (reader.owner, id(reader.scopes.current), form.name)
        group = self.groups.get(key)
        is_first = group is None
        if group is None:
            group = self.groups[key] = OverloadSignatures(reader.allocate(form.name))
            group.value = reader.graph.value(op.FUNC, group.index)
        form.group, index = group, group.index
        before = reader.definitions[index]
        self.read(node, form)
        group.signatures.append(reader.definitions[index].signature)
        if not is_first:
            reader.definitions[index] = replace(
                before,
                overloads=tuple(group.signatures),
                end_line=max(before.end_line, reader.definitions[index].end_line),
            )
        return group.value, is_first

    def read(self, node: Node, form: FunctionForm, own_name: str = "") -> int:
        """Read a function; return the variable of the function itself."""
        reader, group, calls = self.reader, form.group, self.reader.calls
        path = f"{form.holder}.{form.name}" if form.holder else form.name
        index = group.index if group is not None else reader.allocate(path)
        value = group.value if group is not None else reader.graph.value(op.FUNC, index)
        is_arrow = reader.kind(node) == "arrow_function"
        body = BodyFrame(index, -1, not is_arrow, reader.graph.variable(), reader.graph.variable(), form.home)
        scope = reader.scopes.enter(is_function=True)
        reader.open(body)
        if own_name and own_name not in scope.names:
            scope.names[own_name] = value
        is_generic = self.types.generics.declare(node, index) > 0
        context, tags = self.contexts.of(node), self.documented.tags(form.start or node)
        offered = partial(self.contexts.offer, is_generic or self._makes_generic(form), value)
        parameters = self.parameters.read(node, tags.parameters if tags is not None else {}, offered, context)
        flags, declared = self.results.read(value, node, form, body, context, tags, is_generic=is_generic)
        self._read_body(node, body)
        if not is_arrow and "arguments" in scope.waiting:
            self._tie_arguments(scope.waiting.pop("arguments"), parameters)
        receiver = self._receiver(body, form)
        reader.close()
        reader.scopes.leave()
        if receiver >= 0:
            parameters.insert(0, ("this", receiver, op.PLAIN))
        flags |= self._flags(node, form, body, is_generic=is_generic, receives=receiver >= 0)
        if group is not None:
            group.declared = declared
            group.flags = flags = flags | group.flags & op.GUARDS
        else:
            body.result = self.results.of_class(node.child_by_field_name("return_type"), declared, body.result)
        self._record(index, flags, body, declared, parameters)
        self._define(index, node, form, flags, branches=body.branches, calls=reader.calls - calls)
        return value

    def _makes_generic(self, form: FunctionForm) -> bool:
        """Return whether a function is the constructor of a class with type parameters."""
        members = self.classes.innermost
        return form.name == "constructor" and form.home >= 0 and members is not None and members.is_generic

    def _flags(self, node: Node, form: FunctionForm, body: BodyFrame, *, is_generic: bool, receives: bool) -> int:
        reader = self.reader
        return (
            form.flags
            | op.ACCESSOR * reader.has_token(node, "get", "set")
            | op.GENERIC * is_generic
            | op.ASYNC * reader.has_token(node, "async")
            | op.GENERATOR * (body.yields or reader.has_token(node, "*"))
            | (op.RECEIVES if receives else op.STATIC)
        )

    def _define(self, index: int, node: Node, form: FunctionForm, flags: int, *, branches: int, calls: int) -> None:
        reader, group = self.reader, form.group
        start = form.start or node
        reader.definitions[index] = replace(
            reader.definitions[index],
            kind=form.kind,
            name=form.name,
            start_line=reader.line(start),
            name_line=reader.line(node.child_by_field_name("name") or start),
            end_line=node.end_point[0] + 1,
            signature=self._text(node),
            docstring=documentation(reader, start),
            decorators=form.decorators,
            branches=branches,
            indent=node.start_point[1],
            calls=calls,
            is_async=bool(flags & op.ASYNC),
            is_generator=bool(flags & op.GENERATOR),
            overloads=tuple(group.signatures) if group is not None and group.signatures else (),
            form=_form(node, form),
            is_abstract=form.kind != "lambda" and node.child_by_field_name("body") is None,
        )

    def _read_body(self, node: Node, body: BodyFrame) -> None:
        reader = self.reader
        block = node.child_by_field_name("body")
        if block is None:
            return
        if reader.kind(block) == "statement_block":
            reader.statements(block.named_children)
        else:
            self.contexts.expect(block, body.expected)
            reader.graph.assign(body.result, op.COPY, reader.value(block))

    def _receiver(self, body: BodyFrame, form: FunctionForm) -> int:
        """Return the variable of `this` as a parameter, -1 where the function has none."""
        reader = self.reader
        if not body.binds_this:
            return -1
        if body.receiver < 0 and form.always_receives:
            body.receiver = reader.graph.variable()
        if body.receiver >= 0 and form.receiver >= 0:
            reader.graph.assign(body.receiver, op.COPY, form.receiver)
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

    def _record(
        self, index: int, flags: int, body: BodyFrame, declared: list[int], parameters: list[Parameter]
    ) -> None:
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


def _form(node: Node, form: FunctionForm) -> str:
    """`constructor` or `property`; empty for other functions."""
    if any(not child.is_named and child.type in ("get", "set") for child in node.children):
        return "property"
    return "constructor" if form.kind == "method" and form.name == "constructor" and not form.is_static else ""
