"""Builders of the node and relationship tables of a graph, with node ids; encoding of table columns for the store.

Columns follow the schema, so unknown properties are rejected and properties without values have no column. Values are
appended to columns directly: one record per relationship would double the time of assembly. Rows keep the order of
insertion, which is deterministic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property
from repoquarry.graphstore.storage.compression import compress, decompress


def code_id(repository: str, path: str, key: str = "") -> str:
    """Return the id of a file, or of a definition in it."""
    return f"{repository}:{path}::{key}" if key else f"{repository}:{path}"


def folder_id(repository: str, path: str) -> str:
    """Return the id of a folder; the root is `.`."""
    return f"{repository}:{path}"


def package_id(ecosystem: str, name: str) -> str:
    """Return the id of a package, which all repositories share."""
    return f"package:{ecosystem}/{name}"


Kind = tuple[str, ...]
"""Kind of a table: a label, or type and labels of relationships."""

KEYS: Mapping[int, tuple[str, ...]] = {1: ("id",), 3: ("^start", "^end")}
"""Names of key columns by length of the kind; properties never begin with a circumflex."""

_ENCODER = msgspec.msgpack.Encoder()


class PackedColumn(msgspec.Struct, array_like=True, frozen=True):
    """Column in stored form."""

    digest: bytes
    """Digest of values and their types."""
    packed: bytes

    @classmethod
    def of(cls, cells: Sequence[Cell], before: PackedColumn | None) -> PackedColumn:
        """Pack a column; return `before` if it is equal."""
        data = _ENCODER.encode(cells)
        digest = hashlib.sha256(data).digest()
        return before if before is not None and before.digest == digest else cls(digest, compress(data))

    def cells(self) -> list[Cell]:
        """Unpack the column. Raises: StoreCorruptError."""
        try:
            return msgspec.msgpack.decode(decompress(self.packed), type=list)
        except msgspec.MsgspecError as exc:
            raise StoreCorruptError(f"a stored graph is damaged ({exc}); index the repository again") from exc


Columns = Mapping[tuple[Kind, str], PackedColumn]
"""Packed columns by kind of table and name."""


def group_tables(graph: RepositoryGraph) -> list[tuple[Kind, NodeTable | RelationshipTable]]:
    nodes = [((table.label,), table) for table in graph.nodes]
    return [*nodes, *(((one.type, one.start_label, one.end_label), one) for one in graph.relationships)]


def iterate_cells(table: NodeTable | RelationshipTable) -> dict[str, list[Cell]]:
    """Iterate over all columns, including the ends of relationships."""
    if isinstance(table, NodeTable):
        return table.columns
    start, end = KEYS[3]
    return {start: table.start, end: table.end, **table.columns}  # type: ignore[dict-item]


def pack_columns(graph: RepositoryGraph, known: Columns, before: Columns) -> Columns:
    """Pack all columns of a graph in table order, one at a time to limit memory.

    Columns in `known` are reused as they are, columns of `before` if they are equal.
    """
    return {
        (kind, name): known.get((kind, name)) or PackedColumn.of(cells, before.get((kind, name)))
        for kind, table in group_tables(graph)
        for name, cells in iterate_cells(table).items()
    }


def combine_digests(columns: Columns, content: bytes) -> str:
    """Combine all digests and other inputs into the digest of a graph."""
    whole = hashlib.sha256(content)
    for (kind, name), column in columns.items():
        whole.update(_ENCODER.encode((kind, name, column.digest)))
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class NodeRef:
    """Node as the end of a relationship."""

    label: str
    id: str


class _ColumnBuilder:
    """Growing columns of one table."""

    def __init__(self, properties: Sequence[Property]) -> None:
        self._columns: dict[str, list[Cell]] = {prop.name: [] for prop in properties}

    def append(self, values: Mapping[str, Cell]) -> None:
        """Append a row; missing values are null. Raises: KeyError for a property that is not in the schema."""
        self._refuse_unknown(values)
        for name, column in self._columns.items():
            column.append(values.get(name))

    def extend(self, columns: Mapping[str, Sequence[Cell]], length: int) -> None:
        """Append rows as columns. Raises: as `append`."""
        self._refuse_unknown(columns)
        for name, column in self._columns.items():
            column.extend(columns[name] if name in columns else [None] * length)

    def given(self) -> dict[str, list[Cell]]:
        """Return the columns that have values."""
        return {name: column for name, column in self._columns.items() if any(value is not None for value in column)}

    def _refuse_unknown(self, given: Mapping[str, object]) -> None:
        if not given.keys() <= self._columns.keys():
            raise KeyError(f"the schema has no properties {sorted(given.keys() - self._columns.keys())}")


class NodeTableBuilder:
    """Builder of the node tables of one repository, by label."""

    def __init__(self, repository: str) -> None:
        self._repository = repository
        self._columns = {label: _ColumnBuilder(known.properties) for label, known in NODE_LABELS.items()}
        self._ids: dict[str, set[str]] = {label: set() for label in NODE_LABELS}

    def add(self, label: str, node_id: str, name: str, /, **properties: Cell) -> NodeRef:
        """Add a node; adding it again has no effect."""
        if node_id not in self._ids[label]:
            self._ids[label].add(node_id)
            properties["id"] = node_id
            properties["repository"] = "" if label == "Package" else self._repository
            properties["name"] = name
            self._columns[label].append(properties)
        return NodeRef(label, node_id)

    def add_all(self, label: str, columns: Mapping[str, Sequence[Cell]]) -> None:
        """Add new nodes by columns; `id` and `name` are required."""
        ids = [str(one) for one in columns["id"]]
        self._ids[label].update(ids)
        self._columns[label].extend({**columns, "repository": [self._repository] * len(ids)}, len(ids))

    def tables(self) -> list[NodeTable]:
        """Return one table per label with nodes."""
        return [NodeTable(label, columns.given()) for label, columns in self._columns.items() if self._ids[label]]


class RelationshipTableBuilder:
    """Builder of relationship tables by type and labels. Each pair is added once; `code_graph` merges."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str, str], tuple[list[str], list[str], _ColumnBuilder]] = {}

    def add(self, kind: str, start: NodeRef, end: NodeRef, /, **properties: Cell) -> None:
        starts, ends, columns = self._table(kind, start.label, end.label)
        starts.append(start.id)
        ends.append(end.id)
        columns.append(properties)

    def add_all(
        self, kind: str, labels: tuple[str, str], starts: list[str], ends: list[str], /, **columns: Sequence[Cell]
    ) -> None:
        """Add relationships between nodes of two labels by columns."""
        all_starts, all_ends, table = self._table(kind, *labels)
        all_starts.extend(starts)
        all_ends.extend(ends)
        table.extend(columns, len(starts))

    def tables(self) -> list[RelationshipTable]:
        """Return one table per type and pair of labels, in schema order."""
        order = list(RELATIONSHIP_TYPES)
        tables = sorted(self._tables.items(), key=lambda item: (order.index(item[0][0]), item[0]))
        return [RelationshipTable(*key, starts, ends, columns.given()) for key, (starts, ends, columns) in tables]

    def _table(self, kind: str, start_label: str, end_label: str) -> tuple[list[str], list[str], _ColumnBuilder]:
        key = kind, start_label, end_label
        if key not in self._tables:
            self._tables[key] = [], [], _ColumnBuilder(RELATIONSHIP_TYPES[kind].properties)
        return self._tables[key]


def drop_empty(properties: Mapping[str, Cell]) -> dict[str, Cell]:
    """Return `properties` without null, empty strings and empty lists."""
    return {name: value for name, value in properties.items() if value is not None and value not in ("", [])}
