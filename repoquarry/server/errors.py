"""Translation of every package's errors to the table of reasons: status, description, remedy.

A `Failure` is what a caller sees, whether it comes over gRPC, from the application in this process, or out of a job that
failed: a status, a stable reason, a message and metadata. This module and the table alone know gRPC status codes, by their names, so that
the command line can use it without loading gRPC.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from repoquarry.client import errors as client_errors
from repoquarry.client.errors import RequestError as RequestError
from repoquarry.execution.errors import AgentError
from repoquarry.graphstore.errors import (
    EmbedderConfigurationError,
    EmbedderUnavailableError,
    EngineUnavailableError,
    GraphStoreError,
    NotFoundError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreBusyError,
    StoreCorruptError,
    StoreFullError,
    StoreNewerError,
    StoreReadOnlyError,
    StoreUnwritableError,
    TooManyQueriesError,
)
from repoquarry.ingest.errors import IngestError
from repoquarry.server.text_format import harmless


@dataclass(frozen=True)
class Reason:
    """One reason: the gRPC status that it comes with, and what the caller should know and do."""

    status: str
    meaning: str
    remedy: str


_REFUSED = "INVALID_ARGUMENT"

REASONS: Mapping[str, Reason] = {
    # requests
    "REQUEST_INVALID": Reason(_REFUSED, "A field of the request is missing or out of range.", "Correct `field`."),
    "PAGE_TOKEN_INVALID": Reason(_REFUSED, "The page token is not one of this list.", "Start at the first page."),
    "REQUEST_ID_REUSED": Reason(
        "ALREADY_EXISTS", "The request id was used before, for something else.", "Choose a new `request_id`."
    ),
    "TOKEN_MISSING": Reason("UNAUTHENTICATED", "The call carries no bearer token.", "Send `authorization: Bearer …`."),
    "TOKEN_WRONG": Reason("UNAUTHENTICATED", "The bearer token is not one of the server's.", "Ask the operator."),
    "SCOPE_MISSING": Reason(
        "PERMISSION_DENIED", "The bearer token lacks the scope in `scope`.", "Use a token that has it."
    ),
    "MESSAGE_MALFORMED": Reason(
        _REFUSED, "The bytes of the request are no message of its type.", "Generate the client from the contract again."
    ),
    "REPOSITORY_ID_TAKEN": Reason(
        "ALREADY_EXISTS",
        "The id that the location gives belongs to another source.",
        "Give `repository_id` (`--name`).",
    ),
    "WRONG_STATE": Reason(
        "FAILED_PRECONDITION", "The job or task is not in a state that allows this.", "Look at its `state`."
    ),
    "ENVIRONMENT_IN_USE": Reason(
        "FAILED_PRECONDITION",
        "A task that is kept has the environment, or a command runs in it.",
        "Delete the task's files (`repoquarry files TASK --delete`), or wait.",
    ),
    # things that are not there
    "REPOSITORY_NOT_FOUND": Reason("NOT_FOUND", "No repository of that id is indexed.", "See ListRepositories."),
    "JOB_NOT_FOUND": Reason("NOT_FOUND", "There is no index job of that name.", "See ListIndexJobs."),
    "BATCH_NOT_FOUND": Reason("NOT_FOUND", "There is no batch of that name.", "See ListBatches."),
    "TASK_NOT_FOUND": Reason("NOT_FOUND", "There is no task of that name.", "See ListTasks."),
    "PROVISIONING_NOT_FOUND": Reason("NOT_FOUND", "There is no provisioning of that name.", "See ListProvisionings."),
    "ENVIRONMENT_NOT_FOUND": Reason(
        "NOT_FOUND", "No environment of that name is kept.", "See `repoquarry provision --list`."
    ),
    "SYMBOL_NOT_FOUND": Reason(
        "NOT_FOUND", "Nothing in the graph has that name.", "Search for it; the message names what is near."
    ),
    "PATH_NOT_FOUND": Reason("NOT_FOUND", "No indexed file or folder has that path.", "See GetTree."),
    "NOT_FOUND": Reason("NOT_FOUND", "What the request names does not exist.", "Correct the name."),
    # the store
    "REPOSITORY_BUSY": Reason(
        "ABORTED",
        "The repository is being indexed or waits for it.",
        "Wait for the job or batch in `job`, or cancel it.",
    ),
    "STORE_NOT_FOUND": Reason("NOT_FOUND", "There is no store at that folder.", "Index a repository first."),
    "STORE_BUSY": Reason(
        "FAILED_PRECONDITION",
        "Another process writes this store.",
        "Send the request to that process (`--server`), or wait until it ends.",
    ),
    "STORE_READ_ONLY": Reason(
        "FAILED_PRECONDITION", "The store was opened for reading.", "Send the request to the process that writes it."
    ),
    "STORE_FULL": Reason(
        "RESOURCE_EXHAUSTED", "The disk that holds the store is full; nothing was changed.", "Make room, then repeat."
    ),
    "STORE_NEWER": Reason(
        "FAILED_PRECONDITION",
        "A newer version of the service wrote this store; nothing was read or changed.",
        "Use that version, or another store.",
    ),
    "STORE_UNWRITABLE": Reason(
        "FAILED_PRECONDITION",
        "The store's folder may not be written, by its permissions or its file system; it can be read.",
        "Correct them, or choose another folder.",
    ),
    "STORE_CORRUPT": Reason("DATA_LOSS", "A file of the store cannot be read.", "The message says how to rebuild it."),
    "ENGINE_UNAVAILABLE": Reason("UNAVAILABLE", "The graph engine cannot be reached.", "Retry later."),
    "EMBEDDER_REJECTED": Reason(
        "FAILED_PRECONDITION", "The embedder cannot work as it is set up.", "Correct the settings in `store.embedding`."
    ),
    "EMBEDDER_UNAVAILABLE": Reason("UNAVAILABLE", "The embedding endpoint does not answer.", "Retry later."),
    # queries
    "QUERY_FAILED": Reason(_REFUSED, "The engine could not evaluate the query.", "Correct the query."),
    "QUERY_LIMIT": Reason(
        "RESOURCE_EXHAUSTED", "The query ran over the limit in `limit`.", "Narrow the query or raise the limit."
    ),
    "TOO_MANY_QUERIES": Reason(
        "RESOURCE_EXHAUSTED", "As many queries of this client wait as may.", "Wait for one of them to end."
    ),
    "READER_TOO_SLOW": Reason(
        "RESOURCE_EXHAUSTED", "The client read nothing of the answer for too long.", "Read faster, or ask for less."
    ),
    "QUERY_REFUSED": Reason(_REFUSED, "The query is not allowed or not understood.", "Correct the query."),
    # indexing
    "SOURCE_NOT_FOUND": Reason(
        "NOT_FOUND", "The folder, archive or git address does not exist or cannot be reached.", "Correct the location."
    ),
    "SOURCE_REJECTED": Reason(
        _REFUSED, "The source is there and may not be read: hostile, over a limit, or not supported.", "Choose another."
    ),
    "REPOSITORY_EMPTY": Reason(
        "FAILED_PRECONDITION", "Nothing in the source can be indexed.", "The message says what was left out and why."
    ),
    "RESOLUTION_FAILED": Reason(
        "INTERNAL", "Calls could not be resolved, for lack of memory or by a fault.", "Raise the limit, or report it."
    ),
    "GIT_FAILED": Reason("NOT_FOUND", "The git command ended with an error.", "Correct the location."),
    "WORKER_LOST": Reason("UNAVAILABLE", "A process that worked on it died.", "Retry."),
    "LIST_REJECTED": Reason(
        "INVALID_ARGUMENT",
        "A list of repositories cannot be read, an entry of it names nothing, or two entries have the same id.",
        "Correct the list where the message says.",
    ),
    "CLUSTER_UNAVAILABLE": Reason(
        "UNAVAILABLE",
        "The cluster that should do the work cannot be used.",
        "Install the extra, or correct the address.",
    ),
    "INGEST_FAILED": Reason("INTERNAL", "Indexing failed for a reason without a name of its own.", "Report it."),
    "ATTEMPTS_EXHAUSTED": Reason(
        "INTERNAL", "The server stopped in the middle of it each time that it was started.", "Look at the server's log."
    ),
    "CANCELLED": Reason("CANCELLED", "It was cancelled; nothing was changed.", "Start it again."),
    # tasks
    "TASK_INVALID": Reason(_REFUSED, "The task cannot be run as it was asked.", "Correct the request."),
    "TOOL_FAILED": Reason("FAILED_PRECONDITION", "A tool could not do what it was asked.", "Read the message."),
    "TOOL_NOT_FOUND": Reason("NOT_FOUND", "No reading tool has that name.", "See ListTools."),
    "TOOL_ARGUMENTS_INVALID": Reason(_REFUSED, "The arguments do not fit the tool.", "Correct the named field."),
    "EVALUATION_INVALID": Reason(_REFUSED, "The data of an evaluation cannot be used.", "Correct the named file."),
    "ENVIRONMENT_UNAVAILABLE": Reason(
        "FAILED_PRECONDITION", "Environments cannot be made on this machine.", "Do what the message says."
    ),
    "ISOLATION_UNAVAILABLE": Reason(
        "FAILED_PRECONDITION", "Commands of tasks cannot be isolated on this machine.", "Do what the message says."
    ),
    "OUTSIDE_WORKSPACE": Reason("PERMISSION_DENIED", "A path leads out of the task's workspace.", "Stay inside."),
    "UPLOAD_INVALID": Reason(_REFUSED, "What was sent is not the announced file.", "Send it again."),
    "UPLOAD_NOT_FOUND": Reason(
        "NOT_FOUND", "No upload of that name is kept for this caller.", "Upload the file again."
    ),
    "FILE_LIMIT": Reason(
        "RESOURCE_EXHAUSTED",
        "The files take more room than the settings allow.",
        "Send less, or raise the named limit.",
    ),
    "CHECKS_FAILED": Reason(
        "FAILED_PRECONDITION",
        "A task ended with an answer, and its completion checks do not hold.",
        "The message and the answer say which; its files can be fetched.",
    ),
    "FILE_NOT_FOUND": Reason("NOT_FOUND", "The task's workspace has no such file.", "See ListTaskFiles."),
    "FILES_GONE": Reason("NOT_FOUND", "The task has no workspace, or no longer.", "Create the task again."),
    "NOT_OWNER": Reason("PERMISSION_DENIED", "It belongs to another token.", "Use the token that created it."),
    "APPROVAL_DENIED": Reason("PERMISSION_DENIED", "A person declined the action.", "Find another way."),
    "MODEL_UNAVAILABLE": Reason("UNAVAILABLE", "The chat model kept failing.", "Retry later, or use no model."),
    "MODEL_REJECTED": Reason("FAILED_PRECONDITION", "The provider rejects the request.", "Correct the settings."),
    "AGENT_FAILED": Reason("INTERNAL", "The agent failed for a reason without a name of its own.", "Report it."),
    # the service itself
    "SETTINGS_INVALID": Reason("FAILED_PRECONDITION", "A setting cannot be used.", "Correct the named setting."),
    "EXTRA_MISSING": Reason(
        "FAILED_PRECONDITION",
        "A library that this needs is not installed.",
        "Install the extra that the message names.",
    ),
    "SERVER_UNREACHABLE": Reason("UNAVAILABLE", "No server answers at the address.", "Check the address, start it."),
    "DEADLINE_EXCEEDED": Reason("DEADLINE_EXCEEDED", "The call took longer than its deadline.", "Allow more time."),
    "SHUTTING_DOWN": Reason("UNAVAILABLE", "The server is stopping.", "Retry; jobs go on after its restart."),
    "OUTPUT_FAILED": Reason("FAILED_PRECONDITION", "A file could not be read or written.", "Correct the path."),
    "INTERNAL": Reason("INTERNAL", "A fault of the server.", "Report it with the `incident` in the message."),
}


@dataclass(frozen=True)
class Failure(client_errors.Failure):
    """What a caller sees of an error. `reason` is a key of `REASONS` or a reason of the Cypher gate.

    An empty `status` takes the one of the reason.
    """

    def __post_init__(self) -> None:
        # messages quote what was asked and what repositories contain: every error is cleaned here, whichever way it leaves
        object.__setattr__(self, "message", harmless(self.message))
        object.__setattr__(self, "metadata", {key: harmless(value) for key, value in self.metadata.items()})
        if not self.status:
            known = REASONS.get(self.reason)
            object.__setattr__(self, "status", known.status if known else "INTERNAL")


class ServerError(Exception):
    """Root of the errors that only `server` raises; a request that fails raises the client's `RequestError` here too."""


class SettingsError(ServerError):
    """A setting cannot be used: the message names the setting, its value and what was expected."""


def refuse(reason: str, message: str, **metadata: str) -> RequestError:
    """The error to raise for one of our own reasons."""
    return RequestError(Failure(reason, message, metadata))


def invalid(field_name: str, message: str) -> RequestError:
    """The error to raise for a field that is missing or out of range."""
    return refuse("REQUEST_INVALID", f"{field_name}: {message}", field=field_name)


def _not_found(error: NotFoundError) -> Failure:
    kinds = {"node": "SYMBOL", "name": "SYMBOL", "file": "PATH", "path": "PATH", "directory": "PATH"}
    kind = kinds.get(error.kind.lower(), error.kind.upper())
    reason = f"{kind}_NOT_FOUND"
    metadata = {"kind": error.kind, "value": error.value}
    return Failure(reason if reason in REASONS else "NOT_FOUND", str(error), metadata)


def _refused(error: QueryRefusedError) -> Failure:
    places = {"line": error.line, "column": error.column}
    metadata = {key: str(value) for key, value in places.items() if value is not None}
    return Failure(error.reason.upper(), str(error), metadata, status=REASONS["QUERY_REFUSED"].status)


def _requested(error: RequestError) -> Failure:
    given = error.failure
    return Failure(given.reason, given.message, given.metadata, given.status)


def _ingest(error: IngestError) -> Failure:
    return Failure(error.reason, str(error), error.metadata)


def _plain(reason: str) -> Callable[[Exception], Failure]:
    return lambda error: Failure(reason, str(error))


_TRANSLATIONS: Mapping[type[Exception], Callable[..., Failure]] = {
    RequestError: _requested,
    SettingsError: _plain("SETTINGS_INVALID"),
    NotFoundError: _not_found,
    QueryRefusedError: _refused,
    QueryLimitError: lambda error: Failure("QUERY_LIMIT", str(error), {"limit": error.limit}),
    QueryFailedError: _plain("QUERY_FAILED"),
    TooManyQueriesError: _plain("TOO_MANY_QUERIES"),
    QueryCancelledError: _plain("CANCELLED"),
    StoreBusyError: _plain("STORE_BUSY"),
    StoreReadOnlyError: _plain("STORE_READ_ONLY"),
    StoreCorruptError: _plain("STORE_CORRUPT"),
    StoreFullError: _plain("STORE_FULL"),
    StoreNewerError: _plain("STORE_NEWER"),
    StoreUnwritableError: _plain("STORE_UNWRITABLE"),
    EngineUnavailableError: _plain("ENGINE_UNAVAILABLE"),
    EmbedderConfigurationError: _plain("EMBEDDER_REJECTED"),
    EmbedderUnavailableError: _plain("EMBEDDER_UNAVAILABLE"),
    GraphStoreError: _plain("INTERNAL"),
    IngestError: _ingest,
    AgentError: lambda error: Failure(error.reason, str(error)),
}


def failure_of(error: BaseException) -> Failure:
    """What the caller sees of any exception; one that no table knows is a fault of ours, and its text stays in our log."""
    for kind in type(error).__mro__:
        translate = _TRANSLATIONS.get(kind)
        if translate is not None:
            return translate(error)
    return Failure("INTERNAL", "the server failed at this request; its log has the details")


def with_metadata(failure: Failure, **metadata: str) -> Failure:
    """The same failure with more metadata."""
    return dataclasses.replace(failure, metadata={**failure.metadata, **metadata})
