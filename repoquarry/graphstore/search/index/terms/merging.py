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
from repoquarry.graphstore.search.index.terms.postings import Postings, collect
from repoquarry.graphstore.search.index.terms.vocabulary import Digests, Integers, Vocabulary

PER_FILE: Final = frozenset({"whole"})
"""Fields whose documents are files; those of all others are places."""


def save_texts(files: Sequence[FileTexts], folder: Path) -> None:
    """Write the vocabulary and the fields of files in path order into `folder`; one after the other, so that no two are in memory."""
    merge = Merge(files)
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
        self._files = files
        definitions = np.array([texts.places - 1 for texts in files], dtype=np.int64)
        self._first = len(files) + np.cumsum(definitions) - definitions
        self._places = len(files) + int(definitions.sum())
        self._numbers, self.vocabulary = _numbered(np.frombuffer(self._joined(lambda texts: texts.terms), np.uint64))
        self._terms = [len(texts.terms) // 8 for texts in files]
        self._first_term = np.cumsum([0, *self._terms])[: len(files)]

    def fields(self) -> Iterator[tuple[str, Postings]]:
        """The fields over the vocabulary, by name."""
        shape = (self._places, len(self.vocabulary))
        body, sizes = self._table(lambda texts: texts.body, 4)
        places, held = self._global(body[0], sizes), self._held(body[1], sizes)
        yield "body", collect(places, held, body[2], shape)
        code = body[3] > 0
        places, held, counts = places[code], held[code], body[3][code]
        del body, code
        yield "code", collect(places, held, counts, shape)
        del places, held
        counts = np.frombuffer(self._joined(lambda texts: texts.whole), np.int32)
        files = np.repeat(np.arange(len(self._files), dtype=np.int32), self._terms)
        said = counts > 0
        yield "whole", collect(files[said], self._numbers[said], counts[said], (len(self._files), shape[1]))
        named, sizes = self._table(lambda texts: texts.names, 3)
        yield "names", collect(self._global(named[0], sizes), self._held(named[1], sizes), named[2], shape)

    def pairs(self) -> Iterator[PairIndex]:
        """Pairs of words, each kind with a vocabulary of its own."""
        yield Bigrams(*self._pairs(*self._bigrams()))
        sizes = [len(texts.phrase_places) // 4 for texts in self._files]
        said_in = self._global(np.frombuffer(self._joined(lambda texts: texts.phrase_places), np.int32), sizes)
        phrases: Digests = np.frombuffer(self._joined(lambda texts: texts.phrases), np.uint64)
        yield Phrases(*self._pairs(phrases, said_in))

    def _bigrams(self) -> tuple[Digests, Integers]:
        """Digests of the pairs side by side, and their places; what they are made of is not kept while they are numbered."""
        side, sizes = self._table(lambda texts: texts.bigrams, 3)
        first, second = (self.vocabulary.sorted_digests[self._held(row, sizes)] for row in side[1:])
        return join(first, second), self._global(side[0], sizes)

    def _held(self, terms: Integers, sizes: Sequence[int]) -> Integers:
        """Terms of files as terms of the repository."""
        found: Integers = self._numbers[terms + np.repeat(self._first_term, sizes)]
        return found

    def _pairs(self, pairs: Digests, holders: Integers) -> tuple[Vocabulary, Postings]:
        numbers, vocabulary = _numbered(pairs)
        ones = np.ones(len(holders), dtype=np.int32)
        return vocabulary, collect(holders, numbers, ones, (self._places, len(vocabulary)))

    def _table(self, table: Callable[[FileTexts], bytes], columns: int) -> tuple[Sequence[Integers], list[int]]:
        """Columns of a table of all files, and how many rows each file has."""
        parts = [np.frombuffer(table(texts), np.int32).reshape(columns, -1) for texts in self._files]
        joined = np.concatenate([np.zeros((columns, 0), dtype=np.int32), *parts], axis=1)
        return list(joined), [part.shape[1] for part in parts]

    def _joined(self, part: Callable[[FileTexts], bytes]) -> bytes:
        return b"".join(map(part, self._files))

    def _global(self, places: Integers, sizes: Sequence[int]) -> Integers:
        """Places of files as places of the repository."""
        files = np.repeat(np.arange(len(self._files)), sizes)
        first = np.repeat(self._first, sizes)
        return np.where(places == 0, files, first + places - 1).astype(np.int32)


def _numbered(found: Digests) -> tuple[Integers, Vocabulary]:
    """The number of each digest, and the vocabulary in which they are numbered."""
    distinct, numbers = np.unique(found, return_inverse=True)
    return numbers.astype(np.int32), Vocabulary(distinct)
