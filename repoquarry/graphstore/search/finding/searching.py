"""Search over one or many repositories: the entry point, and the ranked modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError, StoreCorruptError
from repoquarry.graphstore.search.finding.hits import hit_of
from repoquarry.graphstore.search.finding.paging import Position, digest, page_size, read_token, write_token
from repoquarry.graphstore.search.finding.ranking import (
    Query,
    Scores,
    discount_tests,
    fuse,
    keyword_scores,
    read_query,
)
from repoquarry.graphstore.search.finding.repositories import choose
from repoquarry.graphstore.search.finding.scanning import scan
from repoquarry.graphstore.search.finding.snippets import best_lines
from repoquarry.graphstore.search.index.filters import admitted
from repoquarry.graphstore.search.index.meaning import meaning_of
from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.terms.compounds import terms as split_terms
from repoquarry.graphstore.search.index.terms.vocabulary import Integers
from repoquarry.graphstore.search.library import Library
from repoquarry.graphstore.search.requests import SearchHit, SearchMode, SearchPage, SearchRequest, Snippet, WithTests


def search(library: Library, request: SearchRequest) -> SearchPage:
    """Return one page of what fits the request; the same request on the same revisions gives the same pages.

    Semantic search in a store without an embedder is refused; hybrid search then uses keywords alone.
    Raises: QueryRefusedError, QueryLimitError, NotFoundError for an unknown repository.
    """
    if not request.text.strip():
        raise QueryRefusedError("the query is empty", reason="empty_query")
    if request.mode in (SearchMode.EXACT, SearchMode.REGEX):
        return scan(library, request)
    names = choose(library, request.repositories, list(dict.fromkeys(split_terms(request.text))))
    indexes = [library.indexes.open(name) for name in names]
    query = read_query(request.text, indexes)
    results = [_score(library, index, query, request) for index in indexes]
    identity = digest(request, tuple(str(index.folder) for index in indexes))
    start = read_token(request.page_token, identity).skip
    order = _order(results)
    size = page_size(request)
    rows = [_Row.of(indexes, order, row) for row in range(start, min(start + size, order.shape[1]))]
    hits = tuple(_hit(library, row, results[row.number], query) for row in rows)
    more = start + size < order.shape[1]
    token = write_token(Position(identity, skip=start + size)) if more else ""
    return SearchPage(hits, token, order.shape[1], tuple(names))


@dataclass(frozen=True)
class _Row:
    """One hit: a place of one of the searched indexes."""

    number: int
    index: SearchIndex
    place: int

    @classmethod
    def of(cls, indexes: Sequence[SearchIndex], order: Integers, row: int) -> _Row:
        number, place = int(order[0, row]), int(order[1, row])
        return cls(number, indexes[number], place)


def _score(library: Library, index: SearchIndex, query: Query, request: SearchRequest) -> Scores:
    mask = admitted(index.places, request)
    semantic = None
    if request.mode is not SearchMode.KEYWORD and library.embedder is not None:
        allowed = None if mask.all() else np.flatnonzero(mask).tolist()
        semantic = meaning_of(index, query.text, library.embedder, allowed)
    if request.mode is SearchMode.SEMANTIC:
        if semantic is None:
            raise QueryRefusedError(
                f"{index.repository} has no vectors of the embedder in use: index it again, or search by keyword",
                reason="no_vectors",
            )
        scores = fuse({}, semantic, mask)
    else:
        scores = fuse(keyword_scores(index, query), semantic, mask)
    return scores if request.tests is WithTests.ONLY else discount_tests(scores, index.places.is_test)


def _order(results: Sequence[Scores]) -> Integers:
    """Return (2, hits): number of the index and place, best first, ties by index and place."""
    found = [np.flatnonzero(scores.total > 0) for scores in results]
    empty = np.zeros(0, dtype=np.int64)
    numbers = np.concatenate([empty, *(np.full(len(places), number) for number, places in enumerate(found))])
    places = np.concatenate([empty, *found])
    totals = np.concatenate([empty, *(scores.total[fit] for scores, fit in zip(results, found, strict=True))])
    order = np.lexsort((places, numbers, -totals))
    return np.array([numbers[order], places[order]], dtype=np.int32)


def _hit(library: Library, row: _Row, scores: Scores, query: Query) -> SearchHit:
    places = row.index.places
    snippet = _snippet(library, row, query)
    return hit_of(places, row.place, float(scores.total[row.place]), scores.explain(row.place), snippet)


def _snippet(library: Library, row: _Row, query: Query) -> Snippet | None:
    places = row.index.places
    try:
        lines = library.source_text(row.index.repository, places.path(row.place)).split("\n")
    except NotFoundError:
        return None
    except StoreCorruptError as exc:  # the hit is right without its lines
        library.notice(str(exc))
        return None
    first, last = int(places.start_line[row.place]), int(places.end_line[row.place])
    return best_lines(lines, max(first, 1), last, query.by_term)
