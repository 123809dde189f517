"""State that the previous run left in the store, and the inputs of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.storage.snapshot_tables import FileEntry, Snapshot
from repoquarry.graphstore.store import Store
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.source import Checkout

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.builder import PreviousIndex


@dataclass(frozen=True)
class IndexInputs:
    """Inputs of a run: a tree and its settings. With the version of the indexer they determine the graph."""

    checkout: Checkout
    settings: IngestSettings

    @property
    def repository(self) -> str:
        """Id under which the repository is stored."""
        return self.checkout.name


class PreviousState:
    """State of one repository before a run; read again on each call, since a run repairs damaged data."""

    def __init__(self, store: Store, repository: str) -> None:
        self._store = store
        self._repository = repository

    def snapshot(self) -> Snapshot | None:
        """Return the published snapshot; None if there is none."""
        return self._store.sources.published_snapshot(self._repository)

    def revision(self) -> str | None:
        """Return the revision of the stored graph; None if it is missing or unreadable."""
        if self._store.engine.is_damaged(self._repository):
            return None
        try:
            return self._store.revision(self._repository)
        except NotFoundError:
            return None

    def files(self) -> Mapping[str, FileEntry]:
        """Return the indexed files by path; empty before the first run."""
        current = self.snapshot()
        return self._store.sources.files(self._repository, current.revision) if current is not None else {}

    def delete_damaged_texts(self) -> bool:
        """Drop damaged texts, so that they are stored again; return whether there were any."""
        damaged = self._store.sources.drop_damaged(self._repository)
        if damaged:
            self._store.warn(
                f"{len(damaged)} stored texts of {self._repository} were corrupt and will be stored again: {damaged[0]}, …"
            )
        return bool(damaged)

    def index(self) -> PreviousIndex | None:
        """Return the search index of the published revision; None if it is missing, incomplete or of another
        embedder."""
        current = self.snapshot()
        if current is None:
            return None
        texts = self._store.sources.texts_of(self._repository, current.revision)
        return self._store.indexes.earlier(self._repository, current.revision, texts)
