"""Terms of words with several parts."""

from __future__ import annotations

from repoquarry.graphstore.search.index.term_extraction import expand_query_terms, extract_terms, index_terms


def test_one_name_gives_one_whole_however_it_is_joined() -> None:
    for word in ("--collect-only", "collect_only", "collectOnly", "COLLECT_ONLY"):
        assert "=collectonly" in extract_terms(word)
    assert extract_terms("collect only") == extract_terms("collect") + extract_terms("only")


def test_a_simple_word_has_no_whole() -> None:
    assert index_terms("collect") == ("collect",)
    assert not [term for term in extract_terms("it is the end - of it") if term.startswith("=")]


def test_a_query_finds_a_name_however_it_is_joined() -> None:
    assert "=isnull" in expand_query_terms("the isnull lookup")
    assert "=isnull" in extract_terms("class IsNull")
    assert set(extract_terms("groupby.py")) <= set(expand_query_terms("GroupBy.first")) | set(extract_terms("py"))
    assert "=null" not in expand_query_terms("null")  # too short to be a joined name
