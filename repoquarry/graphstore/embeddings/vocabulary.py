"""Text -> bag of token ids, for the static model.

A bag is the distinct tokens of a text in the order of their first occurrence. Tokens are identifier parts (`queue`),
frequent compound identifiers (`get_queue`), and for rare parts the pieces that the vocabulary knows. Bags are made
natively (`repoquarry.graphstore.words`); words with letters beyond ASCII are split here.
"""

from __future__ import annotations

import ctypes
import re
import weakref
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.text import identifier_parts
from repoquarry.graphstore.words import abi
from repoquarry.graphstore.words.library import library, require

MAX_CHARACTERS: Final = 12_000
"""Text beyond this is not read: the bag is full long before."""

MIN_PIECE_CHARACTERS: Final = 3
"""Shorter pieces of a rare word say nothing about it."""

_WORD = re.compile(r"[^\W\d]\w+")
"""Single letters and numbers are passed over: they are a fifth of all words in code and say next to nothing."""


@dataclass(frozen=True)
class Bags:
    """Bags of several texts, end to end: bag `i` is `tokens[offsets[i]:offsets[i + 1]]`."""

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    def positions(self) -> NDArray[np.int64]:
        """Rank of each token inside its bag, 0-based, aligned with `tokens`."""
        return np.arange(len(self.tokens)) - np.repeat(self.offsets[:-1], self.lengths)


class Vocabulary:
    """Knows the tokens of a model, in the order of their ids, and turns texts into bags of them."""

    def __init__(self, tokens: Sequence[str]) -> None:
        """Raises: WordsError."""
        self.tokens = tuple(tokens)
        self._longest = max(map(len, self.tokens), default=0)
        self._made = ctypes.c_void_p()
        given = abi.Texts.of(self.tokens)
        require(
            library().repoquarry_vocabulary(ctypes.c_int64(abi.VERSION), ctypes.byref(given), ctypes.byref(self._made))
        )
        weakref.finalize(self, library().repoquarry_vocabulary_free, self._made)

    def bag(self, text: str, limit: int) -> list[int]:
        """Return the distinct token ids of `text`, first occurrence first, at most `limit`."""
        tokens: list[int] = self.bags([text], limit).tokens.tolist()
        return tokens

    def bags(self, texts: Sequence[str], limit: int) -> Bags:
        """Return the bags of `texts`, each of at most `limit` tokens.

        Raises: WordsError.
        """
        read = [text[:MAX_CHARACTERS] for text in texts]
        odd = _odd_words(read)
        ids = list(map(self.word_ids, odd))
        given = abi.Bagged(
            abi.VERSION,
            abi.Texts.of(read),
            abi.Letters.of(*read),
            abi.Texts.of(odd),
            array("i", chain.from_iterable(ids)).tobytes(),
            array("q", accumulate(map(len, ids), initial=0)).tobytes(),
            limit,
        )
        tokens = np.empty(len(read) * limit, np.int32)
        offsets = np.empty(len(read) + 1, np.int64)
        places = (ctypes.c_void_p(column.ctypes.data) for column in (tokens, offsets))
        require(library().repoquarry_bags(self._made, ctypes.byref(given), *places))
        return Bags(tokens[: int(offsets[-1])].copy(), offsets)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens)}

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Return the token ids of one word."""
        parts = identifier_parts(word)
        found: list[int] = []
        if len(parts) > 1 and (compound := self._ids.get("_".join(parts))) is not None:
            found.append(compound)
        for part in parts:
            number = self._ids.get(part)
            if number is None:
                found.extend(self._pieces(part))
            else:
                found.append(number)
        return tuple(found)

    def _pieces(self, part: str) -> list[int]:
        # greedy from the left, longest known piece first; letters that begin no known piece are passed over
        found: list[int] = []
        start = 0
        while start + MIN_PIECE_CHARACTERS <= len(part):
            for end in range(min(len(part), start + self._longest), start + MIN_PIECE_CHARACTERS - 1, -1):
                number = self._ids.get(part[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                start += 1
        return found


def _odd_words(texts: Sequence[str]) -> list[str]:
    """The words of texts that have a letter beyond ASCII, each once."""
    found = (word for text in texts if not text.isascii() for word in _WORD.findall(text) if not word.isascii())
    return list(dict.fromkeys(found))
