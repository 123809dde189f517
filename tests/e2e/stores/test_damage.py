"""Damaged files of a store: found, repaired and reported, while operations that do not need them still work."""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.service import CommandResult, repoquarry, run_here, succeed
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
def test_a_damaged_index_is_found_rebuilt_and_said(own_store: Path, name: str) -> None:
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


def test_broken_texts_take_nothing_else_down_and_come_back(own_store: Path, shop: Path) -> None:
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
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], capture_output=True)
    if made.returncode != 0:
        pytest.skip("needs the right to mount a file system")
    try:
        yield Path(shutil.copytree(own_store, folder / "store"))
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_fills_up_while_indexing_is_named(tmp_path: Path) -> None:
    """So full that the end of the job cannot be stored either."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", str(disk)], capture_output=True)
    if made.returncode != 0:
        pytest.skip("needs the right to mount a file system")
    text = "".join(f"def function_{n}():\n    return {n}\n" for n in range(4000))
    tree = write_tree(tmp_path / "large", {f"module_{n}.py": f"# {n}\n{text}" for n in range(8)})
    try:
        done = run_here(disk / "store", "index", str(tree))
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
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
