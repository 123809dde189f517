"""Indexing from source to store, and graphs that are equal however they came about."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.storage.snapshot_tables import FileEntry
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import (
    EmptyRepositoryError,
    IngestCancelledError,
    RepositoryIdTakenError,
    SourceNotFoundError,
)
from repoquarry.ingest.pipeline import IndexProgress, index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.source_changes import diff_working_tree
from tests.integration.ingest.conftest import Rows
from tests.source_trees import commit_tree, git, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")


def test_a_folder_becomes_a_graph(shop: Path, store: Store, settings: IngestSettings, rows: Rows) -> None:
    seen: list[IndexProgress] = []
    report = index_repository(str(shop), store, settings, report=seen.append)

    assert report.repository == "shop"
    assert report.files == 4
    assert not report.unchanged
    assert report.counts["Module"] == 4
    assert sum(report.unresolved.values()) == 1
    imported = rows("MATCH (m:Module {name: 'shop'})-[:IMPORTS]->(n:Module) RETURN n.name")
    assert imported == [("shop.core",)]
    assert rows("MATCH (f)-[:UNRESOLVED]->(n:Name) RETURN f.qualname, n.name") == [("apply", "unknown")]
    called = rows("MATCH (f:Function {name: 'main'})-[c:CALLS]->(g:Function) RETURN g.qualname, c.count")
    assert ("Engine.run", 1) in called
    assert {progress.stage for progress in seen} >= {"acquire", "select", "extract", "resolve", "score", "write"}


def test_an_unchanged_repository_is_not_written_again(shop: Path, store: Store, settings: IngestSettings) -> None:
    first = index_repository(str(shop), store, settings)
    written = (store.folder / "graphs" / "catalogue").stat().st_mtime_ns

    second = index_repository(str(shop), store, settings)

    assert second.unchanged
    assert second.revision == first.revision
    assert (store.folder / "graphs" / "catalogue").stat().st_mtime_ns == written
    assert "write" not in {cost.stage for cost in second.costs}


def test_only_changed_files_are_parsed_again(shop: Path, store: Store, settings: IngestSettings) -> None:
    first = index_repository(str(shop), store, settings)
    (shop / "shop" / "cli.py").write_text("from shop import Engine\n\n\ndef run():\n    Engine()\n")

    second = index_repository(str(shop), store, settings)

    assert (second.files, second.reused) == (4, 3)
    assert second.revision != first.revision
    assert "def run" in store.sources.text("shop", "shop/cli.py")


def test_the_working_tree_may_go_after_indexing(shop: Path, store: Store, settings: IngestSettings) -> None:
    index_repository(str(shop), store, settings)
    text = (shop / "shop" / "core.py").read_text()
    (shop / "shop" / "core.py").unlink()

    assert store.sources.text("shop", "shop/core.py") == text


def test_the_indexed_commit_is_recorded(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    report = index_repository(str(git_shop), store, settings)

    node = store.repository("shop")
    assert report.commit == node["commit"] == git(git_shop, "rev-parse", "HEAD")
    assert node["branch"] == "main"
    assert node["dirty"] is False


def test_time_of_indexing_is_recorded_and_not_part_of_the_revision(
    git_shop: Path, store: Store, settings: IngestSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = index_repository(str(git_shop), store, settings)
    monkeypatch.setattr("repoquarry.ingest.revision_builder.gmtime", lambda: time.gmtime(0))
    with Store.open(StoreSettings(tmp_path / "earlier"), writable=True) as earlier:
        assert index_repository(str(git_shop), earlier, settings).revision == report.revision
        assert earlier.repository("shop")["indexed_at"] == "1970-01-01T00:00:00Z"
    today = f"{time.strftime('%Y-%m-%d', time.gmtime(time.time() - 3600))}"
    rows = store.query(
        f"MATCH (r:Repository) WHERE date(datetime(r.indexed_at)) >= date('{today}') RETURN datetime(r.indexed_at).year AS y"
    ).rows
    assert rows == [(int(str(store.repository("shop")["indexed_at"])[:4]),)]


@pytest.mark.parametrize(
    "change",
    [pytest.param({"shop/core.py": "x = 1\n"}, id="changed"), pytest.param({"shop/more.py": "x = 1\n"}, id="added")],
)
def test_a_changed_working_tree_is_dirty(
    git_shop: Path, store: Store, settings: IngestSettings, change: dict[str, str | bytes]
) -> None:
    write_tree(git_shop, change)
    index_repository(str(git_shop), store, settings)
    assert store.repository("shop")["dirty"] is True


def test_a_deleted_file_makes_the_working_tree_dirty(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    (git_shop / "shop" / "cli.py").unlink()
    index_repository(str(git_shop), store, settings)
    assert store.repository("shop")["dirty"] is True


def test_a_sparse_checkout_is_clean_and_lists_what_is_absent(
    git_shop: Path, store: Store, settings: IngestSettings
) -> None:
    git(git_shop, "sparse-checkout", "set", "shop")
    index_repository(str(git_shop), store, settings)
    indexed = store.repository("shop")
    assert indexed["dirty"] is False
    assert indexed["left_out_paths"] == ["tests/test_core.py"]


@pytest.mark.parametrize(("is_changed", "is_dirty"), [(False, False), (True, True)])
def test_a_submodule_is_compared_with_its_own_commit(
    git_shop: Path, tmp_path: Path, store: Store, settings: IngestSettings, is_changed: bool, is_dirty: bool
) -> None:
    inner = commit_tree(write_tree(tmp_path / "inner", {"inner.py": "def go(): return 1\n"}))
    git(git_shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "parts")
    git(git_shop, "commit", "-q", "-m", "Add a submodule")
    if is_changed:
        write_tree(git_shop, {"parts/inner.py": "def go(): return 2\n"})
    index_repository(str(git_shop), store, settings)
    assert store.repository("shop")["dirty"] is is_dirty


def test_another_source_does_not_take_over_an_id(
    shop: Path, tmp_path: Path, store: Store, settings: IngestSettings
) -> None:
    index_repository(str(shop), store, settings)
    other = write_tree(tmp_path / "elsewhere" / "shop", {"a.py": "x = 1\n"})

    with pytest.raises(RepositoryIdTakenError, match="--name"):
        index_repository(str(other), store, settings)

    assert index_repository(str(other), store, settings, name="Second Shop").repository == "second-shop"
    assert store.repositories() == ["second-shop", "shop"]


def test_no_such_folder(store: Store, settings: IngestSettings, tmp_path: Path) -> None:
    with pytest.raises(SourceNotFoundError, match="no such folder or archive"):
        index_repository(str(tmp_path / "absent"), store, settings)


def test_an_empty_repository_says_what_was_found(store: Store, settings: IngestSettings, tmp_path: Path) -> None:
    empty = write_tree(tmp_path / "empty", {"picture.png": b"\x89PNG", "notes.md": "# Notes\n"})
    with pytest.raises(EmptyRepositoryError, match=r"1 \.png"):
        index_repository(str(empty), store, settings)


def test_cancelling_leaves_the_previous_index(shop: Path, store: Store, settings: IngestSettings) -> None:
    first = index_repository(str(shop), store, settings)
    (shop / "shop" / "cli.py").write_text("def changed():\n    pass\n")
    stages: list[str] = []

    with pytest.raises(IngestCancelledError):
        index_repository(
            str(shop), store, settings, report=lambda p: stages.append(p.stage), cancelled=lambda: "write" in stages
        )

    assert store.repository("shop")["revision"] == first.revision
    assert "def main" in store.sources.text("shop", "shop/cli.py")
    assert not index_repository(str(shop), store, settings).unchanged


def test_a_notebook_is_code_that_imports_modules(
    shop: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["Study"]},
        {"cell_type": "code", "source": ["%time\n", "from shop.core import Engine\n", "Engine().run()"], "outputs": []},
        {
            "cell_type": "code",
            "source": ["def sell():\n", "    return Engine().load(1)"],
            "outputs": [{"text": "zebra"}],
        },
    ]
    document = {"nbformat": 4, "metadata": {}, "cells": cells}
    julia = {"nbformat": 4, "metadata": {"language_info": {"name": "julia"}}, "cells": cells}
    write_tree(shop, {"lab/core.ipynb": json.dumps(document), "lab/j.ipynb": json.dumps(julia), "lab/bad.ipynb": "{"})

    report = index_repository(str(shop), store, settings)

    assert rows(
        "MATCH (f:Function {name: 'sell'})-[:CALLS]->(g) RETURN f.path, f.start_line, g.qualname ORDER BY g.qualname"
    ) == [("lab/core.ipynb", 8, "Engine"), ("lab/core.ipynb", 8, "Engine.load")]
    text = store.sources.text("shop", "lab/core.ipynb")
    assert text.split("\n")[6:8] == ["# %% cell 3", "def sell():"]
    assert "zebra" not in text
    assert report.parse_errors == ("lab/bad.ipynb",)
    assert ("lab/j.ipynb", "notebook_language") in [(entry.path, entry.reason) for entry in report.left_out]


def test_outputs_make_a_notebook_larger_than_a_source_file_may_be(
    shop: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    cell = {"cell_type": "code", "source": ["def plot(): pass"], "outputs": [{"image/png": "A" * 3_000_000}]}
    write_tree(shop, {"plot.ipynb": json.dumps({"nbformat": 4, "cells": [cell]})})
    index_repository(str(shop), store, settings)
    assert rows("MATCH (f:Function {name: 'plot'}) RETURN f.start_line") == [(2,)]


def test_changes_of_a_notebook_are_lines_of_its_script(shop: Path, store: Store, settings: IngestSettings) -> None:
    cells = [{"cell_type": "code", "source": [f"def f{number}():\n", "    return 1"]} for number in range(3)]
    write_tree(shop, {"lab.ipynb": json.dumps({"nbformat": 4, "cells": cells}, indent=1)})
    index_repository(str(shop), store, settings)
    cells[1]["source"] = ["def f1():\n", "    return 2"]
    write_tree(shop, {"lab.ipynb": json.dumps({"nbformat": 4, "cells": cells}, indent=1)})

    changes = diff_working_tree(store.repository("shop"), store.sources, settings)

    assert [(change.path, change.spans) for change in changes.files] == [("lab.ipynb", ((6, 6),))]


def test_files_without_content_share_transactions(store: Store, settings: IngestSettings, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "empty", {f"m{number}.py": b"" for number in range(1_000)})
    stored: list[int] = []
    put = store.sources.put_many

    def record(snapshot: int, entries: Sequence[FileEntry], *data: Mapping[bytes, bytes]) -> None:
        stored.append(len(entries))
        put(snapshot, entries, *data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.sources, "put_many", record)
        index_repository(str(root), store, settings)
    assert stored == [1_000]


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


@pytest.mark.parametrize("stage", ["extract", "resolve", "search-index", "write"])
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


@pytest.mark.parametrize(
    "step",
    [
        "repoquarry.ingest.graph.repository_links.relink_dependents",
        "repoquarry.graphstore.storage.source_store.SourceStore.publish",
    ],
)
def test_a_kill_between_graph_and_texts_is_finished_by_the_next_run(tmp_path: Path, step: str) -> None:
    """Once the graph is stored, readers find its texts, though they are published later: die in between, by a step that fails."""
    source = write_tree(tmp_path / "many", {"a.py": "def f():\n    pass\n"})
    settings = StoreSettings(folder=tmp_path / "store")
    with Store.open(settings, writable=True) as store:
        before = index_repository(str(source), store, IngestSettings(workers=1)).revision
        assert read_revision(settings) == (before, ["f"], "def f():\n    pass\n")
        (source / "a.py").write_text("def g():\n    pass\n")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(step, _die)
            with pytest.raises(KeyboardInterrupt):
                index_repository(str(source), store, IngestSettings(workers=1))
        revision = store.revision("many")
        assert store.sources.list_sealed_unpublished()
    assert revision != before
    assert read_revision(settings) == (revision, ["g"], "def g():\n    pass\n")

    with Store.open(settings, writable=True) as store:
        report = index_repository(str(source), store, IngestSettings(workers=1))
        assert (report.unchanged, report.revision) == (True, revision)
        assert store.sources.list_sealed_unpublished() == []
        assert store.sources.revisions() == {("many", revision)}
        assert [path.name for path in (store.folder / "indexes" / "many").iterdir()] == [revision]
    assert read_revision(settings) == (revision, ["g"], "def g():\n    pass\n")


def read_revision(settings: StoreSettings) -> tuple[str, Sequence[object], str]:
    """Return the revision of the graph, its functions and the text that a reader finds; the search index must be of that revision."""
    with Store.open(settings) as reader:
        revision = reader.revision("many")
        assert reader.indexes.open("many").folder.name == revision
        functions = [row[0] for row in reader.query("MATCH (f:Function) RETURN f.name").rows]
        return revision, functions, reader.sources.text("many", "a.py")


def _die(*_: object) -> None:
    raise KeyboardInterrupt


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


def test_the_documented_query_counts_what_is_there(shop: Path, store: Store, settings: IngestSettings) -> None:
    """The query that docs/explanation/benchmarks.md names, over a repository small enough to be counted by hand."""
    write_tree(shop, {"shop/broken.py": "def broken(:\n    len('')\n"})
    report = index_repository(str(shop), store, settings)
    assert "statistics" in (_ROOT / "docs/explanation/benchmarks.md").read_text()

    found = store.query(
        (_ROOT / "repoquarry/graphstore/query/library/size/statistics.cypher").read_text(),
        {"repository": report.repository},
    )

    row = dict(zip(found.columns, found.rows[0], strict=True))
    assert row == {
        "repository": report.repository,
        "files": 4,
        "classes": 2,
        "functions": 6,
        "loc": 33,
        "imports": 4,
        "calls": 7,
    }
