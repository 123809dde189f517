"""Working trees that git cannot read: the reason and the remedy are reported, and never look like a folder without git."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from repoquarry.ingest.sources import git
from repoquarry.ingest.sources.checkout import Head, UnreadableGit, read_head
from tests.e2e.service import run_here


def commit_tree(root: Path) -> Path:
    root.mkdir()
    (root / "a.py").write_text("def f():\n    return 1\n")
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-qm", "Add f"),
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


def break_head(root: Path) -> None:
    (root / ".git/HEAD").write_text("garbage\n")


def remove_objects(root: Path) -> None:
    shutil.rmtree(root / ".git/objects")
    (root / ".git/objects").mkdir()


def break_commit(root: Path) -> None:
    (root / ".git/refs/heads/main").write_text("0" * 39 + "1\n")


def break_branch(root: Path) -> None:
    (root / ".git/refs/heads/main").write_text("not a hash\n")


def break_configuration(root: Path) -> None:
    (root / ".git/config").write_text("[core\n")


def lose_directory(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").write_text("gitdir: /nowhere/x\n")


def dangle(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").symlink_to("/nowhere/x")


def empty_directory(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").mkdir()


def change_owner(root: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give a folder to another user")
    for path in (root, *root.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)


DAMAGES = {
    "another owner": (change_owner, "safe.directory"),
    "garbage in HEAD": (break_head, "repair"),
    "objects are missing": (remove_objects, "git fsck"),
    "commit is missing": (break_commit, "git fsck"),
    "garbage in the branch": (break_branch, "git"),
    "broken configuration": (break_configuration, "git status"),
    "gitdir points nowhere": (lose_directory, "repair"),
    "dangling link": (dangle, "repair"),
    "empty .git": (empty_directory, "repair"),
}


@pytest.mark.parametrize(("damage", "remedy"), DAMAGES.values(), ids=list(DAMAGES))
def test_unreadable_git_has_a_reason_and_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], remedy: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # The user's git may trust every folder.
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = commit_tree(tmp_path / "tree")
    assert isinstance(read_head(root), Head)
    damage(root)
    head = read_head(root)
    assert isinstance(head, UnreadableGit)
    assert head.reason.startswith(f"git cannot read {root}")
    assert remedy in head.reason
    assert "\n" not in head.reason


def test_missing_git_command_is_a_problem_only_with_a_git_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, plain = commit_tree(tmp_path / "tree"), tmp_path / "plain"
    plain.mkdir()
    monkeypatch.setenv("PATH", "/nonexistent")
    head = read_head(root)
    assert isinstance(head, UnreadableGit)
    assert "not installed" in head.reason
    assert read_head(plain) is None


def test_branch_without_commits_is_no_problem(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path / "new"], check=True)
    assert read_head(tmp_path / "new") is None


def test_index_list_and_answers_report_unreadable_git(tmp_path: Path) -> None:
    root, store = commit_tree(tmp_path / "tree"), tmp_path / "store"
    break_head(root)
    indexed = run_here(store, "index", str(root))
    assert indexed.returncode == 0
    assert "no history: git cannot read" in " ".join(indexed.stdout.split())
    again = run_here(store, "index", str(root))
    assert "no history: git cannot read" in " ".join(again.stdout.split())
    listed = run_here(store, "list")
    assert f"tree: git cannot read {root}" in " ".join(listed.stderr.split())
    shown = run_here(store, "show", "f", "--basis")
    answer = " ".join((shown.stdout + shown.stderr).split())
    assert "(git unreadable, " in answer
    assert "git cannot read" in answer
    assert "current" not in answer


def test_repaired_git_is_indexed_again(tmp_path: Path) -> None:
    root, store = commit_tree(tmp_path / "tree"), tmp_path / "store"
    head = (root / ".git/HEAD").read_text()
    break_head(root)
    run_here(store, "index", str(root))
    (root / ".git/HEAD").write_text(head)
    assert "unchanged" not in run_here(store, "index", str(root)).stdout
    shown = run_here(store, "show", "f")
    assert "(clean, current)" in shown.stdout + shown.stderr


def test_a_missing_older_commit_costs_the_history_and_is_reported(tmp_path: Path) -> None:
    root = commit_tree(tmp_path / "shop")
    first = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True).stdout
    (root / "a.py").write_text("def f():\n    return 2\n")
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.example", "commit", "-qam", "Change f"], cwd=root, check=True
    )
    (root / ".git/objects" / first[:2] / first[2:].strip()).unlink()
    indexed = run_here(tmp_path / "store", "index", str(root))
    said = " ".join(indexed.stdout.split())
    assert indexed.returncode == 0
    assert "no history: git cannot read the commits" in said
    assert "git fsck" in said


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "shallow", "index"])
def test_a_huge_file_of_git_costs_its_reader_alone(tmp_path: Path, name: str) -> None:
    """A sparse file of 6 GB: neither git nor this process reads it into memory."""
    root = commit_tree(tmp_path / "shop")
    with (root / ".git" / name).open("ab") as file:
        file.truncate(6 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    indexed = run_here(tmp_path / "store", "index", str(root))
    assert indexed.returncode == 0, indexed.stderr
    assert "is larger than 1024 MiB" in " ".join(indexed.stdout.split())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


def test_git_may_not_use_more_memory_than_its_limit(tmp_path: Path) -> None:
    """A HEAD of 900 MB is below the limit of a file, and git needs several times as much for it."""
    root = commit_tree(tmp_path / "shop")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of all processes that this one has started
    with mock.patch.object(git, "_READ_MEMORY_BYTES", 100 << 20), (root / ".git/HEAD").open("ab") as file:
        file.truncate(900 << 20)
        head = read_head(root)
    assert isinstance(head, UnreadableGit)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss <= max(before, 800_000)


def test_output_of_git_beyond_its_limit_is_refused(tmp_path: Path) -> None:
    root = commit_tree(tmp_path / "shop")
    with mock.patch.object(git, "_MAX_OUTPUT", 1000), pytest.raises(git.GitFailedError, match="printed more than"):
        git.run_git(["help", "-a"], cwd=root)
