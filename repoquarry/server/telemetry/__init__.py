"""Telemetry: metrics and traces of a service, started by settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from repoquarry.server.errors import request_error
from repoquarry.server.settings.sections import TelemetrySettings

if TYPE_CHECKING:
    from repoquarry.server.observer import Observer
    from repoquarry.server.telemetry.metrics import Metrics


@dataclass
class Telemetry:
    """Running telemetry of a service: its observers, and its metrics if they are served."""

    observers: list[Observer] = field(default_factory=list)
    metrics: Metrics | None = None


@contextmanager
def telemetry(settings: TelemetrySettings) -> Iterator[Telemetry]:
    """Start the telemetry that the settings turn on. Raises: RequestError when the extra is not installed."""
    started = Telemetry()
    with ExitStack() as stack:
        if settings.metrics_listen or settings.traces_endpoint:
            _require_extra()
        if settings.metrics_listen:
            from repoquarry.server.telemetry.metrics import Metrics

            started.metrics = Metrics()
            started.observers.append(started.metrics)
        if settings.traces_endpoint:
            from repoquarry.server.telemetry.traces import Traces, exporter_to

            traces = Traces(exporter_to(settings.traces_endpoint), settings.traces_sample_ratio)
            stack.callback(traces.close)
            started.observers.append(traces)
        yield started


def _require_extra() -> None:
    try:
        import opentelemetry.sdk  # noqa: F401 - only whether the libraries are installed
        import prometheus_client  # noqa: F401
    except ImportError as exc:
        raise request_error(
            "EXTRA_MISSING", "telemetry needs its libraries: pip install 'repoquarry[telemetry]'", extra="telemetry"
        ) from exc
