"""Translation of the exceptions of all packages to failures for callers, by a table of reasons with status, meaning and remedy.

A caller receives a `ServerFailure` over gRPC, from the application in this process, and in a failed job: a status, a stable reason,
a message and metadata. Status codes are names, so that the command line does not load gRPC.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from repoquarry.client import errors as client_errors
from repoquarry.client.errors import RequestError as RequestError
from repoquarry.execution.errors import ExecutionError
from repoquarry.graphstore import errors as store_errors
from repoquarry.ingest.errors import IngestError
from repoquarry.server.text_format import escape_controls, read_table


@dataclass(frozen=True)
class ErrorReason:
    status: str
    meaning: str
    remedy: str


_MAX_CANDIDATES = 20
REASONS: Mapping[str, ErrorReason] = {reason: ErrorReason(*row) for reason, *row in read_table("error_reasons")}
_STATUSES = read_table("statuses")
HTTP_STATUSES: Mapping[str, int] = {status: int(number) for status, number, _ in _STATUSES}
"""HTTP status by gRPC status, as the Connect protocol says; 500 for every other one."""
EXIT_CODES: Mapping[str, int] = {status: int(code) for status, _, code in _STATUSES if code != "1"}
"""Exit code of the command line by gRPC status; 1 for every other one."""


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
    return RequestError(ServerFailure(reason, message, metadata))


def invalid_field(field_name: str, message: str) -> RequestError:
    """Build the error of a field that is missing or out of range."""
    return request_error("REQUEST_INVALID", f"{field_name}: {message}", field=field_name)


def _not_found(error: store_errors.NotFoundError) -> ServerFailure:
    kinds = {"node": "SYMBOL", "name": "SYMBOL", "file": "PATH", "path": "PATH", "directory": "PATH"}
    kind = kinds.get(error.kind.lower(), error.kind.upper())
    reason = f"{kind}_NOT_FOUND"
    metadata = {"kind": error.kind, "value": error.value}
    if error.nearest:
        metadata["nearest"] = json.dumps(error.nearest)
    return ServerFailure(reason if reason in REASONS else "NOT_FOUND", str(error), metadata)


def _ambiguous(error: store_errors.AmbiguousNameError) -> ServerFailure:
    """Metadata travels in a header of limited size: 20 candidates at most."""
    reason = "REPOSITORY_AMBIGUOUS" if error.kind == "repository" else "SYMBOL_AMBIGUOUS"
    shown = json.dumps(error.candidates[:_MAX_CANDIDATES])
    metadata = {"value": error.name, "candidates": shown, "candidate_count": str(len(error.candidates))}
    return ServerFailure(reason, str(error), metadata)


def _refused(error: store_errors.QueryRefusedError) -> ServerFailure:
    places = {"line": error.line, "column": error.column}
    metadata = {key: str(value) for key, value in places.items() if value is not None}
    return ServerFailure(error.reason.upper(), str(error), metadata, status=REASONS["QUERY_REFUSED"].status)


_TRANSLATIONS: Mapping[type[Exception], Callable[..., ServerFailure]] = {
    RequestError: lambda error: ServerFailure(**vars(error.failure)),
    SettingsError: lambda error: ServerFailure("SETTINGS_INVALID", str(error)),
    store_errors.NotFoundError: _not_found,
    store_errors.AmbiguousNameError: _ambiguous,
    store_errors.QueryRefusedError: _refused,
    store_errors.QueryLimitError: lambda error: ServerFailure("QUERY_LIMIT", str(error), {"limit": error.limit}),
    store_errors.QueryCancelledError: lambda error: ServerFailure("CANCELLED", str(error)),
    store_errors.EmbedderConfigurationError: lambda error: ServerFailure("EMBEDDER_REJECTED", str(error)),
    store_errors.GraphStoreError: lambda error: ServerFailure(_find_reason(type(error)), str(error)),
    IngestError: lambda error: ServerFailure(error.reason, str(error), error.metadata),
    ExecutionError: lambda error: ServerFailure(error.reason, str(error)),
}


def _find_reason(kind: type[Exception]) -> str:
    """Return the reason that a class or its base is named after: `STORE_BUSY` for `StoreBusyError`; INTERNAL where there is none."""
    names = (re.sub(r"(?<=[a-z])(?=[A-Z])", "_", base.__name__.removesuffix("Error")).upper() for base in kind.__mro__)
    return next((name for name in names if name in REASONS), "INTERNAL")


def to_failure(error: BaseException) -> ServerFailure:
    """Translate an exception; an unknown exception is an internal error, whose text is only logged."""
    for kind in type(error).__mro__:
        translate = _TRANSLATIONS.get(kind)
        if translate is not None:
            return translate(error)
    return ServerFailure("INTERNAL", "the server failed at this request; its log has the details")
