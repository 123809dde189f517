"""The shared library that reads words."""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache
from pathlib import Path

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.words import abi

_ENDINGS = {"win32": "dll", "darwin": "dylib"}


class WordsError(GraphStoreError):
    """Words could not be read: the library is missing or of another version, or it ran out of memory."""


@lru_cache(1)
def library() -> ctypes.CDLL:
    """The library beside this module.

    Raises: WordsError.
    """
    path = Path(__file__).with_name(f"_kernel.{_ENDINGS.get(sys.platform, 'so')}")
    try:
        found = ctypes.CDLL(str(path))
    except OSError as exc:
        raise WordsError(
            f"the library that reads words, {path}, cannot be loaded ({exc}): build it with scripts/build_kernel.py"
        ) from exc
    found.repoquarry_words_error.restype = ctypes.c_char_p
    found.repoquarry_words_free.argtypes = (ctypes.c_void_p,)
    found.repoquarry_vocabulary_free.argtypes = (ctypes.c_void_p,)
    version = found.repoquarry_words_version()
    if version != abi.VERSION:
        raise WordsError(
            f"the library that reads words, {path}, is of version {version}, not {abi.VERSION}: build it anew"
        )
    return found


def require(failure: int) -> None:
    """Raises: WordsError with what a failure means, unless it is 0."""
    if failure:
        raise WordsError(library().repoquarry_words_error(failure).decode())
