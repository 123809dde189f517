"""Family of JavaScript: points-to configuration, edge rules, kernel tables.

Names, members and results come from the stubs (`load_stub_declarations`); `kernel_tables.toml` adds values that a function
passes on, and `frameworks.toml` entry points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from repoquarry.languages import constraints as op
from repoquarry.languages.family import LanguageFamily, LanguageFeature, PointsToConfig, load_kernel_tables
from repoquarry.languages.javascript.module_map import external_origins, find_modules
from repoquarry.languages.javascript.stub_declarations import load_stub_declarations
from repoquarry.languages.javascript.typing import type_forms

#: rule -> shares of its edges that are right, at call sites with one target, two, three or four, and more
RULES: dict[str, tuple[float, float, float, float]] = {
    "name": (0.99, 0.95, 0.9, 0.8),
    "module": (0.99, 0.95, 0.8, 0.4),
    "self": (0.98, 0.9, 0.8, 0.7),
    "super": (0.99, 0.95, 0.9, 0.9),
    "class": (0.97, 0.8, 0.6, 0.4),
    "receiver": (0.97, 0.85, 0.55, 0.3),
    "constructor": (0.98, 0.95, 0.8, 0.4),
    "instance": (0.9, 0.7, 0.5, 0.3),
    "value": (0.95, 0.8, 0.65, 0.4),
    "callback": (0.9, 0.7, 0.5, 0.2),
    "named": (0.7, 0.6, 0.5, 0.4),
    "partial": (0.9, 0.8, 0.6, 0.4),
    "property": (0.95, 0.85, 0.7, 0.4),
    "implicit": (0.9, 0.8, 0.7, 0.4),
    "declared": (
        0.97,
        0.95,
        0.9,
        0.85,
    ),  # a method without a body, of the interface or abstract class that a receiver is declared as
    "hook": (0.45, 0.4, 0.35, 0.3),  # what a subclass has for a method that its base calls on `this`
    "implementation": (0.48, 0.42, 0.35, 0.25),  # what a live class has for a method that its interface declares
    "override": (0.45, 0.4, 0.3, 0.2),
    "abstract": (0.05, 0.05, 0.05, 0.05),
    "possible": (0.4, 0.35, 0.25, 0.2),
}

#: rules of one kind: what dispatch adds to what was seen
SHOWN = {"hook": "possible", "implementation": "possible", "override": "possible", "named": "possible"}


#: the names that JavaScript gives to what operations do
PROTOCOLS = {
    "iterate": "@@iterator",
    "iterate_later": "@@asyncIterator",
    "next": "next",
    "next_value": "value",
    "await": "then",
    "class_of": "constructor",
    "initialise": "constructor",
    "builtins": "globalThis",
    "no_value": "globalThis.undefined",
    "text": "globalThis.String",
    "object": "globalThis.Object",
    "prototype": "prototype",
    "whole": "=",
    "by_default": "default",
    "interface": "interface",
    "generic_base": op.GENERIC_BASE,
    "type_parameters": op.TYPE_PARAMETERS,
    "type_defaults": type_forms.DEFAULTS,
    "result_type": type_forms.RESULT,
    "result_value": type_forms.GIVEN,
    "made_type": type_forms.MADE,
    "guarded_first": type_forms.predicate_field(0),
    "special_prefix": "__",
    "hidden_prefix": "_",
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
    method=PointsToConfig(protocols=PROTOCOLS, tables=tables, features=FEATURES),
    rules=RULES,
    shown=SHOWN,
    origins=external_origins,
)
