"""What a formatter decides leaves no trace in a text on one line, and nothing else is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repoquarry.languages.source_text import normalize_layout


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(self, a: int = 1)", "(self, a: int = 1)"),
        ("(\n    self,\n    a: int = 1,\n)", "(self, a: int = 1)"),
        ("(  # type: ignore[override]\n    self, fn: F  # why, oh why\n)", "(self, fn: F)"),
        ("( self, scope: Scope )", "(self, scope: Scope)"),
        ("(a, x=(1,))", "(a, x=(1,))"),
        ("(a, x=(\n1,\n),)", "(a, x=(1,))"),
        ("(a, x=f(\n1,\n),)", "(a, x=f(1))"),
        ("(f: Callable[\n  [int, str],\n  None,\n])", "(f: Callable[[int, str], None])"),
        ('(sep=", )", end="\\", ]")', '(sep=", )", end="\\", ]")'),
        ("(a='#', b=1)", "(a='#', b=1)"),
        ("(*, a, /, **k)", "(*, a, /, **k)"),
        ("()", "()"),
        ("( )", "()"),
        ("(\n)", "()"),
        ("str", "str"),
        ("dict[str,\n     int]", "dict[str, int]"),
        ("(a,b , c)", "(a, b, c)"),
        ("(a: int|None, b: int | None)", "(a: int|None, b: int | None)"),
        ("(a, \\\n    b: C[int, \\\r\n      str])", "(a, b: C[int, str])"),
        ("(x=lambda: {\n'a': 1,\n})", "(x=lambda: {'a': 1})"),
    ],
)
def test_layout_of_python(written: str, expected: str) -> None:
    assert normalize_layout(written, "#") == expected
    assert normalize_layout(expected, "#") == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(\n  final int a, // the first\n  String... b /* rest */\n)", "(final int a, String... b)"),
        ("(a = `x,\n )`, b = '//')", "(a = `x,\n )`, b = '//')"),
        ("({ a, b }: Props)", "({a, b}: Props)"),
        ("({\n  a,\n  b,\n}: Props)", "({a, b}: Props)"),
        ("<T,\n U>(a: Map<T, U>) => void", "<T, U>(a: Map<T, U>) => void"),
    ],
)
def test_layout_of_languages_with_braces(written: str, expected: str) -> None:
    assert normalize_layout(written, "//") == expected


_PIECES = [
    "a",
    "b1",
    "é",
    "*",
    "=",
    ":",
    ".",
    "/",
    "->",
    *"()[]{}",
    *"\"'`\\#",
    " ",
    " ",
    ",",
    ", ",
    ", ",
    "\n",
    "'( '",
    '"x  y"',
    "\u3000",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=12), st.sampled_from(["#", "//"]))
def test_what_is_laid_out_already_is_read_as_anything_else(pieces: list[str], line_comment: str) -> None:
    text = "".join(pieces)
    assert normalize_layout(text, line_comment) == normalize_layout(f"{text} ", line_comment)


@pytest.mark.parametrize("broken", ["(((", ")))", ",", ",,)", "'", '"""', "/*", "# ", " ", ""])
def test_broken_text_gives_a_text(broken: str) -> None:
    assert isinstance(normalize_layout(broken, "#"), str)
    assert isinstance(normalize_layout(broken, "//"), str)
