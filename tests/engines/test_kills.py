"""Writers that are killed (-9) in the middle of a write: the previous graph is complete, and the next write succeeds."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from repoquarry.graphstore.engines.kglite.graph_files import JOINED
from repoquarry.graphstore.engines.kglite.graph_folder import GraphFolder
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.engines.compliance.test_writes import everything, given
from tests.sample_graph import random_graph, sample_graph

_KILLS = 8
_ROUND = (1500, 4000)
"""Functions and calls of the graphs that are written again and again."""

_WRITER = """
import sys
from pathlib import Path
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.sample_graph import random_graph
graphs = [random_graph("big", 1500, 4000, seed) for seed in (0, 1)]
with Store.open(StoreSettings(Path(sys.argv[1])), writable=True) as store:
    print("ready", flush=True)
    for turn in range(1000):
        store.engine.replace_repository(graphs[turn % 2])
"""


def test_a_killed_writer_leaves_the_last_saved_graph(tmp_path: Path) -> None:
    """The embedded engine: at whatever moment the kill comes, the file holds the one or the other graph, whole."""
    chance = random.Random(7)
    other = sample_graph()
    with Store.open(StoreSettings(tmp_path), writable=True) as store:
        store.engine.replace_repository(other)
        store.engine.replace_repository(random_graph("big", *_ROUND, seed=0))
    allowed = [given(other, random_graph("big", *_ROUND, seed=seed)) for seed in (0, 1)]
    for _ in range(_KILLS):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.05, 1.0))
        finally:
            writer.kill()
            writer.communicate()
        with Store.open(StoreSettings(tmp_path)) as reader:
            assert reader.repositories() == ["big", "shop"]
            assert everything(reader.engine) in allowed
    with Store.open(StoreSettings(tmp_path), writable=True) as store:
        store.engine.replace_repository(random_graph("big", *_ROUND, seed=1))
        assert everything(store.engine) == allowed[1]
        assert {file.name for file in tmp_path.iterdir()} == {"graphs", "reserve", "writer.lock"}
        folder = GraphFolder(tmp_path / "graphs")
        kept = {file.name for file in folder.path.iterdir() if not file.name.startswith(JOINED)}
        assert kept == folder.catalogue().files() | {"catalogue"}
