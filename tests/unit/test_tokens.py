"""Tokens are counted by the real tokenizer, and cuts keep to their limit whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.graphstore import tokens


def test_known_counts() -> None:
    assert tokens.count("") == 0
    assert tokens.count("hello world") == 2
    assert tokens.count("<|endoftext|>") > 1  # the marker is text here, never a control token


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.integers(min_value=0, max_value=40))
def test_head_and_tail_keep_to_the_limit(text: str, limit: int) -> None:
    start, end = tokens.head(text, limit), tokens.tail(text, limit)
    assert text.startswith(start)
    assert text.endswith(end)
    assert tokens.count(start) <= limit
    assert tokens.count(end) <= limit


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_characters_of_several_tokens_are_not_split(limit: int) -> None:
    text = "🏛️𓀀𓀁𓀂" * 3
    assert text.startswith(tokens.head(text, limit))
    assert "\ufffd" not in tokens.head(text, limit) + tokens.tail(text, limit)


def test_a_text_of_more_tokens_than_the_tokenizer_takes_is_counted_and_cut() -> None:
    text = "ä1 " * 150_000
    assert tokens.count(text) >= 300_000
    assert 0 < len(tokens.head(text, 10)) <= 60
    assert text.endswith(tokens.tail(text, 10))
