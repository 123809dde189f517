"""The same graphs on the embedded engine and on Neo4j, one query through the gate on both, and whether the rows are equal;
and the smallest query that shows a difference.

The graphs are plain tables in `frozen.json.xz`, made by `freeze`.

Equal means: the same columns and the same rows; in the same order where the query sorts its result; lists that gather
rows (collect, COLLECT, comprehensions over patterns) without regard to order unless rows were sorted before; floats to
twelve digits, because sums are taken in the order of rows, which no engine promises; standard deviations, which are sums of
squares of differences, to nine.
"""

import dataclasses
import lzma
import math
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.errors import GraphStoreError, QueryLimitError, QueryRefusedError
from repoquarry.graphstore.graph_engine import GraphEngine, QueryLimits
from repoquarry.graphstore.model.graph_tables import NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.query.cypher.gate import admit
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.parser import parse
from repoquarry.graphstore.query.cypher.syntax.render import render
from repoquarry.graphstore.query.cypher.syntax.visitor import children, transform_children
from repoquarry.graphstore.settings import StoreSettings

FILE = pathlib.Path(__file__).with_name("frozen.json.xz")
LIMITS = QueryLimits(seconds=300.0, rows=30_000)
"""Time for a busy machine: a written query that is cut is not compared, and its test fails."""

_SORTED = re.compile(r"ORDER BY(?!.*\b(MATCH|UNWIND|WITH|CALL|UNION|RETURN)\b)", re.DOTALL)
_DEVIATES = re.compile(r"\bstdevp?\(", re.IGNORECASE)
_GATHERS = re.compile(r"\b(collect|COLLECT|keys)\b|\[\s*\(|\[\s*\w+\s*=\s*\(")


@dataclass(frozen=True)
class Verdict:
    """`kind` is equal, refused, rejected (by both), failed, cut (by a limit), or DIFFERENT; `detail` says what was seen.

    `rows` is how many rows were compared.
    """

    kind: str
    detail: str = ""
    rows: int = 0


@dataclass(frozen=True)
class Answer:
    """Columns and rows of an engine, or the error that it gave instead: without `error` there are columns."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Value, ...], ...] = ()
    error: str = ""
    kind: str = "equal"
    """Verdict that the answer allows: equal if there are rows, else refused, failed or cut."""


def answer(engine: GraphEngine, query: str, parameters: Mapping[str, Value], limits: QueryLimits = LIMITS) -> Answer:
    """Run a query through the gate."""
    try:
        gated = admit(query, parameters, engine.info.dialect, path_hops=15)
        result = engine.run(gated.text, gated.parameters, limits)
        if result.truncated is not None:
            raise QueryLimitError(f"more than {limits.rows} rows", limit="rows")
    except QueryLimitError as error:
        return Answer(error=str(error), kind="cut")
    except GraphStoreError as error:
        kind = "refused" if isinstance(error, QueryRefusedError) else "failed"
        return Answer(error=f"{type(error).__name__}: {error}", kind=kind)
    return Answer(gated.columns, tuple(result.rows))


def compare(embedded: GraphEngine, reference: GraphEngine, query: str, limits: QueryLimits = LIMITS) -> Verdict:
    """Run the query on both engines; on the reference only where the first was not cut."""
    found = answer(embedded, query, {}, limits)
    if found.kind == "cut":
        return Verdict("cut", found.error)
    return compare_answers(query, found, answer(reference, query, {}, limits))


def compare_answers(query: str, found: Answer, expected: Answer) -> Verdict:
    """Compare what the embedded engine and the reference answered."""
    if "cut" in (found.kind, expected.kind):
        return Verdict("cut", found.error or expected.error)
    if expected.error:
        if found.error:
            return Verdict("rejected", expected.error)
        return Verdict("DIFFERENT", f"reference fails: {expected.error}\nembedded gives {found}")
    if found.error:
        return Verdict(found.kind, found.error)
    loose, digits = bool(_GATHERS.search(query)), 9 if _DEVIATES.search(query) else 12
    left, right = ([[key(cell, loose, digits) for cell in row] for row in side.rows] for side in (found, expected))
    if not sorts(query):
        left, right = sorted(left), sorted(right)
    if found.columns != expected.columns or left != right:
        return Verdict("DIFFERENT", _difference(found, expected, left, right))
    return Verdict("equal", rows=len(left))


def sorts(query: str) -> bool:
    """Return whether the order of the rows is part of the answer."""
    return bool(_SORTED.search(query))


def _difference(found: Answer, expected: Answer, left: list[Any], right: list[Any]) -> str:
    only_left = [row for row in left if row not in right][:3]
    only_right = [row for row in right if row not in left][:3]
    return (
        f"columns {found.columns} | {expected.columns}; rows {len(left)} | {len(right)}\n"
        f"only embedded: {only_left}\nonly reference: {only_right}"
    )


def key(value: Value, loose: bool = False, digits: int = 12) -> str:
    """A text that is equal for equal values only: 1 and 1.0 differ."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else f"{value:.{digits}g}f"
    if isinstance(value, Node):
        return f"({value.labels} {key(value.properties)})"
    if isinstance(value, Relationship):
        ends = f"{value.start_label} {value.start_id} {value.end_label} {value.end_id}"
        return f"[{value.type} {ends} {key(value.properties)}]"
    if isinstance(value, Path):
        return f"<{key(list(value.nodes))} {key(list(value.relationships))}>"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name!r}:{key(item, loose, digits)}" for name, item in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        items = [key(item, loose, digits) for item in value]
        return "[" + ",".join(sorted(items) if loose else items) + "]"
    return repr(value)


def load_graphs() -> list[RepositoryGraph]:
    """Read the graphs in the order in which they are stored; a graph that links to another one comes after it."""
    return [
        RepositoryGraph(
            graph["repository"],
            [_load_nodes(table) for table in graph["nodes"]],
            [_load_relationships(table) for table in graph["relationships"]],
        )
        for graph in msgspec.json.decode(lzma.decompress(FILE.read_bytes()))
    ]


@contextmanager
def filled_engine(settings: StoreSettings, graphs: Sequence[RepositoryGraph] = ()) -> Iterator[GraphEngine]:
    """Open an engine and write graphs, by default the frozen ones."""
    engine = open_engine(settings, writable=True)
    try:
        for graph in graphs or load_graphs():
            engine.replace_repository(graph)
        yield engine
    finally:
        engine.close()


def _load_nodes(table: dict[str, Any]) -> NodeTable:
    """Read a table; properties that the frozen commit lacked have values that depend on the row."""
    columns, count = table["columns"], len(table["columns"]["id"])
    if table["label"] == "Module":
        days = [f"{2024 + row % 3}-{row % 12 + 1:02}-{row % 28 + 1:02}" if row % 5 else None for row in range(count)]
        columns |= {"last_changed": days, "owner": [day and f"Author {day[-1]}" for day in days]}
    if table["label"] == "Repository":
        columns |= {"commit_date": ["2026-01-31"] * count, "indexed_at": ["2026-02-01T09:30:00Z"] * count}
    return NodeTable(table["label"], columns)


def _load_relationships(table: dict[str, Any]) -> RelationshipTable:
    ends, columns = (table["start_label"], table["end_label"], table["start"], table["end"]), table["columns"]
    if table["type"] == "CALLS":
        columns |= {"targets": [row % 3 + 1 for row in range(len(table["start"]))]}
    if table["type"] == "INHERITS":
        columns |= {"lines": [[row % 40 + 1] for row in range(len(table["start"]))]}
    return RelationshipTable(table["type"], *ends, columns)


def minimise(query: str, still_fails: Callable[[str], bool], tries: int = 400) -> str:
    """The smallest query found from which nothing more can be taken without the failure going away."""
    best = query
    progress = True
    while progress and tries > 0:
        progress = False
        for smaller in _smaller(parse(best)):
            tries -= 1
            text = render(smaller)
            if len(text) < len(best) and _reads(text) and still_fails(text):
                best, progress = text, True
                break
            if tries <= 0:
                break
    return best


def _reads(text: str) -> bool:
    try:
        parse(text)
    except QueryRefusedError:
        return False
    return True


def _smaller(query: ast.Query) -> Iterator[ast.Query]:
    """The query with one thing less: an arm of a UNION, a clause, a condition, an item, an operand."""
    if len(query.parts) > 1:
        for part in query.parts:
            yield dataclasses.replace(query, parts=(part,))
    for changed in _variants(query):
        if isinstance(changed, ast.Query):
            yield changed


def _variants(node: ast.Node) -> Iterator[ast.Node]:
    yield from _direct(node)
    for child in children(node):
        for variant in _variants(child):
            yield transform_children(node, lambda part, old=child, new=variant: new if part is old else part)  # type: ignore[misc]


def _direct(node: ast.Node) -> Iterator[ast.Node]:
    match node:
        case ast.SingleQuery():
            yield from _without_one(node, "clauses")
        case ast.Match():
            if node.where is not None:
                yield dataclasses.replace(node, where=None)
            yield from _without_one(node, "patterns")
        case ast.Projection():
            yield from _smaller_projections(node)
        case ast.PathPattern():
            if len(node.elements) > 1 and not node.shortest:
                yield dataclasses.replace(node, elements=node.elements[:-2])
                yield dataclasses.replace(node, elements=node.elements[2:])
        case ast.NodePattern() | ast.RelationshipPattern():
            if node.properties is not None or node.where is not None:
                yield dataclasses.replace(node, properties=None, where=None)
        case ast.Binary():
            yield node.left
            yield node.right
        case ast.Unary():
            yield node.operand


def _without_one(node: ast.Node, field: str) -> Iterator[ast.Node]:
    """Drop each element of a field in turn; the last one stays."""
    values = getattr(node, field)
    for i in range(len(values) if len(values) > 1 else 0):
        yield dataclasses.replace(node, **{field: values[:i] + values[i + 1 :]})


def _smaller_projections(node: ast.Projection) -> Iterator[ast.Node]:
    if node.order or node.skip is not None or node.limit is not None:
        yield dataclasses.replace(node, order=(), skip=None, limit=None)
    if node.where is not None:
        yield dataclasses.replace(node, where=None)
    if node.distinct:
        yield dataclasses.replace(node, distinct=False)
    yield from _without_one(node, "items")


def has_other_ties(query: str, found: Answer, expected: Answer) -> bool:
    """Return whether sorted rows differ only in the order of rows with equal sort keys, which must be columns."""
    last = parse(query).parts[-1].clauses[-1]
    order = last.order if isinstance(last, ast.Projection) else ()
    names = [sort.expression.name for sort in order if isinstance(sort.expression, ast.Variable)]
    if found.columns != expected.columns or not names or len(names) < len(order) or not {*names} <= {*found.columns}:
        return False
    sides = [[[key(cell) for cell in row] for row in side.rows] for side in (found, expected)]
    places = [found.columns.index(name) for name in names]
    keys = [[[row[place] for place in places] for row in rows] for rows in sides]
    return sorted(sides[0]) == sorted(sides[1]) and keys[0] == keys[1]
