"""Rows and nodes of named queries as records."""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.graphstore.code.records import Definition, Edge, OutsideName, RepositoryRecord
from repoquarry.graphstore.model.properties import real, text, texts, whole, wholes
from repoquarry.graphstore.model.values import Node, Value

Row = Mapping[str, Value]


def definition_of(node: Node) -> Definition:
    """A Module, Class or Function."""
    read = node.properties.get
    return Definition(
        id=node.id,
        label=node.labels[0],
        repository=text(read("repository")),
        path=text(read("path")),
        qualname=text(read("qualname")),
        name=text(read("name")),
        kind=text(read("kind")) or "module",
        start_line=whole(read("start_line")),
        end_line=whole(read("end_line")),
        signature=text(read("signature")),
        docstring=text(read("docstring")),
        summary=text(read("summary")),
        is_test=bool(read("is_test")),
        importance=real(read("importance")),
        calls_in=whole(read("calls_in")),
        entry_points=texts(read("entry_points")),
        is_core=bool(read("is_core")),
    )


def repository_of(properties: Mapping[str, Value]) -> RepositoryRecord:
    """A Repository by its properties."""
    read = properties.get
    return RepositoryRecord(
        id=text(read("id")),
        source=text(read("source")),
        summary=text(read("summary")),
        languages=texts(read("languages")),
        files=whole(read("files")),
        lines=whole(read("lines")),
        commit=text(read("commit")),
        readme=text(read("readme")),
        unresolved_calls=whole(read("unresolved_calls")),
        left_out=whole(read("left_out")),
    )


def edge_of(kind: str, start: Definition, end: Definition, row: Row) -> Edge:
    """A relationship between two definitions, with what its row says of it."""
    names = ", ".join(texts(row.get("names")))
    return Edge(
        kind,
        start,
        end,
        count=whole(row.get("count")) or 1,
        lines=wholes(row.get("lines")),
        how=text(row.get("how")) or names or text(row.get("kind")),
        confidence=real(row["confidence"]) if row.get("confidence") is not None else 1.0,
    )


def outside_of(row: Row) -> OutsideName:
    """Something outside the repository that is called or imported."""
    return OutsideName(text(row["name"]), whole(row["count"]), wholes(row["lines"]))
