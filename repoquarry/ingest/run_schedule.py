"""Schedule of one run: early starts, background work, prefetching and the return of freed memory.

The stages in `revision_builder` decide what is computed. Nothing here changes a result, only when it is computed and how much memory
that takes. The rules were measured over Django (decision 51): after an edit everything waits for the resolver, and the peak
of a whole index is at the end of resolution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING

from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.facts_cache import load_cached_facts
from repoquarry.ingest.files.hashing import HashedTree
from repoquarry.ingest.previous_state import IndexInputs, PreviousState
from repoquarry.ingest.resolver_process.cached_resolution import CachedResolution
from repoquarry.ingest.resolver_process.prestart import PrestartedResolver
from repoquarry.ingest.run_monitor import RunMonitor

if TYPE_CHECKING:
    from repoquarry.graphstore.storage.git_history import GitHistory
    from repoquarry.ingest.resolution import Resolution

_MAX_PRESTART_FILES = 500


class RunSchedule:
    """Schedule of one run. As a context manager it owns the resolver process and whatever was started early."""

    def __init__(self, inputs: IndexInputs, store: Store, monitor: RunMonitor, previous: PreviousState) -> None:
        self._inputs = inputs
        self._store = store
        self._monitor = monitor
        self._previous = previous
        self._opened = ExitStack()

    def __enter__(self) -> RunSchedule:
        return self

    def __exit__(self, *exception: object) -> None:
        self._opened.close()

    def open_resolver(self, hashed: HashedTree) -> dict[str, bytes]:
        """Prepare the resolver and return the cached facts of unchanged files by path.

        If the resolver is certain to be needed, its process starts now and reads these facts while the other files are extracted.
        Raises: WorkerLostError.
        """
        sources = self._store.sources
        cached = CachedResolution.stored(sources, self._inputs.repository)
        self.resolver = self._opened.enter_context(
            PrestartedResolver(self._inputs.settings, hashed.configuration, cached, hashed.left_out.sources())
        )
        self._opened.enter_context(self._monitor.watch_processes(self.resolver.process_ids))
        hash_by_path = {file.path: hashed.hashes[file.path] for file in hashed.files if file.kind == "source"}
        if self._needs_prestart(hash_by_path):
            self.resolver.prestart()
        facts = load_cached_facts(hash_by_path, sources)
        self.resolver.send_facts(facts.values())
        return facts

    def _needs_prestart(self, hash_by_path: Mapping[str, bytes]) -> bool:
        """Return whether resolution is certain to run, as no stored revision has exactly these source files.

        A first index of many files starts its resolver late: both would otherwise reach their peak memory at the same time.
        """
        stored = {path: entry.hash for path, entry in self._previous.files().items() if entry.derived is not None}
        return stored != hash_by_path and (bool(stored) or len(hash_by_path) <= _MAX_PRESTART_FILES)

    def read_history(
        self, read: Callable[[Callable[[], bool]], GitHistory]
    ) -> AbstractContextManager[Future[GitHistory]]:
        """Read the git history in the background until the block ends."""
        return self._monitor.run_in_background("git-history", read)

    @contextmanager
    def resolve(self, packed: list[bytes]) -> Iterator[Future[tuple[Resolution, CachedResolution]]]:
        """Resolve the packed facts in a subprocess while the block uses the other core for the search index.

        Raises: ResolutionFailedError, WorkerLostError, IngestCancelledError.
        """
        # Lazy import: numpy, which a run without a change does not load.
        from repoquarry.ingest.resolver_process.client import resolve_in_subprocess

        facts = [*packed]
        with self._monitor.run_in_background(
            "resolver", lambda ended: resolve_in_subprocess(facts, self.resolver, self._monitor, ended)
        ) as resolving:
            yield resolving

    def prefetch_base_graph(self) -> None:
        """Start to load the stored graph for the write. Only now: the resolver process has exited and freed its memory."""
        self._opened.enter_context(self._store.engine.prefetch(self._inputs.repository))
