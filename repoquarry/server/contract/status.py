"""A `Failure` on the wire: the gRPC status with google.rpc.ErrorInfo in its details; `repoquarry.client.status` reads it back."""

from __future__ import annotations

from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from repoquarry.client.errors import DOMAIN, Failure
from repoquarry.client.status import DETAILS_KEY

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
    trailing = ((DETAILS_KEY, status.SerializeToString()),)
    await context.abort(grpc.StatusCode[failure.status], status.message, trailing)
    raise AssertionError("abort returns never")
