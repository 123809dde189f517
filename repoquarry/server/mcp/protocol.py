"""Registration of MCP tools and resources with the SDK."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, TypeVar

import anyio.to_thread
from mcp import MCPError, types
from mcp.server.lowlevel import Server

from repoquarry.client.errors import RequestError
from repoquarry.server.errors import to_failure
from repoquarry.server.mcp.gateway import INSTRUCTIONS, REPOSITORY, Gateway

_log = logging.getLogger(__name__)
_Given = TypeVar("_Given")
_TEXT = "text/markdown"
_READS = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class Handlers:
    """What the SDK calls. The gateway blocks, so each call runs in a thread, at most `threads` at once."""

    def __init__(self, gateway: Gateway, threads: int) -> None:
        self._gateway = gateway
        self._threads = threads

    @functools.cached_property
    def _limiter(self) -> anyio.CapacityLimiter:
        return anyio.CapacityLimiter(self._threads)  # made in the event loop that uses it

    async def _run(self, method: Callable[..., _Given], *arguments: Any) -> _Given:
        return await anyio.to_thread.run_sync(method, *arguments, abandon_on_cancel=True, limiter=self._limiter)

    async def list_tools(self, context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        offers = await self._answered(self._gateway.tools)
        tools = [
            types.Tool(name=offer.name, description=offer.summary, input_schema=dict(offer.schema), annotations=_READS)
            for offer in offers
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        """A call that failed is an answer of its own kind, which the model reads and may correct."""
        try:
            text = await self._run(self._gateway.call, params.name, params.arguments or {})
        except Exception as exc:
            failed = types.TextContent(text=_told(exc))
            return types.CallToolResult(content=[failed], is_error=True)
        return types.CallToolResult(content=[types.TextContent(text=text)])

    async def list_resources(
        self, context: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        offers = await self._answered(self._gateway.resources)
        resources = [
            types.Resource(uri=offer.uri, name=offer.name, description=offer.meaning, mime_type=_TEXT)
            for offer in offers
        ]
        return types.ListResourcesResult(resources=resources)

    async def list_templates(
        self, context: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=REPOSITORY,
            name="repository",
            description="What a repository is made of, within the budget of an answer.",
            mime_type=_TEXT,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = await self._answered(self._gateway.read, params.uri)
        contents = types.TextResourceContents(uri=params.uri, mime_type=_TEXT, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _answered(self, method: Callable[..., _Given], *arguments: Any) -> _Given:
        """Raises: MCPError with the words of the failure."""
        try:
            return await self._run(method, *arguments)
        except Exception as exc:
            code = types.INVALID_PARAMS if isinstance(exc, RequestError) else types.INTERNAL_ERROR
            raise MCPError(code, _told(exc)) from exc


def _told(error: Exception) -> str:
    """One line for the caller; a fault of ours keeps its text in the log."""
    failure = to_failure(error)
    if failure.reason == "INTERNAL" and not isinstance(error, RequestError):
        _log.error("mcp_call_failed", exc_info=error)
    return f"{failure.message} ({failure.reason})"


def mcp_server(gateway: Gateway, threads: int) -> Server[Any]:
    """The protocol's server over a gateway."""
    handlers = Handlers(gateway, threads)
    return Server(
        "repoquarry",
        version=version("repoquarry"),
        title="RepoQuarry",
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


async def serve_stdio(gateway: Gateway, threads: int) -> None:
    """Serve one client over this process's stdin and stdout, until stdin ends."""
    from mcp.server.stdio import stdio_server

    server = mcp_server(gateway, threads)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())
