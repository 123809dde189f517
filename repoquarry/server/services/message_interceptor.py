"""Rejection of malformed messages, oversized fields and unknown enum values, and quiet ends of streams that a client left.

Protobuf keeps such numbers, so that a newer server can add values; here nobody knows what they ask for. Decided in one place for
every method, since a lookup that misses one would be a fault of the server.

So it is INVALID_ARGUMENT, and one line in the log for bytes.

grpc itself answers INTERNAL and logs a traceback for each, which fills the log of a server that strangers can reach.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from typing import Any

import grpc
import grpc.aio
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from repoquarry.server.errors import ServerFailure
from repoquarry.server.services.rpc_executor import abort

_NOT_LOOKED_INTO = frozenset({"repoquarry.v1.Value", "google.protobuf.Struct", "google.protobuf.Any"})
"""Values of queries and tools: no choices of the contract, and a request may hold a million of them."""


def find_unknown_enum_value(message: Message) -> tuple[str, str] | None:
    """Name of the first field that holds a number which its enumeration lacks, and what is wrong with it; None where none does."""
    for field in _telling(message.DESCRIPTOR):
        values = _values(message, field)
        for value in values:
            if field.enum_type is not None:
                if value not in field.enum_type.values_by_number:
                    known = ", ".join(one.name for one in field.enum_type.values)
                    return field.name, f"{value} is no value of {field.enum_type.name}; the values are {known}"
            elif (found := find_unknown_enum_value(value)) is not None:
                return f"{field.name}.{found[0]}", found[1]
    return None


def _values(message: Message, field: FieldDescriptor) -> Any:
    """What the field holds, as a sequence."""
    if field.is_repeated:
        value = getattr(message, field.name)
        return value.values() if _is_map(field) else value
    if field.has_presence and not message.HasField(field.name):
        return ()
    return (getattr(message, field.name),)


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


@cache
def _telling(kind: Descriptor) -> tuple[FieldDescriptor, ...]:
    """The fields that are an enumeration, or a message that has one somewhere."""
    return tuple(field for field in kind.fields if field.enum_type is not None or _leads_to_one(field, frozenset()))


def _leads_to_one(field: FieldDescriptor, passed: frozenset[str]) -> bool:
    inner = field.message_type
    if inner is None or inner.full_name in passed | _NOT_LOOKED_INTO:
        return False
    if _is_map(field):
        value = inner.fields_by_name["value"]
        return value.enum_type is None and _leads_to_one(value, passed)
    passed |= {inner.full_name}
    return any(one.enum_type is not None or _leads_to_one(one, passed) for one in inner.fields)


MAX_CHARACTERS = 4_096
"""Length of a text field, where `_CHARACTERS` has no other."""

MAX_ITEMS = 1_000
"""Items of a repeated field, where `_ITEMS` has no other."""

_CHARACTERS = {
    "repoquarry.v1.ExecuteCypherRequest.query": 65_536,
    "repoquarry.v1.LocateRequest.text": 65_536,
    "repoquarry.v1.BuildContextRequest.task": 65_536,
    "repoquarry.v1.AnalyzeImpactRequest.patch": 4 * 1024 * 1024,
    "repoquarry.v1.TaskSpec.text": 65_536,
    "repoquarry.v1.CallToolRequest.arguments": 65_536,
    "repoquarry.v1.CallToolRequest.task": 65_536,
    "repoquarry.v1.UploadTaskInputRequest.data": 16 * 1024 * 1024,
}
_ITEMS = {"repoquarry.v1.CreateBatchRequest.sources": 100_000}


def find_oversized_field(message: Message) -> tuple[str, str] | None:
    """Return the first field that is larger than its bound, and what is wrong with it; None where none is.

    Cypher values are counted where they are converted.
    """
    for field, value in message.ListFields():
        if field.is_repeated:
            limit = _ITEMS.get(field.full_name, MAX_ITEMS)
            if len(value) > limit:
                return field.name, f"{len(value):,} items; the limit is {limit:,}"
        parts = (value.keys() if _is_map(field) else value) if field.is_repeated else (value,)
        if field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES) or _is_map(field):
            limit = _CHARACTERS.get(field.full_name, MAX_CHARACTERS)
            if any(len(part) > limit for part in parts):
                return field.name, f"longer than {limit:,} characters"
        elif field.message_type is not None and field.message_type.full_name not in _NOT_LOOKED_INTO:
            for part in parts:
                if (found := find_oversized_field(part)) is not None:
                    return f"{field.name}.{found[0]}", found[1]
    return None


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
            streaming = _checked_unary(handler.unary_stream, method)
            return grpc.unary_stream_rpc_method_handler(streaming, read, handler.response_serializer)
        unary = _checked_unary(handler.unary_unary, method)
        return grpc.unary_unary_rpc_method_handler(unary, read, handler.response_serializer)


def _reading(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        try:
            message = deserialize(data)
        except Exception as exc:  # protobuf's implementations raise different classes
            return _Malformed(" ".join(str(exc).split())[:200])
        found = find_oversized_field(message) or find_unknown_enum_value(message)
        return message if found is None else _Malformed(found[1], found[0])

    return read


def _checked_unary(behaviour: Any, method: str) -> Any:
    """A method with one request, whose answer is returned or written to the call."""

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


def _failure(request: _Malformed, method: str) -> ServerFailure:
    if request.field:
        return ServerFailure("REQUEST_INVALID", f"{request.field}: {request.problem}", {"field": request.field})
    _log.warning("request_malformed method=%s problem=%s", method, request.problem)
    return ServerFailure(
        "MESSAGE_MALFORMED", f"the request of {method.rpartition('/')[2]} cannot be read: {request.problem}"
    )


_STREAMING = {
    (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
    (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
    (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
}


class DisconnectInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in its stub only
    """Ends a stream that its client left as a cancelled call, which grpc reports by one debug line instead of a traceback.

    It stands last: behind it every method with a streamed answer is a coroutine that writes to the call.
    """

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any]]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any]:
        handler = await continuation(handler_call_details)
        if handler is None or not (handler.request_streaming or handler.response_streaming):
            return handler
        name, build = _STREAMING[bool(handler.request_streaming), bool(handler.response_streaming)]
        behaviour = _cancelled_on_disconnect(getattr(handler, name))
        return build(behaviour, handler.request_deserializer, handler.response_serializer)


def _cancelled_on_disconnect(behaviour: Any) -> Any:
    async def call(request: object, context: grpc.aio.ServicerContext[Any, Any]) -> object:
        try:
            answer = behaviour(request, context)
            if not inspect.isasyncgen(answer):
                return await answer
            async with aclosing(answer) as parts:
                async for part in parts:
                    await context.write(part)
        except grpc.aio.InternalError as exc:  # a part could not be sent or received
            raise asyncio.CancelledError from exc
        return None

    return call
