"""Scores predictions: the sets of files and nodes of both patches, by the corrected and by the published rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.evaluation.polybench import nodes, patches, published_nodes
from repoquarry.agent.evaluation.polybench.instances import Instance, Prediction, TestOutcome
from repoquarry.agent.evaluation.polybench.metrics import NOTHING, Retrieval, Scored, compare


class Trees(Protocol):
    """Where the source at an instance's base commit can be read."""

    def read(self, instance: Instance, path: str) -> bytes | None:
        """The bytes of a file, None where there is none of that path."""
        ...


@dataclass(frozen=True)
class FolderTrees:
    """Trees that lie side by side: `root/<instance_id>/…`, as a checkout without history."""

    root: Path

    def read(self, instance: Instance, path: str) -> bytes | None:
        tree = self.root / instance.instance_id
        if not tree.is_dir():
            raise EvaluationError(f"there is no tree {tree}; lay out the base commit of {instance.repo} there")
        target = (tree / path).resolve()
        return target.read_bytes() if target.is_relative_to(tree.resolve()) and target.is_file() else None


def score(
    instances: Iterable[Instance],
    predictions: Mapping[str, Prediction],
    *,
    trees: Trees | None = None,
    outcomes: Mapping[str, TestOutcome] | None = None,
) -> list[Scored]:
    """Score every instance; one without a prediction scores nothing. Without `trees` nodes are left out."""
    return [
        _score(instance, predictions.get(instance.instance_id), trees, (outcomes or {}).get(instance.instance_id))
        for instance in instances
    ]


def _score(
    instance: Instance, prediction: Prediction | None, trees: Trees | None, outcome: TestOutcome | None
) -> Scored:
    right = patches.parse(instance.patch) if instance.patch else None
    files = _Files(frozenset(instance.files) if right is None else right.touched, right)
    problem, guess = "", None
    try:
        guess = patches.parse(prediction.model_patch) if prediction and prediction.model_patch.strip() else None
    except EvaluationError as error:
        problem = str(error)
    places = frozenset(prediction.files) if prediction else frozenset()
    corrected, published, trouble = _node_metrics(instance, prediction, right, guess, trees)
    return Scored(
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
    patch: patches.Patch | None

    @property
    def published(self) -> frozenset[str]:
        return self.patch.header_paths if self.patch else self.right


def _node_metrics(
    instance: Instance,
    prediction: Prediction | None,
    right: patches.Patch | None,
    guess: patches.Patch | None,
    trees: Trees | None,
) -> tuple[Retrieval | None, Retrieval | None, str]:
    """Corrected and published figures of nodes, and what went wrong."""
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


def _corrected(instance: Instance, patch: patches.Patch, trees: Trees) -> frozenset[str]:
    after = patches.apply(patch, lambda path: trees.read(instance, path))
    found: set[str] = set()
    for file in patch.files:
        before = trees.read(instance, file.old_path) if file.old_path else None
        if before is not None:
            found |= nodes.nodes_of_lines(file.path, before, file.removed)
        if file.new_path in after:
            found |= nodes.nodes_of_lines(file.path, after[file.new_path], file.added)
    return frozenset(found)


def _published(instance: Instance, patch: patches.Patch, trees: Trees) -> frozenset[str]:
    """Only files that keep their name count, before the patch by removed lines and after it by added ones."""
    after = patches.apply(patch, lambda path: trees.read(instance, path))
    found: set[str] = set()
    for file in patch.files:
        if file.old_path != file.new_path:
            continue
        before = trees.read(instance, file.old_path)
        if before is not None:
            found |= published_nodes.nodes_of_lines(file.old_path, before, file.removed)
        found |= published_nodes.nodes_of_lines(file.new_path, after[file.new_path], file.added)
    return frozenset(found)
