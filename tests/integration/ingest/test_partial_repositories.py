"""Repositories whose files are elsewhere: pointers of Git LFS, and partial clones. Nothing is fetched, and nothing is lost without a word."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.e2e.service import run_here
from tests.source_trees import commit_tree, git, write_tree

_POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d7a" * 16 + "\nsize 12345\n"


def test_pointers_of_lfs_are_no_code(tmp_path: Path) -> None:
    source = write_tree(
        tmp_path / "shop", {"shop.py": "def sell():\n    return 1\n", "model.py": _POINTER, "weights.bin": _POINTER}
    )
    commit_tree(source)
    done = run_here(tmp_path / "store", "index", str(source))
    assert done.returncode == 0, done.stderr
    said = " ".join((done.stdout + done.stderr).split())
    assert "model.py" in said
    names = run_here(tmp_path / "store", "query", "MATCH (f:Function) RETURN f.name", "--format", "csv").stdout
    assert "sell" in names


@pytest.mark.parametrize("kind", ["blob:none", "tree:0"])
def test_a_partial_clone_is_read_without_fetching(tmp_path: Path, kind: str) -> None:
    origin = commit_tree(
        write_tree(tmp_path / "origin", {"shop.py": "def sell():\n    return 1\n", "old.py": "x = 1\n"})
    )
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(origin, "rm", "-q", "old.py")
    git(origin, "commit", "-qm", "Remove old")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", f"--filter={kind}", f"file://{origin}", str(clone)], check=True)
    origin.rename(tmp_path / "gone")
    before = sorted(path.name for path in (clone / ".git/objects").rglob("*"))
    done = run_here(tmp_path / "store", "index", str(clone))
    assert done.returncode == 0, done.stderr
    assert "INTERNAL" not in done.stderr
    assert sorted(path.name for path in (clone / ".git/objects").rglob("*")) == before
    found = run_here(tmp_path / "store", "query", "MATCH (f:Function) RETURN f.name", "--format", "csv")
    assert "sell" in found.stdout
