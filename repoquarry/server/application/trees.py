"""Whole trees of indexed revisions for tasks and provisioning: from where the repository was indexed, kept beside the workspaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from repoquarry.agent.errors import ToolError
from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.sources import Source
from repoquarry.ingest.sources.trees import Tree, TreeCache
from repoquarry.server.application.host import Host
from repoquarry.server.state.records import INDEX, SUCCEEDED
from repoquarry.v1 import index_service_pb2 as index_pb

_FOLDER = ".trees"


class RepositoryTrees:
    """Gives whole trees; as the agent's `Trees`."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @contextmanager
    def open(self, repository: str, cancelled: Callable[[], bool]) -> Iterator[Tree]:
        """The tree, kept while the block runs. Raises: ToolError when it cannot be had; NotFoundError."""
        try:
            opened = self._cache.open(repository, cancelled, self._source(repository))
            tree = opened.__enter__()
        except IngestError as error:
            raise ToolError(f"the files of {repository} cannot be had: {error}") from error
        try:
            yield tree
        finally:
            opened.__exit__(None, None, None)

    @cached_property
    def _cache(self) -> TreeCache:
        settings = self._host.settings
        root = settings.agent.workspace.root or Path(settings.store.folder)
        return TreeCache(
            root.resolve() / _FOLDER,
            self._host.store,
            settings.ingest,
            self._host.admission.reach,
            settings.agent.workspace.tree_bytes,
        )

    def _source(self, repository: str) -> Source | None:
        """Where it was indexed from, with the credentials that only its job keeps; None when the job is forgotten."""
        shown = str(self._host.store.repository(repository)["source"])
        for work in self._host.state.newest(INDEX, states=(SUCCEEDED,), subject=repository, limit=1):
            stored = index_pb.IndexSource.FromString(work.spec)
            source = Source(stored.kind, stored.location, stored.ref)
            if source.shown == shown:
                self._host.admission.check(source)
                return source
        return None
