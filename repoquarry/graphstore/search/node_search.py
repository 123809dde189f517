"""Nodes that the search procedures of Cypher find: exact nearest vectors, or best keyword matches, over all repositories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import QueryCancelledError, QueryRefusedError
from repoquarry.graphstore.graph_engine import EmbeddingState, NodeEmbeddings
from repoquarry.graphstore.model.schema import SEARCH_INDEXES
from repoquarry.graphstore.search.embeddings.embedder import Embedder, Vectors, normalised
from repoquarry.graphstore.search.index.index_store import SearchBackend
from repoquarry.graphstore.search.index.place_vectors import load_vectors
from repoquarry.graphstore.search.index.places import LABELS, Places
from repoquarry.graphstore.search.index.term_extraction import extract_terms
from repoquarry.graphstore.search.retrieval import keyword_scores, parse_query

if TYPE_CHECKING:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

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
