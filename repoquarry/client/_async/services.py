"""The services of the contract, a method for each of theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator

from repoquarry.client._async.channel import AsyncChannel
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
from repoquarry.v1 import view_service_pb2 as view_pb
from repoquarry.v1 import view_service_pb2_grpc as view_grpc


class AsyncBatchClient:
    """BatchService indexes lists of repositories, several in parallel, within a memory budget. A batch
    outlives the connection and the server process. Only the token that created it and administrators
    can access and list it; others get PERMISSION_DENIED."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = batch_grpc.BatchServiceStub(link.channel)

    async def create_batch(
        self, request: batch_pb.CreateBatchRequest, *, timeout: float | None = None
    ) -> batch_pb.CreateBatchResponse:
        """CreateBatch queues a list and returns immediately. Batches run one after the other."""
        return await self.link.unary(self.stub.CreateBatch, request, timeout)

    async def get_batch(
        self, request: batch_pb.GetBatchRequest, *, timeout: float | None = None
    ) -> batch_pb.GetBatchResponse:
        """GetBatch returns one batch in its current state. NOT_FOUND if it does not exist."""
        return await self.link.unary(self.stub.GetBatch, request, timeout)

    async def list_batches(
        self, request: batch_pb.ListBatchesRequest, *, timeout: float | None = None
    ) -> batch_pb.ListBatchesResponse:
        """ListBatches returns batches, newest first."""
        return await self.link.unary(self.stub.ListBatches, request, timeout)

    async def list_batch_outcomes(
        self, request: batch_pb.ListBatchOutcomesRequest, *, timeout: float | None = None
    ) -> batch_pb.ListBatchOutcomesResponse:
        """ListBatchOutcomes returns the outcomes of a batch's entries so far, in the order of the list."""
        return await self.link.unary(self.stub.ListBatchOutcomes, request, timeout)

    async def cancel_batch(
        self, request: batch_pb.CancelBatchRequest, *, timeout: float | None = None
    ) -> batch_pb.CancelBatchResponse:
        """CancelBatch requests a batch to stop; repositories already stored are kept. FAILED_PRECONDITION
        if it has finished, PERMISSION_DENIED if another token created it."""
        return await self.link.unary(self.stub.CancelBatch, request, timeout)

    def stream_batch_events(
        self, request: batch_pb.StreamBatchEventsRequest
    ) -> AsyncIterator[batch_pb.StreamBatchEventsResponse]:
        """StreamBatchEvents sends a batch's events from the start or after a sequence number; the stream
        ends when the batch has finished. A broken stream never cancels the batch: reconnect with the
        last sequence number seen."""
        return self.link.events(self.stub.StreamBatchEvents, request)


class AsyncCodeClient:
    """CodeService searches, reads and relates code. ResolveName lists all definitions of a name; every
    other method that takes a name fails with SYMBOL_AMBIGUOUS and the candidates where several things
    have the name; things outside tests are preferred to those in tests. A repository is found without its version where one version is indexed."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = code_grpc.CodeServiceStub(link.channel)

    async def search(self, request: code_pb.SearchRequest, *, timeout: float | None = None) -> code_pb.SearchResponse:
        """Search ranks code and documents by their relevance to a query."""
        return await self.link.unary(self.stub.Search, request, timeout)

    async def locate(self, request: code_pb.LocateRequest, *, timeout: float | None = None) -> code_pb.LocateResponse:
        """Locate ranks the files and definitions that are relevant to a task, an issue or a stack trace."""
        return await self.link.unary(self.stub.Locate, request, timeout)

    async def resolve_name(
        self, request: code_pb.ResolveNameRequest, *, timeout: float | None = None
    ) -> code_pb.ResolveNameResponse:
        """ResolveName returns all definitions that a name can refer to."""
        return await self.link.unary(self.stub.ResolveName, request, timeout)

    async def explore(
        self, request: code_pb.ExploreRequest, *, timeout: float | None = None
    ) -> code_pb.ExploreResponse:
        """Explore returns one text for a name or a question: source, callers, callees, implementers, tests, documentation and what is
        uncertain, within a hard limit of characters."""
        return await self.link.unary(self.stub.Explore, request, timeout)

    async def read_source(
        self, request: code_pb.ReadSourceRequest, *, timeout: float | None = None
    ) -> code_pb.ReadSourceResponse:
        """ReadSource returns the indexed text of a file or of some of its lines."""
        return await self.link.unary(self.stub.ReadSource, request, timeout)

    async def get_tree(
        self, request: code_pb.GetTreeRequest, *, timeout: float | None = None
    ) -> code_pb.GetTreeResponse:
        """GetTree returns the folders, files and definitions below a path."""
        return await self.link.unary(self.stub.GetTree, request, timeout)

    async def list_relations(
        self, request: code_pb.ListRelationsRequest, *, timeout: float | None = None
    ) -> code_pb.ListRelationsResponse:
        """ListRelations follows one kind of relationship from a definition. The callers of a class include those of its constructor."""
        return await self.link.unary(self.stub.ListRelations, request, timeout)

    async def find_paths(
        self, request: code_pb.FindPathsRequest, *, timeout: float | None = None
    ) -> code_pb.FindPathsResponse:
        """FindPaths returns shortest paths between two definitions."""
        return await self.link.unary(self.stub.FindPaths, request, timeout)

    async def list_owners(
        self, request: code_pb.ListOwnersRequest, *, timeout: float | None = None
    ) -> code_pb.ListOwnersResponse:
        """ListOwners returns the authors of a definition, by the commits of its file or folder."""
        return await self.link.unary(self.stub.ListOwners, request, timeout)

    async def compare_repositories(
        self, request: code_pb.CompareRepositoriesRequest, *, timeout: float | None = None
    ) -> code_pb.CompareRepositoriesResponse:
        """CompareRepositories returns the differences between two stored repositories, such as two
        versions of one."""
        return await self.link.unary(self.stub.CompareRepositories, request, timeout)

    async def analyze_impact(
        self, request: code_pb.AnalyzeImpactRequest, *, timeout: float | None = None
    ) -> code_pb.AnalyzeImpactResponse:
        """AnalyzeImpact returns the definitions that a change affects, and the tests to run for it."""
        return await self.link.unary(self.stub.AnalyzeImpact, request, timeout)

    async def find_duplicates(
        self, request: code_pb.FindDuplicatesRequest, *, timeout: float | None = None
    ) -> code_pb.FindDuplicatesResponse:
        """FindDuplicates returns duplicate functions across repositories, or the copies of one function."""
        return await self.link.unary(self.stub.FindDuplicates, request, timeout)

    async def build_context(
        self, request: code_pb.BuildContextRequest, *, timeout: float | None = None
    ) -> code_pb.BuildContextResponse:
        """BuildContext returns the repository's launchpad text within a token budget."""
        return await self.link.unary(self.stub.BuildContext, request, timeout)


class AsyncEnvironmentClient:
    """EnvironmentService builds environments in which indexed repositories can be imported. A
    provisioning outlives the connection and belongs to the token that created it. The resulting
    environments are shared read-only by all tasks."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = environment_grpc.EnvironmentServiceStub(link.channel)

    async def create_provisioning(
        self, request: environment_pb.CreateProvisioningRequest, *, timeout: float | None = None
    ) -> environment_pb.CreateProvisioningResponse:
        """CreateProvisioning queues a provisioning and returns immediately. FAILED_PRECONDITION if
        commands cannot be isolated, INVALID_ARGUMENT if the server does not allow workspaces for tasks."""
        return await self.link.unary(self.stub.CreateProvisioning, request, timeout)

    async def get_provisioning(
        self, request: environment_pb.GetProvisioningRequest, *, timeout: float | None = None
    ) -> environment_pb.GetProvisioningResponse:
        """GetProvisioning returns one provisioning in its current state."""
        return await self.link.unary(self.stub.GetProvisioning, request, timeout)

    async def list_provisionings(
        self, request: environment_pb.ListProvisioningsRequest, *, timeout: float | None = None
    ) -> environment_pb.ListProvisioningsResponse:
        """ListProvisionings returns the caller's provisionings, newest first; an administrator's call returns all."""
        return await self.link.unary(self.stub.ListProvisionings, request, timeout)

    async def cancel_provisioning(
        self, request: environment_pb.CancelProvisioningRequest, *, timeout: float | None = None
    ) -> environment_pb.CancelProvisioningResponse:
        """CancelProvisioning requests a provisioning to stop; no environment is stored.
        FAILED_PRECONDITION if it has finished."""
        return await self.link.unary(self.stub.CancelProvisioning, request, timeout)

    def stream_provisioning_events(
        self, request: environment_pb.StreamProvisioningEventsRequest
    ) -> AsyncIterator[environment_pb.StreamProvisioningEventsResponse]:
        """StreamProvisioningEvents sends a provisioning's steps and repairs from the start or after a
        sequence number; the stream ends when it has finished. A broken stream never cancels it:
        reconnect with the last sequence number seen."""
        return self.link.events(self.stub.StreamProvisioningEvents, request)

    async def list_environments(
        self, request: environment_pb.ListEnvironmentsRequest, *, timeout: float | None = None
    ) -> environment_pb.ListEnvironmentsResponse:
        """ListEnvironments returns the stored environments of all owners, last used first."""
        return await self.link.unary(self.stub.ListEnvironments, request, timeout)

    async def delete_environment(
        self, request: environment_pb.DeleteEnvironmentRequest, *, timeout: float | None = None
    ) -> environment_pb.DeleteEnvironmentResponse:
        """DeleteEnvironment removes an environment from the disk. A token can delete its own environments;
        administrators can delete all, and only they can delete those of tasks. FAILED_PRECONDITION
        while a task or a command uses it."""
        return await self.link.unary(self.stub.DeleteEnvironment, request, timeout)


class AsyncIndexClient:
    """IndexService indexes repositories into graphs. An index job outlives the connection. Only the
    token that created a job and administrators can access and list it; others get PERMISSION_DENIED."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = index_grpc.IndexServiceStub(link.channel)

    async def create_index_job(
        self, request: index_pb.CreateIndexJobRequest, *, timeout: float | None = None
    ) -> index_pb.CreateIndexJobResponse:
        """CreateIndexJob queues one job for each source and returns immediately. ABORTED if a job for one
        of the repositories is already queued or running; then no job is created."""
        return await self.link.unary(self.stub.CreateIndexJob, request, timeout)

    async def get_index_job(
        self, request: index_pb.GetIndexJobRequest, *, timeout: float | None = None
    ) -> index_pb.GetIndexJobResponse:
        """GetIndexJob returns one job in its current state."""
        return await self.link.unary(self.stub.GetIndexJob, request, timeout)

    async def list_index_jobs(
        self, request: index_pb.ListIndexJobsRequest, *, timeout: float | None = None
    ) -> index_pb.ListIndexJobsResponse:
        """ListIndexJobs returns jobs, newest first."""
        return await self.link.unary(self.stub.ListIndexJobs, request, timeout)

    async def cancel_index_job(
        self, request: index_pb.CancelIndexJobRequest, *, timeout: float | None = None
    ) -> index_pb.CancelIndexJobResponse:
        """CancelIndexJob requests a job to stop; the stored graph stays unchanged. FAILED_PRECONDITION if
        it has finished."""
        return await self.link.unary(self.stub.CancelIndexJob, request, timeout)

    def stream_index_events(
        self, request: index_pb.StreamIndexEventsRequest
    ) -> AsyncIterator[index_pb.StreamIndexEventsResponse]:
        """StreamIndexEvents sends a job's events from the start or after a sequence number; the stream
        ends when the job has finished. A broken stream never cancels the job: reconnect with the last
        sequence number seen."""
        return self.link.events(self.stub.StreamIndexEvents, request)


class AsyncQueryClient:
    """QueryService executes read-only Cypher queries."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = query_grpc.QueryServiceStub(link.channel)

    def execute_cypher(
        self, request: query_pb.ExecuteCypherRequest, *, timeout: float | None = None
    ) -> AsyncIterator[query_pb.ExecuteCypherResponse]:
        """ExecuteCypher runs one read-only query and streams its result: a header, batches of rows, a
        summary. INVALID_ARGUMENT for a query that writes, calls a forbidden procedure or function, or
        is malformed. Cancelling the call stops the query in the engine."""
        return self.link.stream(self.stub.ExecuteCypher, request, timeout)

    async def get_schema(
        self, request: query_pb.GetSchemaRequest, *, timeout: float | None = None
    ) -> query_pb.GetSchemaResponse:
        """GetSchema returns the labels, relationship types and properties of the graph."""
        return await self.link.unary(self.stub.GetSchema, request, timeout)

    async def list_named_queries(
        self, request: query_pb.ListNamedQueriesRequest, *, timeout: float | None = None
    ) -> query_pb.ListNamedQueriesResponse:
        """ListNamedQueries returns the shipped named queries and those of the server's own folder, by
        topic and name."""
        return await self.link.unary(self.stub.ListNamedQueries, request, timeout)


class AsyncRepositoryClient:
    """RepositoryService lists, ranks and deletes indexed repositories."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = repository_grpc.RepositoryServiceStub(link.channel)

    async def get_repository(
        self, request: repository_pb.GetRepositoryRequest, *, timeout: float | None = None
    ) -> repository_pb.GetRepositoryResponse:
        """GetRepository returns one repository. NOT_FOUND if it is not indexed."""
        return await self.link.unary(self.stub.GetRepository, request, timeout)

    async def list_repositories(
        self, request: repository_pb.ListRepositoriesRequest, *, timeout: float | None = None
    ) -> repository_pb.ListRepositoriesResponse:
        """ListRepositories returns the indexed repositories by id."""
        return await self.link.unary(self.stub.ListRepositories, request, timeout)

    async def delete_repository(
        self, request: repository_pb.DeleteRepositoryRequest, *, timeout: float | None = None
    ) -> repository_pb.DeleteRepositoryResponse:
        """DeleteRepository removes a repository's graph, sources and indexes. ABORTED while an index job
        of the repository is queued or running, or a batch indexes it. A later entry of a batch indexes
        the repository again."""
        return await self.link.unary(self.stub.DeleteRepository, request, timeout)

    async def find_repositories(
        self, request: repository_pb.FindRepositoriesRequest, *, timeout: float | None = None
    ) -> repository_pb.FindRepositoriesResponse:
        """FindRepositories ranks repositories for a task by their description, their entry points and
        their code."""
        return await self.link.unary(self.stub.FindRepositories, request, timeout)


class AsyncTaskClient:
    """TaskService runs tasks of the agent. A task outlives the connection. Only the token that created
    it and administrators can access and list it; others get PERMISSION_DENIED."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = task_grpc.TaskServiceStub(link.channel)

    async def create_task(
        self, request: task_pb.CreateTaskRequest, *, timeout: float | None = None
    ) -> task_pb.CreateTaskResponse:
        """CreateTask queues a task and returns immediately."""
        return await self.link.unary(self.stub.CreateTask, request, timeout)

    async def get_task(
        self, request: task_pb.GetTaskRequest, *, timeout: float | None = None
    ) -> task_pb.GetTaskResponse:
        """GetTask returns one task in its current state."""
        return await self.link.unary(self.stub.GetTask, request, timeout)

    async def list_tasks(
        self, request: task_pb.ListTasksRequest, *, timeout: float | None = None
    ) -> task_pb.ListTasksResponse:
        """ListTasks returns tasks, newest first."""
        return await self.link.unary(self.stub.ListTasks, request, timeout)

    async def cancel_task(
        self, request: task_pb.CancelTaskRequest, *, timeout: float | None = None
    ) -> task_pb.CancelTaskResponse:
        """CancelTask requests a task to stop. FAILED_PRECONDITION if it has finished."""
        return await self.link.unary(self.stub.CancelTask, request, timeout)

    async def resume_task(
        self, request: task_pb.ResumeTaskRequest, *, timeout: float | None = None
    ) -> task_pb.ResumeTaskResponse:
        """ResumeTask queues a failed task again; with a chat model it continues behind its last finished
        step. With a step, it queues an ended task again, which continues behind that step.
        FAILED_PRECONDITION if it has not failed or ended."""
        return await self.link.unary(self.stub.ResumeTask, request, timeout)

    async def list_task_steps(
        self, request: task_pb.ListTaskStepsRequest, *, timeout: float | None = None
    ) -> task_pb.ListTaskStepsResponse:
        """ListTaskSteps lists the stored steps of a task with a chat model, newest first."""
        return await self.link.unary(self.stub.ListTaskSteps, request, timeout)

    def stream_task_events(
        self, request: task_pb.StreamTaskEventsRequest
    ) -> AsyncIterator[task_pb.StreamTaskEventsResponse]:
        """StreamTaskEvents sends a task's events from the start or after a sequence number; the stream
        ends when the task has finished. A broken stream never cancels the task: reconnect with the last
        sequence number seen."""
        return self.link.events(self.stub.StreamTaskEvents, request)

    async def approve_task_action(
        self, request: task_pb.ApproveTaskActionRequest, *, timeout: float | None = None
    ) -> task_pb.ApproveTaskActionResponse:
        """ApproveTaskAction answers a pending approval request. FAILED_PRECONDITION if the task does not
        wait for this approval."""
        return await self.link.unary(self.stub.ApproveTaskAction, request, timeout)

    async def upload_task_input(
        self, requests: AsyncIterator[task_pb.UploadTaskInputRequest], *, timeout: float | None = None
    ) -> task_pb.UploadTaskInputResponse:
        """UploadTaskInput uploads a file for a future task, or a SCIP index for a future index job: first
        its header, then its bytes in parts. The file belongs to the caller and is stored for a day
        (agent.workspace.upload_hours), or longer while an unfinished task needs it."""
        return await self.link.upload(self.stub.UploadTaskInput, requests, timeout)

    async def list_task_files(
        self, request: task_pb.ListTaskFilesRequest, *, timeout: float | None = None
    ) -> task_pb.ListTaskFilesResponse:
        """ListTaskFiles lists the files of a task's workspace with their checksums, even while the task
        runs. NOT_FOUND if it has no workspace."""
        return await self.link.unary(self.stub.ListTaskFiles, request, timeout)

    def read_task_file(
        self, request: task_pb.ReadTaskFileRequest, *, timeout: float | None = None
    ) -> AsyncIterator[task_pb.ReadTaskFileResponse]:
        """ReadTaskFile sends one file of a task's workspace: its metadata, then its bytes in parts."""
        return self.link.stream(self.stub.ReadTaskFile, request, timeout)

    async def delete_task_files(
        self, request: task_pb.DeleteTaskFilesRequest, *, timeout: float | None = None
    ) -> task_pb.DeleteTaskFilesResponse:
        """DeleteTaskFiles removes the workspace of a finished task; otherwise it expires
        (agent.workspace.keep_hours)."""
        return await self.link.unary(self.stub.DeleteTaskFiles, request, timeout)


class AsyncToolClient:
    """ToolService offers the agent's reading tools to other agents. `repoquarry mcp` uses it."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = tool_grpc.ToolServiceStub(link.channel)

    async def list_tools(
        self, request: tool_pb.ListToolsRequest, *, timeout: float | None = None
    ) -> tool_pb.ListToolsResponse:
        """ListTools returns the tools with their arguments."""
        return await self.link.unary(self.stub.ListTools, request, timeout)

    async def call_tool(
        self, request: tool_pb.CallToolRequest, *, timeout: float | None = None
    ) -> tool_pb.CallToolResponse:
        """CallTool calls one tool and returns its output within a token budget."""
        return await self.link.unary(self.stub.CallTool, request, timeout)


class AsyncViewClient:
    """ViewService answers with everything that one view of the page shows, in one message and bounded whatever the repository's size."""

    def __init__(self, link: AsyncChannel) -> None:
        self.link = link
        self.stub = view_grpc.ViewServiceStub(link.channel)

    async def get_symbol(
        self, request: view_pb.GetSymbolRequest, *, timeout: float | None = None
    ) -> view_pb.GetSymbolResponse:
        """GetSymbol returns a definition with its source, its callers and its calls."""
        return await self.link.unary(self.stub.GetSymbol, request, timeout)

    async def list_hops(
        self, request: view_pb.ListHopsRequest, *, timeout: float | None = None
    ) -> view_pb.ListHopsResponse:
        """ListHops returns the callers or the callees of one definition, by group and page."""
        return await self.link.unary(self.stub.ListHops, request, timeout)

    async def get_file(
        self, request: view_pb.GetFileRequest, *, timeout: float | None = None
    ) -> view_pb.GetFileResponse:
        """GetFile returns lines of a file with the callers and calls of each line."""
        return await self.link.unary(self.stub.GetFile, request, timeout)

    async def get_levels(
        self, request: view_pb.GetLevelsRequest, *, timeout: float | None = None
    ) -> view_pb.GetLevelsResponse:
        """GetLevels returns the parts of a folder or file on levels by dependencies."""
        return await self.link.unary(self.stub.GetLevels, request, timeout)

    async def get_change(
        self, request: view_pb.GetChangeRequest, *, timeout: float | None = None
    ) -> view_pb.GetChangeResponse:
        """GetChange returns a change with its consequences: definitions, callers outside the diff, reach, tests to run."""
        return await self.link.unary(self.stub.GetChange, request, timeout)

    def stream_change(
        self, request: view_pb.StreamChangeRequest, *, timeout: float | None = None
    ) -> AsyncIterator[view_pb.StreamChangeResponse]:
        """StreamChange does as GetChange and sends its progress before: a large repository takes seconds. A caller that leaves ends the work."""
        return self.link.stream(self.stub.StreamChange, request, timeout)

    async def get_overview(
        self, request: view_pb.GetOverviewRequest, *, timeout: float | None = None
    ) -> view_pb.GetOverviewResponse:
        """GetOverview returns what a newcomer needs of a repository: purpose, parts by role, where to start reading."""
        return await self.link.unary(self.stub.GetOverview, request, timeout)

    async def check_cypher(
        self, request: view_pb.CheckCypherRequest, *, timeout: float | None = None
    ) -> view_pb.CheckCypherResponse:
        """CheckCypher returns the errors and warnings of a query without running it."""
        return await self.link.unary(self.stub.CheckCypher, request, timeout)

    async def complete_cypher(
        self, request: view_pb.CompleteCypherRequest, *, timeout: float | None = None
    ) -> view_pb.CompleteCypherResponse:
        """CompleteCypher returns completions at a position of a query."""
        return await self.link.unary(self.stub.CompleteCypher, request, timeout)
