"""Abstract objects: what a variable may hold. Each is a number; equal objects are the same number.

Instances are told apart by class, containers by the place that makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from repoquarry.languages.python.kernel_tables import CONTAINER_TYPES as CONTAINER_TYPES
from repoquarry.languages.python.kernel_tables import MAPPINGS as MAPPINGS

(
    FUNCTION,  # a: definition
    CLASS,  # a: definition
    INSTANCE,  # a: class definition, b: OR_SUBCLASS where it may as well be of a subclass
    MODULE,  # a: unit
    NAMESPACE,  # name: folder of a namespace package
    EXTERNAL,  # name: dotted name of something outside the repository
    RESULT,  # name: dotted name of an outside class: an instance of it
    OPAQUE,  # name: dotted name of an outside function: what calling it gave
    BOUND,  # a: function definition, b: receiver object, name: POSSIBLE where the receiver's class is a guess
    METHOD,  # name: method of a built-in type or descriptor, b: receiver object
    CONTAINER,  # a: place (-1: b, the parser that it belongs to), name: its kind, one of `CONTAINER_TYPES`
    CONSTANT,  # name: text of the constant, a: number of its type's RESULT object
    PROPERTY,  # a: place of the decoration, b: getter object
    STATIC,  # b: object without binding
    OF_CLASS,  # b: function object bound to the class
    SUPER,  # a: class definition, b: receiver object
    PARTIAL,  # a: place
    GENERATOR,  # a: function definition
    COROUTINE,  # a: function definition
    GENERIC,  # a: place: a parametrised type
    DECORATOR,  # name: an outside call that gives back the function it is applied to
) = range(21)

OR_SUBCLASS = 1
POSSIBLE = "possible"


@dataclass(slots=True)
class Container:
    """Elements of a container: variables by key, and one for elements whose key is not known."""

    kind: str
    fields: dict[str, int] = field(default_factory=dict)
    every: int = -1
    """Variable of all elements, -1 while nobody asks for it."""
    spread: dict[int, None] = field(default_factory=dict)
    """Mappings that take this one's elements under the same keys, also those that come later."""
    keys: int = -1
    """Variable of the keys of a mapping that are no constants in the source, -1 while there are none."""


class Objects:
    """Numbers for objects."""

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.a: list[int] = []
        self.b: list[int] = []
        self.name: list[str] = []
        self.alone: list[tuple[int]] = []
        """Object -> the tuple of it alone: most variables hold one object, and need no tuple each."""
        self._index: dict[tuple[int, int, int, str], int] = {}

    def is_key(self, number: int) -> bool:
        """Whether an object is a constant whose whole value is known; of some texts only the beginning is."""
        return self.kind[number] == CONSTANT and not self.name[number].endswith("*")

    def get(self, kind: int, a: int = -1, b: int = -1, name: str = "") -> int:
        """The number of an object."""
        key = (kind, a, b, name)
        number = self._index.get(key)
        if number is None:
            number = self._index[key] = len(self.kind)
            self.kind.append(kind)
            self.a.append(a)
            self.b.append(b)
            self.name.append(name)
            self.alone.append((number,))
        return number
