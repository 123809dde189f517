"""Implementation of RepositoryService, and provider of the file trees of indexed revisions for tasks and provisionings."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path

from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import NotFoundError, TextsElsewhereError
from repoquarry.graphstore.model.values import Value, get_int
from repoquarry.graphstore.repository_names import find_repository
from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.sources import RepositorySource
from repoquarry.ingest.sources.revision_trees import RevisionTree, TreeCache
from repoquarry.server import resource_names
from repoquarry.server.application.basis import MAX_FRESHNESS_CHECKS, BasisBuilder, require_repository
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.jobs.database import INDEX, QUEUED, RUNNING, SUCCEEDED
from repoquarry.server.resource_names import INDEX_JOBS, parse_repository_name, repository_name
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import index_service_pb2 as index_pb
from repoquarry.v1 import repository_service_pb2 as pb

_FOLDER = ".trees"
_UNKNOWN_FOLDER = "unknown"


class RepositoryTrees:
    """Provider of the complete file trees of repositories; implements the agent's `TreeProvider`."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host

    @contextmanager
    def open(self, repository: str, cancelled: Callable[[], bool]) -> Iterator[RevisionTree]:
        """Open a tree for the duration of the block. Raises: ToolError when the tree is unavailable; NotFoundError."""
        with ExitStack() as opened:
            try:
                tree = opened.enter_context(self._cache.open(repository, cancelled, self._source(repository)))
            except IngestError as error:
                raise ToolError(f"the files of {repository} are unavailable: {error}") from error
            yield tree

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

    def _source(self, repository: str) -> RepositorySource | None:
        """Return the source with the credentials that only its index job stores; None when the job is deleted."""
        shown = str(self._host.store.repository(repository)["source"])
        for work in self._host.state.newest(INDEX, states=(SUCCEEDED,), subject=repository, limit=1):
            stored = index_pb.IndexSource.FromString(work.spec)
            source = RepositorySource(stored.kind, stored.location, stored.ref)
            if source.shown == shown:
                self._host.admission.check(source)
                return source
        return None


_TEXT_FIELDS = (
    "source", "source_kind", "commit", "branch", "ref", "revision", "summary", "readme", "indexer", "score_profile",
)  # fmt: skip
"""Fields of a repository message that are text properties of its node."""
_DELETION = "deletion"
"""Holder of a repository while it is deleted."""


class RepositoryApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._bases = bases

    def get_repository(self, request: pb.GetRepositoryRequest) -> pb.GetRepositoryResponse:
        return pb.GetRepositoryResponse(
            repository=self._message(require_repository(self._host.store, request.name, "name"))
        )

    def list_repositories(self, request: pb.ListRepositoriesRequest) -> pb.ListRepositoriesResponse:
        size = resource_names.page_size(request, 50, 500)
        after = resource_names.position(request)
        ids = self._host.store.repositories()
        start = bisect.bisect_right(ids, str(after)) if after is not None else 0
        page = ids[start : start + size]
        more = resource_names.token(request, page[-1]) if start + size < len(ids) else ""
        return pb.ListRepositoriesResponse(
            repositories=[self._message(id_, number) for number, id_ in enumerate(page)], next_page_token=more
        )

    def delete_repository(self, request: pb.DeleteRepositoryRequest) -> pb.DeleteRepositoryResponse:
        from repoquarry.ingest.graph.repository_links import delete_repository

        self._host.require_writer()
        id_ = parse_repository_name(request.name)
        with suppress(NotFoundError):  # It may be being indexed or deleted.
            id_ = find_repository(self._host.store, id_, newest=False)
        busy = self._host.state.newest(INDEX, states=(QUEUED, RUNNING), subject=id_, limit=1)
        if busy:
            job = f"{INDEX_JOBS}/{busy[0].id}"
            raise request_error("REPOSITORY_BUSY", f"{id_} is being indexed: {job}", repository=id_, job=job)
        holder = self._host.held.acquire(id_, _DELETION)
        if holder == _DELETION:
            raise request_error("REPOSITORY_BUSY", f"{id_} is being deleted", repository=id_)
        if holder is not None:
            raise request_error("REPOSITORY_BUSY", f"{id_} is being indexed: {holder}", repository=id_, job=holder)
        try:
            with self._host.open_for_writing(in_turn=False) as store:
                summary = delete_repository(id_, store)
        finally:
            self._host.held.release(id_, _DELETION)
        return pb.DeleteRepositoryResponse(
            nodes_deleted=summary.nodes_deleted, relationships_deleted=summary.relationships_deleted
        )

    def find_repositories(
        self, request: pb.FindRepositoriesRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.FindRepositoriesResponse:
        from repoquarry.code.reader import CodeReader
        from repoquarry.code.repository_ranking import rank_repositories

        if not re.search(r"\w", request.query):
            raise invalid_field("query", "the query contains no words")
        most = self._host.settings.agent.max_task_characters
        if len(request.query) > most:
            raise invalid_field("query", f"longer than {most} characters")
        size = resource_names.page_size(request, 10, 100)
        start = resource_names.offset(request)
        store = self._host.store
        fitting = rank_repositories(CodeReader(store), store.text_repositories(), request.query)
        more = resource_names.token(request, start + size) if start + size < len(fitting) else ""
        matches = [
            pb.RepositoryMatch(
                repository=self._message(choice.repository, number), score=choice.score, reasons=choice.reasons
            )
            for number, choice in enumerate(fitting[start : start + size])
        ]
        found = pb.FindRepositoriesResponse(matches=matches, next_page_token=more)
        if not start:
            self._add_offers(found, request.query, size, cancelled)
        return found

    def _add_offers(
        self, found: pb.FindRepositoriesResponse, query: str, most: int, cancelled: Callable[[], bool]
    ) -> None:
        """Add offers of repositories that are not indexed, or why the catalogs are unavailable."""
        from repoquarry.server.repository_search import offer_repositories

        try:
            offered = offer_repositories(self._host.store, self._host.settings.agent, cancelled, query)[:most]
        except ToolError as error:
            found.offers_missing = str(error)
            return
        found.offers.extend(to_message(pb.RepositoryOffer, one) for one in offered)

    def _message(self, id_: str, number: int = 0) -> pb.Repository:
        properties = self._host.store.repository(id_)
        languages = properties.get("languages")
        text = {name: value for name in _TEXT_FIELDS if isinstance(value := properties.get(name), str)}
        return pb.Repository(
            name=repository_name(id_),
            display_name=str(properties.get("name") or id_),
            languages=[str(language) for language in languages] if isinstance(languages, list) else [],
            files=get_int(properties.get("files")),
            lines=get_int(properties.get("lines")),
            basis=self._bases.repository(id_, look=number < MAX_FRESHNESS_CHECKS),
            data_folder=self._find_other_folder(id_, properties),
            **text,
        )

    def _find_other_folder(self, id_: str, properties: Mapping[str, Value]) -> str:
        """Name the data folder with the texts of a repository; empty if that is the one of this store."""
        try:
            self._host.store.require_texts(id_)
        except TextsElsewhereError:
            return str(properties.get("data_folder") or _UNKNOWN_FOLDER)
        return ""
