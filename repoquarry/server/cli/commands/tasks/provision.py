"""`repoquarry provision`: make an environment in which a repository's code can be imported, and keep it for tasks."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.environments import show_environments
from repoquarry.server.cli.provisioning import EXIT_PARTIAL, Lines, provision_indexed
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid

if TYPE_CHECKING:
    from repoquarry.agent.provision.report import Provisioned

_SHOWN_IMPORTS = 20


@with_session
def command(
    session: Session,
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
            raise invalid("--repository", "it stands alone, without a folder, --list and --remove")
        provision_indexed(session, repository, date=date or "", tests=tests, language=language)
        return
    if show or remove:
        show_environments(session, remove or [])
        return
    if session.remote:
        raise invalid("--server", "a server provisions what it has indexed: name it with --repository")
    from repoquarry.agent.provision.folder import provisioned_folder

    agent = session.settings.agent
    if folder is None or not folder.is_dir():
        raise invalid("folder", f"{str(folder or '')!r} is not a folder")
    progress = Lines()
    with provisioned_folder(
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
            raise invalid("--date", f"{text!r} is no day; write YYYY-MM-DD, or newest") from exc
    from repoquarry.ingest.sources.git_command import commit_date

    return commit_date(folder)


def _print(found: Provisioned) -> None:
    print(f"{found.state}: {found.runtime} ({found.interpreter_reason}), {len(found.lock)} packages")
    if found.environment:
        print(f"environment {found.environment.path}{' (made before)' if found.cached else ''}")
    print(f"versions of {found.date}" if found.date else "the newest versions")
    for repair in found.repairs:
        print(f"repaired ({repair.kind}): {repair.change}, because {repair.reason}")
    good = sum(item.works for item in found.tried)
    print(f"imports: {good} of {len(found.tried)} succeed")
    for line in found.missing[:_SHOWN_IMPORTS]:
        print(f"missing: {line}")
    for note in found.notes[:_SHOWN_IMPORTS]:
        print(f"note: {note}")
