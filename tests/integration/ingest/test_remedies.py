"""Damage of a store: after every error that names a remedy, the remedy ends with a healthy store."""

import ast
import contextlib
import errno
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import (
    GraphStoreError,
    NotFoundError,
    StoreCorruptError,
    StoreFullError,
    StoreUnwritableError,
)
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.repository_links import delete_repository
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.e2e.service import succeed
from tests.process_checks import mounted_disk
from tests.source_trees import git, read_texts, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

PRODUCT = Path(__file__).parents[3] / "repoquarry"
ERRORS = {"StoreCorruptError", "StoreFullError", "StoreUnwritableError"}
SHOP = {
    "shop/__init__.py": "",
    "shop/till.py": '"""Till."""\n\n\ndef price(order):\n    return len(order)\n\n\ndef charge(order):\n    return price(order)\n',
    "README.md": "# Shop\n\nCharges orders.\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
}
USER = {
    "app.py": "from shop.till import charge\n\n\ndef main():\n    charge([1])\n",
    "pyproject.toml": '[project]\nname = "user"\nversion = "1"\ndependencies = ["shop"]\n',
}
Answers = dict[str, object]
Damage = Callable[[Path], None]


@dataclass(frozen=True)
class Stored:
    """A store with two linked repositories, and what a healthy one answers."""

    trees: tuple[Path, Path]
    store: Path
    answers: Answers

    def index(self, store: Path) -> None:
        with Store.open(StoreSettings(folder=store), writable=True) as opened:
            for tree in self.trees:
                index_repository(str(tree), opened, IngestSettings(workers=1))

    def require_healthy(self, store: Path) -> None:
        assert answers(store) == self.answers


def answers(store: Path) -> Answers:
    """State of a store as a reader sees it. Raises: GraphStoreError if a part cannot be read."""
    for merged in (store / "graphs").glob("joined-*"):
        merged.unlink()
    found: Answers = {}
    with Store.open(StoreSettings(folder=store)) as opened:
        for name in opened.repositories():
            history = opened.history(name)
            found[name] = (
                opened.revision(name),
                read_texts(opened.sources, name),
                {path: (entry.hash, entry.encoding) for path, entry in opened.sources.files(name).items()},
                [(commit.hash, commit.subject) for commit in history.commits],
                opened.indexes.document_frequencies(name, ["order", "charg"]),
                opened.indexes.open(name).places.columns.paths,
            )
        found["nodes"] = sorted(map(repr, opened.query("MATCH (n) RETURN n.id, n.name, n.signature").rows))
        ends = "MATCH (a)-[r]->(b) RETURN a.id, type(r), b.id"
        found["relationships"] = sorted(map(repr, opened.query(ends).rows))
    return found


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    folder = tmp_path_factory.mktemp("remedies")
    trees = write_tree(folder / "shop", dict(SHOP)), write_tree(folder / "user", dict(USER))
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Open the shop")):
        git(trees[0], *command)
    stored = Stored(trees, folder / "store", {})
    stored.index(stored.store)
    found = answers(stored.store)
    assert any("PROVIDES" in str(row) for row in found["relationships"])  # type: ignore[attr-defined]
    return Stored(trees, stored.store, found)


@pytest.fixture
def folder(pristine: Stored, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine.store, tmp_path / "store"))


# -- derived list: every place that raises an error about stored data


def message(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(message(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "{}"


def raised_errors() -> set[str]:
    """Message of each error about stored data that the product constructs."""
    found = set()
    for path in PRODUCT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                found.add(f"{path.relative_to(PRODUCT).as_posix()}: {message(node.args[0])}")
    return found


def overwrite(pattern: str, first: int = 0, last: int | None = None) -> Damage:
    def damage(store: Path) -> None:
        for path in store.glob(pattern):
            content = bytearray(path.read_bytes())
            for at in range(*slice(first, last).indices(len(content))):
                content[at] ^= 0x55
            path.write_bytes(content)

    return damage


def remove(pattern: str) -> Damage:
    def damage(store: Path) -> None:
        for path in store.glob(pattern):
            path.unlink()

    return damage


def statement(*texts: str) -> Damage:
    def damage(store: Path) -> None:
        connection = sqlite3.connect(store / "sources.db")
        for text in texts:
            connection.execute(text)
        connection.commit()
        connection.close()

    return damage


GRAPHS = "graphstore/engines/kglite/"
STORAGE = "graphstore/storage/"
INDEX = "re-index the repository"
WRITE = "the next process that opens the store for writing repairs it"
CORRUPT = "UPDATE {} SET data = CAST(substr(data, 1, length(data) - 1) || x'00' AS BLOB)"
LEGACY = "UPDATE artifact SET data = x'28b52ffd01' WHERE name = '{}'"

CASES: dict[str, tuple[Damage, str]] = {
    f"graphstore/engines/graph_catalog.py: {{}} is damaged ({{}}); {WRITE}": (
        overwrite("graphs/catalogue", 10, 12),
        WRITE,
    ),
    f"graphstore/engines/embedded_engine.py: {{}} cannot be read ({{}}); {INDEX}": (
        overwrite("graphs/shop-*.kgl", 8, 60),
        INDEX,
    ),
    f"{GRAPHS}loaded_graphs.py: {{}} lists missing graphs; the next process that opens the store for writing "
    "removes them, then re-index the repositories": (remove("graphs/directory-*.kgl"), "re-index the repositories"),
    "graphstore/store.py: the graphs of {} are missing; index the repositories again": (
        remove("graphs/*"),
        "index the repositories again",
    ),
    f"{STORAGE}git_history.py: a stored git history is damaged ({{}}); {INDEX}": (
        statement(LEGACY.format("history")),
        INDEX,
    ),
    f"{STORAGE}source_store.py: the stored text of {{}} is damaged; re-index its repository": (
        statement(CORRUPT.format("blob")),
        "re-index its repository",
    ),
    f"{STORAGE}sqlite_database.py: {{}} is damaged ({{}}); {WRITE}": (overwrite("sources.db", 0, 60), WRITE),
}
"""Damage that readers see: what causes the error, and the remedy that the error names."""
ELSEWHERE = {
    f"{STORAGE}sqlite_database.py: {{}}: {{}}; retry the request": "test_damage_met_by_a_writer_is_repaired",
    f"{STORAGE}compression.py: stored data is damaged ({{}}); {INDEX}": "test_unsealed_data_that_is_damaged_is_rebuilt",
    "ingest/graph/table_builder.py: a stored graph is damaged ({}); index the repository again": (
        "test_unsealed_data_that_is_damaged_is_rebuilt"
    ),
    f"{STORAGE}sqlite_database.py: no space is left on the disk of {{}}; free disk space and retry; nothing was changed": (
        "test_a_full_disk_is_left_by_making_room"
    ),
    f"{STORAGE}sqlite_database.py: {{}} cannot be written ({{}}); it can still be read": (
        "test_an_unwritable_store_can_be_read"
    ),
    f"{STORAGE}sqlite_database.py: {{}} cannot be opened or written ({{}}); check its permissions and its disk": (
        "test_an_unwritable_database_is_left_by_correcting_its_permissions"
    ),
    f"{STORAGE}sqlite_database.py: {{}} cannot be the folder of a store ({{}})": "test_a_file_is_not_a_store",
}
"""Errors that need more than damage and an answer, and the test of each."""
CAUGHT = {
    "graphstore/search/index/search_index.py: {} differs from what was written",
    "graphstore/search/embeddings/vectors.py: {} cannot be read: {}; it is rebuilt by indexing again",
    "graphstore/search/embeddings/static.py: {} is not a weights file of format {}: {}; train a new one",
    "graphstore/engines/neo4j/migrations.py: migration {} ({}) of this Neo4j database failed: {}",
}
"""Errors that no user of a data folder meets: search indexes rebuild themselves (tested below), weights are part of the package, and
Neo4j keeps its own files."""


def test_every_error_about_stored_data_has_a_case() -> None:
    assert raised_errors() == {*CASES, *ELSEWHERE, *CAUGHT}
    assert all(callable(globals()[name]) for name in ELSEWHERE.values())


@pytest.mark.parametrize("name", CASES)
def test_the_remedy_of_an_error_ends_with_a_healthy_store(pristine: Stored, folder: Path, name: str) -> None:
    damage, remedy = CASES[name]
    damage(folder)
    with pytest.raises(StoreCorruptError, match=remedy):
        answers(folder)
    pristine.index(folder)
    pristine.require_healthy(folder)


def test_readers_leave_out_a_repository_without_its_graph(folder: Path) -> None:
    with Store.open(StoreSettings(folder, embedding=None)) as store:
        names = set(store.repositories())
    assert len(names) > 1
    for pattern in ("shop-*.kgl", "joined-*"):  # The cache of the graphs together holds it as well.
        remove(f"graphs/{pattern}")(folder)
    with Store.open(StoreSettings(folder, embedding=None)) as store:
        assert store.query("RETURN 1 AS one").rows == [(1,)]
        found = store.query("MATCH (m:Module) RETURN DISTINCT m.repository AS name").rows
        assert {str(row[0]) for row in found} == names - {"shop"}


# -- every file, at several offsets

FILES = {
    "sources.db": 20,
    "graphs/catalogue": 2,
    "graphs/directory-*.kgl": 2,
    "graphs/shop-*.kgl": 3,
    "graphs/user-*.kgl.links": 3,
    "indexes/shop/*/header.msgpack": 2,
    "indexes/shop/*/places.msgpack": 2,
    "indexes/shop/*/body.*.npy": 1,
    "indexes/shop/*/vectors.safetensors": 1,
}
"""Patterns of files, and the number of offsets at which each is damaged."""


def damages(path: Path, count: int) -> Iterator[bytes | None]:
    """Contents of a damaged file: flipped bytes, overwritten pages, a cut, an empty file; None for a deleted one."""
    content = path.read_bytes()
    rng = random.Random(f"{path.name.split('-')[0]} {count}")
    for _ in range(count):
        at = rng.randrange(len(content))
        yield content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]
        length = min(rng.choice((16, 5_000)), len(content) - at)
        yield content[:at] + rng.randbytes(length) + content[at + length :]
    yield content[: rng.randrange(len(content))]
    yield b""
    yield None


def damaged_stores(stored: Stored, pattern: str, work: Path) -> Iterator[Path]:
    for original in sorted(stored.store.glob(pattern)):
        for content in damages(original, FILES[pattern]):
            store = Path(shutil.copytree(stored.store, work / "damaged"))
            target = store / original.relative_to(stored.store)
            target.unlink()
            if content is not None:
                target.write_bytes(content)
            yield store
            shutil.rmtree(store)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", FILES)
def test_indexing_heals_whatever_was_damaged(pristine: Stored, tmp_path: Path, pattern: str) -> None:
    for store in damaged_stores(pristine, pattern, tmp_path):
        with contextlib.suppress(GraphStoreError):  # A reader may fail, but with an error of the store alone.
            answers(store)
        pristine.index(store)
        pristine.require_healthy(store)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [name for name in FILES if not name.startswith("indexes")])
def test_deleting_does_not_depend_on_what_is_stored(pristine: Stored, tmp_path: Path, pattern: str) -> None:
    for store in damaged_stores(pristine, pattern, tmp_path):
        require_deletable(store)


def require_deletable(store: Path) -> None:
    with Store.open(StoreSettings(folder=store), writable=True) as opened:
        for name in ("shop", "user"):
            with contextlib.suppress(NotFoundError):
                delete_repository(name, opened)
        assert list(opened.repositories()) == opened.sources.repositories() == []
    assert not [path for path in store.glob("indexes/*/*/*") if path.is_file()]
    assert not list(store.glob("graphs/shop-*"))


# -- errors that need more than damaged bytes


def test_a_writer_reports_missing_graphs_until_they_are_indexed(pristine: Stored, folder: Path) -> None:
    remove("graphs/*")(folder)
    with Store.open(StoreSettings(folder=folder), writable=True) as store:
        assert store.repositories() == []
        assert "the graphs of shop, user are missing; index the repositories again" in store.notices.recent()
    pristine.index(folder)
    pristine.require_healthy(folder)


def test_damage_met_by_a_writer_is_repaired(pristine: Stored, folder: Path) -> None:
    with Store.open(StoreSettings(folder=folder), writable=True) as store:
        store.sources.repositories()
        overwrite("sources.db", 4096)(folder)
        with pytest.raises(StoreCorruptError, match="retry the request"):
            store.sources.files("shop")
    pristine.index(folder)
    pristine.require_healthy(folder)


@pytest.mark.parametrize(
    "name", ["resolution", "graph columns", "names", "external names", "stamps", "declared packages"]
)
def test_unsealed_data_that_is_damaged_is_rebuilt(pristine: Stored, folder: Path, name: str) -> None:
    """As an older version has left it: no digest tells before it is decoded."""
    statement(LEGACY.format(name), "UPDATE snapshot SET inputs = ''")(folder)
    (pristine.trees[0] / "shop" / "more.py").write_text("import shop.till\n")
    pristine.index(folder)
    (pristine.trees[0] / "shop" / "more.py").unlink()
    pristine.index(folder)
    pristine.require_healthy(folder)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"\0" * 4096):
            pass


@pytest.fixture
def full_disk(folder: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the store on a disk without a free block."""
    with mounted_disk(tmp_path / "disk", "24m") as disk:
        store = Path(shutil.copytree(folder, disk / "store"))
        with Store.open(StoreSettings(folder=store), writable=True) as opened:
            opened.sources.repositories()
        fill(disk / "filler")
        yield store


def test_a_full_disk_is_left_by_making_room(pristine: Stored, full_disk: Path) -> None:
    changed = write_tree(full_disk.parents[1] / "shop", {**SHOP, "shop/more.py": "x = 1\n" * 2_000})
    with Store.open(StoreSettings(folder=full_disk), writable=True) as store, pytest.raises(StoreFullError):
        index_repository(str(changed), store, IngestSettings(workers=1), name="other")
    (full_disk.parent / "filler").unlink()
    pristine.index(full_disk)
    pristine.require_healthy(full_disk)


def test_deleting_works_on_a_full_disk(full_disk: Path) -> None:
    require_deletable(full_disk)


def test_the_command_to_delete_works_on_a_full_disk(full_disk: Path) -> None:
    """With the record of jobs, and without search indexes whose room could be used."""
    from tests.e2e.service import run_here

    for file in full_disk.glob("indexes/*/*/*"):
        file.unlink()
    fill(full_disk.parent / "more")
    for name in ("shop", "user"):
        succeed(full_disk, "delete", name, "--yes")
    (full_disk.parent / "filler").unlink()
    assert run_here(full_disk, "list", "--json").returncode == 0


def test_an_unwritable_store_can_be_read(pristine: Stored, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patch:
        patch.setattr("repoquarry.graphstore.storage.writer_lock.os.open", refuse)
        with pytest.raises(StoreUnwritableError, match="it can still be read"):
            Store.open(StoreSettings(folder=folder), writable=True)
    pristine.require_healthy(folder)


def test_an_unwritable_database_is_left_by_correcting_its_permissions(pristine: Stored, folder: Path) -> None:
    (folder / "sources.db").rename(folder / "kept")
    (folder / "sources.db").mkdir()
    with (
        Store.open(StoreSettings(folder=folder), writable=True) as store,
        pytest.raises(StoreUnwritableError, match="check its permissions"),
    ):
        store.sources.repositories()
    (folder / "sources.db").rmdir()
    (folder / "kept").rename(folder / "sources.db")
    pristine.require_healthy(folder)


def test_a_file_is_not_a_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnwritableError, match="cannot be the folder of a store"):
        Store.open(StoreSettings(folder=tmp_path / "file"), writable=True)
