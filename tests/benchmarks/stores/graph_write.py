"""One repository written to the embedded store and to Neo4j: rows a second, and where the time goes.

Neo4j is written several times on one server, emptied between: the server compiles while it does the first. By statement: rows,
seconds of waiting for the server (of parallel connections together), and rows a second. Needs NEO4J_HOME, and an embedded store with the
repository: one of 80,000 rows takes a minute.

    NEO4J_HOME=... python -m tests.benchmarks.stores.graph_write STORE REPOSITORY
"""

from __future__ import annotations

import csv
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.neo4j.change_writer import RowSender
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.neo4j_server import LocalNeo4j, empty, local_home, server_seconds

_HEAP = {"server.memory.heap.initial_size": "1g", "server.memory.heap.max_size": "1g"}
_TURNS = 3


def main() -> int:
    home, given = local_home(), sys.argv[1:]
    if home is None or len(given) != 2:
        print(__doc__)
        return 1
    with Store.open(StoreSettings(Path(given[0]))) as store:
        graph = store.graph(given[1])
    count = sum(graph.counts().values())
    table = [[f"{count:,} rows", "rows/s", "seconds", "client CPU s", "server CPU s"]]
    with tempfile.TemporaryDirectory() as name:
        table.append(_write(StoreSettings(Path(name) / "embedded"), graph, "embedded engine", None))
        server = LocalNeo4j(home, Path(name) / "server", _HEAP)
        server.start()
        try:
            settings = server.server.settings(Path(name) / "neo4j")
            for turn in range(1, _TURNS + 1):
                empty(server.server)
                table.append(_write(settings, graph, f"Neo4j, write {turn} of a new server", server))
        finally:
            server.stop()
    csv.writer(sys.stdout, lineterminator="\n").writerows(table)
    return 0


def _write(settings: StoreSettings, graph: RepositoryGraph, what: str, server: LocalNeo4j | None) -> list[str]:
    settings.folder.mkdir(exist_ok=True)
    rows, waits = Counter[str](), Counter[str]()
    answer = RowSender._answer

    def timed(self: RowSender, action: str, batch: list[Any]) -> Any:
        begun = time.perf_counter()
        found = answer(self, action, batch)
        kind = " ".join(re.findall(r"CREATE \(n:\w+|\[:\w+", action)).replace("CREATE (n:", ":").replace("[:", "-")
        rows[kind] += len(batch)
        waits[kind] += time.perf_counter() - begun  # type: ignore[assignment]
        return found

    engine = open_engine(settings, writable=True)
    with mock.patch.object(RowSender, "_answer", timed):
        started, ours, theirs = time.perf_counter(), time.process_time(), server_seconds(server)
        engine.replace_repository(graph)
        seconds, ours = time.perf_counter() - started, time.process_time() - ours
    engine.close()
    theirs = server_seconds(server) - theirs
    for kind, wait in waits.most_common():
        print(f"  {kind:12} {rows[kind]:7,} rows, {wait:6.2f} s, {rows[kind] / wait:9,.0f} rows/s")
    count = sum(graph.counts().values())
    print(f"{what}: {seconds:.2f} s, client {ours:.2f}, server {theirs:.2f}", flush=True)
    return [what, f"{count / seconds:,.0f}", f"{seconds:.1f}", f"{ours:.1f}", f"{theirs:.1f}" if server else ""]


if __name__ == "__main__":
    sys.exit(main())
