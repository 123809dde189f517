"""`repoquarry evaluate`: scores on published benchmarks, from files on this machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid

if TYPE_CHECKING:
    from repoquarry.agent.evaluation.polybench.metrics import Scored

_BENCHMARKS = ("polybench",)


@with_session
def command(
    session: Session,
    benchmark: Annotated[str, typer.Argument(help="Which benchmark: polybench (SWE-PolyBench).")],
    instances: Annotated[Path, typer.Option("--instances", help="JSONL file of the benchmark's instances.")],
    predictions: Annotated[
        Path, typer.Option("--predictions", help="JSONL file with a patch (model_patch) or ranked files an instance.")
    ],
    trees: Annotated[
        Path | None,
        typer.Option("--trees", help="Folder with each instance's base commit in DIR/<instance_id>; needed for nodes."),
    ] = None,
    outcomes: Annotated[
        Path | None, typer.Option("--outcomes", help="Folder with *_result.json of test runs, for pass rates.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Write each instance's metrics as the benchmark does, into this folder."),
    ] = None,
) -> None:
    """Score predictions on a published benchmark: recall and precision of files and syntax nodes, and pass rates."""
    if benchmark not in _BENCHMARKS:
        raise invalid("benchmark", f"{benchmark!r} is not one of {', '.join(_BENCHMARKS)}")
    from repoquarry.agent.evaluation.polybench import instances as data
    from repoquarry.agent.evaluation.polybench.metrics import strata, summary
    from repoquarry.agent.evaluation.polybench.scoring import FolderTrees, score

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
        "strata": strata(rows),
        "problems": {r.instance_id: r.problem for r in rows if r.problem},
    }
    if session.as_json:
        session.print_json(report)
    else:
        _print(report)


def _write(folder: Path, rows: list[Scored]) -> None:
    """One `<instance>_metrics.json` each, by the published rules."""
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
