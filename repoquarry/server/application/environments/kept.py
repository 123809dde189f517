"""Environments that are kept: listed for all that may give tasks, deleted by who had them made and by administrators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.server.application.callers import Caller
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.names import ENVIRONMENTS, repository_name
from repoquarry.server.errors import invalid, refuse
from repoquarry.v1 import environment_service_pb2 as pb

if TYPE_CHECKING:
    from repoquarry.agent.provision.cache import EnvironmentCache, Stored


class KeptEnvironments:
    """The folder of environments that tasks and provisionings of a service share."""

    def __init__(self, host: Host) -> None:
        self._host = host
        host.on_forgetting.append(self._forget_old)

    def list(self, request: pb.ListEnvironmentsRequest, caller: Caller) -> pb.ListEnvironmentsResponse:
        size, begin = paging.page_size(request, 50, 500), paging.offset(request)
        if not self._is_there():
            return pb.ListEnvironmentsResponse()
        cache = self._cache()
        every = cache.all()[::-1]
        repositories = set(self._host.store.repositories())
        page = [_message(cache, item, caller, repositories) for item in every[begin : begin + size]]
        more = paging.token(request, begin + size) if len(every) > begin + size else ""
        return pb.ListEnvironmentsResponse(environments=page, next_page_token=more)

    def delete(self, request: pb.DeleteEnvironmentRequest, caller: Caller) -> pb.DeleteEnvironmentResponse:
        prefix, _, id_ = request.name.partition("/")
        if prefix != ENVIRONMENTS or not id_:
            raise invalid("name", f"{request.name!r} is not of the form {ENVIRONMENTS}/{{environment}}")
        cache = self._cache() if self._is_there() else None
        stored = cache.named(id_) if cache else None
        if cache is None or stored is None:
            raise refuse("ENVIRONMENT_NOT_FOUND", f"no environment {id_!r} is kept", name=request.name)
        if not _is_own(stored, caller):
            raise refuse("NOT_OWNER", f"{request.name} is not of this token's making", name=request.name)
        if not cache.remove(id_):
            raise refuse("ENVIRONMENT_IN_USE", f"{request.name} is in use", name=request.name)
        return pb.DeleteEnvironmentResponse()

    def own(self, stored: Stored, owner: str, since: float) -> None:
        """Remember who had an environment made, where it was made since a time (seconds since the epoch) and is not another's."""
        if owner and not stored.owner and stored.created >= since:
            self._cache().own(stored, owner)

    def _forget_old(self) -> None:
        """Remove what was not used for as long as the settings say, and what is too much."""
        if self._host.settings.agent.workspace.root is not None and self._is_there():
            self._cache().trim()

    def _is_there(self) -> bool:
        from repoquarry.agent.provision.folder import environments_root

        return environments_root(self._host.settings.agent).is_dir()

    def _cache(self) -> EnvironmentCache:
        from repoquarry.agent.provision.folder import open_cache

        return open_cache(self._host.settings.agent)


def _is_own(stored: Stored, caller: Caller) -> bool:
    return caller.admin or bool(stored.owner and stored.owner == caller.owner)


def _message(cache: EnvironmentCache, stored: Stored, caller: Caller, repositories: set[str]) -> pb.Environment:
    own = _is_own(stored, caller)
    return pb.Environment(
        name=f"{ENVIRONMENTS}/{stored.name}",
        repository=repository_name(stored.repository if stored.repository in repositories else ""),
        language=stored.language,
        interpreter=str(stored.record["interpreter"]),
        packages=len(stored.record["lock"]),
        size_bytes=stored.size_bytes,
        in_use=cache.in_use(stored),
        own=own,
        owner=stored.owner if own else "",
        create_time=_time(stored.created),
        use_time=_time(stored.used),
    )


def _time(seconds: float) -> Timestamp:
    found = Timestamp()
    found.FromMicroseconds(int(seconds * 1_000_000))
    return found
