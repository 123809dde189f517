"""Narrowing of types by conditions: in a branch, a variable has the type that `instanceof` or a type guard has established.

A called function is known to be a guard when names lead somewhere, so each call in a condition may state a fact about its arguments
and its receiver. Variables are made where such a name is read.
Source: https://www.typescriptlang.org/docs/handbook/2/narrowing.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import MAX_PARAMETERS
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState
from repoquarry.languages.javascript.scopes import NarrowedReference
from repoquarry.languages.javascript.typing.type_forms import predicate_field

_AROUND = frozenset(("parenthesized_expression", "non_null_expression"))
#: references of more parts are not followed
_MAX_PATH_LENGTH = 6
#: in a chain, the last conditions are kept: each end of a chain is read with all conditions before it
_MAX_CONDITIONS = 40


@dataclass(frozen=True, slots=True)
class TypeNarrowing:
    """A reference is of a type where the condition has the outcome `when`, and is not where it has the other."""

    reference: str
    node: Node
    by: int
    """Variable of the class, or of the result of a guard's call."""
    when: bool
    both: bool = True
    """The other outcome says the opposite; if not, it says nothing."""
    telling: str = ""
    """The attribute under which a guard has the type; empty where `by` is the class."""


class ConditionNarrower:
    """Reads conditions, and narrows the references in them in the blocks where they hold."""

    def __init__(self, reader: JavaScriptExtractionState, *, is_read: bool) -> None:
        """`is_read`: whether the file's language has types."""
        self.reader = reader
        self.is_read = is_read
        self._calls: dict[int, int] = {}
        """Node of a call -> variable of its result."""
        self._known: dict[int, list[TypeNarrowing]] = {}
        """Node of a condition -> what it tells."""

    def note_call(self, node: Node, result: int) -> None:
        """Record a call, which may be that of a guard."""
        self._calls[node.id] = result

    # ---- references

    def reference(self, node: Node | None) -> str:
        """`x`, `this` or a path of properties that begins so; empty for anything else."""
        reader, names = self.reader, list[str]()
        while node is not None and len(names) < _MAX_PATH_LENGTH:
            kind = reader.kind(node)
            if kind in _AROUND:
                node = reader.first(node)
            elif kind in ("identifier", "this"):
                return ".".join([reader.text(node), *reversed(names)])
            elif kind == "member_expression" and (name := node.child_by_field_name("property")) is not None:
                names.append(reader.text(name))
                node = node.child_by_field_name("object")
            else:
                break
        return ""

    def narrowed(self, node: Node) -> int:
        """Narrowed value of `this` or of a path of properties here, -1 for none beyond its plain value."""
        scopes = self.reader.scopes
        known = scopes.narrowing(self.reference(node)) if scopes.has_paths else None
        return known.value() if known is not None else -1

    def _value(self, node: Node) -> int:
        """Return the variable of a reference, which has been read as an expression before."""
        inner = self._inner(node)
        if self.reader.kind(inner) == "identifier":
            return self.reader.scopes.read(self.reader.text(inner))
        known = self.narrowed(inner)
        return known if known >= 0 else self._plain(inner)

    def _plain(self, node: Node) -> int:
        """The same, without the conditions on the complete reference."""
        reader, inner = self.reader, self._inner(node)
        if reader.kind(inner) == "identifier":
            return reader.scopes.plain(reader.text(inner))
        target, name = inner.child_by_field_name("object"), inner.child_by_field_name("property")
        if target is None or name is None:
            return reader.receiver()
        return reader.graph.value(op.ATTR, self._value(target), reader.symbol(name), reader.line(name), reader.owner)

    def _inner(self, node: Node) -> Node:
        while self.reader.kind(node) in _AROUND and (inner := self.reader.first(node)) is not None:
            node = inner
        return node

    # ---- what conditions tell

    def of(self, node: Node | None) -> list[TypeNarrowing]:
        """Facts of a condition, after it has been read."""
        if node is None:
            return []
        known = self._known.get(node.id)
        if known is None:
            known = self._known[node.id] = self._read(node)
        return known

    def _read(self, node: Node) -> list[TypeNarrowing]:
        reader, kind = self.reader, self.reader.kind(node)
        if kind == "parenthesized_expression" and (parts := reader.parts(node)):
            return self.of(parts[0])
        if kind == "unary_expression" and reader.has_token(node, "!") and (parts := reader.parts(node)):
            return [replace(one, when=not one.when) for one in self.of(parts[0])]
        if kind == "call_expression":
            return list(self._told(node, asserts=False))
        return self._operator(node) if kind == "binary_expression" else []

    def _operator(self, node: Node) -> list[TypeNarrowing]:
        reader = self.reader
        left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
        if left is None or right is None or sign is None:
            return []
        text = reader.text(sign)
        if text in ("&&", "||"):
            truth = text == "&&"
            found = [*self.of(left), *self.of(right)]
            told = [one for one in found if one.when is truth][-_MAX_CONDITIONS:]
            return [one if not one.both else replace(one, when=truth, both=False) for one in told]
        reference = self.reference(left)
        if text != "instanceof" or not reference or reader.kind(right) not in ("identifier", "member_expression"):
            return []
        return [TypeNarrowing(reference, left, reader.value(right), True)]

    def _told(self, node: Node, *, asserts: bool) -> Iterator[TypeNarrowing]:
        """Facts of a call whose target is a guard."""
        reader, result = self.reader, self._calls.get(node.id)
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if result is None or function is None or given is None:
            return
        if reader.kind(function) == "member_expression":
            target = function.child_by_field_name("object")
            if target is not None and (reference := self.reference(target)):
                yield TypeNarrowing(reference, target, result, True, True, predicate_field("this", asserts=asserts))
        for position, child in enumerate(reader.parts(given)[: MAX_PARAMETERS + 1]):
            if reference := self.reference(child):
                yield TypeNarrowing(reference, child, result, True, True, predicate_field(position, asserts=asserts))

    # ---- where they hold

    def apply(self, known: Sequence[TypeNarrowing], *, truth: bool) -> None:
        """Narrow references in the current block as the condition having an outcome says."""
        scopes = self.reader.scopes
        for one in known:
            if one.when is not truth and not one.both:
                continue
            before = scopes.narrowing(one.reference)
            scopes.narrow(one.reference, NarrowedReference(partial(self._narrow, one, one.when is truth, before)))

    def _narrow(self, one: TypeNarrowing, keeps: bool, before: NarrowedReference | None) -> int:
        graph = self.reader.graph
        source = before.value() if before is not None else self._plain(one.node)
        if one.telling:
            return graph.value(op.GUARD, source, one.by, graph.symbol(one.telling), int(keeps))
        return graph.value(op.NARROW, source, one.by, int(keeps))

    def assure(self, node: Node) -> None:
        """A call that stands as a statement: what it asserts holds behind it."""
        function = node.child_by_field_name("function")
        if self.reference(function):
            self.apply(list(self._told(node, asserts=True)), truth=True)
