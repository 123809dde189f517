"""Whatever is edited, renamed or deleted between two runs: what is stored in the end is what indexing the last state alone stores."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.msgpack import decode, encode
from msgspec.structs import replace

from repoquarry.graphstore.model.graph_tables import GraphChanges
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.selection import SelectedFile
from repoquarry.ingest.graph.graph_writer import PersistedGraph
from repoquarry.ingest.graph.table_builder import PackedColumn
from repoquarry.ingest.previous_state import IndexInputs
from repoquarry.ingest.sources.source import SkippedPath
from tests.edited_trees import edit, tree
from tests.fresh_index_comparison import index, same_as_fresh
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")


def put(root: Path, files: dict[str, str]) -> None:
    for path in sorted(root.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(root).as_posix() not in files:
            path.unlink()
    write_tree(root, dict(files))


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> list[GraphChanges]:
    from repoquarry.graphstore.engines.kglite.engine import KgliteEngine

    seen: list[GraphChanges] = []
    change = KgliteEngine.change_repository

    def watched(self: KgliteEngine, given: GraphChanges, *rest: object) -> object:
        seen.append(given)
        return change(self, given, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(KgliteEngine, "change_repository", watched)
    return seen


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.long)])
def test_random_edits_end_where_a_fresh_index_does(tmp_path: Path, changes: list[GraphChanges], seed: int) -> None:
    rng = random.Random(seed)
    files = tree(rng)
    put(tmp_path / "tree", files)
    index(tmp_path / "tree", tmp_path / "stored")
    for step in range(3 if seed == 1 else 12):
        edit(files, rng)
        put(tmp_path / "tree", files)
        same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / f"fresh{step}")
    assert changes, "everything was written whole"


_LIMITS = "LIMIT = 1\nclass Base:\n    size = 1\n"
_USER = "from limits import LIMIT, Base\ndef read(base: Base):\n    return LIMIT, base.size\n"


def test_edited_go_files_end_where_a_fresh_index_does(tmp_path: Path) -> None:
    shape = "package p\n\ntype Shape interface{ Area() int }\n\nfunc Total(s Shape) int { return s.Area() }\n"
    square = (
        "package p\n\ntype Square struct{}\n\nfunc (Square) Area() int { return 1 }\n\nfunc use() { Total(Square{}) }\n"
    )
    files = {"go.mod": "module example.com/p\n", "shape.go": shape, "square.go": square}
    put(tmp_path / "tree", files)
    index(tmp_path / "tree", tmp_path / "stored")
    edits = [
        {"shape.go": shape.replace("Area() int }", "Area() string }")},
        {"shape.go": shape, "square.go": square.replace("Area() int {", "Size() int {")},
        {"circle.go": "package p\n\ntype Circle struct{}\n\nfunc (*Circle) Area() int { return 2 }\n"},
        {"go.mod": "module example.com/q\n", "square.go": square},
    ]
    for step, edited in enumerate(edits):
        files |= edited
        put(tmp_path / "tree", files)
        same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / f"fresh{step}")


@pytest.mark.parametrize(
    "edited",
    [
        pytest.param({"limits.py": f"\n{_LIMITS}"}, id="moved"),
        pytest.param({"limits.py": _LIMITS.replace("size", "width")}, id="renamed"),
        pytest.param({"limits.py": "def LIMIT(): ...\nclass Base: ...\n"}, id="replaced by definitions"),
        pytest.param(
            {"limits.py": f"from other import LIMIT\n{_LIMITS[10:]}", "other.py": "LIMIT = 2\n"}, id="reexported"
        ),
        pytest.param({"user.py": _USER.replace("LIMIT, base", "base")}, id="used less"),
    ],
)
def test_edited_constants_and_fields_end_where_a_fresh_index_does(tmp_path: Path, edited: dict[str, str]) -> None:
    put(tmp_path / "tree", {"limits.py": _LIMITS, "user.py": _USER})
    index(tmp_path / "tree", tmp_path / "stored")
    put(tmp_path / "tree", {"limits.py": _LIMITS, "user.py": _USER, **edited})
    same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / "fresh")


@pytest.mark.parametrize(("first", "last"), [(5, 7), pytest.param(0, 9, marks=pytest.mark.long)])
def test_a_real_history_ends_where_a_fresh_index_does(
    tmp_path: Path, changes: list[GraphChanges], first: int, last: int
) -> None:
    """Ten commits of this project, as far as they touch some of its modules; number 6 moves all of them to other folders."""
    commits = json.loads(Path(__file__).with_name("history.json").read_text("utf-8"))
    files: dict[str, str] = {}
    for number, commit in enumerate(commits[: last + 1]):
        files = {path: text for path, text in (files | commit["files"]).items() if text is not None}
        if number >= first:
            put(tmp_path / "tree", files)
            same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / f"fresh{number}")
    assert len(changes) == last - first, "some were written whole"


def test_one_function_more_changes_few_rows(tmp_path: Path, changes: list[GraphChanges]) -> None:
    files = tree(random.Random(5), 20)
    put(tmp_path / "tree", files)
    report, _, _ = index(tmp_path / "tree", tmp_path / "stored")
    files["pkg/m3.py"] += "\n\ndef more():\n    return 1\n"
    put(tmp_path / "tree", files)
    same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / "fresh")
    assert 0 < len(changes[0]) < sum(report.counts.values()) / 4


def test_data_of_another_version_is_rewritten(
    tmp_path: Path, changes: list[GraphChanges], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relationships of equal files need not be equal where other code makes them."""
    files = tree(random.Random(6))
    put(tmp_path / "tree", files)
    index(tmp_path / "tree", tmp_path / "stored")
    files["pkg/m3.py"] += "\n\ndef more():\n    return 1\n"
    put(tmp_path / "tree", files)
    for module in ("graph.assembler", "graph.graph_writer"):
        monkeypatch.setattr(f"repoquarry.ingest.{module}.indexer_version", lambda: "another")
    same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / "fresh")
    assert changes == []


def _cut_columns(kept: PersistedGraph) -> PersistedGraph:
    return replace(kept, columns={name: _cut(column) for name, column in kept.columns.items()})


def _cut(column: PackedColumn) -> PackedColumn:
    return replace(column, digest=b"", packed=column.packed[:-5])


@pytest.mark.parametrize(
    ("name", "damaged"),
    [
        ("resolution", lambda data: data[: len(data) // 2]),
        ("graph columns", lambda data: b"junk"),
        ("graph columns", lambda data: encode(_cut_columns(decode(data, type=PersistedGraph)))),
        ("graph columns", lambda data: encode(replace(decode(data, type=PersistedGraph), labels=b""))),
    ],
)
def test_damaged_earlier_state_causes_a_complete_write(
    tmp_path: Path, changes: list[GraphChanges], name: str, damaged: Callable[[bytes], bytes]
) -> None:
    files = tree(random.Random(8))
    put(tmp_path / "tree", files)
    index(tmp_path / "tree", tmp_path / "stored")
    with Store.open(StoreSettings(tmp_path / "stored"), writable=True) as store:
        current = store.sources.published_snapshot("tree")
        data = store.sources.artifact("tree", name)
        assert current is not None
        assert data is not None
        store.sources.put_artifact(current.id, name, damaged(data))
    files["pkg/m3.py"] += "\n\ndef more():\n    return 1\n"
    put(tmp_path / "tree", files)
    same_as_fresh(tmp_path / "tree", tmp_path / "stored", tmp_path / "fresh")
    assert changes == []


def test_files_that_are_as_they_were_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from repoquarry.ingest.files import hashing

    files = tree(random.Random(7))
    put(tmp_path / "tree", files)
    index(tmp_path / "tree", tmp_path / "stored")
    for path in (tmp_path / "tree").rglob("*.py"):  # as if written an hour ago, and indexed since
        path.touch()
    monkeypatch.setattr("repoquarry.ingest.files.hashing._ROUNDED_NS", -(10**12))
    index(tmp_path / "tree", tmp_path / "stored")
    read: list[str] = []
    reader = hashing.read_selected_file

    def watched(inputs: IndexInputs, file: SelectedFile) -> bytes | SkippedPath:
        read.append(file.path)
        return reader(inputs, file)

    monkeypatch.setattr(hashing, "read_selected_file", watched)
    report, _, _ = index(tmp_path / "tree", tmp_path / "stored")
    assert report.unchanged
    assert read == ["pkg/__init__.py", "pyproject.toml"]  # they may state the version
    (tmp_path / "tree" / "pkg" / "m1.py").write_text("def only():\n    pass\n")
    report, _, _ = index(tmp_path / "tree", tmp_path / "stored")
    assert not report.unchanged
    assert sorted(read) == [*2 * ["pkg/__init__.py"], "pkg/m1.py", *2 * ["pyproject.toml"]]
