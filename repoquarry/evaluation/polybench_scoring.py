"""Scores and metrics of SWE-PolyBench."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Protocol

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
    """Scores of one instance; None if not computable or not applicable."""

    instance_id: str
    language: str
    category: str
    node_count: int
    """Number of nodes that the accepted fix changes."""
    files: Retrieval
    nodes: Retrieval | None
    published_files: Retrieval
    """By the rules of the benchmark's code; see `polybench_instances`."""
    published_nodes: Retrieval | None
    resolved: bool | None = None
    problem: str = ""


def mean(found: Iterable[Retrieval | None]) -> dict[str, float | int] | None:
    """Compute the macro average over the instances with a value; None if there are none."""
    rows = [row for row in found if row is not None]
    if not rows:
        return None
    return {
        "recall": fmean(row.recall for row in rows),
        "precision": fmean(row.precision for row in rows),
        "f1": fmean(row.f1 for row in rows),
        "instances": len(rows),
    }


def summary(rows: Sequence[ScoredInstance]) -> dict[str, object]:
    """Compute all averages over instances, and the resolved share of those with test results."""
    tested = [row.resolved for row in rows if row.resolved is not None]
    return {
        "instances": len(rows),
        "files": mean(row.files for row in rows),
        "nodes": mean(row.nodes for row in rows),
        "published_files": mean(row.published_files for row in rows),
        "published_nodes": mean(row.published_nodes for row in rows),
        "tested": len(tested),
        "pass_rate": sum(tested) / len(tested) if tested else None,
    }


_STRATA: Mapping[str, Callable[[ScoredInstance], str]] = {
    "language": lambda row: row.language or "unknown",
    "category": lambda row: row.category or "unknown",
    "nodes": lambda row: _size(row.node_count),
}


def _size(nodes: int) -> str:
    return "0" if not nodes else "1" if nodes == 1 else "2-3" if nodes < 4 else "4-9" if nodes < 10 else "10+"


def summarize_by_stratum(rows: Sequence[ScoredInstance]) -> dict[str, dict[str, dict[str, object]]]:
    """Return `summary` by language, by category and by number of changed nodes."""
    found: dict[str, dict[str, dict[str, object]]] = {}
    for name, key in _STRATA.items():
        groups: dict[str, list[ScoredInstance]] = {}
        for row in rows:
            groups.setdefault(key(row), []).append(row)
        found[name] = {group: summary(members) for group, members in sorted(groups.items())}
    return found


class SourceTrees(Protocol):
    """Interface to the source at an instance's base commit."""

    def read(self, instance: Instance, path: str) -> bytes | None:
        """Return the bytes of a file, None if it does not exist."""
        ...


@dataclass(frozen=True)
class FolderTrees:
    """Source trees in `root/<instance_id>/…`, as checkouts without history."""

    root: Path

    def read(self, instance: Instance, path: str) -> bytes | None:
        tree = self.root / instance.instance_id
        if not tree.is_dir():
            raise EvaluationError(f"missing tree {tree}; check out the base commit of {instance.repo} there")
        target = (tree / path).resolve()
        return target.read_bytes() if target.is_relative_to(tree.resolve()) and target.is_file() else None


def score(
    instances: Iterable[Instance],
    predictions: Mapping[str, Prediction],
    *,
    trees: SourceTrees | None = None,
    outcomes: Mapping[str, TestOutcome] | None = None,
) -> list[ScoredInstance]:
    """Score every instance; a missing prediction scores 0. Without `trees`, nodes are skipped."""
    return [
        _score(instance, predictions.get(instance.instance_id), trees, (outcomes or {}).get(instance.instance_id))
        for instance in instances
    ]


def _score(
    instance: Instance, prediction: Prediction | None, trees: SourceTrees | None, outcome: TestOutcome | None
) -> ScoredInstance:
    right = polybench_instances.parse(instance.patch) if instance.patch else None
    files = _Files(frozenset(instance.files) if right is None else right.touched, right)
    problem, guess = "", None
    try:
        guess = (
            polybench_instances.parse(prediction.model_patch) if prediction and prediction.model_patch.strip() else None
        )
    except EvaluationError as error:
        problem = str(error)
    places = frozenset(prediction.files) if prediction else frozenset()
    corrected, published, trouble = _node_metrics(instance, prediction, right, guess, trees)
    return ScoredInstance(
        instance_id=instance.instance_id,
        language=instance.category,
        category=instance.task_category,
        node_count=len(instance.modified_nodes),
        files=compare(files.right, guess.touched if guess else places),
        nodes=corrected,
        published_files=compare(files.published, guess.header_paths if guess else places),
        published_nodes=published,
        resolved=outcome.resolved if outcome else None,
        problem=problem or trouble,
    )


@dataclass(frozen=True)
class _Files:
    right: frozenset[str]
    patch: polybench_instances.Patch | None

    @property
    def published(self) -> frozenset[str]:
        return self.patch.header_paths if self.patch else self.right


def _node_metrics(
    instance: Instance,
    prediction: Prediction | None,
    right: polybench_instances.Patch | None,
    guess: polybench_instances.Patch | None,
    trees: SourceTrees | None,
) -> tuple[Retrieval | None, Retrieval | None, str]:
    """Return corrected and published node metrics, and the errors."""
    if trees is None:
        return None, None, ""
    corrected = published = None
    problem = ""
    if right is not None:
        wanted = _corrected(instance, right, trees)
        found = frozenset(prediction.nodes) if prediction else frozenset()
        try:
            found = _corrected(instance, guess, trees) if guess else found
        except EvaluationError as error:
            problem = str(error)
        corrected = compare(wanted, found) if wanted else None
    if instance.modified_nodes:
        try:
            published = compare(instance.modified_nodes, _published(instance, guess, trees) if guess else ())
        except EvaluationError as error:
            published, problem = NOTHING, problem or str(error)
    return corrected, published, problem


def _corrected(instance: Instance, patch: polybench_instances.Patch, trees: SourceTrees) -> frozenset[str]:
    after = polybench_instances.apply(patch, lambda path: trees.read(instance, path))
    found: set[str] = set()
    for file in patch.files:
        before = trees.read(instance, file.old_path) if file.old_path else None
        if before is not None:
            found |= polybench_nodes.corrected_nodes_of_lines(
                file.new_path or file.old_path, before, file.removed_lines
            )
        if file.new_path in after:
            found |= polybench_nodes.corrected_nodes_of_lines(
                file.new_path or file.old_path, after[file.new_path], file.added_lines
            )
    return frozenset(found)


def _published(instance: Instance, patch: polybench_instances.Patch, trees: SourceTrees) -> frozenset[str]:
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
