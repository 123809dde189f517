"""Averages, pass rates and standard errors by the published strata of SWE-PolyBench; statistics and stratified subsets of instances.

Source: SWE-PolyBench (arXiv 2504.08703), equation 1, tables 1, 2, 3, 4, 5 and 8, section 4.3.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple, TypedDict

import numpy as np

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation.polybench_instances import Instance, parse
from repoquarry.evaluation.polybench_scoring import Retrieval, ScoredInstance

RESAMPLES, SEED = 2_000, 20_250_411
_CLASSES: Final = frozenset({"class_definition", "class_declaration"})
_TOP: Final = frozenset({"module", "program"})
UNKNOWN: Final = "unknown"


def count_nodes(instance: Instance) -> tuple[int, int] | None:
    """Return the numbers of changed functions and of changed classes; None if the instance does not list nodes."""
    if instance.modified_nodes is None:
        return None
    kinds = [node.rpartition("->")[2].partition(":")[0] for node in instance.modified_nodes]
    classes = sum(kind in _CLASSES for kind in kinds)
    return sum(kind not in _CLASSES | _TOP for kind in kinds), classes


def node_categories(instance: Instance) -> list[str]:
    """Return the node change categories; a single function is also in `Func. only`, a single class in `Class only`."""
    counted = count_nodes(instance)
    if counted is None:
        return [UNKNOWN]
    functions, classes = counted
    if not functions and not classes:
        return ["None"]
    if functions and classes:
        return ["Mixed"]
    names = ["Func. only", "Single Func."] if functions else ["Class only", "Single Class"]
    return names if functions + classes == 1 else names[:1]


def task_category(instance: Instance) -> str:
    """Return `Bug Fix`, `Feature Req.`, `Refac.` or `Misc.`; `unknown` if the instance has no category."""
    text = instance.task_category.lower()
    known = {"bug": "Bug Fix", "feature": "Feature Req.", "refac": "Refac."}
    return next((name for start, name in known.items() if text.startswith(start)), "Misc." if text else UNKNOWN)


def _file_count(row: ScoredInstance) -> str:
    return UNKNOWN if not row.file_count else f"{row.file_count}" if row.file_count < 5 else "5+"


def _size(row: ScoredInstance) -> str:
    if row.tree_files is None:
        return UNKNOWN
    return next(
        (f"below {limit:,} files" for limit in _SIZES if row.tree_files < limit), f"{_SIZES[-1]:,} files or more"
    )


def _informativeness(row: ScoredInstance) -> list[str]:
    labels = row.instance.informativeness.items()
    return [f"{dimension} {label}" for dimension, label in labels] or [UNKNOWN]


_SIZES: Final = (1_000, 2_000, 4_000, 8_000)
"""Limits of repository sizes: the means of the four languages in table 9 lie between 1,928 and 8,946 files."""
_STRATA: Final[Mapping[str, Callable[[ScoredInstance], list[str]]]] = {
    "language": lambda row: [row.instance.category or UNKNOWN],
    "category": lambda row: [task_category(row.instance)],
    "repository": lambda row: [row.instance.repo],
    "files": lambda row: [_file_count(row)],
    "nodes": lambda row: node_categories(row.instance),
    "size": lambda row: [_size(row)],
    "informativeness": _informativeness,
}


def standard_error(resolved: Sequence[bool]) -> float:
    """Return the standard deviation of the pass rate over bootstrap resamples.

    A resample of n outcomes with k successes has a binomial number of successes, so that no outcome is drawn singly.
    """
    count = len(resolved)
    rates = np.random.default_rng(SEED).binomial(count, sum(resolved) / count, RESAMPLES) / count
    return float(np.std(rates, ddof=1))


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
    """Compute all averages over instances, and the pass rate over all instances with its standard error."""
    resolved = [row.resolved for row in rows if row.resolved is not None]
    tokens = {
        name: [value for row in rows if (value := getattr(row, name)) is not None]
        for name in ("input_tokens", "output_tokens")
    }
    return {
        "instances": len(rows),
        "files": mean(row.files for row in rows),
        "nodes": mean(row.nodes for row in rows),
        "published_files": mean(row.published_files for row in rows),
        "published_nodes": mean(row.published_nodes for row in rows),
        "tested": sum(row.is_tested for row in rows),
        "share_tested": sum(row.is_tested for row in rows) / len(rows) if rows else 0.0,
        "pass_rate": sum(resolved) / len(resolved) if resolved else None,
        "standard_error": standard_error(resolved) if resolved else None,
        **{name: fmean(values) if values else None for name, values in tokens.items()},
    }


def summarize_by_stratum(rows: Sequence[ScoredInstance]) -> dict[str, dict[str, dict[str, object]]]:
    """Return `summary` by language, category, repository, changed files, node change, repository size and informativeness."""
    found: dict[str, dict[str, dict[str, object]]] = {}
    for name, key in _STRATA.items():
        groups: dict[str, list[ScoredInstance]] = {}
        for row in rows:
            for group in key(row):
                groups.setdefault(group, []).append(row)
        if groups.keys() == {UNKNOWN}:
            continue  # The instances do not tell.
        found[name] = {group: summary(members) for group, members in sorted(groups.items())}
    return found


PER_LANGUAGE: Final = 125
_CATEGORY_SHARES: Final = {"Bug Fix": 0.51, "Feature Req.": 0.368, "Refac.": 0.122}
"""Row PB500 of table 1. The text of section 4.3 has 200, 200 and 100, more refactorings than the data set contains."""


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
        return parse(instance.patch).touched if instance.patch else frozenset(instance.files)
    except EvaluationError as error:
        raise EvaluationError(f"{instance.instance_id}: {error}") from error


def _percentages(names: Iterable[str], total: int = 0) -> dict[str, float]:
    counts = Counter(names)
    return {name: 100 * count / (total or counts.total()) for name, count in sorted(counts.items())}


class Subset(NamedTuple):
    """Stratified subset, in the order of the set."""

    instances: list[Instance]
    lacking: list[str]
    """What the set has too little of, in words."""


def choose_subset(instances: Sequence[Instance], per_language: int = PER_LANGUAGE) -> Subset:
    """Choose instances with fixed numbers by language and by task category, as far as the set has them.

    Repositories share the places of a cell in proportion, each with at least one. Raises: EvaluationError.
    """
    cells: dict[tuple[str, str], list[Instance]] = {}
    for instance in instances:
        cells.setdefault((instance.category, task_category(instance)), []).append(instance)
    languages = sorted({language for language, _ in cells})
    total = per_language * len(languages)
    by_category = {name: round(share * total) for name, share in _CATEGORY_SHARES.items()}
    by_category["Bug Fix"] += total - sum(by_category.values())
    sizes = _cell_sizes(
        {cell: len(members) for cell, members in cells.items()},
        dict.fromkeys(languages, per_language),
        by_category,
    )
    lacking = _lacking(sizes, dict.fromkeys(languages, per_language), by_category)
    chosen: set[str] = set()
    seen: set[str] = set()
    for cell in sorted(filter(sizes.get, sizes), key=lambda cell: (len({one.repo for one in cells[cell]}), cell)):
        chosen |= _sample(cells[cell], sizes[cell], seen)
    missing = sorted({one.repo for one in instances} - seen)
    if missing:
        raise EvaluationError(f"the subset has no place for {', '.join(missing)}; choose more instances per language")
    return Subset([instance for instance in instances if instance.instance_id in chosen], lacking)


def _lacking(
    sizes: Mapping[tuple[str, str], int], by_language: Mapping[str, int], by_category: Mapping[str, int]
) -> list[str]:
    """Name the languages and categories that have fewer instances than their share."""
    counts: Counter[str] = Counter()
    for cell, size in sizes.items():
        counts.update(dict.fromkeys(cell, size))
    return [
        f"{name}: {counts[name]} of {need} instances"
        for name, need in {**by_language, **by_category}.items()
        if counts[name] < need
    ]


def _cell_sizes(
    available: Mapping[tuple[str, str], int], by_language: dict[str, int], by_category: dict[str, int]
) -> dict[tuple[str, str], int]:
    """Return a number for each cell by augmenting paths from a proportional start: both margins as far as there are instances."""
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
                break
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
