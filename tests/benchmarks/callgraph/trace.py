"""Predictions for run-time traces, through `repoquarry export`: what is measured is what a user gets.

    python -m tests.benchmarks.callgraph.trace PROJECT PACKAGE OUT.jsonl [--min-confidence 0.5] [--store STORE]

PROJECT is the unpacked source distribution, PACKAGE the traced package inside it (`src/click`); names are relative to PACKAGE's parent,
lambdas belong to the function around them. With `--store` the project is there already and is not indexed.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from repoquarry.ingest.resolution import Resolution
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import is_source, language_for
from tests.e2e.service import run_here

#: a stub has the name of its module, whose code is what a trace sees
_MODULES = (
    "MATCH (m:Module) WHERE m.repository = $repository AND NOT m.path ENDS WITH '.pyi'"
    " RETURN m.path AS path, m.name AS name ORDER BY path"
)


def load(project: Path) -> list[FileFacts]:
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


def traced_name(name: str, modules: Mapping[str, str], prefix: str) -> str | None:
    """The name that a trace gives to what an export calls `package.module.Class.method`; None for what is in no module."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = modules.get(".".join(parts[:length]))
        if path is not None:
            inside = [part for part in parts[length:] if not part.startswith("<lambda")]
            return f"{path.removeprefix(prefix)}::{'.'.join(inside)}" if inside else None
    return None


def exported(store: Path, repository: str, least: str | None, prefix: str) -> list[tuple[str, str]]:
    """Callers and callees of a stored repository by the names of its trace."""
    options = ["--min-confidence", least] if least is not None else []
    graph = json.loads(_done(store, "export", repository, "--format", "callgraph-json", *options))
    rows = _done(
        store, "query", _MODULES, "--param", f"repository={json.dumps(repository)}", "--format", "jsonl", "--limit", "0"
    )
    modules = {row["name"]: row["path"] for row in map(json.loads, rows.splitlines())}
    named = {name: traced_name(name, modules, prefix) for name in graph}
    return [(a, b) for caller in graph for callee in graph[caller] if (a := named[caller]) and (b := named[callee])]


def _done(store: Path, *arguments: str) -> str:
    done = run_here(store, *arguments)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main() -> None:
    """One line for each edge between definitions of the project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=Path)
    parser.add_argument("package", type=lambda text: text.strip("/"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--min-confidence")
    parser.add_argument("--store", type=Path)
    given = parser.parse_args()
    prefix = given.package.rpartition("/")[0] + "/" if "/" in given.package else ""
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or Path(folder) / "store"
        if given.store is None:
            _done(store, "index", str(given.project.resolve()), "--name", "traced")
        repository = "traced" if given.store is None else given.project.resolve().name
        edges = exported(store, repository, given.min_confidence, prefix)
    given.out.write_text("".join(json.dumps({"caller": a, "callee": b}) + "\n" for a, b in edges))
    print(f"{len(edges)} edges -> {given.out}")


if __name__ == "__main__":
    main()
