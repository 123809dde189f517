"""`repoquarry query`: read-only Cypher, from the argument, a file or stdin."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid, refuse

if TYPE_CHECKING:
    from repoquarry.v1.query_service_pb2 import ResultSummary
    from repoquarry.v1.values_pb2 import Value


@with_session
def command(
    session: Session,
    query: Annotated[str | None, typer.Argument(help="The query; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the query from this file.")] = None,
    param: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=JSON", help="Value of $NAME, in JSON.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0, help="Time limit; 0: the store's.")] = 0.0,
    rows: Annotated[int, typer.Option("--rows", min=0, help="Most rows; 0: the store's limit.")] = 0,
) -> None:
    """Run a read-only Cypher query. With `--json`: one object with `columns`, `rows` and `basis`."""
    from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, QueryLimits, ResultSummary

    request = ExecuteCypherRequest(
        query=read_text(query, file, "query"),
        parameters=_parameters(param or []),
        limits=QueryLimits(seconds=seconds, rows=rows),
    )
    header: list[str] = []
    found: list[list[Value]] = []
    summary = ResultSummary()
    with session.api() as api:
        for part in api.queries.execute_cypher(request):
            header += part.header.columns
            found += [list(row.values) for row in part.rows.rows]
            summary.MergeFrom(part.summary)
    if session.as_json:
        session.print_json(_as_json(header, found, summary))
    else:
        _print(header, found, summary)


def read_text(argument: str | None, file: Path | None, what: str) -> str:
    """The text of a command: its argument, a file or stdin. Raises: RequestError."""
    if file is not None:
        if argument is not None:
            raise invalid(what, "given both as an argument and as a file")
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as exc:
            raise refuse("OUTPUT_FAILED", f"{file} cannot be read: {exc}", path=str(file)) from exc
    if argument in (None, "-"):
        return sys.stdin.read()
    return argument or ""


def _parameters(given: list[str]) -> dict[str, Value]:
    from repoquarry.server.values import from_json

    found = {}
    for item in given:
        name, separator, text = item.partition("=")
        if not separator or not name:
            raise invalid("--param", f"{item!r} is not NAME=JSON")
        try:
            found[name] = from_json(json.loads(text))
        except json.JSONDecodeError as exc:
            raise invalid("--param", f"{text!r} is not JSON; texts need quotes: {name}='\"…\"'") from exc
    return found


def _as_json(header: list[str], rows: list[list[Value]], summary: ResultSummary) -> dict[str, Any]:
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.values import to_json

    return {
        "columns": header,
        "rows": [[to_json(value) for value in row] for row in rows],
        "truncated": summary.truncated,
        "truncated_by": summary.truncated_by,
        "warnings": list(summary.warnings),
        "seconds": summary.seconds,
        "basis": plain(summary.basis),
    }


def _print(header: list[str], rows: list[list[Value]], summary: ResultSummary) -> None:
    from repoquarry.server.cli.text import basis_lines, columns

    numbers = [
        place
        for place in range(len(header))
        if rows and all(row[place].WhichOneof("kind") in ("integer_value", "float_value", "null_value") for row in rows)
    ]
    print(columns(header, [[_cell(value) for value in row] for row in rows], right=numbers))
    end = f", cut by the limit on {summary.truncated_by}" if summary.truncated else ""
    print(f"\n{len(rows)} row{'' if len(rows) == 1 else 's'}{end}")
    for warning in summary.warnings:
        print(f"warning: {warning}")
    print("\n".join(basis_lines(summary.basis)))


def _cell(value: Value) -> str:
    """A value on one line: texts as they are, everything else as in JSON; nodes and relationships by what names them."""
    from repoquarry.server.values import to_json

    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return value.string_value
    if kind == "node_value":
        return f"(:{':'.join(value.node_value.labels)} {value.node_value.id})"
    if kind == "relationship_value":
        item = value.relationship_value
        return f"({item.start_id})-[:{item.type}]->({item.end_id})"
    if kind == "path_value":
        path = value.path_value
        if not path.relationships:
            return f"({path.nodes[0].id})" if path.nodes else "()"
        text = f"({path.nodes[0].id})"
        for node, item in zip(path.nodes[1:], path.relationships, strict=False):
            arrow = f"-[:{item.type}]->" if item.end_id == node.id else f"<-[:{item.type}]-"
            text += f"{arrow}({node.id})"
        return text
    return "null" if kind in (None, "null_value") else json.dumps(to_json(value), ensure_ascii=False)
