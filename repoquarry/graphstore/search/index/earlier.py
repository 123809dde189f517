"""The search index of the revision before, of which the next one takes the files that did not change.

Its checksums are compared first: damage in it must not come into the next one, under checksums of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.search.index.checksums import verify
from repoquarry.graphstore.search.index.header import IndexHeader
from repoquarry.graphstore.search.index.moves import Moves
from repoquarry.graphstore.search.index.places import Places

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.semantic import FileVectors


@dataclass(frozen=True)
class EarlierIndex:
    """An index as it lies on disk, with what its texts were."""

    folder: Path
    places: Places
    texts: Mapping[str, bytes]
    """By path the key of what the index holds of a file's text."""
    vectors: FileVectors | None
    """Of all places; None without an embedder."""

    @classmethod
    def open(cls, folder: Path, texts: Mapping[str, bytes], model: str | None) -> EarlierIndex:
        """`model` is the revision of the embedder, None without one.

        Raises: NotFoundError when its vectors are missing or of another model; as `SearchIndex.load`.
        """
        verify(folder, IndexHeader.load(folder).checksums)
        places = Places.load(folder)
        return cls(folder, places, texts, _vectors(folder, model, len(places)) if model is not None else None)

    def holds(self, path: str, key: bytes) -> bool:
        """Whether it was made from this state of a file."""
        return self.texts.get(path) == key and path in self.places.by_path

    def sizes(self) -> dict[str, int]:
        """Places of each file, in path order."""
        definitions = self.places.definitions
        return {path: 1 + len(definitions.get(file, ())) for file, path in enumerate(self.places.columns.paths)}


@dataclass(frozen=True)
class KeptFiles:
    """Files that the next index takes from the earlier one."""

    earlier: EarlierIndex
    paths: frozenset[str]

    def moves(self, anew: Mapping[str, int]) -> Moves:
        """What becomes of the numbers, with further files and their places in path order."""
        return Moves.of(self.earlier.sizes(), self.paths, anew)

    def standings(self) -> dict[str, int]:
        """`Standing.digest` of each file."""
        digests = zip(self.earlier.places.columns.paths, self.earlier.places.standings(), strict=True)
        return {path: digest for path, digest in digests if path in self.paths}


def _vectors(folder: Path, model: str, count: int) -> FileVectors:
    from repoquarry.graphstore.embeddings.vectors import VectorIndex

    index = VectorIndex.load(folder, revision=model)
    if len(index) != count:
        raise NotFoundError(f"{folder} has {len(index)} vectors for {count} places", kind="index", value=str(folder))
    return index.all_halves()
