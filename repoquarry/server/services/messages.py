"""Bytes that are no message of the method's type, or choose what the contract does not have: a mistake of the caller.

So it is INVALID_ARGUMENT, and one line in the log for bytes.

grpc itself answers INTERNAL and logs a traceback for each, which fills the log of a server that strangers can reach.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio

from repoquarry.server.contract.status import abort
from repoquarry.server.errors import Failure
from repoquarry.server.services.choices import unknown_choice

_log = logging.getLogger(__name__)
_OURS = "/repoquarry."


@dataclass(frozen=True)
class _Malformed:
    """Stands for a request that could not be read, until there is a call to answer."""

    problem: str
    field: str = ""
    """Where the bytes are a message: the field that holds what it may not."""


class MessageInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in its stub only
    """Answers malformed requests, or parts of them, of our own services."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or handler.request_deserializer is None or not method.startswith(_OURS):
            return handler
        read = _reading(handler.request_deserializer)
        if handler.request_streaming:
            receiving = _checked_parts(handler.stream_unary, method)
            return grpc.stream_unary_rpc_method_handler(receiving, read, handler.response_serializer)
        if handler.response_streaming:
            streaming = _checked_stream(handler.unary_stream, method)
            return grpc.unary_stream_rpc_method_handler(streaming, read, handler.response_serializer)
        unary = _checked_unary(handler.unary_unary, method)
        return grpc.unary_unary_rpc_method_handler(unary, read, handler.response_serializer)


def _reading(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        try:
            message = deserialize(data)
        except Exception as exc:  # protobuf's implementations raise different classes
            return _Malformed(" ".join(str(exc).split())[:200])
        unknown = unknown_choice(message)
        return message if unknown is None else _Malformed(unknown[1], unknown[0])

    return read


def _checked_unary(behaviour: Any, method: str) -> Any:
    async def call(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> object:
        if isinstance(request, _Malformed):
            await abort(context, _failure(request, method))
        return await behaviour(request, context)

    return call


def _checked_parts(behaviour: Any, method: str) -> Any:
    """A method that takes its request in parts."""

    async def call(requests: AsyncIterator[object], context: grpc.aio.ServicerContext[Any, Any]) -> object:
        async def checked() -> AsyncIterator[object]:
            async for request in requests:
                if isinstance(request, _Malformed):
                    await abort(context, _failure(request, method))
                yield request

        return await behaviour(checked(), context)

    return call


def _checked_stream(behaviour: Any, method: str) -> Any:
    """A method that yields its parts, or one that writes them to the call itself."""
    if not inspect.isasyncgenfunction(behaviour):
        return _checked_unary(behaviour, method)

    async def call(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[object]:
        if isinstance(request, _Malformed):
            await abort(context, _failure(request, method))
        async for part in behaviour(request, context):
            yield part

    return call


def _failure(request: _Malformed, method: str) -> Failure:
    if request.field:
        return Failure("REQUEST_INVALID", f"{request.field}: {request.problem}", {"field": request.field})
    _log.warning("request_malformed method=%s problem=%s", method, request.problem)
    return Failure("MESSAGE_MALFORMED", f"the request of {method.rpartition('/')[2]} cannot be read: {request.problem}")
