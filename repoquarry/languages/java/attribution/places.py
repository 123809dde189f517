"""Where code stands: the class and definition around it, the local variables that it sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from repoquarry.languages.java.attribution.elements import ClassInfo, ClassType, Names, Type, VariableType


@dataclass(slots=True)
class Variable:
    """A local variable or parameter."""

    type: Type
    made: set[ClassInfo] | None = field(default_factory=set)
    """Classes of the objects that were assigned to it; None as soon as one is not seen to be made."""
    functions: set[int] = field(default_factory=set)
    """Lambdas and methods that were assigned to it."""
    parameter: tuple[int, int] | None = None
    """(method, position) of a parameter."""


@dataclass(slots=True)
class Place:
    """The inside of a class, method or lambda."""

    cls: ClassInfo
    caller: int
    """Symbol of the definition around the code."""
    names: Names
    is_static: bool
    outer: Place | None = None
    """The place in which the class stands."""
    locals: list[dict[str, Variable]] = field(default_factory=lambda: [{}])
    result: Type = None
    """What a `return` is asked for."""
    returned: list[Type] | None = None
    """Types of what a lambda's body returns; None in methods."""

    def variable(self, name: str) -> Variable | None:
        """A local variable by its name."""
        for scope in reversed(self.locals):
            if name in scope:
                return scope[name]
        return None

    def around(self) -> Iterator[Place]:
        """This place, and those of the classes around, innermost first."""
        here: Place | None = self
        while here is not None:
            yield here
            here = here.outer


def this_type(cls: ClassInfo) -> ClassType:
    """The type of `this` in a class."""
    return ClassType(cls, tuple(VariableType(one) for one in cls.variables))
