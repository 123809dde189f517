"""Runs of tests of SWE-PolyBench instances: before and after a fix, and commands that do not start."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation.polybench_instances import Instance, Prediction, read_outcomes
from repoquarry.evaluation.polybench_scoring import derive_tests, run_instances, score
from repoquarry.evaluation.polybench_strata import summary
from repoquarry.execution.errors import TaskRejectedError
from repoquarry.execution.settings import WorkspaceSettings
from tests.e2e.service import run_here

_FIX = "--- a/shop.sh\n+++ b/shop.sh\n@@ -1,1 +1,1 @@\n-PRICE=2\n+PRICE=3\n"
_TESTS = """--- /dev/null
+++ b/run.sh
@@ -0,0 +1,4 @@
+. ./shop.sh
+[ $PRICE = 3 ] && echo 'ok 1 - price' || echo 'not ok 1 - price'
+echo 'ok 2 - name'
+echo 'not ok 3 - broken'
"""
_AGENT = replace(AgentSettings(), workspace=WorkspaceSettings(isolation="none"))


def shop(command: str = "sh run.sh") -> Instance:
    return Instance(
        instance_id="i1", repo="a/shop", base_commit="0", patch=_FIX, test_patch=_TESTS, test_command=command
    )


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    (tmp_path / "trees" / "i1").mkdir(parents=True)
    (tmp_path / "trees" / "i1" / "shop.sh").write_text("PRICE=2\n")
    return tmp_path / "trees"


def test_f2p_and_p2p_come_from_a_run_before_and_a_run_after(trees: Path) -> None:
    said: list[str] = []
    (derived,) = derive_tests([shop()], trees, _AGENT, said.append)
    assert (len(derived.failing_tests), len(derived.passing_tests)) == (1, 1)
    assert "price" in derived.failing_tests[0]
    assert "name" in derived.passing_tests[0]
    assert said == ["i1: F2P 1, P2P 1"]


def test_a_readable_folder_that_is_missing_is_reported(trees: Path) -> None:
    agent = replace(_AGENT, workspace=replace(_AGENT.workspace, readable=('["/opt/tests"]',)))
    with pytest.raises(TaskRejectedError, match=r"agent\.workspace\.readable"):
        list(derive_tests([shop()], trees, agent, print))


def test_an_instance_without_f2p_is_left_out(trees: Path) -> None:
    said: list[str] = []
    assert not list(derive_tests([shop("sh run.sh | grep -v price")], trees, _AGENT, said.append))
    assert not list(derive_tests([shop("./missing-program")], trees, _AGENT, said.append))
    assert said[0] == "i1: F2P 0, P2P 1"
    assert "untested, no test has a result" in said[1]


@pytest.mark.parametrize("command", ["./missing-program", "exit 3", "true", ""])
def test_a_command_without_results_is_untested_and_has_a_problem(trees: Path, tmp_path: Path, command: str) -> None:
    instance, predictions = shop(command), {"i1": Prediction(instance_id="i1", model_patch=_FIX)}
    said: list[str] = []
    run_instances([instance], predictions, trees, tmp_path / "out", _AGENT, said.append)
    rows = score([instance], predictions, outcomes=read_outcomes(tmp_path / "out"))
    assert (summary(rows)["tested"], summary(rows)["pass_rate"]) == (0, 0.0)
    assert rows[0].problem
    assert said[0].startswith("i1: untested, ")
    # A repaired command is tried again, without deleting results.
    run_instances([shop()], predictions, trees, tmp_path / "out", _AGENT, said.append)
    assert read_outcomes(tmp_path / "out")["i1"].problem == ""


def test_the_command_writes_instances_with_their_derived_tests(trees: Path, tmp_path: Path) -> None:
    file, derived = tmp_path / "all.jsonl", tmp_path / "derived.jsonl"
    file.write_bytes(msgspec.json.encode(shop()) + b"\n")
    done = run_here(
        tmp_path / "store", "evaluate", "polybench", "--instances", str(file), "--trees", str(trees), "--derive", str(derived),
        REPOQUARRY_AGENT_WORKSPACE_ISOLATION="none",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, derived.read_text().splitlines())
    assert (len(row["F2P"]), len(row["P2P"])) == (1, 1)
