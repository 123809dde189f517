"""Export formats: CSV for neo4j-admin, and Parquet.

There is a file for each label and for each type between two labels; ids are grouped by label, because they are unique only within
a label. Several repositories share files: a shared package is written once, and links to other repositories are omitted, because
the engine could not write an incomplete repository later.
"""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.server.errors import request_error
from repoquarry.server.exports.graph_source import ApiGraphSource, GraphSource

ARGUMENTS = "arguments.txt"
_SEPARATOR = "\x1f"
"""Separator of list elements; it is replaced in texts."""
_TYPES = {
    PropertyKind.STRING: "string",
    PropertyKind.INTEGER: "long",
    PropertyKind.FLOAT: "double",
    PropertyKind.BOOLEAN: "boolean",
    PropertyKind.STRINGS: "string[]",
    PropertyKind.INTEGERS: "long[]",
}


def write_neo4j_csv(graphs: Iterable[GraphSource], chosen: Collection[str], folder: Path, database: str) -> str:
    """Write the files of the `chosen` repositories into an existing folder. Returns the import command.

    `graphs` are the graphs of the repositories, read one after the other.
    """
    with ExitStack() as opened:
        nodes, edges = _Files(folder, opened), _Files(folder, opened)
        packages: set[str] = set()
        for graph in graphs:
            absent = _write_nodes(graph, nodes, chosen, packages)
            _write_relationships(graph, edges, absent)
    lines = [f"--nodes={folder / name}" for name in nodes.names()]
    lines += [f"--relationships={folder / name}" for name in edges.names()]
    lines += ["--array-delimiter=U+001F", "--multiline-fields=true"]
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"neo4j-admin database import full {database} --overwrite-destination @{folder / ARGUMENTS}"


def _write_nodes(
    graph: GraphSource, files: _Files, chosen: Collection[str], packages: set[str]
) -> set[tuple[str, str]]:
    """Write the nodes of a repository and its packages. Returns label and id of the nodes outside the chosen repositories."""
    absent: set[tuple[str, str]] = set()
    for node in graph.nodes():
        owner = node.properties["repository"]
        if node.label == "Package":
            if node.id in packages:
                continue
            packages.add(node.id)
        elif owner != graph.repository:
            if owner not in chosen:
                absent.add((node.label, node.id))
            continue
        properties = [prop for prop in NODE_LABELS[node.label].properties if prop.name != "id"]
        header = [f"id:ID({node.label})", *map(_column, properties), ":LABEL"]
        row = [node.id, *(node.properties.get(prop.name) for prop in properties), node.label]
        files.write(f"nodes-{node.label}", header, row)
    return absent


def _write_relationships(graph: GraphSource, files: _Files, absent: set[tuple[str, str]]) -> None:
    for item in graph.relationships():
        if (item.end_label, item.end_id) in absent:
            continue
        properties = list(RELATIONSHIP_TYPES[item.type].properties)
        ends = [f":START_ID({item.start_label})", f":END_ID({item.end_label})"]
        row = [item.start_id, item.end_id, *(item.properties.get(prop.name) for prop in properties), item.type]
        name = f"relationships-{item.type}-{item.start_label}-{item.end_label}"
        files.write(name, [*ends, *map(_column, properties), ":TYPE"], row)


class _Files:
    """Compressed files, opened at their first row."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder = folder
        self._opened = opened
        self._files: dict[str, IO[str]] = {}

    def write(self, name: str, header: Sequence[str], row: Iterable[Any]) -> None:
        file = self._files.get(name)
        if file is None:
            path = self._folder / f"{name}.csv.gz"
            compressed = gzip.open(path, "wt", encoding="utf-8", newline="", compresslevel=5)  # noqa: SIM115  the stack closes it
            file = self._opened.enter_context(compressed)
            self._files[name] = file
            file.write(",".join(header) + "\n")
        file.write(",".join(map(_cell, row)) + "\n")

    def names(self) -> list[str]:
        return [f"{name}.csv.gz" for name in self._files]


def _column(prop: Property) -> str:
    return f"{prop.name}:{_TYPES[prop.kind]}"


def _cell(value: Any) -> str:
    """Format a value for the importer: nothing for null, quotes around all text, so that empty text is kept."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return _quoted(_SEPARATOR.join(str(item).replace(_SEPARATOR, " ") for item in value))
    return _quoted(str(value))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


_BATCH = 5_000
"""Rows of one row group in memory."""


def write_parquet(graph: ApiGraphSource, folder: Path) -> str:
    """Write the files into an existing folder. Returns their description. Raises: RequestError without pyarrow."""
    with ExitStack() as opened:
        tables = _Tables(folder, opened)
        for node in graph.nodes():
            tables.add(f"nodes-{node.label}", {"id": node.id, **node.properties}, NODE_LABELS[node.label].properties)
        for item in graph.relationships():
            row = {name: getattr(item, name) for name in _ENDS} | item.properties
            tables.add(f"relationships-{item.type}", row, RELATIONSHIP_TYPES[item.type].properties, _ENDS)
        tables.flush()
    return f"{len(tables.names)} Parquet files in {folder}"


_ENDS = ("start_id", "start_label", "end_id", "end_label")


class _Tables:
    """Files that are opened at their first row and written in batches."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as exc:
            message = "Parquet needs pyarrow: pip install 'repoquarry[parquet]'"
            raise request_error("EXTRA_MISSING", message, extra="parquet") from exc
        self._arrow: Any = pyarrow
        self._folder = folder
        self._opened = opened
        self._writers: dict[str, Any] = {}
        self._waiting: dict[str, list[dict[str, Any]]] = {}

    @property
    def names(self) -> list[str]:
        return list(self._writers)

    def add(self, name: str, row: dict[str, Any], properties: Sequence[Property], ends: Sequence[str] = ()) -> None:
        if name not in self._writers:
            schema = self._schema(properties, ends)
            path = str(self._folder / f"{name}.parquet")
            writer = self._arrow.parquet.ParquetWriter(path, schema, compression="zstd")
            self._writers[name] = self._opened.enter_context(writer)
        waiting = self._waiting.setdefault(name, [])
        waiting.append(row)
        if len(waiting) >= _BATCH:
            self._write(name)

    def flush(self) -> None:
        """Write the pending rows."""
        for name in list(self._waiting):
            self._write(name)

    def _write(self, name: str) -> None:
        rows, writer = self._waiting.pop(name), self._writers[name]
        writer.write_table(self._arrow.Table.from_pylist(rows, schema=writer.schema))

    def _schema(self, properties: Sequence[Property], ends: Sequence[str]) -> Any:
        arrow = self._arrow
        kinds = {
            PropertyKind.STRING: arrow.string(),
            PropertyKind.INTEGER: arrow.int64(),
            PropertyKind.FLOAT: arrow.float64(),
            PropertyKind.BOOLEAN: arrow.bool_(),
            PropertyKind.STRINGS: arrow.list_(arrow.string()),
            PropertyKind.INTEGERS: arrow.list_(arrow.int64()),
        }
        fields = [(name, arrow.string()) for name in ends]
        return arrow.schema([*fields, *((prop.name, kinds[prop.kind]) for prop in properties)])
