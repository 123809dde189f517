"""Start of telemetry by settings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from repoquarry.server.errors import SettingsError, request_error
from repoquarry.server.settings.sections import TelemetrySettings

if TYPE_CHECKING:
    from repoquarry.server.application.context import ApplicationContext
    from repoquarry.server.observer import Observer

Watch = Callable[["ApplicationContext"], None]


@contextmanager
def telemetry(settings: TelemetrySettings) -> Iterator[tuple[list[Observer], Watch]]:
    """The observers for a service, and what is to be told of its host once it is open.

    Raises: SettingsError; RequestError where the extra is not installed.
    """
    observers: list[Observer] = []
    watches: list[Watch] = []
    with ExitStack() as stack:
        if settings.metrics_listen or settings.traces_endpoint:
            _need_extra()
        if settings.metrics_listen:
            from repoquarry.server.telemetry.metrics import Metrics

            host, port = metrics_address(settings.metrics_listen)
            metrics = Metrics()
            server = metrics.serve(host, port)
            stack.callback(server.stop)
            print(f"metrics on http://{host}:{server.port}/metrics", file=sys.stderr, flush=True)
            observers.append(metrics)
            watches.append(metrics.watch)
        if settings.traces_endpoint:
            from repoquarry.server.telemetry.traces import Traces, exporter_to

            traces = Traces(exporter_to(settings.traces_endpoint), settings.traces_sample_ratio)
            stack.callback(traces.close)
            observers.append(traces)

        def watch(host: ApplicationContext) -> None:
            for each in watches:
                each(host)

        yield observers, watch


def metrics_address(listen: str) -> tuple[str, int]:
    """Host and port of `host:port`, or of a port alone, which is one of the loopback's. Raises: SettingsError."""
    from repoquarry.server.settings.sections import split_address

    if listen.isdigit() and int(listen) <= 65_535:
        return "127.0.0.1", int(listen)
    try:
        return split_address(listen, "telemetry.metrics_listen")
    except SettingsError as exc:
        raise SettingsError(f"{exc}, nor a port") from exc


def _need_extra() -> None:
    try:
        import opentelemetry.sdk  # noqa: F401  whether they are there
        import prometheus_client  # noqa: F401
    except ImportError as exc:
        raise request_error(
            "EXTRA_MISSING", "telemetry needs its libraries: pip install 'repoquarry[telemetry]'", extra="telemetry"
        ) from exc
