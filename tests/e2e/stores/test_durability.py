"""State that survives when a process is killed: the previous index, unfinished jobs, and every event exactly once."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from repoquarry.client import Client
from repoquarry.v1.index_service_pb2 import (
    IndexJob,
)
from repoquarry.v1.repository_service_pb2 import GetRepositoryRequest
from tests.command_line import COMMAND
from tests.e2e.rpc_calls import create_job, get_job, query_rows, stream_job
from tests.e2e.service import ROOT, Service, StartService, big_tree, environment, repoquarry
from tests.source_trees import write_tree

COUNTS = "MATCH (n) WHERE n.repository = 'big' RETURN labels(n)[0] AS label, count(*) AS n ORDER BY label"


def kill_in_the_middle(service: Service, client: Client, job: IndexJob) -> None:
    for event in stream_job(client, job):
        assert not event.HasField("report"), "the job ended before the server was killed"
        if event.progress.stage == "extract":
            service.kill()
            return


@pytest.mark.slow
@pytest.mark.parametrize("attempts", ["3", "1"])
def test_a_server_killed_while_indexing_resumes_or_reports(
    start_service: StartService, tmp_path: Path, attempts: str
) -> None:
    folder = big_tree(tmp_path / "big", 4)
    service = start_service(REPOQUARRY_SERVER_MAX_ATTEMPTS=attempts)
    client = service.client(resume_seconds=0.0)
    first = create_job(client, folder)
    assert list(stream_job(client, first))[-1].state_changed.state == IndexJob.STATE_SUCCEEDED
    revision = client.repositories.get_repository(GetRepositoryRequest(name="big")).repository.revision
    counts = query_rows(client, COUNTS)

    big_tree(folder, 120)
    job = create_job(client, folder)
    kill_in_the_middle(service, client, job)
    # a server that starts nothing again shows the store as the kill left it
    again = start_service(service.store, REPOQUARRY_SERVER_MAX_ATTEMPTS=attempts)
    client = again.client()
    if attempts == "1":
        ended = get_job(client, job)
        assert (ended.state, ended.error.reason) == (IndexJob.STATE_FAILED, "ATTEMPTS_EXHAUSTED")
        assert client.repositories.get_repository(GetRepositoryRequest(name="big")).repository.revision == revision
        assert query_rows(client, COUNTS) == counts
        return
    seen = list(stream_job(client, job))
    assert [event.sequence for event in seen] == list(range(1, len(seen) + 1))
    assert any("resumed" in event.state_changed.note for event in seen)
    ended = get_job(client, job)
    assert (ended.state, ended.attempts) == (IndexJob.STATE_SUCCEEDED, 2)
    assert ended.report.files == 121
    assert query_rows(client, COUNTS) != counts


@pytest.mark.slow
def test_the_previous_index_is_whole_while_the_job_waits_to_be_resumed(
    start_service: StartService, tmp_path: Path
) -> None:
    """Answers during the resumed run come from the previous index, until the new one is there as a whole."""
    folder = big_tree(tmp_path / "big", 4)
    service = start_service()
    client = service.client(resume_seconds=0.0)
    list(stream_job(client, create_job(client, folder)))
    counts = query_rows(client, COUNTS)
    big_tree(folder, 120)
    job = create_job(client, folder)
    kill_in_the_middle(service, client, job)
    client = start_service(service.store).client()
    seen = []
    while get_job(client, job).state in (IndexJob.STATE_QUEUED, IndexJob.STATE_RUNNING):
        seen.append(query_rows(client, COUNTS))
    assert seen
    after = query_rows(client, COUNTS)
    assert all(answer in (counts, after) for answer in seen)
    assert counts in seen


FOLLOWER = """
import sys
from repoquarry.v1.index_service_pb2 import StreamIndexEventsRequest
from repoquarry.client import Client
from repoquarry.client import ClientSettings

address, name, after = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Client(ClientSettings(server=address)) as client:
    for part in client.index.stream_index_events(StreamIndexEventsRequest(name=name, after_sequence=after)):
        print(part.event.sequence, flush=True)
"""


def follow(service: Service, job: IndexJob, after: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", FOLLOWER, service.address, job.name, str(after)],
        env=environment(service.store),
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


@pytest.mark.slow
def test_a_client_killed_in_mid_stream_resumes_and_sees_every_event_once(
    start_service: StartService, tmp_path: Path
) -> None:
    service = start_service(REPOQUARRY_SERVER_PROGRESS_SECONDS="0")
    job = create_job(service.client(), big_tree(tmp_path / "big", 120))
    follower = follow(service, job, 0)
    assert follower.stdout is not None
    seen = [int(follower.stdout.readline()) for _ in range(5)]
    follower.kill()
    rest, _ = follower.communicate(timeout=300)
    seen += [int(line) for line in rest.splitlines() if line.strip()]
    assert get_job(service.client(), job).state in (IndexJob.STATE_QUEUED, IndexJob.STATE_RUNNING)

    second = follow(service, job, seen[-1])
    output, _ = second.communicate(timeout=300)
    seen += [int(line) for line in output.split()]
    ended = get_job(service.client(), job)
    assert ended.state == IndexJob.STATE_SUCCEEDED
    assert seen == list(range(1, ended.last_sequence + 1))


@pytest.mark.slow
def test_a_client_follows_a_job_across_a_restart_of_the_server(start_service: StartService, tmp_path: Path) -> None:
    """The stream of the same client object continues after its operator stopped the server and started it again."""
    service = start_service()
    client = service.client()
    job = create_job(client, big_tree(tmp_path / "big", 120))
    seen: list[int] = []
    restarted = None
    for event in stream_job(client, job):
        seen.append(event.sequence)
        if event.progress.stage == "extract" and restarted is None:
            assert service.stop() == 0
            restarted = start_service(service.store, port=service.port)
    assert restarted is not None
    ended = get_job(client, job)
    assert ended.state == IndexJob.STATE_SUCCEEDED
    assert ended.attempts == 1, "a stop in order is nobody's fault"
    assert seen == list(range(1, ended.last_sequence + 1))


@pytest.mark.slow
def test_quick_restarts_do_not_count_against_the_job(start_service: StartService, tmp_path: Path) -> None:
    service = start_service()
    client = service.client(resume_seconds=0.0)
    running = create_job(client, big_tree(tmp_path / "big", 60))
    queued = create_job(client, big_tree(tmp_path / "small", 2))
    kill_in_the_middle(service, client, running)
    for number in range(5):
        service = start_service(service.store)
        time.sleep(0.5)
        service.stop() if number % 2 else service.kill()
    client = start_service(service.store).client()
    for job in (running, queued):
        list(stream_job(client, job))
        ended = get_job(client, job)
        assert ended.state == IndexJob.STATE_SUCCEEDED, ended.error
        print(ended.name, "attempts", ended.attempts)


def test_work_of_a_dead_local_command_is_reported(start_service: StartService, tmp_path: Path) -> None:
    """`repoquarry index` killed in the middle: the next writer tells what became of its job."""
    store = tmp_path / "store"
    folder = write_tree(tmp_path / "small", {"a.py": "def a():\n    return 1\n"})
    command = [*COMMAND, "index", str(big_tree(tmp_path / "big", 120))]
    process = subprocess.Popen(command, env=environment(store), stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stderr is not None
    for line in process.stderr:
        if ": extract" in line:
            break
    process.kill()
    process.communicate(timeout=300)
    done = repoquarry(store, "index", str(folder))
    assert done.returncode == 0, done.stderr
    assert '"WORKER_LOST"' in repoquarry(store, "list", "--jobs", "--json").stdout
