"""Exact and regular-expression search, and its time limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from repoquarry.graphstore.errors import QueryLimitError, QueryRefusedError
from repoquarry.graphstore.search import SearchMode, SearchRequest, search


def lines(library: Any, text: str, mode: SearchMode, **options: Any) -> list[tuple[str, int | None]]:
    page = search(library, SearchRequest(text, mode=mode, **options))
    return [(hit.qualname or hit.path, _marked_line(hit.snippet) if hit.snippet else None) for hit in page.hits]


def _marked_line(snippet: Any) -> int:
    return int(snippet.line + snippet.text[: snippet.highlights[0].start].count("\n"))


def test_exact_text_is_found_under_its_innermost_definition(shop: Any) -> None:
    assert lines(shop, "self.items.append((item", SearchMode.EXACT) == [("Cart.addItem", 12)]
    assert lines(shop, '" ".join', SearchMode.EXACT) == [("parse_request_headers.fold", 5)]
    assert lines(shop, "from shop.cart import Cart", SearchMode.EXACT) == [("tests/test_cart.py", 1)]
    assert lines(shop, "SELF.items", SearchMode.EXACT) == []


def test_the_matched_text_is_marked(shop: Any) -> None:
    hit = search(shop, SearchRequest("attempt in range(", mode=SearchMode.EXACT)).hits[0]
    assert hit.snippet is not None
    mark = hit.snippet.highlights[0]
    assert hit.snippet.text[mark.start : mark.end] == "attempt in range("


def test_regular_expressions(shop: Any) -> None:
    found = lines(shop, r"^def \w+_cart\b", SearchMode.REGEX)
    assert found == [("empty_cart", 18)]
    assert lines(shop, r"items\s*=|sold?s", SearchMode.REGEX, path_globs=("*.py",)) == [("Cart.__init__", 8)]


def test_several_matches_on_a_line_are_one_hit(shop: Any) -> None:
    hits = search(shop, SearchRequest("quantity", mode=SearchMode.EXACT, path_globs=("shop/**",))).hits
    assert len(hits) == 3
    assert hits[2].snippet is not None
    assert len(hits[2].snippet.highlights) == 2


def test_pages_of_matches_join(shop: Any) -> None:
    whole = search(shop, SearchRequest("cart", mode=SearchMode.EXACT, page_size=100))
    token = ""
    joined: list[object] = []
    while True:
        page = search(shop, SearchRequest("cart", mode=SearchMode.EXACT, page_size=2, page_token=token))
        joined += page.hits
        token = page.next_page_token
        if not token:
            break
    assert joined == list(whole.hits)
    assert whole.total == len(joined) > 4


def test_a_broken_expression_is_refused(shop: Any) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        search(shop, SearchRequest("(", mode=SearchMode.REGEX))
    assert refused.value.reason == "regex"


def test_an_endless_expression_is_stopped(make_library: Callable[..., Any]) -> None:
    library = make_library({"evil": {"a.py": "x = '" + "a" * 5_000 + "!'\n"}})
    with pytest.raises(QueryLimitError) as limit:
        search(library, SearchRequest(r"(a|aa)+$", mode=SearchMode.REGEX, seconds=0.3))
    assert limit.value.limit == "search_seconds"
