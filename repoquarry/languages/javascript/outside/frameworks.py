"""What frameworks call by themselves: the functions and decorators through which code is handed to them.

A table by the package that something is imported from and the last part, or the last two parts, of its name there; nothing behind the package
is the package itself, called as a function. `globalThis` is what test runners put into every file: names that a file neither declares nor
imports. Nothing is decided by a name alone: `map.get("x", f)` is no route.
"""

from __future__ import annotations

from collections.abc import Mapping


def _kinds(**names: str) -> dict[str, str]:
    """Name -> kind, of names separated by white space."""
    return {name: kind for kind, listed in names.items() for name in listed.split()}


_METHODS = "get post put delete patch head options all"
_SERVED = _kinds(route=f"{_METHODS} del route ws", hook="use param error listen on")
_VARIANTS = "only skip each todo concurrent failing fails serial sequential fixme slow skipIf runIf"
#: names that a test runner gives to what runs as one test, to groups of tests, and to what runs around them
_TESTS = ("it", "test", "specify")
_GROUPS = ("describe", "suite", "context")
_AROUND = "before after beforeEach afterEach beforeAll afterAll setup teardown suiteSetup suiteTeardown onTestFinished"


def _runner(*tests: str) -> dict[str, str]:
    """What a test runner calls; `tests`: the names of single tests that are asked for by their package."""
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
