"""Nothing that a killed server was at work on stays on the disk when the next one runs."""

import ast
import os
import random
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.client import Client, RequestError
from repoquarry.v1.batch_service_pb2 import CreateBatchRequest, StreamBatchEventsRequest
from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource, StreamIndexEventsRequest
from repoquarry.v1.task_service_pb2 import UploadHeader, UploadTaskInputRequest
from tests.e2e.service import ROOT, StartService, big_tree, wait_until
from tests.source_trees import commit_tree

PARENTS = {
    "archive": "tmp", "clone": "scratch", "package": "scratch", "proxy": "tmp", "trial": "tmp", "patch": "tmp", "ray": "tmp", "node": "tmp",
    "export": "tmp",
    "polybench": "tmp",
    "provision": "workspaces/.environments", "tree": "workspaces/.trees", "upload": "workspaces/.uploads",
    "draft": "store/indexes/shop",
}  # fmt: skip
"""Where scratch folders of each purpose are made, below the folder of a test."""


def _purposes() -> set[str]:
    """Purpose of every scratch folder that the product makes."""
    found = set()
    for path in (ROOT / "repoquarry").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ScratchFolder":
                (purpose, *_) = node.args
                found.add(str(purpose.value) if isinstance(purpose, ast.Constant) else "ray")
    return found


def _variables(folder: Path) -> dict[str, str]:
    for name in ("tmp", "scratch", "workspaces"):
        (folder / name).mkdir(exist_ok=True)
    return {
        "TMPDIR": str(folder / "tmp"),
        "REPOQUARRY_INGEST_SCRATCH": str(folder / "scratch"),
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(folder / "workspaces"),
        "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none",
    }


def _left(folder: Path) -> list[str]:
    """Remaining scratch folders, unfinished results, and anything in the temporary folders."""
    found = [*(folder / "tmp").iterdir(), *(folder / "scratch").iterdir()]
    for place, names, _ in os.walk(folder):  # a glob fails where a folder vanishes meanwhile
        found += [Path(place, name) for name in names if name.startswith(".repoquarry-")]
    if (folder / "store" / "incoming").exists():
        found.append(folder / "store" / "incoming")
    return sorted(str(path.relative_to(folder)) for path in set(found))


def test_scratch_folders_of_every_purpose_are_removed_at_the_next_start(
    start_service: StartService, own_store: Path
) -> None:
    assert set(PARENTS) == _purposes()
    folder = own_store.parent
    variables = _variables(folder)
    for purpose, parent in PARENTS.items():
        (folder / parent).mkdir(parents=True, exist_ok=True)
        left = f"""
import os, signal
from pathlib import Path
from repoquarry.processes.scratch import ScratchFolder
(ScratchFolder({purpose!r}, Path({str(folder / parent)!r})).path / "rest").mkdir()
os.kill(os.getpid(), signal.SIGKILL)
"""
        subprocess.run([sys.executable, "-c", left], check=False, cwd=ROOT)
    (folder / "store" / "incoming" / "1").mkdir(parents=True)
    assert len(_left(folder)) >= 2, "folders of one parent are removed by the next that is made there"
    start_service(own_store, **variables)
    wait_until(lambda: not _left(folder), 30)


@pytest.mark.slow
def test_a_server_killed_at_random_leaves_nothing(start_service: StartService, tmp_path: Path) -> None:
    seed = time.time_ns()
    print("seed", seed)
    chance = random.Random(seed)
    variables = {**_variables(tmp_path), "REPOQUARRY_SERVER_MAX_ATTEMPTS": "99"}
    tree = commit_tree(big_tree(tmp_path / "big", 25))
    with tarfile.open(tmp_path / "packed.tar.gz", "w:gz") as archive:
        archive.add(tree, "packed")
    other = Path(shutil.copytree(tree, tmp_path / "other"))
    service = start_service(tmp_path / "store", **variables)
    client = service.client(resume_seconds=0.0)
    sources = [IndexSource(location=tree.as_uri()), IndexSource(location=str(tmp_path / "packed.tar.gz"))]
    jobs = client.index.create_index_job(CreateIndexJobRequest(sources=sources)).index_jobs
    batch = client.batches.create_batch(CreateBatchRequest(sources=[IndexSource(location=str(other))])).batch
    seen: set[str] = set()
    for _ in range(4):
        time.sleep(chance.uniform(0.2, 3.0))
        seen.update(_left(tmp_path))
        service.kill()
        seen.update(_left(tmp_path))
        service = start_service(tmp_path / "store", **variables)
    print("scratch folders that a kill left", sorted(seen))
    client = service.client()
    for job in jobs:
        list(client.index.stream_index_events(StreamIndexEventsRequest(name=job.name)))
    list(client.batches.stream_batch_events(StreamBatchEventsRequest(name=batch.name)))
    wait_until(lambda: not _left(tmp_path), 30)
    _upload_in_part(client)
    service.kill()
    assert _left(tmp_path)
    start_service(tmp_path / "store", **variables)
    wait_until(lambda: not _left(tmp_path), 30)


def _upload_in_part(client: Client) -> None:
    """Begin an upload that never ends."""
    sent = threading.Event()

    def parts() -> Iterator[UploadTaskInputRequest]:
        yield UploadTaskInputRequest(header=UploadHeader(file_name="a", size=1_000_000))
        yield UploadTaskInputRequest(data=b"a")
        sent.set()
        threading.Event().wait(20)

    def send() -> None:
        try:
            client.tasks.upload_task_input(parts())
        except RequestError:
            return

    threading.Thread(target=send, daemon=True).start()
    assert sent.wait(30)
    time.sleep(1.0)
