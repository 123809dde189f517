"""The texts of a few files put into what an earlier index holds of all others.

It gives the same arrays as putting all files together (`merging`), without sorting them again: what goes is left out, what stays gets
its new numbers and is still sorted, what comes is inserted at its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from repoquarry.graphstore.search.index.moves import Moves, Numbers
from repoquarry.graphstore.search.index.terms.file_texts import FileTexts
from repoquarry.graphstore.search.index.terms.merging import PER_FILE, Merge, save_frequencies
from repoquarry.graphstore.search.index.terms.postings import Postings
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, Vocabulary


def splice_texts(files: Sequence[FileTexts], earlier: Path, moves: Moves, folder: Path) -> None:
    """Write the vocabulary and the fields of the next index into `folder`; `files` are those read anew, in path order.

    Raises: OSError or ValueError when the index in the folder `earlier` is missing or damaged.
    """
    merge = Merge(files)
    terms = _Terms.of(_vocabulary(earlier / "vocabulary.npy"), merge.vocabulary, _still_said(earlier, moves))
    np.save(folder / "vocabulary.npy", terms.vocabulary.sorted_digests)
    for name, field in merge.fields():
        sides = moves.earlier, moves.anew
        chosen = [side.files if name in PER_FILE else side.places for side in sides]
        spliced = _spliced((Postings.load(earlier, name), chosen[0]), (field, chosen[1]), terms, _count(name, moves))
        spliced.save(folder, name)
        if name == "body":
            save_frequencies(spliced, folder)
    for pairs in merge.pairs():
        known = type(pairs).load(earlier)
        stay = _kept_sizes(known.postings, moves.earlier.places) > 0
        terms = _Terms.of(known.vocabulary, pairs.vocabulary, stay)
        sides_of = (known.postings, moves.earlier.places), (pairs.postings, moves.anew.places)
        type(pairs)(terms.vocabulary, _spliced(*sides_of, terms, moves.shape[1])).save(folder)


@dataclass(frozen=True)
class _Terms:
    """A vocabulary, and the numbers in it of the terms of the two that it was made of; -1 for those that are gone."""

    vocabulary: Vocabulary
    earlier: Integers
    anew: Integers

    @classmethod
    def of(cls, earlier: Vocabulary, anew: Vocabulary, stay: np.ndarray) -> Self:
        """`stay`: which terms of the earlier vocabulary are still said somewhere."""
        kept = earlier.sorted_digests[stay]
        fresh = anew.sorted_digests[Vocabulary(kept).of_digests(anew.sorted_digests) < 0]
        at = np.searchsorted(kept, fresh)
        vocabulary = Vocabulary(np.insert(kept, at, fresh))
        numbers = np.full(len(earlier), -1, dtype=np.int32)
        before = np.cumsum(np.bincount(at, minlength=len(kept) + 1))[: len(kept)]
        numbers[stay] = np.arange(len(kept)) + before
        return cls(vocabulary, numbers, vocabulary.of_digests(anew.sorted_digests))


Side = tuple[Postings, Integers]
"""Postings, and the new numbers of their documents."""


def _spliced(earlier: Side, anew: Side, terms: _Terms, documents: int) -> Postings:
    """One field of both sides, over so many documents."""
    (old, old_numbers), (new, new_numbers) = earlier, anew
    moved = old_numbers[old.documents]
    kept = moved >= 0
    held, counts = moved[kept], old.counts[kept]
    known = len(terms.vocabulary)
    sizes = np.zeros(known, dtype=np.int64)
    stay = terms.earlier >= 0
    sizes[terms.earlier[stay]] = _kept_sizes(old, old_numbers)[stay]
    added = np.repeat(terms.anew, np.diff(new.first)).astype(np.int64)
    holders = new_numbers[new.documents]
    # where each new entry belongs among the kept ones: both sides are sorted by term, then by document
    order = np.repeat(np.arange(known, dtype=np.int64), sizes) * max(documents, 1) + held
    at = np.searchsorted(order, added * max(documents, 1) + holders)
    del order
    sizes += np.bincount(added, minlength=known)
    lengths = np.zeros(documents, dtype=np.float32)
    for numbers, postings in ((old_numbers, old), (new_numbers, new)):
        taken = numbers >= 0
        lengths[numbers[taken]] = postings.lengths[taken]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Postings(first, np.insert(held, at, holders), np.insert(counts, at, new.counts), lengths)


def _kept_sizes(postings: Postings, numbers: Integers) -> np.ndarray:
    """For each term how many of its documents are taken over."""
    before = np.zeros(len(postings.documents) + 1, dtype=np.int64)
    np.cumsum(numbers[postings.documents] >= 0, out=before[1:])
    return np.diff(before[postings.first])


def _still_said(earlier: Path, moves: Moves) -> np.ndarray:
    """Which terms of the earlier vocabulary a file that is taken over has: all are in its text or in a name."""
    numbers: Numbers = moves.earlier
    said = _kept_sizes(Postings.load(earlier, "whole"), numbers.files) > 0
    named = _kept_sizes(Postings.load(earlier, "names"), numbers.places) > 0
    either: np.ndarray = said | named
    return either


def _vocabulary(path: Path) -> Vocabulary:
    return Vocabulary(np.load(path, mmap_mode="r"))


def _count(name: str, moves: Moves) -> int:
    """Documents of a field."""
    return moves.shape[0] if name in PER_FILE else moves.shape[1]
