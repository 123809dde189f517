"""The texts of all files put together: the fields of a search index as postings over one vocabulary.

Nothing is counted here: rows of files get the numbers of the repository and are sorted. The same files give the same arrays, whoever
made what is known of them, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.terms.bigrams import Bigrams, join
from repoquarry.graphstore.search.index.terms.file_texts import FileTexts
from repoquarry.graphstore.search.index.terms.pairs import PairIndex
from repoquarry.graphstore.search.index.terms.phrases import Phrases
from repoquarry.graphstore.search.index.terms.postings import Postings, collect, first_of_equal
from repoquarry.graphstore.search.index.terms.vocabulary import Digests, Integers, Vocabulary

PER_FILE: Final = frozenset({"whole"})
"""Fields whose documents are files; those of all others are places."""

_PARTS: Final = ("terms", "body", "whole", "names", "bigrams", "phrases", "phrase_places")
"""Of `FileTexts`; each is read once."""


def save_texts(files: list[FileTexts], folder: Path) -> None:
    """Write the vocabulary and the fields of files in path order into `folder`; one after the other, so that no two are in memory.

    `files` loses them, and what is said of a field is gone once that is written.
    """
    merge = Merge(files)
    files.clear()
    np.save(folder / "vocabulary.npy", merge.vocabulary.sorted_digests)
    for name, field in merge.fields():
        field.save(folder, name)
        if name == "body":
            save_frequencies(field, folder)
    for pairs in merge.pairs():
        pairs.save(folder)


def save_frequencies(body: Postings, folder: Path) -> None:
    """Write in how many places each term occurs."""
    terms = np.arange(len(body.first) - 1, dtype=np.int32)
    np.save(folder / "document_frequencies.npy", body.frequencies(terms))


class Merge:
    """Files with what turns their numbers into those of the repository: files come first, then definitions by file."""

    def __init__(self, files: Sequence[FileTexts]) -> None:
        self._count = len(files)
        self._parts = {name: [getattr(texts, name) for texts in files] for name in _PARTS}
        definitions = np.array([texts.places - 1 for texts in files], dtype=np.int64)
        self._first = len(files) + np.cumsum(definitions) - definitions
        self._places = len(files) + int(definitions.sum())
        self._numbers, self.vocabulary = _numbered(np.frombuffer(self._joined("terms"), np.uint64))
        self._terms = [len(texts.terms) // 8 for texts in files]
        self._first_term = np.cumsum([0, *self._terms])[: len(files)]

    def fields(self) -> Iterator[tuple[str, Postings]]:
        """The fields over the vocabulary, by name."""
        shape = (self._places, len(self.vocabulary))
        body, sizes = self._table("body", 4)
        places, held = self._global(body[0], sizes), self._held(body[1], sizes)
        yield "body", collect(places, held, body[2], shape)
        code = body[3] > 0
        places, held, counts = places[code], held[code], body[3][code]
        del body, code
        yield "code", collect(places, held, counts, shape)
        del places, held
        counts = np.frombuffer(self._joined("whole"), np.int32)
        files = np.repeat(np.arange(self._count, dtype=np.int32), self._terms)
        said = counts > 0
        yield "whole", collect(files[said], self._numbers[said], counts[said], (self._count, shape[1]))
        named, sizes = self._table("names", 3)
        yield "names", collect(self._global(named[0], sizes), self._held(named[1], sizes), named[2], shape)

    def pairs(self) -> Iterator[PairIndex]:
        """Pairs of words, each kind with a vocabulary of its own."""
        yield Bigrams(*self._pairs(self._bigrams))
        yield Phrases(*self._pairs(self._phrases))

    def _bigrams(self) -> tuple[Digests, Integers]:
        """Digests of the pairs side by side, and their places; what they are made of is not kept while they are numbered."""
        side, sizes = self._table("bigrams", 3)
        places, first, second = self._global(side[0], sizes), self._held(side[1], sizes), self._held(side[2], sizes)
        del side
        digests = self.vocabulary.sorted_digests
        return join(digests[first], digests[second]), places

    def _phrases(self) -> tuple[Digests, Integers]:
        """Digests of the pairs in string literals, and their places."""
        sizes = [len(said) // 4 for said in self._parts["phrase_places"]]
        said_in = self._global(np.frombuffer(self._joined("phrase_places"), np.int32), sizes)
        return np.frombuffer(self._joined("phrases"), np.uint64), said_in

    def _held(self, terms: Integers, sizes: Sequence[int]) -> Integers:
        """Terms of files as terms of the repository."""
        numbers = np.repeat(self._first_term, sizes)
        numbers += terms
        found: Integers = self._numbers[numbers]
        return found

    def _pairs(self, made: Callable[[], tuple[Digests, Integers]]) -> tuple[Vocabulary, Postings]:
        pairs, holders = made()
        numbers, vocabulary = _numbered(pairs)
        del pairs
        ones = np.broadcast_to(np.int32(1), len(holders))
        return vocabulary, collect(holders, numbers, ones, (self._places, len(vocabulary)))

    def _table(self, name: str, columns: int) -> tuple[Sequence[Integers], list[int]]:
        """Columns of a table of all files, and how many rows each file has; the table is not held any longer."""
        parts = [np.frombuffer(table, np.int32).reshape(columns, -1) for table in self._parts.pop(name)]
        joined = np.concatenate([np.zeros((columns, 0), dtype=np.int32), *parts], axis=1)
        return list(joined), [part.shape[1] for part in parts]

    def _joined(self, name: str) -> bytes:
        return b"".join(self._parts.pop(name))

    def _global(self, places: Integers, sizes: Sequence[int]) -> Integers:
        """Places of files as places of the repository."""
        found = np.repeat(self._first.astype(np.int32), sizes)
        found += places
        found -= 1
        np.copyto(found, np.repeat(np.arange(self._count, dtype=np.int32), sizes), where=places == 0)
        return found


def _numbered(found: Digests) -> tuple[Integers, Vocabulary]:
    """The number of each digest, and the vocabulary in which they are numbered."""
    # as `np.unique` has it, in two thirds of the memory: pairs of words are the largest arrays of a build
    order = found.argsort()
    ordered = found[order]
    new = first_of_equal(ordered)
    distinct = ordered[new]
    del ordered
    numbers = np.empty(len(found), dtype=np.int32)
    numbers[order] = np.cumsum(new, dtype=np.int32) - 1
    return numbers, Vocabulary(distinct)
