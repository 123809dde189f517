"""Implementation of ToolService: lists the read-only tools of the agent and runs one of them for a client of the service."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from functools import cached_property, partial

import msgspec

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.tools.base import Tool, ToolContext, available_tools, offered_schema
from repoquarry.code.excerpts.evidence_pack import EvidenceSessions
from repoquarry.code.excerpts.text_truncation import truncate_view
from repoquarry.code.reader import CodeReader
from repoquarry.execution.errors import UnknownNameError
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder, select_text_repositories
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.application.tasks import place_message
from repoquarry.server.errors import request_error
from repoquarry.server.resource_names import repositories_of
from repoquarry.server.value_messages import build_message
from repoquarry.v1 import tool_service_pb2 as pb

_PLACES = 100
_OF_CALLS = frozenset({"explore", "relations", "paths"})
"""Tools whose answers unresolved calls of the names in them may affect."""


class ToolApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._bases = bases
        self._sessions = EvidenceSessions()

    @cached_property
    def _tools(self) -> Mapping[str, type[Tool]]:
        return {tool.name: tool for tool in available_tools(workspace=False, task=False)}

    def list_tools(self, request: pb.ListToolsRequest) -> pb.ListToolsResponse:
        stored = self._host.store.repositories()
        tools = [
            build_message(pb.Tool, tool, arguments_schema=json.dumps(offered_schema(tool, stored)))
            for tool in self._tools.values()
        ]
        return pb.ListToolsResponse(tools=tools)

    def call_tool(
        self, request: pb.CallToolRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.CallToolResponse:
        """Run a tool; `cancelled` ends its query, and `client` is the client whose turn the query takes."""
        tool = self._tools.get(request.tool)
        if tool is None:
            raise request_error(
                "TOOL_NOT_FOUND", str(UnknownNameError("tool", request.tool, self._tools)), tool=request.tool
            )
        from repoquarry.server.repository_search import offer_repositories  # Loads an HTTP client.

        limit = resource_names.bounded("max_tokens", request.max_tokens, 8_000, 200_000)
        store, settings = self._host.store, self._host.settings.agent
        asked = repositories_of(request.repositories)
        scope, notes = select_text_repositories(store, asked)
        repositories = tuple(scope)
        arguments = _arguments(tool, request.arguments)
        context = ToolContext(
            *(CodeReader(store), repositories, request.task, settings, cancelled),
            search=partial(offer_repositories, store, settings),
            client=client,
            sessions=self._sessions,
        )
        result = tool.call(context, arguments)
        task = request.task or " ".join(value for value in arguments.values() if isinstance(value, str))
        chosen = truncate_view(result.view, task, dataclasses.replace(settings.selection, view_tokens=limit))
        return pb.CallToolResponse(
            text=chosen.text,
            tokens=chosen.tokens_after,
            tokens_before=chosen.tokens_before,
            summary=result.summary,
            places=[place_message(place) for place in result.places[:_PLACES]],
            basis=self._bases.of(
                _based_on(result, context, arguments), _relevant_names(tool, result, arguments), notes
            ),
        )


def _arguments(tool: type[Tool], text: str) -> Mapping[str, object]:
    """Parse the arguments of a call. Raises: ToolArgumentsError."""
    try:
        return msgspec.json.decode(text or "{}", type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeEncodeError) as exc:
        raise ToolArgumentsError(f"{tool.name}: the arguments are not a JSON object: {exc}") from exc


def _based_on(result: ToolResult, context: ToolContext, arguments: Mapping[str, object]) -> set[str]:
    """Return the repositories that an answer is based on: those of its places, or else all that were searched."""
    named = arguments.get("repository")
    if isinstance(named, str) and named:
        return set(context.chosen(named))
    return {place.repository for place in result.places} or set(context.repositories)


def _relevant_names(tool: type[Tool], result: ToolResult, arguments: Mapping[str, object]) -> set[str] | None:
    """Return the short names whose unresolved calls may affect the answer; None if any may."""
    if tool.name == "cypher":
        return None
    if tool.name not in _OF_CALLS:
        return set()
    named = {str(value) for key, value in arguments.items() if key != "repository" and isinstance(value, str)}
    if tool.name != "explore":  # An evidence pack is about its target only.
        named |= {place.qualname for place in result.places}
    return {name.rpartition("::")[2].rpartition(".")[2] for name in named}
