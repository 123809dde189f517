"""Predictions for the PyCG micro-benchmark: `python -m tests.benchmarks.callgraph.pycg SNIPPETS OUT.jsonl [MINIMUM_CONFIDENCE]`.

Each snippet is indexed as a repository of its own, and read back by `repoquarry export --format callgraph-json`: what is measured is what
a user gets. Score OUT.jsonl with the benchmark's scorer.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.e2e.service import run_here


def predictions(root: Path, workplace: Path, options: list[str]) -> list[str]:
    """One line for each snippet."""
    names = {}
    for snippet in sorted(path.parent for path in root.rglob("callgraph.json")):
        relative = snippet.relative_to(root).as_posix()
        names[relative] = relative.replace("/", "--").replace("_", "-").lower()
        shutil.copytree(snippet, workplace / "snippets" / names[relative])
    if len(set(names.values())) < len(names):
        sys.exit("two snippets have one name as repositories")
    store = workplace / "store"
    done = run_here(store, "index", *(str(workplace / "snippets" / name) for name in names.values()))
    if done.returncode:
        sys.exit(done.stderr)
    lines = []
    for place, name in names.items():
        done = run_here(store, "export", name, "--format", "callgraph-json", *options)
        if done.returncode:
            sys.exit(done.stderr)
        edges = [[caller, callee] for caller, callees in json.loads(done.stdout).items() for callee in callees]
        lines.append(json.dumps({"snippet": place, "edges": edges}))
    return lines


def main(root: Path, out: Path, options: list[str]) -> None:
    with tempfile.TemporaryDirectory() as workplace:
        lines = predictions(root, Path(workplace), options)
    out.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} snippets -> {out}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), ["--min-confidence", sys.argv[3]] if len(sys.argv) == 4 else [])
