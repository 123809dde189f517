"""Helpers that language extractors share: allocator of definitions, log of variables, state of one file, list of syntax errors, recursion limit.

Attribute accesses are operations of the constraint graph already. Plain names are not: the extractors log them while scopes are open, and
the log contains those that mean a name of the module or of the enclosing class.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import ConstraintGraphBuilder
from repoquarry.languages.facts import Definition, Import, LambdaArgument, ParseError, Variable

if TYPE_CHECKING:
    from tree_sitter import Node


class DefinitionAllocator:
    """Allocator of definitions in the order of the source, with key, qualified name and parent; extractors fill in the rest."""

    def __init__(self, definitions: list[Definition], graph: ConstraintGraphBuilder) -> None:
        self._definitions = definitions
        self._graph = graph
        self._seen: dict[str, int] = {}

    def allocate(self, name: str, owner: int) -> int:
        """Return the index of a new definition inside `owner` (-1: the file)."""
        index, parent, qualname = len(self._definitions), "", name
        if owner >= 0:
            around = self._definitions[owner]
            parent, qualname = around.key, f"{around.qualname}.{name}"
        seen = self._seen[qualname] = self._seen.get(qualname, 0) + 1
        key = qualname if seen == 1 else f"{qualname}#{seen}"
        self._definitions.append(Definition(key, "", name, qualname, parent, 0, 0, 0, ""))
        self._graph.functions.append([])
        return index


class ExtractionState:
    """One file being read into a constraint graph."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.graph = ConstraintGraphBuilder()
        self.definitions: list[Definition] = []
        self.imports: list[Import] = []
        self.lambdas: list[LambdaArgument] = []
        self.errors: list[ParseError] = []
        self.entry_points: list[tuple[str, str, int]] = []
        self.total_branches = 0
        self.texts: dict[bytes, str] = {}
        """Results of `text`, by its bytes."""
        self._constants: dict[tuple[str, str], int] = {}
        self._reservations = DefinitionAllocator(self.definitions, self.graph)

    def text(self, node: Node) -> str:
        """Return the source text of a node; equal texts are one object."""
        raw = self.source[node.start_byte : node.end_byte]
        found = self.texts.get(raw)
        if found is None:
            found = self.texts[raw] = raw.decode("utf-8", "replace")
        return found

    def constant(self, kind: str, text: str = "") -> int:
        """Return the variable of a constant of a built-in type; `text` where its value can be a key or property name."""
        variable = self._constants.get((kind, text))
        if variable is None:
            value = self.graph.symbol(text) if text else -1
            variable = self._constants[kind, text] = self.graph.value(op.CONST, self.graph.symbol(kind), value)
        return variable

    def complain(self, node: Node, message: str) -> None:
        """Record a place that could not be read."""
        self.errors.append(ParseError(node.start_point[0] + 1, message))


MAX_PARSE_ERRORS: Final = 20
"""More broken places of a file than this are not listed one by one."""


def find_syntax_errors(root: Node, most: int = MAX_PARSE_ERRORS) -> list[ParseError]:
    """Places that the grammar could not read, by line; at most that many, the first ones met."""
    found: list[ParseError] = []
    pending = [root] if root.has_error else []
    while pending and len(found) < most:
        node = pending.pop()
        if node.is_missing:
            found.append(ParseError(node.start_point.row + 1, f"syntax error: {node.type} expected"))
        elif node.is_error:
            found.append(ParseError(node.start_point.row + 1, "syntax error"))
        else:
            pending.extend(child for child in reversed(node.children) if child.has_error)
    return sorted(found, key=lambda error: (error.line, error.message))


@contextmanager
def raise_recursion_limit(depth: int) -> Iterator[None]:
    """Lets functions call each other that deep. Frames of Python functions live on the heap, so this costs memory, not stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


Scope = TypeVar("Scope")


class VariableLog(Generic[Scope]):
    """Names that a file assigns at module or class level, and plain names that its code mentions."""

    def __init__(self) -> None:
        self.assigned: dict[tuple[int, str], int] = {}
        """(definition of the class, or -1, and name) -> line of the first assignment."""
        self.mentions: list[tuple[Scope, str, int, int]] = []
        """Scope, name, line (negative for an assignment) and definition around."""

    def assign(self, owner: int, name: str, line: int, scope: Scope) -> None:
        """Log an assignment to a name of a module or class."""
        if self.assigned.setdefault((owner, name), line) != line:
            self.mentions.append((scope, name, -line, owner))

    def collect(
        self,
        graph: ConstraintGraphBuilder,
        definitions: Sequence[Definition],
        imported: set[str],
        is_shared: Callable[[Scope, str], bool],
    ) -> tuple[tuple[Variable, ...], bytes]:
        """Return the variables, and the mentions as `FileFacts.mentions`.

        Args:
            imported: Names that the module imports: their definitions are elsewhere.
            is_shared: Predicate: a name in a scope means one of the module or of the class directly around.
        """
        keys = {one.key: index for index, one in enumerate(definitions)}
        defined = {(keys.get(one.parent, -1), one.name) for one in definitions}
        found = {
            (owner, name): Variable(owner, name, line)
            for (owner, name), line in self.assigned.items()
            if (owner, name) not in defined and (owner >= 0 or name not in imported)
        }
        for owner, name, line in _receiver_fields(graph, definitions, keys):
            if (owner, name) not in defined:
                found.setdefault((owner, name), Variable(owner, name, line, is_received=True))
        variables = tuple(found.values())
        wanted = {one.name for one in variables} | imported
        rows = array("i")
        for scope, name, line, owner in self.mentions:
            if name in wanted and is_shared(scope, name):
                rows.extend((graph.symbol(name), line, owner))
        return variables, rows.tobytes()


def receivers(
    functions: Sequence[Sequence[int]], definitions: Sequence[Definition], keys: Mapping[str, int]
) -> Iterator[tuple[int, int, bool]]:
    """Yield for each method the variable of its first parameter, its class, and whether it is called on the class."""
    for index, record in enumerate(functions):
        if len(record) > 8 and record[1] == op.FUNC and record[2] & op.METHOD and not record[2] & op.STATIC:
            owner = keys.get(definitions[index].parent, -1)
            if owner >= 0 and definitions[owner].kind == "class":
                yield record[8], owner, bool(record[2] & op.OF_CLASS)


def _receiver_fields(
    graph: ConstraintGraphBuilder, definitions: Sequence[Definition], keys: Mapping[str, int]
) -> Iterator[tuple[int, str, int]]:
    """Yield class, name and line of the attributes that methods assign on their receiver."""
    owners = {variable: owner for variable, owner, _ in receivers(graph.functions, definitions, keys)}
    names = graph.texts()
    code = graph.code
    for offset in graph.roots:
        if code[offset] != op.SETATTR:
            continue
        target, symbol, line = code[offset + 2], code[offset + 3], code[offset + 5]
        if target not in owners:
            target = graph.source(target)
        if target in owners and not names[symbol].startswith(op.EVENT):
            yield owners[target], names[symbol], line
