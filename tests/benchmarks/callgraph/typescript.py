"""Call sites as the TypeScript compiler sees them, compared with the resolver's: `python -m tests.benchmarks.callgraph.typescript FOLDER ...`.

Each folder is a project that `scip-typescript index` (npm: @sourcegraph/scip-typescript) has written an `index.scip` for. A site is a call or
a `new` on a name or a property. The compiler's view of it is the definition that its name refers to; sites whose name refers to something
that is not a definition of the repository (outside functions, parameters) are not expected. Among our edges at 0.5 and more those on lines all of
whose sites the compiler understands are judged, callbacks and accessors excepted, which no name at the site refers to. A method that implements or
overrides what the compiler names, or an overload of it, is neither right nor wrong.

A compiler leaves some targets open: it names the field or variable that is called and not the functions that it holds, the member of an
interface or an object type and not what implements it, which need not say so, and the class that is made and not the constructor that it
inherits. Edges that are wrong by its view on such lines (a value is called there; a member without a body of the same name, or a class below
that of the constructor, is expected there) are counted as `open`, and the second precision is without them.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.javascript.grammar import parse
from repoquarry.languages.registry import is_configuration, is_source, language_for
from tests.benchmarks.callgraph.scip_sites import occurrences

SURE = 0.5
#: rules of edges that no name at the site refers to
UNNAMED = ("callback", "property", "implicit")
#: forms of classes that only types know
UNCALLED = ("interface", "type alias")
#: how symbols of functions, methods, classes and interfaces end
_CALLABLE = (").", "#")
#: and those of fields of classes and interfaces
_FIELD = re.compile(r"#(`[^`]+`|[\w$:]+)\.$")
Place = tuple[str, int]
"""Path and line of the name of a definition."""


@dataclass
class View:
    """Answers of the compiler about one project."""

    expected: dict[Place, set[Place]] = field(default_factory=lambda: defaultdict(set))
    """Line of sites -> definitions that they call."""
    unknown: set[Place] = field(default_factory=set)
    """Lines with a site that the compiler does not understand."""
    values: set[Place] = field(default_factory=set)
    """Lines with a site that calls what a field or a variable of the repository holds."""


@dataclass
class Score:
    """Counts of expected and found edges."""

    expected: int = 0
    found: int = 0
    judged: int = 0
    right: int = 0
    open: int = 0
    edges: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence and correctness of judged edges, without those that the compiler leaves open."""

    def __str__(self) -> str:
        recall = self.found / max(self.expected, 1)
        precision = self.right / max(self.judged, 1)
        closed = self.right / max(self.judged - self.open, 1)
        return (
            f"sites {self.expected:6,}  recall {recall:.3f}  judged {self.judged:6,}  precision {precision:.3f}  "
            f"open {self.open:4,}  precision without them {closed:.3f}"
        )


@dataclass(frozen=True)
class Left:
    """Signs that the compiler leaves open which function is called."""

    bodiless: dict[Place, str]
    """Members without a body -> their names."""
    bases: dict[Place, set[Place]]
    """Class -> what it inherits from."""

    def is_open(self, place: Place, name: str, expected: set[Place]) -> bool:
        """Return whether a found target may be the called one where the compiler names the expected one."""
        if name == "constructor":
            return any(place in self.bases.get(one, ()) for one in expected)
        return any(self.bodiless.get(one) == name for one in expected)


def called_names(node: Node) -> Iterator[Node]:
    """The nodes of the names that are called below a node."""
    pending = [node]
    while pending:
        one = pending.pop()
        pending.extend(one.named_children)
        if one.type in ("call_expression", "new_expression"):
            called = one.child_by_field_name("function") or one.child_by_field_name("constructor")
            while called is not None and called.type in ("parenthesized_expression", "non_null_expression"):
                called = called.named_children[0] if called.named_children else None
            if called is not None and called.type == "member_expression":
                called = called.child_by_field_name("property")
            if called is not None and called.type in (
                "identifier",
                "property_identifier",
                "private_property_identifier",
            ):
                yield called


def _names(symbol: str, definition: str, called: str) -> bool:
    """Return whether a symbol is that of a definition on its line, not of a parameter or something else there."""
    if symbol.rpartition(" ")[2].isdigit():  # a local one
        return definition == called
    body = re.sub(r"(\((\+\d+)?\))?[.#]*$", "", symbol)
    plain = body[:-1].rpartition("`")[2] if body.endswith("`") else re.split("[/#]", body)[-1]
    plain = re.sub(r"^typeLiteral\d+:", "", plain)  # a member of an object type
    return plain in (definition, f"<{definition}>", "default") or plain.startswith(("<get>", "<set>"))


def _is_value(symbol: str, *, named: bool) -> bool:
    """Return whether a symbol is that of a field, or of a variable that is not the name of a function."""
    return not symbol.endswith(_CALLABLE) and (not named or _FIELD.search(symbol) is not None)


def compilers_view(project: Path, definitions: dict[Place, dict[str, Place]]) -> View:
    """The compiler's view of all call sites; `definitions`: line -> names of the definitions there -> their places."""
    defined: dict[str, set[Place]] = defaultdict(set)
    used: dict[tuple[str, int, int], list[str]] = defaultdict(list)
    for path, line, column, symbol, is_definition in occurrences(project, project / "index.scip"):
        if is_definition:
            defined[symbol].add((path, line))
        used[path, line, column].append(symbol)
    view = View()
    for path in sorted({path for path, _, _ in used if is_source(path)}):
        source = (project / path).read_bytes()
        suffix = f".{path.rpartition('.')[2]}"
        for name in called_names(parse(suffix, source)[0].root_node):
            row, column = name.end_point
            site = (path, row + 1)
            # a name may stand for several merged declarations: a class and a namespace, a class and its constructor
            symbols = used.get((path, row + 1, column), [])
            if not symbols:
                view.unknown.add(site)
                continue
            called = name.text.decode() if name.text else ""
            places = {
                place
                for symbol in symbols
                for line in defined.get(symbol, ())
                for one, place in definitions.get(line, {}).items()
                if _names(symbol, one, called)
            }
            if not places and any(symbol.startswith(f"{path} local") for symbol in symbols):
                view.unknown.add(site)
            elif any(symbol in defined and _is_value(symbol, named=bool(places)) for symbol in symbols):
                view.values.add(site)
            view.expected[site] |= places
    return view


def read(project: Path) -> tuple[list[FileFacts], dict[str, bytes]]:
    """Facts of the sources and texts of the configuration."""
    files, configuration = [], {}
    for path in sorted(project.rglob("*")):
        relative = path.relative_to(project).as_posix()
        if not path.is_file() or "node_modules" in path.parts:
            continue
        if is_configuration(relative):
            configuration[relative] = path.read_bytes()
        elif is_source(relative):
            files.append(language_for(relative).extract(relative, path.read_bytes()))
    return files, configuration


def judge(project: Path, min_confidence: float = SURE) -> Score:
    files, configuration = read(project)
    resolution = resolve(files, configuration=configuration)
    places = _places(files)
    view = compilers_view(project, _lines(files))
    constructors = _constructors(files, places)
    edges: dict[Place, dict[Place, tuple[str, str, float]]] = defaultdict(dict)
    for edge in resolution.calls:
        if edge.callee < 0 or edge.confidence < min_confidence:
            continue
        symbol = resolution.symbols[edge.callee]
        if (symbol.path, symbol.key) not in places:
            continue
        place, name = places[symbol.path, symbol.key]
        caller = resolution.symbols[edge.caller].path
        for line in edge.lines:
            edges[caller, line].setdefault(constructors.get(place, place), (name, edge.how, edge.confidence))
    bodiless = {places[facts.path, one.key] for facts in files for one in facts.definitions if one.is_abstract}
    overridden = _above(((one.method, one.overridden) for one in resolution.overrides), resolution, places)
    bases = _above(((one.cls, one.base) for one in resolution.inherits if one.base >= 0), resolution, places)
    return _compare(view, edges, constructors, overridden, Left(dict(bodiless), bases))


def _places(files: list[FileFacts]) -> dict[tuple[str, str], tuple[Place, str]]:
    return {
        (facts.path, one.key): ((facts.path, one.name_line), one.name) for facts in files for one in facts.definitions
    }


def _lines(files: list[FileFacts]) -> dict[Place, dict[str, Place]]:
    """Line -> names of the definitions that the compiler may say to be there -> their places. `const f =`, whose function begins on a
    later line, is where the compiler sees it. Interfaces, which constants may share their name with, cannot be called."""
    found: dict[Place, dict[str, Place]] = defaultdict(dict)
    called = [(facts.path, one) for facts in files for one in facts.definitions if one.form not in UNCALLED]
    for path, one in called:
        found[path, one.name_line][one.name] = (path, one.name_line)
    for path, one in called:
        found[path, one.start_line].setdefault(one.name, (path, one.name_line))
    return found


def _constructors(files: list[FileFacts], places: dict[tuple[str, str], tuple[Place, str]]) -> dict[Place, Place]:
    """Place of a constructor -> that of its class: compilers name either."""
    return {
        places[facts.path, one.key][0]: places[facts.path, one.parent][0]
        for facts in files
        for one in facts.definitions
        if one.name == "constructor" and one.parent
    }


def _above(
    pairs: Iterable[tuple[int, int]], resolution: Resolution, places: dict[tuple[str, str], tuple[Place, str]]
) -> dict[Place, set[Place]]:
    """Method -> what it overrides or implements, class -> what it inherits from, directly or not; `pairs`: numbers of symbols."""
    above: dict[Place, set[Place]] = defaultdict(set)
    for pair in pairs:
        lower, upper = (resolution.symbols[number] for number in pair)
        above[places[lower.path, lower.key][0]].add(places[upper.path, upper.key][0])
    for _ in range(4):
        for others in above.values():
            others |= {further for other in list(others) for further in above.get(other, ())}
    return above


def _compare(
    view: View,
    edges: dict[Place, dict[Place, tuple[str, str, float]]],
    constructors: dict[Place, Place],
    above: dict[Place, set[Place]],
    left: Left,
) -> Score:
    score = Score()
    for line, raw in view.expected.items():
        expected = {constructors.get(one, one) for one in raw}
        found = edges.get(line, {})
        score.expected += len(expected)
        score.found += len(expected & found.keys())
        if line in view.unknown:
            continue
        for one, (name, how, confidence) in found.items():
            if how in UNNAMED or name.startswith("<") or (one not in expected and above.get(one, set()) & expected):
                continue
            score.judged += 1
            score.right += one in expected
            is_open = one not in expected and (line in view.values or left.is_open(one, name, expected))
            if not is_open:
                score.edges.append((confidence, one in expected))
            score.open += is_open
    return score


def main() -> int:
    projects = [Path(argument) for argument in sys.argv[1:]]
    if not projects:
        print("give folders in which `scip-typescript index` has been run")
        return 77
    for project in projects:
        print(f"{project.name:24} {judge(project)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
