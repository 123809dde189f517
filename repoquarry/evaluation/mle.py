"""Medals of MLE-R (machine learning competitions): compares scores of submissions with the published medal thresholds.

Source: RepoMaster (arXiv 2505.21577), section 4.1 and appendix G. A medal is the best that a score reaches; a score equal to a threshold
reaches it, but only a better one counts as above the median.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation import load_tables
from repoquarry.server.cli.session import CliSession

TASK_COUNT = 22
"""Competitions of MLE-R, the denominator of every rate."""
_MEDALS = ("gold", "silver", "bronze")


@dataclass(frozen=True)
class Competition:
    """Thresholds of one competition, in the unit of its metric."""

    gold: float
    silver: float
    bronze: float
    median: float
    lower_is_better: bool

    def medal(self, score: float) -> str:
        """Return `gold`, `silver` or `bronze`; empty for none."""
        return next((name for name in _MEDALS if self._margin(score, getattr(self, name)) >= 0), "")

    def is_above_median(self, score: float) -> bool:
        return self._margin(score, self.median) > 0

    def _margin(self, score: float, threshold: float) -> float:
        return threshold - score if self.lower_is_better else score - threshold


@cache
def competitions() -> Mapping[str, Competition]:
    """Read the thresholds by competition."""
    return {name: Competition(**fields) for name, fields in load_tables("mle").items()}


def read_scores(path: Path) -> dict[str, float | None]:
    """Read an object of scores by competition; null is a submission without a valid score. Raises: EvaluationError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path} cannot be read: {error}; name a JSON object of scores by competition") from error
    if not isinstance(found, dict):
        raise EvaluationError(f"{path} is not an object of scores by competition")
    if unknown := sorted(found.keys() - competitions()):
        raise EvaluationError(f"unknown competition: {', '.join(unknown)}; known: {', '.join(competitions())}")
    for name, score in found.items():
        if isinstance(score, bool) or not isinstance(score, int | float | None):
            raise EvaluationError(f"{path}: invalid score {score!r} of {name}; expected a number or null")
    if len(found) > TASK_COUNT:
        raise EvaluationError(f"{path} has {len(found)} scores; MLE-R has {TASK_COUNT} competitions")
    return found


def summarize_scores(scores: Mapping[str, float | None]) -> dict[str, float]:
    """Compute the rates of table 1 in percent of all competitions; a missing competition has no submission."""
    valid = {name: score for name, score in scores.items() if score is not None}
    medals = [competitions()[name].medal(score) for name, score in valid.items()]
    counts = {
        "made": len(scores),
        "valid": len(valid),
        "above_median": sum(competitions()[name].is_above_median(score) for name, score in valid.items()),
        **{name: medals.count(name) for name in reversed(_MEDALS)},
        "any_medal": sum(map(bool, medals)),
    }
    return {name: 100 * count / TASK_COUNT for name, count in counts.items()}


def evaluate_mle(session: CliSession, path: Path) -> None:
    """Print the rates as a row of table 1, then the medals."""
    scores = read_scores(path)
    medals = {name: competitions()[name].medal(score) for name, score in scores.items() if score is not None}
    rates = summarize_scores(scores)
    if session.as_json:
        session.print_json({"rates": rates, "medals": medals})
        return
    print("  ".join(f"{name.replace('_', ' ')} {rate:.2f} %" for name, rate in rates.items()))
    for name in filter(medals.get, medals):
        print(f"{name}: {medals[name]}")
