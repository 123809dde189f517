"""Inverted index: term dictionary, postings and BM25.

An index needs only the numbers of terms, never their text. Digests instead of strings make the dictionary an array that is mapped from
disk, so that selecting among a thousand repositories costs microseconds each.

This is not a library because search needs features that eager indexes lack: weighted query terms, several fields over one dictionary, an
inverse document frequency shared by several repositories, and construction from number arrays without a Python object per document.
"""

from __future__ import annotations

import math
import mmap
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int32]
Reals: TypeAlias = NDArray[np.float32]
Digests: TypeAlias = NDArray[np.uint64]

_MAX_READ_BYTES: Final = 64 * 1024
"""Size up to which a file is read, which costs less than a mapping."""
_ARRAY_HEADER: Final = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([^']+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n", re.DOTALL
)


def map_file(path: Path) -> bytes | mmap.mmap:
    """Return the content of a file; a large one is mapped. Raises: OSError."""
    with path.open("rb") as file:
        content = file.read(_MAX_READ_BYTES)
        return content if len(content) < _MAX_READ_BYTES else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def load_array(path: Path) -> NDArray[Any]:
    """Return a read-only array that `np.save` wrote, several times faster than `np.load` maps one. Raises: OSError, ValueError."""
    content = map_file(path)
    header = _ARRAY_HEADER.match(content)
    if header is None:
        raise ValueError(f"{path} is not an array in C order")
    shape, kind = tuple(map(int, re.findall(rb"\d+", header[2]))), np.dtype(header[1].decode())
    if len(content) != header.end() + kind.itemsize * math.prod(shape):
        raise ValueError(f"{path} has {len(content):,} bytes, which its shape {shape} contradicts")
    return np.ndarray(shape, kind, content, header.end())


class WordIds(dict[str, int]):
    """Numbers of words from 0 in the order of first lookup."""

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
class TermDictionary:
    """Sorted digests of all terms; a term's number is its position."""

    sorted_digests: Digests

    def __len__(self) -> int:
        return len(self.sorted_digests)

    def numbers(self, terms: Sequence[str]) -> Integers:
        """Return each term's number, -1 for unknown terms."""
        return self.of_digests(digests(terms))

    def of_digests(self, wanted: Digests) -> Integers:
        """Return each digest's number, -1 for unknown ones."""
        if not len(self.sorted_digests):
            return np.full(len(wanted), -1, dtype=np.int32)
        places = np.minimum(np.searchsorted(self.sorted_digests, wanted), len(self.sorted_digests) - 1)
        return np.where(self.sorted_digests[places] == wanted, places, -1).astype(np.int32)


K1: Final = 1.0
"""Saturation of term counts. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009."""
B: Final = 0.6
"""Strength of the length normalization. Source: as K1."""
_MAX_TERM_COUNT: Final = np.iinfo(np.uint16).max
_COUNT_BITS: Final = 20
"""Bits for the count of a word in one definition's own lines; leaves 43 bits for pairs of a term and a document."""


@dataclass(frozen=True)
class Postings:
    """Documents and counts of each term: compressed columns over (documents, terms)."""

    first: NDArray[np.int64]
    """(terms + 1): start of each term's run."""
    documents: Integers
    counts: NDArray[np.uint16]
    lengths: Reals

    @cached_property
    def _discount(self) -> Reals:
        mean = float(self.lengths.mean()) if len(self.lengths) else 0.0
        discount: Reals = (K1 * (1.0 - B + B * self.lengths / (mean or 1.0))).astype(np.float32)
        return discount

    def frequencies(self, terms: Integers) -> Integers:
        """Return the number of documents with each term; 0 for terms numbered -1."""
        known = np.maximum(terms, 0)
        found = self.first[known + 1] - self.first[known] if len(self.first) > 1 else np.zeros(len(terms))
        return np.where(terms >= 0, found, 0).astype(np.int32)

    def rarity(self, terms: Integers) -> Reals:
        """Return each term's inverse document frequency, in Lucene's form, which is never negative."""
        return inverse_frequency(self.frequencies(terms), len(self.lengths))

    def score(self, terms: Integers, weights: Reals) -> Reals:
        """Return the BM25 score of each document for weighted terms; weights include the term's rarity."""
        scores = np.zeros(len(self.lengths), dtype=np.float32)
        for term, weight in zip(terms.tolist(), weights.tolist(), strict=True):
            if term < 0 or weight == 0.0:
                continue
            run = slice(self.first[term], self.first[term + 1])
            documents = self.documents[run]
            counts = self.counts[run].astype(np.float32)
            scores[documents] += weight * (K1 + 1.0) * counts / (counts + self._discount[documents])
        return scores

    def documents_with(self, term: int) -> Integers:
        """Return the documents with a term, ascending; none for a term numbered -1."""
        return self.documents[self.first[term] : self.first[term + 1] if term >= 0 else 0]

    def save(self, folder: Path, name: str) -> None:
        for part in ("first", "documents", "counts", "lengths"):
            np.save(folder / f"{name}.{part}.npy", getattr(self, part))

    @classmethod
    def load(cls, folder: Path, name: str) -> Postings:
        """Map the files written by `save`. Raises: OSError or ValueError if they are missing or damaged."""
        parts = ("first", "documents", "counts", "lengths")
        return cls(*(load_array(folder / f"{name}.{part}.npy") for part in parts))


def inverse_frequency(frequencies: Integers, documents: int) -> Reals:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)) for each frequency n among N documents; 0 for n = 0."""
    held = frequencies.astype(np.float32)
    rarity = np.log1p((np.maximum(documents - held, 0.0) + 0.5) / (held + 0.5))
    return np.where(frequencies > 0, rarity, 0.0).astype(np.float32)


def build_postings(documents: Integers, terms: Integers, counts: Integers, shape: tuple[int, int]) -> Postings:
    """Sum up (document, term, count) triples in any order into postings of `shape` (documents, terms)."""
    # Key and count in one number: sorting it in place is several times faster than an indirect sort, and determines
    # the memory of a build.
    keys = terms.astype(np.int64)
    keys *= max(shape[0], 1)
    keys += documents
    keys <<= _COUNT_BITS
    keys |= np.minimum(counts, (1 << _COUNT_BITS) - 1)
    keys.sort()
    sums = np.empty(len(keys), dtype=np.int32)
    np.bitwise_and(keys, (1 << _COUNT_BITS) - 1, out=sums, casting="same_kind")
    keys >>= _COUNT_BITS
    new = first_of_equal(keys)
    totals = np.add.reduceat(sums, np.flatnonzero(new)) if len(keys) else sums
    del sums
    keys = keys[new]
    columns = keys // max(shape[0], 1)
    np.remainder(keys, max(shape[0], 1), out=keys)
    rows = keys.astype(np.int32)
    del keys, new
    first = np.zeros(shape[1] + 1, dtype=np.int64)
    np.cumsum(np.bincount(columns, minlength=shape[1]), out=first[1:])
    del columns
    lengths = np.bincount(rows, weights=totals, minlength=shape[0]).astype(np.float32)
    return Postings(first, rows, np.minimum(totals, _MAX_TERM_COUNT).astype(np.uint16), lengths)


def first_of_equal(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for ascending numbers whether each differs from its predecessor."""
    new = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return new


@dataclass(frozen=True)
class PairIndex:
    """Postings of pairs of words."""

    NAME: ClassVar[str]

    vocabulary: TermDictionary
    postings: Postings

    def save(self, folder: Path) -> None:
        np.save(folder / f"{self.NAME}.vocabulary.npy", self.vocabulary.sorted_digests)
        self.postings.save(folder, self.NAME)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Map the files written by `save`. Raises: OSError or ValueError if they are missing or damaged."""
        vocabulary = TermDictionary(load_array(folder / f"{cls.NAME}.vocabulary.npy"))
        return cls(vocabulary, Postings.load(folder, cls.NAME))
