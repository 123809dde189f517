"""What the store holds of a repository from the run before: nothing of it is made again where it still holds."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.folder.sources import FileEntry, Snapshot
from repoquarry.graphstore.search.index.earlier import EarlierIndex
from repoquarry.graphstore.store import Store


class Earlier:
    """The state of one repository before a run; asked anew each time, as a run repairs what it finds damaged."""

    def __init__(self, store: Store, repository: str) -> None:
        self._store = store
        self._repository = repository

    def snapshot(self) -> Snapshot | None:
        """The published texts; None when there are none."""
        return self._store.sources.current(self._repository)

    def revision(self) -> str | None:
        """That of the stored graph; None when there is none."""
        try:
            return str(self._store.repository(self._repository)["revision"])
        except NotFoundError:
            return None

    def files(self) -> Mapping[str, FileEntry]:
        """The indexed files by path; none before the first run."""
        current = self.snapshot()
        return self._store.sources.files(self._repository, current.revision) if current is not None else {}

    def index(self) -> EarlierIndex | None:
        """The search index of the published revision; None when there is none that is whole and of the store's embedder."""
        current = self.snapshot()
        if current is None:
            return None
        folder = self._store.folder_of_index(self._repository, current.revision)
        texts = self._store.sources.texts_of(self._repository, current.revision)
        model = self._store.embedder.revision if self._store.embedder is not None else None
        try:
            return EarlierIndex.open(folder, texts, model)
        except (NotFoundError, StoreCorruptError, OSError, ValueError, msgspec.MsgspecError):
            return None
