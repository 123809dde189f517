"""Commits as tasks for a benchmark: nothing behind the base may be known before it, also where a branch was merged late."""

from pathlib import Path

import pytest

from tests.benchmarks.retrieval.commit_cases import Mirror
from tests.source_trees import git


def commit(root: Path, subject: str, *paths: str) -> str:
    for path in paths:
        with (root / path).open("a") as file:
            file.write(f"# {subject}\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", subject)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    """Two commits, a branch, a commit on the main line, the branch merged, and one more."""
    root = tmp_path / "work"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    commit(root, "first", "a.py")
    commit(root, "second", "a.py", "b.py")
    git(root, "checkout", "-q", "-b", "aside")
    commit(root, "aside", "b.py")
    git(root, "checkout", "-q", "main")
    commit(root, "beside", "c.py")
    git(root, "merge", "-q", "--no-ff", "-m", "merged", "aside")
    commit(root, "prose", "README.md")
    commit(root, "last", "a.py")
    git(root, "clone", "-q", "--bare", str(root), str(tmp_path / "shop+till" / "repo"))
    monkeypatch.setenv("BENCH_MIRROR", str(tmp_path))
    found = Mirror.of("shop/till")
    assert found is not None
    return found


@pytest.mark.parametrize(("count", "base"), [(1, "prose"), (2, "beside"), (3, "second"), (4, "first")])
def test_the_base_is_before_all_cases(mirror: Mirror, count: int, base: str) -> None:
    commit, cases = mirror.cases(count)
    known = {entry.subject for entry in mirror.history(commit, 100).commits}
    assert mirror.history(commit, 100).commits[0].subject == base
    assert len(cases) == count
    assert not known & {case.subject for case in cases}


def test_the_tree_is_that_of_the_base(mirror: Mirror, tmp_path: Path) -> None:
    base, cases = mirror.cases(2)
    mirror.lay_out(base, tmp_path / "tree")
    assert sorted(path.name for path in (tmp_path / "tree").iterdir()) == ["a.py", "b.py", "c.py"]
    assert {case.subject: case.paths for case in cases} == {"last": ("a.py",), "aside": ("b.py",)}


def test_a_repository_without_a_mirror(mirror: Mirror) -> None:
    assert Mirror.of("shop/none") is None
