"""EnvironmentService on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from repoquarry.server.access.auth import Callers
from repoquarry.server.application.environments.service import EnvironmentApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import environment_service_pb2 as pb
from repoquarry.v1.environment_service_pb2_grpc import EnvironmentServiceServicer


class EnvironmentServicer(EnvironmentServiceServicer):
    """Passes each call on to the application, with whose it is."""

    def __init__(self, application: EnvironmentApplication, calls: Calls, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateProvisioning(
        self, request: pb.CreateProvisioningRequest, context: Context
    ) -> pb.CreateProvisioningResponse:
        create = partial(self._application.create_provisioning, caller=self._callers.of(context))
        return await self._calls.answer(context, create, request)

    async def GetProvisioning(self, request: pb.GetProvisioningRequest, context: Context) -> pb.GetProvisioningResponse:
        get = partial(self._application.get_provisioning, caller=self._callers.of(context))
        return await self._calls.answer(context, get, request)

    async def ListProvisionings(
        self, request: pb.ListProvisioningsRequest, context: Context
    ) -> pb.ListProvisioningsResponse:
        listed = partial(self._application.list_provisionings, caller=self._callers.of(context))
        return await self._calls.answer(context, listed, request)

    async def CancelProvisioning(
        self, request: pb.CancelProvisioningRequest, context: Context
    ) -> pb.CancelProvisioningResponse:
        cancel = partial(self._application.cancel_provisioning, caller=self._callers.of(context))
        return await self._calls.answer(context, cancel, request)

    async def ListEnvironments(
        self, request: pb.ListEnvironmentsRequest, context: Context
    ) -> pb.ListEnvironmentsResponse:
        listed = partial(self._application.list_environments, caller=self._callers.of(context))
        return await self._calls.answer(context, listed, request)

    async def DeleteEnvironment(
        self, request: pb.DeleteEnvironmentRequest, context: Context
    ) -> pb.DeleteEnvironmentResponse:
        delete = partial(self._application.delete_environment, caller=self._callers.of(context))
        return await self._calls.answer(context, delete, request)

    async def StreamProvisioningEvents(
        self, request: pb.StreamProvisioningEventsRequest, context: Context
    ) -> AsyncIterator[pb.StreamProvisioningEventsResponse]:
        read = partial(self._application.read_provisioning_events, caller=self._callers.of(context))
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part
