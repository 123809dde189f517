"""The words of files as the native library counts them, compared with the same in Python."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.graphstore.search.index import term_extraction
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.term_extraction import count_terms
from repoquarry.graphstore.search.text_analysis import TokenizerError
from tests.oracle.tokenizer import texts as oracle

FRAGMENTS = (
    *'"\'`\\%{}$()[]<>#=.,;:!?|-_+\n\r\t \0\x0b\x1c\x85\xa0',
    "def getHTTPResponse_v2(self):\n", "class Outer:\n", "    return 'could not open %s for reading'\n", '"""Opens the file.', '"""\n',
    "# a comment above\n", "x-forwarded-for", "--collect-only", "non-", "-", "ABCdef", "XMLHttp", "A", "aB", "9lives", "__init__",
    "${name} was not", "%(name)5.2f ", "%-10s", "%d%", "\\n", "\\", "\\\n", "{0!r}", "{{", "}}", "the and of", "running runs ran",
    "été-naïve", "İstanbul", "straße", "日本語 テキスト", "٣٤٥", "²³ Ⅷ", "e\u0301a", "ǅ", "\u200d", "\ufeff", "\ud800", "\udfff", "😀", "𝔘nicode",
    "a" * 128, "b" * 129, "é" * 128, "ü" * 129, "Ab" * 64 + "c", "w " * 30, "'" + "long text " * 41 + "'", "'" + "x y" * 133 + "z'",
)  # fmt: skip
CODE = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=40).map("".join)
PATHS = st.sampled_from(
    (
        "pkg/some_module.py",
        "src/näme-x.test.ts",
        "README",
        "a.b.c.md",
        ".hidden",
        "",
        "docs/日本.rst",
        "Main.java",
        "\ud800.py",
    )
)
KEYS = st.lists(
    st.sampled_from(
        ("Outer", "run", "getValue", "<lambda>", "été", "", "a b", "x\ny", "operator+", "#2", "日本", "b" * 129)
    ),
    min_size=1,
    max_size=4,
).map(".".join)
SUMMARIES = st.sampled_from(("", "Opens the file.", "a comment above", "was not…", "été"))


@st.composite
def standings(draw: st.DrawFn, text: str) -> DefinitionSpans:
    """Any standing in a text; what holds what need not fit the lines."""
    lines = text.count("\n") + 1
    count = draw(st.integers(0, 6))
    starts = draw(st.lists(st.integers(1, lines), min_size=count, max_size=count))
    ends = [draw(st.integers(start, lines)) for start in starts]
    parents = [draw(st.integers(0, place)) for place in range(count)]
    some = partial(st.lists, min_size=count, max_size=count)
    return standing(
        draw(PATHS), draw(some(KEYS)), draw(some(SUMMARIES)), starts, ends, parents, draw(some(st.integers(0, 1)))
    )


def standing(
    path: str, keys: Sequence[str] = (), summaries: Sequence[str] = (), *rows: Sequence[int]
) -> DefinitionSpans:
    columns = [np.array(row, np.int32) for row in (rows or ((),) * 4)]
    return DefinitionSpans(path, keys, summaries, *columns)


def same(where: DefinitionSpans, text: str | None) -> None:
    found, wanted = term_extraction.count_file_terms(where, text), oracle.read_texts(where, text)
    for field in term_extraction.FileTerms.__struct_fields__:
        assert getattr(found, field) == getattr(wanted, field), field
    assert found.encode() == wanted.encode()


@given(data=st.data(), text=CODE)
@settings(max_examples=400)
def test_any_text_is_counted_as_in_python(data: st.DataObject, text: str) -> None:
    same(data.draw(standings(text)), text)


@given(text=st.text(st.characters(codec=None), max_size=60))
@settings(max_examples=300)
def test_any_characters_are_counted_as_in_python(text: str) -> None:
    same(standing("a.py"), text)


@pytest.mark.parametrize("block", range(0, 0x110000, 0x8000))
def test_letters_are_those_of_python(block: int) -> None:
    # each alone, then as one word with letters around it, then in a literal
    characters = "".join(map(chr, range(block, block + 0x8000)))
    same(standing("a.py"), " ".join(characters))
    same(standing("a.py"), "\n".join(f"a{one}B '{one} said {one}x'" for one in characters[::7]))


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "\n",
        "word",
        "one two\r\nthree four\r\n",
        "x" * 1_000_000,
        "some words " * 50_000,
        "getHTTPResponse " * 3 + "\n" * 70_000 + "é",
        "'" * 5_000,
        '"' + "\\" * 5_001 + '"',
        "'a" * 3_000,
        "{" * 5_000 + "'" + "{ " * 150 + "'",
        "'" + "% " * 150 + "%'",
        "a-" * 5_000,
    ],
    ids=lambda text: repr(text)[:20],
)
def test_texts_at_the_edge_are_counted_as_in_python(text: str | None) -> None:
    same(standing("pkg/some_module.py", ["Outer", "Outer.run"], ["", ""], [1, 1], [1, 1], [0, 1], [1, 1]), text)


@pytest.mark.parametrize("quote", "\"'`")
@pytest.mark.parametrize("length", [7, 8, 9, 399, 400, 401])
@pytest.mark.parametrize("item", ["a", "\\'", '\\"', "\\`", "\\é", "日"])
def test_literals_end_where_the_pattern_ends_them(quote: str, length: int, item: str) -> None:
    said = " no number" + item * (length - 10) if length > 10 else "no a" + item * (length - 4)
    same(standing("a.py"), f"x = {quote}{said}{quote} + {quote}and another message{quote}")


def test_functions_hold_what_is_said_in_functions_in_them() -> None:
    # run in work in Outer: what inner says is of both, what they say is not of the class
    text = "class Outer:\n    def work():\n        first\n        def run():\n            second\n"
    keys, parents, functions = ["Outer", "Outer.work", "Outer.work.run"], [0, 1, 2], [0, 1, 1]
    where = standing("a.py", keys, [""] * 3, [1, 2, 4], [5, 5, 5], parents, functions)
    same(where, text)
    found = term_extraction.count_file_terms(where, text)
    terms = np.frombuffer(found.terms, np.uint64).tolist()
    rows = np.frombuffer(found.body, np.int32).reshape(4, -1).T.tolist()
    second = terms.index(oracle.digest("second"))
    assert [place for place, term, _, _ in rows if term == second] == [2, 3]


def test_what_points_outside_the_file_is_refused() -> None:
    text, good = "one\ntwo\n", np.zeros(3, np.int32)
    documented = np.zeros(3, np.bool_)
    count_terms(standing("a.py"), text, good, documented)
    for owners in (good[:2], np.zeros(4, np.int32), good + 1, good - 1):
        with pytest.raises(TokenizerError, match="damaged"):
            count_terms(standing("a.py"), text, owners, np.zeros(len(owners), np.bool_))
    for parents in ([2, 1], [0, 7], [-1, 0]):  # the first is a circle
        where = standing("a.py", ["f", "g"], ["", ""], [1, 1], [2, 2], parents, [1, 1])
        with pytest.raises(TokenizerError, match="damaged"):
            count_terms(where, text, good, documented)
