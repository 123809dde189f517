"""SWE-PolyBench's figures: the published rules with their peculiarities, and the corrected ones."""

import json
from difflib import unified_diff
from pathlib import Path

import pytest

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation import polybench_instances, polybench_nodes
from repoquarry.evaluation.polybench_instances import Instance, Prediction, read_instances
from repoquarry.evaluation.polybench_scoring import FolderTrees, Retrieval, compare, score
from repoquarry.evaluation.polybench_strata import summarize_by_stratum, summary
from tests.e2e.service import run_here, succeed

TILL = "class Till:\n    def open(self):\n        return 1\n\n    def close(self):\n        return 2\n\n\ndef audit():\n    return 3\n"
NEW_FILE = """diff --git a/notes/new.py b/notes/new.py
new file mode 100644
index 0000000..1269488
--- /dev/null
+++ b/notes/new.py
@@ -0,0 +1,2 @@
+def note():
+    return 4
"""


def changed(*replaced: tuple[str, str]) -> str:
    """A diff of the till with some of its text replaced."""
    after = TILL
    for old, new in replaced:
        after = after.replace(old, new, 1)
    lines = unified_diff(TILL.splitlines(True), after.splitlines(True), "a/till.py", "b/till.py")
    return "diff --git a/till.py b/till.py\n" + "".join(lines)


FIX = changed(("return 1", "return 10")) + NEW_FILE
GUESS = changed(("return 1", "return 11"), ("return 2", "return 12"))


@pytest.fixture
def trees(tmp_path: Path) -> FolderTrees:
    (tmp_path / "trees" / "shop-1").mkdir(parents=True)
    (tmp_path / "trees" / "shop-1" / "till.py").write_text(TILL)
    return FolderTrees(tmp_path / "trees")


INSTANCE = Instance(
    instance_id="shop-1",
    repo="acme/shop",
    base_commit="0" * 40,
    language="Python",
    task_category="Bug Fix",
    patch=FIX,
    modified_nodes=("till.py->module->class_definition:Till->function_definition:open",),
)


def test_a_new_file_has_its_name_and_in_the_published_rules_none() -> None:
    parsed = polybench_instances.parse(FIX)
    assert parsed.touched == {"till.py", "notes/new.py"}
    assert parsed.header_paths == {"till.py", "/dev/null"}
    assert parsed.files[0].removed_lines == parsed.files[0].added_lines == {3}


def test_scores_of_a_patch(trees: FolderTrees) -> None:
    (row,) = score([INSTANCE], {"shop-1": Prediction(instance_id="shop-1", model_patch=GUESS)}, trees=trees)
    assert row.problem == ""
    assert row.files == row.published_files == Retrieval(0.5, 1.0, 2 / 3)
    assert row.nodes is not None
    assert (row.nodes.recall, row.nodes.precision) == (0.5, 0.5), "open and note are right; open and close were changed"
    assert row.published_nodes is not None
    assert (row.published_nodes.recall, row.published_nodes.precision) == (1.0, 0.5), "new files are not looked into"


def test_a_missing_prediction_scores_nothing_and_places_count_as_files(trees: FolderTrees) -> None:
    (missing,) = score([INSTANCE], {}, trees=trees)
    assert missing.files == Retrieval(0.0, 0.0, 0.0)
    located = Prediction(instance_id="shop-1", files=("till.py", "notes/new.py"), nodes=("till.py:Till.open",))
    (row,) = score([INSTANCE], {"shop-1": located}, trees=trees)
    assert row.files == Retrieval(1.0, 1.0, 1.0)
    assert row.nodes is not None
    assert (row.nodes.recall, row.nodes.precision) == (0.5, 1.0)


def test_a_patch_that_does_not_apply_says_so(trees: FolderTrees) -> None:
    wrong = GUESS.replace("-        return 1\n", "-        return 7\n", 1)
    (row,) = score([INSTANCE], {"shop-1": Prediction(instance_id="shop-1", model_patch=wrong)}, trees=trees)
    assert "does not apply" in row.problem
    assert row.published_nodes is not None
    assert row.published_nodes.f1 == 0


def test_a_patch_cannot_leave_the_tree(trees: FolderTrees) -> None:
    away = GUESS.replace("till.py", "../../till.py")
    (row,) = score([INSTANCE], {"shop-1": Prediction(instance_id="shop-1", model_patch=away)}, trees=trees)
    assert row.problem


JAVA = (
    b"class Till {\n  Till() { }\n  List<Coin> coins() {\n    return null;\n  }\n"
    b"  class Drawer {\n    void pull() {\n      run(() -> {\n      });\n    }\n  }\n}\n"
)
TYPESCRIPT = (
    b"export const total = (a: number) =>\n  a + 1;\n\nexport class Till {\n  open(): void {\n    go();\n  }\n}\n"
    b"const table = {\n  pay: function () {\n    return 1;\n  },\n};\nexport default function () {\n  return 2;\n}\n"
)


def test_published_nodes_keep_their_peculiarities() -> None:
    of = polybench_nodes.published_nodes_of_lines
    (constructor,) = of("T.java", JAVA, [2])
    assert constructor == "T.java->program->class_declaration:Till->constructor_declaration:Till"
    (method,) = of("T.java", JAVA, [4])
    assert method.endswith("->method_declaration:coins"), (
        "a generic type is no identifier, a plain one would be in the name"
    )
    (nested,) = of("T.java", JAVA, [8])
    assert nested.endswith("class_declaration:Till->class_declaration:Drawer->method_declaration:pull")
    assert of("t.ts", TYPESCRIPT, [2]) == frozenset(), "functions as values are not seen"
    assert of("t.ts", TYPESCRIPT, [11]) == frozenset(), "nor the function of a pair"
    assert of("t.tsx", TYPESCRIPT, [6]) == frozenset(), "nor TSX at all"
    with pytest.raises(polybench_nodes.UnnamedNodeError, match="line 2"):
        of("t.js", b"class A {\n  'by text'() {\n  }\n}\n", [2])
    assert of("t.py", b"def f():\n    return 1", [2]) == frozenset(), "the last line of a file without a line break"


def test_corrected_nodes() -> None:
    of = polybench_nodes.corrected_nodes_of_lines
    assert of("T.java", JAVA, [2, 4, 8, 1]) == {
        "T.java:Till.Till",
        "T.java:Till.coins",
        "T.java:Till.Drawer.pull",
        "T.java:Till",
    }
    assert of("t.ts", TYPESCRIPT, [2, 6]) == {"t.ts:total", "t.ts:Till.open"}
    assert of("t.ts", TYPESCRIPT, [11]) == {"t.ts:pay"}
    assert of("t.ts", TYPESCRIPT, [15]) == {"t.ts:default"}
    assert of("t.tsx", TYPESCRIPT, [6]) == {"t.tsx:Till.open"}
    assert of("t.mjs", b"export class A {\n  #hidden() {\n  }\n}\n", [2]) == {"t.mjs:A.#hidden"}
    old = b"Till.prototype.pay = function () {\n  return 1;\n};\nexports.open = function () {\n};\n"
    assert of("t.js", old, [2, 5]) == {"t.js:Till.pay", "t.js:open"}
    assert of("t.py", b"def f():\n    return 1", [2]) == {"t.py:f"}
    assert of("t.py", b"x = 1\n", [1]) == frozenset()


def test_sets_are_compared_as_scikit_learn_does() -> None:
    assert compare(["a"], ["a", "b"]) == compare({"a"}, {"a", "b"})
    assert compare(["a"], []).precision == 0.0
    assert compare([], ["a"]).recall == 0.0
    found = compare(["a", "b", "c"], ["a", "d"])
    assert (found.recall, found.precision, found.f1) == (1 / 3, 1 / 2, 2 / 5)


def test_strata_and_pass_rates(trees: FolderTrees) -> None:
    rows = score([INSTANCE], {"shop-1": Prediction(instance_id="shop-1", model_patch=FIX)}, trees=trees)
    assert summary(rows)["pass_rate"] is None
    strata = summarize_by_stratum(rows)
    assert {name: [*groups] for name, groups in strata.items()} == {
        "language": ["python"],
        "category": ["Bug Fix"],
        "repository": ["acme/shop"],
        "files": ["2"],
        "nodes": ["Func. only", "Single Func."],
        "size": ["below 1,000 files"],
    }
    assert summary(rows)["nodes"] == {"recall": 1.0, "precision": 1.0, "f1": 1.0, "instances": 1}


def test_lists_may_be_written_as_text(tmp_path: Path) -> None:
    file = tmp_path / "instances.jsonl"
    row = {
        "instance_id": "a",
        "repo": "b/c",
        "base_commit": "d",
        "F2P": "['t1', 't2']",
        "modified_nodes": '["x"]',
        "extra": 1,
    }
    file.write_text(json.dumps(row) + "\n")
    (instance,) = read_instances(file)
    assert (instance.failing_tests, instance.modified_nodes) == (("t1", "t2"), ("x",))
    file.write_text('{"instance_id": 1}\n')
    with pytest.raises(EvaluationError, match=r"instances\.jsonl:1"):
        read_instances(file)


def test_the_command_scores_and_writes_the_benchmarks_files(tmp_path: Path, trees: FolderTrees) -> None:
    fields = {name: getattr(INSTANCE, name) for name in ("instance_id", "repo", "base_commit", "language", "patch")}
    instances, predictions = tmp_path / "i.jsonl", tmp_path / "p.jsonl"
    instances.write_text(json.dumps({**fields, "modified_nodes": list(INSTANCE.modified_nodes or ())}) + "\n")
    predictions.write_text(json.dumps({"instance_id": "shop-1", "model_patch": GUESS}) + "\n")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "shop-1_result.json").write_text('{"instance_id": "shop-1", "resolved": true}')
    done = succeed(
        tmp_path / "store", "evaluate", "polybench", "--instances", str(instances), "--predictions", str(predictions),
        "--trees", str(trees.root), "--outcomes", str(tmp_path / "results"), "--output", str(tmp_path / "out"), "--json",
    )  # fmt: skip
    assert json.loads(done.stdout)["all"]["pass_rate"] == 1.0
    written = json.loads((tmp_path / "out" / "shop-1_metrics.json").read_text())
    assert written["file_retrieval_metrics"] == {"recall": 0.5, "precision": 1.0, "f1": 2 / 3}
    assert written["reference_nodes"] == sorted(INSTANCE.modified_nodes or ())
    (right,) = INSTANCE.modified_nodes or ()
    assert written["predicted_nodes"] == sorted([right, right.replace(":open", ":close")])
    wrong = run_here(
        tmp_path / "store", "evaluate", "other", "--instances", str(instances), "--predictions", str(predictions)
    )
    assert wrong.returncode == 2
    assert "polybench" in wrong.stderr
