"""Index jobs through a running server: idempotence, conflicts, cancelling, paging, and which sources it may read."""

import json
import threading
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from repoquarry.client import Client
from repoquarry.client.errors import RequestError
from repoquarry.graphstore.testing.untrusted_queries import ENDLESS
from repoquarry.ingest.scip import scip_pb2
from repoquarry.v1.index_service_pb2 import CancelIndexJobRequest, IndexJob, IndexSource, ListIndexJobsRequest
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest
from repoquarry.v1.repository_service_pb2 import DeleteRepositoryRequest, GetRepositoryRequest
from tests.e2e.rpc_calls import create_job, create_jobs, failure, finish_job, get_job
from tests.e2e.service import SHOP, Service, StartService, big_tree, run_here, succeed, wait_until
from tests.source_trees import commit_tree, git, write_tree


@pytest.mark.slow
def test_while_a_repository_is_indexed(start_service: StartService, tmp_path: Path) -> None:
    client = (service := start_service()).client()
    folder = big_tree(tmp_path / "big", 120)
    other = write_tree(tmp_path / "other", {"a.py": "x = 1\n"})
    job = create_job(client, folder)

    found = failure(create_jobs, client, folder)
    assert (found.status, found.reason, found.metadata["job"]) == ("ABORTED", "REPOSITORY_BUSY", job.name)
    found = failure(create_jobs, client, other, folder)
    assert found.reason == "REPOSITORY_BUSY"
    jobs = client.index.list_index_jobs(ListIndexJobsRequest()).index_jobs
    assert [entry.name for entry in jobs] == [job.name]  # all or none
    found = failure(client.repositories.delete_repository, DeleteRepositoryRequest(name="repositories/big"))
    assert (found.status, found.reason) == ("ABORTED", "REPOSITORY_BUSY")

    waiting = create_job(client, other)
    assert get_job(client, waiting).state == IndexJob.STATE_QUEUED
    check_health(service.address, 20)
    assert get_job(client, job).state in (IndexJob.STATE_QUEUED, IndexJob.STATE_RUNNING), (
        "health was answered beside the work"
    )

    client.index.cancel_index_job(CancelIndexJobRequest(name=job.name))
    assert finish_job(client, job).state == IndexJob.STATE_CANCELLED
    found = failure(client.repositories.get_repository, GetRepositoryRequest(name="big"))
    assert found.reason == "REPOSITORY_NOT_FOUND"
    assert finish_job(client, waiting).state == IndexJob.STATE_SUCCEEDED
    found = failure(client.index.cancel_index_job, CancelIndexJobRequest(name=job.name))
    assert (found.status, found.reason) == ("FAILED_PRECONDITION", "WRONG_STATE")
    assert finish_job(client, create_job(client, folder)).state == IndexJob.STATE_SUCCEEDED, "it starts again"


def check_health(address: str, count: int) -> None:
    with grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for _ in range(count):
            stub.Check(health_pb2.HealthCheckRequest(), timeout=300)


def test_a_retried_request_creates_nothing_new(start_service: StartService, tmp_path: Path) -> None:
    client = start_service().client()
    one = write_tree(tmp_path / "one", {"a.py": "x = 1\n"})
    two = write_tree(tmp_path / "two", {"a.py": "x = 2\n"})
    first = create_jobs(client, one, two, request_id="r1")
    for job in first:
        finish_job(client, job)
    again = create_jobs(client, one, two, request_id="r1")
    assert [job.name for job in again] == [job.name for job in first]
    found = failure(lambda: create_jobs(client, one, request_id="r1"))
    assert (found.status, found.reason) == ("ALREADY_EXISTS", "REQUEST_ID_REUSED")

    page = client.index.list_index_jobs(ListIndexJobsRequest(page_size=1))
    rest = client.index.list_index_jobs(ListIndexJobsRequest(page_size=1, page_token=page.next_page_token))
    assert [page.index_jobs[0].name, rest.index_jobs[0].name] == [job.name for job in reversed(first)]
    assert not rest.next_page_token
    found = failure(
        client.index.list_index_jobs, ListIndexJobsRequest(repository="one", page_token=page.next_page_token)
    )
    assert found.reason == "PAGE_TOKEN_INVALID"


def test_a_scip_index_is_uploaded_or_lies_where_the_server_may_read(
    start_service: StartService, tmp_path: Path
) -> None:
    """The command uploads a file of its machine; a path outside of the source roots is refused before the job."""
    (roots := tmp_path / "roots").mkdir()
    folder = write_tree(
        roots / "hand", {"lib.py": "class A:\n    def run(self): ...\n", "use.py": "def f(x):\n    x.run()\n"}
    )
    definition = scip_pb2.Occurrence(range=[1, 8, 11], symbol="t . p 1 A#run().", symbol_roles=1)
    documents = [
        scip_pb2.Document(relative_path="lib.py", occurrences=[definition]),
        scip_pb2.Document(
            relative_path="use.py", occurrences=[scip_pb2.Occurrence(range=[1, 6, 9], symbol="t . p 1 A#run().")]
        ),
    ]
    (index := tmp_path / "mine.scip").write_bytes(scip_pb2.Index(documents=documents).SerializeToString())
    workspaces = str(tmp_path / "workspaces")
    service = start_service(REPOQUARRY_SERVER_SOURCE_ROOTS=str(roots), REPOQUARRY_AGENT_WORKSPACE_ROOT=workspaces)
    client = service.client()

    done = run_here(
        tmp_path / "none", "index", str(folder), "--scip", str(index), "--json", "--server", service.address
    )
    assert done.stdout, done.stderr
    (report,) = json.loads(done.stdout)["jobs"][0]["report"]["scip"]
    assert (report["added"], report["agreed"]) == (1, 0)
    for given, reason in (
        (str(index), "SOURCE_REJECTED"),
        ("uploads/none", "UPLOAD_NOT_FOUND"),
        (" ", "REQUEST_INVALID"),
    ):
        source = IndexSource(location=str(folder), scip=[given])
        assert failure(create_jobs, client, source).reason == reason
    ended = finish_job(client, create_job(client, IndexSource(location=str(folder), scip=["../mine.scip"])))
    assert (ended.state, ended.error.reason) == (IndexJob.STATE_FAILED, "SCIP_REJECTED")
    ended = finish_job(client, create_job(client, IndexSource(location=str(folder), scip=["auto"])))
    assert (ended.state, len(ended.report.scip)) == (IndexJob.STATE_SUCCEEDED, 0)


def test_another_source_does_not_take_over_a_name(start_service: StartService, tmp_path: Path) -> None:
    client = start_service().client()
    finish_job(client, create_jobs(client, write_tree(tmp_path / "a/tools", {"a.py": "x = 1\n"}))[0])
    found = failure(create_jobs, client, write_tree(tmp_path / "b/tools", {"b.py": "x = 2\n"}))
    assert (found.status, found.reason) == ("ALREADY_EXISTS", "REPOSITORY_ID_TAKEN")
    assert str(tmp_path / "a/tools") in found.message


def test_a_cancelled_query_stops_on_the_engine(start_service: StartService, own_store: Path) -> None:
    """Both workers are given an endless query each; were they not stopped, the next one would wait for their time limit."""
    limits = {"REPOQUARRY_STORE_LIMITS_SECONDS": "1000", "REPOQUARRY_STORE_QUERY_WORKERS": "2"}
    service = start_service(own_store, **limits)
    client = service.client()
    list(client.queries.execute_cypher(ExecuteCypherRequest(query="RETURN 1 AS one")))
    streams = [client.queries.execute_cypher(ExecuteCypherRequest(query=ENDLESS)) for _ in range(2)]
    calls = [threading.Thread(target=_drain, args=(service.client(seconds=2.0),)) for _ in streams]
    for call in calls:
        call.start()
    for call in calls:
        call.join(300)
    began = time.monotonic()
    parts = list(client.queries.execute_cypher(ExecuteCypherRequest(query="RETURN 2 AS two")))
    assert parts[1].rows.rows[0].values[0].integer_value == 2
    assert time.monotonic() - began < 300


def _drain(client: Client) -> None:
    with pytest.raises(RequestError):
        list(client.queries.execute_cypher(ExecuteCypherRequest(query=ENDLESS)))


def test_a_task_is_cancelled_before_it_starts_or_while_it_runs(start_service: StartService, own_store: Path) -> None:
    from repoquarry.v1.task_service_pb2 import CancelTaskRequest, CreateTaskRequest, GetTaskRequest, Task, TaskSpec

    client = start_service(own_store, REPOQUARRY_SERVER_TASK_WORKERS="1").client()
    spec = TaskSpec(text="Who calls price?", repositories=["repositories/shop"])
    tasks = [client.tasks.create_task(CreateTaskRequest(spec=spec)).task for _ in range(5)]
    client.tasks.cancel_task(CancelTaskRequest(name=tasks[-1].name))

    def ended(task: Task) -> bool:
        now = client.tasks.get_task(GetTaskRequest(name=task.name)).task
        return now.state in (Task.STATE_SUCCEEDED, Task.STATE_FAILED, Task.STATE_CANCELLED)

    wait_until(lambda: all(ended(task) for task in tasks))
    states = [client.tasks.get_task(GetTaskRequest(name=task.name)).task.state for task in tasks]
    assert states == [Task.STATE_SUCCEEDED] * 4 + [Task.STATE_CANCELLED]


def tagged_repository(folder: Path) -> Path:
    git(commit_tree(write_tree(folder, SHOP)), "tag", "v1")
    return folder


def refused(service: Service, location: str, ref: str = "") -> tuple[str, str]:
    found = failure(create_jobs, service.client(), IndexSource(location=location, ref=ref))
    return found.reason, found.message


def test_no_spelling_leads_around_the_roots(start_service: StartService, tmp_path: Path) -> None:
    inside, outside = tagged_repository(tmp_path / "roots" / "shop"), tagged_repository(tmp_path / "secret")
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(outside), str(bare))
    (tmp_path / "roots" / "way-out").symlink_to(outside)
    service = start_service(REPOQUARRY_SERVER_SOURCE_ROOTS=str(tmp_path / "roots"))
    spellings = [
        *(str(outside), f"file://{outside}", f"FILE://{outside}", f"file://localhost{outside}", str(bare)),
        *(f"file://{bare}", f"{inside}/../../secret", f"file://{inside}/../../secret", f"{tmp_path}/roots/way-out"),
        *(f"file://{tmp_path}/roots/%2e%2e/secret", f"file://{tmp_path}/roots/way-out", f"file://{outside}#v1"),
    ]
    for spelling in spellings:
        reason, message = refused(service, spelling)
        assert reason == "SOURCE_REJECTED", spelling
        assert "not in a folder that this server may read" in message
    assert refused(service, str(outside), "v1")[0] == "SOURCE_REJECTED"
    client = service.client()
    job = create_job(client, IndexSource(location=f"file://{inside}", ref="v1"))
    finish_job(client, job)
    assert job.source.kind == "git"
    assert "v1" in run_here(service.store, "list", "--server", service.address).stdout


def test_inner_hosts_and_other_transports_are_refused_when_the_job_is_made(shop_service: Service) -> None:
    for location in (
        *("http://127.0.0.1:8080/a.git", "https://169.254.169.254/latest", "https://localhost/a", "https://[::1]/a"),
        *("ssh://git@example.org/a", "git@example.org:a/b", "git://example.org/a", "http://example.org/a"),
    ):
        reason, message = refused(shop_service, location)
        assert reason == "SOURCE_REJECTED", location
        assert "server.source_hosts" in message
    assert refused(shop_service, "ext::sh -c id")[0] == "SOURCE_REJECTED"


def test_a_public_name_with_an_inner_address_is_refused_when_it_is_fetched(
    start_service: StartService, tmp_path: Path
) -> None:
    """`localhost.localdomain` stands for every name that resolves to an inner address."""
    service = start_service()
    client = service.client()
    job = create_job(client, IndexSource(location="https://localhost.localdomain/a.git"))
    error = finish_job(client, job).error
    assert error.reason in ("SOURCE_REJECTED", "SOURCE_NOT_FOUND")
    assert "not a public address" in error.message or "has no address" in error.message


def test_a_ref_on_the_command_line(tmp_path: Path) -> None:
    folder, store = tagged_repository(tmp_path / "shop"), tmp_path / "store"
    succeed(store, "index", str(folder), "--ref", "v1")
    header, row = run_here(store, "list", COLUMNS="200").stdout.splitlines()[:2]
    assert row[header.index("REF") :].startswith("v1 ")
    plain = write_tree(tmp_path / "plain", SHOP)
    done = run_here(store, "index", str(plain), "--ref", "v1")
    assert done.returncode == 2
    assert "not the root of a git repository, so it has no 'v1'" in done.stderr
    assert run_here(store, "index", str(folder), "--ref", "v9").returncode != 0
