"""From a task in words to the files and definitions that matter, without a language model."""

from __future__ import annotations

import numpy as np

from graphstore.search.index import SearchIndex, open_index
from graphstore.search.library import Library
from graphstore.search.places import DOCUMENT, LABELS
from graphstore.search.ranking import Query, read_query
from graphstore.search.repositories import choose
from graphstore.search.requests import LocateAnswer, LocatedPlace, LocateRequest
from graphstore.search.vocabulary import Reals
from graphstore.text import terms as split_terms

_TEST_SHARE = 0.3
_DOCUMENT_SHARE = 0.2


def locate(library: Library, request: LocateRequest) -> LocateAnswer:
    """Return the files and definitions that matter for a task, best first. Raises: NotFoundError."""
    names = choose(library, request.repositories, list(dict.fromkeys(split_terms(request.text))))
    indexes = [open_index(library, name) for name in names]
    query = read_query(request.text, indexes)
    files: list[LocatedPlace] = []
    definitions: list[LocatedPlace] = []
    for index in indexes:
        of_places, of_files = _scores(index, query)
        first = index.places.file_count
        files += _best(index, of_files, 0, request.max_files)
        definitions += _best(index, of_places[first:], first, request.max_definitions)
    return LocateAnswer(
        tuple(sorted(files, key=lambda place: -place.score)[: request.max_files]),
        tuple(sorted(definitions, key=lambda place: -place.score)[: request.max_definitions]),
        tuple(names),
    )


def _scores(index: SearchIndex, query: Query) -> tuple[Reals, Reals]:
    places = index.places
    numbers = index.vocabulary.numbers(query.terms)
    of_places = index.names.score(numbers, query.weights) + index.body.score(numbers, query.weights)
    of_places = np.where(places.is_test, _TEST_SHARE, 1.0).astype(np.float32) * of_places
    of_files = index.whole.score(numbers, query.weights)
    best = np.zeros(places.file_count, dtype=np.float32)
    np.maximum.at(best, places.file, of_places)
    prose = places.label[: places.file_count] == DOCUMENT
    shares = np.where(prose, _DOCUMENT_SHARE, 1.0) * np.where(places.is_test[: places.file_count], _TEST_SHARE, 1.0)
    return of_places, (shares * of_files + best).astype(np.float32)


def _best(index: SearchIndex, scores: Reals, first: int, count: int) -> list[LocatedPlace]:
    places = index.places
    found = []
    for row in np.argsort(-scores, kind="stable")[:count].tolist():
        if scores[row] <= 0:
            break
        place = first + row
        found.append(
            LocatedPlace(
                places.id(place),
                index.repository,
                LABELS[places.label[place]],
                places.path(place),
                places.qualname(place),
                int(places.start_line[place]),
                int(places.end_line[place]),
                float(scores[row]),
                ("its words",),
            )
        )
    return found
