"""Writing Neo4j: our writer against a plain UNWIND loop of the driver, many repositories by four writers, and through files.

All in the same run on the same server, with 512 MB of heap and the schema's constraints and indexes in place; each part begins
with an empty database. The loop is what one writes first: 1,000 rows a statement, each committed by itself, not safe against a
kill. Rows are nodes and relationships; seconds are of the wall, with our own processor's beside them. Needs NEO4J_HOME.

    NEO4J_HOME=... python -m tests.benchmarks.neo4j_writes [functions calls repositories]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import neo4j

from repoquarry.graphstore.engines.registry import open_engine
from repoquarry.graphstore.model.records import NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.server.exports import neo4j_csv
from repoquarry.server.exports.reading import StoredGraph
from tests.neo4j_server import LocalNeo4j, empty, local_home
from tests.sample_graph import random_graph

_LOOP_ROWS = 1_000
_WRITERS = 4


def main() -> int:
    functions, calls, repositories = (
        (int(given) for given in sys.argv[1:4]) if len(sys.argv) > 3 else (4_000, 14_000, 8)
    )
    home = local_home()
    if home is None:
        print("set NEO4J_HOME")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = LocalNeo4j(home, folder / "server")
        settings = StoreSettings(folder / "store", "neo4j", server.server.uri, neo4j_user="")
        server.start()
        try:
            open_engine(settings, writable=True).close()
            _one(server, settings, random_graph("bench", functions, calls))
            _many(server, settings, functions, calls, repositories)
        finally:
            server.stop()
        _through_files(home, folder, functions, calls, repositories)
    return 0


def _one(server: LocalNeo4j, settings: StoreSettings, graph: RepositoryGraph) -> None:
    rows = sum(graph.counts().values())
    for turn in ("first", "second"):  # the server compiles while it does the first
        empty(server.server)
        _timed(f"plain UNWIND loop, {turn} time", rows, lambda: _loop(settings, graph))
        empty(server.server)
        _ours(settings, graph, f"{turn} time")
    for size in (256 * 1024, 8 * 1024 * 1024):
        empty(server.server)
        _ours(replace(settings, neo4j_batch_bytes=size), graph, f"statements of {size // 1024} KiB")


def _ours(settings: StoreSettings, graph: RepositoryGraph, how: str) -> None:
    engine = open_engine(settings, writable=True)
    _timed(f"our writer, {how}", sum(graph.counts().values()), lambda: engine.replace_repository(graph))
    engine.close()


def _loop(settings: StoreSettings, graph: RepositoryGraph) -> None:
    with neo4j.GraphDatabase.driver(settings.neo4j_uri) as driver, driver.session() as session:
        for table in graph.nodes:
            for rows in _pieces(_rows(table)):
                session.run(f"UNWIND $rows AS row CREATE (n:{table.label}) SET n = row", rows=rows).consume()
        for joined in graph.relationships:
            match = f"MATCH (a:{joined.start_label} {{id: row.start}}) MATCH (b:{joined.end_label} {{id: row.end}})"
            for rows in _pieces(_joined_rows(joined)):
                session.run(
                    f"UNWIND $rows AS row {match} CREATE (a)-[r:{joined.type}]->(b) SET r = row.given", rows=rows
                ).consume()


def _rows(table: NodeTable) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, cells, strict=True)) for cells in zip(*table.columns.values(), strict=True)]


def _joined_rows(joined: RelationshipTable) -> list[dict[str, Any]]:
    cells = list(zip(*joined.columns.values(), strict=True)) if joined.columns else [()] * len(joined)
    return [
        {"start": start, "end": end, "given": dict(zip(joined.columns, given, strict=True))}
        for start, end, given in zip(joined.start, joined.end, cells, strict=True)
    ]


def _pieces(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for first in range(0, len(rows), _LOOP_ROWS):
        yield rows[first : first + _LOOP_ROWS]


def _many(server: LocalNeo4j, settings: StoreSettings, functions: int, calls: int, repositories: int) -> None:
    for writers in (1, _WRITERS):
        empty(server.server)
        given = [(settings, f"r{number}", functions // 4, calls // 4) for number in range(repositories)]
        with ProcessPoolExecutor(writers, mp_context=get_context("spawn")) as pool:
            list(pool.map(_nothing, range(writers * 2)))  # started, so that their start is not measured
            started = time.perf_counter()
            rows = sum(pool.map(_write, given))
            _tell(f"{repositories} repositories, {writers} writers", rows, time.perf_counter() - started)


def _nothing(number: int) -> int:
    return number


def _write(given: tuple[StoreSettings, str, int, int]) -> int:
    settings, name, functions, calls = given
    graph = random_graph(name, functions, calls)
    engine = open_engine(settings, writable=True)
    engine.replace_repository(graph)
    engine.close()
    return sum(graph.counts().values())


def _through_files(home: Path, folder: Path, functions: int, calls: int, repositories: int) -> None:
    names = [f"r{number}" for number in range(repositories)]
    graphs = [random_graph(name, functions // 4, calls // 4) for name in names]
    rows = [sum(graph.counts().values()) for graph in graphs]
    server = LocalNeo4j(home, folder / "imported")
    files = folder / "files"
    files.mkdir()
    with Store.open(StoreSettings(folder / "embedded"), writable=True) as store:
        for graph in graphs:
            store.engine.replace_repository(graph)

        def export() -> None:
            neo4j_csv.write((StoredGraph(store, name) for name in names), names, files, "neo4j")

        _timed(f"{repositories} repositories, export", sum(rows), export)
    environment = {**os.environ, "NEO4J_CONF": str(folder / "imported" / "conf"), "NEO4J_HOME": str(home)}
    arguments = ["database", "import", "full", "neo4j", "--overwrite-destination", f"@{files / neo4j_csv.ARGUMENTS}"]

    def load() -> None:
        command = [str(home / "bin" / "neo4j-admin"), *arguments]
        subprocess.run(command, env=environment, capture_output=True, cwd=folder, check=True)

    _timed(f"{repositories} repositories, neo4j-admin import", sum(rows), load)
    server.start()
    try:
        settings = StoreSettings(folder / "embedded", "neo4j", server.server.uri, neo4j_user="")
        _timed(
            f"{repositories} repositories, migrations", sum(rows), lambda: open_engine(settings, writable=True).close()
        )
    finally:
        server.stop()


def _timed(what: str, rows: int, work: Callable[[], object]) -> None:
    started, used = time.perf_counter(), time.process_time()
    work()
    _tell(what, rows, time.perf_counter() - started, f", {time.process_time() - used:.2f} s on our processor")


def _tell(what: str, rows: int, seconds: float, more: str = "") -> None:
    print(f"{what}: {rows} rows in {seconds:.2f} s, {rows / seconds:,.0f} rows/s{more}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
