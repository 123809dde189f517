"""gRPC code shared by both clients: channel options, TLS credentials, deadlines, retries, stream resumption, error conversion."""

from __future__ import annotations

import ipaddress
import json
import os
import ssl
import time
import uuid
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from repoquarry.client.errors import DOMAIN, RequestError, RequestFailure
from repoquarry.client.settings import ClientSettings


def system_roots() -> bytes:
    """Return the certificates that this machine trusts, found like OpenSSL does (including `SSL_CERT_FILE` and `SSL_CERT_DIR`).

    gRPC has its own list, which lacks the authorities that an operator installed. Raises: RequestError if there are none.
    """
    paths = ssl.get_default_verify_paths()
    if paths.cafile is not None and (found := read_pem(Path(paths.cafile))).strip():
        return found
    folder = Path(paths.capath) if paths.capath is not None else None
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    found = b"\n".join(read_pem(path) for path in files if path.suffix in (".pem", ".crt") and path.is_file())
    if not found:
        raise _unusable(
            "this machine has no list of trusted certificates; install ca-certificates, or set client.certificate to a file"
        )
    return found


def read_pem(path: Path) -> bytes:
    """Read a PEM file. Raises: RequestError if the file cannot be read."""
    try:
        return path.read_bytes()
    except OSError as exc:
        raise _unusable(f"the TLS file {path} cannot be read: {exc.strerror}") from exc


def _unusable(message: str) -> RequestError:
    return RequestError(RequestFailure("SETTINGS_INVALID", message, {}, "FAILED_PRECONDITION"))


DETAILS_KEY = "grpc-status-details-bin"
"""Trailing metadata that carries the google.rpc.Status of a call, by gRPC's convention."""
_REASONS = {"DEADLINE_EXCEEDED": "DEADLINE_EXCEEDED", "CANCELLED": "CANCELLED"}
"""Reasons of transport failures, which carry no ErrorInfo."""
_PROXY_VARIABLES: Final = ("grpc_proxy", "https_proxy", "http_proxy")
"""Variables by which gRPC finds a proxy, in its order."""
_CUT: Final = frozenset({"UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED"})
"""Statuses of a stream whose connection broke. With a reason of the server they are answers."""


def from_rpc_error(error: grpc.RpcError, address: str, *, is_stream: bool = False) -> RequestFailure:
    """Convert a failed call; a transport failure gets its own reason."""
    code: grpc.StatusCode = error.code()
    message: str = error.details() or code.name
    for info in _infos(error):
        if info.domain == DOMAIN:
            return RequestFailure(info.reason, message, dict(info.metadata), code.name)
    if code.name == "UNAVAILABLE" or (is_stream and code.name in _CUT):
        return unreachable(address, message)
    if code.name == "DEADLINE_EXCEEDED":
        message += f"; raise client.seconds, or check that the server at {address} responds"
    return RequestFailure(_REASONS.get(code.name, "INTERNAL"), message, {"address": address}, code.name)


def unreachable(address: str, problem: str) -> RequestFailure:
    """Return the failure of a call when no server responds."""
    variable = "" if is_loopback(address) else next((name for name in _PROXY_VARIABLES if os.environ.get(name)), "")
    proxy = f"; the variable {variable} names a proxy: add the host to no_proxy to go around it" if variable else ""
    message = f"no server answers at {address}: {problem}; check the address and --tls, or start the server{proxy}"
    return RequestFailure("SERVER_UNREACHABLE", message, {"address": address}, "UNAVAILABLE")


def is_loopback(address: str) -> bool:
    """Return whether an address HOST:PORT is of this machine: no proxy reaches it."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _infos(error: grpc.RpcError) -> Iterable[error_details_pb2.ErrorInfo]:
    trailing: Iterable[Any] = error.trailing_metadata() or ()
    for key, value in trailing:
        if key != DETAILS_KEY or not isinstance(value, bytes):
            continue
        try:
            status = status_pb2.Status.FromString(value)
        except DecodeError:
            continue
        for detail in status.details:
            info = error_details_pb2.ErrorInfo()
            if detail.Is(info.DESCRIPTOR) and detail.Unpack(info):
                yield info


_Request = TypeVar("_Request", bound=Message)

_SERVICES: Final = ("batch", "code", "environment", "index", "query", "repository", "task", "tool", "view")
_ONCE: Final = ("Cancel", "Delete", "Approve", "Stream", "Upload")
"""Prefixes of methods that are never retried. Event streams are resumed instead."""
_RESUMED: Final = frozenset({"SERVER_UNREACHABLE", "SHUTTING_DOWN", "DEADLINE_EXCEEDED"})
"""Reasons for which an event stream is resumed. All other reasons are final answers."""
_PAUSES: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds before a broken stream is resumed, by the number of consecutive failures."""
_MAX_ATTEMPTS: Final = 5
"""Limit of gRPC; larger numbers are treated as this."""


def channel_options(settings: ClientSettings) -> list[tuple[str, Any]]:
    """Return message sizes, keepalive, reconnection and the retry policy of a channel."""
    options: list[tuple[str, Any]] = [
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.max_send_message_length", settings.max_message_bytes),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]
    if settings.silence_seconds:
        half = int(
            settings.silence_seconds * 500
        )  # Milliseconds without data before a ping, and then until its answer.
        options += [("grpc.keepalive_time_ms", half), ("grpc.keepalive_timeout_ms", half)]
        options += [("grpc.http2.max_pings_without_data", 0), ("grpc.min_reconnect_backoff_ms", 2 * half)]
    if is_loopback(settings.server):
        options.append(("grpc.enable_http_proxy", 0))
    if settings.attempts > 1:
        options.append(("grpc.service_config", json.dumps(_service_config(settings.attempts))))
    return options


def _service_config(attempts: int) -> dict[str, Any]:
    """Return the retry policy of gRPC: only UNAVAILABLE, which means that the server did nothing.

    Streams have none: a stream with a policy whose server dies before its first part ends neither with an error nor at its deadline.
    """
    policy = {
        "maxAttempts": min(attempts, _MAX_ATTEMPTS),
        "initialBackoff": "0.1s",
        "maxBackoff": "2s",
        "backoffMultiplier": 3,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }
    names = [
        {"service": service.full_name, "method": method.name}
        for name in _SERVICES
        for service in import_module(f"repoquarry.v1.{name}_service_pb2").DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if not method.name.startswith(_ONCE) and not method.server_streaming
    ]
    return {"methodConfig": [{"name": names, "retryPolicy": policy}]}


def with_request_id(request: _Request) -> _Request:
    """Return the request with a `request_id` if it lacks one, so that a retry does not create a second resource."""
    if "request_id" not in request.DESCRIPTOR.fields_by_name or request.request_id:  # type: ignore[attr-defined]
        return request
    copy = type(request)()
    copy.CopyFrom(request)
    copy.request_id = uuid.uuid4().hex  # type: ignore[attr-defined]
    return copy


def credentials(settings: ClientSettings) -> grpc.ChannelCredentials | None:
    """Return TLS credentials; None without TLS. Raises: RequestError if a certificate cannot be read."""
    if not settings.tls and settings.certificate is None:
        return None
    roots = read_pem(settings.certificate) if settings.certificate is not None else system_roots()
    if settings.client_certificate is None or settings.client_key is None:
        return grpc.ssl_channel_credentials(roots)
    return grpc.ssl_channel_credentials(roots, read_pem(settings.client_key), read_pem(settings.client_certificate))


def call_metadata(settings: ClientSettings) -> tuple[tuple[str, str | bytes], ...]:
    """Return the metadata of every call: the token, and the user on whose behalf the call is made."""
    sent = (
        ("authorization", f"Bearer {settings.token}" if settings.token else ""),
        ("x-repoquarry-user", settings.user),
    )
    return tuple((key, value) for key, value in sent if value)


def deadline(settings: ClientSettings, timeout: float | None) -> float | None:
    """Return the deadline of a call in seconds: its own, otherwise that of the settings; None means no limit."""
    return settings.seconds or None if timeout is None else timeout


def cancel(call: Any) -> None:
    """Cancel a stream; a finished stream stays as it is."""
    call.cancel()


def has_ended(call: Any) -> bool:
    return bool(call.done())


class StreamResumePolicy:
    """Policy that decides whether a broken event stream is resumed, and after which pause."""

    def __init__(self, settings: ClientSettings) -> None:
        self._settings = settings
        self._failures = 0
        self._alive = time.monotonic()
        self._opened = False

    def asked(self) -> None:
        """Record that the stream is requested."""
        self._opened = False
        if not self._failures:
            self._alive = time.monotonic()

    def progressed(self) -> None:
        """Record that the server responded or sent an event: the connection works."""
        self._failures, self._opened, self._alive = 0, True, time.monotonic()

    def pause(self, error: grpc.RpcError) -> float:
        """Return the seconds to wait. Raises: RequestError if the stream is not resumed."""
        address = self._settings.server
        failure = from_rpc_error(error, address, is_stream=True)
        if failure.reason not in _RESUMED:
            raise RequestError(failure) from error
        if failure.reason == "DEADLINE_EXCEEDED":
            if self._opened:
                return 0.0  # The server responds, but the work has no news.
            failure = unreachable(address, f"no response within {self._settings.seconds:g} s")
        elif not self._failures:
            self._alive = time.monotonic()
        if time.monotonic() - self._alive >= self._settings.resume_seconds:
            raise RequestError(failure) from error
        pause = _PAUSES[min(self._failures, len(_PAUSES) - 1)]
        self._failures += 1
        return pause
