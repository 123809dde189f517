"""`repoquarry list`: what is indexed, and what is being worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.session import Session, with_session

if TYPE_CHECKING:
    from repoquarry.server.api import Api


@with_session
def command(
    session: Session,
    jobs: Annotated[bool, typer.Option("--jobs", help="List index jobs instead.")] = False,
    batches: Annotated[bool, typer.Option("--batches", help="List batches instead.")] = False,
    tasks: Annotated[bool, typer.Option("--tasks", help="List tasks instead.")] = False,
) -> None:
    """List the indexed repositories, or jobs, batches or tasks."""
    with session.api() as api:
        if jobs:
            _jobs(session, api)
        elif batches:
            from repoquarry.server.cli.commands.indexing.batch import print_batches

            print_batches(session, api)
        elif tasks:
            _tasks(session, api)
        else:
            _repositories(session, api)


def _repositories(session: Session, api: Api) -> None:
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.text import columns, short
    from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest, Repository

    request = ListRepositoriesRequest(page_size=500)
    found: list[Repository] = []
    while True:
        page = api.repositories.list_repositories(request)
        found += page.repositories
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    if session.as_json:
        session.print_json({"repositories": [plain(item) for item in found]})
        return
    rows = [
        (
            short(item.name),
            str(item.files),
            str(item.lines),
            item.ref or item.branch,
            item.commit[:12] + ("+" if item.basis.dirty else ""),
            item.basis.freshness.State.Name(item.basis.freshness.state)
            .removeprefix("STATE_")
            .lower()
            .replace("_", " "),
            str(item.basis.left_out_count),
            str(item.basis.unresolved_calls.total),
            item.source,
        )
        for item in found
    ]
    header = ("REPOSITORY", "FILES", "LINES", "REF", "COMMIT", "STATE", "LEFT OUT", "UNRESOLVED", "SOURCE")
    print(columns(header, rows, right=(1, 2, 6, 7)) if rows else "no repository is indexed")


def _jobs(session: Session, api: Api) -> None:
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.text import columns, short
    from repoquarry.v1.index_service_pb2 import IndexJob, ListIndexJobsRequest

    page = api.index.list_index_jobs(ListIndexJobsRequest())
    if session.as_json:
        session.print_json(plain(page))
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
    print(columns(("JOB", "STATE", "REPOSITORY", "STARTS", "CREATED", "SOURCE OR ERROR"), rows))


def _tasks(session: Session, api: Api) -> None:
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.text import columns
    from repoquarry.v1.task_service_pb2 import ListTasksRequest, Task

    page = api.tasks.list_tasks(ListTasksRequest())
    if session.as_json:
        session.print_json(plain(page))
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
    print(columns(("TASK", "STATE", "CREATED", "TEXT"), rows))
