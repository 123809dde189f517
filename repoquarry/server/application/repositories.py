"""RepositoryService: which repositories are indexed, finding the fitting ones, and deleting."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping

from repoquarry.graphstore.model.values import Value
from repoquarry.server import paging
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.host import Host
from repoquarry.server.errors import invalid, refuse
from repoquarry.server.names import INDEX_JOBS, repository_name, repository_of
from repoquarry.server.state import INDEX, QUEUED, RUNNING
from repoquarry.v1 import repository_service_pb2 as pb

_FIELDS = (("id", 4.0), ("name", 3.0), ("summary", 2.0), ("languages", 2.0), ("source", 1.0))
"""Where words are looked for, and what a word found there counts."""


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
        self._host.need_writer()
        id_ = repository_of(request.name)
        busy = self._host.state.newest(INDEX, states=(QUEUED, RUNNING), subject=id_, limit=1)
        if busy:
            job = f"{INDEX_JOBS}/{busy[0].id}"
            raise refuse("REPOSITORY_BUSY", f"{id_} is being indexed: {job}", repository=id_, job=job)
        summary = self._host.store.delete(id_)
        return pb.DeleteRepositoryResponse(
            nodes_deleted=summary.nodes_deleted, relationships_deleted=summary.relationships_deleted
        )

    def find_repositories(self, request: pb.FindRepositoriesRequest) -> pb.FindRepositoriesResponse:
        words = list(dict.fromkeys(re.findall(r"\w+", request.query.lower())))
        if not words:
            raise invalid("query", "no words in it")
        size = paging.page_size(request, 10, 100)
        start = paging.offset(request)
        scored = [(_fit(words, self._host.store.repository(id_)), id_) for id_ in self._host.store.repositories()]
        fitting = sorted(((score, reasons, id_) for (score, reasons), id_ in scored if score), key=_best_first)
        more = paging.token(request, start + size) if start + size < len(fitting) else ""
        matches = [
            pb.RepositoryMatch(repository=self._message(id_, number), score=score, reasons=reasons)
            for number, (score, reasons, id_) in enumerate(fitting[start : start + size])
        ]
        return pb.FindRepositoriesResponse(matches=matches, next_page_token=more)

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
            files=_whole(properties, "files"),
            lines=_whole(properties, "lines"),
            basis=self._bases.repository(id_, look=number < self._host.settings.server.freshness_repositories),
            **text,
        )


def _fit(words: list[str], properties: Mapping[str, Value]) -> tuple[float, list[str]]:
    score, reasons = 0.0, []
    for field, weight in _FIELDS:
        value = properties.get(field)
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value or "")
        held = set(re.findall(r"[a-z0-9]+", text.lower()))
        found = [word for word in words if word in held]
        if found:
            score += weight * len(found) / len(words)
            reasons.append(f"{field}: {', '.join(found)}")
    return score, reasons


def _best_first(entry: tuple[float, list[str], str]) -> tuple[float, str]:
    return -entry[0], entry[2]


def _whole(properties: Mapping[str, Value], name: str) -> int:
    value = properties.get(name)
    return value if isinstance(value, int) else 0
