"""Fits the confidence of possible call edges: `fit_call_confidence.py BENCH PROJECTS.json`.

BENCH is the folder with `runtime_trace.py`; PROJECTS.json lists [folder of the project, traced package inside it, trace] for each project.
Of the edges that dispatch added, those that a trace can judge (their caller was seen to call some function of that name) are taken with
whether they were seen. A logistic model of what is known of them is fitted, each project having the same say whatever its size, and
printed as the table `WEIGHTS` of `repoquarry/ingest/resolution/rules.py`; then the reliability curve, every project's edges judged by a
model that was fitted without it, beside the same by one figure for all edges.
"""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from repoquarry.ingest.resolution.model import Budget
from repoquarry.ingest.resolution.modules import Modules
from repoquarry.ingest.resolution.program import Program
from repoquarry.ingest.resolution.report import Report
from repoquarry.ingest.resolution.rules import DISPATCH, MADE, Grounds, terms
from repoquarry.ingest.resolution.solver import Solver
from tests.benchmarks.callgraph_trace import load

#: strength of the pull of every weight towards 0, in edges
RIDGE = 2.0
#: a project with more judged edges than this has no more say than one with so many
MOST_EDGES = 100
BANDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
GROUNDS = [Grounds(rule, 2, on_self, made) for rule in DISPATCH for on_self in (False, True) for made in MADE]
TERMS = tuple(dict.fromkeys(name for grounds in GROUNDS for name in terms(grounds)))


class Recording(Report):
    """Keeps what is known of every edge that dispatch added."""

    def __init__(self, solver: Solver, max_targets: int) -> None:
        super().__init__(solver, max_targets)
        self.known: dict[tuple[int, int], list[Grounds]] = defaultdict(list)

    def possible_edge(self, caller: int, callee: int, line: int, grounds: Grounds) -> None:
        self.known[caller, callee].append(grounds)
        super().possible_edge(caller, callee, line, grounds)


def judged(scorer: Any, project: Path, package: str, trace: Path) -> list[tuple[Grounds, bool]]:
    """What is known of the edges that a trace can judge, and whether they were seen."""
    files = sorted(load(project), key=lambda facts: facts.path)
    budget = Budget()
    solver = Solver(Program(files, Modules(files)), budget)
    solver.solve()
    report = Recording(solver, budget.targets_per_site)
    edges, _ = report.calls()
    names = _names(report, package.rpartition("/")[0] + "/" if "/" in package else "")
    source = scorer.Source(str(project / package))
    with gzip.open(trace, "rt") as lines:
        seen = {(edge["caller"], edge["callee"]) for edge in map(json.loads, lines)}
    seen = {(a, b) for a, b in seen if a in source.functions and b in source.functions and source.explicit(a, b)}
    ran = defaultdict(set)
    for caller, callee in seen:
        ran[caller, _last(callee)].add(callee)
    out = []
    for edge in edges:
        caller, callee = names.get(edge.caller, ""), names.get(edge.callee, "")
        grounds = report.known.get((edge.caller, edge.callee))
        if edge.how == "possible" and grounds and callee in source.functions and (caller, _last(callee)) in ran:
            out.append((grounds[0], callee in ran[caller, _last(callee)]))
    return out


def _names(report: Report, prefix: str) -> dict[int, str]:
    """The name that a trace gives to each symbol; lambdas belong to the function around them."""
    names = {}
    for number, definition in enumerate(report.program.definitions):
        path = report.program.units[report.program.unit_of[number]].facts.path.removeprefix(prefix)
        parts = [part for part in definition.qualname.split(".") if not part.startswith("<lambda")]
        names[report.definition_symbol(number)] = f"{path}::{'.'.join(parts)}"
    return names


def _last(name: str) -> str:
    return name.rpartition("::")[2].rpartition(".")[2]


def matrix(cases: list[tuple[Grounds, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """(n, terms) float64 of what is known, (n,) float64 of what was seen."""
    rows = [[terms(grounds).get(name, 0.0) for name in TERMS] for grounds, _ in cases]
    return np.array(rows).reshape(-1, len(TERMS)), np.array([float(seen) for _, seen in cases])


def fit(projects: list[list[tuple[Grounds, bool]]]) -> np.ndarray:
    """The weights of the terms, by Newton's method on the penalised likelihood."""
    known, seen = matrix([case for cases in projects for case in cases])
    say = np.concatenate([np.full(len(cases), min(len(cases), MOST_EDGES) / max(1, len(cases))) for cases in projects])
    weights = np.zeros(len(TERMS))
    for _ in range(30):
        chance = 1 / (1 + np.exp(-known @ weights))
        slope = known.T @ (say * (seen - chance)) - RIDGE * weights
        curve = (known * (say * chance * (1 - chance))[:, None]).T @ known + RIDGE * np.eye(len(TERMS))
        weights += np.linalg.solve(curve, slope)
    return weights


def main(bench: Path, listed: Path) -> None:
    """Prints the weights and the reliability by left-out project."""
    sys.path.insert(0, str(bench))
    scorer = importlib.import_module("runtime_trace")
    names, projects = [], []
    for folder, package, trace in json.loads(listed.read_text()):
        cases = judged(scorer, Path(folder), package.strip("/"), Path(trace))
        print(f"{folder}: {len(cases)} edges judged", file=sys.stderr, flush=True)
        if cases:
            names.append(Path(folder).name)
            projects.append(cases)
    print("WEIGHTS: dict[str, float] = {")
    for name, weight in zip(TERMS, fit(projects), strict=True):
        if round(weight, 2):  # what no edge tells of has none
            print(f'    "{name}": {weight:.2f},')
    print("}\n\n| left out | judged | right | expected | squared error | by one figure |\n|---|---|---|---|---|---|")
    bands: dict[float, list[tuple[float, float]]] = defaultdict(list)
    for position, cases in enumerate(projects):
        others = projects[:position] + projects[position + 1 :]
        known, seen = matrix(cases)
        chance = 1 / (1 + np.exp(-known @ fit(others)))
        figure = np.mean([np.mean([hit for _, hit in other]) for other in others])
        error, plain = np.mean((chance - seen) ** 2), np.mean((figure - seen) ** 2)
        print(
            f"| {names[position]} | {len(cases)} | {seen.mean():.2f} | {chance.mean():.2f} | {error:.3f} | {plain:.3f} |"
        )
        for one, hit in zip(chance, seen, strict=True):
            bands[next(band for band in BANDS if one < band)].append((float(one), float(hit)))
    print("\n| confidence under | edges | expected | right |\n|---|---|---|---|")
    for band, entries in sorted(bands.items()):
        expected, right = np.mean(entries, axis=0)
        print(f"| {min(band, 1.0):.1f} | {len(entries)} | {expected:.2f} | {right:.2f} |")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
