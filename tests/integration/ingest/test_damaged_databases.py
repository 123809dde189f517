"""Flipped bytes and lost ends of the databases and vectors of a store: each command answers, or names the damage and the remedy."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.e2e.service import run_here
from tests.source_trees import write_tree

pytestmark = pytest.mark.long

_COMMANDS = (("list",), ("list", "--jobs"), ("search", "sell"), ("query", "MATCH (f:Function) RETURN count(*)"))
_DAMAGES = ("flips", "half", "zeros", "empty")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A source and a store that holds it."""
    folder = tmp_path_factory.mktemp("damaged")
    text = "".join(f'def sell{n}(price):\n    """Sell number {n}."""\n    return price + {n}\n\n\n' for n in range(80))
    source = write_tree(folder / "shop", {"shop.py": text, "README.md": "# Shop\n\nSells.\n"})
    assert run_here(folder / "store", "index", str(source)).returncode == 0
    return source, folder / "store"


def damage(path: Path, how: str) -> None:
    content = bytearray(path.read_bytes())
    generator = random.Random(f"{path.name}{how}")
    if how == "flips":
        for _ in range(20):
            content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
    elif how == "zeros":
        at = generator.randrange(max(len(content) - 4096, 1))
        content[at : at + 4096] = bytes(len(content[at : at + 4096]))
    path.write_bytes(content[: {"half": len(content) // 2, "empty": 0}.get(how, len(content))])


def files_of(store: Path) -> dict[str, Path]:
    vectors = next(path for path in sorted((store / "indexes").rglob("*")) if "vector" in path.name)
    return {"state": store / "state.db", "sources": store / "sources.db", "vectors": vectors}


@pytest.mark.parametrize("how", _DAMAGES)
@pytest.mark.parametrize("name", ["state", "sources", "vectors"])
def test_damage_is_named_and_the_next_index_repairs_it(
    stored: tuple[Path, Path], tmp_path: Path, name: str, how: str
) -> None:
    source, original = stored
    store = Path(shutil.copytree(original, tmp_path / "store"))
    damage(files_of(store)[name], how)
    for command in _COMMANDS:
        done = run_here(store, *command)
        assert "INTERNAL" not in done.stderr, (command, done.stderr)
        assert done.returncode == 0 or "(STORE_CORRUPT)" in done.stderr, (command, done.returncode, done.stderr)
    for _ in range(2):  # The first may only find the damage.
        done = run_here(store, "index", str(source))
    assert done.returncode == 0, done.stderr
    wanted = run_here(original, "search", "sell", "--json").stdout
    done = run_here(store, "search", "sell", "--json")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) == pytest.approx(len(wanted), rel=0.2)
    for command in _COMMANDS:
        done = run_here(store, *command)
        assert done.returncode == 0, (command, done.stderr)
