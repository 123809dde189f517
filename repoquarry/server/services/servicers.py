"""Servicers of all services (to be generated from descriptors)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from repoquarry.server.application.batches import BatchApplication
from repoquarry.server.application.code import CodeApplication
from repoquarry.server.application.environments import EnvironmentApplication
from repoquarry.server.application.indexing import IndexApplication
from repoquarry.server.application.queries import QueryApplication
from repoquarry.server.application.repositories import RepositoryApplication
from repoquarry.server.application.tasks import TaskApplication
from repoquarry.server.application.tools import ToolApplication
from repoquarry.server.authentication import Callers
from repoquarry.server.services.rpc_executor import Context, RpcExecutor
from repoquarry.v1 import batch_service_pb2 as pb_of_batches
from repoquarry.v1 import code_service_pb2 as pb_of_code
from repoquarry.v1 import environment_service_pb2 as pb_of_environments
from repoquarry.v1 import index_service_pb2 as pb_of_index
from repoquarry.v1 import query_service_pb2 as pb_of_queries
from repoquarry.v1 import repository_service_pb2 as pb_of_repositories
from repoquarry.v1 import task_service_pb2 as pb_of_tasks
from repoquarry.v1 import tool_service_pb2 as pb
from repoquarry.v1.batch_service_pb2_grpc import BatchServiceServicer
from repoquarry.v1.code_service_pb2_grpc import CodeServiceServicer
from repoquarry.v1.environment_service_pb2_grpc import EnvironmentServiceServicer
from repoquarry.v1.index_service_pb2_grpc import IndexServiceServicer
from repoquarry.v1.query_service_pb2_grpc import QueryServiceServicer
from repoquarry.v1.repository_service_pb2_grpc import RepositoryServiceServicer
from repoquarry.v1.task_service_pb2_grpc import TaskServiceServicer
from repoquarry.v1.tool_service_pb2_grpc import ToolServiceServicer


class BatchServicer(BatchServiceServicer):
    """Passes each call on to the application, with whose it is."""

    def __init__(self, application: BatchApplication, calls: RpcExecutor, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateBatch(
        self, request: pb_of_batches.CreateBatchRequest, context: Context
    ) -> pb_of_batches.CreateBatchResponse:
        create = partial(self._application.create_batch, caller=self._callers.of(context))
        return await self._calls.answer(context, create, request)

    async def GetBatch(
        self, request: pb_of_batches.GetBatchRequest, context: Context
    ) -> pb_of_batches.GetBatchResponse:
        method = partial(self._application.get_batch, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def ListBatches(
        self, request: pb_of_batches.ListBatchesRequest, context: Context
    ) -> pb_of_batches.ListBatchesResponse:
        method = partial(self._application.list_batches, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def ListBatchOutcomes(
        self, request: pb_of_batches.ListBatchOutcomesRequest, context: Context
    ) -> pb_of_batches.ListBatchOutcomesResponse:
        method = partial(self._application.list_batch_outcomes, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def CancelBatch(
        self, request: pb_of_batches.CancelBatchRequest, context: Context
    ) -> pb_of_batches.CancelBatchResponse:
        cancel = partial(self._application.cancel_batch, caller=self._callers.of(context))
        return await self._calls.answer(context, cancel, request)

    async def StreamBatchEvents(
        self, request: pb_of_batches.StreamBatchEventsRequest, context: Context
    ) -> AsyncIterator[pb_of_batches.StreamBatchEventsResponse]:
        read = partial(self._application.read_batch_events, caller=self._callers.of(context))
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part


class CodeServicer(CodeServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: CodeApplication, calls: RpcExecutor) -> None:
        self._application = application
        self._calls = calls

    async def Search(self, request: pb_of_code.SearchRequest, context: Context) -> pb_of_code.SearchResponse:
        return await self._calls.answer_cancellable(context, self._application.search, request)

    async def Locate(self, request: pb_of_code.LocateRequest, context: Context) -> pb_of_code.LocateResponse:
        return await self._calls.answer(context, self._application.locate, request)

    async def ResolveName(
        self, request: pb_of_code.ResolveNameRequest, context: Context
    ) -> pb_of_code.ResolveNameResponse:
        return await self._calls.answer(context, self._application.resolve_name, request)

    async def ReadSource(
        self, request: pb_of_code.ReadSourceRequest, context: Context
    ) -> pb_of_code.ReadSourceResponse:
        return await self._calls.answer(context, self._application.read_source, request)

    async def GetTree(self, request: pb_of_code.GetTreeRequest, context: Context) -> pb_of_code.GetTreeResponse:
        return await self._calls.answer(context, self._application.get_tree, request)

    async def ListRelations(
        self, request: pb_of_code.ListRelationsRequest, context: Context
    ) -> pb_of_code.ListRelationsResponse:
        return await self._calls.answer(context, self._application.list_relations, request)

    async def FindPaths(self, request: pb_of_code.FindPathsRequest, context: Context) -> pb_of_code.FindPathsResponse:
        return await self._calls.answer(context, self._application.find_paths, request)

    async def ListOwners(
        self, request: pb_of_code.ListOwnersRequest, context: Context
    ) -> pb_of_code.ListOwnersResponse:
        return await self._calls.answer(context, self._application.list_owners, request)

    async def CompareRepositories(
        self, request: pb_of_code.CompareRepositoriesRequest, context: Context
    ) -> pb_of_code.CompareRepositoriesResponse:
        return await self._calls.answer(context, self._application.compare_repositories, request)

    async def AnalyzeImpact(
        self, request: pb_of_code.AnalyzeImpactRequest, context: Context
    ) -> pb_of_code.AnalyzeImpactResponse:
        return await self._calls.answer(context, self._application.analyze_impact, request)

    async def FindDuplicates(
        self, request: pb_of_code.FindDuplicatesRequest, context: Context
    ) -> pb_of_code.FindDuplicatesResponse:
        return await self._calls.answer(context, self._application.find_duplicates, request)

    async def BuildContext(
        self, request: pb_of_code.BuildContextRequest, context: Context
    ) -> pb_of_code.BuildContextResponse:
        return await self._calls.answer(context, self._application.build_context, request)


class EnvironmentServicer(EnvironmentServiceServicer):
    """Passes each call on to the application, with whose it is."""

    def __init__(self, application: EnvironmentApplication, calls: RpcExecutor, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateProvisioning(
        self, request: pb_of_environments.CreateProvisioningRequest, context: Context
    ) -> pb_of_environments.CreateProvisioningResponse:
        create = partial(self._application.create_provisioning, caller=self._callers.of(context))
        return await self._calls.answer(context, create, request)

    async def GetProvisioning(
        self, request: pb_of_environments.GetProvisioningRequest, context: Context
    ) -> pb_of_environments.GetProvisioningResponse:
        get = partial(self._application.get_provisioning, caller=self._callers.of(context))
        return await self._calls.answer(context, get, request)

    async def ListProvisionings(
        self, request: pb_of_environments.ListProvisioningsRequest, context: Context
    ) -> pb_of_environments.ListProvisioningsResponse:
        listed = partial(self._application.list_provisionings, caller=self._callers.of(context))
        return await self._calls.answer(context, listed, request)

    async def CancelProvisioning(
        self, request: pb_of_environments.CancelProvisioningRequest, context: Context
    ) -> pb_of_environments.CancelProvisioningResponse:
        cancel = partial(self._application.cancel_provisioning, caller=self._callers.of(context))
        return await self._calls.answer(context, cancel, request)

    async def ListEnvironments(
        self, request: pb_of_environments.ListEnvironmentsRequest, context: Context
    ) -> pb_of_environments.ListEnvironmentsResponse:
        listed = partial(self._application.list_environments, caller=self._callers.of(context))
        return await self._calls.answer(context, listed, request)

    async def DeleteEnvironment(
        self, request: pb_of_environments.DeleteEnvironmentRequest, context: Context
    ) -> pb_of_environments.DeleteEnvironmentResponse:
        delete = partial(self._application.delete_environment, caller=self._callers.of(context))
        return await self._calls.answer(context, delete, request)

    async def StreamProvisioningEvents(
        self, request: pb_of_environments.StreamProvisioningEventsRequest, context: Context
    ) -> AsyncIterator[pb_of_environments.StreamProvisioningEventsResponse]:
        read = partial(self._application.read_provisioning_events, caller=self._callers.of(context))
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part


class IndexServicer(IndexServiceServicer):
    """Passes each call on to the application, with whose it is."""

    def __init__(self, application: IndexApplication, calls: RpcExecutor, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateIndexJob(
        self, request: pb_of_index.CreateIndexJobRequest, context: Context
    ) -> pb_of_index.CreateIndexJobResponse:
        method = partial(self._application.create_index_job, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def GetIndexJob(
        self, request: pb_of_index.GetIndexJobRequest, context: Context
    ) -> pb_of_index.GetIndexJobResponse:
        method = partial(self._application.get_index_job, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def ListIndexJobs(
        self, request: pb_of_index.ListIndexJobsRequest, context: Context
    ) -> pb_of_index.ListIndexJobsResponse:
        method = partial(self._application.list_index_jobs, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def CancelIndexJob(
        self, request: pb_of_index.CancelIndexJobRequest, context: Context
    ) -> pb_of_index.CancelIndexJobResponse:
        method = partial(self._application.cancel_index_job, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def StreamIndexEvents(
        self, request: pb_of_index.StreamIndexEventsRequest, context: Context
    ) -> AsyncIterator[pb_of_index.StreamIndexEventsResponse]:
        read = partial(self._application.read_index_events, caller=self._callers.of(context))
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part


class QueryServicer(QueryServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: QueryApplication, calls: RpcExecutor, reader_seconds: float) -> None:
        self._application = application
        self._calls = calls
        self._reader_seconds = reader_seconds

    async def GetSchema(
        self, request: pb_of_queries.GetSchemaRequest, context: Context
    ) -> pb_of_queries.GetSchemaResponse:
        return await self._calls.answer(context, self._application.get_schema, request)

    async def ExecuteCypher(self, request: pb_of_queries.ExecuteCypherRequest, context: Context) -> None:  # type: ignore[override]
        """Writes its parts itself, to know when nobody reads them."""
        await self._calls.stream(context, self._application.execute_cypher, request, self._reader_seconds)


class RepositoryServicer(RepositoryServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: RepositoryApplication, calls: RpcExecutor) -> None:
        self._application = application
        self._calls = calls

    async def GetRepository(
        self, request: pb_of_repositories.GetRepositoryRequest, context: Context
    ) -> pb_of_repositories.GetRepositoryResponse:
        return await self._calls.answer(context, self._application.get_repository, request)

    async def ListRepositories(
        self, request: pb_of_repositories.ListRepositoriesRequest, context: Context
    ) -> pb_of_repositories.ListRepositoriesResponse:
        return await self._calls.answer(context, self._application.list_repositories, request)

    async def DeleteRepository(
        self, request: pb_of_repositories.DeleteRepositoryRequest, context: Context
    ) -> pb_of_repositories.DeleteRepositoryResponse:
        return await self._calls.answer(context, self._application.delete_repository, request)

    async def FindRepositories(
        self, request: pb_of_repositories.FindRepositoriesRequest, context: Context
    ) -> pb_of_repositories.FindRepositoriesResponse:
        return await self._calls.answer(context, self._application.find_repositories, request)


class TaskServicer(TaskServiceServicer):
    """Passes each call on to the application, with whose it is."""

    def __init__(self, application: TaskApplication, calls: RpcExecutor, callers: Callers) -> None:
        self._application = application
        self._calls = calls
        self._callers = callers

    async def CreateTask(
        self, request: pb_of_tasks.CreateTaskRequest, context: Context
    ) -> pb_of_tasks.CreateTaskResponse:
        create = partial(self._application.create_task, caller=self._callers.of(context))
        return await self._calls.answer(context, create, request)

    async def GetTask(self, request: pb_of_tasks.GetTaskRequest, context: Context) -> pb_of_tasks.GetTaskResponse:
        method = partial(self._application.get_task, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def ListTasks(self, request: pb_of_tasks.ListTasksRequest, context: Context) -> pb_of_tasks.ListTasksResponse:
        method = partial(self._application.list_tasks, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def CancelTask(
        self, request: pb_of_tasks.CancelTaskRequest, context: Context
    ) -> pb_of_tasks.CancelTaskResponse:
        method = partial(self._application.cancel_task, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def ApproveTaskAction(
        self, request: pb_of_tasks.ApproveTaskActionRequest, context: Context
    ) -> pb_of_tasks.ApproveTaskActionResponse:
        method = partial(self._application.approve_task_action, caller=self._callers.of(context))
        return await self._calls.answer(context, method, request)

    async def StreamTaskEvents(
        self, request: pb_of_tasks.StreamTaskEventsRequest, context: Context
    ) -> AsyncIterator[pb_of_tasks.StreamTaskEventsResponse]:
        read = partial(self._application.read_task_events, caller=self._callers.of(context))
        async for part in self._calls.events(
            context, read, request.name, request.after_sequence, lambda part: part.event.sequence
        ):
            yield part

    async def UploadTaskInput(
        self, requests: AsyncIterator[pb_of_tasks.UploadTaskInputRequest], context: Context
    ) -> pb_of_tasks.UploadTaskInputResponse:
        receive = partial(self._application.files.receive, self._callers.of(context))
        return await self._calls.receive(context, receive, requests)

    async def ListTaskFiles(
        self, request: pb_of_tasks.ListTaskFilesRequest, context: Context
    ) -> pb_of_tasks.ListTaskFilesResponse:
        listed = partial(self._application.list_task_files, caller=self._callers.of(context))
        return await self._calls.answer(context, listed, request)

    async def ReadTaskFile(
        self, request: pb_of_tasks.ReadTaskFileRequest, context: Context
    ) -> AsyncIterator[pb_of_tasks.ReadTaskFileResponse]:
        read = partial(self._application.read_task_file, caller=self._callers.of(context))
        async for part in self._calls.parts(context, read, request):
            yield part

    async def DeleteTaskFiles(
        self, request: pb_of_tasks.DeleteTaskFilesRequest, context: Context
    ) -> pb_of_tasks.DeleteTaskFilesResponse:
        delete = partial(self._application.delete_task_files, caller=self._callers.of(context))
        return await self._calls.answer(context, delete, request)


class ToolServicer(ToolServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: ToolApplication, calls: RpcExecutor) -> None:
        self._application = application
        self._calls = calls

    async def ListTools(self, request: pb.ListToolsRequest, context: Context) -> pb.ListToolsResponse:
        return await self._calls.answer(context, self._application.list_tools, request)

    async def CallTool(self, request: pb.CallToolRequest, context: Context) -> pb.CallToolResponse:
        return await self._calls.answer_cancellable(context, self._application.call_tool, request)
