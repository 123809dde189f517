"""RepositoryService: which repositories are indexed, finding the fitting ones, and deleting."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from contextlib import contextmanager

from repoquarry.agent.errors import ToolError
from repoquarry.graphstore.model.properties import whole
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.names import INDEX_JOBS, repository_name, repository_of
from repoquarry.server.errors import invalid, refuse
from repoquarry.server.state.records import INDEX, QUEUED, RUNNING
from repoquarry.v1 import repository_service_pb2 as pb

_DELETION = "deletion"
"""Holder of a repository while it is deleted."""


class RepositoryApplication:
    """RepositoryService over a store in this process."""

    def __init__(self, host: Host, bases: Bases) -> None:
        self._host = host
        self._bases = bases

    def get_repository(self, request: pb.GetRepositoryRequest) -> pb.GetRepositoryResponse:
        return pb.GetRepositoryResponse(repository=self._message(repository_of(request.name)))

    def list_repositories(self, request: pb.ListRepositoriesRequest) -> pb.ListRepositoriesResponse:
        size = paging.page_size(request, 50, 500)
        after = paging.position(request)
        ids = self._host.store.repositories()
        start = bisect.bisect_right(ids, str(after)) if after is not None else 0
        page = ids[start : start + size]
        more = paging.token(request, page[-1]) if start + size < len(ids) else ""
        return pb.ListRepositoriesResponse(
            repositories=[self._message(id_, number) for number, id_ in enumerate(page)], next_page_token=more
        )

    def delete_repository(self, request: pb.DeleteRepositoryRequest) -> pb.DeleteRepositoryResponse:
        from repoquarry.ingest.deleting import delete_repository

        self._host.need_writer()
        id_ = repository_of(request.name)
        busy = self._host.state.newest(INDEX, states=(QUEUED, RUNNING), subject=id_, limit=1)
        if busy:
            job = f"{INDEX_JOBS}/{busy[0].id}"
            raise refuse("REPOSITORY_BUSY", f"{id_} is being indexed: {job}", repository=id_, job=job)
        with self._held(id_):
            summary = delete_repository(id_, self._host.store)
        return pb.DeleteRepositoryResponse(
            nodes_deleted=summary.nodes_deleted, relationships_deleted=summary.relationships_deleted
        )

    @contextmanager
    def _held(self, id_: str) -> Iterator[None]:
        """Keeps batches from working on a repository. Raises: RequestError when one does, or another deletion."""
        holder = self._host.held.take(id_, _DELETION)
        if holder == _DELETION:
            raise refuse("REPOSITORY_BUSY", f"{id_} is being deleted", repository=id_)
        if holder is not None:
            raise refuse("REPOSITORY_BUSY", f"{id_} is being indexed: {holder}", repository=id_, job=holder)
        try:
            yield
        finally:
            self._host.held.give_back(id_, _DELETION)

    def find_repositories(self, request: pb.FindRepositoriesRequest) -> pb.FindRepositoriesResponse:
        from repoquarry.agent.sources.choosing import choose
        from repoquarry.graphstore.code.reader import CodeReader

        if not re.search(r"\w", request.query):
            raise invalid("query", "no words in it")
        most = self._host.settings.agent.max_task_characters
        if len(request.query) > most:
            raise invalid("query", f"longer than {most} characters")
        size = paging.page_size(request, 10, 100)
        start = paging.offset(request)
        store = self._host.store
        fitting = choose(CodeReader(store), store.repositories(), request.query)
        more = paging.token(request, start + size) if start + size < len(fitting) else ""
        matches = [
            pb.RepositoryMatch(
                repository=self._message(choice.repository, number), score=choice.score, reasons=choice.reasons
            )
            for number, choice in enumerate(fitting[start : start + size])
        ]
        found = pb.FindRepositoriesResponse(matches=matches, next_page_token=more)
        if not start:
            self._add_offers(found, request.query, size)
        return found

    def _add_offers(self, found: pb.FindRepositoriesResponse, query: str, most: int) -> None:
        """Add what is not indexed; a source that cannot be asked is told of beside what is."""
        from repoquarry.agent.sources.registry import offers

        indexed = [str(self._host.store.repository(id_)["source"]) for id_ in self._host.store.repositories()]
        try:
            offered = offers(self._host.settings.agent, query, indexed)[:most]
        except ToolError as error:
            found.offers_missing = str(error)
            return
        found.offers.extend(
            pb.RepositoryOffer(name=one.name, address=one.address, description=one.description) for one in offered
        )

    def _message(self, id_: str, number: int = 0) -> pb.Repository:
        properties = self._host.store.repository(id_)
        languages = properties.get("languages")
        text = {
            name: value
            for name in (
                "source",
                "source_kind",
                "commit",
                "branch",
                "ref",
                "revision",
                "summary",
                "readme",
                "indexer",
                "score_profile",
            )
            if isinstance(value := properties.get(name), str)
        }
        return pb.Repository(
            name=repository_name(id_),
            display_name=str(properties.get("name") or id_),
            languages=[str(language) for language in languages] if isinstance(languages, list) else [],
            files=whole(properties.get("files")),
            lines=whole(properties.get("lines")),
            basis=self._bases.repository(id_, look=number < self._host.settings.server.freshness_repositories),
            **text,
        )
