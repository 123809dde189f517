"""GitTaskBench on the command line: tasks given to the service, graded, and reported by domain and repository."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from repoquarry.server.cli.session import Session
from repoquarry.server.cli.transfer import fetch, send
from repoquarry.server.errors import invalid

if TYPE_CHECKING:
    from repoquarry.agent.evaluation.gittaskbench.metrics import Scored
    from repoquarry.agent.evaluation.gittaskbench.running import Prices, Ran
    from repoquarry.agent.evaluation.gittaskbench.tasks import BenchmarkTask
    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import Task, TaskEvent


@dataclass(frozen=True)
class Choice:
    """What of the benchmark is run, and how."""

    tasks: tuple[str, ...]
    policy: str
    parallel: int
    seconds: float
    grade_only: bool
    values: Path | None


def evaluate(session: Session, data: Path, output: Path, choice: Choice) -> None:
    """Run and grade tasks, write the benchmark's own result files, and print the figures."""
    from repoquarry.agent.evaluation.gittaskbench.grading import Grader
    from repoquarry.agent.evaluation.gittaskbench.running import run_tasks
    from repoquarry.agent.evaluation.gittaskbench.tasks import read_tasks

    tasks = read_tasks(data, choice.tasks)
    prices = _prices(choice.values)
    output.mkdir(parents=True, exist_ok=True)
    grader = Grader(data, output / "grading", session.settings.agent, _say)
    if choice.grade_only:
        rows = run_tasks(tasks, None, grader, output, prices, parallel=choice.parallel, say=_say)
    else:
        with session.api() as api:
            service = _Service(api, choice)
            service.check(tasks)
            rows = run_tasks(tasks, service, grader, output, prices, parallel=choice.parallel, say=_say)
    report = _report(rows)
    if session.as_json:
        session.print_json(report)
    else:
        _print(report)


class _Service:
    """Tasks of the benchmark as tasks of the service."""

    def __init__(self, api: Api, choice: Choice) -> None:
        self._api, self._choice = api, choice
        self._ids: dict[str, str] = {}

    def check(self, tasks: list[BenchmarkTask]) -> None:
        """Whether every repository is indexed. Raises: RequestError that says which are not."""
        from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest

        token = ""
        while True:
            page = self._api.repositories.list_repositories(ListRepositoriesRequest(page_token=token))
            for found in page.repositories:
                name = found.name.partition("/")[2]
                self._ids[name.casefold()] = name
            if not (token := page.next_page_token):
                break
        lacking = sorted({task.repository for task in tasks if task.repository.casefold() not in self._ids})
        if lacking:
            raise invalid("--data", f"not indexed: {', '.join(lacking)}; index DATA/code_base/NAME under these names")

    def run(self, task: BenchmarkTask, outputs: Path) -> Ran:
        """Run a task to its end and fetch what it produced."""
        from repoquarry.agent.evaluation.gittaskbench.running import Ran
        from repoquarry.v1 import task_service_pb2 as pb

        inputs = []
        for item in task.inputs:
            sent = send(self._api, str(item.source))
            inputs.append(pb.TaskInput(upload=sent.upload, path=item.path))
        spec = pb.TaskSpec(
            text=task.text,
            repositories=[f"repositories/{self._ids[task.repository.casefold()]}"],
            policy=self._choice.policy,
            budget=pb.TaskBudget(seconds=self._choice.seconds),
            workspace=True,
            auto_approve=True,
            inputs=inputs,
        )
        created = self._api.tasks.create_task(pb.CreateTaskRequest(spec=spec)).task
        events = [
            part.event for part in self._api.tasks.stream_task_events(pb.StreamTaskEventsRequest(name=created.name))
        ]
        ended = self._api.tasks.get_task(pb.GetTaskRequest(name=created.name)).task
        produced = fetch(self._api, ended.name, outputs)
        record = _record(ended, events, tuple(path.relative_to(outputs).as_posix() for path in produced))
        return Ran(record, ended.answer.input_tokens, ended.answer.output_tokens)


def _record(task: Task, events: list[TaskEvent], produced: tuple[str, ...]) -> Any:
    from repoquarry.agent.evaluation.gittaskbench.failures import Command, RunRecord

    commands = [event.command_ended for event in events if event.WhichOneof("event") == "command_ended"]
    failed = [
        event.tool_returned
        for event in events
        if event.WhichOneof("event") == "tool_returned" and event.tool_returned.failed
    ]
    state = "answered" if task.HasField("answer") else "failed"
    if task.answer.partial:
        state = "budget_reached"
    return RunRecord(
        state,
        task.error.message,
        task.error.reason,
        tuple(Command(one.command, one.exit_code, one.stopped, one.head + one.tail) for one in commands),
        tuple((one.tool, one.summary) for one in failed),
        produced,
    )


def _prices(path: Path | None) -> Prices:
    from repoquarry.agent.evaluation.gittaskbench.running import Prices

    if path is None:
        return Prices()
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        prices = document.get("prices", {})
        return Prices(
            float(prices.get("input_per_million", 0)),
            float(prices.get("output_per_million", 0)),
            {name: float(value) for name, value in document.get("values", {}).items()},
            {name: float(value) for name, value in document.get("quality", {}).items()},
        )
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise invalid("--values", f"{path} cannot be used: {error}") from error


def _report(rows: list[Scored]) -> Mapping[str, Any]:
    from repoquarry.agent.evaluation.gittaskbench.metrics import by, summary

    return {
        "all": asdict(summary(rows)),
        "domains": {name: asdict(found) for name, found in by(rows, lambda row: row.domain).items()},
        "repositories": {name: asdict(found) for name, found in by(rows, lambda row: row.repository).items()},
        "tasks": [{**asdict(row), "failure": str(row.failure), "gain": row.gain} for row in rows],
    }


def _print(report: Mapping[str, Any]) -> None:
    print(f"{'':<36}{'tasks':>6}{'ECR':>8}{'TPR':>8}{'alpha':>10}  failures")
    print(_line("all", report["all"]))
    for kind in ("domains", "repositories"):
        for name, found in report[kind].items():
            print(_line(name, found))
    for row in report["tasks"]:
        verdict = "passed" if row["result"] else f"{row['failure']}: {row['rule']}"
        print(f"{row['id']}: {verdict}{'' if row['result'] or not row['comments'] else ' | ' + row['comments'][:160]}")


def _line(name: str, found: Mapping[str, Any]) -> str:
    alpha = "-" if found["alpha"] is None else f"{found['alpha']:.2f}"
    failures = " ".join(f"{kind}={count}" for kind, count in found["failures"].items())
    return f"{name:<36}{found['tasks']:>6}{found['ecr']:>8.3f}{found['tpr']:>8.3f}{alpha:>10}  {failures}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
