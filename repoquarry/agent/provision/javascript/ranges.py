"""Version ranges as package.json states them, as far as they say which Node.js fits.

Source: https://github.com/npm/node-semver#ranges (prereleases are left aside: no release of Node.js has one)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

Version = tuple[int, int, int]

_PART: Final = re.compile(
    r"(?P<sign>>=|<=|>|<|=|\^|~>?)?\s*v?(?P<numbers>[\dxX*]+(?:\.[\dxX*]+){0,2})(?:[-+][\w.+-]*)?$"
)
_SPACED: Final = re.compile(r"(>=|<=|>|<|=|\^|~>?)\s+")
_TOP: Final = 1 << 30


def fits(version: Version, stated: str) -> bool:
    """Whether a version lies in a range; what cannot be read excludes nothing."""
    try:
        return any(all(low <= version < high for low, high in _bounds(part)) for part in stated.split("||"))
    except ValueError:
        return True


def _bounds(part: str) -> Iterator[tuple[Version, Version]]:
    """Half-open intervals that all have to hold. Raises: ValueError."""
    if " - " in part:
        low, _, high = part.partition(" - ")
        yield _interval(">=", low)[0], _interval("<=", high)[1]
        return
    for word in _SPACED.sub(r"\1", part.strip()).split():
        match = _PART.match(word)
        if match is None:
            raise ValueError(word)
        yield _interval(match["sign"] or "=", match["numbers"])


def _interval(sign: str, text: str) -> tuple[Version, Version]:
    numbers = []
    for one in text.strip().lstrip("v").split("-")[0].split("."):
        if not one.isdigit():
            break
        numbers.append(int(one))
    low = _filled(numbers)
    after = _next(numbers, len(numbers))  # behind all versions that begin so
    match sign:
        case ">=":
            return low, (_TOP, 0, 0)
        case ">":
            return after, (_TOP, 0, 0)
        case "<":
            return (0, 0, 0), low
        case "<=":
            return (0, 0, 0), after
        case "^":
            kept = next((place for place, number in enumerate(numbers) if number), len(numbers) - 1) + 1
            return low, _next(numbers, min(kept, len(numbers)))
        case "=":
            return low, after
        case _:
            return low, _next(numbers, min(2, len(numbers)))


def _filled(numbers: list[int]) -> Version:
    first, second, third = (*numbers, 0, 0, 0)[:3]
    return first, second, third


def _next(numbers: list[int], kept: int) -> Version:
    """First version that does not begin with the first `kept` numbers."""
    if not kept:
        return (_TOP, 0, 0)
    return _filled([*numbers[: kept - 1], numbers[kept - 1] + 1])
