"""Registration of MCP tools and resources with the SDK, over stdin and stdout or as an HTTP application.

A DNS rebinding attack sends the name of a hostile page as Host and Origin; lists restrict both headers.
"""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from repoquarry.client.errors import RequestError
from repoquarry.server.authentication import Callers, is_loopback
from repoquarry.server.errors import SettingsError, to_failure
from repoquarry.server.mcp.gateway import INSTRUCTIONS, REPOSITORY, Gateway
from repoquarry.server.settings.sections import McpSettings, Settings

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

_log = logging.getLogger(__name__)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_Result = TypeVar("_Result")
ClientOf = Callable[[Any], str]
"""Function that returns the client of a call from the request of the transport."""
_TEXT = "text/markdown"
_READS = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class Handlers:
    """Handlers that the SDK calls. The gateway blocks, so each call runs in one of `threads` threads."""

    def __init__(self, gateway: Gateway, threads: int, client_of: ClientOf) -> None:
        self._gateway = gateway
        self._threads = threads
        self._client_of = client_of

    @functools.cached_property
    def _limiter(self) -> anyio.CapacityLimiter:
        return anyio.CapacityLimiter(self._threads)  # created in the event loop that uses it

    async def _run(self, method: Callable[..., _Result], *arguments: Any) -> _Result:
        return await anyio.to_thread.run_sync(method, *arguments, abandon_on_cancel=True, limiter=self._limiter)

    async def list_tools(self, context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        offers = await self._run_or_fail(self._gateway.tools)
        tools = [
            types.Tool(name=offer.name, description=offer.summary, input_schema=dict(offer.schema), annotations=_READS)
            for offer in offers
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool; a failure is an error result, which the model can read and correct. A cancelled call ends its query."""
        gone = threading.Event()
        client = self._client_of(context.request)
        try:
            text = await self._run(self._gateway.call, params.name, params.arguments or {}, gone.is_set, client)
        except Exception as exc:
            failed = types.TextContent(text=_format_failure(exc))
            return types.CallToolResult(content=[failed], is_error=True)
        finally:
            gone.set()
        return types.CallToolResult(content=[types.TextContent(text=text)])

    async def list_resources(
        self, context: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        offers = await self._run_or_fail(self._gateway.resources)
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
            description="Overview of a repository, within the budget of an answer.",
            mime_type=_TEXT,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = await self._run_or_fail(self._gateway.read, params.uri)
        contents = types.TextResourceContents(uri=params.uri, mime_type=_TEXT, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _run_or_fail(self, method: Callable[..., _Result], *arguments: Any) -> _Result:
        """Run a method of the gateway. Raises: MCPError with the message of the failure."""
        try:
            return await self._run(method, *arguments)
        except Exception as exc:
            code = types.INVALID_PARAMS if isinstance(exc, RequestError) else types.INTERNAL_ERROR
            raise MCPError(code, _format_failure(exc)) from exc


def _format_failure(error: Exception) -> str:
    """Format a failure as one line; the text of an internal error is only logged."""
    failure = to_failure(error)
    if failure.reason == "INTERNAL" and not isinstance(error, RequestError):
        _log.error("mcp_call_failed", exc_info=error)
    return f"{failure.message} ({failure.reason})"


def mcp_server(gateway: Gateway, threads: int, client_of: ClientOf) -> Server[Any]:
    """Build the protocol server over a gateway."""
    handlers = Handlers(gateway, threads, client_of)
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
    """Serve one client over stdin and stdout of this process, until stdin ends."""
    from mcp.server.stdio import stdio_server

    server = mcp_server(gateway, threads, lambda _: "")
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def http_application(gateway: Gateway, settings: Settings, host: str, path: str) -> ASGIApp:
    """Return the stateless ASGI application of MCP over HTTP: the standing tools at `path`, all tools at `path/all`.

    Raises: SettingsError.
    """
    logging.getLogger("mcp").setLevel(logging.ERROR)  # The SDK logs session ids, and every rejected request.
    callers = Callers(settings.server.tokens)

    def client_of(request: Request) -> str:
        peer = request.client.host if request.client else ""
        return callers.http_client(request.headers.get("authorization", ""), peer)

    def build(offered: Gateway, at: str) -> Starlette:
        return mcp_server(offered, settings.server.request_threads, client_of).streamable_http_app(
            streamable_http_path=at,
            stateless_http=True,
            transport_security=allowed_headers(host, settings.mcp),
            host=host,
        )

    standing, complete = build(gateway, path), build(gateway.with_all_tools(), f"{path}/all")
    return Starlette(routes=[*complete.routes, *standing.routes], lifespan=lambda _: _run_both(standing, complete))


@asynccontextmanager
async def _run_both(standing: Starlette, complete: Starlette) -> AsyncIterator[None]:
    """Run the session managers of both applications."""
    async with standing.router.lifespan_context(standing), complete.router.lifespan_context(complete):
        yield


def allowed_headers(host: str, settings: McpSettings) -> TransportSecuritySettings:
    """Return the admitted Host and Origin headers. Raises: SettingsError when no setting gives the names of the host."""
    own: Sequence[str] = _LOOPBACK if is_loopback(host) else ()
    if not own and not settings.allowed_hosts:
        raise SettingsError(
            f"mcp.listen is {host}, which other machines reach by an unknown name; set mcp.allowed_hosts "
            "(REPOQUARRY_MCP_ALLOWED_HOSTS) to the admitted Host headers, such as quarry.example.org:*"
        )
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*own, *(f"{name}:*" for name in own), *settings.allowed_hosts],
        allowed_origins=[
            *(f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in own for port in ("", ":*")),
            *settings.allowed_origins,
        ],
    )
