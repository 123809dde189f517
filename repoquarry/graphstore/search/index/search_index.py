"""Search index of one revision: header, checksums, opened index and semantic scores.

Checksums are CRC-32, which reads three gigabytes a second where a cryptographic hash reads one; a cache needs no protection from attacks.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.commit_index import CommitIndex, TransitionMatrix, build_transitions
from repoquarry.graphstore.search.index.name_lookup import NameIndex
from repoquarry.graphstore.search.index.place_vectors import load_vectors
from repoquarry.graphstore.search.index.places import Places
from repoquarry.graphstore.search.index.postings import Integers, Postings, Reals, TermDictionary
from repoquarry.graphstore.search.index.term_extraction import Bigrams, Phrases

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex


def checksums(folder: Path) -> dict[str, int]:
    """Compute the checksum of each file by name."""
    return {path.name: _checksum(path) for path in sorted(folder.iterdir())}


def verify(folder: Path, expected: Mapping[str, int]) -> None:
    """Verify the files. Raises: StoreCorruptError with the first file that differs; OSError if one is missing."""
    for name, checksum in expected.items():
        if _checksum(folder / name) != checksum:
            raise StoreCorruptError(f"{name} differs from what was written")


def _checksum(path: Path) -> int:
    with path.open("rb") as file:
        if not path.stat().st_size:
            return 0
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return zlib.crc32(content)


FORMAT: Final = 6
"""Changes whenever the files of an index change their meaning: older ones are rebuilt."""

HEADER: Final = "header.msgpack"


class IndexHeader(msgspec.Struct, frozen=True, array_like=True):
    """Header of an index; written last."""

    format: int
    repository: str
    places: int
    files: int
    checksums: dict[str, int]
    """Checksums of all other files by name."""

    def save(self, folder: Path) -> None:
        """Write the header, followed by its own checksum."""
        data = msgspec.msgpack.encode(self)
        (folder / HEADER).write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))

    @classmethod
    def load(cls, folder: Path) -> IndexHeader:
        """Read the header. Raises: OSError, StoreCorruptError; ValueError for another format."""
        content = (folder / HEADER).read_bytes()
        data, checksum = content[:-4], content[-4:]
        if zlib.crc32(data).to_bytes(4, "little") != checksum:
            if content[1:2] == bytes([FORMAT]):
                raise StoreCorruptError(f"{HEADER} differs from what was written")
            raise ValueError("an index of an earlier format")
        header = msgspec.msgpack.decode(data, type=IndexHeader)
        if header.format != FORMAT:
            raise ValueError(f"index format {header.format}, expected {FORMAT}")
        return header


@dataclass(frozen=True)
class SearchIndex:
    """Opened index of one repository; arrays are mapped from disk."""

    folder: Path
    repository: str
    places: Places
    vocabulary: TermDictionary
    names: Postings
    """Names of each place: path, qualname."""
    body: Postings
    """Text of each place; for a file only the text outside its definitions."""
    code: Postings
    """Like `body`, without documentation inside definitions."""
    whole: Postings
    """Complete text of each file."""
    bigrams: Bigrams
    """Pairs of adjacent words in `code`."""
    phrases: Phrases
    past: CommitIndex
    _vectors: dict[str, VectorIndex | None] = field(default_factory=dict, repr=False)

    @property
    def revision(self) -> str:
        return self.folder.name

    def vectors(self, revision: str) -> VectorIndex | None:
        """Return the vectors of this model, None if the index was built without them."""
        if revision not in self._vectors:
            self._vectors[revision] = load_vectors(self.folder, revision)
        return self._vectors[revision]

    @cached_property
    def names_lookup(self) -> NameIndex:
        """Return the name lookups, built on first use."""
        return NameIndex(self.places)

    @cached_property
    def steps(self) -> TransitionMatrix:
        """Return the steps of a random walk over the graph, built on first use."""
        return build_transitions(self.places)

    @cached_property
    def document_frequencies(self) -> Integers:
        frequencies: Integers = np.load(self.folder / "document_frequencies.npy", mmap_mode="r")
        return frequencies

    @classmethod
    def load(cls, folder: Path) -> SearchIndex:
        """Open an index.

        Raises: OSError, ValueError or msgspec.MsgspecError if there is none of this format; StoreCorruptError if it is damaged.
        """
        header = IndexHeader.load(folder)
        verify(folder, header.checksums)
        vocabulary = TermDictionary(np.load(folder / "vocabulary.npy", mmap_mode="r"))
        places = Places.load(folder)
        return cls(
            folder,
            header.repository,
            places,
            vocabulary,
            names=Postings.load(folder, "names"),
            body=Postings.load(folder, "body"),
            code=Postings.load(folder, "code"),
            whole=Postings.load(folder, "whole"),
            bigrams=Bigrams.load(folder),
            phrases=Phrases.load(folder),
            past=CommitIndex.load(folder, places.file_count),
        )


_POOL: Final = 1_000
"""Maximum number of places that count as semantically similar."""


def semantic_scores(
    index: SearchIndex, text: str, embedder: Embedder | None, allowed: Sequence[int] | None = None
) -> Reals | None:
    """Return the cosine of each place with a text, 0 beyond the nearest ones; None without vectors of this model."""
    vectors = index.vectors(embedder.revision) if embedder is not None else None
    if embedder is None or vectors is None:
        return None
    names = None if allowed is None else [str(place) for place in allowed]
    scores = np.zeros(len(index.places), dtype=np.float32)
    for neighbour in vectors.search(embedder.embed_queries([text]), _POOL, names)[0]:
        scores[int(neighbour.id)] = neighbour.score
    return scores
