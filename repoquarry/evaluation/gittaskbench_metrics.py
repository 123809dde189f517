"""Metrics of GitTaskBench: completion and pass rates, tokens and costs, and the alpha value.

Source: GitTaskBench (arXiv 2508.18993), equation 1, tables 3, 4, 9, 10 and 11. Market values and prices are the paper's dated data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final

from repoquarry.agent.errors import EvaluationError
from repoquarry.evaluation import load_tables
from repoquarry.evaluation.gittaskbench_failures import FailureClass
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask

QUALITY_LEVELS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""From far below human work to indistinguishable from it."""
_RATERS: Final = 5
_UNKNOWN: Final = ("other", "other")


def published() -> Mapping[str, Any]:
    """Return the published tables."""
    return load_tables("gittaskbench")


def compute_alpha(completed: float, value: float, quality: float, cost: float) -> float:
    """Return T x MV x Q - C of one task; T is the execution completion, as in ECR. Source: equation 1."""
    return completed * value * quality - cost


def majority_level(ratings: Sequence[float]) -> float:
    """Return the level that most raters chose; of equally frequent levels the lowest. Raises: EvaluationError."""
    if len(ratings) != _RATERS or not set(ratings) <= set(QUALITY_LEVELS):
        levels = ", ".join(map(str, QUALITY_LEVELS))
        raise EvaluationError(f"invalid ratings {list(ratings)}; expected {_RATERS} of the levels {levels}")
    counts = Counter(ratings)
    return float(min(level for level, count in counts.items() if count == max(counts.values())))


@dataclass(frozen=True)
class Prices:
    """Prices in US dollars per million tokens."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0

    @classmethod
    def of_model(cls, name: str) -> Prices:
        """Return the prices of table 11. Raises: EvaluationError for an unknown model, with the known ones."""
        known = published()["prices"]["models"]
        if name not in known:
            raise EvaluationError(f"no published price of {name!r}; known: {', '.join(known)}; or pass --values")
        return cls(known[name]["input"], known[name]["output"])


@dataclass(frozen=True)
class Market:
    """Prices, market values and ratings of tasks."""

    prices: Prices = Prices()
    values: Mapping[str, float] = field(default_factory=dict)
    """Market value by task, repository or subdomain, instead of table 9."""
    ratings: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Five quality levels by task."""

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        prices = self.prices
        return (input_tokens * prices.input_per_million + output_tokens * prices.output_per_million) / 1e6

    def subdomain(self, task: BenchmarkTask) -> tuple[str, str]:
        """Return domain and subdomain of a task, `other` for a task that is not published."""
        rows = published()["subdomains"]
        return next(((row["domain"], row["name"]) for row in rows if task.id in row["tasks"]), _UNKNOWN)

    def modality(self, task: BenchmarkTask) -> str:
        """Return the modality of a task's data, `other` for a task that is not published."""
        rows = published()["subdomains"]
        return next((row["modality"] for row in rows if task.id in row["tasks"]), "other")

    def value(self, task: BenchmarkTask) -> float | None:
        """Return the market value of a task, None if unknown."""
        known = {name: row["market_value"] for row in published()["subdomains"] for name in row["tasks"]}
        names = (task.id, task.repository, self.subdomain(task)[1])
        return next((self.values[name] for name in names if name in self.values), known.get(task.id))

    def quality(self, task: str) -> float | None:
        """Return the level that the majority of raters chose, None without ratings. Raises: EvaluationError."""
        return majority_level(self.ratings[task]) if task in self.ratings else None


@dataclass(frozen=True)
class ScoredTask:
    """Result of one task of a run."""

    id: str
    repository: str
    process: bool
    result: bool
    failure: FailureClass = FailureClass.NONE
    secondary: str = ""
    """Key of `gittaskbench_failures.SECONDARY`."""
    rule: str = ""
    """Rule that decided the failure class."""
    comments: str = ""
    place: tuple[str, str] = _UNKNOWN
    """Domain and subdomain."""
    cost: float = 0.0
    """Cost in the currency of the prices."""
    value: float | None = None
    """Market value: price of the same work done by people; None if unknown."""
    quality: float | None = None
    """Rated quality relative to people's work, 0 to 1; None without ratings, where 1 is assumed."""
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    modality: str = "other"

    @property
    def gain(self) -> float | None:
        """Return the task's part of alpha, None without a market value."""
        quality = 1.0 if self.quality is None else self.quality
        return None if self.value is None else compute_alpha(self.process, self.value, quality, self.cost)


@dataclass(frozen=True)
class Summary:
    """Metrics of a group of tasks, over all runs."""

    tasks: int
    runs: int
    """Graded runs of the tasks, the denominator of the rates."""
    ecr: float
    """Execution completion rate: share with an output of the requested kind."""
    tpr: float
    """Task pass rate: share with a correct output."""
    alpha: float | None
    """Mean gain of the tasks with a known market value; None if there are none."""
    valued: int
    assumed: int
    """Completed and valued runs whose quality is assumed to be 1, because nobody rated them."""
    input_tokens: float | None
    """Mean over runs with an output of the requested kind, like output tokens and cost (table 3); None if there are none."""
    output_tokens: float | None
    cost: float | None
    total_cost: float
    failures: Mapping[str, int]
    failure_percent: Mapping[str, float]
    """Percent of the failures with a known class by primary class. Source: figure 7 (b)."""


def summary(rows: Iterable[ScoredTask]) -> Summary:
    """Compute the metrics of a group; rates are zero for an empty one."""
    given = list(rows)
    count = len(given) or 1
    gains = [gain for row in given if (gain := row.gain) is not None]
    completed = [row for row in given if row.process]

    input_tokens, output_tokens, cost = (
        fmean(getattr(row, name) for row in completed) if completed else None
        for name in ("input_tokens", "output_tokens", "cost")
    )
    return Summary(
        len({row.id for row in given}),
        len(given),
        len(completed) / count,
        sum(row.result for row in given) / count,
        fmean(gains) if gains else None,
        len(gains),
        sum(row.value is not None and row.quality is None for row in completed),
        input_tokens,
        output_tokens,
        cost,
        sum(row.cost for row in given),
        dict(sorted(Counter(row.secondary or str(row.failure) for row in given if row.failure).items())),
        _percent(row.failure for row in given if row.failure not in (FailureClass.NONE, FailureClass.UNKNOWN)),
    )


def _percent(failures: Iterable[FailureClass]) -> dict[str, float]:
    counts = Counter(map(str, failures))
    return {name: 100 * counts[name] / counts.total() for name in sorted(counts)}


def summarize_by(rows: Iterable[ScoredTask], group: Callable[[ScoredTask], str]) -> dict[str, Summary]:
    """Compute the metrics of each group, by name."""
    groups: dict[str, list[ScoredTask]] = {}
    for row in rows:
        groups.setdefault(group(row), []).append(row)
    return {name: summary(groups[name]) for name in sorted(groups)}


def pareto_curve(alphas: Iterable[float]) -> list[tuple[float, float]]:
    """Return (share of repositories, share of the total alpha), most valuable repositories first. Source: figure 6 (b).

    Losses come last, so a curve may exceed 1 before it ends there. Empty if the total is not positive.
    """
    ordered = sorted(alphas, reverse=True)
    total = sum(ordered)
    if total <= 0:
        return []
    return [(count / len(ordered), sum(ordered[:count]) / total) for count in range(len(ordered) + 1)]


_SIDE, _MARGIN = 400.0, 40.0
_COLORS: Final = ("#1b6ca8", "#b2532b", "#5b8c3a", "#7a5195")


def pareto_picture(curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw the curves as SVG, with the diagonal of an even distribution."""
    top = max((share for curve in curves.values() for _, share in curve), default=1.0)

    def point(at: tuple[float, float]) -> str:
        return f"{_MARGIN + at[0] * _SIDE:.1f},{_MARGIN + _SIDE - at[1] / top * _SIDE:.1f}"

    size = _SIDE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size:g} {size:g}" font-family="sans-serif" font-size="12">',
        f'<rect x="{_MARGIN:g}" y="{_MARGIN:g}" width="{_SIDE:g}" height="{_SIDE:g}" fill="none" stroke="#888"/>',
        f'<polyline points="{point((0, 0))} {point((1, 1))}" fill="none" stroke="#888" stroke-dasharray="4"/>',
        f'<text x="{_MARGIN:g}" y="{size - 12:g}">share of repositories</text>',
        f'<text x="{_MARGIN:g}" y="{_MARGIN - 12:g}">share of the total alpha, up to {top:.2f}</text>',
    ]
    for number, (name, curve) in enumerate(curves.items()):
        color, y = _COLORS[number % len(_COLORS)], _MARGIN + _SIDE - 14 * (len(curves) - number)
        parts.append(
            f'<polyline points="{" ".join(map(point, curve))}" fill="none" stroke="{color}" stroke-width="2"/>'
        )
        parts.append(f'<text x="{_MARGIN + _SIDE / 2:g}" y="{y:g}" fill="{color}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])
