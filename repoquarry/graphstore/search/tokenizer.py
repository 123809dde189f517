"""The tokenizer library: native word extraction and counting."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from pathlib import Path

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.native import load_library, tokenizer_abi


class TokenizerError(GraphStoreError):
    """Words could not be read: the library is missing or of another version, or it ran out of memory."""


@lru_cache(1)
def load_tokenizer() -> ctypes.CDLL:
    """The library beside this module. Raises: TokenizerError."""
    what = "the library that reads words,"
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
    """Raises: TokenizerError with what a failure means, unless it is 0."""
    if failure:
        raise TokenizerError(load_tokenizer().repoquarry_words_error(failure).decode())
