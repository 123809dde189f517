"""SWE-PolyBench: pass rates, strata, bootstrap and sets, recomputed from the paper's formulas."""

import json
import random
from collections import Counter
from pathlib import Path
from statistics import fmean, stdev

import msgspec
import pytest

from repoquarry.evaluation.polybench_instances import Instance, Prediction
from repoquarry.evaluation.polybench_instances import TestOutcome as Outcome
from repoquarry.evaluation.polybench_scoring import FolderTrees, Retrieval, score
from repoquarry.evaluation.polybench_strata import (
    choose_subset,
    describe,
    node_categories,
    standard_error,
    summarize_by_stratum,
    summary,
)
from tests.e2e.service import run_here

FUNCTION, CLASS = "a.py->module->function_definition:{}", "a.py->module->class_definition:{}"


def instance(number: int, **fields: object) -> Instance:
    given = {"repo": "a/b", "base_commit": "0", "language": "Python", "files": [f"{at}.py" for at in range(number)]}
    return msgspec.convert({**given, "instance_id": f"i{number}", **fields}, Instance)


def test_missing_predictions_and_untested_instances_fail() -> None:
    instances = [instance(number) for number in range(1, 4)]
    predictions = {f"i{number}": Prediction(instance_id=f"i{number}", model_patch="x") for number in (1, 2)}
    outcomes = {f"i{number}": Outcome(instance_id=f"i{number}", resolved=True) for number in (1, 3)}
    found = summary(score(instances, predictions, outcomes=outcomes))
    # equation 1: the sum of t over the set, of which i2 has no outcome and i3 no prediction
    assert (found["pass_rate"], found["share_tested"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert summary(score(instances, predictions))["pass_rate"] is None


@pytest.mark.parametrize(
    ("passed", "failed", "resolved"),
    [(["f", "p"], [], True), (["f"], ["p"], False), (["p"], ["f"], False), (["f", "p"], ["p"], False), ([], [], True)],
)
def test_all_listed_tests_have_to_pass(passed: list[str], failed: list[str], resolved: bool) -> None:
    outcome = Outcome(instance_id="i1", resolved=True, passed_tests=tuple(passed), failed_tests=tuple(failed))
    assert outcome.resolves(instance(1, F2P=None, failing_tests=["f"], passing_tests=["p"])) is resolved


def test_a_locator_has_no_pass_rate_and_no_nodes(tmp_path: Path) -> None:
    located = {"i1": Prediction(instance_id="i1", files=("0.py",), input_tokens=10)}
    rows = score([instance(1)], located, trees=FolderTrees(tmp_path), outcomes={})
    found = summary(rows)
    assert (found["pass_rate"], found["nodes"], found["published_nodes"]) == (None, None, None)
    assert (found["files"], found["input_tokens"]) == ({"recall": 1, "precision": 1, "f1": 1, "instances": 1}, 10)


@pytest.mark.parametrize(
    ("nodes", "categories"),
    [
        (None, ["unknown"]),
        ([], ["None"]),
        ([FUNCTION.format("f")], ["Func. only", "Single Func."]),
        ([FUNCTION.format("f"), FUNCTION.format("g")], ["Func. only"]),
        ([CLASS.format("C")], ["Class only", "Single Class"]),
        ([CLASS.format("C"), CLASS.format("D")], ["Class only"]),
        ([CLASS.format("C"), FUNCTION.format("f")], ["Mixed"]),
        (["C.java->program->class_declaration:C->method_declaration:m"], ["Func. only", "Single Func."]),
    ],
)
def test_node_change_categories(nodes: list[str] | None, categories: list[str]) -> None:
    assert node_categories(instance(1, modified_nodes=nodes)) == categories


def test_strata_recomputed_by_modified_files() -> None:
    draw = random.Random(7)
    instances = [instance(number, instance_id=f"{number}-{at}") for number in range(1, 8) for at in range(20)]
    solved = {one.instance_id: draw.random() < 0.4 for one in instances}
    predictions = {name: Prediction(instance_id=name, model_patch="x") for name in solved}
    outcomes = {name: Outcome(instance_id=name, resolved=is_solved) for name, is_solved in solved.items()}
    found = summarize_by_stratum(score(instances, predictions, outcomes=outcomes))["files"]
    groups: dict[str, list[bool]] = {}
    for one in instances:
        groups.setdefault("5+" if len(one.files) > 4 else str(len(one.files)), []).append(solved[one.instance_id])
    assert {name: row["pass_rate"] for name, row in found.items()} == pytest.approx(
        {name: sum(results) / len(results) for name, results in groups.items()}
    )


def test_the_standard_error_is_that_of_a_bootstrap() -> None:
    draw, results = random.Random(3), [True] * 30 + [False] * 70
    rates = [fmean(draw.choices(results, k=100)) for _ in range(2000)]
    assert standard_error(results) == pytest.approx(stdev(rates), rel=0.08)
    assert standard_error(results) == standard_error(results[::-1]), "the seed is fixed"
    # table 3: Aider with Sonnet 3.5 solves 24.1 % of 199 Python instances, with an error of 3.05
    assert 100 * standard_error([True] * 48 + [False] * 151) == pytest.approx(3.05, abs=0.1)


def test_one_bad_instance_is_one_named_failure(tmp_path: Path) -> None:
    for name in ("i1", "i2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("def f():\n    return 1\n")
        (tmp_path / name / "b.png").write_bytes(b"\x89PNG\x00")
    binary = "diff --git a/b.png b/b.png\nindex 1111111..2222222 100644\nBinary files a/b.png and b/b.png differ\n"
    hunk = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return {}\n+    return 9\n"
    )
    right = hunk.format(1)
    instances = [instance(1, patch=hunk.format(5)), instance(2, patch=binary + right), instance(3, patch=right)]
    predictions = {f"i{number}": Prediction(instance_id=f"i{number}", model_patch=right) for number in (1, 2, 3)}
    bad, good, lost = score(instances, predictions, trees=FolderTrees(tmp_path))
    assert "accepted fix: the patch does not apply" in bad.problem
    assert "missing tree" in lost.problem
    assert (bad.nodes, lost.nodes) == (None, None)
    assert good.problem == ""
    assert good.nodes is not None
    assert good.nodes.f1 == 1.0, "git refuses the binary file, which has no nodes; the rest is applied"


def test_patches_apply_as_upstream_does(tmp_path: Path) -> None:
    (tmp_path / "i1").mkdir()
    lines = [f"line {at}" for at in range(9)]
    (tmp_path / "i1" / "a.py").write_text("def f(a,  b):\n    return 1\n" + "\n".join(lines) + "\n")
    spaces = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f(a, b):\n-    return 1\n+    return 2\n"
    fuzzy = "--- a/a.py\n+++ b/a.py\n@@ -3,3 +3,3 @@\n line 0\n-line 1\n+line one\n other context\n"
    for patch in (spaces, fuzzy):
        fix = instance(1, patch=f"diff --git a/a.py b/a.py\n{patch}", modified_nodes=[])
        (row,) = score([fix], {"i1": Prediction(instance_id="i1", model_patch=fix.patch)}, trees=FolderTrees(tmp_path))
        assert row.problem == ""


def test_a_renamed_file_has_its_old_name_everywhere(tmp_path: Path) -> None:
    (tmp_path / "i1").mkdir()
    (tmp_path / "i1" / "old.py").write_text("def f():\n    return 1\n")
    patch = (
        "diff --git a/old.py b/new.py\nsimilarity index 50%\nrename from old.py\nrename to new.py\n"
        "--- a/old.py\n+++ b/new.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"
    )
    located = Prediction(instance_id="i1", files=("old.py",), nodes=("old.py:f",))
    (row,) = score([instance(1, patch=patch)], {"i1": located}, trees=FolderTrees(tmp_path))
    assert row.files == row.nodes == Retrieval(1.0, 1.0, 1.0)


def many() -> list[Instance]:
    draw = random.Random(1)
    return [
        instance(
            1 + number % 3,
            instance_id=f"x{number}",
            repo=f"{language}/{draw.choice('aaaabbc')}",
            language=language,
            task_category=draw.choice(["Bug Fix"] * 6 + ["Feature"] * 3 + ["Refactoring"]),
            modified_nodes=[FUNCTION.format(at) for at in range(number % 3)],
        )
        for number, language in enumerate(["Java", "Python", "TypeScript", "JavaScript"] * 60)
    ]


def test_tables_1_and_2_recomputed() -> None:
    found, java = describe(many()), [one for one in many() if one.language == "Java"]
    assert found["java"]["modified_files"] == fmean(len(one.files) for one in java)
    assert found["java"]["nodes"] == fmean(len(one.modified_nodes or ()) for one in java)
    assert found["java"]["node_changes"]["None"] == 100 * sum(not one.modified_nodes for one in java) / len(java)
    bugs = sum(one.task_category == "Bug Fix" for one in many())
    assert found["all"]["categories"]["Bug Fix"] == 100 * bugs / 240
    mixed = [
        instance(1, modified_nodes=[CLASS.format("C"), FUNCTION.format("f"), FUNCTION.format("g")]),
        instance(2, modified_nodes=[CLASS.format("D"), CLASS.format("E"), CLASS.format("F")]),
    ]
    counts = describe(mixed)["all"]
    assert (counts["functions"], counts["classes"], counts["nodes"]) == (1.0, 2.0, 3.0)


def test_a_subset_has_both_margins_and_all_repositories() -> None:
    chosen, lacking = choose_subset(many(), 20)
    assert Counter(one.language for one in chosen) == dict.fromkeys(("Java", "Python", "TypeScript", "JavaScript"), 20)
    # row PB500 of table 1: 51.00, 36.80 and 12.20 %
    assert Counter(one.task_category for one in chosen) == {"Bug Fix": 41, "Feature": 29, "Refactoring": 10}
    assert ({one.repo for one in chosen}, lacking) == ({one.repo for one in many()}, [])
    assert chosen == choose_subset(many(), 20).instances


def published_margins() -> list[Instance]:
    """A set with the published numbers of languages and of categories (table 1: 1,572, 463, 62 and 13 of 2,110)."""
    languages = ["Java"] * 165 + ["JavaScript"] * 1_017 + ["TypeScript"] * 729 + ["Python"] * 199
    categories = ["Bug Fix"] * 1_572 + ["Feature"] * 463 + ["Refactoring"] * 62 + ["Testing"] * 13
    random.Random(5).shuffle(categories)
    return [
        instance(1, instance_id=f"p{at}", repo=f"{language}/{at % 4}", language=language, task_category=category)
        for at, (language, category) in enumerate(zip(languages, categories, strict=True))
    ]


def test_pb500_can_be_drawn_from_the_published_margins() -> None:
    chosen, lacking = choose_subset(published_margins())
    assert Counter(one.task_category for one in chosen) == {"Bug Fix": 255, "Feature": 184, "Refactoring": 61}
    assert set(Counter(one.language for one in chosen).values()) == {125}
    assert lacking == []


def test_subset_uses_available_instances_and_names_missing_ones() -> None:
    few = [one for one in published_margins() if one.task_category != "Refactoring" or one.language == "Java"]
    chosen, lacking = choose_subset(few)
    refactorings = sum(one.task_category == "Refactoring" for one in few)
    assert f"Refac.: {refactorings} of 61 instances" in lacking
    assert sum(one.task_category == "Refactoring" for one in chosen) == refactorings


def test_strata_by_size_of_the_repository_and_informativeness(tmp_path: Path) -> None:
    (tmp_path / "i1" / ".git").mkdir(parents=True)
    for name in ("a.py", "b.py", ".git/index"):
        (tmp_path / "i1" / name).write_text("")
    labels = {"descriptiveness": "A", "location": "D"}
    rows = score([instance(1, informativeness=labels), instance(2, repo="c/d")], {}, trees=FolderTrees(tmp_path))
    assert [row.tree_files for row in rows] == [2, None]
    strata = summarize_by_stratum(rows)
    assert set(strata["size"]) == {"below 1,000 files", "unknown"}
    assert set(strata["informativeness"]) == {"descriptiveness A", "location D", "unknown"}


def test_the_command_describes_and_cuts_a_set(tmp_path: Path) -> None:
    file, subset = tmp_path / "all.jsonl", tmp_path / "subset.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in many()))
    done = run_here(tmp_path / "store", "evaluate", "polybench", "--instances", str(file), "--describe")
    assert "all: 240 instances, 12 repositories, 2.00 files modified" in done.stdout, done.stderr
    done = run_here(
        tmp_path / "store", "evaluate", "polybench", "--instances", str(file), "--subset", str(subset), "--per-language", "5"
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Counter(json.loads(line)["language"] for line in subset.read_text().splitlines()).total() == 20
