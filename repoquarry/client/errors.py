"""`RequestFailure`: gRPC status, stable reason, message and metadata of a failed request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

DOMAIN = "repoquarry"
"""`domain` of every google.rpc.ErrorInfo."""


@dataclass(frozen=True)
class RequestFailure:
    """Why a request failed."""

    reason: str
    """Stable word to decide by; docs/errors.md lists all of them with what to do."""

    message: str
    """Sentence for people: what happened, with which value, and what to do."""

    metadata: Mapping[str, str] = field(default_factory=dict)
    """Values that belong to the reason, such as `field`, `limit` or `job`."""

    status: str = ""
    """Name of the gRPC status, such as `NOT_FOUND`."""


class ClientError(Exception):
    """Root of every error that the client raises."""


class RequestError(ClientError):
    """A request failed; `failure` says why in the words of the contract, and the caller reads there what to do next."""

    def __init__(self, failure: RequestFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure
