"""Cache of kglite graphs in memory; runs Cypher queries on them and converts the results.

Most queries are about one repository, so only its file is loaded, however many are stored. The merged graph of all repositories is built
from the files and cached in the folder, so that the next process loads one file and adds only what changed.
"""

from __future__ import annotations

import contextlib
import datetime
import logging
import math
import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import kglite
from msgspec import structs

from repoquarry.graphstore.engines.embedded_engine import MAX_CATALOG_READS, FolderViews
from repoquarry.graphstore.engines.graph_catalog import Catalogue, Link
from repoquarry.graphstore.engines.kglite.change_writer import add_relationships, drop_unused_packages, stored_ids
from repoquarry.graphstore.engines.kglite.graph_files import load_merged_graph, save_merged_graph
from repoquarry.graphstore.engines.kglite.graph_folder import GraphFolder
from repoquarry.graphstore.engines.kglite.library import translated_errors
from repoquarry.graphstore.engines.kglite.optimizer_passes import find_disabled_passes
from repoquarry.graphstore.errors import GraphStoreError, QueryFailedError, StoreCorruptError
from repoquarry.graphstore.graph_engine import QueryLimits, QueryResult, QueryScope, with_plain_parameters
from repoquarry.graphstore.model.graph_tables import RelationshipTable
from repoquarry.graphstore.model.schema import NODE_LABELS
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value
from repoquarry.graphstore.query.result_buffer import collect_rows
from repoquarry.graphstore.storage.sqlite_database import is_writable

_MINTED = frozenset({"title", "type"})
"""Keys that kglite adds to every returned node; the schema has no properties of these names."""


@dataclass
class LoadedGraph:
    """Loaded read-only graph. `endpoints` is built when a relationship is first returned."""

    graph: Any
    endpoints: list[tuple[str, str]] | None = None

    def endpoint(self, number: int) -> tuple[str, str]:
        """Return the string id and label of an internal node number."""
        if self.endpoints is None:
            rows = self.graph.cypher("MATCH (n) RETURN elementId(n) AS e, n.id AS i, labels(n)[0] AS l").to_list()
            table = [("", "")] * (1 + max((int(row["e"]) for row in rows), default=-1))
            for row in rows:
                table[int(row["e"])] = (row["i"], row["l"])
            self.endpoints = table
        return self.endpoints[number]


def value_of(raw: Any, view: LoadedGraph) -> Value:
    """Convert a value of kglite to the form of `repoquarry.graphstore.model.values`."""
    if raw is None or isinstance(raw, bool | int | float | str):
        return raw
    if isinstance(raw, list | tuple):
        return [value_of(item, view) for item in raw]
    if isinstance(raw, dict):
        return _structure_of(raw, view)
    if isinstance(raw, datetime.date | datetime.time):
        return raw.isoformat()
    raise QueryFailedError(f"the query returns an unsupported type: {type(raw).__name__}")


def _structure_of(raw: dict[str, Any], view: LoadedGraph) -> Value:
    """Convert a map, node, relationship or path; kglite returns all of them as maps."""
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


def _node_of(raw: dict[str, Any], view: LoadedGraph) -> Node:
    kept = {
        name: value_of(item, view)
        for name, item in raw["properties"].items()
        if name not in _MINTED and item is not None
    }
    return Node(str(kept.get("id", "")), tuple(raw["labels"]), kept)


def _relationship_of(raw: dict[str, Any], view: LoadedGraph) -> Relationship:
    start_id, start_label = view.endpoint(raw["start"])
    end_id, end_label = view.endpoint(raw["end"])
    kept = {name: value_of(item, view) for name, item in raw["properties"].items() if item is not None}
    return Relationship(raw["type"], start_id, start_label, end_id, end_label, kept)


_log = logging.getLogger(__name__)
_ROWS_AT_ONCE = 1_000
_PLAIN = {str, int, float, bool, type(None)}


def run_query(view: LoadedGraph, text: str, parameters: Mapping[str, Value], limits: QueryLimits) -> QueryResult:
    started = time.perf_counter()
    columns, found = stream_query(view, text, parameters, limits)
    rows, truncated = collect_rows(found, limits)
    return QueryResult(columns, rows, truncated, time.perf_counter() - started)


def stream_query(
    view: LoadedGraph, text: str, parameters: Mapping[str, Value], limits: QueryLimits
) -> tuple[tuple[str, ...], Iterator[tuple[Value, ...]]]:
    """Return the columns and rows of a read-only query; rows are converted lazily."""
    text, given = with_plain_parameters(text, parameters)
    with translated_errors():
        _build_indexes(view.graph, text)
        found = view.graph.cypher(
            text,
            params=given,
            timeout_ms=math.ceil(limits.seconds * 1000) if limits.seconds else None,
            row_limit=limits.rows + 1 if limits.rows else None,
            disabled_passes=find_disabled_passes(text),
            hide_structural_keys=True,
        )
        return tuple(found.columns), _rows(found, view)


_LOOKUP = re.compile(r"\(\w*:(\w+) \{(\w+): (?!\$|\d|'(?:[^'\\]|\\.)*'[,}])")
"""Property of a pattern with a computed value, as the Cypher renderer writes it."""


def _build_indexes(graph: Any, text: str) -> None:
    """Build the indexes that the lookups of a query need, which takes a hundredth of their scans and is done once for a graph."""
    for label, key in set(_LOOKUP.findall(text)):
        if key != "id" and label in NODE_LABELS and not graph.has_index(label, key):
            graph.create_index(label, key)


def _rows(found: Any, view: LoadedGraph) -> Iterator[tuple[Value, ...]]:
    """Yield converted rows in chunks, so that a result is never in memory as objects."""
    for start in range(0, len(found), _ROWS_AT_ONCE):
        with translated_errors():
            part = found[start : start + _ROWS_AT_ONCE]
            raw = [part.column(column) for column in found.columns]
        for cells in zip(*raw, strict=True):
            yield tuple(cell if type(cell) in _PLAIN else value_of(cell, view) for cell in cells)


_KEPT_RELATIONSHIPS = 500_000
"""Maximum total relationships of cached single-repository graphs; one graph is always cached."""

_WORTH_KEEPING = 0.1
"""Share of added relationships above which the merged graph is cached in the folder again."""

_SMALL_SHARE = 0.25
"""Share of all relationships up to which a graph of some repositories is merged separately; above it the graph of all is used."""

_KEPT_BETWEEN = 500_000
"""Number of added relationships after which the merged graph is cached during its construction, and again whenever its size has doubled.
A process may be terminated before the merge is complete, and the next one resumes from the cache."""


class GraphCache(FolderViews[GraphFolder]):
    def __init__(self, folder: GraphFolder, *, alone: bool = False) -> None:
        """`alone`: a view is unused when the next one is requested, so its graph may be changed into that one."""
        super().__init__(folder)
        self._alone = alone
        self._kept: OrderedDict[tuple[str, ...], tuple[LoadedGraph, int]] = OrderedDict()
        self._all: tuple[LoadedGraph, dict[str, str]] | None = None
        self.nothing = _view_of(kglite.KnowledgeGraph())

    def weight(self, scope: QueryScope) -> int:
        """Return the number of relationships of the graph that `view` would return for the scope."""
        catalogue = self.catalogue()
        if scope.directory:
            return 0
        return sum(catalogue.entries[name].relationships for name in self._chosen(catalogue, scope))

    def view(self, scope: QueryScope) -> LoadedGraph:
        """Return the current graph of a scope. Raises: StoreCorruptError."""
        with self._guard:
            for _ in range(MAX_CATALOG_READS):
                with contextlib.suppress(FileNotFoundError):
                    return self._view(scope)
                self._stamp = ()
            if self._leave_out_missing():
                with contextlib.suppress(FileNotFoundError):
                    return self._view(scope)
        raise StoreCorruptError(
            f"{self._folder.path} lists missing graphs; the next process that opens the store for writing "
            "removes them, then re-index the repositories"
        )

    def _leave_out_missing(self) -> bool:
        """Leave repositories without files out of the catalog; return whether there are any."""
        entries = self.catalogue().entries
        present = {name: entry for name, entry in entries.items() if (self._folder.path / entry.file).exists()}
        if len(present) == len(entries):
            return False
        _log.warning("graph_files_missing repositories=%s", sorted(entries.keys() - present.keys()))
        self._catalogue = structs.replace(self._catalogue, entries=present)
        return True

    def drop(self) -> None:
        with self._guard:
            self._kept.clear()
            self._all = None

    def _view(self, scope: QueryScope) -> LoadedGraph:
        catalogue = self.catalogue()
        if scope.directory:
            return self._single((catalogue.directory,), 0) if catalogue.directory else self.nothing
        names = self._chosen(catalogue, scope)
        files = tuple(catalogue.entries[name].file for name in sorted(names))
        if not files:
            return self.nothing
        weight = sum(catalogue.entries[name].relationships for name in names)
        if len(files) == 1 or weight <= _SMALL_SHARE * catalogue.relationships:
            return self._single(files, weight)
        return self._whole(catalogue)

    @staticmethod
    def _chosen(catalogue: Catalogue, scope: QueryScope) -> frozenset[str]:
        if scope.repositories is None:
            return frozenset(catalogue.entries)
        return catalogue.around(scope.repositories, scope.links)

    def _single(self, files: tuple[str, ...], weight: int) -> LoadedGraph:
        """Return the graph of some files, loaded or cached."""
        found = self._kept.get(files)
        if found is None:
            graph = self._folder.files.load(files[0])
            for file in files[1:]:
                graph.extend(self._folder.files.load(file))
            if len(files) > 1:
                _join(graph, [link for file in files for link in self._folder.files.links(file)])
            found = self._kept[files] = (_view_of(graph), weight)
        self._kept.move_to_end(files)
        while len(self._kept) > 1 and sum(weight for _, weight in self._kept.values()) > _KEPT_RELATIONSHIPS:
            self._kept.popitem(last=False)
        return found[0]

    def _whole(self, catalogue: Catalogue) -> LoadedGraph:
        """Return the graph of all repositories, built from the last one and later writes."""
        wanted = {name: entry.file for name, entry in catalogue.entries.items()}
        if self._all is not None and self._all[1] == wanted:
            return self._all[0]
        graph, held = self._last_whole()
        self._all = None  # If a file is missing, the graph changed below is no longer a valid view.
        gone = sorted(name for name, file in held.items() if wanted.get(name) != file)
        new = sorted(name for name, file in wanted.items() if held.get(name) != file)
        graph.read_only(False)
        for label in NODE_LABELS if gone else ():
            graph.cypher(f"MATCH (n:{label}) WHERE n.repository IN $gone DETACH DELETE n", params={"gone": gone})
        parts = {name: file for name, file in held.items() if wanted.get(name) == file}
        for batch in _batches(catalogue, parts, new):
            if batch[0] != new[0]:  # More repositories follow: cache the intermediate state.
                self._keep(graph, parts)
            for name in batch:
                graph.extend(self._folder.files.load(wanted[name]))
                parts[name] = wanted[name]
            _join(graph, self._links(catalogue, frozenset(batch)))
        drop_unused_packages(graph)
        self._all = (_view_of(graph), wanted)
        added = sum(catalogue.entries[name].relationships for name in new)
        if added > _WORTH_KEEPING * catalogue.relationships:
            self._keep(graph, wanted)
        return self._all[0]

    def _keep(self, graph: Any, parts: Mapping[str, str]) -> None:
        """Cache the merged graph, complete or not, in the folder; failures are ignored."""
        if is_writable(self._folder.path):
            with contextlib.suppress(kglite.KgError, GraphStoreError, OSError):
                save_merged_graph(self._folder.files, graph, parts)

    def _last_whole(self) -> tuple[Any, Mapping[str, str]]:
        """Return an earlier merged graph that may be changed, and its files."""
        if self._alone and self._all is not None:
            return self._all[0].graph, self._all[1]
        return load_merged_graph(self._folder.files) or (kglite.KnowledgeGraph(), {})

    def _links(self, catalogue: Catalogue, new: frozenset[str]) -> list[Link]:
        """Return the links from and to added repositories."""
        touched = [
            entry.file for name, entry in catalogue.entries.items() if name in new or not new.isdisjoint(entry.linked)
        ]
        return [link for file in touched for link in self._folder.files.links(file)]

    def _forget_replaced(self, files: set[str]) -> None:
        for key in [key for key in self._kept if not files.issuperset(key)]:
            del self._kept[key]


def _batches(catalogue: Catalogue, held: Mapping[str, str], new: Sequence[str]) -> list[list[str]]:
    """Split the repositories to add where the merged graph has doubled."""
    batches: list[list[str]] = []
    size = sum(catalogue.entries[name].relationships for name in held)
    room = 0
    for name in new:
        if room <= 0:
            batches.append([])
            room = max(size, _KEPT_BETWEEN)
        batches[-1].append(name)
        size += catalogue.entries[name].relationships
        room -= catalogue.entries[name].relationships
    return batches


def _view_of(graph: Any) -> LoadedGraph:
    graph.read_only(True)
    return LoadedGraph(graph)


def _join(graph: Any, links: Sequence[Link]) -> None:
    """Add the links whose ends both exist."""
    for start_label, end_label in sorted({(link[0], link[2]) for link in links}):
        chosen = [link for link in links if (link[0], link[2]) == (start_label, end_label)]
        starts = stored_ids(graph, start_label, [link[1] for link in chosen])
        ends = stored_ids(graph, end_label, [link[3] for link in chosen])
        pairs = sorted({(start, end) for _, start, _, end in chosen if start in starts and end in ends})
        if pairs:
            table = RelationshipTable(
                "PROVIDES", start_label, end_label, [p[0] for p in pairs], [p[1] for p in pairs], {}
            )
            for _ in add_relationships(graph, table):
                pass
