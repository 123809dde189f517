"""gRPC interceptor that notifies observers."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc
import grpc.aio

from repoquarry.server.observer import End, Observer


class CallInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in its stub only
    """Tells the observers of every call with one request. It stands first, so that refused calls are told of as well."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        handler = await continuation(handler_call_details)
        if handler is None or handler.request_streaming or not self._observers:
            return handler
        service, _, method = handler_call_details.method.removeprefix("/").partition("/")
        metadata = {key: value for key, value in handler_call_details.invocation_metadata if isinstance(value, str)}

        def begin() -> list[End]:
            return [observer.call(service, method, metadata) for observer in self._observers]

        read, write = handler.request_deserializer, handler.response_serializer
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(_stream(handler.unary_stream, begin), read, write)
        return grpc.unary_unary_rpc_method_handler(_unary(handler.unary_unary, begin), read, write)


def _unary(behaviour: Any, begin: Callable[[], list[End]]) -> Any:
    async def call(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> object:
        with _told(context, begin):
            return await behaviour(request, context)

    return call


def _stream(behaviour: Any, begin: Callable[[], list[End]]) -> Any:
    """A method that yields its parts, or one that writes them to the call itself."""
    if not inspect.isasyncgenfunction(behaviour):
        return _unary(behaviour, begin)

    async def call(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[object]:
        with _told(context, begin):
            async for part in behaviour(request, context):
                yield part

    return call


@contextmanager
def _told(context: grpc.aio.ServicerContext[Any, Any], begin: Callable[[], list[End]]) -> Iterator[None]:
    ends = begin()
    code = grpc.StatusCode.OK
    try:
        yield
    except (asyncio.CancelledError, GeneratorExit):
        code = grpc.StatusCode.CANCELLED
        raise
    except BaseException:
        code = _code(context) or grpc.StatusCode.UNKNOWN
        raise
    finally:
        for end in ends:
            end(code.name)


def _code(context: grpc.aio.ServicerContext[Any, Any]) -> grpc.StatusCode | None:
    """The code that the call was ended with, which grpc keeps as a number or as a member."""
    found: object = context.code()
    return next((code for code in grpc.StatusCode if found in (code, code.value[0])), None)
