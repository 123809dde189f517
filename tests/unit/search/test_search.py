"""Search by keywords, meaning, exact text and regular expressions, with its pages and time limit."""

from collections.abc import Callable
from typing import Any

import pytest

from repoquarry.graphstore.errors import NotFoundError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.search.requests import SearchMode, SearchRequest
from repoquarry.graphstore.search.retrieval import search

KEYWORD = SearchMode.KEYWORD


def names(library: Any, text: str, **options: Any) -> list[str]:
    return [hit.qualname or hit.path for hit in search(library, SearchRequest(text, **options)).hits]


def test_words_find_identifiers_however_they_are_written(shop: Any) -> None:
    assert names(shop, "parsing the headers of requests", mode=KEYWORD)[0] == "parse_request_headers"
    assert names(shop, "add items", mode=KEYWORD)[0] == "Cart.addItem"
    assert names(shop, "zebra", mode=KEYWORD) == []


def test_a_test_ranks_below_what_it_tests(shop: Any) -> None:
    page = search(shop, SearchRequest("total price", mode=KEYWORD))
    assert [hit.qualname for hit in page.hits[:2]] == ["Cart.total_price", "test_total_price"]
    assert dict(page.hits[1].parts)["test"] < 0
    assert page.hits[1].score == pytest.approx(sum(value for _, value in page.hits[1].parts), rel=1e-4)


def test_a_language_that_is_not_there_gives_nothing(shop: Any) -> None:
    assert names(shop, "cart", mode=KEYWORD, languages=("Python",)) != []
    assert names(shop, "cart", mode=KEYWORD, languages=("java",)) == []


def test_a_token_of_another_request_or_revision_is_refused(shop: Any) -> None:
    token = search(shop, SearchRequest("cart", mode=KEYWORD, page_size=1)).next_page_token
    for request in (SearchRequest("price", mode=KEYWORD, page_token=token), SearchRequest("cart", page_token="x!")):
        with pytest.raises(QueryRefusedError) as refused:
            search(shop, request)
        assert refused.value.reason == "page_token"
    shop.stored = "r2"
    with pytest.raises(QueryRefusedError):
        search(shop, SearchRequest("cart", mode=KEYWORD, page_size=1, page_token=token))


def test_bad_requests_are_refused(shop: Any) -> None:
    for request in (SearchRequest("  "), SearchRequest("x", page_size=-1), SearchRequest("x", labels=("Klass",))):
        with pytest.raises(QueryRefusedError):
            search(shop, request)
    with pytest.raises(NotFoundError):
        search(shop, SearchRequest("x", repositories=("nowhere",)))
    with pytest.raises(QueryRefusedError) as refused:
        search(shop, SearchRequest("cart", mode=SearchMode.SEMANTIC))
    assert refused.value.reason == "no_vectors"


def test_many_repositories_are_searched_together(town: Any) -> None:
    page = search(town, SearchRequest("total price", mode=KEYWORD))
    assert {hit.repository for hit in page.hits} == {"shop", "bank"}
    only = search(town, SearchRequest("total price", mode=KEYWORD, repositories=("bank",)))
    assert {hit.repository for hit in only.hits} == {"bank"}


def test_among_many_the_repositories_that_hold_the_words_are_chosen(make_library: Callable[..., Any]) -> None:
    texts = {f"r{n:02}": {"a.py": f"def common_{n}():\n    return {n}\n"} for n in range(30)}
    texts["zoo"] = {"zebra.py": "def feed_zebra():\n    return 'hay'\n"}
    library = make_library(texts)
    page = search(library, SearchRequest("who will feed the common zebra", mode=KEYWORD))
    assert page.hits[0].id == "zoo:zebra.py::feed_zebra"
    assert page.repositories[0] == "zoo"
    assert len(page.repositories) == 8


def test_meaning_and_keywords_together(make_library: Callable[..., Any], shop: Any, embedder: Any) -> None:
    library = make_library({"shop": shop.texts["shop"]}, embedder)
    hits = search(library, SearchRequest("put an item into the cart")).hits
    assert hits[0].qualname == "Cart.addItem"
    assert {"text", "meaning"} <= dict(hits[0].parts).keys()
    alone = search(library, SearchRequest("put an item into the cart", mode=SearchMode.SEMANTIC)).hits
    assert alone[0].qualname == "Cart.addItem"
    assert dict(alone[0].parts).keys() == {"meaning"}


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


def test_regular_expressions(shop: Any) -> None:
    found = lines(shop, r"^def \w+_cart\b", SearchMode.REGEX)
    assert found == [("empty_cart", 18)]
    assert lines(shop, r"items\s*=|sold?s", SearchMode.REGEX, path_globs=("*.py",)) == [("Cart.__init__", 8)]


def test_several_matches_on_a_line_are_one_hit(shop: Any) -> None:
    hits = search(shop, SearchRequest("quantity", mode=SearchMode.EXACT, path_globs=("shop/**",))).hits
    assert len(hits) == 3
    assert hits[2].snippet is not None
    assert len(hits[2].snippet.highlights) == 2


def test_a_broken_expression_is_refused(shop: Any) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        search(shop, SearchRequest("(", mode=SearchMode.REGEX))
    assert refused.value.reason == "regex"


def test_an_endless_expression_is_stopped(make_library: Callable[..., Any]) -> None:
    library = make_library({"evil": {"a.py": "x = '" + "a" * 5_000 + "!'\n"}})
    with pytest.raises(QueryLimitError) as limit:
        search(library, SearchRequest(r"(a|aa)+$", mode=SearchMode.REGEX, seconds=0.3))
    assert limit.value.limit == "search_seconds"
