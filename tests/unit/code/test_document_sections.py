"""Sections of documentation that answer a question: headings, blocks, and the block that is quoted."""

import pytest

from repoquarry.code.excerpts import document_sections
from repoquarry.code.excerpts.document_sections import split_blocks, split_sections

RST = """\
Handling Data
-------------

Let's look at some ways.

Inserting data
..............

You can insert a document.

.. note:: A document with a known ID ends in a ``ValueError``.

Updating data
.............

Update several documents at once with ``update_multiple``::

    db.update_multiple([1, 2])

>>> db.update({'foo': 'bar'})
"""
MARKDOWN = """\
Tool [Build](https://example.org/a-long-address-of-a-badge)
====

Text without a heading of its own.

### `timeout`

Type: `number`
Default: `10000`

```js
// # no heading
tool({timeout: 5})
```
"""


def titles(text: str) -> list[tuple[str, int]]:
    return [(section.title, section.line) for section in split_sections("shop", "a.md", text)]


def test_headings_of_both_markups_are_sections() -> None:
    assert titles(RST) == [("Handling Data", 1), ("Inserting data", 6), ("Updating data", 13)]
    assert titles(MARKDOWN) == [("Tool Build", 1), ("timeout", 6)]


@pytest.mark.parametrize("text", ["", "no heading at all", "...\n...\n", "# only a title"])
def test_a_document_without_sections_has_none(text: str) -> None:
    assert titles(text) == []


def test_paragraphs_and_code_are_blocks_with_their_share() -> None:
    weights = {"updat": 1.0, "multipl": 1.0}
    *_, section = split_sections("shop", "a.md", RST)
    blocks = list(split_blocks(section, set(), weights, is_value=False))
    assert [block.is_code for block in blocks if block.text.strip()][-2:] == [True, True]
    assert "db.update_multiple" in "".join(block.text for block in blocks)


def test_a_default_outweighs_other_paragraphs() -> None:
    *_, section = split_sections("shop", "a.md", MARKDOWN)
    best = max(split_blocks(section, {"timeout"}, {"timeout": 1.0}, is_value=True), key=lambda block: block.share)
    assert "Default: `10000`" in best.text


def test_documents_of_tests_are_no_documentation() -> None:
    assert document_sections._TEST_FOLDERS.isdisjoint(("docs", "doc", "guide"))
