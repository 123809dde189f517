"""QueryService on the wire."""

from __future__ import annotations

from repoquarry.server.application.queries import QueryApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import query_service_pb2 as pb
from repoquarry.v1.query_service_pb2_grpc import QueryServiceServicer


class QueryServicer(QueryServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: QueryApplication, calls: Calls, reader_seconds: float) -> None:
        self._application = application
        self._calls = calls
        self._reader_seconds = reader_seconds

    async def GetSchema(self, request: pb.GetSchemaRequest, context: Context) -> pb.GetSchemaResponse:
        return await self._calls.answer(context, self._application.get_schema, request)

    async def ExecuteCypher(self, request: pb.ExecuteCypherRequest, context: Context) -> None:  # type: ignore[override]
        """Writes its parts itself, to know when nobody reads them."""
        await self._calls.stream(context, self._application.execute_cypher, request, self._reader_seconds)
