"""Commands `index --from` (index a list of repositories, here or on a server) and `batch` (follow a batch of a server)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry import v1 as pb
from repoquarry.graphstore.model.values import count_noun
from repoquarry.server.cli.session import CliSession, StatusLine, absolute_location, argument, flag, with_session
from repoquarry.server.errors import RequestError, ServerFailure, invalid_field
from repoquarry.server.text_format import escape_controls, format_duration, format_size, short

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.server.bulk.executor import Executor
    from repoquarry.server.bulk.repository_list import BulkProgress, BulkReport, RepositoryOutcome

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_LINE_SECONDS = 10.0
_SHOWN_FAILURES = 20


def index_list(
    session: CliSession, path: Path, *, jobs: int, memory: str, executor_name: str, ray_address: str
) -> None:
    """Index a list into the local store. Raises: RequestError, after all entries, when an entry failed."""
    from repoquarry.server.application.application import Application
    from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
    from repoquarry.server.bulk.repository_list import BatchLedger, compute_list_id, read_list

    wanted = read_list(path)
    executor, cores = _executor(executor_name, ray_address, jobs)
    settings = BulkSettings(jobs=jobs or cores, memory_bytes=_parse_size(memory))
    shown = BatchProgressLine()
    with closing(Application(session.settings, writable=True)) as application:
        host = application.host
        record = BatchLedger(host.state, compute_list_id(wanted, repr(host.settings.ingest)), wanted)
        bulk = BulkIndexer(
            host.store, wanted, settings, host.settings.ingest, host.admission.reach, executor,
            record=record, check=host.admission.check, report=shown.show,
        )  # fmt: skip
        try:
            report = bulk.run()
        finally:
            shown.close()
    if session.as_json:
        session.print_json(plain_report(report))
    else:
        print(summary(report))
    raise_failures(report)


def _executor(name: str, ray_address: str, jobs: int) -> tuple[Executor, int]:
    """Choose the executor, with its default number of parallel repositories. Raises: RequestError."""
    if name == "ray":
        from repoquarry.server.bulk.ray_executor import RayExecutor

        cluster = RayExecutor(ray_address, jobs)
        return cluster, cluster.cores
    if name != "processes":
        raise invalid_field("--executor", f"{name!r} is not one of processes, ray")
    if ray_address:
        raise invalid_field("--ray-address", "needs --executor ray")
    from repoquarry.server.bulk.executor import ProcessExecutor

    return ProcessExecutor(), 0


class BatchProgressLine(StatusLine):
    """Progress line of a batch, every ten seconds and at the end."""

    def __init__(self) -> None:
        super().__init__(_LINE_SECONDS)
        self._done = -1

    def show(self, progress: BulkProgress) -> None:
        self.write(_line(progress), is_news=progress.done == progress.total != self._done)
        self._done = progress.done


def _line(progress: BulkProgress) -> str:
    parts = [f"{progress.done:,}/{progress.total:,} repositories"]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    parts.append(count_noun(progress.lines, "line"))
    if progress.seconds_left is not None and progress.done < progress.total:
        parts.append(f"about {format_duration(progress.seconds_left)} left")
    working = ", ".join(f"{escape_controls(repository)} ({stage})" for repository, stage in progress.running)
    return ", ".join(parts) + (f"; {working}" if working else "")


def _parse_size(text: str) -> int:
    """Parse a size such as `8GiB` or `500M`; empty means 0. Raises: RequestError."""
    if not text:
        return 0
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text, re.IGNORECASE)
    if found is None or float(found[1]) <= 0:
        raise invalid_field("--memory", f"invalid size {text!r}; expected a form such as 8GiB or 500M")
    return int(float(found[1]) * _UNITS[found[2].lower()])


def summary(report: BulkReport) -> str:
    """Format a report: a line, and a line for each of the first failures."""
    stored = [outcome for outcome in report.outcomes if outcome.stored]
    failed = [outcome for outcome in report.outcomes if not outcome.stored]
    unchanged = sum(outcome.unchanged for outcome in stored)
    lines = sum(outcome.lines for outcome in stored)
    counts = ((unchanged, "unchanged"), (report.resumed, "by an earlier run"))
    details = ", ".join(f"{count} {what}" for count, what in counts if count)
    first = (
        f"{len(stored)} of {len(report.outcomes)} repositories stored{f' ({details})' if details else ''}, "
        f"{count_noun(sum(outcome.files for outcome in stored), 'file')}, {count_noun(lines, 'line')} in {format_duration(report.seconds)}; "
        f"peak memory {format_size(report.peak_memory_bytes)}"
    )
    shown = [
        f"  failed: {escape_controls(o.location)}: {o.reason}: {escape_controls(o.message)}"
        for o in failed[:_SHOWN_FAILURES]
    ]
    if len(failed) > len(shown):
        shown.append(f"  and {len(failed) - len(shown)} more; use --json for all")
    return "\n".join([first, *shown])


def plain_report(report: BulkReport) -> dict[str, object]:
    """Convert a report for `--json`."""
    import msgspec

    return {
        "outcomes": [msgspec.to_builtins(outcome) for outcome in report.outcomes],
        "stored": sum(outcome.stored for outcome in report.outcomes),
        "failed": sum(not outcome.stored for outcome in report.outcomes),
        "resumed": report.resumed,
        "seconds": round(report.seconds, 3),
        "peak_memory_bytes": report.peak_memory_bytes,
    }


def raise_failures(report: BulkReport) -> None:
    """Raise the first failure of a report. Raises: RequestError."""
    failed = [outcome for outcome in report.outcomes if not outcome.stored]
    if failed:
        first = failed[0]
        raise RequestError(
            ServerFailure(first.reason, f"{len(failed)} of {len(report.outcomes)} failed; the first: {first.message}")
        )


@with_session
def batch_command(
    session: CliSession,
    name: str = argument(..., "Name of the batch, `batches/…`, as `index --from … --detach` printed it."),
    cancel: bool = flag("--cancel", "Cancel the batch; stored repositories are kept."),
    detach: bool = flag("--detach", "Print the current state and exit."),
) -> None:
    """Follow a batch of a server until its end, and print its report."""
    with session.api() as api:
        if cancel:
            api.batches.cancel_batch(pb.CancelBatchRequest(name=name))
        batch = api.batches.get_batch(pb.GetBatchRequest(name=name)).batch
        if not detach:
            batch = _follow(api, batch)
        _report(session, api, batch)


def send_list(session: CliSession, path: Path, *, detach: bool) -> None:
    """Index a list on a server. Raises: RequestError, after all entries, when an entry failed."""
    from repoquarry.server.bulk.repository_list import read_list

    wanted = read_list(path)
    sources = [
        pb.IndexSource(location=absolute_location(entry.location), ref=entry.ref, repository_id=entry.name)
        for entry in wanted
    ]
    with session.api() as api:
        batch = api.batches.create_batch(pb.CreateBatchRequest(sources=sources)).batch
        if detach:
            session.print_json({"batch": batch.name}) if session.as_json else print(batch.name)
            return
        _report(session, api, _follow(api, batch))


def _follow(api: Api, batch: pb.Batch) -> pb.Batch:
    shown = BatchProgressLine()
    try:
        for part in api.batches.stream_batch_events(pb.StreamBatchEventsRequest(name=batch.name)):
            if part.event.WhichOneof("event") == "progress":
                shown.show(_progress(part.event.progress))
    except KeyboardInterrupt:
        print(f"{batch.name} continues on the server", file=sys.stderr, flush=True)
        raise
    finally:
        shown.close()
    return api.batches.get_batch(pb.GetBatchRequest(name=batch.name)).batch


def _progress(message: pb.BatchProgress) -> BulkProgress:
    from repoquarry.server.bulk.repository_list import BulkProgress

    running = tuple((short(entry.repository), entry.stage) for entry in message.running)
    left = message.seconds_left if message.HasField("seconds_left") else None
    return BulkProgress(message.total, message.stored, message.failed, message.lines, message.seconds, running, left)


def _report(session: CliSession, api: Api, batch: pb.Batch) -> None:
    """Print the outcomes. Raises: RequestError when the batch or an entry failed."""
    from repoquarry.server.bulk.repository_list import BulkReport
    from repoquarry.server.value_messages import format_enum

    state = format_enum(batch, "state")
    outcomes = tuple(_outcomes(api, batch.name))
    peak = max((outcome.peak_memory_bytes for outcome in outcomes), default=0)
    seconds = batch.progress.seconds
    report = BulkReport(outcomes, 0, seconds, peak)
    if session.as_json:
        session.print_json({"batch": batch.name, "state": state, "total": batch.total, **plain_report(report)})
    else:
        print(f"{batch.name} {state}: {len(outcomes)} of {batch.total} entries completed\n{summary(report)}")
    if batch.error.reason == "ENTRIES_FAILED":
        raise_failures(report)
    if batch.state == batch.STATE_FAILED:
        raise RequestError(ServerFailure(batch.error.reason, batch.error.message, batch.error.metadata))
    if batch.state == batch.STATE_CANCELLED:
        raise RequestError(ServerFailure("CANCELLED", f"{batch.name} was cancelled; stored repositories are kept"))


def _outcomes(api: Api, name: str) -> Iterator[RepositoryOutcome]:
    from repoquarry.server.bulk.repository_list import outcome_of
    from repoquarry.server.resource_names import iterate_pages

    for page in iterate_pages(api.batches.list_batch_outcomes, pb.ListBatchOutcomesRequest(name=name, page_size=1_000)):
        yield from (outcome_of(message) for message in page.outcomes)
