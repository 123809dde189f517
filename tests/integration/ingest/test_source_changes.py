"""Changes of sources: freshness of stored repositories, and branches that may have changed."""

import os
import shutil
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestError, SourceRejectedError
from repoquarry.ingest.freshness import Freshness, check_freshness
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, RepositorySource, parse_source
from repoquarry.ingest.watchers import watch_branches
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
    assert "missing" in gone.note


def test_a_git_address_is_not_asked_again(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    index_repository(f"file://{git_shop}", store, settings)
    assert look(store, settings).moved_on is None


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A bare repository and its clone `work`, whose branch `main` is pushed to it."""
    work = write_tree(tmp_path / "work", {"a.py": "x = 1\n"})
    git(work, "init", "-q", "-b", "main")
    commit(work, "one")
    git(tmp_path, "clone", "-q", "--bare", str(work), str(tmp_path / "shop.git"))
    git(work, "remote", "add", "origin", str(tmp_path / "shop.git"))
    return tmp_path / "shop.git"


def commit(work: Path, text: str, branch: str = "") -> str:
    (work / "a.py").write_text(f"x = {text!r}\n", encoding="utf-8")
    git(work, "add", ".")
    git(work, "commit", "-qm", text)
    if branch:
        git(work, "push", "-q", "origin", f"HEAD:{branch}")
    return str(git(work, "rev-parse", "HEAD")).strip()


def follow(
    source: RepositorySource, steps: list[object], *, dealt: bool = True
) -> tuple[list[tuple[str, str]], list[int]]:
    """Reports of as many rounds as there are steps, which are called between them."""
    seen: list[tuple[str, str]] = []
    failures: list[int] = []

    def moved(_: RepositorySource, before: str, now: str) -> bool:
        seen.append((before, now))
        return dealt

    def failed(_: RepositorySource, error: IngestError, rounds: int) -> None:
        failures.append(rounds)

    def wait() -> bool:
        if not steps:
            return False
        step = steps.pop(0)
        if callable(step):
            step()
        return True

    watch_branches([source], IngestSettings(), EVERYWHERE, moved=moved, failed=failed, wait=wait)
    return seen, failures


def test_branch_is_reported_only_when_it_moves(bare: Path) -> None:
    work = bare.parent / "work"
    first = str(git(work, "rev-parse", "HEAD")).strip()
    made: list[str] = []
    steps: list[object] = [
        None,
        lambda: made.append(commit(work, "two", "main")),
        None,
        lambda: commit(work, "three", "other"),
        None,
    ]
    seen, failures = follow(parse_source(bare.as_uri(), "main"), steps)
    assert seen == [("", first), (first, made[0])]
    assert not failures


def test_the_default_branch_and_a_tag_are_followed(bare: Path) -> None:
    work = bare.parent / "work"
    git(work, "tag", "-a", "v1", "-m", "one")
    git(work, "push", "-q", "origin", "v1")
    first = str(git(work, "rev-parse", "HEAD")).strip()
    for ref in ("", "v1"):
        assert follow(parse_source(bare.as_uri(), ref), [])[0] == [("", first)]


def test_unhandled_changes_are_reported_again(bare: Path) -> None:
    seen, _ = follow(parse_source(bare.as_uri()), [None, None], dealt=False)
    assert len(seen) == 3
    assert {before for before, _ in seen} == {""}


def test_failing_source_is_polled_less_and_less_often(bare: Path) -> None:
    source = parse_source(bare.as_uri(), "main")
    away = bare.with_name("away.git")
    steps: list[object] = [lambda: bare.rename(away), *[None] * 11, lambda: away.rename(bare), *[None] * 20]
    seen, failures = follow(source, steps)
    assert failures[:4] == [0, 1, 3, 7]
    assert len(seen) == 1, "where it was is remembered through failures"
    assert follow(parse_source(bare.as_uri(), "absent"), [])[1] == [0]


def test_a_commit_cannot_be_followed(bare: Path) -> None:
    with pytest.raises(SourceRejectedError, match="never moves"):
        follow(parse_source(bare.as_uri(), "a" * 40), [])
