"""Builds the keyword and vector indexes of one repository revision; called by ingestion, and again whenever they are missing.

Each file is cut along its definitions and tokenised once; all counting happens on number arrays afterwards, because a
Python object for each of several million words would cost more than the rest of indexing. The finished folder appears by
one rename, so that a killed build never leaves something that looks whole.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from graphstore.embeddings.embedder import Embedder
from graphstore.errors import NotFoundError
from graphstore.records import RepositoryGraph
from graphstore.search.compounds import index_terms
from graphstore.search.compounds import words as split_words
from graphstore.search.library import EmbedTexts, ReadText
from graphstore.search.places import FUNCTION, Places, read_places
from graphstore.search.postings import collect
from graphstore.search.semantic import build_vectors
from graphstore.search.vocabulary import Integers, Vocabulary, WordNumbers, number_terms

FORMAT: Final = 2
"""Changes whenever the files of an index change their meaning: older ones are built anew."""
_BLOCK_WORDS: Final = 1 << 20
_OWN_NAME_WEIGHT: Final = 2
"""A definition's own name counts twice in the field of names, the names around it once."""

BuildProgress = Callable[[int, int], None]
"""Called with (files done, files in all); may raise to cancel, and then nothing was written."""


class IndexHeader(msgspec.Struct, frozen=True):
    """What an index says of itself; written last."""

    format: int
    repository: str
    places: int
    files: int


def build(
    graph: RepositoryGraph,
    texts: ReadText,
    folder: Path,
    embedder: Embedder | None = None,
    progress: BuildProgress | None = None,
    embed: EmbedTexts | None = None,
) -> None:
    """Build the indexes of one repository revision in `folder`, which is replaced when it exists.

    `embed` stands before `embedder.embed` where vectors are cached. A file whose text cannot be read any more is indexed by its
    names alone. Raises: OSError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        places = read_places(graph)
        _save_keywords(part, places, _count_words(places, texts, progress))
        places.save(part)
        if embedder is not None:
            build_vectors(part, places, texts, embedder.revision, embed or embedder.embed)
        header = IndexHeader(FORMAT, graph.repository, len(places), places.file_count)
        (part / "header.msgpack").write_bytes(msgspec.msgpack.encode(header))
        _replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _replace(part: Path, folder: Path) -> None:
    """Rename `part` to `folder`; a folder in the way is moved aside first, as a full one cannot be replaced."""
    old = part.with_suffix(".old")
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)


@dataclass(frozen=True)
class _WordCounts:
    """How often each word occurs in each segment: a stretch of lines with one innermost definition."""

    segments: Integers
    words: Integers
    counts: Integers
    owners: Integers
    """Place that each segment belongs to."""
    known: WordNumbers


class _Counter:
    """Counts (segment, word) pairs block by block, so that memory does not grow with the repository's text."""

    def __init__(self) -> None:
        self.known = WordNumbers()
        self._words = array("i")
        self._lengths = array("i")
        self._owners: list[int] = []
        self._done = 0
        self._blocks: list[tuple[Integers, Integers, Integers]] = []

    def add(self, owner: int, text: str) -> None:
        before = len(self._words)
        self._words.extend(map(self.known.__getitem__, split_words(text)))
        self._lengths.append(len(self._words) - before)
        self._owners.append(owner)
        if len(self._words) > _BLOCK_WORDS:
            self._flush()

    def _flush(self) -> None:
        lengths = np.frombuffer(self._lengths, dtype=np.int32)
        segments = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        keys, counts = np.unique((segments << 32) | np.frombuffer(self._words, dtype=np.int32), return_counts=True)
        self._blocks.append(
            (
                ((keys >> 32) + self._done).astype(np.int32),
                (keys & 0xFFFFFFFF).astype(np.int32),
                counts.astype(np.int32),
            )
        )
        self._done += len(lengths)
        self._words, self._lengths = array("i"), array("i")

    def finish(self) -> _WordCounts:
        if len(self._lengths):
            self._flush()
        empty = np.zeros(0, dtype=np.int32)
        parts = [np.concatenate(columns) for columns in zip(*self._blocks, strict=True)] or [empty, empty, empty]
        return _WordCounts(parts[0], parts[1], parts[2], np.array(self._owners, dtype=np.int32), self.known)


def _count_words(places: Places, texts: ReadText, progress: BuildProgress | None) -> _WordCounts:
    counter = _Counter()
    for file in range(places.file_count):
        if progress is not None:
            progress(file, places.file_count)
        try:
            lines = texts(places.path(file)).split("\n")
        except NotFoundError:
            continue
        for owner, first, last in _segments(places, file, len(lines)):
            counter.add(owner, "\n".join(lines[first:last]))
    if progress is not None:
        progress(places.file_count, places.file_count)
    return counter.finish()


def _segments(places: Places, file: int, lines: int) -> list[tuple[int, int, int]]:
    """Cut a file along its definitions: (innermost place, first line, line after the last), lines 0-based."""
    owners = np.full(lines, file, dtype=np.int32)
    for place in places.definitions.get(file, ()):
        owners[places.start_line[place] - 1 : places.end_line[place]] = place
    borders = np.flatnonzero(np.diff(owners)) + 1
    starts = [0, *borders.tolist()]
    return [(int(owners[a]), a, b) for a, b in zip(starts, [*starts[1:], lines], strict=True)]


def _save_keywords(folder: Path, places: Places, words: _WordCounts) -> None:
    names = _name_words(places, words.known)
    vocabulary, first_term, terms = _terms_of_words(words.known)
    np.save(folder / "vocabulary.npy", vocabulary.sorted_digests)
    owners = _enclosing(places)
    segments, term_numbers, counts = _expand(words.segments, words.words, words.counts, first_term, terms)
    holders, reach = owners
    segment_owner = words.owners[segments] if len(segments) else segments
    del words, segments
    repeats = reach[segment_owner + 1] - reach[segment_owner]
    chosen = np.repeat(reach[segment_owner], repeats) + _ramp(repeats)
    shape = (len(places), len(vocabulary))
    body = collect(holders[chosen], np.repeat(term_numbers, repeats), np.repeat(counts, repeats), shape)
    del chosen, repeats
    body.save(folder, "body")
    np.save(folder / "document_frequencies.npy", body.frequencies(np.arange(len(vocabulary), dtype=np.int32)))
    del body  # each of these fields is larger than what the rest of the build needs
    whole = collect(places.file[segment_owner], term_numbers, counts, (places.file_count, len(vocabulary)))
    whole.save(folder, "whole")
    field = collect(*_expand(*names, first_term, terms), shape)
    field.save(folder, "names")


def _name_words(places: Places, known: WordNumbers) -> tuple[Integers, Integers, Integers]:
    """Return (place, word, weight) triples of the names that a place is known by: path, qualname, own name."""
    owners, numbers, weights = array("i"), array("i"), array("i")
    of_path = [split_words(path.rsplit(".", 1)[0]) for path in places.columns.paths]
    for place, file in enumerate(places.file.tolist()):
        parts = places.qualname(place).replace("<", "").replace(">", "").split(".")
        found = of_path[file] + parts
        owners.extend([place] * len(found))
        numbers.extend(map(known.__getitem__, found))
        weights.extend([1] * (len(found) - 1))
        weights.append(_OWN_NAME_WEIGHT if parts[0] else 1)
    return (
        np.array(owners, dtype=np.int32),
        np.array(numbers, dtype=np.int32),
        np.array(weights, dtype=np.int32),
    )


def _terms_of_words(known: Sequence[str] | WordNumbers) -> tuple[Vocabulary, Integers, Integers]:
    """Return the vocabulary and, compressed, the terms of each word: `terms[first[w]:first[w + 1]]`."""
    numbers = WordNumbers()
    flat = array("i")
    first = array("i", [0])
    for word in known:
        flat.extend(map(numbers.__getitem__, index_terms(word)))
        first.append(len(flat))
    vocabulary, renumbered = number_terms(list(numbers))
    terms = renumbered[np.array(flat, dtype=np.int32)] if len(flat) else np.zeros(0, dtype=np.int32)
    return vocabulary, np.array(first, dtype=np.int32), terms


def _expand(
    owners: Integers, words: Integers, counts: Integers, first: Integers, terms: Integers
) -> tuple[Integers, Integers, Integers]:
    """Replace each word by its terms."""
    repeats = first[words + 1] - first[words]
    chosen = np.repeat(first[words], repeats) + _ramp(repeats)
    return np.repeat(owners, repeats), terms[chosen], np.repeat(counts, repeats)


def _ramp(lengths: Integers) -> Integers:
    """Return 0..n-1 for each length n, one after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return (np.arange(total) - np.repeat(ends - lengths, lengths)).astype(np.int32)


def _enclosing(places: Places) -> tuple[Integers, Integers]:
    """For each place, compressed: itself and the functions around it, whose text it is part of.

    A class is not credited with its methods' text: they would drown what it says itself.
    """
    flat: list[int] = []
    reach = [0]
    for place in range(len(places)):
        flat.append(place)
        around = int(places.parent[place])
        while around >= 0 and places.label[place] == FUNCTION and places.label[around] == FUNCTION:
            flat.append(around)
            around = int(places.parent[around])
        reach.append(len(flat))
    return np.array(flat, dtype=np.int32), np.array(reach, dtype=np.int32)
