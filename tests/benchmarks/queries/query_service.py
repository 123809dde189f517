"""What clients of one server do to each other: a cheap query beside slow ones, and memory while readers stall.

Starts `repoquarry serve` on a generated graph. First the time of a cheap query of one client while 0, 2, 8 and 32 others, each with a
token of its own, ask queries that run into their time limit, one after the other. Then the resident memory of the server and its
children while 40 readers have asked for results of 16 MB and read no further than the header.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import psutil

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.v1 import query_service_pb2 as pb
from repoquarry.v1.query_service_pb2_grpc import QueryServiceStub
from tests.command_line import COMMAND
from tests.long_query import ENDLESS
from tests.sample_graph import random_graph

_CHEAP = "MATCH (f:Function) RETURN count(f) AS n"
_LARGE = "UNWIND range(1, 9000) AS x RETURN x, reduce(s = '', i IN range(1, 36) | s + '0123456789012345678901234567890123456789') AS text"
_SLOW_SECONDS = 10.0
_SAMPLE_SECONDS = 30.0
_DEADLINE_SECONDS = 60.0
_READERS = 40
_MOST_P95_SECONDS = 1.0
_MAX_MIB = 600


class _Server:
    def __init__(self, folder: Path, tokens: list[str]) -> None:
        environment = {**os.environ, "REPOQUARRY_SERVER_TOKENS": ",".join(tokens), "PYTHONUNBUFFERED": "1"}
        command = [
            *COMMAND,
            "serve",
            "--store",
            str(folder),
            "--listen",
            "127.0.0.1:0",
        ]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.address = self._announced()

    def _announced(self) -> str:
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            for line in stream:
                if "127.0.0.1:" in line:
                    return "127.0.0.1:" + line.partition("127.0.0.1:")[2].split()[0].strip(".,)")
        raise RuntimeError("the server did not start")

    def memory_mib(self) -> tuple[float, float]:
        """Resident memory of the server and of its children."""
        process = psutil.Process(self.process.pid)
        children = [child.memory_info().rss for child in process.children(recursive=True)]
        return process.memory_info().rss / 2**20, sum(children) / 2**20


@contextmanager
def _served(folder: Path, tokens: list[str]) -> Iterator[_Server]:
    server = _Server(folder, tokens)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


def _stub(server: _Server) -> QueryServiceStub:
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1)]
    return QueryServiceStub(grpc.insecure_channel(server.address, options))


def _ask(stub: QueryServiceStub, token: str, query: str, seconds: float) -> None:
    request = pb.ExecuteCypherRequest(query=query, limits=pb.QueryLimits(seconds=seconds))
    for _ in stub.ExecuteCypher(request, timeout=_DEADLINE_SECONDS, metadata=(("authorization", f"Bearer {token}"),)):
        pass


def _slow_client(server: _Server, token: str, stop: threading.Event) -> None:
    stub = _stub(server)
    number = 0
    while not stop.is_set():
        number += 1  # never the same text twice, so that nothing is learned from it
        try:
            _ask(stub, token, ENDLESS.replace("< 0", f"< -{number}"), _SLOW_SECONDS)
        except grpc.RpcError:
            stop.wait(0.05)


def _latency(server: _Server, slow: int) -> list[float]:
    """Seconds of each cheap query, the slow ones running; a query without an answer counts with its deadline."""
    stop = threading.Event()
    for number in range(slow):
        threading.Thread(target=_slow_client, args=(server, f"slow{number}", stop), daemon=True).start()
    time.sleep(3 if slow else 0)
    stub, times = _stub(server), []
    ends = time.monotonic() + _SAMPLE_SECONDS
    while time.monotonic() < ends:
        started = time.monotonic()
        try:
            _ask(stub, "cheap", _CHEAP, 10)
            times.append(time.monotonic() - started)
        except grpc.RpcError:
            times.append(_DEADLINE_SECONDS)
        time.sleep(0.05)
    stop.set()
    return sorted(times)


def _stalled(server: _Server) -> tuple[float, float, int]:
    """Memory in MiB of the server and its children with the readers stalled, and how many have a result."""
    open_calls, have = [], []

    def read(number: int) -> None:
        request = pb.ExecuteCypherRequest(query=_LARGE)
        call = _stub(server).ExecuteCypher(request, metadata=(("authorization", f"Bearer slow{number % 32}"),))
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
    found = server.memory_mib()
    for call in open_calls:
        call.cancel()  # type: ignore[no-untyped-call]  # the stubs of grpc leave it untyped
    return *found, len(have)


def main() -> int:
    tokens = ["cheap", *(f"slow{number}" for number in range(32))]
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(StoreSettings(Path(folder)), writable=True) as store:
            store.engine.replace_repository(random_graph("bench", 20_000, 60_000))
        for slow in (0, 2, 8, 32):
            with _served(Path(folder), tokens) as server:
                times = _latency(server, slow)
            p95 = times[int(0.95 * (len(times) - 1))]
            worst = max(worst, p95)
            print(
                f"{slow:2} slow beside it: {len(times)} cheap queries, median {times[len(times) // 2]:.3f} s, "
                f"p95 {p95:.3f} s, most {times[-1]:.3f} s",
                flush=True,
            )
        with _served(Path(folder), tokens) as server:
            _ask(_stub(server), "cheap", _CHEAP, 10)
            before = server.memory_mib()
            own, children, readers = _stalled(server)
    print(
        f"{readers} of {_READERS} stalled readers of 13 MB each: server {before[0]:.0f} -> {own:.0f} MiB, "
        f"children {before[1]:.0f} -> {children:.0f} MiB"
    )
    return 1 if worst > _MOST_P95_SECONDS or own > _MAX_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
