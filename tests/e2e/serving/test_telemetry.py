"""Telemetry of a real server: numbers that Prometheus scrapes, and spans that reach a collector."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)
from prometheus_client.parser import text_string_to_metric_families

from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest
from repoquarry.v1.query_service_pb2_grpc import QueryServiceStub
from tests.e2e.service import SHOP, Service, StartService, run_here, succeed, wait_until
from tests.source_trees import write_tree

_Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


class _Collector(TraceServiceServicer):
    """An OTLP collector that keeps what it is sent, by the names of the spans."""

    def __init__(self) -> None:
        self.spans: dict[str, list[dict[str, str]]] = {}
        self.resource: dict[str, str] = {}

    def Export(self, request: otlp.ExportTraceServiceRequest, context: grpc.ServicerContext) -> object:
        for part in request.resource_spans:
            self.resource = {item.key: item.value.string_value for item in part.resource.attributes}
            for span in (span for scope in part.scope_spans for span in scope.spans):
                found = {item.key: item.value.string_value for item in span.attributes}
                found |= {
                    "trace": span.trace_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "code": str(span.status.code),
                }
                self.spans.setdefault(span.name, []).append(found)
        return otlp.ExportTraceServiceResponse()


@pytest.fixture
def collector() -> Iterator[tuple[_Collector, str]]:
    servicer = _Collector()
    server = grpc.server(ThreadPoolExecutor(2))
    add_TraceServiceServicer_to_server(servicer, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield servicer, f"http://127.0.0.1:{port}"
    server.stop(None)


def _scrape(service: Service) -> _Samples:
    """Samples as Prometheus reads them, by its own parser."""
    found = re.search(r"metrics on (http://127\.0\.0\.1:\d+/metrics)", service.log.read_text())
    assert found is not None, service.log.read_text()
    with urlopen(found[1], timeout=300) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def _value(samples: _Samples, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


def _ask(service: Service, query: str, metadata: tuple[tuple[str, str], ...] = ()) -> None:
    with grpc.insecure_channel(f"127.0.0.1:{service.port}") as channel:
        list(QueryServiceStub(channel).ExecuteCypher(ExecuteCypherRequest(query=query), metadata=metadata))


def test_calls_errors_queries_and_the_store_are_counted_by_documented_numbers(
    own_store: Path, start_service: StartService
) -> None:
    service = start_service(own_store, REPOQUARRY_TELEMETRY_METRICS_LISTEN="0")
    for _ in range(3):
        _ask(service, "MATCH (m:Module) RETURN m.path AS path")
    with pytest.raises(grpc.RpcError):
        _ask(service, "MATCH (n) DELETE n")
    rpc = {"service": "repoquarry.v1.QueryService", "method": "ExecuteCypher"}
    # A client has its answer before the service has counted the call.
    wait_until(lambda: _scrape(service).get(("repoquarry_rpc_seconds_count", frozenset(rpc.items()))) == 4)
    samples = _scrape(service)
    assert _value(samples, "repoquarry_rpc_calls_total", **rpc, code="OK") == 3
    assert _value(samples, "repoquarry_rpc_calls_total", **rpc, code="INVALID_ARGUMENT") == 1
    assert _value(samples, "repoquarry_rpc_seconds_count", **rpc) == 4
    assert 0 < _value(samples, "repoquarry_rpc_seconds_sum", **rpc) < 60
    assert _value(samples, "repoquarry_rpc_running", **rpc) == 0
    assert _value(samples, "repoquarry_query_workers") >= 1
    assert _value(samples, "repoquarry_query_places", lane="slow") == 2
    assert _value(samples, "repoquarry_queries_waiting") == 0
    assert _value(samples, "repoquarry_results_memory_bytes") == 0
    assert _value(samples, "repoquarry_results_memory_limit_bytes") == 64 * 1024 * 1024
    assert _value(samples, "repoquarry_store_repositories") == 1
    stored = sum(path.stat().st_size for path in own_store.rglob("*") if path.is_file())
    assert _value(samples, "repoquarry_store_bytes") == pytest.approx(stored, rel=0.5)
    assert ("process_resident_memory_bytes", frozenset[tuple[str, str]]()) in samples
    page = (Path(__file__).parents[3] / "docs/guides/telemetry.md").read_text()
    documented = set(re.findall(r"`(repoquarry_\w+)`", page))
    told = {re.sub(r"_(bucket|count|sum)$", "", name) for name, _ in samples if not name.endswith("_created")}
    assert {name for name in told if name.startswith("repoquarry_")} <= documented
    work = {name for name in documented if name.startswith("repoquarry_work_")}  # told after the first run of work
    assert documented - work <= told


def test_running_queries_and_jobs_are_seen(tmp_path: Path, own_store: Path, start_service: StartService) -> None:
    service = start_service(own_store, REPOQUARRY_TELEMETRY_METRICS_LISTEN="127.0.0.1:0")
    server = f"127.0.0.1:{service.port}"
    succeed(own_store, "index", str(write_tree(tmp_path / "shed", SHOP)), "--server", server)
    slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a WHERE a < 0 RETURN count(a) AS n"
    with grpc.insecure_channel(server) as channel:
        call = QueryServiceStub(channel).ExecuteCypher(ExecuteCypherRequest(query=slow))
        wait_until(lambda: _running(_scrape(service)) == 1)
        call.cancel()  # type: ignore[no-untyped-call]
    wait_until(lambda: _running(_scrape(service)) == 0)
    samples = _scrape(service)
    assert _value(samples, "repoquarry_work_runs_total", kind="index", state="succeeded") == 1
    assert _value(samples, "repoquarry_work_seconds_count", kind="index") == 1
    assert _value(samples, "repoquarry_work", kind="index", state="queued") == 0
    assert _value(samples, "repoquarry_store_repositories") == 2
    rpc = {"service": "repoquarry.v1.QueryService", "method": "ExecuteCypher"}
    assert _value(samples, "repoquarry_rpc_calls_total", **rpc, code="CANCELLED") == 1


def _running(samples: _Samples) -> float:
    return sum(value for (name, _), value in samples.items() if name == "repoquarry_queries_running")


def test_spans_of_calls_and_work_reach_a_collector(
    tmp_path: Path, own_store: Path, start_service: StartService, collector: tuple[_Collector, str]
) -> None:
    kept, address = collector
    service = start_service(own_store, REPOQUARRY_TELEMETRY_TRACES_ENDPOINT=address)
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    _ask(service, "MATCH (m:Module) RETURN m.path AS path", (("traceparent", f"00-{trace}-{parent}-01"),))
    with pytest.raises(grpc.RpcError):
        _ask(service, "MATCH (n) DELETE n")
    succeed(own_store, "index", str(write_tree(tmp_path / "shed", SHOP)), "--server", service.address)
    service.process.terminate()
    service.process.wait(300)
    asked, refused = kept.spans["repoquarry.v1.QueryService/ExecuteCypher"]
    assert (asked["trace"], asked["parent"], asked["rpc.grpc.status"]) == (trace, parent, "OK")
    assert (refused["rpc.grpc.status"], refused["code"]) == ("INVALID_ARGUMENT", "0"), "the caller's mistake, not ours"
    assert refused["trace"] != trace
    assert [span["repoquarry.work.state"] for span in kept.spans["index work"]] == ["succeeded"]
    assert kept.resource["service.name"] == "repoquarry"


def test_nothing_listens_and_nothing_is_sent_unless_asked_for(own_store: Path, start_service: StartService) -> None:
    assert "metrics on" not in start_service(own_store).log.read_text()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("METRICS_LISTEN", "somewhere", "telemetry.metrics_listen"),
        ("METRICS_LISTEN", "192.0.2.1:0", "cannot be listened on"),
        ("TRACES_SAMPLE_RATIO", "2", "telemetry.traces_sample_ratio"),
    ],
)
def test_wrong_settings_are_refused(tmp_path: Path, variable: str, value: str, said: str) -> None:
    variables = {f"REPOQUARRY_TELEMETRY_{variable}": value}
    done = run_here(tmp_path / "store", "serve", "--listen", "0", "--allow-unauthenticated", **variables)
    assert done.returncode != 0
    assert said in done.stderr
    assert len([line for line in done.stderr.splitlines() if " INFO " not in line]) == 1
