"""Prose of a README: what a project is, without what decorates the page."""

import pytest

from repoquarry.languages.readme_prose import extract_prose, select_sections

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


def test_lists_of_links_stay_and_images_are_removed() -> None:
    text = ".. image:: logo.png\n\nShop\n====\n\n|build| |docs|\n\nSells things.\n\n- [Guide](guide.md)\n"
    assert extract_prose(text) == "Shop\n====\n\nSells things.\n\n- [Guide](guide.md)"


def test_sponsors_and_links_in_html_are_no_prose() -> None:
    text = (
        '<h3 align="center"> Gold sponsors <br></h3>\n<p>Shop sells things.</p>\n<p>\n  <a href="https://shop.example"><b>Website</b></a> •\n'
        '  <a href="docs">Guide</a>\n</p>\n<sup>Supported by:</sup>\n### [Big, the company](https://big.example)\n\n## Use\n'
        'See the <a href="guide">guide</a> first.\n'
    )
    assert extract_prose(text) == "Shop sells things.\n\n## Use\nSee the guide first."


@pytest.mark.parametrize("text", ["", "\n\n", "plain text", "x < y and y > z", "a <- b"])
def test_plain_text_is_unchanged(text: str) -> None:
    assert extract_prose(text) == text.strip()


@pytest.mark.parametrize("text", ["<" * 50_000, "[![" * 20_000, "<!--" * 20_000, "![a](" * 20_000, "|a" * 20_000])
def test_long_decorations_take_no_time(text: str) -> None:
    extract_prose(text)


_NEWS = "News of a day.\n" * 50
_LONG = f"""# Photos

Photos are restored.

{_NEWS}
## License
MIT

## How to use?

```bash
# restore one photo
restore photo.png
```
### Options
--scratch
## Installation
pip install photos
"""
_LONG_RST = f"""Photos
======

Photos are restored.

News
----

{_NEWS}
Usage
-----

    restore photo.png

Options
~~~~~~~

``--scratch``

License
-------

MIT
"""


@pytest.mark.parametrize(("text", "words"), [(_LONG, 30), (_LONG_RST, 14)])
def test_usage_and_installation_are_complete_when_the_readme_is_too_long(text: str, words: int) -> None:
    selected = select_sections(text, lambda part: len(part.split()) <= words)
    assert len(selected.split()) <= words
    assert "Photos are restored." in selected
    assert "restore photo.png" in selected
    assert "--scratch" in selected
    assert ("pip install photos" in selected) is (text is _LONG)
    assert "MIT" not in selected
    assert "\n...\n" in selected


def test_a_section_without_budget_is_cut_and_the_beginning_fills_the_rest() -> None:
    selected = select_sections(_LONG, lambda part: len(part.split()) <= 12)
    assert selected.split("\n")[-1] == "..."
    assert "How to use?" in selected
    sentences = "A sentence of five words. " * 100
    assert select_sections(sentences, lambda part: len(part) <= 60).count("A sentence") == 2
