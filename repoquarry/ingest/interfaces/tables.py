"""Interface tables: records of one package and their encoding.

Types are texts: `requests.models.Response`, `list[~T]`, `Union[str,None]`, `type[~T]`, `Callable[[int],~T]`. A name with a dot belongs to a
package, one without to the language, and `~T` is a type parameter.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.languages.registry import OWN_INTERFACES

PACK: Final = Path(__file__).parents[2] / "interfaces"
"""Folder of the tables that come with the product: a folder per ecosystem, a file per package."""
STORED: Final = "/interfaces/"
"""Beginning of the paths of tables that other indexed repositories provide; no path of a repository begins with it."""
_SUFFIX: Final = ".json.xz"


class InterfaceError(ValueError):
    """An interface table is refused; the message says why."""


class Signature(msgspec.Struct, array_like=True, frozen=True, omit_defaults=True, tag_field="form", tag="f"):
    """A function or method."""

    parameters: tuple[tuple[str, str], ...] = ()
    """(name, type) without the receiver; names of keyword-only ones end with `=`."""
    result: str = ""
    how: str = ""
    """`async`, `property`, `static`, `class`, or empty."""


class Value(msgspec.Struct, array_like=True, frozen=True, omit_defaults=True, tag_field="form", tag="v"):
    """A constant, an attribute, or a name for a type."""

    type: str = ""


class Alias(msgspec.Struct, array_like=True, frozen=True, omit_defaults=True, tag_field="form", tag="a"):
    """A name that is defined elsewhere."""

    target: str


class Type(msgspec.Struct, array_like=True, frozen=True, omit_defaults=True, tag_field="form", tag="c"):
    """A class or interface."""

    parameters: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    members: dict[str, Signature | Value] = {}


Entry = Signature | Value | Alias | Type


class InterfaceTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """Interface of one package."""

    package: str
    """Name by which code imports it."""
    ecosystem: str
    names: dict[str, dict[str, Entry]]
    """Module -> name -> entry; npm packages are one module."""
    source: str = ""
    """Distribution and version."""
    licence: str = ""
    stars: dict[str, tuple[str, ...]] = {}
    """Module -> modules of which it offers all public names."""


def encode_table(table: InterfaceTable) -> bytes:
    """Encode a table for the pack."""
    return lzma.compress(msgspec.json.encode(table, order="deterministic"), preset=9 | lzma.PRESET_EXTREME)


def decode_table(content: bytes) -> InterfaceTable:
    """Decode a table, compressed or not.

    Raises: InterfaceError.
    """
    try:
        text = lzma.decompress(content, memlimit=256 << 20) if content.startswith(b"\xfd7zXZ") else content
        return msgspec.json.decode(text, type=InterfaceTable)
    except (lzma.LZMAError, msgspec.MsgspecError, UnicodeDecodeError) as exc:
        raise InterfaceError(f"not an interface table: {exc}") from exc


def is_own_table(path: str) -> bool:
    """Return whether a path is that of a table in a repository."""
    return path.startswith(OWN_INTERFACES) and path.endswith(".json")


def file_name(package: str) -> str:
    """Return the stem of a package's file."""
    return package.replace("/", "__")


@cache
def packaged(ecosystem: str) -> frozenset[str]:
    """Return the names of the packages in the pack."""
    return frozenset(
        path.name.removesuffix(_SUFFIX).replace("__", "/") for path in (PACK / ecosystem).glob("*" + _SUFFIX)
    )


@cache
def load_packaged(ecosystem: str, package: str) -> InterfaceTable:
    """Load a table of the pack. Raises: InterfaceError."""
    return decode_table((PACK / ecosystem / f"{file_name(package)}{_SUFFIX}").read_bytes())


def entries(table: InterfaceTable) -> Iterator[tuple[str, Entry]]:
    """Yield full name and entry of everything in a table, re-exported names included."""
    for module, names in table.names.items():
        for name, entry in names.items():
            yield f"{module}.{name}", entry
            if name == "default":
                yield module, entry
        for source in table.stars.get(module, ()):
            for name in table.names.get(source, {}):
                if not name.startswith("_") and name not in names:
                    yield f"{module}.{name}", Alias(f"{source}.{name}")
