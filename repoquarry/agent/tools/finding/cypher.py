"""Tool `cypher`: a reading query of the policy's own, through the same gate and limits as any query from outside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext, rows
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.model.values import Node, Path, Relationship, Value, get_int, get_str


class CypherArguments(Arguments, frozen=True):
    """The query."""

    query: Annotated[str, Meta(description="one reading Cypher statement; labels and properties as in the schema page")]


def run(context: ToolContext, arguments: CypherArguments) -> ToolResult:
    store, settings = context.reader.store, context.settings
    limits = replace(store.settings.limits, rows=settings.query_rows, seconds=settings.query_seconds)
    try:
        result = store.query(arguments.query, {}, limits, context.cancelled, context.client)
    except GraphStoreError as error:
        raise ToolError(str(error)) from error
    lines = [" | ".join(_show(value) for value in row) for row in result.rows]
    if result.truncated:
        lines.append(f"[cut by the limit on {result.truncated}]")
    heading = "\n".join([*result.warnings, " | ".join(result.columns)])
    places = tuple(place for row in result.rows for place in _places(row))
    cut = f", cut by the limit on {result.truncated}" if result.truncated else ""
    return ToolResult(rows(heading, lines), f"{len(result.rows)} rows{cut}", places, tuple(result.rows))


def _show(value: Value) -> str:
    if isinstance(value, Node):
        return f"({':'.join(value.labels)} {value.id})"
    if isinstance(value, Relationship):
        return f"[{value.start_id} {value.type} {value.end_id}]"
    if isinstance(value, Path):
        return " - ".join(_show(node) for node in value.nodes)
    if isinstance(value, list):
        return "[" + ", ".join(_show(item) for item in value) + "]"
    return "null" if value is None else str(value)


def _places(values: Iterable[Value]) -> list[Place]:
    found = []
    for value in values:
        if isinstance(value, Node) and isinstance(path := value.properties.get("path"), str):
            read = value.properties.get
            lines = get_int(read("start_line")), get_int(read("end_line"))
            found.append(Place(get_str(read("repository")), path, get_str(read("qualname")), *lines))
    return found


TOOL = Tool("cypher", "Run one reading Cypher query over the graph of all repositories.", CypherArguments, run)
