"""Environments that are kept, on this machine or at a server, as the terminal lists and removes them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from repoquarry.server.cli.session import Session
from repoquarry.server.errors import refuse

if TYPE_CHECKING:
    from repoquarry.agent.provision.cache import EnvironmentCache, Stored
    from repoquarry.server.api import Api
    from repoquarry.v1.environment_service_pb2 import Environment


@dataclass(frozen=True)
class _Row:
    """One environment."""

    name: str
    repository: str
    owner: str
    size_bytes: int
    language: str
    interpreter: str
    packages: int
    created: str
    used: str
    in_use: bool
    path: str
    """Folder on this machine; empty at a server."""


def show_environments(session: Session, remove: list[str]) -> None:
    """Remove environments by name, and list the others, the longest unused first."""
    if session.remote:
        with session.api() as api:
            rows = _at_server(api, remove)
    else:
        from repoquarry.agent.provision.folder import open_cache

        rows = _here(open_cache(session.settings.agent), remove)
    if session.as_json:
        session.print_json({"environments": [asdict(row) for row in rows]})
        return
    for row in rows:
        print(
            f"{row.name}  {row.language:<10} {row.interpreter:<8} {row.packages:>4} packages {row.size_bytes / 1e6:>6.0f} MB"
            f"  made {row.created} for {row.repository or '-'} by {row.owner or '-'}, used {row.used}{', in use' if row.in_use else ''}"
        )


def _here(cache: EnvironmentCache, remove: list[str]) -> list[_Row]:
    for name in remove:
        stored = cache.named(name)
        if stored is None:
            raise refuse("ENVIRONMENT_NOT_FOUND", f"no environment {name!r} is kept; --list names them")
        if not cache.remove(name):
            raise refuse("ENVIRONMENT_IN_USE", f"{name} is in use")
    return [_of_folder(cache, stored) for stored in cache.all()]


def _of_folder(cache: EnvironmentCache, stored: Stored) -> _Row:
    return _Row(
        stored.name,
        stored.repository,
        stored.owner,
        stored.size_bytes,
        stored.language,
        str(stored.record["interpreter"]),
        len(stored.record["lock"]),
        _written(datetime.fromtimestamp(stored.created, UTC)),
        _written(datetime.fromtimestamp(stored.used, UTC)),
        cache.in_use(stored),
        str(stored.path),
    )


def _at_server(api: Api, remove: list[str]) -> list[_Row]:
    from repoquarry.server.contract.names import ENVIRONMENTS
    from repoquarry.v1.environment_service_pb2 import DeleteEnvironmentRequest, ListEnvironmentsRequest

    for name in remove:
        api.environments.delete_environment(DeleteEnvironmentRequest(name=f"{ENVIRONMENTS}/{name}"))
    rows: list[_Row] = []
    token = ""
    while True:
        page = api.environments.list_environments(ListEnvironmentsRequest(page_size=500, page_token=token))
        rows += [_of_message(item) for item in page.environments]
        if not (token := page.next_page_token):
            return rows[::-1]


def _of_message(item: Environment) -> _Row:
    return _Row(
        item.name.partition("/")[2],
        item.repository.partition("/")[2],
        item.owner,
        item.size_bytes,
        item.language,
        item.interpreter,
        item.packages,
        _written(item.create_time.ToDatetime(UTC)),
        _written(item.use_time.ToDatetime(UTC)),
        item.in_use,
        "",
    )


def _written(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
