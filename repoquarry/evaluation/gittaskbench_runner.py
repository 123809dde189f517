"""Runner of GitTaskBench: has the agent service solve each task, grades the output, and resumes from stored results."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from repoquarry.evaluation.gittaskbench_failures import RunRecord, classify
from repoquarry.evaluation.gittaskbench_grading import Grade, Grader
from repoquarry.evaluation.gittaskbench_metrics import Market, ScoredTask
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask


@dataclass(frozen=True)
class TaskRun:
    """Final state of one task."""

    record: RunRecord
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class _StoredRun:
    """Run and grade of one task, as the file of a finished task."""

    ran: TaskRun
    grade: Grade


class TaskRunner(Protocol):
    """Interface that runs tasks of the agent: a server or the local store."""

    def run(self, task: BenchmarkTask, outputs: Path) -> TaskRun:
        """Run a task until it finishes and write its outputs into a folder. Raises the errors of the service."""
        ...


def run_tasks(
    tasks: Sequence[BenchmarkTask],
    service: TaskRunner | None,
    grader: Grader,
    folder: Path,
    market: Market,
    *,
    parallel: int,
    runs: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> list[ScoredTask]:
    """Run and grade tasks, `runs` times; finished tasks are read from `folder`.

    Without a service, only existing outputs are graded. The first run is located in `folder`, further ones in `run_2`, ….
    """
    # One run after the other, because the grader has one folder per task.
    folders = [folder if run == 1 else folder / f"run_{run}" for run in range(1, runs + 1)]
    with ThreadPoolExecutor(max_workers=parallel) as pool:
        return [
            row
            for place in folders
            for row in pool.map(lambda task, place=place: _one(task, service, grader, place, market, say), tasks)
        ]


def _one(
    task: BenchmarkTask,
    service: TaskRunner | None,
    grader: Grader,
    folder: Path,
    market: Market,
    say: Callable[[str], None],
) -> ScoredTask:
    kept = folder / "runs" / f"{task.id}.json"
    outputs = folder / "output" / task.id
    if kept.is_file():
        stored = msgspec.json.decode(kept.read_bytes(), type=_StoredRun)
        ran, grade = stored.ran, stored.grade
        say(f"{task.id}: cached in {kept}")
    else:
        ran = _run(task, service, outputs)
        grade = grader.grade(task, outputs, folder / "test_results" / task.id / "results.jsonl")
        _write(kept, _StoredRun(ran, grade))
    failure = classify(ran.record, grade, task.modules, task.internal)
    say(f"{task.id}: {'passed' if grade.result else f'{failure.secondary or failure.primary} {failure.rule}'}")
    return ScoredTask(
        task.id,
        task.repository,
        grade.process,
        grade.result,
        failure.primary,
        failure.secondary,
        failure.rule,
        grade.comments,
        market.subdomain(task),
        market.cost(ran.input_tokens, ran.output_tokens),
        market.value(task),
        market.quality(task.id),
        ran.seconds,
        ran.input_tokens,
        ran.output_tokens,
        market.modality(task),
    )


def _run(task: BenchmarkTask, service: TaskRunner | None, outputs: Path) -> TaskRun:
    if service is None:
        produced = tuple(sorted(path.name for path in outputs.iterdir())) if outputs.is_dir() else ()
        return TaskRun(RunRecord("unknown", produced=produced))
    if task.missing:
        return TaskRun(
            RunRecord(
                "unknown",
                error=f"inputs missing in the checkout: {', '.join(task.missing)}",
                error_reason="INPUT_MISSING",
            )
        )
    shutil.rmtree(outputs, ignore_errors=True)
    outputs.mkdir(parents=True)
    started = time.monotonic()
    ran = service.run(task, outputs)
    return TaskRun(ran.record, ran.input_tokens, ran.output_tokens, time.monotonic() - started)


def _write(path: Path, stored: _StoredRun) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(stored), indent=1))
    partial.replace(path)
