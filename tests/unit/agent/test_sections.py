"""Documents are cut into sections at their headings."""

from __future__ import annotations

from repoquarry.agent.views.truncation import sections_of

RST = """Intro text.

Writing one
===========
A pipeline is a class.

.. code-block:: python

    x = 1

`name`
------
Default: 4.
"""
MARKDOWN = """# Shop

Text.

```python
# no heading
```
## Place an order
Call it.
"""


def test_restructured_text() -> None:
    found = sections_of("r", "docs/a.rst", RST)
    assert [(part.start, part.end, part.heading) for part in found] == [
        (1, 2, ""),
        (3, 10, "Writing one"),
        (11, 14, "`name`"),
    ]


def test_marks_in_blocks_of_code_are_no_headings() -> None:
    found = sections_of("r", "README.md", MARKDOWN)
    assert [part.heading for part in found] == ["Shop", "Place an order"]
    assert found[1].text.startswith("## Place an order\nCall it.")


def test_a_text_without_headings_is_one_section() -> None:
    (whole,) = sections_of("r", "a.txt", "one\ntwo")
    assert (whole.start, whole.end, whole.heading) == (1, 2, "")
