"""Calibration of Java, TypeScript and JavaScript: `python -m tests.benchmarks.callgraph.compiler_confidence JAVA TYPESCRIPT [KEEP]`.

JAVA and TYPESCRIPT are folders of projects: sources for `javac.py`, whose views are cached in KEEP, and folders with an `index.scip` for
`typescript.py`. An edge of any confidence is right if the compiler names its target at its line. Callbacks, targets that a compiler leaves
open, and what dispatch adds (a compiler names the declared method) are not judged.

The share of right edges is taken for rule and number of targets, pulled towards the figure of the language's `rules.toml` by `PULL` edges; a
project has at most the weight of `MAX_EDGES` for each. Prints them, and for each project the mean of figures that were
fitted without it. Writes docs/data/confidence_compilers.csv: expected and observed shares by confidence in `rules.toml`.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from unittest import mock

import numpy as np

from repoquarry.graphstore.model.call_views import LIKELY
from repoquarry.languages.java import FAMILY as JAVA
from repoquarry.languages.javascript.family import FAMILY as JAVASCRIPT
from tests.benchmarks.callgraph import javac, typescript
from tests.benchmarks.callgraph.call_views import BANDS
from tests.benchmarks.callgraph.fit_confidence import TARGETS
from tests.benchmarks.callgraph.reliability import EDGE_CLASSES, write_rows

PULL = 10.0
MAX_EDGES = 50
MIN_EDGES = 10
#: rules of targets that a compiler does not name
DISPATCH = ("hook", "implementation", "instance", "override", "possible")
#: a figure carries its position in the table of rules in digits that it does not use
_DIGIT = 1e-6

Rules = Mapping[str, tuple[float, float, float, float]]
Place = tuple[str, int]
"""Rule, and position of the number of targets."""
Edges = list[tuple[Place, bool]]


def judge_java(project: Path, keep: Path | None) -> Iterator[tuple[float, bool]]:
    """Yield confidence and correctness of the edges that javac can judge."""
    _, sites = javac.compare(project, keep=keep, min_confidence=0.0)
    for site in sites.values():
        right = site.right
        for target, confidence in site.found.items():
            if target not in site.accepted or target in right:
                yield confidence, target in right


def judge_scripts(project: Path) -> list[tuple[float, bool]]:
    """Return the same for scip-typescript."""
    return typescript.judge(project, 0.0).edges


def read_places(rules: Rules, judge: Callable[[], Iterable[tuple[float, bool]]]) -> Edges:
    """Return rule and number of targets of the edges, which `judge` gives with marked confidences."""

    names, edges = list(rules), []
    marked = {
        rule: tuple(share + _DIGIT * (len(TARGETS) * row + at) for at, share in enumerate(shares))
        for row, (rule, shares) in enumerate(rules.items())
    }
    with mock.patch.dict(rules, marked):
        for confidence, is_right in judge():
            at = round((confidence - round(confidence, 2)) / _DIGIT)
            if confidence < 1.0 and names[at // len(TARGETS)] not in DISPATCH:
                edges.append(((names[at // len(TARGETS)], at % len(TARGETS)), is_right))
    return edges


def fit(rules: Rules, projects: Iterable[Edges]) -> dict[Place, float]:
    """Return the fitted figures; each stays on its rule's side of `LIKELY`."""
    weights: dict[Place, float] = defaultdict(float)
    hits: dict[Place, float] = defaultdict(float)
    for edges in projects:
        counts = Counter(place for place, _ in edges)
        for place, is_right in edges:
            weight = min(1.0, MAX_EDGES / counts[place])
            weights[place] += weight
            hits[place] += weight * is_right
    figures = {}
    for rule, shares in rules.items():
        for at, share in enumerate(shares):
            found = (hits[rule, at] + PULL * share) / (weights[rule, at] + PULL)
            figures[rule, at] = max(found, LIKELY) if share >= LIKELY else min(found, LIKELY - 0.01)
    return figures


def list_bands(language: str, judged: list[tuple[float, float, bool]]) -> list[list[str]]:
    """Return rows of the table: bands of the figures of the rules with at least `MIN_EDGES`."""
    values = np.array(judged, dtype=np.float64)
    bands = np.searchsorted(BANDS, values[:, 0] + _DIGIT, side="right") - 1
    rows = []
    for band in sorted(set(bands.tolist()), reverse=True):
        inside = values[bands == band]
        if len(inside) < MIN_EDGES:
            continue
        shares = [f"{one:.2f}".removeprefix("0") for one in (inside[:, 0].mean(), inside[:, 2].mean())]
        rows.append([language, f"from {BANDS[band]:.2f}", f"{len(inside):,}", *shares])
    return rows


def report(language: str, rules: Rules, projects: Mapping[str, Edges]) -> list[list[str]]:
    """Print counts and changed figures of a language; return its rows of the table."""
    judged: list[tuple[float, float, bool]] = []
    for name, edges in projects.items():
        figures = fit(rules, [other for key, other in projects.items() if key != name])
        own = [(rules[place[0]][place[1]], figures[place], is_right) for place, is_right in edges]
        means = np.array(own, dtype=np.float64).mean(axis=0)
        print(
            f"{language} {name}: {len(own)} edges, expected {means[0]:.3f}, left out {means[1]:.3f}, right {means[2]:.3f}"
        )
        judged += own
    counts: dict[Place, list[bool]] = defaultdict(list)
    for place, is_right in chain.from_iterable(projects.values()):
        counts[place].append(is_right)
    for (rule, at), share in fit(rules, projects.values()).items():
        if found := counts[rule, at]:
            print(
                f"{language} {rule} {TARGETS[at]}: {rules[rule][at]:.2f} -> {share:.2f}, "
                f"{sum(found)} of {len(found)} right"
            )
    return list_bands(language, judged)


def main(java: Path, scripts: Path, keep: Path | None) -> None:
    languages: tuple[tuple[str, Rules, dict[str, Edges]], ...] = (
        (
            "Java",
            JAVA.rules,
            {one.name: read_places(JAVA.rules, partial(judge_java, one, keep)) for one in sorted(java.iterdir())},
        ),
        (
            "TypeScript and JavaScript",
            JAVASCRIPT.rules,
            {one.name: read_places(JAVASCRIPT.rules, partial(judge_scripts, one)) for one in sorted(scripts.iterdir())},
        ),
    )
    rows = [row for language, rules, projects in languages for row in report(language, rules, projects)]
    header = ("language", "confidence", "edges", "expected", "right")
    write_rows(EDGE_CLASSES.with_name("confidence_compilers.csv"), header, rows)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) == 4 else None)
