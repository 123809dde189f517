"""Executor of gRPC calls: runs blocking methods in threads, streams their answers, and converts errors to gRPC statuses.

The event loop only passes messages on, so that health checks and event streams stay prompt while queries and searches run.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar
from urllib.parse import unquote

import grpc
import grpc.aio
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from repoquarry.client.channel_options import DETAILS_KEY
from repoquarry.client.errors import DOMAIN, RequestFailure
from repoquarry.graphstore.query.query_scheduler import owner_of
from repoquarry.server.application.context import Caller
from repoquarry.server.errors import ServerFailure, to_failure
from repoquarry.server.jobs.runner import WorkNotifier
from repoquarry.server.settings.sections import ServerSettings

_MAX_MESSAGE = 2_000


def to_status(failure: RequestFailure) -> status_pb2.Status:
    """Convert a failure; long messages and values are truncated, because the size of metadata is limited."""
    detail = any_pb2.Any()
    metadata = {key: value[:500] for key, value in failure.metadata.items()}
    detail.Pack(error_details_pb2.ErrorInfo(reason=failure.reason, domain=DOMAIN, metadata=metadata))
    code = grpc.StatusCode[failure.status].value[0]
    return status_pb2.Status(code=code, message=failure.message[:_MAX_MESSAGE], details=[detail])


async def abort(context: grpc.aio.ServicerContext[Any, Any], failure: RequestFailure) -> NoReturn:
    status = to_status(failure)
    trailing = ((DETAILS_KEY, status.SerializeToString()),)
    await context.abort(grpc.StatusCode[failure.status], status.message, trailing)
    raise AssertionError("abort never returns")


_log = logging.getLogger(__name__)
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Taken = TypeVar("_Taken", contravariant=True)
_Given = TypeVar("_Given", covariant=True)
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Continuation: TypeAlias = "Callable[[grpc.HandlerCallDetails], Awaitable[Handler]]"
_STREAM_WAIT_SECONDS = 1.0


class OwnedMethod(Protocol[_Taken, _Given]):
    """Method of an application that asks for the owner of the call's token."""

    def __call__(self, request: _Taken, /, *, caller: Caller) -> _Given: ...


class RequestReceiver(Protocol[_Taken, _Given]):
    """Receiver of a request in parts; `close` is always called."""

    def take(self, request: _Taken, /) -> None: ...
    def finish(self) -> _Given: ...
    def close(self) -> None: ...


class _SharedThreads:
    """Thread pool of which one owner gets at most half; further calls of the owner wait without a thread.

    An abandoned call keeps its share until its thread has returned, so that disconnecting frees nothing.
    """

    def __init__(self, count: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._share = max(1, count // 2)
        self._shares: dict[str, tuple[asyncio.Semaphore, int]] = {}

    async def run(self, owner: str, method: Callable[..., _Response], *arguments: Any) -> _Response:
        share, users = self._shares.get(owner) or (asyncio.Semaphore(self._share), 0)
        self._shares[owner] = share, users + 1
        loop = asyncio.get_running_loop()
        try:
            await share.acquire()
        except BaseException:
            self._forget(owner)
            raise
        try:
            future = self._pool.submit(method, *arguments)
        except BaseException:
            self._release(owner)
            raise

        def ended(_: object) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._release, owner)

        future.add_done_callback(ended)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _release(self, owner: str) -> None:
        self._shares[owner][0].release()
        self._forget(owner)

    def _forget(self, owner: str) -> None:
        share, users = self._shares.pop(owner)
        if users > 1:
            self._shares[owner] = share, users - 1


class CallerReader(Protocol):
    """Reader of the identity of a call from its metadata."""

    def of(self, context: Context, /) -> Caller: ...
    def client(self, context: Context, /) -> str:
        """Return the name of the client, for turns and limits."""
        ...


class RpcExecutor:
    """Execution of the calls of all servicers of one server, in threads."""

    def __init__(self, settings: ServerSettings, bell: WorkNotifier, callers: CallerReader) -> None:
        self._threads = _SharedThreads(settings.request_threads, "request")
        # Queries wait for their turn in separate threads: otherwise they would hold the threads of every other request.
        self._query_threads = _SharedThreads(settings.query_threads, "query")
        self._reader_seconds = settings.reader_seconds
        self._bell = bell
        self._callers = callers
        self._stopping = False

    def stop_streams(self) -> None:
        """End the event streams with a status that makes clients reconnect."""
        self._stopping = True
        self._bell.notify()

    def close(self) -> None:
        for threads in (self._threads, self._query_threads):
            threads.close()

    async def answer(self, context: Context, method: Callable[[_Request], _Response], request: _Request) -> _Response:
        try:
            return await self._in_thread(context, method, request)
        except Exception as exc:
            await self._fail(context, exc)

    async def answer_owned(
        self, context: Context, method: OwnedMethod[_Request, _Response], request: _Request
    ) -> _Response:
        """Run a method in a thread, with the owner of the call's token."""
        return await self.answer(context, self._bind_caller(context, method), request)

    def _bind_caller(
        self, context: Context, method: OwnedMethod[_Request, _Response]
    ) -> Callable[[_Request], _Response]:
        return partial(method, caller=self._callers.of(context))

    async def answer_cancellable(
        self, context: Context, method: Callable[[_Request, Callable[[], bool], str], _Response], request: _Request
    ) -> _Response:
        """Run a method in a thread; `cancelled` holds once the caller disconnects or its deadline passes."""
        gone = threading.Event()
        try:
            return await self._in_thread(context, method, request, gone.is_set, self._callers.client(context))
        except Exception as exc:
            await self._fail(context, exc)
        finally:
            gone.set()

    async def stream(
        self,
        context: Context,
        start: Callable[[_Request, Callable[[], bool], str], Iterator[_Response]],
        request: _Request,
    ) -> None:
        """Run a query and write its parts as the client reads them; `cancelled` holds for the method once the client has left.

        A client that reads nothing for `server.reader_seconds` (0 means no limit) loses the rest of its stream.
        """
        gone = threading.Event()
        parts: Iterator[_Response] | None = None
        try:
            client = self._callers.client(context)
            owner = owner_of(client)
            parts = await self._query_threads.run(owner, start, request, gone.is_set, client)
            while (part := await self._query_threads.run(owner, next, parts, None)) is not None:
                await asyncio.wait_for(context.write(part), self._reader_seconds or None)
        except TimeoutError:
            parts = part = None  # Free the rows: the status may not reach such a reader either.
            slow = ServerFailure("READER_TOO_SLOW", f"the client did not read for {self._reader_seconds:g} seconds")
            await asyncio.wait_for(abort(context, slow), _STREAM_WAIT_SECONDS)
        except Exception as exc:
            await self._fail(context, exc)
        finally:
            gone.set()

    async def receive(
        self,
        context: Context,
        open_receiver: Callable[[Caller], RequestReceiver[_Request, _Response]],
        requests: AsyncIterator[_Request],
    ) -> _Response:
        """Pass the parts of a request to a receiver, each in a thread; the receiver sets the pace."""
        receiver: RequestReceiver[_Request, _Response] | None = None
        try:
            receiver = await self._in_thread(context, open_receiver, self._callers.of(context))
            async for request in requests:
                await self._in_thread(context, receiver.take, request)
            return await self._in_thread(context, receiver.finish)
        except Exception as exc:
            await self._fail(context, exc)
        finally:
            if receiver is not None:
                receiver.close()

    async def parts(
        self, context: Context, start: OwnedMethod[_Request, Iterator[_Response]], request: _Request
    ) -> AsyncIterator[_Response]:
        """Send the parts of an answer; each part is built in a thread when the client has read the previous part."""
        try:
            parts = await self._in_thread(context, self._bind_caller(context, start), request)
            while (part := await self._in_thread(context, next, parts, None)) is not None:
                yield part
        except Exception as exc:
            await self._fail(context, exc)

    async def events(
        self, context: Context, read: Callable[[str, int, Caller], tuple[list[_Response], bool]], request: Any
    ) -> AsyncIterator[_Response]:
        """Send the stored events that a request asks for until there will be no more; waiting holds no thread.

        The headers go first, so that a client can distinguish an operation without news from a server that does nothing.
        """
        after = request.after_sequence
        try:
            caller = self._callers.of(context)
            await context.send_initial_metadata(())
            while not self._stopping:
                rings = self._bell.rings
                responses, ended = await self._in_thread(context, read, request.name, after, caller)
                for response in responses:
                    yield response
                if responses:
                    last: Any = responses[-1]
                    after = last.event.sequence
                if ended:
                    return
                if not responses:
                    await self._bell.wait_async(rings, _STREAM_WAIT_SECONDS)
            await abort(
                context, ServerFailure("SHUTTING_DOWN", "the server is stopping; reconnect with the last sequence seen")
            )
        except Exception as exc:
            await self._fail(context, exc)

    async def _in_thread(self, context: Context, method: Callable[..., _Response], *arguments: Any) -> _Response:
        return await self._threads.run(owner_of(self._callers.client(context)), method, *arguments)

    async def _fail(self, context: Context, error: Exception) -> NoReturn:
        if isinstance(error, grpc.aio.BaseError):  # the call has ended, or its client has disconnected
            raise error
        failure = to_failure(error)
        if failure.reason == "INTERNAL":
            incident = secrets.token_hex(4)
            _log.error("request_failed incident=%s", incident, exc_info=error)
            failure = ServerFailure("INTERNAL", f"{failure.message} (incident {incident})", {"incident": incident})
        await abort(context, failure)


def streaming_kind(handler: Handler) -> str:
    """Return the kind of a handler, such as `unary_stream`: the attribute that holds its behavior."""
    sides = (handler.request_streaming, handler.response_streaming)
    return "_".join("stream" if streaming else "unary" for streaming in sides)


def build_handler(kind: str, behavior: Any, read: Any = None, write: Any = None) -> Handler:
    """Build a handler of a kind from its behavior and the conversions of its messages."""
    handler: Handler = getattr(grpc, f"{kind}_rpc_method_handler")(behavior, read, write)
    return handler


def peer_host(context: Context) -> str:
    """Return the IP address of a caller."""
    host, _, port = unquote(context.peer()).rpartition(":")
    return (
        host.removeprefix("ipv4:").removeprefix("ipv6:").strip("[]")
        if port.isascii() and port.isdecimal()
        else context.peer()
    )
