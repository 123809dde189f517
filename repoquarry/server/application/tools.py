"""Implementation of ToolService: lists the operations on code as tools, and runs one of them for a client of the service."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from repoquarry.code.excerpts.evidence_pack import EvidenceSessions
from repoquarry.code.reader import CodeReader
from repoquarry.execution.errors import ToolArgumentsError, UnknownNameError
from repoquarry.operations.base import Operation, OperationScope, offered_schema
from repoquarry.operations.run import OperationAnswer, run_operation
from repoquarry.operations.table import OPERATIONS, load_operation
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder, select_text_repositories
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.application.tasks import place_message
from repoquarry.server.errors import request_error
from repoquarry.server.resource_names import repositories_of
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import basis_pb2
from repoquarry.v1 import tool_service_pb2 as pb

_PLACES = 100


@dataclass(frozen=True)
class ToolRequest:
    """Call of a tool in this process."""

    tool: str
    arguments: Mapping[str, object]
    repositories: Sequence[str] = ()
    """Names of the repositories that the call may read; empty for all."""
    task: str = ""
    max_tokens: int = 0


class ToolApplication:
    def __init__(self, host: ApplicationContext, bases: BasisBuilder) -> None:
        self._host = host
        self._bases = bases
        self._sessions = EvidenceSessions()

    def list_tools(self, request: pb.ListToolsRequest) -> pb.ListToolsResponse:
        stored = self._host.store.repositories()
        tools = map(load_operation, OPERATIONS)
        return pb.ListToolsResponse(
            tools=[
                to_message(pb.Tool, tool, arguments_schema=json.dumps(offered_schema(tool, stored))) for tool in tools
            ]
        )

    def call_tool(
        self, request: pb.CallToolRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.CallToolResponse:
        """Run a tool; `cancelled` ends its query, and `client` is the client whose turn the query takes."""
        tool = _load_tool(request.tool)
        arguments, scope = _parse(tool, request.arguments), repositories_of(request.repositories)
        asked = ToolRequest(request.tool, arguments, scope, request.task, request.max_tokens)
        answer, basis = self.run(asked, cancelled, client)
        return pb.CallToolResponse(
            text=answer.text,
            tokens=answer.tokens,
            tokens_before=answer.tokens_before,
            summary=answer.summary,
            places=[place_message(place) for place in answer.places[:_PLACES]],
            basis=basis,
        )

    def run(
        self, request: ToolRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> tuple[OperationAnswer, basis_pb2.AnswerBasis]:
        """Run a tool as `call_tool`; return its answer with the basis."""
        from repoquarry.server.repository_search import offer_repositories  # Loads an HTTP client.

        limit = resource_names.bounded("max_tokens", request.max_tokens, 8_000, 200_000)
        store, settings = self._host.store, self._host.settings.agent
        chosen, notes = select_text_repositories(store, request.repositories)
        scope = OperationScope(
            *(CodeReader(store), tuple(chosen), cancelled, settings.query_rows, settings.query_seconds),
            search=partial(offer_repositories, store, settings, cancelled),
            client=client,
            sessions=self._sessions,
        )
        selection = replace(settings.selection, view_tokens=limit)
        answer = run_operation(_load_tool(request.tool), request.arguments, scope, selection, request.task)
        names = None if answer.relevant_names is None else set(answer.relevant_names)
        return answer, self._bases.of(set(answer.repositories), names, notes)


def _load_tool(name: str) -> type[Operation]:
    """Return the operation that is offered as a tool. Raises: RequestError."""
    try:
        return load_operation(name)
    except UnknownNameError as exc:
        raise request_error("TOOL_NOT_FOUND", str(exc), tool=name) from exc


def _parse(tool: type[Operation], text: str) -> Mapping[str, object]:
    """Parse the arguments of a call. Raises: ToolArgumentsError."""
    try:
        return msgspec.json.decode(text or "{}", type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeEncodeError) as exc:
        raise ToolArgumentsError(f"{tool.name}: the arguments are not a JSON object: {exc}") from exc
