"""Commands that run in another working tree of an indexed repository than the indexed one."""

import subprocess
from pathlib import Path

import pytest

from repoquarry.server.application.working_folder import WorkingFolder
from tests.e2e.service import run_here
from tests.integration.ingest.test_unreadable_git import commit_tree

NOTE = "is not indexed; `repoquarry index .` adds it"


@pytest.fixture
def indexed(tmp_path: Path) -> tuple[Path, Path]:
    """Return a folder with an indexed repository and the store."""
    root, store = commit_tree(tmp_path / "shop"), tmp_path / "store"
    assert run_here(store, "index", str(root)).returncode == 0
    return root, store


def explore(store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(WorkingFolder, "current", lambda: WorkingFolder(folder))
    done = run_here(store, "explore", "f")
    return " ".join((done.stdout + done.stderr).split())


def test_answer_in_a_worktree_names_the_other_tree(indexed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root, store = indexed
    feature = root.parent / "feature"
    subprocess.run(["git", "worktree", "add", "-q", feature, "-b", "feature"], cwd=root, check=True)
    (feature / "inner").mkdir()
    for folder in (feature, feature / "inner"):
        said = explore(store, folder, monkeypatch)
        assert f"this folder (feature, a worktree of shop) {NOTE}" in said


def test_answer_in_a_clone_names_the_other_tree(indexed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root, store = indexed
    subprocess.run(["git", "clone", "-q", root, root.parent / "copy"], check=True)
    assert f"(copy, a clone of shop) {NOTE}" in explore(store, root.parent / "copy", monkeypatch)


def test_indexed_worktree_needs_no_note(indexed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root, store = indexed
    feature = root.parent / "feature"
    subprocess.run(["git", "worktree", "add", "-q", feature, "-b", "feature"], cwd=root, check=True)
    run_here(store, "index", str(feature))
    assert NOTE not in explore(store, feature, monkeypatch)


def test_indexed_tree_other_projects_and_plain_folders_need_no_note(
    indexed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, store = indexed
    other = root.parent / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q", other], check=True)
    for folder in (root, root.parent, other):
        assert NOTE not in explore(store, folder, monkeypatch)
