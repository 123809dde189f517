"""Formatting of answers as text for terminals and MCP: tables, locations, evidence; escaping of control characters; TSV reader."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from repoquarry.operations.render import Table
    from repoquarry.v1.basis_pb2 import AnswerBasis, RepositoryBasis

# Control characters (C0 except tab and line feed, DEL, C1), line and paragraph separators, lone surrogates, and invisible format
# characters, such as bidirectional controls.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_PART = re.compile(
    r".+?(?:[\s/]+|\.(?=\w{5})|(?<=\w{12})_(?=\w{5})|(?<=\w{12})(?=[A-Z][a-z]{3})|(?<=[\w.]{12}):(?=\d)|$)"
)
_SOURCE_LINE = re.compile(r" *\d+  ")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
TABLES = Path(__file__).with_name("tables")
"""Folder of the tables and texts that this package reads."""


def read_table(name: str) -> list[list[str]]:
    """Read the rows of a table, tab-separated below a header."""
    lines = (TABLES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def escape_controls(text: str) -> str:
    """Replace characters that could control a terminal; tabs and line breaks are kept."""
    return _HARMFUL.sub(_REPLACEMENT, text.replace("\r\n", "\n"))


def escape_to_line(text: str) -> str:
    """Replace control characters, tabs and line breaks by spaces."""
    return _HARMFUL.sub(" ", text).replace("\n", " ").replace("\t", " ")


def json_text(
    value: object, indent: int | None = None, *, sort_keys: bool = False, default: Callable[[Any], object] | None = None
) -> str:
    """Format JSON with control characters as escapes; `default` converts other objects."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, default=default)
    return _HARMFUL.sub(lambda match: json.dumps(match.group())[1:-1], text)


def terminal_width() -> int:
    """Return the columns of a text: `COLUMNS`, or those of the terminal behind stdout, or 80, also where stdout is redirected."""
    return shutil.get_terminal_size().columns


def wrap_text(text: str, width: int) -> str:
    """Wrap the lines of a text at spaces, with the indentation of each line; 0 means no limit."""
    if not width:
        return text
    lines = []
    for line in text.split("\n"):
        indent = re.match(r"\s*(?:\d+\. |- )?", line)
        hang = " " * (len(indent[0]) if indent else 0)
        wrapped = textwrap.wrap(line, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
        lines += wrapped or [""]
    return "\n".join(lines)


def fit_text(text: str, width: int) -> str:
    """Fit a text of an answer into columns: numbered lines of source are cut, other lines are wrapped; 0 means no limit."""
    lines = text.split("\n")
    fitted = (_cut(line, width) if _SOURCE_LINE.match(line) else wrap_text(line, width) for line in lines)
    return "\n".join(fitted) if width else text


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"


def format_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = (), indent: int = 0
) -> str:
    """Format rows in aligned columns below a header; `right` are right-aligned columns.

    The columns fit `terminal_width`; last columns that do not fit even when they are wrapped follow below each row.
    """
    table = [list(header), *(list(row) for row in rows)]
    count = _count_fitting(table, indent)
    given = fit_widths([row[:count] for row in table], indent)
    lines: list[str] = []
    for row in table:
        lines += (" " * indent + aligned(line, given, right=right) for line in wrap_row(row[:count], given))
        if below := "  ".join(filter(None, map(escape_to_line, row[count:]))):
            lines.append(fit_text(" " * (indent + 4) + below, terminal_width()))
    return "\n".join(lines)


def _count_fitting(table: Sequence[Sequence[str]], indent: int) -> int:
    """Return how many columns fit the terminal, at least one."""
    count, most = len(table[0]), terminal_width() - indent
    least = _least_widths(table)
    while most > 0 and count > 1 and sum(least[:count]) + 2 * count - 2 > most:
        count -= 1
    return count


def _least_widths(table: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of the longest part of each column that is not wrapped."""
    return [
        max(_width(part.rstrip()) for row in table for part in _parts(row[place])) for place in range(len(table[0]))
    ]


def format_tables(tables: Iterable[Table]) -> str:
    """Format the tables of an answer with a blank line between them; a table without rows, title and notes is left out."""
    parts = []
    for table in tables:
        indent = 2 * bool(table.title)
        margin = " " * indent
        lines = [fit_text(table.title, terminal_width())] if table.title else []
        if table.columns and table.rows:
            lines.append(format_table(table.columns, table.rows, right=table.right, indent=indent))
        else:
            lines += [fit_text("  ".join(row), terminal_width()) for row in table.rows]
        lines += [fit_text(margin + note, terminal_width()) for note in table.notes]
        parts.append("\n".join(lines))
    return "\n\n".join(filter(None, parts))


Columns = Mapping[str, Callable[[Any], str]]
"""Heading of each column, and the formatter of its cell from a record."""


def format_records(noun: str, columns: Columns, records: Iterable[Any], *, right: Sequence[int] = ()) -> str:
    """Format records as a table; an empty list as "no" and the plural noun."""
    rows = [[format_cell(record) for format_cell in columns.values()] for record in records]
    return format_table(tuple(columns), rows, right=right) if rows else f"no {noun}"


def format_time(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


def fit_widths(table: Sequence[Sequence[str]], indent: int = 0) -> list[int]:
    """Return the width of each column such that a row fits the terminal; columns above twenty characters are narrowed first."""
    given = [max(_width(escape_to_line(row[place])) for row in table) for place in range(len(table[0]))]
    most = max(terminal_width() - indent, 0)
    least = _least_widths(table)
    for floor in ([max(part, min(width, 20)) for part, width in zip(least, given, strict=True)], least):
        while most and sum(given) + 2 * len(given) - 2 > most:
            wide = [place for place, width in enumerate(given) if width > floor[place]]
            if not wide:
                break
            given[max(wide, key=lambda place: given[place])] -= 1
    return given


def wrap_row(row: Sequence[str], given: Sequence[int]) -> Iterator[list[str]]:
    """Yield the lines of a row whose cells are wrapped between words and parts of paths and of long names."""
    cells = []
    for text, width in zip(row, given, strict=True):
        lines = [""]
        for part in _parts(text):
            lines[-1:] = [lines[-1] + part] if _width((lines[-1] + part).rstrip()) <= width else [lines[-1], part]
        cells.append([line.rstrip() for line in lines if line.strip()] or [""])
    yield from map(list, itertools.zip_longest(*cells, fillvalue=""))


def _parts(text: str) -> list[str]:
    """Split a cell where it may wrap: names of more than twelve characters also behind an underscore and before a capital."""
    return _PART.findall(escape_to_line(text))


def aligned(row: Sequence[str], given: Sequence[int], *, right: Sequence[int] = ()) -> str:
    """Format one row with the cells padded to the column widths."""
    cells = []
    for place, text in enumerate(map(escape_to_line, row)):
        space = " " * (given[place] - _width(text))
        cells.append(space + text if place in right else text + space)
    return "  ".join(cells).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def format_size(size_bytes: float) -> str:
    """Format bytes in the largest binary unit below 1024."""
    unit = "bytes"
    for larger in ("KiB", "MiB", "GiB"):
        if size_bytes < 1024:
            break
        size_bytes, unit = size_bytes / 1024, larger
    return f"{size_bytes:.0f} {unit}"


def format_duration(seconds: float) -> str:
    """Format a duration in seconds, minutes or hours."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{seconds:.0f} s" if seconds < 100 else f"{minutes} min" if minutes < 100 else f"{minutes / 60:.1f} h"


def short(resource: str) -> str:
    """Return the id in a resource name."""
    return resource.rpartition("/")[2]


WHOLE_BASIS: ContextVar[bool] = ContextVar("whole_basis", default=False)
"""Whether the text of an answer ends with all of its basis, as `--basis` asks; otherwise it ends with one line of it."""


def list_basis(basis: AnswerBasis, *, whole: bool = False) -> list[str]:
    """List the line of provenance and the notes of an answer, of any width; all of its basis with `whole` or `WHOLE_BASIS`."""
    notes = [f"note: {note}" for note in basis.notes if note not in basis.summary]
    lines = [basis.summary, *notes, *(_format_details(basis) if whole or WHOLE_BASIS.get() else ())]
    return [line for line in lines if line]


def format_basis(basis: AnswerBasis) -> list[str]:
    """Format the basis of an answer for a terminal."""
    return [wrap_text(line, terminal_width()) for line in list_basis(basis)]


def fit_basis(basis: AnswerBasis, limit: int) -> str:
    """Return the line of provenance and the notes within some characters: the clause goes first, then notes; nothing is cut."""
    head = basis.summary.partition("; ")[0]
    notes = " ".join(f"note: {' '.join(note.split())}" for note in basis.notes if note not in basis.summary)
    forms = (f"{basis.summary} {notes}", f"{head} {notes}", basis.summary, head)
    return next((text.rstrip() for text in forms if len(text.rstrip()) <= limit), "")


def _format_details(basis: AnswerBasis) -> list[str]:
    """Format all of a basis, a line for each repository."""
    from repoquarry.languages.registry import CALLS_UNKNOWN  # Lazy import: `version` formats no answer.

    has_calls = not any(note.endswith(CALLS_UNKNOWN) for note in basis.notes)
    lines = [f"basis: {_repository(entry, has_calls=has_calls)}" for entry in basis.repositories]
    if basis.repository_count > len(basis.repositories):
        lines.append(f"basis: {basis.repository_count - len(basis.repositories)} more repositories")
    return lines


def _repository(entry: RepositoryBasis, *, has_calls: bool) -> str:
    from repoquarry.graphstore.model.values import count_noun  # Lazy import: `version` formats no answer.

    git = "git unreadable" if entry.freshness.git_problem else "no git"
    at = f"commit {entry.commit[:12]}" if entry.commit else f"revision {entry.revision[:12]} ({git})"
    parts = [f"{short(entry.repository)} at {at}{' with uncommitted changes' if entry.dirty else ''}"]
    parts.append(_fresh(entry, count_noun))
    if entry.left_out_count:
        why = ", ".join(f"{reason.count} {reason.reason}" for reason in entry.left_out_reasons[:3])
        parts.append(f"{count_noun(entry.left_out_count, 'file')} skipped ({why})")
    if entry.parse_error_count:
        parts.append(f"{count_noun(entry.parse_error_count, 'file')} with syntax errors")
    calls = entry.unresolved_calls
    if calls.HasField("relevant") and calls.relevant:
        more = ", …" if len(calls.names) > 3 else ""
        names = f" (calls of {', '.join(name.name for name in calls.names[:3])}{more})" if calls.names else ""
        parts.append(f"{calls.relevant} of {calls.total} unresolved calls may affect this answer{names}")
    elif has_calls:
        parts.append(count_noun(calls.total, "unresolved call"))
    if calls.external:
        more = ", …" if len(calls.external_names) > 3 else ""
        names = ", ".join(name.name for name in calls.external_names[:3])
        parts.append(
            f"{count_noun(calls.external, 'call')} of other libraries {'uses' if calls.external == 1 else 'use'} the same names ({names}{more})"
        )
    return "; ".join(part for part in parts if part)


def _fresh(entry: RepositoryBasis, count_noun: Callable[[int, str], str]) -> str:
    fresh = entry.freshness
    match fresh.State.Name(fresh.state):
        case "STATE_CURRENT":
            return "up to date"
        case "STATE_STALE":
            counts = [
                count_noun(count, noun)
                for count, noun, known in (
                    (fresh.commits, "commit", fresh.HasField("commits")),
                    (fresh.files, "file", fresh.HasField("files")),
                )
                if known and count
            ]
            late = f"out of date{' by ' + ', '.join(counts) if counts else ''}; re-index"
            return f"{late}; {fresh.git_problem}" if fresh.git_problem else late
        case _:
            return f"freshness unknown{': ' + fresh.note if fresh.note else ''}"


def numbered(lines: Sequence[str]) -> list[str]:
    width = len(str(len(lines)))
    return [f"  {number:>{width}}  {line}" for number, line in enumerate(lines, 1)]
