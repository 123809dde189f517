"""Bags of tokens and their sums as the native library makes them, compared with the same in Python."""

import gc
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.graphstore.search.embeddings.static import (
    MAX_CHARACTERS,
    MAX_TOKENS,
    StaticModel,
    TokenVocabulary,
    read_model,
)
from repoquarry.graphstore.storage.vector_identity import SHIPPED_WEIGHTS
from tests.oracle.tokenizer.bags import PlainVocabulary, sums

TOKENS = (
    *("get", "response", "get_response", "http", "get_http_response", "que", "queue", "abc", "abcdef", "def", "cde", "v", "2", "x2"),
    *("été", "straße", "日本語", "i̇stanbul", "naïve_été", "non", "forwarded"),
)  # fmt: skip
FRAGMENTS = (
    *" \n.-_'\"()\0", "getResponse", "get_HTTP_response", "queued", "xabcdefx", "abcd", "ABCDEF", "v2", "x", "2", "2get", "_get", "__",
    "Été", "naïve_été", "İstanbul", "straße", "日本語 日本", "٣get", "get٣", "²", "\ud800", "e\u0301", "a" * 128, "abc" * 43, "é" * 129,
)  # fmt: skip
TEXT = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=30).map("".join)


def same(tokens: list[str], texts: list[str], limit: int) -> None:
    found, wanted = TokenVocabulary(tokens).bags(texts, limit), PlainVocabulary(tokens).bags(texts, limit)
    assert found.tokens.tolist() == wanted.tokens.tolist()
    assert found.offsets.tolist() == wanted.offsets.tolist()
    assert (found.tokens.dtype, found.offsets.dtype) == (wanted.tokens.dtype, wanted.offsets.dtype)


@given(texts=st.lists(TEXT, max_size=5), limit=st.integers(0, 12))
@settings(max_examples=400)
def test_any_texts_have_the_bags_of_python(texts: list[str], limit: int) -> None:
    same([*TOKENS, "abc"], texts, limit)  # of a token that is there twice the last counts


@given(tokens=st.lists(st.text(max_size=6), max_size=12), texts=st.lists(st.text(max_size=40), max_size=3))
@settings(max_examples=200)
def test_any_tokens_make_the_bags_of_python(tokens: list[str], texts: list[str]) -> None:
    same(tokens, [*texts, *tokens, "_".join(tokens), "".join(tokens)], 256)


@pytest.mark.parametrize("before", [MAX_CHARACTERS - 3, MAX_CHARACTERS - 2, MAX_CHARACTERS, 2 * MAX_CHARACTERS])
@pytest.mark.parametrize("letter", ["-", "é", "日"])
def test_what_is_beyond_the_limit_of_characters_is_not_read(before: int, letter: str) -> None:
    same(list(TOKENS), [letter * before + " queue", " " * before + "abcdef", letter * before + "get"], 256)


def test_the_shipped_model_has_the_bags_of_python() -> None:
    tokens = read_model(SHIPPED_WEIGHTS).tokens
    source = "\n".join(
        f"def {tokens[at]}_{tokens[at + 1]}(self): # {tokens[at][:5]}{tokens[at + 2]}" for at in range(0, 49_000, 60)
    )
    same(list(tokens), [source[at : at + 3_000] for at in range(0, len(source), 2_500)], 256)


def _bag(vocabulary: TokenVocabulary, text: str) -> list[int]:
    tokens: list[int] = vocabulary.bags([text], 256).tokens.tolist()
    return tokens


def test_vocabulary_is_thread_safe_and_outlives_its_source() -> None:
    tokens = [f"token{number}" for number in range(5_000)]
    vocabulary, plain = TokenVocabulary(list(tokens)), PlainVocabulary(tokens)
    texts = [
        " ".join(f"token {7 * at % 5_000} Token{at}_token" for at in range(start, start + 200)) for start in range(40)
    ]
    wanted = [plain.bag(text, 256) for text in texts]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(partial(_bag, vocabulary), texts)) == wanted
    del vocabulary
    gc.collect()


@pytest.mark.parametrize("dimension", [1, 15, 16, 17, 256])
def test_sums_are_rounded_after_each_step(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    table = random.integers(-128, 128, (len(TOKENS), dimension)).astype(np.int8)
    weights = random.normal(size=len(TOKENS)).astype(np.float32)
    positions = random.normal(size=24).astype(np.float32)
    model = StaticModel(TOKENS, table, np.ones(len(TOKENS), np.float32), {"document": weights}, {"document": positions})
    from repoquarry.graphstore.search.embeddings.static import _Embedding, position_bucket

    made = _Embedding(model)
    bags = made._vocabulary.bags(["get response", "", "queue abc def http v2 been there", "日本語 été get"], MAX_TOKENS)
    wanted = sums(bags, table, weights, positions[position_bucket(np.arange(MAX_TOKENS), 24)])
    assert made._pooled(bags, "document").tobytes() == wanted.tobytes()
