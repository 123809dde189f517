"""Export of a repository's Parquet files as one DuckDB database for analysts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import duckdb

from repoquarry.graphstore.engines.duckdb.graph_folder import CONFIG
from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES, Property
from repoquarry.graphstore.query.sql.sql_types import property_type, quote, sql_name

_ENDS = ("start_id", "start_label", "end_id", "end_label")


def _columns(properties: Iterable[Property], ends: Iterable[str] = ()) -> str:
    shown = [f"{name} VARCHAR" for name in ends]
    return ", ".join([*shown, *(f"{quote(p.name)} {sql_name(property_type(p.kind))}" for p in properties)])


_TABLES: Final = {
    **{name: _columns(label.properties) for name, label in NODE_LABELS.items()},
    **{name: _columns(kind.properties, _ENDS) for name, kind in RELATIONSHIP_TYPES.items()},
}
"""Columns of each table; a label and a type have different names."""


def write_database(folder: Path, target: Path) -> int:
    """Write the Parquet files of an export as tables, named like their label or type; return the number of tables.

    Raises: EngineUnavailableError if the file cannot be written.
    """
    partial = target.with_name(f"{target.name}.part")
    try:
        with duckdb.connect(str(partial), config=dict(CONFIG)) as connection:
            for name, columns in _TABLES.items():
                connection.execute(f'CREATE TABLE "{name}" ({columns})')
            for file in folder.glob("*.parquet"):
                insert = f'INSERT INTO "{file.stem.partition("-")[2]}" BY NAME SELECT * FROM read_parquet($file)'
                connection.execute(insert, {"file": str(file)})
        partial.replace(target)
    except duckdb.Error as exc:
        raise EngineUnavailableError(f"{target} could not be written ({exc}); choose another file") from exc
    finally:
        partial.unlink(missing_ok=True)
    return len(_TABLES)
