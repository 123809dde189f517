"""How the clients reach a server: the channel, the token, deadlines, errors in our own words, and streams that resume.

A stream of events is taken up again behind the last sequence that was seen, as often as the connection breaks, so that its
reader sees every event once. It gives up only when no server answers for as long as the caller allows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from repoquarry.server.errors import RequestError, SettingsError
from repoquarry.server.services.status import from_rpc_error
from repoquarry.server.settings import ClientSettings

_Request = TypeVar("_Request", bound=Message)
_Response = TypeVar("_Response")
_RESUMED = frozenset({"UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED", "DEADLINE_EXCEEDED"})
"""Statuses of a connection that broke, as grpc reports them; with one of our own reasons they are answers."""

_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)


def _options(settings: ClientSettings) -> list[tuple[str, Any]]:
    return [
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.max_send_message_length", settings.max_message_bytes),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]


def _credentials(settings: ClientSettings) -> grpc.ChannelCredentials | None:
    if settings.certificate is None:
        return None
    try:
        return grpc.ssl_channel_credentials(settings.certificate.read_bytes())
    except OSError as exc:
        raise SettingsError(f"the certificate {settings.certificate} cannot be read: {exc.strerror}") from exc


def _metadata(settings: ClientSettings) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {settings.token}"),) if settings.token else ()


class _Resumption:
    """Decides whether a broken stream is taken up again, and how long to wait before."""

    def __init__(self, settings: ClientSettings) -> None:
        self._settings = settings
        self._failures = 0
        self._broken = 0.0

    def progressed(self) -> None:
        self._failures = 0

    def pause(self, error: grpc.RpcError) -> float:
        """Seconds to wait. Raises: RequestError when the stream is not to be taken up again."""
        failure = from_rpc_error(error, self._settings.server)
        ours = failure.reason not in ("SERVER_UNREACHABLE", "INTERNAL", "CANCELLED", "DEADLINE_EXCEEDED")
        if failure.reason != "SHUTTING_DOWN" and (ours or failure.status not in _RESUMED):
            raise RequestError(failure) from error
        if not self._failures:
            self._broken = time.monotonic()
        if time.monotonic() - self._broken >= self._settings.resume_seconds:
            raise RequestError(failure) from error
        pause = _PAUSES[min(self._failures, len(_PAUSES) - 1)]
        self._failures += 1
        return pause


class Link:
    """A blocking connection to a server."""

    def __init__(self, settings: ClientSettings) -> None:
        self.settings = settings
        credentials = _credentials(settings)
        options = _options(settings)
        self.channel = (
            grpc.secure_channel(settings.server, credentials, options)
            if credentials is not None
            else grpc.insecure_channel(settings.server, options)
        )
        self._metadata = _metadata(settings)
        self._timeout = settings.seconds or None

    def unary(self, method: grpc.UnaryUnaryMultiCallable[_Request, _Response], request: _Request) -> _Response:
        """One request, one response. Raises: RequestError."""
        try:
            return method(request, timeout=self._timeout, metadata=self._metadata)
        except grpc.RpcError as exc:
            raise self._error(exc) from exc

    def stream(
        self, method: grpc.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> Iterator[_Response]:
        """The parts of one answer; closing the iterator cancels the call. Raises: RequestError."""
        call = method(request, timeout=self._timeout, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as exc:
            raise self._error(exc) from exc
        finally:
            call.cancel()  # type: ignore[no-untyped-call]

    def events(
        self, method: grpc.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> Iterator[_Response]:
        """Events, each once and in order, until the work has ended. Raises: RequestError."""
        asked = type(request)()
        asked.CopyFrom(request)
        resumption = _Resumption(self.settings)
        while True:
            call = method(asked, metadata=self._metadata)
            try:
                for part in call:
                    resumption.progressed()
                    asked.after_sequence = part.event.sequence  # type: ignore[attr-defined]
                    yield part
                return
            except grpc.RpcError as exc:
                time.sleep(resumption.pause(exc))
            finally:
                call.cancel()  # type: ignore[no-untyped-call]

    def _error(self, error: grpc.RpcError) -> RequestError:
        return RequestError(from_rpc_error(error, self.settings.server))

    def close(self) -> None:
        self.channel.close()


class AsyncLink:
    """A connection to a server for an event loop."""

    def __init__(self, settings: ClientSettings) -> None:
        self.settings = settings
        credentials = _credentials(settings)
        options = _options(settings)
        self.channel = (
            grpc.aio.secure_channel(settings.server, credentials, options)
            if credentials is not None
            else grpc.aio.insecure_channel(settings.server, options)
        )
        self._metadata = _metadata(settings)
        self._timeout = settings.seconds or None

    async def unary(
        self, method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> _Response:
        """One request, one response. Raises: RequestError."""
        try:
            return await method(request, timeout=self._timeout, metadata=self._metadata)
        except grpc.RpcError as exc:
            raise self._error(exc) from exc

    async def stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> AsyncIterator[_Response]:
        """The parts of one answer; closing the iterator cancels the call. Raises: RequestError."""
        call = method(request, timeout=self._timeout, metadata=self._metadata)
        try:
            async for part in call:
                yield part
        except grpc.RpcError as exc:
            raise self._error(exc) from exc
        finally:
            call.cancel()

    async def events(
        self, method: grpc.aio.UnaryStreamMultiCallable[_Request, _Response], request: _Request
    ) -> AsyncIterator[_Response]:
        """Events, each once and in order, until the work has ended. Raises: RequestError."""
        asked = type(request)()
        asked.CopyFrom(request)
        resumption = _Resumption(self.settings)
        while True:
            call = method(asked, metadata=self._metadata)
            try:
                async for part in call:
                    resumption.progressed()
                    asked.after_sequence = part.event.sequence  # type: ignore[attr-defined]
                    yield part
                return
            except grpc.RpcError as exc:
                await asyncio.sleep(resumption.pause(exc))
            finally:
                call.cancel()

    def _error(self, error: grpc.RpcError) -> RequestError:
        return RequestError(from_rpc_error(error, self.settings.server))

    async def close(self) -> None:
        await self.channel.close(None)
