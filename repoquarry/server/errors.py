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

_ROWS: Mapping[str, tuple[str, str, str]] = {
    # requests
    "REQUEST_INVALID": (_REFUSED, "A field of the request is missing or out of range.", "Correct `field`."),
    "PAGE_TOKEN_INVALID": (_REFUSED, "The page token is not one of this list.", "Start at the first page."),
    "REQUEST_ID_REUSED": ("ALREADY_EXISTS", "Another request used the request id.", "Choose a new `request_id`."),
    "TOKEN_MISSING": ("UNAUTHENTICATED", "The call carries no bearer token.", "Send `authorization: Bearer …`."),
    "TOKEN_WRONG": ("UNAUTHENTICATED", "The server does not know the bearer token.", "Ask the operator."),
    "TOO_MANY_ATTEMPTS": (_FULL, "Too many calls of this address had no valid token.", "Correct it; wait a minute."),
    "SCOPE_MISSING": ("PERMISSION_DENIED", "The bearer token lacks the scope in `scope`.", "Use a token that has it."),
    "MESSAGE_MALFORMED": (_REFUSED, "The request cannot be decoded as its type.", "Regenerate the client."),
    "REPOSITORY_ID_TAKEN": ("ALREADY_EXISTS", "Another source has the id.", "Pass `repository_id` (`--name`)."),
    "WRONG_STATE": (_STATE, "The job or task is not in a state that allows this.", "Check its `state`."),
    "ENVIRONMENT_IN_USE": (
        _STATE,
        "A stored task uses the environment, or a command runs in it.",
        "Delete the task's files (`repoquarry files TASK --delete`), or wait.",
    ),
    # missing things
    "REPOSITORY_NOT_FOUND": (_MISSING, "No repository of that id is indexed.", "See ListRepositories."),
    "JOB_NOT_FOUND": (_MISSING, "There is no index job of that name.", "See ListIndexJobs."),
    "BATCH_NOT_FOUND": (_MISSING, "There is no batch of that name.", "See ListBatches."),
    "TASK_NOT_FOUND": (_MISSING, "There is no task of that name.", "See ListTasks."),
    "PROVISIONING_NOT_FOUND": (_MISSING, "There is no provisioning of that name.", "See ListProvisionings."),
    "ENVIRONMENT_NOT_FOUND": (_MISSING, "No such environment is cached.", "See `repoquarry provision --list`."),
    "SYMBOL_NOT_FOUND": (
        _MISSING,
        "Nothing in the graph has that name.",
        "Search for it; see `nearest` in the metadata.",
    ),
    "SYMBOL_AMBIGUOUS": (_REFUSED, "Several definitions have that name.", "Use one of the ids in `candidates`."),
    "REPOSITORY_AMBIGUOUS": (_REFUSED, "Several repositories have that name.", "Use one of the ids in `candidates`."),
    "PATH_NOT_FOUND": (_MISSING, "No indexed file or folder has that path.", "See GetTree."),
    "NOT_FOUND": (_MISSING, "No such object exists.", "Correct the name."),
    # the store
    "REPOSITORY_BUSY": (
        "ABORTED",
        "The repository is queued or being indexed.",
        "Wait for the work in `job`, or cancel it.",
    ),
    "STORE_NOT_FOUND": (_MISSING, "There is no store at that folder.", "Index a repository first."),
    "TEXTS_ELSEWHERE": (
        _STATE,
        "Another data folder of the same Neo4j has the texts and the search index of the repository.",
        "Ask the service of the data folder that the message names, or index the repository here.",
    ),
    "STORE_BUSY": (_STATE, "Another process writes this store.", "Send the request to it (`--server`), or wait."),
    "STORE_READ_ONLY": (_STATE, "The store was opened for reading.", "Send the request to the process that writes it."),
    "STORE_FULL": (_FULL, "The disk that holds the store is full; nothing was changed.", "Free disk space and retry."),
    "STORE_NEWER": (
        _STATE,
        "A newer version wrote this store; nothing was changed.",
        "Use that version or another store.",
    ),
    "STORE_UNWRITABLE": (
        _STATE,
        "The folder of the store can be read but not written.",
        "Correct its permissions, or choose another folder.",
    ),
    "STORE_CORRUPT": ("DATA_LOSS", "A file of the store cannot be read.", "Rebuild it as the message says."),
    "ENGINE_UNAVAILABLE": ("UNAVAILABLE", "The graph engine cannot be reached.", "Retry later."),
    "EMBEDDER_REJECTED": (_STATE, "The settings of the embedder are invalid.", "Correct `store.embedding`."),
    "EMBEDDER_UNAVAILABLE": ("UNAVAILABLE", "The embedding endpoint does not answer.", "Retry later."),
    # queries
    "QUERY_FAILED": (_REFUSED, "The engine could not evaluate the query.", "Correct the query."),
    "QUERY_LIMIT": (_FULL, "The query exceeded the limit in `limit`.", "Narrow the query or raise the limit."),
    "TOO_MANY_QUERIES": (_FULL, "The client has reached its limit of queued queries.", "Wait until one finishes."),
    "READER_TOO_SLOW": (_FULL, "The client read nothing of the answer for too long.", "Read faster, or ask for less."),
    "QUERY_REFUSED": (_REFUSED, "The query is not allowed or cannot be parsed.", "Correct the query."),
    # indexing
    "SOURCE_NOT_FOUND": (_MISSING, "The source does not exist or cannot be reached.", "Correct the location."),
    "SOURCE_REJECTED": (_REFUSED, "The source is hostile, over a limit, or not supported.", "Choose another source."),
    "REPOSITORY_EMPTY": (_STATE, "Nothing in the source can be indexed.", "See the skipped files in the message."),
    "RESOLUTION_FAILED": ("INTERNAL", "Calls could not be resolved.", "Raise the memory limit, or report the error."),
    "GIT_FAILED": (_MISSING, "The git command ended with an error.", "Correct the location."),
    "WORKER_LOST": ("UNAVAILABLE", "The process that did the work exited.", "Retry."),
    "LIST_REJECTED": (_REFUSED, "A list or an entry is invalid, or two entries have the same id.", "Correct the list."),
    "CLUSTER_UNAVAILABLE": ("UNAVAILABLE", "The cluster cannot be used.", "Install the extra, or correct the address."),
    "INGEST_FAILED": ("INTERNAL", "Indexing failed for an unknown reason.", "Report it."),
    "ATTEMPTS_EXHAUSTED": ("INTERNAL", "The server stopped during every attempt.", "Check the log of the server."),
    "CANCELLED": ("CANCELLED", "It was cancelled; nothing was changed.", "Start it again."),
    # tasks
    "TASK_INVALID": (_REFUSED, "The request of the task is invalid.", "Correct the request."),
    "TOOL_FAILED": (_STATE, "The call of a tool failed.", "Read the message."),
    "TOOL_NOT_FOUND": (_MISSING, "No reading tool has that name.", "See ListTools."),
    "TOOL_ARGUMENTS_INVALID": (_REFUSED, "The arguments do not match the tool.", "Correct the named field."),
    "EVALUATION_INVALID": (_REFUSED, "The data of an evaluation cannot be used.", "Correct the named file."),
    "ENVIRONMENT_UNAVAILABLE": (_STATE, "An environment could not be built.", "Do what the message says."),
    "ISOLATION_UNAVAILABLE": (_STATE, "This machine cannot isolate commands.", "Do what the message says."),
    "OUTSIDE_WORKSPACE": ("PERMISSION_DENIED", "A path is outside the workspace of the task.", "Correct the path."),
    "UPLOAD_INVALID": (_REFUSED, "The data is not the announced file.", "Send the file again."),
    "UPLOAD_NOT_FOUND": (_MISSING, "This caller has no upload of that name.", "Upload the file again."),
    "FILE_LIMIT": (_FULL, "The files exceed the size limit of the settings.", "Send less, or raise the named limit."),
    "CHECKS_FAILED": (
        _STATE,
        "A task has an answer, but its completion checks failed.",
        "The message and the answer say which; its files can be fetched.",
    ),
    "FILE_NOT_FOUND": (_MISSING, "The task's workspace has no such file.", "See ListTaskFiles."),
    "FILES_GONE": (_MISSING, "The task has no workspace, or it was deleted.", "Create the task again."),
    "NOT_OWNER": ("PERMISSION_DENIED", "It belongs to another token.", "Use the token that created it."),
    "APPROVAL_DENIED": ("PERMISSION_DENIED", "A person declined the action.", "Find another way."),
    "MODEL_UNAVAILABLE": ("UNAVAILABLE", "The chat model kept failing.", "Retry later, or use no model."),
    "MODEL_REJECTED": (_STATE, "The provider rejects the request.", "Correct the settings."),
    "MODEL_REQUIRED": (
        _STATE,
        "A task that writes files or runs commands has no chat model.",
        "Configure a model and use the policy `chat`; a question needs neither a model nor a workspace.",
    ),
    "NO_ANSWER": (
        _MISSING,
        "The repositories contain no answer to the question, or the chat model gave none.",
        "The answer says what was searched; ask with names from the code, or name other repositories.",
    ),
    "NO_PROGRESS": (
        _STATE,
        "The chat model of a task with a workspace repeated calls whose results it had.",
        "Create the task again with a larger model; its answer and files so far can be fetched.",
    ),
    "BUDGET_REACHED": (
        _STATE,
        "A task with a workspace reached its budget.",
        "Raise the budget; its answer and files so far can be fetched.",
    ),
    "ENTRIES_FAILED": (_STATE, "Entries of a batch failed; the others are stored.", "See ListBatchOutcomes."),
    "REPOSITORY_CHANGED": ("ABORTED", "A repository changed while it was exported.", "Export it again."),
    "AGENT_FAILED": ("INTERNAL", "The agent failed for an unknown reason.", "Report it."),
    # the service itself
    "SETTINGS_INVALID": (_STATE, "A setting cannot be used.", "Correct the named setting."),
    "EXTRA_MISSING": (_STATE, "A library is not installed.", "Install the extra that the message names."),
    "SERVER_UNREACHABLE": ("UNAVAILABLE", "No server answers at the address.", "Check the address; start the server."),
    "DEADLINE_EXCEEDED": ("DEADLINE_EXCEEDED", "The call took longer than its deadline.", "Allow more time."),
    "SHUTTING_DOWN": ("UNAVAILABLE", "The server is stopping.", "Retry; jobs resume after the restart."),
    "OUTPUT_FAILED": (_STATE, "A file could not be read or written.", "Correct the path."),
    "INTERNAL": ("INTERNAL", "Internal error of the server.", "Report it with the `incident` in the message."),
}
REASONS: Mapping[str, ErrorReason] = {reason: ErrorReason(*row) for reason, row in _ROWS.items()}


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


def _plain(reason: str) -> Callable[[Exception], ServerFailure]:
    return lambda error: ServerFailure(reason, str(error))


_TRANSLATIONS: Mapping[type[Exception], Callable[..., ServerFailure]] = {
    RequestError: lambda error: ServerFailure(**vars(error.failure)),
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
    IngestError: lambda error: ServerFailure(error.reason, str(error), error.metadata),
    ExecutionError: lambda error: ServerFailure(error.reason, str(error)),
}


def to_failure(error: BaseException) -> ServerFailure:
    """Translate an exception; an unknown exception is an internal error, whose text is only logged."""
    for kind in type(error).__mro__:
        translate = _TRANSLATIONS.get(kind)
        if translate is not None:
            return translate(error)
    return ServerFailure("INTERNAL", "the server failed at this request; its log has the details")
