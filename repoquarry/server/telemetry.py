"""Observers that export telemetry: Prometheus metrics and OpenTelemetry traces.

Labels of metrics are RPCs, kinds of work and states, never a repository, a client or a query, so that any token may read the metrics.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from prometheus_client import (
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    PROCESS_COLLECTOR,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    make_asgi_app,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from repoquarry.server.jobs.database import KINDS, STATES
from repoquarry.server.observer import End

if TYPE_CHECKING:
    from repoquarry.server.application.context import ApplicationContext

_CALL_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_WORK_SECONDS = (0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0)
_SIZE_SECONDS = 30.0
"""Maximum age of the cached folder size, because a walk reads every file."""


class Metrics:
    """Observer that counts calls and work, and serves scrapes."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
            self._registry.register(collector)
        rpc = ("service", "method")
        self._calls = Counter("repoquarry_rpc_calls", "Ended calls.", (*rpc, "code"), registry=self._registry)
        self._call_seconds = Histogram(
            "repoquarry_rpc_seconds", "Time of calls, with the reading of streams.", rpc,
            buckets=_CALL_SECONDS, registry=self._registry,
        )  # fmt: skip
        self._running_calls = Gauge("repoquarry_rpc_running", "Calls that run now.", rpc, registry=self._registry)
        self._works = Counter(
            "repoquarry_work_runs", "Ended runs of jobs and tasks.", ("kind", "state"), registry=self._registry
        )
        self._work_seconds = Histogram(
            "repoquarry_work_seconds", "Time of runs of jobs and tasks.", ("kind",),
            buckets=_WORK_SECONDS, registry=self._registry,
        )  # fmt: skip

    def call(self, service: str, method: str, metadata: Mapping[str, str]) -> End:
        started = time.monotonic()
        running = self._running_calls.labels(service, method)
        running.inc()

        def end(code: str) -> None:
            running.dec()
            self._call_seconds.labels(service, method).observe(time.monotonic() - started)
            self._calls.labels(service, method, code).inc()

        return end

    def work(self, kind: str) -> End:
        started = time.monotonic()

        def end(state: str) -> None:
            self._work_seconds.labels(kind).observe(time.monotonic() - started)
            self._works.labels(kind, state.lower()).inc()

        return end

    def watch(self, host: ApplicationContext) -> None:
        """Add the metrics of a store, until the process ends."""
        self._registry.register(_StoreCollector(host))

    def application(self) -> Any:
        """Return the ASGI application that answers scrapes."""
        return make_asgi_app(self._registry)


class _StoreCollector(Collector):
    """Collector of the metrics of a store, at every scrape."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self._size = 0
        self._sized = 0.0

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Return no metrics: their names would require the store."""
        return iter(())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        store = self._host.store
        load = store.query_load()
        running = GaugeMetricFamily("repoquarry_queries_running", "Queries from outside that run.", labels=["lane"])
        places = GaugeMetricFamily("repoquarry_query_places", "Queries that may run at once.", labels=["lane"])
        for lane in load.queries.lanes:
            running.add_metric([lane.name], lane.running)
            places.add_metric([lane.name], lane.places)
        yield running
        yield places
        budget = store.settings.results
        for name, documentation, value in (
            ("queries_waiting", "Queries that wait for their turn.", load.queries.waiting),
            ("query_workers", "Child processes that answer queries.", load.queries.workers),
            ("results_memory_bytes", "Memory of results that wait for readers.", load.result_memory_bytes),
            ("results_disk_bytes", "Temporary files of results that wait.", load.result_disk_bytes),
            ("results_memory_limit_bytes", "`store.results.memory_bytes`.", budget.memory_bytes),
            ("results_disk_limit_bytes", "`store.results.disk_bytes`.", budget.disk_bytes),
            ("store_repositories", "Stored repositories.", len(store.repositories())),
            ("store_bytes", "Size of the store's folder.", self._bytes(store.folder)),
        ):
            yield GaugeMetricFamily(f"repoquarry_{name}", documentation, value=value)
        work = GaugeMetricFamily("repoquarry_work", "Kept jobs, batches and tasks by state.", labels=["kind", "state"])
        counts = self._host.state.counts()
        for kind in KINDS:
            for state in STATES:
                work.add_metric([kind, state.lower()], counts.get((kind, state), 0))
        yield work

    def _bytes(self, folder: Path) -> int:
        now = time.monotonic()
        if not self._sized or now - self._sized > _SIZE_SECONDS:
            self._size, self._sized = folder_bytes(folder), now
        return self._size


def folder_bytes(folder: Path) -> int:
    """Compute the size of all files below a folder; files that disappear meanwhile do not count."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


_EXPORT_SECONDS = 5
_CLOSE_SECONDS = 2.0
_CALLERS_FAULTS = frozenset(
    {"OK", "CANCELLED", "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "UNAUTHENTICATED",
     "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "RESOURCE_EXHAUSTED"}
)  # fmt: skip
"""Codes that are not errors of the server, by the conventions of OpenTelemetry."""


class Traces:
    """Observer that sends spans from a separate thread; an unreachable collector loses spans, never calls."""

    def __init__(self, exporter: SpanExporter, share: float) -> None:
        """`share` is the sampled share of the traces that no client has decided on, from 0 to 1."""
        self._exporter = exporter
        resource = Resource.create({"service.name": "repoquarry", "service.version": version("repoquarry")})
        self._provider = TracerProvider(resource=resource, sampler=ParentBased(TraceIdRatioBased(share)))
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("repoquarry")
        self._propagator = TraceContextTextMapPropagator()

    def call(self, service: str, method: str, metadata: Mapping[str, str]) -> End:
        parent = self._propagator.extract(carrier=metadata)
        attributes = {"rpc.system": "grpc", "rpc.service": service, "rpc.method": method}
        span = self._tracer.start_span(f"{service}/{method}", parent, SpanKind.SERVER, attributes)

        def end(code: str) -> None:
            _end(span, "rpc.grpc.status", code, failed=code not in _CALLERS_FAULTS)

        return end

    def work(self, kind: str) -> End:
        span = self._tracer.start_span(f"{kind} work", Context(), SpanKind.INTERNAL, {"repoquarry.work.kind": kind})

        def end(state: str) -> None:
            _end(span, "repoquarry.work.state", state.lower(), failed=state == "FAILED")

        return end

    def close(self) -> None:
        """Send the queued spans for at most `_CLOSE_SECONDS`; the library would wait for half a minute."""
        timer = threading.Timer(_CLOSE_SECONDS, self._exporter.shutdown)
        timer.daemon = True
        timer.start()
        self._provider.shutdown()
        timer.cancel()


def _end(span: Span, key: str, value: str, *, failed: bool) -> None:
    span.set_attribute(key, value)
    if failed:
        span.set_status(Status(StatusCode.ERROR, value))
    span.end()


def exporter_to(endpoint: str) -> SpanExporter:
    """Build the exporter to an OTLP collector over gRPC; with TLS if the address begins with `https://`."""
    return OTLPSpanExporter(endpoint=endpoint, insecure=not endpoint.startswith("https://"), timeout=_EXPORT_SECONDS)
