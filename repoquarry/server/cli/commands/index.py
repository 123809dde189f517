"""`index`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.session import CliSession, ProgressLine, operation_error, with_session
from repoquarry.server.errors import invalid_field

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.index_service_pb2 import IndexJob, IndexReport


@with_session
def index_command(
    session: CliSession,
    source: Annotated[
        list[str] | None, typer.Argument(help="Folders, archives (.tar.gz, .zip) or git addresses.")
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="List of repositories: a text file, TOML, JSON, or a folder of checkouts and archives (docs/batch-indexing.md).",
        ),
    ] = None,
    at_once: Annotated[
        int, typer.Option("--jobs", min=0, help="With --from: number of parallel repositories; 0 means one per core.")
    ] = 0,
    executor: Annotated[
        str,
        typer.Option("--executor", help="With --from: executor, local `processes` or `ray`."),
    ] = "processes",
    ray_address: Annotated[
        str,
        typer.Option("--ray-address", help="Address of a Ray cluster, or `auto`; empty starts one on this machine."),
    ] = "",
    memory: Annotated[str, typer.Option("--memory", help="With --from: memory of all workers, such as 8GiB.")] = "",
    name: Annotated[str | None, typer.Option("--name", help="Repository id; only with one source.")] = None,
    ref: Annotated[
        str, typer.Option("--ref", help="Branch, tag or full commit hash of a git address or repository.")
    ] = "",
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Queue the jobs, or the batch of --from, on the server, and print their names."),
    ] = False,
) -> None:
    """Index repositories: folders, git addresses or archives. Progress goes to stderr, the report to stdout."""
    if from_ is not None:
        if source or name is not None or ref:
            raise invalid_field("--from", "takes sources, names and refs from the list")
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
        from repoquarry.server.cli.commands.batch import ExecutionTarget, index_list

        index_list(session, from_, jobs=at_once, memory=memory, place=ExecutionTarget(executor, ray_address))
        return
    if not source:
        raise invalid_field("source", "name at least one folder, archive or address, or a list with --from")
    if name is not None and len(source) > 1:
        raise invalid_field("--name", "needs exactly one source")
    _require_server(session, detach=detach)
    _index_sources(session, source, name or "", ref, detach=detach)


def _require_server(session: CliSession, *, detach: bool) -> None:
    """Require a server for `--detach`. Raises: RequestError."""
    if detach and not session.remote:
        raise invalid_field("--detach", "needs --server: without one, this process does the work")


def _index_sources(session: CliSession, source: list[str], name: str, ref: str, *, detach: bool) -> None:
    from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource

    sources = [
        IndexSource(location=_location(session, item), repository_id=name, ref=ref) for item in dict.fromkeys(source)
    ]
    with session.api(writable=True) as api:
        created = api.index.create_index_job(CreateIndexJobRequest(sources=sources)).index_jobs
        jobs = list(created) if detach else [follow(session, api, job) for job in created]
    if session.as_json:
        from repoquarry.server.value_messages import to_dict

        session.print_json({"jobs": [to_dict(job) for job in jobs]})
    elif detach:
        print("\n".join(job.name for job in jobs))
    if not detach:
        _raise_failures(jobs)


def _location(session: CliSession, location: str) -> str:
    """Return the absolute path of a local folder for a server, whose working directory is different."""
    path = Path(location).expanduser()
    return str(path.resolve()) if session.remote and path.exists() else location


def follow(session: CliSession, api: Api, job: IndexJob) -> IndexJob:
    """Show the progress of a job until it has ended; print and return the ended job."""
    from repoquarry.server.text_format import short
    from repoquarry.v1.index_service_pb2 import CancelIndexJobRequest, GetIndexJobRequest, StreamIndexEventsRequest

    line = ProgressLine(short(job.repository))
    with session.cancel_on_interrupt(
        job.name, lambda: api.index.cancel_index_job(CancelIndexJobRequest(name=job.name))
    ):
        try:
            for part in api.index.stream_index_events(StreamIndexEventsRequest(name=job.name)):
                if part.event.WhichOneof("event") == "progress":
                    line.show(part.event.progress)
        finally:
            line.close()
    ended = api.index.get_index_job(GetIndexJobRequest(name=job.name)).index_job
    if ended.HasField("report") and not session.as_json:
        print(_summary(ended.report))
    return ended


def _summary(report: IndexReport) -> str:
    from repoquarry.server.text_format import short

    at = f" at {report.commit[:12]}" if report.commit else ""
    nodes = sum(count for name, count in report.counts.items() if not name.isupper())
    relationships = sum(count for name, count in report.counts.items() if name.isupper())
    size = f", {nodes} nodes, {relationships} relationships" if report.counts else ""
    unchanged = " (unchanged)" if report.unchanged else ""
    lines = [
        f"{short(report.repository)}{at}: {report.files} files, {report.lines} lines{size} "
        f"in {report.seconds:.1f} s{unchanged}"
    ]
    if report.stages:
        lines.append("  " + ", ".join(f"{stage.stage} {stage.seconds:.1f} s" for stage in report.stages))
    if report.left_out_count:
        shown = ", ".join(f"{item.path} ({item.reason})" for item in report.left_out[:3])
        more = ", …" if report.left_out_count > 3 else ""
        lines.append(f"  skipped {report.left_out_count}: {shown}{more}")
    if report.parse_error_count:
        more = ", …" if report.parse_error_count > 3 else ""
        lines.append(f"  syntax errors in {report.parse_error_count}: {', '.join(report.parse_error_paths[:3])}{more}")
    unresolved = report.unresolved_calls
    lines.append(f"  {unresolved} unresolved call{'s' if unresolved != 1 else ''}")
    return "\n".join(lines)


def _raise_failures(jobs: list[IndexJob]) -> None:
    """Raise the error of the first failed job, and print the errors of the others. Raises: RequestError."""
    from repoquarry.server.cli.program import print_failure

    errors = [operation_error(job) for job in jobs if job.state != job.STATE_SUCCEEDED]
    for error in errors[1:]:
        print_failure(error.failure, as_json=False)
    if errors:
        raise errors[0]
