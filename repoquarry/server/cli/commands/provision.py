"""`provision`, and stored environments."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import RequestError, ServerFailure, invalid_field, request_error

if TYPE_CHECKING:
    from repoquarry.execution.provision.environment_cache import CachedEnvironment, EnvironmentCache
    from repoquarry.execution.provision.report import ProvisioningResult
    from repoquarry.server.api import Api
    from repoquarry.v1.environment_service_pb2 import Environment, ProvisionedEnvironment, Provisioning


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


def show_environments(session: CliSession, remove: list[str]) -> None:
    """Remove environments by name, and list the others, the longest unused first."""
    if session.remote:
        with session.api() as api:
            rows = _at_server(api, remove)
    else:
        from repoquarry.execution.provision.provisioning_run import open_cache

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
        stored = cache.find_by_name(name)
        if stored is None:
            raise request_error("ENVIRONMENT_NOT_FOUND", f"no environment {name!r} is kept; --list names them")
        if not cache.remove(name):
            raise request_error("ENVIRONMENT_IN_USE", f"{name} is in use")
    return [_of_folder(cache, stored) for stored in cache.all()]


def _of_folder(cache: EnvironmentCache, stored: CachedEnvironment) -> _Row:
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
    from repoquarry.server.resource_names import ENVIRONMENTS
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


EXIT_PARTIAL: Final = 9
"""Exit code when something that the code imports is missing, and when there is no environment at all."""
_SHOWN: Final = 20


class Lines:
    """Progress: a line for each step on stderr."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def show(self, stage: str, text: str) -> None:
        print(f"{time.monotonic() - self._started:7.1f} s  {stage}: {text}", file=sys.stderr, flush=True)


def provision_indexed(session: CliSession, repository: str, *, date: str, tests: bool, language: str) -> None:
    """Provision a repository of the store, here or at a server, and show it."""
    from repoquarry.v1.environment_service_pb2 import (
        CreateProvisioningRequest,
        GetProvisioningRequest,
        ProvisioningSpec,
    )

    with session.api() as api:
        spec = ProvisioningSpec(repository=repository, date=date, tests=tests, language=language)
        asked = api.environments.create_provisioning(CreateProvisioningRequest(spec=spec)).provisioning
        _follow(session, api, asked)
        ended = api.environments.get_provisioning(GetProvisioningRequest(name=asked.name)).provisioning
    if not ended.HasField("result"):
        reason, message = ended.error.reason or "CANCELLED", ended.error.message or f"{ended.name} was cancelled"
        raise RequestError(ServerFailure(reason, message, ended.error.metadata))
    if session.as_json:
        from repoquarry.server.cli.message_dict import to_dict

        session.print_json(to_dict(ended))
    else:
        _print_provisioning(ended.result)
    if ended.result.state != ended.result.STATE_READY:
        raise typer.Exit(EXIT_PARTIAL)


def _follow(session: CliSession, api: Api, asked: Provisioning) -> None:
    """Show the steps. An interrupt cancels the provisioning where this process does the work."""
    from repoquarry.v1.environment_service_pb2 import CancelProvisioningRequest, StreamProvisioningEventsRequest

    lines = Lines()
    try:
        for part in api.environments.stream_provisioning_events(StreamProvisioningEventsRequest(name=asked.name)):
            if part.event.HasField("step"):
                lines.show(part.event.step.stage, part.event.step.text)
    except KeyboardInterrupt:
        if session.remote:
            print(f"{asked.name} continues on the server", file=sys.stderr)
        else:
            api.environments.cancel_provisioning(CancelProvisioningRequest(name=asked.name))
        raise


def _print_provisioning(found: ProvisionedEnvironment) -> None:
    state = type(found).State.Name(found.state).removeprefix("STATE_").lower()
    print(f"{state}: {found.language} {found.interpreter} ({found.interpreter_reason}), {len(found.packages)} packages")
    if found.environment:
        print(f"environment {found.environment}{' (cached)' if found.cached else ''}")
    print(f"package versions as of {found.date}" if found.date else "newest package versions")
    for repair in found.repairs:
        print(f"repair ({repair.kind}): {repair.change} (reason: {repair.reason})")
    good = sum(not item.error for item in found.imports)
    print(f"imports: {good} of {len(found.imports)} succeed")
    for line in found.missing[:_SHOWN]:
        print(f"missing: {line}")
    for note in found.notes[:_SHOWN]:
        print(f"note: {note}")


_SHOWN_IMPORTS = 20


@with_session
def provision_command(
    session: CliSession,
    folder: Annotated[Path | None, typer.Argument(help="Folder of the repository; it is only read.")] = None,
    date: Annotated[
        str | None,
        typer.Option("--date", help="Take versions of this day (YYYY-MM-DD), or `newest`; default: the commit's date."),
    ] = None,
    tests: Annotated[bool, typer.Option("--tests", help="Install what the repository's own tests need too.")] = False,
    language: Annotated[
        str, typer.Option("--language", help="`python` or `javascript`; default: what its manifests say.")
    ] = "",
    repository: Annotated[
        str | None,
        typer.Option("--repository", "-r", help="An indexed repository, for its tasks.", autocompletion=repositories),
    ] = None,
    show: Annotated[
        bool, typer.Option("--list", help="List the environments that are kept, here or at a server.")
    ] = False,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="NAME", help="Remove an environment that is kept.")
    ] = None,
) -> None:
    """Install what a repository needs in an environment of its own, isolated, and import what its code imports."""
    if repository is not None:
        if folder is not None or show or remove:
            raise invalid_field("--repository", "it stands alone, without a folder, --list and --remove")
        provision_indexed(session, repository, date=date or "", tests=tests, language=language)
        return
    if show or remove:
        show_environments(session, remove or [])
        return
    if session.remote:
        raise invalid_field("--server", "a server provisions what it has indexed: name it with --repository")
    from repoquarry.execution.provision.provisioning_run import provision_folder

    agent = session.settings.agent
    if folder is None or not folder.is_dir():
        raise invalid_field("folder", f"{str(folder or '')!r} is not a folder")
    progress = Lines()
    with provision_folder(
        folder,
        agent,
        date=_date(date, folder),
        tests=tests,
        language=language,
        report=lambda step: progress.show(step.stage, step.text),
        cancelled=lambda: False,
    ) as (found, _):
        if session.as_json:
            session.print_json(found.as_json())
        else:
            _print(found)
    if found.state != "ready":
        raise typer.Exit(EXIT_PARTIAL)


def _date(text: str | None, folder: Path) -> datetime | None:
    """The day that is asked for, or the day of the commit that is checked out; None for the newest versions."""
    if text == "newest":
        return None
    if text:
        try:
            return datetime.fromisoformat(text).replace(tzinfo=UTC)
        except ValueError as exc:
            raise invalid_field("--date", f"{text!r} is no day; write YYYY-MM-DD, or newest") from exc
    from repoquarry.ingest.sources.git import commit_date

    return commit_date(folder)


def _print(found: ProvisioningResult) -> None:
    print(f"{found.state}: {found.runtime} ({found.interpreter_reason}), {len(found.lock)} packages")
    if found.environment:
        print(f"environment {found.environment.path}{' (cached)' if found.cached else ''}")
    print(f"package versions as of {found.date}" if found.date else "newest package versions")
    for repair in found.repairs:
        print(f"repair ({repair.kind}): {repair.change} (reason: {repair.reason})")
    good = sum(item.works for item in found.tried)
    print(f"imports: {good} of {len(found.tried)} succeed")
    for line in found.missing[:_SHOWN_IMPORTS]:
        print(f"missing: {line}")
    for note in found.notes[:_SHOWN_IMPORTS]:
        print(f"note: {note}")
