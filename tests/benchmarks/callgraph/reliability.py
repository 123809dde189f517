"""Wrong call edges by class: `python -m tests.benchmarks.callgraph.reliability BENCH PROJECTS.json [--update]`.

BENCH is the folder with `runtime_trace.py`; PROJECTS.json lists [name, folder, traced package inside it, trace] for each project. A trace
judges an edge if the caller was seen to call some function of that name; an edge that was not seen is wrong. The list `wrong_edges.csv` next to
this file names the wrong edges of at least 0.5 that claim what may run, by project and rule. Wrong edges that the list lacks are printed and
make the command fail; `--update` rewrites the projects' rows of the list and the counts in docs/data/edge_classes.csv.
"""

import csv
import gzip
import importlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from repoquarry.graphstore.model.call_views import LIKELY
from repoquarry.ingest.resolution import resolve
from tests.benchmarks.callgraph.trace import load, trace_names

WRONG_EDGES = Path(__file__).with_name("wrong_edges.csv")
EDGE_CLASSES = Path(__file__).parents[3] / "docs" / "data" / "edge_classes.csv"

WrongEdge = tuple[str, str, str, str]
"""Project, rule, caller, callee."""


class JudgedEdge(NamedTuple):
    """Edge that a trace can judge."""

    how: str
    confidence: float
    is_right: bool
    caller: str
    callee: str

    @property
    def is_claim(self) -> bool:
        """Return whether the edge says that its callee runs; a declared method of 0.5 is what the source names."""
        return self.confidence > LIKELY or (self.confidence == LIKELY and self.how != "declared")


def judge_edges(scorer: Any, project: Path, package: str, trace: Path) -> list[JudgedEdge]:
    """Return the edges of a project that a trace can judge."""
    files = load(project)
    resolution = resolve(files)
    names = trace_names(resolution, files, package.rpartition("/")[0] + "/" if "/" in package else "")
    source = scorer.Source(str(project / package))
    with gzip.open(trace, "rt") as lines:
        seen = {(edge["caller"], edge["callee"]) for edge in map(json.loads, lines)}
    seen = {(a, b) for a, b in seen if a in source.functions and b in source.functions and source.explicit(a, b)}
    ran: dict[tuple[str, str], set[str]] = defaultdict(set)
    for caller, callee in seen:
        ran[caller, last_name(callee)].add(callee)
    out = []
    for edge in resolution.calls:
        caller, callee = names.get(edge.caller, ""), names.get(edge.callee, "")
        if callee in source.functions and (observed := ran.get((caller, last_name(callee)))):
            out.append(JudgedEdge(edge.how, edge.confidence, callee in observed, caller, callee))
    return out


def last_name(name: str) -> str:
    return name.rpartition("::")[2].rpartition(".")[2]


def load_projects(listed: Path) -> dict[str, tuple[Path, str, Path]]:
    """Return folder, package and trace by name of the project."""
    rows = json.loads(listed.read_text())
    return {name: (Path(folder), package.strip("/"), Path(trace)) for name, folder, package, trace in rows}


def read_rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


def write_rows(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def main(bench: Path, projects: dict[str, tuple[Path, str, Path]], *, is_update: bool) -> int:
    """Compare with the list, or update the list."""
    sys.path.insert(0, str(bench))
    scorer = importlib.import_module("runtime_trace")
    wrong: set[WrongEdge] = set()
    classes: Counter[tuple[str, bool]] = Counter()
    for name, case in projects.items():
        claims = [edge for edge in judge_edges(scorer, *case) if edge.is_claim]
        classes.update((edge.how, edge.is_right) for edge in claims)
        wrong |= {(name, edge.how, edge.caller, edge.callee) for edge in claims if not edge.is_right}
        right = sum(edge.is_right for edge in claims)
        print(
            f"{name}: {right} right, {len(claims) - right} wrong, precision {right / max(1, len(claims)):.3f}",
            flush=True,
        )
    listed = {(row[0], row[1], row[2], row[3]) for row in read_rows(WRONG_EDGES)} if WRONG_EDGES.exists() else set()
    new = sorted(wrong - listed)
    print(
        "".join(f"new: {' '.join(edge)}\n" for edge in new) + f"{len(wrong)} wrong edges, {len(new)} of them not listed"
    )
    if is_update:
        others = {edge for edge in listed if edge[0] not in projects}
        write_rows(WRONG_EDGES, ("project", "rule", "caller", "callee"), sorted(wrong | others))
        rules = sorted({how for how, _ in classes}, key=lambda how: (-classes[how, True], how))
        write_rows(
            EDGE_CLASSES, ("rule", "right", "wrong"), [(how, classes[how, True], classes[how, False]) for how in rules]
        )
    return 0 if is_update else int(bool(new))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--update"]):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), load_projects(Path(sys.argv[2])), is_update="--update" in sys.argv))
