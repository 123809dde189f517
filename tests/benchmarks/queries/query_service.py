"""Memory of a server while readers stall.

Starts `repoquarry serve` on a generated graph, and prints the resident memory of the server and its children while 40 readers have asked for
results of 16 MB and read no further than the header.
"""

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
from tests.sample_graph import random_graph

_CHEAP = "MATCH (f:Function) RETURN count(f) AS n"
_LARGE = "UNWIND range(1, 9000) AS x RETURN x, reduce(s = '', i IN range(1, 36) | s + '0123456789012345678901234567890123456789') AS text"
_DEADLINE_SECONDS = 60.0
_READERS = 40
_MAX_MIB = 600


class Server:
    def __init__(self, folder: Path, tokens: list[str]) -> None:
        environment = {**os.environ, "REPOQUARRY_SERVER_TOKENS": ",".join(tokens), "PYTHONUNBUFFERED": "1"}
        command = [*COMMAND, "serve", "--store", str(folder), "--listen", "127.0.0.1:0"]
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
def served(folder: Path, tokens: list[str]) -> Iterator[Server]:
    server = Server(folder, tokens)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


def stub(address: str) -> QueryServiceStub:
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1)]
    return QueryServiceStub(grpc.insecure_channel(address, options))


def ask(stub: QueryServiceStub, token: str, query: str, seconds: float) -> None:
    request = pb.ExecuteCypherRequest(query=query, limits=pb.QueryLimits(seconds=seconds))
    for _ in stub.ExecuteCypher(request, timeout=_DEADLINE_SECONDS, metadata=(("authorization", f"Bearer {token}"),)):
        pass


def _stalled(server: Server) -> tuple[float, float, int]:
    """Memory in MiB of the server and its children with the readers stalled, and how many have a result."""
    open_calls, have = [], []

    def read(number: int) -> None:
        request = pb.ExecuteCypherRequest(query=_LARGE)
        call = stub(server.address).ExecuteCypher(
            request, metadata=(("authorization", f"Bearer slow-client-token-{number % 32}"),)
        )
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
    tokens = ["cheap-client-token", *(f"slow-client-token-{number}" for number in range(32))]
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(StoreSettings(Path(folder)), writable=True) as store:
            store.engine.replace_repository(random_graph("bench", 20_000, 60_000))
        with served(Path(folder), tokens) as server:
            ask(stub(server.address), "cheap-client-token", _CHEAP, 10)
            before = server.memory_mib()
            own, children, readers = _stalled(server)
    print(
        f"{readers} of {_READERS} stalled readers of 13 MB each: server {before[0]:.0f} -> {own:.0f} MiB, "
        f"children {before[1]:.0f} -> {children:.0f} MiB"
    )
    return 1 if own > _MAX_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
