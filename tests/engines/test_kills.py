"""Writers and servers that are killed (-9) in the middle of a write: the previous graph is complete, and the next write succeeds."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.duckdb.graph_folder import DatabaseFolder
from repoquarry.graphstore.engines.embedded_engine import CatalogFolder
from repoquarry.graphstore.engines.kglite.graph_files import JOINED
from repoquarry.graphstore.engines.kglite.graph_folder import GraphFolder
from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.contents import content_of, everything
from repoquarry.graphstore.testing.sample_graphs import random_graph, sample_graph
from tests.neo4j_server import LocalNeo4j

_KILLS = 8
_ROUND = (1500, 4000)
"""Functions and calls of the graphs that are written again and again."""

_FOLDERS = {"kglite": "graphs", "duckdb": "tables"}

_WRITER = """
import sys
from pathlib import Path
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import random_graph
graphs = [random_graph("big", 1500, 4000, seed) for seed in (0, 1)]
with Store.open(StoreSettings(Path(sys.argv[1]), sys.argv[2]), writable=True) as store:
    print("ready", flush=True)
    for turn in range(1000):
        store.engine.replace_repository(graphs[turn % 2])
"""


@pytest.mark.parametrize(("engine", "folder"), [("kglite", GraphFolder), ("duckdb", DatabaseFolder)])
def test_a_killed_writer_leaves_the_last_saved_graph(
    tmp_path: Path, engine: str, folder: Callable[[Path], CatalogFolder]
) -> None:
    """The embedded engines: at whatever moment the kill comes, the file holds the one or the other graph, whole."""
    chance = random.Random(7)
    other, settings = sample_graph(), StoreSettings(tmp_path, engine)
    with Store.open(settings, writable=True) as store:
        store.engine.replace_repository(other)
        store.engine.replace_repository(random_graph("big", *_ROUND, seed=0))
    allowed = [content_of(other, random_graph("big", *_ROUND, seed=seed)) for seed in (0, 1)]
    for _ in range(_KILLS):
        command = [sys.executable, "-c", _WRITER, str(tmp_path), engine]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.05, 1.0))
        finally:
            writer.kill()
            writer.communicate()
        with Store.open(settings) as reader:
            assert reader.repositories() == ["big", "shop"]
            assert everything(reader.engine) in allowed
    with Store.open(settings, writable=True) as store:
        store.engine.replace_repository(random_graph("big", *_ROUND, seed=1))
        assert everything(store.engine) == allowed[1]
        files = folder(tmp_path / _FOLDERS[engine])
        assert {file.name for file in tmp_path.iterdir()} == {files.path.name, "reserve", "writer.lock"}
        kept = {file.name for file in files.path.iterdir() if not file.name.startswith(JOINED)}
        named = {file for file in files.catalogue().files() if engine == "kglite" or not file.endswith(".links")}
        assert kept == named | {"catalogue"}


def _open(server: LocalNeo4j, folder: Path, transaction_rows: int) -> GraphEngine:
    more = {"neo4j_transaction_rows": transaction_rows, "neo4j_connect_seconds": 2.0}
    return open_engine(server.server.settings(folder, **more), writable=True)


@pytest.mark.neo4j
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_killed_server_keeps_the_index_from_before(own_neo4j: LocalNeo4j, tmp_path: Path) -> None:
    """Killed in a first write, in one transaction of differences, and in the exchange of a prepared copy."""
    before = random_graph("big", 300, 600, seed=0)
    after = random_graph("big", 300, 600, seed=1)
    expected = content_of(before)
    engine = _open(own_neo4j, tmp_path, 100_000)
    engine.replace_repository(before)
    for transaction_rows, share in ((100_000, 0.5), (0, 0.3), (0, 0.97)):
        engine.close()
        engine = _open(own_neo4j, tmp_path, transaction_rows)

        def kill(done: int, total: int, share: float = share) -> None:
            if done >= total * share:
                own_neo4j.kill()

        with pytest.raises(EngineUnavailableError):
            engine.replace_repository(after, kill)
        engine.close()
        own_neo4j.start()
        reader = open_engine(own_neo4j.server.settings(tmp_path), writable=False)
        labelled = reader.run("MATCH (f:Function) RETURN count(f), count(DISTINCT f.docstring)", {}, QueryLimits()).rows
        assert labelled[0][0] == 300
        assert reader.repositories() == ["big"]
        reader.close()
        engine = _open(own_neo4j, tmp_path, transaction_rows)  # removes what the killed write left
        assert everything(engine) == expected
    engine.replace_repository(after)
    assert everything(engine) == content_of(after)
    with pytest.raises(EngineUnavailableError):
        engine.replace_repository(random_graph("new", 300, 600), lambda done, total: own_neo4j.kill())
    engine.close()
    own_neo4j.start()
    engine = _open(own_neo4j, tmp_path, 0)
    assert engine.repositories() == ["big"]
    assert everything(engine) == content_of(after)
    engine.close()
