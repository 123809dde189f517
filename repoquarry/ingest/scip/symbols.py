"""Parser and writer of SCIP symbols (grammar: message Symbol of scip.proto)."""

from __future__ import annotations

import re
from typing import NamedTuple

CONSTRUCTORS = ("__init__", "constructor", "<init>", "__construct", "initialize")
"""Names of methods that a program runs by the name of their class."""
_NAME = r"[\w+\-$]+|`(?:[^`]|``)+`"
_DESCRIPTOR = re.compile(
    rf"\[(?P<type_parameter>{_NAME})\]|\((?P<parameter>{_NAME})\)|(?P<name>{_NAME})(?P<suffix>\([\w+\-$]*\)\.|[/#.:!])"
)
_HEAD = re.compile(r"((?:[^ ]|  )+) ((?:[^ ]|  )*) ((?:[^ ]|  )*) ((?:[^ ]|  )*) (.+)", re.DOTALL)
_SIMPLE = re.compile(r"[\w+\-$]+", re.ASCII)
_LOCAL = "local "
_MAX_CHARACTERS = 4_096


class Descriptor(NamedTuple):
    name: str
    suffix: str
    """`/` namespace, `#` type, `.` term, `()` method, `:` meta, `!` macro, `[` type parameter, `(` parameter."""


class ScipSymbol(NamedTuple):
    """Symbol that several files can name; symbols of one file (`local 3`) are left to our own extraction."""

    scheme: str
    manager: str
    package: str
    version: str
    descriptors: tuple[Descriptor, ...]

    @property
    def name(self) -> str:
        return self.descriptors[-1].name

    @property
    def is_named_in_code(self) -> bool:
        """Whether code writes the symbol with its name: a type, method, term or macro, but no `<constructor>`."""
        last = self.descriptors[-1]
        return last.suffix in ("#", "()", ".", "!") and not last.name.startswith("<")


def parse_symbol(text: str) -> ScipSymbol | None:
    """Parse a symbol; None for one of a single file and for text that is no symbol."""
    if text.startswith(_LOCAL) or len(text) > _MAX_CHARACTERS:
        return None
    head = _HEAD.fullmatch(text)
    if head is None:
        return None
    *parts, rest = head.groups()
    descriptors = []
    at = 0
    while at < len(rest):
        found = _DESCRIPTOR.match(rest, at)
        if found is None:
            return None
        descriptors.append(_descriptor(found))
        at = found.end()
    scheme, manager, package, version = ("" if part == "." else part.replace("  ", " ") for part in parts)
    return ScipSymbol(scheme, manager, package, version, tuple(descriptors))


def _descriptor(found: re.Match[str]) -> Descriptor:
    for kind, suffix in (("type_parameter", "["), ("parameter", "(")):
        if found[kind]:
            return Descriptor(_plain(found[kind]), suffix)
    suffix = found["suffix"]
    return Descriptor(_plain(found["name"]), "()" if suffix.startswith("(") else suffix)


def _plain(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def write_symbol(package: str, version: str, descriptors: list[Descriptor]) -> str:
    """Write a symbol of the scheme `repoquarry`; descriptors are namespaces, types, methods and terms."""
    head = " ".join(part.replace(" ", "  ") or "." for part in ("repoquarry", ".", package, version))
    return head + " " + "".join(_escaped(name) + ("()." if suffix == "()" else suffix) for name, suffix in descriptors)


def _escaped(name: str) -> str:
    return name if _SIMPLE.fullmatch(name) else "`" + name.replace("`", "``") + "`"
