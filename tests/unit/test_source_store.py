"""Store of sources: what is written is read back, damage is found, and packed texts take their length."""

import hashlib
import random
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.storage.compression import compress, decompress
from repoquarry.graphstore.storage.snapshot_tables import FileEntry
from repoquarry.graphstore.storage.source_store import FILE_NAME, SourceStore


@pytest.fixture
def sources(tmp_path: Path) -> Iterator[SourceStore]:
    store = SourceStore.open(tmp_path, writable=True)
    yield store
    store.close()


def put(sources: SourceStore, snapshot: int, files: dict[str, str], derived: str = "") -> None:
    entries, blobs, facts = [], {}, {}
    for path, text in files.items():
        digest = hashlib.sha256(text.encode()).digest()
        key = hashlib.sha256(f"{path}{text}{derived}".encode()).digest()
        entries.append(FileEntry(path, digest, "utf-8", len(text), 1, key))
        blobs[digest], facts[key] = compress(text.encode()), text.encode()
    sources.put_many(snapshot, entries, blobs, facts)


def index(sources: SourceStore, repository: str, files: dict[str, str], revision: str) -> int:
    snapshot = sources.begin(repository)
    put(sources, snapshot, files)
    sources.seal(snapshot, revision, f"inputs {revision}")
    sources.publish(snapshot)
    return snapshot


def count(tmp_path: Path, table: str) -> int:
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_texts_can_be_read_by_path(sources: SourceStore) -> None:
    index(sources, "a", {"x.py": "x = 1\r\n", "y.py": "ü"}, "r1")
    assert sources.text("a", "x.py") == "x = 1\r\n"
    assert sources.text("a", "y.py") == "ü"
    assert list(sources.files("a")) == ["x.py", "y.py"]
    current = sources.published_snapshot("a")
    assert current is not None
    assert (current.revision, current.inputs) == ("r1", "inputs r1")


def test_a_pending_snapshot_is_not_seen(sources: SourceStore) -> None:
    index(sources, "a", {"x.py": "old"}, "r1")
    pending = sources.begin("a")
    put(sources, pending, {"x.py": "new"})
    assert sources.text("a", "x.py") == "old"
    sources.seal(pending, "r2", "")
    assert sources.text("a", "x.py") == "old"
    assert sources.text("a", "x.py", "r2") == "new"
    assert sources.list_sealed_unpublished() == [("a", "r2", pending)]
    sources.publish(pending)
    assert sources.text("a", "x.py") == "new"
    with pytest.raises(NotFoundError, match="r1"):
        sources.text("a", "x.py", "r1")


def test_equal_texts_are_stored_once_until_unreferenced(sources: SourceStore, tmp_path: Path) -> None:
    index(sources, "a", {"x.py": "same", "y.py": "own"}, "r1")
    index(sources, "b", {"z.py": "same"}, "r1")
    assert count(tmp_path, "blob") == 2
    sources.delete("a")
    assert sources.text("b", "z.py") == "same"
    assert (count(tmp_path, "blob"), count(tmp_path, "derived"), count(tmp_path, "file")) == (1, 1, 1)
    assert sources.repositories() == ["b"]


def test_what_a_killed_run_left_serves_the_next_one_and_is_cleared_after_it(
    sources: SourceStore, tmp_path: Path
) -> None:
    killed = sources.begin("a")
    put(sources, killed, {"x.py": "text"})
    index(sources, "other", {"o.py": "o"}, "r1")
    hashes, keys = sources.protected("a")
    assert (len(hashes), len(keys)) == (1, 1)
    assert len(sources.load_derived(list(keys))) == 1

    index(sources, "a", {"y.py": "other text"}, "r1")
    assert count(tmp_path, "snapshot") == 2
    assert sources.load_derived(list(keys)) == {}


def test_only_the_newest_pending_snapshot_is_kept(sources: SourceStore, tmp_path: Path) -> None:
    for number in range(4):
        put(sources, sources.begin("a"), {"x.py": f"{number}"})
    assert count(tmp_path, "snapshot") == 2


def test_artifacts_belong_to_a_revision(sources: SourceStore) -> None:
    snapshot = sources.begin("a")
    sources.put_artifact(snapshot, "history", b"1")
    sources.seal(snapshot, "r1", "")
    sources.publish(snapshot)
    assert sources.artifact("a", "history") == b"1"
    assert sources.artifact("a", "absent") is None


def test_what_is_not_there_is_said(sources: SourceStore, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        sources.text("a", "x.py")
    index(sources, "a", {"x.py": ""}, "r1")
    with pytest.raises(NotFoundError, match=r"y\.py"):
        sources.text("a", "y.py")
    with pytest.raises(NotFoundError, match="nothing has been indexed"):
        SourceStore.open(tmp_path / "absent", writable=False)


def test_another_process_reads_what_is_published(sources: SourceStore, tmp_path: Path) -> None:
    index(sources, "a", {"x.py": "1"}, "r1")
    reader = SourceStore.open(tmp_path, writable=False)
    assert reader.text("a", "x.py") == "1"
    index(sources, "a", {"x.py": "2"}, "r2")
    assert reader.text("a", "x.py") == "2"
    reader.close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database at all, and long enough to be looked at" * 100)
    with pytest.raises(StoreCorruptError, match=FILE_NAME):
        SourceStore.open(tmp_path, writable=False)


def test_space_is_given_back_when_a_repository_is_deleted(tmp_path: Path) -> None:
    with_it = SourceStore.open(tmp_path, writable=True)
    texts = [random.Random(number).randbytes(40_000) for number in range(60)]
    snapshot = with_it.begin("big")
    entries = [
        FileEntry(f"{number}.py", hashlib.sha256(text).digest(), "utf-8", len(text), 0)
        for number, text in enumerate(texts)
    ]
    blobs = {entry.hash: compress(text) for entry, text in zip(entries, texts, strict=True)}
    with_it.put_many(snapshot, entries, blobs, {})
    with_it.seal(snapshot, "r", "i")
    with_it.publish(snapshot)
    with_it.close()
    before = (tmp_path / FILE_NAME).stat().st_size
    again = SourceStore.open(tmp_path, writable=True)
    again.delete("big")
    again.close()
    assert before > 2_000_000
    assert (tmp_path / FILE_NAME).stat().st_size < 100_000


def test_what_is_compressed_does_not_keep_the_memory_of_what_it_was() -> None:
    data = b"abc" * 1_000_000
    tracemalloc.start()
    try:
        packed = compress(data)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert decompress(packed) == data
    assert held < len(data) // 10
