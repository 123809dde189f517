"""Prose of a README: what a project is, without what decorates the page."""

from __future__ import annotations

import pytest

from repoquarry.languages.readme_prose import extract_prose

_README = """<p align="center">
  <a href="https://shop.example"><img src="logo.png" alt="Shop"></a>
</p>

# Shop

[![Build](https://ci.example/badge.svg)](https://ci.example) ![Coverage](cov.svg)
[Docs](https://docs.example)

<!-- hidden -->
Shop sells <b>things</b> over a [counter](https://counter.example).

```html
<p>kept as it is</p>
```

## Sponsors

![Gold](gold.png) Big Company

### Backers

Many

## Install

    pip install shop

[ci]: https://ci.example
"""


def test_badges_html_comments_and_sponsors_are_no_prose() -> None:
    text = extract_prose(_README)
    assert text.startswith("# Shop\n")
    assert "Shop sells things over a [counter](https://counter.example)." in text
    assert "<p>kept as it is</p>" in text
    assert "## Install\n\n    pip install shop" in text
    for gone in ("badge", "img", "hidden", "Sponsors", "Backers", "Big Company", "Many", "[ci]"):
        assert gone not in text


def test_a_list_of_links_stays_and_a_restructured_image_goes() -> None:
    text = ".. image:: logo.png\n\nShop\n====\n\n|build| |docs|\n\nSells things.\n\n- [Guide](guide.md)\n"
    assert extract_prose(text) == "Shop\n====\n\nSells things.\n\n- [Guide](guide.md)"


@pytest.mark.parametrize("text", ["", "\n\n", "plain text", "x < y and y > z", "a <- b"])
def test_plain_text_is_unchanged(text: str) -> None:
    assert extract_prose(text) == text.strip()


@pytest.mark.parametrize("text", ["<" * 50_000, "[![" * 20_000, "<!--" * 20_000, "![a](" * 20_000, "|a" * 20_000])
def test_long_decorations_take_no_time(text: str) -> None:
    extract_prose(text)
