"""A client that leaves a stream early is one debug line of the server, for every RPC that streams."""

import asyncio
import importlib
import itertools
import logging
from typing import Any

import grpc.aio
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from repoquarry.server.authentication import Callers
from repoquarry.server.jobs.runner import WorkNotifier
from repoquarry.server.observer import End
from repoquarry.server.services import servicers
from repoquarry.server.services.interceptors import CallInterceptor, DisconnectInterceptor, MessageInterceptor
from repoquarry.server.services.rpc_executor import RpcExecutor
from repoquarry.server.settings.sections import ServerSettings
from tests.unit.server.test_documented import METHODS

STREAMS = [method for method in METHODS if method.server_streaming]
PADDING = b"\xc2\x3e" + b"\x80\x80\x04" + bytes(65_536)
"""An unknown field of 64 KiB, so that the window is full and the server is in the middle of a write when its client leaves."""


class EndlessApplication:
    """Stub of any application: each stream is endless."""

    def __init__(self, method: MethodDescriptor) -> None:
        self._response = GetMessageClass(method.output_type).FromString(PADDING)

        self.operations = self

    def __getattr__(self, name: str) -> Any:
        def start(*arguments: object, **options: object) -> object:
            reads_events = name == "read"
            return ([self._response] * 3, False) if reads_events else itertools.repeat(self._response)

        return start


class RecordingObserver:
    def __init__(self) -> None:
        self.codes: list[str] = []

    def call(self, service: str, method: str, metadata: object) -> End:
        return self.codes.append

    def work(self, kind: str) -> End:
        return self.codes.append


def test_streams_are_known() -> None:
    assert {"ExecuteCypher", "StreamTaskEvents", "ReadTaskFile"} <= {method.name for method in STREAMS}


@pytest.mark.parametrize("method", STREAMS, ids=lambda method: method.name)
async def test_left_stream_is_one_debug_line(method: MethodDescriptor, caplog: pytest.LogCaptureFixture) -> None:
    service = method.containing_service
    calls = RpcExecutor(ServerSettings(), WorkNotifier(), Callers(()))
    servicer = getattr(servicers, service.name.removesuffix("Service") + "Servicer")
    observer = RecordingObserver()
    server = grpc.aio.server(interceptors=[CallInterceptor([observer]), MessageInterceptor(), DisconnectInterceptor()])
    generated = importlib.import_module(service.file.name.removesuffix(".proto").replace("/", ".") + "_pb2_grpc")
    getattr(generated, f"add_{service.name}Servicer_to_server")(servicer(EndlessApplication(method), calls), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    left = 8
    with caplog.at_level(logging.DEBUG):
        for number in range(left):
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                path = f"/{service.full_name}/{method.name}"
                call = channel.unary_stream(path, bytes, None)(b"")
                await call.read()
                await asyncio.sleep(0.02 * (number % 3))
                if number % 2:
                    call.cancel()  # otherwise the channel closes below an open stream
        for _ in range(400):
            await asyncio.sleep(0.05 if len(observer.codes) < left else 0)
        await server.stop(1)
    calls.close()
    assert observer.codes == ["CANCELLED"] * left
    lines = [record.getMessage() for record in caplog.records if record.name.startswith(("grpc", "repoquarry"))]
    assert [line for line in lines if "running loop" not in line] == [
        f"RPC cancelled for servicer method [{path}]"
    ] * left
    assert not [record for record in caplog.records if record.levelno > logging.DEBUG]
