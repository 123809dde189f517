"""Prometheus metrics.

They name RPCs, kinds of work and states, never a repository, a client or a query, so that they may be read without a token.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import (
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    PROCESS_COLLECTOR,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from repoquarry.server.errors import SettingsError
from repoquarry.server.jobs.database import KINDS, STATES

if TYPE_CHECKING:
    from repoquarry.server.application.context import ApplicationContext
    from repoquarry.server.observer import End

_CALL_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_WORK_SECONDS = (0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0)
_SIZE_SECONDS = 30.0
"""Age up to which the size of the folder is told again: walking it costs a look at each file."""


class Metrics:
    """An `Observer` with a server of its own, which answers scrapes from a thread."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
            self._registry.register(collector)
        rpc = ("service", "method")
        self._calls = Counter(
            "repoquarry_rpc_calls", "Ended calls.", (*rpc, "code"), registry=self._registry
        )  # fmt: skip
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
        """Tell of a store as well, until the process ends."""
        self._registry.register(_StoreCollector(host))

    def serve(self, host: str, port: int) -> MetricsServer:
        """Answer scrapes at an address. Raises: SettingsError."""
        return MetricsServer(self._registry, host, port)


class MetricsServer:
    """The HTTP server of the numbers; `port` is the bound one."""

    def __init__(self, registry: CollectorRegistry, host: str, port: int) -> None:
        try:
            self._server, self._thread = start_http_server(port, host.strip("[]"), registry)
        except OSError as exc:
            raise SettingsError(f"telemetry.metrics_listen: {host}:{port} cannot be listened on: {exc}") from exc
        self.port = self._server.server_port

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _StoreCollector(Collector):
    """Asked at every scrape."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self._size = 0
        self._sized = 0.0

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """None before the first scrape: naming them would ask the store."""
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
        yield _gauge("repoquarry_queries_waiting", "Queries that wait for their turn.", load.queries.waiting)
        yield _gauge("repoquarry_query_workers", "Child processes that answer queries.", load.queries.workers)
        yield _gauge(
            "repoquarry_results_memory_bytes", "Memory of results that wait for readers.", load.result_memory_bytes
        )
        yield _gauge("repoquarry_results_disk_bytes", "Temporary files of results that wait.", load.result_disk_bytes)
        budget = store.settings.results
        yield _gauge("repoquarry_results_memory_limit_bytes", "`store.results.memory_bytes`.", budget.memory_bytes)
        yield _gauge("repoquarry_results_disk_limit_bytes", "`store.results.disk_bytes`.", budget.disk_bytes)
        work = GaugeMetricFamily("repoquarry_work", "Kept jobs, batches and tasks by state.", labels=["kind", "state"])
        counts = self._host.state.counts()
        for kind in KINDS:
            for state in STATES:
                work.add_metric([kind, state.lower()], counts.get((kind, state), 0))
        yield work
        yield _gauge("repoquarry_store_repositories", "Stored repositories.", len(store.repositories()))
        yield _gauge("repoquarry_store_bytes", "Size of the store's folder.", self._bytes(store.folder))

    def _bytes(self, folder: Path) -> int:
        now = time.monotonic()
        if not self._sized or now - self._sized > _SIZE_SECONDS:
            self._size, self._sized = folder_bytes(folder), now
        return self._size


def folder_bytes(folder: Path) -> int:
    """Size of all files below a folder; files that go away meanwhile count nothing."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _gauge(name: str, documentation: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, documentation, value=value)
