"""Memory, time and end of a server whose clients send huge regular expressions and disconnect.

Starts `repoquarry serve`, lets three clients ask `$s =~ $p` with a pattern of 60 KB each and go away after two seconds, and prints the
server's resident memory and processor time each second, the latency of another client's query, and how long SIGTERM took.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

import grpc
import psutil

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.v1 import query_service_pb2 as pb
from repoquarry.v1 import values_pb2
from tests.benchmarks.queries.query_service import Server, stub
from tests.sample_graph import sample_graph

_PATTERN = "a?" * 30_000
_CLIENTS = 3
_CLIENT_SECONDS = 2.0
_WATCH_SECONDS = 20
_TERM_SECONDS = 60.0
_MAX_MIB = 400
_GRACE_SECONDS = 15.0
"""`server.shutdown_seconds`, and the time to close the store."""


def _attack(server: Server, outcomes: list[str]) -> None:
    parameters = {"s": values_pb2.Value(string_value="b"), "p": values_pb2.Value(string_value=_PATTERN)}
    request = pb.ExecuteCypherRequest(query="RETURN $s =~ $p AS x", parameters=parameters)
    try:
        outcomes.append(str(list(stub(server.address).ExecuteCypher(request, timeout=_CLIENT_SECONDS))))
    except grpc.RpcError as error:
        outcomes.append(f"{error.code().name}: {str(error.details())[:100]}")


def _cheap_seconds(server: Server) -> float:
    started = time.monotonic()
    try:
        list(stub(server.address).ExecuteCypher(pb.ExecuteCypherRequest(query="RETURN 1 AS x"), timeout=5.0))
    except grpc.RpcError:
        return float("inf")
    return time.monotonic() - started


def _watch(server: Server) -> float:
    """Print one line a second; the highest resident memory in MiB."""
    highest = 0.0
    process = psutil.Process(server.process.pid)
    for second in range(_WATCH_SECONDS):
        own, children = server.memory_mib()
        times = process.cpu_times()
        print(
            f"{second:3} s  server {own:7.0f} MiB  children {children:6.0f} MiB  "
            f"processor {times.user + times.system:6.1f} s  cheap query {_cheap_seconds(server):.3f} s",
            flush=True,
        )
        highest = max(highest, own)
        time.sleep(1.0)
    return highest


def main() -> int:
    outcomes: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(StoreSettings(Path(folder)), writable=True) as store:
            store.engine.replace_repository(sample_graph())
        server = Server(Path(folder), [])
        _cheap_seconds(server)
        threads = [threading.Thread(target=_attack, args=(server, outcomes)) for _ in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        highest = _watch(server)
        for thread in threads:
            thread.join()
        print("\n".join(outcomes))
        started = time.monotonic()
        server.process.terminate()
        try:
            code: int | None = server.process.wait(_TERM_SECONDS)
        except Exception:
            code = None
            server.process.kill()
            server.process.wait()
        ended = time.monotonic() - started
    print(
        f"most {highest:.0f} MiB; {'did not end' if code is None else f'ended with {code}'} {ended:.1f} s after SIGTERM"
    )
    return 1 if highest > _MAX_MIB or code is None or ended > _GRACE_SECONDS else 0


if __name__ == "__main__":
    sys.exit(main())
