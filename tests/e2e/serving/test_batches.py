"""Lists of repositories through a running server: outcomes, the source policy, owners, cancelling, and a server that is killed."""

import json
from pathlib import Path

import pytest

from repoquarry.client import Client
from repoquarry.v1.batch_service_pb2 import (
    Batch,
    BatchEvent,
    BatchOutcome,
    CancelBatchRequest,
    CreateBatchRequest,
    GetBatchRequest,
    ListBatchesRequest,
    ListBatchOutcomesRequest,
    StreamBatchEventsRequest,
)
from repoquarry.v1.index_service_pb2 import IndexJob, IndexSource
from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest
from tests.e2e.rpc_calls import create_job, failure, finish_job
from tests.e2e.service import StartService, big_tree, long_token, run_here, wait_until
from tests.source_trees import write_tree


def create(client: Client, *sources: IndexSource | Path, request_id: str = "") -> Batch:
    given = [source if isinstance(source, IndexSource) else IndexSource(location=str(source)) for source in sources]
    return client.batches.create_batch(CreateBatchRequest(sources=given, request_id=request_id)).batch


def follow(client: Client, batch: Batch) -> list[BatchEvent]:
    return [part.event for part in client.batches.stream_batch_events(StreamBatchEventsRequest(name=batch.name))]


def now(client: Client, batch: Batch) -> Batch:
    return client.batches.get_batch(GetBatchRequest(name=batch.name)).batch


def outcomes(client: Client, batch: Batch, **more: object) -> list[BatchOutcome]:
    request = ListBatchOutcomesRequest(name=batch.name, **more)  # type: ignore[arg-type]
    pages = client.pages(client.batches.list_batch_outcomes, request)
    return [outcome for page in pages for outcome in page.outcomes]


def small(folder: Path, count: int) -> list[Path]:
    return [write_tree(folder / f"r{place}", {"a.py": f"def f{place}():\n    return 1\n"}) for place in range(count)]


def stored(client: Client) -> list[str]:
    page = client.repositories.list_repositories(ListRepositoriesRequest())
    return [repository.name.removeprefix("repositories/") for repository in page.repositories]


def test_a_list_is_worked_through_and_reported(start_service: StartService, tmp_path: Path) -> None:
    client = start_service(REPOQUARRY_SERVER_BATCH_JOBS="2").client()
    folders = small(tmp_path / "many", 3)
    (tmp_path / "void").mkdir()
    batch = create(client, *folders, tmp_path / "void", tmp_path / "absent", request_id="one")
    assert (batch.state, batch.total) == (Batch.STATE_QUEUED, 5)
    events = follow(client, batch)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert sorted(event.outcome.place for event in events if event.HasField("outcome")) == [1, 2, 3, 4, 5]
    assert events[-1].state_changed.state == Batch.STATE_FAILED
    ended = now(client, batch)
    assert (ended.state, ended.error.reason) == (Batch.STATE_FAILED, "ENTRIES_FAILED")
    assert ended.error.message == "2 of 5 entries failed"
    assert (ended.progress.stored, ended.progress.failed, ended.progress.total) == (3, 2, 5)
    assert ended.progress.lines == 6
    assert stored(client) == ["r0", "r1", "r2"]
    times = [
        item.basis.index_time for item in client.repositories.list_repositories(ListRepositoriesRequest()).repositories
    ]
    assert all(
        ended.start_time.ToNanoseconds() < time.ToNanoseconds() < ended.end_time.ToNanoseconds() for time in times
    )
    found = outcomes(client, batch, page_size=2)
    assert [outcome.place for outcome in found] == [1, 2, 3, 4, 5]
    assert [outcome.error.reason for outcome in outcomes(client, batch, failed_only=True)] == [
        "REPOSITORY_EMPTY",
        "SOURCE_NOT_FOUND",
    ]
    assert found[0].repository == "repositories/r0"
    assert found[0].lines == 2
    assert create(client, *folders, tmp_path / "void", tmp_path / "absent", request_id="one").name == batch.name
    assert failure(lambda: create(client, *folders, request_id="one")).reason == "REQUEST_ID_REUSED"
    again = create(client, *folders)
    follow(client, again)
    assert all(outcome.unchanged for outcome in outcomes(client, again))
    listed = client.batches.list_batches(ListBatchesRequest(page_size=1))
    assert [entry.name for entry in listed.batches] == [again.name]
    rest = client.batches.list_batches(ListBatchesRequest(page_size=1, page_token=listed.next_page_token))
    assert [entry.name for entry in rest.batches] == [batch.name]


def test_what_cannot_be_a_list_is_refused(start_service: StartService, tmp_path: Path) -> None:
    client = start_service().client()
    assert failure(create, client).reason == "REQUEST_INVALID"
    assert failure(create, client, IndexSource(location=" ")).reason == "REQUEST_INVALID"
    twins = [write_tree(tmp_path / name / "tool", {"a.py": "x = 1\n"}) for name in ("one", "two")]
    assert failure(create, client, *twins).reason == "LIST_REJECTED"
    absent = Batch(name="batches/absent")
    assert failure(now, client, absent).reason == "BATCH_NOT_FOUND"
    assert failure(outcomes, client, absent).reason == "BATCH_NOT_FOUND"


def test_the_policy_of_the_server_holds_for_every_entry(start_service: StartService, tmp_path: Path) -> None:
    inside, outside = small(tmp_path / "allowed", 1), small(tmp_path / "other", 2)
    link = tmp_path / "allowed" / "link"
    link.symlink_to(outside[1])
    client = start_service(REPOQUARRY_SERVER_SOURCE_ROOTS=str(tmp_path / "allowed")).client()
    inner = IndexSource(location="https://127.0.0.1/inner.git", repository_id="inner")
    batch = create(client, inside[0], IndexSource(location=str(outside[0]), repository_id="x"), link, inner)
    follow(client, batch)
    assert [outcome.error.reason for outcome in outcomes(client, batch)] == ["", *["SOURCE_REJECTED"] * 3]
    assert stored(client) == ["r0"]


def test_batches_belong_to_the_token_that_made_them(start_service: StartService, tmp_path: Path) -> None:
    tokens = ",".join(map(long_token, ("index:one", "index:two", "read:three", "root")))
    service = start_service(REPOQUARRY_SERVER_TOKENS=tokens)
    one, two, three, root = (service.client(token=long_token(name)) for name in ("one", "two", "three", "root"))
    blocker = create(root, big_tree(tmp_path / "big", 60))
    batch = create(one, *small(tmp_path / "many", 2))
    assert failure(create, three, tmp_path).reason == "SCOPE_MISSING"
    cancel = CancelBatchRequest(name=batch.name)
    refused = failure(two.batches.cancel_batch, cancel)
    assert (refused.reason, refused.status) == ("NOT_OWNER", "PERMISSION_DENIED")
    assert batch.name in refused.message
    assert failure(now, two, batch).reason == "NOT_OWNER"
    one.batches.cancel_batch(cancel)
    assert follow(one, batch)[-1].state_changed.state == Batch.STATE_CANCELLED
    assert failure(one.batches.cancel_batch, cancel).reason == "WRONG_STATE"
    root.batches.cancel_batch(CancelBatchRequest(name=blocker.name))
    assert follow(root, blocker)[-1].state_changed.state == Batch.STATE_CANCELLED
    assert not outcomes(root, blocker)


def test_jobs_go_on_beside_a_batch(start_service: StartService, tmp_path: Path) -> None:
    client = start_service(REPOQUARRY_SERVER_BATCH_JOBS="2").client()
    batch = create(client, *small(tmp_path / "many", 8))
    alone = write_tree(tmp_path / "alone", {"a.py": "x = 1\n"})
    job = create_job(client, alone)
    assert finish_job(client, job).state == IndexJob.STATE_SUCCEEDED
    follow(client, batch)
    assert stored(client) == ["alone", *(f"r{place}" for place in range(8))]


@pytest.mark.slow
def test_killed_server_resumes_after_stored_events(start_service: StartService, tmp_path: Path) -> None:
    """Killed at three outcomes, with three starts allowed that bring none: nothing is lost and nothing done twice."""
    more = {"REPOQUARRY_SERVER_BATCH_JOBS": "1", "REPOQUARRY_SERVER_MAX_ATTEMPTS": "2"}
    service = start_service(**more)
    client = service.client()
    folders = [big_tree(tmp_path / f"tree{place}", 4) for place in range(8)]
    batch = create(client, *folders)
    for least in (1, 3, 5):
        wait_until(lambda client=client, least=least: len(outcomes(client, batch)) >= least)  # type: ignore[misc]
        service.kill()
        service = start_service(service.store, **more)
        client = service.client()
    events = follow(client, batch)
    assert events[-1].state_changed.state == Batch.STATE_SUCCEEDED
    notes = [event.state_changed.note for event in events if event.HasField("state_changed")]
    assert notes.count("resumed after the server stopped") == 3
    places = [event.outcome.place for event in events if event.HasField("outcome")]
    assert sorted(places) == list(range(1, 9))
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert stored(client) == sorted(folder.name for folder in folders)
    assert not (service.store / "incoming").exists()


def test_the_command_line_sends_follows_and_cancels(start_service: StartService, tmp_path: Path) -> None:
    service = start_service()
    small(tmp_path / "many", 2)
    (tmp_path / "many" / "void").mkdir()
    remote = ["--server", service.address]
    done = run_here(service.store, "index", "--from", str(tmp_path / "many"), "--json", *remote)
    report = json.loads(done.stdout)
    assert done.returncode != 0
    assert (report["state"], report["stored"], report["failed"], report["total"]) == ("failed", 2, 1, 3)
    assert "REPOSITORY_EMPTY" in done.stderr or "1 of 3 failed" in done.stderr
    shown = run_here(service.store, "batch", report["batch"], *remote)
    assert "2 of 3 repositories stored" in shown.stdout
    listed = run_here(service.store, "list", "--batches", *remote, COLUMNS="200")
    assert report["batch"] in listed.stdout
    (tmp_path / "big.txt").write_text(f"{big_tree(tmp_path / 'big', 80)}\n", encoding="utf-8")
    sent = run_here(service.store, "index", "--from", str(tmp_path / "big.txt"), "--detach", *remote)
    name = sent.stdout.strip()
    cancelled = run_here(service.store, "batch", name, "--cancel", *remote)
    assert "cancelled" in cancelled.stdout
    assert cancelled.returncode != 0
