"""`TextView`, a text that can be truncated, and its builder for files, which detects code, documents, tables and logs.

Lines are numbered last, because truncation chooses lines.
"""

from __future__ import annotations

import csv
import enum
import json
import logging
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

import msgspec

from repoquarry.languages.registry import is_source, language_for
from repoquarry.processes.workers import ExitCause, FramedChild, open_worker_pipes, read_frame, write_frame

_log = logging.getLogger(__name__)
_MEMORY_BYTES: Final = 1 << 30
_PARSE_SECONDS: Final = 20.0

_DELIMITERS: Final = {".tsv": "\t", ".csv": ",;\t|", "": ",;\t|"}
_LOGS: Final = frozenset((".log", ".out", ".err"))
_RECORDS: Final = frozenset((".jsonl", ".ndjson"))
_LOG_LINE: Final = re.compile(
    r"\W?\d{4}-\d\d-\d\d[T ]\d\d:|\W?\d\d:\d\d:\d\d|\W?(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b"
)
_SHEBANG: Final = re.compile(r"#!.*\b(python|node)")
_SHEBANG_SUFFIX: Final = {"python": ".py", "node": ".js"}
_SAMPLE_LINES: Final = 30
_LONG_LINE_CHARACTERS: Final = 2_000
_MIN_PARSED: Final = 2_000
"""Characters of a file whose view may be cut; the definitions of a smaller file are not needed."""
_MAX_PARSED: Final = 4_000_000
_MAX_NAMES: Final = 40


class ViewKind(enum.Enum):
    """Structure of a view, which decides how it is truncated."""

    CODE = "code"
    DOCUMENT = "document"
    TABLE = "table"
    """One record per line, with column names in the first line or in the heading."""

    LOG = "log"
    ROWS = "rows"
    """One finding per line, the best first."""


@dataclass(frozen=True)
class DefinitionSpan:
    """Definition inside a code view, by its lines in the file (1-based, inclusive)."""

    qualname: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class TextView:
    """Text to show. `first_line` is the number of its first line in the file; 0 leaves lines unnumbered."""

    kind: ViewKind
    text: str
    heading: str = ""
    """Lines above the text, which are never omitted."""

    first_line: int = 0
    spans: tuple[DefinitionSpan, ...] = ()
    """Definitions in a code view, in any order."""

    path: str = ""
    """File of a code view, which names its language; empty for parts of several files."""

    weights: tuple[float, ...] = ()
    """Weight of each line of rows; empty where the first are the most useful."""

    def lines(self) -> list[str]:
        return self.text.split("\n")

    def render(self) -> str:
        """Render the complete view, with line numbers if it has any."""
        lines = self.lines()
        return self.render_lines(range(len(lines)), lines)

    def render_lines(self, kept: Collection[int], pieces: Sequence[str], numbers: Sequence[int] | None = None) -> str:
        """Render the pieces at the offsets `kept`; every gap states its size.

        A piece is a line, or a part of a long line: then `numbers` has the line offset of each piece.
        """
        shown: list[str] = [self.heading] if self.heading else []
        previous = -1
        for offset in [*sorted(kept), len(pieces)]:
            if offset > previous + 1:
                first, last = (
                    (previous + 1, offset - 1) if numbers is None else (numbers[previous + 1], numbers[offset - 1])
                )
                shown.append(self._gap(first, last))
            if offset < len(pieces):
                shown.append(self._numbered(offset if numbers is None else numbers[offset], pieces[offset]))
            previous = offset
        return "\n".join(shown)

    def _numbered(self, line: int, text: str) -> str:
        return f"{self.first_line + line:>5} {text}" if self.first_line else text

    def _gap(self, first: int, last: int) -> str:
        if not self.first_line:
            return f"[… {last - first + 1} lines omitted]"
        start, end = self.first_line + first, self.first_line + last
        names = [span.qualname for span in self.spans if start <= span.start_line <= end]
        inside = f": {', '.join(names[:6])}{' …' if len(names) > 6 else ''}" if names else ""
        return f"      [… lines {start}-{end} omitted{inside}]"


def build_file_view(
    path: str, text: str, heading: str, first_line: int = 1, spans: Sequence[DefinitionSpan] | None = None
) -> TextView:
    """Build the view of a file. `spans`: its definitions; None parses the file if it is source."""
    named = path + _shebang_suffix(text)
    if is_source(named):
        if spans is None:
            spans = parse_definitions(named, text) if _MIN_PARSED < len(text) < _MAX_PARSED else ()
        return TextView(ViewKind.CODE, text, heading, first_line, tuple(spans), named)
    suffix = PurePosixPath(path).suffix.lower()
    lines = text.splitlines()
    if (decoded := _load_json(suffix, text, lines)) is not None:
        return _build_json_view(decoded, heading)
    if suffix in _RECORDS and lines:
        return TextView(ViewKind.TABLE, text, f"{heading}\n{len(lines)} records, one per line", first_line)
    if delimiter := _find_delimiter(suffix, lines):
        cells = next(csv.reader([lines[0]], delimiter=delimiter))
        shape = f"table of {len(lines) - 1} rows below its first line, {len(cells)} columns: {_name(cells)}"
        return TextView(ViewKind.TABLE, text, f"{heading}\n{shape}", first_line)
    kind = ViewKind.LOG if suffix in _LOGS or _is_log(lines) else ViewKind.DOCUMENT
    return TextView(kind, text, heading, first_line)


def _shebang_suffix(text: str) -> str:
    found = _SHEBANG.match(text[:200])
    return _SHEBANG_SUFFIX[found[1]] if found else ""


def _load_json(suffix: str, text: str, lines: Sequence[str]) -> Any:
    """Decode JSON whose lines are too long to read; None for anything else."""
    if max(map(len, lines), default=0) < _LONG_LINE_CHARACTERS or suffix in _RECORDS or text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _build_json_view(decoded: Any, heading: str) -> TextView:
    """Build the view of reformatted JSON: a list as one record per line, an object indented."""
    if isinstance(decoded, list):
        keys = list(dict.fromkeys(key for item in decoded[:_SAMPLE_LINES] if isinstance(item, dict) for key in item))
        shape = (
            f"JSON list of {len(decoded)} items{f' with {_name(keys)}' if keys else ''}, reformatted to one per line"
        )
        return TextView(ViewKind.TABLE, "\n".join(map(_format_json, decoded)), f"{heading}\n{shape}")
    shape = f"JSON object with {_name(list(decoded))}, reformatted"
    return TextView(ViewKind.DOCUMENT, json.dumps(decoded, indent=1, ensure_ascii=False), f"{heading}\n{shape}")


def _format_json(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False)


def _name(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return ", ".join(name[:_MAX_NAMES] for name in names[:_MAX_NAMES]) + more


def _find_delimiter(suffix: str, lines: Sequence[str]) -> str:
    """Find the delimiter of a table: each line of the sample has the same number of cells; empty for other files."""
    sample = [line for line in lines[:_SAMPLE_LINES] if line.strip()]
    if suffix not in _DELIMITERS or len(sample) < 2:
        return ""
    for delimiter in _DELIMITERS[suffix]:
        counts = {len(cells) for cells in csv.reader(sample, delimiter=delimiter)}
        if len(counts) == 1 and counts.pop() > 1:
            return delimiter
    return _DELIMITERS[suffix][0] if suffix else ""


def _is_log(lines: Sequence[str]) -> bool:
    sample = [line for line in lines[:_SAMPLE_LINES] if line.strip()]
    return 2 * sum(bool(_LOG_LINE.match(line)) for line in sample) > len(sample) > 2


def parse_definitions(path: str, text: str) -> tuple[DefinitionSpan, ...]:
    """Parse the definitions of a file in a child process, because its content is untrusted; none if it fails or takes too long."""
    child = FramedChild(f"{__name__}:main", memory_bytes=_MEMORY_BYTES)
    deadline = time.monotonic() + _PARSE_SECONDS
    try:
        child.send(msgspec.msgpack.encode((path, text.encode("utf-8", "replace"))), deadline)
        found = msgspec.msgpack.decode(child.receive(deadline), type=list[tuple[str, int, int]])
    except (EOFError, BrokenPipeError):
        exited = child.end()
        is_large = exited.cause is ExitCause.ALLOCATION
        reason = f"it needs more than {_MEMORY_BYTES // 2**20} MiB" if is_large else f"the parser {exited.describe()}"
        _log.warning("file_unparsed reason=%r", reason)
        return ()
    except TimeoutError:
        _log.warning("file_unparsed reason='it took more than %g seconds'", _PARSE_SECONDS)
        return ()
    finally:
        child.end()
    return tuple(DefinitionSpan(*item) for item in found)


def main() -> None:
    requests, answers = open_worker_pipes()
    path, content = msgspec.msgpack.decode(read_frame(requests) or b"", type=tuple[str, bytes])
    facts = language_for(path).extract(path, content)
    found = [(item.qualname, item.start_line, item.end_line) for item in facts.definitions if item.kind != "lambda"]
    write_frame(answers, msgspec.msgpack.encode(found))
