"""Command `query`, and its result formats."""

from __future__ import annotations

import csv
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from repoquarry.server.cli.options import FILE, OUTPUT, argument, choose_format, format_option, option
from repoquarry.server.cli.session import CliSession, read_text, with_session
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import aligned, fit_widths, format_basis, json_text, wrap_row

if TYPE_CHECKING:
    from repoquarry.graphstore.model.values import Value as GraphValue
    from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, ResultSummary
    from repoquarry.v1.values_pb2 import Value

_MEASURED_ROWS = 1_000
"""Number of rows that set the column widths; longer cells of later rows are written complete, out of line."""


class ResultFormat(ABC):
    """Writer of one result: `begin` once, `rows` any number of times, `end` once."""

    def __init__(self, target: TextIO) -> None:
        self._target = target
        self._write = target.write
        self._columns: Sequence[str] = ()

    def begin(self, columns: Sequence[str]) -> None:
        self._columns = columns

    @abstractmethod
    def rows(self, rows: Sequence[Sequence[Value]]) -> None: ...

    def end(self, summary: ResultSummary) -> None:  # noqa: B027 - most formats end without one
        """Write nothing after the last row."""


class TableFormat(ResultFormat):
    """Writer of aligned columns below a header; numbers are right-aligned."""

    def __init__(self, target: TextIO) -> None:
        super().__init__(target)
        self._pending: list[Sequence[Value]] = []
        self._widths: list[int] | None = None
        self._right: list[int] = []

    def rows(self, rows: Sequence[Sequence[Value]]) -> None:
        if self._widths is None:
            self._pending += rows
            if len(self._pending) >= _MEASURED_ROWS:
                self._write_first_rows()
        else:
            self._lines([[cell(value) for value in row] for row in rows], self._widths)

    def end(self, summary: ResultSummary) -> None:
        if self._widths is None:
            self._write_first_rows()

    def _write_first_rows(self) -> None:
        self._right = [
            place
            for place in range(len(self._columns))
            if self._pending and all(_is_number(row[place]) for row in self._pending)
        ]
        shown = [list(self._columns), *([cell(value) for value in row] for row in self._pending)]
        self._widths, self._pending = fit_widths(shown), []
        self._lines(shown, self._widths)

    def _lines(self, shown: Sequence[Sequence[str]], given: Sequence[int]) -> None:
        for line in (line for row in shown for line in wrap_row(row, given)):
            self._write(aligned(line, given, right=self._right) + "\n")


def _is_number(value: Value) -> bool:
    return value.WhichOneof("kind") in ("integer_value", "float_value", "null_value")


class JsonFormat(ResultFormat):
    """Writer of one JSON object with `columns`, `rows`, and the fields of summary and basis."""

    _separator = ""

    def begin(self, columns: Sequence[str]) -> None:
        self._write('{"columns": ' + json_text(list(columns)) + ', "rows": [')

    def rows(self, rows: Sequence[Sequence[Value]]) -> None:
        from repoquarry.server.value_messages import to_json

        for row in rows:
            self._write(self._separator + json_text([to_json(value) for value in row]))
            self._separator = ", "

    def end(self, summary: ResultSummary) -> None:
        from repoquarry.server.value_messages import to_dict

        rest = {
            "truncated": summary.truncated,
            "truncated_by": summary.truncated_by,
            "warnings": list(summary.warnings),
            "seconds": summary.seconds,
            "basis": to_dict(summary.basis),
        }
        self._write("], " + json_text(rest)[1:] + "\n")


class JsonLinesFormat(ResultFormat):
    """Writer of one JSON object per row, by column name."""

    def rows(self, rows: Sequence[Sequence[Value]]) -> None:
        from repoquarry.server.value_messages import to_json

        for row in rows:
            entry = {name: to_json(value) for name, value in zip(self._columns, row, strict=True)}
            self._write(json_text(entry) + "\n")


class CsvFormat(ResultFormat):
    """Writer of RFC 4180 with a header: strings unquoted where possible, null as an empty field, lists, maps and graph values as JSON."""

    def begin(self, columns: Sequence[str]) -> None:
        csv.writer(self._target).writerow(columns)

    def rows(self, rows: Sequence[Sequence[Value]]) -> None:
        csv.writer(self._target).writerows([_field(value) for value in row] for row in rows)


def _field(value: Value) -> str:
    from repoquarry.server.value_messages import to_json

    kind = value.WhichOneof("kind")
    if kind in (None, "null_value"):
        return ""
    return value.string_value if kind == "string_value" else json_text(to_json(value))


FORMATS: Mapping[str, Callable[[TextIO], ResultFormat]] = {
    "table": TableFormat,
    "json": JsonFormat,
    "jsonl": JsonLinesFormat,
    "csv": CsvFormat,
}


def cell(value: Value) -> str:
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
    from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, QueryLimits, ResultSummary

    name = form or ("json" if session.as_json else "table")
    writer = choose_format(name, FORMATS)
    values = parse_parameters(param or [])
    if named is None:
        request = ExecuteCypherRequest(query=read_text(query, file, "query"), parameters=to_values(values))
    elif query is not None or file is not None:
        raise invalid_field("--named", "a query is given as well; give one of them")
    else:
        request = named_request(named, values, folder)
    request.limits.CopyFrom(QueryLimits(seconds=seconds, rows=limit))
    summary = ResultSummary()
    with session.api(uncut=True) as api:
        with _caret_on_error(request.query):
            parts = api.queries.execute_cypher(request)  # before the file is opened: a rejected query leaves no file
        with opened(output, newline="") as target:
            shown = writer(target)
            for part in parts:
                if part.HasField("header"):
                    shown.begin(part.header.columns)
                elif part.HasField("rows"):
                    shown.rows([row.values for row in part.rows.rows])
                else:
                    summary = part.summary
            shown.end(summary)
    if name != "json":
        _print_summary(summary)


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


def to_values(values: Mapping[str, GraphValue]) -> dict[str, Value]:
    """Convert parameters to messages."""
    from repoquarry.server.value_messages import to_proto

    return {name: to_proto(value) for name, value in values.items()}


def named_request(name: str, values: Mapping[str, GraphValue], folder: Path | None) -> ExecuteCypherRequest:
    """Build the request of a named query: of a folder of this machine, or of the store. Raises: NotFoundError, QueryRefusedError."""
    from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest

    if folder is None:
        return ExecuteCypherRequest(named_query=name, parameters=to_values(values))
    from repoquarry.graphstore.query.query_library import QueryLibrary

    query = QueryLibrary(folder).require(name)
    return ExecuteCypherRequest(query=query.text, parameters=to_values(query.bind(values)))


def _print_summary(summary: ResultSummary) -> None:
    """Print row count, warnings and basis to stderr."""
    end = f", truncated by the limit on {summary.truncated_by}" if summary.truncated else ""
    lines = [f"{summary.row_count:,} row{'' if summary.row_count == 1 else 's'}{end}"]
    lines += [f"warning: {warning}" for warning in summary.warnings]
    print(*lines, *format_basis(summary.basis), sep="\n", file=sys.stderr)
