"""TaskService on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator

from repoquarry.server.application.tasks import TaskApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import task_service_pb2 as pb
from repoquarry.v1.task_service_pb2_grpc import TaskServiceServicer


class TaskServicer(TaskServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: TaskApplication, calls: Calls) -> None:
        self._application = application
        self._calls = calls

    async def CreateTask(self, request: pb.CreateTaskRequest, context: Context) -> pb.CreateTaskResponse:
        return await self._calls.answer(context, self._application.create_task, request)

    async def GetTask(self, request: pb.GetTaskRequest, context: Context) -> pb.GetTaskResponse:
        return await self._calls.answer(context, self._application.get_task, request)

    async def ListTasks(self, request: pb.ListTasksRequest, context: Context) -> pb.ListTasksResponse:
        return await self._calls.answer(context, self._application.list_tasks, request)

    async def CancelTask(self, request: pb.CancelTaskRequest, context: Context) -> pb.CancelTaskResponse:
        return await self._calls.answer(context, self._application.cancel_task, request)

    async def ApproveTaskAction(
        self, request: pb.ApproveTaskActionRequest, context: Context
    ) -> pb.ApproveTaskActionResponse:
        return await self._calls.answer(context, self._application.approve_task_action, request)

    async def StreamTaskEvents(
        self, request: pb.StreamTaskEventsRequest, context: Context
    ) -> AsyncIterator[pb.StreamTaskEventsResponse]:
        read = self._application.read_task_events
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part
