"""The same input gives the same graph, byte for byte, whatever the number of workers; and a kill leaves the old one whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import write_tree

_ROOT = Path(__file__).parents[3]
_SCRIPT = """
import sys
from pathlib import Path
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
def tell(progress):
    print(progress.stage, flush=True)
with Store.open(StoreSettings(folder=Path(sys.argv[2])), writable=True) as store:
    print(index_repository(sys.argv[1], store, IngestSettings(workers=int(sys.argv[3])), report=tell).revision)
"""


def many_files() -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        "README.md": "# Many\n\nMany modules.\n",
        "pkg/__init__.py": "from pkg.m0 import *\n",
    }
    for number in range(60):
        files[f"pkg/m{number}.py"] = (
            f'"""Module {number}."""\nimport os\nfrom pkg import m{(number * 7 + 1) % 60} as other\n\n\n'
            f"class C{number}(other.C{(number * 7 + 1) % 60}):\n    def run(self, x):\n        os.getcwd()\n"
            f"        return other.f{(number * 7 + 1) % 60}(x.y())\n\n\ndef f{number}(x):\n    return C{number}().run(x)\n"
        )
    return files


def run(source: Path, store: Path, workers: int, seed: str = "0") -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{_ROOT}:{_ROOT / 'proto'}"}
    return subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, str(source), str(store), str(workers)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )


def test_the_number_of_workers_does_not_show(tmp_path: Path) -> None:
    source = write_tree(tmp_path / "many", many_files())
    revisions = set()
    for workers in (1, 2, 3):
        process = run(source, tmp_path / f"store{workers}", workers, seed=str(workers))
        revisions.add(process.communicate()[0].split()[-1])
        assert process.returncode == 0
    assert len(revisions) == 1


@pytest.mark.parametrize("stage", ["parse", "resolve", "search-index", "write"])
def test_a_kill_leaves_the_previous_index_whole(tmp_path: Path, stage: str) -> None:
    source = write_tree(tmp_path / "many", many_files())
    folder = tmp_path / "store"
    with Store.open(StoreSettings(folder=folder), writable=True) as store:
        before = index_repository(str(source), store, IngestSettings(workers=1))
    (source / "pkg" / "m1.py").write_text("def f1(x):\n    return 'new'\n")

    process = run(source, folder, 1)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == stage:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()

    with Store.open(StoreSettings(folder=folder), writable=True) as store:
        stored = str(store.repository("many")["revision"])
        assert stored == before.revision or stage == "write"  # the kill may come just after the one rename
        held = "class C1" if stored == before.revision else "'new'"
        assert held in store.sources.text("many", "pkg/m1.py", stored)
        after = index_repository(str(source), store, IngestSettings(workers=1))
        assert after.revision != before.revision
        assert "'new'" in store.sources.text("many", "pkg/m1.py")
        assert sorted(path.name for path in (folder / "indexes" / "many").iterdir()) == [after.revision]


def test_a_kill_between_graph_and_texts_is_finished_by_the_next_run(tmp_path: Path) -> None:
    """The graph is stored before its texts are published: die in between, by way of a store whose publishing fails."""
    source = write_tree(tmp_path / "many", {"a.py": "def f():\n    pass\n"})
    with Store.open(StoreSettings(folder=tmp_path / "store"), writable=True) as store:
        index_repository(str(source), store, IngestSettings(workers=1))
        (source / "a.py").write_text("def g():\n    pass\n")
        publish = store.sources.publish
        store.sources.publish = _die  # type: ignore[method-assign]
        with pytest.raises(KeyboardInterrupt):
            index_repository(str(source), store, IngestSettings(workers=1))
        store.sources.publish = publish  # type: ignore[method-assign]
        assert "def f" in store.sources.text("many", "a.py")

        assert index_repository(str(source), store, IngestSettings(workers=1)).unchanged
        assert "def g" in store.sources.text("many", "a.py")


def _die(snapshot: int) -> None:
    raise KeyboardInterrupt(snapshot)


def test_a_second_run_after_a_kill_parses_only_what_was_not_read(tmp_path: Path) -> None:
    source = write_tree(tmp_path / "many", many_files())
    process = run(source, tmp_path / "store", 1)
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == "resolve":
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0.1)
    with Store.open(StoreSettings(folder=tmp_path / "store"), writable=True) as store:
        assert store.repositories() == []
        report = index_repository(str(source), store, IngestSettings(workers=1))
    assert report.reused == report.files == 61
