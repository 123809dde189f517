"""`list` and `delete`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import invalid_field

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.repository_service_pb2 import Repository


@with_session
def list_command(
    session: CliSession,
    jobs: Annotated[bool, typer.Option("--jobs", help="List index jobs instead.")] = False,
    batches: Annotated[bool, typer.Option("--batches", help="List batches instead.")] = False,
    tasks: Annotated[bool, typer.Option("--tasks", help="List tasks instead.")] = False,
) -> None:
    """List the indexed repositories, or jobs, batches or tasks."""
    with session.api() as api:
        if jobs:
            _jobs(session, api)
        elif batches:
            from repoquarry.server.cli.commands.batch import print_batches

            print_batches(session, api)
        elif tasks:
            _tasks(session, api)
        else:
            _repositories(session, api)


def _repositories(session: CliSession, api: Api) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_table, short
    from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest

    request = ListRepositoriesRequest(page_size=500)
    found: list[Repository] = []
    while True:
        page = api.repositories.list_repositories(request)
        found += page.repositories
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    if session.as_json:
        session.print_json({"repositories": [to_dict(item) for item in found]})
        return
    rows = [
        (
            short(item.name),
            str(item.files),
            str(item.lines),
            item.ref or item.branch,
            item.commit[:12] + ("+" if item.basis.dirty else ""),
            _format_state(item),
            str(item.basis.left_out_count),
            str(item.basis.unresolved_calls.total),
            item.source,
        )
        for item in found
    ]
    header = ("REPOSITORY", "FILES", "LINES", "REF", "COMMIT", "STATE", "LEFT OUT", "UNRESOLVED", "SOURCE")
    print(format_table(header, rows, right=(1, 2, 6, 7)) if rows else "no repository is indexed")
    for folder in sorted({item.data_folder for item in found} - {""}):
        names = ", ".join(short(item.name) for item in found if item.data_folder == folder)
        print(f"elsewhere: the texts of {names} are in the data folder {folder}", file=sys.stderr)


def _format_state(item: Repository) -> str:
    """Say whether the source has moved on, or that the texts are in another data folder."""
    if item.data_folder:
        return "elsewhere"
    return item.basis.freshness.State.Name(item.basis.freshness.state).removeprefix("STATE_").lower().replace("_", " ")


def _jobs(session: CliSession, api: Api) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_table, short
    from repoquarry.v1.index_service_pb2 import IndexJob, ListIndexJobsRequest

    page = api.index.list_index_jobs(ListIndexJobsRequest())
    if session.as_json:
        session.print_json(to_dict(page))
        return
    rows = [
        (
            job.name,
            IndexJob.State.Name(job.state).removeprefix("STATE_").lower(),
            short(job.repository),
            str(job.attempts),
            job.create_time.ToJsonString()[:19],
            job.error.message or job.source.location + (f"#{job.source.ref}" if job.source.ref else ""),
        )
        for job in page.index_jobs
    ]
    print(format_table(("JOB", "STATE", "REPOSITORY", "STARTS", "CREATED", "SOURCE OR ERROR"), rows))


def _tasks(session: CliSession, api: Api) -> None:
    from repoquarry.server.cli.message_dict import to_dict
    from repoquarry.server.text_format import format_table
    from repoquarry.v1.task_service_pb2 import ListTasksRequest, Task

    page = api.tasks.list_tasks(ListTasksRequest())
    if session.as_json:
        session.print_json(to_dict(page))
        return
    rows = [
        (
            task.name,
            " ".join((Task.State.Name(task.state).removeprefix("STATE_").lower(), task.error.reason)).rstrip(),
            task.create_time.ToJsonString()[:19],
            " ".join(task.spec.text.split())[:80],
        )
        for task in page.tasks
    ]
    print(format_table(("TASK", "STATE", "CREATED", "TEXT"), rows))


@with_session
def delete_command(
    session: CliSession,
    repository: Annotated[list[str], typer.Argument(help="Ids of the repositories.", autocompletion=repositories)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete repositories: their graph, sources and indexes. What was indexed is not touched."""
    from repoquarry.v1.repository_service_pb2 import DeleteRepositoryRequest

    if not yes:
        _confirm(f"Delete {', '.join(repository)} from the store?", session)
    deleted = []
    with session.api(writable=True) as api:
        for id_ in repository:
            answer = api.repositories.delete_repository(DeleteRepositoryRequest(name=id_))
            deleted.append((id_, answer.nodes_deleted, answer.relationships_deleted))
            if not session.as_json:
                print(f"deleted {id_}: {answer.nodes_deleted} nodes, {answer.relationships_deleted} relationships")
    if session.as_json:
        session.print_json(
            {
                "deleted": [
                    {"repository": id_, "nodes_deleted": nodes, "relationships_deleted": relationships}
                    for id_, nodes, relationships in deleted
                ]
            }
        )


def _confirm(question: str, session: CliSession) -> None:
    """Raises: RequestError where nobody can be asked; typer.Abort on another answer than yes."""
    if session.as_json:
        raise invalid_field("--yes", "needed with --json, which asks nothing; nothing was deleted")
    try:
        is_sure = typer.confirm(question, err=True)
    except typer.Abort:
        raise invalid_field("--yes", "required without a terminal; nothing was deleted") from None
    if not is_sure:
        raise typer.Abort
