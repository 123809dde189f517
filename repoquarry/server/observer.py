"""Observers of RPCs and background work, and the telemetry that settings turn on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from repoquarry.server.errors import request_error

if TYPE_CHECKING:
    from repoquarry.server.settings.sections import TelemetrySettings
    from repoquarry.server.telemetry import Metrics

End = Callable[[str], None]
"""Callback at the end, with the name of a gRPC status code or of a state of work."""


class Observer(Protocol):
    """Observer that is notified of a start and returns a callback for the end. Used by several threads."""

    def call(self, service: str, method: str, metadata: Mapping[str, str]) -> End:
        """Observe a call of an RPC; `metadata` is the text metadata of the client."""
        ...

    def work(self, kind: str) -> End:
        """Observe a job or task that this process starts to run."""
        ...


@dataclass
class ObservedOutcome:
    """Outcome of observed work; set before the end of the block."""

    name: str


@contextmanager
def observed_work(observers: Sequence[Observer], kind: str, default: str) -> Iterator[ObservedOutcome]:
    """Notify the observers of work; `default` is its outcome unless another is set."""
    outcome = ObservedOutcome(default)
    ends = [observer.work(kind) for observer in observers]
    try:
        yield outcome
    finally:
        for end in ends:
            end(outcome.name)


@dataclass
class Telemetry:
    """Running telemetry of a service: its observers, and its metrics if they are served."""

    observers: list[Observer] = field(default_factory=list)
    metrics: Metrics | None = None


@contextmanager
def start_telemetry(settings: TelemetrySettings) -> Iterator[Telemetry]:
    """Start the telemetry that the settings turn on. Raises: RequestError when the extra is not installed."""
    started = Telemetry()
    with ExitStack() as stack:
        if settings.metrics_listen or settings.traces_endpoint:
            try:
                from repoquarry.server.telemetry import Metrics, Traces, exporter_to
            except ImportError as exc:
                message = "telemetry needs its libraries: pip install 'repoquarry[telemetry]'"
                raise request_error("EXTRA_MISSING", message, extra="telemetry") from exc
        if settings.metrics_listen:
            started.metrics = Metrics()
            started.observers.append(started.metrics)
        if settings.traces_endpoint:
            traces = Traces(exporter_to(settings.traces_endpoint), settings.traces_sample_ratio)
            stack.callback(traces.close)
            started.observers.append(traces)
        yield started
