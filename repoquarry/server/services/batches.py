"""BatchService on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from repoquarry.server.access.auth import Callers
from repoquarry.server.application.indexing.batches import BatchApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import batch_service_pb2 as pb
from repoquarry.v1.batch_service_pb2_grpc import BatchServiceServicer


class BatchServicer(BatchServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: BatchApplication, calls: Calls, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateBatch(self, request: pb.CreateBatchRequest, context: Context) -> pb.CreateBatchResponse:
        create = partial(self._application.create_batch, caller=self._callers.of(context))
        return await self._calls.answer(context, create, request)

    async def GetBatch(self, request: pb.GetBatchRequest, context: Context) -> pb.GetBatchResponse:
        return await self._calls.answer(context, self._application.get_batch, request)

    async def ListBatches(self, request: pb.ListBatchesRequest, context: Context) -> pb.ListBatchesResponse:
        return await self._calls.answer(context, self._application.list_batches, request)

    async def ListBatchOutcomes(
        self, request: pb.ListBatchOutcomesRequest, context: Context
    ) -> pb.ListBatchOutcomesResponse:
        return await self._calls.answer(context, self._application.list_batch_outcomes, request)

    async def CancelBatch(self, request: pb.CancelBatchRequest, context: Context) -> pb.CancelBatchResponse:
        cancel = partial(self._application.cancel_batch, caller=self._callers.of(context))
        return await self._calls.answer(context, cancel, request)

    async def StreamBatchEvents(
        self, request: pb.StreamBatchEventsRequest, context: Context
    ) -> AsyncIterator[pb.StreamBatchEventsResponse]:
        read = self._application.read_batch_events
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part
