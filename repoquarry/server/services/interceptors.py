"""gRPC interceptors: reject malformed messages, end disconnected streams as cancelled calls, and notify observers of calls.

Malformed bytes, oversized fields and unknown enum values are INVALID_ARGUMENT for every method. Protobuf keeps unknown enum values,
so that a newer server can add values; a server that does not know a value must not ignore it. For malformed bytes grpc itself
answers INTERNAL and logs a traceback, which would fill the log of a server that strangers can reach.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import grpc
import grpc.aio
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from repoquarry.server.errors import ServerFailure
from repoquarry.server.observer import End, Observer
from repoquarry.server.services.rpc_executor import (
    Context,
    Continuation,
    Handler,
    abort,
    build_handler,
    streaming_kind,
)

_UNCHECKED_MESSAGES = frozenset({"repoquarry.v1.Value", "google.protobuf.Struct", "google.protobuf.Any"})
"""Values of queries and tools, without enumerations of the contract; a request may contain a million values."""


def find_unknown_enum_value(message: Message) -> tuple[str, str] | None:
    """Return the first field with an unknown enum value, and the problem; None if there is none."""
    for field in _enum_fields(message.DESCRIPTOR):
        values = _values(message, field)
        for value in values:
            if field.enum_type is not None:
                if value not in field.enum_type.values_by_number:
                    known = ", ".join(one.name for one in field.enum_type.values)
                    return field.name, f"{value} is not a value of {field.enum_type.name}; expected one of {known}"
            elif (found := find_unknown_enum_value(value)) is not None:
                return f"{field.name}.{found[0]}", found[1]
    return None


def _values(message: Message, field: FieldDescriptor) -> Any:
    """Return the values of a field as a sequence."""
    if field.is_repeated:
        value = getattr(message, field.name)
        return value.values() if _is_map(field) else value
    if field.has_presence and not message.HasField(field.name):
        return ()
    return (getattr(message, field.name),)


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


@cache
def _enum_fields(kind: Descriptor) -> tuple[FieldDescriptor, ...]:
    """Return the fields that are enumerations, or messages that contain an enumeration."""
    return tuple(field for field in kind.fields if field.enum_type is not None or _contains_enum(field, frozenset()))


def _contains_enum(field: FieldDescriptor, visited: frozenset[str]) -> bool:
    inner = field.message_type
    if inner is None or inner.full_name in visited | _UNCHECKED_MESSAGES:
        return False
    if _is_map(field):
        value = inner.fields_by_name["value"]
        return value.enum_type is None and _contains_enum(value, visited)
    visited |= {inner.full_name}
    return any(one.enum_type is not None or _contains_enum(one, visited) for one in inner.fields)


MAX_CHARACTERS = 4_096
"""Maximum length of a text field without an entry in `_CHARACTERS`."""
MAX_ITEMS = 1_000
"""Maximum number of items of a repeated field without an entry in `_ITEMS`."""
_CHARACTERS = {
    "repoquarry.v1.ExecuteCypherRequest.query": 65_536,
    "repoquarry.v1.LocateRequest.text": 65_536,
    "repoquarry.v1.BuildContextRequest.task": 65_536,
    "repoquarry.v1.AnalyzeImpactRequest.patch": 4 * 1024 * 1024,
    "repoquarry.v1.GetChangeRequest.patch": 4 * 1024 * 1024,
    "repoquarry.v1.CheckCypherRequest.query": 65_536,
    "repoquarry.v1.CompleteCypherRequest.query": 65_536,
    "repoquarry.v1.TaskSpec.text": 65_536,
    "repoquarry.v1.CallToolRequest.arguments": 65_536,
    "repoquarry.v1.CallToolRequest.task": 65_536,
    "repoquarry.v1.UploadTaskInputRequest.data": 16 * 1024 * 1024,
}
_ITEMS = {"repoquarry.v1.CreateBatchRequest.sources": 100_000}


def find_oversized_field(message: Message) -> tuple[str, str] | None:
    """Return the first field that exceeds its limit, and the problem; None if there is none.

    Cypher values are counted at their conversion.
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
        elif field.message_type is not None and field.message_type.full_name not in _UNCHECKED_MESSAGES:
            for part in parts:
                if (found := find_oversized_field(part)) is not None:
                    return f"{field.name}.{found[0]}", found[1]
    return None


_log = logging.getLogger(__name__)
_OWN_METHODS = "/repoquarry."


@dataclass(frozen=True)
class _Malformed:
    """Malformed request, until there is a call to answer."""

    problem: str
    field: str = ""
    """Invalid field; empty if the bytes are not a message."""


class BehaviorInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in its stub only
    """Interceptor that changes the behavior of handlers."""

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler:
        handler = await continuation(handler_call_details)
        changed = None if handler is None else self.change(handler, handler_call_details)
        if changed is None:
            return handler
        return build_handler(streaming_kind(handler), *changed, handler.response_serializer)

    def change(self, handler: Handler, details: grpc.HandlerCallDetails) -> tuple[Any, Any] | None:
        """Return the new behavior and request deserializer of a handler; None leaves it as it is."""
        raise NotImplementedError


class MessageInterceptor(BehaviorInterceptor):
    """Interceptor that rejects malformed messages of RepoQuarry's own services."""

    def change(self, handler: Handler, details: grpc.HandlerCallDetails) -> tuple[Any, Any] | None:
        if handler.request_deserializer is None or not details.method.startswith(_OWN_METHODS):
            return None
        check = _check_parts if handler.request_streaming else _check_request
        behavior = check(getattr(handler, streaming_kind(handler)), details.method)
        return behavior, _checked_reader(handler.request_deserializer)


def _checked_reader(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        try:
            message = deserialize(data)
        except Exception as exc:  # the implementations of protobuf raise different classes
            return _Malformed(" ".join(str(exc).split())[:200])
        found = find_oversized_field(message) or find_unknown_enum_value(message)
        return message if found is None else _Malformed(found[1], found[0])

    return read


def _check_request(behavior: Any, method: str) -> Any:
    """Wrap a method with one request, whose answer is returned or written to the call."""

    async def call(request: object, context: Context) -> object:
        if isinstance(request, _Malformed):
            await abort(context, _failure(request, method))
        return await behavior(request, context)

    return call


def _check_parts(behavior: Any, method: str) -> Any:
    """Wrap a method that receives its request in parts."""

    async def call(requests: AsyncIterator[object], context: Context) -> object:
        async def checked() -> AsyncIterator[object]:
            async for request in requests:
                if isinstance(request, _Malformed):
                    await abort(context, _failure(request, method))
                yield request

        return await behavior(checked(), context)

    return call


def _failure(request: _Malformed, method: str) -> ServerFailure:
    if request.field:
        return ServerFailure("REQUEST_INVALID", f"{request.field}: {request.problem}", {"field": request.field})
    _log.warning("request_malformed method=%s reason=%s", method, request.problem)
    return ServerFailure("MESSAGE_MALFORMED", f"malformed request of {method.rpartition('/')[2]}: {request.problem}")


class DisconnectInterceptor(BehaviorInterceptor):
    """Interceptor that ends a disconnected stream as a cancelled call, which grpc reports by one debug line without a traceback.

    It is the last interceptor: it turns every method with a streamed answer into a coroutine that writes to the call.
    """

    def change(self, handler: Handler, details: grpc.HandlerCallDetails) -> tuple[Any, Any] | None:
        if not (handler.request_streaming or handler.response_streaming):
            return None
        return _cancelled_on_disconnect(getattr(handler, streaming_kind(handler))), handler.request_deserializer


def _cancelled_on_disconnect(behavior: Any) -> Any:
    async def call(request: object, context: Context) -> object:
        try:
            answer = behavior(request, context)
            if not inspect.isasyncgen(answer):
                return await answer
            async with aclosing(answer) as parts:
                async for part in parts:
                    await context.write(part)
        except grpc.aio.InternalError as exc:  # a part could not be sent or received
            raise asyncio.CancelledError from exc
        return None

    return call


class CallInterceptor(BehaviorInterceptor):
    """Interceptor that notifies observers of every call with one request. It is the first interceptor, to observe refused calls."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    def change(self, handler: Handler, details: grpc.HandlerCallDetails) -> tuple[Any, Any] | None:
        if handler.request_streaming or not self._observers:
            return None
        service, _, method = details.method.removeprefix("/").partition("/")
        metadata = {key: value for key, value in details.invocation_metadata if isinstance(value, str)}
        behavior = getattr(handler, streaming_kind(handler))

        async def call(request: object, context: Context) -> object:
            with _observed(context, [observer.call(service, method, metadata) for observer in self._observers]):
                return await behavior(request, context)

        return call, handler.request_deserializer


@contextmanager
def _observed(context: Context, ends: Sequence[End]) -> Iterator[None]:
    code = grpc.StatusCode.OK
    try:
        yield
    except (asyncio.CancelledError, GeneratorExit):
        code = grpc.StatusCode.CANCELLED
        raise
    except BaseException:
        code = _find_code(context) or grpc.StatusCode.UNKNOWN
        raise
    finally:
        for end in ends:
            end(code.name)


def _find_code(context: Context) -> grpc.StatusCode | None:
    """Return the status code of an ended call, which grpc stores as a number or as a member."""
    found: object = context.code()
    return next((code for code in grpc.StatusCode if found in (code, code.value[0])), None)
