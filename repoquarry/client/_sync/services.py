"""The services of the contract, a method for each of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.client._sync.channel import Channel
from repoquarry.v1 import batch_service_pb2 as batch_pb
from repoquarry.v1 import batch_service_pb2_grpc as batch_grpc
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import code_service_pb2_grpc as code_grpc
from repoquarry.v1 import environment_service_pb2 as environment_pb
from repoquarry.v1 import environment_service_pb2_grpc as environment_grpc
from repoquarry.v1 import index_service_pb2 as index_pb
from repoquarry.v1 import index_service_pb2_grpc as index_grpc
from repoquarry.v1 import query_service_pb2 as query_pb
from repoquarry.v1 import query_service_pb2_grpc as query_grpc
from repoquarry.v1 import repository_service_pb2 as repository_pb
from repoquarry.v1 import repository_service_pb2_grpc as repository_grpc
from repoquarry.v1 import task_service_pb2 as task_pb
from repoquarry.v1 import task_service_pb2_grpc as task_grpc
from repoquarry.v1 import tool_service_pb2 as tool_pb
from repoquarry.v1 import tool_service_pb2_grpc as tool_grpc


class BatchClient:
    """BatchService indexes lists of repositories: several at once, within a budget of memory. A batch outlives the connection and
    the server's process. It belongs to the token that created it: for every other one but administrators' it is
    PERMISSION_DENIED, and not listed."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = batch_grpc.BatchServiceStub(link.channel)

    def create_batch(
        self, request: batch_pb.CreateBatchRequest, *, timeout: float | None = None
    ) -> batch_pb.CreateBatchResponse:
        """CreateBatch queues a list and returns at once. Batches are worked through one after the other."""
        return self._link.unary(self._stub.CreateBatch, request, timeout)

    def get_batch(
        self, request: batch_pb.GetBatchRequest, *, timeout: float | None = None
    ) -> batch_pb.GetBatchResponse:
        """GetBatch returns one batch as it is now. NOT_FOUND when there is none of that name."""
        return self._link.unary(self._stub.GetBatch, request, timeout)

    def list_batches(
        self, request: batch_pb.ListBatchesRequest, *, timeout: float | None = None
    ) -> batch_pb.ListBatchesResponse:
        """ListBatches returns batches, newest first."""
        return self._link.unary(self._stub.ListBatches, request, timeout)

    def list_batch_outcomes(
        self, request: batch_pb.ListBatchOutcomesRequest, *, timeout: float | None = None
    ) -> batch_pb.ListBatchOutcomesResponse:
        """ListBatchOutcomes returns what became of a batch's entries so far, in the order of the list."""
        return self._link.unary(self._stub.ListBatchOutcomes, request, timeout)

    def cancel_batch(
        self, request: batch_pb.CancelBatchRequest, *, timeout: float | None = None
    ) -> batch_pb.CancelBatchResponse:
        """CancelBatch asks a batch to stop; what it has stored stays. FAILED_PRECONDITION when it has ended, PERMISSION_DENIED when
        another token created it."""
        return self._link.unary(self._stub.CancelBatch, request, timeout)

    def stream_batch_events(
        self, request: batch_pb.StreamBatchEventsRequest
    ) -> Iterator[batch_pb.StreamBatchEventsResponse]:
        """StreamBatchEvents sends a batch's events from the beginning or from behind a sequence, and ends when the batch has ended.
        A broken stream never cancels the batch: reconnect with the last sequence seen."""
        return self._link.events(self._stub.StreamBatchEvents, request)


class CodeClient:
    """CodeService finds, shows and connects code. A name that means several things is answered with all of them."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = code_grpc.CodeServiceStub(link.channel)

    def search(self, request: code_pb.SearchRequest, *, timeout: float | None = None) -> code_pb.SearchResponse:
        """Search ranks code and documents by how well they fit a query."""
        return self._link.unary(self._stub.Search, request, timeout)

    def locate(self, request: code_pb.LocateRequest, *, timeout: float | None = None) -> code_pb.LocateResponse:
        """Locate names the files and definitions that matter for a task, an issue or a stack trace in words."""
        return self._link.unary(self._stub.Locate, request, timeout)

    def resolve_name(
        self, request: code_pb.ResolveNameRequest, *, timeout: float | None = None
    ) -> code_pb.ResolveNameResponse:
        """ResolveName returns everything that a name means."""
        return self._link.unary(self._stub.ResolveName, request, timeout)

    def read_source(
        self, request: code_pb.ReadSourceRequest, *, timeout: float | None = None
    ) -> code_pb.ReadSourceResponse:
        """ReadSource returns the indexed text of a file or of some of its lines."""
        return self._link.unary(self._stub.ReadSource, request, timeout)

    def get_tree(self, request: code_pb.GetTreeRequest, *, timeout: float | None = None) -> code_pb.GetTreeResponse:
        """GetTree returns the folders, files and definitions below a path."""
        return self._link.unary(self._stub.GetTree, request, timeout)

    def list_relations(
        self, request: code_pb.ListRelationsRequest, *, timeout: float | None = None
    ) -> code_pb.ListRelationsResponse:
        """ListRelations follows one kind of relationship from everything that a name means."""
        return self._link.unary(self._stub.ListRelations, request, timeout)

    def find_paths(
        self, request: code_pb.FindPathsRequest, *, timeout: float | None = None
    ) -> code_pb.FindPathsResponse:
        """FindPaths returns shortest paths from everything that one name means to everything that another means."""
        return self._link.unary(self._stub.FindPaths, request, timeout)

    def list_owners(
        self, request: code_pb.ListOwnersRequest, *, timeout: float | None = None
    ) -> code_pb.ListOwnersResponse:
        """ListOwners names who worked on everything that a name means, by the commits of its file or folder."""
        return self._link.unary(self._stub.ListOwners, request, timeout)

    def compare_repositories(
        self, request: code_pb.CompareRepositoriesRequest, *, timeout: float | None = None
    ) -> code_pb.CompareRepositoriesResponse:
        """CompareRepositories returns what differs between two stored repositories, such as two versions of one."""
        return self._link.unary(self._stub.CompareRepositories, request, timeout)

    def analyze_impact(
        self, request: code_pb.AnalyzeImpactRequest, *, timeout: float | None = None
    ) -> code_pb.AnalyzeImpactResponse:
        """AnalyzeImpact returns what a change reaches, and which tests to run for it."""
        return self._link.unary(self._stub.AnalyzeImpact, request, timeout)

    def find_duplicates(
        self, request: code_pb.FindDuplicatesRequest, *, timeout: float | None = None
    ) -> code_pb.FindDuplicatesResponse:
        """FindDuplicates returns functions that say the same: between repositories, or those with the code of one function."""
        return self._link.unary(self._stub.FindDuplicates, request, timeout)

    def build_context(
        self, request: code_pb.BuildContextRequest, *, timeout: float | None = None
    ) -> code_pb.BuildContextResponse:
        """BuildContext returns the repository's launchpad text within a budget of tokens."""
        return self._link.unary(self._stub.BuildContext, request, timeout)


class EnvironmentClient:
    """EnvironmentService makes environments in which indexed repositories can be imported. A provisioning is long work: it outlives
    the connection. It belongs to the token that created it; the environments that come of it are shared by all tasks, read-only."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = environment_grpc.EnvironmentServiceStub(link.channel)

    def create_provisioning(
        self, request: environment_pb.CreateProvisioningRequest, *, timeout: float | None = None
    ) -> environment_pb.CreateProvisioningResponse:
        """CreateProvisioning queues a provisioning and returns at once. FAILED_PRECONDITION where commands cannot be isolated, and
        INVALID_ARGUMENT where the server gives tasks no workspaces: then it provisions neither."""
        return self._link.unary(self._stub.CreateProvisioning, request, timeout)

    def get_provisioning(
        self, request: environment_pb.GetProvisioningRequest, *, timeout: float | None = None
    ) -> environment_pb.GetProvisioningResponse:
        """GetProvisioning returns one provisioning as it is now."""
        return self._link.unary(self._stub.GetProvisioning, request, timeout)

    def list_provisionings(
        self, request: environment_pb.ListProvisioningsRequest, *, timeout: float | None = None
    ) -> environment_pb.ListProvisioningsResponse:
        """ListProvisionings returns the caller's provisionings, newest first; an administrator's call returns all."""
        return self._link.unary(self._stub.ListProvisionings, request, timeout)

    def cancel_provisioning(
        self, request: environment_pb.CancelProvisioningRequest, *, timeout: float | None = None
    ) -> environment_pb.CancelProvisioningResponse:
        """CancelProvisioning asks a provisioning to stop; no environment is kept of it. FAILED_PRECONDITION when it has ended."""
        return self._link.unary(self._stub.CancelProvisioning, request, timeout)

    def stream_provisioning_events(
        self, request: environment_pb.StreamProvisioningEventsRequest
    ) -> Iterator[environment_pb.StreamProvisioningEventsResponse]:
        """StreamProvisioningEvents sends a provisioning's steps and repairs from the beginning or from behind a sequence, and ends
        when it has ended. A broken stream never cancels it: reconnect with the last sequence seen."""
        return self._link.events(self._stub.StreamProvisioningEvents, request)

    def list_environments(
        self, request: environment_pb.ListEnvironmentsRequest, *, timeout: float | None = None
    ) -> environment_pb.ListEnvironmentsResponse:
        """ListEnvironments returns the environments that are kept, whoever had them made, the last used first."""
        return self._link.unary(self._stub.ListEnvironments, request, timeout)

    def delete_environment(
        self, request: environment_pb.DeleteEnvironmentRequest, *, timeout: float | None = None
    ) -> environment_pb.DeleteEnvironmentResponse:
        """DeleteEnvironment removes an environment from the disk. Those that a token had made are its own and the administrators' to
        delete, those of tasks the administrators' alone. FAILED_PRECONDITION while a task or a command uses it."""
        return self._link.unary(self._stub.DeleteEnvironment, request, timeout)


class IndexClient:
    """IndexService turns repositories into graphs. Indexing is long work: it is a job that outlives the connection.
    A job belongs to the token that created it: for every other one but administrators' it is PERMISSION_DENIED, and not listed."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = index_grpc.IndexServiceStub(link.channel)

    def create_index_job(
        self, request: index_pb.CreateIndexJobRequest, *, timeout: float | None = None
    ) -> index_pb.CreateIndexJobResponse:
        """CreateIndexJob queues one job for each source and returns at once.
        ABORTED when a job for one of the repositories is already queued or running: then no job is created."""
        return self._link.unary(self._stub.CreateIndexJob, request, timeout)

    def get_index_job(
        self, request: index_pb.GetIndexJobRequest, *, timeout: float | None = None
    ) -> index_pb.GetIndexJobResponse:
        """GetIndexJob returns one job as it is now."""
        return self._link.unary(self._stub.GetIndexJob, request, timeout)

    def list_index_jobs(
        self, request: index_pb.ListIndexJobsRequest, *, timeout: float | None = None
    ) -> index_pb.ListIndexJobsResponse:
        """ListIndexJobs returns jobs, newest first."""
        return self._link.unary(self._stub.ListIndexJobs, request, timeout)

    def cancel_index_job(
        self, request: index_pb.CancelIndexJobRequest, *, timeout: float | None = None
    ) -> index_pb.CancelIndexJobResponse:
        """CancelIndexJob asks a job to stop; what was stored before stays as it was. FAILED_PRECONDITION when it has ended."""
        return self._link.unary(self._stub.CancelIndexJob, request, timeout)

    def stream_index_events(
        self, request: index_pb.StreamIndexEventsRequest
    ) -> Iterator[index_pb.StreamIndexEventsResponse]:
        """StreamIndexEvents sends a job's events from the beginning or from behind a sequence, and ends when the job has ended.
        A broken stream never cancels the job: reconnect with the last sequence seen."""
        return self._link.events(self._stub.StreamIndexEvents, request)


class QueryClient:
    """QueryService answers read-only Cypher."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = query_grpc.QueryServiceStub(link.channel)

    def execute_cypher(
        self, request: query_pb.ExecuteCypherRequest, *, timeout: float | None = None
    ) -> Iterator[query_pb.ExecuteCypherResponse]:
        """ExecuteCypher runs one reading query and streams its result: a header, batches of rows, a summary.
        A query that writes, calls what it may not or is not understood is refused with INVALID_ARGUMENT.
        A cancelled call stops the query on the engine."""
        return self._link.stream(self._stub.ExecuteCypher, request, timeout)

    def get_schema(
        self, request: query_pb.GetSchemaRequest, *, timeout: float | None = None
    ) -> query_pb.GetSchemaResponse:
        """GetSchema names the labels, relationship types and properties of the graph."""
        return self._link.unary(self._stub.GetSchema, request, timeout)


class RepositoryClient:
    """RepositoryService says which repositories are indexed."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = repository_grpc.RepositoryServiceStub(link.channel)

    def get_repository(
        self, request: repository_pb.GetRepositoryRequest, *, timeout: float | None = None
    ) -> repository_pb.GetRepositoryResponse:
        """GetRepository returns one repository. NOT_FOUND when it is not indexed."""
        return self._link.unary(self._stub.GetRepository, request, timeout)

    def list_repositories(
        self, request: repository_pb.ListRepositoriesRequest, *, timeout: float | None = None
    ) -> repository_pb.ListRepositoriesResponse:
        """ListRepositories returns the indexed repositories by id."""
        return self._link.unary(self._stub.ListRepositories, request, timeout)

    def delete_repository(
        self, request: repository_pb.DeleteRepositoryRequest, *, timeout: float | None = None
    ) -> repository_pb.DeleteRepositoryResponse:
        """DeleteRepository removes a repository's graph, sources and indexes. ABORTED while an index job of it waits or runs, and while a
        batch works on it. An entry of a batch whose turn comes later is indexed then, whatever was deleted before."""
        return self._link.unary(self._stub.DeleteRepository, request, timeout)

    def find_repositories(
        self, request: repository_pb.FindRepositoriesRequest, *, timeout: float | None = None
    ) -> repository_pb.FindRepositoriesResponse:
        """FindRepositories ranks repositories for a task in words: by what they say of themselves, how they are started, and what their
        code does."""
        return self._link.unary(self._stub.FindRepositories, request, timeout)


class TaskClient:
    """TaskService gives tasks to the agent. A task is long work: it outlives the connection.
    It belongs to the token that created it: for every other one but administrators' it is PERMISSION_DENIED, and not listed."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = task_grpc.TaskServiceStub(link.channel)

    def create_task(
        self, request: task_pb.CreateTaskRequest, *, timeout: float | None = None
    ) -> task_pb.CreateTaskResponse:
        """CreateTask queues a task and returns at once."""
        return self._link.unary(self._stub.CreateTask, request, timeout)

    def get_task(self, request: task_pb.GetTaskRequest, *, timeout: float | None = None) -> task_pb.GetTaskResponse:
        """GetTask returns one task as it is now."""
        return self._link.unary(self._stub.GetTask, request, timeout)

    def list_tasks(
        self, request: task_pb.ListTasksRequest, *, timeout: float | None = None
    ) -> task_pb.ListTasksResponse:
        """ListTasks returns tasks, newest first."""
        return self._link.unary(self._stub.ListTasks, request, timeout)

    def cancel_task(
        self, request: task_pb.CancelTaskRequest, *, timeout: float | None = None
    ) -> task_pb.CancelTaskResponse:
        """CancelTask asks a task to stop. FAILED_PRECONDITION when it has ended."""
        return self._link.unary(self._stub.CancelTask, request, timeout)

    def stream_task_events(
        self, request: task_pb.StreamTaskEventsRequest
    ) -> Iterator[task_pb.StreamTaskEventsResponse]:
        """StreamTaskEvents sends a task's events from the beginning or from behind a sequence, and ends when the task has ended.
        A broken stream never cancels the task: reconnect with the last sequence seen."""
        return self._link.events(self._stub.StreamTaskEvents, request)

    def approve_task_action(
        self, request: task_pb.ApproveTaskActionRequest, *, timeout: float | None = None
    ) -> task_pb.ApproveTaskActionResponse:
        """ApproveTaskAction answers a task that waits for leave to act. FAILED_PRECONDITION when it does not wait for this."""
        return self._link.unary(self._stub.ApproveTaskAction, request, timeout)

    def upload_task_input(
        self, requests: Iterator[task_pb.UploadTaskInputRequest], *, timeout: float | None = None
    ) -> task_pb.UploadTaskInputResponse:
        """UploadTaskInput takes a file for a task to come: first its header, then its bytes in parts. It belongs to the caller, and is
        kept for a day (agent.workspace.upload_hours) and as long as an unfinished task needs it."""
        return self._link.upload(self._stub.UploadTaskInput, requests, timeout)

    def list_task_files(
        self, request: task_pb.ListTaskFilesRequest, *, timeout: float | None = None
    ) -> task_pb.ListTaskFilesResponse:
        """ListTaskFiles names the files of a task's workspace with their checksums, also while it runs. NOT_FOUND when there is none."""
        return self._link.unary(self._stub.ListTaskFiles, request, timeout)

    def read_task_file(
        self, request: task_pb.ReadTaskFileRequest, *, timeout: float | None = None
    ) -> Iterator[task_pb.ReadTaskFileResponse]:
        """ReadTaskFile sends one file of a task's workspace: what it is, then its bytes in parts."""
        return self._link.stream(self._stub.ReadTaskFile, request, timeout)

    def delete_task_files(
        self, request: task_pb.DeleteTaskFilesRequest, *, timeout: float | None = None
    ) -> task_pb.DeleteTaskFilesResponse:
        """DeleteTaskFiles removes the workspace of a task that has ended; without it, that happens by itself after some time
        (agent.workspace.keep_hours)."""
        return self._link.unary(self._stub.DeleteTaskFiles, request, timeout)


class ToolClient:
    """ToolService offers the agent's reading tools to other agents. `repoquarry mcp` speaks to it."""

    def __init__(self, link: Channel) -> None:
        self._link = link
        self._stub = tool_grpc.ToolServiceStub(link.channel)

    def list_tools(
        self, request: tool_pb.ListToolsRequest, *, timeout: float | None = None
    ) -> tool_pb.ListToolsResponse:
        """ListTools names the tools with their arguments."""
        return self._link.unary(self._stub.ListTools, request, timeout)

    def call_tool(self, request: tool_pb.CallToolRequest, *, timeout: float | None = None) -> tool_pb.CallToolResponse:
        """CallTool calls one tool and returns what it shows, within a budget of tokens."""
        return self._link.unary(self._stub.CallTool, request, timeout)
