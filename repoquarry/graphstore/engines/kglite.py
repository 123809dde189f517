"""The embedded engine: kglite in this process, one file for the whole store.

Writing works on a graph of its own, loaded from the file, changed in memory and saved by an atomic rename: whoever reads, in
this process or another, sees the last saved state until the new one is whole, and a kill at any moment leaves the last
saved file. That is why there is no log beside the file, and why a cancelled write needs no undoing: its graph is dropped.
Loading goes through data frames, ten times as fast as statements, with every column's kind taken from the schema so that
nothing is guessed from its content.
"""

from __future__ import annotations

import datetime
import math
import operator
import os
import re
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import kglite

from repoquarry.graphstore.cypher import failures
from repoquarry.graphstore.engine import (
    Capability,
    Ended,
    EngineInfo,
    OutsideQuery,
    Progress,
    QueryLimits,
    QueryResult,
    RowSink,
    WriteSummary,
)
from repoquarry.graphstore.engines.checks import check_graph, refuse_missing
from repoquarry.graphstore.engines.plain_parameters import with_plain_parameters
from repoquarry.graphstore.errors import (
    EngineUnavailableError,
    GraphStoreError,
    NotFoundError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
    StoreReadOnlyError,
)
from repoquarry.graphstore.folder.disk import full, has_room
from repoquarry.graphstore.lanes import Lanes, LaneSettings
from repoquarry.graphstore.model.records import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, properties_of_node, properties_of_relationship
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.sandbox.pool import Sandbox
from repoquarry.graphstore.settings import StoreSettings

FILE_NAME = "graph.kgl"
DISABLED_PASSES = [
    "extract_pushable_rel_predicates",
    "fold_aliasing_with",
    "fuse_optional_match_aggregate",
    "fuse_order_by_top_k",
]
"""Optimiser passes of kglite 0.21 that give wrong rows; see docs/architecture.md."""

_ROWS_AT_ONCE = 1_000
_MINTED = frozenset({"title", "type"})
"""Keys that kglite adds to every node it returns; the schema has no property of these names."""

kglite.set_query_warning_policy("silent")  # the gate warns, in the words of the schema
warnings.filterwarnings(
    "ignore", category=kglite.MappedFallbackWarning
)  # concerns a storage mode that is not used here


def open_engine(settings: StoreSettings, *, writable: bool) -> KgliteEngine:
    """Open the store's graph file; a missing file is an empty graph. The caller holds the writer lock when `writable`."""
    return KgliteEngine(settings, writable=writable)


def open_sandboxed(file: str) -> GraphFile:
    """What `repoquarry.graphstore.sandbox.worker` runs queries on."""
    return GraphFile(FilePath(file))


Stamp = tuple[int, int, int]


@dataclass
class _View:
    """A loaded state of the file that is only read. `endpoints` is built when a relationship is first returned."""

    graph: Any
    stamp: Stamp | None
    endpoints: list[tuple[str, str]] | None = None

    def endpoint(self, number: int) -> tuple[str, str]:
        """The string id and label of an internal node number."""
        if self.endpoints is None:
            rows = self.graph.cypher("MATCH (n) RETURN elementId(n) AS e, n.id AS i, labels(n)[0] AS l").to_list()
            table = [("", "")] * (1 + max((int(row["e"]) for row in rows), default=-1))
            for row in rows:
                table[int(row["e"])] = (row["i"], row["l"])
            self.endpoints = table
        return self.endpoints[number]


class GraphFile:
    """The last saved state of a graph file, loaded when first asked for and again when the file has changed."""

    def __init__(self, path: FilePath) -> None:
        self.path = path
        self._guard = threading.Lock()
        self._view: _View | None = None

    def stamp(self) -> Stamp | None:
        """What identifies the file's state; None when there is no file."""
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    def load(self) -> Any:
        """A graph of its own, not shared with readers. Raises: StoreCorruptError."""
        try:
            return kglite.load(str(self.path))
        except FileNotFoundError:
            return kglite.KnowledgeGraph()
        except (kglite.KgError, OSError, ValueError) as exc:
            if not self.path.exists():
                return kglite.KnowledgeGraph()
            raise StoreCorruptError(
                f"{self.path} cannot be read ({exc}); move it away and index the repositories again"
            ) from exc

    def current(self) -> _View:
        """The view of the file as it is now."""
        with self._guard:
            stamp = self.stamp()
            if self._view is None or self._view.stamp != stamp:
                self._view = None  # free the old graph before the new one is loaded
                graph = self.load()
                graph.read_only(True)
                self._view = _View(graph, stamp)
            return self._view

    def publish(self, graph: Any) -> None:
        """Save `graph` over the file and serve it from now on."""
        try:
            graph.save(str(self.path), layout="compact")
        except (kglite.KgError, OSError) as exc:
            if not has_room(self.path.parent):
                raise full(self.path) from exc
            raise EngineUnavailableError(f"{self.path} could not be written ({exc}); the state before is kept") from exc
        graph.read_only(True)
        with self._guard:
            self._view = _View(graph, self.stamp())

    def remove_leftovers(self) -> None:
        """Delete temporary files that a killed writer left beside the graph. Only the holder of the writer lock may."""
        for leftover in self.path.parent.glob(f"*{self.path.name}*.tmp*"):
            leftover.unlink(missing_ok=True)

    def refresh(self) -> bool:
        """Load the file's present state, when it is not loaded already; whether it was loaded."""
        before = self._view
        return self.current() is not before

    def drop(self) -> None:
        with self._guard:
            self._view = None

    def run(self, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> QueryResult:
        """Run one reading query on the current state in this process."""
        started = time.perf_counter()
        columns, found = self.answer(text, parameters, limits)
        rows = list(found)
        truncated = None
        if limits.rows and len(rows) > limits.rows:
            del rows[limits.rows :]
            truncated = "rows"
        return QueryResult(columns, rows, truncated, time.perf_counter() - started)

    def answer(
        self, text: str, parameters: Mapping[str, Value], limits: QueryLimits
    ) -> tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]:
        """The columns and rows of a reading query on the current state; rows become values as they are taken."""
        view = self.current()
        text, given = with_plain_parameters(text, parameters)
        with translated_errors():
            found = view.graph.cypher(
                text,
                params=given,
                timeout_ms=math.ceil(limits.seconds * 1000) if limits.seconds else None,
                row_limit=limits.rows + 1 if limits.rows else None,
                disabled_passes=DISABLED_PASSES,
                hide_structural_keys=True,
            )
            return tuple(found.columns), _rows(found, view)


def _rows(found: Any, view: _View) -> Iterator[tuple[Value, ...]]:
    """The rows as values, a run of them at a time, so that one result never stands in memory as objects."""
    for start in range(0, len(found), _ROWS_AT_ONCE):
        with translated_errors():
            part = found[start : start + _ROWS_AT_ONCE]
            raw = [part.column(column) for column in found.columns]
        for cells in zip(*raw, strict=True):
            yield tuple(value_of(cell, view) for cell in cells)


class KgliteEngine:
    """`repoquarry.graphstore.engine.GraphEngine` on one kglite file."""

    def __init__(self, settings: StoreSettings, *, writable: bool) -> None:
        self._writable = writable
        self._file = GraphFile(settings.folder / FILE_NAME)
        self._write_guard = threading.Lock()
        lanes = LaneSettings(
            settings.quick_workers, settings.query_workers, settings.quick_seconds, settings.queries_waiting
        )
        self._sandbox = Sandbox(("repoquarry.graphstore.engines.kglite", str(self._file.path)), Lanes(lanes))
        if writable:
            self._file.remove_leftovers()

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("kglite", kglite.__version__, "kglite", frozenset[Capability]())

    def replace_repository(self, graph: RepositoryGraph, progress: Progress | None = None) -> WriteSummary:
        """As `GraphEngine.replace_repository`; relationships that reach into it from other repositories are kept."""
        elsewhere = check_graph(graph)
        with self._writing():
            started = time.perf_counter()
            working, deleted, incoming = self._without(graph.repository)
            refuse_missing(elsewhere, {label: _stored_ids(working, label, ids) for label, ids in elsewhere.items()})
            done, total = 0, sum(graph.counts().values())
            for added in _load(working, graph):
                done += added
                if progress is not None:
                    progress(done, total)
            _link(working, incoming)
            _drop_unused_packages(working)
            self._file.publish(working)
        nodes = sum(map(len, graph.nodes))
        return WriteSummary(nodes, total - nodes, *deleted, time.perf_counter() - started)

    def delete_repository(self, repository: str) -> WriteSummary:
        with self._writing():
            started = time.perf_counter()
            if repository not in self.repositories():
                raise NotFoundError(f"no repository {repository!r} is stored", kind="repository", value=repository)
            working, deleted, _ = self._without(repository)
            _drop_unused_packages(working)
            self._file.publish(working)
        return WriteSummary(0, 0, *deleted, time.perf_counter() - started)

    def run(self, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> QueryResult:
        return self._file.run(text, parameters, limits)

    def run_untrusted(self, query: OutsideQuery, rows: RowSink) -> Ended:
        """Run in a child process, since kglite bounds the time of a query but not the memory of an expression."""
        return self._sandbox.run(query, rows)

    def repositories(self) -> Sequence[str]:
        found = self._file.run("MATCH (r:Repository) RETURN r.id AS id ORDER BY id", {}, _UNLIMITED)
        return [str(row[0]) for row in found.rows]

    def close(self) -> None:
        self._sandbox.close()
        self._file.drop()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if not self._writable:
            raise StoreReadOnlyError(f"{self._file.path.parent} was opened for reading")
        with self._write_guard, translated_errors():
            yield

    def _without(self, repository: str) -> tuple[Any, tuple[int, int], list[_Link]]:
        """A graph of its own without the repository, what that deleted, and the links into it from the others.

        When nothing else is stored an empty graph does it, and the old one need not be loaded at all.
        """
        stored = set(self.repositories())
        if stored <= {repository}:
            counts = self._file.run("MATCH (n) RETURN count(n)", {}, _UNLIMITED).rows[0][0] if stored else 0
            joined = self._file.run("MATCH ()-[r]->() RETURN count(r)", {}, _UNLIMITED).rows[0][0] if stored else 0
            self._file.drop()  # two graphs in memory only where readers ask for the old one meanwhile
            return kglite.KnowledgeGraph(), (_whole(counts), _whole(joined)), []
        working = self._file.load()
        incoming = _links_into(working, repository)
        before = _size(working)
        for label in NODE_LABELS:
            working.cypher(f"MATCH (n:{label}) WHERE n.repository = $r DETACH DELETE n", params={"r": repository})
        after = _size(working)
        return working, (before[0] - after[0], before[1] - after[1]), incoming


_UNLIMITED = QueryLimits(seconds=0, rows=0, bytes=0, memory_bytes=0)
_Link = tuple[str, str, str, str]
"""Start label, start id, end label, end id of a PROVIDES relationship."""


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _size(graph: Any) -> tuple[int, int]:
    info = graph.graph_info()
    return info["node_count"], info["edge_count"]


def _stored_ids(graph: Any, label: str, ids: Sequence[str]) -> set[str]:
    found = graph.cypher(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id AS id", params={"ids": list(ids)})
    return set(found.column("id")) if len(found) else set()


def _links_into(graph: Any, repository: str) -> list[_Link]:
    found = graph.cypher(
        "MATCH (a)-[:PROVIDES]->(b) WHERE b.repository = $r AND a.repository <> $r "
        "RETURN labels(a)[0] AS al, a.id AS a, labels(b)[0] AS bl, b.id AS b",
        params={"r": repository},
    )
    return [(row["al"], row["a"], row["bl"], row["b"]) for row in found.to_list()]


def _link(graph: Any, links: Sequence[_Link]) -> None:
    """Remake the links whose end exists again."""
    for start_label, end_label in sorted({(link[0], link[2]) for link in links}):
        chosen = [link for link in links if (link[0], link[2]) == (start_label, end_label)]
        exist = _stored_ids(graph, end_label, [link[3] for link in chosen])
        kept = [link for link in chosen if link[3] in exist]
        if kept:
            starts, ends = [link[1] for link in kept], [link[3] for link in kept]
            for _ in _add_relationships(graph, RelationshipTable("PROVIDES", start_label, end_label, starts, ends, {})):
                pass


def _drop_unused_packages(graph: Any) -> None:
    graph.cypher("MATCH (p:Package) WHERE NOT (p)--() DELETE p")


def _load(graph: Any, source: RepositoryGraph) -> Iterator[int]:
    """Load the tables; yields how many rows each step added."""
    for table in source.nodes:
        yield from _add_nodes(graph, table)
    for relationships in source.relationships:
        yield from _add_relationships(graph, relationships)


def _add_nodes(graph: Any, table: NodeTable) -> Iterator[int]:
    from repoquarry.graphstore.engines import frames  # brings pandas, which takes longer to import than a graph to load

    properties = properties_of_node(table.label)
    for chunk in frames.chunks(table.columns, len(table)):
        frame, kinds = frames.frame_of(chunk, properties)
        graph.add_nodes(frame, table.label, "id", "name", column_types=kinds)
        _set_nans(graph, f"MATCH (n:{table.label} {{id: row[0]}})", chunk, [chunk["id"]])
        yield len(frame)


def _add_relationships(graph: Any, table: RelationshipTable) -> Iterator[int]:
    from repoquarry.graphstore.engines import frames  # brings pandas, which takes longer to import than a graph to load

    properties = properties_of_relationship(table.type)
    ends: dict[str, list[Cell]] = {_START: [*table.start], _END: [*table.end]}
    pattern = f"(:{table.start_label} {{id: row[0]}})-[n:{table.type}]->(:{table.end_label} {{id: row[1]}})"
    for chunk in frames.chunks(ends | table.columns, len(table)):
        frame, kinds = frames.frame_of(chunk, properties)
        graph.add_relationships(frame, table.type, table.start_label, _START, table.end_label, _END, column_types=kinds)
        _set_nans(graph, f"MATCH {pattern}", chunk, [chunk[_START], chunk[_END]])
        yield len(frame)


_START, _END = "start node", "end node"
"""Columns of a frame that hold the endpoints; with a space, so that no property can be called the same."""


def _set_nans(graph: Any, match: str, chunk: Mapping[str, list[Cell]], keys: Sequence[list[Cell]]) -> None:
    """Set the cells that are NaN: a data frame cannot tell them from missing ones."""
    for name, cells in chunk.items():
        if float not in set(map(type, cells)) or not any(map(operator.ne, cells, cells)):
            continue
        rows = [list(key) for cell, *key in zip(cells, *keys, strict=True) if cell != cell]
        if rows:
            graph.cypher(f"UNWIND $rows AS row {match} SET n.{name} = $nan", params={"rows": rows, "nan": math.nan})


def value_of(raw: Any, view: _View) -> Value:
    """A value as kglite returns it in the form of `repoquarry.graphstore.model.values`."""
    if raw is None or isinstance(raw, bool | int | float | str):
        return raw
    if isinstance(raw, list | tuple):
        return [value_of(item, view) for item in raw]
    if isinstance(raw, dict):
        return _structure_of(raw, view)
    if isinstance(raw, datetime.date | datetime.time):
        return raw.isoformat()
    raise QueryFailedError(f"the query returns a {type(raw).__name__}, for which there is no value")


def _structure_of(raw: dict[str, Any], view: _View) -> Value:
    """A map, node, relationship or path; kglite returns all of them as maps."""
    if _is_node(raw):
        return _node_of(raw, view)
    if _is_relationship(raw):
        return _relationship_of(raw, view)
    if raw.keys() == {"nodes", "relationships"} and raw["nodes"] and all(map(_is_node, raw["nodes"])):
        nodes = tuple(_node_of(node, view) for node in raw["nodes"])
        return Path(nodes, tuple(_relationship_of(step, view) for step in raw["relationships"]))
    return {key: value_of(item, view) for key, item in raw.items()}


def _is_node(raw: Any) -> bool:
    return (
        isinstance(raw, dict)
        and raw.keys() == {"id", "labels", "properties"}
        and isinstance(raw["properties"], dict)
        and raw["properties"].keys() >= _MINTED
    )


def _is_relationship(raw: dict[str, Any]) -> bool:
    return (
        raw.keys() == {"id", "start", "end", "type", "properties"}
        and isinstance(raw["properties"], dict)
        and isinstance(raw["start"], int)
        and isinstance(raw["end"], int)
    )


def _node_of(raw: dict[str, Any], view: _View) -> Node:
    kept = {
        name: value_of(item, view)
        for name, item in raw["properties"].items()
        if name not in _MINTED and item is not None
    }
    return Node(str(kept.get("id", "")), tuple(raw["labels"]), kept)


def _relationship_of(raw: dict[str, Any], view: _View) -> Relationship:
    start_id, start_label = view.endpoint(raw["start"])
    end_id, end_label = view.endpoint(raw["end"])
    kept = {name: value_of(item, view) for name, item in raw["properties"].items() if item is not None}
    return Relationship(raw["type"], start_id, start_label, end_id, end_label, kept)


_POSITION = re.compile(r"at line (\d+), col(?:umn)? (\d+)")
_TOO_MANY_ITEMS = re.compile(r"materializ\w+ (\d+)[\w ]* items|safety (?:limit|ceiling)")
_ENGINE_PREFIX = "Cypher execution error: "


def _evaluation_error(message: str) -> GraphStoreError:
    """What kglite says when a query fails while it runs, in the words of this project."""
    failure = failures.found_in(message)
    if failure is not None and failure.is_neo4js:
        return QueryFailedError(failure.message)
    if failure is not None:
        return QueryRefusedError(
            f"A value that this engine cannot answer as Neo4j does: {failure.message}", reason="value_not_portable"
        )
    if "overflow in sum" in message:
        raise_to = "Neo4j goes on with floats where a sum leaves 64 bits: sum toFloat(x)"
        return QueryRefusedError(
            f"A value that this engine cannot answer as Neo4j does: {raise_to}", reason="value_not_portable"
        )
    many = _TOO_MANY_ITEMS.search(message)  # kglite's own bound on lists that expressions make
    if many is not None:
        count = f"{int(many[1]):,}" if many[1] else "too many"
        return QueryLimitError(
            f"the query makes lists of {count} items, more than the embedded engine holds at once: "
            "shorten range() or the list, or filter before collecting",
            limit="memory_bytes",
        )
    return QueryFailedError(f"the query cannot be evaluated: {message.removeprefix(_ENGINE_PREFIX)}")


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn every error of kglite into one of `repoquarry.graphstore.errors`."""
    try:
        yield
    except GraphStoreError:
        raise
    except kglite.CypherTimeoutError as exc:
        raise QueryLimitError("the query ran over its time limit", limit="seconds") from exc
    except kglite.ReadOnlyError as exc:
        raise QueryRefusedError("only reading queries are allowed", reason="writes") from exc
    except (kglite.CypherSyntaxError, kglite.SchemaError) as exc:
        found = _POSITION.search(str(exc))
        line, column = (int(found[1]), int(found[2])) if found else (None, None)
        raise QueryRefusedError(str(exc), reason="syntax", line=line, column=column) from exc
    except kglite.CypherError as exc:
        raise _evaluation_error(str(exc)) from exc
    except kglite.KgError as exc:
        raise QueryFailedError(f"{type(exc).__name__}: {exc}") from exc
    except MemoryError as exc:
        raise QueryLimitError("the query ran out of memory", limit="memory_bytes") from exc
