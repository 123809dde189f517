"""`repoquarry evaluate`: GitTaskBench, SWE-PolyBench and MLE-R on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from repoquarry.server.cli.commands.tasks import POLICIES
from repoquarry.server.cli.completion import one_of
from repoquarry.server.cli.session import CliSession, with_session
from repoquarry.server.errors import invalid_field

_BENCHMARKS = ("polybench", "gittaskbench", "mle")


_Benchmark = Annotated[
    str,
    typer.Argument(
        help="polybench (SWE-PolyBench), gittaskbench (GitTaskBench) or mle (MLE-R).",
        autocompletion=one_of(_BENCHMARKS),
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
    Path | None, typer.Option("--outcomes", help="polybench: folder with *_result.json of test runs, for pass rates.")
]
_Run = Annotated[
    bool,
    typer.Option("--run", help="polybench: run the tests of the instances in copies of --trees; fills --outcomes."),
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
    float,
    typer.Option(
        "--seconds", min=0, help="gittaskbench: maximum number of seconds; of each task, 0 means the setting."
    ),
]
_Steps = Annotated[
    int,
    typer.Option(
        "--steps", min=0, help="gittaskbench: maximum number of tool calls; of each task, 0 means the setting."
    ),
]
_CommandSeconds = Annotated[
    float, typer.Option("--command-seconds", min=0, help="gittaskbench: maximum seconds per command, without a server.")
]
_Hosts = Annotated[
    list[str] | None,
    typer.Option("--allow-host", metavar="HOST", help="gittaskbench: host that commands may reach; repeatable."),
]
_Runs = Annotated[int, typer.Option("--runs", min=1, help="gittaskbench: number of runs that the figures average.")]
_Prices = Annotated[
    str, typer.Option("--prices", metavar="MODEL", help="gittaskbench: model of the published token prices.")
]
_Ratings = Annotated[
    Path | None, typer.Option("--ratings", help="gittaskbench: TOML file with five quality levels (0 to 1) per task.")
]
_Describe = Annotated[bool, typer.Option("--describe", help="polybench: print the statistics of the instances.")]
_Subset = Annotated[
    Path | None, typer.Option("--subset", help="polybench: file for a stratified subset of the instances.")
]
_PerLanguage = Annotated[
    int, typer.Option("--per-language", min=1, help="polybench: instances of each language in the subset.")
]
_Scores = Annotated[
    Path | None, typer.Option("--scores", help="mle: JSON object of scores by competition; null is an invalid score.")
]
_Ablation = Annotated[
    bool,
    typer.Option(
        "--ablation", help="gittaskbench: run without structure, exploration, selection and all; print the table."
    ),
]
_GradeOnly = Annotated[
    bool, typer.Option("--grade-only", help="gittaskbench: run nothing; grade the files in OUTPUT/output/<id>.")
]
_Values = Annotated[
    Path | None,
    typer.Option(
        "--values",
        help="gittaskbench: TOML file with the tables `values` of tasks and `prices` of tokens, instead of the published ones.",
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Output folder; for results in the format of the benchmark; gittaskbench resumes from existing results in it.",
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
    run: _Run = False,
    describe: _Describe = False,
    subset: _Subset = None,
    per_language: _PerLanguage = 125,
    data: _Data = None,
    task: _Tasks = None,
    policy: _Policy = "chat",
    parallel: _Parallel = 1,
    runs: _Runs = 2,
    steps: _Steps = 100,
    seconds: _Seconds = 1800.0,
    command_seconds: _CommandSeconds = 600.0,
    allow_host: _Hosts = None,
    grade_only: _GradeOnly = False,
    ablation: _Ablation = False,
    prices: _Prices = "",
    values: _Values = None,
    ratings: _Ratings = None,
    scores: _Scores = None,
    output: _Output = None,
) -> None:
    """Score predictions on SWE-PolyBench, run and grade the tasks of GitTaskBench, or count medals of MLE-R."""
    if benchmark == "polybench":
        from repoquarry.evaluation import polybench_report as report

        known = _needed("--instances", instances)
        if describe:
            report.describe_instances(session, known)
        elif subset is not None:
            report.write_subset(session, known, subset, per_language)
        else:
            predicted = _needed("--predictions", predictions)
            report.evaluate_polybench(session, known, predicted, trees, outcomes, output, run=run)
    elif benchmark == "gittaskbench":
        from repoquarry.evaluation.gittaskbench_service import RunOptions, evaluate_ablation, evaluate_gittaskbench

        chosen = RunOptions(
            tuple(task or ()), policy, parallel, runs, steps, seconds, command_seconds, tuple(allow_host or ()),
            grade_only, prices, values, ratings,
        )  # fmt: skip
        evaluate = evaluate_ablation if ablation else evaluate_gittaskbench
        evaluate(session, _needed("--data", data), _needed("--output", output), chosen)
    elif benchmark == "mle":
        from repoquarry.evaluation.mle import evaluate_mle

        evaluate_mle(session, _needed("--scores", scores))
    else:
        raise invalid_field("benchmark", f"unknown benchmark {benchmark!r}; expected one of {', '.join(_BENCHMARKS)}")


def _needed(name: str, path: Path | None) -> Path:
    if path is None:
        raise invalid_field(name, "required for this benchmark")
    return path
