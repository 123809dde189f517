"""Atomic publication of an indexed repository revision: readers see its texts, search index and graph together or not at all.

Texts are written to a pending snapshot, the search index to the folder of its revision. Both are complete and the snapshot is sealed
before the engine atomically replaces the graph; then readers find all three. What comes later frees space and moves links of others: a
process that is killed before it, or finds the disk full, leaves a revision that `list_unpublished` returns for completion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

from repoquarry.graphstore.errors import NotFoundError, StoreFullError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.storage.source_store import FILE_NAME, INDEX_TIME

if TYPE_CHECKING:
    from repoquarry.graphstore.search.index.builder import IndexBuilder
    from repoquarry.graphstore.search.index.place_extraction import EdgeArrays
    from repoquarry.graphstore.store import Store


class PendingRevision:
    """Revision of one repository that is being stored, in the snapshot of this number."""

    def __init__(self, store: Store, repository: str, snapshot: int) -> None:
        self.store = store
        self.repository = repository
        self.snapshot = snapshot
        self._draft: IndexBuilder | None = None

    @classmethod
    def begin(cls, store: Store, repository: str, progress: Callable[[int, int], None]) -> Self:
        """Start a revision, as a context manager; `progress` reports the search index and may raise to cancel."""
        pending = cls(store, repository, store.sources.begin(repository))
        pending._draft = store.indexes.start_build(repository, pending.text, progress)
        return pending

    @classmethod
    def adopt_from(cls, store: Store, made: Store, repository: str) -> Self:
        """Adopt everything except the graph of a repository from another store, which is unusable afterwards. Raises: NotFoundError."""
        pending = cls(store, repository, store.sources.import_snapshot(made.folder / FILE_NAME, repository))
        revision = made.revision(repository)
        store.indexes.adopt(repository, revision, made.indexes.index_folder(repository, revision))
        return pending

    @classmethod
    def list_unpublished(cls, store: Store) -> Iterator[Self]:
        """Yield revisions whose graph was stored before their process was killed; `publish` completes them."""
        for repository, sealed, snapshot in store.sources.list_sealed_unpublished():
            with suppress(NotFoundError):
                if store.revision(repository) == sealed:
                    yield cls(store, repository, snapshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._draft is not None:
            self._draft.close()

    @property
    def draft(self) -> IndexBuilder:
        """Return the search index under construction. Raises: ValueError if the revision was not started here."""
        if self._draft is None:
            raise ValueError("this revision was not started here, so its search index cannot be built")
        return self._draft

    def text(self, path: str) -> str:
        """Return the text of a file of the snapshot. Raises: NotFoundError."""
        return self.store.sources.pending_text(self.snapshot, path)

    def save_artifact(self, name: str, data: bytes) -> None:
        self.store.sources.put_artifact(self.snapshot, name, data)

    def load_artifact(self, name: str) -> bytes | None:
        return self.store.sources.pending_artifact(self.snapshot, name)

    def complete_index(
        self, graph: RepositoryGraph, revision: str, history: GitHistory, edges: EdgeArrays | None = None
    ) -> None:
        """Move the finished search index to the folder of the revision; `graph` and `edges` as for `IndexBuilder.finish`.

        Raises: OSError, StoreFullError.
        """
        folder = self.store.indexes.index_folder(self.repository, revision)
        self.draft.finish(graph, folder, history, edges)
        self.store.indexes.forget(folder)

    @contextmanager
    def commit(self, revision: str, inputs: str) -> Iterator[None]:
        """Seal the snapshot, let the caller write the graph inside the context, then publish.

        The caller writes nothing if the store has that graph already. Raises: StoreFullError if the graph was not written.
        """
        self.store.sources.seal(self.snapshot, revision, inputs)
        with self.publication():
            yield

    @contextmanager
    def publication(self) -> Iterator[None]:
        """Publish the sealed snapshot after the caller has written the graph inside the context.

        A disk that is full only then undoes nothing: the next run publishes. Raises: StoreFullError if the graph was not written.
        """
        try:
            yield
            self.publish()
        except StoreFullError:
            if self.store.find_revision(self.repository) != self.store.sources.sealed_revision(self.snapshot):
                raise
            self.store.warn(
                f"the new index of {self.repository} is complete, but the disk is full: free disk space; the next command that "
                "indexes removes the texts of the earlier index and renews links of other repositories"
            )

    def publish(self) -> None:
        """Remove data that only earlier revisions needed, after the graph is written."""
        revision = self.store.sources.sealed_revision(self.snapshot)
        self.store.record_texts(self.repository, revision)
        self.save_artifact(INDEX_TIME, str(time.time_ns() // 1000).encode())
        self.store.sources.publish(self.snapshot)
        self.store.indexes.prune(self.repository, revision)
