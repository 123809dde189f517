"""SWE-PolyBench on the command line: predictions scored, printed, and written as the benchmark writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from repoquarry.server.cli.session import Session

if TYPE_CHECKING:
    from repoquarry.agent.evaluation.polybench.metrics import Scored


def evaluate(
    session: Session, instances: Path, predictions: Path, trees: Path | None, outcomes: Path | None, output: Path | None
) -> None:
    """Score predictions and print the figures."""
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
