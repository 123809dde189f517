"""Entry points of Python and JavaScript repositories."""

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.javascript.extractor import extract as extract_javascript
from repoquarry.languages.python import extract


def resolved(**files: str) -> Resolution:
    """The files by path, with `__` for `/` and without suffix; `package__` is its `__init__`."""
    return resolve([extract(_path(name), text.encode()) for name, text in files.items()])


def _path(name: str) -> str:
    return name.replace("__", "/") + ("__init__.py" if name.endswith("__") else ".py")


def entries(resolution: Resolution) -> set[tuple[str, str, str]]:
    return {(resolution.symbols[one.target].key, one.kind, one.name) for one in resolution.entry_points}


def references(resolution: Resolution, how: str) -> set[tuple[str, str]]:
    def shown(number: int) -> str:
        return resolution.externals[~number] if number < 0 else resolution.symbols[number].key

    return {(shown(one.source), shown(one.target)) for one in resolution.references if one.how == how}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import flask\napp = flask.Flask('x')\n@app.route('/')\ndef f(): pass\n", ("route", "app.route('/')")),
        ("from flask import Blueprint as B\nb = B('b')\n@b.get('/')\ndef f(): pass\n", ("route", "b.get('/')")),
        ("import flask\nclass A(flask.Flask): pass\napp = A()\n@app.route('/')\ndef f(): pass\n", ("route", "app.route('/')")),
        ("from fastapi import FastAPI\napp = FastAPI()\n@app.post('/x')\nasync def f(): pass\n", ("route", "app.post('/x')")),
        ("import click as c\n@c.command()\n@c.option('--x')\ndef f(): pass\n", ("command", "c.command()")),
        ("import click\n@click.group()\ndef cli(): pass\n@cli.command('go')\ndef f(): pass\n", ("command", "cli.command('go')")),
        ("import flask\napp = flask.Flask('x')\n@app.cli.command()\ndef f(): pass\n", ("command", "app.cli.command()")),
        ("import typer\napp = typer.Typer()\n@app.command()\ndef f(): pass\n", ("command", "app.command()")),
        ("from celery import shared_task\n@shared_task\ndef f(): pass\n", ("hook", "shared_task")),
        ("from celery import Celery\napp = Celery()\n@app.task(bind=True)\ndef f(): pass\n", ("hook", "app.task(bind=True)")),
        ("import pytest\n@pytest.fixture\ndef f(): pass\n", ("fixture", "pytest.fixture")),
        ("from django.dispatch import receiver\n@receiver(x)\ndef f(): pass\n", ("signal", "receiver(x)")),
        ("from django.contrib import admin\n@admin.register(M)\nclass f: pass\n", ("hook", "admin.register(M)")),
        ("from django import template\nregister = template.Library()\n@register.filter\ndef f(): pass\n", ("hook", "register.filter")),
    ],
)  # fmt: skip
def test_a_decorator_of_a_framework_makes_an_entry_point(source: str, expected: tuple[str, str]) -> None:
    assert ("f", *expected) in entries(resolved(app=source))


@pytest.mark.parametrize(
    "source",
    [
        "from unittest import mock\n@mock.patch('a.b')\ndef f(): pass\n",
        "import mock\n@mock.patch('a.b')\ndef f(): pass\n",
        "class Router:\n    def get(self, path):\n        return lambda g: g\nr = Router()\n@r.get('/')\ndef f(): pass\n",
        "from functools import singledispatch\n@singledispatch\ndef g(x): pass\n@g.register\ndef f(x: int): pass\n",
        "def task(g): return g\n@task\ndef f(): pass\n",
        "import requests\ndef f(): pass\nrequests.get('/', f)\nsocket.connect(f)\n",
        "@unknown.route('/')\ndef f(): pass\n",
    ],
)
def test_a_name_alone_makes_none(source: str) -> None:
    assert not {entry for entry in entries(resolved(app=source)) if entry[0] == "f"}


def test_a_framework_is_the_same_when_it_is_the_repository() -> None:
    flask = "class Scaffold:\n    def route(self, rule):\n        def decorate(f): return f\n        return decorate\n"
    package = "from .scaffold import Scaffold\nclass Flask(Scaffold): pass\n"
    app = "from flask import Flask\napp = Flask()\n@app.route('/')\ndef f(): pass\n"
    found = resolved(flask__=package, flask__scaffold=flask, examples__app=app)
    assert ("f", "route", "app.route('/')") in entries(found)


def test_commands_of_a_group_in_another_file() -> None:
    cli = "import click\n@click.group()\ndef cli(): pass\n"
    found = resolved(shop__="", shop__cli=cli, shop__run="from .cli import cli\n@cli.command()\ndef f(): pass\n")
    assert ("f", "command", "cli.command()") in entries(found)


def test_django_itself_makes_its_functions_by_partial() -> None:
    conf = (
        "from functools import partial\ndef _path(route, view, Pattern=None): pass\npath = partial(_path, Pattern=1)\n"
    )
    files = "class FieldFile:\n    def path(self, view): pass\ndef upload(): pass\nFieldFile().path(upload)\n"
    urls = "from django.urls import path\ndef f(r): pass\nurlpatterns = [path('x/', f)]\n"
    package = "from .conf import path\n"
    found = resolved(
        django__="", django__urls__=package, django__urls__conf=conf, django__files=files, tests__urls=urls
    )
    assert entries(found) == {("f", "route", "x/")}


def test_a_view_that_nothing_in_the_program_asks_for_is_found_once_all_is_solved() -> None:
    found = resolved(
        app__="",
        app__views=(
            "class Box: pass\ndef shown(request): return request\n"
            "box = Box()\nbox.first = shown\nname = box.first\nother = name or box.first\n"
        ),
        app__urls="from django.urls import path\nurlpatterns = [path('/a', 'app.views.other')]\n",
        app__main="def f(x): return x\n" + "".join(f"def g{at}(x): return f(g{at})\n" for at in range(40)),
    )
    assert ("shown", "route", "/a") in entries(found)


def test_a_wrapped_view_is_the_one_that_is_wrapped_here() -> None:
    source = (
        "import functools\nfrom django.urls import path\n"
        "def wrap(view):\n    def inner(r): return view(r)\n    return functools.update_wrapper(inner, view)\n"
        "def a(r): pass\ndef b(r): pass\ndef made():\n    def inner(r): pass\n    return inner\n"
        "urlpatterns = [path('a/', wrap(a)), path('b/', wrap(b)), path('c/', made())]\n"
    )
    expected = {("a", "route", "a/"), ("b", "route", "b/"), ("made.inner", "route", "c/")}
    assert entries(resolved(app=source)) == expected


DJANGO = {
    "shop__": "",
    "shop__views": "from django.views import View\ndef index(r): pass\ndef old(r): pass\ndef safe(r): pass\nclass Detail(View): pass\n",
    "shop__urls": (
        "from django.contrib.auth.decorators import login_required\n"
        "from django.urls import include, path, re_path\n"
        "from . import views\nfrom .views import Detail\n"
        "urlpatterns = [\n"
        "    path('', views.index, name='index'),\n"
        "    re_path(r'^d/$', view=Detail.as_view()),\n"
        "    path('old/', 'shop.views.old'),\n"
        "    path('safe/', login_required(views.safe)),\n"
        "    path('more/', include('shop.more')),\n"
        "]\n"
    ),
    "shop__more": "urlpatterns = []\n",
    "shop__signals": (
        "from django.db.models.signals import post_save\nfrom django.dispatch import receiver\n"
        "def saved(sender, **kw): pass\npost_save.connect(saved, sender=None)\n"
        "@receiver(post_save)\ndef seen(sender, **kw): pass\n"
    ),
}


def test_django_routes_and_signals() -> None:
    found = resolved(**DJANGO)
    assert entries(found) == {
        ("index", "route", "path"),
        ("Detail", "route", "^d/$"),
        ("old", "route", "old/"),
        ("safe", "route", "safe/"),
        ("saved", "signal", "connect"),
        ("seen", "signal", "receiver(post_save)"),
    }
    assert {("", "index"), ("", "Detail"), ("", "old"), ("", "safe"), ("", "saved")} <= references(found, "handler")
    dynamic = [(edge.source, edge.target) for edge in found.imports if edge.how == "dynamic"]
    assert [[found.symbols[end].path for end in edge] for edge in dynamic] == [["shop/urls.py", "shop/more.py"]]


RAISING = """
import json
from functools import wraps


class Broken(Exception):
    pass


def logged(f):
    @wraps(f)
    def inner(): pass
    return inner


@logged
def one():
    raise Broken("x") from None


class Two:
    @property
    def two(self):
        if self:
            raise ValueError("x")
        raise json.JSONDecodeError

    def three(self):
        try:
            pass
        except Broken as error:
            raise error


raise Broken
"""


def test_what_is_raised_and_applied_is_a_reference() -> None:
    found = resolved(app=RAISING)
    assert references(found, "raises") == {
        ("one", "Broken"),
        ("Two.two", "builtins.ValueError"),
        ("Two.two", "json.JSONDecodeError"),
        ("Two.three", "Broken"),
        ("", "Broken"),
    }
    assert references(found, "decorator") == {
        ("logged.inner", "functools.wraps"),
        ("one", "logged"),
        ("Two.two", "builtins.property"),
    }


F = "function f(q, r) {}\n"


def javascript_entries(*files: tuple[str, str]) -> set[tuple[str, str, str]]:
    found = resolve([extract_javascript(path, text.encode()) for path, text in files])
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
    assert ("f", *expected) in javascript_entries(("src/app.js", F + source))


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
def test_a_name_alone_makes_none_in_javascript(source: str) -> None:
    assert not javascript_entries(("src/app.js", F + source))


def test_routers_of_other_files_and_those_that_are_passed() -> None:
    found = javascript_entries(
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
    assert javascript_entries(("src/users.ts", controller), ("src/app.ts", app)) == {
        ("Users.list", "route", "/"),
        ("Users.show", "route", "/:id"),
        ("<lambda1>", "route", "/in"),
    }


def test_decorators_by_what_they_are_imported_from() -> None:
    nest = "import { Controller, Get as Read } from '@nestjs/common';\n@Controller('a')\nexport class A { @Read('b') b() {} }\n"
    own = "function Controller(path) { return (target) => target; }\n@Controller('a')\nclass B {}\n"
    assert javascript_entries(("src/a.ts", nest)) == {("A", "route", "Controller('a')"), ("A.b", "route", "Read('b')")}
    assert not javascript_entries(("src/b.ts", own))
