"""Server of the Model Context Protocol: tools and resources over the API for agents, on stdin and stdout or over HTTP.

Every answer ends with its basis: the indexed commit, changes since that commit, and relevant unresolved calls. A DNS rebinding attack
sends the name of a hostile page as Host and Origin; lists restrict both headers.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast
from urllib.parse import unquote

import anyio.to_thread
from mcp import MCPError, types
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from repoquarry import v1 as pb
from repoquarry.client.errors import RequestError
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.repository_names import bare_id
from repoquarry.operations.table import OPERATIONS, load_operation
from repoquarry.server.api import Api, ToolApi
from repoquarry.server.application.context import never
from repoquarry.server.application.tools import ToolRequest
from repoquarry.server.authentication import LOOPBACK_NAMES, Callers, is_loopback
from repoquarry.server.errors import SettingsError, request_error, to_failure
from repoquarry.server.resource_names import iterate_pages
from repoquarry.server.settings.sections import McpSettings, Settings
from repoquarry.server.text_format import TABLES, escape_controls, fit_basis, list_basis, short

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from repoquarry.client._sync.services import ToolClient
    from repoquarry.operations.run import OperationAnswer

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")
ClientOf = Callable[[Any], str]
"""Function that returns the client of a call from the request of the transport."""
ToolCaller: TypeAlias = Callable[
    [str, Mapping[str, Any], int, Callable[[], bool], str],
    tuple["OperationAnswer | pb.CallToolResponse", pb.AnswerBasis],
]
"""Caller of a tool by arguments, maximum number of tokens, cancellation and client."""
_POLL_SECONDS = 0.1
_MAX_CHARACTERS = 65_536
"""Maximum number of characters of the arguments of a call."""
_TEXT = "text/markdown"
_READS = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
SCHEME = "repoquarry://"
REPOSITORIES = f"{SCHEME}repositories"
SCHEMA = f"{SCHEME}schema"
QUERIES = f"{SCHEME}queries"
REPOSITORY = f"{SCHEME}repositories/{{repository}}"
"""URI template of one repository's launchpad text."""
MIN_TOKENS = 500
"""Minimum budget of an answer, which must include the basis."""
INSTRUCTIONS = (TABLES / "mcp_instructions.md").read_text(encoding="utf-8").rstrip()


class Gateway:
    """Tools and resources over an `Api`, with texts of at most `max_tokens`.

    `repositories` limits all answers to these ids; empty means all.
    """

    def __init__(self, api: Api, *, max_tokens: int, repositories: Sequence[str] = (), all_tools: bool = False) -> None:
        self._api = api
        self._call_tool = _tool_caller(api.tools, tuple(repositories))
        self._most = max_tokens
        self._repositories = tuple(repositories)
        self._all_tools = all_tools

    def with_all_tools(self) -> Gateway:
        """Return a gateway that lists the rare tools as well."""
        return Gateway(self._api, max_tokens=self._most, repositories=self._repositories, all_tools=True)

    def tools(self) -> list[types.Tool]:
        """List the tools: the standing ones, or all. A rare tool that is not listed can be called all the same."""
        offered = self._api.tools.list_tools(pb.ListToolsRequest()).tools
        return [
            types.Tool(
                name=tool.name,
                description=tool.summary,
                input_schema=self._schema(tool.name, json.loads(tool.arguments_schema)),
                annotations=_READS,
            )
            for tool in offered
            if self._all_tools or not tool.rare
        ]

    def _schema(self, tool: str, schema: dict[str, Any]) -> dict[str, Any]:
        """Add the budget of the answer, and list only the repositories of this gateway."""
        properties = dict(schema.get("properties", {}))
        if not _find_own_limit(tool):
            properties["max_tokens"] = {"type": "integer", "minimum": MIN_TOKENS, "maximum": self._most}
        if self._repositories and "repository" in properties:
            properties["repository"] = {**properties["repository"], "enum": sorted(self._repositories)}
            if len(self._repositories) == 1:
                del properties["repository"]
        return {**schema, "properties": properties}

    def call(
        self, tool: str, arguments: Mapping[str, Any], cancelled: Callable[[], bool] = never, client: str = ""
    ) -> str:
        """Call a tool; `cancelled` ends its query, and `client` owns the query in the scheduler.

        Raises: RequestError, and the errors of `Api`.
        """
        given = dict(arguments)
        budget = self._budget(given.pop("max_tokens", self._most))
        if len(str(given)) > _MAX_CHARACTERS:
            message = f"arguments: longer than {_MAX_CHARACTERS:,} characters"
            raise request_error("TOOL_ARGUMENTS_INVALID", message, field="arguments")
        answer, basis = self._call_tool(tool, given, budget - _reserved_tokens(budget), cancelled, client)
        if own_limit := _find_own_limit(tool):
            text = escape_controls(answer.text)
            left = getattr(load_operation(tool).parse(given), own_limit) - len(text) - 2
            return f"{text}\n\n{escape_controls(fit_basis(basis, left))}".rstrip()
        cut = f"truncated from {answer.tokens_before} tokens" if answer.tokens_before > answer.tokens else ""
        return _joined(answer.text, [line for line in (answer.summary, cut) if line not in answer.text], basis, budget)

    def _budget(self, asked: object) -> int:
        if not isinstance(asked, int) or isinstance(asked, bool) or not MIN_TOKENS <= asked <= self._most:
            message = f"max_tokens is {asked!r}, not an integer from {MIN_TOKENS} to {self._most}"
            raise request_error("TOOL_ARGUMENTS_INVALID", message, field="max_tokens")
        return asked

    def resources(self) -> list[types.Resource]:
        """List the resources: the list of repositories, the schema, the named queries, and at most 200 repositories."""
        offers = [
            _resource(REPOSITORIES, "repositories", "The indexed repositories with their summaries."),
            _resource(SCHEMA, "schema", "Labels, relationship types and properties of the graph, for `cypher`."),
            _resource(QUERIES, "queries", "Named queries with their parameters, for `cypher`."),
        ]
        for entry in self._listed():
            if len(offers) >= 203:
                break
            id_ = short(entry.name)
            meaning = " ".join(entry.summary.split())[:200] or f"Overview of {id_}."
            offers.append(_resource(f"{REPOSITORIES}/{id_}", id_, escape_controls(meaning)))
        return offers

    def read(self, uri: str) -> str:
        """Read a resource. Raises: RequestError."""
        lists = {REPOSITORIES: self._repository_lines, SCHEMA: self._schema_lines, QUERIES: self._query_lines}
        if uri in lists:
            return token_counting.truncate_end("\n".join(lists[uri]()) or "no repositories", self._most)
        repository = unquote(uri.removeprefix(f"{REPOSITORIES}/"))
        if not uri.startswith(f"{REPOSITORIES}/") or not self._is_offered(repository):
            raise request_error(
                "NOT_FOUND", f"no resource {uri!r}; there are {REPOSITORIES}, {SCHEMA}, {QUERIES} and {REPOSITORY}"
            )
        reserved = _reserved_tokens(self._most)
        answer = self._api.code.build_context(
            pb.BuildContextRequest(repository=repository, max_tokens=self._most - reserved)
        )
        return _joined(answer.text, [], answer.basis, self._most)

    def _is_offered(self, repository: str) -> bool:
        """Return whether one of the names of this gateway is that of a repository, also without its version."""
        names = {name.lower() for name in self._repositories}
        return not names or not names.isdisjoint((repository.lower(), bare_id(repository).lower()))

    def _listed(self) -> Iterator[pb.Repository]:
        for page in iterate_pages(self._api.repositories.list_repositories, pb.ListRepositoriesRequest(page_size=100)):
            for entry in page.repositories:
                if self._is_offered(short(entry.name)):
                    yield entry

    def _repository_lines(self) -> Iterator[str]:
        for entry in self._listed():
            summary = escape_controls(" ".join(entry.summary.split()))[:300]
            size = f"{count_noun(entry.files, 'file')}, {count_noun(entry.lines, 'line')}"
            yield f"- {short(entry.name)} ({', '.join(entry.languages)}; {size}): {summary}"

    def _schema_lines(self) -> Iterator[str]:
        schema = self._api.queries.get_schema(pb.GetSchemaRequest())
        yield "# Labels"
        for label in schema.node_labels:
            yield f"- {label.name}: {label.meaning}. {_properties(label.properties)}"
        yield "# Relationship types"
        for kind in schema.relationship_types:
            ends = f"({'|'.join(kind.start_labels)})-[:{kind.name}]->({'|'.join(kind.end_labels)})"
            yield f"- {ends}: {kind.meaning}. {_properties(kind.properties)}"

    def _query_lines(self) -> Iterator[str]:
        for query in self._api.queries.list_named_queries(pb.ListNamedQueriesRequest()).queries:
            given = (f"${one.name}{f' = {one.default_json}' if one.default_json else ''}" for one in query.parameters)
            yield f"- {query.name} ({', '.join(given)}): {query.purpose}"


def _tool_caller(tools: ToolApi, repositories: Sequence[str]) -> ToolCaller:
    """Return what calls a tool: in this process without any encoding, or on another server."""
    run = getattr(tools, "run", None)
    if run is None:
        return functools.partial(_call_remotely, cast("ToolClient", tools), repositories)

    def call(tool: str, arguments: Mapping[str, Any], limit: int, cancelled: Callable[[], bool], client: str) -> Any:
        return run(ToolRequest(tool, arguments, repositories, max_tokens=limit), cancelled, client)

    return call


def _call_remotely(
    tools: ToolClient,
    repositories: Sequence[str],
    tool: str,
    arguments: Mapping[str, Any],
    limit: int,
    cancelled: Callable[[], bool],
    _client: str,
) -> tuple[pb.CallToolResponse, pb.AnswerBasis]:
    """Call a tool of another server, which names the client itself; a cancelled call ends there too."""
    import grpc

    request = pb.CallToolRequest(
        tool=tool, arguments=json.dumps(arguments), repositories=repositories, max_tokens=limit
    )

    def wait(request: pb.CallToolRequest, **options: Any) -> pb.CallToolResponse:
        call: Any = tools.stub.CallTool.future(request, **options)
        while not cancelled():
            with suppress(grpc.FutureTimeoutError):
                return cast(pb.CallToolResponse, call.result(timeout=_POLL_SECONDS))
        call.cancel()
        raise request_error("CANCELLED", "the call was cancelled")

    response = cast(pb.CallToolResponse, tools.link.unary(cast(Any, wait), request))
    return response, response.basis


def _resource(uri: str, name: str, meaning: str) -> types.Resource:
    return types.Resource(uri=uri, name=name, description=meaning, mime_type=_TEXT)


def _properties(properties: Iterable[pb.Property]) -> str:
    return "; ".join(f"`{item.name}` ({item.kind}): {item.meaning}" for item in properties)


def _find_own_limit(tool: str) -> str:
    """Return the argument that limits the answer of a tool by itself; empty for none, also for a tool of a newer server."""
    return load_operation(tool).own_limit if tool in OPERATIONS else ""


def _reserved_tokens(budget: int) -> int:
    return min(400, budget // 3)


def _joined(text: str, notes: Sequence[str], basis: pb.AnswerBasis, budget: int) -> str:
    """Join the text, the notes and the line of provenance; notes are truncated, the line may lose its clause, the text stays."""
    shown = escape_controls(text).rstrip()
    left = budget - token_counting.count_tokens(shown) - 2
    line, *more = list_basis(basis) or [""]
    fitting = (one for one in (line, fit_basis(basis, len(line) - 1)) if token_counting.count_tokens(one) <= left)
    provenance = next(fitting, "")
    left -= token_counting.count_tokens(provenance) + 1
    told = token_counting.truncate_end("\n".join([*notes, *more]), left) if left > 0 else ""
    return "\n\n".join(filter(None, (shown, "\n".join(filter(None, (told, provenance))))))


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
        return types.ListToolsResult(tools=await self._run_or_fail(self._gateway.tools))

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
        return types.ListResourcesResult(resources=await self._run_or_fail(self._gateway.resources))

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
    threading.Thread(target=_end_after_parent, args=(os.getppid(),), name="parent", daemon=True).start()
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


_PARENT_SECONDS = 1.0
"""Interval of checks whether the parent process still runs."""


def _end_after_parent(parent: int) -> None:
    """End this process when its parent has exited: another process may hold the other end of stdin open."""
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(0)  # The thread that reads stdin cannot be interrupted; this process writes nothing.


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
    refused = [Route(at, _refuse_stream, methods=["GET"]) for at in (path, f"{path}/all")]
    return Starlette(
        routes=[*refused, *complete.routes, *standing.routes], lifespan=lambda _: _run_both(standing, complete)
    )


async def _refuse_stream(_: Request) -> Response:
    """Refuse a stream of events: a stateless server never sends any. The connection counts no longer, as each client opens one."""
    headers = {"Allow": "POST", "Connection": "close"}
    return Response("this server is stateless: send requests by POST\n", 405, headers)


@asynccontextmanager
async def _run_both(standing: Starlette, complete: Starlette) -> AsyncIterator[None]:
    """Run the session managers of both applications."""
    async with standing.router.lifespan_context(standing), complete.router.lifespan_context(complete):
        yield


def allowed_headers(host: str, settings: McpSettings) -> TransportSecuritySettings:
    """Return the admitted Host and Origin headers. Raises: SettingsError when no setting gives the names of the host."""
    own: Sequence[str] = LOOPBACK_NAMES if is_loopback(host) else ()
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
