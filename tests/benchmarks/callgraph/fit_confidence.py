"""Calibration of call edges by site: `python -m tests.benchmarks.callgraph.fit_confidence BENCH PROJECTS.json`.

BENCH and PROJECTS.json are those of `reliability.py`. A site is a caller with a called name; where a run took `n` targets there, each has a
share of `1 / n`, and the others have none. The figure of a rule, of the number of targets and of the grounds is the mean share of its
edges over the part of the figure that the resolver gives them, pulled towards the figure of the rule by `PULL` edges: the shares of one
site are at most 1 together, so in a set each edge gets a part. A project has at most the weight of `MAX_EDGES`.

Prints `[rules]` and `[possible]` of `repoquarry/languages/python/rules.toml`, and how well figures that were fitted without a project
describe it.
"""

import gzip
import importlib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from repoquarry.ingest.resolution import resolve
from repoquarry.ingest.resolution.kernel_output import KernelResultReader
from repoquarry.languages.python.family import TABLES
from repoquarry.native import resolution_abi
from tests.benchmarks.callgraph.reliability import last_name, load_projects
from tests.benchmarks.callgraph.trace import load, trace_names

PULL = 50.0
MAX_EDGES = 200
TARGETS = ("1", "2", "3 or 4", "more")
GROUNDS = ("seen", "code", "tests", "nowhere")


class Judged(NamedTuple):
    """Features of an edge, the share that it is given, and the share that was seen."""

    rule: str
    targets: int
    grounds: int
    expected: float
    seen: float

    @property
    def part(self) -> float:
        """The part of the figure that the edge has at its site."""
        figure = TABLES.rules[self.rule][self.targets]
        if self.grounds and self.rule in TABLES.possible:
            figure = TABLES.possible[self.rule][self.targets][self.grounds - 1]
        return self.expected / figure


Model = Callable[[Judged], float]
Projects = dict[str, list[Judged]]


def judge_sites(scorer: Any, project: Path, package: str, trace: Path) -> list[Judged]:
    """Return the edges of a project at sites where a trace saw a target."""
    files = [facts for facts in load(project) if facts.language == "python"]
    rows: list[NDArray[Any]] = []
    calls = KernelResultReader._calls

    def record(reader: KernelResultReader) -> Any:
        rows.append(resolution_abi.read_array(reader.output.calls).reshape(-1, 6).copy())
        return calls(reader)

    with mock.patch.object(KernelResultReader, "_calls", record):
        resolution = resolve(files)
    names = trace_names(resolution, files, package.rpartition("/")[0] + "/" if "/" in package else "")
    source = scorer.Source(str(project / package))
    with gzip.open(trace, "rt") as lines:
        seen = {(edge["caller"], edge["callee"]) for edge in map(json.loads, lines)}
    ran: dict[tuple[str, str], set[str]] = defaultdict(set)
    for caller, callee in seen:
        if caller in source.functions and callee in source.functions and source.explicit(caller, callee):
            ran[caller, last_name(callee)].add(callee)
    return list(_judge(rows[0].tolist(), names, source.functions, ran))


def _judge(
    rows: Sequence[Sequence[int]], names: dict[int, str], functions: Any, ran: dict[tuple[str, str], set[str]]
) -> Iterable[Judged]:
    rules = list(TABLES.rules)
    for caller, callee, _, position, _, share in rows:
        target = names.get(callee, "")
        taken = ran.get((names.get(caller, ""), last_name(target))) if target in functions else None
        if taken:
            at, grounds = divmod(position, len(GROUNDS))
            rule, targets = divmod(at, len(TARGETS))
            yield Judged(rules[rule], targets, grounds, share / 1000, (target in taken) / len(taken))


def by_rule(_projects: Sequence[list[Judged]]) -> Model:
    """Return the shares that the resolver gives today."""
    return lambda one: one.expected


def by_site(projects: Sequence[list[Judged]]) -> Model:
    """Return shares fitted on some projects."""
    weights: dict[tuple[str, int, int], float] = defaultdict(float)
    shares: dict[tuple[str, int, int], float] = defaultdict(float)
    for edges in projects:
        say = min(1.0, MAX_EDGES / max(1, len(edges)))
        for one in edges:
            for key in ((one.rule, one.targets, -1), one[:3]):
                weights[key] += say * one.part
                shares[key] += say * one.seen

    def figure(one: Judged) -> float:
        every = one.rule, one.targets, -1
        of_rule = (shares[every] + PULL * TABLES.rules[one.rule][one.targets]) / (weights[every] + PULL)
        return min(1.0, (shares[one[:3]] + PULL * of_rule) / (weights[one[:3]] + PULL)) * one.part

    return figure


def whole(rule: str, targets: int, grounds: int) -> Judged:
    """Return an edge that has all of its figure."""
    edge = Judged(rule, targets, grounds, 1.0, 0.0)
    return edge._replace(expected=1.0 / edge.part)


def table(model: Model) -> str:
    """The figures as TOML."""
    places = range(len(TARGETS))
    figures_by_rule = {rule: [round(model(whole(rule, at, 0)), 2) for at in places] for rule in TABLES.rules}
    lines = ["[rules]", *(f"{rule} = {own}" for rule, own in figures_by_rule.items())]
    lines += ["", "[possible]"]
    for rule in TABLES.possible:
        rows = [[round(model(whole(rule, at, one)), 2) for one in range(1, len(GROUNDS))] for at in range(len(TARGETS))]
        lines.append(f"{rule} = {rows}")
    return "\n".join(lines)


def figures(model: Model, edges: Sequence[Judged]) -> NDArray[np.float64]:
    """(n,) float64: the share of each."""
    return np.array([model(one) for one in edges])


def report(projects: Projects) -> None:
    """Print the table by left-out project."""
    print("| left out | edges | seen | expected | today | squared error | today |\n|---|---|---|---|---|---|---|")
    for name, edges in projects.items():
        others = [other for key, other in projects.items() if key != name]
        own = np.array([one.seen for one in edges])
        fit, today = figures(by_site(others), edges), figures(by_rule(others), edges)
        errors = [float(np.mean((one - own) ** 2)) for one in (fit, today)]
        means = " | ".join(f"{one.mean():.2f}" for one in (own, fit, today))
        print(f"| {name} | {len(edges)} | {means} | {errors[0]:.3f} | {errors[1]:.3f} |")


def main(bench: Path, listed: Path) -> None:
    sys.path.insert(0, str(bench))
    scorer = importlib.import_module("runtime_trace")
    projects: Projects = {}
    for name, case in load_projects(listed).items():
        edges = judge_sites(scorer, *case)
        print(f"{name}: {len(edges)} edges judged", file=sys.stderr, flush=True)
        if edges:
            projects[name] = edges
    print(table(by_site(list(projects.values()))) + "\n")
    report(projects)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
