"""A `Failure` on the wire: the gRPC status with google.rpc.ErrorInfo in its details, and back."""

from __future__ import annotations

from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from repoquarry.server.errors import DOMAIN, Failure

_DETAILS_KEY = "grpc-status-details-bin"
_MAX_MESSAGE = 2_000


def to_status(failure: Failure) -> status_pb2.Status:
    """The google.rpc.Status of a failure; long messages and values are cut, because metadata has a bounded size."""
    detail = any_pb2.Any()
    metadata = {key: value[:500] for key, value in failure.metadata.items()}
    detail.Pack(error_details_pb2.ErrorInfo(reason=failure.reason, domain=DOMAIN, metadata=metadata))
    code = grpc.StatusCode[failure.status].value[0]
    return status_pb2.Status(code=code, message=failure.message[:_MAX_MESSAGE], details=[detail])


async def abort(context: grpc.aio.ServicerContext[Any, Any], failure: Failure) -> NoReturn:
    """End the call with the failure."""
    status = to_status(failure)
    trailing = ((_DETAILS_KEY, status.SerializeToString()),)
    await context.abort(grpc.StatusCode[failure.status], status.message, trailing)
    raise AssertionError("abort returns never")


def from_rpc_error(error: grpc.RpcError, address: str) -> Failure:
    """What a call that failed says of itself; a failure of the transport gets a reason of its own."""
    code: grpc.StatusCode = error.code()
    message: str = error.details() or code.name
    for detail in _details(error):
        info = error_details_pb2.ErrorInfo()
        if detail.Is(info.DESCRIPTOR) and detail.Unpack(info) and info.domain == DOMAIN:
            return Failure(info.reason, message, dict(info.metadata), status=code.name)
    reasons = {"UNAVAILABLE": "SERVER_UNREACHABLE", "DEADLINE_EXCEEDED": "DEADLINE_EXCEEDED", "CANCELLED": "CANCELLED"}
    reason = reasons.get(code.name, "INTERNAL")
    if reason == "SERVER_UNREACHABLE":
        message = f"no server answers at {address}: {message}"
    return Failure(reason, message, {"address": address}, status=code.name)


def _details(error: grpc.RpcError) -> list[any_pb2.Any]:
    if isinstance(error, grpc.aio.AioRpcError):
        trailing: dict[str, str | bytes] = dict(error.trailing_metadata() or ())  # type: ignore[arg-type]  # pairs
        raw = trailing.get(_DETAILS_KEY)
        return list(status_pb2.Status.FromString(raw).details) if isinstance(raw, bytes) else []
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # errors of calls are calls
    return list(status.details) if status is not None else []
