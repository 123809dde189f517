"""Text analyzer of the search index: splits source text and prose into stemmed terms; loads the native tokenizer library.

Queries say "parse the request headers", code says `parseRequestHeaders` or `parse_request_headers`: both must become the same terms to
match. The splitter is language-neutral on purpose (no keyword lists). Code that splits a complete repository calls it once per distinct
word and caches the results itself; only queries are cached here.
"""

from __future__ import annotations

import ctypes
import math
import re
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final, cast

import Stemmer

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.native import load_library, tokenizer_abi

MAX_WORD_CHARACTERS: Final = 128
"""Longer runs of word characters are encoded data (base64, digests, minified code), not names: they give no terms."""

_STOP_TEXT: Final = """
a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
may me might must my no not of on or our she should so such than that the their them then there these they this those
to too was we were what when where which while who why will with would you your
"""
STOP_WORDS: Final = frozenset(_STOP_TEXT.split())
"""English function words; names of constructs (`if`, `for`, `with`) among them are prose as well and carry little information."""

_WORD = re.compile(r"\w+")
_PART = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])"  # HTTP|Response: an acronym ends before the capital that starts the next part
    r"|[A-Z]?[a-z]+"
    r"|[A-Z]+"
    r"|[0-9]+"
)
_PART_BEYOND_ASCII = re.compile(r"[^\W\d_]+|\d+")  # Other scripts: case says too little to split on.
_local = threading.local()
_SATURATION: Final = 1.2
_LENGTH: Final = 0.75
"""BM25's k1 and b at their customary values. Source: Robertson and Zaragoza 2009, section 3.2."""


def identifier_parts(word: str) -> tuple[str, ...]:
    """Return the lower-cased parts of one identifier: `getHTTPResponse_v2` gives get, http, response, v, 2."""
    if len(word) > MAX_WORD_CHARACTERS:
        return ()
    pattern = _PART if word.isascii() else _PART_BEYOND_ASCII
    return tuple(part.lower() for part in pattern.findall(word))


@lru_cache(maxsize=1 << 16)
def _stem(part: str) -> str:
    stemmer = getattr(_local, "stemmer", None)  # PyStemmer's objects are not thread-safe.
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("english", 0)
    return cast(str, stemmer.stemWord(part))


def stem_parts(parts: Iterable[str]) -> tuple[str, ...]:
    """Return the index terms of the parts of a word: those that are not stop words, stemmed."""
    return tuple([_stem(part) for part in parts if part not in STOP_WORDS])


@lru_cache(maxsize=1 << 14)
def word_terms(word: str) -> tuple[str, ...]:
    """Return the index terms of one word: its parts without stop words, stemmed."""
    return stem_parts(identifier_parts(word))


def terms(text: str) -> list[str]:
    """Return the index terms of `text` in order: identifier parts without stop words, stemmed (Snowball English)."""
    return list(chain.from_iterable(map(word_terms, _WORD.findall(text))))


def deduplicate(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))


def score_texts(texts: Sequence[str], subject: str) -> list[float]:
    """Score each text by BM25 for the terms of the subject, without an index; 0.0 where none of them occurs."""
    wanted = set(terms(subject))
    counts = [Counter(terms(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / len(lengths) if lengths and any(lengths) else 1.0
    spread = Counter(term for count in counts for term in count.keys() & wanted)
    weights = {term: math.log(1 + (len(texts) - found + 0.5) / (found + 0.5)) for term, found in spread.items()}
    scores = []
    for count, length in zip(counts, lengths, strict=True):
        norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / average)
        found_terms = sorted(count.keys() & wanted)
        scores.append(
            sum(weights[term] * count[term] * (_SATURATION + 1) / (count[term] + norm) for term in found_terms)
        )
    return scores


class TokenizerError(GraphStoreError):
    """Failure of the tokenizer: its library is missing or has another version, or memory is exhausted."""


@lru_cache(1)
def load_tokenizer() -> ctypes.CDLL:
    """Load the tokenizer library. Raises: TokenizerError."""
    what = "the tokenizer library"
    found = load_library(
        Path(__file__).parents[2] / "native" / "tokenizer",
        what,
        "repoquarry_words_version",
        tokenizer_abi.VERSION,
        TokenizerError,
    )
    found.repoquarry_words_error.restype = ctypes.c_char_p
    found.repoquarry_words_free.argtypes = (ctypes.c_void_p,)
    found.repoquarry_vocabulary_free.argtypes = (ctypes.c_void_p,)
    return found


def raise_for_status(failure: int) -> None:
    """Raise the error of a failure code other than 0. Raises: TokenizerError."""
    if failure:
        raise TokenizerError(load_tokenizer().repoquarry_words_error(failure).decode())
