"""First load of a repository into Neo4j without and with `store.neo4j_embeddings`: processor time of both sides, and the time of the wall.

Each load has a server of its own, just started and empty, and a data folder of its own; it ends when all indexes of the server are
online. Pairs change places, so that what else the machine does falls on both. Needs NEO4J_HOME; `--write` replaces
docs/data/neo4j_embeddings.csv.

    NEO4J_HOME=... python -m tests.benchmarks.stores.neo4j_embeddings SOURCE PAIRS [--write]
"""

import csv
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import neo4j

from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.neo4j_server import LocalNeo4j, local_home, server_seconds
from tests.process_checks import cpu_seconds

_TABLE = Path(__file__).parents[3] / "docs" / "data" / "neo4j_embeddings.csv"
_HEAP = {"server.memory.heap.initial_size": "2g", "server.memory.heap.max_size": "2g"}
_AWAITED_SECONDS = 600


class Load(NamedTuple):
    """Processor seconds of our processes and of the server, and seconds of the wall."""

    ours: float
    server: float
    wall: float


def main() -> int:
    home, given = local_home(), [word for word in sys.argv[1:] if word != "--write"]
    if home is None or len(given) != 2:
        print(__doc__)
        return 1
    source, pairs = given[0], int(given[1])
    loads: dict[bool, list[Load]] = {False: [], True: []}
    for pair in range(pairs):
        for embeddings in (False, True) if pair % 2 == 0 else (True, False):
            loads[embeddings].append(_load(home, source, embeddings=embeddings))
            print("with" if embeddings else "without", loads[embeddings][-1], flush=True)
    rows = [["embeddings", "loads", "CPU s, ours", "CPU s, server", "CPU s, both", "seconds"]]
    rows += [_row("on" if embeddings else "off", loads[embeddings]) for embeddings in (False, True)]
    shares = [_sum(one) / _sum(other) - 1 for one, other in zip(loads[True], loads[False], strict=True)]
    rows.append(["more (median)", str(pairs), "", "", f"{median(shares):.0%}", ""])
    for row in rows:
        print(" | ".join(row))
    if "--write" in sys.argv:
        with _TABLE.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    return 0


def _sum(load: Load) -> float:
    return load.ours + load.server


def _row(name: str, loads: list[Load]) -> list[str]:
    middles = [median(load[place] for load in loads) for place in range(3)]
    both = median(map(_sum, loads))
    return [name, str(len(loads)), *(f"{value:.1f}" for value in (*middles[:2], both, middles[2]))]


def _load(home: Path, source: str, *, embeddings: bool) -> Load:
    with tempfile.TemporaryDirectory() as name:
        server = LocalNeo4j(home, Path(name) / "server", _HEAP)
        server.start()
        try:
            settings = server.server.settings(Path(name) / "store", neo4j_embeddings=embeddings)
            started, ours, theirs = time.perf_counter(), cpu_seconds(), server_seconds(server)
            with Store.open(settings, writable=True) as store:
                index_repository(source, store, IngestSettings(workers=1), name="loaded")
            with neo4j.GraphDatabase.driver(settings.neo4j_uri) as driver, driver.session() as session:
                session.run(f"CALL db.awaitIndexes({_AWAITED_SECONDS})").consume()
            wall = time.perf_counter() - started
            return Load(cpu_seconds() - ours, server_seconds(server) - theirs, wall)
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
