"""Runner of SWE-PolyBench instances: a prediction and the tests of an instance in an isolated copy of its tree.

The command of an instance runs under the isolation of the settings `agent.workspace`, in a container image where
`agent.workspace.container_image` names one. Trees contain the dependencies that their tests need.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation import load_tables
from repoquarry.evaluation.polybench_instances import Instance, Prediction, TestOutcome, apply, parse
from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.processes.scratch import ScratchFolder

_LOG_CHARACTERS: Final = 4_000
_RESULTS: Final = tuple(
    (re.compile(row[kind], re.MULTILINE), kind == "passed")
    for row in load_tables("polybench")["results"]
    for kind in ("passed", "failed")
)
"""Result lines of test runners: pattern of the test's name, and whether it passed."""


def read_results(log: str) -> tuple[list[str], list[str]]:
    """Read the passed and the failed tests from a log; a test with both results failed."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    log = re.sub(r"\x1b\[[\d;]*m", "", log)  # Vitest colors its output without a terminal.
    for pattern, passed in _RESULTS:
        found[passed].update(pattern.findall(log))
    return sorted(found[True] - found[False]), sorted(found[False])


def run_instances(
    instances: Iterable[Instance],
    predictions: dict[str, Prediction],
    trees: Path,
    output: Path,
    settings: AgentSettings,
    say: Callable[[str], None],
) -> None:
    """Run each predicted instance and write its `<instance>_result.json` and log; existing results are kept.

    An instance without a prediction is not run; scoring counts it as a failure.
    """
    output.mkdir(parents=True, exist_ok=True)
    for instance in instances:
        path = output / f"{instance.instance_id}_result.json"
        prediction = predictions.get(instance.instance_id)
        if prediction is None or path.is_file():
            continue
        outcome, log = _run_instance(instance, prediction, trees / instance.instance_id, settings)
        path.with_suffix(".log").write_text(log, encoding="utf-8")
        path.write_bytes(msgspec.json.encode(outcome))
        counts = f"{len(outcome.passed_tests)} passed, {len(outcome.failed_tests)} failed"
        say(f"{instance.instance_id}: {'resolved' if outcome.resolved else 'not resolved'}, {counts}")


def _run_instance(
    instance: Instance, prediction: Prediction, tree: Path, settings: AgentSettings
) -> tuple[TestOutcome, str]:
    """Return the outcome and the end of the log; a problem before the tests is an outcome without tests."""
    if not tree.is_dir() or not instance.test_command:
        problem = f"missing tree {tree}" if not tree.is_dir() else "the instance has no test_command"
        return TestOutcome(instance_id=instance.instance_id), problem
    with ScratchFolder("polybench") as scratch:
        root = scratch / "tree"
        shutil.copytree(tree, root, symlinks=True)
        try:
            # The tests come last, so that a prediction cannot replace them.
            for text in (prediction.model_patch, instance.test_patch):
                _apply(root, text)
        except EvaluationError as error:
            return TestOutcome(instance_id=instance.instance_id), str(error)
        workspace = replace(settings.workspace, output_bytes=1 << 26)  # Results are spread over the log.
        isolation = choose_isolation(workspace.isolation, workspace.container_image)
        runner = CommandRunner(root, workspace, settings.environment, isolation, lambda: False)
        command = ["sh", "-c", instance.test_command]
        # Java reads its security settings from /etc.
        access = CommandAccess(readable=tuple(Path("/etc").glob("java*")))
        done = runner.run(command, access, root, workspace.command_seconds)
    passed, failed = read_results(done.output)
    outcome = TestOutcome(instance_id=instance.instance_id, passed_tests=tuple(passed), failed_tests=tuple(failed))
    log = f"$ {shlex.join(command)}\n{done.output[-_LOG_CHARACTERS:]}\n{done.stopped}"
    return msgspec.structs.replace(outcome, resolved=outcome.resolves(instance)), log


def _apply(root: Path, text: str) -> None:
    """Apply a patch to a tree. Raises: EvaluationError."""
    if not text.strip():
        return
    patch = parse(text)

    def read(path: str) -> bytes | None:
        target = root / path
        return target.read_bytes() if target.is_file() else None

    after = apply(patch, read)
    for file in patch.files:
        if file.old_path and file.old_path != file.new_path:
            (root / file.old_path).unlink(missing_ok=True)
    for path, content in after.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
