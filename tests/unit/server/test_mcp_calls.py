"""MCP calls: a cancelled one ends its query, and each session is a client of its own below its token."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, cast

import grpc
import pytest
from mcp import types

from repoquarry.client import Client, ClientSettings, RequestError
from repoquarry.graphstore.query.query_scheduler import owner_of
from repoquarry.server.api import Api
from repoquarry.server.application.tools import ToolRequest
from repoquarry.server.authentication import Callers
from repoquarry.server.mcp_server import Gateway, Handlers
from repoquarry.v1.basis_pb2 import AnswerBasis
from repoquarry.v1.tool_service_pb2 import CallToolRequest, CallToolResponse, ListToolsRequest, ListToolsResponse
from repoquarry.v1.tool_service_pb2_grpc import ToolServiceServicer, add_ToolServiceServicer_to_server

_CALL = types.CallToolRequestParams(name="cypher", arguments={"query": "RETURN 1"})


class _BlockingGateway:
    """Answers a call when the call is cancelled."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.ended = threading.Event()
        self.clients: list[str] = []

    def call(self, tool: str, arguments: Mapping[str, Any], cancelled: Callable[[], bool], client: str) -> str:
        self.clients.append(client)
        self.started.set()
        while not cancelled():
            self.ended.wait(0.01)
        self.ended.set()
        return ""


async def test_a_cancelled_call_ends_its_query() -> None:
    gateway = _BlockingGateway()
    handlers = Handlers(cast(Gateway, gateway), 2, lambda request: f"client of {request}")
    call = asyncio.create_task(handlers.call_tool(SimpleNamespace(request="a request"), _CALL))
    await asyncio.to_thread(gateway.started.wait, 30)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(gateway.ended.wait, 30)
    assert gateway.clients == ["client of a request"]


class _RecordingTools:
    """Tools of an application: they take who calls, and whether that is cancelled."""

    def __init__(self) -> None:
        self.calls: list[tuple[bool, str]] = []

    def run(
        self, request: ToolRequest, cancelled: Callable[[], bool], client: str
    ) -> tuple[CallToolResponse, AnswerBasis]:
        self.calls.append((cancelled(), client))
        return CallToolResponse(text="answer"), AnswerBasis()


def test_a_gateway_passes_the_client_and_its_cancellation_on() -> None:
    tools = _RecordingTools()
    gateway = Gateway(cast(Api, SimpleNamespace(tools=tools)), max_tokens=8_000)
    assert gateway.call("cypher", {}, lambda: True, "somebody").startswith("answer")
    assert tools.calls == [(True, "somebody")]


class _RemoteService(ToolServiceServicer):
    """Service whose tool `wait` answers when its call has ended."""

    def __init__(self) -> None:
        self.started, self.ended = threading.Event(), threading.Event()

    def ListTools(self, request: ListToolsRequest, context: grpc.ServicerContext) -> ListToolsResponse:
        return ListToolsResponse()

    def CallTool(self, request: CallToolRequest, context: grpc.ServicerContext) -> CallToolResponse:
        if request.tool == "wait":
            context.add_callback(self.ended.set)
            self.started.set()
            self.ended.wait(60)
        return CallToolResponse(text="answer")


def test_a_cancelled_call_ends_on_another_server_too() -> None:
    service, cancelled = _RemoteService(), threading.Event()
    server = grpc.server(ThreadPoolExecutor(2))
    add_ToolServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with Client(ClientSettings(f"127.0.0.1:{port}")) as client, ThreadPoolExecutor(1) as pool:
        gateway = Gateway(cast(Api, client), max_tokens=8_000)
        assert gateway.call("answer", {}).startswith("answer")
        call = pool.submit(gateway.call, "wait", {}, cancelled.is_set)
        assert service.started.wait(30)
        cancelled.set()
        with pytest.raises(RequestError, match="cancelled"):
            call.result(30)
        assert service.ended.wait(30)
    server.stop(0)


@pytest.mark.parametrize("tokens", [(), ("the-first-token-1", "the-second-token")])
def test_tokens_or_addresses_are_clients(tokens: tuple[str, ...]) -> None:
    callers = Callers(tokens)
    first = callers.http_client("Bearer the-first-token-1", "10.0.0.1")
    same = callers.http_client("Bearer the-first-token-1", "10.0.0.1")
    other = callers.http_client("Bearer the-second-token", "10.0.0.2")
    assert owner_of(first) == owner_of(same) != owner_of(other)
    assert "first-token" not in first
