"""Translation of the errors of all packages by the table of reasons: status, description, remedy.

A caller receives a `ServerFailure` over gRPC, from the application in this process, and in a failed job: a status, a stable reason,
a message and metadata. Status codes are names, so that the command line does not load gRPC.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from repoquarry.client import errors as client_errors
from repoquarry.client.errors import RequestError as RequestError
from repoquarry.execution.errors import ExecutionError
from repoquarry.graphstore.errors import (
    AmbiguousNameError,
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
    TextsElsewhereError,
    TooManyQueriesError,
)
from repoquarry.ingest.errors import IngestError
from repoquarry.server.text_format import escape_controls


@dataclass(frozen=True)
class ErrorReason:
    """Reason of an error: its gRPC status, meaning and remedy."""

    status: str
    meaning: str
    remedy: str


_MAX_CANDIDATES = 20
_REFUSED, _STATE, _MISSING, _FULL = "INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "RESOURCE_EXHAUSTED"

REASONS: Mapping[str, ErrorReason] = {
    # requests
    "REQUEST_INVALID": ErrorReason(_REFUSED, "A field of the request is missing or out of range.", "Correct `field`."),
    "PAGE_TOKEN_INVALID": ErrorReason(_REFUSED, "The page token is not one of this list.", "Start at the first page."),
    "REQUEST_ID_REUSED": ErrorReason(
        "ALREADY_EXISTS", "The request id was used before, for something else.", "Choose a new `request_id`."
    ),
    "TOKEN_MISSING": ErrorReason(
        "UNAUTHENTICATED", "The call carries no bearer token.", "Send `authorization: Bearer …`."
    ),
    "TOKEN_WRONG": ErrorReason("UNAUTHENTICATED", "The bearer token is not one of the server's.", "Ask the operator."),
    "TOO_MANY_ATTEMPTS": ErrorReason(
        _FULL,
        "Calls of this address carried a missing or wrong token too often in the last minute.",
        "Correct the token, then wait a minute.",
    ),
    "SCOPE_MISSING": ErrorReason(
        "PERMISSION_DENIED", "The bearer token lacks the scope in `scope`.", "Use a token that has it."
    ),
    "MESSAGE_MALFORMED": ErrorReason(
        _REFUSED, "The bytes of the request are no message of its type.", "Generate the client from the contract again."
    ),
    "REPOSITORY_ID_TAKEN": ErrorReason(
        "ALREADY_EXISTS",
        "The id that the location gives belongs to another source.",
        "Give `repository_id` (`--name`).",
    ),
    "WRONG_STATE": ErrorReason(_STATE, "The job or task is not in a state that allows this.", "Check its `state`."),
    "ENVIRONMENT_IN_USE": ErrorReason(
        _STATE,
        "A task that is kept has the environment, or a command runs in it.",
        "Delete the task's files (`repoquarry files TASK --delete`), or wait.",
    ),
    # missing things
    "REPOSITORY_NOT_FOUND": ErrorReason(_MISSING, "No repository of that id is indexed.", "See ListRepositories."),
    "JOB_NOT_FOUND": ErrorReason(_MISSING, "There is no index job of that name.", "See ListIndexJobs."),
    "BATCH_NOT_FOUND": ErrorReason(_MISSING, "There is no batch of that name.", "See ListBatches."),
    "TASK_NOT_FOUND": ErrorReason(_MISSING, "There is no task of that name.", "See ListTasks."),
    "PROVISIONING_NOT_FOUND": ErrorReason(_MISSING, "There is no provisioning of that name.", "See ListProvisionings."),
    "ENVIRONMENT_NOT_FOUND": ErrorReason(
        _MISSING, "No environment of that name is kept.", "See `repoquarry provision --list`."
    ),
    "SYMBOL_NOT_FOUND": ErrorReason(
        _MISSING, "Nothing in the graph has that name.", "Search for it; the message names what is near."
    ),
    "SYMBOL_AMBIGUOUS": ErrorReason(
        _REFUSED, "Several definitions have that name; `candidates` has their ids.", "Use the id of one of them."
    ),
    "REPOSITORY_AMBIGUOUS": ErrorReason(
        _REFUSED, "Several repositories have that name; `candidates` has their ids.", "Use the id of one of them."
    ),
    "PATH_NOT_FOUND": ErrorReason(_MISSING, "No indexed file or folder has that path.", "See GetTree."),
    "NOT_FOUND": ErrorReason(_MISSING, "What the request names does not exist.", "Correct the name."),
    # the store
    "REPOSITORY_BUSY": ErrorReason(
        "ABORTED",
        "The repository is being indexed or waits for it.",
        "Wait for the job or batch in `job`, or cancel it.",
    ),
    "STORE_NOT_FOUND": ErrorReason(_MISSING, "There is no store at that folder.", "Index a repository first."),
    "TEXTS_ELSEWHERE": ErrorReason(
        _STATE,
        "Another data folder of the same Neo4j has the texts and the search index of the repository.",
        "Ask the service of the data folder that the message names, or index the repository here.",
    ),
    "STORE_BUSY": ErrorReason(
        _STATE,
        "Another process writes this store.",
        "Send the request to that process (`--server`), or wait until it ends.",
    ),
    "STORE_READ_ONLY": ErrorReason(
        _STATE, "The store was opened for reading.", "Send the request to the process that writes it."
    ),
    "STORE_FULL": ErrorReason(
        _FULL, "The disk that holds the store is full; nothing was changed.", "Free disk space and retry."
    ),
    "STORE_NEWER": ErrorReason(
        _STATE,
        "A newer version of the service wrote this store; nothing was read or changed.",
        "Use that version, or another store.",
    ),
    "STORE_UNWRITABLE": ErrorReason(
        _STATE,
        "The store's folder may not be written, by its permissions or its file system; it can be read.",
        "Correct them, or choose another folder.",
    ),
    "STORE_CORRUPT": ErrorReason(
        "DATA_LOSS", "A file of the store cannot be read.", "The message says how to rebuild it."
    ),
    "ENGINE_UNAVAILABLE": ErrorReason("UNAVAILABLE", "The graph engine cannot be reached.", "Retry later."),
    "EMBEDDER_REJECTED": ErrorReason(
        _STATE, "The embedder cannot work as it is set up.", "Correct the settings in `store.embedding`."
    ),
    "EMBEDDER_UNAVAILABLE": ErrorReason("UNAVAILABLE", "The embedding endpoint does not answer.", "Retry later."),
    # queries
    "QUERY_FAILED": ErrorReason(_REFUSED, "The engine could not evaluate the query.", "Correct the query."),
    "QUERY_LIMIT": ErrorReason(
        _FULL, "The query ran over the limit in `limit`.", "Narrow the query or raise the limit."
    ),
    "TOO_MANY_QUERIES": ErrorReason(
        _FULL, "The client has reached its limit of queued queries.", "Wait until one of them finishes."
    ),
    "READER_TOO_SLOW": ErrorReason(
        _FULL, "The client read nothing of the answer for too long.", "Read faster, or ask for less."
    ),
    "QUERY_REFUSED": ErrorReason(_REFUSED, "The query is not allowed or not understood.", "Correct the query."),
    # indexing
    "SOURCE_NOT_FOUND": ErrorReason(
        _MISSING, "The folder, archive or git address does not exist or cannot be reached.", "Correct the location."
    ),
    "SOURCE_REJECTED": ErrorReason(
        _REFUSED, "The source is there and may not be read: hostile, over a limit, or not supported.", "Choose another."
    ),
    "REPOSITORY_EMPTY": ErrorReason(
        _STATE, "Nothing in the source can be indexed.", "The message says what was skipped and why."
    ),
    "RESOLUTION_FAILED": ErrorReason(
        "INTERNAL", "Calls could not be resolved, for lack of memory or by a fault.", "Raise the limit, or report it."
    ),
    "GIT_FAILED": ErrorReason(_MISSING, "The git command ended with an error.", "Correct the location."),
    "WORKER_LOST": ErrorReason("UNAVAILABLE", "A process that worked on it died.", "Retry."),
    "LIST_REJECTED": ErrorReason(
        _REFUSED,
        "A list of repositories cannot be read, an entry of it names nothing, or two entries have the same id.",
        "Correct the list where the message says.",
    ),
    "CLUSTER_UNAVAILABLE": ErrorReason(
        "UNAVAILABLE",
        "The cluster that should do the work cannot be used.",
        "Install the extra, or correct the address.",
    ),
    "INGEST_FAILED": ErrorReason("INTERNAL", "Indexing failed for a reason without a name of its own.", "Report it."),
    "ATTEMPTS_EXHAUSTED": ErrorReason(
        "INTERNAL", "The server died while the work ran, `server.max_attempts` times.", "Look at the server's log."
    ),
    "CANCELLED": ErrorReason("CANCELLED", "It was cancelled; nothing was changed.", "Start it again."),
    # tasks
    "TASK_INVALID": ErrorReason(_REFUSED, "The task cannot be run as it was asked.", "Correct the request."),
    "TOOL_FAILED": ErrorReason(_STATE, "A tool could not do what it was asked.", "Read the message."),
    "TOOL_NOT_FOUND": ErrorReason(_MISSING, "No reading tool has that name.", "See ListTools."),
    "TOOL_ARGUMENTS_INVALID": ErrorReason(_REFUSED, "The arguments do not fit the tool.", "Correct the named field."),
    "EVALUATION_INVALID": ErrorReason(_REFUSED, "The data of an evaluation cannot be used.", "Correct the named file."),
    "ENVIRONMENT_UNAVAILABLE": ErrorReason(_STATE, "An environment could not be made.", "Do what the message says."),
    "ISOLATION_UNAVAILABLE": ErrorReason(
        _STATE, "Commands of tasks cannot be isolated on this machine.", "Do what the message says."
    ),
    "OUTSIDE_WORKSPACE": ErrorReason("PERMISSION_DENIED", "A path leads out of the task's workspace.", "Stay inside."),
    "UPLOAD_INVALID": ErrorReason(_REFUSED, "What was sent is not the announced file.", "Send it again."),
    "UPLOAD_NOT_FOUND": ErrorReason(
        _MISSING, "No upload of that name is kept for this caller.", "Upload the file again."
    ),
    "FILE_LIMIT": ErrorReason(
        _FULL, "The files take more room than the settings allow.", "Send less, or raise the named limit."
    ),
    "CHECKS_FAILED": ErrorReason(
        _STATE,
        "A task ended with an answer, and its completion checks do not hold.",
        "The message and the answer say which; its files can be fetched.",
    ),
    "FILE_NOT_FOUND": ErrorReason(_MISSING, "The task's workspace has no such file.", "See ListTaskFiles."),
    "FILES_GONE": ErrorReason(_MISSING, "The task has no workspace, or no longer.", "Create the task again."),
    "NOT_OWNER": ErrorReason("PERMISSION_DENIED", "It belongs to another token.", "Use the token that created it."),
    "APPROVAL_DENIED": ErrorReason("PERMISSION_DENIED", "A person declined the action.", "Find another way."),
    "MODEL_UNAVAILABLE": ErrorReason("UNAVAILABLE", "The chat model kept failing.", "Retry later, or use no model."),
    "MODEL_REJECTED": ErrorReason(_STATE, "The provider rejects the request.", "Correct the settings."),
    "MODEL_REQUIRED": ErrorReason(
        _STATE,
        "A task that writes files or runs commands was given no chat model.",
        "Set up a model and ask for the policy `chat`; a question needs neither a model nor a workspace.",
    ),
    "NO_ANSWER": ErrorReason(
        "NOT_FOUND",
        "The repositories hold no answer to the question, or the chat model gave none.",
        "The answer says what was searched; ask with names from the code, or name other repositories.",
    ),
    "NO_PROGRESS": ErrorReason(
        "FAILED_PRECONDITION",
        "The chat model of a task with a workspace repeated calls whose results it had.",
        "Create the task again with a larger model; what there is of its answer and files can be fetched.",
    ),
    "BUDGET_REACHED": ErrorReason(
        _STATE,
        "A task with a workspace was cut short by its budget.",
        "Give it more; what there is of its answer and files can be fetched.",
    ),
    "ENTRIES_FAILED": ErrorReason(
        _STATE,
        "Entries of a batch failed; the others are stored.",
        "ListBatchOutcomes with failed_only says which and why.",
    ),
    "REPOSITORY_CHANGED": ErrorReason(
        "ABORTED", "A repository was re-indexed or deleted while it was exported.", "Export it again."
    ),
    "AGENT_FAILED": ErrorReason("INTERNAL", "The agent failed for a reason without a name of its own.", "Report it."),
    # the service itself
    "SETTINGS_INVALID": ErrorReason(_STATE, "A setting cannot be used.", "Correct the named setting."),
    "EXTRA_MISSING": ErrorReason(
        _STATE, "A library that this needs is not installed.", "Install the extra that the message names."
    ),
    "SERVER_UNREACHABLE": ErrorReason(
        "UNAVAILABLE", "No server answers at the address.", "Check the address, start it."
    ),
    "DEADLINE_EXCEEDED": ErrorReason(
        "DEADLINE_EXCEEDED", "The call took longer than its deadline.", "Allow more time."
    ),
    "SHUTTING_DOWN": ErrorReason("UNAVAILABLE", "The server is stopping.", "Retry; jobs resume after the restart."),
    "OUTPUT_FAILED": ErrorReason(_STATE, "A file could not be read or written.", "Correct the path."),
    "INTERNAL": ErrorReason(
        "INTERNAL", "Internal error of the server.", "Report it with the `incident` in the message."
    ),
}


@dataclass(frozen=True)
class ServerFailure(client_errors.RequestFailure):
    """Failure that a caller receives. `reason` is a key of `REASONS` or a reason of the Cypher gate.

    An empty `status` means the status of the reason.
    """

    def __post_init__(self) -> None:
        # Messages quote requests and repositories: control characters of every error are replaced here.
        object.__setattr__(self, "message", escape_controls(self.message))
        object.__setattr__(self, "metadata", {key: escape_controls(value) for key, value in self.metadata.items()})
        if not self.status:
            known = REASONS.get(self.reason)
            object.__setattr__(self, "status", known.status if known else "INTERNAL")


class ServerError(Exception):
    """Base class of the errors that only `server` raises; failed requests raise the client's `RequestError`."""


class SettingsError(ServerError):
    """Setting is invalid: the message names the setting, its value and the expected values."""


def request_error(reason: str, message: str, **metadata: str) -> RequestError:
    """Build the error of a reason."""
    return RequestError(ServerFailure(reason, message, metadata))


def invalid_field(field_name: str, message: str) -> RequestError:
    """Build the error of a field that is missing or out of range."""
    return request_error("REQUEST_INVALID", f"{field_name}: {message}", field=field_name)


def _not_found(error: NotFoundError) -> ServerFailure:
    kinds = {"node": "SYMBOL", "name": "SYMBOL", "file": "PATH", "path": "PATH", "directory": "PATH"}
    kind = kinds.get(error.kind.lower(), error.kind.upper())
    reason = f"{kind}_NOT_FOUND"
    metadata = {"kind": error.kind, "value": error.value}
    if error.nearest:
        metadata["nearest"] = json.dumps(error.nearest)
    return ServerFailure(reason if reason in REASONS else "NOT_FOUND", str(error), metadata)


def _ambiguous(error: AmbiguousNameError) -> ServerFailure:
    """Metadata travels in a header of limited size: 20 candidates at most."""
    reason = "REPOSITORY_AMBIGUOUS" if error.kind == "repository" else "SYMBOL_AMBIGUOUS"
    shown = json.dumps(error.candidates[:_MAX_CANDIDATES])
    metadata = {"value": error.name, "candidates": shown, "candidate_count": str(len(error.candidates))}
    return ServerFailure(reason, str(error), metadata)


def _refused(error: QueryRefusedError) -> ServerFailure:
    places = {"line": error.line, "column": error.column}
    metadata = {key: str(value) for key, value in places.items() if value is not None}
    return ServerFailure(error.reason.upper(), str(error), metadata, status=REASONS["QUERY_REFUSED"].status)


def _requested(error: RequestError) -> ServerFailure:
    given = error.failure
    return ServerFailure(given.reason, given.message, given.metadata, given.status)


def _ingest(error: IngestError) -> ServerFailure:
    return ServerFailure(error.reason, str(error), error.metadata)


def _plain(reason: str) -> Callable[[Exception], ServerFailure]:
    return lambda error: ServerFailure(reason, str(error))


_TRANSLATIONS: Mapping[type[Exception], Callable[..., ServerFailure]] = {
    RequestError: _requested,
    SettingsError: _plain("SETTINGS_INVALID"),
    NotFoundError: _not_found,
    AmbiguousNameError: _ambiguous,
    QueryRefusedError: _refused,
    QueryLimitError: lambda error: ServerFailure("QUERY_LIMIT", str(error), {"limit": error.limit}),
    QueryFailedError: _plain("QUERY_FAILED"),
    TooManyQueriesError: _plain("TOO_MANY_QUERIES"),
    QueryCancelledError: _plain("CANCELLED"),
    TextsElsewhereError: _plain("TEXTS_ELSEWHERE"),
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
    ExecutionError: lambda error: ServerFailure(error.reason, str(error)),
}


def to_failure(error: BaseException) -> ServerFailure:
    """Translate an exception; an unknown exception is an internal error, whose text is only logged."""
    for kind in type(error).__mro__:
        translate = _TRANSLATIONS.get(kind)
        if translate is not None:
            return translate(error)
    return ServerFailure("INTERNAL", "the server failed at this request; its log has the details")
