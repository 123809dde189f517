"""`repoquarry evaluate`: scores on published benchmarks, from files on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from repoquarry.server.cli.completion import one_of
from repoquarry.server.cli.following import POLICIES
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid

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
    typer.Option("--predictions", help="polybench: JSONL file with a patch (model_patch) or ranked files an instance."),
]
_Trees = Annotated[
    Path | None,
    typer.Option(
        "--trees", help="polybench: folder with each instance's base commit in DIR/<instance_id>; needed for nodes."
    ),
]
_Outcomes = Annotated[
    Path | None,
    typer.Option("--outcomes", help="polybench: folder with *_result.json of test runs, for pass rates."),
]
_Data = Annotated[Path | None, typer.Option("--data", help="gittaskbench: a checkout of the benchmark.")]
_Tasks = Annotated[
    list[str] | None, typer.Option("--task", metavar="ID", help="gittaskbench: only this task; can be repeated.")
]
_Policy = Annotated[
    str, typer.Option("--policy", help="gittaskbench: how the agent decides.", autocompletion=one_of(POLICIES))
]
_Parallel = Annotated[int, typer.Option("--parallel", min=1, help="gittaskbench: tasks at once.")]
_Seconds = Annotated[float, typer.Option("--seconds", min=0, help="gittaskbench: most seconds a task; 0: the setting.")]
_GradeOnly = Annotated[
    bool, typer.Option("--grade-only", help="gittaskbench: run nothing; grade what lies in OUTPUT/output/<id>.")
]
_Values = Annotated[
    Path | None,
    typer.Option(
        "--values",
        help="gittaskbench: TOML file with the tables `values` and `quality` of tasks, and `prices` of tokens, for alpha.",
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        help="Write results as the benchmark does into this folder; gittaskbench goes on from what lies there.",
    ),
]


@with_session
def command(
    session: Session,
    benchmark: _Benchmark,
    instances: _Instances = None,
    predictions: _Predictions = None,
    trees: _Trees = None,
    outcomes: _Outcomes = None,
    data: _Data = None,
    task: _Tasks = None,
    policy: _Policy = "deterministic",
    parallel: _Parallel = 1,
    seconds: _Seconds = 0.0,
    grade_only: _GradeOnly = False,
    values: _Values = None,
    output: _Output = None,
) -> None:
    """Score predictions on SWE-PolyBench, or run and grade the tasks of GitTaskBench."""
    if benchmark not in _BENCHMARKS:
        raise invalid("benchmark", f"{benchmark!r} is not one of {', '.join(_BENCHMARKS)}")
    if benchmark == "polybench":
        from repoquarry.server.cli.benchmarks import polybench

        found = (_needed("--instances", instances), _needed("--predictions", predictions))
        polybench.evaluate(session, *found, trees, outcomes, output)
        return
    from repoquarry.server.cli.benchmarks import gittaskbench

    chosen = gittaskbench.Choice(tuple(task or ()), policy, parallel, seconds, grade_only, values)
    gittaskbench.evaluate(session, _needed("--data", data), _needed("--output", output), chosen)


def _needed(name: str, path: Path | None) -> Path:
    if path is None:
        raise invalid(name, "this benchmark needs it")
    return path
