"""ECR, TPR and alpha, whole and by domain and repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from repoquarry.agent.evaluation.gittaskbench.failures import FailureClass


@dataclass(frozen=True)
class Scored:
    """One task of a run."""

    id: str
    repository: str
    domain: str
    process: bool
    result: bool
    failure: FailureClass = FailureClass.NONE
    rule: str = ""
    """Why the failure is of that class."""
    comments: str = ""
    cost: float = 0.0
    """In the currency of the prices."""
    value: float | None = None
    """Market value: what the work costs when people do it. None when it is not known."""
    quality: float = 1.0
    """Quality of a passed output against people's work, 0 to 1."""
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def gain(self) -> float | None:
        """T x MV x Q - C. Source: the benchmark's paper, alpha value."""
        return None if self.value is None else self.result * self.value * self.quality - self.cost


@dataclass(frozen=True)
class Summary:
    """Shares of a group of tasks."""

    tasks: int
    ecr: float
    """Execution completion rate: share of tasks with an output of the kind that was asked for."""
    tpr: float
    """Task pass rate: share of tasks whose output is right."""
    alpha: float | None
    """Mean gain of the tasks whose market value is known; None when that is none."""
    valued: int
    cost: float
    failures: Mapping[str, int]


def summary(rows: Iterable[Scored]) -> Summary:
    """Figures of a group; all zero for an empty one."""
    given = list(rows)
    count = len(given) or 1
    gains = [gain for row in given if (gain := row.gain) is not None]
    return Summary(
        len(given),
        sum(row.process for row in given) / count,
        sum(row.result for row in given) / count,
        sum(gains) / len(gains) if gains else None,
        len(gains),
        sum(row.cost for row in given),
        dict(sorted(Counter(str(row.failure) for row in given if row.failure).items())),
    )


def by(rows: Iterable[Scored], group: Callable[[Scored], str]) -> dict[str, Summary]:
    """Figures of each group, by name."""
    groups: dict[str, list[Scored]] = {}
    for row in rows:
        groups.setdefault(group(row), []).append(row)
    return {name: summary(groups[name]) for name in sorted(groups)}
