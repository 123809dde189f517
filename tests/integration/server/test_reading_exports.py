"""Exports read a repository through the limits of queries: all of it, once, and in as few questions as its size asks for."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server import graph_exports
from repoquarry.server.application.application import Application
from repoquarry.server.cli.commands.export import write_callgraph
from repoquarry.server.graph_exports import ApiGraphSource
from repoquarry.server.neo4j_files import ApiGraphTables, GraphTables
from repoquarry.server.settings.loading import load_settings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_FUNCTIONS = 120
_FILES: dict[str, str | bytes] = {
    "pyproject.toml": '[project]\nname = "odd"\ndependencies = ["requests>=2"]\n',
    "odd/__init__.py": "",
    "odd/many.py": "import requests\n\n\n"
    + "\n\n".join(
        f"def f{n}():\n    requests.get('x')\n    return f{(n + 1) % _FUNCTIONS}()\n" for n in range(_FUNCTIONS)
    )
    + "\n\ndef every():\n    "
    + "\n    ".join(f"f{n}()" for n in range(_FUNCTIONS))
    + "\n",
}


def _application(store: Path, **limits: str) -> Application:
    given: dict[str, Any] = {"store.folder": store, **{f"store.limits.{name}": value for name, value in limits.items()}}
    return Application(load_settings({}, given), writable=False)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one repository, a function of which has more relationships than a small answer holds."""
    folder = tmp_path_factory.mktemp("exports")
    application = Application(load_settings({}, {"store.folder": folder / "store"}), writable=True)
    try:
        tree = write_tree(folder / "odd", _FILES)
        index_repository(str(tree), application.host.store, IngestSettings(workers=1), name="odd")
    finally:
        application.close()
    return folder / "store"


@pytest.fixture(params=[{}, {"rows": "50"}, {"bytes": "6000"}], ids=["at once", "few rows", "few bytes"])
def application(indexed: Path, request: pytest.FixtureRequest) -> Iterator[Application]:
    opened = _application(indexed, **request.param)
    try:
        yield opened
    finally:
        opened.close()


def _rows(graph: GraphTables) -> tuple[list[str], list[str]]:
    """Return nodes and relationships with their set properties, sorted."""

    def cells(columns: Mapping[str, Sequence[Any]], number: int) -> list[tuple[str, Any]]:
        return sorted((name, column[number]) for name, column in columns.items() if column[number] is not None)

    nodes = [repr((table.label, cells(table.columns, at))) for table in graph.nodes for at in range(len(table))]
    relationships = [
        repr((table.type, table.start_label, start, table.end_label, end, cells(table.columns, at)))
        for table in graph.relationships
        for at, (start, end) in enumerate(zip(table.start, table.end, strict=True))
    ]
    return sorted(nodes), sorted(relationships)


def test_everything_is_read_once(application: Application) -> None:
    nodes, relationships = _rows(ApiGraphTables(ApiGraphSource(application, "odd")))
    assert (nodes, relationships) == _rows(application.host.store.graph("odd"))
    assert len(set(nodes)) == len(nodes)
    assert len(relationships) > 3 * _FUNCTIONS


def test_the_call_graph_is_whole_under_every_limit(application: Application, tmp_path: Path) -> None:
    with (tmp_path / "calls.json").open("w+") as target:
        write_callgraph(application, "odd", 0.5, (), target)
        target.seek(0)
        text = target.read()
    assert text.count('"odd.many.f7"') == 3  # a caller, called by the one before and by `every`
    assert text.count('"odd.many.every"') == 1


def test_questions_grow_with_the_size_and_not_with_its_square(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    application = _application(indexed)
    asked: list[int] = []
    rows = ApiGraphSource._rows

    def counted(self: ApiGraphSource, query: str, **parameters: Any) -> tuple[list[list[Any]], str]:
        answer = rows(self, query, **parameters)
        asked.append(len(answer[0]))
        return answer

    monkeypatch.setattr(ApiGraphSource, "_rows", counted)
    monkeypatch.setattr(graph_exports, "_AT_ONCE", 20)
    try:
        graph = ApiGraphSource(application, "odd")
        entities = len(list(graph.nodes())) + len(list(graph.relationships()))
    finally:
        application.close()
    # ids once, nodes once, relationships once; and the ends of links elsewhere
    assert sum(asked) < 2 * entities
    assert len(asked) < 4 * (entities // 20) + 40
