"""What search indexes are made from: a narrow protocol, so that they can be built and tested without an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from repoquarry.graphstore.embeddings.embedder import Embedder, Vectors
from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.model.records import RepositoryGraph

ReadText = Callable[[str], str]
"""Source text of one file by its path in the repository. Raises: NotFoundError."""


EmbedTexts = Callable[[Sequence[str]], Vectors]
"""Vectors of documents, as `Embedder.embed`; a store puts its vector cache before it."""


class Contents(Protocol):
    """Graphs and texts of stored repositories. `repoquarry.graphstore.store.Store` fulfils it."""

    @property
    def embedder(self) -> Embedder | None:
        """The model for semantic search; None when the store has none."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents by `embedder`, taken from the store's cache where they were made before."""
        ...

    def revision(self, repository: str) -> str:
        """The stored revision. Raises: NotFoundError for an unknown repository."""
        ...

    def graph(self, repository: str) -> RepositoryGraph:
        """The stored graph of one repository as columns. Raises: NotFoundError."""
        ...

    def history(self, repository: str) -> History:
        """What git remembers of one repository, empty where it was not read. Raises: NotFoundError."""
        ...

    def source_text(self, repository: str, path: str) -> str:
        """Text of one indexed file. Raises: NotFoundError, StoreCorruptError."""
        ...

    def notice(self, text: str) -> None:
        """Tell people what they should learn of the store beside the answer they asked for."""
        ...
