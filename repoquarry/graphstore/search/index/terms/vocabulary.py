"""The terms of one repository as sorted 64-bit digests: opened in no time, and comparable between repositories.

Nothing ever asks an index for the text of its terms, only for a term's number; a digest in place of a string makes the
vocabulary an array that is mapped from disk, so that choosing among a thousand repositories costs microseconds each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int32]
Reals: TypeAlias = NDArray[np.float32]
Digests: TypeAlias = NDArray[np.uint64]


class WordNumbers(dict[str, int]):
    """Numbers words from 0 in the order in which they are first asked for."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def digest(term: str) -> int:
    """Return the digest of one term, as `digests` does."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def digests(terms: Iterable[str]) -> Digests:
    """Return a stable 64-bit digest of each term."""
    joined = b"".join(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest() for term in terms)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64, copy=False)


@dataclass(frozen=True)
class Vocabulary:
    """Sorted digests of all terms; a term's number is its place."""

    sorted_digests: Digests

    def __len__(self) -> int:
        return len(self.sorted_digests)

    def numbers(self, terms: Sequence[str]) -> Integers:
        """Return each term's number, -1 for terms that occur nowhere."""
        return self.of_digests(digests(terms))

    def of_digests(self, wanted: Digests) -> Integers:
        """Return each digest's number, -1 for those that occur nowhere."""
        if not len(self.sorted_digests):
            return np.full(len(wanted), -1, dtype=np.int32)
        places = np.minimum(np.searchsorted(self.sorted_digests, wanted), len(self.sorted_digests) - 1)
        return np.where(self.sorted_digests[places] == wanted, places, -1).astype(np.int32)


def number_terms(terms: Sequence[str]) -> tuple[Vocabulary, Integers]:
    """Return the vocabulary of `terms` (distinct) and the number of each of them."""
    wanted = digests(terms)
    unique, inverse = np.unique(wanted, return_inverse=True)
    return Vocabulary(unique), inverse.astype(np.int32)
