"""What the kernel is told of JavaScript and of the world outside the repository, as tables of texts by name.

Names, members and results come from the stubs (`declared`); what no declaration says, which values a function passes on, stands here.

Built-ins are named below `globalThis`. Objects and maps are containers of the kind `dict`, arrays and sets of the kind `list`, promises of
the kind `awaitable`.
Source: https://tc39.es/ecma262
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from repoquarry.languages.javascript.outside import frameworks
from repoquarry.languages.javascript.outside.declared import declared
from repoquarry.languages.javascript.typing import attributes, predicates


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: the names that JavaScript gives to what operations do
PROTOCOLS = {
    "iterate": "@@iterator",
    "iterate_later": "@@asyncIterator",
    "next": "next",
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
    "generic_base": attributes.GENERIC_BASE,
    "type_parameters": attributes.PARAMETERS,
    "type_defaults": attributes.DEFAULTS,
    "result_type": attributes.RESULT,
    "result_value": attributes.GIVEN,
    "made_type": attributes.MADE,
    "guarded_first": predicates.telling(0),
}

#: types whose objects are containers of one kind -> others of that kind, whose members they then have as well
_OF_ONE_KIND = {"Array": ("Set",), "Object": ("Map",)}
#: types that are functions which give their own
_MAKERS = ("String", "Number", "Boolean", "Symbol", "BigInt", "RegExp", "Date")
#: the type of `[A, B]`
_TUPLE = "%Tuple"

#: what a method does to the object that it is called on -> the methods that do it
_METHODS = {
    "each": ("forEach", "some", "every", "findIndex", "findLastIndex"),
    "map each": ("map",),
    "keep each": ("filter",),
    "find": ("find", "findLast"),
    "flatten each": ("flatMap", "flat"),
    "fold": ("reduce", "reduceRight"),
    "sort by": ("sort", "toSorted"),
    "append all": ("push", "unshift", "add", "fill"),
    "splice": ("splice", "toSpliced"),
    "concatenate": ("concat",),
    "insert": ("set",),
    "take": ("pop", "shift", "at", "get"),
    "values": ("values",),
    "items": ("entries",),
    "same": ("slice", "reverse", "toReversed", "toArray", "union", "intersection", "difference", "symmetricDifference"),
    "then": ("then",),
    "catch": ("catch",),
    "finally": ("finally",),
    "resolve": ("resolve",),
}

#: outside function -> what it does (`kernel/semantics/calls/callbacks.cpp`, `outside_calls.cpp`, `container_calls.cpp`)
_BEHAVIOURS = {
    "Promise": "promise",
    "Promise.resolve": "resolved promise",
    "Promise.all": "all settled",
    "Promise.allSettled": "all settled",
    "Promise.race": "first settled",
    "Promise.any": "first settled",
    "Object.assign": "assign properties",
    "Object.create": "create from prototype",
    "Object.values": "values of",
    "Object.entries": "pairs of",
    "Object.fromEntries": "dict: dict",
    "Object.groupBy": "group by",
    "Map.groupBy": "group by",
    "Object.freeze": "pass on",
    "Object.seal": "pass on",
    "Object.preventExtensions": "pass on",
    "structuredClone": "pass on",
    "Array": "array",
    "Array.of": "array",
    "Array.from": "array from",
    "Set": "copy elements: list",
    "WeakSet": "copy elements: list",
    "Map": "dict: dict",
    "WeakMap": "dict: dict",
    "Proxy": "pass on",
    "setTimeout": "call the first",
    "setInterval": "call the first",
    "setImmediate": "call the first",
    "queueMicrotask": "call the first",
    "requestAnimationFrame": "call the first",
    "process.nextTick": "call the first",
}

#: kind of container -> the generic types whose instances are such
_CONTAINERS = {
    "list": "Array ReadonlyArray Set ReadonlySet WeakSet ArrayLike Iterable AsyncIterable NodeListOf",
    "tuple": "%Tuple",
    "dict": "Map ReadonlyMap WeakMap Record",
    "generator": "Generator Iterator IterableIterator AsyncGenerator AsyncIterator AsyncIterableIterator ArrayIterator MapIterator SetIterator",
    "awaitable": "Promise PromiseLike",
}


def _below(names: Mapping[str, str], *, both: bool = False) -> list[str]:
    """Names, and with `both` what they stand for, as those of built-ins."""
    return [
        text
        for name, value in names.items()
        for text in (f"globalThis.{name}", f"globalThis.{value}" if both else value)
    ]


def _members() -> list[str]:
    """Pairs: type, what its objects have."""
    members = declared().members
    pairs = {
        (name, one)
        for name, own in members.items()
        for one in (*own, *(more for other in _OF_ONE_KIND.get(name, ()) for more in members[other]))
    }
    return [text for pair in sorted(pairs) for text in pair]


def _results() -> list[str]:
    """Pairs: function, type of what it gives."""
    found = declared().results | {name: name for name in _MAKERS}
    inside = {name: given for name, given in found.items() if name.partition(".")[0] in declared().names}
    return [
        *_below(inside, both=True),
        *(text for name, given in found.items() if name not in inside for text in (name, f"globalThis.{given}")),
    ]


#: tables that are the language's own, whatever the stubs declare
_OWN: dict[str, Iterable[str]] = {
    "first": [
        "Partial",
        "Required",
        "Readonly",
        "Pick",
        "Omit",
        "Exclude",
        "Extract",
        "NonNullable",
        "InstanceType",
        "Awaited",
        "NoInfer",
    ],
    "containers": [text for kind, names in _CONTAINERS.items() for name in names.split() for text in (name, kind)],
    "mappings": ("dict",),
    "untyped": (
        *("Object", "Function", "ReturnType", "Parameters", "ConstructorParameters", "ThisType"),
        *attributes.NAMES,
    ),
    "plain_types": [f"globalThis.{name}" for name in ("String", "Number", "Boolean", "Symbol", "BigInt")],
    "text_types": ("globalThis.String",),
    "container_types": (
        *("list", "globalThis.Array"),
        *("tuple", "globalThis.Array"),
        *("dict", "globalThis.Object"),
        *("awaitable", "globalThis.Promise"),
        *("coroutine", "globalThis.Promise"),
        *("generator", "globalThis.Generator"),
    ),
    "container_methods": [text for does, names in _METHODS.items() for name in names for text in (name, does)],
    "each_methods": ("@@iterator", "@@asyncIterator", "next"),
    "unpack_methods": ("@@iterator",),
    "empty_bases": ("globalThis.Object",),
    "plain_bases": ("globalThis.",),
    "parameter_types": [
        text
        for position in range(attributes.MOST_PARAMETERS + 1)
        for text in (str(position), attributes.parameter(position))
    ],
    "function_methods": ("call", "call", "apply", "apply", "bind", "bind"),
}


@lru_cache(1)
def tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    known = declared()
    of_stubs: dict[str, Iterable[str]] = {
        "elements": _below({"String": "String"}, both=True),
        "results": _results(),
        "builtins": [*known.names, _TUPLE, *frameworks.TEST_GLOBALS],
        "builtin_types": [*(name for name in known.types if name[0].isupper()), _TUPLE],
        "builtin_attributes": _members(),
        "behaviours": _below(_BEHAVIOURS),
        "frameworks": frameworks.rows(),
        "callback_types": [text for name, given in known.callbacks.items() for text in (name, f"globalThis.{given}")],
        "type_members": [text for name, at in known.of_arguments.items() for text in (name, str(at))],
    }
    return {name: tuple(row) for name, row in (_OWN | of_stubs).items()}
