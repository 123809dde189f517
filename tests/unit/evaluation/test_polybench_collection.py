"""Instances that are collected from the history of a repository: which changes are candidates, and which have an F2P."""

import json
from collections import Counter
from pathlib import Path

import pytest

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation.polybench_collection import (
    check_out,
    collect_candidates,
    is_test_path,
    open_history,
    read_changes,
    read_issues,
)
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import RepositorySource
from tests.e2e.service import run_here
from tests.source_trees import commit_tree, git, write_tree

_RUN = """
. ./shop.sh
[ $PRICE = {price} ] && echo 'ok 1 - price' || echo 'not ok 1 - price'
echo 'ok 2 - name'
"""


def commit(root: Path, message: str, files: dict[str, str]) -> None:
    commit_tree(write_tree(root, files), message)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    commit(
        root,
        "Open the shop",
        {"price.py": "# 2\n", "shop.sh": "PRICE=2\n", "tests/run.sh": _RUN.format(price=2), "tests/test_price.py": ""},
    )
    commit(
        root,
        "Raise the price, fixes #1",
        {
            "price.py": "# 3\n",
            "shop.sh": "PRICE=3\n",
            "tests/run.sh": _RUN.format(price=3),
            "tests/test_price.py": "# 3\n",
        },
    )
    commit(root, "Describe the price, closes a/shop#2", {"price.py": "# three\n", "tests/test_price.py": "# three\n"})
    commit(root, "Tidy up", {"price.py": "# 3!\n", "tests/test_price.py": "# 3!\n"})
    commit(root, "Fix #3 without a test", {"price.py": "# 3?\n"})
    commit(
        root,
        "Resolves https://host.example/a/shop/issues/4",
        {"discount.py": "", "tests/test_price.py": "import discount\n"},
    )
    commit(root, "Fixes: #5 in the tests alone", {"tests/test_price.py": "# 5\n"})
    git(root, "checkout", "-q", "-b", "side")
    commit(root, "Name the price (closes #6)", {"price.py": "# named\n", "tests/test_price.py": "# named\n"})
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge pull request #7", "side")
    return root


def collect(root: Path, issues: dict[int, str] | None = None) -> tuple[dict[str, str], Counter[str]]:
    dropped = Counter[str]()
    found = collect_candidates(root, "shop", read_changes(root, 100), issues, "run {tests}", dropped)
    return {one.problem_statement: one.test_command for one in found}, dropped


def test_candidates_close_an_issue_and_change_code_and_tests(shop: Path) -> None:
    found, dropped = collect(shop)
    assert list(found) == [
        "Merge pull request #7\n\nName the price (closes #6)",
        "Describe the price, closes a/shop#2",
        "Raise the price, fixes #1",
    ]
    assert dropped == {"no issue": 1, "no tests": 1, "tests of a new file": 1, "no code": 1}
    assert found["Raise the price, fixes #1"] == "run tests/test_price.py"


def test_the_text_is_that_of_the_issue_where_issues_are_given(shop: Path, tmp_path: Path) -> None:
    file = tmp_path / "issues.jsonl"
    file.write_text(
        '{"number": 1, "title": "Too cheap", "body": "It costs 2."}\n{"number": 9, "title": "x", "body": null}\n'
    )
    found, dropped = collect(shop, read_issues(file))
    assert list(found) == ["Too cheap\n\nIt costs 2."]
    assert dropped["no text of the issue"] == 5
    file.write_text('{"title": "x"}\n')
    with pytest.raises(EvaluationError, match="has no number"):
        read_issues(file)


def test_patches_are_split_into_code_and_tests_and_apply_to_the_tree(shop: Path, tmp_path: Path) -> None:
    *_, first = collect_candidates(shop, "shop", read_changes(shop, 100), None, "", Counter())
    assert "+PRICE=3" in first.patch
    assert "tests/" not in first.patch
    assert "tests/run.sh" in first.test_patch
    assert "price.py b/price.py" not in first.test_patch
    assert (first.repo, first.language) == ("shop", "python")
    (tree,) = check_out([first], shop, tmp_path / "trees", IngestSettings())
    assert (tmp_path / "trees" / tree.instance_id / "shop.sh").read_text() == "PRICE=2\n"


def test_collected_instances_list_the_nodes_of_their_fix(tmp_path: Path) -> None:
    root, code = (
        tmp_path / "till",
        "class Till:\n    def total(self):\n        return {}\n\n\ndef other():\n    return 1\n",
    )
    commit(root, "Begin", {"till.py": code.format(1), "tests/test_till.py": ""})
    commit(root, "Fix the total, fixes #1", {"till.py": code.format(2), "tests/test_till.py": "# 2\n"})
    candidates = collect_candidates(root, "till", read_changes(root, 10), None, "", Counter())
    (instance,) = check_out(candidates, root, tmp_path / "trees", IngestSettings())
    assert instance.modified_nodes == ("till.py->module->class_definition:Till->function_definition:total",)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/data/a.csv", True),
        ("src/a_test.go", True),
        ("web/a.spec.ts", True),
        ("src/latest.py", False),
        ("a.md", False),
    ],
)
def test_tests_are_told_by_the_conventions_of_languages(path: str, expected: bool) -> None:
    assert is_test_path(path) is expected


def test_a_folder_without_git_has_no_history(tmp_path: Path) -> None:
    with (
        pytest.raises(EvaluationError, match="has no history"),
        open_history(RepositorySource("folder", str(tmp_path), ""), IngestSettings()),
    ):
        pass


def test_the_command_collects_instances_with_their_tests(shop: Path, tmp_path: Path) -> None:
    store, found = tmp_path / "store", tmp_path / "found.jsonl"
    assert run_here(store, "index", str(shop)).returncode == 0
    done = run_here(
        store, "evaluate", "polybench", "--collect", "shop", "--test-command", "sh tests/run.sh", "--trees",
        str(tmp_path / "trees"), "--derive", str(found), "--json", REPOQUARRY_AGENT_WORKSPACE_ISOLATION="none",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, found.read_text().splitlines())
    assert (len(row["F2P"]), len(row["P2P"])) == (1, 1)
    assert json.loads(done.stdout)["candidates"] == 3
    assert "3 candidates of 7 changes" in done.stderr
    assert "F2P 0, P2P 2" in done.stderr
