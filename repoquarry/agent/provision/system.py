"""What code needs of the operating system, and which package of Debian holds it: the table of `system.toml`."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

_LIBRARY: Final = re.compile(
    r"((?:lib)?[\w+-]+\.so(?:\.[\d.]+)?): cannot open shared object file|(lib\w+)[\w ]* (?:not found|library not found)"
)


@functools.cache
def _packages() -> Mapping[str, str]:
    text = resources.files(__package__).joinpath("system.toml").read_text(encoding="utf-8")
    found: Mapping[str, str] = tomllib.loads(text)["system"]
    return found


def package_of(file: str) -> str:
    """Package of Debian that holds a shared library, a header or a program; empty when it is not known."""
    return _packages().get(file, "")


def missing_library(error: str) -> tuple[str, str]:
    """The shared library that an error says is missing, and the words that say so; empty when it says no such thing."""
    match = _LIBRARY.search(error)
    return (match[1] or match[2], match[0]) if match else ("", "")
