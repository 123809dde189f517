"""Family of JavaScript: points-to configuration, edge rules, kernel tables.

Names, members and results come from the stubs (`load_stub_declarations`); `kernel_tables.toml` adds values that a function
passes on, and `frameworks.toml` entry points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from repoquarry.languages import constraints as op
from repoquarry.languages.family import LanguageFamily, LanguageFeature, PointsToConfig, load_kernel_tables, load_rules
from repoquarry.languages.javascript.module_map import external_origins, find_modules
from repoquarry.languages.javascript.stub_declarations import load_stub_declarations
from repoquarry.languages.javascript.typing import type_forms

TABLES = load_rules(Path(__file__).parent)
_TYPE_PROTOCOLS = {
    "type_defaults": type_forms.DEFAULTS,
    "result_type": type_forms.RESULT,
    "result_value": type_forms.GIVEN,
    "made_type": type_forms.MADE,
    "guarded_first": type_forms.predicate_field(0),
}
FEATURES = (
    LanguageFeature.SUPERCLASS_FIRST
    | LanguageFeature.RECEIVER_BY_CALL
    | LanguageFeature.OBJECT_LITERALS
    | LanguageFeature.MAPPINGS_GIVE_PAIRS
    | LanguageFeature.AWAIT_UNWRAPS
    | LanguageFeature.DEFAULT_EXPORTS
    | LanguageFeature.STATIC_TYPES
    | LanguageFeature.STRUCTURAL_TYPES
    | LanguageFeature.TYPES_REPLACE_PARAMETERS
)

#: types whose objects are containers of one kind -> others of that kind, whose members they then have as well
_OF_ONE_KIND = {"Array": ("Set",), "Object": ("Map",)}
#: static members of `Object`, which object literals do not have
_OBJECT_STATICS = frozenset(
    (
        *("assign", "create", "defineProperties", "defineProperty", "freeze", "fromEntries", "getOwnPropertyNames"),
        *("getPrototypeOf", "hasOwn", "is", "isFrozen", "preventExtensions", "seal", "setPrototypeOf"),
    )
)
#: types that are functions which give their own
_MAKERS = ("String", "Number", "Boolean", "Symbol", "BigInt", "RegExp", "Date")
#: the type of `[A, B]`
_TUPLE = "%Tuple"


def _below(names: Mapping[str, str]) -> list[str]:
    """Return names and their values as those of built-ins."""
    return [f"globalThis.{text}" for pair in names.items() for text in pair]


def _members() -> list[str]:
    """Pairs: type, what its objects have."""
    members = load_stub_declarations().members
    pairs = {
        (name, one)
        for name, own in members.items()
        for one in (*own, *(more for other in _OF_ONE_KIND.get(name, ()) for more in members[other]))
        if name != "Object" or one not in _OBJECT_STATICS
    }
    return [text for pair in sorted(pairs) for text in pair]


def _results() -> list[str]:
    """Pairs: function, type of its result."""
    found = load_stub_declarations().results | {name: name for name in _MAKERS}
    inside = {name: given for name, given in found.items() if name.partition(".")[0] in load_stub_declarations().names}
    return [
        *_below(inside),
        *(text for name, given in found.items() if name not in inside for text in (name, f"globalThis.{given}")),
    ]


@lru_cache(1)
def tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    known, own = load_stub_declarations(), load_kernel_tables(Path(__file__).parent)
    of_stubs: dict[str, Iterable[str]] = {
        "elements": _below({"String": "String"}),
        "results": _results(),
        "builtins": [*known.names, *own["builtins"]],
        "builtin_types": [*(name for name in known.types if name[0].isupper()), _TUPLE],
        "builtin_attributes": _members(),
        "callback_types": [text for name, given in known.callbacks.items() for text in (name, f"globalThis.{given}")],
        "type_members": [text for name, at in known.of_arguments.items() for text in (name, str(at))],
        "untyped": (*own["untyped"], *type_forms.NAMES),
    }
    return own | {name: tuple(row) for name, row in of_stubs.items()}


FAMILY = LanguageFamily(
    name="javascript",
    modules=find_modules,
    method=PointsToConfig(
        protocols=TABLES.protocols | op.GENERIC_PROTOCOLS | _TYPE_PROTOCOLS, tables=tables, features=FEATURES
    ),
    rules=TABLES.rules,
    shown=TABLES.shown,
    origins=external_origins,
)
