"""Visitors that turn Python functions, lambdas and decorators into definitions and points-to constraints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.module_resolution import ImportedNames
from repoquarry.languages.python.scopes import CLASS, FUNCTION
from repoquarry.languages.python.type_annotations import Annotations
from repoquarry.languages.python.visitors.assignments import PythonAssignmentVisitor
from repoquarry.languages.python.visitors.expressions import PythonEventVisitor
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor
from repoquarry.languages.python.visitors.statements import (
    OverloadGroups,
    PythonResultVisitor,
    PythonStatementVisitor,
    is_overload,
)
from repoquarry.languages.source_text import normalize_layout

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__"})
_MAKE_DATA_CLASSES: Final = frozenset({"dataclass", "define", "frozen", "attrs"})
_BY_BASE: Final = {
    "Enum": "enum", "IntEnum": "enum", "StrEnum": "enum", "Flag": "enum", "IntFlag": "enum",
    "Protocol": "protocol", "NamedTuple": "named tuple", "TypedDict": "typed dictionary",
}  # fmt: skip


def class_kind(decorators: Sequence[Decorator], bases: Sequence[str]) -> str:
    """`dataclass`, `enum`, `protocol`, …; empty for a plain class."""
    if any(decorator.name in _MAKE_DATA_CLASSES for decorator in decorators):
        return "dataclass"
    return next((form for base in bases if (form := _BY_BASE.get(_last_name(base)))), "")


def function_kind(kind: str, name: str, decorators: Sequence[Decorator]) -> str:
    """`constructor` or `property`; empty for other functions."""
    if kind != "method":
        return ""
    if name in _CONSTRUCTORS:
        return "constructor"
    for decorator in decorators:
        if decorator.name.endswith("property") or decorator.dotted.endswith((".setter", ".getter", ".deleter")):
            return "property"
    return ""


def is_abstract_class(path: str, decorators: Sequence[Decorator]) -> bool:
    """Return whether a function is declared without a body: in a stub file, or by a decorator."""
    return path.endswith(".pyi") or any("abstract" in decorator.name for decorator in decorators)


def _last_name(expression: str) -> str:
    """`enum` of `models.enum(unique=True)`."""
    return expression.split("(", 1)[0].split("[", 1)[0].rsplit(".", 1)[-1].strip()


_DOTTED = re.compile(r"\w+(?:\.\w+)*")


class PythonDecoratorVisitor:
    """Visitor of decorators."""

    def __init__(self, reader: PythonExtractionState) -> None:
        self.reader = reader
        self._imported = ImportedNames()

    def written(self, decorators: Sequence[Node]) -> tuple[Decorator, ...]:
        """Record of decorators as they are written."""
        return tuple([self._record(g.significant(decorator)[1]) for decorator in decorators])

    def _record(self, expression: Node) -> Decorator:
        reader = self.reader
        called, arguments = expression, None
        if expression.kind_id == g.CALL:
            called, brackets = expression.children[0], expression.children[-1]
            arguments = reader.flat(brackets)[1:-1].strip()
        dotted = reader.flat(called) if called.kind_id in (g.IDENTIFIER, g.ATTRIBUTE) else ""
        if not _DOTTED.fullmatch(dotted):
            dotted = ""
        return Decorator(reader.flat(expression), self._imported.full_name(dotted, reader.imports), arguments)

    def evaluated(self, decorators: Sequence[Node]) -> list[tuple[int, int, int]]:
        """(variable, line, symbol of the name) of each decorator; read before the definition, as they are evaluated."""
        reader = self.reader
        out = []
        for decorator in decorators:
            expression = g.significant(decorator)[1]
            name = expression.children[-1] if expression.kind_id == g.ATTRIBUTE else expression
            named = name.kind_id == g.IDENTIFIER
            out.append((reader.value(expression), reader.line(expression), reader.symbol(name) if named else -1))
        return out

    def decorate(self, value: int, decorators: Sequence[tuple[int, int, int]]) -> int:
        """Return the result of applying evaluated decorators to `value`, the last one first."""
        reader = self.reader
        for callee, line, name in reversed(decorators):
            value = reader.graph.call(callee, line, reader.owner, op.DECORATES, name, [op.POSITIONAL, value])
        return value


#: name, the variable that arguments flow into, kind, the variable that the body reads
Parameter = tuple[str, int, int, int]


_PARAMETERS = {g.PARAMETERS, g.LAMBDA_PARAMETERS}
_SPLATS = {
    g.LIST_SPLAT_PATTERN: (op.REST, "tuple"),
    g.DICTIONARY_SPLAT_PATTERN: (op.KEYWORD_REST, "dict"),
}
_SAID = {"staticmethod": op.STATIC, "classmethod": op.OF_CLASS, "abstractmethod": op.ABSTRACT}
_DISPATCHERS = ("functools.singledispatch", "functools.singledispatchmethod")
#: where a function's record has the variable of its declared result, its length counted
_DECLARED_AT = 5
#: methods that are static or class methods without saying so
_IMPLICIT = {"__new__": op.STATIC, "__init_subclass__": op.OF_CLASS, "__class_getitem__": op.OF_CLASS}


#: statements after which the next one always runs
_PLAIN_STATEMENTS = {g.EXPRESSION_STATEMENT, g.kind("delete_statement"), g.kind("pass_statement")}


class FunctionHeader(NamedTuple):
    """The parts of a function's statement."""

    name: str
    parameters: Node | None
    returns: Node | None
    body: Sequence[Node]
    is_async: bool


class FunctionParts(NamedTuple):
    """The parts of a function or lambda."""

    definition: int
    flags: int
    parameters: Node | None
    returns: Node | None
    statements: Sequence[Node]
    expression: Node | None
    declared: int = -1
    """Variable of the results that `@overload` stubs before it declare, -1 without any: what an implementation declares
    itself says more, for it names no type variables of one stub alone."""
    is_stub: bool = False


@dataclass(eq=False, repr=False)
class PythonFunctionVisitor:
    """Visitor of functions and lambdas."""

    reader: PythonExtractionState
    statements: PythonStatementVisitor
    assignments: PythonAssignmentVisitor
    results: PythonResultVisitor
    decorators: PythonDecoratorVisitor
    groups: OverloadGroups
    annotations: Annotations
    literals: PythonLiteralVisitor
    events: PythonEventVisitor

    def __post_init__(self) -> None:
        self._lambdas: Counter[int] = Counter()
        self._dispatchers: set[tuple[int, str]] = set()
        self.reader.register({"function_definition": self.define, "lambda": self._lambda})

    def define(self, node: Node, decorators: Sequence[Node] = ()) -> int:
        """Read a function, and binds its name."""
        reader = self.reader
        calls = len(reader.called)
        header = self._header(node)
        name, body = header.name, header.body
        applied, written = self.decorators.evaluated(decorators), self.decorators.written(decorators)
        method, is_abstract = reader.scopes.current.kind == CLASS, self._is_abstract(body)
        flags = self._flags(name, written) | op.ABSTRACT * is_abstract if method else 0
        flags |= op.ASYNC * header.is_async
        is_stub = is_overload(written, is_empty=is_abstract)
        group = self.groups.of(reader.owner, name, is_stub=is_stub)
        if group.index < 0:
            group.index = reader.allocate(name)
        index = group.index
        value = reader.graph.value(op.FUNC, index)
        parts = FunctionParts(index, flags, header.parameters, header.returns, body, None, group.declared, is_stub)
        with self.annotations.type_parameters(node, None) as declared:
            for variable, bound in declared:
                if bound >= 0:
                    reader.graph.assign(variable, op.COPY, bound)
            branches, is_generator = self._function(parts)
        definition = replace(
            reader.definitions[index],
            kind="method" if method else "function",
            start_line=reader.line(decorators[0] if decorators else node),
            name_line=reader.line(node),
            end_line=node.end_point[0] + 1,
            signature=self._signature(header.parameters, header.returns),
            docstring=self.literals.docstring(body),
            decorators=written,
            branches=branches,
            indent=node.start_point[1],
            calls=len(reader.called) - calls,
            is_async=header.is_async,
            is_generator=is_generator,
            form=function_kind("method" if method else "function", name, written),
            is_abstract=is_abstract_class(reader.path, written),
        )
        self.events.decorate(decorators, value)
        value = self.decorators.decorate(value, applied)
        if is_stub:
            reader.definitions[index] = group.add(definition, reader.graph.functions[index][_DECLARED_AT])
            self.groups.unbound[name] = value
        else:
            reader.definitions[index] = group.implemented_by(definition)
            self.assignments.write(name, value)
            self._register(name, value, written)
        return -1

    def _register(self, name: str, value: int, decorators: Sequence[Decorator]) -> None:
        """Let a call of a single-dispatch function also call what is registered with it in the same scope."""
        reader, env = self.reader, self.reader.scopes.current.env
        for decorator in decorators:
            general, _, method = decorator.dotted.rpartition(".")
            if decorator.dotted in _DISPATCHERS:
                self._dispatchers.add((reader.owner, name))
            elif method == "register" and (reader.owner, general) in self._dispatchers and general in env:
                self.assignments.write(general, reader.graph.copies((env[general], value)))

    def _header(self, node: Node) -> FunctionHeader:
        children = g.significant(node)
        kinds = [child.kind_id for child in children]
        return FunctionHeader(
            self.reader.text(children[kinds.index(g.IDENTIFIER)]),
            parameters=children[kinds.index(g.PARAMETERS)] if g.PARAMETERS in kinds else None,
            returns=children[kinds.index(g.ARROW) + 1] if g.ARROW in kinds else None,
            body=children[-1].children if kinds[-1] == g.BLOCK else [],
            is_async=kinds[0] == g.ASYNC,
        )

    @staticmethod
    def _flags(name: str, decorators: Sequence[Decorator]) -> int:
        flags = op.METHOD | _IMPLICIT.get(name, 0)
        for decorator in decorators:
            flags |= _SAID.get(decorator.name, 0) if decorator.arguments is None else 0
        return flags

    def _is_abstract(self, body: Sequence[Node]) -> bool:
        """Return whether a body has no other end than `...` or raising NotImplementedError: it is there for others to override."""
        statements = [child for child in body if child.is_named and child.kind_id not in g.INSIGNIFICANT]
        if not statements or any(one.kind_id not in _PLAIN_STATEMENTS for one in statements[:-1]):
            return False
        last = statements[-1]
        if last.kind_id == g.RAISE_STATEMENT:
            return self.reader.source.startswith(b"raise NotImplementedError", last.start_byte)
        return last.kind_id == g.EXPRESSION_STATEMENT and last.children[0].kind_id == g.ELLIPSIS

    def _function(self, shape: FunctionParts) -> tuple[int, bool]:
        """Read parameters and body in a new scope; return the number of branches and whether it yields."""
        reader = self.reader
        read = self._read_parameters(shape.parameters)
        declared = self.annotations.annotated(shape.returns) if shape.returns is not None else -1
        if shape.declared >= 0 and (declared < 0 or shape.is_stub):
            declared = reader.graph.copies(variable for variable in (shape.declared, declared) if variable >= 0)
        outer_branches, reader.branches = reader.branches, 0
        outer_owner, reader.owner = reader.owner, shape.definition
        result, yielded = reader.graph.variable(), reader.graph.variable()
        scope = reader.scopes.enter(FUNCTION, shape.definition)
        for name, _, _, inner in read:
            scope.env[name] = inner
            scope.versions[name] = [inner]
        self.results.open(result, yielded)
        self.statements.block(shape.statements)
        if shape.expression is not None:
            reader.graph.assign(result, op.COPY, reader.value(shape.expression))
        is_generator = self.results.close()
        reader.scopes.leave()
        reader.owner = outer_owner
        branches, reader.branches = reader.branches, outer_branches
        reader.total_branches += branches
        numbers = [n for name, variable, kind, _ in read for n in (reader.graph.symbol(name), variable, kind)]
        flags = shape.flags | (op.GENERATOR if is_generator else 0)
        record = [op.FUNC, flags, result, yielded, declared, len(read), *numbers]
        reader.graph.functions[shape.definition] = [len(record) + 1, *record]
        return branches, is_generator

    def _signature(self, parameters: Node | None, returns: Node | None) -> str:
        reader = self.reader
        text = normalize_layout(reader.plain(parameters), "#") if parameters is not None else "()"
        return f"{text} -> {normalize_layout(reader.plain(returns), '#')}" if returns is not None else text

    def _lambda(self, node: Node) -> int:
        reader = self.reader
        children = g.significant(node)
        calls = len(reader.called)
        self._lambdas[reader.owner] += 1
        index = reader.allocate(f"<lambda{self._lambdas[reader.owner]}>")
        parameters = children[1] if children[1].kind_id in _PARAMETERS else None
        value = reader.graph.value(op.FUNC, index)
        branches, is_generator = self._function(FunctionParts(index, op.LAMBDA, parameters, None, (), children[-1]))
        signature = normalize_layout(f"({reader.plain(parameters)})", "#") if parameters is not None else "()"
        reader.definitions[index] = replace(
            reader.definitions[index],
            kind="lambda",
            start_line=reader.line(node),
            name_line=reader.line(node),
            end_line=node.end_point[0] + 1,
            signature=signature,
            branches=branches,
            calls=len(reader.called) - calls,
            is_generator=is_generator,
        )
        return value

    # ---- parameters

    def _read_parameters(self, node: Node | None) -> list[Parameter]:
        """Parameters in order; defaults and annotations assign to their variables."""
        out: list[Parameter] = []
        kind = op.PLAIN
        for child in node.named_children if node is not None else ():
            form = child.kind_id
            if form == g.IDENTIFIER:
                variable = self.reader.graph.variable()
                out.append((self.reader.text(child), variable, kind, variable))
            elif form == g.KEYWORD_SEPARATOR:
                kind = op.KEYWORD_ONLY
            elif form == g.POSITIONAL_SEPARATOR:
                out = [(name, variable, op.POSITION_ONLY, inner) for name, variable, _, inner in out]
            elif form not in g.INSIGNIFICANT:
                out.append(self._parameter(child, kind))
                kind = op.KEYWORD_ONLY if out[-1][2] == op.REST else kind
        return out

    def _parameter(self, node: Node, kind: int) -> Parameter:
        reader = self.reader
        parts = g.significant(node)
        name = parts[0]
        annotation = next((part for part in parts[1:] if part.kind_id == g.TYPE), None)
        splat = _SPLATS.get(node.kind_id) or _SPLATS.get(name.kind_id)
        if splat is not None:
            name = parts[-1] if node.kind_id in _SPLATS else name.children[-1]
            element = self.annotations.annotated(annotation) if annotation is not None else reader.constant("object")
            variable = reader.graph.value(op.CONTAINER, reader.graph.symbol(splat[1]), 1, op.ANY, element)
            return reader.text(name), variable, splat[0], variable
        variable = inner = reader.graph.variable()
        if annotation is not None:
            inner = reader.graph.value(op.DECLARED, self.annotations.annotation(annotation), reader.owner, variable)
        if len(parts) > 1 and parts[-2].kind_id == g.EQUALS:
            value = reader.value(parts[-1])
            reader.keep(parts[-1], value)
            reader.graph.assign(variable, op.COPY, value)
        return reader.text(name), variable, kind, inner
