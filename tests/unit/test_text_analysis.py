"""Splitting identifiers and prose into shared terms."""

import pytest

from repoquarry.graphstore.search.text_analysis import MAX_WORD_CHARACTERS, deduplicate, identifier_parts, terms


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("snake_case_name", ("snake", "case", "name")),
        ("camelCaseName", ("camel", "case", "name")),
        ("HTTPResponse", ("http", "response")),
        ("getHTTPResponse_v2", ("get", "http", "response", "v", "2")),
        ("__init__", ("init",)),
        ("SHA256Hash", ("sha", "256", "hash")),
        ("MAX_RETRIES", ("max", "retries")),
        ("größe", ("größe",)),
        ("größe_max2", ("größe", "max", "2")),
        ("___", ()),
    ],
)
def test_identifier_parts(word: str, parts: tuple[str, ...]) -> None:
    assert identifier_parts(word) == parts


def test_terms_join_prose_and_code() -> None:
    assert terms("how are the request headers parsed?") == terms("requestHeaders_parse")


def test_encoded_data_gives_no_terms() -> None:
    assert terms("key = " + "A" * (MAX_WORD_CHARACTERS + 1)) == ["key"]


def test_unique_keeps_first_occurrence() -> None:
    assert deduplicate(["b", "a", "b"]) == ["b", "a"]
