"""Parquet for pandas, DuckDB, Spark: a file for each label and each type, with the schema's types. Needs the extra `parquet`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property, PropertyKind
from repoquarry.server.errors import refuse
from repoquarry.server.exports.reading import RepositoryGraph

_BATCH = 5_000
"""Rows of one row group, which is what memory holds."""


def write(graph: RepositoryGraph, folder: Path) -> str:
    """Write the files into an existing folder; what they are. Raises: RequestError without pyarrow."""
    with ExitStack() as opened:
        tables = _Tables(folder, opened)
        for node in graph.nodes():
            tables.add(f"nodes-{node.label}", {"id": node.id, **node.properties}, NODE_LABELS[node.label].properties)
        for item in graph.relationships():
            row = {
                "start_id": item.start_id,
                "start_label": item.start_label,
                "end_id": item.end_id,
                "end_label": item.end_label,
                **item.properties,
            }
            tables.add(f"relationships-{item.type}", row, RELATIONSHIP_TYPES[item.type].properties, _ENDS)
        tables.flush()
    return f"{len(tables.names)} Parquet files in {folder}"


_ENDS = ("start_id", "start_label", "end_id", "end_label")


class _Tables:
    """Files that are opened when their first row comes and written a batch at a time."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as exc:
            message = "Parquet needs pyarrow: pip install 'repoquarry[parquet]'"
            raise refuse("EXTRA_MISSING", message, extra="parquet") from exc
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
        """Write what waits."""
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
