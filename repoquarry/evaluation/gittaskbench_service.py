"""Benchmark run of `repoquarry evaluate gittaskbench`: submits tasks to the agent service with the published limits, prints metrics."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from repoquarry.evaluation.gittaskbench_failures import RecordedCommand, RunRecord
from repoquarry.evaluation.gittaskbench_grading import Grader
from repoquarry.evaluation.gittaskbench_metrics import (
    Market,
    Prices,
    ScoredTask,
    pareto_curve,
    pareto_picture,
    published,
    summarize_by,
    summary,
)
from repoquarry.evaluation.gittaskbench_runner import TaskRun, run_tasks
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask, read_tasks
from repoquarry.ingest.files.documents import find_readme
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import NetworkPolicy
from repoquarry.operations.table import OPERATIONS
from repoquarry.server.cli.commands.tasks import fetch, send
from repoquarry.server.cli.session import CliSession
from repoquarry.server.errors import invalid_field
from repoquarry.server.repository_checks import PUBLIC_HOSTS, check_links, list_weight_links
from repoquarry.server.resource_names import iterate_pages
from repoquarry.v1 import task_service_pb2 as pb
from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest

if TYPE_CHECKING:
    from repoquarry.agent.settings import AgentSettings
    from repoquarry.server.api import Api


_READERS: Final = frozenset({*OPERATIONS, "read_file", "checkout"})


@dataclass(frozen=True)
class RunOptions:
    """Selected tasks of the benchmark, and run settings."""

    tasks: tuple[str, ...]
    policy: str
    parallel: int
    runs: int
    steps: int
    seconds: float
    command_seconds: float
    hosts: tuple[str, ...]
    """Hosts that commands may reach, such as those of weights."""
    grade_only: bool
    model: str
    """Model of the published price list; empty means no prices."""
    values: Path | None
    ratings: Path | None


def ablate(agent: AgentSettings) -> dict[str, AgentSettings]:
    """Return the settings of each configuration by its name. Source: RepoMaster (arXiv 2505.21577), table 3."""

    def without(
        own: AgentSettings, *, blocks: bool = True, exploration: bool = True, selection: bool = True
    ) -> AgentSettings:
        return replace(
            own,
            exploration=own.exploration and exploration,
            model=replace(own.model, opening_blocks=own.model.opening_blocks and blocks),
            selection=replace(own.selection, by_relevance=own.selection.by_relevance and selection),
        )

    return {
        "full": agent,
        "without structure analysis": without(agent, blocks=False),
        "without exploration tools": without(agent, exploration=False),
        "without information selection": without(agent, selection=False),
        "without all": without(agent, blocks=False, exploration=False, selection=False),
    }


def evaluate_ablation(session: CliSession, data: Path, output: Path, choice: RunOptions) -> None:
    """Run the tasks in each configuration, in a folder of its own, and print completion, pass rate and tokens."""
    if session.settings.client.server:
        raise invalid_field("--ablation", "a server runs tasks within its own settings; leave --server out")
    found = {}
    for name, agent in ablate(session.settings.agent).items():
        rows = _run(session, agent, data, output / name.replace(" ", "_"), choice)
        rates, tokens = summary(rows), fmean(row.input_tokens + row.output_tokens for row in rows)
        found[name] = {"runs": len(rows), "ecr": rates.ecr, "tpr": rates.tpr, "tokens": tokens}
    if session.as_json:
        session.print_json(found)
        return
    print(f"{'':<32}{'runs':>5}{'completion %':>14}{'pass %':>8}{'tokens (k)':>12}")
    for name, one in found.items():
        print(
            f"{name:<32}{one['runs']:>5}{100 * one['ecr']:>14.2f}{100 * one['tpr']:>8.2f}{one['tokens'] / 1000:>12.2f}"
        )


def evaluate_gittaskbench(session: CliSession, data: Path, output: Path, choice: RunOptions) -> None:
    """Run and grade tasks, write the benchmark's own result files, and print the figures."""
    weights = [] if choice.grade_only else find_weights(data, choice, session.settings.ingest)
    for row in weights:
        _say(f"{row['repository']}: {row['url']}: {row['problem'] or 'can be read'}")
    rows = _run(session, session.settings.agent, data, output, choice)
    (output / "pareto.svg").write_text(_picture(rows), encoding="utf-8")
    report = {"agent": describe_agent(session, choice), "weights": weights, **gittaskbench_report(rows)}
    if session.as_json:
        session.print_json(report)
    else:
        _print(report)


def find_weights(
    data: Path, choice: RunOptions, settings: IngestSettings, reach: NetworkPolicy = PUBLIC_HOSTS
) -> list[dict[str, Any]]:
    """Request the weights that READMEs of the repositories link to on the hosts of the run: without them a task has to fail."""
    found = []
    for name in sorted({task.repository for task in read_tasks(data, choice.tasks)}) if choice.hosts else ():
        tree = data / "code_base" / name
        readme = find_readme([path.name for path in tree.iterdir()]) if tree.is_dir() else None
        text = (tree / readme).read_text(encoding="utf-8", errors="replace") if readme else ""
        links = [link for link in list_weight_links(text) if urlsplit(link).hostname in choice.hosts]
        found += [{"repository": name, **asdict(link)} for link in check_links(links, settings, reach)]
    return found


def describe_agent(session: CliSession, choice: RunOptions) -> dict[str, Any]:
    """Return the agent that the figures describe; the model of a server is not known."""
    if choice.grade_only or session.settings.client.server:
        return {"policy": "" if choice.grade_only else choice.policy}
    model = session.settings.agent.model
    return {
        "policy": choice.policy,
        "model": model.name,
        "temperature": model.options.get("temperature"),
        "top_p": model.options.get("top_p"),
        "output_tokens": model.output_tokens,
    }


def _run(session: CliSession, agent: AgentSettings, data: Path, output: Path, choice: RunOptions) -> list[ScoredTask]:
    """Run and grade the chosen tasks with some settings of the agent; results are located in `output`."""
    tasks, market = read_tasks(data, choice.tasks), _market(choice)
    output.mkdir(parents=True, exist_ok=True)
    agent = raised_limits(agent, choice)
    grader = Grader(data, output / "grading", agent, _say)
    if choice.grade_only:
        runs = 1 + sum((output / f"run_{run}").is_dir() for run in range(2, choice.runs + 1))
        return run_tasks(tasks, None, grader, output, market, parallel=choice.parallel, runs=runs, say=_say)
    with CliSession(replace(session.settings, agent=agent), as_json=session.as_json).api() as api:
        service = BenchmarkService(api, choice)
        service.check(tasks)
        return run_tasks(tasks, service, grader, output, market, parallel=choice.parallel, runs=choice.runs, say=_say)


def raised_limits(agent: AgentSettings, choice: RunOptions) -> AgentSettings:
    """Return settings that admit the limits of a run; a limit that is already higher, or 0, stays.

    A server runs tasks within its own settings.
    """

    def at_least(own: float, wanted: float) -> float:
        return own and max(own, wanted)

    workspace = replace(
        agent.workspace,
        command_seconds=at_least(agent.workspace.command_seconds, choice.command_seconds),
        grantable_hosts=tuple(dict.fromkeys((*agent.workspace.grantable_hosts, *choice.hosts))),
    )
    return replace(
        agent,
        max_steps=int(at_least(agent.max_steps, choice.steps)),
        max_seconds=at_least(agent.max_seconds, choice.seconds),
        workspace=workspace,
    )


class BenchmarkService:
    """Runner of benchmark tasks as tasks of the service."""

    def __init__(self, api: Api, choice: RunOptions) -> None:
        self._api, self._choice = api, choice
        self._ids: dict[str, str] = {}

    def check(self, tasks: list[BenchmarkTask]) -> None:
        """Check that every repository is indexed. Raises: RequestError with the missing ones."""
        for page in iterate_pages(self._api.repositories.list_repositories, ListRepositoriesRequest()):
            names = [found.name.partition("/")[2] for found in page.repositories]
            self._ids |= {name.casefold(): name for name in names}
        lacking = sorted({task.repository for task in tasks if task.repository.casefold() not in self._ids})
        if lacking:
            raise invalid_field(
                "--data", f"not indexed: {', '.join(lacking)}; index DATA/code_base/NAME under these names"
            )

    def run(self, task: BenchmarkTask, outputs: Path) -> TaskRun:
        """Run a task until it finishes and download its outputs."""
        inputs = []
        for item in task.inputs:
            sent = send(self._api, str(item.source))
            inputs.append(pb.TaskInput(upload=sent.upload, path=item.path))
        spec = pb.TaskSpec(
            text=task.text,
            repositories=[f"repositories/{self._ids[task.repository.casefold()]}"],
            policy=self._choice.policy,
            budget=pb.TaskBudget(steps=self._choice.steps, seconds=self._choice.seconds),
            network_hosts=self._choice.hosts,
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


def _record(task: pb.Task, events: list[pb.TaskEvent], produced: tuple[str, ...]) -> RunRecord:
    def of_kind(kind: str) -> list[Any]:
        return [getattr(event, kind) for event in events if event.WhichOneof("event") == kind]

    texts = {"write_file": "text", "edit_file": "new"}
    state = "answered" if task.HasField("answer") else "failed"
    if task.answer.partial:
        state = "budget_reached"
    return RunRecord(
        state,
        task.error.message,
        task.error.reason,
        tuple(
            RecordedCommand(one.command, one.exit_code, one.stopped, one.head + one.tail)
            for one in of_kind("command_ended")
        ),
        tuple((one.tool, one.summary) for one in of_kind("tool_returned") if one.failed),
        produced,
        tuple(str(dict(one.arguments).get(texts[one.tool], "")) for one in of_kind("tool_called") if one.tool in texts),
        sum(one.tool in _READERS for one in of_kind("tool_called")),
    )


def _market(choice: RunOptions) -> Market:
    values = _table(choice.values, "--values")
    prices = Prices.of_model(choice.model) if choice.model else Prices()
    try:
        own = values.get("prices", {})
        if own:
            prices = Prices(float(own.get("input_per_million", 0)), float(own.get("output_per_million", 0)))
        by_name = {name: float(value) for name, value in values.get("values", {}).items()}
        ratings = {name: tuple(map(float, levels)) for name, levels in _table(choice.ratings, "--ratings").items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise invalid_field("--values", f"invalid content of --values or --ratings: {error}") from error
    return Market(prices, by_name, ratings)


def _table(path: Path | None, option: str) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise invalid_field(option, f"{path} cannot be used: {error}") from error


def gittaskbench_report(rows: list[ScoredTask]) -> dict[str, Any]:
    """Return the metrics of all tasks, and by domain, subdomain and repository."""
    groups = {
        "domains": summarize_by(rows, lambda row: row.place[0]),
        "modalities": summarize_by(rows, lambda row: row.modality),
        "subdomains": summarize_by(rows, lambda row: " / ".join(row.place)),
        "repositories": summarize_by(rows, lambda row: row.repository),
    }
    return {
        "all": asdict(summary(rows)),
        **{kind: {name: asdict(one) for name, one in found.items()} for kind, found in groups.items()},
        "published_alpha": {
            name: dict(zip(published()["alpha_models"], published()["alpha"][name], strict=True))
            for name in groups["repositories"]
            if name in published()["alpha"]
        },
        "tasks": [{**asdict(row), "failure": str(row.failure), "gain": row.gain} for row in rows],
    }


def _picture(rows: list[ScoredTask]) -> str:
    """Draw the Pareto curve of these rows and the published ones."""
    found = {name: one.alpha for name, one in summarize_by(rows, lambda row: row.repository).items()}
    curves = {"this run": pareto_curve(alpha for alpha in found.values() if alpha is not None)}
    for number, model in enumerate(published()["alpha_models"]):
        curves[model] = pareto_curve(row[number] for row in published()["alpha"].values())
    return pareto_picture({name: curve for name, curve in curves.items() if curve})


def _print(report: Mapping[str, Any]) -> None:
    print(
        f"{'':<52}{'runs':>5}{'ECR':>8}{'TPR':>8}{'in (k)':>9}{'out':>9}{'cost':>9}{'alpha':>9}  failures, published alpha"
    )
    print(_line("all", report["all"]))
    for kind in ("domains", "modalities", "subdomains", "repositories"):
        for name, found in report[kind].items():
            beside = report["published_alpha"].get(name, {}) if kind == "repositories" else {}
            print(_line(name, found) + "".join(f" {model}: {alpha:.2f}" for model, alpha in beside.items()))
    if percent := report["all"]["failure_percent"]:
        agent = " ".join(filter(None, (report["agent"]["policy"], report["agent"].get("model"))))
        shares = ", ".join(f"{kind} {share:.2f} %" for kind, share in percent.items())
        print(f"failures of {agent or 'an unknown agent'}: {shares}")
    if assumed := report["all"]["assumed"]:
        print(f"alpha assumes quality 1 for {assumed} completed runs without ratings")
    for row in report["tasks"]:
        verdict = "passed" if row["result"] else f"{row['secondary'] or row['failure']}: {row['rule']}"
        print(f"{row['id']}: {verdict}{'' if row['result'] or not row['comments'] else ' | ' + row['comments'][:160]}")


def _line(name: str, found: Mapping[str, Any]) -> str:
    tokens = found["input_tokens"]
    cells = (
        "-" if tokens is None else f"{tokens / 1000:.2f}",
        *("-" if found[key] is None else f"{found[key]:.2f}" for key in ("output_tokens", "cost", "alpha")),
    )
    failures = " ".join(f"{kind}={count}" for kind, count in found["failures"].items())
    rates = f"{found['runs']:>5}{found['ecr']:>8.3f}{found['tpr']:>8.3f}"
    return f"{name:<52}{rates}{''.join(f'{cell:>9}' for cell in cells)}  {failures}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
