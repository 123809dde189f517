"""Latency of one client's cheap query in parallel with clients with slow queries, and memory of a server while readers stall.

Starts `repoquarry serve` on a generated graph. The cheap query comes every 50 ms for 30 s, three seconds after slow clients of one token
began to ask, never the same text twice. The slow clients are a process of their own, so that their work on messages does not hold the
interpreter of the cheap client. Then 40 readers ask for results of 13 MB and read no further than the header. Exit code 1 when a p95
exceeds 100 ms, or the server takes more than 600 MiB.
"""

import multiprocessing
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import grpc
import psutil

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph
from repoquarry.graphstore.testing.untrusted_queries import ENDLESS
from repoquarry.v1 import query_service_pb2 as pb
from repoquarry.v1.query_service_pb2_grpc import QueryServiceStub
from tests.e2e.service import Service, end, launch

_CHEAP = "MATCH (f:Function) RETURN count(f) AS n"
_LARGE = "UNWIND range(1, 9000) AS x RETURN x, reduce(s = '', i IN range(1, 36) | s + '0123456789012345678901234567890123456789') AS text"
_SLOW_CLIENTS = (0, 2, 8, 32)
_SLOW_SECONDS = 10.0
_SAMPLE_SECONDS = 30.0
_DEADLINE_SECONDS = 60.0
_READERS = 40
_MAX_P95_SECONDS = 0.1
_MAX_MIB = 600


def _stub(address: str) -> QueryServiceStub:
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1)]
    return QueryServiceStub(grpc.insecure_channel(address, options))


def _ask(service: QueryServiceStub, token: str, query: str, seconds: float | None = _DEADLINE_SECONDS) -> Any:
    request = pb.ExecuteCypherRequest(query=query, limits=pb.QueryLimits(seconds=_SLOW_SECONDS))
    return service.ExecuteCypher(request, timeout=seconds, metadata=(("authorization", f"Bearer {token}"),))


def _ask_slowly(address: str, first: int, step: int) -> None:
    service, number = _stub(address), first
    while True:
        number += step
        try:
            list(_ask(service, "slow-client-token-0", ENDLESS.replace("< 0", f"< -{number}")))
        except grpc.RpcError:
            time.sleep(0.05)


def run_slow_clients(address: str, clients: int) -> None:
    """Ask slow queries until this process is ended."""
    for number in range(clients):
        threading.Thread(target=_ask_slowly, args=(address, number, clients), daemon=True).start()
    threading.Event().wait()


def _latencies(address: str, clients: int) -> list[float]:
    """Return the seconds of each cheap query, sorted; a query without an answer counts with its deadline."""
    slow = multiprocessing.get_context("spawn").Process(target=run_slow_clients, args=(address, clients))
    slow.start()
    time.sleep(3)
    service, times = _stub(address), []
    ends = time.monotonic() + _SAMPLE_SECONDS
    while time.monotonic() < ends:
        started = time.monotonic()
        try:
            list(_ask(service, "cheap-client-token", _CHEAP))
            times.append(time.monotonic() - started)
        except grpc.RpcError:
            times.append(_DEADLINE_SECONDS)
        time.sleep(0.05)
    slow.kill()
    slow.join()
    return sorted(times)


def _memory_mib(server: Service) -> tuple[float, float]:
    """Return the resident memory of the server and of its children."""
    process = psutil.Process(server.process.pid)
    children = [child.memory_info().rss for child in process.children(recursive=True)]
    return process.memory_info().rss / 2**20, sum(children) / 2**20


def _stalled(server: Service) -> tuple[float, float, int]:
    """Memory in MiB of the server and its children with the readers stalled, and how many have a result."""
    open_calls, have = [], []

    def read(number: int) -> None:
        call = _ask(_stub(server.address), f"slow-client-token-{number % 32}", _LARGE, seconds=None)
        open_calls.append(call)
        try:
            next(iter(call))
            have.append(number)
        except grpc.RpcError as error:
            print(f"   reader {number}: {error.code().name} {error.details()}")

    threads = [threading.Thread(target=read, args=(number,), daemon=True) for number in range(_READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_DEADLINE_SECONDS * 2)
    time.sleep(2)
    found = _memory_mib(server)
    for call in open_calls:
        call.cancel()
    return *found, len(have)


def main() -> int:
    tokens = ["cheap-client-token", *(f"slow-client-token-{number}" for number in range(32))]
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        store_folder = Path(folder) / "store"
        with Store.open(StoreSettings(store_folder), writable=True) as store:
            store.engine.replace_repository(random_graph("bench", 20_000, 60_000))
        server = launch(store_folder, Path(folder) / "log", REPOQUARRY_SERVER_TOKENS=",".join(tokens))
        try:
            print("| slow clients | p95 | answers in 30 s | longest |\n|---|---|---|---|")
            for clients in _SLOW_CLIENTS:
                times = _latencies(server.address, clients)
                p95 = times[int(0.95 * (len(times) - 1))]
                slowest = max(slowest, p95)
                print(f"| {clients} | {p95:.3f} s | {len(times)} | {times[-1]:.1f} s |", flush=True)
            before = _memory_mib(server)
            own, children, readers = _stalled(server)
        finally:
            end(server)
    print(
        f"{readers} of {_READERS} stalled readers of 13 MB each: server {before[0]:.0f} -> {own:.0f} MiB, "
        f"children {before[1]:.0f} -> {children:.0f} MiB"
    )
    return 1 if slowest > _MAX_P95_SECONDS or own > _MAX_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
