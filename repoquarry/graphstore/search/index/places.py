"""The searchable places of one repository (files, prose, classes, functions) as columns, with the edges between them.

Everything that search, localisation and the context need to know of a node is here, so that answering asks neither the
engine nor the parser; it is a cache of the graph, written when a repository is indexed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.index.standing import MODULUS, Standing, mixed
from repoquarry.graphstore.search.index.terms.vocabulary import Integers, Reals

LABELS: Final = ("Module", "Document", "Class", "Function")
MODULE, DOCUMENT, CLASS, FUNCTION = range(4)
EDGES: Final = ("DEFINES", "CALLS", "INHERITS", "OVERRIDES", "REFERENCES", "IMPORTS")
"""Relationship types that localisation may walk; an edge's kind is its place in this table."""

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
