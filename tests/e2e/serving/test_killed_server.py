"""A server that is killed before the first part of a stream: both clients notice it, whatever deadline they have."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.protobuf.empty_pb2 import Empty

from repoquarry.client import AsyncClient, Client
from repoquarry.client.errors import RequestError
from repoquarry.client.settings import ClientSettings
from repoquarry.v1 import (
    batch_service_pb2,
    code_service_pb2,
    environment_service_pb2,
    index_service_pb2,
    query_service_pb2,
    repository_service_pb2,
    task_service_pb2,
    tool_service_pb2,
    view_service_pb2,
)

_FILES = {
    "batches": batch_service_pb2, "code": code_service_pb2, "environments": environment_service_pb2,
    "index": index_service_pb2, "queries": query_service_pb2, "repositories": repository_service_pb2,
    "tasks": task_service_pb2, "tools": tool_service_pb2, "views": view_service_pb2,
}  # fmt: skip
STREAMS = {
    f"{part}.{method.name}": (part, method, getattr(file, method.input_type.name, Empty))
    for part, file in _FILES.items()
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if method.server_streaming
}
_NOTICE_SECONDS = 3.0
_SLACK = 7.0
"""Seconds that a busy machine may add."""

_SILENT_SERVER = """
import os
import time
from concurrent import futures
import grpc

class Silent(grpc.GenericRpcHandler):
    def service(self, details):
        def wait(request, context):
            os.write(1, b"called\\n")  # one write: calls arrive on several threads
            time.sleep(600)
            yield b""
        return grpc.unary_stream_rpc_method_handler(wait)

server = grpc.server(futures.ThreadPoolExecutor(64))
server.add_generic_rpc_handlers((Silent(),))
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
server.wait_for_termination()
"""


@pytest.fixture
def silent() -> Iterator[tuple[subprocess.Popen[str], ClientSettings]]:
    """A server that takes calls and says nothing, and settings with a deadline that no test reaches."""
    process = subprocess.Popen([sys.executable, "-c", _SILENT_SERVER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process, ClientSettings(f"127.0.0.1:{int(process.stdout.readline())}", seconds=300.0, resume_seconds=1.0)
    process.kill()
    process.wait()


def call_of(client: Any, name: str) -> Any:
    part, method, kind = STREAMS[name]
    python_name = re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower()
    return getattr(getattr(client, part), python_name)(kind())


def blocking(settings: ClientSettings, name: str) -> str:
    with Client(settings) as client, pytest.raises(RequestError) as caught:
        list(call_of(client, name))
    return caught.value.failure.reason


def asynchronous(settings: ClientSettings, name: str) -> str:
    async def read() -> str:
        async with AsyncClient(settings) as client:
            with pytest.raises(RequestError) as caught:
                async for _ in call_of(client, name):
                    pass
            return caught.value.failure.reason

    return asyncio.run(read())


def cut_streams(process: subprocess.Popen[str], settings: ClientSettings) -> None:
    calls = [(run, name) for name in STREAMS for run in (blocking, asynchronous)]
    assert process.stdout is not None
    with ThreadPoolExecutor(len(calls)) as threads:
        running = [threads.submit(run, settings, name) for run, name in calls]
        for _ in calls:
            assert process.stdout.readline() == "called\n"
        process.kill()
        killed = time.monotonic()
        reasons = {future.result(120) for future in running}
    assert reasons == {"SERVER_UNREACHABLE"}
    assert time.monotonic() - killed < _NOTICE_SECONDS + _SLACK


def test_silent_streams_end_when_their_server_is_killed(silent: tuple[subprocess.Popen[str], ClientSettings]) -> None:
    cut_streams(*silent)


@pytest.mark.long
@pytest.mark.parametrize("attempt", range(20))
def test_silent_streams_end_under_load(silent: tuple[subprocess.Popen[str], ClientSettings], attempt: int) -> None:
    stop = threading.Event()
    load = [threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)], daemon=True) for _ in range(2)]
    for thread in load:
        thread.start()
    try:
        cut_streams(*silent)
    finally:
        stop.set()


def test_deadline_of_a_silent_stream_is_kept(silent: tuple[subprocess.Popen[str], ClientSettings]) -> None:
    _, settings = silent
    with Client(ClientSettings(settings.server, seconds=0.5)) as client, pytest.raises(RequestError) as caught:
        list(call_of(client, "queries.ExecuteCypher"))
    assert caught.value.failure.reason == "DEADLINE_EXCEEDED"
