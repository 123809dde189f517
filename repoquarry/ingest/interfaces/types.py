"""Type texts of interface tables: parsing, substitution of type parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple


class TypeText(NamedTuple):
    """A type: its name, and its arguments; the name of a list of types is empty."""

    name: str
    arguments: tuple[TypeText, ...] = ()

    @property
    def is_parameter(self) -> bool:
        return self.name.startswith("~")


NOTHING = TypeText("")


@lru_cache(50_000)
def parse_type(text: str) -> TypeText:
    """Parse a type; what cannot be read is nothing."""
    found, rest = _parse(text, 0)
    return found if rest == len(text) else NOTHING


def _parse(text: str, at: int) -> tuple[TypeText, int]:
    start = at
    while at < len(text) and text[at] not in "[],":
        at += 1
    name, arguments = text[start:at], list[TypeText]()
    if at < len(text) and text[at] == "[":
        at += 1
        while at < len(text) and text[at] != "]":
            one, at = _parse(text, at)
            arguments.append(one)
            if at < len(text) and text[at] == ",":
                at += 1
        at += 1
    return TypeText(name, tuple(arguments)), at


def substituted(of: TypeText, given: Mapping[str, TypeText]) -> TypeText:
    """Return a type with its parameters replaced."""
    if of.is_parameter or of.name == "Self":
        return given.get(of.name, of)
    if not of.arguments:
        return of
    return TypeText(of.name, tuple(substituted(one, given) for one in of.arguments))
