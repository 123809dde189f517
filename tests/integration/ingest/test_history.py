"""One pass over the git log."""

import os
import subprocess
from pathlib import Path

import pytest

from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest
from repoquarry.graphstore.storage.git_history import ARTIFACT, Commit, GitHistory
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import acquire, parse_source
from repoquarry.ingest.sources.git import parse_log, read_history
from tests.source_trees import git, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")


def commit(root: Path, day: int, subject: str, *paths: str) -> None:
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"x = '{subject}'\n")
    git(root, "add", "-A")
    os.environ["GIT_COMMITTER_DATE"] = f"@{day * 86_400} +0000"
    try:
        git(root, "commit", "-q", "-m", subject)
    finally:
        del os.environ["GIT_COMMITTER_DATE"]


def repository(tmp_path: Path) -> Path:
    root = tmp_path / "tool"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    commit(root, 1000, "Start", "a.py", "b.py", "sub/c d.py", "sub/ö.py")
    commit(root, 1001, "Fix: a and b\n\nbody", "a.py", "b.py")
    commit(root, 1002, "More", "a.py")
    return root


def never() -> bool:
    return False


def read(root: Path, commits: int = 100) -> GitHistory:
    return read_history(root, commits=commits, cancelled=never)


def test_commits_files_and_subjects(tmp_path: Path) -> None:
    found = read(repository(tmp_path))
    assert [entry.subject for entry in found.commits] == ["More", "Fix: a and b", "Start"]
    assert [one.subject for one in found.commits_of("b.py")] == ["Fix: a and b", "Start"]
    assert found.paths == ["a.py", "b.py", "sub/c d.py", "sub/ö.py"]
    assert found.newest_time == 1002 * 86_400
    assert found.missing == ""


def test_a_folder_inside_has_its_own_paths(tmp_path: Path) -> None:
    found = read(repository(tmp_path) / "sub")
    assert found.paths == ["c d.py", "ö.py"]
    assert len(found.commits) == 1


def test_the_number_of_commits_is_bounded(tmp_path: Path) -> None:
    found = read(repository(tmp_path), commits=2)
    assert len(found.commits) == 2
    assert "history_commits" in found.missing


def test_commits_of_a_file_are_those_of_git_log_also_on_undone_branches(tmp_path: Path) -> None:
    root = repository(tmp_path)
    git(root, "checkout", "-q", "-b", "side", "HEAD~1")
    commit(root, 1003, "Undone", "a.py")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "-s", "ours", "-m", "Merge", "side")
    git(root, "checkout", "-q", "-b", "same", "HEAD")
    commit(root, 1004, "Change", "b.py")
    git(root, "revert", "--no-edit", "HEAD")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge again", "same")
    found = read(root)
    for path in found.paths:
        listed = subprocess.run(
            ["git", "log", "--no-merges", "--full-history", "--format=%H", "--", path],
            cwd=root, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert [one.hash for one in found.commits_of(path)] == listed.stdout.split(), path
    assert len(found.commits_of("a.py")) == 4
    assert len(found.commits_of("b.py")) == 4


def test_the_edge_of_a_shallow_clone_is_no_commit(tmp_path: Path) -> None:
    root = repository(tmp_path)
    with acquire(parse_source(f"file://{root}"), IngestSettings(git_depth=2), never) as checkout:
        found = read(checkout.root)
    assert [entry.subject for entry in found.commits] == ["More"]
    assert "shallow" in found.missing
    with acquire(parse_source(f"file://{root}"), IngestSettings(git_depth=1), never) as checkout:
        assert read(checkout.root).commits == []


def test_history_is_kept_beside_the_texts_and_scored(tmp_path: Path, store: Store, settings: IngestSettings) -> None:
    report = index_repository(str(repository(tmp_path)), store, settings)
    assert report.history_missing == ""
    data = store.sources.artifact("tool", ARTIFACT)
    assert data is not None
    commits = GitHistory.decode(data).commits_of("a.py")
    assert [one.subject for one in commits] == ["More", "Fix: a and b", "Start"]
    columns = {table.label: table.columns for table in store.graph("tool").nodes}
    assert dict(zip(columns["Module"]["path"], columns["Module"]["last_changed"], strict=True)) == {
        "a.py": "1972-09-29",
        "b.py": "1972-09-28",
        "sub/c d.py": "1972-09-27",
        "sub/ö.py": "1972-09-27",
    }
    assert columns["Repository"]["commit_date"] == ["1972-09-29"]


def test_odd_names_and_messages() -> None:
    text = (
        "\x01" + "a" * 40 + "\x1f100\x1fAda\udcff\x1fsubject \udcff\x1fmore\0\nx.py\0bad\udcff.py\0"
        "\x01broken record\0\n"
        "\x01" + "b" * 40 + "\x1f99\x1f\x1f\0"
        "\x01" + "c" * 40 + "\x1f9" + "9" * 18 + "\x1f\x1fin the future\0\nx.py\0"
    )
    found = parse_log(text)
    assert found.paths == ["x.py"]
    assert found.commits[0] == Commit("a" * 40, 100, "subject \ufffd\x1fmore", (0,), "Ada\ufffd")
    assert [commit.hash[0] for commit in found.commits] == ["a", "c"]
    assert found.last_changed("x.py") == "9999-12-31"
    assert found.last_changed("y.py") is None


def test_a_log_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "empty", {"a.py": "x = 1\n"})
    git(root, "init", "-q")
    assert "git log failed" in read(root).missing


def test_localisation_knows_what_commits_said(tmp_path: Path, store: Store, settings: IngestSettings) -> None:
    root = write_tree(tmp_path / "bank", {f"{name}.py": f"def {name}(x):\n    return x\n" for name in ("a", "b", "c")})
    git(root, "init", "-q", "-b", "main")
    for name, message in (("c", "Round invoices to whole cents"), ("a", "Greet customers"), ("b", "Tidy up")):
        git(root, "add", f"{name}.py")
        git(root, "commit", "-q", "-m", message)
    index_repository(str(root), store, settings)
    found = locate(store, LocateRequest("Invoices show fractions of cents")).files[0]
    assert found.path == "c.py"
    assert found.reasons == ("commit messages match the task",)
    store.indexes.drop("bank")  # the index is a cache: the history is stored with the texts
    assert locate(store, LocateRequest("Invoices show fractions of cents")).files[0].reasons == found.reasons
