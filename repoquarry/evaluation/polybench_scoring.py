"""Scores of single SWE-PolyBench instances: retrieved files and syntax nodes, and whether the tests resolve them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation import polybench_instances, polybench_nodes
from repoquarry.evaluation.polybench_instances import Instance, Prediction, TestOutcome


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
    for instance in instances:
        prediction = predictions.get(instance.instance_id)
        row = _score(instance, prediction, node_trees, has_patches)
        if outcomes is not None and has_patches:
            outcome = outcomes.get(instance.instance_id)
            is_resolved = prediction is not None and outcome is not None and outcome.resolves(instance)
            row = replace(row, resolved=is_resolved, is_tested=outcome is not None)
        rows.append(row)
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
