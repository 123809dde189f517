"""Lists of repositories indexed by processes of their own: the same result as one by one, whatever fails or is killed."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
import zlib
from pathlib import Path

import psutil
import pytest

from repoquarry.graphstore.model.schema import TIME_PROPERTIES
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.testing.contents import everything
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, parse_source
from repoquarry.processes.workers import FramedChild
from repoquarry.server.bulk import INCOMING
from repoquarry.server.bulk import executor as module
from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
from repoquarry.server.bulk.executor import Executor, IndexOrder, OrderProgress, OrderResult, ProcessExecutor
from repoquarry.server.bulk.repository_list import BulkProgress, BulkReport, ListEntry, read_list
from repoquarry.server.jobs.database import StateDatabase
from tests.integration.ingest.conftest import FILES
from tests.source_trees import commit_tree, git, read_texts, write_tree

_USER = {
    "pyproject.toml": '[project]\nname = "user"\ndependencies = ["shop"]\n',
    "user.py": "from shop.core import Engine\n\n\ndef go():\n    return Engine().run()\n",
}


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    """Three repositories that use one another, and one with nothing in it."""
    folder = tmp_path / "trees"
    write_tree(folder / "shop", dict(FILES))
    write_tree(folder / "user", dict(_USER))
    write_tree(folder / "lone", {"lone.py": "def lone():\n    return 1\n"})
    (folder / "void").mkdir()
    return folder


def _run(store: Store, wanted: list[ListEntry], executor: Executor | None = None, **more: object) -> BulkReport:
    settings = BulkSettings(jobs=2, retry_seconds=0.05)
    return BulkIndexer(
        store,
        wanted,
        settings,
        IngestSettings(workers=1),
        EVERYWHERE,
        executor or ProcessExecutor(),
        **more,  # type: ignore[arg-type]
    ).run()


def test_a_list_gives_what_one_by_one_gives(store: Store, trees: Path, tmp_path: Path) -> None:
    seen: list[BulkProgress] = []
    report = _run(store, read_list(trees), report=seen.append)
    reasons = {outcome.repository or Path(outcome.location).name: outcome.reason for outcome in report.outcomes}
    assert reasons == {"lone": "", "shop": "", "user": "", "void": "REPOSITORY_EMPTY"}
    assert (seen[-1].stored, seen[-1].failed, seen[-1].total) == (3, 1, 4)
    assert seen[-1].lines == sum(outcome.lines for outcome in report.outcomes) > 20
    assert all((outcome.cpu_seconds > 0) == outcome.stored for outcome in report.outcomes)
    with Store.open(StoreSettings(tmp_path / "other"), writable=True) as other:
        for name in ("lone", "shop", "user"):
            index_repository(str(trees / name), other, IngestSettings(workers=1))
        assert everything(store.engine, TIME_PROPERTIES) == everything(other.engine, TIME_PROPERTIES)
        for name in ("lone", "shop", "user"):
            assert read_texts(store.sources, name) == read_texts(other.sources, name)
            files = [sorted(file.name for file in held.indexes.index_folder(name).iterdir()) for held in (store, other)]
            assert files[0] == files[1] != []
    across = store.query(
        "MATCH (:External)-[p:PROVIDES]->(f) WHERE f.repository = 'shop' RETURN count(p) AS links"
    ).rows
    assert across != [(0,)]
    assert not (store.folder / INCOMING).exists()


def test_what_was_adopted_is_changed_by_difference_as_any_other(store: Store, trees: Path, tmp_path: Path) -> None:
    _run(store, read_list(trees))
    (trees / "shop" / "shop" / "cli.py").write_text("def main():\n    return 0\n", encoding="utf-8")
    index_repository(str(trees / "shop"), store, IngestSettings(workers=1))
    with Store.open(StoreSettings(tmp_path / "other"), writable=True) as other:
        for name in ("lone", "shop", "user"):
            index_repository(str(trees / name), other, IngestSettings(workers=1))
        assert everything(store.engine, TIME_PROPERTIES) == everything(other.engine, TIME_PROPERTIES)


def test_what_has_not_changed_is_not_indexed_again(store: Store, trees: Path) -> None:
    _run(store, read_list(trees))
    before = everything(store.engine)
    (trees / "lone" / "lone.py").write_text("def lone():\n    return 2\n\n\ndef more():\n    pass\n", encoding="utf-8")
    report = _run(store, read_list(trees))
    assert {o.repository: o.unchanged for o in report.outcomes if o.stored} == {
        "lone": False,
        "shop": True,
        "user": True,
    }
    assert everything(store.engine) != before


def test_revisions_coexist_and_share_parsed_facts(store: Store, tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tool", {"a.py": "def a():\n    return 1\n", "b.py": "def b():\n    return 1\n"})
    commit_tree(root, "one")
    git(root, "tag", "v1")
    (root / "b.py").write_text("def b():\n    return 2\n\n\ndef c():\n    return b()\n", encoding="utf-8")
    git(root, "commit", "-qam", "two")
    git(root, "tag", "v2")
    (tmp_path / "list.txt").write_text("tool v1\ntool v2\n", encoding="utf-8")
    report = _run(store, read_list(tmp_path / "list.txt"))
    assert [outcome.repository for outcome in report.outcomes] == ["tool@v1", "tool@v2"]
    names = "MATCH (f:Function {name: 'c'}) RETURN f.repository AS repository"
    assert store.query(names).rows == [("tool@v2",)]


class _Scripted:
    """Ends orders as requested, to try outcomes that cannot be caused on demand: an executor without processes."""

    def __init__(self, answers: list[OrderResult]) -> None:
        self.answers = answers
        self.started: list[str] = []
        self.held: dict[int, int] = {}
        self._waiting: list[tuple[int, OrderProgress | OrderResult]] = []

    def start(self, ticket: int, order: IndexOrder) -> None:
        self.started.append(order.repository)
        self._waiting.append((ticket, self.answers.pop(0)))

    def events(self, seconds: float) -> list[tuple[int, OrderProgress | OrderResult]]:
        found, self._waiting = self._waiting, []
        return found

    def memory(self) -> dict[int, int]:
        return self.held

    def end(self, ticket: int) -> None:
        """Nothing to end."""

    def close(self) -> None:
        """Nothing to close."""


def test_failures_that_may_pass_are_tried_again_and_others_are_not(store: Store, trees: Path) -> None:
    broken = OrderResult("GIT_FAILED", "git fetch failed: Could not resolve host: example.org")
    executor = _Scripted([broken, broken, broken])
    report = _run(store, [ListEntry(str(trees / "lone"))], executor)
    assert len(executor.started) == 3
    assert (report.outcomes[0].reason, report.outcomes[0].attempts) == ("GIT_FAILED", 3)
    executor = _Scripted([OrderResult("WORKER_LOST", "signal 9"), OrderResult("REPOSITORY_EMPTY", "nothing")])
    assert _run(store, [ListEntry(str(trees / "lone"))], executor).outcomes[0].reason == "REPOSITORY_EMPTY"
    executor = _Scripted([OrderResult("GIT_FAILED", "git fetch failed: repository not found")])
    assert _run(store, [ListEntry(str(trees / "lone"))], executor).outcomes[0].attempts == 1


def test_a_repository_that_lacks_objects_is_tried_once(store: Store, tmp_path: Path) -> None:
    """As a partial clone does: git breaks the connection, which must not cause a retry."""
    root = write_tree(tmp_path / "partial", {"a.py": "def a():\n    return 1\n"})
    commit_tree(root, "one")
    git(root, "tag", "v1")
    for blob in (
        path for path in (root / ".git/objects").glob("??/*") if b"blob " in zlib.decompress(path.read_bytes())
    ):
        blob.chmod(0o600)
        blob.unlink()
    executor = _Counted()
    report = _run(store, [ListEntry(str(root), "v1")], executor)
    assert (report.outcomes[0].attempts, len(executor.begun)) == (1, 1)
    assert "objects are missing there" in report.outcomes[0].message


class _Ring:
    """Refers to itself, so that only the collector of cycles ends it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_an_order_left_goes_back_before_the_next(
    store: Store, trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rings: list[weakref.ref[_Ring]] = []
    left: list[int] = []
    monkeypatch.setattr(module, "trim_heap", lambda: left.append(sum(ring() is not None for ring in rings)))
    source = parse_source(str(trees / "lone"))
    order = IndexOrder(source, "lone", store.settings, tmp_path / "order", IngestSettings(workers=1), EVERYWHERE)
    gc.disable()
    try:
        ended = module.work(order, lambda progress: rings.append(weakref.ref(_Ring())))
    finally:
        gc.enable()
    assert ended.lines == 2
    assert rings
    assert left == [0]


class _Counted(ProcessExecutor):
    """Records started orders."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[str] = []

    def start(self, ticket: int, order: IndexOrder) -> None:
        self.begun.append(order.repository)
        super().start(ticket, order)


@pytest.mark.parametrize("lingers", [False, True])
def test_a_worker_that_dies_costs_one_attempt(
    lingers: bool, store: Store, trees: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lingers:  # as a process does whose pipes are closed before it is reaped
        monkeypatch.setattr(FramedChild, "alive", lambda _self: True)
    done = threading.Event()

    def kill_the_first() -> None:
        while not done.is_set():
            for child in psutil.Process().children():
                with contextlib.suppress(psutil.Error):  # a git command may have exited
                    if "repoquarry.server.bulk.executor:main" in " ".join(child.cmdline()):
                        child.kill()
                        return
            time.sleep(0.01)

    killer = threading.Thread(target=kill_the_first)
    killer.start()
    try:
        report = _run(store, [ListEntry(str(trees / "shop"))])
    finally:
        done.set()
        killer.join()
    assert report.outcomes[0].stored
    assert report.outcomes[0].attempts == 2


_RUN = """
import sys
from pathlib import Path
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.server.bulk.executor import ProcessExecutor
from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
from repoquarry.server.bulk.repository_list import BatchLedger, read_list
from repoquarry.server.jobs.database import StateDatabase
seen = []
def told(progress):
    seen.append(progress)
    print(progress.stored, flush=True)
with Store.open(StoreSettings(Path(sys.argv[1])), writable=True) as store:
    wanted = read_list(Path(sys.argv[2]))
    record = BatchLedger(StateDatabase(store.folder / "state.db"), "list", wanted)
    report = BulkIndexer(store, wanted, BulkSettings(jobs=2), IngestSettings(workers=1), EVERYWHERE,
        ProcessExecutor(), record=record, report=told).run()
    assert all((one.seconds_left is None) == (one.done == report.resumed) for one in seen)
    print("resumed", report.resumed, flush=True)
"""


def read_outcomes(store: Path) -> list[bytes]:
    state = StateDatabase(store / "state.db")
    try:
        return state.outcomes("list", 0, 10)
    finally:
        state.close()


def test_killed_run_resumes_and_leaves_no_files(trees: Path, tmp_path: Path) -> None:
    for number in range(6):
        write_tree(trees / f"more{number}", {"m.py": f"def f{number}():\n    return {number}\n"})
    command = [sys.executable, "-c", _RUN, str(tmp_path / "store"), str(trees)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    for line in running.stdout:
        if int(line) >= 3:
            break
    running.send_signal(signal.SIGKILL)
    running.communicate()
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    resumed = int(done.stdout.split()[-1])
    assert resumed >= 3
    with Store.open(StoreSettings(tmp_path / "store")) as store:
        assert len(store.repositories()) == 9
    assert not (tmp_path / "store" / INCOMING).exists()
    assert not read_outcomes(tmp_path / "store")


@pytest.mark.long
def test_a_ray_cluster_gives_the_same_and_survives_a_lost_worker(
    store: Store, trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    from repoquarry.server.bulk.ray_executor import SCRATCH, RayExecutor

    def left() -> list[Path]:
        return sorted(Path(tempfile.gettempdir()).glob(f".repoquarry-{SCRATCH}-*"))

    (tmp_path / "msgspec.py").write_text("raise ImportError('from the current directory')\n")
    monkeypatch.chdir(tmp_path)
    before = left()
    done = threading.Event()

    def kill_one_worker() -> None:
        while not done.is_set():
            for child in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if child.name().startswith("ray::_index"):
                        child.kill()
                        return
            time.sleep(0.02)

    killer = threading.Thread(target=kill_one_worker)
    killer.start()
    try:
        report = _run(store, read_list(trees), RayExecutor(cores=2))
    finally:
        done.set()
        killer.join()
    assert left() == before
    assert [outcome.reason for outcome in report.outcomes] == ["", "", "", "REPOSITORY_EMPTY"]
    assert max(outcome.attempts for outcome in report.outcomes) == 2
    with Store.open(StoreSettings(tmp_path / "other"), writable=True) as other:
        for name in ("lone", "shop", "user"):
            index_repository(str(trees / name), other, IngestSettings(workers=1))
        assert everything(store.engine, TIME_PROPERTIES) == everything(other.engine, TIME_PROPERTIES)
