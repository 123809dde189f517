"""Occurrences of SCIP documents as places in indexed files: paths, columns and words are checked against the text that was indexed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.ingest.scip import scip_pb2 as scip
from repoquarry.ingest.scip.symbols import ScipSymbol

ReadText = Callable[[str], str]
ReadSymbol = Callable[[str], ScipSymbol | None]
"""`parse_symbol`, or a cache of it: an index repeats its symbols."""
_UNITS = {
    scip.PositionEncoding.UTF8CodeUnitOffsetFromLineStart: ("utf-8", 1),
    scip.PositionEncoding.UTF16CodeUnitOffsetFromLineStart: ("utf-16-le", 2),
}
"""Codec and bytes of a column; columns of the other encodings are characters."""
_CALL = re.compile(r"\s*(?:::)?(?:<[^<>()]*>)?\s*\(")
"""Text behind a name that is called, type arguments included."""


class Occurrence(NamedTuple):
    """A name in the text, whose meaning the index states."""

    line: int
    """1-based."""
    word: str
    """Text at the place."""
    symbol: str
    is_definition: bool
    is_import: bool
    is_called: bool
    """Whether an opening bracket follows."""


@dataclass(frozen=True)
class CheckedDocument:
    """Occurrences of a file that agree with its text."""

    path: str
    occurrences: list[Occurrence]
    is_stale: bool
    """True if a definition is elsewhere in the text: the file changed after the index was written."""


class PathFinder:
    """Finder of the indexed file of a document, whose path counts from the root of the index."""

    def __init__(self, root: Path, project_root: str, paths: Collection[str]) -> None:
        self._paths = paths
        parts = [part for part in unquote(urlsplit(project_root).path).split("/") if part]
        own = root.parts[1:]
        if tuple(parts[: len(own)]) == own:
            self._folders = ["/".join(parts[len(own) :])]
        else:  # Written on another machine, or for a folder inside the repository.
            self._folders = ["", *("/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1))]

    def find(self, path: str) -> str | None:
        """Return the path in the repository; None for a file that is not indexed or lies outside."""
        for folder in self._folders:
            found = posixpath.normpath(posixpath.join(folder, path))
            if found in self._paths:
                return found
        return None


def check_document(document: scip.Document, path: str, read: ReadText, symbol_of: ReadSymbol) -> CheckedDocument:
    """Return the occurrences of global symbols; of a stale file only those that still stand where the index says."""
    try:
        text = read(path)
    except NotFoundError:
        return CheckedDocument(path, [], is_stale=True)
    lines = text.split("\n")
    placed = list(_placed(document, lines, symbol_of))
    is_stale = bool(document.text) and document.text != text
    is_stale = is_stale or any(one.is_definition and not _is_named(one, symbol_of) for one in placed)
    if is_stale:
        placed = [one for one in placed if _is_named(one, symbol_of)]
    return CheckedDocument(path, placed, is_stale)


def _is_named(one: Occurrence, symbol_of: ReadSymbol) -> bool:
    symbol = symbol_of(one.symbol)
    return symbol is not None and (not symbol.is_named_in_code or one.word == symbol.name)


def _placed(document: scip.Document, lines: list[str], symbol_of: ReadSymbol) -> Iterator[Occurrence]:
    codec, width = _UNITS.get(document.position_encoding, ("", 1))
    for item in document.occurrences:
        if len(item.range) not in (3, 4) or symbol_of(item.symbol) is None:
            continue
        line, start, end = item.range[0], item.range[1], item.range[-1]
        is_definition = bool(item.symbol_roles & scip.SymbolRole.Definition)
        if not 0 <= line < len(lines) or (len(item.range) == 4 and item.range[2] != line):
            continue
        word, rest = _cut(lines[line], start, end, codec, width)
        is_import = bool(item.symbol_roles & scip.SymbolRole.Import)
        yield Occurrence(line + 1, word, item.symbol, is_definition, is_import, _CALL.match(rest) is not None)


def _cut(line: str, start: int, end: int, codec: str, width: int) -> tuple[str, str]:
    """Return the text between two columns and the text behind it."""
    if line.isascii() or not codec:
        return line[start:end], line[end : end + 200]
    data = line.encode(codec, "surrogatepass")
    word, rest = data[start * width : end * width], data[end * width : (end + 200) * width]
    return word.decode(codec, "replace"), rest.decode(codec, "replace")


def implementations(document: scip.Document) -> Iterable[tuple[str, str]]:
    """Yield each symbol with a symbol that it implements, overrides or extends."""
    for item in document.symbols:
        for relation in item.relationships:
            if relation.is_implementation:
                yield item.symbol, relation.symbol
