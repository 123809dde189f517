"""Functions, classes, lambdas and decorators: the scopes of a file and their records."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.definitions import Reservations
from repoquarry.languages.facts import Decorator, Definition
from repoquarry.languages.layout import one_line
from repoquarry.languages.python import forms
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.imported_names import ImportedNames
from repoquarry.languages.python.overloads import OverloadGroups, is_overload
from repoquarry.languages.python.patterns import Patterns
from repoquarry.languages.python.scopes import CLASS, FUNCTION

#: name, the variable that arguments flow into, kind, the variable that the body reads
Parameter = tuple[str, int, int, int]

_SPACE = re.compile(r"\s+")
_PARAMETERS = {g.PARAMETERS, g.LAMBDA_PARAMETERS}
_SPLATS = {
    g.LIST_SPLAT_PATTERN: (op.REST, "tuple"),
    g.DICTIONARY_SPLAT_PATTERN: (op.KEYWORD_REST, "dict"),
}
_SAID = {"staticmethod": op.STATIC, "classmethod": op.OF_CLASS, "abstractmethod": op.ABSTRACT}
_DOTTED = re.compile(r"\w+(?:\.\w+)*")
#: where a function's record has the variable of its declared result, its length counted
_DECLARED_AT = 5
#: methods that are static or class methods without saying so
_IMPLICIT = {"__new__": op.STATIC, "__init_subclass__": op.OF_CLASS, "__class_getitem__": op.OF_CLASS}


@dataclass(frozen=True, slots=True)
class Header:
    """The parts of a function's statement."""

    name: str
    parameters: Node | None
    returns: Node | None
    body: Sequence[Node]
    is_async: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts of a function or lambda."""

    index: int
    flags: int
    parameters: Node | None
    returns: Node | None
    statements: Sequence[Node]
    expression: Node | None
    declared: int = -1
    """Variable of the results that `@overload` stubs before it declare, -1 without any: what an implementation declares
    itself says more, for it names no type variables of one stub alone."""
    is_stub: bool = False


class Definitions(Patterns):
    """Adds the reading of definitions; the whole walk."""

    def __init__(self, path: str, source: bytes) -> None:
        super().__init__(path, source)
        self._reservations = Reservations(self.definitions, self.graph)
        self._lambdas: Counter[int] = Counter()
        self._imported = ImportedNames()
        self._groups = OverloadGroups()
        self.total_branches = 0
        for name in ("function_definition", "class_definition", "decorated_definition"):
            self.handlers[g.kind(name)] = getattr(self, f"_{name}")

    def module(self, root: Node) -> None:
        """Reads the whole file."""
        self.block(root.children)
        self.total_branches += self.branches
        self.scopes.finish()

    def _reserve(self, name: str) -> tuple[int, str, str, str]:
        """A place among the definitions: index, key, qualified name, key of the definition around."""
        return self._reservations.reserve(name, self.owner)

    # ---- decorators

    def _decorated_definition(self, node: Node) -> int:
        children = g.significant(node)
        decorators = [child for child in children if child.kind_id == g.DECORATOR]
        definition = children[-1]
        if definition.kind_id == g.FUNCTION_DEFINITION:
            return self._function_definition(definition, decorators)
        return self._class_definition(definition, decorators)

    def _written(self, decorators: Sequence[Node]) -> tuple[Decorator, ...]:
        return tuple(self._record(g.significant(decorator)[1]) for decorator in decorators)

    def _record(self, expression: Node) -> Decorator:
        called, arguments = expression, None
        if expression.kind_id == g.CALL:
            called, brackets = expression.children[0], expression.children[-1]
            arguments = self._flat(brackets)[1:-1].strip()
        dotted = self._flat(called) if called.kind_id in (g.IDENTIFIER, g.ATTRIBUTE) else ""
        if not _DOTTED.fullmatch(dotted):
            dotted = ""
        return Decorator(self._flat(expression), self._imported.full_name(dotted, self.imports), arguments)

    def _decorators(self, decorators: Sequence[Node]) -> list[tuple[int, int, int]]:
        """(variable, line, symbol of the name) of each decorator; read before the definition, as they are evaluated."""
        out = []
        for decorator in decorators:
            expression = g.significant(decorator)[1]
            name = expression.children[-1] if expression.kind_id == g.ATTRIBUTE else expression
            named = name.kind_id == g.IDENTIFIER
            out.append((self.value(expression), self.line(expression), self.symbol(name) if named else -1))
        return out

    def _decorate(self, value: int, decorators: Sequence[tuple[int, int, int]]) -> int:
        for callee, line, name in reversed(decorators):
            value = self.graph.call(callee, line, self.owner, op.DECORATES, name, [op.POSITIONAL, value])
        return value

    # ---- functions

    def _function_definition(self, node: Node, decorators: Sequence[Node] = ()) -> int:
        calls = len(self.called)
        header = self._header(node)
        name, body = header.name, header.body
        applied, written = self._decorators(decorators), self._written(decorators)
        method, is_abstract = self.scopes.current.kind == CLASS, self._is_abstract(body)
        flags = self._flags(name, written) | op.ABSTRACT * is_abstract if method else 0
        flags |= op.ASYNC * header.is_async
        is_stub = is_overload(written, is_empty=is_abstract)
        group = self._groups.of(self.owner, name, is_stub=is_stub)
        index, key, qualname, parent = group.place = group.place or self._reserve(name)
        value = self.graph.value(op.FUNC, index)
        branches, is_generator = self._function(
            Shape(index, flags, header.parameters, header.returns, body, None, group.declared, is_stub)
        )
        definition = Definition(
            key=key,
            kind="method" if method else "function",
            name=name,
            qualname=qualname,
            parent=parent,
            start_line=self.line(decorators[0] if decorators else node),
            name_line=self.line(node),
            end_line=node.end_point[0] + 1,
            signature=self._signature(header.parameters, header.returns),
            docstring=self.docstring(body),
            decorators=written,
            bases=(),
            branches=branches,
            indent=node.start_point[1],
            calls=len(self.called) - calls,
            is_async=header.is_async,
            is_generator=is_generator,
            form=forms.form_of_function("method" if method else "function", name, written),
            is_abstract=forms.is_abstract(self.path, written),
        )
        value = self._decorate(value, applied)
        if is_stub:
            self.definitions[index] = group.add(definition, self.graph.functions[index][_DECLARED_AT])
            self._groups.unbound[name] = value
        else:
            self.definitions[index] = group.implemented_by(definition)
            self._write(name, value)
        return -1

    def _header(self, node: Node) -> Header:
        children = g.significant(node)
        arrow = next((at for at, child in enumerate(children) if child.kind_id == g.ARROW), None)
        return Header(
            name=self.text(next(child for child in children if child.kind_id == g.IDENTIFIER)),
            parameters=next((child for child in children if child.kind_id in _PARAMETERS), None),
            returns=children[arrow + 1] if arrow is not None else None,
            body=children[-1].children if children[-1].kind_id == g.BLOCK else [],
            is_async=children[0].kind_id == g.ASYNC,
        )

    def block(self, nodes: Sequence[Node]) -> None:
        """Stubs whose implementation does not follow in their block stand for themselves from its end on."""
        outer, self._groups.unbound = self._groups.unbound, {}
        super().block(nodes)
        for name, value in self._groups.unbound.items():
            self._write(name, value)
        self._groups.unbound = outer

    @staticmethod
    def _flags(name: str, decorators: Sequence[Decorator]) -> int:
        flags = op.METHOD | _IMPLICIT.get(name, 0)
        for decorator in decorators:
            flags |= _SAID.get(decorator.name, 0) if decorator.arguments is None else 0
        return flags

    def _is_abstract(self, body: Sequence[Node]) -> bool:
        """Nothing but `...` or raising NotImplementedError, after a docstring: there for others to override."""
        last = next(
            (statement for statement in reversed(body) if statement.is_named and statement.kind_id != g.COMMENT), None
        )
        if last is None:
            return False
        if last.kind_id == g.RAISE_STATEMENT:
            return self.source.startswith(b"raise NotImplementedError", last.start_byte) and len(body) <= 2
        return last.kind_id == g.EXPRESSION_STATEMENT and last.children[0].kind_id == g.ELLIPSIS

    def _function(self, shape: Shape) -> tuple[int, bool]:
        """Reads parameters and body in a new scope; returns the number of branches and whether it yields."""
        read = self._read_parameters(shape.parameters)
        declared = self.annotated(shape.returns) if shape.returns is not None else -1
        if shape.declared >= 0 and (declared < 0 or shape.is_stub):
            declared = self.graph.copies(variable for variable in (shape.declared, declared) if variable >= 0)
        outer_branches, self.branches = self.branches, 0
        outer_owner, self.owner = self.owner, shape.index
        result, yielded = self.graph.variable(), self.graph.variable()
        scope = self.scopes.enter(FUNCTION, shape.index)
        for name, _, _, inner in read:
            scope.env[name] = inner
            scope.versions[name] = [inner]
        self.results.append((result, yielded))
        self.yields.append(False)
        self.block(shape.statements)
        if shape.expression is not None:
            self.graph.assign(result, op.COPY, self.value(shape.expression))
        is_generator = self.yields.pop()
        self.results.pop()
        self.scopes.leave()
        self.owner = outer_owner
        branches, self.branches = self.branches, outer_branches
        self.total_branches += branches
        numbers = [n for name, variable, kind, _ in read for n in (self.graph.symbol(name), variable, kind)]
        flags = shape.flags | (op.GENERATOR if is_generator else 0)
        record = [op.FUNC, flags, result, yielded, declared, len(read), *numbers]
        self.graph.functions[shape.index] = [len(record) + 1, *record]
        return branches, is_generator

    def _read_parameters(self, node: Node | None) -> list[Parameter]:
        """Parameters in order; defaults and annotations assign to their variables."""
        out: list[Parameter] = []
        kind = op.PLAIN
        for child in g.significant(node) if node is not None else ():
            if child.kind_id == g.KEYWORD_SEPARATOR:
                kind = op.KEYWORD_ONLY
            elif child.kind_id == g.POSITIONAL_SEPARATOR:
                out = [(name, variable, op.POSITION_ONLY, inner) for name, variable, _, inner in out]
            elif child.is_named:
                out.append(self._parameter(child, kind))
                kind = op.KEYWORD_ONLY if out[-1][2] == op.REST else kind
        return out

    def _parameter(self, node: Node, kind: int) -> Parameter:
        parts = [node] if node.kind_id == g.IDENTIFIER else g.significant(node)
        name = parts[0]
        annotation = next((part for part in parts[1:] if part.kind_id == g.TYPE), None)
        splat = _SPLATS.get(node.kind_id) or _SPLATS.get(name.kind_id)
        if splat is not None:
            name = parts[-1] if node.kind_id in _SPLATS else name.children[-1]
            element = self.annotated(annotation) if annotation is not None else self.constant("object")
            variable = self.graph.value(op.CONTAINER, self.graph.symbol(splat[1]), 1, op.ANY, element)
            return self.text(name), variable, splat[0], variable
        variable = inner = self.graph.variable()
        if annotation is not None:
            inner = self.graph.value(op.DECLARED, self.annotation(annotation), self.owner, variable)
        if len(parts) > 1 and parts[-2].kind_id == g.EQUALS:
            self.graph.assign(variable, op.COPY, self.value(parts[-1]))
        return self.text(name), variable, kind, inner

    def _lambda(self, node: Node) -> int:
        children = g.significant(node)
        calls = len(self.called)
        self._lambdas[self.owner] += 1
        index, key, qualname, parent = self._reserve(f"<lambda{self._lambdas[self.owner]}>")
        parameters = children[1] if children[1].kind_id in _PARAMETERS else None
        value = self.graph.value(op.FUNC, index)
        branches, is_generator = self._function(Shape(index, op.LAMBDA, parameters, None, (), children[-1]))
        signature = one_line(f"({self._text(parameters)})", "#") if parameters is not None else "()"
        self.definitions[index] = Definition(
            key, "lambda", qualname.rsplit(".", 1)[-1], qualname, parent, self.line(node), self.line(node),
            node.end_point[0] + 1, signature, "", (), (), branches, 0, len(self.called) - calls, False, is_generator,
        )  # fmt: skip
        return value

    # ---- classes

    def _class_definition(self, node: Node, decorators: Sequence[Node] = ()) -> int:
        calls = len(self.called)
        children = g.significant(node)
        name = self.text(children[1])
        applied = self._decorators(decorators)
        given = next((child for child in children if child.kind_id == g.ARGUMENT_LIST), None)
        bases, keywords = self._bases(given)
        body = children[-1].children if children[-1].kind_id == g.BLOCK else []
        index, key, qualname, parent = self._reserve(name)
        value = self.graph.value(op.CLASS, index)
        outer_branches, self.branches = self.branches, 0
        outer_owner, self.owner = self.owner, index
        self.scopes.enter(CLASS, index)
        self.fields.append([])
        self.block(body)
        fields = self.fields.pop()
        self.scopes.leave()
        self.owner = outer_owner
        branches, self.branches = self.branches, outer_branches
        self.total_branches += branches
        variables = [variable for _, variable in bases]
        record = [op.CLASS, len(bases), *variables, len(keywords) // 2, *keywords, len(fields) // 2, *fields]
        self.graph.functions[index] = [len(record) + 1, *record]
        written = self._written(decorators)
        self.definitions[index] = Definition(
            key=key,
            kind="class",
            name=name,
            qualname=qualname,
            parent=parent,
            start_line=self.line(decorators[0] if decorators else node),
            name_line=self.line(node),
            end_line=node.end_point[0] + 1,
            signature=one_line(self._text(given), "#") if given is not None else "",
            docstring=self.docstring(body),
            decorators=written,
            bases=tuple(text for text, _ in bases),
            branches=branches,
            indent=node.start_point[1],
            calls=len(self.called) - calls,
            is_async=False,
            is_generator=False,
            form=forms.form_of_class(written, [text for text, _ in bases]),
        )
        self._write(name, self._decorate(value, applied))
        return -1

    def _bases(self, node: Node | None) -> tuple[list[tuple[str, int]], list[int]]:
        """(text, variable) of each base, and the keyword arguments as (symbol, variable) pairs."""
        bases: list[tuple[str, int]] = []
        keywords: list[int] = []
        for child in node.children if node is not None else ():
            if child.kind_id == g.KEYWORD_ARGUMENT:
                keywords += (self.symbol(child.children[0]), self.value(child.children[-1]))
            elif child.is_named and child.kind_id != g.COMMENT:
                # a parametrised base is its generic class; what stands in the brackets is a type
                base = child
                while base.kind_id == g.SUBSCRIPT:
                    self.annotation(base)
                    base = base.children[0]
                bases.append((self._flat(child), self.value(base)))
        return bases, keywords

    # ---- texts

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _flat(self, node: Node) -> str:
        return _SPACE.sub(" ", self._text(node)).strip()

    def _signature(self, parameters: Node | None, returns: Node | None) -> str:
        text = one_line(self._text(parameters), "#") if parameters is not None else "()"
        return f"{text} -> {one_line(self._text(returns), '#')}" if returns is not None else text

    def docstring(self, body: Sequence[Node]) -> str:
        """The string that a body opens with, without quotes and indentation."""
        first = next((child for child in body if child.is_named and child.kind_id != g.COMMENT), None)
        if first is None or first.kind_id != g.EXPRESSION_STATEMENT:
            return ""
        expression = first.children[0]
        if expression.kind_id == g.CONCATENATED_STRING:
            return inspect.cleandoc("".join(self.literal(part) or "" for part in expression.children))
        if expression.kind_id != g.STRING:
            return ""
        return inspect.cleandoc(self.literal(expression) or "")
