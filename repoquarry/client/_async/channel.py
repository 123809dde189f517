"""Connection with token, deadlines, error translation and resumable streams.

An event stream is resumed after the last sequence number seen whenever the connection breaks or the deadline of one call passes. The
reader gets every event once. The stream fails when no server responds for as long as the settings allow.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from repoquarry.client.channel_options import (
    StreamResumePolicy,
    call_metadata,
    cancel,
    channel_options,
    credentials,
    deadline,
    from_rpc_error,
    has_ended,
    with_request_id,
)
from repoquarry.client.errors import RequestError
from repoquarry.client.settings import ClientSettings

_Request = TypeVar("_Request", bound=Message)
_Response = TypeVar("_Response", bound=Message)


class AsyncChannel:
    """Channel with the metadata of every call."""

    def __init__(self, settings: ClientSettings) -> None:
        self.settings = settings
        options, tls = channel_options(settings), credentials(settings)
        self.channel = (
            grpc.aio.secure_channel(settings.server, tls, options)
            if tls is not None
            else grpc.aio.insecure_channel(settings.server, options)
        )
        self._metadata = call_metadata(settings)

    async def unary(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response],
        request: _Request,
        timeout: float | None = None,
    ) -> _Response:
        """Send one request and return the response. Raises: RequestError."""
        seconds = deadline(self.settings, timeout)
        try:
            return await method(with_request_id(request), timeout=seconds, metadata=self._metadata)
        except grpc.RpcError as exc:
            raise self._error(exc) from exc

    async def upload(
        self,
        method: grpc.aio.StreamUnaryMultiCallable[_Request, _Response],
        requests: AsyncIterator[_Request],
        timeout: float | None = None,
    ) -> _Response:
        """Send one request in parts and return the response; never retried. Raises: RequestError."""
        try:
            return await method(requests, timeout=deadline(self.settings, timeout), metadata=self._metadata)
        except grpc.RpcError as exc:
            raise self._error(exc, is_stream=True) from exc

    async def stream(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[_Request, _Response],
        request: _Request,
        timeout: float | None = None,
    ) -> AsyncIterator[_Response]:
        """Yield the parts of one response; closing the iterator cancels the call. Raises: RequestError."""
        call = method(request, timeout=deadline(self.settings, timeout), metadata=self._metadata)
        try:
            async for part in call:
                yield part
        except grpc.RpcError as exc:
            raise self._error(exc, is_stream=True) from exc
        finally:
            cancel(call)

    async def events(
        self, method: grpc.aio.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> AsyncIterator[_Response]:
        """Yield events, each once and in order, until the work has finished. Raises: RequestError."""
        asked = type(request)()
        asked.CopyFrom(request)
        resumption = StreamResumePolicy(self.settings)
        while True:
            resumption.asked()
            call = method(asked, timeout=deadline(self.settings, None), metadata=self._metadata)
            try:
                await call.initial_metadata()
                if not has_ended(call):
                    resumption.progressed()
                async for part in call:
                    resumption.progressed()
                    asked.after_sequence = part.event.sequence  # type: ignore[attr-defined]
                    yield part
                return
            except grpc.RpcError as exc:
                await asyncio.sleep(resumption.pause(exc))
            finally:
                cancel(call)

    def _error(self, error: grpc.RpcError, *, is_stream: bool = False) -> RequestError:
        return RequestError(from_rpc_error(error, self.settings.server, is_stream=is_stream))

    async def close(self) -> None:
        await self.channel.close()  # type: ignore[call-arg,unused-ignore]  # the stub of grpc.aio asks for `grace`
