"""Values that pytest gives by calls: arguments of `parametrize`, and fixtures that are asked for by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import FileFacts

_CALL_ARGUMENTS, _CONTAINER_ELEMENTS = 9, 4
"""Where the pairs of operands of these operations begin."""
_WRAPPER: Final = "param"
"""Function whose arguments are one set of values."""


@dataclass(eq=False, repr=False)
class PytestCalls:
    """Reader of the calls of one file; variables are numbered in the file.

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

    def parametrized(self) -> Iterator[tuple[int, str, int, bool]]:
        """Yield (definition, parameter, variable, whether the variable holds all values)."""
        for at in self._calls:
            if not self._code[at + 6] & op.DECORATES or self._code[at + 8] != 1:
                continue
            maker, decorated = self._origin(self._code[at + 3]), self._origin(self._code[at + _CALL_ARGUMENTS + 1])
            while decorated >= 0 and self._code[decorated] == op.CALL:  # decorated before
                decorated = self._origin(self._code[decorated + _CALL_ARGUMENTS + 1])
            if maker < 0 or decorated < 0 or self._code[decorated] != op.FUNC or self._name(maker) != "parametrize":
                continue
            given = self._arguments(maker)
            if len(given) >= 2:
                yield from ((self._code[decorated + 2], *row) for row in self._values(*given[:2]))

    def requested(self) -> Iterator[tuple[int, str, int]]:
        """Yield (definition around, fixture, variable of the result) of `getfixturevalue`."""
        for at in self._calls:
            given = self._arguments(at) if self._name(at) == "getfixturevalue" else []
            if given and (name := self._text(given[0])):
                yield self._code[at + 5], name, self._code[at + 2]

    def _values(self, names: int, values: int) -> Iterator[tuple[str, int, bool]]:
        listed = self._names(names)
        container = self._origin(values)
        is_read = container >= 0 and self._code[container] == op.CONTAINER
        if not is_read and len(listed) == 1:
            yield listed[0], values, True
        for variable in self._elements(container) if is_read else ():
            row = self._origin(variable)
            is_wrapped = row >= 0 and self._code[row] == op.CALL and self._name(row) == _WRAPPER
            is_row = len(listed) > 1 and row >= 0 and self._code[row] == op.CONTAINER
            parts = self._arguments(row) if is_wrapped else self._elements(row) if is_row else [variable]
            yield from ((name, part, False) for name, part in zip(listed, parts, strict=False))

    def _names(self, variable: int) -> list[str]:
        """Return the parameters: `"a, b"` or a list of names."""
        text = self._text(variable)
        if text:
            return [one.strip() for one in text.split(",") if one.strip()]
        at = self._origin(variable)
        if at < 0 or self._code[at] != op.CONTAINER:
            return []
        return [name for one in self._elements(at) if (name := self._text(one))]

    def _origin(self, variable: int) -> int:
        """Return the operation that assigns to a variable, through copies; -1 without one."""
        at = self._first[variable] if variable >= 0 else -1
        for _ in range(op.MAX_COPIES):
            if at < 0 or self._code[at] != op.COPY:
                break
            at = self._first[self._code[at + 2]]
        return at

    def _name(self, call: int) -> str:
        is_named = call >= 0 and self._code[call] == op.CALL and self._code[call + 7] >= 0
        return self._symbols[self._code[call + 7]] if is_named else ""

    def _arguments(self, call: int) -> list[int]:
        """Return the positional arguments of a call, and keywords `argnames`, `argvalues` in their place."""
        if call < 0 or self._code[call] != op.CALL:
            return []
        places = range(call + _CALL_ARGUMENTS, call + _CALL_ARGUMENTS + 2 * self._code[call + 8], 2)
        found = [(self._code[at], self._code[at + 1]) for at in places]
        keywords = {self._symbols[kind]: variable for kind, variable in found if kind >= 0}
        placed = [variable for kind, variable in found if kind == op.POSITIONAL]
        return placed + [keywords[name] for name in ("argnames", "argvalues")[len(placed) :] if name in keywords]

    def _elements(self, container: int) -> list[int]:
        count = self._code[container + 3]
        pairs = range(container + _CONTAINER_ELEMENTS, container + _CONTAINER_ELEMENTS + 2 * count, 2)
        return [self._code[at + 1] for at in pairs if self._code[at] != op.SPREAD]

    def _text(self, variable: int) -> str:
        at = self._origin(variable)
        is_text = at >= 0 and self._code[at] == op.CONST and self._code[at + 3] >= 0
        return self._symbols[self._code[at + 3]].strip("'\"") if is_text else ""
