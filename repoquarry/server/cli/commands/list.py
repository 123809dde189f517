"""Commands `list` and `delete`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.cli.completion import repositories
from repoquarry.server.cli.session import CliSession, list_repositories, with_session
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import format_list, format_time, short

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.batch_service_pb2 import ListBatchesResponse
    from repoquarry.v1.index_service_pb2 import ListIndexJobsResponse
    from repoquarry.v1.repository_service_pb2 import Repository
    from repoquarry.v1.task_service_pb2 import ListTasksResponse


@with_session
def list_command(
    session: CliSession,
    jobs: Annotated[bool, typer.Option("--jobs", help="List index jobs instead.")] = False,
    batches: Annotated[bool, typer.Option("--batches", help="List batches instead.")] = False,
    tasks: Annotated[bool, typer.Option("--tasks", help="List tasks instead.")] = False,
) -> None:
    """List the indexed repositories, or jobs, batches or tasks."""
    from repoquarry.v1.batch_service_pb2 import ListBatchesRequest
    from repoquarry.v1.index_service_pb2 import ListIndexJobsRequest
    from repoquarry.v1.task_service_pb2 import ListTasksRequest

    with session.api() as api:
        if jobs:
            session.render(api.index.list_index_jobs(ListIndexJobsRequest()), _print_jobs)
        elif batches:
            session.render(api.batches.list_batches(ListBatchesRequest()), _print_batches)
        elif tasks:
            session.render(api.tasks.list_tasks(ListTasksRequest()), _print_tasks)
        else:
            _repositories(session, api)


def _repositories(session: CliSession, api: Api) -> None:
    found = list_repositories(api)
    if session.as_json:
        session.print_json({"repositories": found})
        return
    rows = [
        (
            short(item.name),
            f"{item.files:,}",
            f"{item.lines:,}",
            item.ref or item.branch,
            item.commit[:12] + ("+" if item.basis.dirty else ""),
            _format_state(item),
            f"{item.basis.left_out_count:,}",
            f"{item.basis.unresolved_calls.total:,}",
            item.source,
        )
        for item in found
    ]
    header = ("REPOSITORY", "FILES", "LINES", "REF", "COMMIT", "STATE", "SKIPPED", "UNRESOLVED", "SOURCE")
    print(format_list("repositories", header, rows, right=(1, 2, 6, 7)))
    for folder in sorted({item.data_folder for item in found} - {""}):
        names = ", ".join(short(item.name) for item in found if item.data_folder == folder)
        print(f"elsewhere: the texts of {names} are in the data folder {folder}", file=sys.stderr)


def _format_state(item: Repository) -> str:
    """Return whether the source has changed, or that the texts are in another data folder."""
    from repoquarry.server.value_messages import format_enum

    return "elsewhere" if item.data_folder else format_enum(item.basis.freshness, "state").replace("_", " ")


def _print_jobs(page: ListIndexJobsResponse) -> None:
    from repoquarry.server.value_messages import format_enum

    rows = [
        (
            job.name,
            format_enum(job, "state"),
            short(job.repository),
            str(job.attempts),
            format_time(job.create_time.ToDatetime()),
            job.error.message or job.source.location + (f"#{job.source.ref}" if job.source.ref else ""),
        )
        for job in page.index_jobs
    ]
    header = ("JOB", "STATE", "REPOSITORY", "STARTS", "CREATED", "SOURCE OR ERROR")
    print(format_list("index jobs", header, rows))


def _print_batches(page: ListBatchesResponse) -> None:
    from repoquarry.server.value_messages import format_enum

    rows = [
        (
            batch.name,
            format_enum(batch, "state"),
            f"{batch.total:,}",
            f"{batch.progress.stored:,}",
            f"{batch.progress.failed:,}",
            format_time(batch.create_time.ToDatetime()),
            batch.error.message,
        )
        for batch in page.batches
    ]
    header = ("BATCH", "STATE", "ENTRIES", "STORED", "FAILED", "CREATED", "ERROR")
    print(format_list("batches", header, rows, right=(2, 3, 4)))


def _print_tasks(page: ListTasksResponse) -> None:
    from repoquarry.server.value_messages import format_enum

    rows = [
        (
            task.name,
            " ".join((format_enum(task, "state"), task.error.reason)).rstrip(),
            format_time(task.create_time.ToDatetime()),
            " ".join(task.spec.text.split())[:80],
        )
        for task in page.tasks
    ]
    print(format_list("tasks", ("TASK", "STATE", "CREATED", "TEXT"), rows))


@with_session
def delete_command(
    session: CliSession,
    repository: Annotated[list[str], typer.Argument(help="Ids of the repositories.", autocompletion=repositories)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete repositories from the store: graph, texts and indexes. Their sources are not changed."""
    from repoquarry.v1.repository_service_pb2 import DeleteRepositoryRequest

    if not yes:
        _require_stored(repository, session)
        _confirm(f"Delete {', '.join(repository)} from the store?", session)
    deleted = []
    with session.api(writable=True) as api:
        for id_ in repository:
            answer = api.repositories.delete_repository(DeleteRepositoryRequest(name=id_))
            nodes, relationships = answer.nodes_deleted, answer.relationships_deleted
            deleted.append({"repository": id_, "nodes_deleted": nodes, "relationships_deleted": relationships})
            if not session.as_json:
                print(f"deleted {id_}: {count_noun(nodes, 'node')}, {count_noun(relationships, 'relationship')}")
    if session.as_json:
        session.print_json({"deleted": deleted})


def _require_stored(repositories: list[str], session: CliSession) -> None:
    """Require that repositories are stored. A damaged repository passes, because it can be deleted. Raises: RequestError."""
    from repoquarry.server.errors import to_failure
    from repoquarry.v1.repository_service_pb2 import GetRepositoryRequest

    with session.api() as api:
        for id_ in repositories:
            try:
                api.repositories.get_repository(GetRepositoryRequest(name=id_))
            except Exception as exc:
                if to_failure(exc).status == "NOT_FOUND":
                    raise


def _confirm(question: str, session: CliSession) -> None:
    """Ask for confirmation. Raises: RequestError without a terminal; typer.Abort unless the answer is yes."""
    if session.as_json:
        raise invalid_field("--yes", "required with --json; nothing was deleted")
    try:
        is_sure = typer.confirm(question, err=True)
    except typer.Abort:
        raise invalid_field("--yes", "required without a terminal; nothing was deleted") from None
    if not is_sure:
        raise typer.Abort
