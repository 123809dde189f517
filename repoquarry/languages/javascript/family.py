"""Family of JavaScript: points-to configuration, edge rules, kernel tables, frameworks.

A table by the package that something is imported from and the last part, or the last two parts, of its name there; nothing behind the package
is the package itself, called as a function. `globalThis` is what test runners put into every file: names that a file neither declares nor
imports. Nothing is decided by a name alone: `map.get("x", f)` does not count as a route.

Names, members and results come from the stubs (`load_stub_declarations`); this module adds values that a function
passes on.

Built-ins are named below `globalThis`. Objects and maps are containers of the kind `dict`, arrays and sets of the kind `list`, promises of
the kind `awaitable`.
Source: https://tc39.es/ecma262
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from repoquarry.languages import constraints as op
from repoquarry.languages.family import LanguageFamily, LanguageFeature, PointsToConfig
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


def _kinds(**names: str) -> dict[str, str]:
    """Name -> kind, of names separated by white space."""
    return {name: kind for kind, listed in names.items() for name in listed.split()}


_FRAMEWORK_METHODS = "get post put delete patch head options all"
_SERVED = _kinds(route=f"{_FRAMEWORK_METHODS} del route ws", hook="use param error listen on")
_VARIANTS = "only skip each todo concurrent failing fails serial sequential fixme slow skipIf runIf"
#: names that a test runner gives to what runs as one test, to groups of tests, and to what runs around them
_TESTS = ("it", "test", "specify")
_GROUPS = ("describe", "suite", "context")
_AROUND = "before after beforeEach afterEach beforeAll afterAll setup teardown suiteSetup suiteTeardown onTestFinished"


def _runner(*tests: str) -> dict[str, str]:
    """Functions that a test runner calls; `tests`: the names of single tests that are imported from their package."""
    plain = {**dict.fromkeys(tests, "test"), **dict.fromkeys(_GROUPS, "suite")}
    variants = {f"{name}.{variant}": kind for name, kind in plain.items() for variant in _VARIANTS.split()}
    shorthands = _kinds(test="fit xit xtest", suite="fdescribe xdescribe")
    return plain | variants | shorthands | _kinds(fixture=_AROUND)


#: names that test runners put into every file of tests
TEST_GLOBALS = (
    *_TESTS,
    *_GROUPS,
    *["fit", "xit", "xtest", "fdescribe", "xdescribe", "expect", "jest", "vi", "cy"],
    *_AROUND.split()[:10],
)

_RUNNER = _runner(*_TESTS)
_PLAYWRIGHT = _RUNNER | _kinds(
    suite="test.describe", fixture="test.beforeEach test.afterEach test.beforeAll test.afterAll"
)
_NEST = _kinds(
    route="Controller Get Post Put Delete Patch Head Options All Sse Query Mutation Subscription Resolver MessagePattern EventPattern"
    " SubscribeMessage WebSocketGateway",
    hook="Module Injectable Catch Cron Interval Timeout OnEvent Process Processor OnQueueEvent OnWorkerEvent ResolveField ResolveReference",
    command="Command SubCommand",
)

FRAMEWORKS: Mapping[str, Mapping[str, str]] = {
    "globalThis": _RUNNER | _kinds(hook="process.on process.once"),
    **dict.fromkeys(("vitest", "mocha", "@jest/globals", "jasmine", "bun:test"), _RUNNER),
    "node:test": {"": "test"} | _RUNNER,
    "@playwright/test": _PLAYWRIGHT,
    "ava": {"": "test"} | _kinds(test="serial only failing skip", fixture="before after beforeEach afterEach always"),
    "tape": {"": "test"} | _kinds(test="test only skip", fixture="onFinish"),
    "tap": _kinds(test="test only skip", fixture="beforeEach afterEach before teardown"),
    "qunit": _kinds(test="test only skip todo", suite="module", fixture="begin done testStart testDone"),
    "uvu": {"": "test"} | _RUNNER,
    **dict.fromkeys(
        ("express", "@types/express", "express-promise-router", "restify", "polka", "find-my-way", "router"), _SERVED
    ),
    **dict.fromkeys(("koa", "koa-router", "@koa/router", "hono", "itty-router", "elysia", "hyper-express"), _SERVED),
    "fastify": _SERVED
    | _kinds(hook="register addHook setErrorHandler setNotFoundHandler decorate addContentTypeParser ready listen"),
    **dict.fromkeys(("@hapi/hapi", "hapi"), _kinds(route="route", hook="ext method events.on")),
    **dict.fromkeys(
        ("@nestjs/common", "@nestjs/graphql", "@nestjs/microservices", "@nestjs/websockets", "@nestjs/schedule"), _NEST
    ),
    **dict.fromkeys(("@nestjs/event-emitter", "@nestjs/bull", "@nestjs/bullmq", "nest-commander"), _NEST),
    "routing-controllers": _NEST | _kinds(route="JsonController", hook="Middleware Interceptor"),
    "@angular/core": _kinds(hook="Component Directive Pipe NgModule Injectable HostListener"),
    "typeorm": _kinds(
        hook="Entity BeforeInsert AfterInsert BeforeUpdate AfterUpdate BeforeRemove AfterRemove AfterLoad EventSubscriber"
    ),
    "commander": _kinds(command="action"),
    "cac": _kinds(command="action"),
    "yargs": _kinds(command="command"),
    **dict.fromkeys(
        ("http", "https", "http2", "node:http", "node:https", "node:http2", "net", "node:net"),
        _kinds(hook="createServer on"),
    ),
    **dict.fromkeys(("process", "node:process", "events", "node:events"), _kinds(hook="on once")),
    "ws": _kinds(hook="on"),
    "socket.io": _kinds(hook="on once use on.on of.on of.use"),
    **dict.fromkeys(("node-cron", "cron", "node-schedule"), _kinds(hook="schedule scheduleJob CronJob")),
    "gulp": _kinds(command="task"),
    "grunt": _kinds(command="registerTask"),
}


def rows() -> list[str]:
    """Pairs for the kernel: `package/name`, kind."""
    return [
        text
        for package, names in FRAMEWORKS.items()
        for name, kind in names.items()
        for text in (f"{package}/{name}", kind)
    ]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


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
    "Object.assign": "assign properties",
    "Object.create": "create from prototype",
    "Object.values": "values of",
    "Object.entries": "pairs of",
    "Object.fromEntries": "dict: dict",
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
        *type_forms.NAMES,
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
    "parameter_types": op.PARAMETER_TYPES,
    "function_methods": ("call", "call", "apply", "apply", "bind", "bind"),
}


@lru_cache(1)
def tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    known = load_stub_declarations()
    of_stubs: dict[str, Iterable[str]] = {
        "elements": _below({"String": "String"}, both=True),
        "results": _results(),
        "builtins": [*known.names, _TUPLE, *TEST_GLOBALS],
        "builtin_types": [*(name for name in known.types if name[0].isupper()), _TUPLE],
        "builtin_attributes": _members(),
        "behaviours": _below(_BEHAVIOURS),
        "frameworks": rows(),
        "callback_types": [text for name, given in known.callbacks.items() for text in (name, f"globalThis.{given}")],
        "type_members": [text for name, at in known.of_arguments.items() for text in (name, str(at))],
    }
    return {name: tuple(row) for name, row in (_OWN | of_stubs).items()}


FAMILY = LanguageFamily(
    name="javascript",
    modules=find_modules,
    method=PointsToConfig(protocols=PROTOCOLS, tables=tables, features=FEATURES),
    rules=RULES,
    shown=SHOWN,
    origins=external_origins,
)
