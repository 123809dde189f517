"""Two small repositories, really indexed once for all tests of the agent."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from repoquarry.agent.loop.run import Facilities, run_task
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import ApprovalRequest, EventKind, TaskEvent, TaskRequest, TaskResult
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.ingest.sources.revision_trees import TreeCache
from repoquarry.v1.task_service_pb2 import TaskEvent as TaskMessage
from tests.thread_workers import thread_workers

_DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that holds the repositories `webshop` and `letters`, opened for reading as the service's tasks do."""
    folder = tmp_path_factory.mktemp("agent")
    settings = StoreSettings(folder / "store")
    with thread_workers(), Store.open(settings, writable=True) as store:
        for name in ("webshop", "letters"):
            shutil.copytree(_DATA / name, folder / name)
            index_repository(str(folder / name), store, IngestSettings(workers=1))
    with Store.open(settings) as store:
        yield store


@pytest.fixture(scope="session")
def trees(indexed: Store, tmp_path_factory: pytest.TempPathFactory) -> TreeCache:
    """Where tasks get the whole trees of the repositories."""
    folder = tmp_path_factory.mktemp("trees")
    return TreeCache(folder, indexed, IngestSettings(workers=1), EVERYWHERE)


def check_fields(event: TaskEvent) -> None:
    """Check that an event has exactly the fields of its message; the server adds two to the answer."""
    kind = TaskMessage.DESCRIPTOR.fields_by_name[event.kind.value].message_type
    assert kind is not None
    fields = set(kind.fields_by_name)
    assert event.data.keys() == fields - ({"partial", "basis"} if event.kind is EventKind.ANSWER else set())


@dataclass
class Asked:
    """A finished task with all that it reported."""

    result: TaskResult
    events: list[TaskEvent] = field(default_factory=list)

    def kinds(self) -> list[EventKind]:
        return [event.kind for event in self.events]

    def of(self, kind: EventKind) -> list[TaskEvent]:
        return [event for event in self.events if event.kind is kind]

    def names(self) -> list[str]:
        """Qualnames, or paths, of the places, best first."""
        return [place.qualname or place.path for place in self.result.places]


Ask = Callable[..., Asked]


@pytest.fixture
def ask(indexed: Store, trees: TreeCache) -> Ask:
    """Runs a task over the indexed repositories."""

    def run(
        text: str,
        *repositories: str,
        settings: AgentSettings | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        approve: Callable[[ApprovalRequest], bool] = lambda asked: False,
        listen: Callable[[TaskEvent], None] = lambda event: None,
        **options: object,
    ) -> Asked:
        events: list[TaskEvent] = []

        def emit(event: TaskEvent) -> None:
            events.append(event)
            listen(event)

        task = TaskRequest(text, repositories, **options)  # type: ignore[arg-type]
        result = run_task(
            task,
            indexed,
            settings or AgentSettings(),
            emit=emit,
            cancelled=cancelled,
            approve=approve,
            facilities=Facilities(trees=trees),
        )
        for event in events:
            check_fields(event)
        return Asked(result, events)

    return run
