"""Reports of `repoquarry evaluate polybench`: prints scores and statistics, writes subsets and result files in the benchmark's format."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from repoquarry import v1 as pb
from repoquarry.evaluation import polybench_collection as collection
from repoquarry.evaluation import polybench_instances as data
from repoquarry.evaluation.polybench_scoring import FolderTrees, ScoredInstance, derive_tests, run_instances, score
from repoquarry.evaluation.polybench_strata import choose_subset, describe, summarize_by_stratum, summary
from repoquarry.ingest.sources import RepositorySource
from repoquarry.server.cli.session import CliSession
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import short


def evaluate_polybench(
    session: CliSession,
    instances: Path,
    predictions: Path,
    trees: Path | None,
    outcomes: Path | None,
    output: Path | None,
    *,
    run: bool = False,
) -> None:
    """Score predictions and print the figures; `run` runs the tests first and writes their results to `outcomes`."""
    known, predicted = data.read_instances(instances), data.read_predictions(predictions)
    if run:
        if trees is None or outcomes is None:
            raise invalid_field("--run", "needs --trees with the code and --outcomes for the results")
        run_instances(known, predicted, trees, outcomes, session.settings.agent, partial(print, file=sys.stderr))
    rows = score(
        known,
        predicted,
        trees=FolderTrees(trees) if trees else None,
        outcomes=data.read_outcomes(outcomes) if outcomes else None,
    )
    if output is not None:
        write_metrics(output, rows)
    report = {
        "all": summary(rows),
        "strata": summarize_by_stratum(rows),
        "problems": {row.instance.instance_id: row.problem for row in rows if row.problem},
    }
    if session.as_json:
        session.print_json(report)
    else:
        _print(report)


def write_metrics(folder: Path, rows: list[ScoredInstance]) -> None:
    """Write one `<instance>_metrics.json` per instance, by the published rules."""
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        found = {
            "instance_id": row.instance.instance_id,
            "file_retrieval_metrics": asdict(row.published_files) if row.published_files else None,
            "node_retrieval_metrics": asdict(row.published_nodes) if row.published_nodes else None,
            "reference_nodes": sorted(row.instance.modified_nodes or ()),
            "predicted_nodes": None if row.predicted_nodes is None else sorted(row.predicted_nodes),
        }
        path = folder / f"{row.instance.instance_id}_metrics.json"
        path.write_text(json.dumps(found, indent=4), encoding="utf-8")


def describe_instances(session: CliSession, instances: Path) -> None:
    """Print the statistics of tables 1 and 2."""
    report = describe(data.read_instances(instances))
    if session.as_json:
        session.print_json(report)
        return
    for name, found in report.items():
        counts = f"{found['instances']} instances, {found['repositories']} repositories"
        print(f"{name}: {counts}, {found['modified_files']:.2f} files modified")
        for shares in (found["categories"], found["node_changes"]):
            print("  " + ", ".join(f"{group} {share:.2f} %" for group, share in shares.items()))
        if found["nodes"] is not None:
            print(f"  functions {found['functions']:.2f}, classes {found['classes']:.2f}, nodes {found['nodes']:.2f}")


def write_subset(session: CliSession, instances: Path, subset: Path, per_language: int) -> None:
    """Write the rows of a stratified subset, by the benchmark's ratio of task categories."""
    selected = choose_subset(data.read_instances(instances), per_language)
    chosen = {instance.instance_id for instance in selected.instances}
    rows = [row for _, row in data.read_rows(instances) if row["instance_id"] in chosen]
    subset.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    if session.as_json:
        session.print_json(
            {"instances": [row["instance_id"] for row in rows], "file": str(subset), "lacking": selected.lacking}
        )
    else:
        print(f"{len(rows)} instances in {subset}")
        for shortage in selected.lacking:
            print(f"the set lacks {shortage}")


def write_derived(session: CliSession, instances: Path, trees: Path, derived: Path) -> None:
    """Write the rows of the instances with the F2P and P2P of two runs."""
    say = partial(print, file=sys.stderr)
    given = {str(row["instance_id"]): row for _, row in data.read_rows(instances)}
    found = derive_tests(data.read_instances(instances), trees, session.settings.agent, say)
    rows = ({**given[one.instance_id], "F2P": one.failing_tests, "P2P": one.passing_tests} for one in found)
    _write_rows(session, derived, rows)


def write_collected(
    session: CliSession, name: str, test_command: str, issues: Path | None, commits: int, trees: Path, collected: Path
) -> None:
    """Draw instances from the history of an indexed repository, and write those with an F2P."""
    with session.api() as api:
        stored = api.repositories.get_repository(pb.GetRepositoryRequest(name=name)).repository
    say, ingest = partial(print, file=sys.stderr), session.settings.ingest
    texts, dropped = collection.read_issues(issues) if issues else None, Counter[str]()
    with collection.open_history(RepositorySource(stored.source_kind, stored.source, ""), ingest) as root:
        changes = collection.read_changes(root, commits)
        candidates = list(
            collection.collect_candidates(root, short(stored.name), changes, texts, test_command, dropped)
        )
        reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.most_common())
        say(
            f"{len(candidates)} candidates of {len(candidates) + dropped.total()} changes; dropped: {reasons or 'none'}"
        )
        ready = collection.check_out(candidates, root, trees, ingest)
        found = derive_tests(ready, trees, session.settings.agent, say)
        names = {"failing_tests": "F2P", "passing_tests": "P2P"}
        rows = (
            {names.get(key, key): value for key, value in msgspec.to_builtins(one).items() if value} for one in found
        )
        _write_rows(session, collected, rows, {"candidates": len(candidates), "dropped": dropped})


def _write_rows(
    session: CliSession, file: Path, rows: Iterable[Mapping[str, Any]], counts: Mapping[str, object] | None = None
) -> None:
    """Write each row as soon as it is known: runs take long and may be stopped."""
    found = []
    with file.open("wb", buffering=0) as written:
        for row in rows:
            written.write(msgspec.json.encode(row) + b"\n")
            found.append(row["instance_id"])
    if session.as_json:
        session.print_json({"instances": found, "file": str(file), **(counts or {})})
    else:
        print(f"{len(found)} instances in {file}")


def _print(report: Mapping[str, Any]) -> None:
    heads = ("files R / P / F1", "nodes R / P / F1", "published files", "published nodes")
    print(f"{'':<32}{'n':>5}  {''.join(f'{head:<22}' for head in heads)}pass rate, share tested, tokens in / out")
    print(_line("all", report["all"]))
    for name, groups in report["strata"].items():
        for group, found in groups.items():
            print(_line(f"{name} {group}", found))
    for instance, problem in report["problems"].items():
        print(f"{instance}: {problem}")


def _line(name: str, found: Mapping[str, Any]) -> str:
    cells = "".join(f"{_three(found[key]):<22}" for key in ("files", "nodes", "published_files", "published_nodes"))
    rate = "-"
    if found["pass_rate"] is not None:
        rate = f"{found['pass_rate']:.3f} ± {found['standard_error']:.3f}, {found['share_tested']:.3f}"
    tokens = [found["input_tokens"], found["output_tokens"]]
    used = " / ".join("-" if count is None else f"{count:.0f}" for count in tokens)
    return f"{name:<32}{found['instances']:>5}  {cells}{rate}, {used}"


def _three(found: Mapping[str, float] | None) -> str:
    return "-" if found is None else f"{found['recall']:.3f} / {found['precision']:.3f} / {found['f1']:.3f}"
