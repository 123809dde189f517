"""Assembled graphs keep to the schema: every label and type occurs, every required property is set, every kind is right."""

from pathlib import Path

import pytest

from repoquarry.graphstore.engines.change_plan import check_graph
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import commit_tree, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

FILES: dict[str, str | bytes] = {
    "README.rst": "Tool\n====\n\nA tool. It does things.\n",
    "pyproject.toml": '[project]\nname = "tool"\ndependencies = ["click>=8"]\n[project.scripts]\nrun = "tool.cli:main"\n',
    "tool/__init__.py": '"""The tool."""\n\n__all__ = ["cli"]\n',
    "tool/shapes.py": '''"""Shapes."""
import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass


class Shape(ABC):
    """A shape.

    More about it.
    """

    @abstractmethod
    def area(self) -> float: ...

    @property
    def double(self):
        return 2 * self.area()

    @double.setter
    def double(self, value):
        pass


@dataclass
class Square(Shape):
    side: float = 1.0

    def __init__(self, side):
        self.side = side

    def area(self) -> float:
        return self.side ** 2


class Colour(enum.Enum):
    RED = 1


def helper(x):
    return lambda y: x.anything(y)


def helper(x):
    yield x
''',
    "tool/cli.py": """import click
from tool.shapes import Square, Shape


async def main(shape: Shape = None):
    click.echo(Square(2).area())
    return map(main, Shape)


main()
""",
    "tool/broken.py": "def f(:\n    pass\n\n\ndef g():\n    pass\n",
    "tests/test_tool.py": "from tool import *\n\n\ndef test_it():\n    pass\n",
    "tool/latin.py": "# -*- coding: latin-1 -*-\ndef größe():\n    pass\n".encode("latin-1"),
    "tool/wide.py": "def weite():\n    pass\n".encode("utf-16"),
    "tool/empty.py": "",
    "node_modules/x/index.py": "x = 1\n",
}


class Recorder:
    """Keeps the graph that was written, and writes it."""

    def __init__(self, store: Store) -> None:
        self._replace = store.engine.replace_repository
        self.graphs: list[RepositoryGraph] = []

    def __call__(self, graph: RepositoryGraph, progress: Progress | None = None) -> None:
        self.graphs.append(graph)
        self._replace(graph, progress)


@pytest.fixture
def graph(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> RepositoryGraph:
    root = write_tree(tmp_path / "tool", FILES)
    commit_tree(root, "Start")
    recorder = Recorder(store)
    monkeypatch.setattr(store.engine, "replace_repository", recorder)
    index_repository(str(root), store, IngestSettings(workers=1))
    return recorder.graphs[0]


def rows(graph: RepositoryGraph, label: str) -> dict[str, dict[str, object]]:
    tables = [table for table in graph.nodes if table.label == label]
    return {
        str(table.columns["id"][number]): {name: column[number] for name, column in table.columns.items()}
        for table in tables
        for number in range(len(table))
    }


def test_the_graph_keeps_to_the_schema(graph: RepositoryGraph) -> None:
    assert check_graph(graph) == {}
    assert {table.label for table in graph.nodes} == set(NODE_LABELS)
    assert {table.type for table in graph.relationships} == set(RELATIONSHIP_TYPES)
    for nodes in graph.nodes:
        for prop in NODE_LABELS[nodes.label].properties:
            _check_required(nodes, prop.name, prop.required)
    for edges in graph.relationships:
        for prop in RELATIONSHIP_TYPES[edges.type].properties:
            _check_required(edges, prop.name, prop.required)


def _check_required(table: NodeTable | RelationshipTable, name: str, required: bool) -> None:
    if required and len(table):
        column = table.columns.get(name, [None])
        assert None not in column, f"{table}.{name}"


def test_absent_is_null_and_never_an_empty_stand_in(graph: RepositoryGraph) -> None:
    for nodes in graph.nodes:
        for prop in NODE_LABELS[nodes.label].properties:
            if not prop.required:
                column = nodes.columns.get(prop.name, [])
                assert "" not in column, prop.name
                assert [] not in column, prop.name


def test_ids_and_kinds(graph: RepositoryGraph) -> None:
    functions, classes = rows(graph, "Function"), rows(graph, "Class")
    at = "tool:tool/shapes.py::"
    assert functions[f"{at}helper#2"]["qualname"] == "helper"
    assert functions[f"{at}helper#2"]["is_generator"] is True
    assert functions[f"{at}helper.<lambda1>"]["kind"] == "lambda"
    assert functions[f"{at}Square.__init__"]["kind"] == "constructor"
    assert functions[f"{at}Shape.double"]["kind"] == functions[f"{at}Shape.double#2"]["kind"] == "property"
    assert functions[f"{at}Shape.area"]["is_abstract"] is True
    assert functions["tool:tool/cli.py::main"]["is_async"] is True
    assert functions["tool:tool/cli.py::main"]["entry_points"] == ["console_script: run"]
    assert (classes[f"{at}Square"]["kind"], classes[f"{at}Colour"]["kind"]) == ("dataclass", "enum")
    assert classes[f"{at}Shape"]["docstring"] == "A shape."
    assert classes[f"{at}Shape"]["methods"] == 3


def test_the_repository_says_what_it_rests_on(graph: RepositoryGraph) -> None:
    node = rows(graph, "Repository")["tool"]
    assert node["parse_error_paths"] == ["tool/broken.py"]
    assert node["left_out_paths"] == ["node_modules/"]
    assert node["left_out_reasons"] == ["vendored"]
    assert (node["files"], node["readme"], node["summary"]) == (8, "README.rst", "A tool.")
    assert node["languages"] == ["python"]
    assert node["dirty"] is False


def test_files_with_errors_and_in_other_encodings_are_indexed(graph: RepositoryGraph) -> None:
    functions, modules = rows(graph, "Function"), rows(graph, "Module")
    assert "tool:tool/broken.py::g" in functions
    assert "tool:tool/latin.py::größe" in functions
    assert "tool:tool/wide.py::weite" in functions
    assert modules["tool:tool/broken.py"]["parses"] is False
    assert modules["tool:tool/empty.py"]["lines"] == 0
    assert modules["tool:tests/test_tool.py"]["is_test"] is True
    shapes = modules["tool:tool/shapes.py"]
    assert (shapes["commits"], shapes["owner"]) == (1, "T")


def test_folders_count_what_is_below(graph: RepositoryGraph) -> None:
    folders = rows(graph, "Directory")
    assert set(folders) == {"tool:.", "tool:tool", "tool:tests"}
    assert folders["tool:tool"]["files"] == 7
    assert folders["tool:."]["files"] == 9
    contained = [table for table in graph.relationships if table.type == "CONTAINS"]
    ends = [end for table in contained for end in table.end]
    assert len(ends) == len(set(ends)) == 12
