"""Exceptions of the client; `RequestFailure` holds gRPC status, stable reason, message and metadata of a failed request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

DOMAIN = "repoquarry"
"""`domain` of every google.rpc.ErrorInfo."""


@dataclass(frozen=True)
class RequestFailure:
    """Cause of a failed request."""

    reason: str
    """Stable identifier of the cause; docs/reference/errors.md lists all of them with the remedy."""
    message: str
    """Message for people: the problem, the value and the remedy."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Values of the reason, such as `field`, `limit` or `job`."""
    status: str = ""
    """Name of the gRPC status, such as `NOT_FOUND`."""


class ClientError(Exception):
    """Base class of all errors that the client raises."""


class RequestError(ClientError):
    """Failed request; `failure` has the reason that tells the caller what to do next."""

    def __init__(self, failure: RequestFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure
