"""openCypher's TCK through the gate on the embedded engine, compared with a real Neo4j: equal, refused, rejected by both, or wrong.

Reading scenarios without temporal values. Every graph of the TCK is first made to follow this project's rule for stored
nodes (a string `id`, a `name` and a label on every node), alike on both engines; the TCK's own properties of
these names are renamed, in graphs and queries. Needs a mirror of opencypher/openCypher below $BENCH_MIRROR and a Neo4j
(`REPOQUARRY_TEST_NEO4J_URI`). Arguments: words that a feature's path or a scenario's name must contain; `--show`
prints the differences.
"""

import argparse
import collections
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kglite
import neo4j

from repoquarry.graphstore.engines.kglite.change_writer import ColumnFrame
from repoquarry.graphstore.engines.kglite.optimizer_passes import find_disabled_passes
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.query.cypher.gate import admit
from tests.benchmarks.__main__ import SKIPPED

_WRITING = re.compile(r"\b(CREATE|MERGE|DELETE|SET|REMOVE|FOREACH|LOAD)\b", re.IGNORECASE)
_PROCEDURE = re.compile(r"\bCALL\s+[a-z_.]+", re.IGNORECASE)
_TEMPORAL = re.compile(r"\b(date|time|datetime|localtime|localdatetime|duration)\b\s*[.(]", re.IGNORECASE)
_NEW_NAMES = {"name": "called", "id": "ident", "title": "heading", "type": "sort"}
_RENAMED = re.compile(r"\b(name|id|title|type)\b(?!\s*\()")


@dataclass
class Scenario:
    """One case of the TCK."""

    feature: str
    name: str
    setup: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    query: str = ""
    ordered: bool = False
    loose_lists: bool = False
    procedure: bool = False


def scenarios(mirror: str) -> Iterator[Scenario]:
    """Every case, outlines spelt out."""
    files = _git(mirror, "ls-tree", "-r", "--name-only", "HEAD", "tck/features").split()
    for file in files:
        if file.endswith(".feature"):
            yield from _cases(file.removeprefix("tck/features/"), _git(mirror, "show", f"HEAD:{file}"), mirror)


def _git(mirror: str, *arguments: str) -> str:
    return subprocess.run(["git", "-C", mirror, *arguments], check=True, capture_output=True, text=True).stdout


def _cases(feature: str, text: str, mirror: str) -> Iterator[Scenario]:
    blocks = re.split(r"(?m)^\s*(?=(?:Background|Scenario|Scenario Outline):)", text)
    background = ""
    for block in blocks[1:]:
        block = re.sub(r"(?m)^\s*@.*$", "", block)
        title, _, body = block.partition("\n")
        if title.startswith("Background"):
            background = body
            continue
        name = title.partition(":")[2].strip()
        steps, *examples = re.split(r"(?m)^\s*Examples:.*$", body)
        if not title.startswith("Scenario Outline"):
            yield _scenario(feature, name, background + "\n" + steps, mirror)
            continue
        for example in examples:
            rows = _table(example)
            for row in rows[1:]:
                filled = background + "\n" + steps
                for key, value in zip(rows[0], row, strict=True):
                    filled = filled.replace(f"<{key}>", value)
                yield _scenario(feature, f"{name} {row}", filled, mirror)


def _table(text: str) -> list[list[str]]:
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    return [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def _scenario(feature: str, name: str, text: str, mirror: str) -> Scenario:
    case = Scenario(feature, name)
    for match in re.finditer(
        r'(?m)^\s*(?:Given|And|When|Then|But) (.*?):?[ \t]*\n((?:\s*"""[\s\S]*?"""|(?:\s*\|.*\n)+)?)', text + "\n"
    ):
        step, argument = match.group(1), match.group(2)
        doc = argument.split('"""')[1] if '"""' in argument else ""
        if "graph" in step and step.startswith("the ") and "binary-tree" in step:
            graph = step.split()[1]
            case.setup.append(_git(mirror, "show", f"HEAD:tck/graphs/{graph}/{graph}.cypher"))
        elif step.startswith("having executed"):
            case.setup.append(doc)
        elif step.startswith("parameters are"):
            case.parameters = {row[0]: _value(row[1]) for row in _table(argument)}
        elif step.startswith("there exists a procedure"):
            case.procedure = True
        elif step.startswith("executing query"):
            case.query = doc.strip()
        elif step.startswith("the result should be"):
            case.ordered = "in order" in step
            case.loose_lists = "ignoring element order" in step
    return case


def _value(text: str) -> Any:
    quoted = re.sub(r"'((?:[^'\\]|\\.)*)'", lambda m: json.dumps(m.group(1)), text)
    return json.loads(re.sub(r"([{,]\s*)(\w+)\s*:", r'\1"\2":', quoted))


def renamed(text: str) -> str:
    return _RENAMED.sub(lambda match: _NEW_NAMES[match.group(1)], text)


class Engines:
    """The same graph on both engines."""

    def __init__(self, uri: str) -> None:
        self.driver = neo4j.GraphDatabase.driver(uri, notifications_min_severity="OFF")
        self.graph: Any = None
        self.loaded: list[str] | None = None

    def load(self, setup: list[str]) -> None:
        if setup == self.loaded:
            return
        self.loaded = None
        with self.driver.session() as session:
            session.run("MATCH (n) DETACH DELETE n").consume()
            for statement in setup:
                session.run(renamed(statement)).consume()
            session.run(
                "MATCH (n) WITH n ORDER BY elementId(n) WITH collect(n) AS ns UNWIND range(0, size(ns) - 1) AS i "
                "WITH ns[i] AS n, i SET n.id = 'n' + i, n.name = 'node ' + i"
            ).consume()
            session.run("MATCH (n) WHERE size(labels(n)) = 0 SET n:Plain").consume()
            nodes = session.run("MATCH (n) RETURN labels(n) AS l, properties(n) AS p ORDER BY elementId(n)").values()
            links = session.run(
                "MATCH (a)-[r]->(b) RETURN a.id, labels(a)[0], b.id, labels(b)[0], type(r), properties(r) "
                "ORDER BY elementId(r)"
            ).values()
        self.graph = kglite.KnowledgeGraph()
        for labels, properties in nodes:
            frame = ColumnFrame({"id": [properties["id"]], "name": [properties["name"]]})
            self.graph.add_nodes(frame, labels[0], "id", "name")
            for label in labels[1:]:
                self.graph.add_label(labels[0], [properties["id"]], label)
            self._set(f"MATCH (n:`{labels[0]}` {{id: $i}})", properties, {"i": properties["id"]})
        for number, (a, la, b, lb, kind, properties) in enumerate(links):
            ends = f"MATCH (a:`{la}` {{id: $a}}), (b:`{lb}` {{id: $b}})"
            self.graph.cypher(f"{ends} CREATE (a)-[:`{kind}` {{number__: {number}}}]->(b)", params={"a": a, "b": b})
            match = f"MATCH ()-[n:`{kind}`]->() WHERE n.number__ = {number}"
            self._set(match, properties, {})
            self.graph.cypher(f"{match} REMOVE n.number__")
        self.loaded = setup

    def _set(self, match: str, properties: dict[str, Any], parameters: dict[str, Any]) -> None:
        for name, value in properties.items():
            if name not in ("id", "name"):
                self.graph.cypher(f"{match} SET n.`{name}` = $v", params={**parameters, "v": value})

    def neo4j(self, text: str, parameters: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
        with self.driver.session(default_access_mode="READ") as session:
            result = session.run(text, parameters)
            return list(result.keys()), [[plain(v) for v in record.values()] for record in result]

    def embedded(self, text: str, parameters: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
        found = self.graph.cypher(
            text,
            params=parameters,
            timeout_ms=20_000,
            disabled_passes=find_disabled_passes(text),
            hide_structural_keys=True,
        )
        columns = list(found.columns)
        cells = [found.column(c) for c in columns] if len(found) else []
        return columns, [[plain_embedded(v) for v in row] for row in zip(*cells, strict=True)]


def plain(value: Any) -> Any:
    """A value of the Neo4j driver in comparable form."""
    if isinstance(value, neo4j.graph.Node):
        return ("node", value["id"], sorted(value.labels), {k: plain(v) for k, v in value.items()})
    if isinstance(value, neo4j.graph.Relationship):
        return ("relationship", value.type, {k: plain(v) for k, v in value.items()})
    if isinstance(value, neo4j.graph.Path):
        return ("path", [plain(n) for n in value.nodes], [plain(r) for r in value.relationships])
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


def plain_embedded(value: Any) -> Any:
    """A value of kglite in the same form, without the keys that it adds to every node."""
    if isinstance(value, list):
        return [plain_embedded(v) for v in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"id", "labels", "properties"}:
        kept = {k: plain_embedded(v) for k, v in value["properties"].items() if k not in ("title", "type")}
        return ("node", kept.get("id"), sorted(value["labels"]), kept)
    if value.keys() == {"id", "start", "end", "type", "properties"}:
        return ("relationship", value["type"], {k: plain_embedded(v) for k, v in value["properties"].items()})
    if value.keys() == {"nodes", "relationships"}:
        return ("path", plain_embedded(value["nodes"]), plain_embedded(value["relationships"]))
    return {k: plain_embedded(v) for k, v in value.items()}


def key(value: Any, loose: bool = False) -> str:
    """A text that is equal for equal values and no others: 1 and 1.0 differ, NaN equals itself."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"f{value!r}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{k!r}:{key(v, loose)}" for k, v in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        items = [key(v, loose) for v in value]
        return "[" + ",".join(sorted(items) if loose else items) + "]"
    return repr(value)


def compare(case: Scenario, engines: Engines) -> tuple[str, str]:
    """The verdict on one case, and what to say about it."""
    engines.load(case.setup)
    query = renamed(case.query)
    parameters = {renamed(k): v for k, v in case.parameters.items()}
    expected: tuple[list[str], list[list[Any]]] | None = None
    try:
        expected = engines.neo4j(query, parameters)
        rejected = ""
    except neo4j.exceptions.Neo4jError as error:
        rejected = str(error.message)[:150]
    try:
        gated = admit(query, parameters, "kglite", path_hops=100)
    except QueryRefusedError as refusal:
        if expected is None:
            return "rejected by both", ""
        return "refused", f"{refusal.reason}: {refusal}"
    try:
        found = engines.embedded(gated.text, dict(gated.parameters))
    except kglite.KgError as error:
        if expected is None:
            return "rejected by both", ""
        return "engine error", f"{error}\n      sent {gated.text}"
    if expected is None:
        return "ACCEPTED", f"neo4j: {rejected}\n      embedded: {found}"
    rows = [[key(v, case.loose_lists) for v in row] for row in expected[1]]
    seen = [[key(v, case.loose_lists) for v in row] for row in found[1]]
    if not case.ordered:
        rows, seen = sorted(rows), sorted(seen)
    if rows != seen or (seen and list(gated.columns) != expected[0]):
        return "WRONG", f"sent {gated.text}\n      neo4j    {expected}\n      embedded {found} {gated.columns}"
    return "equal", ""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    parser.add_argument("--show", action="append", default=[])
    options = parser.parse_args()
    mirror = f"{os.environ.get('BENCH_MIRROR', '')}/opencypher+openCypher/repo"
    uri = os.environ.get("REPOQUARRY_TEST_NEO4J_URI", "")
    if not Path(mirror).exists() or not uri:
        print("needs $BENCH_MIRROR/opencypher+openCypher and REPOQUARRY_TEST_NEO4J_URI")
        return SKIPPED
    kglite.set_query_warning_policy("silent")
    engines = Engines(uri)
    verdicts: collections.Counter[str] = collections.Counter()
    for case in scenarios(mirror):
        where = f"{case.feature} {case.name}"
        if not all(word in where for word in options.words) or not case.query:
            continue
        if _WRITING.search(case.query) or case.procedure or _PROCEDURE.search(case.query):
            continue
        if "temporal" in case.feature or any(_TEMPORAL.search(t) for t in (case.query, *case.setup)):
            continue
        verdict, detail = compare(case, engines)
        verdicts[verdict] += 1
        if verdict in options.show:
            print(f"{verdict}: {where}\n   {renamed(case.query)}\n      {detail}\n")
    total = sum(verdicts.values())
    for verdict, count in verdicts.most_common():
        print(f"{verdict:20} {count:6} {100 * count / max(total, 1):6.1f} %")
    print(f"{'all':20} {total:6}")
    return 1 if verdicts["WRONG"] + verdicts["ACCEPTED"] else 0


if __name__ == "__main__":
    sys.exit(main())
