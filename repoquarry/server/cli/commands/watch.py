"""`watch`."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.client.errors import RequestFailure
from repoquarry.server.cli.commands.index import follow
from repoquarry.server.cli.program import print_failure
from repoquarry.server.cli.session import CliSession, operation_error, with_session
from repoquarry.server.errors import invalid_field, to_failure

if TYPE_CHECKING:
    from repoquarry.ingest.errors import IngestError
    from repoquarry.ingest.watchers import FolderChange
    from repoquarry.v1.index_service_pb2 import IndexJob

_NAMED_PATHS = 5
_RETRY_SECONDS = 2.0
_TRANSIENT = ("STORE_BUSY", "REPOSITORY_BUSY", "ENGINE_UNAVAILABLE", "SERVER_UNREACHABLE")
"""Transient reasons: another process writes the store, the previous job has not ended, or a server is starting."""


@with_session
def watch_command(
    session: CliSession,
    source: Annotated[
        list[str], typer.Argument(help="Folders to keep indexed, or git addresses whose branch is followed.")
    ],
    name: Annotated[str | None, typer.Option("--name", help="Repository id; only with one source.")] = None,
    ref: Annotated[
        str, typer.Option("--ref", help="Branch or tag of git addresses; defaults to their default branch.")
    ] = "",
    interval: Annotated[
        float,
        typer.Option("--interval", help="Seconds between two checks of git addresses; at least 10 for other machines."),
    ] = 60.0,
    debounce: Annotated[
        float, typer.Option("--debounce", help="Seconds without a change before a folder is re-indexed.")
    ] = 0.4,
    poll: Annotated[
        bool, typer.Option("--poll", help="Poll for changes, for file systems without change events.")
    ] = False,
) -> None:
    """Keep the index of folders or branches up to date, until interrupted. Progress goes to stderr."""
    from repoquarry.ingest.sources.source import is_address
    from repoquarry.ingest.watchers import watch_folders

    if name is not None and len(source) > 1:
        raise invalid_field("--name", "needs exactly one source")
    addresses = [item for item in source if is_address(item)]
    if addresses:
        if len(addresses) < len(source):
            raise invalid_field("source", "watch folders and git addresses with separate commands")
        _follow_branches(session, addresses, ref, name or "", interval)
        return
    if ref:
        raise invalid_field("--ref", "needs git addresses; folders are watched as checked out")
    folder = [Path(item) for item in source]
    if debounce <= 0:
        raise invalid_field("--debounce", f"{debounce} is not positive")
    for changed in watch_folders(folder, debounce_seconds=debounce, poll=poll):
        _print_change(changed)
        _index(session, _Run(str(changed.folder), "", changed.paths), name or "")
        if not changed.paths:
            _say(f"watching {changed.folder}; press Ctrl-C to stop")


@dataclass(frozen=True)
class _Run:
    """One run of indexing, and its cause."""

    location: str
    ref: str
    changed: tuple[str, ...]
    """Paths, or the commit that a branch moved to; empty for the first round of a folder."""


def _follow_branches(session: CliSession, addresses: list[str], ref: str, name: str, interval: float) -> None:
    from repoquarry.ingest.sources import EVERYWHERE, RepositorySource, parse_source
    from repoquarry.ingest.watchers import MIN_INTERVAL_SECONDS, watch_branches

    sources = [parse_source(address, ref) for address in addresses]
    elsewhere = any(source.path is None for source in sources)
    if interval <= 0 or (elsewhere and interval < MIN_INTERVAL_SECONDS):
        raise invalid_field("--interval", f"{interval:g} is less than {MIN_INTERVAL_SECONDS:g} seconds")
    following = set[str]()

    def moved(source: RepositorySource, before: str, now: str) -> bool:
        what = f"{source.shown}: {source.ref or 'the default branch'}"
        _say(f"{what} updated {before[:12]} -> {now[:12]}" if before else f"{what} is at {now[:12]}")
        done = _index(session, _Run(source.location, source.ref, (now,)), name)
        if source.location not in following:
            following.add(source.location)
            _say(f"watching {source.shown}, every {interval:g} s; press Ctrl-C to stop")
        return done

    def failed(source: RepositorySource, error: IngestError, rounds: int) -> None:
        print_failure(to_failure(error), as_json=session.as_json)
        _say(f"{source.shown} will be retried in {(rounds + 1) * interval:g} s")

    def wait() -> bool:
        time.sleep(interval)
        return True

    watch_branches(sources, session.settings.ingest, EVERYWHERE, moved=moved, failed=failed, wait=wait)


def _index(session: CliSession, wanted: _Run, name: str) -> bool:
    """Index a source; retry after transient errors, and print other errors.

    Returns whether the source is indexed.
    """
    reported = ""
    while True:
        try:
            job = _job(session, wanted, name)
        except Exception as exc:  # watching continues after the failure of one run
            failure: RequestFailure = to_failure(exc)
            if failure.reason == "INTERNAL":
                raise
        else:
            if job.state == job.STATE_SUCCEEDED:
                _print_json(session, wanted, job)
                return True
            failure = operation_error(job).failure
        if failure.reason != reported:
            print_failure(failure, as_json=session.as_json)
            reported = failure.reason
        if failure.reason not in _TRANSIENT:
            return False
        time.sleep(_RETRY_SECONDS)


def _job(session: CliSession, wanted: _Run, name: str) -> IndexJob:
    """Run one job. The store is open only meanwhile, so that other commands can write between two changes."""
    from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource

    with session.api(writable=True) as api:
        source = IndexSource(location=wanted.location, ref=wanted.ref, repository_id=name)
        (job,) = api.index.create_index_job(CreateIndexJobRequest(sources=[source])).index_jobs
        return follow(session, api, job)


def _print_change(changed: FolderChange) -> None:
    if changed.paths:
        more = f" and {len(changed.paths) - _NAMED_PATHS} more" if len(changed.paths) > _NAMED_PATHS else ""
        _say(f"{changed.folder}: changed {', '.join(changed.paths[:_NAMED_PATHS])}{more}")


def _print_json(session: CliSession, wanted: _Run, job: IndexJob) -> None:
    if session.as_json:
        from repoquarry.server.value_messages import to_dict

        session.print_json({"changed": list(wanted.changed), "job": to_dict(job)})
        sys.stdout.flush()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
