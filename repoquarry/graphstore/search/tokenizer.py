"""Loader of the native tokenizer library."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from pathlib import Path

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.native import load_library, tokenizer_abi


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
