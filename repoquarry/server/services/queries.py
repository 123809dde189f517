"""QueryService on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator

from repoquarry.server.application.queries import QueryApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import query_service_pb2 as pb
from repoquarry.v1.query_service_pb2_grpc import QueryServiceServicer


class QueryServicer(QueryServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: QueryApplication, calls: Calls) -> None:
        self._application = application
        self._calls = calls

    async def GetSchema(self, request: pb.GetSchemaRequest, context: Context) -> pb.GetSchemaResponse:
        return await self._calls.answer(context, self._application.get_schema, request)

    async def ExecuteCypher(
        self, request: pb.ExecuteCypherRequest, context: Context
    ) -> AsyncIterator[pb.ExecuteCypherResponse]:
        async for part in self._calls.stream(context, self._application.execute_cypher, request):
            yield part
