"""IndexService on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator

from repoquarry.server.application.indexing.service import IndexApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import index_service_pb2 as pb
from repoquarry.v1.index_service_pb2_grpc import IndexServiceServicer


class IndexServicer(IndexServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: IndexApplication, calls: Calls) -> None:
        self._application = application
        self._calls = calls

    async def CreateIndexJob(self, request: pb.CreateIndexJobRequest, context: Context) -> pb.CreateIndexJobResponse:
        return await self._calls.answer(context, self._application.create_index_job, request)

    async def GetIndexJob(self, request: pb.GetIndexJobRequest, context: Context) -> pb.GetIndexJobResponse:
        return await self._calls.answer(context, self._application.get_index_job, request)

    async def ListIndexJobs(self, request: pb.ListIndexJobsRequest, context: Context) -> pb.ListIndexJobsResponse:
        return await self._calls.answer(context, self._application.list_index_jobs, request)

    async def CancelIndexJob(self, request: pb.CancelIndexJobRequest, context: Context) -> pb.CancelIndexJobResponse:
        return await self._calls.answer(context, self._application.cancel_index_job, request)

    async def StreamIndexEvents(
        self, request: pb.StreamIndexEventsRequest, context: Context
    ) -> AsyncIterator[pb.StreamIndexEventsResponse]:
        read = self._application.read_index_events
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part
