"""Scorer of single SWE-PolyBench predictions by changed files and nodes; runner of an issue's tests in an isolated source tree.

The command of an instance runs under the isolation of the settings `agent.workspace`, in a container image where
`agent.workspace.container_image` names one. Trees contain the dependencies that their tests need.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation import load_tables, polybench_instances, polybench_nodes
from repoquarry.evaluation.polybench_instances import Instance, Prediction, TestOutcome, apply, parse
from repoquarry.execution.isolation.registry import check_readable_folders, choose_isolation
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.processes.scratch import ScratchFolder


@dataclass(frozen=True)
class Retrieval:
    """Retrieval metrics of a predicted set."""

    recall: float
    precision: float
    f1: float


NOTHING = Retrieval(0.0, 0.0, 0.0)


def compare(right: Collection[str], predicted: Collection[str]) -> Retrieval:
    """Compare two sets; a metric without a denominator is 0, as in scikit-learn, which the benchmark uses."""
    hits = len(set(right) & set(predicted))
    recall = hits / len(set(right)) if right else 0.0
    precision = hits / len(set(predicted)) if predicted else 0.0
    f1 = 2 * hits / (len(set(right)) + len(set(predicted))) if hits else 0.0
    return Retrieval(recall, precision, f1)


@dataclass(frozen=True)
class ScoredInstance:
    """Scores of one instance; None if not computable, or if no prediction of the set can have the figure."""

    instance: Instance
    file_count: int
    """Number of files that the accepted fix changes."""
    files: Retrieval | None
    nodes: Retrieval | None
    published_files: Retrieval | None
    """By the rules of the benchmark's code; see `polybench_instances`."""
    published_nodes: Retrieval | None
    predicted_nodes: frozenset[str] | None = None
    """Nodes of the prediction by the published rules."""
    resolved: bool | None = None
    """True if all tests pass; missing predictions and untested instances fail. None without test results."""
    is_tested: bool = False
    input_tokens: int | None = None
    output_tokens: int | None = None
    problem: str = ""
    tree_files: int | None = None
    """Files of the repository, in one of its trees (table 9); None without trees."""


@dataclass(frozen=True)
class FolderTrees:
    """Source trees in `root/<instance_id>/…`, as checkouts without history."""

    root: Path

    def read(self, instance: Instance, path: str) -> bytes | None:
        """Return the bytes of a file, None if it does not exist. Raises: EvaluationError."""
        tree = self.root / instance.instance_id
        if not tree.is_dir():
            raise EvaluationError(f"missing tree {tree}; check out the base commit of {instance.repo} there")
        target = (tree / path).resolve()
        return target.read_bytes() if target.is_relative_to(tree.resolve()) and target.is_file() else None

    def count_files(self, instances: Iterable[Instance]) -> dict[str, int]:
        """Count the files of each repository in the first of its trees that exists."""
        counts: dict[str, int] = {}
        for instance in instances:
            tree = self.root / instance.instance_id
            if instance.repo not in counts and tree.is_dir():
                counts[instance.repo] = sum(
                    path.is_file() for path in tree.rglob("*") if ".git" not in path.relative_to(tree).parts
                )
        return counts


def score(
    instances: Iterable[Instance],
    predictions: Mapping[str, Prediction],
    *,
    trees: FolderTrees | None = None,
    outcomes: Mapping[str, TestOutcome] | None = None,
) -> list[ScoredInstance]:
    """Score every instance; a missing prediction scores 0. Without `trees`, nodes are skipped.

    If all predictions only locate, no figure of patches exists, and without predicted nodes no figure of nodes.
    """
    given = predictions.values()
    has_patches = any(one.model_patch.strip() for one in given) or not any(one.files or one.nodes for one in given)
    node_trees = trees if has_patches or any(one.nodes for one in given) else None
    rows = []
    instances = list(instances)
    sizes = trees.count_files(instances) if trees else {}
    for instance in instances:
        prediction = predictions.get(instance.instance_id)
        row = _score(instance, prediction, node_trees, has_patches)
        if outcomes is not None and has_patches:
            outcome = outcomes.get(instance.instance_id)
            is_resolved = prediction is not None and outcome is not None and outcome.resolves(instance)
            problem = outcome.problem if outcome else ""
            is_tested = outcome is not None and not problem
            row = replace(row, resolved=is_resolved, is_tested=is_tested, problem=problem or row.problem)
        rows.append(replace(row, tree_files=sizes.get(instance.repo)))
    return rows


def _score(
    instance: Instance, prediction: Prediction | None, trees: FolderTrees | None, has_patches: bool
) -> ScoredInstance:
    """Score one instance; an unusable fix or prediction is its problem, not that of the run."""
    right, problem = _parsed(instance.patch)
    guess, trouble = _parsed(prediction.model_patch if prediction else "")
    places = frozenset(prediction.files) if prediction else frozenset()
    wanted = right.touched if right else frozenset(instance.files)
    row = ScoredInstance(
        instance,
        len(wanted),
        compare(wanted, guess.touched if guess else places) if wanted else None,
        None,
        compare(right.header_paths if right else wanted, guess.header_paths if guess else places) if wanted else None,
        None,
        input_tokens=prediction.input_tokens if prediction else None,
        output_tokens=prediction.output_tokens if prediction else None,
        problem=f"accepted fix: {problem}" if problem else trouble,
    )
    if trees is None:
        return row
    if right:
        row = _with_nodes(row, prediction, right, guess, trees)
    return _with_published_nodes(row, guess, trees) if has_patches and instance.modified_nodes else row


def _parsed(text: str) -> tuple[polybench_instances.Patch | None, str]:
    try:
        return polybench_instances.parse(text) if text.strip() else None, ""
    except EvaluationError as error:
        return None, str(error)


def _with_nodes(
    row: ScoredInstance,
    prediction: Prediction | None,
    right: polybench_instances.Patch,
    guess: polybench_instances.Patch | None,
    trees: FolderTrees,
) -> ScoredInstance:
    try:
        wanted = _corrected(row.instance, right, trees)
    except EvaluationError as error:
        return replace(row, problem=f"accepted fix: {error}")
    found, problem = frozenset(prediction.nodes) if prediction else frozenset(), row.problem
    try:
        found = _corrected(row.instance, guess, trees) if guess else found
    except EvaluationError as error:
        problem = str(error)
    return replace(row, nodes=compare(wanted, found) if wanted else None, problem=problem)


def _with_published_nodes(
    row: ScoredInstance, guess: polybench_instances.Patch | None, trees: FolderTrees
) -> ScoredInstance:
    try:
        found = _published(row.instance, guess, trees) if guess else frozenset()
    except EvaluationError as error:
        return replace(row, published_nodes=NOTHING, predicted_nodes=frozenset(), problem=row.problem or str(error))
    return replace(row, published_nodes=compare(row.instance.modified_nodes or (), found), predicted_nodes=found)


def _corrected(instance: Instance, patch: polybench_instances.Patch, trees: FolderTrees) -> frozenset[str]:
    after = polybench_instances.apply(patch, lambda path: trees.read(instance, path))
    found: set[str] = set()
    for file in patch.files:
        path = polybench_instances.path_of(file)
        before = trees.read(instance, file.old_path) if file.old_path else None
        if before is not None:
            found |= polybench_nodes.corrected_nodes_of_lines(path, before, file.removed_lines)
        if file.new_path in after:
            found |= polybench_nodes.corrected_nodes_of_lines(path, after[file.new_path], file.added_lines)
    return frozenset(found)


def _published(instance: Instance, patch: polybench_instances.Patch, trees: FolderTrees) -> frozenset[str]:
    """Return the changed nodes by published rules: files that keep their name, by removed lines before the patch and added lines after it."""
    after = polybench_instances.apply(patch, lambda path: trees.read(instance, path))
    found: set[str] = set()
    for file in patch.files:
        if file.old_path != file.new_path:
            continue
        before = trees.read(instance, file.old_path)
        if before is not None:
            found |= polybench_nodes.published_nodes_of_lines(file.old_path, before, file.removed_lines)
        found |= polybench_nodes.published_nodes_of_lines(file.new_path, after[file.new_path], file.added_lines)
    return frozenset(found)


def find_modified_nodes(instance: Instance, trees: Path) -> tuple[str, ...] | None:
    """Return the nodes of the accepted fix by published rules, as the data set lists them; None if they cannot be found."""
    try:
        return tuple(sorted(_published(instance, parse(instance.patch), FolderTrees(trees))))
    except EvaluationError:  # A patch that does not apply, or a definition without a name.
        return None


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

    An instance without a prediction is not run; scoring counts it as a failure. One whose tests did not run is tried again.
    """
    output.mkdir(parents=True, exist_ok=True)
    for instance in instances:
        path = output / f"{instance.instance_id}_result.json"
        prediction = predictions.get(instance.instance_id)
        if prediction is None or _has_result(path):
            continue
        patches = (prediction.model_patch, instance.test_patch)
        outcome, log = _run_tests(instance, patches, trees / instance.instance_id, settings)
        path.with_suffix(".log").write_text(log, encoding="utf-8")
        path.write_bytes(msgspec.json.encode(outcome))
        counts = f"{len(outcome.passed_tests)} passed, {len(outcome.failed_tests)} failed"
        verdict = "resolved" if outcome.resolved else "not resolved"
        say(
            f"{instance.instance_id}: "
            + (f"untested, {outcome.problem}" if outcome.problem else f"{verdict}, {counts}")
        )


def _has_result(path: Path) -> bool:
    return path.is_file() and not msgspec.json.decode(path.read_bytes(), type=TestOutcome).problem


def derive_tests(
    instances: Iterable[Instance], trees: Path, settings: AgentSettings, say: Callable[[str], None]
) -> Iterator[Instance]:
    """Yield the instances with their F2P and P2P, from a run before and a run after the accepted fix. Source: section 3.2.

    Instances without a failing test that the fix makes pass are left out, as in the paper.
    """
    for instance in instances:
        tree = trees / instance.instance_id
        before, _ = _run_tests(instance, (instance.test_patch,), tree, settings)
        after, _ = _run_tests(instance, (instance.patch, instance.test_patch), tree, settings)
        passed, earlier = set(after.passed_tests), set(before.passed_tests)
        counts = f"F2P {len(passed - earlier)}, P2P {len(passed & earlier)}"
        # Before the fix, the tests may fail to import, so that none has a result.
        say(f"{instance.instance_id}: {f'untested, {after.problem}' if after.problem else counts}")
        if passed - earlier:
            tests = {"failing_tests": tuple(sorted(passed - earlier)), "passing_tests": tuple(sorted(passed & earlier))}
            yield msgspec.structs.replace(instance, **tests)


def _run_tests(
    instance: Instance, patches: Iterable[str], tree: Path, settings: AgentSettings
) -> tuple[TestOutcome, str]:
    """Return the outcome of the tests behind some patches, and the end of the log; without a test's result it is a problem."""

    def untested(problem: str) -> TestOutcome:
        return TestOutcome(instance_id=instance.instance_id, problem=problem)

    if not tree.is_dir() or not instance.test_command:
        problem = f"missing tree {tree}" if not tree.is_dir() else "the instance has no test_command"
        return untested(problem), problem
    with ScratchFolder("polybench") as scratch:
        root = scratch / "tree"
        shutil.copytree(tree, root, symlinks=True)
        try:
            # The tests come last, so that a prediction cannot replace them.
            for text in patches:
                _apply(root, text)
        except EvaluationError as error:
            # A patch that does not apply is a failed prediction.
            return TestOutcome(instance_id=instance.instance_id), str(error)
        workspace = replace(settings.workspace, output_bytes=1 << 26)  # Results are spread over the log.
        check_readable_folders(workspace)
        isolation = choose_isolation(workspace.isolation, workspace.container_image)
        runner = CommandRunner(root, workspace, settings.environment, isolation, lambda: False)
        command = ["sh", "-c", instance.test_command]
        # Java reads its security settings from /etc.
        access = CommandAccess(readable=tuple(Path("/etc").glob("java*")))
        done = runner.run(command, access, root, workspace.command_seconds)
    passed, failed = read_results(done.output)
    outcome = TestOutcome(instance_id=instance.instance_id, passed_tests=tuple(passed), failed_tests=tuple(failed))
    log = f"$ {shlex.join(command)}\n{done.output[-_LOG_CHARACTERS:]}\n{done.stopped}"
    if not passed and not failed:
        last = done.output.strip().rpartition("\n")[2][:200]
        reason = done.stopped or f"exit code {done.exit_code}"
        return untested(f"no test has a result: {reason}{': ' * bool(last)}{last}; see test_command and the log"), log
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
