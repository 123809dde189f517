"""Command `repoquarry evaluate`: parses its options and runs the benchmark GitTaskBench, SWE-PolyBench or MLE-R."""

from __future__ import annotations

from pathlib import Path

from repoquarry.server.cli.commands.tasks import POLICIES
from repoquarry.server.cli.session import CliSession, argument, flag, one_of, option, with_session
from repoquarry.server.errors import invalid_field

_BENCHMARKS = ("polybench", "gittaskbench", "mle")


@with_session
def evaluate_command(
    session: CliSession,
    benchmark: str = argument(
        ...,
        "polybench (SWE-PolyBench), gittaskbench (GitTaskBench) or mle (MLE-R).",
        autocompletion=one_of(_BENCHMARKS),
    ),
    instances: Path | None = option(None, "--instances", "polybench: JSONL file of the benchmark's instances."),
    predictions: Path | None = option(
        None, "--predictions", "polybench: JSONL file with a patch (model_patch) or ranked files per instance."
    ),
    trees: Path | None = option(
        None, "--trees", "polybench: folder with each instance's base commit in DIR/<instance_id>; required for nodes."
    ),
    outcomes: Path | None = option(
        None, "--outcomes", "polybench: folder with *_result.json of test runs, for pass rates."
    ),
    run: bool = flag("--run", "polybench: run the tests of the instances in copies of --trees; fills --outcomes."),
    derive: Path | None = option(
        None,
        "--derive",
        "polybench: run the tests before and after each accepted fix; file for instances with F2P and P2P.",
    ),
    collect: str = option(
        "", "--collect", "polybench: draw instances from the history of this indexed repository.", metavar="REPOSITORY"
    ),
    test_command: str = option(
        "", "--test-command", "polybench: command that runs collected tests; {tests} stands for their files."
    ),
    issues: Path | None = option(
        None, "--issues", "polybench: JSONL file of the issues (number, title, body) that collected changes close."
    ),
    commits: int = option(1000, "--commits", "polybench: newest commits of the history to collect from.", min=1),
    describe: bool = flag("--describe", "polybench: print the statistics of the instances."),
    subset: Path | None = option(None, "--subset", "polybench: file for a stratified subset of the instances."),
    per_language: int = option(125, "--per-language", "polybench: instances of each language in the subset.", min=1),
    data: Path | None = option(None, "--data", "gittaskbench: a checkout of the benchmark."),
    task: list[str] | None = option(None, "--task", "gittaskbench: run only this task; repeatable.", metavar="ID"),
    policy: str = option("chat", "--policy", "gittaskbench: policy of the agent.", autocompletion=one_of(POLICIES)),
    parallel: int = option(1, "--parallel", "gittaskbench: number of parallel tasks.", min=1),
    runs: int = option(2, "--runs", "gittaskbench: number of runs that the figures average.", min=1),
    steps: int = option(
        100, "--steps", "gittaskbench: maximum number of tool calls; of each task, 0 means the setting.", min=0
    ),
    seconds: float = option(
        1800.0, "--seconds", "gittaskbench: maximum number of seconds; of each task, 0 means the setting.", min=0
    ),
    command_seconds: float = option(
        600.0, "--command-seconds", "gittaskbench: maximum seconds per command, without a server.", min=0
    ),
    allow_host: list[str] | None = option(
        None, "--allow-host", "gittaskbench: host that commands may reach; repeatable.", metavar="HOST"
    ),
    grade_only: bool = flag("--grade-only", "gittaskbench: run nothing; grade the files in OUTPUT/output/<id>."),
    ablation: bool = flag(
        "--ablation", "gittaskbench: run without structure, exploration, selection and all; print the table."
    ),
    prices: str = option("", "--prices", "gittaskbench: model of the published token prices.", metavar="MODEL"),
    values: Path | None = option(
        None,
        "--values",
        "gittaskbench: TOML file with the tables `values` of tasks and `prices` of tokens, instead of the published ones.",
    ),
    ratings: Path | None = option(
        None, "--ratings", "gittaskbench: TOML file with five quality levels (0 to 1) per task."
    ),
    scores: Path | None = option(
        None, "--scores", "mle: JSON object of scores by competition; null is an invalid score."
    ),
    output: Path | None = option(
        None,
        "--output",
        "-o",
        "Output folder; for results in the format of the benchmark; gittaskbench resumes from existing results in it.",
    ),
) -> None:
    """Score predictions on SWE-PolyBench, run and grade the tasks of GitTaskBench, or count medals of MLE-R."""
    if benchmark == "polybench":
        from repoquarry.evaluation import polybench_report as report

        if collect:
            folder, found = _needed("--trees", trees), _needed("--derive", derive)
            if not test_command:
                raise invalid_field("--test-command", "required to collect instances")
            report.write_collected(session, collect, test_command, issues, commits, folder, found)
            return
        known = _needed("--instances", instances)
        if describe:
            report.describe_instances(session, known)
        elif derive is not None:
            report.write_derived(session, known, _needed("--trees", trees), derive)
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
