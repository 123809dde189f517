"""Entry points of JavaScript and TypeScript by what a name resolves to: routes, tests, handlers, decorated classes."""

from __future__ import annotations

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.javascript.extractor import extract

F = "function f(q, r) {}\n"


def entries(*files: tuple[str, str]) -> set[tuple[str, str, str]]:
    found: Resolution = resolve([extract(path, text.encode()) for path, text in files])
    return {(found.symbols[one.target].key, one.kind, one.name) for one in found.entry_points}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("const express = require('express'); const app = express(); app.get('/a', f);", ("route", "/a")),
        ("import express from 'express'; express().post('/a', (q, r) => g(q), f);", ("route", "/a")),
        ("import { Router } from 'express'; const r = Router(); r.use(f);", ("hook", "use")),
        ("import * as e from 'express'; const r = e.Router(); r.route('/x').get(f);", ("route", "get")),
        ("import R from '@koa/router'; const r = new R(); r.get('/a', f);", ("route", "/a")),
        ("import Koa from 'koa'; new Koa().use(f);", ("hook", "use")),
        ("import fastify from 'fastify'; const s = fastify({}); s.route({ method: 'GET', url: '/a', handler: f });", ("route", "/a")),
        ("import fastify from 'fastify'; class S { s = fastify(); go() { this.s.get('/a', f); } }", ("route", "/a")),
        ("const Hapi = require('@hapi/hapi'); const s = Hapi.server(); s.route({ path: '/a', handler: f });", ("route", "/a")),
        ("import { Hono } from 'hono'; const app = new Hono(); app.get('/a', f);", ("route", "/a")),
        ("import { program } from 'commander'; program.command('x').action(f);", ("command", "action")),
        ("import http from 'node:http'; http.createServer(f);", ("hook", "createServer")),
        ("process.on('exit', f);", ("hook", "exit")),
        ("import { Server } from 'socket.io'; const io = new Server(); io.on('connection', f);", ("hook", "connection")),
        ("const io = require('socket.io')(80); io.of('/x').on('connection', f);", ("hook", "connection")),
        ("it('works', f);", ("test", "works")),
        ("test.only('works', f);", ("test", "works")),
        ("test.each([1, 2])('works', f);", ("test", "works")),
        ("describe('group', f);", ("suite", "group")),
        ("beforeEach(f);", ("fixture", "beforeEach")),
        ("import { test as t } from 'vitest'; t('works', f);", ("test", "works")),
        ("const t = require('node:test'); t('works', f);", ("test", "works")),
        ("import test from 'ava'; test('works', f);", ("test", "works")),
        ("import { test } from '@playwright/test'; test.describe('group', f);", ("suite", "group")),
    ],
)  # fmt: skip
def test_what_is_handed_to_a_framework_is_an_entry_point(source: str, expected: tuple[str, str]) -> None:
    assert ("f", *expected) in entries(("src/app.js", F + source))


@pytest.mark.parametrize(
    "source",
    [
        "const m = new Map(); m.get('x', f);",
        "import axios from 'axios'; axios.get('/x', f);",
        "class Router { get(path, g) {} } new Router().get('/x', f);",
        "function it(name, g) {} it('x', f);",
        "import { describe } from './mine'; describe('x', f);",
        "const app = make(); app.get('/x', f);",
    ],
)
def test_a_name_alone_makes_none(source: str) -> None:
    assert not entries(("src/app.js", F + source))


def test_routers_of_other_files_and_those_that_are_passed() -> None:
    found = entries(
        ("app.js", "const app = require('express')(); require('./routes')(app); app.use('/s', require('./sub'));"),
        ("routes.js", "function list() {}\nmodule.exports = (app) => { app.get('/list', list); };"),
        ("sub.js", "const router = require('express').Router(); function one() {}\nrouter.get('/one', one); module.exports = router;"),
        ("more.js", "const router = require('./sub'); function two() {}\nrouter.get('/two', two);"),
    )  # fmt: skip
    assert found == {("list", "route", "/list"), ("one", "route", "/one"), ("two", "route", "/two")}


def test_members_of_controllers_and_callbacks_in_place() -> None:
    controller = "export class Users {\n  list = (q, r) => {};\n  show(q, r) {}\n}\nexport default new Users();\n"
    app = "import express from 'express'; import users from './users';\nconst app = express();\n"
    app += "app.get('/', users.list);\napp.get('/:id', users.show);\napp.get('/in', (q, r) => r.end());\n"
    assert entries(("src/users.ts", controller), ("src/app.ts", app)) == {
        ("Users.list", "route", "/"),
        ("Users.show", "route", "/:id"),
        ("<lambda1>", "route", "/in"),
    }


def test_decorators_by_what_they_are_imported_from() -> None:
    nest = "import { Controller, Get as Read } from '@nestjs/common';\n@Controller('a')\nexport class A { @Read('b') b() {} }\n"
    own = "function Controller(path) { return (target) => target; }\n@Controller('a')\nclass B {}\n"
    assert entries(("src/a.ts", nest)) == {("A", "route", "Controller('a')"), ("A.b", "route", "Read('b')")}
    assert not entries(("src/b.ts", own))
