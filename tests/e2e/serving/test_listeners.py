"""Every listener of a service in every configuration of its access: what is configured holds on all of them, or nothing starts."""

from __future__ import annotations

import ast
import re
import ssl
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import grpc
import httpx2
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from repoquarry.server.listener import Listener
from repoquarry.server.listeners import LISTENERS
from repoquarry.server.services.servicers import SERVICES
from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest
from repoquarry.v1.repository_service_pb2_grpc import RepositoryServiceStub
from tests.e2e.conftest import Certificates
from tests.e2e.service import ROOT, Service, StartService, long_token, run_here

TOKEN = long_token("right")


class Caller:
    """Somebody who calls a service: what it trusts, the certificate that it shows, and the token that it sends."""

    def __init__(self, files: Certificates | None = None, certificate: str = "", token: str = "") -> None:
        self._files = files or {}
        self._pair = (self._files[certificate], self._files[f"{certificate}.key"]) if certificate else None
        self._metadata = [("authorization", f"Bearer {token}")] if token else []

    def _channel(self, service: Service) -> grpc.Channel:
        if not self._files:
            return grpc.insecure_channel(service.address)
        certificate, key = [path.read_bytes() for path in self._pair] if self._pair else (None, None)
        trusted = self._files["authority"].read_bytes()
        return grpc.secure_channel(service.address, grpc.ssl_channel_credentials(trusted, key, certificate))

    def _http(self, service: Service, name: str, path: str, method_path: str = "", **request: Any) -> str:
        found = re.search(rf"{name} .*?127\.0\.0\.1:(\d+){path}", service.log.read_text())
        assert found is not None, service.log.read_text()
        context = None
        if self._files:
            context = ssl.create_default_context(cafile=self._files["authority"])
            if self._pair:
                context.load_cert_chain(*self._pair)
        url = f"{'https' if self._files else 'http'}://127.0.0.1:{found[1]}{path}{method_path}"
        headers = {**dict(self._metadata), "Accept": "application/json, text/event-stream"}
        try:
            with httpx2.Client(verify=context or False, timeout=60) as client:
                status = client.request(headers=headers, url=url, **request).status_code
        except httpx2.TransportError:
            return "no connection"
        return {401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 200: "OK", 202: "OK"}.get(status, str(status))

    def _rpc(self, service: Service, call: Callable[..., object]) -> str:
        with self._channel(service) as channel:
            try:
                call(channel, metadata=self._metadata, timeout=10)
            except grpc.RpcError as exc:
                code = exc.code()
                return "no connection" if code is grpc.StatusCode.UNAVAILABLE else str(code.name)
        return "OK"

    def grpc(self, service: Service) -> str:
        request = ListRepositoriesRequest()
        return self._rpc(service, lambda to, **how: RepositoryServiceStub(to).ListRepositories(request, **how))

    def health(self, service: Service) -> str:
        request = health_pb2.HealthCheckRequest()
        return self._rpc(service, lambda to, **how: health_pb2_grpc.HealthStub(to).Check(request, **how))

    def reflection(self, service: Service) -> str:
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        stub = reflection_pb2_grpc.ServerReflectionStub
        return self._rpc(service, lambda to, **how: list(stub(to).ServerReflectionInfo(iter([request]), **how)))

    def mcp(self, service: Service) -> str:
        client = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        return self._http(service, "MCP listening on", "/mcp", method="POST", json=body)

    def metrics(self, service: Service) -> str:
        return self._http(service, "metrics on", "/metrics", method="GET")

    def page(self, service: Service) -> str:
        method = "repoquarry.v1.RepositoryService/ListRepositories"
        return self._http(service, "page on", "/", method, method="POST", json={})

    def answers(self, service: Service) -> dict[str, str]:
        return {name: getattr(self, name)(service) for name in ENDPOINTS}


ENDPOINTS = ("grpc", "health", "reflection", "mcp", "metrics", "page")
ALL_OK = dict.fromkeys(ENDPOINTS, "OK")
NO_TOKEN = {**dict.fromkeys(ENDPOINTS, "UNAUTHENTICATED"), "health": "OK"}
UNREACHABLE = dict.fromkeys(ENDPOINTS, "no connection")


def test_every_listener_and_service_is_tried() -> None:
    """Services of the contract have one interceptor, and are one endpoint; a service of another kind needs a row here."""
    assert {listener.name for listener in LISTENERS} | {"health", "reflection"} == set(ENDPOINTS)
    assert all(name.startswith("repoquarry.v1.") for name in SERVICES)


def test_only_the_table_opens_addresses() -> None:
    """Whoever makes a socket listen, or a server for one, is found by the names that do so."""
    opening = {"listen", "create_server", "start_server", "add_insecure_port", "add_secure_port", "make_server",
               "start_http_server", "start_wsgi_server", "HTTPServer", "ThreadingHTTPServer", "serve_forever", "Server"}  # fmt: skip
    found = set()
    for path in (ROOT / "repoquarry").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in opening:
                    found.add(f"{path.relative_to(ROOT / 'repoquarry')}: {name}")
    assert found == {
        "server/http_server.py: listen",
        "server/http_server.py: Server",
        "server/grpc_server.py: add_insecure_port",
        "server/grpc_server.py: add_secure_port",
        "server/mcp_server.py: Server",  # of the protocol, without a socket
        "execution/isolation/launch/entry.py: create_server",  # inside a sandbox, on its own loopback
    }


def open_ports(service: Service) -> set[int]:
    process = psutil.Process(service.process.pid)
    found = [one for each in (process, *process.children(recursive=True)) for one in each.net_connections("tcp")]
    return {one.laddr.port for one in found if one.status == psutil.CONN_LISTEN}


def start(start_service: StartService, store: Path, **variables: str) -> Service:
    """A service with all listeners, which listens at the announced ports and at no other."""
    every = {
        "REPOQUARRY_MCP_LISTEN": "127.0.0.1:0",
        "REPOQUARRY_TELEMETRY_METRICS_LISTEN": "0",
        "REPOQUARRY_PAGE_LISTEN": "127.0.0.1:0",
        **variables,
    }
    service = start_service(store, **every)
    announced = re.findall(r"listener_started name=(\w+) port=(\d+)", service.log.read_text())
    assert [name for name, _ in announced] == [listener.name for listener in LISTENERS]
    assert open_ports(service) == {int(port) for _, port in announced}
    return service


def tls(files: Certificates, **more: str) -> dict[str, str]:
    pair = {
        "REPOQUARRY_SERVER_TLS_CERTIFICATE": str(files["server"]),
        "REPOQUARRY_SERVER_TLS_KEY": str(files["server.key"]),
    }
    return {**pair, **more}


def test_without_authentication_on_the_loopback(start_service: StartService, own_store: Path) -> None:
    assert Caller().answers(start(start_service, own_store)) == ALL_OK


@pytest.mark.parametrize("listener", LISTENERS, ids=lambda listener: listener.name)
@pytest.mark.parametrize("with_tls", [False, True], ids=["plain", "TLS"])
def test_public_address_without_authentication_is_refused(
    own_store: Path, certificates: Certificates, listener: object, with_tls: bool
) -> None:
    """TLS without a client's certificate tells who the server is, and not who calls."""
    setting = listener.setting  # type: ignore[attr-defined]
    variables = {f"REPOQUARRY_{setting.replace('.', '_').upper()}": "0.0.0.0:0"}
    done = run_here(own_store, "serve", **variables, **(tls(certificates) if with_tls else {}))
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr.startswith(f"error: {setting} is 0.0.0.0:0, which other machines can reach, and no token is set")


def test_public_address_that_the_operator_opened(start_service: StartService, own_store: Path) -> None:
    names = ("MCP_LISTEN", "TELEMETRY_METRICS_LISTEN", "PAGE_LISTEN")
    opened = {f"REPOQUARRY_{name}": "0.0.0.0:0" for name in names}
    opened |= {"REPOQUARRY_MCP_ALLOWED_HOSTS": "127.0.0.1:*", "REPOQUARRY_PAGE_ALLOWED_HOSTS": "127.0.0.1"}
    service = start_service(own_store, REPOQUARRY_SERVER_ALLOW_UNAUTHENTICATED="true", **opened)
    service.log.write_text(service.log.read_text().replace("0.0.0.0", "127.0.0.1"))
    assert Caller().answers(service) == ALL_OK


def test_tokens(start_service: StartService, own_store: Path) -> None:
    service = start(start_service, own_store, REPOQUARRY_SERVER_TOKENS=f"read:{TOKEN},task:{long_token('task')}")
    assert Caller(token="wrong").grpc(service) == "UNAUTHENTICATED"  # first: only some refusals of a peer are logged
    assert Caller().answers(service) == NO_TOKEN
    assert Caller(token="wrong").answers(service) == NO_TOKEN
    assert Caller(token=TOKEN).answers(service) == ALL_OK
    denied = dict.fromkeys(("grpc", "mcp", "page"), "PERMISSION_DENIED")
    assert Caller(token=long_token("task")).answers(service) == {**ALL_OK, **denied}
    log = service.log.read_text()
    assert "call_refused peer=127.0.0.1 method=/repoquarry.v1.ToolService/CallTool reason=TOKEN_MISSING" in log
    assert (
        "call_refused peer=127.0.0.1 method=/repoquarry.v1.RepositoryService/ListRepositories reason=TOKEN_WRONG" in log
    )
    assert TOKEN not in log


def test_attempts_are_counted_over_all_listeners(start_service: StartService, own_store: Path) -> None:
    service = start(start_service, own_store, REPOQUARRY_SERVER_TOKENS=TOKEN, REPOQUARRY_SERVER_MAX_FAILED_ATTEMPTS="5")
    stranger = Caller(token="wrong")
    assert [stranger.metrics(service) for _ in range(6)] == ["UNAUTHENTICATED"] * 5 + ["429"]
    assert (stranger.mcp(service), stranger.grpc(service)) == ("429", "RESOURCE_EXHAUSTED")
    assert Caller(token=TOKEN).answers(service) == ALL_OK


def test_tls(start_service: StartService, own_store: Path, certificates: Certificates) -> None:
    service = start(start_service, own_store, **tls(certificates))
    assert Caller(certificates).answers(service) == ALL_OK
    assert Caller().answers(service) == UNREACHABLE


@pytest.mark.parametrize("tokens", ["", TOKEN], ids=["without tokens", "with tokens"])
def test_mutual_tls(start_service: StartService, own_store: Path, certificates: Certificates, tokens: str) -> None:
    files = certificates
    authority = {"REPOQUARRY_SERVER_TLS_CLIENT_CA": str(files["authority"]), "REPOQUARRY_SERVER_TOKENS": tokens}
    service = start(start_service, own_store, **tls(files, **authority))
    assert Caller(files, "client", tokens).answers(service) == ALL_OK
    assert Caller(files, "client").answers(service) == (NO_TOKEN if tokens else ALL_OK)
    for stranger in (Caller(), Caller(files, token=tokens), Caller(files, "stranger", tokens)):
        assert stranger.answers(service) == UNREACHABLE


@pytest.mark.parametrize("name", [listener.name for listener in LISTENERS])
def test_unusable_certificate_is_one_line(own_store: Path, tmp_path: Path, name: str) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("not a certificate")
    pair = {"REPOQUARRY_SERVER_TLS_CERTIFICATE": str(broken), "REPOQUARRY_SERVER_TLS_KEY": str(broken)}
    chosen = {"mcp": {"REPOQUARRY_MCP_LISTEN": "0"}, "metrics": {"REPOQUARRY_TELEMETRY_METRICS_LISTEN": "0"}}
    done = run_here(own_store, "serve", "--listen", "127.0.0.1:0", **pair, **chosen.get(name, {}))
    assert done.returncode == 5
    assert "(SETTINGS_INVALID)" in done.stderr.splitlines()[-1]


def test_row_without_the_token_that_its_callers_need_cannot_be_built() -> None:
    row = {field.name: getattr(LISTENERS[0], field.name) for field in fields(Listener) if field.name != "method"}
    with pytest.raises(TypeError, match="method"):
        Listener(**row)
