"""Loader of the frozen graphs that both engines are compared on: plain tables in `frozen.json.xz`, made by `freeze`."""

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
            [_load_nodes(table) for table in graph["nodes"]],
            [_load_relationships(table) for table in graph["relationships"]],
        )
        for graph in msgspec.json.decode(lzma.decompress(FILE.read_bytes()))
    ]


def _load_nodes(table: dict[str, Any]) -> NodeTable:
    """Read a table; properties that the frozen commit lacked have values that depend on the row."""
    columns, count = table["columns"], len(table["columns"]["id"])
    if table["label"] == "Module":
        days = [f"{2024 + row % 3}-{row % 12 + 1:02}-{row % 28 + 1:02}" if row % 5 else None for row in range(count)]
        columns |= {"last_changed": days, "owner": [day and f"Author {day[-1]}" for day in days]}
    if table["label"] == "Repository":
        columns |= {"commit_date": ["2026-01-31"] * count, "indexed_at": ["2026-02-01T09:30:00Z"] * count}
    return NodeTable(table["label"], columns)


def _load_relationships(table: dict[str, Any]) -> RelationshipTable:
    ends, columns = (table["start_label"], table["end_label"], table["start"], table["end"]), table["columns"]
    if table["type"] == "INHERITS":
        columns |= {"lines": [[row % 40 + 1] for row in range(len(table["start"]))]}
    return RelationshipTable(table["type"], *ends, columns)
