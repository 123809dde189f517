"""Finished graphs of eight trees: rows and digest of every table. The rows stay in the temporary folder of the test."""

import json
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from repoquarry.graphstore.model.graph_tables import Cell, RepositoryGraph
from tests.fresh_index_comparison import index
from tests.golden import GoldenFiles, digest
from tests.resolution_export import PROGRAMS, read_programs
from tests.source_trees import git, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

TESTS = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden_graphs.txt"
DATA, RESOLUTION = TESTS / "integration" / "agent" / "data", TESTS / "unit" / "resolution"
SOURCES = RESOLUTION / "sources"
TREES = {
    "webshop": [DATA / "webshop"],
    "letters": [DATA / "letters"],
    "cases": [PROGRAMS / "resolution" / "python_cases.txt"],
    "python": sorted(SOURCES.glob("*.py")),
    "java": [SOURCES / "java"],
    "javascript": [SOURCES / "javascript"],
    "typescript": [SOURCES / "typescript"],
    "mixed": [SOURCES / "vue", SOURCES / "svelte", TESTS / "unit" / "structure" / "sources"],
}
"""Files, folders and programs whose contents are at the top of each tree. The first tree is a git repository with two commits."""
UNSTABLE = {"source", "commit", "revision", "indexer", "indexed_at"}
"""Properties that depend on the machine, the time or the version of the indexer."""


@pytest.fixture
def fixed_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(variable, "2024-01-02T03:04:05+0000")


def _copy(parts: Sequence[Path], root: Path) -> None:
    """Copy a tree to a place outside the repository of the tests."""
    root.mkdir()
    for part in parts:
        if part.is_dir():
            shutil.copytree(part, root, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        elif part.is_relative_to(PROGRAMS):
            for title, texts in read_programs(part):
                write_tree(root / title, dict(texts))
        else:
            shutil.copy(part, root)


def _commit(root: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A", "--", ":!docs")
    git(root, "commit", "-q", "-m", "Start")
    with (root / "webshop" / "prices.py").open("a") as file:
        file.write("# the end\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Fix prices")


def _tables(graph: RepositoryGraph) -> Mapping[str, list[str]]:
    """The rows of every table as sorted JSON objects."""
    tables: dict[str, list[str]] = defaultdict(list)
    for nodes in graph.nodes:
        tables[nodes.label] += _rows(nodes.columns)
    for edges in graph.relationships:
        name = f"{edges.start_label} {edges.type} {edges.end_label}"
        tables[name] += _rows({"(start)": edges.start, "(end)": edges.end, **edges.columns})
    return {name: sorted(tables[name]) for name in sorted(tables)}


def _rows(columns: Mapping[str, Sequence[Cell]]) -> list[str]:
    stable = {name: cells for name, cells in columns.items() if name not in UNSTABLE}
    rows = (dict(zip(stable, row, strict=True)) for row in zip(*stable.values(), strict=True))
    return [
        json.dumps({name: cell for name, cell in row.items() if cell is not None}, ensure_ascii=False, sort_keys=True)
        for row in rows
    ]


@pytest.mark.usefixtures("fixed_dates")
def test_graphs_of_eight_trees_equal_the_golden_file(tmp_path: Path, golden_files: GoldenFiles) -> None:
    lines = []
    for name, parts in TREES.items():
        _copy(parts, tmp_path / name)
        if name == "webshop":
            _commit(tmp_path / name)
        _, _, graph = index(tmp_path / name, tmp_path / f"{name}-store")
        tables = _tables(graph)
        (tmp_path / f"{name}.txt").write_text("\n".join(row for rows in tables.values() for row in rows))
        lines += [f"\n== {name}", *(f"{table}: {len(rows)} rows {digest(rows)}" for table, rows in tables.items())]
    golden_files.check(GOLDEN, "\n".join(lines) + "\n")
