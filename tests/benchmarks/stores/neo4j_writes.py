"""Writing Neo4j: our writer against a plain UNWIND loop of the driver, many repositories by four writers, and through files.

All in the same run on the same server, with 512 MB of heap and the schema's constraints and indexes in place; each part begins
with an empty database. The loop is what one writes first: 1,000 rows a statement, each committed by itself, not safe against a
kill. Rows are nodes and relationships; seconds are of the wall, with the processor's of our side and of the server next to them,
which say more on a machine that does other work too. Needs NEO4J_HOME.

    NEO4J_HOME=... [BENCH_STORE=...] python -m tests.benchmarks.stores.neo4j_writes [functions calls repositories]

Repositories are generated, or the smallest of the embedded store in `BENCH_STORE` that have more than 500 nodes.
"""

import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import neo4j

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.model.graph_tables import NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.values import get_int
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph
from repoquarry.server.neo4j_files import ARGUMENTS, write_neo4j_csv
from tests.neo4j_server import LocalNeo4j, empty, local_home, server_seconds
from tests.process_checks import cpu_seconds

_LOOP_ROWS = 1_000
_WRITERS = 4
_FEW_NODES = 500
_SHARED = ("Package",)
"""Labels whose nodes several repositories have."""


def main() -> int:
    functions, calls, repositories = (
        (int(given) for given in sys.argv[1:4]) if len(sys.argv) > 3 else (4_000, 14_000, 8)
    )
    home, stored = local_home(), os.environ.get("BENCH_STORE")
    if home is None:
        print("set NEO4J_HOME")
        return 1
    generated = (random_graph(f"r{place}", functions // 4, calls // 4) for place in range(repositories))
    many = _stored(Path(stored), repositories) if stored else list(generated)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = _Bench(LocalNeo4j(home, folder / "server"), folder)
        bench.server.start()
        try:
            open_engine(bench.settings, writable=True).close()
            _many(bench, many)
        finally:
            bench.server.stop()
        _through_files(home, folder, many)
    return 0


def _stored(folder: Path, repositories: int) -> list[RepositoryGraph]:
    with Store.open(StoreSettings(folder)) as store:
        counted = store.query("MATCH (n) WHERE n.repository <> '' RETURN n.repository AS repository, count(n) AS nodes")
        sized = sorted((get_int(nodes), str(name)) for name, nodes in counted.rows if get_int(nodes) > _FEW_NODES)
        return [_alone(store.graph(name)) for _, name in sized[:repositories]]


def _alone(graph: RepositoryGraph) -> RepositoryGraph:
    """The graph without its links into other repositories, which may not be among those that are written."""
    ends = [table for table in graph.relationships if table.type != "PROVIDES" or table.end_label in _SHARED]
    return replace(graph, relationships=ends)


class _Bench:
    """A running server, and the processor time that it has used."""

    def __init__(self, server: LocalNeo4j, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.settings = server.server.settings(folder / "store")

    def timed(self, what: str, rows: int, work: Callable[[], object]) -> None:
        """Time a piece of work on an empty database, our child processes included."""
        empty(self.server.server)
        started, ours, theirs = time.perf_counter(), cpu_seconds(), server_seconds(self.server)
        work()
        used = f"CPU s: ours {cpu_seconds() - ours:.2f}, server {server_seconds(self.server) - theirs:.2f}"
        _tell(what, rows, time.perf_counter() - started, used)


def _loop(settings: StoreSettings, graphs: Iterable[RepositoryGraph]) -> None:
    with neo4j.GraphDatabase.driver(settings.neo4j_uri) as driver, driver.session() as session:
        for graph in graphs:
            _loop_one(session, graph)


def _loop_one(session: neo4j.Session, graph: RepositoryGraph) -> None:
    for table in graph.nodes:
        create = "MERGE (n:%s {id: row.id})" if table.label in _SHARED else "CREATE (n:%s)"
        for rows in _pieces(_rows(table)):
            session.run(f"UNWIND $rows AS row {create % table.label} SET n = row", rows=rows).consume()
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


def _many(bench: _Bench, graphs: list[RepositoryGraph]) -> None:
    """The loop has its graphs; each writer reads one from a file when it takes it up."""
    files = [bench.folder / f"{place}.graph" for place in range(len(graphs))]
    for file, graph in zip(files, graphs, strict=True):
        file.write_bytes(pickle.dumps(graph))
    rows = sum(sum(graph.counts().values()) for graph in graphs)
    bench.timed(f"{len(graphs)} repositories, plain UNWIND loop", rows, lambda: _loop(bench.settings, graphs))
    for writers in (1, _WRITERS):
        with ProcessPoolExecutor(writers, mp_context=get_context("spawn")) as pool:
            list(pool.map(abs, range(writers * 2)))  # started, so that their start is not measured
            given = [(bench.settings, file) for file in files]
            bench.timed(f"{len(graphs)} repositories, {writers} writers", rows, lambda: list(pool.map(_write, given)))  # noqa: B023


def _write(given: tuple[StoreSettings, Path]) -> None:
    settings, file = given
    engine = open_engine(settings, writable=True)
    engine.replace_repository(pickle.loads(file.read_bytes()))
    engine.close()


def _through_files(home: Path, folder: Path, graphs: list[RepositoryGraph]) -> None:
    names = [graph.repository for graph in graphs]
    rows = sum(sum(graph.counts().values()) for graph in graphs)
    server = LocalNeo4j(home, folder / "imported")
    files = folder / "files"
    files.mkdir()
    with Store.open(StoreSettings(folder / "embedded"), writable=True) as store:
        for graph in graphs:
            store.engine.replace_repository(graph)

        def export() -> None:
            write_neo4j_csv((store.graph(name) for name in names), names, files, "neo4j")

        _timed(f"{len(graphs)} repositories, export", rows, export)
    environment = {**os.environ, "NEO4J_CONF": str(folder / "imported" / "conf"), "NEO4J_HOME": str(home)}
    arguments = [
        "database",
        "import",
        "full",
        "neo4j",
        "--overwrite-destination",
        f"@{files / ARGUMENTS}",
    ]

    def load() -> None:
        command = [str(home / "bin" / "neo4j-admin"), *arguments]
        subprocess.run(command, env=environment, capture_output=True, cwd=folder, check=True)

    _timed(f"{len(graphs)} repositories, neo4j-admin import", rows, load)
    server.start()
    try:
        settings = server.server.settings(folder / "embedded")
        _timed(f"{len(graphs)} repositories, migrations", rows, lambda: open_engine(settings, writable=True).close())
    finally:
        server.stop()


def _timed(what: str, rows: int, work: Callable[[], object]) -> None:
    """Time work that needs no server, or does not share it; `neo4j-admin` counts as ours."""
    started, used = time.perf_counter(), cpu_seconds()
    work()
    _tell(what, rows, time.perf_counter() - started, f"CPU s: ours {cpu_seconds() - used:.2f}")


def _tell(what: str, rows: int, seconds: float, used: str) -> None:
    print(f"{what}: {rows} rows in {seconds:.2f} s, {rows / seconds:,.0f} rows/s; {used}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
