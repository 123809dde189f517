"""Owners of a file, a definition, a folder, from the commits of git."""

from pathlib import Path

import pytest

from repoquarry.graphstore.storage.git_history import Commit, GitHistory
from tests.e2e.service import run_here, run_json, succeed
from tests.source_trees import git

YEAR = 365 * 86_400


@pytest.fixture(scope="module")
def bank_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a repository of two people."""
    folder = tmp_path_factory.mktemp("owned")
    root = folder / "bank"
    (root / "inner").mkdir(parents=True)

    def commit(author: str, file: str, text: str, year: int) -> None:
        (root / file).write_text(text)
        git(root, "add", "-A")
        names = {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": f"{author[:2]}@x.org"}
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{year}-05-01T12:00:00Z")
        git(root, "commit", "-q", "-m", "change", **names, **dates)

    git(root, "init", "-q", "-b", "main")
    commit("Ada \x1b[31m", "a.py", "def pay():\n    return 1\n", 2020)
    commit("Ada \x1b[31m", "a.py", "def pay():\n    return 2\n", 2020)
    commit("Bo", "a.py", "def pay():\n    return 3\n", 2022)
    commit("Cy", "inner/b.py", "def lend():\n    return 1\n", 2022)
    succeed(folder / "store", "index", str(root))
    return folder / "store"


def owners(store: Path, name: str) -> dict[str, int]:
    (meaning,) = run_json(store, "show", name, "--owners")["meanings"]
    return {owner["name"]: int(owner["commits"]) for owner in meaning["owners"]}


def test_owners_of_a_definition_a_file_a_folder(bank_store: Path) -> None:
    names = list(owners(bank_store, "pay"))
    assert names[0] == "Bo"  # two years later counts for four of Ada's
    assert sorted(owners(bank_store, "a.py").values()) == [1, 2]
    query = "MATCH (m:Module) WHERE date(m.last_changed).year = 2022 RETURN m.owner AS owner ORDER BY owner"
    assert run_json(bank_store, "query", query)["rows"] == [["Bo"], ["Cy"]]
    assert owners(bank_store, "bank:inner") == owners(bank_store, "lend") == {"Cy": 1}
    text = run_here(bank_store, "show", "pay", "--owners").stdout
    assert "Bo" in text
    assert "2022-05-01" in text
    assert "\x1b" not in text
    assert "based on bank@" in text


def test_shares_halve_every_year_and_sweeping_commits_say_nothing() -> None:
    paths = [f"f{n}.py" for n in range(300)]
    commits = [
        Commit("3", 2 * YEAR, "new", (0,), "Ada"),
        Commit("2", YEAR, "sweep", tuple(range(300)), "Bot"),
        Commit("1", 0, "old", (0, 1), "Bo"),
        Commit("0", 0, "old", (0,), "Bo"),
    ]
    found = GitHistory.decode(GitHistory(paths, commits).encode()).owners(["f0.py"])
    assert [(owner.name, owner.commits, owner.last_time) for owner in found] == [("Ada", 1, 2 * YEAR), ("Bo", 2, 0)]
    assert found[0].share == pytest.approx(1 / 1.5)
    assert GitHistory(paths, commits).owners(["none.py"]) == []


def test_owners_and_relationships_exclude_each_other(bank_store: Path) -> None:
    done = run_here(bank_store, "show", "pay", "--owners", "--callers")
    assert (done.returncode, "--owners" in done.stderr) == (2, True)
