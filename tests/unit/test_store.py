"""The store: its lock between processes and threads, names that do not exist, and what a reader sees of a writer."""

import subprocess
import sys
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError, StoreBusyError, StoreReadOnlyError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.sample_graphs import sample_graph

_HOLD = """
import sys
from pathlib import Path
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
with Store.open(StoreSettings(Path(sys.argv[1])), writable=True):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_who_writes(tmp_path: Path) -> None:
    with Store.open(StoreSettings(tmp_path), writable=True):
        with pytest.raises(StoreBusyError, match="this process"):
            Store.open(StoreSettings(tmp_path), writable=True)
        Store.open(StoreSettings(tmp_path)).close()
    Store.open(StoreSettings(tmp_path), writable=True).close()


def test_a_writer_in_another_process_holds_the_lock_until_it_is_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreBusyError, match=f"process {holder.pid} on .* since 20"):
            Store.open(StoreSettings(tmp_path), writable=True)
    finally:
        holder.kill()
        holder.communicate()
    Store.open(StoreSettings(tmp_path), writable=True).close()


def test_a_reader_sees_what_a_writer_saved_and_cannot_write(tmp_path: Path) -> None:
    with Store.open(StoreSettings(tmp_path), writable=True) as writer, Store.open(StoreSettings(tmp_path)) as reader:
        assert reader.repositories() == []
        writer.engine.replace_repository(sample_graph())
        assert reader.repositories() == ["shop"]
        assert reader.query("MATCH (m:Module) RETURN count(m) AS modules").rows == [(5,)]
        with pytest.raises(StoreReadOnlyError):
            reader.engine.replace_repository(sample_graph())
        writer.engine.delete_repository("shop")
        assert reader.query("MATCH (m:Module) RETURN count(m) AS modules").rows == [(0,)]


def test_unknown_names_come_with_the_nearest(tmp_path: Path) -> None:
    with Store.open(StoreSettings(tmp_path), writable=True) as store:
        store.engine.replace_repository(sample_graph())
        assert store.repository("shop")["commit"] == "c0ffee"
        with pytest.raises(NotFoundError, match="nearest: shop"):
            store.repository("shap")
        with pytest.raises(NotFoundError, match="list_repos"):
            store.execute_named("list_repos")
        with pytest.raises(QueryRefusedError, match="repository"):
            store.execute_named("repository", repository=3)
        with pytest.raises(QueryRefusedError, match="repository"):
            store.execute_named("repository")
    with pytest.raises(NotFoundError, match="unknown engine 'kuzu'; known: duckdb, kglite, neo4j"):
        Store.open(StoreSettings(tmp_path, engine="kuzu"))
    with pytest.raises(NotFoundError, match="index a repository first"):
        Store.open(StoreSettings(tmp_path / "none"))
