"""`PatternBinder`: names that patterns bind, with their types."""

from __future__ import annotations

from collections.abc import Callable

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.dialect import NameLookup
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.types import (
    Context,
    Found,
    FunctionValue,
    Symbol,
    TupleType,
    Type,
    TypeValue,
    as_type,
)


class PatternBinder:
    """Patterns of declarations, parameters and cases."""

    def __init__(self, names: NameLookup) -> None:
        self._names = names
        self._run: dict[int, Callable[[Node, Found, Context], None]] = {
            tree.BIND: self._bind_name,
            tree.ANY: lambda _pattern, _found, _context: None,
            tree.EACH: self._bind_each,
            tree.TYPED: self._bind_typed,
            tree.ALIAS: self._bind_alias,
            tree.EITHER: self._bind_either,
            tree.MADE: self._bind_made,
            tree.FIELDS: self._bind_fields,
        }

    def bind(self, pattern: Node, found: Found, context: Context) -> None:
        """Bind the names of a pattern to a value and its parts."""
        self._run[pattern[0]](pattern, found, context)

    def _bind_name(self, pattern: Node, found: Found, context: Context) -> None:
        value, reason = found
        rule = "value" if isinstance(value, FunctionValue) else "receiver"
        context.scopes[-1][pattern[1]] = value, rule if value is not None else reason

    def _bind_each(self, pattern: Node, found: Found, context: Context) -> None:
        value, reason = found
        parts = value.parts if isinstance(value, TupleType) else self._names.dialect.find_components(as_type(value))
        for position, one in enumerate(pattern[1]):
            self.bind(one, (parts[position] if position < len(parts) else None, reason), context)

    def _bind_typed(self, pattern: Node, _found: Found, context: Context) -> None:
        self.bind(pattern[2], (self._names.read_type(pattern[1], context), "receiver"), context)

    def _bind_alias(self, pattern: Node, found: Found, context: Context) -> None:
        context.scopes[-1][pattern[1]] = found
        self.bind(pattern[2], found, context)

    def _bind_either(self, pattern: Node, found: Found, context: Context) -> None:
        for one in pattern[1]:
            self.bind(one, found, context)

    def _bind_made(self, pattern: Node, found: Found, context: Context) -> None:
        parts = self._names.dialect.find_variant_parts(self._names, pattern[1], as_type(found[0]), context)
        for position, one in enumerate(pattern[2]):
            self.bind(one, (parts[position] if position < len(parts) else None, found[1]), context)

    def _bind_fields(self, pattern: Node, found: Found, context: Context) -> None:
        value = self._names.walk(pattern[1], context)[0] if pattern[1] else None
        type_ = value.type if isinstance(value, TypeValue) else as_type(found[0])
        variant = self._find_variant(type_, pattern[1])
        for name, one in pattern[2]:
            fields = variant.members.get(name) if variant is not None else None
            field = self._names.type_of(fields[0]) if fields else as_type(self._names.members.get(type_, name)[0])
            self.bind(one, (field, found[1]), context)

    def _find_variant(self, type_: Type, parts: list[str]) -> Symbol | None:
        member = self._names.members.find(type_, parts[-1]) if len(parts) > 1 else None
        return member.symbols[0] if member is not None and member.symbols[0].kind == tree.VARIANT else None
