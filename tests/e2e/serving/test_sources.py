"""What a server may be asked to index, through the service: folders below its roots, public hosts, and nothing around them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from repoquarry.server.errors import RequestError
from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource, StreamIndexEventsRequest
from tests.e2e.service import SHOP, Service, StartService, run_here, write_tree


def git_repository(folder: Path) -> Path:
    write_tree(folder, SHOP)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], [*identity, "commit", "-q", "-m", "First"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    subprocess.run(["git", "tag", "v1"], cwd=folder, check=True)
    return folder


def refused(service: Service, location: str, ref: str = "") -> tuple[str, str]:
    request = CreateIndexJobRequest(sources=[IndexSource(location=location, ref=ref)])
    with pytest.raises(RequestError) as caught:
        service.client().index.create_index_job(request)
    return caught.value.failure.reason, caught.value.failure.message


def test_no_spelling_leads_around_the_roots(start_service: StartService, tmp_path: Path) -> None:
    inside, outside = git_repository(tmp_path / "roots" / "shop"), git_repository(tmp_path / "secret")
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(outside), str(bare)], check=True)
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
    request = CreateIndexJobRequest(sources=[IndexSource(location=f"file://{inside}", ref="v1")])
    job = client.index.create_index_job(request).index_jobs[0]
    list(client.index.stream_index_events(StreamIndexEventsRequest(name=job.name)))
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
    request = CreateIndexJobRequest(sources=[IndexSource(location="https://localhost.localdomain/a.git")])
    job = client.index.create_index_job(request).index_jobs[0]
    events = list(client.index.stream_index_events(StreamIndexEventsRequest(name=job.name)))
    error = events[-1].event.state_changed.error
    assert error.reason in ("SOURCE_REJECTED", "SOURCE_NOT_FOUND")
    assert "no public address" in error.message or "has no address" in error.message


def test_a_ref_on_the_command_line(tmp_path: Path) -> None:
    folder, store = git_repository(tmp_path / "shop"), tmp_path / "store"
    done = run_here(store, "index", str(folder), "--ref", "v1")
    assert done.returncode == 0, done.stderr
    header, row = run_here(store, "list").stdout.splitlines()[:2]
    assert row[header.index("REF") :].startswith("v1 ")
    plain = write_tree(tmp_path / "plain", SHOP)
    done = run_here(store, "index", str(plain), "--ref", "v1")
    assert done.returncode == 2
    assert "not the root of a git repository, so it has no 'v1'" in done.stderr
    assert run_here(store, "index", str(folder), "--ref", "v9").returncode != 0
