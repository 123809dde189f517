"""The words of a file, counted in Python, to compare the native library with."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.index import term_extraction
from repoquarry.graphstore.search.index.place_extraction import find_leading_comments, mark_documentation_lines
from repoquarry.graphstore.search.index.places import DefinitionSpans, Mask
from repoquarry.graphstore.search.index.postings import Digests, Integers, WordIds, digest
from repoquarry.graphstore.search.index.term_extraction import WORD, FileTerms, split_words, terms_of_word
from repoquarry.graphstore.search.text_analysis import word_terms

_BREAK: Final = "\n"
_TOKEN: Final = re.compile(f"{WORD}|{_BREAK}")
_OWN_NAME_WEIGHT: Final = 2
"""A definition's own name counts twice in the field of names, the names around it once."""
_LITERAL: Final = re.compile(r"\"((?:[^\"\\\n]|\\.){8,400})\"|'((?:[^'\\\n]|\\.){8,400})'|`((?:[^`\\]|\\.){8,400})`")
"""A string in the quotes of nearly all languages; shorter ones hold no two words that matter."""
_PLACEHOLDER: Final = re.compile(r"%(?:\(\w+\))?[-+#0-9.]*[a-zA-Z]|\$?\{[^{}]*\}|\\[nrt]")


def gather_rows(numbers: Integers, first: Integers) -> tuple[Integers, Integers]:
    """Return the positions of each number's run in the flat column, and the length of each run."""
    repeats = first[numbers + 1] - first[numbers]
    ends = np.cumsum(repeats)
    total = int(ends[-1]) if len(ends) else 0
    within = (np.arange(total) - np.repeat(ends - repeats, repeats)).astype(np.int32)
    return np.repeat(first[numbers], repeats) + within, repeats


def read_texts(standing: DefinitionSpans, text: str | None) -> FileTerms:
    """The result of `file_texts.read_texts`."""
    names = _names(standing)
    lines = _Lines.of(standing, text or "")
    rows = _Rows.of(lines, text or "")
    terms, numbers = np.unique(np.concatenate([rows.terms, names[1]]), return_inverse=True)
    own, named = numbers[: len(rows.terms)].astype(np.int32), numbers[len(rows.terms) :].astype(np.int32)
    said = list(_phrases(lines, text or ""))
    first, second = (np.searchsorted(terms, side).astype(np.int32) for side in rows.pairs[1:])
    return FileTerms(
        standing.digest(),
        len(standing),
        terms.tobytes(),
        _body(standing, rows, own, len(terms)),
        np.bincount(own, weights=rows.counts, minlength=len(terms)).astype(np.int32).tobytes(),
        np.concatenate([names[0], named, names[2]]).astype(np.int32).tobytes(),
        np.concatenate([rows.pairs[0], first, second]).tobytes(),
        np.array([pair for _, pair in said], dtype=np.uint64).tobytes(),
        np.array([place for place, _ in said], dtype=np.int32).tobytes(),
    )


class _Lines(NamedTuple):
    """The lines of a text: whose each is, and which are documentation."""

    owners: Integers
    documented: Mask

    @classmethod
    def of(cls, standing: DefinitionSpans, text: str) -> _Lines:
        documented = mark_documentation_lines(standing, text)
        owners = standing.owners(len(documented))
        for place, first, last in find_leading_comments(standing, text):
            owners[first : last + 1] = place
            documented[first : last + 1] = True
        return cls(owners, documented)


class _Rows:
    """The words of a text by the place of their lines, as terms; `pairs` are those side by side in code: places, terms, terms."""

    def __init__(
        self,
        places: Integers,
        terms: Digests,
        counts: Integers,
        code: Integers,
        pairs: tuple[Integers, Digests, Digests],
    ) -> None:
        self.places = places
        self.terms = terms
        self.counts = counts
        self.code = code
        self.pairs = pairs

    @classmethod
    def of(cls, lines: _Lines, text: str) -> _Rows:
        known = WordIds()
        line_break = known[_BREAK]
        found = _TOKEN.findall(text)
        words = np.fromiter(map(known.__getitem__, found), np.int32, len(found))
        line = np.cumsum(words == line_break)
        documented, owners = lines.documented[line], lines.owners[line]
        kept = words != line_break
        code = kept & ~documented
        pairs = _pairs(owners[code], words[code], line[code], known)
        keys = (owners[kept].astype(np.int64) << 32) | (words[kept].astype(np.int64) << 1) | documented[kept]
        keys, counts = np.unique(keys, return_counts=True)
        chosen, repeats, terms = _terms(((keys & 0xFFFFFFFF) >> 1).astype(np.int32), known, index_digests)
        counts = np.repeat(counts, repeats)
        outside = np.repeat((keys & 1) == 0, repeats)
        places = np.repeat((keys >> 32).astype(np.int32), repeats)
        return cls(places, terms[chosen], counts.astype(np.int32), np.where(outside, counts, 0).astype(np.int32), pairs)


def _body(standing: DefinitionSpans, rows: _Rows, terms: Integers, count: int) -> bytes:
    """The table `FileTerms.body`."""
    holders, reach = _enclosing(standing)
    chosen, repeats = gather_rows(rows.places, reach)
    keys = holders[chosen].astype(np.int64) * max(count, 1) + np.repeat(terms, repeats)
    keys, numbers = np.unique(keys, return_inverse=True)
    all_counts, code_counts = (
        np.bincount(numbers, weights=np.repeat(column, repeats), minlength=len(keys))
        for column in (rows.counts, rows.code)
    )
    places = keys // max(count, 1)
    return np.concatenate([places, keys - places * count, all_counts, code_counts]).astype(np.int32).tobytes()


def _enclosing(standing: DefinitionSpans) -> tuple[Integers, Integers]:
    """For each place, compressed: itself and the functions around it, whose text it is part of.

    A class is not credited with its methods' text: they would drown what it says itself.
    """
    parents, functions = standing.parents.tolist(), standing.functions.tolist()
    flat, reach = [0], [0, 1]
    for place in range(1, len(standing)):
        flat.append(place)
        around = parents[place - 1]
        while around and functions[place - 1] and functions[around - 1]:
            flat.append(around)
            around = parents[around - 1]
        reach.append(len(flat))
    return np.array(flat, dtype=np.int32), np.array(reach, dtype=np.int32)


def _names(standing: DefinitionSpans) -> tuple[Integers, Digests, Integers]:
    """(place, term, weight) columns of the names that places are known by: path, qualname, own name."""
    places, terms, weights = array("i"), array("Q"), array("i")
    of_path = split_words(standing.path.rsplit(".", 1)[0])
    for place in range(len(standing)):
        parts = standing.qualname(place).replace("<", "").replace(">", "").split(".")
        for position, word in enumerate(found := of_path + parts, 1):
            weight = _OWN_NAME_WEIGHT if position == len(found) and parts[0] else 1
            for term in index_digests[word]:
                places.append(place)
                terms.append(term)
                weights.append(weight)
    return np.array(places, dtype=np.int32), np.array(terms, dtype=np.uint64), np.array(weights, dtype=np.int32)


def _pairs(
    places: Integers, words: Integers, lines: NDArray[np.int64], known: WordIds
) -> tuple[Integers, Digests, Digests]:
    """Place, term and next term in the same line, each such pair once for a place."""
    chosen, repeats, flat = _terms(words, known, pair_digests)
    terms, places, lines = flat[chosen], np.repeat(places, repeats), np.repeat(lines, repeats)
    side_by_side = np.flatnonzero(lines[1:] == lines[:-1])
    first, second, holders = terms[side_by_side], terms[side_by_side + 1], places[side_by_side]
    joined = term_extraction.join(first, second)
    order = np.lexsort((joined, holders))
    joined, holders = joined[order], holders[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (joined[1:] != joined[:-1]) | (holders[1:] != holders[:-1])
    return holders[new], first[order][new], second[order][new]


def _phrases(lines: _Lines, text: str) -> Iterator[tuple[int, int]]:
    """(place, digest) of the pairs of words in the string literals of a text."""
    breaks: NDArray[np.int64] | None = None
    for start, literal in literals(text):
        if breaks is None:
            breaks = np.flatnonzero(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) == ord(_BREAK))
        place = int(lines.owners[np.searchsorted(breaks, start)])
        for pair in term_extraction.pairs(literal):
            yield place, digest(pair)


def literals(source: str) -> Iterator[tuple[int, str]]:
    """Where each string literal of several words begins, and what it says, broken where values are filled in."""
    for match in _LITERAL.finditer(source):
        text = match.group(1) or match.group(2) or match.group(3)
        if " " in text:
            yield match.start(), _PLACEHOLDER.sub("\n", text)


class _Known(dict[str, tuple[int, ...]]):
    """Digests of the terms of each word, remembered."""

    def __init__(self, terms: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, word: str) -> tuple[int, ...]:
        found = self[word] = tuple(map(digest, self._terms(word)))
        return found


index_digests = _Known(terms_of_word)
pair_digests = _Known(word_terms)


def _terms(words: Integers, known: Iterable[str], digests: _Known) -> tuple[Integers, Integers, Digests]:
    """Positions of each word's terms, how many it has, and the digests that the positions are of."""
    flat, first = array("Q"), array("i", [0])
    for word in known:
        flat.extend(digests[word])
        first.append(len(flat))
    chosen, repeats = gather_rows(words, np.array(first, dtype=np.int32))
    return chosen, repeats, np.array(flat, dtype=np.uint64)
