"""Incremental writer of a graph: compares it with the stored base revision and writes only the differences.

Numbers of symbols and externals change with every added or removed definition, so the old resolution is first mapped
to new numbers. A file with equal records has equal relationships; all other files are compared again.

The base is read from stored columns, which is several times faster than reading rows back from the engine. The
relationships that follow from the resolution, which is stored by itself, are stored as labels of symbols only. All
other columns are stored one by one with a digest: nearly all columns of two revisions are equal, and equal columns
are neither decoded nor compared.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import ChangesRefusedError, StoreCorruptError
from repoquarry.graphstore.graph_engine import Progress
from repoquarry.graphstore.model.graph_tables import (
    Cell,
    GraphChanges,
    NodeTable,
    RelationshipTable,
    RepositoryGraph,
    diff_graphs,
)
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.files.hashing import indexer_version
from repoquarry.ingest.graph.assembler import AssembledGraph
from repoquarry.ingest.graph.code_graph import build_edge_tables
from repoquarry.ingest.graph.outline import RECORDS, ResolutionIndex
from repoquarry.ingest.graph.table_builder import (
    KEYS,
    Columns,
    Kind,
    PackedColumn,
    group_tables,
    iterate_cells,
    pack_columns,
)
from repoquarry.ingest.previous_state import CachedResolution, load_artifact
from repoquarry.ingest.resolution.model import CallTable, Numbers

_log = logging.getLogger(__name__)
_REMOVED: Final = -(1 << 31)
"""Sentinel id of removed symbols and externals."""

Chosen = NDArray[np.bool_]


def find_changed_symbols(old: ResolutionIndex, new: ResolutionIndex) -> tuple[Chosen, Chosen]:
    """Return for the symbols of each resolution whether they are located in a file whose relationships may differ."""
    files = _ComparableFiles.of(old, new)
    moved = _SymbolMapping(files.symbols, _moved_externals(old.resolution.externals, new.resolution.externals))
    _compare_calls(files, moved, old.resolution.calls, new.resolution.calls)
    for kind, given in RECORDS.items():
        (before, before_ends), (after, after_ends) = old.ends[kind], new.ends[kind]
        rows = files.rows(before, after)
        files.compare(rows, moved(before), after)
        if given.end:
            files.compare(rows, moved(before_ends), after_ends)
        if given.rest:
            files.compare(rows, old.rest[kind], new.rest[kind])
    return files.unequal()


class _RowPairs(NamedTuple):
    """Row pairs of both resolutions, by position in the same file."""

    old: NDArray[np.int64]
    new: NDArray[np.int64]
    file: NDArray[np.int64]


@dataclass(frozen=True)
class _ComparableFiles:
    """Files with equal definitions in both resolutions, and which of them were equal in all comparisons."""

    old: NDArray[np.int64]
    """Start and end of each file among the old symbols: (files, 2)."""
    new: NDArray[np.int64]
    """Start and end of each file among the new symbols: (files, 2)."""
    symbols: Numbers
    """New number by old symbol, also in other files; `_REMOVED` for changed or removed symbols."""
    among: int
    """Number of new symbols."""
    equal: NDArray[np.bool_]

    @classmethod
    def of(cls, old: ResolutionIndex, new: ResolutionIndex) -> _ComparableFiles:
        now = {path: (start, end) for path, start, end in new.resolution.runs()}
        moved = np.full(len(old.labels), _REMOVED, dtype=np.int32)
        found: list[tuple[int, int, int, int]] = []
        for path, start, end in old.resolution.runs():
            first, last = now.get(path, (0, 0))
            if old.resolution.symbols[start:end] == new.resolution.symbols[first:last]:
                numbers = np.arange(first, last, dtype=np.int32)
                moved[start:end] = np.where(old.labels[start:end] == new.labels[first:last], numbers, _REMOVED)
                found.append((start, end, first, last))
            else:
                _move_some(moved, old, new, range(start, end), range(first, last))
        bounds = np.array(found, dtype=np.int64).reshape(-1, 4)
        return cls(bounds[:, :2], bounds[:, 2:], moved, len(new.labels), np.ones(len(bounds), dtype=np.bool_))

    def rows(self, old: Numbers, new: Numbers) -> _RowPairs:
        """Return row pairs of equal files from the symbols of all rows; a different number of rows makes a file
        unequal."""
        orders = [_order(symbols) for symbols in (old, new)]
        cuts = [
            np.searchsorted(symbols[order], bounds)
            for symbols, order, bounds in zip((old, new), orders, (self.old, self.new), strict=True)
        ]
        sizes = [found[:, 1] - found[:, 0] for found in cuts]
        self.equal[sizes[0] != sizes[1]] = False
        files = np.flatnonzero(self.equal)
        size = sizes[0][files]
        inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        before, after = (
            order[np.repeat(found[files, 0], size) + inside] for order, found in zip(orders, cuts, strict=True)
        )
        return _RowPairs(before, after, np.repeat(files, size))

    def compare(self, rows: _RowPairs, old: NDArray[Any], new: NDArray[Any]) -> None:
        """Mark files as unequal where values of rows differ."""
        self.equal[rows.file[old[rows.old] != new[rows.new]]] = False

    def unequal(self) -> tuple[Chosen, Chosen]:
        """Return the symbols of all unequal files on either side."""
        found = np.ones(len(self.symbols), dtype=np.bool_), np.ones(self.among, dtype=np.bool_)
        for chosen, bounds in zip(found, (self.old, self.new), strict=True):
            for start, end in bounds[self.equal].tolist():
                chosen[start:end] = False
        return found


def _order(symbols: Numbers) -> NDArray[np.int64]:
    """Return the order of rows by symbol; usually they are sorted already."""
    if (symbols[1:] >= symbols[:-1]).all():
        return np.arange(len(symbols))
    return np.argsort(symbols, kind="stable")


class _SymbolMapping(NamedTuple):
    """Mapping of old numbers of symbols and externals to new ones."""

    symbols: Numbers
    externals: Numbers

    def __call__(self, numbers: Numbers) -> Numbers:
        found = np.empty(len(numbers), dtype=np.int32)
        inside = numbers >= 0
        found[inside] = self.symbols[numbers[inside]]
        found[~inside] = self.externals[~numbers[~inside]]
        return found


def _compare_calls(files: _ComparableFiles, moved: _SymbolMapping, old: CallTable, new: CallTable) -> None:
    rows = files.rows(old.callers, new.callers)
    rules = {rule: at for at, rule in enumerate(dict.fromkeys((*old.rules, *new.rules)))}
    one, two = (np.array([rules[rule] for rule in calls.rules], dtype=np.int32)[calls.rule_of] for calls in (old, new))
    for before, after in (
        (moved(old.callers), new.callers),
        (moved(old.callees), new.callees),
        (one, two),
        (old.counts, new.counts),
    ):
        files.compare(rows, before, after)
    # Edges of equal files have equal numbers of lines.
    rows = files.rows(old.callers, new.callers)
    lines = [calls.lines_of(at)[1] for calls, at in ((old, rows.old), (new, rows.new))]
    at = np.arange(len(lines[0]))
    files.compare(_RowPairs(at, at, np.repeat(rows.file, old.counts[rows.old])), *lines)


def _move_some(moved: Numbers, old: ResolutionIndex, new: ResolutionIndex, before: range, after: range) -> None:
    """Map old symbol ids of a file to new ones; removed symbols are dropped."""
    now = {new.resolution.symbols[at].key: at for at in after}
    for at in before:
        found = now.get(old.resolution.symbols[at].key, _REMOVED)
        if found != _REMOVED and old.labels[at] == new.labels[found]:
            moved[at] = found


def _moved_externals(old: Sequence[str], new: Sequence[str]) -> Numbers:
    """Map old externals to new ones; the n-th of a name, which several families may use, maps to the n-th."""
    now: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(new):
        now[name].append(~at)
    return np.fromiter((now[name].pop(0) if now[name] else _REMOVED for name in old), dtype=np.int32, count=len(old))


_NAME = "graph columns"


class PersistedGraph(msgspec.Struct, array_like=True, frozen=True):
    """Stored state of a graph with its links."""

    columns: dict[tuple[Kind, str], PackedColumn]
    """Columns of the frame with its links."""
    labels: bytes
    """Labels of the resolution's symbols, as in `ResolutionIndex`."""
    indexer: str
    """Version of the code that built the relationships; another version cannot use this state."""

    @classmethod
    def stored(cls, sources: SourceStore, repository: str, revision: str) -> PersistedGraph | None:
        """Load the state of a revision; None if it is missing or unreadable."""
        return load_artifact(sources, repository, _NAME, cls, revision)

    def save(self, sources: SourceStore, snapshot: int) -> None:
        sources.put_artifact(snapshot, _NAME, msgspec.msgpack.encode(self))


@dataclass(frozen=True)
class BaseGraph:
    """Stored graph of a repository, as the base of a comparison."""

    revision: str
    columns: Columns
    resolved: ResolutionIndex

    @classmethod
    def read(cls, sources: SourceStore, repository: str, revision: str | None) -> BaseGraph | None:
        """Read the base of a stored revision; None if it is missing or was written by another version."""
        if revision is None:
            return None
        kept = PersistedGraph.stored(sources, repository, revision)
        if kept is None or kept.indexer != indexer_version():
            return None
        resolution = CachedResolution.stored(sources, repository, revision).united()
        if resolution is None or len(resolution.symbols) != len(kept.labels):
            return None
        resolved = ResolutionIndex(repository, resolution, np.frombuffer(kept.labels, dtype=np.int8))
        # Build the index here, while the resolver is running.
        _ = resolved.ends, resolved.rest
        return cls(revision, kept.columns, resolved)

    def changes_to(self, columns: Columns, frame: RepositoryGraph, resolved: ResolutionIndex) -> GraphChanges:
        """Compute the changes to a new state: its frame with links, the frame's columns, and its resolution.

        Raises: StoreCorruptError.
        """
        old, new = _ComparedPart([], []), _ComparedPart([], [])
        given = {kind: iterate_cells(table) for kind, table in group_tables(frame)}
        for kind, names in _differing(self.columns, columns).items():
            old.add(kind, {name: self.columns[kind, name].cells() for name in names if (kind, name) in self.columns})
            new.add(kind, {name: given[kind][name] for name in names if (kind, name) in columns})
        for part, side, symbols in zip(
            (old, new), (self.resolved, resolved), find_changed_symbols(self.resolved, resolved), strict=True
        ):
            part.relationships.extend(build_edge_tables(side.chosen(symbols)))
        return diff_graphs(old.graph(frame.repository), new.graph(frame.repository), self.revision)


@dataclass(frozen=True)
class _ComparedPart:
    """Tables and columns of a graph that differ."""

    nodes: list[NodeTable]
    relationships: list[RelationshipTable]

    def add(self, kind: Kind, columns: dict[str, list[Cell]]) -> None:
        if not columns:
            # This side has no such table.
            return
        if len(kind) == 1:
            self.nodes.append(NodeTable(kind[0], columns))
            return
        (label, start_label, end_label), (start, end) = kind, (columns.pop(name) for name in KEYS[3])
        ends = [str(one) for one in start], [str(one) for one in end]
        self.relationships.append(RelationshipTable(label, start_label, end_label, *ends, columns))

    def graph(self, repository: str) -> RepositoryGraph:
        return RepositoryGraph(repository, self.nodes, self.relationships)


def carry_over_graph(sources: SourceStore, repository: str, revision: str, snapshot: int) -> None:
    """Copy the stored state of the current revision to a snapshot with an equal graph."""
    kept = PersistedGraph.stored(sources, repository, revision)
    if kept is not None:
        kept.save(sources, snapshot)


def _differing(one: Columns, two: Columns) -> dict[Kind, list[str]]:
    """List by kind the keys and differing columns: all if rows were added, removed or moved; none if all are
    equal."""
    names: dict[Kind, list[str]] = {}
    for kind, name in dict.fromkeys((*one, *two)):
        names.setdefault(kind, []).append(name)
    found: dict[Kind, list[str]] = {}
    for kind, known in names.items():
        unequal = [name for name in known if one.get((kind, name)) != two.get((kind, name))]
        keys = KEYS[len(kind)]
        if unequal:
            found[kind] = [*keys, *unequal] if set(keys).isdisjoint(unequal) else known
    return found


def write_graph(
    assembled: AssembledGraph,
    links: Sequence[RelationshipTable],
    base: BaseGraph | None,
    pending: PendingRevision,
    progress: Progress,
) -> None:
    """Store a graph with its links, and its state for the next run; only the changes from `base`, if there is one.

    Raises: as `GraphEngine.replace_repository`.
    """
    store, frame, resolved = pending.store, _linked(assembled.frame, links), assembled.resolved
    columns = pack_columns(frame, assembled.columns, base.columns if base is not None else {})
    persisted = PersistedGraph(dict(columns), resolved.labels.tobytes(), indexer_version())
    persisted.save(store.sources, pending.snapshot)
    changes: GraphChanges | None = None
    with suppress(StoreCorruptError):
        changes = base.changes_to(columns, frame, resolved) if base is not None else None
    if changes is not None:
        try:
            store.engine.change_repository(changes, progress)
            return
        except ChangesRefusedError as exc:
            _log.info("changes_refused repository=%s reason=%s", frame.repository, exc)
    store.engine.replace_repository(_linked(assembled.whole(), links), progress)


def _linked(graph: RepositoryGraph, links: Sequence[RelationshipTable]) -> RepositoryGraph:
    return replace(graph, relationships=[*graph.relationships, *links])
