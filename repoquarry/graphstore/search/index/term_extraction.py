"""Extraction and counting of the index terms of one file: parts of identifiers, compound names, word pairs in code and string literals.

`--collect-only`, `collect_only` and `collectOnly` share their parts with half of a repository, but as one name they are rare: a task that
contains the name refers to the code of that name.

Source of the idea: the ordered bigrams of Metzler and Croft, A Markov Random Field Model for Term Dependencies, 2005. In code only line
ends separate words, because "field choices" in prose may be a name, a call or an assignment in code.

An error report quotes the message. Its single words are common, but two adjacent ones are nearly always this message: pairs find the
place that raises it, although a placeholder replaces the value of the report.

Terms are 64-bit digests, places are numbered inside the file (`DefinitionSpans`); `term_merger` merges files.
"""

from __future__ import annotations

import ctypes
import re
import struct
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from repoquarry.graphstore.search.index.place_extraction import find_leading_comments, mark_documentation_lines
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.postings import Digests, Integers, PairIndex, Reals, digest, digests
from repoquarry.graphstore.search.index.registered_names import find_registered_names
from repoquarry.graphstore.search.text_analysis import (
    identifier_parts,
    load_tokenizer,
    raise_for_status,
    stem_parts,
    word_terms,
)
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.native import copy_bytes, tokenizer_abi

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.places import Mask

WORD: Final = r"\w+(?:-\w+)*"
"""Pattern of one word as written; words joined by hyphens are one."""
_COMPOUND_WORD: Final = re.compile(WORD)
_MARK: Final = "="
"""Prefix of the term of a compound, which must not be equal to a part with the same letters."""
_MIN_WORD_CHARACTERS: Final = 5
"""Minimum letters of a plain word that may represent a compound."""
_MAX_PARTS: Final = 4
"""Maximum parts of a compound that may be written as one plain word."""


def split_words(text: str) -> list[str]:
    """Return the words of a text as written."""
    found: list[str] = _COMPOUND_WORD.findall(text)
    return found


def terms_of_word(word: str) -> tuple[str, ...]:
    """Return the terms of one word: its parts as in `word_terms`, and the compound if it has several parts."""
    parts = identifier_parts(word)
    return stem_parts(parts) if len(parts) < 2 else (*stem_parts(parts), _MARK + "".join(parts))


index_terms = lru_cache(maxsize=1 << 14)(terms_of_word)


def extract_terms(text: str) -> list[str]:
    return list(chain.from_iterable(map(index_terms, split_words(text))))


def expand_query_terms(text: str) -> list[str]:
    """Return the terms of a task: as indexed, with alternative spellings of words.

    `isnull` also matches the compound `IsNull`, and `GroupBy` the plain word `groupby`.
    """
    return [term for word in split_words(text) for term in (*index_terms(word), *_otherwise(word))]


@lru_cache(maxsize=1 << 14)
def _otherwise(word: str) -> tuple[str, ...]:
    parts = identifier_parts(word)
    if len(parts) == 1 and len(parts[0]) >= _MIN_WORD_CHARACTERS:
        return (_MARK + parts[0],)
    return stem_parts(["".join(parts)]) if 2 <= len(parts) <= _MAX_PARTS else ()


_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
"""2 to the 64th over the golden ratio: factor of a pair's first term, so that order matters."""


def adjacent_pairs(text: str) -> Iterator[str]:
    """Yield pairs of adjacent terms of a line, skipping function words."""
    for line in text.split("\n"):
        terms = [term for word in split_words(line) for term in word_terms(word)]
        yield from (f"{first} {second}" for first, second in pairwise(terms))


class Bigrams(PairIndex):
    NAME = "bigrams"

    def score(self, weights: Mapping[str, float]) -> Reals:
        """Return (places,) the sum of weight times rarity of the pairs in each place."""
        said = [pair.split(" ") for pair in weights]
        wanted = join(digests(first for first, _ in said), digests(second for _, second in said))
        numbers = self.vocabulary.of_digests(wanted)
        scores = np.zeros(len(self.postings.lengths), dtype=np.float32)
        for number, weight, rarity in zip(
            numbers.tolist(), weights.values(), self.postings.rarity(numbers).tolist(), strict=True
        ):
            if number >= 0:
                scores[self.postings.documents_with(number)] += weight * rarity
        return scores


def join(first: Digests, second: Digests) -> Digests:
    """Return one digest for each ordered pair."""
    return first * _ODD + second


_BREAK: Final = re.compile(r"[\n.;:!?|]+")
"""Words on both sides of these are not adjacent."""
_WORD: Final = re.compile(r"[^\W\d_]\w*")


def pairs(text: str) -> Iterator[str]:
    """Yield pairs of adjacent words of a text, skipping function words."""
    for part in _BREAK.split(text):
        words = [term for word in _WORD.findall(part) for term in word_terms(word)]
        yield from (f"{first} {second}" for first, second in pairwise(words))


class Phrases(PairIndex):
    """Postings of pairs in string literals."""

    NAME = "phrases"

    def score(self, weights: Mapping[str, float]) -> Reals:
        """Return BM25 of each place for weighted pairs."""
        numbers = self.vocabulary.numbers(list(weights))
        rarity = self.postings.rarity(numbers)
        return self.postings.score(numbers, (rarity * np.array(list(weights.values()))).astype(np.float32))


_MAX_CACHED_WORDS: Final = 1 << 18
"""Maximum number of words and parts with cached terms."""
_NO_TERM: Final = struct.pack("<QH", 0, 0xFFFF)


def count_terms(standing: DefinitionSpans, text: str, owners: Integers, documented: Mask) -> FileTerms:
    """Count the words of a text, given the place and a documentation flag of each line. Raises: TokenizerError."""
    native, asked, reading = load_tokenizer(), tokenizer_abi.TermRequest(), ctypes.c_void_p()
    file = _file(standing, text, owners, documented)
    raise_for_status(native.repoquarry_words_read(ctypes.byref(file), ctypes.byref(asked), ctypes.byref(reading)))
    try:
        counts = tokenizer_abi.TermCountTables()
        raise_for_status(native.repoquarry_words_count(reading, ctypes.byref(_told(asked)), ctypes.byref(counts)))
        return FileTerms(
            standing.digest(),
            len(standing),
            copy_bytes(counts.terms, counts.term_count * 8),
            copy_bytes(counts.body, counts.body_rows * 16),
            copy_bytes(counts.whole, counts.term_count * 4),
            copy_bytes(counts.names, counts.name_rows * 12),
            copy_bytes(counts.bigrams, counts.bigram_rows * 12),
            copy_bytes(counts.phrases, counts.phrase_count * 8),
            copy_bytes(counts.phrase_places, counts.phrase_count * 4),
        )
    finally:
        native.repoquarry_words_free(reading)


def _file(standing: DefinitionSpans, text: str, owners: Integers, documented: Mask) -> tokenizer_abi.TokenizerFile:
    path = standing.path.rsplit(".", 1)[0]
    encoded, encoded_path = tokenizer_abi.utf8(text), tokenizer_abi.utf8(path)
    return tokenizer_abi.TokenizerFile(
        tokenizer_abi.VERSION,
        encoded,
        len(encoded),
        tokenizer_abi.LetterTable.of(text, path, *standing.keys),
        owners.tobytes(),
        documented.tobytes(),
        len(owners),
        encoded_path,
        len(encoded_path),
        tokenizer_abi.TokenizerTexts.of(standing.keys),
        standing.parents.tobytes(),
        standing.functions.tobytes(),
    )


def _told(asked: tokenizer_abi.TermRequest) -> tokenizer_abi.TermResponse:
    """Return the terms of word parts, and of words beyond ASCII, for the library."""
    parts = copy_bytes(asked.parts, asked.parts_bytes).decode("ascii").split("\n")
    parts.pop()  # The empty string after the last line break.
    of_parts = b"".join(map(_terms_of_parts.__getitem__, parts))
    of_words = b"".join(map(_terms_of_words.__getitem__, _odd_words(asked)))
    return tokenizer_abi.TermResponse(of_parts, len(of_parts), of_words, len(of_words))


def _odd_words(asked: tokenizer_abi.TermRequest) -> list[str]:
    block, words, at = copy_bytes(asked.odd, asked.odd_bytes), [], 0
    for size in array("i", copy_bytes(asked.odd_sizes, asked.odd_count * 4)):
        words.append(block[at : at + size].decode("utf-8", "surrogatepass"))
        at += size
    return words


class _Known(dict[str, bytes]):
    """Cache of the terms of each text; emptied when full."""

    def __init__(self, tell: Callable[[str], bytes]) -> None:
        super().__init__()
        self._tell = tell

    def __missing__(self, text: str) -> bytes:
        if len(self) >= _MAX_CACHED_WORDS:
            self.clear()
        found = self[text] = self._tell(text)
        return found


def _term(term: str) -> bytes:
    encoded = tokenizer_abi.utf8(term)
    return struct.pack("<QH", digest(term), len(encoded)) + encoded


def _of_part(part: str) -> bytes:
    return b"".join(map(_term, stem_parts((part,)))) or _NO_TERM


def _of_word(word: str) -> bytes:
    terms = terms_of_word(word)
    return struct.pack("<H", len(terms)) + b"".join(map(_term, terms))


_terms_of_parts = _Known(_of_part)
_terms_of_words = _Known(_of_word)


class FileTerms(msgspec.Struct, frozen=True, array_like=True):
    """Counts of one file. Arrays are bytes: digests uint64, all others int32; tables are in column order."""

    standing: int
    """`DefinitionSpans.digest` of the spans by which the text was split."""
    places: int
    terms: bytes
    """Distinct terms of text and names, ascending."""
    body: bytes
    """(place, term, occurrences, occurrences outside documentation). A function includes the functions in it; classes and the file
    include only text outside their definitions."""
    whole: bytes
    """Number of occurrences of each term in the file's text."""
    names: bytes
    """(place, term, weight) of the names of a place."""
    bigrams: bytes
    """(place, term, term) of adjacent words in code, each once."""
    phrases: bytes
    """Digests of pairs of words in string literals, with repetitions."""
    phrase_places: bytes

    def encode(self) -> bytes:
        return compress(msgspec.msgpack.encode(self))

    @classmethod
    def decode(cls, data: bytes) -> FileTerms:
        """Decode the counts. Raises: StoreCorruptError."""
        return _DECODER.decode(decompress(data))


_DECODER = msgspec.msgpack.Decoder(FileTerms)

_REGISTERED_WEIGHT: Final = 2
"""Weight of a string that registers a place among the names of the place; the part of a path has 1."""


def count_file_terms(standing: DefinitionSpans, text: str | None) -> FileTerms:
    """Count the words of a file; without a text, its names only. Raises: TokenizerError."""
    text = text or ""
    documented = mark_documentation_lines(standing, text)
    owners = standing.owners(len(documented))
    for place, first, last in find_leading_comments(standing, text):
        owners[first : last + 1] = place
        documented[first : last + 1] = True
    registered = list(dict.fromkeys(find_registered_names(standing, text, owners)))
    return _add_names(count_terms(standing, text, owners, documented), registered)


def _add_names(counted: FileTerms, registered: Sequence[tuple[int, str]]) -> FileTerms:
    """Add the terms of the strings that register a place to its names; they are terms of the text already."""
    if not registered:
        return counted
    known = np.frombuffer(counted.terms, np.uint64)
    pairs = [(place, term) for place, key in registered for term in dict.fromkeys(extract_terms(key))]
    wanted = digests(term for _, term in pairs)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    places = np.array([place for place, _ in pairs], dtype=np.int32)
    rows = np.stack([places, at.astype(np.int32), np.full(len(pairs), _REGISTERED_WEIGHT, dtype=np.int32)])
    table = np.frombuffer(counted.names, np.int32).reshape(3, -1)
    names = np.concatenate([table, rows[:, known[at] == wanted]], axis=1)
    return msgspec.structs.replace(counted, names=names.tobytes())
