"""OpenTelemetry traces."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from importlib.metadata import version

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from repoquarry.server.observer import End

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
        span = self._start(f"{service}/{method}", SpanKind.SERVER, attributes, parent)

        def end(code: str) -> None:
            _end(span, "rpc.grpc.status", code, failed=code not in _CALLERS_FAULTS)

        return end

    def work(self, kind: str) -> End:
        span = self._start(f"{kind} work", SpanKind.INTERNAL, {"repoquarry.work.kind": kind}, Context())

        def end(state: str) -> None:
            _end(span, "repoquarry.work.state", state.lower(), failed=state == "FAILED")

        return end

    def _start(self, name: str, kind: SpanKind, attributes: Mapping[str, str], parent: Context) -> Span:
        return self._tracer.start_span(name, context=parent, kind=kind, attributes=attributes)

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
