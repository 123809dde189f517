"""Damage of files of a data folder other than graphs and texts: every command still works, or names a remedy that works."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest import mock

import pytest

from repoquarry.server.bulk.repository_list import Ledger
from tests.e2e.service import SHOP, run_here
from tests.source_trees import write_tree

Damage = Callable[[bytes], bytes | None]
DAMAGES: dict[str, Damage] = {
    "garbage": lambda content: b"\x55" * max(len(content), 100),
    "flipped": lambda content: bytes(byte ^ 0x55 for byte in content[:100]) + content[100:],
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "deleted": lambda content: None,
}
RECORDS = ("state.db", "reserve", "writer.lock", "batches/*.jsonl")
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
    with mock.patch.object(Ledger, "close"):
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
    assert not list(store.glob("batches/*.jsonl"))
    is_set_aside = patterns == RECORDS[:1] and damage in ("garbage", "flipped", "cut")
    assert bool(list(store.glob("state.db.damaged-*"))) is is_set_aside
