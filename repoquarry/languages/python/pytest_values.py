"""Values that pytest gives by calls: arguments of `parametrize`, and fixtures that are asked for by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from repoquarry.languages import constraints as op
from repoquarry.languages.call_reader import CallReader

_WRAPPER: Final = "param"
"""Function whose arguments are one set of values."""
_KEYWORDS: Final = ("argnames", "argvalues")


@dataclass(eq=False, repr=False)
class PytestCalls(CallReader):
    """Reader of the calls of pytest in one file."""

    def parametrized(self) -> Iterator[tuple[int, str, int, bool]]:
        """Yield (definition, parameter, variable, whether the variable holds all values)."""
        for at in self._calls:
            if not self._code[at + 6] & op.DECORATES or self._code[at + 8] != 1:
                continue
            maker, decorated = self._origin(self._code[at + 3]), self.decorated(at)
            if maker < 0 or decorated < 0 or self._name(maker) != "parametrize":
                continue
            given = self.arguments(maker, _KEYWORDS)
            if len(given) >= 2:
                yield from ((self._code[decorated + 2], *row) for row in self._values(*given[:2]))

    def requested(self) -> Iterator[tuple[int, str, int]]:
        """Yield (definition around, fixture, variable of the result) of `getfixturevalue`."""
        for at in self.list_calls(("getfixturevalue",)):
            given = self.arguments(at)
            if given and (name := self.text(given[0])):
                yield self.owner(at), name, self._code[at + 2]

    def _values(self, names: int, values: int) -> Iterator[tuple[str, int, bool]]:
        listed = self._names(names)
        rows = self.list_elements(values)
        if rows is None and len(listed) == 1:
            yield listed[0], values, True
        for variable in rows or ():
            row = self._origin(variable)
            is_wrapped = row >= 0 and self._code[row] == op.CALL and self._name(row) == _WRAPPER
            cells = self.list_elements(variable) if len(listed) > 1 else None
            parts = self.arguments(row) if is_wrapped else cells if cells is not None else [variable]
            yield from ((name, part, False) for name, part in zip(listed, parts, strict=False))

    def _names(self, variable: int) -> list[str]:
        """Return the parameters: `"a, b"` or a list of names."""
        text = self.text(variable)
        if text:
            return [one.strip() for one in text.split(",") if one.strip()]
        return [name for one in self.list_elements(variable) or () if (name := self.text(one))]
