"""The reliability curve of call edges: `python -m tests.benchmarks.callgraph.reliability BENCH PROJECT PACKAGE TRACE [PROJECT PACKAGE TRACE ...]`.

BENCH is the folder with `runtime_trace.py`. Among the edges that a trace can judge (its caller was seen to call some function of that name),
the share that was seen, by confidence and by rule: the figures of `repoquarry/ingest/resolution/rules.py` and docs/explanation/benchmarks.md.
"""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from repoquarry.ingest.resolution import resolve
from tests.benchmarks.callgraph.trace import load, trace_names


def judged(scorer: Any, project: Path, package: str, trace: Path) -> list[tuple[str, float, bool]]:
    """(rule, confidence, seen) of every edge that the trace can judge."""
    files = load(project)
    resolution = resolve(files)
    names = trace_names(resolution, files, package.rpartition("/")[0] + "/" if "/" in package else "")
    source = scorer.Source(str(project / package))
    with gzip.open(trace, "rt") as lines:
        seen = {(edge["caller"], edge["callee"]) for edge in map(json.loads, lines)}
    seen = {(a, b) for a, b in seen if a in source.functions and b in source.functions and source.explicit(a, b)}
    ran: dict[tuple[str, str], set[str]] = defaultdict(set)
    for caller, callee in seen:
        ran[caller, last(callee)].add(callee)
    out = []
    for edge in resolution.calls:
        caller, callee = names.get(edge.caller, ""), names.get(edge.callee, "")
        if callee in source.functions and (caller, last(callee)) in ran:
            out.append((edge.how, edge.confidence, callee in ran[caller, last(callee)]))
    return out


def last(name: str) -> str:
    """The function's own name."""
    return name.rpartition("::")[2].rpartition(".")[2]


def main(bench: Path, cases: list[tuple[Path, str, Path]]) -> None:
    """Prints both tables."""
    sys.path.insert(0, str(bench))
    scorer = importlib.import_module("runtime_trace")
    everything = [entry for case in cases for entry in judged(scorer, *case)]
    for title, key in (("confidence", 1), ("rule", 0)):
        table: dict[Any, list[bool]] = defaultdict(list)
        for entry in everything:
            table[entry[key]].append(entry[2])
        print(f"| {title} | edges | right |\n|---|---|---|")
        for value, hits in sorted(table.items(), reverse=True):
            print(f"| {value} | {len(hits)} | {sum(hits) / len(hits):.2f} |")


if __name__ == "__main__":
    if len(sys.argv) < 5 or (len(sys.argv) - 2) % 3:
        sys.exit(__doc__)
    given = sys.argv[2:]
    main(
        Path(sys.argv[1]),
        [(Path(given[at]), given[at + 1].strip("/"), Path(given[at + 2])) for at in range(0, len(given), 3)],
    )
