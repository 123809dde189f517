"""The texts of all files put together: the fields of a search index as postings over one vocabulary.

Nothing is counted here: rows of files get the numbers of the repository and are sorted. The same files give the same arrays, whoever
made what is known of them, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from repoquarry.graphstore.search.index.terms.bigrams import Bigrams, join
from repoquarry.graphstore.search.index.terms.file_texts import FileTexts
from repoquarry.graphstore.search.index.terms.phrases import Phrases
from repoquarry.graphstore.search.index.terms.postings import Postings, collect
from repoquarry.graphstore.search.index.terms.vocabulary import Digests, Integers, Vocabulary


def save_texts(files: Sequence[FileTexts], folder: Path) -> None:
    """Write the vocabulary and the fields of files in path order into `folder`."""
    _Merge(files).save(folder)


class _Merge:
    """Files with what turns their numbers into those of the repository: files come first, then definitions by file."""

    def __init__(self, files: Sequence[FileTexts]) -> None:
        self._files = files
        definitions = np.array([texts.places - 1 for texts in files], dtype=np.int64)
        self._first = len(files) + np.cumsum(definitions) - definitions
        self._places = len(files) + int(definitions.sum())

    def save(self, folder: Path) -> None:
        """Write everything; one field after the other, so that no two are in memory."""
        numbers, vocabulary = _numbered(np.frombuffer(self._joined(lambda texts: texts.terms), np.uint64))
        np.save(folder / "vocabulary.npy", vocabulary.sorted_digests)
        terms = [len(texts.terms) // 8 for texts in self._files]
        first_term = np.cumsum([0, *terms])[: len(terms)]
        shape = (self._places, len(vocabulary))
        body, sizes = self._table(lambda texts: texts.body, 4)
        places, held = self._global(body[0], sizes), numbers[body[1] + np.repeat(first_term, sizes)]
        field = collect(places, held, body[2], shape)
        field.save(folder, "body")
        np.save(folder / "document_frequencies.npy", field.frequencies(np.arange(len(vocabulary), dtype=np.int32)))
        code = body[3] > 0
        collect(places[code], held[code], body[3][code], shape).save(folder, "code")
        del body, places, held, field
        counts = np.frombuffer(self._joined(lambda texts: texts.whole), np.int32)
        files = np.repeat(np.arange(len(self._files), dtype=np.int32), terms)
        said = counts > 0
        collect(files[said], numbers[said], counts[said], (len(self._files), len(vocabulary))).save(folder, "whole")
        named, sizes = self._table(lambda texts: texts.names, 3)
        places, held = self._global(named[0], sizes), numbers[named[1] + np.repeat(first_term, sizes)]
        collect(places, held, named[2], shape).save(folder, "names")
        del places, held, named
        side, sizes = self._table(lambda texts: texts.bigrams, 3)
        first, second = (vocabulary.sorted_digests[numbers[row + np.repeat(first_term, sizes)]] for row in side[1:])
        Bigrams(*self._pairs(join(first, second), self._global(side[0], sizes))).save(folder)
        sizes = [len(texts.phrase_places) // 4 for texts in self._files]
        said_in = self._global(np.frombuffer(self._joined(lambda texts: texts.phrase_places), np.int32), sizes)
        phrases: Digests = np.frombuffer(self._joined(lambda texts: texts.phrases), np.uint64)
        Phrases(*self._pairs(phrases, said_in)).save(folder)

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
