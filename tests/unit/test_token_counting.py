"""Tokens are counted by the real tokenizer, and cuts keep to their limit whatever the text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.graphstore import token_counting


def test_known_counts() -> None:
    assert token_counting.count_tokens("") == 0
    assert token_counting.count_tokens("hello world") == 2
    assert token_counting.count_tokens("<|endoftext|>") > 1  # the marker is text here, never a control token


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.integers(min_value=0, max_value=40))
def test_truncation_keeps_to_the_limit(text: str, limit: int) -> None:
    start = token_counting.truncate_end(text, limit)
    assert text.startswith(start)
    assert token_counting.count_tokens(start) <= limit


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_characters_of_several_tokens_are_not_split(limit: int) -> None:
    text = "🏛️𓀀𓀁𓀂" * 3
    assert text.startswith(token_counting.truncate_end(text, limit))
    assert "\ufffd" not in token_counting.truncate_end(text, limit)


def test_a_text_of_more_tokens_than_the_tokenizer_takes_is_counted_and_cut() -> None:
    text = "ä1 " * 150_000
    assert token_counting.count_tokens(text) >= 300_000
    assert 0 < len(token_counting.truncate_end(text, 10)) <= 60
