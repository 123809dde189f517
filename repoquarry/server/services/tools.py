"""ToolService on the wire."""

from __future__ import annotations

from repoquarry.server.application.tools import ToolApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import tool_service_pb2 as pb
from repoquarry.v1.tool_service_pb2_grpc import ToolServiceServicer


class ToolServicer(ToolServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: ToolApplication, calls: Calls) -> None:
        self._application = application
        self._calls = calls

    async def ListTools(self, request: pb.ListToolsRequest, context: Context) -> pb.ListToolsResponse:
        return await self._calls.answer(context, self._application.list_tools, request)

    async def CallTool(self, request: pb.CallToolRequest, context: Context) -> pb.CallToolResponse:
        return await self._calls.answer(context, self._application.call_tool, request)
