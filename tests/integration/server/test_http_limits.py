"""Limits of an HTTP listener: connections, times, sizes and sessions, on a real socket."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.server import http_server
from repoquarry.server.api import Api
from repoquarry.server.authentication import Authenticator
from repoquarry.server.http_server import HttpLimits, HttpServer
from repoquarry.server.listener import ServiceContext
from repoquarry.server.listeners import METRICS
from repoquarry.server.settings.sections import Settings, TelemetrySettings


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Application that answers with the size of the body."""
    if scope["type"] != "http":
        return
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(body)).encode()})


@asynccontextmanager
async def serving(tmp_path: Path, **limits: Any) -> AsyncIterator[int]:
    settings = Settings(StoreSettings(tmp_path), telemetry=TelemetrySettings(metrics_listen="127.0.0.1:0"))
    context = ServiceContext(settings, cast(Api, None), Authenticator(settings.server))
    server = HttpServer(echo, METRICS, context, HttpLimits(**{"connections": 100, "body_bytes": 1_000, **limits}))
    await server.start()
    try:
        yield server.port
    finally:
        await server.stop()


async def test_body_of_a_refused_request_is_not_read(tmp_path: Path) -> None:
    announced = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n"
    async with serving(tmp_path, find_body_bytes=lambda scope: -1) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(announced)
        async with asyncio.timeout(10):
            answer = await reader.read(100)
        assert answer.startswith(b"HTTP/1.1 200")
        writer.close()


async def post(port: int, content: Any) -> tuple[int, str]:
    async with httpx2.AsyncClient(timeout=30) as client:
        answer = await client.post(f"http://127.0.0.1:{port}/", content=content)
    return answer.status_code, answer.text


async def chunks(count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield bytes(100)


async def test_body_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as port:
        assert await post(port, bytes(1_000)) == (200, "1000")
        assert await post(port, chunks(10)) == (200, "1000")
        assert (await post(port, bytes(1_001)))[0] == 413
        assert (await post(port, chunks(11)))[0] == 413
    async with serving(tmp_path, body_bytes=0) as port:
        assert (await post(port, b"x"))[0] == 413
        assert await post(port, b"") == (200, "0")


async def read_end(port: int, sent: bytes) -> bytes:
    """Answer of a connection before the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(30):
        answer = await reader.read()
    writer.close()
    return answer


async def test_slow_request_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No head, half a head, half a second head, and half a body."""
    monkeypatch.setattr(http_server, "_REQUEST_SECONDS", 0.3)
    whole = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx"
    async with serving(tmp_path) as port:
        assert await read_end(port, b"") == b""
        assert await read_end(port, b"GET / HTTP/1.1\r\nHost: ") == b""
        assert (await read_end(port, whole + b"GET / HT")).count(b"HTTP/1.1 200") == 1
        assert b" 408 " in await read_end(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
        assert await post(port, b"whole") == (200, "5")


async def test_connections_above_the_limit_are_closed_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(tmp_path, connections=3) as port:
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        await asyncio.sleep(0.2)
        with caplog.at_level(logging.WARNING):
            for _ in range(5):
                with closing(socket.create_connection(("127.0.0.1", port))) as refused:
                    refused.settimeout(10)
                    assert (await asyncio.to_thread(refused.recv, 100)).startswith(b"HTTP/1.1 503 ")
        assert [record.getMessage() for record in caplog.records] == ["connections_refused listener=metrics limit=3"]
        held.pop().close()
        await asyncio.sleep(0.2)
        assert await post(port, b"") == (200, "0")
        for one in held:
            one.close()


def test_accepted_connections_send_answers_without_waiting_for_acknowledgements() -> None:
    listening = http_server._LimitedSocket(METRICS, "127.0.0.1:0", 1, is_plain=True)
    with closing(listening), closing(socket.create_connection(listening.getsockname())):
        connection, _ = listening.accept()
        with closing(connection):
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
