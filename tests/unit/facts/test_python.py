"""Facts of Python sources: definitions, decorators, long chains of calls, and their keys."""

from __future__ import annotations

import time
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.languages.facts import Decorator, Definition, FileFacts, TextPool
from repoquarry.languages.python import extract
from repoquarry.languages.registry import UnknownLanguageError, is_source, known_languages, language_for
from tests.steps import steps

SOURCE = '''\
"""Module text."""
import os, a.b as c
from .pkg import (x as y, z)
from star import *

__all__ = ["Outer", "f"]


@decorate(1)
async def f(self, a, /, b: int = 3, *args, key=None, **kw) -> str:
    """One.

    Two.
    """
    if a:
        for _ in b:
            g()
    elif b:
        o.h()()
    return lambda q: q


class Outer(Base, metaclass=M):
    class Inner:
        def method(self):
            yield 1

    def method(self): ...
    def method(self): ...


if __name__ == "__main__":
    from late import w
'''


def test_definitions() -> None:
    facts = extract("src/mod.py", SOURCE.encode())
    assert [(one.key, one.kind, one.parent) for one in facts.definitions] == [
        ("f", "function", ""),
        ("f.<lambda1>", "lambda", "f"),
        ("Outer", "class", ""),
        ("Outer.Inner", "class", "Outer"),
        ("Outer.Inner.method", "method", "Outer.Inner"),
        ("Outer.method", "method", "Outer"),
        ("Outer.method#2", "method", "Outer"),
    ]
    f = facts.definitions[0]
    assert (f.start_line, f.name_line, f.end_line) == (9, 10, 20)
    assert f.signature == "(self, a, /, b: int = 3, *args, key=None, **kw) -> str"
    assert (f.docstring, f.decorators, f.branches, f.calls, f.is_async) == (
        "One.\n\nTwo.",
        (Decorator("decorate(1)", "decorate", "1"),),
        3,
        4 - 1,
        True,
    )
    assert facts.definitions[2].bases == ("Base",)
    assert facts.definitions[4].is_generator
    assert (facts.docstring, facts.loc, facts.branches, facts.deepest_indent) == ("Module text.", 33, 4, 8)
    assert facts.exports == ("Outer", "f")
    assert facts.entry_points == (("main", '__name__ == "__main__"', 32),)
    assert facts.parse_errors == ()


def test_imports() -> None:
    imports = extract("mod.py", SOURCE.encode()).imports
    assert [
        (one.module, one.name, one.alias, one.level, one.line, one.at_module_level, one.how) for one in imports
    ] == [
        ("os", "", "", 0, 2, True, "import"),
        ("a.b", "", "c", 0, 2, True, "import"),
        ("pkg", "x", "y", 1, 3, True, "from"),
        ("pkg", "z", "", 1, 3, True, "from"),
        ("star", "*", "", 0, 4, True, "star"),
        ("late", "w", "", 0, 33, False, "from"),
    ]


@pytest.mark.parametrize(
    ("source", "encoding", "keys"),
    [
        (b"", "utf-8", []),
        (b"# -*- coding: latin-1 -*-\ndef f():\n    '\xe9'\n", "latin-1", ["f"]),
        ("def f(): pass\n".encode("utf-16"), "utf-16", ["f"]),
        (b"\xef\xbb\xbfdef f(): pass\n", "utf-8-sig", ["f"]),
        ("def größe(): pass\n".encode(), "utf-8", ["größe"]),
    ],
)
def test_encodings(source: bytes, encoding: str, keys: list[str]) -> None:
    facts = extract("a.py", source)
    assert (facts.encoding, [one.key for one in facts.definitions], facts.parse_errors) == (encoding, keys, ())


def test_names_imported_by_one_statement_stand_where_it_stands() -> None:
    source = (
        "import a, b.c, d as e\nif a:\n    import f, g\nfrom h import (i, j as k)\ndef l():\n    from m import n, o\n"
    )
    imports = extract("mod.py", source.encode()).imports
    assert [one.at_module_level for one in imports] == [*[True] * 3, *[False] * 2, *[True] * 2, *[False] * 2]
    assert {type(one.at_module_level) for one in imports} == {bool}


def test_a_lying_encoding_is_recorded() -> None:
    facts = extract("a.py", b"def f():\n    '\xe9'\n")
    assert [one.key for one in facts.definitions] == ["f"]
    assert facts.parse_errors[0].message == "cannot be decoded as utf-8; read as latin-1"


def test_a_syntax_error_leaves_the_rest() -> None:
    facts = extract(
        "a.py", b"def f():\n    return 1\n\ndef broken(:\n    pass\n\nclass C:\n    def m(self):\n        f()\n"
    )
    assert {"f", "C", "C.m"} <= {one.key for one in facts.definitions}
    assert facts.parse_errors[0].line == 4


def test_python_2_does_not_count_as_parsed() -> None:
    assert extract("a.py", b"print 'x'\n").parse_errors[0].message == "Python 2: print without brackets"


@pytest.mark.parametrize(
    "source",
    [b"x = " + b"(" * 4000 + b")" * 4000, b"x = 1" + b" + 1" * 8000, b"a" + b".b()" * 8000],
    ids=["brackets", "sum", "chain"],
)
def test_deep_nesting_is_read_to_the_end(source: bytes) -> None:
    facts = extract("a.py", source + b"\ndef after(): pass\n")
    assert [one.key for one in facts.definitions] == ["after"]


@pytest.mark.parametrize(
    "source",
    [
        "f(a,@b)\n",
        "f(@a, key=@b)\n",
        "x.split(@'.', 1)\n",
        "cast(@'A', b)\n",
        "isinstance(a,@A) and a.b()\n",
        "x = [a,@b]\n",
        "x[a,@b] = c[@d]\n",
        "a,@b = c,@d\n",
        "x = a if b@else c\n",
        "x = (@a)\n",
        "x = [a for a in@b if a]\n",
        "with a as b,@c as d:\n    d()\n",
        "with (@a, b):\n    b()\n",
        "def f(a,@b: dict[str,@int]) -> Literal[@'x']:\n    return@a\n",
        "def f():\n    raise@A()\n",
        "class A(B,@C[int],@metaclass=D):\n    pass\n",
        "match a:\n    case B(x,@y=z):\n        z()\n    case [x,@y] | {'k':@y}:\n        y()\n",
        "for a in@b:\n    a()\n",
        "type A =@b\n",
    ],
)
def test_lines_that_go_on_mean_what_one_line_means(source: str) -> None:
    far = "\n" * 5_000  # so that lines differ from all other numbers
    said = extract("a.py", (far + source.replace("@", " ")).encode())
    wrapped = [source.replace("@", " \\\n  ")]
    if "@" in source.partition("(")[2] and source.count("(") == 1 and source.endswith(")\n"):
        wrapped.append(source.replace("@", "  # why\n  "))
    for text in wrapped:
        found = extract("a.py", (far + text).encode())
        assert found.parse_errors == ()
        assert _without_lines(found) == _without_lines(said)


def _without_lines(facts: FileFacts) -> object:
    code = [0 if number > 5_000 else number for number in array("i", facts.graph.code)]
    definitions = [(one.key, one.bases, one.signature, one.calls) for one in facts.definitions]
    return code, facts.graph.roots, facts.graph.symbols.texts(), facts.graph.functions, definitions


@given(
    st.binary(max_size=200)
    | st.text(alphabet="defclass ():\n\tx=.,[]{}*@'\"lambdaifor#\\", max_size=200).map(str.encode)
)
@settings(max_examples=200, deadline=None)
def test_no_input_makes_it_fail(source: bytes) -> None:
    assert extract("a.py", source).path == "a.py"


def test_the_table_of_languages() -> None:
    assert "python" in known_languages()
    assert is_source("a/b.py")
    assert not is_source("a/b.xyz")
    assert not is_source(".py")
    assert language_for("x.pyi").name == "python"
    with pytest.raises(UnknownLanguageError, match="known suffixes"):
        language_for("x.xyz")


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


def chain(head: str, link: str, tail: str, count: int) -> str:
    return head + "".join(link.format(n=number) for number in range(count)) + tail


CHAINS = {
    "elif": ("if x == 0:\n    y = 0\n", "elif x == {n}:\n    y = {n}\n", "else:\n    y = 1\n"),
    "elif in a function": ("def f(x):\n    if x:\n        pass\n", "    elif x == {n}:\n        g{n}()\n", ""),
    "and": ("x = a", " and a{n}", "\n"),
    "or": ("if a", " or isinstance(a, T{n})", ":\n    pass\n"),
    "not and": ("while a", " and not a{n}", ":\n    pass\n"),
    "plus": ("x = a", " + a{n}", "\n"),
    "attributes": ("x = a", ".a{n}", "\n"),
    "calls": ("x = a", ".a{n}()", "\n"),
    "subscripts": ("x = a", "[{n}]", "\n"),
    "dictionary": ("x = {", "'k{n}': v{n}, ", "}\n"),
    "strings": ("x = (", "'{n}' ", ")\n"),
    "comparison": ("x = a", " < a{n}", "\n"),
    "conditional": ("x = ", "{n} if a{n} else ", "0\n"),
    "except": ("try:\n    f()\n", "except E{n}:\n    g{n}()\n", ""),
    "cases": ("match x:\n", "    case {n}:\n        g{n}()\n", ""),
    "union": ("x: A", " | A{n}", " = 1\n"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_eight_times_the_links_take_no_more_than_some_eight_times_the_steps(name: str) -> None:
    """Sixty-four times would be quadratic."""

    def count(links: int) -> int:
        source = chain(*CHAINS[name], links).encode()
        return steps(lambda: extract("m.py", source))

    assert count(1_200) < 10 * count(150)


def test_an_elif_chain_of_twenty_thousand() -> None:
    started = time.process_time()
    extract("m.py", chain(*CHAINS["elif"], 20_000).encode())
    assert time.process_time() - started < 15


@pytest.mark.parametrize("texts", [(), ("",), ("a", "", "längste", "名前", "\ud800", "𝔸b", "a\nb")])
def test_texts_come_back(texts: tuple[str, ...]) -> None:
    laid_out = TextPool.of(texts)
    assert laid_out.texts() == texts
    assert len(laid_out.counts) == 4 * len(texts)
