"""Who is told when a variable comes to hold something new.

There are more listeners than variables, so that as Python objects they would take most of a resolution's memory. They lie in one array of
int32 instead, as chains: the offset of the variable's next listener, the number of the function times 8 plus the number of its operands,
the operands.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.oracle.resolver.objects import POSSIBLE

#: called with (object, *operands) for each new object of the variable it listens to, or with (objects, *operands) for all at once
Listener = Callable[..., None]

#: most operands that a listener may have
MOST_OPERANDS = 7


class Listeners:
    """The listeners of `count` variables, newest first."""

    def __init__(self, count: int) -> None:
        self._first = array("i", [-1]) * count
        self._chains = array("i")
        self._functions: list[Listener] = []
        self._numbers: dict[Listener, int] = {}

    def grow(self) -> None:
        """One variable more."""
        self._first.append(-1)

    def has(self, variable: int) -> bool:
        """Whether anybody listens to the variable."""
        return self._first[variable] >= 0

    def add(self, variable: int, listener: Listener, operands: tuple[int, ...]) -> None:
        """A listener of the variable."""
        number = self._numbers.get(listener)
        if number is None:
            number = self._numbers[listener] = len(self._functions)
            self._functions.append(listener)
        chains = self._chains
        at = len(chains)
        chains.extend((self._first[variable], number << 3 | len(operands), *operands))
        self._first[variable] = at

    def tell(self, variable: int, objects: Sequence[Any]) -> int:
        """Calls the variable's listeners, those that come meanwhile excepted, for each of `objects`; the number of calls."""
        at = self._first[variable]
        if at < 0:
            return 0
        chains, functions, count = self._chains, self._functions, 0
        while at >= 0:
            what = chains[at + 1]
            listener, operands = functions[what >> 3], chains[at + 2 : at + 2 + (what & MOST_OPERANDS)]
            for held in objects:
                listener(held, *operands)
            count += len(objects)
            at = chains[at]
        return count


class Reached:
    """What the calls at the places of a program reach, and how."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._chains = array("i")
        """Triples: what is reached, the number of how, the offset of the place's next triple."""
        self._ways: dict[str, int] = {}

    def note(self, place: int, what: int, how: str) -> None:
        """The call at a place reaches `what`. The first way counts, unless it was a mere possibility."""
        way = self._ways.setdefault(how, len(self._ways))
        chains, at = self._chains, self._first.get(place, -1)
        first = at
        while at >= 0:
            if chains[at] == what:
                if chains[at + 1] == self._ways.get(POSSIBLE):
                    chains[at + 1] = way
                return
            at = chains[at + 2]
        self._first[place] = len(chains)
        chains.extend((what, way, first))

    def at(self, place: int) -> dict[int, str]:
        """What the call at a place reaches -> how."""
        found, ways, chains, at = {}, list(self._ways), self._chains, self._first.get(place, -1)
        while at >= 0:
            found[chains[at]] = ways[chains[at + 1]]
            at = chains[at + 2]
        return found

    def places(self) -> Iterable[int]:
        """All places where something is reached."""
        return self._first
