"""Damaged files of a store: found, repaired and reported, while operations that do not need them still work, or name a remedy that works."""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest import mock

import pytest

from repoquarry.server.bulk.repository_list import BatchLedger
from tests.e2e.service import SHOP, CommandResult, repoquarry, run_here, succeed
from tests.process_checks import mounted_disk
from tests.source_trees import write_tree


def flip(path: Path, count: int = 40, first: int = 0) -> None:
    """Flip bits of some bytes behind `first`."""
    content = bytearray(path.read_bytes())
    rng = random.Random(7)
    for _ in range(count):
        content[rng.randrange(first, len(content))] ^= 0x55
    path.write_bytes(bytes(content))


def hits(done: CommandResult) -> list[object]:
    assert done.returncode == 0, done.stderr
    return [(hit["entity"]["id"], hit["score"]) for hit in json.loads(done.stdout)["hits"]]


def search(store: Path, *more: str) -> CommandResult:
    return run_here(store, "search", "charge an order", "--json", *more)


@pytest.mark.parametrize("name", ["*vector*", "places.msgpack", "body.*.npy", "header.msgpack"])
def test_damaged_index_is_rebuilt_and_reported(own_store: Path, name: str) -> None:
    def search(store: Path) -> CommandResult:
        """In a process of its own: an index that is open already is not read again."""
        done = repoquarry(store, "search", "charge an order", "--json")
        return CommandResult(done.returncode, done.stdout, done.stderr)

    before = hits(search(own_store))
    damaged = min((own_store / "indexes" / "shop").glob(f"*/{name}"))
    flip(damaged, first=8 if name == "header.msgpack" else 0)
    done = search(own_store)
    assert hits(done) == before
    notes = json.loads(done.stdout)["basis"]["notes"]
    assert any("the search index of shop was damaged" in note and "rebuilt" in note for note in notes), notes
    assert not json.loads(search(own_store).stdout)["basis"]["notes"]


def test_broken_texts_affect_nothing_else_and_recover(own_store: Path, shop: Path) -> None:
    before = hits(search(own_store))
    sources = own_store / "sources.db"
    sources.write_bytes(sources.read_bytes()[:100] + os.urandom(sources.stat().st_size - 100))
    done = search(own_store)
    assert hits(done) == before
    assert "sources.db" in done.stdout
    assert run_here(own_store, "query", "MATCH (f:Function) RETURN count(f)").returncode == 0
    shown = run_here(own_store, "show", "shop.till.price", "--source")
    assert "(STORE_CORRUPT)" in shown.stderr
    succeed(own_store, "index", str(shop))
    assert list(own_store.glob("sources.db.damaged-*"))
    assert "return len(order)" in run_here(own_store, "show", "shop.till.price", "--source").stdout


@pytest.fixture
def small_disk(tmp_path: Path, own_store: Path) -> Iterator[Path]:
    """A store on a disk of its own."""
    with mounted_disk(tmp_path / "disk", "4m") as folder:
        yield Path(shutil.copytree(own_store, folder / "store"))


def test_a_disk_that_fills_up_while_indexing_is_named(tmp_path: Path) -> None:
    """So full that the end of the job cannot be stored either."""
    text = "".join(f"def function_{n}():\n    return {n}\n" for n in range(4000))
    tree = write_tree(tmp_path / "large", {f"module_{n}.py": f"# {n}\n{text}" for n in range(8)})
    with mounted_disk(tmp_path / "disk", "500k") as disk:
        done = run_here(disk / "store", "index", str(tree))
    assert "no space is left" in done.stderr
    assert done.stderr.strip().endswith("(STORE_FULL)"), done.stderr


def test_a_read_only_store_can_be_read(small_disk: Path, shop: Path) -> None:
    before = hits(search(small_disk))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk.parent)], check=True)
    assert hits(search(small_disk)) == before
    for command in (
        ("list",),
        ("list", "--jobs"),
        ("query", "MATCH (f:Function) RETURN count(f)"),
        ("show", "shop.till.price", "--source"),
        ("locate", "charging is wrong"),
        ("context", "shop"),
        ("ask", "who calls price?"),
    ):
        done = run_here(small_disk, *command)
        assert done.returncode == 0, (command, done.stderr)
    for command in (("index", str(shop)), ("delete", "shop", "--yes")):
        done = run_here(small_disk, *command)
        assert done.stderr.strip().endswith("(STORE_UNWRITABLE)"), done.stderr


Damage = Callable[[bytes], bytes | None]
DAMAGES: dict[str, Damage] = {
    "garbage": lambda content: b"\x55" * max(len(content), 100),
    "flipped": lambda content: bytes(byte ^ 0x55 for byte in content[:100]) + content[100:],
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "deleted": lambda content: None,
}
RECORDS = ("state.db", "reserve", "writer.lock")
"""Files other than graphs, texts and search indexes, whose damage `tests/integration/ingest/test_remedies.py` covers."""
COVERED_ELSEWHERE = ("sources.db*", "graphs/*", "indexes/**/*", "state.db-wal", "state.db-shm")
COMMANDS = (
    ("list", "--json"),
    ("query", "MATCH (n:Function) RETURN count(n) AS n", "--json"),
    ("ask", "what is price?", "--json"),
)


@pytest.fixture(scope="module")
def used_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder after an index job, a list with a failed entry whose ledger an end in the middle left, and a question."""
    folder = tmp_path_factory.mktemp("records")
    write_tree(folder / "shop", SHOP)
    (folder / "list.txt").write_text(f"{folder / 'shop'}\n{folder / 'nothing'}\n")
    assert run_here(folder / "store", "index", str(folder / "shop")).returncode == 0
    with mock.patch.object(BatchLedger, "close"):
        assert run_here(folder / "store", "index", "--from", str(folder / "list.txt")).returncode != 0
    assert run_here(folder / "store", "ask", "what is price?").returncode == 0
    return folder / "store"


def test_every_file_of_a_data_folder_has_a_case(used_store: Path) -> None:
    files = {path for path in used_store.rglob("*") if path.is_file()}
    known = {path for pattern in (*RECORDS, *COVERED_ELSEWHERE) for path in used_store.glob(pattern)}
    assert sorted(path.relative_to(used_store).as_posix() for path in files - known) == []
    assert all(list(used_store.glob(pattern)) for pattern in RECORDS)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("patterns", [RECORDS[:1], RECORDS[1:]], ids=["state", "others"])
def test_commands_go_on_after_damage(used_store: Path, tmp_path: Path, patterns: Sequence[str], damage: str) -> None:
    store = Path(shutil.copytree(used_store, tmp_path / "store"))
    for path in [path for pattern in patterns for path in store.glob(pattern)]:
        content = DAMAGES[damage](path.read_bytes())
        path.unlink()
        if content is not None:
            path.write_bytes(content)
    tree, names = used_store.parent / "shop", used_store.parent / "list.txt"
    for command in (*COMMANDS, ("index", str(tree)), *COMMANDS):
        done = run_here(store, *command)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    done = run_here(store, "index", "--from", str(names), "--json")
    report = json.loads(done.stdout)
    assert (report["stored"], report["failed"]) == (1, 1), done.stderr
    is_set_aside = patterns == RECORDS[:1] and damage in ("garbage", "flipped", "cut")
    assert bool(list(store.glob("state.db.damaged-*"))) is is_set_aside
