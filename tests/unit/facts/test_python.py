"""Facts of Python sources: definitions, decorators, long chains of calls, and their keys."""

import time
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.languages.facts import FileFacts, TextPool
from repoquarry.languages.python import extract
from repoquarry.languages.registry import UnknownLanguageError, is_source, known_languages, language_for
from tests.steps import steps


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


def test_a_lying_encoding_is_recorded() -> None:
    facts = extract("a.py", b"def f():\n    '\xe9'\n")
    assert [one.key for one in facts.definitions] == ["f"]
    assert facts.parse_errors[0].message == "cannot be decoded as utf-8; read as latin-1"


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
def test_continued_lines_equal_one_line(source: str) -> None:
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
def test_steps_grow_linearly_with_links(name: str) -> None:
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
