"""Exact and regular-expression search in stored source texts; returns pages of hits with highlighted snippets.

Files have a fixed order (by repository and path), so a page can stop anywhere, at its size or at its deadline, and its token contains the
position where the next one continues. The keyword index rules out files that lack a complete word of an exact query.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from repoquarry.graphstore.errors import (
    NotFoundError,
    QueryCancelledError,
    QueryLimitError,
    QueryRefusedError,
    StoreCorruptError,
)
from repoquarry.graphstore.search.index.index_store import SearchBackend
from repoquarry.graphstore.search.index.places import LABELS, Mask, Places, admitted, admitted_files
from repoquarry.graphstore.search.index.search_index import SearchIndex
from repoquarry.graphstore.search.index.term_extraction import index_terms
from repoquarry.graphstore.search.requests import (
    Highlight,
    PagePosition,
    SearchHit,
    SearchMode,
    SearchPage,
    SearchRequest,
    Snippet,
    page_size,
    read_token,
    request_digest,
    write_token,
)
from repoquarry.graphstore.search.text_analysis import word_terms
from repoquarry.processes.regex_search import RegexSearchError, find_matches
from repoquarry.processes.workers import StoppedError


def hit_of(
    places: Places, place: int, score: float, parts: tuple[tuple[str, float], ...], snippet: Snippet | None
) -> SearchHit:
    return SearchHit(
        id=places.id(place),
        repository=places.columns.repository,
        label=LABELS[places.label[place]],
        kind=places.columns.kinds[place],
        path=places.path(place),
        start_line=int(places.start_line[place]),
        end_line=int(places.end_line[place]),
        qualname=places.qualname(place),
        name=places.name(place),
        language=places.columns.languages[int(places.file[place])],
        is_test=bool(places.is_test[place]),
        score=score,
        parts=parts,
        snippet=snippet,
    )


_AROUND: Final = 2
"""Lines shown before and after the best line."""
_WIDEST: Final = 240
"""Maximum characters shown of a line: minified code has lines of a megabyte."""
_WORD: Final = re.compile(r"\w+")


def best_lines(lines: Sequence[str], first: int, last: int, weights: Mapping[str, float]) -> Snippet | None:
    """Return the lines between `first` and `last` (1-based, inclusive) with most of the weighted terms."""
    best, best_score = first, -1.0
    for number in range(first, min(last, len(lines)) + 1):
        found = {term for word in _WORD.findall(lines[number - 1][:_WIDEST]) for term in index_terms(word)}
        score = sum(weights.get(term, 0.0) for term in found)
        if score > best_score + 1e-9:
            best, best_score = number, score
    if best > len(lines):
        return None
    return cut(lines, max(first, best - _AROUND), min(last, best + _AROUND), weights.keys())


def cut(lines: Sequence[str], first: int, last: int, marked: Collection[str]) -> Snippet:
    """Return lines `first` to `last` (1-based, inclusive) with the words of the marked terms highlighted."""
    text = "\n".join(line[:_WIDEST] for line in lines[first - 1 : last])
    highlights = tuple(
        Highlight(word.start(), word.end())
        for word in _WORD.finditer(text)
        if any(term in marked for term in index_terms(word.group()))
    )
    return Snippet(text, first, highlights)


def around_matches(lines: Sequence[str], line: int, spans: Sequence[tuple[int, int]]) -> Snippet:
    """Return one line with its neighbors; `spans` are columns of the matches in that line."""
    first, last = max(1, line - _AROUND), min(len(lines), line + _AROUND)
    before = sum(len(text[:_WIDEST]) + 1 for text in lines[first - 1 : line - 1])
    shown = len(lines[line - 1][:_WIDEST])
    highlights = tuple(
        Highlight(before + min(start, shown), before + min(end, shown)) for start, end in spans if start < shown
    )
    return Snippet("\n".join(text[:_WIDEST] for text in lines[first - 1 : last]), first, highlights)


_INNER_WORD: Final = re.compile(r"(?<=\W)\w+(?=\W)")
_MATCHES_A_FILE: Final = 10_000
"""Maximum matches processed in one file; a pattern with more is meaningless."""

Find = Callable[[str, float], Iterator[tuple[int, int]]]
"""Yields the spans of all matches in a text, given the remaining seconds. Raises: TimeoutError."""


def scan_texts(library: SearchBackend, request: SearchRequest, stopped: Callable[[], bool]) -> SearchPage:
    """Return one page of lines that contain the text or match the expression, each under its innermost definition.

    Raises: QueryRefusedError for an invalid expression; QueryLimitError if not even one file could be searched in time; NotFoundError for
    an unknown repository.
    """
    find = _finder(request, stopped)
    names = list(dict.fromkeys(request.repositories)) or list(library.text_repositories())
    revisions = tuple(f"{name} {library.revision(name)}" for name in names)
    identity = request_digest(request, revisions)
    start = read_token(request.page_token, identity)
    walk = _TextScanner(library, request, find, time.monotonic() + request.seconds, stopped)
    hits: list[SearchHit] = []
    size = page_size(request)
    position = start
    for number in range(start.repository, len(names)):
        index = library.indexes.open(names[number])
        first = start.file if number == start.repository else 0
        for file in walk.files(index, first):
            skip = start.skip if (number, file) == (start.repository, start.file) else 0
            position = PagePosition(identity, number, file, skip)
            found = walk.hits(index, file)
            if found is None:
                if (number, file, skip) == (start.repository, start.file, start.skip) and not hits:
                    raise QueryLimitError(
                        f"the expression took more than {request.seconds} s on {index.places.columns.paths[file]}; "
                        "simplify it, or exclude that path",
                        limit="search_seconds",
                    )
                return SearchPage(tuple(hits), write_token(position), None, tuple(names))
            taken = found[skip : skip + size - len(hits)]
            hits += taken
            if len(hits) == size:
                position = PagePosition(identity, number, file, skip + len(taken))
                return SearchPage(tuple(hits), write_token(position), None, tuple(names))
    return SearchPage(tuple(hits), "", len(hits) if not request.page_token else None, tuple(names))


@dataclass(frozen=True)
class _TextScanner:
    library: SearchBackend
    request: SearchRequest
    find: Find
    deadline: float
    stopped: Callable[[], bool]

    def files(self, index: SearchIndex, first: int) -> Iterator[int]:
        """Yield files from `first` on that may contain a hit."""
        mask = admitted_files(index.places, self.request)
        if self.request.mode is SearchMode.EXACT:
            mask &= _holding_words(index, self.request.text)
        yield from (int(file) for file in np.flatnonzero(mask) if file >= first)

    def hits(self, index: SearchIndex, file: int) -> list[SearchHit] | None:
        """Return all hits in one file, None after the deadline."""
        if self.stopped():
            raise QueryCancelledError("the search was cancelled")
        left = self.deadline - time.monotonic()
        if left <= 0:
            return None
        try:
            text = self.library.source_text(index.repository, index.places.columns.paths[file])
            spans = [span for span, _ in zip(self.find(text, left), range(_MATCHES_A_FILE), strict=False)]
        except NotFoundError:
            return []
        except StoreCorruptError as exc:  # Continue with the other files.
            self.library.warn(str(exc))
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
            place = find_enclosing_place(index.places, file, line, mask)
            if place is not None:
                yield hit_of(index.places, place, 1.0, (("match", 1.0),), around_matches(lines, line, columns))


def find_enclosing_place(places: Places, file: int, line: int, mask: Mask) -> int | None:
    """Return the innermost place around a line of a file, None if it fails the filters."""
    found = file
    for place in places.definitions.get(file, ()):
        if places.start_line[place] <= line <= places.end_line[place]:
            found = int(place)
    return found if mask[found] else None


def _finder(request: SearchRequest, stopped: Callable[[], bool]) -> Find:
    if request.mode is SearchMode.EXACT:
        wanted = re.compile(re.escape(request.text))
        return lambda text, seconds: (match.span() for match in wanted.finditer(text))

    def find(text: str, seconds: float) -> Iterator[tuple[int, int]]:  # not a generator, so that it raises immediately
        try:
            (spans,) = find_matches(
                request.text,
                [text],
                limit=_MATCHES_A_FILE,
                seconds=seconds,
                stopped=stopped,
                with_empty=False,
                by_line=True,
            )
        except RegexSearchError as problem:
            raise QueryRefusedError(f"invalid regular expression: {problem}", reason="regex") from problem
        except StoppedError:
            raise QueryCancelledError("the search was cancelled") from None
        return iter(spans)

    try:
        find("", request.seconds)  # Report an error even without files.
    except TimeoutError:
        raise QueryLimitError(
            f"the expression took more than {request.seconds} s to parse; simplify it", limit="search_seconds"
        ) from None
    return find


def _holding_words(index: SearchIndex, wanted: str) -> Mask:
    """Return which files contain every complete word of the wanted text."""
    mask = np.ones(index.places.file_count, dtype=np.bool_)
    inner = {term for word in _INNER_WORD.findall(wanted) for term in word_terms(word)}
    for number in index.vocabulary.numbers(sorted(inner)).tolist():
        mask &= np.isin(np.arange(len(mask)), index.whole.documents_with(number))
    return mask
