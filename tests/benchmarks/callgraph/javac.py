"""Call sites of Java as its compiler sees them, compared with the resolver's: recall and precision of edges of 0.5 and more.

    python -m tests.benchmarks.callgraph.javac FOLDER [FOLDER ...] [--classpath JARS] [--keep FOLDER]

A small program on javac's Trees API (JDK 17 or later) prints each method call, creation and method reference with the method that the compiler
chose. Sites that it could not attribute, because a library is missing, are skipped on both sides. Edges of a site are those of its line and name.
Recall is the share of the compiler's sites whose method is among the edges. Precision is the share of edges (one for each line and target) whose
target the compiler names there; it is given strictly, and with overriding methods of that target counted as right, which the compiler does not
list though a call may reach them. Iteration, ends of `try`, and functions that are called through a parameter or variable are not sites of
the compiler and skipped.
"""

import argparse
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.ingest.resolution.model import CallEdge
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java.extraction import extract

_SITES = Path(__file__).with_name("JavacSites.java")
_MIN_SHARE = 0.5
_NOT_SEEN = frozenset({"implicit", "callback", "value"})
Target = tuple[str, int] | str
"""(file, line of the name) of a definition of the project, or full name of something outside."""


@dataclass
class Site:
    """Calls of one name on one line."""

    expected: list[Target] = field(default_factory=list)
    found: dict[Target, float] = field(default_factory=dict)
    """Targets of edges -> confidence."""
    accepted: set[Target] = field(default_factory=set)
    """Found targets that override an expected one."""

    @property
    def right(self) -> set[Target]:
        """Found targets that the compiler names."""
        return {found for found in self.found if any(is_same(one, found) for one in self.expected)}


Sites = dict[tuple[str, int, str], Site]
"""(file, line, name) -> calls there."""


def ask_javac(root: Path, paths: Iterable[str], classpath: str) -> str:
    """Output of the program on the Trees API for the sources below a folder."""
    exports = [
        f"--add-exports=jdk.compiler/com.sun.tools.javac.{part}=ALL-UNNAMED" for part in ("tree", "code", "util")
    ]
    command = ["java", "-Xmx3g", *exports, str(_SITES), str(root), classpath]
    return subprocess.run(command, input="\n".join(paths), stdout=subprocess.PIPE, text=True, check=True).stdout


def compilers_view(printed: str) -> Sites:
    """(file, line, name) -> what javac says is called there; only sites that it could attribute."""
    sites: Sites = defaultdict(Site)
    unknown = set()
    for line in printed.splitlines():
        kind, path, number, name, owner, file, at = line.split("\t")
        if name == "?":
            unknown.add((path, int(number)))
            continue
        simple = owner.rpartition(".")[2] if name == "<init>" or kind == "anonymous" else name
        if not simple:
            continue
        target: Target = (file, int(at)) if file else owner if kind == "anonymous" else f"{owner}.{simple}"
        sites[path, int(number), simple].expected.append(target)
    return {key: site for key, site in sites.items() if key[:2] not in unknown}


class OurView:
    """The resolver's edges, laid over the compiler's sites."""

    def __init__(self, files: list[FileFacts], resolution: Resolution) -> None:
        self._resolution = resolution
        definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
        self._definitions = [definitions.get((symbol.path, symbol.key)) for symbol in resolution.symbols]
        self._above: dict[int, int] = {one.method: one.overridden for one in resolution.overrides}
        self.made: dict[Target, Target] = {}
        """Constructor -> its class, which is what the compiler is asked for where a class without a name is made."""
        self._class_of = {
            (facts.path, one.key): one for facts in files for one in facts.definitions if one.kind == "class"
        }

    def fill(self, sites: Sites, min_confidence: float) -> None:
        """Enters each edge at its lines."""
        for edge in self._resolution.calls:
            if edge.confidence >= min_confidence and edge.how not in _NOT_SEEN:
                self._enter(edge, sites)
        for reference in self._resolution.references:
            if reference.how == "handler":
                name = self._name(reference.target)
                path = self._resolution.symbols[reference.source].path
                for line in reference.lines:
                    if (path, line, name) in sites:
                        sites[path, line, name].found[self._target(reference.target)] = 1.0

    def _enter(self, edge: CallEdge, sites: Sites) -> None:
        name, target = self._name(edge.callee), self._target(edge.callee)
        path = self._resolution.symbols[edge.caller].path
        for line in edge.lines:
            site = sites.get((path, line, name))
            if site is None:
                continue
            site.found[target] = edge.confidence
            above = self._above.get(edge.callee)
            while above is not None and above >= 0:
                if self._target(above) in site.expected:
                    site.accepted.add(target)
                above = self._above.get(above)

    def _name(self, number: int) -> str:
        if number < 0:
            return self._resolution.externals[~number].rpartition(".")[2]
        definition = self._definitions[number]
        return definition.name if definition is not None else ""

    def _target(self, number: int) -> Target:
        if number < 0:
            return self._resolution.externals[~number]
        definition = self._definitions[number]
        assert definition is not None
        path = self._resolution.symbols[number].path
        target = path, definition.name_line
        if definition.form == "constructor":
            self.made[target] = path, self._class_of[path, definition.parent].name_line
        return target


def is_same(expected: Target, found: Target) -> bool:
    """Return whether a target is the compiler's; a class stands for its constructors."""
    if expected == found:
        return True
    if expected == "Array.clone":
        return found == "java.lang.Object.clone"
    if isinstance(expected, str) and isinstance(found, str):
        return expected == found or expected.rpartition(".")[0] == found or found.rpartition(".")[0] == expected
    return False


def kept_or_asked(root: Path, paths: Iterable[str], classpath: str, keep: Path | None) -> str:
    """The compiler's view, from a folder in which it is kept between runs."""
    kept = keep / f"{root.name}.tsv" if keep is not None else None
    if kept is not None and kept.is_file():
        return kept.read_text()
    printed = ask_javac(root, paths, classpath)
    if kept is not None:
        kept.write_text(printed)
    return printed


def compare(
    root: Path, classpath: str = "", keep: Path | None = None, min_confidence: float = _MIN_SHARE
) -> tuple[int, Sites]:
    """Return lines of a project, and its sites with both views."""
    paths = sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*.java")
        if path.name not in ("module-info.java", "package-info.java")
    )
    files = [extract(path, (root / path).read_bytes()) for path in paths]
    sites = compilers_view(kept_or_asked(root, paths, classpath, keep))
    view = OurView(files, resolve(files))
    view.fill(sites, min_confidence)
    for site in sites.values():
        for found in [one for one in site.found if view.made.get(one) in site.expected and one not in site.expected]:
            site.found[view.made[found]] = site.found.pop(found)
    return sum(facts.loc for facts in files), sites


def measure(root: Path, classpath: str, keep: Path | None) -> str:
    """One line of figures for a project."""
    lines, sites = compare(root, classpath, keep)
    total = hit = edges = right = accepted = 0
    for site in sites.values():
        total += len(site.expected)
        hit += sum(any(is_same(one, found) for found in site.found) for one in site.expected)
        edges += len(site.found)
        right += len(site.right)
        accepted += len(site.right | site.accepted)
    return (
        f"{root.name}: {lines} lines, {total} sites, recall {hit / total:.3f}, precision {right / edges:.3f} "
        f"(with overriding methods {accepted / edges:.3f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--classpath", default="")
    parser.add_argument("--keep", type=Path, help="folder in which the compiler's view is kept between runs")
    given = parser.parse_args()
    for folder in given.folders:
        print(measure(folder.resolve(), given.classpath, given.keep), flush=True)


if __name__ == "__main__":
    main()
