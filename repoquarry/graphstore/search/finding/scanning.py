"""Exact and regular-expression search: reads the texts themselves, file by file, within a time limit.

Files come in a fixed order (by repository and path), so a page can stop anywhere, at its size or at its deadline, and its
token says where the next one goes on. The keyword index rules out files that lack a whole word of an exact query.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

import numpy as np
import regex

from repoquarry.graphstore.errors import NotFoundError, QueryLimitError, QueryRefusedError, StoreCorruptError
from repoquarry.graphstore.search.finding.hits import hit_of
from repoquarry.graphstore.search.finding.paging import Position, digest, page_size, read_token, write_token
from repoquarry.graphstore.search.finding.snippets import around_matches
from repoquarry.graphstore.search.index.filters import Mask, admitted, admitted_files
from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.places import Places
from repoquarry.graphstore.search.library import Library
from repoquarry.graphstore.search.requests import SearchHit, SearchMode, SearchPage, SearchRequest
from repoquarry.graphstore.text import word_terms

_INNER_WORD: Final = re.compile(r"(?<=\W)\w+(?=\W)")
_MATCHES_A_FILE: Final = 10_000
"""Matches looked at in one file; a pattern that fits more often says nothing."""

Find = Callable[[str, float], Iterator[tuple[int, int]]]
"""Spans of all matches in a text, given the seconds that are left. Raises: TimeoutError."""


def scan(library: Library, request: SearchRequest) -> SearchPage:
    """Return one page of lines that hold the text or fit the expression, each under its innermost definition.

    Raises: QueryRefusedError for an expression that cannot be read; QueryLimitError when not one file could be read in
    time; NotFoundError for an unknown repository.
    """
    find = _finder(request)
    names = list(dict.fromkeys(request.repositories)) or list(library.repositories())
    revisions = tuple(f"{name} {library.revision(name)}" for name in names)
    identity = digest(request, revisions)
    start = read_token(request.page_token, identity)
    walk = _Walk(library, request, find, time.monotonic() + request.seconds)
    hits: list[SearchHit] = []
    size = page_size(request)
    position = start
    for number in range(start.repository, len(names)):
        index = library.indexes.open(names[number])
        first = start.file if number == start.repository else 0
        for file in walk.files(index, first):
            skip = start.skip if (number, file) == (start.repository, start.file) else 0
            position = Position(identity, number, file, skip)
            found = walk.hits(index, file)
            if found is None:
                if (number, file, skip) == (start.repository, start.file, start.skip) and not hits:
                    _too_slow(index, file, request)
                return SearchPage(tuple(hits), write_token(position), None, tuple(names))
            taken = found[skip : skip + size - len(hits)]
            hits += taken
            if len(hits) == size:
                position = Position(identity, number, file, skip + len(taken))
                return SearchPage(tuple(hits), write_token(position), None, tuple(names))
    return SearchPage(tuple(hits), "", len(hits) if not request.page_token else None, tuple(names))


def _too_slow(index: SearchIndex, file: int, request: SearchRequest) -> NoReturn:
    raise QueryLimitError(
        f"the expression took more than {request.seconds} s on {index.places.columns.paths[file]}: make it simpler, "
        "or leave that path out",
        limit="search_seconds",
    )


@dataclass(frozen=True)
class _Walk:
    """Reads files one by one until the deadline."""

    library: Library
    request: SearchRequest
    find: Find
    deadline: float

    def files(self, index: SearchIndex, first: int) -> Iterator[int]:
        """Files from `first` on that could hold a hit."""
        mask = admitted_files(index.places, self.request)
        if self.request.mode is SearchMode.EXACT:
            mask &= _holding_words(index, self.request.text)
        yield from (int(file) for file in np.flatnonzero(mask) if file >= first)

    def hits(self, index: SearchIndex, file: int) -> list[SearchHit] | None:
        """All hits in one file, None when the time is over."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return None
        try:
            text = self.library.source_text(index.repository, index.places.columns.paths[file])
            spans = [span for span, _ in zip(self.find(text, left), range(_MATCHES_A_FILE), strict=False)]
        except NotFoundError:
            return []
        except StoreCorruptError as exc:  # the other files are still worth looking at
            self.library.notice(str(exc))
            return []
        except TimeoutError:
            return None
        return list(self._hits(index, file, text, spans)) if spans else []

    def _hits(self, index: SearchIndex, file: int, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[SearchHit]:
        lines = text.split("\n")
        starts = np.concatenate([[0], np.cumsum([len(line) + 1 for line in lines])])
        mask = admitted(index.places, self.request)
        by_line: dict[int, list[tuple[int, int]]] = {}
        for start, end in spans:
            line = int(np.searchsorted(starts, start, side="right"))
            offset = int(starts[line - 1])
            by_line.setdefault(line, []).append((start - offset, min(end - offset, len(lines[line - 1]))))
        for line, columns in by_line.items():
            place = innermost(index.places, file, line, mask)
            if place is not None:
                yield hit_of(index.places, place, 1.0, (("match", 1.0),), around_matches(lines, line, columns))


def innermost(places: Places, file: int, line: int, mask: Mask) -> int | None:
    """Return the innermost place around a line of a file, None when the filters do not let it through."""
    found = file
    for place in places.definitions.get(file, ()):
        if places.start_line[place] <= line <= places.end_line[place]:
            found = int(place)
    return found if mask[found] else None


def _finder(request: SearchRequest) -> Find:
    if request.mode is SearchMode.EXACT:
        return _exact(request.text)
    try:
        # not the standard library's `re`: that cannot be stopped once it backtracks
        pattern = regex.compile(request.text, regex.MULTILINE | regex.VERSION0)
    except regex.error as problem:
        raise QueryRefusedError(f"not a regular expression: {problem}", reason="regex") from problem

    def find(text: str, seconds: float) -> Iterator[tuple[int, int]]:
        for match in pattern.finditer(text, timeout=seconds, concurrent=True):
            start, end = match.span()
            if end > start:
                yield start, end

    return find


def _exact(wanted: str) -> Find:
    def find(text: str, seconds: float) -> Iterator[tuple[int, int]]:
        place = text.find(wanted)
        while place >= 0:
            yield place, place + len(wanted)
            place = text.find(wanted, place + len(wanted))

    return find


def _holding_words(index: SearchIndex, wanted: str) -> Mask:
    """Return which files hold every term of the words that stand whole in the wanted text."""
    mask = np.ones(index.places.file_count, dtype=np.bool_)
    inner = {term for word in _INNER_WORD.findall(wanted) for term in word_terms(word)}
    for number in index.vocabulary.numbers(sorted(inner)).tolist():
        mask &= index.whole.count(number, np.arange(len(mask), dtype=np.int32)) > 0
    return mask
