"""Terms of words with several parts."""

from __future__ import annotations

from repoquarry.graphstore.search.index.term_extraction import index_terms, query_terms, terms


def test_one_name_gives_one_whole_however_it_is_joined() -> None:
    for word in ("--collect-only", "collect_only", "collectOnly", "COLLECT_ONLY"):
        assert "=collectonly" in terms(word)
    assert terms("collect only") == terms("collect") + terms("only")


def test_a_simple_word_has_no_whole() -> None:
    assert index_terms("collect") == ("collect",)
    assert not [term for term in terms("it is the end - of it") if term.startswith("=")]


def test_a_query_finds_a_name_however_it_is_joined() -> None:
    assert "=isnull" in query_terms("the isnull lookup")
    assert "=isnull" in terms("class IsNull")
    assert set(terms("groupby.py")) <= set(query_terms("GroupBy.first")) | set(terms("py"))
    assert "=null" not in query_terms("null")  # too short to be a joined name
