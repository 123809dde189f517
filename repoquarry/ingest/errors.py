"""Exceptions of ingestion, one class for each reaction of a caller: correct the source, choose another, retry, raise a limit."""

from __future__ import annotations


class IngestError(Exception):
    """Root of every error that `ingest` raises. `reason` is a stable machine-readable word (see docs/reference/errors.md)."""

    reason = "INGEST_FAILED"

    def __init__(self, message: str, **metadata: str) -> None:
        super().__init__(message)
        self.metadata = metadata


class SourceNotFoundError(IngestError):
    """The folder, archive or git address does not exist or cannot be reached: correct it."""

    reason = "SOURCE_NOT_FOUND"


class SourceRejectedError(IngestError):
    """The source is there and may not be read (hostile archive, over a limit, unsupported scheme): choose another."""

    reason = "SOURCE_REJECTED"


class ScipRejectedError(IngestError):
    """A SCIP index is missing, damaged or too large: correct its path or write it again; the previous index is intact."""

    reason = "SCIP_REJECTED"


class RepositoryIdTakenError(IngestError):
    """The id that the source gives, or that was asked for, belongs to another source: choose another name."""

    reason = "REPOSITORY_ID_TAKEN"


class EmptyRepositoryError(IngestError):
    """Nothing in the source can be indexed: the message says what was found and why it was skipped."""

    reason = "REPOSITORY_EMPTY"


class IngestCancelledError(IngestError):
    """The caller cancelled; nothing was changed."""

    reason = "CANCELLED"


class WorkerLostError(IngestError):
    """A worker process died: retry; the message names the file it was reading where that is known."""

    reason = "WORKER_LOST"


class ResolutionFailedError(IngestError):
    """Calls could not be resolved, because of an internal error or for lack of memory: nothing was changed; report it or raise the limit."""

    reason = "RESOLUTION_FAILED"
