"""Fit the weights of localization on the features that `localisation.py` kept, and report them on repositories never seen.

The model is a softmax over each issue's candidates, linear in the features, each weight pulled towards 1 (-1 for classes and for
what is nested), so that nothing of an earlier fit is in it; and no feature may speak against a place but the three that describe
its form. Each repository with eight issues or more is a fold of its own, the others are one together.

    python -m tests.benchmarks.retrieval.fit_localisation [--work DIR]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.localization_features import DEFINITION_WEIGHTS, FILE_WEIGHTS
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import BENCH
from tests.benchmarks.retrieval.localisation import load_scorer

FORM: Final = frozenset({"class", "bare_class", "nested", "size"})
"""Features that may count against a place."""
AGAINST: Final = frozenset({"class", "nested"})
"""Expected features among these."""
_CANDIDATES: Final = 200
_STEPS, _RATE, _PULL = 300, 0.05, 0.01
_FAR_BEHIND: Final = 5.0  # as in repoquarry.graphstore.search.localization
_SMALL: Final = 8

Reals = NDArray[np.float64]


@dataclass
class Case:
    """The candidates of one issue: features, names, and which of them are right."""

    fold: str
    features: Reals
    names: list[str]
    gold: set[str]

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.array([name in self.gold for name in self.names])

    def hit(self, weights: Reals, most: int) -> bool:
        """Return whether all gold files, or as many as fit, are among the first."""
        order = np.argsort(-(self.features @ weights), kind="stable")
        first = list(dict.fromkeys(self.names[place] for place in order[: most * 3].tolist()))[:most]
        return len(self.gold & set(first)) == min(most, len(self.gold))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "localisation")
    folder = parser.parse_args().work / "features"
    if not folder.is_dir() or not BENCH.is_dir():
        print(f"needs {BENCH} and the features that tests.benchmarks.retrieval.localisation keeps in {folder}")
        return SKIPPED
    scorer = load_scorer()
    gold = {row["instance_id"]: row for path in (BENCH / "data").glob("*.gold.jsonl") for row in scorer.load(path)}
    kept = {path.stem: np.load(path) for path in sorted(folder.glob("*.npz")) if path.stem in gold}
    repositories = Counter(gold[name]["repo"] for name in kept)
    folds = {name: gold[name]["repo"] if repositories[gold[name]["repo"]] >= _SMALL else "others" for name in kept}
    files = [_file_case(kept[name], folds[name], set(gold[name]["gold_files"])) for name in kept]
    held_out = _fit_and_show("files", files, FILE_WEIGHTS, (1, 3, 5))
    definitions = [
        _definition_case(kept[name], folds[name], set(map(scorer.norm_fn, gold[name]["gold_functions"])), scores)
        for name, scores in zip(kept, held_out, strict=True)
    ]
    _fit_and_show("definitions", definitions, DEFINITION_WEIGHTS, (1, 5, 10))
    return 0


def _file_case(kept: Any, fold: str, gold: set[str]) -> Case:
    columns = [kept["file_names"].tolist().index(name) for name in FILE_WEIGHTS]
    return Case(fold, kept["files"][:, columns].astype(np.float64), kept["paths"].tolist(), gold)


def _definition_case(kept: Any, fold: str, gold: set[str], file_scores: Reals) -> Case:
    """Features of definitions; `file` comes from weights that have not seen the repository."""
    names = kept["definition_names"].tolist()
    of_file = np.maximum(1.0 - (file_scores.max(initial=0.0) - file_scores) / _FAR_BEHIND, 0.0)[kept["home"]]
    columns = [of_file if name == "file" else kept["definitions"][:, names.index(name)] for name in DEFINITION_WEIGHTS]
    functions = [name.removesuffix(".__init__") for name in kept["functions"].tolist()]
    return Case(fold, np.stack(columns, axis=1).astype(np.float64), functions, gold)


def _fit_and_show(what: str, cases: Sequence[Case], table: Mapping[str, float], ranks: tuple[int, ...]) -> list[Reals]:
    """Print weights and accuracies; returns each case's scores by weights fitted without its fold."""
    in_use = np.array(list(table.values()))
    start = np.array([-1.0 if name in AGAINST else 1.0 for name in table])
    free = np.array([name in FORM for name in table])
    folds = sorted({case.fold for case in cases})
    without = {fold: _fit([case for case in cases if case.fold != fold], start, free) for fold in folds}
    fitted = _fit(cases, start, free)
    for name, weights in (
        ("in use", dict.fromkeys(folds, in_use)),
        ("left out", without),
        ("fitted", dict.fromkeys(folds, fitted)),
    ):
        shares = [np.mean([case.hit(weights[case.fold], most) for case in cases]) for most in ranks]
        print(
            f"{what:12s} {name:9s}",
            "  ".join(f"@{most} {share:.3f}" for most, share in zip(ranks, shares, strict=True)),
        )
    print("  " + "  ".join(f"{name} {weight:.2f}" for name, weight in zip(table, fitted.tolist(), strict=True)))
    return [case.features @ without[case.fold] for case in cases]


def _fit(cases: Sequence[Case], start: Reals, free: NDArray[np.bool_]) -> Reals:
    """Minimise the cross entropy by Adam (Kingma and Ba, 2015), weights kept from going below 0 where they must."""
    chosen = [_candidates(case, start) for case in cases if case.right.any()]
    if not chosen:
        return start
    rows = np.concatenate([features for features, _ in chosen])
    borders = np.cumsum([0, *(len(features) for features, _ in chosen)])[:-1]
    case_of = np.repeat(np.arange(len(chosen)), [len(features) for features, _ in chosen])
    wanted = np.concatenate([right / right.sum() for _, right in chosen])
    weights, mean, square = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, _STEPS + 1):
        scores = rows @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, borders)[case_of])
        shares = odds / np.add.reduceat(odds, borders)[case_of]
        slope = rows.T @ (shares - wanted) / len(chosen) + _PULL * (weights - start)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.where(free, weights, np.maximum(weights, 0.0))
    return weights


def _candidates(case: Case, start: Reals) -> tuple[Reals, Reals]:
    """The best places before the fit and those that are right: others decide nothing."""
    right = case.right
    best = np.argsort(-(case.features @ start), kind="stable")[:_CANDIDATES]
    rows = np.union1d(best, np.flatnonzero(right))
    return case.features[rows], right[rows].astype(np.float64)


if __name__ == "__main__":
    sys.exit(main())
