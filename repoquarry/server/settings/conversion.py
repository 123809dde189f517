"""Values of settings: text from the environment is parsed, values of the settings file are checked, both by a field's type."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def as_kind(kind: Any, value: object) -> object:
    """`value` as `kind`: text from the environment is parsed, a value of the file is checked. Raises: ValueError, TypeError."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        inner = next(part for part in typing.get_args(kind) if part is not types.NoneType)
        return None if value in ("", None) else as_kind(inner, value)
    if origin is tuple:
        parts = (
            [part.strip() for part in value.split(",")] if isinstance(value, str) else list(typing.cast("Any", value))
        )
        return tuple(as_kind(typing.get_args(kind)[0], part) for part in parts if part != "")
    if origin is Mapping:
        table = json.loads(value) if isinstance(value, str) else value
        if not isinstance(table, Mapping):
            raise TypeError("not a table")
        return dict(table)
    return _SCALARS[kind](value)


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    return {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}[
        str(value).lower()
    ]


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError("not a whole number")
    number = int(str(value).replace("_", ""))
    if number < 0:
        raise ValueError("negative")
    return number


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError("not a number")
    number = float(value)
    if not 0 <= number < float("inf"):
        raise ValueError("negative or not finite")
    return number


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


_SCALARS: Mapping[Any, Callable[[object], object]] = {
    bool: lambda value: _truth(value),
    int: _whole,
    float: _number,
    str: _text,
    Path: lambda value: Path(_text(str(value))).expanduser(),
}


def described(kind: Any) -> str:
    """What is expected of a value, in words."""
    names = {bool: "true or false", int: "a whole number of at least 0", float: "a number of at least 0", str: "a text"}
    if kind in names:
        return names[kind]
    if typing.get_origin(kind) is tuple:
        return "a list (in the environment: separated by commas)"
    return "a table (in the environment: JSON)" if typing.get_origin(kind) is Mapping else "a path"
