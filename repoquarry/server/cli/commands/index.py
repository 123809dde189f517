"""Commands `index` (folders, git addresses, archives, packages) and `watch` (index folders or branches again on changes)."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry import v1 as pb
from repoquarry.client.errors import RequestFailure
from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.cli.program import print_failure
from repoquarry.server.cli.session import (
    CliSession,
    ProgressLine,
    absolute_location,
    argument,
    flag,
    operation_error,
    option,
    with_session,
)
from repoquarry.server.errors import invalid_field, to_failure
from repoquarry.server.text_format import short, terminal_width, wrap_text

if TYPE_CHECKING:
    from repoquarry.graphstore.settings import StoreSettings
    from repoquarry.ingest.errors import IngestError
    from repoquarry.server.api import Api


@with_session
def index_command(
    session: CliSession,
    source: list[str] | None = argument(
        None,
        "Folders, archives (.tar.gz, .zip), git addresses, GitHub repositories as owner/repository[@ref], or packages "
        "as pypi:PACKAGE[@VERSION], npm:PACKAGE[@VERSION] or maven:GROUP:ARTIFACT[@VERSION]; PACKAGE@1.0 is of PyPI.",
    ),
    from_: Path | None = option(
        None,
        "--from",
        "List of repositories: a text file, TOML, JSON, or a folder of checkouts and archives (docs/guides/batch-indexing.md).",
    ),
    at_once: int = option(0, "--jobs", "With --from: number of parallel repositories; 0 means one per core.", min=0),
    executor: str = option("processes", "--executor", "With --from: executor, local `processes` or `ray`."),
    ray_address: str = option(
        "", "--ray-address", "Address of a Ray cluster, or `auto`; empty starts one on this machine."
    ),
    memory: str = option("", "--memory", "With --from: memory of all workers, such as 8GiB."),
    name: str | None = option(None, "--name", "Repository id; only with one source."),
    ref: str = option(
        "", "--ref", "Ref; branch, tag or full commit hash of a git address or repository, or version of a package."
    ),
    scip: list[str] | None = option(
        None,
        "--scip",
        "SCIP index of a compiler or type checker to merge into the graph, or `auto`: index.scip in the source, if there is "
        "one; may be repeated; only with one source.",
    ),
    detach: bool = flag("--detach", "Queue the jobs, or the batch of --from, on the server, and print their names."),
) -> None:
    """Index repositories: folders, git addresses, archives or packages. Progress goes to stderr, the report to stdout."""
    if from_ is not None:
        if source or name is not None or ref or scip:
            raise invalid_field("--from", "takes sources, names and refs from the list, and no SCIP indexes")
        if session.remote:
            if at_once or memory or ray_address or executor != "processes":
                raise invalid_field(
                    "--from",
                    "with --server, the settings of the server apply; omit --jobs, --memory, --executor and --ray-address",
                )
            from repoquarry.server.cli.commands.batch import send_list

            send_list(session, from_, detach=detach)
            return
        _require_server(session, detach=detach)
        from repoquarry.server.cli.commands.batch import index_list

        index_list(session, from_, jobs=at_once, memory=memory, executor_name=executor, ray_address=ray_address)
        return
    if not source:
        raise invalid_field("source", "name at least one folder, archive, address or package, or a list with --from")
    if name is not None and len(source) > 1:
        raise invalid_field("--name", "needs exactly one source")
    if scip and len(source) > 1 and set(scip) != {"auto"}:
        raise invalid_field("--scip", "needs exactly one source, or auto")
    _require_server(session, detach=detach)
    _index_sources(session, source, name or "", ref, scip or [], detach=detach)


def _require_server(session: CliSession, *, detach: bool) -> None:
    """Require a server for `--detach`. Raises: RequestError."""
    if detach and not session.remote:
        raise invalid_field("--detach", "needs --server: without one, this process does the work")


def _index_sources(
    session: CliSession, source: list[str], name: str, ref: str, scip: list[str], *, detach: bool
) -> None:
    locations = map(absolute_location, source) if session.remote else source
    with session.api(writable=True) as api:
        indexes = [_scip_index(session, api, item) for item in scip]
        sources = [
            pb.IndexSource(location=item, repository_id=name, ref=ref, scip=indexes)
            for item in dict.fromkeys(locations)
        ]
        created = api.index.create_index_job(pb.CreateIndexJobRequest(sources=sources)).index_jobs
        jobs = list(created) if detach else [follow(session, api, job) for job in created]
    if session.as_json:
        session.print_json({"jobs": jobs})
    elif detach:
        print("\n".join(job.name for job in jobs))
    if not detach:
        _raise_failures(jobs)


def _scip_index(session: CliSession, api: Api, item: str) -> str:
    """Return an index as the job takes it: a file of this machine by its full path, or uploaded to the server."""
    file = Path(item)
    if item == "auto" or not file.is_file():
        return item
    if not session.remote:
        return str(file.resolve())
    from repoquarry.server.cli.commands.tasks import send

    return send(api, item).upload


def index_source(session: CliSession, location: str) -> str:
    """Index one source into the local store with a progress line. Return the repository's id. Raises: RequestError."""
    with session.api(writable=True) as api:
        request = pb.CreateIndexJobRequest(sources=[pb.IndexSource(location=location)])
        jobs = [follow(session, api, job) for job in api.index.create_index_job(request).index_jobs]
    _raise_failures(jobs)
    return short(jobs[0].repository)


def follow(session: CliSession, api: Api, job: pb.IndexJob) -> pb.IndexJob:
    """Show the progress of a job until it has ended; print and return the ended job."""
    line, described = ProgressLine(short(job.repository)), ""
    with session.cancel_on_interrupt(
        job.name, lambda: api.index.cancel_index_job(pb.CancelIndexJobRequest(name=job.name))
    ):
        try:
            for part in api.index.stream_index_events(pb.StreamIndexEventsRequest(name=job.name)):
                if part.event.WhichOneof("event") == "progress":
                    line.show(part.event.progress)
                    if part.event.progress.stage == "describe":
                        described = part.event.progress.message
        finally:
            line.close()
    if described:
        line.say(described)
    ended = api.index.get_index_job(pb.GetIndexJobRequest(name=job.name)).index_job
    if ended.HasField("report") and not session.as_json:
        print(wrap_text(_summary(ended.report), terminal_width()))
        if not session.remote and not ended.report.unchanged and lacks_vectors(session.settings.store):
            print("  no vectors in Neo4j: store.neo4j_embeddings = true adds them")
    return ended


def lacks_vectors(store: StoreSettings) -> bool:
    """Return whether the graph's engine could hold the vectors of nodes, and the settings keep them out of it."""
    return store.engine == "neo4j" and store.embedding is not None and not store.neo4j_embeddings


def _summary(report: pb.IndexReport) -> str:
    # Lazy import: `--help` needs no history.
    from repoquarry.graphstore.storage.git_history import NOT_TRACKED, UNREADABLE

    at = f" at {report.commit[:12]}" if report.commit else ""
    nodes = sum(count for name, count in report.counts.items() if not name.isupper())
    relationships = sum(count for name, count in report.counts.items() if name.isupper())
    size = f", {count_noun(nodes, 'node')}, {count_noun(relationships, 'relationship')}" if report.counts else ""
    unchanged = " (unchanged)" if report.unchanged else ""
    lines = [
        f"{short(report.repository)}{at}: {count_noun(report.files, 'file')}, {count_noun(report.lines, 'line')}{size} "
        f"in {report.seconds:.1f} s{unchanged}"
    ]
    if report.stages:
        lines.append("  " + ", ".join(f"{stage.stage} {stage.seconds:.1f} s" for stage in report.stages))
    if report.left_out_count:
        shown = ", ".join(f"{item.path} ({item.reason})" for item in report.left_out[:3])
        more = ", …" if report.left_out_count > 3 else ""
        lines.append(f"  skipped {report.left_out_count:,}: {shown}{more}")
    if report.parse_error_count:
        more = ", …" if report.parse_error_count > 3 else ""
        lines.append(
            f"  syntax errors in {report.parse_error_count:,}: {', '.join(report.parse_error_paths[:3])}{more}"
        )
    is_lost = not report.commit or report.history_missing.startswith(UNREADABLE)
    if is_lost and report.history_missing not in ("", NOT_TRACKED):
        lines.append(f"  no history: {report.history_missing}")
    for index in report.scip:
        changed = f", {count_noun(index.stale, 'file')} changed since" if index.stale else ""
        lines.append(
            f"  {index.tool}: {count_noun(index.agreed, 'call')} agree, {index.added:,} added, {index.disagreed:,} corrected; "
            f"{index.references:,} references, {index.inherits:,} bases and {index.overrides:,} overrides added{changed}"
        )
    unresolved = report.unresolved_calls
    lines.append(f"  {unresolved:,} unresolved call{'s' if unresolved != 1 else ''}")
    return "\n".join(lines)


def _raise_failures(jobs: list[pb.IndexJob]) -> None:
    """Raise the error of the first failed job, and print the errors of the others. Raises: RequestError."""
    errors = [operation_error(job) for job in jobs if job.state != job.STATE_SUCCEEDED]
    for error in errors[1:]:
        print_failure(error.failure, as_json=False)
    if errors:
        raise errors[0]


_NAMED_PATHS = 5
_RETRY_SECONDS = 2.0
_TRANSIENT = ("STORE_BUSY", "REPOSITORY_BUSY", "ENGINE_UNAVAILABLE", "SERVER_UNREACHABLE")
"""Transient reasons: another process writes the store, the previous job has not ended, or a server is starting."""


@with_session
def watch_command(
    session: CliSession,
    source: list[str] = argument(..., "Folders to keep indexed, or git addresses whose branch is followed."),
    name: str | None = option(None, "--name", "Repository id; only with one source."),
    ref: str = option("", "--ref", "Ref; branch or tag of git addresses; defaults to their default branch."),
    interval: float = option(
        60.0, "--interval", "Seconds between two checks of git addresses; at least 10 for other machines."
    ),
    debounce: float = option(0.4, "--debounce", "Seconds without a change before a folder is re-indexed."),
    poll: bool = flag("--poll", "Poll for changes, for file systems without change events."),
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
        if changed.paths:
            more = f" and {len(changed.paths) - _NAMED_PATHS} more" if len(changed.paths) > _NAMED_PATHS else ""
            _print_note(f"{changed.folder}: changed {', '.join(changed.paths[:_NAMED_PATHS])}{more}")
        _index_until_done(session, _Run(str(changed.folder), "", changed.paths), name or "")
        if not changed.paths:
            _print_note(f"watching {changed.folder}; press Ctrl-C to stop")


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
        _print_note(f"{what} updated {before[:12]} -> {now[:12]}" if before else f"{what} is at {now[:12]}")
        done = _index_until_done(session, _Run(source.location, source.ref, (now,)), name)
        if source.location not in following:
            following.add(source.location)
            _print_note(f"watching {source.shown}, every {interval:g} s; press Ctrl-C to stop")
        return done

    def failed(source: RepositorySource, error: IngestError, rounds: int) -> None:
        print_failure(to_failure(error), as_json=session.as_json)
        _print_note(f"{source.shown} will be retried in {(rounds + 1) * interval:g} s")

    def wait() -> bool:
        time.sleep(interval)
        return True

    watch_branches(sources, session.settings.ingest, EVERYWHERE, moved=moved, failed=failed, wait=wait)


def _index_until_done(session: CliSession, wanted: _Run, name: str) -> bool:
    """Index a source; retry after transient errors, and print other errors.

    Returns whether the source is indexed.
    """
    reported = ""
    while True:
        try:
            job = _run_job(session, wanted, name)
        except Exception as exc:  # watching continues after the failure of one run
            failure: RequestFailure = to_failure(exc)
            if failure.reason == "INTERNAL":
                raise
        else:
            if job.state == job.STATE_SUCCEEDED:
                if session.as_json:
                    session.print_json({"changed": wanted.changed, "job": job})
                    sys.stdout.flush()
                return True
            failure = operation_error(job).failure
        if failure.reason != reported:
            print_failure(failure, as_json=session.as_json)
            reported = failure.reason
        if failure.reason not in _TRANSIENT:
            return False
        time.sleep(_RETRY_SECONDS)


def _run_job(session: CliSession, wanted: _Run, name: str) -> pb.IndexJob:
    """Run one job. The store is open only meanwhile, so that other commands can write between two changes."""
    with session.api(writable=True) as api:
        source = pb.IndexSource(location=wanted.location, ref=wanted.ref, repository_id=name)
        (job,) = api.index.create_index_job(pb.CreateIndexJobRequest(sources=[source])).index_jobs
        return follow(session, api, job)


def _print_note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
