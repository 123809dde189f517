"""`Store`: an opened data folder with its graph engine, texts and search indexes; runs queries, and reads and deletes repositories.

Untrusted queries pass the gate (parser, checker, rewriter) and then the sandbox only here. Higher layers (`agent`, `server`, search and
reading) use the store and never an engine.
"""

from __future__ import annotations

import difflib
import logging
import platform
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    NotFoundError,
    StoreCorruptError,
    StoreFullError,
    StoreUnwritableError,
    TextsElsewhereError,
)
from repoquarry.graphstore.graph_engine import (
    Capability,
    DeletionSummary,
    GraphEngine,
    QueryLimits,
    QueryResult,
    QueryScope,
    SharedEngine,
    never,
    read_repository_graph,
)
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Node, Value
from repoquarry.graphstore.query.query_library import QueryLibrary, load_internal_query
from repoquarry.graphstore.query.query_scheduler import QueryLoad
from repoquarry.graphstore.query.untrusted_queries import QueryAnswer, UntrustedQueryRunner
from repoquarry.graphstore.revision_cache import RevisionCache
from repoquarry.graphstore.settings import EmbeddingSettings, StoreSettings
from repoquarry.graphstore.storage.git_history import ARTIFACT, GitHistory
from repoquarry.graphstore.storage.source_store import FILE_NAME, INDEX_TIME, SourceStore
from repoquarry.graphstore.storage.sqlite_database import make_folder, translate_write_errors
from repoquarry.graphstore.storage.unfinished_deletions import UnfinishedDeletions
from repoquarry.graphstore.storage.writer_lock import WriterLock, keep_reserve, release_reserve

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors
    from repoquarry.graphstore.search.index.index_store import SearchIndexStore

_log = logging.getLogger(__name__)
Result = TypeVar("Result")
_INDEX_FOLDER = "indexes"
_TOLD_SECONDS = 24 * 3600.0
"""Time for which answers repeat a notice; the log has it permanently."""
_MAX_WARNINGS = 20


class StoreWarnings:
    """Recent notices; thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._told: list[tuple[float, str]] = []
        """Pairs of the time of expiry and the text."""

    def add(self, text: str, seconds: float = _TOLD_SECONDS) -> None:
        """Log a notice, and add it to answers for some time, by default a day."""
        _log.warning("store_notice text=%s", text)
        with self._guard:
            self._told = [*self._told[-_MAX_WARNINGS + 1 :], (time.monotonic() + seconds, text)]

    def recent(self) -> Sequence[str]:
        """Return the distinct notices that have not expired, oldest first."""
        now = time.monotonic()
        with self._guard:
            return list(dict.fromkeys(text for expiry, text in self._told if now < expiry))


_DIRECTORY = QueryScope(directory=True)
DECLARED_SCOPES = {"repository": _DIRECTORY, "list_repositories": _DIRECTORY}
"""Scopes of queries that commands run alone, so that these commands do not load the parser that would compute them."""

_OWN_QUERIES = QueryLimits(seconds=120.0, rows=0, bytes=0, memory_bytes=0)
"""Named queries are trusted and limited by their own LIMIT; the time is a last resort."""

_UNCACHED = frozenset({"static"})
"""Embedders that are faster than a cache of their vectors."""

_NEAR_NAMES = 5
_CHECK_SECONDS = 1.0
"""Time for which a successful check of the texts in this data folder is trusted."""


@dataclass(frozen=True)
class StoreLoad:
    queries: QueryLoad
    result_memory_bytes: int
    result_disk_bytes: int


class Store:
    """Open store, from `Store.open`; close it, or use it in a `with` statement. Thread-safe."""

    def __init__(self, settings: StoreSettings, engine: GraphEngine, lock: WriterLock | None) -> None:
        self.settings = settings
        self.engine = engine
        self._lock = lock
        self.notices = StoreWarnings()
        self._sources: SourceStore | None = None
        self._deletions = UnfinishedDeletions(settings.folder)
        self._has_told_loss = False
        self._is_shared = Capability.CONCURRENT_WRITERS in engine.info.capabilities
        self._checked_at: dict[str, float] = {}
        """Time of the last check of `require_texts` by repository."""
        self._revisions = RevisionCache()
        self._guard = threading.Lock()
        self._indexes: SearchIndexStore | None = None
        self._model_guard = threading.Lock()
        self._model: Embedder | None = None
        self._outside = UntrustedQueryRunner(engine, settings.results, self._find_nodes)

    @classmethod
    def open(cls, settings: StoreSettings, *, writable: bool = False) -> Store:
        """Open the store of `settings.folder`.

        Raises: StoreBusyError with the other process, if opened for writing while another process writes; NotFoundError if opened for
        reading and the folder is missing; StoreUnwritableError, StoreFullError; EngineUnavailableError; StoreCorruptError.
        """
        folder = settings.folder
        if writable:
            make_folder(folder)
        elif not folder.is_dir():
            raise NotFoundError(f"no store at {folder}; index a repository first", kind="store", value=str(folder))
        with translate_write_errors(folder):
            lock = WriterLock(folder) if writable else None
        if lock is not None:
            keep_reserve(folder)
        try:
            engine = open_engine(settings, writable=writable)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        _log.info("store_opened folder=%s engine=%s writable=%s", folder, settings.engine, writable)
        store = cls(settings, engine, lock)
        if writable:
            store.finish_deletions()
        return store

    @property
    def folder(self) -> Path:
        return self.settings.folder

    @property
    def writable(self) -> bool:
        return self._lock is not None

    @property
    def sources(self) -> SourceStore:
        """Return the texts and facts of the indexed files. Raises: NotFoundError if opened for reading and nothing has been indexed."""
        with self._guard:
            if self._sources is None:
                self._sources = SourceStore.open(
                    self.folder, writable=self.writable, on_repair=self.notices.add, find_revision=self.find_revision
                )
            return self._sources

    @property
    def indexes(self) -> SearchIndexStore:
        """Return the search indexes of all repositories, which live as long as the store."""
        with self._guard:
            if self._indexes is None:
                from repoquarry.graphstore.search.index.index_store import SearchIndexStore

                self._indexes = SearchIndexStore(self.folder / _INDEX_FOLDER, self)
            return self._indexes

    def index_folder(self, repository: str) -> Path:
        """Return the folder of the stored revision's search index without loading the search. Raises: NotFoundError."""
        return self.folder / _INDEX_FOLDER / repository / self.revision(repository)

    def execute_named(self, name: str, /, **parameters: Value) -> QueryResult:
        """Run one of the product's own queries. Raises: NotFoundError for an unknown name; QueryRefusedError for wrong parameters."""
        query = load_internal_query(name)
        return self.engine.run(query.text, query.bind(parameters), _OWN_QUERIES, DECLARED_SCOPES.get(name))

    def execute_untrusted(
        self,
        text: str,
        parameters: Mapping[str, Value] | None = None,
        limits: QueryLimits | None = None,
        cancelled: Callable[[], bool] = never,
        client: str = "",
    ) -> QueryAnswer:
        """Run an untrusted read-only query: through the gate, then in the sandbox.

        Both count towards the time limit of `limits`; the wait for the turn of `client` does not. The caller reads or closes the rows.
        Raises: QueryRefusedError, QueryFailedError, QueryLimitError, QueryCancelledError, TooManyQueriesError, EngineUnavailableError.
        """
        return self._outside.execute(text, parameters or {}, limits or self.settings.limits, cancelled, client)

    def query_library(self) -> QueryLibrary:
        """Return the named queries for users, as their files are now. Raises: NotFoundError, QueryRefusedError."""
        return QueryLibrary(self.settings.query_folder)

    def check_untrusted(self, text: str) -> tuple[str, ...]:
        """Return the warnings of a query from outside, which is not run. Raises: QueryRefusedError, QueryLimitError."""
        return self._outside.check(text, self.settings.limits, never, "")

    def query(
        self,
        text: str,
        parameters: Mapping[str, Value] | None = None,
        limits: QueryLimits | None = None,
        cancelled: Callable[[], bool] = never,
        client: str = "",
    ) -> QueryResult:
        """Run an untrusted query with all rows in memory; see `execute_untrusted`."""
        found = self.execute_untrusted(text, parameters, limits, cancelled, client)
        rows = [row for batch in found.rows.batches() for row in batch]
        return QueryResult(found.columns, rows, found.truncated, found.seconds, found.warnings)

    def _find_nodes(
        self, index: str, query: Value, count: Value, seconds: float, stopped: Callable[[], bool]
    ) -> Sequence[tuple[float, str]]:
        from repoquarry.graphstore.search import retrieval  # here because few queries search

        limit = retrieval.require_count(count)
        vector = retrieval.embed_query(self, query) if count is not None else None
        if self._searches_in_engine:
            wanted = query if vector is None else vector[0].tolist()
            engine = cast(SharedEngine, self.engine)
            return engine.search_nodes(index, wanted, limit, seconds, by_vector=vector is not None)
        if vector is None:
            return retrieval.find_words(self, str(query), limit, stopped)
        return retrieval.find_nearest(self, index, vector, limit, stopped)

    def query_load(self) -> StoreLoad:
        return StoreLoad(self.engine.query_load(), self._outside.results.memory_bytes, self._outside.results.disk_bytes)

    def repositories(self) -> list[str]:
        """Return the ids of the completely stored repositories, sorted.

        Raises: StoreCorruptError if opened for reading and all graphs are missing although texts are stored.
        """
        found = list(self.engine.repositories())
        if found or self._is_shared or self._has_told_loss or not self._find_lost():
            return found
        if not self.writable:
            time.sleep(_CHECK_SECONDS)  # A deletion removes the graph, then the texts.
        if lost := self._find_lost():
            names = ", ".join(lost[:_NEAR_NAMES])
            error = StoreCorruptError(f"the graphs of {names} are missing; index the repositories again")
            if not self.writable:
                raise error
            self._has_told_loss = True
            self.warn(str(error))
        return list(self.engine.repositories())

    def _find_lost(self) -> list[str]:
        """Repositories whose texts are published, where no graph is stored."""
        if not self.writable and not (self.folder / FILE_NAME).exists():
            return []
        deleted = self._deletions.list_names()
        lost = [name for name in self.sources.repositories() if name not in deleted]
        return [] if self.engine.repositories() else lost

    def text_repositories(self) -> list[str]:
        """Return the ids of the stored repositories whose texts and search index are in this data folder, sorted."""
        return list(self.text_revisions()) if self._is_shared else self.repositories()

    def text_revisions(self) -> dict[str, str]:
        """Return the stored revision of each repository whose texts and search index are in this data folder."""
        here = self._text_revisions() if self._is_shared else None
        rows = self.execute_named("list_repositories").rows
        return {str(row[0]): str(row[-1]) for row in rows if here is None or (row[0], row[-1]) in here}

    def require_texts(self, repository: str) -> None:
        """Check that this data folder has the texts of the stored revision. Raises: NotFoundError, TextsElsewhereError."""
        if not self._is_shared or time.monotonic() - self._checked_at.get(repository, -_CHECK_SECONDS) < _CHECK_SECONDS:
            return
        properties = self.repository(repository)
        if (repository, properties["revision"]) not in self._text_revisions():
            folder = properties.get("data_folder")
            where = f"in the data folder {folder}" if folder else "not in this data folder"
            raise TextsElsewhereError(
                f"the texts of {repository!r} are {where}; query the service that has them, or index {repository!r} here"
            )
        self._checked_at[repository] = time.monotonic()

    def record_texts(self, repository: str, revision: str) -> None:
        """Record in a shared graph that this data folder has the texts of a revision."""
        if self._is_shared:
            folder = f"{platform.node()}:{self.folder.resolve()}"
            cast(SharedEngine, self.engine).record_data_folder(repository, revision, folder)
            if self._searches_in_engine:
                self._record_embeddings(repository, revision)

    @property
    def _searches_in_engine(self) -> bool:
        return Capability.VECTOR_SEARCH in self.engine.info.capabilities

    def _record_embeddings(self, repository: str, revision: str) -> None:
        """Write the vectors of nodes that have none, or that differ from those of the index that was written before."""
        from repoquarry.graphstore.search import retrieval

        if self.embedder is not None:
            engine = cast(SharedEngine, self.engine)
            state = engine.embedding_state(repository)
            changed = retrieval.changed_embeddings(self, self.embedder, repository, revision, state)
            if changed is not None:
                engine.write_embeddings(changed)

    def _text_revisions(self) -> set[tuple[str, str]]:
        try:
            return self.sources.revisions()
        except NotFoundError:  # Opened for reading before anything was indexed here.
            return set()

    def repository(self, repository: str) -> dict[str, Value]:
        """Return the properties of a Repository node. Raises: NotFoundError, with similar names."""
        found = self.execute_named("repository", repository=repository).rows
        if found:
            node = found[0][0]
            assert isinstance(node, Node)  # noqa: S101 - the named query returns nothing else
            return dict(node.properties)
        near = difflib.get_close_matches(repository, self.repositories(), _NEAR_NAMES, cutoff=0.4)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise NotFoundError(f"no repository {repository!r} is indexed{hint}", kind="repository", value=repository)

    def revision(self, repository: str) -> str:
        """Return the stored revision of a repository. Raises: NotFoundError, with similar names."""
        return str(self.repository(repository)["revision"])

    def find_revision(self, repository: str) -> str | None:
        """Return the stored revision of a repository; None if it is not stored."""
        rows = self.execute_named("repository", repository=repository).rows
        return str(rows[0][0].properties["revision"]) if rows and isinstance(rows[0][0], Node) else None

    def cached(self, repository: str, build: Callable[[Store, str], Result]) -> Result:
        """Return `build(self, repository)` for the stored revision; values of the last few repositories are cached.

        The value must depend on the revision alone, be immutable, and not use this method for another repository. Raises: NotFoundError.
        """
        return self._revisions.get(repository, self.revision(repository), build, self, repository)

    @property
    def embedder(self) -> Embedder | None:
        """Return the model for semantic search, loaded on first use; None if the settings name none. Raises: as `embedder.create`."""
        with self._model_guard:
            if self._model is None and self.settings.embedding is not None:
                from repoquarry.graphstore.search.embeddings.embedder import create

                self._model = create(self.settings.embedding)
            return self._model

    @property
    def cheap_embedding(self) -> EmbeddingSettings | None:
        """Return the settings of a model that any process may load and that is faster than a cache; None for others."""
        embedder = self.embedder
        return self.settings.embedding if embedder is not None and embedder.name in _UNCACHED else None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed documents; the writer caches vectors of a slow model in `vectors.db`. Raises: NotFoundError; as `Embedder.embed`."""
        embedder = self.embedder
        if embedder is None:
            raise NotFoundError("this store has no embedder", kind="embedder", value="")
        if embedder.name in _UNCACHED or not self.writable:
            return embedder.embed(texts)
        from repoquarry.graphstore.search.embeddings.embedder import VectorCache

        with VectorCache(self.folder / "vectors.db") as cache:
            return cache.embed(embedder, texts)

    def warn(self, text: str, seconds: float = _TOLD_SECONDS) -> None:
        self.notices.add(text, seconds)

    def source_text(self, repository: str, path: str) -> str:
        """Return the text of one indexed file, without the secrets of configuration. Raises: NotFoundError, TextsElsewhereError."""
        from repoquarry.languages.setting_files import hide_secrets, is_setting_file

        self.require_texts(repository)
        text = self.sources.text(repository, path)
        return hide_secrets(path, text) if is_setting_file(path) else text

    def list_setting_files(self, repository: str) -> list[str]:
        """List the stored configuration files. Raises: NotFoundError, TextsElsewhereError."""
        from repoquarry.languages.setting_files import is_setting_file

        self.require_texts(repository)
        files = self.sources.files(repository)
        return [path for path, entry in files.items() if is_setting_file(path, entry.size)]

    def find_index_time(self, repository: str, revision: str) -> int | None:
        """Find when this data folder published a revision, in microseconds since 1970; None if it did not, or an older version did."""
        try:
            stored = self.sources.artifact(repository, INDEX_TIME, revision)
        except NotFoundError:  # A shared graph may be open in a data folder that has no texts yet.
            return None
        return int(stored) if stored else None

    def history(self, repository: str) -> GitHistory:
        """Return the git history of the stored revision, empty if it was not read. Raises: NotFoundError, TextsElsewhereError."""
        self.require_texts(repository)
        kept = self.sources.artifact(repository, ARTIFACT)
        return GitHistory.decode(kept) if kept else GitHistory([], [])

    def graph(self, repository: str) -> RepositoryGraph:
        """Return the stored graph of one repository as columns. Raises: NotFoundError."""
        self.repository(repository)
        return read_repository_graph(self.engine, repository)

    def delete(self, repository: str) -> DeletionSummary:
        """Remove a repository without reading its content: the search index first, which frees space, then the graph and the texts.

        If the disk is too full to remove the texts, the next writer removes them. Raises: NotFoundError; StoreFullError,
        StoreUnwritableError, EngineUnavailableError, after which the repository is stored as before.
        """
        release_reserve(self.folder)
        has_graph = repository in self.engine.repositories()
        if not has_graph and repository not in self.sources.repositories():
            self.repository(repository)
        self.make_room(repository)
        # An interrupted deletion or a lost catalog may have left texts without a graph.
        self._deletions.add(repository)
        try:
            summary = self.engine.delete_repository(repository) if has_graph else DeletionSummary()
        except (StoreFullError, StoreUnwritableError, EngineUnavailableError):
            self._deletions.remove(repository)
            raise
        try:
            self._finish_deletion(repository)
        except StoreFullError as exc:
            self.warn(f"the texts of {repository} were not removed ({exc}); the next command that writes removes them")
        return summary

    def finish_deletions(self) -> None:
        """Remove the texts of deleted repositories that a full disk or a killed process has left."""
        for repository in self._deletions.list_names():
            if repository in self.engine.repositories():
                self._deletions.remove(repository)
                continue
            with suppress(StoreFullError):
                self._finish_deletion(repository)

    def _finish_deletion(self, repository: str) -> None:
        self._retry_with_less_log(lambda: self._delete_texts(repository))
        self._deletions.remove(repository)

    def discard_pending(self, repository: str) -> None:
        """Free the space of an unfinished revision on a full disk; otherwise the next indexing reuses its texts."""
        release_reserve(self.folder, is_full=True)
        with suppress(StoreFullError):
            revision = self.find_revision(repository)
            self._retry_with_less_log(lambda: self.sources.discard_pending(repository, revision))

    def _retry_with_less_log(self, delete: Callable[[], None]) -> None:
        """Delete texts, on a full disk also after the log has returned its space. Raises: StoreFullError."""
        try:
            delete()
        except StoreFullError:
            self.sources.truncate_log()
            delete()

    def make_room(self, repository: str) -> None:
        """Free space for a deletion: the search indexes, and the reserved space if the disk is full."""
        release_reserve(self.folder)
        self.indexes.drop(repository)

    def forget_derived(self, repository: str) -> None:
        """Drop the texts and search indexes of a repository, so that the next indexing rebuilds everything from its source."""
        self.indexes.drop(repository)
        self._delete_texts(repository)

    def _delete_texts(self, repository: str) -> None:
        try:
            self.sources.delete(repository)
        except StoreCorruptError:  # The database has been repaired, and can be read now.
            self.sources.delete(repository)

    def close(self) -> None:
        """Close the engine and release the writer lock."""
        try:
            self._outside.close()
            self.engine.close()
        finally:
            if self._indexes is not None:
                self._indexes.close()
            if self._sources is not None:
                self._sources.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
