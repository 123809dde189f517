"""Predictions for the PyCG micro-benchmark: `callgraph_pycg.py SNIPPETS OUT.jsonl`, then score OUT.jsonl with the benchmark's scorer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from repoquarry.ingest.languages.registry import is_source, language_for
from repoquarry.ingest.resolution import resolve
from repoquarry.ingest.resolution.callgraph_json import call_graph


def edges(folder: Path) -> list[list[str]]:
    """All edges of one snippet."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and is_source(path.name))
    files = [language_for(path.name).extract(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]
    graph = call_graph(resolve(files), files)
    return [[caller, callee] for caller, callees in graph.items() for callee in callees]


def main(root: Path, out: Path) -> None:
    """One line for each snippet."""
    snippets = sorted(path.parent for path in root.rglob("callgraph.json"))
    lines = [
        json.dumps({"snippet": folder.relative_to(root).as_posix(), "edges": edges(folder)}) for folder in snippets
    ]
    out.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} snippets -> {out}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
