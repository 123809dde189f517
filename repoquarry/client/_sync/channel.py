"""Connection with token, deadlines, error translation and resumable streams.

An event stream is resumed after the last sequence number seen whenever the connection breaks or the deadline of one call passes. The
reader gets every event once. The stream fails when no server responds for as long as the settings allow.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TypeVar

import grpc
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


class Channel:
    """Channel with the metadata of every call."""

    def __init__(self, settings: ClientSettings) -> None:
        self.settings = settings
        options, tls = channel_options(settings), credentials(settings)
        self.channel = (
            grpc.secure_channel(settings.server, tls, options)
            if tls is not None
            else grpc.insecure_channel(settings.server, options)
        )
        self._metadata = call_metadata(settings)

    def unary(
        self,
        method: grpc.UnaryUnaryMultiCallable[_Request, _Response],
        request: _Request,
        timeout: float | None = None,
    ) -> _Response:
        """Send one request and return the response. Raises: RequestError."""
        seconds = deadline(self.settings, timeout)
        try:
            return method(with_request_id(request), timeout=seconds, metadata=self._metadata)
        except grpc.RpcError as exc:
            raise self._error(exc) from exc

    def upload(
        self,
        method: grpc.StreamUnaryMultiCallable[_Request, _Response],
        requests: Iterator[_Request],
        timeout: float | None = None,
    ) -> _Response:
        """Send one request in parts and return the response; never retried. Raises: RequestError."""
        try:
            return method(requests, timeout=deadline(self.settings, timeout), metadata=self._metadata)
        except grpc.RpcError as exc:
            raise self._error(exc, is_stream=True) from exc

    def stream(
        self,
        method: grpc.UnaryStreamMultiCallable[_Request, _Response],
        request: _Request,
        timeout: float | None = None,
    ) -> Iterator[_Response]:
        """Yield the parts of one response; closing the iterator cancels the call. Raises: RequestError."""
        call = method(request, timeout=deadline(self.settings, timeout), metadata=self._metadata)
        try:
            for part in call:
                yield part
        except grpc.RpcError as exc:
            raise self._error(exc, is_stream=True) from exc
        finally:
            cancel(call)

    def events(
        self, method: grpc.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> Iterator[_Response]:
        """Yield events, each once and in order, until the work has finished. Raises: RequestError."""
        asked = type(request)()
        asked.CopyFrom(request)
        resumption = StreamResumePolicy(self.settings)
        while True:
            resumption.asked()
            call = method(asked, timeout=deadline(self.settings, None), metadata=self._metadata)
            try:
                call.initial_metadata()
                if not has_ended(call):
                    resumption.progressed()
                for part in call:
                    resumption.progressed()
                    asked.after_sequence = part.event.sequence  # type: ignore[attr-defined]
                    yield part
                return
            except grpc.RpcError as exc:
                time.sleep(resumption.pause(exc))
            finally:
                cancel(call)

    def _error(self, error: grpc.RpcError, *, is_stream: bool = False) -> RequestError:
        return RequestError(from_rpc_error(error, self.settings.server, is_stream=is_stream))

    def close(self) -> None:
        self.channel.close()  # type: ignore[call-arg,unused-ignore]  # the stub of grpc.aio asks for `grace`
