"""Decorators as records, and `@overload` stubs, which belong to their implementation."""

from __future__ import annotations

import pytest

from repoquarry.languages.facts import Decorator, Definition
from repoquarry.languages.python import extract

IMPORTS = """\
import typing as t
import unittest.mock
from typing import overload as variant
from ..compat import overload
from . import marks
from flask import Flask
"""


def definitions(source: str, path: str = "pkg/mod.py") -> list[Definition]:
    facts = extract(path, source.encode())
    assert facts.parse_errors == ()
    return list(facts.definitions)


@pytest.mark.parametrize(
    ("written", "dotted", "arguments"),
    [
        ("t.overload", "typing.overload", None),
        ("variant", "typing.overload", None),
        ("overload", "..compat.overload", None),
        ("marks.slow", ".marks.slow", None),
        ("unittest.mock.patch('a.b')", "unittest.mock.patch", "'a.b'"),
        ("Flask( __name__ ).route", "", None),
        ("app.route(\n    '/x',\n    methods=[1]\n)", "app.route", "'/x', methods=[1]"),
        ("local()", "local", ""),
        ("table[0]", "", None),
    ],
)
def test_a_decorator_is_known_by_what_the_file_imports(written: str, dotted: str, arguments: str | None) -> None:
    decorator = definitions(f"{IMPORTS}@{written}\ndef f(): pass\n")[0].decorators[0]
    assert decorator == Decorator(" ".join(written.split()), dotted, arguments)


OVERLOADED = '''
class Request:
    @t.overload
    def replace(self, url: int) -> int: ...

    @t.overload
    def replace(self, url: str) -> str: ...

    def replace(self, url):
        """Replaces."""
        def inner(): return url
        return inner()
'''


def test_stubs_have_the_definition_of_their_implementation() -> None:
    found = definitions(IMPORTS + OVERLOADED)
    assert [one.key for one in found] == ["Request", "Request.replace", "Request.replace.inner"]
    replace = found[1]
    assert (replace.start_line, replace.name_line, replace.end_line) == (15, 15, 18)
    assert (replace.signature, replace.docstring) == ("(self, url)", "Replaces.")
    assert replace.overloads == ("(self, url: int) -> int", "(self, url: str) -> str")
    assert replace.decorators == ()
    assert found[2].parent == "Request.replace"


def test_without_an_implementation_the_stubs_are_one_definition() -> None:
    found = definitions(IMPORTS + OVERLOADED[: OVERLOADED.index("    def replace(self, url):")], "pkg/mod.pyi")
    assert [one.key for one in found] == ["Request", "Request.replace"]
    assert (found[1].start_line, found[1].name_line, found[1].end_line) == (9, 10, 13)
    assert found[1].signature == "(self, url: int) -> int"
    assert len(found[1].overloads) == 2


@pytest.mark.parametrize(
    "source",
    [
        "from typing import *\nimport numba\n@numba.overload(len)\ndef f(x):\n    return 1\n",
        "from numba.extending import overload\n@overload\ndef f(x):\n    return 1\n",
        "class C:\n    @property\n    def f(self): return 1\n    @f.setter\n    def f(self, x): self.x = x\n",
        "from functools import singledispatch\n@singledispatch\ndef g(x): ...\n@g.register\ndef f(x: int): ...\n",
    ],
)
def test_what_only_looks_like_a_stub_stays_a_definition(source: str) -> None:
    found = definitions(source + "def f(x):\n    return 2\n")
    assert sum(one.name == "f" for one in found) == source.count("def f(") + 1
    assert all(one.overloads == () for one in found)


def test_an_implementation_may_stand_in_another_branch_and_each_scope_has_its_own() -> None:
    source = IMPORTS + (
        "if t.TYPE_CHECKING:\n    @variant\n    def f(x: int) -> int: ...\n    @variant\n    def f(x: str) -> str: ...\n"
        "else:\n    def f(x): return x\n"
        "class C:\n    @variant\n    def f(self, x: int): ...\n    def f(self, x): return x\n"
        "@overload\ndef g(): ...\n@overload\ndef h(): ...\ndef h(): return 1\ndef g(): return 1\ndef g(): return 2\n"
    )
    found = {one.key: len(one.overloads) for one in definitions(source)}
    assert found == {"f": 2, "C": 0, "C.f": 1, "g": 1, "h": 1, "g#2": 0}
