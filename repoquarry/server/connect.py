"""ASGI application that serves Connect and gRPC-Web to browsers with the servicers and interceptors of the gRPC server.

One POST a call, at the path that gRPC uses too. In Connect, a call with one request and one response has plain bodies, and a stream has
enveloped ones. In gRPC-Web, every call has enveloped bodies, and trailers in the last envelope.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import struct
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import grpc
import grpc.aio
from google.protobuf.json_format import MessageToJson, Parse, ParseError
from google.protobuf.message import Message as ProtoMessage
from google.rpc import status_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from repoquarry.client.channel_options import DETAILS_KEY
from repoquarry.server.errors import HTTP_STATUSES, ServerFailure
from repoquarry.server.services.rpc_executor import abort

_log = logging.getLogger(__name__)
_ENVELOPE: Final = struct.Struct(">BI")
_COMPRESSED: Final = 1
_END_OF_STREAM: Final = 2
_TRAILERS: Final = 0x80
"""Flags of the last envelope of a stream, in Connect and in gRPC-Web."""
_MIN_COMPRESSED_BYTES: Final = 1_000
_MAX_ITEMS: Final = 200_000
"""Commas of a request in JSON; the parser takes microseconds for each item."""
_COMPRESSION: Final = 4
_UNARY_TYPES: Final = {"application/json": "json", "application/proto": "proto"}
_STREAM_TYPES: Final = {"application/connect+json": "json", "application/connect+proto": "proto"}
_WEB_TYPES: Final = {"application/grpc-web": "proto", "application/grpc-web+proto": "proto"}
_CODEC_BY_TYPE: Final = _UNARY_TYPES | _STREAM_TYPES | _WEB_TYPES
_TIMEOUT_UNITS: Final = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
"""Seconds by unit of `grpc-timeout`."""
_FORWARDED: Final = ("authorization", "traceparent", "x-repoquarry-user")
"""Headers that servicers read as metadata."""


@dataclass(frozen=True)
class _CallDetails:
    """Details of a call that interceptors read."""

    method: str
    invocation_metadata: Sequence[tuple[str, str]]


class HandlerTable:
    """Table of method handlers by path; stands for the gRPC server where servicers are added."""

    def __init__(self, interceptors: Sequence[Any]) -> None:
        self._interceptors = interceptors
        self._handler_by_path: dict[str, Any] = {}

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        """Ignore the handlers: `add_registered_method_handlers` gets the same ones by name."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        self._handler_by_path.update({f"/{service}/{name}": handler for name, handler in handlers.items()})

    async def find(self, path: str, metadata: Sequence[tuple[str, str]]) -> Any:
        """Return the handler of a method behind all interceptors; None for an unknown method."""

        async def inner(details: Any) -> Any:
            return self._handler_by_path.get(details.method)

        continuation: Any = inner
        for interceptor in reversed(self._interceptors):
            continuation = partial(interceptor.intercept_service, continuation)
        return await continuation(_CallDetails(path, metadata))


@dataclass
class HttpCallContext:
    """Context of one call, as far as servicers and interceptors use that of gRPC."""

    metadata: Sequence[tuple[str, str]]
    address: str
    send: Callable[[Any], Any]
    """Coroutine function that sends one message of a stream."""
    status: grpc.StatusCode | None = None
    message: str = ""
    packed_details: bytes = b""
    """Serialized `google.rpc.Status`; empty for none."""

    def invocation_metadata(self) -> Sequence[tuple[str, str]]:
        return self.metadata

    def peer(self) -> str:
        return self.address

    def code(self) -> grpc.StatusCode | None:
        return self.status

    async def send_initial_metadata(self, metadata: object) -> None:
        """Do nothing: the head of a response goes out with its first part."""

    async def write(self, message: object) -> None:
        await self.send(message)

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Sequence[tuple[str, bytes]] = ()
    ) -> None:
        """End the call. Raises: AbortError."""
        self.status, self.message = code, details
        self.packed_details = dict(trailing_metadata).get(DETAILS_KEY, b"")
        raise grpc.aio.AbortError(details)

    def error(self) -> dict[str, Any]:
        code = (self.status or grpc.StatusCode.UNKNOWN).name.lower()
        return {
            "code": "canceled" if code == "cancelled" else code,
            "message": self.message,
            "details": [_detail(item) for item in status_pb2.Status.FromString(self.packed_details).details],
        }

    def trailers(self) -> bytes:
        """Return the status as trailers of gRPC-Web."""
        fields = {"grpc-status": str((self.status or grpc.StatusCode.OK).value[0]), "grpc-message": quote(self.message)}
        if self.packed_details:
            fields[DETAILS_KEY] = base64.b64encode(self.packed_details).decode().rstrip("=")
        return "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()


def _detail(item: Any) -> dict[str, Any]:
    """Return one detail of a failure; `debug` holds the fields of an ErrorInfo."""
    found = {
        "type": item.type_url.rpartition("/")[2],
        "value": base64.b64encode(item.value).decode().rstrip("="),
    }
    info = ErrorInfo()
    if not item.Unpack(info):
        return found
    return {**found, "debug": {"reason": info.reason, "domain": info.domain, "metadata": dict(info.metadata)}}


class ConnectApplication:
    """ASGI application that answers the calls of both protocols."""

    def __init__(self, handlers: HandlerTable) -> None:
        self._handlers = handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        content_type = headers.get("content-type", "").partition(";")[0].strip()
        if scope["method"] != "POST" or content_type not in _CODEC_BY_TYPE:
            status, allowed = (405, {"Allow": "POST"}) if scope["method"] != "POST" else (415, {})
            await Response(status_code=status, headers=allowed)(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        call = _Call(scope, send, content_type)
        work = asyncio.ensure_future(call.answer(self._handlers, body, headers))
        gone = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            work.cancel()
            gone.cancel()


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Call:
    """One call over HTTP."""

    def __init__(self, scope: Scope, send: Send, content_type: str) -> None:
        self._scope = scope
        self._path = scope["path"]
        self._client = scope.get("client")
        self._send = send
        self._content_type = content_type
        self._codec = _CODEC_BY_TYPE[content_type]
        self._is_web = content_type in _WEB_TYPES
        self._is_plain = content_type in _UNARY_TYPES
        self._has_head = False

    async def answer(self, handlers: HandlerTable, body: bytes, headers: Headers) -> None:
        metadata = [(name, headers[name]) for name in _FORWARDED if name in headers]
        host, port = self._client or ("", 0)
        context = HttpCallContext(metadata, f"{'ipv6' if ':' in host else 'ipv4'}:{host}:{port}", self._write)
        handler = await handlers.find(self._path, metadata)
        try:
            async with asyncio.timeout(_read_timeout(headers)):
                await self._run(handler, context, body)
        except grpc.aio.AbortError:
            await self._fail(context)
        except TimeoutError:
            context.status, context.message = grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline of the call has passed"
            await self._fail(context)
        except Exception as exc:
            _log.error("connect_call_failed method=%s", self._path, exc_info=exc)
            context.status, context.message = grpc.StatusCode.INTERNAL, "internal error"
            await self._fail(context)

    async def _run(self, handler: Any, context: Any, body: bytes) -> None:
        if handler is None:
            failure = ServerFailure("REQUEST_INVALID", f"the method {self._path} is unknown", status="UNIMPLEMENTED")
            await abort(context, failure)
        needs_stream = handler.request_streaming or handler.response_streaming
        if not self._is_web and needs_stream == self._is_plain:
            known = "application/connect+json" if needs_stream else "application/json"
            await abort(context, ServerFailure("REQUEST_INVALID", f"{self._path} takes {known}"))
        try:
            parts = [body] if self._is_plain else _unwrap(body)
        except EnvelopeError as exc:
            await abort(context, ServerFailure("REQUEST_INVALID", str(exc), status=exc.status))
        # JSON is parsed by Python code, which would hold up every other call of the listener.
        requests = [await asyncio.to_thread(self._read, handler, data) for data in parts or [b""]]
        first = requests[0]
        if handler.response_streaming:
            await handler.unary_stream(first, context)
        elif handler.request_streaming:
            await self._write(await handler.stream_unary(_iterate(requests), context))
        else:
            response = await handler.unary_unary(first, context)
            if self._is_plain:
                await self._respond(200, self._encode(response))
                return
            await self._write(response)
        await self._end_stream(context, {})

    def _read(self, handler: Any, data: bytes) -> Any:
        """Read a request through the deserializer of the interceptors, which answers malformed ones."""
        if handler.request_deserializer is None:  # a refused call, whose request nobody reads
            return data
        if self._codec == "proto":
            return handler.request_deserializer(data)
        empty = handler.request_deserializer(b"")
        try:
            if data.count(b",") > _MAX_ITEMS:
                raise ParseError("too many items")
            return handler.request_deserializer(Parse(data or b"{}", type(empty)()).SerializeToString())
        except (ParseError, ValueError, RecursionError):
            return handler.request_deserializer(b"\xff")  # no message begins so: answered as malformed

    def _encode(self, message: ProtoMessage) -> bytes:
        return message.SerializeToString() if self._codec == "proto" else MessageToJson(message, indent=None).encode()

    async def _write(self, message: ProtoMessage) -> None:
        await self._send_envelope(0, self._encode(message))

    async def _end_stream(self, context: HttpCallContext, end: Mapping[str, Any]) -> None:
        if self._is_web:
            await self._send_envelope(_TRAILERS, context.trailers())
        else:
            await self._send_envelope(_END_OF_STREAM, json.dumps(end).encode())
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_envelope(self, flags: int, data: bytes) -> None:
        if not self._has_head:
            self._has_head = True
            headers = [(b"content-type", self._content_type.encode())]
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        packed = _ENVELOPE.pack(flags, len(data)) + data
        await self._send({"type": "http.response.body", "body": packed, "more_body": True})

    async def _respond(self, status: int, body: bytes, content_type: str = "") -> None:
        response = Response(body, status, media_type=content_type or f"application/{self._codec}")
        await GZipMiddleware(response, _MIN_COMPRESSED_BYTES, _COMPRESSION)(self._scope, _receive_nothing, self._send)

    async def _fail(self, context: HttpCallContext) -> None:
        if not self._is_plain:
            await self._end_stream(context, {"error": context.error()})
            return
        status = HTTP_STATUSES.get(context.status.name if context.status else "", 500)
        await self._respond(status, json.dumps(context.error()).encode(), "application/json")


async def _receive_nothing() -> Message:
    return {"type": "http.disconnect"}


class EnvelopeError(ValueError):
    """Enveloped body that cannot be read, with the status of the answer."""

    def __init__(self, message: str, status: str = "INVALID_ARGUMENT") -> None:
        super().__init__(message)
        self.status = status


def _unwrap(body: bytes) -> list[bytes]:
    """Return the messages of an enveloped body. Raises: EnvelopeError for cut and compressed ones."""
    found, start = [], 0
    while start < len(body):
        head = body[start : start + _ENVELOPE.size]
        if len(head) < _ENVELOPE.size:
            raise EnvelopeError(f"the envelope at byte {start} is cut")
        flags, size = _ENVELOPE.unpack(head)
        if flags & _COMPRESSED:
            raise EnvelopeError("compressed envelopes are not served; send them without compression", "UNIMPLEMENTED")
        message = body[start + _ENVELOPE.size : start + _ENVELOPE.size + size]
        if len(message) < size:
            raise EnvelopeError(f"the envelope at byte {start} announces {size} bytes, and {len(message)} follow")
        found.append(message)
        start += _ENVELOPE.size + size
    return found


async def _iterate(requests: Sequence[Any]) -> AsyncIterator[Any]:
    for request in requests:
        yield request


def _read_timeout(headers: Headers) -> float | None:
    """Return the deadline that the caller asks for, in seconds; None without one."""
    if "grpc-timeout" in headers:
        text, unit = headers["grpc-timeout"][:-1], _TIMEOUT_UNITS.get(headers["grpc-timeout"][-1:])
    else:
        text, unit = headers.get("connect-timeout-ms", ""), 1e-3
    return int(text) * unit if unit is not None and text.isascii() and text.isdecimal() and len(text) <= 10 else None
