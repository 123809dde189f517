"""Run of benchmark tasks through the service, and their metrics."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from repoquarry.evaluation.gittaskbench_grading import FailureClass, Grade, Grader, RecordedCommand, RunRecord, classify
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask


@dataclass(frozen=True)
class ScoredTask:
    """Result of one task of a run."""

    id: str
    repository: str
    domain: str
    process: bool
    result: bool
    failure: FailureClass = FailureClass.NONE
    rule: str = ""
    """Rule that decided the failure class."""
    comments: str = ""
    cost: float = 0.0
    """Cost in the currency of the prices."""
    value: float | None = None
    """Market value: price of the same work done by people; None if unknown."""
    quality: float = 1.0
    """Quality of a passed output relative to people's work, 0 to 1."""
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def gain(self) -> float | None:
        """Return T x MV x Q - C. Source: the benchmark's paper, alpha value."""
        return None if self.value is None else self.result * self.value * self.quality - self.cost


@dataclass(frozen=True)
class Summary:
    """Metrics of a group of tasks."""

    tasks: int
    ecr: float
    """Execution completion rate: share of tasks with an output of the requested kind."""
    tpr: float
    """Task pass rate: share of tasks with a correct output."""
    alpha: float | None
    """Mean gain of the tasks with a known market value; None if there are none."""
    valued: int
    cost: float
    failures: Mapping[str, int]


def summary(rows: Iterable[ScoredTask]) -> Summary:
    """Compute the metrics of a group; all zero for an empty one."""
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


def summarize_by(rows: Iterable[ScoredTask], group: Callable[[ScoredTask], str]) -> dict[str, Summary]:
    """Compute the metrics of each group, by name."""
    groups: dict[str, list[ScoredTask]] = {}
    for row in rows:
        groups.setdefault(group(row), []).append(row)
    return {name: summary(groups[name]) for name in sorted(groups)}


@dataclass(frozen=True)
class TaskRun:
    """Final state of one task."""

    record: RunRecord
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class TaskRunner(Protocol):
    """Interface that runs tasks of the agent: a server or the local store."""

    def run(self, task: BenchmarkTask, outputs: Path) -> TaskRun:
        """Run a task until it finishes and write its outputs into a folder. Raises the errors of the service."""
        ...


@dataclass(frozen=True)
class Prices:
    """Costs and market values."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0
    values: Mapping[str, float] = field(default_factory=dict)
    """Task or repository -> market value."""
    quality: Mapping[str, float] = field(default_factory=dict)
    """Task -> quality of its output, 0 to 1."""

    def cost(self, ran: TaskRun) -> float:
        return (ran.input_tokens * self.input_per_million + ran.output_tokens * self.output_per_million) / 1e6

    def value(self, task: BenchmarkTask) -> float | None:
        return self.values.get(task.id, self.values.get(task.repository))


def run_tasks(
    tasks: Sequence[BenchmarkTask],
    service: TaskRunner | None,
    grader: Grader,
    folder: Path,
    prices: Prices,
    *,
    parallel: int,
    say: Callable[[str], None] = lambda _: None,
) -> list[ScoredTask]:
    """Run and grade tasks; finished tasks are read from `folder`. Without a service, only existing outputs are graded."""
    with ThreadPoolExecutor(max_workers=parallel) as pool:
        return list(pool.map(lambda task: _one(task, service, grader, folder, prices, say), tasks))


def _one(
    task: BenchmarkTask,
    service: TaskRunner | None,
    grader: Grader,
    folder: Path,
    prices: Prices,
    say: Callable[[str], None],
) -> ScoredTask:
    kept = folder / "runs" / f"{task.id}.json"
    outputs = folder / "output" / task.id
    if kept.is_file():
        ran, grade = _read(kept)
        say(f"{task.id}: cached in {kept}")
    else:
        ran = _run(task, service, outputs)
        grade = grader.grade(task, outputs, folder / "test_results" / task.id / "results.jsonl")
        _write(kept, ran, grade)
    failure, rule = classify(ran.record, grade)
    say(f"{task.id}: {'passed' if grade.result else f'{failure} {rule}'}")
    return ScoredTask(
        task.id,
        task.repository,
        task.domain,
        grade.process,
        grade.result,
        failure,
        rule,
        grade.comments,
        prices.cost(ran),
        prices.value(task),
        prices.quality.get(task.id, 1.0),
        ran.seconds,
        ran.input_tokens,
        ran.output_tokens,
    )


def _run(task: BenchmarkTask, service: TaskRunner | None, outputs: Path) -> TaskRun:
    if service is None:
        produced = tuple(sorted(path.name for path in outputs.iterdir())) if outputs.is_dir() else ()
        return TaskRun(RunRecord("answered", produced=produced))
    if task.missing:
        return TaskRun(
            RunRecord(
                "failed",
                error=f"inputs missing in the checkout: {', '.join(task.missing)}",
                error_reason="INPUT_MISSING",
            )
        )
    shutil.rmtree(outputs, ignore_errors=True)
    outputs.mkdir(parents=True)
    started = time.monotonic()
    ran = service.run(task, outputs)
    return TaskRun(ran.record, ran.input_tokens, ran.output_tokens, time.monotonic() - started)


def _write(path: Path, ran: TaskRun, grade: Grade) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(
        json.dumps({"ran": asdict(ran), "grade": asdict(grade)}, ensure_ascii=False, indent=1), encoding="utf-8"
    )
    partial.replace(path)


def _read(path: Path) -> tuple[TaskRun, Grade]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    ran, record = document["ran"], document["ran"].pop("record")
    commands = tuple(RecordedCommand(**command) for command in record.pop("commands"))
    failed = tuple((name, message) for name, message in record.pop("failed_tools"))
    produced = tuple(record.pop("produced"))
    return TaskRun(RunRecord(**record, commands=commands, failed_tools=failed, produced=produced), **ran), Grade(
        **document["grade"]
    )
