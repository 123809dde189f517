"""`repoquarry batch`: lists that a server works through: sent, followed, shown and cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import Failure, RequestError

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.server.bulk.ledger import Outcome
    from repoquarry.server.bulk.report import BulkProgress
    from repoquarry.v1.batch_service_pb2 import Batch, BatchProgress


@with_session
def command(
    session: Session,
    name: Annotated[str, typer.Argument(help="A batch, `batches/…`, as `index --from … --detach` printed it.")],
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop it; what it has stored stays.")] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Say how it is now, and do not wait for its end.")] = False,
) -> None:
    """Follow a batch of a server until it has ended, and print its report."""
    from repoquarry.v1.batch_service_pb2 import CancelBatchRequest, GetBatchRequest

    with session.api() as api:
        if cancel:
            api.batches.cancel_batch(CancelBatchRequest(name=name))
        batch = api.batches.get_batch(GetBatchRequest(name=name)).batch
        if not detach:
            batch = _follow(api, batch)
        _report(session, api, batch)


def send_list(session: Session, path: Path, *, detach: bool) -> None:
    """Have a server index what a list names. Raises: RequestError when an entry failed, after all were tried."""
    from repoquarry.server.bulk.wanted import read_list
    from repoquarry.v1.batch_service_pb2 import CreateBatchRequest
    from repoquarry.v1.index_service_pb2 import IndexSource

    wanted = read_list(path)
    sources = [
        IndexSource(location=_in_full(entry.location), ref=entry.ref, repository_id=entry.name) for entry in wanted
    ]
    with session.api() as api:
        batch = api.batches.create_batch(CreateBatchRequest(sources=sources)).batch
        if detach:
            session.print_json({"batch": batch.name}) if session.as_json else print(batch.name)
            return
        _report(session, api, _follow(api, batch))


def _in_full(location: str) -> str:
    """A folder of this machine in full: the server's working folder is another one."""
    path = Path(location)
    return str(path.resolve()) if path.exists() else location


def _follow(api: Api, batch: Batch) -> Batch:
    from repoquarry.server.cli.bulk import Shown
    from repoquarry.server.cli.progress import ProgressLine
    from repoquarry.v1.batch_service_pb2 import GetBatchRequest, StreamBatchEventsRequest

    shown = Shown()
    try:
        for part in api.batches.stream_batch_events(StreamBatchEventsRequest(name=batch.name)):
            if part.event.WhichOneof("event") == "progress":
                shown(_progress(part.event.progress))
    except KeyboardInterrupt:
        shown.close()
        ProgressLine(batch.name).say(f"{batch.name} goes on at the server")
        raise
    shown.close()
    return api.batches.get_batch(GetBatchRequest(name=batch.name)).batch


def _progress(message: BatchProgress) -> BulkProgress:
    from repoquarry.server.bulk.report import BulkProgress
    from repoquarry.server.text import short

    running = tuple((short(entry.repository), entry.stage) for entry in message.running)
    left = message.seconds_left if message.HasField("seconds_left") else None
    return BulkProgress(message.total, message.stored, message.failed, message.lines, message.seconds, running, left)


def _report(session: Session, api: Api, batch: Batch) -> None:
    """Print the outcomes; raises: RequestError when the batch or an entry of it failed."""
    from repoquarry.server.bulk.report import BulkReport
    from repoquarry.server.cli.bulk import plain_report, raise_failures, summary
    from repoquarry.v1.batch_service_pb2 import Batch as BatchMessage

    state = BatchMessage.State.Name(batch.state).removeprefix("STATE_").lower()
    outcomes = tuple(_outcomes(api, batch.name))
    peak = max((outcome.peak_memory_bytes for outcome in outcomes), default=0)
    seconds = batch.progress.seconds
    report = BulkReport(outcomes, 0, seconds, peak)
    if session.as_json:
        session.print_json({"batch": batch.name, "state": state, "total": batch.total, **plain_report(report)})
    else:
        print(f"{batch.name} {state}: {len(outcomes)} of {batch.total} entries have their outcome\n{summary(report)}")
    if batch.state == BatchMessage.STATE_FAILED:
        raise RequestError(Failure(batch.error.reason, batch.error.message, batch.error.metadata))
    if batch.state == BatchMessage.STATE_CANCELLED:
        raise RequestError(Failure("CANCELLED", f"{batch.name} was cancelled; what it has stored stays"))
    if batch.state == BatchMessage.STATE_SUCCEEDED:
        raise_failures(report)


def _outcomes(api: Api, name: str) -> Iterator[Outcome]:
    from repoquarry.server.bulk.messages import outcome_of
    from repoquarry.v1.batch_service_pb2 import ListBatchOutcomesRequest

    request = ListBatchOutcomesRequest(name=name, page_size=1_000)
    while True:
        page = api.batches.list_batch_outcomes(request)
        yield from (outcome_of(message) for message in page.outcomes)
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def print_batches(session: Session, api: Api) -> None:
    """The newest batches."""
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.text import columns
    from repoquarry.v1.batch_service_pb2 import Batch as BatchMessage
    from repoquarry.v1.batch_service_pb2 import ListBatchesRequest

    page = api.batches.list_batches(ListBatchesRequest())
    if session.as_json:
        session.print_json(plain(page))
        return
    rows = [
        (
            batch.name,
            BatchMessage.State.Name(batch.state).removeprefix("STATE_").lower(),
            str(batch.total),
            str(batch.progress.stored),
            str(batch.progress.failed),
            batch.create_time.ToJsonString()[:19],
            batch.error.message,
        )
        for batch in page.batches
    ]
    header = ("BATCH", "STATE", "ENTRIES", "STORED", "FAILED", "CREATED", "ERROR")
    print(columns(header, rows, right=(2, 3, 4)))
