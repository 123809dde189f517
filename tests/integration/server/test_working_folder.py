"""Commands that run in another working tree of an indexed repository than the indexed one."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.service import run_here
from tests.integration.ingest.test_unreadable_git import commit_tree
from tests.source_trees import write_tree

NOTE = "is not indexed; `repoquarry index .` adds it"


@pytest.fixture
def indexed(tmp_path: Path) -> tuple[Path, Path]:
    """Return a folder with an indexed repository and the store."""
    root, store = commit_tree(tmp_path / "shop"), tmp_path / "store"
    assert run_here(store, "index", str(root)).returncode == 0
    return root, store


def explore(store: Path, folder: Path) -> str:
    done = run_here(store, "explore", "f", folder=str(folder))
    return " ".join((done.stdout + done.stderr).split())


def test_answer_in_a_worktree_names_the_other_tree(indexed: tuple[Path, Path]) -> None:
    root, store = indexed
    feature = root.parent / "feature"
    subprocess.run(["git", "worktree", "add", "-q", feature, "-b", "feature"], cwd=root, check=True)
    (feature / "inner").mkdir()
    for folder in (feature, feature / "inner"):
        said = explore(store, folder)
        assert f"this folder (feature, a worktree of shop) {NOTE}" in said


def test_answer_in_a_clone_names_the_other_tree(indexed: tuple[Path, Path]) -> None:
    root, store = indexed
    subprocess.run(["git", "clone", "-q", root, root.parent / "copy"], check=True)
    assert f"(copy, a clone of shop) {NOTE}" in explore(store, root.parent / "copy")


def test_indexed_worktree_needs_no_note(indexed: tuple[Path, Path]) -> None:
    root, store = indexed
    feature = root.parent / "feature"
    subprocess.run(["git", "worktree", "add", "-q", feature, "-b", "feature"], cwd=root, check=True)
    run_here(store, "index", str(feature))
    assert NOTE not in explore(store, feature)


def test_indexed_tree_and_folders_without_sources_need_no_note(indexed: tuple[Path, Path]) -> None:
    root, store = indexed
    empty = root.parent / "empty"
    for folder in (root, root / "inner", root.parent, empty):
        folder.mkdir(exist_ok=True)
        assert NOTE not in explore(store, folder)


def test_other_project_with_or_without_git_is_named(indexed: tuple[Path, Path]) -> None:
    root, store = indexed
    tracked, plain = root.parent / "tracked", root.parent / "plain"
    subprocess.run(["git", "init", "-q", tracked], check=True)
    write_tree(plain, {"a.py": "def f(): pass\n"})
    for folder in (tracked, plain):
        assert f"this folder ({folder.name}) {NOTE}" in explore(store, folder)
    run_here(store, "index", str(plain))
    assert NOTE not in explore(store, plain)


def test_index_of_a_worktree_parses_only_what_it_changed(indexed: tuple[Path, Path]) -> None:
    root, store = indexed
    feature = root.parent / "feature"
    subprocess.run(["git", "worktree", "add", "-q", feature, "-b", "feature"], cwd=root, check=True)
    (feature / "new.py").write_text("def new(): pass\n")
    done = run_here(store, "index", str(feature), "--json")
    assert json.loads(done.stdout)["jobs"][0]["report"]["files_parsed"] == 1
