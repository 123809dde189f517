"""Call sites as a type checker sees them: `python -m tests.benchmarks.callgraph.types PROJECT INDEX.scip [PROJECT INDEX.scip ...]`.

INDEX is the SCIP index of PROJECT by scip-python, which is Pyright: in PROJECT's folder,
`npx @sourcegraph/scip-python index . --project-name p --project-version 1 --environment none.json --output INDEX.scip`, where none.json holds `[]`.

A site is a call on a name or an attribute; its truth is the definition that the index has for the name before the bracket, where that is
a function, method or class of the project. Calling a class is the same as calling its `__init__`. Found are edges at a confidence of
0.5 and more that bear the site's line; an edge belongs to the site that is written with its callee's name, or to the only site of its line. Lenient
figures take an override of the true method for it, since a checker names the declared one, and a decorator's wrapper for what it wraps. Calls by
another name than the definition's are skipped, as the index errs in many of them.
"""

import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from repoquarry.graphstore.model.call_views import LIKELY, site_confidence
from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.ingest.resolution.model import CallEdge
from repoquarry.languages.facts import Definition
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.callgraph.scip_sites import CONSTRUCTORS, Place, Site, known_sites, written_as
from tests.benchmarks.callgraph.trace import load

#: rules of edges that the name before a bracket does not show
UNWRITTEN = ("property", "implicit", "fixture", "callback", "hook")


@dataclass
class Tally:
    truths: int = 0
    found: int = 0
    found_leniently: int = 0
    judged: int = 0
    right: int = 0
    right_leniently: int = 0


def _closure(place: Place, above: dict[Place, set[Place]]) -> set[Place]:
    out, pending = set[Place](), [place]
    while pending:
        if (one := pending.pop()) not in out:
            out.add(one)
            pending += above.get(one, ())
    return out


class Found:
    """Our edges of a project, by line."""

    def __init__(self, resolution: Resolution, definitions: list[tuple[str, Definition]]) -> None:
        self.edges: dict[tuple[str, int], list[tuple[CallEdge, Place | None]]] = defaultdict(list)
        qualnames = {(path, one.key): one.qualname for path, one in definitions}
        self.decorators = {
            (path, one.qualname): [decorator.name for decorator in one.decorators] for path, one in definitions
        }
        places = {
            number: (symbol.path, qualnames[symbol.path, symbol.key])
            for number, symbol in enumerate(resolution.symbols)
            if symbol.key
        }
        for edge in resolution.calls:
            for line in edge.lines:
                self.edges[resolution.symbols[edge.caller].path, line].append((edge, places.get(edge.callee)))
        self.overridden: dict[Place, set[Place]] = defaultdict(set)
        for one in resolution.overrides:
            if one.overridden in places:
                self.overridden[places[one.method]].add(places[one.overridden])
        bases: dict[Place, set[Place]] = defaultdict(set)
        for above in resolution.inherits:
            if above.base in places:
                bases[places[above.cls]].add(places[above.base])
        self.related: dict[Place, set[Place]] = defaultdict(set)
        """Class -> itself, its ancestors and descendants, without metaclasses."""
        for place in places.values():
            for ancestor in _closure(place, bases):
                self.related[ancestor].add(place)
                self.related[place].add(ancestor)

    def roots(self, place: Place) -> set[Place]:
        """A method and all that it overrides."""
        return _closure(place, self.overridden)

    def agrees(self, place: Place, truth: frozenset[Place]) -> bool:
        """Return whether a callee is the true definition; a class counts as its own or inherited constructor."""
        owner, _, name = place[1].rpartition(".")
        return place in truth or (name in CONSTRUCTORS and bool(self.related[place[0], owner] & truth))

    def stands_for(self, place: Place, truth: frozenset[Place]) -> bool:
        """Return whether a callee overrides the true definition, or is the wrapper that its decorator put in its place."""
        decorators = {name for one in truth for name in self.decorators.get(one, ())}
        return bool(self.roots(place) & truth or decorators.intersection(place[1].split(".")[:-1]))


def tally(found: Found, known: list[Site]) -> Tally:
    """Compares all sites of a project."""
    out = Tally()
    lines: dict[tuple[str, int], list[Site]] = defaultdict(list)
    for site in known:
        lines[site.path, site.line].append(site)
    for spot, here in sorted(lines.items()):
        edges = found.edges.get(spot, [])
        for site in here:
            if site.truth:
                _recall(out, found, site.truth, edges)
        for edge, place in edges:
            if place is not None and site_confidence(edge.how, edge.targets, edge.confidence) >= LIKELY:
                _precision(out, found, here, edge, place)
    return out


def _recall(out: Tally, found: Found, truth: frozenset[Place], edges: list[tuple[CallEdge, Place | None]]) -> None:
    sure = [
        place
        for edge, place in edges
        if place is not None and site_confidence(edge.how, edge.targets, edge.confidence) >= LIKELY
    ]
    hit = any(found.agrees(place, truth) for place in sure)
    out.truths += 1
    out.found += hit
    out.found_leniently += hit or any(found.stands_for(place, truth) for place in sure)


def _precision(out: Tally, found: Found, here: list[Site], edge: CallEdge, place: Place) -> None:
    meant = [site for site in here if site.name == written_as(place)]
    if not meant and len(here) == 1 and edge.how not in UNWRITTEN:
        meant = here
    if not meant or any(site.truth is None for site in meant):
        return
    truths = [site.truth for site in meant if site.truth is not None]
    right = any(found.agrees(place, truth) for truth in truths)
    out.judged += 1
    out.right += right
    out.right_leniently += right or any(found.stands_for(place, truth) for truth in truths)


def compare(project: Path, index: Path) -> Tally:
    files = load(project)
    definitions = [(one.path, each) for one in files for each in one.definitions]
    places = {
        (path, one.name_line): (path, one.qualname)
        for path, one in definitions
        if one.kind != "lambda" and not any(decorator.text.endswith("property") for decorator in one.decorators)
    }
    return tally(Found(resolve(files), definitions), known_sites(project, index, places))


def main() -> int:
    given = [Path(one) for one in sys.argv[1:]]
    if not given or len(given) % 2 or not all(path.exists() for path in given):
        print("needs unpacked projects and their indexes by scip-python: callgraph.types PROJECT INDEX.scip ...")
        return SKIPPED
    print("project  sites  recall  lenient  edges  precision  lenient")
    for project, index in zip(given[::2], given[1::2], strict=True):
        one = compare(project, index)
        truths, judged = one.truths or 1, one.judged or 1
        print(
            f"{project.name}  {one.truths}  {one.found / truths:.3f}  {one.found_leniently / truths:.3f}  "
            f"{one.judged}  {one.right / judged:.3f}  {one.right_leniently / judged:.3f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
