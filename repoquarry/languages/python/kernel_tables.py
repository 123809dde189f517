"""Tables of Python for the resolution kernel.

The tables of built-ins, standard library and frameworks are `kernel_tables.toml` and `frameworks.toml`. `scripts/generate_builtins.py` writes
`builtins.json`; a name counts as built in if any of its Python versions has it, because the version of a repository is unknown. A
name that no table has is simply external: calls of it are edges, and its result is unknown.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import msgspec

from repoquarry.languages.family import LanguageFeature, load_kernel_tables
from repoquarry.languages.python.module_resolution import STANDARD_MODULES

_FOLDER = Path(__file__).parent


class _Type(msgspec.Struct, frozen=True):
    bases: list[str]
    attributes: dict[str, str]
    """Own attribute -> first version that has it."""


class _Builtins(msgspec.Struct, frozen=True):
    names: dict[str, str]
    """Name -> first version that has it."""
    types: dict[str, _Type]
    """Built-in types, and `generator` and `coroutine`."""


@cache
def _builtins() -> _Builtins:
    return msgspec.json.decode((_FOLDER / "builtins.json").read_bytes(), type=_Builtins)


def is_builtin(name: str) -> bool:
    """Return whether Python itself defines the name."""
    return name in _builtins().names


def is_type(name: str) -> bool:
    """Return whether the built-in of this name is a class."""
    return name in _builtins().types and is_builtin(name)


@cache
def attributes_of(name: str) -> frozenset[str]:
    """Return all attributes of a built-in type's instances, inherited ones included; empty for other names."""
    found = _builtins().types.get(name)
    return frozenset(found.attributes).union(*map(attributes_of, found.bases)) if found else frozenset()


FEATURES = (
    LanguageFeature.CALLABLE_INSTANCES | LanguageFeature.STAR_IMPORTS_BIND | LanguageFeature.TYPES_REPLACE_PARAMETERS
)


@lru_cache(1)
def build_kernel_tables() -> dict[str, tuple[str, ...]]:
    """Build all tables, by name."""
    types = _builtins().types
    return load_kernel_tables(_FOLDER) | {
        "mappings": ("dict", "defaultdict", "ordered dict", "namespace"),
        "builtins": tuple(_builtins().names),
        "builtin_types": tuple(filter(is_type, types)),
        "builtin_attributes": tuple(
            text for name in types for one in sorted(attributes_of(name)) for text in (name, one)
        ),
        "standard_modules": tuple(STANDARD_MODULES),
    }
