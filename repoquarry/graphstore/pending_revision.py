"""Pending revision: texts, search index and graph, published atomically.

Texts wait in a pending snapshot, the search index in a folder of its own revision. Both are complete and the snapshot is sealed before the
graph is replaced, which an engine does atomically; from then on readers find all three. A process that is killed in between leaves
the previous revision whole or, once the graph is replaced, what `unpublished` gives to be finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.storage.source_store import FILE_NAME

if TYPE_CHECKING:
    from types import TracebackType

    from repoquarry.graphstore.search.index.builder import IndexBuilder
    from repoquarry.graphstore.search.index.place_extraction import EdgeArrays
    from repoquarry.graphstore.store import Store


class PendingRevision:
    """What is being stored of one repository, in the snapshot of this number."""

    def __init__(self, store: Store, repository: str, snapshot: int) -> None:
        self.store = store
        self.repository = repository
        self.snapshot = snapshot
        self._draft: IndexBuilder | None = None

    @classmethod
    def begin(cls, store: Store, repository: str, progress: Callable[[int, int], None]) -> Self:
        """Start one; `progress` is told how far its search index is, and may raise to end it. Use it in a `with` statement."""
        pending = cls(store, repository, store.sources.begin(repository))
        pending._draft = store.indexes.start_build(repository, pending.text, progress)
        return pending

    @classmethod
    def adopt_from(cls, store: Store, made: Store, repository: str) -> Self:
        """All but the graph of a repository of another store, which is of no more use. Raises: NotFoundError."""
        pending = cls(store, repository, store.sources.import_snapshot(made.folder / FILE_NAME, repository))
        revision = made.revision(repository)
        store.indexes.adopt(repository, revision, made.indexes.index_folder(repository, revision))
        return pending

    @classmethod
    def list_unpublished(cls, store: Store) -> Iterator[Self]:
        """Those whose graph was stored before their process was killed; `publish` finishes them."""
        for repository, sealed in store.sources.list_sealed_unpublished():
            try:
                written = store.revision(repository) == sealed
            except NotFoundError:
                continue
            snapshot = store.sources.find_sealed(repository, sealed) if written else None
            if snapshot is not None:
                yield cls(store, repository, snapshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._draft is not None:
            self._draft.close()

    @property
    def draft(self) -> IndexBuilder:
        """The search index under way. Raises: ValueError when none was begun."""
        if self._draft is None:
            raise ValueError("this revision was not begun here, so that no search index is made of it")
        return self._draft

    def text(self, path: str) -> str:
        """The text of a file that was put into the snapshot. Raises: NotFoundError."""
        return self.store.sources.pending_text(self.snapshot, path)

    def save_artifact(self, name: str, data: bytes) -> None:
        """Keep something beside the texts."""
        self.store.sources.put_artifact(self.snapshot, name, data)

    def load_artifact(self, name: str) -> bytes | None:
        """What is kept under a name; None when nothing is."""
        return self.store.sources.pending_artifact(self.snapshot, name)

    def complete_index(
        self, graph: RepositoryGraph, revision: str, history: GitHistory, edges: EdgeArrays | None = None
    ) -> None:
        """Put the finished search index where readers of the revision will look for it; `graph` and `edges` as for `IndexBuilder.finish`.

        Raises: OSError, StoreFullError.
        """
        self.draft.finish(graph, self.store.indexes.index_folder(self.repository, revision), history, edges)

    @contextmanager
    def commit(self, revision: str, inputs: str) -> Iterator[None]:
        """Seal all that was put; inside the graph of the revision is written, and then it is published.

        Nothing has to be written inside when the store has that graph.
        """
        self.store.sources.seal(self.snapshot, revision, inputs)
        yield
        self.publish()

    def publish(self) -> None:
        """Clear away what only earlier revisions needed, once the graph is written."""
        revision = self.store.sources.sealed_revision(self.snapshot)
        self.store.record_texts(self.repository, revision)
        self.store.sources.publish(self.snapshot)
        self.store.indexes.prune(self.repository, revision)
