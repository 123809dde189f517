"""The words of one file, counted natively. What Python alone knows, stems and letters beyond ASCII, it tells in between."""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from repoquarry.graphstore.native import copied
from repoquarry.graphstore.search.index.standing import Standing
from repoquarry.graphstore.search.index.terms.compounds import terms_of_word
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, digest
from repoquarry.graphstore.text import part_terms
from repoquarry.graphstore.words import abi
from repoquarry.graphstore.words.library import library, require

if TYPE_CHECKING:  # a worker that reads files searches nothing
    from repoquarry.graphstore.search.index.filters import Mask

_MOST_KNOWN: Final = 1 << 18
"""Parts and words whose terms a process remembers."""
_NO_TERM: Final = struct.pack("<QH", 0, 0xFFFF)


class Counted(NamedTuple):
    """Tables as `FileTexts` has them."""

    terms: bytes
    body: bytes
    whole: bytes
    names: bytes
    bigrams: bytes
    phrases: bytes
    phrase_places: bytes


def count_words(standing: Standing, text: str, owners: Integers, documented: Mask) -> Counted:
    """Count the words of a text, of whose lines we know whose they are and which are documentation.

    Raises: WordsError.
    """
    native, asked, reading = library(), abi.Asked(), ctypes.c_void_p()
    file = _file(standing, text, owners, documented)
    require(native.repoquarry_words_read(ctypes.byref(file), ctypes.byref(asked), ctypes.byref(reading)))
    try:
        counts = abi.Counts()
        require(native.repoquarry_words_count(reading, ctypes.byref(_told(asked)), ctypes.byref(counts)))
        return _copied(counts)
    finally:
        native.repoquarry_words_free(reading)


def _file(standing: Standing, text: str, owners: Integers, documented: Mask) -> abi.File:
    path = standing.path.rsplit(".", 1)[0]
    encoded, encoded_path = abi.utf8(text), abi.utf8(path)
    return abi.File(
        abi.VERSION,
        encoded,
        len(encoded),
        abi.Letters.of(text, path, *standing.keys),
        owners.tobytes(),
        documented.tobytes(),
        len(owners),
        encoded_path,
        len(encoded_path),
        abi.Texts.of(standing.keys),
        standing.parents.tobytes(),
        standing.functions.tobytes(),
    )


def _told(asked: abi.Asked) -> abi.Terms:
    """What Python has to say of the parts of words, and of words beyond ASCII."""
    parts = copied(asked.parts, asked.parts_bytes).decode("ascii").split("\n")
    parts.pop()  # behind the last line break
    of_parts = b"".join(map(_terms_of_parts.__getitem__, parts))
    of_words = b"".join(map(_terms_of_words.__getitem__, _odd_words(asked)))
    return abi.Terms(of_parts, len(of_parts), of_words, len(of_words))


def _odd_words(asked: abi.Asked) -> list[str]:
    block, words, at = copied(asked.odd, asked.odd_bytes), [], 0
    for size in array("i", copied(asked.odd_sizes, asked.odd_count * 4)):
        words.append(block[at : at + size].decode("utf-8", "surrogatepass"))
        at += size
    return words


def _copied(counts: abi.Counts) -> Counted:
    return Counted(
        copied(counts.terms, counts.term_count * 8),
        copied(counts.body, counts.body_rows * 16),
        copied(counts.whole, counts.term_count * 4),
        copied(counts.names, counts.name_rows * 12),
        copied(counts.bigrams, counts.bigram_rows * 12),
        copied(counts.phrases, counts.phrase_count * 8),
        copied(counts.phrase_places, counts.phrase_count * 4),
    )


class _Known(dict[str, bytes]):
    """What is told of each text, remembered; emptied when full."""

    def __init__(self, tell: Callable[[str], bytes]) -> None:
        super().__init__()
        self._tell = tell

    def __missing__(self, text: str) -> bytes:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        found = self[text] = self._tell(text)
        return found


def _term(term: str) -> bytes:
    encoded = abi.utf8(term)
    return struct.pack("<QH", digest(term), len(encoded)) + encoded


def _of_part(part: str) -> bytes:
    return b"".join(map(_term, part_terms((part,)))) or _NO_TERM


def _of_word(word: str) -> bytes:
    terms = terms_of_word(word)
    return struct.pack("<H", len(terms)) + b"".join(map(_term, terms))


_terms_of_parts = _Known(_of_part)
_terms_of_words = _Known(_of_word)
