"""Averages, pass rates and standard errors of SWE-PolyBench, in total and by the published strata.

Source: SWE-PolyBench (arXiv 2504.08703), equation 1 and tables 2, 3, 4, 5 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final

import numpy as np

from repoquarry.evaluation.polybench_instances import Instance
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


_STRATA: Final[Mapping[str, Callable[[ScoredInstance], list[str]]]] = {
    "language": lambda row: [row.instance.category or UNKNOWN],
    "category": lambda row: [task_category(row.instance)],
    "repository": lambda row: [row.instance.repo],
    "files": lambda row: [_file_count(row)],
    "nodes": lambda row: node_categories(row.instance),
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
    """Return `summary` by language, task category, repository, number of changed files and node change category."""
    found: dict[str, dict[str, dict[str, object]]] = {}
    for name, key in _STRATA.items():
        groups: dict[str, list[ScoredInstance]] = {}
        for row in rows:
            for group in key(row):
                groups.setdefault(group, []).append(row)
        found[name] = {group: summary(members) for group, members in sorted(groups.items())}
    return found
