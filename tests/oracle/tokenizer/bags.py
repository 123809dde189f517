"""Bags of tokens and sums of their vectors, made in Python, to compare the native library with."""

import re
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.embeddings.static import MAX_CHARACTERS, TokenBags, TokenVocabulary

_WORD = re.compile(r"[^\W\d]\w+")


class PlainVocabulary:
    """The equivalent of `vocabulary.Vocabulary`."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self.word_ids = TokenVocabulary(tokens).word_ids  # which is Python's in the product, too

    def bag(self, text: str, limit: int) -> list[int]:
        """Return the distinct token ids of `text`, first occurrence first, at most `limit`."""
        distinct = dict.fromkeys(_WORD.findall(text, 0, MAX_CHARACTERS))
        return list(dict.fromkeys(chain.from_iterable(map(self.word_ids, distinct))))[:limit]

    def bags(self, texts: Sequence[str], limit: int) -> TokenBags:
        """Return the bags of `texts`, each of at most `limit` tokens."""
        lists = [self.bag(text, limit) for text in texts]
        offsets = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(bag) for bag in lists], out=offsets[1:])
        return TokenBags(np.fromiter(chain.from_iterable(lists), np.int32, int(offsets[-1])), offsets)


def sums(
    bags: TokenBags, table: NDArray[np.int8], weights: NDArray[np.float32], positions: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The weighted sum of the vectors of each bag's tokens, rounded after each multiplication and each addition."""
    found = np.zeros((len(bags), table.shape[1]), np.float32)
    for row, (first, end) in enumerate(pairwise(bags.offsets.tolist())):
        for rank, token in enumerate(bags.tokens[first:end].tolist()):
            found[row] += weights[token] * positions[rank] * table[token].astype(np.float32)
    return found
