"""The client for an event loop: the same methods as `repoquarry.server.client`, awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType

from repoquarry.server.link import AsyncLink
from repoquarry.server.settings import ClientSettings
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import code_service_pb2_grpc as code_grpc
from repoquarry.v1 import index_service_pb2 as index_pb
from repoquarry.v1 import index_service_pb2_grpc as index_grpc
from repoquarry.v1 import query_service_pb2 as query_pb
from repoquarry.v1 import query_service_pb2_grpc as query_grpc
from repoquarry.v1 import repository_service_pb2 as repository_pb
from repoquarry.v1 import repository_service_pb2_grpc as repository_grpc
from repoquarry.v1 import task_service_pb2 as task_pb
from repoquarry.v1 import task_service_pb2_grpc as task_grpc


class AsyncIndexClient:
    """IndexService."""

    def __init__(self, link: AsyncLink) -> None:
        self._link = link
        self._stub = index_grpc.IndexServiceStub(link.channel)

    async def create_index_job(self, request: index_pb.CreateIndexJobRequest) -> index_pb.CreateIndexJobResponse:
        return await self._link.unary(self._stub.CreateIndexJob, request)

    async def get_index_job(self, request: index_pb.GetIndexJobRequest) -> index_pb.GetIndexJobResponse:
        return await self._link.unary(self._stub.GetIndexJob, request)

    async def list_index_jobs(self, request: index_pb.ListIndexJobsRequest) -> index_pb.ListIndexJobsResponse:
        return await self._link.unary(self._stub.ListIndexJobs, request)

    async def cancel_index_job(self, request: index_pb.CancelIndexJobRequest) -> index_pb.CancelIndexJobResponse:
        return await self._link.unary(self._stub.CancelIndexJob, request)

    def stream_index_events(
        self, request: index_pb.StreamIndexEventsRequest
    ) -> AsyncIterator[index_pb.StreamIndexEventsResponse]:
        """Events behind `after_sequence`; a broken connection is taken up again behind the last one."""
        return self._link.events(self._stub.StreamIndexEvents, request)


class AsyncRepositoryClient:
    """RepositoryService."""

    def __init__(self, link: AsyncLink) -> None:
        self._link = link
        self._stub = repository_grpc.RepositoryServiceStub(link.channel)

    async def get_repository(self, request: repository_pb.GetRepositoryRequest) -> repository_pb.GetRepositoryResponse:
        return await self._link.unary(self._stub.GetRepository, request)

    async def list_repositories(
        self, request: repository_pb.ListRepositoriesRequest
    ) -> repository_pb.ListRepositoriesResponse:
        return await self._link.unary(self._stub.ListRepositories, request)

    async def delete_repository(
        self, request: repository_pb.DeleteRepositoryRequest
    ) -> repository_pb.DeleteRepositoryResponse:
        return await self._link.unary(self._stub.DeleteRepository, request)

    async def find_repositories(
        self, request: repository_pb.FindRepositoriesRequest
    ) -> repository_pb.FindRepositoriesResponse:
        return await self._link.unary(self._stub.FindRepositories, request)


class AsyncQueryClient:
    """QueryService."""

    def __init__(self, link: AsyncLink) -> None:
        self._link = link
        self._stub = query_grpc.QueryServiceStub(link.channel)

    async def get_schema(self, request: query_pb.GetSchemaRequest) -> query_pb.GetSchemaResponse:
        return await self._link.unary(self._stub.GetSchema, request)

    def execute_cypher(self, request: query_pb.ExecuteCypherRequest) -> AsyncIterator[query_pb.ExecuteCypherResponse]:
        return self._link.stream(self._stub.ExecuteCypher, request)


class AsyncCodeClient:
    """CodeService."""

    def __init__(self, link: AsyncLink) -> None:
        self._link = link
        self._stub = code_grpc.CodeServiceStub(link.channel)

    async def search(self, request: code_pb.SearchRequest) -> code_pb.SearchResponse:
        return await self._link.unary(self._stub.Search, request)

    async def locate(self, request: code_pb.LocateRequest) -> code_pb.LocateResponse:
        return await self._link.unary(self._stub.Locate, request)

    async def resolve_name(self, request: code_pb.ResolveNameRequest) -> code_pb.ResolveNameResponse:
        return await self._link.unary(self._stub.ResolveName, request)

    async def read_source(self, request: code_pb.ReadSourceRequest) -> code_pb.ReadSourceResponse:
        return await self._link.unary(self._stub.ReadSource, request)

    async def get_tree(self, request: code_pb.GetTreeRequest) -> code_pb.GetTreeResponse:
        return await self._link.unary(self._stub.GetTree, request)

    async def list_relations(self, request: code_pb.ListRelationsRequest) -> code_pb.ListRelationsResponse:
        return await self._link.unary(self._stub.ListRelations, request)

    async def find_paths(self, request: code_pb.FindPathsRequest) -> code_pb.FindPathsResponse:
        return await self._link.unary(self._stub.FindPaths, request)

    async def build_context(self, request: code_pb.BuildContextRequest) -> code_pb.BuildContextResponse:
        return await self._link.unary(self._stub.BuildContext, request)


class AsyncTaskClient:
    """TaskService."""

    def __init__(self, link: AsyncLink) -> None:
        self._link = link
        self._stub = task_grpc.TaskServiceStub(link.channel)

    async def create_task(self, request: task_pb.CreateTaskRequest) -> task_pb.CreateTaskResponse:
        return await self._link.unary(self._stub.CreateTask, request)

    async def get_task(self, request: task_pb.GetTaskRequest) -> task_pb.GetTaskResponse:
        return await self._link.unary(self._stub.GetTask, request)

    async def list_tasks(self, request: task_pb.ListTasksRequest) -> task_pb.ListTasksResponse:
        return await self._link.unary(self._stub.ListTasks, request)

    async def cancel_task(self, request: task_pb.CancelTaskRequest) -> task_pb.CancelTaskResponse:
        return await self._link.unary(self._stub.CancelTask, request)

    async def approve_task_action(self, request: task_pb.ApproveTaskActionRequest) -> task_pb.ApproveTaskActionResponse:
        return await self._link.unary(self._stub.ApproveTaskAction, request)

    def stream_task_events(
        self, request: task_pb.StreamTaskEventsRequest
    ) -> AsyncIterator[task_pb.StreamTaskEventsResponse]:
        """Events behind `after_sequence`; a broken connection is taken up again behind the last one."""
        return self._link.events(self._stub.StreamTaskEvents, request)


class AsyncClient:
    """All services of one server. Methods raise `RequestError`."""

    def __init__(self, settings: ClientSettings) -> None:
        self._link = AsyncLink(settings)
        self.index = AsyncIndexClient(self._link)
        self.repositories = AsyncRepositoryClient(self._link)
        self.queries = AsyncQueryClient(self._link)
        self.code = AsyncCodeClient(self._link)
        self.tasks = AsyncTaskClient(self._link)

    async def close(self) -> None:
        await self._link.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
