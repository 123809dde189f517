"""Prometheus metrics.

Labels are RPCs, kinds of work and states, never a repository, a client or a query, so that any token may read the metrics.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from repoquarry.server.application.context import ApplicationContext
    from repoquarry.server.observer import End

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
    """Compute the size of all files below a folder; files that disappear meanwhile do not count."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _gauge(name: str, documentation: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, documentation, value=value)
