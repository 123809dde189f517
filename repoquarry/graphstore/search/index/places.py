"""The searchable places of one repository (files, prose, classes, functions) as columns, with the edges between them.

Everything that search, localisation and the context need to know of a node is here, so that answering asks neither the
engine nor the parser; it is a cache of the graph, written when a repository is indexed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.model.records import Cell, NodeTable, RepositoryGraph
from repoquarry.graphstore.search.index.standing import MODULUS, Standing, mixed
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, Reals

LABELS: Final = ("Module", "Document", "Class", "Function")
MODULE, DOCUMENT, CLASS, FUNCTION = range(4)
EDGES: Final = ("DEFINES", "CALLS", "INHERITS", "OVERRIDES", "REFERENCES", "IMPORTS")
"""Relationship types that localisation may walk; an edge's kind is its place in this table."""


class PlaceColumns(msgspec.Struct, frozen=True):
    """One row for each place: files first, then definitions, each group sorted by path and position."""

    repository: str
    paths: list[str]
    """Path of each file; a place's `file` is an index into it."""
    languages: list[str]
    dotted: list[str]
    """Importable name of each file's module, empty for prose."""
    keys: list[str]
    """What follows `::` in the id: the qualname, with `#2` for the second of its name; empty for files."""
    kinds: list[str]
    summaries: list[str]
    """One line each, where the graph holds one: docstring head of a definition, summary of a module, heading of prose."""
    signatures: list[str]


@dataclass(frozen=True)
class Places:
    """Columns over places. Lines are 1-based and inclusive; `parent` is -1 for files."""

    columns: PlaceColumns
    label: NDArray[np.int8]
    file: Integers
    start_line: Integers
    end_line: Integers
    parent: Integers
    is_test: NDArray[np.bool_]
    is_generated: NDArray[np.bool_]
    is_core: NDArray[np.bool_]
    importance: Reals
    calls_in: Reals
    edge_start: Integers
    edge_end: Integers
    edge_kind: NDArray[np.int8]
    edge_weight: Reals

    def __len__(self) -> int:
        return len(self.label)

    @property
    def file_count(self) -> int:
        """Places below this number are files."""
        return len(self.columns.paths)

    def path(self, place: int) -> str:
        return self.columns.paths[int(self.file[place])]

    def qualname(self, place: int) -> str:
        return self.columns.keys[place].split("#", 1)[0]

    def name(self, place: int) -> str:
        """The short name: last part of the qualname, or the file's name."""
        qualname = self.qualname(place)
        return qualname.rsplit(".", 1)[-1] if qualname else self.path(place).rsplit("/", 1)[-1]

    def id(self, place: int) -> str:
        key = self.columns.keys[place]
        home = f"{self.columns.repository}:{self.path(place)}"
        return f"{home}::{key}" if key else home

    @cached_property
    def by_name(self) -> Mapping[str, Integers]:
        """Definitions by short name."""
        found: dict[str, list[int]] = {}
        for place in range(self.file_count, len(self)):
            found.setdefault(self.name(place), []).append(place)
        return {name: np.array(places, dtype=np.int32) for name, places in found.items()}

    @cached_property
    def by_path(self) -> Mapping[str, int]:
        return {path: place for place, path in enumerate(self.columns.paths)}

    @cached_property
    def by_id(self) -> Mapping[str, int]:
        return {self.id(place): place for place in range(len(self))}

    @cached_property
    def definitions(self) -> Mapping[int, Integers]:
        """Classes and functions of each file, outer ones first."""
        files = self.file[self.file_count :]
        borders = np.searchsorted(files, np.arange(self.file_count + 1)) + self.file_count
        return {
            file: np.arange(borders[file], borders[file + 1], dtype=np.int32)
            for file in range(self.file_count)
            if borders[file] < borders[file + 1]
        }

    def standing(self, file: int) -> Standing:
        """Where the definitions of a file stand."""
        inside = self.definitions.get(file, np.zeros(0, dtype=np.int32))
        first = int(inside[0]) if len(inside) else 0
        rows = slice(first, first + len(inside))
        parents = self.parent[rows]
        return Standing(
            self.columns.paths[file],
            self.columns.keys[rows],
            self.columns.summaries[rows],
            np.asarray(self.start_line[rows]),
            np.asarray(self.end_line[rows]),
            np.where(parents < self.file_count, 0, parents - first + 1).astype(np.int32),
            (self.label[rows] == FUNCTION).astype(np.int32),
        )

    def standings(self) -> list[int]:
        """`Standing.digest` of each file, all at once."""
        first = self.file_count
        files = self.file[first:]
        borders = np.searchsorted(files, np.arange(first + 1))
        start = borders[files]
        parents = self.parent[first:] - first
        rows = (
            self.start_line[first:],
            self.end_line[first:],
            np.where(parents < 0, 0, parents - start + 1),
            self.label[first:] == FUNCTION,
            np.arange(len(files)) - start + 1,
        )
        sums = np.concatenate([[0], np.cumsum(mixed(*(row.astype(np.int64) for row in rows)))])
        return [int(value) for value in (sums[borders[1:]] - sums[borders[:-1]]) % MODULUS]

    def save(self, folder: Path) -> None:
        """Write `places.msgpack` and `places.*.npy`."""
        (folder / "places.msgpack").write_bytes(msgspec.msgpack.encode(self.columns))
        for name in _ARRAYS:
            np.save(folder / f"places.{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> Places:
        """Read what `save` wrote. Raises: OSError, ValueError or msgspec.MsgspecError when missing or damaged."""
        columns = msgspec.msgpack.decode((folder / "places.msgpack").read_bytes(), type=PlaceColumns)
        return cls(columns, **{name: np.load(folder / f"places.{name}.npy", mmap_mode="r") for name in _ARRAYS})


_CELLS: Final = (
    *("name", "language", "kind", "format", "signature", "summary", "docstring", "heading"),
    *("start_line", "end_line", "is_test", "is_generated", "is_core", "importance", "calls_in"),
)
_ARRAYS: Final = (
    "label",
    "file",
    "start_line",
    "end_line",
    "parent",
    "is_test",
    "is_generated",
    "is_core",
    "importance",
    "calls_in",
    "edge_start",
    "edge_end",
    "edge_kind",
    "edge_weight",
)


def read_places(graph: RepositoryGraph) -> Places:
    """Take the searchable places and the edges between them from a repository's graph."""
    column = _gather([table for table in graph.nodes if table.label in LABELS])
    order = _order(column)
    files = [row for row in order if column.label[row] in (MODULE, DOCUMENT)]
    file_of = {column.path[row]: number for number, row in enumerate(files)}
    rows = files + [row for row in order if column.label[row] in (CLASS, FUNCTION) and column.path[row] in file_of]
    place_of: dict[int, dict[str, int]] = {label: {} for label in range(len(LABELS))}
    for place, row in enumerate(rows):
        place_of[column.label[row]][column.id[row]] = place
    edges = _edges(graph, place_of)
    parent = np.full(len(rows), -1, dtype=np.int32)
    defines = edges[2] == EDGES.index("DEFINES")
    parent[edges[1][defines]] = edges[0][defines]
    columns = PlaceColumns(
        repository=graph.repository,
        paths=[column.path[row] for row in files],
        languages=column.texts(files, "language"),
        dotted=[
            name if column.label[row] == MODULE else ""
            for row, name in zip(files, column.texts(files, "name"), strict=True)
        ],
        keys=[column.id[row].partition("::")[2] if column.label[row] in (CLASS, FUNCTION) else "" for row in rows],
        kinds=[kind or "module" for kind in column.texts(rows, "kind", "format")],
        summaries=[_line(text) if text else "" for text in column.texts(rows, "summary", "docstring", "heading")],
        signatures=column.texts(rows, "signature"),
    )
    return Places(
        columns,
        label=np.array([column.label[row] for row in rows], dtype=np.int8),
        file=np.array([file_of[column.path[row]] for row in rows], dtype=np.int32),
        start_line=column.numbers("start_line", rows).astype(np.int32),
        end_line=column.numbers("end_line", rows).astype(np.int32),
        parent=parent,
        is_test=column.numbers("is_test", rows).astype(np.bool_),
        is_generated=column.numbers("is_generated", rows).astype(np.bool_),
        is_core=column.numbers("is_core", rows).astype(np.bool_),
        importance=column.numbers("importance", rows).astype(np.float32),
        calls_in=column.numbers("calls_in", rows).astype(np.float32),
        edge_start=edges[0],
        edge_end=edges[1],
        edge_kind=edges[2],
        edge_weight=edges[3],
    )


@dataclass(frozen=True)
class _Gathered:
    """The tables of all places, one below the other."""

    label: list[int]
    id: list[str]
    path: list[str]
    cells: Mapping[str, list[Cell]]

    def texts(self, rows: list[int], *names: str) -> list[str]:
        """Of each row the first of these cells that says something, else nothing."""
        first = self.cells[names[0]]
        found = [first[row] for row in rows]
        for name in names[1:]:
            cells = self.cells[name]
            found = [cell or cells[row] for cell, row in zip(found, rows, strict=True)]
        return [cell if isinstance(cell, str) else "" if cell is None else str(cell) for cell in found]

    def numbers(self, name: str, rows: list[int]) -> NDArray[np.float64]:
        """The column as numbers, 0 where nothing is known."""
        cells = self.cells[name]
        return np.array([cells[row] or 0 for row in rows], dtype=np.float64)


def _line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:200]


def _gather(tables: Sequence[NodeTable]) -> _Gathered:
    cells: dict[str, list[Cell]] = {name: [] for name in _CELLS}
    for table in tables:
        for name, cell in cells.items():
            cell.extend(table.columns.get(name) or [None] * len(table))
    return _Gathered(
        [LABELS.index(table.label) for table in tables for _ in range(len(table))],
        [str(value) for table in tables for value in table.columns["id"]],
        [str(value) for table in tables for value in table.columns["path"]],
        cells,
    )


def _order(column: _Gathered) -> list[int]:
    """Rows by path, then by position, outer definitions first."""
    rows = list(range(len(column.id)))
    starts, ends = (column.numbers(name, rows).tolist() for name in ("start_line", "end_line"))
    keys = list(zip(column.path, starts, (-end for end in ends), column.id, strict=True))
    return sorted(rows, key=keys.__getitem__)


def _edges(
    graph: RepositoryGraph, place_of: Mapping[int, Mapping[str, int]]
) -> tuple[Integers, Integers, NDArray[np.int8], Reals]:
    """Starts, ends, kinds and weights, a table at a time; `place_of` says the places of ids, by label."""
    parts: list[tuple[Integers, Integers, NDArray[np.int8], Reals]] = []
    for table in graph.relationships:
        if table.type not in EDGES or table.start_label not in LABELS or table.end_label not in LABELS:
            continue
        start = _places(table.start, place_of[LABELS.index(table.start_label)])
        end = _places(table.end, place_of[LABELS.index(table.end_label)])
        counts = table.columns.get("count") or [1] * len(table)
        weight = np.array([count if isinstance(count, int) else 1 for count in counts], dtype=np.float32)
        kind = np.full(len(table), EDGES.index(table.type), dtype=np.int8)
        known = (start >= 0) & (end >= 0)
        parts.append((start[known], end[known], kind[known], weight[known]))
    columns = list(zip(*parts, strict=True)) or [()] * 4
    kinds = np.int32, np.int32, np.int8, np.float32
    start, end, kind, weight = (
        np.concatenate([np.zeros(0, dtype=dtype), *found]) for found, dtype in zip(columns, kinds, strict=True)
    )
    return start, end, kind, weight


def _places(ids: Sequence[str], known: Mapping[str, int]) -> Integers:
    """The place of each id, -1 where there is none."""
    return np.fromiter(map(known.get, ids, repeat(-1)), dtype=np.int32, count=len(ids))
