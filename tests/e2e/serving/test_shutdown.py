"""SIGTERM with whatever clients leave open on every listener."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from repoquarry.client.errors import ClientError
from repoquarry.v1 import index_service_pb2 as pb
from tests.e2e.rpc_calls import create_jobs
from tests.e2e.service import Service, StartService
from tests.source_trees import write_tree

_SECONDS = 3.0
_FILES = 1_500


def port_of(service: Service, name: str) -> int:
    found = re.search(rf"{name} (?:http://)?127\.0\.0\.1:(\d+)", service.log.read_text())
    assert found is not None, service.log.read_text()
    return int(found[1])


def send(stack: ExitStack, port: int, text: bytes) -> socket.socket:
    """Open a connection that stays open, and send the beginning of a request, or all of one."""
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    connection.sendall(text)
    return connection


def connect_stream(job: str) -> bytes:
    message = pb.StreamIndexEventsRequest(name=job).SerializeToString()
    body = struct.pack(">BI", 0, len(message)) + message
    head = "POST /repoquarry.v1.IndexService/StreamIndexEvents HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += f"Content-Type: application/connect+proto\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def read_events(client: Any, job: str, ended: list[str]) -> None:
    try:
        list(client.index.stream_index_events(pb.StreamIndexEventsRequest(name=job)))
    except (ClientError, ValueError) as error:  # A ValueError when the client is closed while it reconnects.
        ended.append(type(error).__name__)
    else:
        ended.append("end")


@pytest.mark.long
def test_open_streams_and_connections_hold_no_server_back(start_service: StartService, tmp_path: Path) -> None:
    source = write_tree(
        tmp_path / "large", {f"m{n}.py": f"def f{n}(x):\n    return f{n}(x)\n" * 20 for n in range(_FILES)}
    )
    service = start_service(REPOQUARRY_PAGE_LISTEN="127.0.0.1:0", REPOQUARRY_MCP_LISTEN="127.0.0.1:0")
    client = service.client(seconds=120.0)
    job = create_jobs(client, source)[0].name
    page, mcp = port_of(service, "page on"), port_of(service, "MCP listening on")
    ended: list[str] = []
    readers = [
        threading.Thread(target=read_events, args=(service.client(seconds=120.0), job, ended), daemon=True)
        for _ in range(20)
    ]
    for reader in readers:
        reader.start()
    with ExitStack() as stack:
        streams = [send(stack, page, connect_stream(job)) for _ in range(20)]
        for port in (page, mcp):
            for _ in range(20):
                send(stack, port, b"")
                send(stack, port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                send(stack, port, b"POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        assert streams[0].recv(100).startswith(b"HTTP/1.1 200"), "the stream has begun"
        began = time.monotonic()
        code = service.stop()
        took = time.monotonic() - began
    log = service.log.read_text()
    assert code == 0
    assert "Traceback" not in log, log[-3000:]
    assert took <= _SECONDS, f"{took:.1f} s\n{log[-2000:]}"
