"""Terms of words with several parts."""

from __future__ import annotations

from graphstore.search.compounds import index_terms, terms


def test_one_name_gives_one_whole_however_it_is_joined() -> None:
    for word in ("--collect-only", "collect_only", "collectOnly", "COLLECT_ONLY"):
        assert "=collectonly" in terms(word)
    assert terms("collect only") == terms("collect") + terms("only")


def test_a_simple_word_has_no_whole() -> None:
    assert index_terms("collect") == ("collect",)
    assert not [term for term in terms("it is the end - of it") if term.startswith("=")]
