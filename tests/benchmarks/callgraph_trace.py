"""Predictions for run-time traces: `callgraph_trace.py PROJECT PACKAGE OUT.jsonl [MINIMUM_CONFIDENCE]`.

PROJECT is the unpacked source distribution, PACKAGE the traced package inside it (`src/click`); names are relative to PACKAGE's parent,
lambdas belong to the function around them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import is_source, language_for
from repoquarry.server.exports.callgraph_json import DEFAULT_CONFIDENCE


def load(project: Path) -> list[FileFacts]:
    """The facts of all files of a project."""
    paths = sorted(path for path in project.rglob("*") if path.is_file() and is_source(path.name))
    return [language_for(path.name).extract(path.relative_to(project).as_posix(), path.read_bytes()) for path in paths]


def trace_names(resolution: Resolution, files: list[FileFacts], prefix: str) -> dict[int, str]:
    """The name that a trace gives to each symbol."""
    qualnames = {(facts.path, one.key): one.qualname for facts in files for one in facts.definitions}
    names = {}
    for number, symbol in enumerate(resolution.symbols):
        if symbol.key:
            parts = [part for part in qualnames[symbol.path, symbol.key].split(".") if not part.startswith("<lambda")]
            names[number] = f"{symbol.path.removeprefix(prefix)}::{'.'.join(parts)}"
    return names


def main(project: Path, package: str, out: Path, minimum: float) -> None:
    """One line for each edge between definitions of the project."""
    files = load(project)
    resolution = resolve(files)
    names = trace_names(resolution, files, package.rpartition("/")[0] + "/" if "/" in package else "")
    lines = [
        json.dumps(
            {"caller": names[edge.caller], "callee": names[edge.callee], "how": edge.how, "confidence": edge.confidence}
        )
        for edge in resolution.calls
        if edge.caller in names and edge.callee in names and edge.confidence >= minimum
    ]
    out.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} edges -> {out}")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(
        Path(sys.argv[1]),
        sys.argv[2].strip("/"),
        Path(sys.argv[3]),
        float(sys.argv[4]) if len(sys.argv) == 5 else DEFAULT_CONFIDENCE,
    )
