"""The keyword fields of an index: names and text of each place, text of each file, as postings over one vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from graphstore.search.compounds import index_terms
from graphstore.search.compounds import words as split_words
from graphstore.search.counting import WordCounts
from graphstore.search.places import FUNCTION, Places
from graphstore.search.postings import collect
from graphstore.search.vocabulary import Integers, Vocabulary, WordNumbers, number_terms

_OWN_NAME_WEIGHT: Final = 2
"""A definition's own name counts twice in the field of names, the names around it once."""


def save_keywords(folder: Path, places: Places, words: WordCounts) -> None:
    """Write the vocabulary and the fields `body`, `whole` and `names` into `folder`."""
    names = _name_words(places, words.known)
    vocabulary, first_term, terms = _terms_of_words(words.known)
    np.save(folder / "vocabulary.npy", vocabulary.sorted_digests)
    owners, term_numbers, counts = _expand(words.owners, words.words, words.counts, first_term, terms)
    del words
    holders, reach = _enclosing(places)
    repeats = reach[owners + 1] - reach[owners]
    chosen = np.repeat(reach[owners], repeats) + _ramp(repeats)
    shape = (len(places), len(vocabulary))
    body = collect(holders[chosen], np.repeat(term_numbers, repeats), np.repeat(counts, repeats), shape)
    del chosen, repeats
    body.save(folder, "body")
    np.save(folder / "document_frequencies.npy", body.frequencies(np.arange(len(vocabulary), dtype=np.int32)))
    del body  # each of these fields is larger than what the rest of the build needs
    whole = collect(places.file[owners], term_numbers, counts, (places.file_count, len(vocabulary)))
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
