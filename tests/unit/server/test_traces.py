"""The end of tracing: a collector that does not answer delays it by seconds, not by the library's half a minute."""

import threading
import time
from collections.abc import Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from repoquarry.server import telemetry as module
from repoquarry.server.telemetry import Traces


class _BlockingExporter(SpanExporter):
    """Waits in every export until it is shut down."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.started = threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.started.set()
        self.stopped.wait(60)
        return SpanExportResult.FAILURE

    def shutdown(self) -> None:
        self.stopped.set()


def test_a_collector_that_does_not_answer_delays_the_end_by_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CLOSE_SECONDS", 0.2)
    exporter = _BlockingExporter()
    traces = Traces(exporter, 1.0)
    traces.work("index")("SUCCEEDED")
    started = time.monotonic()
    traces.close()
    assert exporter.started.is_set()
    assert time.monotonic() - started < 10
