"""The page over HTTP: the services over the Connect and gRPC-Web protocols, sign-in, and refusal of foreign hosts and origins."""

import base64
import hashlib
import json
import shutil
import struct
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from google.rpc import status_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server import page_server as module
from repoquarry.server.application.application import Application
from repoquarry.server.authentication import Authenticator, Callers
from repoquarry.server.connect import ConnectApplication, HandlerTable
from repoquarry.server.errors import SettingsError
from repoquarry.server.grpc_server import build_interceptors
from repoquarry.server.jobs.database import INDEX, NewWork, StateDatabase
from repoquarry.server.jobs.runner import this_process
from repoquarry.server.page_server import PageApplication, SessionTable
from repoquarry.server.services.rpc_executor import RpcExecutor
from repoquarry.server.services.servicers import register_servicers
from repoquarry.server.settings.sections import PageSettings, ServerSettings, Settings
from repoquarry.v1 import query_service_pb2 as query_pb
from repoquarry.v1 import view_service_pb2 as pb
from tests.integration.ingest.conftest import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_TOKEN = "reader-token-of-the-tests"
_GET_SYMBOL = "/repoquarry.v1.ViewService/GetSymbol"
_EXECUTE = "/repoquarry.v1.QueryService/ExecuteCypher"
_EXPLORE = "/repoquarry.v1.CodeService/Explore"
_PATCH = "--- a/till.py\n+++ b/till.py\n@@ -1,2 +1,2 @@\n def price():\n-    return 1\n+    return 2\n"
_PAGE_CALLS = {
    _GET_SYMBOL: {"symbol": "price"},
    "/repoquarry.v1.ViewService/ListHops": {"symbol": "price", "direction": "DIRECTION_INCOMING"},
    "/repoquarry.v1.ViewService/GetFile": {"repository": "shop", "path": "till.py"},
    "/repoquarry.v1.ViewService/GetLevels": {"repository": "shop"},
    "/repoquarry.v1.ViewService/GetChange": {"repository": "shop", "patch": _PATCH},
    "/repoquarry.v1.ViewService/GetOverview": {"repository": "shop"},
    "/repoquarry.v1.ViewService/CheckCypher": {"query": "MATCH (n) RETURN n.nme"},
    "/repoquarry.v1.ViewService/CompleteCypher": {"query": "MATCH (n:Fun", "position": 12},
    "/repoquarry.v1.CodeService/ResolveName": {"symbol": "price"},
    "/repoquarry.v1.CodeService/Locate": {"text": "price"},
    "/repoquarry.v1.CodeService/Search": {"query": "price"},
    "/repoquarry.v1.QueryService/GetSchema": {},
    "/repoquarry.v1.RepositoryService/ListRepositories": {},
}
"""Request of each call that the page reads with, by path."""
_DELETE = "/repoquarry.v1.RepositoryService/DeleteRepository"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_tree(folder / "tree", {"till.py": "def price():\n    return 1\n\n\ndef pay():\n    return price()\n"})
    with Store.open(StoreSettings(folder / "store"), writable=True) as store:
        index_repository(str(folder / "tree"), store, IngestSettings(workers=1), name="shop")
    return folder / "store"


def _with_lifespan(page: ASGIApp) -> ASGIApp:
    """Answer the lifespan protocol for an application, so that all requests of a client share one event loop."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await page(scope, receive, send)
            return
        for name in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{name}.complete"})

    return application


def _open(store: Path, *tokens: str) -> Iterator[TestClient]:
    settings = Settings(StoreSettings(store), server=replace(ServerSettings(), tokens=tokens))
    application = Application(settings, writable=False)
    authenticator = Authenticator(settings.server)
    calls = RpcExecutor(settings.server, application.host.bell, Callers(settings.server.tokens))
    handlers = HandlerTable(build_interceptors(authenticator, ()))
    register_servicers(application, calls, handlers)
    page = PageApplication(ConnectApplication(handlers), PageSettings(), "127.0.0.1", authenticator, has_tls=False)
    try:
        with TestClient(_with_lifespan(page), base_url="http://127.0.0.1:8000") as client:
            yield client
    finally:
        calls.close()
        application.close()


@pytest.fixture
def client(store: Path) -> Iterator[TestClient]:
    yield from _open(store)


@pytest.fixture
def guarded(store: Path) -> Iterator[TestClient]:
    yield from _open(store, f"read:{_TOKEN}")


def _envelope(message: dict[str, Any]) -> bytes:
    data = json.dumps(message).encode()
    return struct.pack(">BI", 0, len(data)) + data


def _frames(body: bytes) -> list[tuple[int, bytes]]:
    found = []
    while body:
        flags, size = struct.unpack_from(">BI", body)
        found.append((flags, body[5 : 5 + size]))
        body = body[5 + size :]
    return found


def _parts(body: bytes) -> list[tuple[int, dict[str, Any]]]:
    return [(flags, json.loads(data)) for flags, data in _frames(body)]


def _reason(error: dict[str, Any]) -> str:
    detail = error["details"][0]
    info = ErrorInfo.FromString(base64.b64decode(detail["value"] + "=="))
    assert detail["type"] == "google.rpc.ErrorInfo"
    assert detail["debug"]["reason"] == info.reason
    return info.reason


def test_a_call_is_answered_in_json_and_in_binary(client: TestClient) -> None:
    answer = client.post(_GET_SYMBOL, json={"symbol": "price"})
    assert answer.status_code == 200
    assert answer.json()["callers"]["groups"][0]["rows"][0]["entity"]["qualname"] == "pay"
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "private, no-store"
    request = pb.GetSymbolRequest(symbol="price").SerializeToString()
    binary = client.post(_GET_SYMBOL, content=request, headers={"content-type": "application/proto"})
    assert pb.GetSymbolResponse.FromString(binary.content).entity.qualname == "price"
    large = client.post("/repoquarry.v1.QueryService/GetSchema", json={})
    assert large.headers["content-encoding"] == "gzip"


def test_a_stream_is_enveloped_and_ends(client: TestClient) -> None:
    headers = {"content-type": "application/connect+json"}
    query = _envelope({"query": "MATCH (n:Function) RETURN n.name AS name ORDER BY name"})
    parts = _parts(client.post(_EXECUTE, content=query, headers=headers).content)
    assert parts[0][1] == {"header": {"columns": ["name"]}}
    assert [row["values"][0]["stringValue"] for row in parts[1][1]["rows"]["rows"]] == ["pay", "price"]
    assert parts[-1] == (2, {})
    refused = _parts(client.post(_EXECUTE, content=_envelope({"query": "MATCH (n) DELETE n"}), headers=headers).content)
    ((flags, end),) = refused
    assert flags == 2
    assert end["error"]["code"] == "invalid_argument"


@pytest.mark.parametrize(
    ("path", "request_message", "status", "flags"),
    [
        (_GET_SYMBOL, pb.GetSymbolRequest(symbol="price"), "0", [0, 0x80]),
        (_GET_SYMBOL, pb.GetSymbolRequest(symbol="nowhere"), "5", [0x80]),
        (_EXECUTE, query_pb.ExecuteCypherRequest(query="MATCH (n:Function) RETURN n.name"), "0", [0, 0, 0, 0x80]),
        ("/repoquarry.v1.ViewService/Nothing", pb.GetSymbolRequest(), "12", [0x80]),
    ],
)
def test_grpc_web_calls_end_with_trailers(
    client: TestClient, path: str, request_message: Message, status: str, flags: list[int]
) -> None:
    data = request_message.SerializeToString()
    headers = {"content-type": "application/grpc-web+proto", "grpc-timeout": "60S"}
    answer = client.post(path, content=struct.pack(">BI", 0, len(data)) + data, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/grpc-web+proto")
    parts = _frames(answer.content)
    assert [flag for flag, _ in parts] == flags
    trailers = dict(line.split(": ", 1) for line in parts[-1][1].decode().splitlines())
    assert trailers["grpc-status"] == status
    if status == "0" and path == _GET_SYMBOL:
        assert pb.GetSymbolResponse.FromString(parts[0][1]).entity.qualname == "price"
    if status != "0":
        packed = status_pb2.Status.FromString(base64.b64decode(trailers["grpc-status-details-bin"] + "=="))
        assert packed.code == int(status)


@pytest.mark.parametrize("headers", [{"grpc-timeout": "0n"}, {"connect-timeout-ms": "0"}])
def test_a_deadline_ends_the_call(client: TestClient, headers: dict[str, str]) -> None:
    body = struct.pack(">BI", 0, 0)
    answer = client.post(_GET_SYMBOL, content=body, headers={"content-type": "application/grpc-web", **headers})
    assert b"grpc-status: 4\r\n" in answer.content


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "reason"),
    [
        (_GET_SYMBOL, b'{"symbol": "nowhere"}', 404, "not_found", "SYMBOL_NOT_FOUND"),
        (_GET_SYMBOL, b'{"nothing": 1}', 400, "invalid_argument", "MESSAGE_MALFORMED"),
        (_GET_SYMBOL, b"no json", 400, "invalid_argument", "MESSAGE_MALFORMED"),
        (_GET_SYMBOL, b'{"symbol": "price", "hide": [99]}', 400, "invalid_argument", "REQUEST_INVALID"),
        (_EXECUTE, b"{}", 400, "invalid_argument", "REQUEST_INVALID"),
        ("/repoquarry.v1.ViewService/Nothing", b"{}", 501, "unimplemented", "REQUEST_INVALID"),
    ],
)
def test_errors_have_their_reason(
    client: TestClient, path: str, body: bytes, status: int, code: str, reason: str
) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert answer.json()["code"] == code
    assert _reason(answer.json()) == reason


def test_other_content_types_and_methods_are_refused(client: TestClient) -> None:
    assert client.post(_GET_SYMBOL, content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.get(_GET_SYMBOL).status_code == 405
    assert client.post("/r/shop").status_code == 405


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:8000"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_foreign_hosts_and_origins_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post(_GET_SYMBOL, json={"symbol": "price"}, headers=headers).status_code == 403
    assert client.post("/session", json={"token": _TOKEN}, headers=headers).status_code == 403


def test_own_origins_and_links_from_elsewhere_are_let_in(client: TestClient) -> None:
    own = {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
    assert client.post(_GET_SYMBOL, json={"symbol": "price"}, headers=own).status_code == 200
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/session", headers=link).status_code == 200
    assert client.get("/session", headers={"host": "localhost:8000"}).json() == {
        "needs_token": False,
        "signed_in": False,
    }


@pytest.mark.parametrize(
    "body", [b"[" * 4_000, b'{"token": "\\ud800"}', b'{"token": 1}', b"\xff", b'{"token": "\\u00b2"}', b"null", b""]
)
def test_malformed_sign_in_is_refused_and_counted(guarded: TestClient, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answers = {guarded.post("/session", content=body, headers=headers).status_code for _ in range(60)}
    assert answers <= {400, 401, 429}
    assert 429 in answers


def test_bodies_of_refused_requests_are_not_read(store: Path) -> None:
    settings = replace(ServerSettings(), tokens=(f"read:{_TOKEN}",))
    page = PageApplication(_echo, PageSettings(), "127.0.0.1", Authenticator(settings), has_tls=False)

    def limit(path: str, **headers: str) -> int | None:
        given = [(b"host", b"127.0.0.1"), *((name.encode(), text.encode()) for name, text in headers.items())]
        return page.find_body_bytes({"type": "http", "method": "POST", "path": path, "headers": given})

    assert limit("/session") == 4096
    assert limit(_GET_SYMBOL) == limit(_GET_SYMBOL, authorization="Bearer wrong") == -1
    assert limit(_GET_SYMBOL, authorization=f"Bearer {_TOKEN}") is None
    assert limit(_GET_SYMBOL, authorization=f"Bearer {_TOKEN}", origin="http://elsewhere") == -1
    assert limit(_DELETE, authorization=f"Bearer {_TOKEN}") == -1


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Application that is not reached."""


@pytest.mark.parametrize("timeout", ["²", "١", "-1", "1e3", "", "9" * 11])
def test_a_timeout_that_is_no_number_is_no_deadline(client: TestClient, timeout: str) -> None:
    headers = {"content-type": "application/json", "connect-timeout-ms": timeout.encode()}
    assert client.post(_GET_SYMBOL, content=b'{"symbol": "price"}', headers=headers).status_code == 200  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (struct.pack(">BI", 0, 0) + b"\xff", "3"),
        (struct.pack(">BI", 0, 2**32 - 1), "3"),
        (struct.pack(">BI", 0, 9) + b"12345678", "3"),
        (b"\0\0", "3"),
        (struct.pack(">BI", 1, 2) + b"ab", "12"),
    ],
)
def test_cut_and_compressed_envelopes_are_refused(client: TestClient, body: bytes, status: str) -> None:
    answer = client.post(_GET_SYMBOL, content=body, headers={"content-type": "application/grpc-web"})
    assert f"grpc-status: {status}\r\n".encode() in answer.content


@pytest.mark.parametrize(
    "body",
    [b'{"symbol": ' + b"[" * 100_000, b'{"symbol": "\\ud800"}', b'{"hide": [' + b"1," * 200_001 + b"1]}", b"\xff\xfe"],
)
def test_hostile_json_is_answered_as_malformed(client: TestClient, body: bytes) -> None:
    answer = client.post(_GET_SYMBOL, content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, _reason(answer.json())) == (400, "MESSAGE_MALFORMED")


def test_a_browser_signs_in_once_and_never_sees_the_token(guarded: TestClient) -> None:
    refused = guarded.post(_GET_SYMBOL, json={"symbol": "price"})
    assert (refused.status_code, _reason(refused.json())) == (401, "TOKEN_MISSING")
    assert guarded.get("/session").json() == {"needs_token": True, "signed_in": False}
    assert guarded.post("/session", json={"token": "a-wrong-token-of-the-tests"}).status_code == 401
    assert guarded.post("/session", content=b"{}").status_code == 400
    signed_in = guarded.post("/session", json={"token": _TOKEN})
    assert signed_in.status_code == 204
    cookie = signed_in.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert _TOKEN not in cookie
    assert guarded.get("/session").json() == {"needs_token": True, "signed_in": True}
    assert guarded.post(_GET_SYMBOL, json={"symbol": "price"}).status_code == 200
    denied = guarded.post(_DELETE, json={"name": "repositories/shop"})
    assert (denied.status_code, _reason(denied.json())) == (403, "SCOPE_MISSING")
    assert guarded.delete("/session").status_code == 204
    assert guarded.post(_GET_SYMBOL, json={"symbol": "price"}).status_code == 401


def _sign_in(client: TestClient, token: str) -> dict[str, str]:
    key = client.post("/session", json={"token": token}).cookies["repoquarry_session"]
    client.cookies.clear()
    return {"cookie": f"repoquarry_session={key}"}


def test_no_user_sees_or_is_served_what_another_one_was_answered(tmp_path: Path, store: Path) -> None:
    own = Path(shutil.copytree(store, tmp_path / "store"))
    state = StateDatabase(own / "state.db")
    creator = "token:" + hashlib.sha256(b"token-of-alice-long").hexdigest()[:32]
    (job,) = state.create(INDEX, [NewWork("private", b"", b"", creator)], owner=this_process())
    state.close()
    tokens = ("read+index:token-of-alice-long", "read+index:token-of-bob-is-long", "index:token-of-carol-long")
    for client in _open(own, *tokens):
        alice, bob = (_sign_in(client, token.partition(":")[2]) for token in tokens[:2])
        carol = {"authorization": f"Bearer {tokens[2].partition(':')[2]}"}
        for path, body in _PAGE_CALLS.items():
            answers = [client.post(path, json=body, headers=user) for user in (alice, bob, carol)]
            assert [answer.status_code for answer in answers] == [200, 200, 403], path
            assert answers[0].content == answers[1].content, path
            assert _reason(answers[2].json()) == "SCOPE_MISSING"
            again = client.post(path, json=body, headers={**carol, "if-none-match": "*", "cache-control": "max-stale"})
            assert again.status_code == 403, path
            for answer in (*answers, again):
                assert answer.headers["cache-control"] == "private, no-store"
                assert not {"etag", "last-modified", "expires", "age"} & set(answer.headers), path
        pack = {"target": "price", "session": "same"}
        first, repeated, other = (client.post(_EXPLORE, json=pack, headers=user).json() for user in (alice, alice, bob))
        assert first["text"] == other["text"] != repeated["text"]
        jobs = "/repoquarry.v1.IndexService/"
        assert [len(client.post(f"{jobs}ListIndexJobs", json={}, headers=user).json()) for user in (alice, bob)] == [
            1,
            0,
        ]
        name = {"name": f"indexJobs/{job.id}"}
        codes = [client.post(f"{jobs}GetIndexJob", json=name, headers=user).status_code for user in (alice, bob, carol)]
        assert codes == [200, 403, 403]
        assert client.delete("/session", headers=alice).status_code == 204
        cut = {"cookie": bob["cookie"][:-1]}
        users: tuple[dict[str, str], ...] = (alice, bob, cut, {})
        after = [client.post(_GET_SYMBOL, json={"symbol": "price"}, headers=user).status_code for user in users]
        assert after == [401, 200, 401, 401]


def test_a_change_reports_its_progress_and_ends_when_nobody_waits(store: Path) -> None:
    change = pb.GetChangeRequest(repository="shop", patch=_PATCH)
    application = Application(Settings(StoreSettings(store)), writable=False)
    try:
        *progress, last = application.views.stream_change(pb.StreamChangeRequest(change=change))
        assert [part.progress.stage for part in progress][:2] == ["possible callers", "hops of dependents"]
        assert {"files", "call sites"} <= {part.progress.stage for part in progress}
        assert last.change == application.views.get_change(change)
        is_gone = threading.Event()
        other = pb.GetChangeRequest(repository="shop", patch=_PATCH.replace("return 2", "return 3"))
        parts = application.views.stream_change(pb.StreamChangeRequest(change=other), is_gone.is_set)
        assert next(parts).HasField("progress")
        is_gone.set()
        assert list(parts) == []
    finally:
        application.close()


def test_sessions_end_without_requests_and_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    sessions = SessionTable(10, lambda: now[0])
    key = sessions.create("token")
    now[0] = 9
    assert sessions.find_token(key) == "token"
    now[0] = 18
    assert sessions.find_token(key) == "token"
    now[0] = 28
    assert sessions.find_token(key) == ""
    monkeypatch.setattr(module, "_MAX_SESSIONS", 2)
    first, *others = [sessions.create(name) for name in "abc"]
    assert sessions.find_token(first) == ""
    assert [sessions.find_token(one) for one in others] == ["b", "c"]


def test_files_are_served_with_a_strict_policy(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    built = {"index.html": b"<!doctype html>", "assets/app-1234.js": b"x" * 2_000}
    monkeypatch.setattr(module, "load_page_file", built.get)
    view = client.get("/r/shop/s/till.py::price")
    assert view.content == b"<!doctype html>"
    assert view.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in view.headers["content-security-policy"]
    assert view.headers["x-frame-options"] == "DENY"
    script = client.get("/assets/app-1234.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-encoding"] == "gzip"
    assert client.get("/assets/other.js").status_code == 404


@pytest.mark.parametrize(
    "path", ["/assets/../../errors.py", "/assets/..%2f..%2ferrors.py", "/../errors.py", "/assets/%2e%2e/static.html"]
)
def test_no_path_leads_out_of_the_folder(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert b"ServerFailure" not in answer.content


def test_an_address_for_other_machines_needs_its_names() -> None:
    authenticator = Authenticator(ServerSettings())

    async def calls(*_: object) -> None:
        raise AssertionError

    with pytest.raises(SettingsError, match="allowed_hosts"):
        PageApplication(calls, PageSettings(), "0.0.0.0", authenticator, has_tls=True)
    PageApplication(calls, PageSettings(allowed_hosts=("quarry.example",)), "0.0.0.0", authenticator, has_tls=True)
