"""What a search index holds of the text of one file: made from that file alone, so in any process, and kept by its content.

Terms are 64-bit digests, places are numbered inside the file (`Standing`); `merging` puts files together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from repoquarry.graphstore.folder.compression import compress, decompress
from repoquarry.graphstore.search.index.documentation import comments_above, documented_lines
from repoquarry.graphstore.search.index.standing import Standing
from repoquarry.graphstore.search.index.terms.counting import count_words
from repoquarry.graphstore.search.index.terms.vocabulary import Integers

if TYPE_CHECKING:  # a worker that reads files searches nothing
    from repoquarry.graphstore.search.index.filters import Mask


class FileTexts(msgspec.Struct, frozen=True, array_like=True):
    """Counts of one file. Arrays are bytes: digests uint64, all else int32; columns of a table lie one behind the other."""

    standing: int
    """`Standing.digest` of what it was cut along."""
    places: int
    terms: bytes
    """Distinct terms of text and names, ascending."""
    body: bytes
    """(place, term, occurrences, occurrences outside documentation): of a place what its lines say, of a function what the functions in it
    say as well; of classes and of the file only what is outside their definitions."""
    whole: bytes
    """For each term how often the file's text has it."""
    names: bytes
    """(place, term, weight) of what a place is called."""
    bigrams: bytes
    """(place, term, term) of what stands side by side in code, each once."""
    phrases: bytes
    """Digests of pairs of words in string literals, as often as they occur."""
    phrase_places: bytes

    def encode(self) -> bytes:
        """As it travels between processes and is kept."""
        return compress(msgspec.msgpack.encode(self))

    @classmethod
    def decode(cls, data: bytes) -> FileTexts:
        """The inverse of `encode`. Raises: StoreCorruptError."""
        return _DECODER.decode(decompress(data))


_DECODER = msgspec.msgpack.Decoder(FileTexts)


def read_texts(standing: Standing, text: str | None) -> FileTexts:
    """Count the words of a file; without a text, its names alone.

    Raises: WordsError.
    """
    owners, documented = _lines(standing, text or "")
    return FileTexts(standing.digest(), len(standing), *count_words(standing, text or "", owners, documented))


def _lines(standing: Standing, text: str) -> tuple[Integers, Mask]:
    """Of each line whose it is, and whether it is documentation."""
    documented = documented_lines(standing, text)
    owners = standing.owners(len(documented))
    for place, first, last in comments_above(standing, text):
        owners[first : last + 1] = place
        documented[first : last + 1] = True
    return owners, documented
