"""How far a source has moved on since it was indexed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.freshness import Freshness, check_freshness
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import commit_tree, git, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")


def look(store: Store, settings: IngestSettings, repository: str = "shop") -> Freshness:
    return check_freshness(store.repository(repository), store.sources, settings)


def test_commits_and_files_are_counted(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    write_tree(git_shop, {"gen.py": "# @generated\nx = 1\n"})
    git(git_shop, "add", "-A")
    git(git_shop, "commit", "-q", "-m", "Generate")
    index_repository(str(git_shop), store, settings)
    first = git(git_shop, "rev-parse", "HEAD")
    assert look(store, settings) == Freshness(False, first, 0, 0)

    os.utime(git_shop / "shop" / "core.py", (1, 1))
    assert look(store, settings) == Freshness(False, first, 0, 0)

    write_tree(git_shop, {"shop/cli.py": "x = 1\n", "shop/new.py": "x = 1\n", "notes.png": "x"})
    (git_shop / "shop" / "core.py").unlink()
    assert look(store, settings) == Freshness(True, first, 0, 3)

    git(git_shop, "add", "-A")
    git(git_shop, "commit", "-q", "-m", "Change")
    git(git_shop, "commit", "-q", "--allow-empty", "-m", "Nothing")
    second = git(git_shop, "rev-parse", "HEAD")
    assert look(store, settings) == Freshness(True, second, 2, 3)

    index_repository(str(git_shop), store, settings)
    assert look(store, settings) == Freshness(False, second, 0, 0)


def test_a_rewritten_history_cannot_be_counted(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    index_repository(str(git_shop), store, settings)
    shutil.rmtree(git_shop / ".git")
    commit_tree(git_shop, "Again, with another message")
    found = look(store, settings)
    assert found.moved_on
    assert (found.commits_behind, found.files_changed) == (None, 0)
    assert "no longer in the repository" in found.note


def test_a_plain_folder(shop: Path, store: Store, settings: IngestSettings) -> None:
    index_repository(str(shop), store, settings)
    assert look(store, settings) == Freshness(False, None, None, 0)
    (shop / "README.md").write_text("# Other\n")
    assert look(store, settings) == Freshness(True, None, None, 1)
    shutil.rmtree(shop)
    gone = look(store, settings)
    assert gone.moved_on is None
    assert "gone" in gone.note


def test_a_git_address_is_not_asked_again(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    index_repository(f"file://{git_shop}", store, settings)
    assert look(store, settings).moved_on is None
