"""What is known of a function before it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from repoquarry.languages.facts import Decorator


@dataclass(slots=True)
class Form:
    """What is known of a function before it is read."""

    name: str
    kind: str = "function"
    flags: int = 0
    home: int = -1
    """Definition of the class that it is a method of."""
    receiver: int = -1
    """Variable of an object that it is called on (`{ f() {} }`), -1 for none."""
    always_receives: bool = False
    """It takes `this` whether it reads it or not: methods may be overridden by others that do."""
    is_static: bool = False
    decorators: tuple[Decorator, ...] = ()
    group: Group | None = None
    start: Node | None = None
    """Where its text begins, if that is before the node: `export`, decorators, `const f =`."""


@dataclass(slots=True)
class Group:
    """The overload signatures of one function, as far as they have been read."""

    place: tuple[int, str, str, str]
    signatures: list[str] = field(default_factory=list)
    declared: list[int] = field(default_factory=list)
    """Variables of the declared results."""
    value: int = -1
    flags: int = 0
    """What the signatures say of the implementation."""
