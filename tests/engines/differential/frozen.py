"""Loader of the frozen graphs that both engines are compared on: plain tables in `frozen.json.xz`, made by `freeze`."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import msgspec

from repoquarry.graphstore.model.graph_tables import NodeTable, RelationshipTable, RepositoryGraph

FILE = Path(__file__).with_name("frozen.json.xz")


def load_graphs() -> list[RepositoryGraph]:
    """Read the graphs in the order in which they are stored; a graph that links to another one comes after it."""
    return [
        RepositoryGraph(
            graph["repository"],
            [NodeTable(table["label"], table["columns"]) for table in graph["nodes"]],
            [_load_relationships(table) for table in graph["relationships"]],
        )
        for graph in msgspec.json.decode(lzma.decompress(FILE.read_bytes()))
    ]


def _load_relationships(table: dict[str, Any]) -> RelationshipTable:
    ends = table["start_label"], table["end_label"], table["start"], table["end"]
    return RelationshipTable(table["type"], *ends, table["columns"])
