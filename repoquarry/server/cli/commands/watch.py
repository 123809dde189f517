"""`repoquarry watch`: index folders, and index them again whenever their files have changed."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.commands.index import follow
from repoquarry.server.cli.program import print_failure
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import Failure, failure_of, invalid

if TYPE_CHECKING:
    from repoquarry.ingest.watching import Changed
    from repoquarry.v1.index_service_pb2 import IndexJob

_NAMED_PATHS = 5
_RETRY_SECONDS = 2.0
_PASSING = ("STORE_BUSY", "REPOSITORY_BUSY", "ENGINE_UNAVAILABLE", "SERVER_UNREACHABLE")
"""Reasons that pass by themselves: another process writes the store, the job before has not ended, or a server is starting."""


@with_session
def command(
    session: Session,
    folder: Annotated[list[Path], typer.Argument(help="Folders to keep indexed.")],
    name: Annotated[str | None, typer.Option("--name", help="Id to store it under; only with one folder.")] = None,
    debounce: Annotated[
        float, typer.Option("--debounce", help="Seconds without a change before a folder is indexed again.")
    ] = 0.4,
    poll: Annotated[
        bool, typer.Option("--poll", help="Compare files again and again: for file systems that send no events.")
    ] = False,
) -> None:
    """Keep the index of folders fresh while their files change, until interrupted. What happens goes to stderr."""
    from repoquarry.ingest.watching import changes

    if name is not None and len(folder) > 1:
        raise invalid("--name", "needs exactly one folder")
    if debounce <= 0:
        raise invalid("--debounce", f"{debounce} is not more than 0 seconds")
    for changed in changes(folder, debounce_seconds=debounce, poll=poll):
        _tell(changed)
        _index(session, changed, name or "")
        if not changed.paths:
            _say(f"watching {changed.folder}; Ctrl-C ends it")


def _index(session: Session, changed: Changed, name: str) -> None:
    """Index a folder, again and again while another process is in the way; what fails otherwise is told, and watching goes on."""
    told = ""
    while True:
        try:
            job = _job(session, changed.folder, name)
        except (
            Exception
        ) as exc:  # the boundary of one round: the next change may find the folder, or the service, well again
            failure = failure_of(exc)
            if failure.reason == "INTERNAL":
                raise
        else:
            if job.state == job.STATE_SUCCEEDED:
                _print_json(session, changed, job)
                return
            failure = Failure(job.error.reason or "CANCELLED", job.error.message, job.error.metadata)
        if failure.reason != told:
            print_failure(failure, as_json=session.as_json)
            told = failure.reason
        if failure.reason not in _PASSING:
            return
        time.sleep(_RETRY_SECONDS)


def _job(session: Session, folder: Path, name: str) -> IndexJob:
    """One finished job. The store is held only meanwhile, so that other commands may write between two changes."""
    from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource

    with session.api(writable=True) as api:
        source = IndexSource(location=str(folder), repository_id=name)
        (job,) = api.index.create_index_job(CreateIndexJobRequest(sources=[source])).index_jobs
        return follow(session, api, job)


def _tell(changed: Changed) -> None:
    if changed.paths:
        more = f" and {len(changed.paths) - _NAMED_PATHS} more" if len(changed.paths) > _NAMED_PATHS else ""
        _say(f"{changed.folder}: changed {', '.join(changed.paths[:_NAMED_PATHS])}{more}")


def _print_json(session: Session, changed: Changed, job: IndexJob) -> None:
    if session.as_json:
        from repoquarry.server.cli.plain import plain

        session.print_json({"changed": list(changed.paths), "job": plain(job)})
        sys.stdout.flush()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
