"""Who may call: tokens, TLS, and addresses that are not served without a token."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from repoquarry.client import Client
from repoquarry.server.errors import RequestError
from repoquarry.v1.index_service_pb2 import StreamIndexEventsRequest
from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest
from tests.e2e.service import Service, StartService, run_here


def listed(client: Client) -> int:
    return len(client.repositories.list_repositories(ListRepositoriesRequest()).repositories)


def refusal(client: Client) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        listed(client)
    return caught.value.failure.status, caught.value.failure.reason


def serving(service: Service) -> bool:
    with grpc.insecure_channel(service.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = stub.Check(health_pb2.HealthCheckRequest(service="repoquarry.v1.QueryService"), timeout=10)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def test_tokens(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store, REPOQUARRY_SERVER_TOKENS="first-token,second-token")
    assert refusal(service.client()) == ("UNAUTHENTICATED", "TOKEN_MISSING")
    assert refusal(service.client(token="wrong")) == ("UNAUTHENTICATED", "TOKEN_WRONG")
    assert refusal(service.client(token="first-toke")) == ("UNAUTHENTICATED", "TOKEN_WRONG")
    assert listed(service.client(token="first-token")) == listed(service.client(token="second-token")) == 1
    with pytest.raises(RequestError) as caught:
        list(service.client().index.stream_index_events(StreamIndexEventsRequest(name="indexJobs/x")))
    assert caught.value.failure.reason == "TOKEN_MISSING"
    assert serving(service)  # health needs none
    assert "first-token" not in service.log.read_text()

    done = run_here(own_store, "list", "--server", service.address, "--token", "wrong")
    assert done.returncode == 4
    assert done.stderr == "error: the bearer token is not one of this server's (TOKEN_WRONG)\n"
    given = {"REPOQUARRY_CLIENT_SERVER": service.address, "REPOQUARRY_CLIENT_TOKEN": "first-token"}
    assert "shop" in run_here(own_store, "list", **given).stdout


def test_other_machines_are_not_served_without_a_token(own_store: Path) -> None:
    for listen in ("0.0.0.0:0", "[::]:0", "example.org:0"):
        done = run_here(own_store, "serve", "--listen", listen)
        assert done.returncode == 5
        assert "no token is set" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl command to make a certificate")
def test_tls(start_service: StartService, own_store: Path, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    outputs = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *outputs],
        check=True,
        capture_output=True,
    )
    files = {"REPOQUARRY_SERVER_TLS_CERTIFICATE": str(certificate), "REPOQUARRY_SERVER_TLS_KEY": str(key)}
    service = start_service(own_store, **files)
    assert listed(service.client(certificate=certificate)) == 1
    assert refusal(service.client(seconds=5.0)) == ("UNAVAILABLE", "SERVER_UNREACHABLE")


def test_reflection_names_every_service(shop_service: Service) -> None:
    with grpc.insecure_channel(shop_service.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = next(stub.ServerReflectionInfo(iter([request]), timeout=10))
    names = {service.name for service in answer.list_services_response.service}
    assert names >= {
        "repoquarry.v1.IndexService",
        "repoquarry.v1.RepositoryService",
        "repoquarry.v1.QueryService",
        "repoquarry.v1.CodeService",
        "repoquarry.v1.TaskService",
        "grpc.health.v1.Health",
    }


def test_a_stopped_server_ends_in_order(start_service: StartService, own_store: Path) -> None:
    service = start_service(own_store)
    assert listed(service.client()) == 1
    assert service.stop() == 0
    assert "Traceback" not in service.log.read_text()
