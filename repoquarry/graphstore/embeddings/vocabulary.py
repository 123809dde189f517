"""Text -> bag of token ids, for the static model.

A bag is the distinct tokens of a text in the order of their first occurrence. Tokens are identifier parts (`queue`),
frequent compound identifiers (`get_queue`), and for rare parts the pieces that the vocabulary knows. Splitting happens
once per distinct word and is cached, which is why plain Python is faster here than a general tokenizer in Rust that
starts from the characters each time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.text import identifier_parts

MAX_CHARACTERS: Final = 12_000
"""Text beyond this is not read: the bag is full long before."""

MIN_PIECE_CHARACTERS: Final = 3
"""Shorter pieces of a rare word say nothing about it."""

_MOST_CACHED_WORDS: Final = 1 << 17
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
        self.tokens = tuple(tokens)
        self._ids = {token: number for number, token in enumerate(self.tokens)}
        self._longest = max(map(len, self.tokens), default=0)
        self._known = _KnownWords(self)

    def bag(self, text: str, limit: int) -> list[int]:
        """Return the distinct token ids of `text`, first occurrence first, at most `limit`."""
        distinct = dict.fromkeys(_WORD.findall(text, 0, MAX_CHARACTERS))
        return list(dict.fromkeys(chain.from_iterable(map(self._known.__getitem__, distinct))))[:limit]

    def bags(self, texts: Sequence[str], limit: int) -> Bags:
        """Return the bags of `texts`, each of at most `limit` tokens."""
        lists = [self.bag(text, limit) for text in texts]
        offsets = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(bag) for bag in lists], out=offsets[1:])
        return Bags(np.fromiter(chain.from_iterable(lists), np.int32, int(offsets[-1])), offsets)

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Return the token ids of one word, not from the cache."""
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


class _KnownWords(dict[str, tuple[int, ...]]):
    """Token ids by word. A plain dictionary, as its look-up is what most of the time goes into; emptied when full."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MOST_CACHED_WORDS:
            self.clear()
        found = self[word] = self._vocabulary.word_ids(word)
        return found
