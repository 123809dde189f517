"""Command `query`: runs Cypher or a named query and writes the rows as table, JSON, JSON lines or CSV."""

from __future__ import annotations

import csv
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from repoquarry import v1 as pb
from repoquarry.server.cli.session import (
    FILE,
    OUTPUT,
    CliSession,
    argument,
    choose_format,
    format_option,
    option,
    read_text,
    with_session,
)
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import aligned, fit_widths, format_basis, json_text, wrap_row

if TYPE_CHECKING:
    from repoquarry.graphstore.model.values import Value as GraphValue

_MEASURED_ROWS = 1_000
"""Number of rows that set the column widths; longer cells of later rows are written complete, out of line."""


class QueryResult:
    """Result of a query, read once: the columns, then the rows, then the summary."""

    def __init__(self, parts: Iterator[pb.ExecuteCypherResponse]) -> None:
        self._parts = parts
        self.columns = list(next(parts).header.columns)
        self.summary: pb.ResultSummary
        """Summary, available after the last row."""

    def rows(self) -> Iterator[Sequence[pb.Value]]:
        for part in self._parts:
            if part.HasField("summary"):
                self.summary = part.summary
            yield from (row.values for row in part.rows.rows)


def _write_table(target: TextIO, result: QueryResult) -> None:
    """Write aligned columns below a header; numbers are right-aligned."""
    rows = result.rows()
    measured = list(itertools.islice(rows, _MEASURED_ROWS))
    places = range(len(result.columns)) if measured else ()
    right = [place for place in places if all(_is_number(row[place]) for row in measured)]
    shown = [result.columns, *([cell(value) for value in row] for row in measured)]
    widths = fit_widths(shown)
    for row in itertools.chain(shown, ([cell(value) for value in row] for row in rows)):
        target.writelines(aligned(line, widths, right=right) + "\n" for line in wrap_row(row, widths))


def _is_number(value: pb.Value) -> bool:
    return value.WhichOneof("kind") in ("integer_value", "float_value", "null_value")


def _write_json(target: TextIO, result: QueryResult) -> None:
    """Write one JSON object with `columns`, `rows`, and the fields of summary and basis."""
    from repoquarry.server.value_messages import to_dict, to_json

    target.write('{"columns": ' + json_text(result.columns) + ', "rows": [')
    for number, row in enumerate(result.rows()):
        target.write((", " if number else "") + json_text([to_json(value) for value in row]))
    names = ("truncated", "truncated_by", "warnings", "seconds", "basis")
    plain = to_dict(result.summary)
    target.write("], " + json_text({name: plain[name] for name in names})[1:] + "\n")


def _write_json_lines(target: TextIO, result: QueryResult) -> None:
    """Write one JSON object per row, by column name."""
    from repoquarry.server.value_messages import to_json

    for row in result.rows():
        target.write(json_text({name: to_json(value) for name, value in zip(result.columns, row, strict=True)}) + "\n")


def _write_csv(target: TextIO, result: QueryResult) -> None:
    """Write RFC 4180 with a header: strings unquoted where possible, null as an empty field, lists, maps and graph values as JSON."""
    writer = csv.writer(target)
    writer.writerow(result.columns)
    writer.writerows([_field(value) for value in row] for row in result.rows())


def _field(value: pb.Value) -> str:
    from repoquarry.server.value_messages import to_json

    kind = value.WhichOneof("kind")
    if kind in (None, "null_value"):
        return ""
    return value.string_value if kind == "string_value" else json_text(to_json(value))


FORMATS: Mapping[str, Callable[[TextIO, QueryResult], None]] = {
    "table": _write_table,
    "json": _write_json,
    "jsonl": _write_json_lines,
    "csv": _write_csv,
}


def cell(value: pb.Value) -> str:
    """Format a value on one line: strings unquoted, nodes and relationships by their ids, other values as JSON."""
    from repoquarry.server.value_messages import to_json

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
    return "null" if kind in (None, "null_value") else json_text(to_json(value))


PARAMETERS: Final = option(None, "--param", "-p", "Value of $NAME as JSON.", metavar="NAME=JSON")
FOLDER: Final = option(None, "--folder", "Folder with named queries of your own (`*.cypher`).")


@with_session
def query_command(
    session: CliSession,
    query: str | None = argument(None, "Query; `-` or nothing reads it from stdin."),
    file: Path | None = FILE,
    named: str | None = option(None, "--named", "Named query to run; `repoquarry queries` lists them.", metavar="NAME"),
    folder: Path | None = FOLDER,
    param: list[str] | None = PARAMETERS,
    seconds: float = option(0.0, "--seconds", "Maximum number of seconds; 0 means the limit of the store.", min=0),
    limit: int = option(
        0, "--limit", "-n", "--rows", "Maximum number of results; 0 means all, or the limit of the server.", min=0
    ),
    form: str | None = format_option(None, FORMATS, "table"),
    output: Path | None = OUTPUT,
) -> None:
    """Run a read-only Cypher query. Rows are written as they arrive; the basis goes to stderr.

    With `--json`, as with `--format json`: one object with `columns`, `rows` and `basis`.
    """
    from repoquarry.server.cli.output import opened

    name = form or ("json" if session.as_json else "table")
    write = choose_format(name, FORMATS)
    values = parse_parameters(param or [])
    if named is None:
        request = pb.ExecuteCypherRequest(query=read_text(query, file, "query"), parameters=to_values(values))
    elif query is not None or file is not None:
        raise invalid_field("--named", "a query is given as well; give one of them")
    else:
        request = named_request(named, values, folder)
    request.limits.CopyFrom(pb.QueryLimits(seconds=seconds, rows=limit))
    with session.api(uncut=True) as api:
        with _caret_on_error(request.query):
            result = QueryResult(iter(api.queries.execute_cypher(request)))  # a rejected query leaves no file
        with opened(output, newline="") as target:
            write(target, result)
    if name != "json":
        _print_summary(result.summary)


@contextmanager
def _caret_on_error(query: str) -> Iterator[None]:
    """Print the line of a rejected query with a caret below the column of the error."""
    from repoquarry.graphstore.errors import QueryRefusedError
    from repoquarry.server.errors import RequestError, to_failure

    try:
        yield
    except (QueryRefusedError, RequestError) as exc:
        place = to_failure(exc).metadata
        line, column = (int(place.get(name, 0)) for name in ("line", "column"))
        lines = query.split("\n")
        if 0 < line <= len(lines) and lines[line - 1].strip() and column:
            start = max(0, column - 60)
            print(lines[line - 1][start : start + 100], " " * (column - start - 1) + "^", sep="\n", file=sys.stderr)
        raise


def parse_parameters(options: list[str]) -> dict[str, GraphValue]:
    """Parse the values of `--param`. Raises: RequestError."""
    found = {}
    for item in options:
        name, separator, text = item.partition("=")
        if not separator or not name:
            raise invalid_field("--param", f"{item!r} is not NAME=JSON")
        try:
            found[name] = json.loads(text)
        except json.JSONDecodeError as exc:
            raise invalid_field("--param", f"{text!r} is not JSON; strings need quotes: {name}='\"…\"'") from exc
    return found


def to_values(values: Mapping[str, GraphValue]) -> dict[str, pb.Value]:
    from repoquarry.server.value_messages import to_proto

    return {name: to_proto(value) for name, value in values.items()}


def named_request(name: str, values: Mapping[str, GraphValue], folder: Path | None) -> pb.ExecuteCypherRequest:
    """Build the request of a named query: of a folder of this machine, or of the store. Raises: NotFoundError, QueryRefusedError."""
    if folder is None:
        return pb.ExecuteCypherRequest(named_query=name, parameters=to_values(values))
    from repoquarry.graphstore.query.query_library import QueryLibrary

    query = QueryLibrary(folder).require(name)
    return pb.ExecuteCypherRequest(query=query.text, parameters=to_values(query.bind(values)))


def _print_summary(summary: pb.ResultSummary) -> None:
    """Print row count, warnings and basis to stderr."""
    end = f", truncated by the limit on {summary.truncated_by}" if summary.truncated else ""
    lines = [f"{summary.row_count:,} row{'' if summary.row_count == 1 else 's'}{end}"]
    lines += [f"warning: {warning}" for warning in summary.warnings]
    print(*lines, *format_basis(summary.basis), sep="\n", file=sys.stderr)
