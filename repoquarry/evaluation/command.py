"""`repoquarry evaluate`: GitTaskBench and SWE-PolyBench on the command line."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.cli.commands.tasks import POLICIES, fetch, send
from repoquarry.server.cli.completion import one_of
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import invalid_field

if TYPE_CHECKING:
    from repoquarry.evaluation.gittaskbench_runner import Prices, TaskRun
    from repoquarry.evaluation.gittaskbench_runner import ScoredTask as GittaskbenchScoredImport
    from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask
    from repoquarry.evaluation.polybench_scoring import ScoredInstance
    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import Task, TaskEvent


@dataclass(frozen=True)
class RunOptions:
    """Selected tasks of the benchmark, and run settings."""

    tasks: tuple[str, ...]
    policy: str
    parallel: int
    seconds: float
    grade_only: bool
    values: Path | None


def evaluate_gittaskbench(session: CliSession, data: Path, output: Path, choice: RunOptions) -> None:
    """Run and grade tasks, write the benchmark's own result files, and print the figures."""
    from repoquarry.evaluation.gittaskbench_grading import Grader
    from repoquarry.evaluation.gittaskbench_runner import run_tasks
    from repoquarry.evaluation.gittaskbench_tasks import read_tasks

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
        _print_gittaskbench(report)


class _Service:
    """Runner of benchmark tasks as tasks of the service."""

    def __init__(self, api: Api, choice: RunOptions) -> None:
        self._api, self._choice = api, choice
        self._ids: dict[str, str] = {}

    def check(self, tasks: list[BenchmarkTask]) -> None:
        """Check that every repository is indexed. Raises: RequestError with the missing ones."""
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
            raise invalid_field(
                "--data", f"not indexed: {', '.join(lacking)}; index DATA/code_base/NAME under these names"
            )

    def run(self, task: BenchmarkTask, outputs: Path) -> TaskRun:
        """Run a task until it finishes and download its outputs."""
        from repoquarry.evaluation.gittaskbench_runner import TaskRun
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
        return TaskRun(record, ended.answer.input_tokens, ended.answer.output_tokens)


def _record(task: Task, events: list[TaskEvent], produced: tuple[str, ...]) -> Any:
    from repoquarry.evaluation.gittaskbench_grading import RecordedCommand, RunRecord

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
        tuple(RecordedCommand(one.command, one.exit_code, one.stopped, one.head + one.tail) for one in commands),
        tuple((one.tool, one.summary) for one in failed),
        produced,
    )


def _prices(path: Path | None) -> Prices:
    from repoquarry.evaluation.gittaskbench_runner import Prices

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
        raise invalid_field("--values", f"{path} cannot be used: {error}") from error


def _report(rows: list[GittaskbenchScoredImport]) -> Mapping[str, Any]:
    from repoquarry.evaluation.gittaskbench_runner import summarize_by, summary

    return {
        "all": asdict(summary(rows)),
        "domains": {name: asdict(found) for name, found in summarize_by(rows, lambda row: row.domain).items()},
        "repositories": {name: asdict(found) for name, found in summarize_by(rows, lambda row: row.repository).items()},
        "tasks": [{**asdict(row), "failure": str(row.failure), "gain": row.gain} for row in rows],
    }


def _print_gittaskbench(report: Mapping[str, Any]) -> None:
    print(f"{'':<36}{'tasks':>6}{'ECR':>8}{'TPR':>8}{'alpha':>10}  failures")
    print(_line_gittaskbench("all", report["all"]))
    for kind in ("domains", "repositories"):
        for name, found in report[kind].items():
            print(_line_gittaskbench(name, found))
    for row in report["tasks"]:
        verdict = "passed" if row["result"] else f"{row['failure']}: {row['rule']}"
        print(f"{row['id']}: {verdict}{'' if row['result'] or not row['comments'] else ' | ' + row['comments'][:160]}")


def _line_gittaskbench(name: str, found: Mapping[str, Any]) -> str:
    alpha = "-" if found["alpha"] is None else f"{found['alpha']:.2f}"
    failures = " ".join(f"{kind}={count}" for kind, count in found["failures"].items())
    return f"{name:<36}{found['tasks']:>6}{found['ecr']:>8.3f}{found['tpr']:>8.3f}{alpha:>10}  {failures}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def evaluate(
    session: CliSession,
    instances: Path,
    predictions: Path,
    trees: Path | None,
    outcomes: Path | None,
    output: Path | None,
) -> None:
    """Score predictions and print the figures."""
    from repoquarry.evaluation import polybench_instances as data
    from repoquarry.evaluation.polybench_scoring import FolderTrees, score, summarize_by_stratum, summary

    rows = score(
        data.read_instances(instances),
        data.read_predictions(predictions),
        trees=FolderTrees(trees) if trees else None,
        outcomes=data.read_outcomes(outcomes) if outcomes else None,
    )
    if output is not None:
        _write(output, rows)
    report = {
        "all": summary(rows),
        "strata": summarize_by_stratum(rows),
        "problems": {r.instance_id: r.problem for r in rows if r.problem},
    }
    if session.as_json:
        session.print_json(report)
    else:
        _print(report)


def _write(folder: Path, rows: list[ScoredInstance]) -> None:
    """Write one `<instance>_metrics.json` per instance, by the published rules."""
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        found = {
            "instance_id": row.instance_id,
            "file_retrieval_metrics": asdict(row.published_files),
            "node_retrieval_metrics": asdict(row.published_nodes) if row.published_nodes else None,
        }
        (folder / f"{row.instance_id}_metrics.json").write_text(json.dumps(found, indent=4), encoding="utf-8")


def _print(report: Mapping[str, Any]) -> None:
    print(
        f"{'':<24}{'n':>5}  {'files R / P / F1':<22}{'nodes R / P / F1':<22}{'published files':<22}{'published nodes':<22}pass rate"
    )
    print(_line("all", report["all"]))
    for name, groups in report["strata"].items():
        for group, found in groups.items():
            print(_line(f"{name} {group}", found))
    for instance, problem in report["problems"].items():
        print(f"{instance}: {problem}")


def _line(name: str, found: Mapping[str, Any]) -> str:
    cells = "".join(f"{_three(found[key]):<22}" for key in ("files", "nodes", "published_files", "published_nodes"))
    rate = "-" if found["pass_rate"] is None else f"{found['pass_rate']:.3f} of {found['tested']}"
    return f"{name:<24}{found['instances']:>5}  {cells}{rate}"


def _three(found: Mapping[str, float] | None) -> str:
    return "-" if found is None else f"{found['recall']:.3f} / {found['precision']:.3f} / {found['f1']:.3f}"


_BENCHMARKS = ("polybench", "gittaskbench")


_Benchmark = Annotated[
    str,
    typer.Argument(
        help="polybench (SWE-PolyBench) or gittaskbench (GitTaskBench).", autocompletion=one_of(_BENCHMARKS)
    ),
]
_Instances = Annotated[
    Path | None, typer.Option("--instances", help="polybench: JSONL file of the benchmark's instances.")
]
_Predictions = Annotated[
    Path | None,
    typer.Option(
        "--predictions", help="polybench: JSONL file with a patch (model_patch) or ranked files per instance."
    ),
]
_Trees = Annotated[
    Path | None,
    typer.Option(
        "--trees", help="polybench: folder with each instance's base commit in DIR/<instance_id>; required for nodes."
    ),
]
_Outcomes = Annotated[
    Path | None,
    typer.Option("--outcomes", help="polybench: folder with *_result.json of test runs, for pass rates."),
]
_Data = Annotated[Path | None, typer.Option("--data", help="gittaskbench: a checkout of the benchmark.")]
_Tasks = Annotated[
    list[str] | None, typer.Option("--task", metavar="ID", help="gittaskbench: run only this task; repeatable.")
]
_Policy = Annotated[
    str, typer.Option("--policy", help="gittaskbench: policy of the agent.", autocompletion=one_of(POLICIES))
]
_Parallel = Annotated[int, typer.Option("--parallel", min=1, help="gittaskbench: number of parallel tasks.")]
_Seconds = Annotated[
    float, typer.Option("--seconds", min=0, help="gittaskbench: maximum seconds per task; 0 uses the setting.")
]
_GradeOnly = Annotated[
    bool, typer.Option("--grade-only", help="gittaskbench: run nothing; grade the files in OUTPUT/output/<id>.")
]
_Values = Annotated[
    Path | None,
    typer.Option(
        "--values",
        help="gittaskbench: TOML file with the tables `values` and `quality` of tasks and `prices` of tokens, for the alpha value.",
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        help="Folder for results in the format of the benchmark; gittaskbench resumes from existing results in it.",
    ),
]


@with_session
def evaluate_command(
    session: CliSession,
    benchmark: _Benchmark,
    instances: _Instances = None,
    predictions: _Predictions = None,
    trees: _Trees = None,
    outcomes: _Outcomes = None,
    data: _Data = None,
    task: _Tasks = None,
    policy: _Policy = "chat",
    parallel: _Parallel = 1,
    seconds: _Seconds = 0.0,
    grade_only: _GradeOnly = False,
    values: _Values = None,
    output: _Output = None,
) -> None:
    """Score predictions on SWE-PolyBench, or run and grade the tasks of GitTaskBench."""
    if benchmark not in _BENCHMARKS:
        raise invalid_field("benchmark", f"unknown benchmark {benchmark!r}; expected one of {', '.join(_BENCHMARKS)}")
    if benchmark == "polybench":
        found = (_needed("--instances", instances), _needed("--predictions", predictions))
        evaluate(session, *found, trees, outcomes, output)
        return

    chosen = RunOptions(tuple(task or ()), policy, parallel, seconds, grade_only, values)
    evaluate_gittaskbench(session, _needed("--data", data), _needed("--output", output), chosen)


def _needed(name: str, path: Path | None) -> Path:
    if path is None:
        raise invalid_field(name, "required for this benchmark")
    return path
