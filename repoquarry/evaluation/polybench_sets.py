"""Statistics and stratified subsets of instances of SWE-PolyBench.

Source: SWE-PolyBench (arXiv 2504.08703), tables 1 and 2, section 4.3.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, TypedDict

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation import polybench_instances
from repoquarry.evaluation.polybench_instances import Instance
from repoquarry.evaluation.polybench_strata import SEED, count_nodes, node_categories, task_category

PER_LANGUAGE: Final = 125
_CATEGORY_SHARES: Final = {"Feature Req.": 2 / 5, "Refac.": 1 / 5}  # and bug fixes


class SetStatistics(TypedDict):
    """Statistics of instances: shares in percent, and means per instance (None if no instance lists nodes)."""

    instances: int
    repositories: int
    modified_files: float
    categories: dict[str, float]
    node_changes: dict[str, float]
    functions: float | None
    classes: float | None
    nodes: float | None


def describe(instances: Sequence[Instance]) -> dict[str, SetStatistics]:
    """Return the statistics of tables 1 and 2, by language and in total (`all`)."""
    groups: dict[str, list[Instance]] = {}
    for instance in instances:
        groups.setdefault(instance.category or "unknown", []).append(instance)
    return {name: _statistics(members) for name, members in [*sorted(groups.items()), ("all", list(instances))]}


def _statistics(instances: Sequence[Instance]) -> SetStatistics:
    files = [len(_files(instance)) for instance in instances]
    nodes = [counted for instance in instances if (counted := count_nodes(instance)) is not None]
    return {
        "instances": len(instances),
        "repositories": len({instance.repo for instance in instances}),
        "modified_files": fmean(files),
        "categories": _percentages(task_category(instance) for instance in instances),
        "node_changes": _percentages((name for one in instances for name in node_categories(one)), len(instances)),
        "functions": fmean(functions for functions, _ in nodes) if nodes else None,
        "classes": fmean(classes for _, classes in nodes) if nodes else None,
        "nodes": fmean(map(sum, nodes)) if nodes else None,
    }


def _files(instance: Instance) -> frozenset[str]:
    try:
        return polybench_instances.parse(instance.patch).touched if instance.patch else frozenset(instance.files)
    except EvaluationError as error:
        raise EvaluationError(f"{instance.instance_id}: {error}") from error


def _percentages(names: Iterable[str], total: int = 0) -> dict[str, float]:
    counts = Counter(names)
    return {name: 100 * count / (total or counts.total()) for name, count in sorted(counts.items())}


def choose_subset(instances: Sequence[Instance], per_language: int = PER_LANGUAGE) -> list[Instance]:
    """Choose instances with fixed numbers by language and by task category, in the order of the set.

    Repositories share the places of a cell in proportion, each with at least one. Raises: EvaluationError.
    """
    cells: dict[tuple[str, str], list[Instance]] = {}
    for instance in instances:
        cells.setdefault((instance.category, task_category(instance)), []).append(instance)
    languages = sorted({language for language, _ in cells})
    by_category = {name: int(share * per_language * len(languages)) for name, share in _CATEGORY_SHARES.items()}
    by_category["Bug Fix"] = per_language * len(languages) - sum(by_category.values())
    sizes = _cell_sizes(
        {cell: len(members) for cell, members in cells.items()},
        dict.fromkeys(languages, per_language),
        by_category,
    )
    chosen: set[str] = set()
    seen: set[str] = set()
    for cell in sorted(sizes, key=lambda cell: (len({one.repo for one in cells[cell]}), cell)):
        chosen |= _sample(cells[cell], sizes[cell], seen)
    missing = sorted({one.repo for one in instances} - seen)
    if missing:
        raise EvaluationError(f"the subset has no place for {', '.join(missing)}; choose more instances per language")
    return [instance for instance in instances if instance.instance_id in chosen]


def _cell_sizes(
    available: Mapping[tuple[str, str], int], by_language: dict[str, int], by_category: dict[str, int]
) -> dict[tuple[str, str], int]:
    """Return a number for each cell that adds up to both margins, by augmenting paths from a proportional start."""
    total = sum(by_language.values())
    sizes = {
        (language, category): min(available.get((language, category), 0), rows * columns // total)
        for language, rows in by_language.items()
        for category, columns in by_category.items()
    }
    lacking = {name: need - sum(sizes[name, one] for one in by_category) for name, need in by_language.items()}
    wanted = {name: need - sum(sizes[one, name] for one in by_language) for name, need in by_category.items()}
    for language, need in lacking.items():
        for _ in range(need):
            path = _augmenting_path(language, sizes, available, wanted)
            if path is None:
                raise EvaluationError(f"too few instances of {language} for {dict(by_category)}; lower the numbers")
            for cell, change in path:
                sizes[cell] += change
            wanted[path[-1][0][1]] -= 1
    return sizes


def _augmenting_path(
    language: str,
    sizes: Mapping[tuple[str, str], int],
    available: Mapping[tuple[str, str], int],
    wanted: Mapping[str, int],
) -> list[tuple[tuple[str, str], int]] | None:
    """Return changes of cells that give a language one more and end in a category that lacks one; None if impossible."""
    paths: list[tuple[str, list[tuple[tuple[str, str], int]]]] = [(language, [])]
    seen = {language}
    for row, path in paths:
        for cell in (cell for cell in sizes if cell[0] == row and sizes[cell] < available.get(cell, 0)):
            longer = [*path, (cell, 1)]
            if wanted[cell[1]] > 0:
                return longer
            for other in (one for one in sizes if one[1] == cell[1] and sizes[one] > 0 and one[0] not in seen):
                seen.add(other[0])
                paths.append((other[0], [*longer, (other, -1)]))
    return None


def _sample(members: Sequence[Instance], count: int, seen: set[str]) -> set[str]:
    """Draw instances with a fixed seed; repositories that are not in `seen` come first, and are added to it."""
    by_repository: dict[str, list[str]] = {}
    for instance in sorted(members, key=lambda one: one.instance_id):
        by_repository.setdefault(instance.repo, []).append(instance.instance_id)
    shares = dict.fromkeys(by_repository, 0)
    order = sorted(by_repository, key=lambda name: (name in seen, len(by_repository[name]), name))
    for name in order[:count]:
        shares[name] = 1
    while sum(shares.values()) < count:
        # The repository that lags most behind its share of the cell comes next.
        open_ = [name for name, ids in by_repository.items() if shares[name] < len(ids)]
        shares[min(open_, key=lambda name: ((shares[name] + 1) / len(by_repository[name]), name))] += 1
    seen |= {name for name, share in shares.items() if share}
    draw = random.Random(SEED)  # noqa: S311 a repeatable sample, no secret
    return {one for name, ids in by_repository.items() for one in draw.sample(ids, shares[name])}
