"""Who worked on what, from the git history that is kept beside the indexed texts."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.graphstore.folder.history import History
from repoquarry.graphstore.model.values import Node
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.code.naming import Naming
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.entities import entity
from repoquarry.server.contract.names import repositories_of
from repoquarry.v1 import code_service_pb2 as pb

_MEANINGS = 20
_BEFORE_NAMES = "the history was stored before authors were: index the repository again"


class Owners:
    """ListOwners over a store in this process."""

    def __init__(self, host: Host, bases: Bases, naming: Naming) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def list_owners(self, request: pb.ListOwnersRequest) -> pb.ListOwnersResponse:
        most = paging.bounded("max_owners", request.max_owners, 10, 100)
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        meanings = self._naming.meanings(request.symbol, repositories)
        inside = [node for node in meanings if set(node.labels) & {"Repository"} or node.properties.get("path")]
        histories: dict[str, History] = {}
        response = pb.ListOwnersResponse()
        for node in inside[:_MEANINGS]:
            repository = str(node.properties.get("repository"))
            if repository not in histories:
                histories[repository] = self._host.store.history(repository)
            response.meanings.append(_owners(node, histories[repository], most))
        response.basis.CopyFrom(self._bases.of(histories, ()))
        return response


def _owners(node: Node, history: History, most: int) -> pb.MeaningOwners:
    found = history.owners(_paths(node, history.paths))
    unnamed = bool(history.commits) and not any(commit.author for commit in history.commits)
    return pb.MeaningOwners(
        entity=entity(node),
        owners=[
            pb.Owner(
                name=owner.name,
                commits=owner.commits,
                share=owner.share,
                last_commit_time=Timestamp(seconds=owner.last_time),
            )
            for owner in found[:most]
        ],
        commits=sum(owner.commits for owner in found),
        history_missing=_BEFORE_NAMES if unnamed else history.missing,
    )


def _paths(node: Node, paths: Iterable[str]) -> list[str]:
    """The files that a node stands for: its own, or all below it."""
    path = str(node.properties.get("path") or "")
    if set(node.labels) & {"Repository"} or path == ".":
        return list(paths)
    if "Directory" in node.labels:
        return [other for other in paths if other.startswith(f"{path}/")]
    return [path]
