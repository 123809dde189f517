"""Deleting a repository while a list is worked through: refused while the list works on it, done before and after its turn."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.server.application.application import Application
from repoquarry.server.bulk import RepositoryLocks
from repoquarry.server.bulk.bulk_indexer import BulkIndexer, BulkSettings
from repoquarry.server.bulk.executor import IndexOrder, ProcessExecutor
from repoquarry.server.bulk.repository_list import BulkProgress, BulkReport, ListEntry
from repoquarry.server.errors import RequestError
from repoquarry.server.settings.sections import Settings
from repoquarry.v1.repository_service_pb2 import DeleteRepositoryRequest
from tests.source_trees import write_tree
from tests.thread_workers import thread_workers

_LIST = "batches/one"


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Application]:
    opened = Application(Settings(StoreSettings(tmp_path / "store")), writable=True)
    yield opened
    opened.close()


def _tree(tmp_path: Path, name: str) -> ListEntry:
    return ListEntry(str(write_tree(tmp_path / "trees" / name, {f"{name}.py": f"def {name}():\n    return 1\n"})))


def _index(application: Application, wanted: ListEntry) -> None:
    with thread_workers():
        index_repository(wanted.location, application.host.store, IngestSettings(workers=1))


def _delete(application: Application, repository: str) -> None:
    application.repositories.delete_repository(DeleteRepositoryRequest(name=f"repositories/{repository}"))


@dataclass
class _Watched(ProcessExecutor):
    """Calls `then` with the id of each repository when work on it has started."""

    then: Callable[[str], None]
    begun: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def start(self, ticket: int, order: IndexOrder) -> None:
        super().start(ticket, order)
        self.begun.append(order.repository)
        self.then(order.repository)


def _run(application: Application, wanted: list[ListEntry], executor: ProcessExecutor, **more: object) -> BulkReport:
    host = application.host
    settings, ingest = BulkSettings(jobs=1), IngestSettings(workers=1)
    return BulkIndexer(
        host.store, wanted, settings, ingest, EVERYWHERE, executor, turn=host.writing, held=host.held, holder=_LIST, **more  # type: ignore[arg-type]
    ).run()  # fmt: skip


def test_refused_at_work_and_done_before_and_after_its_turn(application: Application, tmp_path: Path) -> None:
    first, second = _tree(tmp_path, "first"), _tree(tmp_path, "second")
    for wanted in (first, second):
        _index(application, wanted)
    refused: list[RequestError] = []

    def delete(working_on: str) -> None:
        if working_on == "first":
            with pytest.raises(RequestError) as caught:
                _delete(application, "first")
            refused.append(caught.value)
            _delete(application, "second")  # its turn comes
        else:
            _delete(application, "first")  # its turn is over

    report = _run(application, [first, second], _Watched(delete))
    (failure,) = (error.failure for error in refused)
    assert failure.reason == "REPOSITORY_BUSY"
    assert failure.metadata == {"repository": "first", "job": _LIST}
    assert [(outcome.repository, outcome.reason, outcome.unchanged) for outcome in report.outcomes] == [
        ("first", "", True),
        ("second", "", False),
    ]
    assert application.host.store.repositories() == ["second"]
    _delete(application, "second")  # nothing is held when the list is done
    assert application.host.store.repositories() == []


def test_a_list_waits_for_a_deletion(application: Application, tmp_path: Path) -> None:
    wanted, held = _tree(tmp_path, "slow"), application.host.held
    assert held.acquire("slow", "deletion") is None
    executor, looks = _Watched(lambda repository: None), 0

    def look(progress: BulkProgress) -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            assert executor.begun == []
            with pytest.raises(RequestError, match="is being deleted"):
                _delete(application, "slow")
            held.release("slow", "deletion")

    report = _run(application, [wanted], executor, report=look)
    assert looks > 3
    assert executor.begun == ["slow"]
    assert report.outcomes[0].stored


def test_nothing_is_held_after_a_list_that_was_cancelled(application: Application, tmp_path: Path) -> None:
    wanted = _tree(tmp_path, "half")
    _index(application, wanted)
    executor = _Watched(lambda repository: None)
    with pytest.raises(Exception, match="cancelled"):
        _run(application, [wanted], executor, cancelled=lambda: bool(executor.begun))
    _delete(application, "half")
    assert application.host.store.repositories() == []


def test_others_are_deleted_while_a_list_is_stored(application: Application, tmp_path: Path) -> None:
    old = [_tree(tmp_path, f"old{place}") for place in range(4)]
    for wanted in old:
        _index(application, wanted)
    begun, failures = threading.Event(), []

    def delete_all() -> None:
        begun.wait(60)
        for place in range(4):
            try:
                _delete(application, f"old{place}")
            except Exception as exc:  # of any kind: told by the test
                failures.append(exc)

    deleting = threading.Thread(target=delete_all)
    deleting.start()
    new = [_tree(tmp_path, f"new{place}") for place in range(4)]
    report = _run(application, new, _Watched(lambda repository: begun.set()))
    deleting.join()
    assert failures == []
    assert [outcome.reason for outcome in report.outcomes] == [""] * 4
    assert application.host.store.repositories() == [f"new{place}" for place in range(4)]
    assert application.host.store.query("MATCH (f:Function) RETURN count(f)").rows == [(4,)]


def test_only_the_holder_lets_go() -> None:
    held = RepositoryLocks()
    assert held.acquire("shop", "batches/a") is None
    assert held.acquire("shop", "deletion") == "batches/a"
    held.release("shop", "deletion")
    assert held.acquire("shop", "deletion") == "batches/a"
    held.release("shop", "batches/a")
    assert held.acquire("shop", "deletion") is None
