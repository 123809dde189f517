"""Reader of Python type annotations and of `isinstance` conditions, which narrow variables, as points-to constraints.

An annotation is read as an expression whose names are looked up late (their definitions may follow), strings are parsed as annotations,
and `X | Y` is a union.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor

_GENERIC = g.kind("generic_type")
_UNION = g.kind("union_type")
_MEMBER = g.kind("member_type")
_CONSTRAINED = g.kind("constrained_type")
#: last names of bases whose brackets declare the type parameters of a class
_DECLARE = ("Generic", "Protocol")
#: forms that stand for types wherever they have brackets
_BUILT_IN = frozenset(
    ("list", "dict", "set", "tuple", "frozenset", "type", "str", "int", "float", "bool", "bytes", "object")
)
_FORMS = frozenset(
    (
        *(
            "Annotated",
            "Optional",
            "Union",
            "List",
            "Dict",
            "Set",
            "FrozenSet",
            "Tuple",
            "Type",
            "Sequence",
            "Iterable",
            "Iterator",
        ),
        *(
            "Mapping",
            "MutableMapping",
            "Collection",
            "Awaitable",
            "Coroutine",
            "Generator",
            "AsyncIterator",
            "AsyncGenerator",
            "Callable",
        ),
        *("DefaultDict", "Deque", "Literal", "list", "dict", "set", "tuple", "frozenset", "type"),
    )
)


@dataclass(eq=False, repr=False)
class Annotations:
    """Reader of annotations."""

    reader: PythonExtractionState
    literals: PythonLiteralVisitor

    def __post_init__(self) -> None:
        self.parameters: dict[str, int] = {}
        """Type parameter of an enclosing definition -> its variable."""
        self._variables: set[str] = set()
        """Names of the type variables of the file."""

    @contextmanager
    def type_parameters(self, node: Node, bases: Node | None) -> Iterator[list[tuple[int, int]]]:
        """Bind the type parameters of a class or function while it is read; yield (variable, bound) of each."""
        outer, self.parameters = self.parameters, dict(self.parameters)
        declared: list[tuple[int, int]] = []
        for child in g.named(node):
            for one in g.named(child) if child.kind_id == g.TYPE_PARAMETER else ():
                parts = g.named(g.named(one)[0])  # empty without a bound
                bound = self.annotation(parts[1]) if len(parts) == 2 else -1
                variable = self.parameters[self.reader.text(parts[0] if parts else one)] = self.reader.graph.variable()
                declared.append((variable, bound))
        for name in self._written_parameters(bases) if bases is not None and not declared else ():
            variable = self.parameters[name] = self.reader.graph.variable()
            declared.append((variable, self.reader.scopes.later(name)))
        yield declared
        self.parameters = outer

    def _written_parameters(self, bases: Node) -> dict[str, None]:
        """Return the type variables of `Generic[T]`; without such a base, those of all bases in order."""
        written = [one for one in g.named(bases) if one.kind_id == g.SUBSCRIPT]
        declaring = [one for one in written if self.reader.text(one.children[0]).rpartition(".")[2] in _DECLARE]
        found: dict[str, None] = {}
        pending = [part for one in declaring or written for part in g.named(one)[1:]][::-1]
        while pending:
            part = pending.pop()
            name = self.reader.text(part) if declaring or part.kind_id == g.IDENTIFIER else ""
            if name and (declaring or (name in self._variables and name not in self.parameters)):
                found[name] = None
            elif not declaring:
                pending.extend(reversed(g.named(part)))
        return found

    def annotated(self, node: Node) -> int:
        """Return a variable that holds instances of the annotated type."""
        reader = self.reader
        return reader.graph.value(op.TYPED, self.annotation(node), reader.owner)

    def annotation(self, node: Node) -> int:
        """Return the variable of a type expression."""
        reader = self.reader
        kind = node.kind_id
        if kind == g.IDENTIFIER:
            variable = reader.scopes.later(reader.text(node))
            self._mention(variable, node)
            return self.parameters.get(reader.text(node), variable)
        if kind in (g.TYPE, g.PARENTHESIZED, _CONSTRAINED):
            return self.annotation(g.named(node)[0])
        if kind in (g.ATTRIBUTE, _MEMBER):
            children = g.significant(node)
            target = self.annotation(children[0])
            variable = reader.graph.value(
                op.ATTR, target, reader.symbol(children[-1]), reader.line(children[-1]), reader.owner
            )
            self._mention(variable, children[-1])
            return variable
        if kind == g.STRING:
            return self._quoted(node)
        if kind in (_GENERIC, g.SUBSCRIPT):
            return self._generic(node)
        if kind in (g.BINARY_OPERATOR, _UNION):
            children = g.significant(node)
            return reader.graph.copies([self.annotation(children[0]), self.annotation(children[-1])])
        if kind in (g.LIST, g.TUPLE):
            parts = [self.annotation(child) for child in g.named(node)]
            return reader.graph.value(op.TYPEARGS, reader.constant("object"), len(parts), *parts)
        if kind == g.NONE:
            return reader.constant("NoneType")
        reader.value(node)  # no type, but evaluated: `Depends(connect)`, `Param(str, "help")`
        return reader.constant("object")

    def _mention(self, variable: int, node: Node) -> None:
        reader = self.reader
        line, owner = reader.line(node), reader.owner
        if node.kind_id == g.IDENTIFIER:
            reader.scopes.log.mentions.append((reader.scopes.current, reader.text(node), line, owner))
        reader.graph.effect(op.MENTION, variable, line, owner, reader.graph.symbol("annotation"))

    def _generic(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        base = self.annotation(children[0])
        if len(children) == 2 and children[1].kind_id == g.TYPE_PARAMETER:
            children = [children[0], *g.named(children[1])]
        if children[0].kind_id == g.IDENTIFIER and reader.text(children[0]) == "Literal":
            return base
        given = [child for child in children[1:] if reader.text(child) != "..."]  # `tuple[Item, ...]` is any number
        arguments = [self.annotation(child) for child in given]
        return reader.graph.value(op.TYPEARGS, base, len(arguments), *arguments)

    def read_types(self, called: bytes, node: Node, arguments: list[int]) -> None:
        """Replace the variables of arguments that are types by their values."""
        given = g.named(node)
        for at, child in enumerate(given):
            keyword = child.kind_id == g.KEYWORD_ARGUMENT
            value = child.children[-1] if keyword else child
            if called == b"cast":
                is_type = at == 0 and not keyword
            else:
                is_type = called == b"TypeVar" and (
                    self.reader.text(child.children[0]) == "bound" if keyword else at > 0
                )
            if called == b"TypeVar" and at == 0 and value.kind_id == g.STRING:
                self._variables.add(self.literals.literal(value) or "")
            if is_type and value.kind_id in (g.STRING, g.SUBSCRIPT):
                arguments[2 * at + 1] = self.annotation(value)

    def is_typing_form(self, node: Node) -> bool:
        """Return whether brackets are those of a form that types only have: `Annotated[..]`, `list[..]`."""
        return self.reader.text(node.children[0]).rpartition(".")[2] in _FORMS

    def may_be_type(self, node: Node) -> bool:
        """Return whether an expression may be a type with arguments or a union."""
        if node.kind_id == g.SUBSCRIPT:
            given = g.named(node)
            name = self.reader.text(given[0]).rpartition(".")[2]
            is_plain = name[:1].isupper() and not name.isupper()
            return name in _FORMS or (is_plain and all(self._is_part(one) for one in given[1:]))
        if node.kind_id == g.BINARY_OPERATOR:
            children = g.significant(node)
            sides = (children[0], children[-1])
            return self.reader.text(children[1]) == "|" and all(self._is_part(one) for one in sides)
        return False

    def _is_part(self, node: Node) -> bool:
        if node.kind_id in (g.IDENTIFIER, g.ATTRIBUTE):
            name = self.reader.text(node).rpartition(".")[2]
            return name in _BUILT_IN or (name[:1].isupper() and (len(name) == 1 or not name.isupper()))
        return node.kind_id == g.NONE or self.may_be_type(node)

    def _quoted(self, node: Node) -> int:
        reader = self.reader
        text = (self.literals.literal(node) or "").strip()
        if text.isidentifier():
            variable = reader.scopes.later(text)
            self._mention(variable, node)
            return self.parameters.get(text, variable)
        if not text or "\n" in text:
            return reader.constant("object")
        source, line, called = reader.source, reader.line(node), reader.called
        reader.source, reader.line_offset, reader.called = text.encode(), line, set()
        try:
            root = g.parse(reader.source).root_node
            statement = root.children[0] if root.children and not root.has_error else None
            if statement is None or statement.kind_id != g.EXPRESSION_STATEMENT:
                return reader.constant("object")
            return self.annotation(statement.children[0])
        finally:
            reader.source, reader.line_offset, reader.called = source, None, called


@dataclass(frozen=True, slots=True)
class IsInstanceTest:
    """`isinstance(name, cls)` within a condition."""

    name: str
    cls: int
    """Variable of the class."""
    belongs: bool
    """The name is an instance where the condition holds (and not where `not isinstance(...)` does)."""
    when: bool | None
    """The outcome of the whole condition that tells it; None: either does."""


class PythonNarrowing:
    """Narrows names to the classes that conditions test them for."""

    def __init__(self, reader: PythonExtractionState) -> None:
        self.reader = reader

    def narrowings(self, node: Node) -> list[IsInstanceTest]:
        """Facts of a condition about the classes of names."""
        kind = node.kind_id
        if kind == g.CALL:
            return self._isinstance(node)
        if kind == g.PARENTHESIZED:
            return self.narrowings(node.children[1])
        if kind == g.NOT_OPERATOR:
            return [
                IsInstanceTest(found.name, found.cls, not found.belongs, None if found.when is None else not found.when)
                for found in self.narrowings(node.children[-1])
            ]
        if kind == g.BOOLEAN_OPERATOR:
            operands, both = g.operands(node)
            return [
                IsInstanceTest(found.name, found.cls, found.belongs, both)
                for operand in operands
                for found in self.narrowings(operand)
                if found.when is None or found.when is both
            ]
        return []

    def _isinstance(self, node: Node) -> list[IsInstanceTest]:
        reader = self.reader
        if reader.text(node.children[0]) != "isinstance":
            return []
        given = g.named(node.children[-1])
        if (
            len(given) != 2
            or given[0].kind_id != g.IDENTIFIER
            or given[1].kind_id not in (g.IDENTIFIER, g.ATTRIBUTE, g.TUPLE)
        ):
            return []
        return [IsInstanceTest(reader.text(given[0]), reader.value(given[1]), True, None)]

    def apply(self, narrowed: list[IsInstanceTest], *, truth: bool) -> None:
        """Narrow names as the condition being true or false says."""
        reader = self.reader
        env = reader.scopes.current.env
        for found in narrowed:
            if found.name in env and (found.when is None or found.when is truth):
                keep = found.belongs is truth
                env[found.name] = reader.graph.value(op.NARROW, reader.scopes.read(found.name), found.cls, int(keep))
