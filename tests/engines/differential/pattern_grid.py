"""Systematic queries over a small graph, with their rows by enumeration: paths x anchors x results.

No corpus, habit or engine is involved. A path is 1 to 3 steps of every combination of directions, or repeats one step; its start is
free, has a label, or is fixed by a map, a parameter or a WHERE; and one enumeration of its matches gives the rows of every result.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.testing.sample_graphs import GraphBuilder

Edge = tuple[str, str, str]
Match = tuple[str, str]
"""Ids of the first and the last node of a path."""
Row = tuple[Value, ...]


@dataclass(frozen=True)
class Case:
    """Query with its rows, in the order of the query where `is_ordered`."""

    text: str
    parameters: Mapping[str, Value]
    rows: Sequence[Row]
    is_ordered: bool


def grid_graph() -> RepositoryGraph:
    """Build a graph of calls with a loop, a cycle of two and a triangle, of classes in a diamond, and of nodes without relationships."""
    builder = GraphBuilder("grid")
    builder.repository_node()
    module = builder.module("m.py")
    functions = [builder.define("Function", module, f"f{n}", n) for n in range(5)]
    classes = [builder.define("Class", module, f"c{n}", n) for n in range(4)]
    builder.module("alone.py")
    for start, end in ((0, 1), (1, 0), (1, 2), (2, 0), (2, 2), (3, 1)):
        builder.call(functions[start], functions[end], start + 1)
    builder.call(functions[3], classes[0], 9)
    for start, end in ((1, 0), (2, 0), (3, 1), (3, 2)):
        builder.join("INHERITS", classes[start], classes[end], lines=[1], how="scope", confidence=1.0)
    builder.join("REFERENCES", functions[0], classes[3], kind="value", lines=[3], how="scope", confidence=1.0)
    builder.join("REFERENCES", functions[0], functions[1], kind="value", lines=[3], how="scope", confidence=1.0)
    return builder.build()


class GridGraph:
    """Nodes and edges of the graph."""

    def __init__(self, graph: RepositoryGraph) -> None:
        self.labels = {str(name): table.label for table in graph.nodes for name in table.columns["id"]}
        self.edges: list[Edge] = [
            (start, table.type, end)
            for table in graph.relationships
            for start, end in zip(table.start, table.end, strict=True)
        ]

    def steps(self, node: str, direction: str, kind: str) -> Iterator[tuple[int, str]]:
        """Yield the edges from a node by number, each with its other end; a loop is followed once."""
        for number, (start, name, end) in enumerate(self.edges):
            if kind not in ("", name):
                continue
            if start == node and direction in ("->", "--"):
                yield number, end
            if end == node and (direction == "<-" or (direction == "--" and start != end)):
                yield number, start

    def matches(self, hops: Sequence[str], kind: str) -> list[Match]:
        """Return the ends of all paths of these directions in which no relationship is repeated."""
        return [(start, end) for start in self.labels for end in self._walk(start, hops, kind, frozenset())]

    def _walk(self, node: str, hops: Sequence[str], kind: str, used: frozenset[int]) -> Iterator[str]:
        if not hops:
            yield node
            return
        for number, other in self.steps(node, hops[0], kind):
            if number not in used:
                yield from self._walk(other, hops[1:], kind, used | {number})


@dataclass(frozen=True)
class Shape:
    """Path of the grid: its text between the first and the last node, and the directions of each of its lengths."""

    text: str
    lengths: tuple[tuple[str, ...], ...]

    @property
    def is_quantified(self) -> bool:
        return "{{" in self.text

    @property
    def has_names(self) -> bool:
        """Return whether the path has names, which a predicate cannot have."""
        return "(m)" in self.text


_ARROWS = {"->": ("-", "->"), "<-": ("<-", "-"), "--": ("-", "-")}


def _shapes() -> Iterator[Shape]:
    for count in (1, 2, 3):
        for hops in product(_ARROWS, repeat=count):
            yield Shape("()".join(_step(hop, "[{kind}]") for hop in hops), (hops,))
    for hops in product(_ARROWS, repeat=2):
        yield Shape("(m)".join(_step(hop, f"[r{number}{{kind}}]") for number, hop in enumerate(hops)), (hops,))
    for hop in _ARROWS:
        for star, lengths in (("*2", [2]), ("*3", [3]), ("*1..2", [1, 2]), ("*0..1", [0, 1])):
            yield Shape(_step(hop, f"[{{kind}}{star}]"), tuple((hop,) * length for length in lengths))
        for bounds, lengths in (("{{2}}", [2]), ("{{1,2}}", [1, 2]), ("{{0,2}}", [0, 1, 2])):
            repeated = tuple((hop,) * length for length in lengths)
            yield Shape(_step(hop, "[{kind}]") + bounds, repeated)
            yield Shape(f"((x){_step(hop, '[{kind}]')}(y)){bounds}", repeated)


def _step(hop: str, inside: str) -> str:
    left, right = _ARROWS[hop]
    return f"{left}{inside}{right}"


SHAPES = tuple(dict.fromkeys(_shapes()))
KINDS = ("", "CALLS", "INHERITS")
_F1, _C0 = "grid:m.py::f1", "grid:m.py::c0"
_FIRST = ("grid:m.py::f0", _F1, "grid:m.py::c3")


@dataclass(frozen=True)
class Anchor:
    """Start of a path: its text inside the parentheses, a WHERE, and the test of the nodes that it lets pass."""

    node: str
    where: str
    label: str = ""
    ids: tuple[str, ...] | None = None

    def lets_pass(self, graph: GridGraph, node: str) -> bool:
        return (not self.label or graph.labels[node] == self.label) and (self.ids is None or node in self.ids)


_PARAMETER = re.compile(r"\$(\w+)")
_PARAMETERS: dict[str, Value] = {"id": _F1, "ids": list(_FIRST), "name": "c0"}
ANCHORS = (
    Anchor("a", ""),
    Anchor("a:Function", "", "Function"),
    Anchor("a:Class", "", "Class"),
    Anchor(f"a {{id: '{_F1}'}}", "", ids=(_F1,)),
    Anchor("a:Function {id: $id}", "", "Function", (_F1,)),
    Anchor("a:Class {name: $name}", "", "Class", (_C0,)),
    Anchor("a", f"a.id = '{_F1}'", ids=(_F1,)),
    Anchor("a:Function", "a.id IN $ids", "Function", _FIRST),
    Anchor("a", "a.name > 'c2' AND a.name < 'f2'", ids=("grid:m.py::c3", "grid:m.py::f0", _F1)),
    Anchor("a WHERE a.id IN $ids", "", ids=_FIRST),
)

Rows = Callable[[list[Match], GridGraph, list[str]], list[Row]]
"""(matches of the path, graph, nodes that the anchor lets pass) -> rows."""


@dataclass(frozen=True)
class Result:
    """End of a query: `{path}` is the path with its anchor, `{where}` the WHERE of the anchor, `{a}` the first node alone."""

    text: str
    rows: Rows
    is_ordered: bool = False


def _counted(matches: list[Match]) -> Counter[str]:
    return Counter(start for start, _ in matches)


def _neighbors(graph: GridGraph, node: str, direction: str, kind: str = "") -> list[str]:
    return [other for _, other in graph.steps(node, direction, kind)]


def _or_null(nodes: list[str]) -> list[Value]:
    return [*nodes] or [None]


def _details(matches: list[Match], graph: GridGraph) -> list[Row]:
    return [(a, n, b) for a, n in _counted(matches).items() for b in _neighbors(graph, a, "->", "CALLS")]


def _top(matches: list[Match], graph: GridGraph) -> list[Row]:
    ends = sorted(Counter(end for _, end in matches).items(), key=lambda item: (-item[1], item[0]))[:3]
    return [(end, n, len(_neighbors(graph, end, "--"))) for end, n in ends]


_MATCH = "MATCH {path}{where} "
_FIRST_ALONE = "MATCH ({node}){where} "
_RESULTS: tuple[Result, ...] = (
    Result(_MATCH + "RETURN count(*) AS n", lambda m, g, s: [(len(m),)]),
    Result(_MATCH + "RETURN count(a) AS n", lambda m, g, s: [(len(m),)]),
    Result(_MATCH + "RETURN count(z) AS n", lambda m, g, s: [(len(m),)]),
    Result(_MATCH + "RETURN count(DISTINCT a) AS n", lambda m, g, s: [(len({a for a, _ in m}),)]),
    Result(_MATCH + "RETURN count(DISTINCT z) AS n", lambda m, g, s: [(len({z for _, z in m}),)]),
    Result(_MATCH + "RETURN count(z.id) AS n, count(*) AS k", lambda m, g, s: [(len(m), len(m))]),
    Result(_MATCH + "WITH count(*) AS n RETURN n", lambda m, g, s: [(len(m),)]),
    Result(_MATCH + "RETURN a.id AS a, z.id AS z", lambda m, g, s: list(m)),
    Result(_MATCH + "RETURN DISTINCT z.id AS z", lambda m, g, s: [(z,) for z in {z for _, z in m}]),
    Result(_MATCH + "RETURN a.id AS a, count(*) AS n", lambda m, g, s: [*_counted(m).items()]),
    Result(
        _MATCH + "RETURN z.id AS z, count(DISTINCT a) AS n",
        lambda m, g, s: [*Counter(z for _, z in set(m)).items()],
    ),
    Result(_MATCH + "RETURN a.id AS a, z.id AS z ORDER BY a, z LIMIT 4", lambda m, g, s: [*sorted(m)[:4]], True),
    Result(
        _MATCH + "RETURN z.id AS z ORDER BY z DESC SKIP 1 LIMIT 2",
        lambda m, g, s: [(z,) for z in sorted((z for _, z in m), reverse=True)[1:3]],
        True,
    ),
    Result(
        _MATCH + "RETURN a.id AS a, count(z) AS n ORDER BY n DESC, a LIMIT 2",
        lambda m, g, s: [*sorted(_counted(m).items(), key=lambda item: (-item[1], item[0]))[:2]],
        True,
    ),
    Result(
        _MATCH + "WITH a, count(z) AS n MATCH (a)-[:CALLS]->(b) RETURN a.id AS a, n, b.id AS b",
        lambda m, g, s: _details(m, g),
    ),
    Result(
        _MATCH + "WITH a, count(z) AS n CALL (a) {{ MATCH (a)-[:CALLS]->(b) RETURN b.id AS b }} RETURN a.id AS a, n, b",
        lambda m, g, s: _details(m, g),
    ),
    Result(
        _MATCH + "WITH a, count(z) AS n CALL {{ WITH a MATCH (a)-->(b) RETURN count(b) AS k }} RETURN a.id AS a, n, k",
        lambda m, g, s: [(a, n, len(_neighbors(g, a, "->"))) for a, n in _counted(m).items()],
    ),
    Result(
        _MATCH + "WITH z, count(*) AS n ORDER BY n DESC, z.id LIMIT 3 "
        "CALL (z) {{ MATCH (z)--(b) RETURN count(b) AS k }} RETURN z.id AS z, n, k",
        lambda m, g, s: _top(m, g),
    ),
    Result(
        _MATCH + "WITH z, count(*) AS n ORDER BY n DESC, z.id LIMIT 3 RETURN z.id AS z, n, COUNT {{ (z)--() }} AS k",
        lambda m, g, s: _top(m, g),
    ),
    Result(
        _MATCH + "WITH a, count(z) AS n OPTIONAL MATCH (a)-[:INHERITS]->(b) RETURN a.id AS a, n, b.id AS b",
        lambda m, g, s: [
            (a, n, b) for a, n in _counted(m).items() for b in _or_null(_neighbors(g, a, "->", "INHERITS"))
        ],
    ),
    Result(
        _FIRST_ALONE + "OPTIONAL MATCH {bare} RETURN a.id AS a, z.id AS z",
        lambda m, g, s: [*m, *((a, None) for a in s if a not in _counted(m))],
    ),
    Result(
        _FIRST_ALONE + "OPTIONAL MATCH {bare} RETURN a.id AS a, count(z) AS n",
        lambda m, g, s: [(a, _counted(m)[a]) for a in s],
    ),
    Result(
        _FIRST_ALONE + "MATCH {bare} RETURN count(*) AS n",
        lambda m, g, s: [(len(m),)],
    ),
    Result(
        _FIRST_ALONE + "RETURN a.id AS a, EXISTS {{ {bare} }} AS x, COUNT {{ {bare} }} AS n",
        lambda m, g, s: [(a, a in _counted(m), _counted(m)[a]) for a in s],
    ),
    Result(
        _FIRST_ALONE + "CALL (a) {{ MATCH {bare} RETURN count(*) AS n }} RETURN a.id AS a, n",
        lambda m, g, s: [(a, _counted(m)[a]) for a in s],
    ),
    Result("CALL () {{ MATCH {path}{where} RETURN count(*) AS n }} RETURN n", lambda m, g, s: [(len(m),)]),
    Result(
        _MATCH + "RETURN count(*) AS n UNION ALL " + _MATCH + "RETURN count(DISTINCT z) AS n",
        lambda m, g, s: [(len(m),), (len({z for _, z in m}),)],
    ),
    Result(
        _MATCH + "RETURN a.id AS x UNION " + _MATCH + "RETURN z.id AS x",
        lambda m, g, s: [(x,) for x in {x for match in m for x in match}],
    ),
    Result("MATCH p = {path}{where} RETURN count(p) AS n", lambda m, g, s: [(len(m),)]),
    Result(
        _MATCH + "MATCH (z)-[:CALLS]->(a) RETURN count(*) AS n",
        lambda m, g, s: [(sum(_neighbors(g, z, "->", "CALLS").count(a) for a, z in m),)],
    ),
    Result(_MATCH + "MATCH (b:Class) RETURN count(*) AS n", lambda m, g, s: [(4 * len(m),)]),
    Result(
        "MATCH (b:Class {{name: 'c0'}}) " + _MATCH + "RETURN b.name AS b, count(z) AS n",
        lambda m, g, s: [("c0", len(m))] if m else [],
    ),
    Result(
        _MATCH + "WITH a, count(z) AS n ORDER BY n DESC LIMIT 1 RETURN n",
        lambda m, g, s: [(max(_counted(m).values()),)] if m else [],
    ),
    Result(
        _MATCH + "WITH a, count(z) AS n WHERE n > 1 RETURN a.id AS a, n LIMIT 100",
        lambda m, g, s: [(a, n) for a, n in _counted(m).items() if n > 1],
    ),
    Result(
        _MATCH + "WITH DISTINCT a.id AS a ORDER BY a LIMIT 2 RETURN collect(a) AS a",
        lambda m, g, s: [([*sorted({a for a, _ in m})[:2]],)],
    ),
    Result(
        _MATCH + "CALL (z) {{ MATCH (z)-[:CALLS]->(b) RETURN count(b) AS k }} WITH * WHERE k > 0 AND z.name > 'f' RETURN count(*) AS n",
        lambda m, g, s: [(sum(bool(_neighbors(g, z, "->", "CALLS")) for _, z in m),)],
    ),
    Result(_MATCH + "WITH a, z LIMIT 2 RETURN count(*) AS n", lambda m, g, s: [(min(2, len(m)),)]),
    Result(_MATCH + "WITH DISTINCT z LIMIT 2 RETURN count(*) AS n", lambda m, g, s: [(min(2, len({z for _, z in m})),)]),
    Result(
        _FIRST_ALONE + "CALL (a) {{ MATCH {bare} RETURN z LIMIT 1 }} RETURN a.id AS a, count(*) AS n",
        lambda m, g, s: [(a, 1) for a in _counted(m)],
    ),
    Result(
        _FIRST_ALONE + "RETURN a.id AS a, size(COLLECT {{ MATCH {bare} RETURN z LIMIT 2 }}) AS n",
        lambda m, g, s: [(a, min(2, _counted(m)[a])) for a in s],
    ),
    Result(_FIRST_ALONE + "WITH a WHERE {predicate} RETURN a.id AS a", lambda m, g, s: [(a,) for a in _counted(m)]),
    Result(
        _FIRST_ALONE + "WITH a WHERE NOT {predicate} RETURN count(*) AS n",
        lambda m, g, s: [(len(s) - len(_counted(m)),)],
    ),
    Result(
        _FIRST_ALONE + "RETURN a.id AS a, [{bare} | z.id][0] IS NULL AS x",
        lambda m, g, s: [(a, a not in _counted(m)) for a in s],
    ),
    Result(
        _FIRST_ALONE + "RETURN a.id AS a, size([{bare} | 1]) AS n",
        lambda m, g, s: [(a, _counted(m)[a]) for a in s],
    ),
    Result(
        _FIRST_ALONE + "RETURN a.id AS a, COUNT {{ MATCH {bare} RETURN DISTINCT z }} AS n",
        lambda m, g, s: [(a, Counter(a for a, _ in set(m))[a]) for a in s],
    ),
)  # fmt: skip


def grid_cases(graph: GridGraph, *, share: int = 1) -> Iterator[Case]:
    """Yield the cases of the grid: every path with every type, start and result; with `share` n, each n-th of them."""

    @cache
    def found(shape: Shape, kind: str) -> list[Match]:
        return [match for hops in shape.lengths for match in graph.matches(hops, kind)]

    chosen = product(SHAPES, KINDS, ANCHORS, _RESULTS)
    for number, (shape, kind, anchor, result) in enumerate(chosen):
        if number % share or (shape.is_quantified and "[{bare} |" in result.text):  # Neo4j has no such comprehension.
            continue
        matches = [match for match in found(shape, kind) if anchor.lets_pass(graph, match[0])]
        starts = [node for node in graph.labels if anchor.lets_pass(graph, node)]
        yield _case(shape, kind, anchor, result, result.rows(matches, graph, starts))


def _case(shape: Shape, kind: str, anchor: Anchor, result: Result, rows: list[Row]) -> Case:
    steps = shape.text.format(kind=f":{kind}" if kind else "")
    text = result.text.format(
        path=f"({anchor.node}){steps}(z)",
        bare=f"(a){steps}(z)",
        predicate=f"EXISTS {{ (a){steps}(z) }}" if shape.has_names or shape.is_quantified else f"(a){steps}()",
        node=anchor.node,
        where=f" WHERE {anchor.where}" if anchor.where else "",
    )
    used = {name: _PARAMETERS[name] for name in _PARAMETER.findall(text)}
    return Case(text, used, rows, result.is_ordered)
