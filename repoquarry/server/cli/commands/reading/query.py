"""`repoquarry query`: read-only Cypher, from the argument, a file or stdin."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.completion import one_of
from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.errors import invalid, refuse

if TYPE_CHECKING:
    from repoquarry.v1.query_service_pb2 import ResultSummary
    from repoquarry.v1.values_pb2 import Value

_FORMS = "table|json|jsonl|csv"


@with_session
def command(
    session: Session,
    query: Annotated[str | None, typer.Argument(help="The query; `-` or nothing reads it from stdin.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the query from this file.")] = None,
    param: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=JSON", help="Value of $NAME, in JSON.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0, help="Time limit; 0: the store's.")] = 0.0,
    rows: Annotated[int, typer.Option("--rows", min=0, help="Most rows; 0: all, or as many as the server gives.")] = 0,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar=_FORMS,
            help="How rows are written (default: table).",
            autocompletion=one_of(_FORMS.split("|")),
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the rows to this file instead of stdout.")
    ] = None,
) -> None:
    """Run a read-only Cypher query; rows are written as they arrive, and what they rest on goes to stderr.

    With `--json`, as with `--format json`: one object with `columns`, `rows` and `basis`.
    """
    from repoquarry.server.cli.formats import FORMATS
    from repoquarry.server.cli.output import opened
    from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, QueryLimits, ResultSummary

    name = form or ("json" if session.as_json else "table")
    if name not in FORMATS:
        raise invalid("--format", f"{name!r} is not one of {', '.join(FORMATS)}")
    request = ExecuteCypherRequest(
        query=read_text(query, file, "query"),
        parameters=_parameters(param or []),
        limits=QueryLimits(seconds=seconds, rows=rows),
    )
    summary = ResultSummary()
    with session.api(uncut=True) as api:
        parts = api.queries.execute_cypher(request)  # before the file is opened: a refused query leaves none
        with opened(output, newline="") as target:
            shown = FORMATS[name](target.write)
            for part in parts:
                if part.HasField("header"):
                    shown.begin(part.header.columns)
                elif part.HasField("rows"):
                    shown.rows([row.values for row in part.rows.rows])
                else:
                    summary = part.summary
            shown.end(summary)
    if name != "json":
        _tell(summary)


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
    from repoquarry.server.contract.values import from_json

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


def _tell(summary: ResultSummary) -> None:
    """What the rows rest on, on stderr."""
    from repoquarry.server.text import basis_lines

    end = f", cut by the limit on {summary.truncated_by}" if summary.truncated else ""
    lines = [f"{summary.row_count} row{'' if summary.row_count == 1 else 's'}{end}"]
    lines += [f"warning: {warning}" for warning in summary.warnings]
    print(*lines, *basis_lines(summary.basis), sep="\n", file=sys.stderr)
