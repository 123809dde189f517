"""Columnar table of searchable places (files, classes, functions) with spans and edges; request filters, renumbering for the next index.

Places contain everything that search, localization and the context need about a node, so that answers need neither the engine nor the
parser. They are a cache of the graph, written when a repository is indexed.

Places are numbered files first, in path order, then definitions file by file. An unchanged file keeps the order of its places, so the new
number of a place is the old one shifted by an offset per file, and sorted data stays sorted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.index.postings import Integers, Reals, load_array
from repoquarry.graphstore.search.requests import SearchRequest, WithTests

MODULUS = (1 << 31) - 1


_OVERLOAD: Final = re.compile(r"#\d+$")


def qualname_of(key: str) -> str:
    """Return the qualname in a key, without the number of an overload; private names of JavaScript begin with `#` as well."""
    return _OVERLOAD.sub("", key)


@dataclass(frozen=True)
class DefinitionSpans:
    """Line spans of the definitions in one file, outer ones first. Places of a file are numbered: 0 is the file, then its definitions."""

    path: str
    keys: Sequence[str]
    """Part of the id after `::`."""
    summaries: Sequence[str]
    """Start of the documentation of each; empty if there is none."""
    start_lines: Integers
    end_lines: Integers
    parents: Integers
    """Number of the enclosing place of each."""
    functions: Integers
    """1 for functions, 0 for classes."""

    def __len__(self) -> int:
        """Return the number of places: the file and its definitions."""
        return 1 + len(self.keys)

    def qualname(self, place: int) -> str:
        """Return the qualname of a place; empty for the file itself."""
        return qualname_of(self.keys[place - 1]) if place else ""

    def owners(self, lines: int) -> Integers:
        """Return (lines,) the innermost place of each line."""
        owners = np.zeros(lines, dtype=np.int32)
        for place, (start, end) in enumerate(zip(self.start_lines.tolist(), self.end_lines.tolist(), strict=True), 1):
            owners[start - 1 : end] = place
        return owners

    def digest(self) -> int:
        """Return a digest of lines and nesting, which identifies texts that were split by other spans."""
        rows = (self.start_lines, self.end_lines, self.parents, self.functions)
        return int(mix_columns(*(row.astype(np.int64) for row in rows), np.arange(1, len(self))).sum() % MODULUS)


def line_starts(text: str) -> list[int]:
    """Return the offset of each line of a text, and one after the last line."""
    raw = text.encode() if text.isascii() else text.encode("utf-32-le", "surrogatepass")
    breaks = np.flatnonzero(np.frombuffer(raw, np.uint8 if text.isascii() else "<u4") == ord("\n"))
    return [0, *(breaks + 1).tolist(), len(text) + 1]


def mix_columns(*columns: np.ndarray) -> np.ndarray:
    """Return one hash per row, whose sums distinguish sets of rows."""
    total = np.zeros(len(columns[0]), dtype=np.int64)
    for factor, column in zip((1_000_003, 65_599, 8_191, 131, 31), columns, strict=True):
        total = (total + column * factor) * 37 % MODULUS
    return total


LABELS: Final = ("Module", "Document", "Class", "Function")
MODULE, DOCUMENT, CLASS, FUNCTION = range(4)
EDGES: Final = ("DEFINES", "CALLS", "INHERITS", "OVERRIDES", "REFERENCES", "IMPORTS")
"""Relationship types that localization may follow; the kind of an edge is its position in this table."""

LABEL_FILE: Final = "places.label.npy"
COLUMN_FILE: Final = "places.msgpack"
ID_PREFIXES: Final = (COLUMN_FILE, "places.file.")
"""Files that `load_node_ids` reads."""


class PlaceKeys(msgspec.Struct, frozen=True):
    """Columns that node ids are made of."""

    repository: str
    paths: list[str]
    """Path of each file; a place's `file` is an index into it."""
    keys: list[str]
    """Part of the id after `::`: the qualname, with `#2` for the second of its name; empty for files."""

    def node_id(self, place: int, file: int) -> str:
        key = self.keys[place]
        home = f"{self.repository}:{self.paths[file]}"
        return f"{home}::{key}" if key else home


def load_node_ids(folder: Path, places: Sequence[int]) -> list[str]:
    """Return the node ids of places in the order given. Raises: as `Places.load`."""
    columns = msgspec.msgpack.decode((folder / COLUMN_FILE).read_bytes(), type=PlaceKeys)
    file = load_array(folder / "places.file.npy")
    return [columns.node_id(place, int(file[place])) for place in places]


class PlaceColumns(PlaceKeys, frozen=True):
    """One row per place: files first, then definitions, each group sorted by path and position."""

    languages: list[str]
    dotted: list[str]
    """Importable name of each file's module, empty for prose."""
    kinds: list[str]
    summaries: list[str]
    """Summary in one line, if the graph has one: docstring head of a definition, summary of a module, heading of prose."""
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
        return qualname_of(self.columns.keys[place])

    def name(self, place: int) -> str:
        """Return the short name: last part of the qualname, or the file's name."""
        qualname = self.qualname(place)
        return qualname.rsplit(".", 1)[-1] if qualname else self.path(place).rsplit("/", 1)[-1]

    def id(self, place: int) -> str:
        return self.columns.node_id(place, int(self.file[place]))

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for place, key in enumerate(self.columns.keys[self.file_count :], self.file_count):
            found.setdefault(qualname_of(key).rsplit(".", 1)[-1], []).append(place)
        return found

    @cached_property
    def by_path(self) -> Mapping[str, int]:
        return {path: place for place, path in enumerate(self.columns.paths)}

    @cached_property
    def by_id(self) -> Mapping[str, int]:
        return {self.id(place): place for place in range(len(self))}

    @cached_property
    def definitions(self) -> Mapping[int, Integers]:
        """Map each file to its classes and functions, outer ones first."""
        files = self.file[self.file_count :]
        borders = np.searchsorted(files, np.arange(self.file_count + 1)) + self.file_count
        return {
            file: np.arange(borders[file], borders[file + 1], dtype=np.int32)
            for file in range(self.file_count)
            if borders[file] < borders[file + 1]
        }

    def standing(self, file: int) -> DefinitionSpans:
        inside = self.definitions.get(file, np.zeros(0, dtype=np.int32))
        first = int(inside[0]) if len(inside) else 0
        rows = slice(first, first + len(inside))
        parents = self.parent[rows]
        return DefinitionSpans(
            self.columns.paths[file],
            self.columns.keys[rows],
            self.columns.summaries[rows],
            np.asarray(self.start_line[rows]),
            np.asarray(self.end_line[rows]),
            np.where(parents < self.file_count, 0, parents - first + 1).astype(np.int32),
            (self.label[rows] == FUNCTION).astype(np.int32),
        )

    def standings(self) -> list[int]:
        """Return the `DefinitionSpans.digest` of all files."""
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
        sums = np.concatenate([[0], np.cumsum(mix_columns(*(row.astype(np.int64) for row in rows)))])
        return [int(value) for value in (sums[borders[1:]] - sums[borders[:-1]]) % MODULUS]

    def save(self, folder: Path) -> None:
        (folder / COLUMN_FILE).write_bytes(msgspec.msgpack.encode(self.columns))
        for array in fields(self)[1:]:
            np.save(folder / f"places.{array.name}.npy", getattr(self, array.name))

    @classmethod
    def load(cls, folder: Path) -> Places:
        """Read the files written by `save`. Raises: OSError, ValueError or msgspec.MsgspecError if missing or damaged."""
        columns = msgspec.msgpack.decode((folder / COLUMN_FILE).read_bytes(), type=PlaceColumns)
        return cls(columns, *(load_array(folder / f"places.{array.name}.npy") for array in fields(cls)[1:]))


Mask = NDArray[np.bool_]


def admitted(places: Places, request: SearchRequest) -> Mask:
    """Return for each place whether it passes the request's filters. Raises: QueryRefusedError."""
    mask = admitted_files(places, request)[places.file]
    if request.labels:
        mask &= np.isin(places.label, [_label(label) for label in request.labels])
    if request.kinds:
        mask &= np.isin(np.array(places.columns.kinds), list(request.kinds))
    if request.tests is not WithTests.INCLUDE:
        mask &= places.is_test == (request.tests is WithTests.ONLY)
    return mask


def admitted_files(places: Places, request: SearchRequest) -> Mask:
    """Return for each file whether it passes the filters of path and language."""
    mask = np.ones(places.file_count, dtype=np.bool_)
    if request.languages:
        wanted = {language.lower() for language in request.languages}
        mask &= np.array([language.lower() in wanted for language in places.columns.languages], dtype=np.bool_)
    if request.path_globs:
        globs = [glob_pattern(glob) for glob in request.path_globs]
        mask &= np.array([any(glob.fullmatch(path) for glob in globs) for path in places.columns.paths], dtype=np.bool_)
    return mask


def _label(label: str) -> int:
    if label not in LABELS:
        raise QueryRefusedError(f"unknown label {label!r}; searchable: {', '.join(LABELS)}", reason="label")
    return LABELS.index(label)


_GLOB_PARTS: Final = re.compile(r"\*\*/|\*\*|\*|[^*]+")
_MAX_FOLDER_STARS: Final = 3
"""Maximum number of `**` in one glob: the time of a match grows with the length of the path to this power."""


@lru_cache(maxsize=256)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Translate a path glob: `*` and `?` stay within a folder, `**` does not; without `/` it matches at any depth.

    The text between two stars matches where it first can (an atomic group), since a later position leaves less for the rest: otherwise
    time would be exponential in the number of stars. Raises: QueryRefusedError.
    """
    parts = _GLOB_PARTS.findall(glob.removeprefix("./").lstrip("/"))
    if sum(part.startswith("**") for part in parts) > _MAX_FOLDER_STARS:
        raise QueryRefusedError(f"a path glob with more than {_MAX_FOLDER_STARS} `**`", reason="path_glob")
    found = [] if "/" in glob else ["(?:.*/)?"]
    for before, part, after in zip(["", *parts], parts, [*parts[1:], ""], strict=False):
        if part in ("**/", "**"):
            found.append("(?:.*/)?" if part == "**/" else ".*")
        elif part != "*":
            fixed = "".join("[^/]" if char == "?" else re.escape(char) for char in part)
            is_atomic = before == "*" and (after in ("*", "**") or (after == "**/" and part.endswith("/")))
            found.append(f"(?>[^/]*?{fixed})" if is_atomic else f"[^/]*{fixed}" if before == "*" else fixed)
        elif after.startswith("**") or not after:
            found.append("[^/]*")
    return re.compile("".join(found), re.DOTALL)


@dataclass(frozen=True)
class NumberMap:
    """New numbers of files and places in the next index; -1 for dropped ones."""

    files: Integers
    places: Integers

    @property
    def taken(self) -> np.ndarray:
        """Return the previous numbers of the reused places."""
        return np.flatnonzero(self.places >= 0)


@dataclass(frozen=True)
class Renumbering:
    """Merge of two sets of files into one index."""

    sizes: Mapping[str, int]
    """Number of places of each file of the next index, in path order."""
    earlier: NumberMap
    """New numbers by the numbers of the previous index."""
    anew: NumberMap
    """New numbers by the numbers of the other files among themselves."""

    @classmethod
    def of(cls, earlier: Mapping[str, int], kept: frozenset[str], anew: Mapping[str, int]) -> Renumbering:
        """Compute the renumbering; `earlier` and `anew` map files in path order to their number of places, `kept` are the reused files
        of `earlier`."""
        found = {path: size for path, size in earlier.items() if path in kept} | dict(anew)
        sizes = {path: found[path] for path in sorted(found)}
        number = {path: at for at, path in enumerate(sizes)}
        first = _first(list(sizes.values()))
        old = [number[path] if path in kept else -1 for path in earlier]
        return cls(
            sizes,
            _numbers(list(earlier.values()), old, first),
            _numbers(list(anew.values()), [number[path] for path in anew], first),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Return the number of files and places of the next index."""
        return len(self.sizes), sum(self.sizes.values())


def _first(sizes: Sequence[int]) -> np.ndarray:
    """Return the number of each file's first definition."""
    definitions = np.array(sizes, dtype=np.int64) - 1
    first: np.ndarray = len(sizes) + np.cumsum(definitions) - definitions
    return first


def _numbers(sizes: Sequence[int], files: Sequence[int], first: np.ndarray) -> NumberMap:
    to = np.array(files, dtype=np.int64)
    definitions = np.array(sizes, dtype=np.int64) - 1
    shift = np.where(to >= 0, first[to] if len(first) else 0, 0) - _first(sizes)
    own = np.arange(len(sizes), len(sizes) + int(definitions.sum()))
    places = np.where(np.repeat(to >= 0, definitions), own + np.repeat(shift, definitions), -1)
    return NumberMap(to.astype(np.int32), np.concatenate([to, places]).astype(np.int32))
