"""The service behind nginx and HAProxy, with the health checks of Kubernetes, and for a client of another language."""

from __future__ import annotations

import json
import re
import shutil
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from repoquarry.client import Client, ClientSettings
from repoquarry.v1 import query_service_pb2 as query_pb
from repoquarry.v1 import repository_service_pb2 as repository_pb
from tests.e2e.service import Service, StartService, long_token

pytestmark = pytest.mark.long

_NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{ listen 127.0.0.1:{page}; location / {{ proxy_pass http://127.0.0.1:{page_behind}; }} }}
    server {{ listen 127.0.0.1:{rpc} http2; location / {{ grpc_pass grpc://127.0.0.1:{rpc_behind}; }} }}
}}
"""

_HAPROXY = """
defaults
    mode http
    timeout connect 10s
    timeout client 60s
    timeout server 60s
frontend page
    bind 127.0.0.1:{page}
    default_backend page
backend page
    server one 127.0.0.1:{page_behind}
frontend rpc
    bind 127.0.0.1:{rpc} proto h2
    default_backend rpc
backend rpc
    server one 127.0.0.1:{rpc_behind} proto h2
"""
_PROXIES = {"nginx": (_NGINX, ("-p", "{folder}", "-c")), "haproxy": (_HAPROXY, ("-db", "-f"))}
"""Settings and arguments before their file, by the name of the program."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def page_port(service: Service) -> int:
    found = re.search(r"page on http://127\.0\.0\.1:(\d+)", service.log.read_text())
    assert found is not None, service.log.read_text()
    return int(found[1])


@pytest.fixture(params=sorted(_PROXIES))
def proxied(
    request: pytest.FixtureRequest, start_service: StartService, own_store: Path, tmp_path: Path
) -> Iterator[tuple[int, int]]:
    """Ports of a proxy that lead to the page, which speaks Connect and gRPC-Web, and to gRPC."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not on PATH")
    template, arguments = _PROXIES[request.param]
    service = start_service(own_store, REPOQUARRY_PAGE_LISTEN="127.0.0.1:0")
    folder, page, rpc = tmp_path / "proxy", free_port(), free_port()
    folder.mkdir()
    settings = folder / "proxy.conf"
    settings.write_text(
        template.format(folder=folder, page=page, page_behind=page_port(service), rpc=rpc, rpc_behind=service.port)
    )
    proxy = subprocess.Popen([request.param, *(one.format(folder=folder) for one in arguments), str(settings)])
    try:
        wait_for(page)
        yield page, rpc
    finally:
        proxy.terminate()
        proxy.wait(30)


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"nothing listens on {port}")


def post(port: int, method: str, kind: str, body: bytes) -> tuple[int, bytes]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/repoquarry.v1.{method}", data=body, headers={"Content-Type": kind}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def envelopes(body: bytes) -> list[tuple[int, bytes]]:
    found = []
    while body:
        flags, size = struct.unpack(">BI", body[:5])
        found.append((flags, body[5 : 5 + size]))
        body = body[5 + size :]
    return found


def envelope(message: bytes) -> bytes:
    return struct.pack(">BI", 0, len(message)) + message


QUERY = query_pb.ExecuteCypherRequest(query="MATCH (f:Function) RETURN f.name AS name ORDER BY name")


def test_connect_works_behind_a_proxy(proxied: tuple[int, int]) -> None:
    page, _ = proxied
    status, body = post(page, "RepositoryService/ListRepositories", "application/json", b"{}")
    assert status == 200, body
    assert [one["name"] for one in json.loads(body)["repositories"]] == ["repositories/shop"]
    status, body = post(page, "RepositoryService/GetRepository", "application/json", b'{"name": "repositories/none"}')
    assert (status, json.loads(body)["code"]) == (404, "not_found")


def test_streams_of_grpc_web_pass_a_proxy(proxied: tuple[int, int]) -> None:
    page, _ = proxied
    kind = "application/grpc-web+proto"
    empty = envelope(repository_pb.ListRepositoriesRequest().SerializeToString())
    status, body = post(page, "RepositoryService/ListRepositories", kind, empty)
    assert status == 200
    (flags, message), (trailer_flags, trailers) = envelopes(body)
    answer = repository_pb.ListRepositoriesResponse.FromString(message)
    assert (flags, trailer_flags) == (0, 0x80)
    assert b"grpc-status:0" in trailers.replace(b" ", b"").lower()
    assert [one.name for one in answer.repositories] == ["repositories/shop"]
    status, body = post(page, "QueryService/ExecuteCypher", kind, envelope(QUERY.SerializeToString()))
    *parts, last = envelopes(body)
    assert (status, last[0]) == (200, 0x80)
    assert any(query_pb.ExecuteCypherResponse.FromString(part).HasField("rows") for _, part in parts)


def test_grpc_passes_a_proxy_with_its_errors(proxied: tuple[int, int]) -> None:
    _, rpc = proxied
    with Client(ClientSettings(server=f"127.0.0.1:{rpc}")) as client:
        listed = client.repositories.list_repositories(repository_pb.ListRepositoriesRequest())
        assert [one.name for one in listed.repositories] == ["repositories/shop"]
        assert list(client.queries.execute_cypher(QUERY))


def test_health_checks_of_kubernetes_need_no_token(start_service: StartService, own_store: Path) -> None:
    """A `grpc` probe sends no token, at first the empty name of a service, and a new connection each time."""
    service = start_service(own_store, REPOQUARRY_SERVER_TOKENS=long_token("anybody"))
    for name in ("", "repoquarry.v1.RepositoryService"):
        for _ in range(3):
            with grpc.insecure_channel(service.address) as channel:
                request = health_pb2.HealthCheckRequest(service=name)
                answer = health_pb2_grpc.HealthStub(channel).Check(
                    request, timeout=60, metadata=(("user-agent", "kube-probe/1.33"),)
                )
                assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with grpc.insecure_channel(service.address) as channel:
        with pytest.raises(grpc.RpcError) as refused:
            health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service="none"), timeout=60)
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND
    socket.create_connection(("127.0.0.1", service.port), timeout=5).close()  # A `tcpSocket` probe.
    assert "Traceback" not in service.log.read_text()


def test_idle_client_that_pings_stays_connected(start_service: StartService, own_store: Path) -> None:
    """Envoy and clients in Go and Java ping every ten seconds, without calls too; a strict server ends that at the third ping."""
    service = start_service(own_store)
    options = [
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    states: list[grpc.ChannelConnectivity] = []
    with grpc.insecure_channel(service.address, options=options) as channel:
        channel.subscribe(states.append, try_to_connect=True)
        grpc.channel_ready_future(channel).result(60)
        time.sleep(45)
        seen = list(states)
    assert seen[-1] is grpc.ChannelConnectivity.READY
    assert seen.count(grpc.ChannelConnectivity.READY) == 1


_NODE_CLIENT = """
const grpc = require('@grpc/grpc-js'), loader = require('@grpc/proto-loader'), fs = require('fs');
const [address, descriptors] = process.argv.slice(2);
const load = buffer => grpc.loadPackageDefinition(loader.loadFileDescriptorSetFromBuffer(buffer));
const credentials = grpc.credentials.createInsecure();
const reflection = load(fs.readFileSync(descriptors)).grpc.reflection.v1alpha;
const files = new Map();
function ask(call, wanted) {
  return new Promise((resolve, reject) => {
    call.once('data', answer => answer.error_response ? reject(new Error(answer.error_response.error_message)) : resolve(answer));
    call.once('error', reject);
    call.write(wanted);
  });
}
async function main() {
  const call = new reflection.ServerReflection(address, credentials).ServerReflectionInfo();
  const names = (await ask(call, {list_services: ''})).list_services_response.service.map(one => one.name);
  const answer = await ask(call, {file_containing_symbol: 'repoquarry.v1.RepositoryService'});
  call.end();
  // A repeated field of messages: tag 1, length, bytes.
  const parts = answer.file_descriptor_response.file_descriptor_proto.map(file => {
    const length = [];
    for (let left = file.length; ; left >>= 7) { length.push(left > 127 ? left & 127 | 128 : left); if (left < 128) break; }
    return Buffer.concat([Buffer.from([10, ...length]), file]);
  });
  const {repoquarry} = load(Buffer.concat(parts));
  const client = new repoquarry.v1.RepositoryService(address, credentials);
  client.ListRepositories({}, (error, listed) => {
    if (error) throw error;
    console.log(JSON.stringify({services: names, repositories: listed.repositories.map(one => one.name)}));
    process.exit(0);
  });
}
main().catch(error => { console.error(error); process.exit(1); });
"""


def _reflection_descriptors() -> bytes:
    file = FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    return FileDescriptorSet(file=[file]).SerializeToString()


def test_reflection_serves_a_client_of_node(shop_service: Service, tmp_path: Path) -> None:
    """The client has no files of the contract: it asks for them, and then calls the service."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("Node.js with npm is not on PATH")
    packages = ("@grpc/grpc-js@1", "@grpc/proto-loader@0.8")
    installed = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", *packages],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if installed.returncode != 0:
        pytest.skip(f"npm cannot install the client: {installed.stderr[-300:]}")
    (tmp_path / "reflection.bin").write_bytes(_reflection_descriptors())
    (tmp_path / "client.js").write_text(_NODE_CLIENT)
    command = [node, "client.js", shop_service.address, "reflection.bin"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["repositories"] == ["repositories/shop"]
    assert {"repoquarry.v1.TaskService", "grpc.health.v1.Health"} <= set(found["services"])
