"""Call sites as a tracer saw them, compared with the resolver's: recall and precision of edges of 0.5 and more.

    python -m tests.benchmarks.callgraph.traced_sites ROOT ROWS.tsv [--below FOLDER] [--misses NUMBER]

Rows are those of `tracepoint.rb` (Ruby) and `xdebug.py` (PHP). A site is a call whose name stands on its line and whose function is below
FOLDER of the project; recall is the share of (site, function) with an edge there, or with one to the method that the function overrides.
Precision is the share of edges, at sites that ran, of which that is so. With the edges below 0.5 it is what the site's targets together find.
"""

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages import registry

_MIN_SHARE = 0.5
_CREATED = ("initialize", "__construct")
_OUTSIDE = ("", 0)
Place = tuple[str, int]
Site = tuple[str, int, str]


def is_written(name: str, text: str) -> bool:
    """Return whether the source of a line names what is called."""
    words = ["new", "super", "parent::__construct"] if name in _CREATED else [name.rstrip("="), "super"]
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.I) for word in words)


class Project:
    """Definitions, edges and lines of a project."""

    def __init__(self, root: Path, suffix: str) -> None:
        inside = sorted(path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
        paths = [(path.relative_to(root).as_posix(), path) for path in inside]
        texts = {name: path.read_bytes() for name, path in paths if name.endswith(suffix) and registry.is_source(name)}
        configuration = {name: path.read_bytes() for name, path in paths if registry.is_configuration(name)}
        began = time.process_time()
        files = [registry.language_for(name).extract(name, text) for name, text in texts.items()]
        self.resolution: Resolution = resolve(files, configuration=configuration)
        self.seconds = time.process_time() - began
        self.lines = {name: text.decode("utf-8", "replace").split("\n") for name, text in texts.items()}
        self._names = {(one.path, item.key): item.name_line for one in files for item in one.definitions}
        self.functions = {
            (one.path, item.name_line): item.name for one in files for item in one.definitions if item.kind != "class"
        }
        self._above: defaultdict[Place, set[Place]] = defaultdict(set)
        for override in self.resolution.overrides:
            self._above[self.place(override.method)].add(self.place(override.overridden))

    def place(self, number: int) -> Place:
        """Return file and line of a symbol."""
        symbol = self.resolution.symbols[number]
        return symbol.path, self._names.get((symbol.path, symbol.key), 0)

    def edges(self, share: float) -> dict[Place, set[Place]]:
        """Return the functions that are called at a line."""
        found: defaultdict[Place, set[Place]] = defaultdict(set)
        for edge in self.resolution.calls:
            if edge.callee >= 0 and edge.confidence >= share:
                for line in edge.lines:
                    found[self.resolution.symbols[edge.caller].path, line].add(self.place(edge.callee))
        return found

    def declared(self, method: Place) -> set[Place]:
        """Return a method and those that it overrides."""
        found, pending = set(), [method]
        while pending:
            if (one := pending.pop()) not in found:
                found.add(one)
                pending += self._above[one]
        return found


def read_sites(project: Project, rows: Path, below: str) -> dict[Site, set[Place]]:
    """Return the functions that each site ran; `_OUTSIDE` for those that are not judged."""
    found: defaultdict[Site, set[Place]] = defaultdict(set)
    for row in rows.read_text().splitlines():
        path, number, name, callee, at = (row.split("\t") + [""] * 5)[:5]
        lines = project.lines.get(path, []) if path.startswith(below) else []
        if not 0 < int(number) <= len(lines) or not is_written(name, lines[int(number) - 1]):
            continue
        target = (callee, int(at or 0))
        is_judged = callee.startswith(below) and target in project.functions
        found[path, int(number), name].add(target if is_judged else _OUTSIDE)
    return found


def show(label: str, cases: list[str], count: int) -> None:
    """Print some of the cases."""
    for case in random.Random(46).sample(cases, min(count, len(cases))):
        print(label, case)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--below", default="", help="folder of the code that is judged")
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    suffix = ".php" if ".php\t" in options.rows.read_text() else ".rb"
    project = Project(options.root.resolve(), suffix)
    likely, every = project.edges(_MIN_SHARE), project.edges(0)
    reasons = {
        (project.resolution.symbols[one.caller].path, line): one.reason
        for one in project.resolution.unresolved
        for line in one.lines
    }
    figures: Counter[str] = Counter()
    why: Counter[str] = Counter()
    cases: dict[str, list[str]] = {"missed": [], "wrong": []}
    for (path, number, name), targets in read_sites(project, options.rows, options.below).items():
        here, text = (path, number), project.lines[path][number - 1].strip()[:110]
        for target in targets - {_OUTSIDE}:
            figures["sites"] += 1
            figures["exact"] += target in likely.get(here, ())
            figures["found"] += bool(project.declared(target) & likely.get(here, set()))
            figures["among"] += bool(project.declared(target) & every.get(here, set()))
            if not project.declared(target) & likely.get(here, set()):
                why[reasons.get(here, "other target" if here in every else "no site")] += 1
                cases["missed"].append(
                    f"{path}:{number} {name} -> {target[0]}:{target[1]} [{reasons.get(here)}] {text}"
                )
        for edge in likely.get(here, ()):
            if project.functions.get(edge) == name:
                is_right = any(edge in project.declared(target) for target in targets)
                figures["edges"] += 1
                figures["right"] += is_right
                cases["wrong"] += [] if is_right else [f"{path}:{number} {name} -> {edge[0]}:{edge[1]} {text}"]
    sites, edges = max(figures["sites"], 1), max(figures["edges"], 1)
    print(
        f"{figures['sites']} sites, recall {figures['found'] / sites:.3f} (the very method that ran "
        f"{figures['exact'] / sites:.3f}, among all edges {figures['among'] / sites:.3f}); "
        f"{figures['edges']} edges, precision {figures['right'] / edges:.3f}; "
        f"{project.seconds:.1f} s for {sum(map(len, project.lines.values()))} lines; missed: {dict(why.most_common())}"
    )
    for label, found in cases.items():
        show(label, found, options.misses)


if __name__ == "__main__":
    main()
