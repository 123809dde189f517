"""Views of call edges by traces: `python -m tests.benchmarks.callgraph.call_views BENCH PROJECTS.json`.

BENCH and PROJECTS.json are those of `reliability.py`. Writes docs/data/call_views.csv: recall of explicit calls and precision of sure edges,
recall of sure edges and dispatch sets together, and the sets at callers and names where a run took a target: how many have one that ran,
how many have all, and their median size. Writes docs/data/confidence.csv: figures of sure edges, the only ones that answers print, and
the share that is right. A band of `MIN_EDGES` whose distance exceeds `MAX_DISTANCE` makes the command fail.
"""

import gzip
import importlib
import json
import statistics
import sys
from bisect import bisect_right
from collections import defaultdict
from pathlib import Path
from typing import Any

from repoquarry.graphstore.model.call_views import DISPATCH, SURE, view_of
from repoquarry.ingest.resolution import resolve
from tests.benchmarks.callgraph.reliability import EDGE_CLASSES, last_name, load_projects, write_rows
from tests.benchmarks.callgraph.trace import load, trace_names

MIN_EDGES = 100
MAX_DISTANCE = 0.05
#: lower limits of the rows of confidence.csv
BANDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97)
Call = tuple[str, str]


class ViewTally:
    """Edges of all projects and what their traces saw."""

    def __init__(self, scorer: Any) -> None:
        self._scorer = scorer
        self.rows: list[list[object]] = []
        self.bands: dict[int, list[tuple[float, bool]]] = defaultdict(list)

    def add(self, name: str, project: Path, package: str, trace: Path) -> None:
        """Add a project."""
        source = self._scorer.Source(str(project / package))
        edges = self._find_edges(source, project, package)
        with gzip.open(trace, "rt") as lines:
            seen = {(one["caller"], one["callee"]) for one in map(json.loads, lines)}
        known = {(a, b) for a, b in seen if a in source.functions and b in source.functions and source.explicit(a, b)}
        ran: dict[Call, set[str]] = defaultdict(set)
        for caller, callee in known:
            ran[caller, last_name(callee)].add(callee)
        found: dict[str, dict[Call, set[str]]] = {SURE: defaultdict(set), DISPATCH: defaultdict(set)}
        for (caller, callee), (confidence, view) in edges.items():
            site = caller, last_name(callee)
            if site not in ran or view not in found:
                continue
            found[view][site].add(callee)
            if view == SURE:
                self.bands[bisect_right(BANDS, confidence + 1e-9) - 1].append((confidence, callee in ran[site]))
        both = {site: found[SURE].get(site, set()) | found[DISPATCH].get(site, set()) for site in ran}
        sure = [(callee in ran[site]) for site, callees in found[SURE].items() for callee in callees]
        sets = list(found[DISPATCH])
        shares = [
            sum(sure) / len(known),
            sum(sure) / len(sure),
            sum(len(both[site] & ran[site]) for site in ran) / len(known),
        ]
        hits = [sum(bool(both[one] & ran[one]) for one in sets), sum(ran[one] <= both[one] for one in sets)]
        size = statistics.median_low(len(found[DISPATCH][one]) for one in sets)
        self.rows.append([name, *map(_figure, shares), len(sets), *(_figure(one / len(sets)) for one in hits), size])

    def _find_edges(self, source: Any, project: Path, package: str) -> dict[Call, tuple[float, str]]:
        """Return confidence and view of the best edge of each pair."""
        files = load(project)
        resolution = resolve(files)
        names = trace_names(resolution, files, package.rpartition("/")[0] + "/" if "/" in package else "")
        edges: dict[Call, tuple[float, str]] = {}
        for edge in resolution.calls:
            callee = names.get(edge.callee, "")
            pair = names.get(edge.caller, ""), source.constructor(callee) if callee in source.classes else callee
            if pair[0] in source.functions and pair[1] in source.functions:
                edges[pair] = max(edges.get(pair, (0.0, "")), (edge.confidence, view_of(edge.how, edge.targets)))
        return edges

    def write(self) -> int:
        """Write both tables; return the number of bands that do not hold."""
        header = ("project", "sure", "precision", "both", "sets", "one ran", "all ran", "size")
        write_rows(EDGE_CLASSES.with_name("call_views.csv"), header, self.rows)
        rows, wrong = [], 0
        for band in sorted(self.bands, reverse=True):
            edges = self.bands[band]
            expected, right = (sum(one[at] for one in edges) / len(edges) for at in (0, 1))
            rows.append([f"from {BANDS[band]:.2f}", f"{len(edges):,}", *(_figure(one, 2) for one in (expected, right))])
            wrong += len(edges) >= MIN_EDGES and abs(expected - right) > MAX_DISTANCE
        write_rows(EDGE_CLASSES.with_name("confidence.csv"), ("confidence", "edges", "expected", "right"), rows)
        return wrong


def _figure(share: float, digits: int = 3) -> str:
    return f"{share:.{digits}f}".removeprefix("0")


def main(bench: Path, listed: Path) -> int:
    sys.path.insert(0, str(bench))
    tally = ViewTally(importlib.import_module("runtime_trace"))
    for name, case in load_projects(listed).items():
        tally.add(name, *case)
    return tally.write()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
