"""Call sites of Go as its type checker sees them, compared with the resolver's: recall and precision of edges of 0.5 and more.

    python -m tests.benchmarks.callgraph.gotypes FOLDER [FOLDER ...] [--misses NUMBER]

A small program on go/types (Go 1.19 or later) prints each call with the function that the checker chose, in the usual build of the machine.
Sites that it could not attribute, because a library is missing, are skipped on both sides, and so are files of other builds. Recall is the share
of sites whose function is in the project and among the edges of the site's line and name; precision the share of edges to functions of the
project, one for each line and target, that the checker confirms. Calls of functions outside the project are wrong where we have an edge inside.
"""

import argparse
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

_PROGRAM = Path(__file__).with_name("gotypes.go")
_MIN_SHARE = 0.5
Place = tuple[str, int]
SiteKey = tuple[str, int, str]
"""(file, line, called name)."""


@dataclass
class Comparison:
    """Both views of a project."""

    name: str
    lines: int = 0
    missed: list[SiteKey] = field(default_factory=list)
    wrong: list[tuple[SiteKey, Place, float]] = field(default_factory=list)
    confirmed: Counter[str] = field(default_factory=Counter)
    """Rule -> edges that the checker confirms."""
    edges: Counter[str] = field(default_factory=Counter)
    expected: int = 0

    def __str__(self) -> str:
        recall = 1 - len(self.missed) / max(1, self.expected)
        precision = self.confirmed.total() / max(1, self.edges.total())
        return f"{self.name}: {self.lines} lines, {self.expected} sites, recall {recall:.3f}, precision {precision:.3f}"


def ask_checker(root: Path) -> tuple[dict[SiteKey, set[Place]], set[Place]]:
    """Return the checker's targets inside the project by site, and the lines with calls that it could not attribute."""
    printed = subprocess.run(
        ["go", "run", str(_PROGRAM), str(root)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    sites: dict[SiteKey, set[Place]] = defaultdict(set)
    unknown: set[Place] = set()
    for row in printed.splitlines():
        path, line, name, file, at = row.split("\t")
        if name == "?":
            unknown.add((path, int(line)))
        else:
            sites[path, int(line), name].update([(file, int(at))] if file else [])
    return {key: places for key, places in sites.items() if key[:2] not in unknown}, unknown


def compare(root: Path, min_confidence: float = _MIN_SHARE) -> Comparison:
    """Compare both views of a project."""
    paths = [path for path in sorted(root.rglob("*.go")) if path.is_file()]
    texts = {path.relative_to(root).as_posix(): path.read_bytes() for path in [*paths, *root.rglob("go.mod")]}
    files = [registry.language_for(path).extract(path, text) for path, text in texts.items() if path.endswith(".go")]
    found = resolve(files, configuration={path: text for path, text in texts.items() if path.endswith("go.mod")})
    definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
    sites, _ = ask_checker(root)
    report = Comparison(root.name, sum(facts.loc for facts in files))
    ours: dict[SiteKey, dict[Place, tuple[str, float]]] = defaultdict(dict)
    for edge in found.calls:
        if edge.callee >= 0 and edge.confidence >= min_confidence:
            symbol = found.symbols[edge.callee]
            one = definitions[symbol.path, symbol.key]
            for line in edge.lines:
                key = found.symbols[edge.caller].path, line, one.name
                ours[key][symbol.path, one.name_line] = edge.how, edge.confidence
    for key, places in sites.items():
        mine = ours.get(key, {})
        report.expected += len(places)
        report.missed += [key for place in places if place not in mine]
        for place, (how, confidence) in mine.items():
            report.edges[how] += 1
            if place in places:
                report.confirmed[how] += 1
            else:
                report.wrong.append((key, place, confidence))
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--misses", type=int, default=0, help="number of missed sites and wrong edges to list")
    given = parser.parse_args()
    for folder in given.folders:
        report = compare(folder.resolve())
        print(report, flush=True)
        if given.misses:
            print("  by rule", {how: f"{report.confirmed[how]}/{count}" for how, count in report.edges.items()})
            for key in report.missed[: given.misses]:
                print("  missed", *key)
            for key, place, confidence in report.wrong[: given.misses]:
                print("  wrong", *key, "->", *place, confidence)


if __name__ == "__main__":
    main()
