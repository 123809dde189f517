"""Every error that leaves the service: the translation of each package's exceptions into the table of reasons.

A `Failure` is what a caller sees, whether it comes over gRPC, from the application in this process, or out of a job that
failed: a status, a stable reason, a message and metadata. This module and the table alone know gRPC status codes, by their names, so that
the command line can use it without loading gRPC.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import repoquarry.client.errors as client_errors
from repoquarry.agent.errors import AgentError
from repoquarry.client.errors import RequestError as RequestError
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
from repoquarry.server.harmless import harmless
from repoquarry.server.reasons import REASONS


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
