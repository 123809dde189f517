"""The keyword fields of an index: names and text of each place, text of each file, as postings over one vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from repoquarry.graphstore.search.index.compounds import terms_of_word
from repoquarry.graphstore.search.index.compounds import words as split_words
from repoquarry.graphstore.search.index.counting import WordCounts
from repoquarry.graphstore.search.index.places import FUNCTION, Places
from repoquarry.graphstore.search.index.postings import Triples, collect_all
from repoquarry.graphstore.search.index.runs import runs
from repoquarry.graphstore.search.index.vocabulary import Integers, Vocabulary, WordNumbers, number_terms

_ROWS: Final = 1 << 18
"""Of counted words that are worked on at a time."""
_OWN_NAME_WEIGHT: Final = 2
"""A definition's own name counts twice in the field of names, the names around it once."""


def save_keywords(folder: Path, places: Places, words: WordCounts) -> None:
    """Write the vocabulary and the fields `body`, `code`, `whole` and `names` into `folder`."""
    names = _name_words(places, words.known)
    vocabulary, first_term, terms = _terms_of_words(words.known)
    np.save(folder / "vocabulary.npy", vocabulary.sorted_digests)
    shape = (len(places), len(vocabulary))
    holders, reach = _enclosing(places)

    def counted(rows: Triples = words.rows) -> Iterator[Triples]:
        return _expanded(rows, first_term, terms)

    body = collect_all((_held(found, holders, reach) for found in counted()), shape)
    body.save(folder, "body")
    np.save(folder / "document_frequencies.npy", body.frequencies(np.arange(len(vocabulary), dtype=np.int32)))
    del body
    code = collect_all((_held(found, holders, reach) for found in counted(words.code_rows)), shape)
    code.save(folder, "code")
    del code
    whole = collect_all(
        ((places.file[owners], term, count) for owners, term, count in counted()), (places.file_count, len(vocabulary))
    )
    whole.save(folder, "whole")
    field = collect_all(_expanded(names, first_term, terms), shape)
    field.save(folder, "names")


def _name_words(places: Places, known: WordNumbers) -> Triples:
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
        flat.extend(map(numbers.__getitem__, terms_of_word(word)))
        first.append(len(flat))
    vocabulary, renumbered = number_terms(list(numbers))
    terms = renumbered[np.array(flat, dtype=np.int32)] if len(flat) else np.zeros(0, dtype=np.int32)
    return vocabulary, np.array(first, dtype=np.int32), terms


def _expanded(rows: Triples, first: Integers, terms: Integers) -> Iterator[Triples]:
    """Replace the words of (owner, word, count) rows by their terms; some rows at a time, for the sake of memory."""
    for start in range(0, len(rows[0]), _ROWS):
        owners, words, counts = (column[start : start + _ROWS] for column in rows)
        chosen, repeats = runs(words, first)
        yield np.repeat(owners, repeats), terms[chosen], np.repeat(counts, repeats)


def _held(rows: Triples, holders: Integers, reach: Integers) -> Triples:
    """Replace the owners of rows by all places that hold them."""
    chosen, repeats = runs(rows[0], reach)
    return holders[chosen], np.repeat(rows[1], repeats), np.repeat(rows[2], repeats)


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
