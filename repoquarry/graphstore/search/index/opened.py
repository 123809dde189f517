"""The index of one repository revision, opened: what answers a search in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from repoquarry.graphstore.search.index.checksums import verify
from repoquarry.graphstore.search.index.header import IndexHeader
from repoquarry.graphstore.search.index.lookup import Names
from repoquarry.graphstore.search.index.past import Past
from repoquarry.graphstore.search.index.places import Places
from repoquarry.graphstore.search.index.semantic import load_vectors
from repoquarry.graphstore.search.index.spread import Steps, steps
from repoquarry.graphstore.search.index.terms.bigrams import Bigrams
from repoquarry.graphstore.search.index.terms.phrases import Phrases
from repoquarry.graphstore.search.index.terms.postings import Postings
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, Vocabulary

if TYPE_CHECKING:  # imports FAISS, which a search by keyword alone does not need
    from repoquarry.graphstore.embeddings.vectors import VectorIndex


@dataclass(frozen=True)
class SearchIndex:
    """Everything that answers a search in one repository; arrays are mapped from disk."""

    folder: Path
    repository: str
    places: Places
    vocabulary: Vocabulary
    names: Postings
    """Names of each place: path, qualname."""
    body: Postings
    """Text of each place; of a file only what is outside its definitions."""
    code: Postings
    """As `body`, without documentation inside definitions."""
    whole: Postings
    """All text of each file."""
    bigrams: Bigrams
    """Pairs of words side by side in `code`."""
    phrases: Phrases
    past: Past
    _vectors: dict[str, VectorIndex | None] = field(default_factory=dict, repr=False)

    @property
    def revision(self) -> str:
        return self.folder.name

    def vectors(self, revision: str) -> VectorIndex | None:
        """The vectors of this model, None when the index was built without them."""
        if revision not in self._vectors:
            self._vectors[revision] = load_vectors(self.folder, revision)
        return self._vectors[revision]

    @cached_property
    def names_lookup(self) -> Names:
        """Look-ups of names, made on first use."""
        return Names(self.places)

    @cached_property
    def steps(self) -> Steps:
        """Steps of a walk over the graph, made on first use."""
        return steps(self.places)

    @cached_property
    def document_frequencies(self) -> Integers:
        frequencies: Integers = np.load(self.folder / "document_frequencies.npy", mmap_mode="r")
        return frequencies

    @classmethod
    def load(cls, folder: Path) -> SearchIndex:
        """Open what `build` wrote.

        Raises: OSError, ValueError or msgspec.MsgspecError when there is none of this format; StoreCorruptError when it is
        damaged.
        """
        header = IndexHeader.load(folder)
        verify(folder, header.checksums)
        vocabulary = Vocabulary(np.load(folder / "vocabulary.npy", mmap_mode="r"))
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
            past=Past.load(folder, places.file_count),
        )
