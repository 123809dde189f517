"""Builders of node and relationship tables, packed columns and node ids.

Columns are made from the schema, so a property that the schema does not know cannot be written, and one that is never given is
left away rather than written as a column of nulls. Values go straight into their columns: a record for each of a quarter of a
million relationships would take longer to make than all the rest of assembly. Rows stay in the order in which they come, which
is fixed, because files are read in path order and resolution sorts what it finds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property
from repoquarry.graphstore.storage.compression import compress, decompress


def code_id(repository: str, path: str, key: str = "") -> str:
    """Of a file, and with the key of a definition of that."""
    return f"{repository}:{path}::{key}" if key else f"{repository}:{path}"


def folder_id(repository: str, path: str) -> str:
    """Of a folder; the root is `.`."""
    return f"{repository}:{path}"


def package_id(ecosystem: str, name: str) -> str:
    """Of a package, which all repositories share."""
    return f"package:{ecosystem}/{name}"


Kind = tuple[str, ...]
"""What a table holds: a label, or type and labels of relationships."""

KEYS: Mapping[int, tuple[str, ...]] = {1: ("id",), 3: ("^start", "^end")}
"""Columns that say which row is which, by the length of a kind; no property begins with a circumflex."""

_ENCODER = msgspec.msgpack.Encoder()


class PackedColumn(msgspec.Struct, array_like=True, frozen=True):
    """A column as it is kept."""

    digest: bytes
    """Equal digests are equal values, kinds included."""
    packed: bytes

    @classmethod
    def of(cls, cells: Sequence[Cell], before: PackedColumn | None) -> PackedColumn:
        """`before` where that is equal."""
        data = _ENCODER.encode(cells)
        digest = hashlib.sha256(data).digest()
        return before if before is not None and before.digest == digest else cls(digest, compress(data))

    def cells(self) -> list[Cell]:
        """Raises: StoreCorruptError."""
        try:
            return msgspec.msgpack.decode(decompress(self.packed), type=list)
        except msgspec.MsgspecError as exc:
            raise StoreCorruptError(f"a stored graph is damaged ({exc}); index the repository again") from exc


Columns = Mapping[tuple[Kind, str], PackedColumn]
"""By their table's kind and their name."""


def group_tables(graph: RepositoryGraph) -> list[tuple[Kind, NodeTable | RelationshipTable]]:
    """Tables by what they hold, each kind once."""
    nodes = [((table.label,), table) for table in graph.nodes]
    return [*nodes, *(((one.type, one.start_label, one.end_label), one) for one in graph.relationships)]


def iterate_cells(table: NodeTable | RelationshipTable) -> dict[str, list[Cell]]:
    """All columns, the ends of relationships among them."""
    if isinstance(table, NodeTable):
        return table.columns
    start, end = KEYS[3]
    return {start: table.start, end: table.end, **table.columns}  # type: ignore[dict-item]


def pack_columns(graph: RepositoryGraph, known: Columns, before: Columns) -> Columns:
    """All columns of a graph, in the order of its tables, one at a time, so that the whole is not in memory once more.

    Those that are `known` are these; those of an earlier state are taken where they are equal.
    """
    return {
        (kind, name): known.get((kind, name)) or PackedColumn.of(cells, before.get((kind, name)))
        for kind, table in group_tables(graph)
        for name, cells in iterate_cells(table).items()
    }


def combine_digests(columns: Columns, content: bytes) -> str:
    """One digest of all, and of what the rest of a graph follows from: that of the graph."""
    whole = hashlib.sha256(content)
    for (kind, name), column in columns.items():
        whole.update(_ENCODER.encode((kind, name, column.digest)))
    return whole.hexdigest()


_ROWS = 4_096
"""Rows that wait to be turned into columns; a few at a time are an append for each cell, all at once twice the memory."""


@dataclass(frozen=True, slots=True)
class NodeRef:
    """A node as an endpoint."""

    label: str
    id: str


class _ColumnBuilder:
    """Growing columns of one table."""

    def __init__(self, properties: Sequence[Property]) -> None:
        self._names = tuple(prop.name for prop in properties)
        self._known = frozenset(self._names)
        self._columns: dict[str, list[Cell]] = {name: [] for name in self._names}
        self._waiting: list[tuple[Cell, ...]] = []

    def append(self, values: Mapping[str, Cell]) -> None:
        """Add a row; what is not given is null. Raises: KeyError for a property that the schema does not know."""
        self._refuse_unknown(values)
        self._waiting.append(tuple(map(values.get, self._names)))
        if len(self._waiting) >= _ROWS:
            self._flush()

    def extend(self, columns: Mapping[str, Sequence[Cell]], length: int) -> None:
        """Add so many rows, given as columns. Raises: as `append`."""
        self._refuse_unknown(columns)
        self._flush()
        for name, column in self._columns.items():
            column.extend(columns[name] if name in columns else [None] * length)

    def given(self) -> dict[str, list[Cell]]:
        """The columns in which anything is given."""
        self._flush()
        return {name: column for name, column in self._columns.items() if any(value is not None for value in column)}

    def _flush(self) -> None:
        for column, cells in zip(self._columns.values(), zip(*self._waiting, strict=True), strict=False):
            column.extend(cells)
        self._waiting.clear()

    def _refuse_unknown(self, given: Mapping[str, object]) -> None:
        if not given.keys() <= self._known:
            raise KeyError(f"the schema has no properties {sorted(given.keys() - self._known)}")


class NodeTableBuilder:
    """Nodes of one repository, by label."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._columns = {label: _ColumnBuilder(known.properties) for label, known in NODE_LABELS.items()}
        self._ids: dict[str, set[str]] = {label: set() for label in NODE_LABELS}

    def add(self, label: str, node_id: str, name: str, /, **properties: Cell) -> NodeRef:
        """Add a node; adding the same one again changes nothing."""
        if node_id not in self._ids[label]:
            self._ids[label].add(node_id)
            properties["id"] = node_id
            properties["repository"] = "" if label == "Package" else self._repository
            properties["name"] = name
            self._columns[label].append(properties)
        return NodeRef(label, node_id)

    def add_all(self, label: str, columns: Mapping[str, Sequence[Cell]]) -> None:
        """Add nodes that are not there yet, column by column; `id` and `name` are among the columns."""
        ids = [str(one) for one in columns["id"]]
        self._ids[label].update(ids)
        self._columns[label].extend({**columns, "repository": [self._repository] * len(ids)}, len(ids))

    def tables(self) -> list[NodeTable]:
        """One table for each label that has nodes."""
        return [NodeTable(label, columns.given()) for label, columns in self._columns.items() if self._ids[label]]


class RelationshipTableBuilder:
    """Relationships of one repository, by type and labels. Each pair is added once; see `code_edges` for what is merged."""

    def __init__(self) -> None:
        self._ends: dict[tuple[str, str, str], tuple[list[str], list[str]]] = {}
        self._columns: dict[tuple[str, str, str], _ColumnBuilder] = {}

    def add(self, kind: str, start: NodeRef, end: NodeRef, /, **properties: Cell) -> None:
        """Add a relationship."""
        (starts, ends), columns = self._table(kind, start.label, end.label)
        starts.append(start.id)
        ends.append(end.id)
        columns.append(properties)

    def add_all(
        self, kind: str, labels: tuple[str, str], starts: list[str], ends: list[str], /, **columns: Sequence[Cell]
    ) -> None:
        """Add relationships between nodes of two labels, column by column: the quick way for very many."""
        (all_starts, all_ends), table = self._table(kind, *labels)
        all_starts.extend(starts)
        all_ends.extend(ends)
        table.extend(columns, len(starts))

    def tables(self) -> list[RelationshipTable]:
        """One table for each type and pair of labels, in the schema's order."""
        order = list(RELATIONSHIP_TYPES)
        keys = sorted(self._ends, key=lambda key: (order.index(key[0]), key))
        return [RelationshipTable(*key, *self._ends[key], self._columns[key].given()) for key in keys]

    def _table(self, kind: str, start_label: str, end_label: str) -> tuple[tuple[list[str], list[str]], _ColumnBuilder]:
        key = kind, start_label, end_label
        if key not in self._ends:
            self._ends[key] = [], []
            self._columns[key] = _ColumnBuilder(RELATIONSHIP_TYPES[kind].properties)
        return self._ends[key], self._columns[key]


class RelationshipBatch:
    """Relationships of one type that are found one by one, and added by columns."""

    def __init__(self, kind: str, *names: str) -> None:
        """`names` are the properties that each of them is given."""
        self._kind = kind
        self._names = names
        self._rows: dict[tuple[str, str], list[tuple[Any, ...]]] = {}

    def add(self, start: NodeRef, end: NodeRef, /, *cells: Cell) -> None:
        """Take a relationship with its properties, in the order of the names."""
        self._rows.setdefault((start.label, end.label), []).append((start.id, end.id, *cells))

    def put(self, relationships: RelationshipTableBuilder) -> None:
        """Add all of them."""
        for labels, rows in self._rows.items():
            starts, ends, *columns = zip(*rows, strict=True)
            given = dict(zip(self._names, columns, strict=True))
            relationships.add_all(self._kind, labels, list(starts), list(ends), **given)


def drop_empty(properties: Mapping[str, Cell]) -> dict[str, Cell]:
    """`properties` without those where nothing is known: null, empty text, empty list."""
    return {name: value for name, value in properties.items() if value is not None and value not in ("", [])}
