"""MCP tools and resources over the API.

Every answer ends with its basis: the indexed commit, changes since that commit, and relevant unresolved calls.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from urllib.parse import unquote

from repoquarry import v1 as pb
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.reading.evidence_pack import DEFAULT_CHARS
from repoquarry.server.api import Api, ToolApi
from repoquarry.server.application.context import never
from repoquarry.server.errors import request_error
from repoquarry.server.resource_names import iterate_pages
from repoquarry.server.services.interceptors import find_oversized_field
from repoquarry.server.text_format import TABLES, escape_controls, format_basis, short

if TYPE_CHECKING:
    from repoquarry.client._sync.services import ToolClient

ToolCaller: TypeAlias = Callable[[pb.CallToolRequest, Callable[[], bool], str], pb.CallToolResponse]
_POLL_SECONDS = 0.1
SCHEME = "repoquarry://"
REPOSITORIES = f"{SCHEME}repositories"
SCHEMA = f"{SCHEME}schema"
QUERIES = f"{SCHEME}queries"
REPOSITORY = f"{SCHEME}repositories/{{repository}}"
"""URI template of one repository's launchpad text."""
MIN_TOKENS = 500
"""Minimum budget of an answer, which must include the basis."""
INSTRUCTIONS = (TABLES / "mcp_instructions.md").read_text(encoding="utf-8").rstrip()


@dataclass(frozen=True)
class ToolListing:
    """Tool in an MCP list."""

    name: str
    summary: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class ResourceListing:
    """Resource in an MCP list."""

    uri: str
    name: str
    meaning: str


class Gateway:
    """Tools and resources over an `Api`, with texts of at most `max_tokens`.

    `repositories` limits all answers to these ids; empty means all.
    """

    def __init__(self, api: Api, *, max_tokens: int, repositories: Sequence[str] = (), all_tools: bool = False) -> None:
        self._api = api
        self._call_tool = _tool_caller(api.tools)
        self._most = max_tokens
        self._repositories = tuple(repositories)
        self._all_tools = all_tools

    def with_all_tools(self) -> Gateway:
        """Return a gateway that lists the rare tools as well."""
        return Gateway(self._api, max_tokens=self._most, repositories=self._repositories, all_tools=True)

    def tools(self) -> list[ToolListing]:
        """List the tools: the standing ones, or all. A rare tool that is not listed can be called all the same."""
        offered = self._api.tools.list_tools(pb.ListToolsRequest()).tools
        return [
            ToolListing(tool.name, tool.summary, self._schema(json.loads(tool.arguments_schema)))
            for tool in offered
            if self._all_tools or not tool.rare
        ]

    def _schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Add the budget of the answer, and list only the repositories of this gateway."""
        properties = dict(schema.get("properties", {}))
        if "max_chars" not in properties:
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
        request = pb.CallToolRequest(
            tool=tool,
            arguments=json.dumps(given),
            repositories=self._repositories,
            max_tokens=budget - _reserved_tokens(budget),
        )
        if (oversized := find_oversized_field(request)) is not None:
            raise request_error("TOOL_ARGUMENTS_INVALID", f"{oversized[0]}: {oversized[1]}", field=oversized[0])
        answer = self._call_tool(request, cancelled, client)
        if tool == "explore":  # Its limit is in characters, and the tool has left room for the basis.
            limit = int(given.get("max_chars", DEFAULT_CHARS))
            return escape_controls(f"{answer.text}\n\n{' '.join(format_basis(answer.basis))}")[:limit]
        cut = f"truncated from {answer.tokens_before} tokens" if answer.tokens_before > answer.tokens else ""
        return _joined(answer.text, [line for line in (answer.summary, cut) if line], answer.basis, budget)

    def _budget(self, asked: object) -> int:
        if not isinstance(asked, int) or isinstance(asked, bool) or not MIN_TOKENS <= asked <= self._most:
            message = f"max_tokens is {asked!r}, not an integer from {MIN_TOKENS} to {self._most}"
            raise request_error("TOOL_ARGUMENTS_INVALID", message, field="max_tokens")
        return asked

    def resources(self) -> list[ResourceListing]:
        """List the resources: the list of repositories, the schema, the named queries, and at most 200 repositories."""
        offers = [
            ResourceListing(REPOSITORIES, "repositories", "The indexed repositories with their summaries."),
            ResourceListing(SCHEMA, "schema", "Labels, relationship types and properties of the graph, for `cypher`."),
            ResourceListing(QUERIES, "queries", "Named queries with their parameters, for `cypher`."),
        ]
        for entry in self._listed():
            if len(offers) >= 203:
                break
            id_ = short(entry.name)
            meaning = " ".join(entry.summary.split())[:200] or f"Overview of {id_}."
            offers.append(ResourceListing(f"{REPOSITORIES}/{id_}", id_, escape_controls(meaning)))
        return offers

    def read(self, uri: str) -> str:
        """Read a resource. Raises: RequestError."""
        if uri == REPOSITORIES:
            return token_counting.truncate_end("\n".join(_lines(self._listed())) or "no repositories", self._most)
        if uri == SCHEMA:
            return token_counting.truncate_end("\n".join(self._schema_lines()), self._most)
        if uri == QUERIES:
            return token_counting.truncate_end("\n".join(self._query_lines()), self._most)
        repository = unquote(uri.removeprefix(f"{REPOSITORIES}/"))
        if not uri.startswith(f"{REPOSITORIES}/") or (self._repositories and repository not in self._repositories):
            raise request_error(
                "NOT_FOUND", f"no resource {uri!r}; there are {REPOSITORIES}, {SCHEMA}, {QUERIES} and {REPOSITORY}"
            )
        reserved = _reserved_tokens(self._most)
        answer = self._api.code.build_context(
            pb.BuildContextRequest(repository=repository, max_tokens=self._most - reserved)
        )
        return _joined(answer.text, [], answer.basis, self._most)

    def _listed(self) -> Iterator[pb.Repository]:
        for page in iterate_pages(self._api.repositories.list_repositories, pb.ListRepositoriesRequest(page_size=100)):
            for entry in page.repositories:
                if not self._repositories or short(entry.name) in self._repositories:
                    yield entry

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


def _tool_caller(tools: ToolApi) -> ToolCaller:
    """Return what calls a tool, here or on another server."""
    if "cancelled" in inspect.signature(tools.call_tool).parameters:
        return cast(ToolCaller, tools.call_tool)
    return functools.partial(_call_remotely, cast("ToolClient", tools))


def _call_remotely(
    tools: ToolClient, request: pb.CallToolRequest, cancelled: Callable[[], bool], _client: str
) -> pb.CallToolResponse:
    """Call a tool of another server, which names the client itself; a cancelled call ends there too."""
    import grpc

    def wait(request: pb.CallToolRequest, **options: Any) -> pb.CallToolResponse:
        call: Any = tools.stub.CallTool.future(request, **options)
        while not cancelled():
            with suppress(grpc.FutureTimeoutError):
                return cast(pb.CallToolResponse, call.result(timeout=_POLL_SECONDS))
        call.cancel()
        raise request_error("CANCELLED", "the call was cancelled")

    return cast(pb.CallToolResponse, tools.link.unary(cast(Any, wait), request))


def _properties(properties: Iterable[pb.Property]) -> str:
    return "; ".join(f"`{item.name}` ({item.kind}): {item.meaning}" for item in properties)


def _lines(entries: Iterable[pb.Repository]) -> Iterator[str]:
    for entry in entries:
        summary = escape_controls(" ".join(entry.summary.split()))[:300]
        yield f"- {short(entry.name)} ({', '.join(entry.languages)}; {count_noun(entry.files, 'file')}, {count_noun(entry.lines, 'line')}): {summary}"


def _reserved_tokens(budget: int) -> int:
    """Return the tokens of a budget that are reserved for the basis."""
    return min(400, budget // 3)


def _joined(text: str, notes: Sequence[str], basis: pb.AnswerBasis, budget: int) -> str:
    """Join the text, the notes and the basis; notes and basis are truncated, never the text."""
    shown = escape_controls(text).rstrip()
    left = budget - token_counting.count_tokens(shown) - 2
    told = token_counting.truncate_end("\n".join([*notes, *format_basis(basis)]), left) if left > 0 else ""
    return f"{shown}\n\n{told}" if told else shown
