"""Headings, summaries and encodings of prose."""

import pytest

from repoquarry.ingest.files.documents import (
    count_lines,
    document_format,
    find_readme,
    first_sentence,
    first_sentences,
    read_document,
)
from repoquarry.languages.source_text import detect_encoding

MARKDOWN = b"""[![build](https://x/y.svg)](https://x)
<p align="center"><img src="logo.png"></p>

# The `Tool` for [people](https://example.org)

![shot](a.png)

**Tool** does one thing. It does it
well.

More text.
"""
RST = b"""
====
Tool
====

.. image:: logo.png
   :alt: logo

A tool that uses :class:`x.Thing` and `links <https://example.org>`_.

Second
------
"""


def test_markdown_has_heading_and_summary() -> None:
    found = read_document("README.md", MARKDOWN)
    assert (found.format, found.heading) == ("markdown", "The Tool for people")
    assert found.summary == "Tool does one thing. It does it well."


def test_restructured_text_has_heading_and_summary() -> None:
    found = read_document("README.rst", RST)
    assert (found.format, found.heading) == ("rst", "Tool")
    assert found.summary is not None
    assert found.summary.endswith("A tool that uses x.Thing and links.")


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("Größe\n".encode(), "utf-8"),
        ("Größe\n".encode("latin-1"), "latin-1"),
        ("Größe\n".encode("utf-16"), "utf-16"),
        ("Größe\n".encode("utf-8-sig"), "utf-8-sig"),
    ],
)
def test_encodings(content: bytes, encoding: str) -> None:
    found = read_document("notes.txt", content)
    assert (detect_encoding(content), found.lines, found.summary) == (encoding, 1, "Größe")


@pytest.mark.parametrize(("content", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2)])
def test_lines(content: bytes, lines: int) -> None:
    assert count_lines(content, "utf-8") == lines


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("README", "text"),
        ("docs/a.md", "markdown"),
        ("a.RST", "rst"),
        ("requirements.txt", None),
        ("CMakeLists.txt", None),
        ("a.py", None),
        ("LICENSE", None),
    ],
)
def test_formats(path: str, expected: str | None) -> None:
    assert document_format(path) == expected


def test_the_readme_is_the_one_in_the_root() -> None:
    assert find_readme(["docs/README.md", "readme.rst", "README.md", "a.md"]) == "README.md"
    assert find_readme(["docs/README.md"]) is None


def test_sentences_are_cut_whole() -> None:
    assert first_sentences("One two. Three four. Five six.", 22) == "One two. Three four."
    assert first_sentences("word " * 20, 12) == "word word w…"


@pytest.mark.parametrize(
    ("docstring", "sentence"),
    [
        ("shop.models\n~~~~~~~~~~~\n\nHolds the orders. More.", "Holds the orders."),
        ("=====\nTitle\n=====\nBody.", "Body."),
        ("Title\n-----", "Title"),
        ("Do it.\n\nArgs:\n-----\n x", "Do it."),
        ("First line\nsecond --- line", "First line second --- line"),
    ],
)
def test_an_underlined_heading_of_a_docstring_is_no_summary(docstring: str, sentence: str) -> None:
    assert first_sentence(docstring) == sentence


WANTED = "Shop sells things over a counter."


SUMMARIZED = {
    "plain": f"# Shop\n\n{WANTED} More.\n",
    "donation": f"# Shop\n\n[![Build](a.svg)](b)\n\nDonate to keep this alive.\n\n{WANTED}\n",
    "donations": f"# Shop\n\nThis project relies on your generous donations.\n\nAvailable as part of Tidelift.\n\n{WANTED}\n",
    "heading": f"# Shop\n\nWhat is it all about?\n=====================\n\n{WANTED}\n",
    "languages": f"# Shop\n\nEnglish | 中文 | Deutsch\n\n{WANTED}\n",
    "notice": f"# Shop\n\n> [!NOTE]\n> We are hiring.\n\n> {WANTED}\n",
    "menu": f"# Shop\n\n- [Install](#install)\n- [Use](#use)\n\n```sh\nnpm install shop\n```\n\n{WANTED}\n",
    "before the first heading": f"<h1>Shop</h1>\n\n{WANTED}\n\n## Install\n\nRun this.\n",
    "code": f"<h1>Shop</h1>\n\n{WANTED}\n\n```\n$ pip install shop\n```\n",
    "introduction of a list": f"# Shop\n\nTo install it:\n\n{WANTED}\n",
}


@pytest.mark.parametrize("text", SUMMARIZED.values(), ids=SUMMARIZED)
def test_summary_says_what_the_subject_is(text: str) -> None:
    summary = read_document("README.md", text.encode()).summary
    assert summary is not None
    assert summary.startswith(WANTED)


def test_summary_is_the_first_paragraph_where_none_is_about_the_subject() -> None:
    assert read_document("README.md", b"# Shop\n\nDonate now.\n\nSee the wiki.\n").summary == "Donate now."
