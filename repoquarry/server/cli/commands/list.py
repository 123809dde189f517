"""Commands `list` (repositories, jobs, batches or tasks) and `delete` (repositories from the store)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from repoquarry import v1 as pb
from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.cli.session import CliSession, argument, flag, list_repositories, repositories, with_session
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import Columns, format_records, format_time, short

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from repoquarry.server.api import Api


@with_session
def list_command(
    session: CliSession,
    jobs: bool = flag("--jobs", "List index jobs instead."),
    batches: bool = flag("--batches", "List batches instead."),
    tasks: bool = flag("--tasks", "List tasks instead."),
) -> None:
    """List the indexed repositories, or jobs, batches or tasks."""

    with session.api() as api:
        if jobs:
            session.render(
                api.index.list_index_jobs(pb.ListIndexJobsRequest()),
                lambda page: print(format_records("index jobs", _JOB_COLUMNS, page.index_jobs)),
            )
        elif batches:
            session.render(
                api.batches.list_batches(pb.ListBatchesRequest()),
                lambda page: print(format_records("batches", _BATCH_COLUMNS, page.batches, right=(2, 3, 4))),
            )
        elif tasks:
            session.render(
                api.tasks.list_tasks(pb.ListTasksRequest()),
                lambda page: print(format_records("tasks", _TASK_COLUMNS, page.tasks)),
            )
        else:
            _repositories(session, api)


def _repositories(session: CliSession, api: Api) -> None:
    found = list_repositories(api)
    if session.as_json:
        session.print_json({"repositories": found})
        return
    print(format_records("repositories", _REPOSITORY_COLUMNS, found, right=(1, 2, 6, 7)))
    for folder in sorted({item.data_folder for item in found} - {""}):
        names = ", ".join(short(item.name) for item in found if item.data_folder == folder)
        print(f"elsewhere: the texts of {names} are in the data folder {folder}", file=sys.stderr)
    for note in dict.fromkeys(item.basis.freshness.note for item in found if not item.data_folder):
        if note:
            names = ", ".join(short(item.name) for item in found if item.basis.freshness.note == note)
            print(f"{names}: {note}", file=sys.stderr)


def _format_enum(message: Message, field: str) -> str:
    from repoquarry.server.value_messages import format_enum

    return format_enum(message, field)


def _format_state(item: pb.Repository) -> str:
    """Return whether the source has changed, or that the texts are in another data folder."""
    return "elsewhere" if item.data_folder else _format_enum(item.basis.freshness, "state").replace("_", " ")


def _format_created(operation: Any) -> str:
    return format_time(operation.create_time.ToDatetime())


_REPOSITORY_COLUMNS: Columns = {
    "REPOSITORY": lambda item: short(item.name),
    "FILES": lambda item: f"{item.files:,}",
    "LINES": lambda item: f"{item.lines:,}",
    "REF": lambda item: item.ref or item.branch,
    "COMMIT": lambda item: item.commit[:12] + ("+" if item.basis.dirty else ""),
    "STATE": _format_state,
    "SKIPPED": lambda item: f"{item.basis.left_out_count:,}",
    "UNRESOLVED": lambda item: f"{item.basis.unresolved_calls.total:,}",
    "SOURCE": lambda item: item.source,
}
_JOB_COLUMNS: Columns = {
    "JOB": lambda job: job.name,
    "STATE": lambda job: _format_enum(job, "state"),
    "REPOSITORY": lambda job: short(job.repository),
    "STARTS": lambda job: str(job.attempts),
    "CREATED": _format_created,
    "SOURCE OR ERROR": lambda job: job.error.message or "#".join(filter(None, (job.source.location, job.source.ref))),
}
_BATCH_COLUMNS: Columns = {
    "BATCH": lambda batch: batch.name,
    "STATE": lambda batch: _format_enum(batch, "state"),
    "ENTRIES": lambda batch: f"{batch.total:,}",
    "STORED": lambda batch: f"{batch.progress.stored:,}",
    "FAILED": lambda batch: f"{batch.progress.failed:,}",
    "CREATED": _format_created,
    "ERROR": lambda batch: batch.error.message,
}
_TASK_COLUMNS: Columns = {
    "TASK": lambda task: task.name,
    "STATE": lambda task: " ".join((_format_enum(task, "state"), task.error.reason)).rstrip(),
    "CREATED": _format_created,
    "TEXT": lambda task: " ".join(task.spec.text.split())[:80],
}


@with_session
def delete_command(
    session: CliSession,
    repository: list[str] = argument(..., "Ids of the repositories.", autocompletion=repositories),
    yes: bool = flag("--yes", "-y", "Do not ask."),
) -> None:
    """Delete repositories from the store: graph, texts and indexes. Their sources are not changed."""
    if not yes:
        _require_stored(repository, session)
        _confirm(f"Delete {', '.join(repository)} from the store?", session)
    deleted = []
    with session.api(writable=True) as api:
        for id_ in repository:
            answer = api.repositories.delete_repository(pb.DeleteRepositoryRequest(name=id_))
            nodes, relationships = answer.nodes_deleted, answer.relationships_deleted
            deleted.append({"repository": id_, "nodes_deleted": nodes, "relationships_deleted": relationships})
            if not session.as_json:
                print(f"deleted {id_}: {count_noun(nodes, 'node')}, {count_noun(relationships, 'relationship')}")
    if session.as_json:
        session.print_json({"deleted": deleted})


def _require_stored(repositories: list[str], session: CliSession) -> None:
    """Require that repositories are stored. A damaged repository passes, because it can be deleted. Raises: RequestError."""
    from repoquarry.server.errors import to_failure

    with session.api() as api:
        for id_ in repositories:
            try:
                api.repositories.get_repository(pb.GetRepositoryRequest(name=id_))
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
