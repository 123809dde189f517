"""TaskService on the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from repoquarry.server.access.auth import Callers
from repoquarry.server.application.tasks.service import TaskApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import task_service_pb2 as pb
from repoquarry.v1.task_service_pb2_grpc import TaskServiceServicer


class TaskServicer(TaskServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: TaskApplication, calls: Calls, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateTask(self, request: pb.CreateTaskRequest, context: Context) -> pb.CreateTaskResponse:
        create = partial(self._application.create_task, caller=self._callers.of(context))
        return await self._calls.answer(context, create, request)

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

    async def UploadTaskInput(
        self, requests: AsyncIterator[pb.UploadTaskInputRequest], context: Context
    ) -> pb.UploadTaskInputResponse:
        receive = partial(self._application.files.receive, self._callers.of(context))
        return await self._calls.receive(context, receive, requests)

    async def ListTaskFiles(self, request: pb.ListTaskFilesRequest, context: Context) -> pb.ListTaskFilesResponse:
        listed = partial(self._application.list_task_files, caller=self._callers.of(context))
        return await self._calls.answer(context, listed, request)

    async def ReadTaskFile(
        self, request: pb.ReadTaskFileRequest, context: Context
    ) -> AsyncIterator[pb.ReadTaskFileResponse]:
        read = partial(self._application.read_task_file, caller=self._callers.of(context))
        async for part in self._calls.parts(context, read, request):
            yield part

    async def DeleteTaskFiles(self, request: pb.DeleteTaskFilesRequest, context: Context) -> pb.DeleteTaskFilesResponse:
        delete = partial(self._application.delete_task_files, caller=self._callers.of(context))
        return await self._calls.answer(context, delete, request)
