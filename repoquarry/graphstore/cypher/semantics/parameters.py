"""Values of parameters that no engine takes, refused with their place before anything is sent.

A query from outside brings its parameters from any program: half of a surrogate pair, an integer beyond 64 bits or a hundred lists
inside one another would else fail somewhere behind the gate, on each engine in its own way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value

MAX_LEVELS = 40
"""Deepest nesting of lists and maps in one parameter."""

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


def check_parameters(parameters: Mapping[str, Value], *, finite: bool) -> None:
    """Raises: QueryRefusedError `bad_parameter`; with `finite` also for NaN and the infinities."""
    for name, value in parameters.items():
        if not isinstance(name, str) or not _is_text(name):
            raise _bad("the name of a parameter", "is no text that can be written in UTF-8")
        for part, level in _parts(value):
            if level > MAX_LEVELS:
                raise _bad(f"the parameter ${name}", f"nests more than {MAX_LEVELS} lists and maps")
            fault = _fault(part, finite)
            if fault:
                raise _bad(f"the parameter ${name}", fault)


def _parts(value: Value) -> Iterator[tuple[object, int]]:
    """The value and everything inside it, keys included, with how deep it stands."""
    waiting: list[tuple[object, int]] = [(value, 0)]
    while waiting:
        part, level = waiting.pop()
        yield part, level
        if level > MAX_LEVELS:
            continue
        if isinstance(part, dict):
            waiting += [(key if isinstance(key, str) else _NoKey(), level + 1) for key in part]
            waiting += [(item, level + 1) for item in part.values()]
        elif isinstance(part, list | tuple):
            waiting += [(item, level + 1) for item in part]


class _NoKey:
    """Stands for a key of a map that is no text."""


def _fault(part: object, finite: bool) -> str:
    """What is wrong with one value, apart from what it holds; empty where nothing is."""
    if part is None or isinstance(part, bool | list | tuple | dict):
        return ""
    if isinstance(part, str):
        return "" if _is_text(part) else "holds half of a surrogate pair, which is no character"
    if isinstance(part, int):
        return "" if _SMALLEST <= part <= _LARGEST else "holds an integer that does not fit 64 bits"
    if isinstance(part, float):
        return "holds NaN or an infinity, which this engine compares differently" if _is_odd(part) and finite else ""
    if isinstance(part, _NoKey):
        return "holds a map with a key that is no text"
    return f"holds a {type(part).__name__}: values are null, numbers, texts, booleans, lists and maps"


def _is_odd(number: float) -> bool:
    return not math.isfinite(number)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bad(what: str, fault: str) -> QueryRefusedError:
    shown = what.encode("ascii", "backslashreplace").decode()
    return QueryRefusedError(f"{shown} {fault}", reason="bad_parameter", line=1, column=1)
