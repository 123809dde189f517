"""The engines on a graph of django's size: writing it, writing it again changed, opening it, and following calls.

Setting: 60,000 functions in 3,000 modules and 200,000 calls by a fixed seed, written into an empty store, then replaced by the
same graph with one module's functions changed, then by a graph of another seed. Neo4j where one is to be had, with the 512 MB of
heap that the tests give it. Times are wall seconds; memory is the peak of this process, and the graph as columns is in it.

    python -m tests.benchmarks.stores.engine_load [functions calls]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.graph_tables import NodeTable, RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from tests.neo4j_server import empty, neo4j_server
from tests.sample_graph import random_graph

_NO_LIMITS = QueryLimits(seconds=0, rows=0, bytes=0, memory_bytes=0)
_STARTS = 200
_HOPS = "MATCH (:Function {id: $id})-[:CALLS*1..3]->(n) RETURN count(DISTINCT n)"


def main() -> int:
    functions, calls = (int(number) for number in sys.argv[1:3]) if len(sys.argv) > 2 else (60_000, 200_000)
    print(f"{functions} functions, {calls} calls", flush=True)
    first, second = (random_graph("bench", functions, calls, seed) for seed in (0, 1))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"  the graph as columns: {_peak_mib()} MiB peak")
        _measure(StoreSettings(folder), first, second)
        print(
            f"  peak of this process: {_peak_mib()} MiB; file {sum(file.stat().st_size for file in (folder / 'graphs').iterdir()) / 2**20:.1f} MiB"
        )
        with neo4j_server(folder / "server") as server:
            if server is None:
                print("neo4j: none to be had")
                return 0
            empty(server)
            user, password = server.user, server.password
            settings = StoreSettings(folder, "neo4j", server.uri, neo4j_user=user, neo4j_password=password)
            _measure(settings, first, second)
    return 0


def _measure(settings: StoreSettings, first: RepositoryGraph, second: RepositoryGraph) -> None:
    engine = open_engine(settings, writable=True)
    print(f"{engine.info.name} {engine.info.version}", flush=True)
    _timed("write into an empty store", lambda: engine.replace_repository(first))
    _timed("write the same again", lambda: engine.replace_repository(first))
    _timed("write with one module changed", lambda: engine.replace_repository(_changed(first)))
    _timed("write another graph over it", lambda: engine.replace_repository(second))
    engine.close()
    reader = open_engine(settings, writable=False)
    _timed("open and count", lambda: reader.run("MATCH (n) RETURN count(n)", {}, _NO_LIMITS))
    ids = [str(node) for table in second.nodes if table.label == "Function" for node in table.columns["id"][:_STARTS]]
    _timed(f"{_STARTS} times 1 to 3 hops", lambda: _hop(reader, ids))
    reader.close()


def _hop(engine: GraphEngine, ids: list[str]) -> None:
    for node in ids:
        engine.run(_HOPS, {"id": node}, _NO_LIMITS)


def _changed(graph: RepositoryGraph) -> RepositoryGraph:
    """The graph with other docstrings in its first twenty functions."""
    nodes = []
    for table in graph.nodes:
        columns = dict(table.columns)
        if table.label == "Function":
            columns["docstring"] = [*["changed"] * 20, *columns["docstring"][20:]]
        nodes.append(NodeTable(table.label, columns))
    return replace(graph, nodes=nodes)


def _timed(what: str, work: Callable[[], object]) -> None:
    started, used = time.perf_counter(), time.process_time()
    work()
    print(
        f"  {what}: {time.perf_counter() - started:.2f} s, {time.process_time() - used:.2f} s of it on our processor",
        flush=True,
    )


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    sys.exit(main())
