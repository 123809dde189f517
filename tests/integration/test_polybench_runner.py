"""Runner of SWE-PolyBench instances in the four languages of the benchmark, each with a right, a wrong and a broken prediction."""

import difflib
import json
import shutil
from pathlib import Path

import pytest

from repoquarry.evaluation.polybench_scoring import read_results
from tests.e2e.service import run_here
from tests.source_trees import write_tree

_NODE_TEST = """const test = require("node:test");
const assert = require("node:assert");
const {{ add, name }} = require("../{file}");
test("adds", () => assert.equal(add(1, 2), 3));
test("has a name", () => assert.equal(name, "adder"));
"""
_PYTHON_TEST = """import unittest
from adder import add, name


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_name(self):
        self.assertEqual(name, "adder")
"""
_JAVA_TEST = """public class AdderTest {
    public static void main(String[] arguments) {
        System.out.println((Adder.add(1, 2) == 3 ? "ok" : "not ok") + " 1 - adds");
        System.out.println((Adder.NAME.equals("adder") ? "ok" : "not ok") + " 2 - has a name");
    }
}
"""
_PYTHON = 'name = "adder"\n\n\ndef add(a, b):\n    return a - b\n'
_NODE = 'exports.name = "adder";\nexports.add = (a, b) => a - b;\n'
_JAVA = 'class Adder {\n    static final String NAME = "adder";\n    static int add(int a, int b) {\n        return a - b;\n    }\n}\n'
# Language, program, file, its content, file of tests, its content, command, F2P, P2P.
_CASES = {
    "Python": (
        "python3", "adder.py", _PYTHON, "test_adder.py", _PYTHON_TEST, "python3 -m unittest -v test_adder",
        "test_add (test_adder.Adding.test_add)", "test_name (test_adder.Adding.test_name)",
    ),
    "JavaScript": (
        "node", "adder.js", _NODE, "test/adder.test.js", _NODE_TEST.format(file="adder.js"),
        "node --test --test-reporter=tap test/adder.test.js", "adds", "has a name",
    ),
    "TypeScript": (
        "node", "adder.ts", _NODE, "test/adder.test.js", _NODE_TEST.format(file="adder.ts"),
        "node --test --test-reporter=tap test/adder.test.js", "adds", "has a name",
    ),
    "Java": (
        "javac", "Adder.java", _JAVA, "AdderTest.java", _JAVA_TEST,
        "javac -d out Adder.java AdderTest.java && java -cp out AdderTest", "adds", "has a name",
    ),
}  # fmt: skip


def _diff(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"a/{path}" if before else "/dev/null",
        f"b/{path}",
    )
    return f"diff --git a/{path} b/{path}\n" + ("" if before else "new file mode 100644\n") + "".join(lines)


@pytest.mark.parametrize("language", _CASES)
def test_predictions_are_run_and_scored(tmp_path: Path, language: str) -> None:
    program, path, source, test_path, tests, command, failing, passing = _CASES[language]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    fix = _diff(path, source, source.replace("a - b", "a + b"))
    patches = {
        "right": fix,
        "wrong": _diff(path, source, source.replace("a - b", "a * b")),
        "broken": fix.replace(" - b", " % b"),
    }
    rows = [
        {
            "instance_id": name, "repo": "a/adder", "base_commit": "0", "language": language, "patch": fix,
            "test_patch": _diff(test_path, "", tests), "test_command": command, "F2P": [failing], "P2P": [passing],
        }
        for name in (*patches, "missing")
    ]  # fmt: skip
    for name in patches:
        write_tree(tmp_path / "trees" / name, {path: source})
    instances, predictions = tmp_path / "instances.jsonl", tmp_path / "predictions.jsonl"
    instances.write_text("".join(json.dumps(row) + "\n" for row in rows))
    predictions.write_text("".join(json.dumps({"instance_id": n, "model_patch": p}) + "\n" for n, p in patches.items()))
    done = run_here(
        tmp_path / "store", "evaluate", "polybench", "--instances", str(instances), "--predictions", str(predictions), "--run",
        "--trees", str(tmp_path / "trees"), "--outcomes", str(tmp_path / "out"), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "right: resolved, 2 passed, 0 failed" in done.stderr, (tmp_path / "out" / "right_result.log").read_text()
    assert "wrong: not resolved, 1 passed, 1 failed" in done.stderr
    assert "broken: not resolved, 0 passed, 0 failed" in done.stderr
    assert "does not apply" in (tmp_path / "out" / "broken_result.log").read_text()
    found = json.loads(done.stdout)["all"]
    assert (found["instances"], found["pass_rate"], found["share_tested"]) == (4, 0.25, 0.75)
    wrong = json.loads((tmp_path / "out" / "wrong_result.json").read_text())
    assert (wrong["resolved"], wrong["passed_tests"], wrong["failed_tests"]) == (False, [passing], [failing])
    # The tree itself is untouched.
    assert (tmp_path / "trees" / "right" / path).read_text() == source


@pytest.mark.parametrize(
    ("log", "passed", "failed"),
    [
        (
            "tests/a.py::test_x PASSED [ 50%]\ntests/a.py::test_y[1 2] FAILED [100%]",
            ["tests/a.py::test_x"],
            ["tests/a.py::test_y[1 2]"],
        ),
        (
            "PASSED tests/a.py::test_x\nFAILED tests/a.py::test_y - AssertionError",
            ["tests/a.py::test_x"],
            ["tests/a.py::test_y"],
        ),
        ("  ✓ adds numbers (5 ms)\n  ✕ fails (1 ms)", ["adds numbers"], ["fails"]),
        ("    ✔ adds\n    1) subtracts", ["adds"], ["subtracts"]),
        (
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in a.GoodTest\n"
            "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in a.BadTest",
            ["a.GoodTest"],
            ["a.BadTest"],
        ),
        ("GoodTest > adds() PASSED\nBadTest > adds() FAILED", ["GoodTest > adds()"], ["BadTest > adds()"]),
        ("|   +-- adds() [OK]\n|   '-- fails() [X] expected: <1>", ["adds()"], ["fails()"]),
        (
            " \x1b[32m✓\x1b[39m a.test.ts\x1b[2m > \x1b[22madds\x1b[32m 9\x1b[2mms\x1b[22m\x1b[39m",
            ["a.test.ts > adds"],
            [],
        ),
        ("ok 1 - once\nnot ok 2 - once", [], ["once"]),
        ("nothing", [], []),
    ],
)
def test_results_of_test_runners_are_read(log: str, passed: list[str], failed: list[str]) -> None:
    assert read_results(log) == (passed, failed)
