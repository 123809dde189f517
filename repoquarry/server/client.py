"""The blocking client: every method of the contract, typed, with tokens, deadlines and event streams that resume.

with Client(ClientSettings("127.0.0.1:50151", token="...")) as client:
    client.repositories.list_repositories(ListRepositoriesRequest())
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

from repoquarry.server.link import Link
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


class IndexClient:
    """IndexService."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stub = index_grpc.IndexServiceStub(link.channel)

    def create_index_job(self, request: index_pb.CreateIndexJobRequest) -> index_pb.CreateIndexJobResponse:
        return self._link.unary(self._stub.CreateIndexJob, request)

    def get_index_job(self, request: index_pb.GetIndexJobRequest) -> index_pb.GetIndexJobResponse:
        return self._link.unary(self._stub.GetIndexJob, request)

    def list_index_jobs(self, request: index_pb.ListIndexJobsRequest) -> index_pb.ListIndexJobsResponse:
        return self._link.unary(self._stub.ListIndexJobs, request)

    def cancel_index_job(self, request: index_pb.CancelIndexJobRequest) -> index_pb.CancelIndexJobResponse:
        return self._link.unary(self._stub.CancelIndexJob, request)

    def stream_index_events(
        self, request: index_pb.StreamIndexEventsRequest
    ) -> Iterator[index_pb.StreamIndexEventsResponse]:
        """Events behind `after_sequence`; a broken connection is taken up again behind the last one."""
        return self._link.events(self._stub.StreamIndexEvents, request)


class RepositoryClient:
    """RepositoryService."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stub = repository_grpc.RepositoryServiceStub(link.channel)

    def get_repository(self, request: repository_pb.GetRepositoryRequest) -> repository_pb.GetRepositoryResponse:
        return self._link.unary(self._stub.GetRepository, request)

    def list_repositories(
        self, request: repository_pb.ListRepositoriesRequest
    ) -> repository_pb.ListRepositoriesResponse:
        return self._link.unary(self._stub.ListRepositories, request)

    def delete_repository(
        self, request: repository_pb.DeleteRepositoryRequest
    ) -> repository_pb.DeleteRepositoryResponse:
        return self._link.unary(self._stub.DeleteRepository, request)

    def find_repositories(
        self, request: repository_pb.FindRepositoriesRequest
    ) -> repository_pb.FindRepositoriesResponse:
        return self._link.unary(self._stub.FindRepositories, request)


class QueryClient:
    """QueryService."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stub = query_grpc.QueryServiceStub(link.channel)

    def get_schema(self, request: query_pb.GetSchemaRequest) -> query_pb.GetSchemaResponse:
        return self._link.unary(self._stub.GetSchema, request)

    def execute_cypher(self, request: query_pb.ExecuteCypherRequest) -> Iterator[query_pb.ExecuteCypherResponse]:
        return self._link.stream(self._stub.ExecuteCypher, request)


class CodeClient:
    """CodeService."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stub = code_grpc.CodeServiceStub(link.channel)

    def search(self, request: code_pb.SearchRequest) -> code_pb.SearchResponse:
        return self._link.unary(self._stub.Search, request)

    def locate(self, request: code_pb.LocateRequest) -> code_pb.LocateResponse:
        return self._link.unary(self._stub.Locate, request)

    def resolve_name(self, request: code_pb.ResolveNameRequest) -> code_pb.ResolveNameResponse:
        return self._link.unary(self._stub.ResolveName, request)

    def read_source(self, request: code_pb.ReadSourceRequest) -> code_pb.ReadSourceResponse:
        return self._link.unary(self._stub.ReadSource, request)

    def get_tree(self, request: code_pb.GetTreeRequest) -> code_pb.GetTreeResponse:
        return self._link.unary(self._stub.GetTree, request)

    def list_relations(self, request: code_pb.ListRelationsRequest) -> code_pb.ListRelationsResponse:
        return self._link.unary(self._stub.ListRelations, request)

    def find_paths(self, request: code_pb.FindPathsRequest) -> code_pb.FindPathsResponse:
        return self._link.unary(self._stub.FindPaths, request)

    def build_context(self, request: code_pb.BuildContextRequest) -> code_pb.BuildContextResponse:
        return self._link.unary(self._stub.BuildContext, request)


class TaskClient:
    """TaskService."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stub = task_grpc.TaskServiceStub(link.channel)

    def create_task(self, request: task_pb.CreateTaskRequest) -> task_pb.CreateTaskResponse:
        return self._link.unary(self._stub.CreateTask, request)

    def get_task(self, request: task_pb.GetTaskRequest) -> task_pb.GetTaskResponse:
        return self._link.unary(self._stub.GetTask, request)

    def list_tasks(self, request: task_pb.ListTasksRequest) -> task_pb.ListTasksResponse:
        return self._link.unary(self._stub.ListTasks, request)

    def cancel_task(self, request: task_pb.CancelTaskRequest) -> task_pb.CancelTaskResponse:
        return self._link.unary(self._stub.CancelTask, request)

    def approve_task_action(self, request: task_pb.ApproveTaskActionRequest) -> task_pb.ApproveTaskActionResponse:
        return self._link.unary(self._stub.ApproveTaskAction, request)

    def stream_task_events(
        self, request: task_pb.StreamTaskEventsRequest
    ) -> Iterator[task_pb.StreamTaskEventsResponse]:
        """Events behind `after_sequence`; a broken connection is taken up again behind the last one."""
        return self._link.events(self._stub.StreamTaskEvents, request)


class Client:
    """All services of one server; an `Api`. Methods raise `RequestError`."""

    def __init__(self, settings: ClientSettings) -> None:
        self._link = Link(settings)
        self.index = IndexClient(self._link)
        self.repositories = RepositoryClient(self._link)
        self.queries = QueryClient(self._link)
        self.code = CodeClient(self._link)
        self.tasks = TaskClient(self._link)

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
