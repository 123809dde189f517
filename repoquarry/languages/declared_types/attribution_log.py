"""`AttributionLog`: call sites and mentions as bodies are evaluated, muted while only a type is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from repoquarry.languages.declared_types.types import (
    ClassType,
    Context,
    FunctionType,
    OutsideType,
    RecordType,
    Symbol,
    TupleType,
    Type,
)
from repoquarry.languages.family import AttributionResult


class AttributionLog:
    """Findings of one program."""

    def __init__(self) -> None:
        self.result = AttributionResult()
        self.virtual: list[tuple[int, Symbol, int]] = []
        """(caller, abstract method, line) of calls that other methods may receive."""
        self._muted = 0

    @contextmanager
    def mute(self) -> Iterator[None]:
        """Log nothing."""
        self._muted += 1
        try:
            yield
        finally:
            self._muted -= 1

    def call(self, symbols: Sequence[Symbol], line: int, context: Context, rule: str) -> None:
        """Log a call of functions or classes of the program."""
        if self._muted or context.caller < 0:
            return
        targets = [one for one in symbols if one.number >= 0]
        for one in targets:
            self.result.calls.append((context.caller, one.number, line, rule, len(targets)))
            if rule == "declared":
                self.virtual.append((context.caller, one, line))

    def call_outside(self, name: str, line: int, context: Context, rule: str) -> None:
        """Log a call of something outside the program."""
        if not self._muted and context.caller >= 0:
            self.result.calls.append((context.caller, name, line, rule, 1))

    def leave_unresolved(self, name: str, line: int, context: Context, reason: str) -> None:
        """Log a call site whose target is unknown."""
        if not self._muted and context.caller >= 0:
            self.result.unresolved.append((context.caller, name, line, reason))

    def mention(self, symbols: Sequence[Symbol], line: int, context: Context, how: str) -> None:
        """Log a mention without a call."""
        if self._muted or context.caller < 0:
            return
        for one in symbols:
            if one.number >= 0:
                self.result.references.append((context.caller, one.number, line, how))

    def mention_type(self, type_: Type, line: int, context: Context, how: str) -> None:
        """Log the classes of a written type, type arguments included."""
        if isinstance(type_, ClassType):
            self.mention([type_.symbol], line, context, how)
        for part in parts_of(type_):
            self.mention_type(part, line, context, how)


def parts_of(type_: Type) -> Sequence[Type]:
    """Return the types that a type is composed of."""
    if isinstance(type_, ClassType | OutsideType):
        return type_.arguments
    if isinstance(type_, TupleType):
        return type_.parts
    if isinstance(type_, FunctionType):
        return (*type_.parameters, type_.result)
    return tuple(type_.fields.values()) if isinstance(type_, RecordType) else ()
