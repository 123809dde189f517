"""A gRPC error as a `Failure`: the google.rpc.ErrorInfo that the server sends in the details of its statuses, read back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from repoquarry.client.errors import DOMAIN, Failure

DETAILS_KEY = "grpc-status-details-bin"
"""Trailing metadata that carries the google.rpc.Status of a call, by gRPC's convention."""

_REASONS = {"UNAVAILABLE": "SERVER_UNREACHABLE", "DEADLINE_EXCEEDED": "DEADLINE_EXCEEDED", "CANCELLED": "CANCELLED"}
"""Reasons of failures of the transport, which carries no ErrorInfo."""


def from_rpc_error(error: grpc.RpcError, address: str) -> Failure:
    """Why a call failed; a failure of the transport gets a reason of its own."""
    code: grpc.StatusCode = error.code()
    message: str = error.details() or code.name
    for info in _infos(error):
        if info.domain == DOMAIN:
            return Failure(info.reason, message, dict(info.metadata), code.name)
    reason = _REASONS.get(code.name, "INTERNAL")
    if reason == "SERVER_UNREACHABLE":
        message = f"no server answers at {address}: {message}"
    return Failure(reason, message, {"address": address}, code.name)


def _infos(error: grpc.RpcError) -> Iterable[error_details_pb2.ErrorInfo]:
    trailing: Iterable[Any] = error.trailing_metadata() or ()
    for key, value in trailing:
        if key != DETAILS_KEY or not isinstance(value, bytes):
            continue
        try:
            status = status_pb2.Status.FromString(value)
        except DecodeError:
            continue
        for detail in status.details:
            info = error_details_pb2.ErrorInfo()
            if detail.Is(info.DESCRIPTOR) and detail.Unpack(info):
                yield info
