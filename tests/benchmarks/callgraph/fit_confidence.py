"""Calibration of call edges: `python -m tests.benchmarks.callgraph.fit_confidence BENCH PROJECTS.json`.

BENCH and PROJECTS.json are those of `reliability.py`, which judges the edges. Features of an edge are its rule, how many targets its call
site may have, and, if dispatch added the edge, where instances of the classes that have the method are made. The share that was seen is
taken for rule and number of targets, pulled towards the figure of `[rules]` by `PULL` edges, then for each of the grounds, pulled towards
that; a project has at most the weight of `MAX_EDGES`. A figure stays on its rule's side of `LIKELY`, so that no edge becomes or ceases to be
a finding.

Prints `[possible]` of `repoquarry/languages/python/rules.toml`, and writes docs/data/confidence.csv: every edge is judged by figures that were
fitted without its project.
"""

import importlib
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from repoquarry.ingest.resolution import LIKELY
from repoquarry.languages.family import LanguageFamily
from repoquarry.languages.python.family import TABLES
from tests.benchmarks.callgraph.reliability import EDGE_CLASSES, judge_edges, load_projects, write_rows

PULL = 100.0
MAX_EDGES = 100
TARGETS = ("1", "2", "3 or 4", "more")
GROUNDS = ("seen", "code", "tests", "nowhere")
#: edges of other rules that override a target of their site are too few
FITTED = ("hook", "implementation", "override", "possible", "self", "receiver")
#: a figure carries its position in the kernel's table in digits that it does not use
_DIGIT = 1e-6
#: lower limits of the rows of confidence.csv
BANDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97)
_PLACES = 2


class Known(NamedTuple):
    """Features of an edge, and whether the edge was observed."""

    rule: str
    targets: int
    grounds: int
    seen: bool

    @property
    def is_fitted(self) -> bool:
        """Return whether dispatch added the edge, or the edge overrides a target of its site."""
        return self.grounds > 0 and self.rule in FITTED

    @property
    def figure(self) -> float:
        """The confidence of the rule alone."""
        return TABLES.rules[self.rule][self.targets]


Model = Callable[[Known], float]
Projects = dict[str, list[Known]]


def by_rule(_projects: Sequence[list[Known]]) -> Model:
    return lambda one: one.figure


def by_grounds(projects: Sequence[list[Known]]) -> Model:
    weights: dict[tuple[str, int, int], float] = defaultdict(float)
    hits: dict[tuple[str, int, int], float] = defaultdict(float)
    for edges in projects:
        say = min(1.0, MAX_EDGES / max(1, len(edges)))
        for one in filter(lambda one: one.is_fitted, edges):
            for key in ((one.rule, one.targets, -1), one[:3]):
                weights[key] += say
                hits[key] += say * one.seen

    def figure(one: Known) -> float:
        if not one.is_fitted:
            return one.figure
        every, own = (one.rule, one.targets, -1), one[:3]
        of_rule = (hits[every] + PULL * one.figure) / (weights[every] + PULL)
        found = (hits[own] + PULL * of_rule) / (weights[own] + PULL)
        return max(found, LIKELY) if one.figure >= LIKELY else min(found, LIKELY - 0.01)

    return figure


def known_of(scorer: Any, project: Path, package: str, trace: Path) -> list[Known]:
    """Return features of the edges of a project that a trace can judge; a trace cannot judge declared methods."""

    def marked(family: LanguageFamily) -> list[float]:
        shares = [share for row in family.rules.values() for share in row for _ in GROUNDS]
        return [share + _DIGIT * position for position, share in enumerate(shares)]

    rules, edges = list(TABLES.rules), []
    with mock.patch.object(LanguageFamily, "confidence", marked):
        for edge in judge_edges(scorer, project, package, trace):
            position = round((edge.confidence - round(edge.confidence, _PLACES)) / _DIGIT)
            at, grounds = divmod(position, len(GROUNDS))
            rule, targets = divmod(at, len(TARGETS))
            if edge.how != "declared":
                edges.append(Known(rules[rule], targets, grounds, edge.is_right))
    return edges


def table(model: Model) -> str:
    """The figures as TOML."""
    lines = ["[possible]"]
    for rule in FITTED:
        rows = [
            [round(model(Known(rule, at, one, False)), 2) for one in range(1, len(GROUNDS))]
            for at in range(len(TARGETS))
        ]
        lines.append(f"{rule} = {rows}")
    return "\n".join(lines)


def figures(model: Model, edges: Sequence[Known]) -> NDArray[np.float64]:
    """(n,) float64: the confidence of each."""
    return np.array([model(one) for one in edges])


def calibration_error(expected: NDArray[np.float64], seen: NDArray[np.float64]) -> float:
    """Mean distance of expected and seen shares over ten bands of confidence, by their sizes (Naeini et al., 2015)."""
    bands = np.minimum((10 * expected).astype(int), 9)
    gaps = [abs((expected[bands == one] - seen[bands == one]).sum()) for one in range(10)]
    return float(sum(gaps) / len(seen))


def report(projects: Projects) -> None:
    """Print the table by left-out project, and write the table by confidence."""
    print(
        "| left out | judged | right | expected | by the rule | squared error | by the rule |\n|---|---|---|---|---|---|---|"
    )
    everything: dict[str, list[NDArray[np.float64]]] = {"rule": [], "fit": [], "seen": []}
    for name, edges in projects.items():
        others = [other for key, other in projects.items() if key != name]
        seen = np.array([float(one.seen) for one in edges])
        fit, rule = figures(by_grounds(others), edges), figures(by_rule(others), edges)
        errors = [float(np.mean((one - seen) ** 2)) for one in (fit, rule)]
        print(
            f"| {name} | {len(edges)} | {seen.mean():.2f} | {fit.mean():.2f} | {rule.mean():.2f} | {errors[0]:.3f} | {errors[1]:.3f} |"
        )
        for key, one in (("rule", rule), ("fit", fit), ("seen", seen)):
            everything[key].append(one)
    seen = np.concatenate(everything["seen"])
    print("\n| figures | Brier | Brier, projects of equal say | calibration error |\n|---|---|---|---|")
    for key in ("rule", "fit"):
        expected = np.concatenate(everything[key])
        equal = np.mean([np.mean((a - b) ** 2) for a, b in zip(everything[key], everything["seen"], strict=True)])
        error = np.mean((expected - seen) ** 2)
        print(f"| {key} | {error:.4f} | {equal:.4f} | {calibration_error(expected, seen):.4f} |")
    write_bands(np.concatenate(everything["fit"]), seen)


def write_bands(expected: NDArray[np.float64], seen: NDArray[np.float64]) -> None:
    """Write docs/data/confidence.csv: expected and observed shares by band of confidence."""
    bands = np.searchsorted(BANDS, expected + _DIGIT, side="right") - 1
    rows = []
    for band in sorted(set(bands.tolist()), reverse=True):
        inside = bands == band
        shares = [f"{one[inside].mean():.2f}".removeprefix("0") for one in (expected, seen)]
        rows.append([f"from {BANDS[band]:.2f}", f"{inside.sum():,}", *shares])
    write_rows(EDGE_CLASSES.with_name("confidence.csv"), ("confidence", "edges", "expected", "right"), rows)


def main(bench: Path, listed: Path) -> None:
    sys.path.insert(0, str(bench))
    scorer = importlib.import_module("runtime_trace")
    projects: Projects = {}
    for name, case in load_projects(listed).items():
        edges = known_of(scorer, *case)
        print(f"{name}: {len(edges)} edges judged", file=sys.stderr, flush=True)
        if edges:
            projects[name] = edges
    print(table(by_grounds(list(projects.values()))) + "\n")
    report(projects)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
