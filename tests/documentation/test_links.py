"""Links of the pages lead to files and headings that exist."""

import re
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.documentation.pages import list_pages
from tests.e2e.service import ROOT

_EXTERNAL = re.compile(r"[a-z]+:")


@cache
def read_tokens(path: Path) -> tuple[Token, ...]:
    return tuple(MarkdownIt("commonmark").parse(path.read_text(encoding="utf-8")))


@cache
def list_anchors(path: Path) -> frozenset[str]:
    """List the anchors of a page's headings as the site and the hosting service make them."""
    tokens = read_tokens(path)
    headings = [tokens[number + 1].content for number, token in enumerate(tokens) if token.type == "heading_open"]
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


def list_targets(path: Path) -> list[str]:
    inline = [child for token in read_tokens(path) for child in token.children or ()]
    return [
        str(child.attrs.get("href") or child.attrs["src"]) for child in inline if {"href", "src"} & set(child.attrs)
    ]


def find_broken(path: Path) -> list[str]:
    broken = []
    for target in filter(lambda target: not _EXTERNAL.match(target), list_targets(path)):
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or (anchor and anchor not in list_anchors(file)):
            broken.append(target)
    return broken


@pytest.mark.parametrize("page", [*list_pages(), "CHANGELOG.md", "SECURITY.md"])
def test_links_lead_to_files_and_headings(page: str) -> None:
    assert find_broken(ROOT / page) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A name\n\n[here](#a-name) [file](page.md) [no file](other.md) [no heading](page.md#b)\n")
    assert find_broken(page) == ["other.md", "page.md#b"]
