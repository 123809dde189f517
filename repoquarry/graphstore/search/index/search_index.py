"""Opened search index of one repository revision: memory-mapped files that checksums verify; scores of places by embedding similarity.

Checksums are CRC-32, which reads three gigabytes a second where a cryptographic hash reads one; a cache needs no protection from attacks.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self

import msgspec
import numpy as np

from repoquarry.graphstore.errors import EmbedderUnavailableError, StoreCorruptError
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.commit_index import CommitIndex, TransitionMatrix, build_transitions
from repoquarry.graphstore.search.index.name_lookup import NameIndex
from repoquarry.graphstore.search.index.place_vectors import load_vectors
from repoquarry.graphstore.search.index.places import Places
from repoquarry.graphstore.search.index.postings import Postings, Reals, TermDictionary, load_array, map_file
from repoquarry.graphstore.search.index.term_extraction import Bigrams, Phrases
from repoquarry.graphstore.storage.vector_identity import VECTOR_FILE

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex


def checksums(folder: Path) -> dict[str, int]:
    return {path.name: _checksum(path) for path in sorted(folder.iterdir())}


def verify(folder: Path, expected: Mapping[str, int], prefixes: tuple[str, ...] = ("",)) -> None:
    """Verify files by prefixes of their names. Raises: StoreCorruptError with the first that differs; OSError if one is missing."""
    for name, checksum in expected.items():
        if name.startswith(prefixes) and _checksum(folder / name) != checksum:
            raise StoreCorruptError(f"{name} differs from what was written")


def _checksum(path: Path) -> int:
    return zlib.crc32(map_file(path))


FORMAT: Final = 7
"""Changes whenever the files of an index change their meaning: older ones are rebuilt."""

HEADER: Final = "header.msgpack"


class IndexHeader(msgspec.Struct, frozen=True, array_like=True):
    """Header of an index; written last."""

    format: int
    repository: str
    places: int
    files: int
    checksums: dict[str, int]

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
class KeywordIndex:
    """Part of an index that ranks places by keywords."""

    vocabulary: TermDictionary
    names: Postings
    """Names of each place: path, qualname."""
    body: Postings
    """Text of each place; for a file only the text outside its definitions."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open the files with KEYWORD_PREFIXES. Raises: as `SearchIndex.load`."""
        vocabulary = TermDictionary(load_array(folder / "vocabulary.npy"))
        return cls(vocabulary, Postings.load(folder, "names"), Postings.load(folder, "body"))


_WARNING_SECONDS: Final = 30.0
"""Time for which answers repeat that a search had no vectors: each search checks again."""
KEYWORD_PREFIXES: Final = ("vocabulary", "names", "body")


@dataclass(frozen=True)
class SearchIndex(KeywordIndex):
    """Opened index of one repository; arrays are mapped from disk."""

    folder: Path
    repository: str
    places: Places
    code: Postings
    """Like `body`, without documentation inside definitions."""
    whole: Postings
    bigrams: Bigrams
    phrases: Phrases
    past: CommitIndex
    _vectors: dict[str, VectorIndex | None] = field(default_factory=dict, repr=False)

    def vectors(self, revision: str) -> VectorIndex | None:
        """Return the vectors of this model, None if the index was built without them."""
        if revision not in self._vectors:
            self._vectors[revision] = load_vectors(self.folder, revision)
        return self._vectors[revision]

    @cached_property
    def names_lookup(self) -> NameIndex:
        return NameIndex(self.places)

    @cached_property
    def steps(self) -> TransitionMatrix:
        return build_transitions(self.places)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Open an index.

        Raises: OSError, ValueError or msgspec.MsgspecError if there is none of this format; StoreCorruptError if it is damaged.
        """
        header = IndexHeader.load(folder)
        verify(folder, header.checksums)
        places = Places.load(folder)
        return cls(
            **vars(KeywordIndex.load(folder)),
            folder=folder,
            repository=header.repository,
            places=places,
            code=Postings.load(folder, "code"),
            whole=Postings.load(folder, "whole"),
            bigrams=Bigrams.load(folder),
            phrases=Phrases.load(folder),
            past=CommitIndex.load(folder, places.file_count),
        )


_POOL: Final = 1_000
"""Maximum number of places that count as semantically similar."""


class EmbedderSource(Protocol):
    """Part of a `SearchBackend` that embeds queries."""

    @property
    def embedder(self) -> Embedder | None: ...
    def warn(self, text: str, seconds: float = ...) -> None: ...


def find_semantic_scores(
    library: EmbedderSource, index: SearchIndex, text: str, allowed: Sequence[int] | None = None
) -> Reals | None:
    """Return `semantic_scores`, or None with a warning if the embedder fails or the vectors are of another one."""
    try:
        embedder = library.embedder
        scores = semantic_scores(index, text, embedder, allowed)
    except EmbedderUnavailableError as exc:
        library.warn(f"the search used words only: {exc}", _WARNING_SECONDS)
        return None
    if embedder is not None and scores is None and len(index.places):
        has_vectors = (index.folder / VECTOR_FILE).exists()
        model = "are of another embedder" if has_vectors else "are missing"
        library.warn(
            f"the search used words only: the vectors of {index.repository} {model}; index it again to renew them",
            _WARNING_SECONDS,
        )
    return scores


def semantic_scores(
    index: SearchIndex, text: str, embedder: Embedder | None, allowed: Sequence[int] | None = None
) -> Reals | None:
    """Return the cosine of each place with a text, 0 beyond the nearest ones; None without vectors of this model."""
    vectors = index.vectors(embedder.revision) if embedder is not None else None
    if embedder is None or vectors is None:
        return None
    scores = np.zeros(len(index.places), dtype=np.float32)
    places, cosines = vectors.search(embedder.embed_queries([text]), _POOL, allowed)
    scores[places] = cosines
    return scores
