"""What the kernel is told of JavaScript and of the world outside the repository, as tables of texts by name.

Built-ins are named below `globalThis`. Objects and maps are containers of the kind `dict`, arrays and sets of the kind `list`, promises of
the kind `awaitable`.
Source: https://tc39.es/ecma262
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from repoquarry.languages.javascript.outside import frameworks


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
}

_GLOBALS = _words(
    "Object Function Array String Number Boolean Symbol BigInt Date RegExp Error TypeError RangeError SyntaxError ReferenceError"
    " EvalError URIError AggregateError Promise Map Set WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect JSON Math Intl Atomics"
    " ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array"
    " Float32Array Float64Array BigInt64Array BigUint64Array Iterator Generator globalThis window self global document navigator location"
    " history console process Buffer URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal Event EventTarget"
    " CustomEvent Headers Request Response FormData Blob File FileReader ReadableStream WritableStream TransformStream WebSocket Worker"
    " XMLHttpRequest MutationObserver IntersectionObserver ResizeObserver performance crypto localStorage sessionStorage"
    " setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask requestAnimationFrame"
    " cancelAnimationFrame structuredClone fetch alert confirm prompt atob btoa parseInt parseFloat isNaN isFinite encodeURIComponent"
    " decodeURIComponent encodeURI decodeURI escape unescape eval require module exports __dirname __filename undefined NaN Infinity"
    " Element HTMLElement Node NodeList DOMParser"
)
#: types that only type checkers know
_TYPES = _words(
    "ReadonlyArray ReadonlyMap ReadonlySet ArrayLike Iterable IterableIterator AsyncIterable AsyncIterableIterator AsyncGenerator"
    " AsyncIterator PromiseLike Partial Required Readonly Record Pick Omit Exclude Extract NonNullable ReturnType InstanceType Parameters"
    " ConstructorParameters Awaited ThisType %Tuple NodeListOf ArrayIterator MapIterator SetIterator NoInfer"
)

_ARRAY = (
    "at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join"
    " keys lastIndexOf length map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString toReversed toSorted"
    " toSpliced toString unshift values with add has delete clear size union intersection difference symmetricDifference isSubsetOf"
    " isSupersetOf isDisjointFrom"
)
_OBJECT = (
    "hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf get set has delete clear size entries keys values"
    " forEach"
)
_STRING = (
    "at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf length localeCompare match matchAll"
    " normalize padEnd padStart repeat replace replaceAll search slice split startsWith substr substring toLocaleLowerCase"
    " toLocaleUpperCase toLowerCase toString toUpperCase trim trimEnd trimStart valueOf anchor link"
)
#: built-in type -> attributes of its instances
_ATTRIBUTES = {
    "Array": _ARRAY,
    "Object": _OBJECT,
    "String": _STRING,
    "Number": "toExponential toFixed toLocaleString toPrecision toString valueOf",
    "Boolean": "toString valueOf",
    "Symbol": "description toString valueOf",
    "BigInt": "toLocaleString toString valueOf",
    "RegExp": "exec test toString source flags lastIndex global",
    "Promise": "then catch finally",
    "Generator": "next return throw map filter take drop flatMap reduce toArray forEach some every find",
}

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

#: outside function -> what it does (`kernel/semantics/callbacks.cpp`, `outside_calls.cpp`, `container_calls.cpp`)
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

_STRING_METHODS = _words(
    "charAt concat normalize padEnd padStart repeat replace replaceAll slice substr substring toLocaleLowerCase toLocaleUpperCase"
    " toLowerCase toString toUpperCase trim trimEnd trimStart"
)
_RESULTS = {
    "String": "String",
    "Number": "Number",
    "Boolean": "Boolean",
    "Symbol": "Symbol",
    "BigInt": "BigInt",
    "RegExp": "RegExp",
    "Date": "Date",
    "JSON.stringify": "String",
    "String.split": "Array",
    "Object.keys": "Array",
    "parseInt": "Number",
    "parseFloat": "Number",
}


def _below(names: Mapping[str, str], *, both: bool = False) -> list[str]:
    """Names, and with `both` what they stand for, as those of built-ins."""
    return [
        text
        for name, value in names.items()
        for text in (f"globalThis.{name}", f"globalThis.{value}" if both else value)
    ]


@lru_cache(1)
def tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    rows: dict[str, Iterable[str]] = {
        "first": (
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
        ),
        "containers": [text for kind, names in _CONTAINERS.items() for name in names.split() for text in (name, kind)],
        "mappings": ("dict",),
        "untyped": ("Object", "Function", "ReturnType", "Parameters", "ConstructorParameters", "ThisType"),
        "plain_types": (
            "globalThis.String",
            "globalThis.Number",
            "globalThis.Boolean",
            "globalThis.Symbol",
            "globalThis.BigInt",
        ),
        "text_types": ("globalThis.String",),
        "text_methods": _STRING_METHODS,
        "elements": _below({"String": "String"}, both=True),
        "results": _below(_RESULTS, both=True),
        "builtins": [*_GLOBALS, *_TYPES, *frameworks.TEST_GLOBALS],
        "builtin_types": [name for name in (*_GLOBALS, *_TYPES) if name[0].isupper()],
        "builtin_attributes": [
            text for name, names in _ATTRIBUTES.items() for one in names.split() for text in (name, one)
        ],
        "container_types": (
            "list",
            "globalThis.Array",
            "tuple",
            "globalThis.Array",
            "dict",
            "globalThis.Object",
            "awaitable",
            "globalThis.Promise",
            "coroutine",
            "globalThis.Promise",
            "generator",
            "globalThis.Generator",
        ),
        "behaviours": _below(_BEHAVIOURS),
        "container_methods": [text for does, names in _METHODS.items() for name in names for text in (name, does)],
        "each_methods": ("@@iterator", "@@asyncIterator", "next"),
        "unpack_methods": ("@@iterator",),
        "empty_bases": ("globalThis.Object",),
        "plain_bases": ("globalThis.",),
        "frameworks": frameworks.rows(),
        "function_methods": ("call", "call", "apply", "apply", "bind", "bind"),
    }
    return {name: tuple(row) for name, row in rows.items()}
