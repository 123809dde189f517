"""Command `provision`: installs dependencies of a repository in an isolated environment; lists and removes cached environments."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from repoquarry import v1 as pb
from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.cli.session import REPOSITORY, CliSession, argument, flag, operation_error, option, with_session
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.text_format import format_size, format_time, short

if TYPE_CHECKING:
    from repoquarry.execution.provision.environment_cache import EnvironmentCache
    from repoquarry.server.api import Api


def show_environments(session: CliSession, remove: list[str]) -> None:
    """Remove environments by name, and list the others, least recently used first."""
    if session.remote:
        with session.api() as api:
            rows = _list_remote(api, remove)
    else:
        from repoquarry.execution.provision.provisioning_run import open_cache

        rows = _list_local(open_cache(session.settings.agent), remove)
    if session.as_json:
        session.print_json({"environments": rows})
        return
    for row in rows:
        print(
            f"{row['name']}  {row['language']:<10} {row['interpreter']:<8} {row['packages']:>4} packages "
            f"{format_size(row['size_bytes']):>8}  created {row['created']} for {row['repository'] or '-'} "
            f"by {row['owner'] or '-'}, used {row['used']}{', in use' if row['in_use'] else ''}"
        )


def _list_local(cache: EnvironmentCache, remove: list[str]) -> list[dict[str, Any]]:
    from repoquarry.server.application.context import LOCAL
    from repoquarry.server.application.environments import environment_message

    for name in remove:
        stored = cache.find_by_name(name)
        if stored is None:
            raise request_error(
                "ENVIRONMENT_NOT_FOUND", f"no environment {name!r}; `repoquarry provision --list` lists all"
            )
        if not cache.remove(name):
            raise request_error("ENVIRONMENT_IN_USE", f"{name} is in use")
    return [
        _to_row(environment_message(cache, stored, LOCAL, {stored.repository}), str(stored.path))
        for stored in cache.all()
    ]


def _list_remote(api: Api, remove: list[str]) -> list[dict[str, Any]]:
    from repoquarry.server.resource_names import ENVIRONMENTS, iterate_pages

    for name in remove:
        api.environments.delete_environment(pb.DeleteEnvironmentRequest(name=f"{ENVIRONMENTS}/{name}"))
    pages = iterate_pages(api.environments.list_environments, pb.ListEnvironmentsRequest(page_size=500))
    return [_to_row(item) for page in pages for item in page.environments][::-1]


def _to_row(item: pb.Environment, path: str = "") -> dict[str, Any]:
    """Return an environment as listed; `path` is its folder on this machine, empty for a server."""
    return {
        "name": short(item.name),
        "repository": short(item.repository),
        **{field: getattr(item, field) for field in ("owner", "size_bytes", "language", "interpreter", "packages")},
        "created": format_time(item.create_time.ToDatetime()),
        "used": format_time(item.use_time.ToDatetime()),
        "in_use": item.in_use,
        "path": path,
    }


EXIT_PARTIAL: Final = 9
"""Exit code when an import of the code fails, or there is no environment."""
_MAX_LINES: Final = 20


class Lines:
    """Progress on stderr, a line per step."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def show(self, stage: str, text: str) -> None:
        print(f"{time.monotonic() - self._started:7.1f} s  {stage}: {text}", file=sys.stderr, flush=True)


def provision_indexed(session: CliSession, repository: str, *, date: str, tests: bool, language: str) -> None:
    """Provision an indexed repository, here or on a server, and print the result."""
    with session.api() as api:
        spec = pb.ProvisioningSpec(repository=repository, date=date, tests=tests, language=language)
        created = api.environments.create_provisioning(pb.CreateProvisioningRequest(spec=spec)).provisioning
        _follow(session, api, created)
        ended = api.environments.get_provisioning(pb.GetProvisioningRequest(name=created.name)).provisioning
    if not ended.HasField("result"):
        raise operation_error(ended)
    session.render(ended, lambda ended: _print_result(ended.result, ended.result.environment))
    if ended.result.state != ended.result.STATE_READY:
        raise typer.Exit(EXIT_PARTIAL)


def _follow(session: CliSession, api: Api, created: pb.Provisioning) -> None:
    lines = Lines()
    request = pb.StreamProvisioningEventsRequest(name=created.name)
    cancel = pb.CancelProvisioningRequest(name=created.name)
    with session.cancel_on_interrupt(created.name, lambda: api.environments.cancel_provisioning(cancel)):
        for part in api.environments.stream_provisioning_events(request):
            if part.event.HasField("step"):
                lines.show(part.event.step.stage, part.event.step.text)


def _print_result(found: pb.ProvisionedEnvironment, environment: str) -> None:
    """Print the result of a provisioning; `environment` is the name or the folder of the environment."""
    from repoquarry.server.value_messages import format_enum

    runtime = f"{'Node.js' if found.language == 'javascript' else 'Python'} {found.interpreter}"
    print(
        f"{format_enum(found, 'state')}: {runtime} ({found.interpreter_reason}), {count_noun(len(found.packages), 'package')}"
    )
    if environment:
        print(f"environment {environment}{' (cached)' if found.cached else ''}")
    print(f"package versions as of {found.date}" if found.date else "newest package versions")
    for repair in found.repairs:
        print(f"repair ({repair.kind}): {repair.change} (reason: {repair.reason})")
    good = sum(not item.error for item in found.imports)
    print(f"imports: {good} of {len(found.imports)} succeed")
    for line in found.missing[:_MAX_LINES]:
        print(f"missing: {line}")
    for note in found.notes[:_MAX_LINES]:
        print(f"note: {note}")


@with_session
def provision_command(
    session: CliSession,
    folder: Path | None = argument(None, "Folder of the repository, which is not changed."),
    date: str | None = option(
        None, "--date", "Day of the package versions (YYYY-MM-DD), or `newest`; defaults to the date of the commit."
    ),
    tests: bool = flag("--tests", "Install the dependencies of the tests of the repository, too."),
    language: str = option("", "--language", "`python` or `javascript`; defaults to the language of the manifests."),
    repository: str | None = REPOSITORY,
    show: bool = flag("--list", "List the cached environments, here or on a server."),
    remove: list[str] | None = option(None, "--remove", "Name of a cached environment to remove.", metavar="NAME"),
) -> None:
    """Install the dependencies of a repository in a separate, isolated environment, and test its imports."""
    if repository is not None:
        if folder is not None or show or remove:
            raise invalid_field("--repository", "cannot be combined with a folder, --list or --remove")
        provision_indexed(session, repository, date=date or "", tests=tests, language=language)
        return
    if show or remove:
        show_environments(session, remove or [])
        return
    if session.remote:
        raise invalid_field("--server", "a server provisions indexed repositories; use --repository")
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
            from repoquarry.server.application.environments import result_message

            _print_result(result_message(found), str(found.environment.path) if found.environment else "")
    if found.state != "ready":
        raise typer.Exit(EXIT_PARTIAL)


def _date(text: str | None, folder: Path) -> datetime | None:
    """Return the requested day, or the day of the checked out commit; None means the newest versions."""
    if text == "newest":
        return None
    if text:
        try:
            return datetime.fromisoformat(text).replace(tzinfo=UTC)
        except ValueError as exc:
            raise invalid_field("--date", f"{text!r} is not a day; expected YYYY-MM-DD or newest") from exc
    from repoquarry.ingest.sources.git import commit_date

    return commit_date(folder)
