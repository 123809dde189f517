"""Reader of the calls of one file: names, arguments, texts and containers in the operations of its constraint graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import FileFacts

_CALL_ARGUMENTS, _CONTAINER_ELEMENTS = 9, 4
"""Where the pairs of operands of these operations begin."""
_PLACES_OF_NAMES: Final = {op.NAME: 2, op.ATTR: 3, op.FROM: 4}
"""Where these operations have the name that they read."""


@dataclass(eq=False, repr=False)
class CallReader:
    """Calls of one file; a call is its offset, and variables are numbered in the file.

    Raises: IndexError, ValueError where the file's records are damaged.
    """

    facts: FileFacts

    def __post_init__(self) -> None:
        graph = self.facts.graph
        self._code = memoryview(graph.code).cast("i") if graph.code else memoryview(b"").cast("i")
        self._first = memoryview(graph.first).cast("i") if graph.first else memoryview(b"").cast("i")
        self._symbols = graph.symbols.texts()
        roots = memoryview(graph.roots).cast("i") if graph.roots else ()
        self._calls = [at for at in roots if self._code[at] == op.CALL]

    def list_calls(self, names: Collection[str]) -> Iterator[int]:
        """Yield the calls of functions with one of the names."""
        return (at for at in self._calls if self._name(at) in names)

    def owner(self, call: int) -> int:
        """Return the index of the definition around a call; -1 is the module."""
        return self._code[call + 5]

    def line(self, call: int) -> int:
        return self._code[call + 4]

    def receiver(self, call: int) -> int:
        """Return the variable of the object whose method is called; -1 for the call of a plain name."""
        callee = self._origin(self._code[call + 3])
        return self._code[callee + 2] if callee >= 0 and self._code[callee] == op.ATTR else -1

    def _origin(self, variable: int) -> int:
        """Return the operation that assigns to a variable, through copies; -1 without one."""
        return self._first[self.source(variable)] if variable >= 0 else -1

    def source(self, variable: int) -> int:
        """Return the variable of which another is a plain copy, through a few copies; the variable itself where it is none."""
        for _ in range(op.MAX_COPIES):
            at = self._first[variable]
            if at < 0 or self._code[at] != op.COPY:
                break
            variable = self._code[at + 2]
        return variable

    def _name(self, call: int) -> str:
        is_named = call >= 0 and self._code[call] == op.CALL and self._code[call + 7] >= 0
        return self._symbols[self._code[call + 7]] if is_named else ""

    def arguments(self, call: int, keywords: Collection[str] = ()) -> list[int]:
        """Return the positional arguments of a call; `keywords` name its first parameters, which may be given by name."""
        if call < 0 or self._code[call] != op.CALL:
            return []
        places = range(call + _CALL_ARGUMENTS, call + _CALL_ARGUMENTS + 2 * self._code[call + 8], 2)
        given = [(self._code[at], self._code[at + 1]) for at in places]
        by_name = {self._symbols[kind]: variable for kind, variable in given if kind >= 0}
        placed = [variable for kind, variable in given if kind == op.POSITIONAL]
        return placed + [by_name[name] for name in list(keywords)[len(placed) :] if name in by_name]

    def _elements(self, container: int) -> list[int]:
        count = self._code[container + 3]
        pairs = range(container + _CONTAINER_ELEMENTS, container + _CONTAINER_ELEMENTS + 2 * count, 2)
        return [self._code[at + 1] for at in pairs if self._code[at] != op.SPREAD]

    def list_elements(self, variable: int) -> list[int] | None:
        """Return the elements of a list that is written out, without those of lists that are spread in it; None for another value."""
        at = self._origin(variable)
        return self._elements(at) if at >= 0 and self._code[at] == op.CONTAINER else None

    def list_spread(self, variable: int) -> list[int]:
        """Return the lists that are spread in a list that is written out, `[*a, *b]`."""
        at = self._origin(variable)
        if at < 0 or self._code[at] != op.CONTAINER:
            return []
        pairs = range(at + _CONTAINER_ELEMENTS, at + _CONTAINER_ELEMENTS + 2 * self._code[at + 3], 2)
        return [self._code[pair + 1] for pair in pairs if self._code[pair] == op.SPREAD]

    def summands(self, variable: int) -> list[int]:
        """Return both sides of an addition; empty for another value."""
        at = self._origin(variable)
        is_sum = at >= 0 and self._code[at] == op.OPER and self._symbols[self._code[at + 2]] == "__add__"
        return [self._code[at + 3], self._code[at + 4]] if is_sum else []

    def text(self, variable: int) -> str:
        """Return a text that is written out; empty for another value."""
        at = self._origin(variable)
        is_text = at >= 0 and self._code[at] == op.CONST and self._code[at + 3] >= 0
        return self._symbols[self._code[at + 3]].strip("'\"") if is_text else ""

    def last_name(self, variable: int) -> str:
        """Return the last part of a name that is imported, defined, bound by the module or read from an object; else empty."""
        at = self._origin(variable)
        if (decorated := self.decorated(at)) >= 0:
            return self.facts.definitions[self._code[decorated + 2]].name
        place = _PLACES_OF_NAMES.get(self._code[at]) if at >= 0 else None
        if not place:
            return self._bound.get(self.source(variable), "") if variable >= 0 else ""
        return self._symbols[self._code[at + place]].rpartition(".")[2]

    @cached_property
    def _bound(self) -> dict[int, str]:
        """Name that the module binds to each variable."""
        numbers = memoryview(self.facts.graph.scopes).cast("i") if self.facts.graph.scopes else ()
        rows = (numbers[at : at + 3] for at in range(0, len(numbers) - 2, 3) if numbers[at] < 0)
        return {self.source(variable): self._symbols[name] for _, name, variable in rows}

    def decorated(self, at: int) -> int:
        """Return the operation that defines a function, below its decorators; -1 for another operation."""
        while at >= 0 and self._code[at] == op.CALL and self._code[at + 6] & op.DECORATES:
            at = self._origin(self._code[at + _CALL_ARGUMENTS + 1])
        return at if at >= 0 and self._code[at] == op.FUNC else -1

    def parameters(self, definition: int) -> list[tuple[str, int, int]]:
        """Return (name, variable, kind) of the parameters of a function; empty for a class."""
        numbers = memoryview(self.facts.graph.functions).cast("i")
        at = 0
        for _ in range(definition):
            if numbers[at] < 1:
                raise ValueError(f"{self.facts.path}: a definition's record of length {numbers[at]}")
            at += numbers[at]
        record = numbers[at + 1 : at + numbers[at]]
        if not len(record) or record[0] != op.FUNC:
            return []
        return [
            (self._symbols[record[place]], record[place + 1], record[place + 2])
            for place in range(6, 6 + 3 * record[5], 3)
        ]
