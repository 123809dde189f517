"""Every named query over a large indexed repository on the embedded engine and on Neo4j: equal rows, or what differs.

The parameters come from the graph itself: the ends of relationships of each kind, so that every query has rows to compare.
Needs a Neo4j (`REPOQUARRY_TEST_NEO4J_URI`; its data is deleted) and a repository: a folder to index, $REPOQUARRY_BENCH_SOURCES.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.model.values import Node, Relationship, Value
from repoquarry.graphstore.model.values import Path as GraphPath
from repoquarry.graphstore.query.named.code import NamedQuery
from repoquarry.graphstore.query.named.registry import QUERIES
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED
from tests.neo4j_server import empty, neo4j_server

ENDS_OF_EACH_KIND = 6
"""How many relationships of each kind and pair of labels give their ends to the ids that are asked for."""


@dataclass(frozen=True)
class Verdict:
    """What one query did: rows of the embedded engine, whether the other's are the same, and the seconds of each."""

    query: str
    rows: int
    difference: str
    seconds: tuple[float, float]


def main() -> int:
    source = os.environ.get("REPOQUARRY_BENCH_SOURCES", "")
    if not source or not Path(source).is_dir():
        print("needs $REPOQUARRY_BENCH_SOURCES, the folder of a repository")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder, neo4j_server(Path(folder) / "server") as server:
        if server is None:
            print("needs a Neo4j: REPOQUARRY_TEST_NEO4J_URI or NEO4J_HOME")
            return SKIPPED
        empty(server)
        embedded = StoreSettings(Path(folder) / "kglite")
        other = replace(embedded, folder=Path(folder) / "neo4j", engine="neo4j", neo4j_uri=server.uri,
                        neo4j_user=server.user, neo4j_password=server.password)  # fmt: skip
        with Store.open(embedded, writable=True) as one, Store.open(other, writable=True) as two:
            report = index_repository(source, one, IngestSettings(workers=2))
            two.engine.replace_repository(one.graph(report.repository))
            return show(list(compare(one, two, report.repository)))


def show(verdicts: list[Verdict]) -> int:
    """Print a line for each query; 1 when any differs."""
    for found in verdicts:
        state = found.difference or ("equal" if found.rows else "equal (no rows)")
        print(f"{found.query:24} {found.rows:8,} rows {found.seconds[0]:7.2f} s {found.seconds[1]:7.2f} s  {state}")
    wrong = sum(bool(found.difference) for found in verdicts)
    none = sum(not found.rows for found in verdicts)
    print(f"{len(verdicts)} queries: {len(verdicts) - wrong} equal ({none} without rows), {wrong} different")
    return 1 if wrong else 0


def compare(one: Store, two: Store, repository: str) -> Iterator[Verdict]:
    """Run every named query on both stores."""
    given = parameters(one, repository)
    for name, query in sorted(QUERIES.items()):
        values = {key: value_for(given, name, key) for key in query.parameters}
        began = time.perf_counter()
        first = one.execute_named(name, **values)
        between = time.perf_counter()
        second = two.execute_named(name, **values)
        ended = time.perf_counter()
        rows = [list(map(comparable, row)) for row in first.rows], [list(map(comparable, row)) for row in second.rows]
        difference = "" if first.columns == second.columns else f"columns {first.columns} and {second.columns}"
        yield Verdict(name, len(first.rows), difference or differing(query, *rows), (between - began, ended - between))


def differing(query: NamedQuery, one: list[list[object]], two: list[list[object]]) -> str:
    """The first difference in words, empty when there is none; the order counts where the query gives one."""
    if "ORDER BY" not in query.text:
        one, two = sorted(one, key=repr), sorted(two, key=repr)
    if one == two:
        return ""
    place = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    shown = [repr(rows[place])[:300] if place < len(rows) else "nothing" for rows in (one, two)]
    return f"DIFFERENT ({len(one)} and {len(two)} rows); row {place + 1}: {shown[0]} and {shown[1]}"


def comparable(value: object) -> object:
    """A value in which property maps have the order of their names."""
    match value:
        case Node():
            return "node", value.id, value.labels, sorted(value.properties.items())
        case Relationship():
            ends = (value.start_id, value.start_label, value.end_id, value.end_label)
            return "relationship", value.type, ends, sorted(value.properties.items())
        case GraphPath():
            return "path", list(map(comparable, value.nodes)), list(map(comparable, value.relationships))
        case list():
            return list(map(comparable, value))
        case _:
            return value


def parameters(store: Store, repository: str) -> Mapping[str, Value]:
    """Values for the parameters of all named queries, found in the graph: by `query.parameter`, else by `parameter`."""

    def names(text: str) -> list[Value]:
        return [row[0] for row in store.query(text, {"r": repository}).rows]

    called = "MATCH (:Function)-[c:CALLS]->(f:Function) WHERE f.repository = $r WITH f, sum(c.count) AS n"
    most_called = names(f"{called} RETURN f.id AS id ORDER BY n DESC, id LIMIT 10")
    methods = names(
        "MATCH (f:Function)-[:OVERRIDES]->(g) WHERE f.repository = $r WITH f, count(g) AS n "
        "RETURN f.id AS id ORDER BY n DESC, id LIMIT 10"
    )
    bases = names(
        "MATCH (c:Class)-[:INHERITS]->(b:Class) WITH b, count(c) AS n RETURN b.id AS id ORDER BY n DESC, id LIMIT 5"
    )
    derived = names(
        "MATCH (c:Class)-[:INHERITS]->(:Class)-[:INHERITS]->(:Class) RETURN DISTINCT c.id AS id ORDER BY id LIMIT 5"
    )
    modules = names(
        "MATCH (m:Module)-[:IMPORTS]->(n:Module) WITH n, count(m) AS c RETURN n.id AS id ORDER BY c DESC, id LIMIT 5"
    )
    importers = names(
        "MATCH (m:Module)-[:IMPORTS]->(n:Module) WITH m, count(n) AS c RETURN m.id AS id ORDER BY c DESC, id LIMIT 5"
    )
    paths = names(
        "MATCH (m:Module) WHERE m.repository = $r RETURN m.path AS path ORDER BY m.importance DESC, path LIMIT 5"
    )
    short = names(f"{called} WITH f.name AS name, sum(n) AS n RETURN name ORDER BY n DESC, name LIMIT 10")
    open_names = names(
        "MATCH ()-[u:UNRESOLVED]->(n:Name) WITH n, sum(u.count) AS c RETURN n.name AS name ORDER BY c DESC, name LIMIT 10"
    )
    outside = names(
        "MATCH ()-[c:CALLS]->(e:External) WITH e, sum(c.count) AS n RETURN e.qualname AS name ORDER BY n DESC, name LIMIT 3"
    )
    outside_bases = names(
        "MATCH ()-[c:INHERITS]->(e:External) WITH e, count(c) AS n RETURN e.qualname AS name ORDER BY n DESC, name LIMIT 3"
    )
    chain = store.query(
        "MATCH (a:Function)-[:CALLS]->(b:Function)-[:CALLS]->(c:Function) WHERE a <> c AND a.repository = $r "
        "RETURN a.id AS a, c.id AS c ORDER BY a, c LIMIT 1", {"r": repository},
    ).rows[0]  # fmt: skip
    method = store.query("MATCH (f:Function {id: $id}) RETURN f.name, f.qualname, f.path", {"id": methods[0]}).rows[0]
    return {
        "repository": repository, "repositories": [repository], "hops": 3, "limit": 500, "below": "", "folder": "",
        "path": paths[0], "paths": list(paths), "names": [*short, *open_names], "ending": ".py", "suffix": ".join",
        "id": most_called[0], "ids": list(ids(store, repository)), "start": chain[0], "end": chain[1],
        "name": method[0], "find_ending.name": method[1], "find_ignoring_case.name": str(method[0]).upper(),
        "qualname": outside[0], "subclasses_of_outside.qualname": outside_bases[0], "possible_callers.name": open_names[0],
        "subclasses.id": bases[0], "superclasses.id": derived[0], "method_overrides.id": methods[0],
        "importers.id": modules[0], "imports.id": importers[0], "modules_by_name.ending": "s",
        "documents_by_path.ending": "README.rst",
    }  # fmt: skip


def value_for(given: Mapping[str, Value], query: str, parameter: str) -> Value:
    return given.get(f"{query}.{parameter}", given.get(parameter))


def ids(store: Store, repository: str) -> Iterator[Value]:
    """Ids of nodes of every label: both ends of some relationships of every kind."""
    found: set[str] = set()
    for kind in RELATIONSHIP_TYPES.values():
        for start in kind.start:
            for end in kind.end:
                rows = store.query(
                    f"MATCH (a:{start})-[:{kind.name}]->(b:{end}) RETURN a.id AS a, b.id AS b ORDER BY a, b "
                    f"LIMIT {ENDS_OF_EACH_KIND}"
                ).rows
                found.update(str(id_) for row in rows for id_ in row)
    for label in NODE_LABELS:
        rows = store.query(f"MATCH (n:{label}) RETURN n.id AS id ORDER BY id LIMIT {ENDS_OF_EACH_KIND}").rows
        found.update(str(row[0]) for row in rows)
    yield from sorted(found)


if __name__ == "__main__":
    sys.exit(main())
