"""Merger of the term counts of files into a repository's postings: all files, or changed files into the previous index.

Nothing is counted here: rows of files get the numbers of the repository and are sorted. Equal files give equal arrays, wherever and
whenever their terms were computed.

Incremental merging gives the same arrays without sorting everything again: removed entries are dropped, remaining entries get new numbers
in the same order, new entries are inserted at their position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from repoquarry.graphstore.search.index.places import NumberMap, Renumbering
from repoquarry.graphstore.search.index.postings import (
    Digests,
    Integers,
    PairIndex,
    Postings,
    TermDictionary,
    build_postings,
    first_of_equal,
    load_array,
)
from repoquarry.graphstore.search.index.term_extraction import Bigrams, FileTerms, Phrases, join

PER_FILE: Final = frozenset({"whole"})
"""Fields whose documents are files; those of all others are places."""

_PARTS: Final = ("terms", "body", "whole", "names", "bigrams", "phrases", "phrase_places")
"""Fields of `FileTerms`; each is read once."""


def write_terms(files: list[FileTerms], folder: Path) -> None:
    """Write the dictionary and the fields of files in path order into `folder`, one after the other to limit memory.

    `files` is emptied, and the data of a field is released once it is written.
    """
    merge = TermMerger(files)
    files.clear()
    np.save(folder / "vocabulary.npy", merge.vocabulary.sorted_digests)
    for name, field in merge.fields():
        field.save(folder, name)
        if name == "body":
            write_document_frequencies(field, folder)
    for pairs in merge.pairs():
        pairs.save(folder)


def write_document_frequencies(body: Postings, folder: Path) -> None:
    terms = np.arange(len(body.first) - 1, dtype=np.int32)
    np.save(folder / "document_frequencies.npy", body.frequencies(terms))


class TermMerger:
    """Terms of files with the mapping of their numbers to those of the repository: files first, then definitions by file."""

    def __init__(self, files: Sequence[FileTerms]) -> None:
        self._count = len(files)
        self._parts = {name: [getattr(texts, name) for texts in files] for name in _PARTS}
        definitions = np.array([texts.places - 1 for texts in files], dtype=np.int64)
        self._first = len(files) + np.cumsum(definitions) - definitions
        self._places = len(files) + int(definitions.sum())
        self._numbers, self.vocabulary = _numbered(np.frombuffer(self._joined("terms"), np.uint64))
        self._terms = [len(texts.terms) // 8 for texts in files]
        self._first_term = np.cumsum([0, *self._terms])[: len(files)]

    def fields(self) -> Iterator[tuple[str, Postings]]:
        shape = (self._places, len(self.vocabulary))
        body, sizes = self._table("body", 4)
        places, held = self._global(body[0], sizes), self._held(body[1], sizes)
        yield "body", build_postings(places, held, body[2], shape)
        code = body[3] > 0
        places, held, counts = places[code], held[code], body[3][code]
        del body, code
        yield "code", build_postings(places, held, counts, shape)
        del places, held
        counts = np.frombuffer(self._joined("whole"), np.int32)
        files = np.repeat(np.arange(self._count, dtype=np.int32), self._terms)
        said = counts > 0
        yield "whole", build_postings(files[said], self._numbers[said], counts[said], (self._count, shape[1]))
        named, sizes = self._table("names", 3)
        yield "names", build_postings(self._global(named[0], sizes), self._held(named[1], sizes), named[2], shape)

    def pairs(self) -> Iterator[PairIndex]:
        """Yield pairs of words, each kind with its own dictionary."""
        yield Bigrams(*self._pairs(self._bigrams))
        yield Phrases(*self._pairs(self._phrases))

    def _bigrams(self) -> tuple[Digests, Integers]:
        """Return digests of adjacent pairs, and their places; the inputs are released while the pairs are numbered."""
        side, sizes = self._table("bigrams", 3)
        places, first, second = self._global(side[0], sizes), self._held(side[1], sizes), self._held(side[2], sizes)
        del side
        digests = self.vocabulary.sorted_digests
        return join(digests[first], digests[second]), places

    def _phrases(self) -> tuple[Digests, Integers]:
        """Return digests of pairs in string literals, and their places."""
        sizes = [len(said) // 4 for said in self._parts["phrase_places"]]
        said_in = self._global(np.frombuffer(self._joined("phrase_places"), np.int32), sizes)
        return np.frombuffer(self._joined("phrases"), np.uint64), said_in

    def _held(self, terms: Integers, sizes: Sequence[int]) -> Integers:
        """Map terms of files to terms of the repository."""
        numbers = np.repeat(self._first_term, sizes)
        numbers += terms
        found: Integers = self._numbers[numbers]
        return found

    def _pairs(self, made: Callable[[], tuple[Digests, Integers]]) -> tuple[TermDictionary, Postings]:
        pairs, holders = made()
        numbers, vocabulary = _numbered(pairs)
        del pairs
        ones = np.broadcast_to(np.int32(1), len(holders))
        return vocabulary, build_postings(holders, numbers, ones, (self._places, len(vocabulary)))

    def _table(self, name: str, columns: int) -> tuple[Sequence[Integers], list[int]]:
        """Return the columns of a table of all files, and the number of rows per file; the table is released."""
        parts = [np.frombuffer(table, np.int32).reshape(columns, -1) for table in self._parts.pop(name)]
        joined = np.concatenate([np.zeros((columns, 0), dtype=np.int32), *parts], axis=1)
        return list(joined), [part.shape[1] for part in parts]

    def _joined(self, name: str) -> bytes:
        return b"".join(self._parts.pop(name))

    def _global(self, places: Integers, sizes: Sequence[int]) -> Integers:
        """Map places of files to places of the repository."""
        found = np.repeat(self._first.astype(np.int32), sizes)
        found += places
        found -= 1
        np.copyto(found, np.repeat(np.arange(self._count, dtype=np.int32), sizes), where=places == 0)
        return found


def _numbered(found: Digests) -> tuple[Integers, TermDictionary]:
    """Return the number of each digest, and the dictionary."""
    # Like `np.unique`, with two thirds of its memory: pairs of words are the largest arrays of a build.
    order = found.argsort()
    ordered = found[order]
    new = first_of_equal(ordered)
    distinct = ordered[new]
    del ordered
    numbers = np.empty(len(found), dtype=np.int32)
    numbers[order] = np.cumsum(new, dtype=np.int32) - 1
    return numbers, TermDictionary(distinct)


def splice_terms(files: Sequence[FileTerms], earlier: Path, moves: Renumbering, folder: Path) -> None:
    """Write the dictionary and the fields of the next index into `folder`; `files` are the newly read ones, in path order.

    Raises: OSError or ValueError if the index in the folder `earlier` is missing or damaged.
    """
    merge = TermMerger(files)
    terms = _Terms.of(
        TermDictionary(load_array(earlier / "vocabulary.npy")), merge.vocabulary, _still_said(earlier, moves)
    )
    np.save(folder / "vocabulary.npy", terms.vocabulary.sorted_digests)
    for name, field in merge.fields():
        sides = moves.earlier, moves.anew
        chosen = [side.files if name in PER_FILE else side.places for side in sides]
        spliced = _spliced(
            (Postings.load(earlier, name), chosen[0]), (field, chosen[1]), terms, moves.shape[name not in PER_FILE]
        )
        spliced.save(folder, name)
        if name == "body":
            write_document_frequencies(spliced, folder)
    for pairs in merge.pairs():
        known = type(pairs).load(earlier)
        stay = _kept_sizes(known.postings, moves.earlier.places) > 0
        terms = _Terms.of(known.vocabulary, pairs.vocabulary, stay)
        sides_of = (known.postings, moves.earlier.places), (pairs.postings, moves.anew.places)
        type(pairs)(terms.vocabulary, _spliced(*sides_of, terms, moves.shape[1])).save(folder)


@dataclass(frozen=True)
class _Terms:
    """Merged dictionary, and the new numbers of the terms of both inputs; -1 for dropped terms."""

    vocabulary: TermDictionary
    earlier: Integers
    anew: Integers

    @classmethod
    def of(cls, earlier: TermDictionary, anew: TermDictionary, stay: np.ndarray) -> Self:
        """Merge two dictionaries; `stay`: the terms of the previous one that are still in use."""
        kept = earlier.sorted_digests[stay]
        fresh = anew.sorted_digests[TermDictionary(kept).of_digests(anew.sorted_digests) < 0]
        at = np.searchsorted(kept, fresh)
        vocabulary = TermDictionary(np.insert(kept, at, fresh))
        numbers = np.full(len(earlier), -1, dtype=np.int32)
        before = np.cumsum(np.bincount(at, minlength=len(kept) + 1))[: len(kept)]
        numbers[stay] = np.arange(len(kept)) + before
        return cls(vocabulary, numbers, vocabulary.of_digests(anew.sorted_digests))


Side = tuple[Postings, Integers]
"""Postings, and the new numbers of their documents."""


def _spliced(earlier: Side, anew: Side, terms: _Terms, documents: int) -> Postings:
    """Merge one field of both sides, over this number of documents."""
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
    # Position of each new entry among the remaining ones: both sides are sorted by term, then by document.
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
    """Return for each term the number of its reused documents."""
    before = np.zeros(len(postings.documents) + 1, dtype=np.int64)
    np.cumsum(numbers[postings.documents] >= 0, out=before[1:])
    return np.diff(before[postings.first])


def _still_said(earlier: Path, moves: Renumbering) -> np.ndarray:
    """Return which terms of the previous dictionary occur in a reused file: all are in its text or in a name."""
    numbers: NumberMap = moves.earlier
    said = _kept_sizes(Postings.load(earlier, "whole"), numbers.files) > 0
    named = _kept_sizes(Postings.load(earlier, "names"), numbers.places) > 0
    either: np.ndarray = said | named
    return either
