"""Ranked search over repositories by keywords (BM25), embeddings or both; also for the search procedures that Cypher queries call.

Each index stores its terms and their document frequencies; the selection of repositories reads a few numbers of each. Search procedures
read all repositories: exact nearest vectors, or best keyword matches.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import NotFoundError, QueryCancelledError, QueryRefusedError, StoreCorruptError
from repoquarry.graphstore.graph_engine import EmbeddingState, NodeEmbeddings, never
from repoquarry.graphstore.model.schema import SEARCH_INDEXES
from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors, normalised
from repoquarry.graphstore.search.index.index_store import SearchBackend
from repoquarry.graphstore.search.index.place_vectors import load_vectors
from repoquarry.graphstore.search.index.places import LABELS, Mask, Places, admitted
from repoquarry.graphstore.search.index.postings import Integers, Reals, inverse_frequency
from repoquarry.graphstore.search.index.search_index import (
    KeywordIndex,
    SearchIndex,
    find_semantic_scores,
    semantic_scores,
)
from repoquarry.graphstore.search.index.term_extraction import extract_terms
from repoquarry.graphstore.search.requests import (
    PagePosition,
    SearchHit,
    SearchMode,
    SearchPage,
    SearchRequest,
    Snippet,
    WithTests,
    page_size,
    read_token,
    request_digest,
    write_token,
)
from repoquarry.graphstore.search.text_scan import best_lines, hit_of, scan_texts

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

NAMES_WEIGHT: Final = 0.7
"""Weight of BM25 over names relative to BM25 over text."""
SEMANTIC_WEIGHT: Final = 0.5
"""Weight of semantic relative to keyword scores, both in standard deviations over the best _POOL places."""
TEST_DISCOUNT: Final = 0.35
"""Share of its score that a test loses: a test repeats the words of the code under test."""
_POOL: Final = 200


@dataclass(frozen=True)
class RankingQuery:
    """Terms of a query with their count and, over all searched indexes, their rarity."""

    text: str
    terms: tuple[str, ...]
    repeats: Reals
    rarity: Reals

    @property
    def weights(self) -> Reals:
        weights: Reals = self.rarity * self.repeats
        return weights

    @property
    def by_term(self) -> Mapping[str, float]:
        return dict(zip(self.terms, self.weights.tolist(), strict=True))


def parse_query(text: str, indexes: Sequence[KeywordIndex]) -> RankingQuery:
    """Split a query; a repeated term counts slightly more."""
    counts = Counter(extract_terms(text))
    terms = tuple(counts)
    held = np.zeros(len(terms), dtype=np.int32)
    for index in indexes:
        numbers = index.vocabulary.numbers(terms)
        held += np.maximum(index.body.frequencies(numbers), index.names.frequencies(numbers))
    documents = sum(len(index.body.lengths) for index in indexes)
    repeats = (1.0 + np.log(np.array(list(counts.values()) or [1], dtype=np.float32)))[: len(terms)]
    return RankingQuery(text, terms, repeats.astype(np.float32), inverse_frequency(held, documents))


@dataclass(frozen=True)
class PlaceScores:
    """Components of the score of each place, in the order of the explanation; `total` is their sum."""

    parts: Mapping[str, Reals]
    total: Reals = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", np.sum(list(self.parts.values()), axis=0, dtype=np.float32))

    def explain(self, place: int) -> tuple[tuple[str, float], ...]:
        """Return the components other than zero."""
        return tuple((name, float(part[place])) for name, part in self.parts.items() if part[place])


def keyword_scores(index: KeywordIndex, query: RankingQuery) -> dict[str, Reals]:
    """Return BM25 over names and over text of each place."""
    numbers = index.vocabulary.numbers(query.terms)
    return {
        "names": NAMES_WEIGHT * index.names.score(numbers, query.weights),
        "text": index.body.score(numbers, query.weights),
    }


def fuse_scores(keyword: dict[str, Reals], semantic: Reals | None, mask: Mask) -> PlaceScores:
    """Add keyword and semantic components on one scale, and drop places that fail the filters.

    Raw BM25 grows with the query and cosines do not, so each is measured in standard deviations of its best places.
    """
    if semantic is None:
        return PlaceScores({name: np.where(mask, part, 0.0).astype(np.float32) for name, part in keyword.items()})
    scale = _spread(np.where(mask, np.sum(list(keyword.values()), axis=0), 0.0)) if keyword else 1.0
    near = semantic[mask & (semantic > 0)]
    middle, width = (float(near.min()), _spread(near)) if len(near) else (0.0, 1.0)
    share = SEMANTIC_WEIGHT if keyword else 1.0
    parts = {
        name: np.where(mask, (1.0 - share) * part / scale, 0.0).astype(np.float32) for name, part in keyword.items()
    }
    meaning = np.maximum(semantic - middle, 0.0) / width
    parts["meaning"] = np.where(mask, share * meaning, 0.0).astype(np.float32)
    return PlaceScores(parts)


def discount_tests(scores: PlaceScores, is_test: Mask) -> PlaceScores:
    """Subtract TEST_DISCOUNT from tests, as a separate component."""
    loss = np.where(is_test, -TEST_DISCOUNT * scores.total, 0.0).astype(np.float32)
    return PlaceScores({**scores.parts, "test": loss})


def _spread(scores: Reals) -> float:
    if not len(scores):
        return 1.0
    best = np.partition(scores, -_POOL)[-_POOL:] if len(scores) > _POOL else scores
    return float(np.std(best)) or 1.0


MAX_SEARCHED_REPOSITORIES: Final = 8
_HALF: Final = 30.0
"""Number of places with a term at which a repository gets half of the credit for it.

Source: the df component of CORI, Callan, Lu and Croft 1995, whose constant is larger because its documents are.
"""


def select_repositories(library: SearchBackend, wanted: Sequence[str], terms: Sequence[str]) -> list[str]:
    """Return at most MAX_SEARCHED_REPOSITORIES of the wanted repositories (default: all), best first.

    Raises: NotFoundError for an unknown repository.
    """
    names = list(dict.fromkeys(wanted)) or list(library.text_repositories())
    if len(names) <= MAX_SEARCHED_REPOSITORIES:
        return names
    held = np.array([library.indexes.document_frequencies(name, terms) for name in names], dtype=np.float64)
    holders = np.count_nonzero(held, axis=0)
    rarity = np.where(holders > 0, np.log1p((len(names) + 0.5) / np.maximum(holders, 1)), 0.0)
    scores = (held / (held + _HALF)) @ rarity / math.log1p(len(names) + 0.5)
    best = np.lexsort((np.arange(len(names)), -scores))[:MAX_SEARCHED_REPOSITORIES]
    return [names[place] for place in best if scores[place] > 0]


def search(library: SearchBackend, request: SearchRequest, stopped: Callable[[], bool] = never) -> SearchPage:
    """Return one page of matches; the same request on the same revisions gives the same pages.

    Semantic search in a store without an embedder is rejected; hybrid search then uses keywords only.
    Raises: QueryRefusedError, QueryLimitError, QueryCancelledError if `stopped` returns true, NotFoundError for an unknown repository.
    """
    if not request.text.strip():
        raise QueryRefusedError("the query is empty", reason="empty_query")
    if request.mode in (SearchMode.EXACT, SearchMode.REGEX):
        return scan_texts(library, request, stopped)
    names = select_repositories(library, request.repositories, list(dict.fromkeys(extract_terms(request.text))))
    indexes = [library.indexes.open(name) for name in names]
    query = parse_query(request.text, indexes)
    results = [_score(library, index, query, request) for index in indexes]
    identity = request_digest(request, tuple(str(index.folder) for index in indexes))
    start = read_token(request.page_token, identity).skip
    order = _order(results)
    size = page_size(request)
    hits = tuple(
        _hit(library, indexes[number], place, results[number], query if request.has_snippets else None)
        for number, place in order[:, start : start + size].T.tolist()
    )
    more = start + size < order.shape[1]
    token = write_token(PagePosition(identity, skip=start + size)) if more else ""
    return SearchPage(hits, token, order.shape[1], tuple(names))


def _score(library: SearchBackend, index: SearchIndex, query: RankingQuery, request: SearchRequest) -> PlaceScores:
    mask = admitted(index.places, request)
    semantic = None
    if request.mode is not SearchMode.KEYWORD:
        allowed = None if mask.all() else np.flatnonzero(mask).tolist()
        if request.mode is SearchMode.SEMANTIC:
            semantic = semantic_scores(index, query.text, library.embedder, allowed)
        else:
            semantic = find_semantic_scores(library, index, query.text, allowed)
    if request.mode is SearchMode.SEMANTIC:
        if semantic is None:
            raise QueryRefusedError(
                f"{index.repository} has no vectors of the embedder in use: re-index it, or search by keyword",
                reason="no_vectors",
            )
        scores = fuse_scores({}, semantic, mask)
    else:
        scores = fuse_scores(keyword_scores(index, query), semantic, mask)
    return scores if request.tests is WithTests.ONLY else discount_tests(scores, index.places.is_test)


def _order(results: Sequence[PlaceScores]) -> Integers:
    """Return (2, hits): number of the index and place, best first, ties by index and place."""
    found = [np.flatnonzero(scores.total > 0) for scores in results]
    empty = np.zeros(0, dtype=np.int64)
    numbers = np.concatenate([empty, *(np.full(len(places), number) for number, places in enumerate(found))])
    places = np.concatenate([empty, *found])
    totals = np.concatenate([empty, *(scores.total[fit] for scores, fit in zip(results, found, strict=True))])
    order = np.lexsort((places, numbers, -totals))
    return np.array([numbers[order], places[order]], dtype=np.int32)


def _hit(
    library: SearchBackend, index: SearchIndex, place: int, scores: PlaceScores, query: RankingQuery | None
) -> SearchHit:
    """Describe a place; with a query, with the lines that match it best."""
    snippet = _snippet(library, index, place, query) if query is not None else None
    return hit_of(index.places, place, float(scores.total[place]), scores.explain(place), snippet)


def _snippet(library: SearchBackend, index: SearchIndex, place: int, query: RankingQuery) -> Snippet | None:
    places = index.places
    try:
        lines = library.source_text(index.repository, places.path(place)).split("\n")
    except NotFoundError:
        return None
    except StoreCorruptError as exc:  # The hit is correct without its lines.
        library.warn(str(exc))
        return None
    return best_lines(lines, max(int(places.start_line[place]), 1), int(places.end_line[place]), query.by_term)


MAX_NODES: Final = 1_000

Hit = tuple[float, str]


def require_count(count: object) -> int:
    """Return the number of nodes to find; MAX_NODES for None. Raises: QueryRefusedError."""
    if count is None:
        return MAX_NODES
    if not isinstance(count, int) or not 1 <= count <= MAX_NODES:
        raise QueryRefusedError(f"a search finds 1 to {MAX_NODES:,} nodes, not {count}", reason="bad_bound")
    return count


def embed_query(library: SearchBackend, query: object) -> Vectors:
    """Return the (1, d) unit vector of a text or of numbers. Raises: QueryRefusedError."""
    if library.embedder is None:
        raise QueryRefusedError("the store has no embedder: set store.embedding, and re-index", reason="no_vectors")
    if isinstance(query, str):
        return library.embedder.embed_queries([query])
    try:
        vector = np.array([query], dtype=np.float32)
    except (TypeError, ValueError):
        vector = np.zeros((0, 0), np.float32)
    if vector.shape != (1, library.embedder.dimension) or not np.isfinite(vector).all():
        raise QueryRefusedError(
            f"a query vector needs {library.embedder.dimension} finite numbers, as {library.embedder.name} gives",
            reason="bad_vector",
        )
    return normalised(vector)


def find_nearest(
    library: SearchBackend, index: str, vector: Vectors, count: int, stopped: Callable[[], bool]
) -> list[Hit]:
    """Return the `count` nodes nearest to a vector, best first, with Neo4j's score for cosines, (1 + cosine) / 2.

    Raises: QueryCancelledError if `stopped` returns true.
    """
    (label,) = SEARCH_INDEXES[index]
    model = library.embedder.revision if library.embedder is not None else ""

    def score(repository: str, revision: str) -> tuple[NDArray[Any], NDArray[Any]]:
        stored = library.indexes.place_vectors(repository, revision, model)
        if stored is None:
            return np.zeros(0, np.float32), np.zeros(0, np.int64)
        labels, vectors = stored
        places, cosines = vectors.search(vector, count, np.flatnonzero(labels == LABELS.index(label)).tolist())
        return (1 + cosines) / 2, places

    return _find_best(library, count, stopped, score)


def find_words(library: SearchBackend, text: str, count: int, stopped: Callable[[], bool]) -> list[Hit]:
    """Return the `count` nodes that match the words of a text best, by BM25 over names and texts. Raises: as `find_nearest`."""
    terms = list(dict.fromkeys(extract_terms(text)))

    # Rarity is counted in each repository, so that one index is in memory at a time.
    def score(repository: str, revision: str) -> tuple[NDArray[Any], NDArray[Any]]:
        totals = np.zeros(0, np.float32)
        if any(library.indexes.document_frequencies(repository, terms, revision)):
            opened = library.indexes.keywords(repository, revision)
            totals = np.sum(list(keyword_scores(opened, parse_query(text, [opened])).values()), axis=0)
        places = np.flatnonzero(totals > 0)
        return totals[places], places

    return _find_best(library, count, stopped, score)


def _find_best(
    library: SearchBackend,
    count: int,
    stopped: Callable[[], bool],
    score: Callable[[str, str], tuple[NDArray[Any], NDArray[Any]]],
) -> list[Hit]:
    """Return the best nodes over all repositories. `score` returns scores and places of a repository at a revision."""
    revisions = library.text_revisions()

    def best_of(repository: str) -> Iterator[tuple[float, str, int]]:
        if stopped():
            raise QueryCancelledError("the search was cancelled")
        scores, places = score(repository, revisions[repository])
        for at in np.argsort(-scores, kind="stable")[:count].tolist():
            yield -float(scores[at]), repository, int(places[at])

    best = nsmallest(count, chain.from_iterable(map(best_of, revisions)))
    places: dict[str, list[int]] = {}
    for _, repository, place in best:
        places.setdefault(repository, []).append(place)
    ids = {name: iter(library.indexes.node_ids(name, revisions[name], found)) for name, found in places.items()}
    return [(-negative, next(ids[repository])) for negative, repository, _ in best]


def changed_embeddings(
    library: SearchBackend, embedder: Embedder, repository: str, revision: str, state: EmbeddingState
) -> NodeEmbeddings | None:
    """Return the vectors of a revision that a shared graph lacks; None if the index has no vectors of this embedder."""
    opened = library.indexes.open(repository)
    vectors = opened.vectors(embedder.revision)
    if vectors is None:
        return None
    earlier = earlier_ids = None
    if state.index is not None and state.version == embedder.revision:
        earlier, earlier_ids = _read_earlier(library.indexes.index_folder(repository, state.index), embedder.revision)
    places = opened.places.by_id

    def read(ids: Sequence[str]) -> Vectors:
        return vectors.vectors([places[node] for node in ids])

    changed = set(places)
    if earlier is not None and earlier_ids is not None:
        both = [node for node in places if node in earlier_ids]
        same = np.all(read(both) == earlier.vectors([earlier_ids[node] for node in both]), axis=1)
        changed -= {node for node, is_same in zip(both, same.tolist(), strict=True) if is_same} - state.missing
    ids_by_label: dict[str, list[str]] = {label: [] for label in LABELS}
    for node, place in places.items():
        if node in changed:
            ids_by_label[LABELS[opened.places.label[place]]].append(node)
    return NodeEmbeddings(
        repository,
        embedder.name,
        embedder.revision,
        revision,
        embedder.dimension,
        ids_by_label,
        lambda ids: read(ids).tolist(),
    )


def _read_earlier(folder: Path, revision: str) -> tuple[VectorIndex, dict[str, int]] | tuple[None, None]:
    """Return the vectors of an earlier index and its places by node id; None if the index is missing."""
    vectors = load_vectors(folder, revision)
    try:
        places = Places.load(folder)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None, None
    return (vectors, dict(places.by_id)) if vectors is not None else (None, None)
