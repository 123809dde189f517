"""`@overload` stubs: signatures of one function, not functions of their own.

A stub shares the definition of the implementation that follows it: calls, counts and lists know the implementation alone. Where none
follows (stub files, protocols) all stubs of a name together are one definition. What stubs declare as results counts where the
implementation declares nothing.
Source: https://typing.python.org/en/latest/spec/overload.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from repoquarry.languages.facts import Decorator, Definition

_OVERLOADS = ("typing.overload", "typing_extensions.overload")


def is_overload(decorators: Sequence[Decorator], *, is_empty: bool) -> bool:
    """Whether a function with these decorators is a stub.

    One that is imported from elsewhere, as from a project's own module for old Pythons, is believed if the body is empty.
    """
    return any(
        decorator.arguments is None
        and (decorator.dotted in _OVERLOADS or (is_empty and decorator.dotted.endswith(".overload")))
        for decorator in decorators
    )


@dataclass(slots=True)
class Group:
    """The stubs of one function, as far as they have been read."""

    place: tuple[int, str, str, str] | None = None
    """Index, key, qualified name and parent of their definition; None before the first."""
    stubs: list[Definition] = field(default_factory=list)
    declared: int = -1
    """Variable of all results that they declare, -1 where they declare none."""

    def add(self, stub: Definition, declared: int) -> Definition:
        """Takes up one more stub; returns the definition that all of them make."""
        self.stubs.append(stub)
        self.declared = declared
        first = self.stubs[0]
        return replace(
            stub,
            start_line=first.start_line,
            name_line=first.name_line,
            signature=first.signature,
            overloads=self._signatures(),
        )

    def implemented_by(self, definition: Definition) -> Definition:
        """The definition of the implementation."""
        return replace(definition, overloads=self._signatures()) if self.stubs else definition

    def _signatures(self) -> tuple[str, ...]:
        return tuple(stub.signature for stub in self.stubs)


class OverloadGroups:
    """The stubs of a file that still wait for their implementation."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, str], Group] = {}
        self.unbound: dict[str, int] = {}
        """Name -> variable of the stubs in the block being read, which the block binds at its end."""

    def of(self, owner: int, name: str, *, is_stub: bool) -> Group:
        """The group of a function in `owner`; its implementation ends it."""
        if is_stub:
            return self._open.setdefault((owner, name), Group())
        self.unbound.pop(name, None)
        return self._open.pop((owner, name), None) or Group()
