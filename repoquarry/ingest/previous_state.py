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
    """A tree and its settings: together with the version of the indexer all that a graph follows from."""

    checkout: Checkout
    settings: IngestSettings

    @property
    def repository(self) -> str:
        """The id that the repository is stored under."""
        return self.checkout.name


class PreviousState:
    """The state of one repository before a run; asked anew each time, as a run repairs what it finds damaged."""

    def __init__(self, store: Store, repository: str) -> None:
        self._store = store
        self._repository = repository

    def snapshot(self) -> Snapshot | None:
        """The published texts; None when there are none."""
        return self._store.sources.published_snapshot(self._repository)

    def revision(self) -> str | None:
        """That of the stored graph; None when there is none that can be read."""
        if self._store.engine.is_damaged(self._repository):
            return None
        try:
            return self._store.revision(self._repository)
        except NotFoundError:
            return None

    def files(self) -> Mapping[str, FileEntry]:
        """The indexed files by path; none before the first run."""
        current = self.snapshot()
        return self._store.sources.files(self._repository, current.revision) if current is not None else {}

    def delete_damaged_texts(self) -> bool:
        """Drop stored texts that are damaged, so that they are stored anew; whether there were any."""
        damaged = self._store.sources.drop_damaged(self._repository)
        if damaged:
            self._store.warn(
                f"{len(damaged)} stored texts of {self._repository} were corrupt and will be stored again: {damaged[0]}, …"
            )
        return bool(damaged)

    def index(self) -> PreviousIndex | None:
        """The search index of the published revision; None when there is none that is whole and of the store's embedder."""
        current = self.snapshot()
        if current is None:
            return None
        texts = self._store.sources.texts_of(self._repository, current.revision)
        return self._store.indexes.earlier(self._repository, current.revision, texts)
