"""Wall time and size of every request that a view of the page sends, through HTTP.

    python -m tests.benchmarks.queries.page_views STORE REPOSITORY [RANGE ...]

The script serves the page of a store and asks for sampled symbols, files and folders of one indexed repository, the most called symbols
included, and for each range of commits. Every request of a row but the first, which loads what the service holds of a revision, counts.
Wall times depend on what else the machine does; the processor time of the service and its children hardly does.
"""

import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import psutil
from google.protobuf.message import Message

from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import view_service_pb2 as pb
from tests.benchmarks.__main__ import SKIPPED
from tests.command_line import COMMAND

_SAMPLE = 150
_MOST_CALLED = 50
_FOLDERS = 60
_TIMEOUT_SECONDS = 120
_SYMBOLS = "MATCH (n:{label}) WHERE n.repository = '{repository}' RETURN n.id, n.path ORDER BY n.calls_in DESC, n.id"


@contextmanager
def serve_page(store: str) -> Iterator[tuple[str, psutil.Process]]:
    """Serve the page of a store and yield its address and process."""
    command = [*COMMAND, "ui", "--no-open", "--listen", "127.0.0.1:0"]
    environment = {**os.environ, "REPOQUARRY_STORE": store}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield "/".join(process.stdout.readline().split("/")[:3]), psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def send(address: str, method: str, request: Message) -> tuple[float, int]:
    """Send one request as a browser does; return its seconds and the bytes of its compressed answer."""
    headers = {"Content-Type": "application/proto", "Accept-Encoding": "gzip"}
    url = f"{address}/repoquarry.v1.ViewService/{method}"
    call = urllib.request.Request(url, request.SerializeToString(), headers)
    start = time.perf_counter()
    with urllib.request.urlopen(call, timeout=_TIMEOUT_SECONDS) as response:
        body = response.read()
        seconds = time.perf_counter() - start
        if response.headers.get("Content-Encoding") == "gzip":
            gzip.decompress(body)
    return seconds, len(body)


def read_processor_seconds(service: psutil.Process) -> float:
    """Return the processor time of a process and its children."""
    return sum(sum(each.cpu_times()[:2]) for each in (service, *service.children(recursive=True)))


def measure(address: str, service: psutil.Process, name: str, requests: Sequence[Message]) -> None:
    """Send the requests of one row and print its times; the slowest request is named on standard error."""
    method = name.partition(" ")[0]
    first, _ = send(address, method, requests[0])
    found = []
    for request in requests:
        before = read_processor_seconds(service)
        found.append((*send(address, method, request), request, read_processor_seconds(service) - before))
    seconds, sizes = sorted(item[0] for item in found), sorted(item[1] for item in found)
    last = max(int(len(found) * 0.95) - 1, 0) if len(found) > 1 else 0
    times = (first, statistics.median(seconds), seconds[last], seconds[-1], sorted(item[3] for item in found)[last])
    print(f"| {name} | {len(found)} | " + " | ".join(f"{value * 1000:.0f} ms" for value in times), end=" | ")
    print(f"{sizes[last] / 1000:.1f} kB |", flush=True)
    slowest = max(found, key=lambda item: item[0])[2]
    print(f"  slowest {method}: {json.dumps(str(slowest))[:160]}", file=sys.stderr)


def list_rows(store: str, query: str) -> list[list[str]]:
    done = subprocess.run(
        [*COMMAND, "query", "--json", query],
        env={**os.environ, "REPOQUARRY_STORE": store},
        stdout=subprocess.PIPE,
        check=True,
    )
    rows: list[list[str]] = json.loads(done.stdout)["rows"]
    return rows


def list_requests(store: str, repository: str) -> Iterable[tuple[str, list[Message]]]:
    choose = random.Random(7)
    functions = list_rows(store, _SYMBOLS.format(label="Function", repository=repository))
    classes = list_rows(store, _SYMBOLS.format(label="Class", repository=repository))
    sample = choose.sample([row[0] for row in functions + classes], min(_SAMPLE, len(functions)))
    ids = sample + [row[0] for row in functions[:_MOST_CALLED]]
    paths = sorted({row[1] for row in functions})
    folders = sorted({path.rpartition("/")[0] for path in paths})
    yield "GetSymbol", [pb.GetSymbolRequest(symbol=id_) for id_ in ids]
    yield "ListHops", [pb.ListHopsRequest(symbol=id_, direction=code_pb.DIRECTION_INCOMING) for id_ in ids]
    files = choose.sample(paths, min(_SAMPLE, len(paths)))
    yield "GetFile", [pb.GetFileRequest(repository=repository, path=path) for path in files]
    chosen = choose.sample(folders, min(_FOLDERS, len(folders)))
    yield "GetLevels", [pb.GetLevelsRequest(repository=repository, folder=folder, tests=True) for folder in chosen]
    yield "GetOverview", [pb.GetOverviewRequest(repository=repository)] * 20


def main() -> int:
    if len(sys.argv) < 3:
        print("name a store and an indexed repository")
        return SKIPPED
    store, repository, *ranges = sys.argv[1:]
    rows = list(list_requests(store, repository))
    changes = [pb.GetChangeRequest(repository=repository, range=text) for text in ranges]
    print("| request | number | first | median | p95 | maximum | processor time at p95 | bytes at p95 (gzip) |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with serve_page(store) as (address, service):
        for name, requests in rows:
            measure(address, service, name, requests)
        for change in changes:
            measure(address, service, f"GetChange {change.range}", [change] * 5)
    return 0


if __name__ == "__main__":
    sys.exit(main())
