"""Nodes that the search procedures of Cypher find: exact nearest vectors, or best keyword matches, over all repositories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

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
"""Maximum number of nodes that one search finds."""

_ROWS: Final = 8_192
"""Vectors in memory as float32 at a time."""

Hit = tuple[float, str]
"""Score and node id."""


def find_nodes(
    library: SearchBackend, index: str, query: object, count: object, stopped: Callable[[], bool]
) -> list[Hit]:
    """Return the best nodes of an index. `count` is None for a search by words; `query` is a text or a vector.

    Raises: QueryRefusedError, QueryCancelledError if `stopped` returns true.
    """
    limit = require_count(count)
    if count is None:
        return find_words(library, str(query), limit, stopped)
    return find_nearest(library, index, embed_query(library, query), limit, stopped)


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
    """Return the `count` nodes nearest to a vector, best first, with Neo4j's score for cosines, (1 + cosine) / 2."""
    (label,) = SEARCH_INDEXES[index]
    number = LABELS.index(label)

    model = library.embedder.revision if library.embedder is not None else ""
    revisions = library.text_revisions()

    def nearest(repository: str) -> Iterator[tuple[float, str, int]]:
        found = library.indexes.place_vectors(repository, revisions[repository], model)
        labels, halves = found or ((), np.zeros((0, vector.shape[1])))
        places = np.flatnonzero(np.asarray(labels) == number)
        rows = (halves[places[start : start + _ROWS]].astype(np.float32) for start in range(0, len(places), _ROWS))
        scores = np.concatenate([np.zeros(0, np.float32), *(some @ vector[0] for some in rows)])
        for at in np.argsort(-scores, kind="stable")[:count].tolist():
            yield -float(scores[at]), repository, int(places[at])

    best = nsmallest(count, chain.from_iterable(map(nearest, _until(stopped, revisions))))
    ids = _node_ids(library, revisions, [(repository, place) for _, repository, place in best])
    return [((1 - score) / 2, node) for (score, _, _), node in zip(best, ids, strict=True)]


def find_words(library: SearchBackend, text: str, count: int, stopped: Callable[[], bool]) -> list[Hit]:
    """Return the `count` nodes that match the words of a text best, by BM25 over names and texts."""

    revisions, terms = library.text_revisions(), list(dict.fromkeys(extract_terms(text)))

    # Rarity is counted in each repository, so that one index is in memory at a time.
    def matches(repository: str) -> Iterator[tuple[float, str, int]]:
        revision = revisions[repository]
        if any(library.indexes.document_frequencies(repository, terms, revision)):
            opened = library.indexes.keywords(repository, revision)
            totals = np.sum(list(keyword_scores(opened, parse_query(text, [opened])).values()), axis=0)
            for place in np.argsort(-totals, kind="stable")[:count].tolist():
                if totals[place] > 0:
                    yield -float(totals[place]), repository, place

    best = nsmallest(count, chain.from_iterable(map(matches, _until(stopped, revisions))))
    ids = _node_ids(library, revisions, [(repository, place) for _, repository, place in best])
    return sorted(
        ((-score, node) for (score, _, _), node in zip(best, ids, strict=True)), key=lambda hit: (-hit[0], hit[1])
    )


def _until(stopped: Callable[[], bool], repositories: Iterable[str]) -> Iterator[str]:
    for repository in repositories:
        if stopped():
            raise QueryCancelledError("the search was cancelled")
        yield repository


def _node_ids(library: SearchBackend, revisions: Mapping[str, str], places: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Yield the node id of each place; the ids of a repository are read once."""
    by_repository: dict[str, list[int]] = {}
    for repository, place in places:
        by_repository.setdefault(repository, []).append(place)
    ids = {
        repository: iter(library.indexes.node_ids(repository, revisions[repository], found))
        for repository, found in by_repository.items()
    }
    return (next(ids[repository]) for repository, _ in places)


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
    places = {opened.places.id(place): place for place in range(len(opened.places))}

    def read(ids: Sequence[str]) -> Vectors:
        return vectors.vectors([str(places[node]) for node in ids])

    changed = set(places)
    if earlier is not None and earlier_ids is not None:
        both = [node for node in places if node in earlier_ids]
        same = np.all(read(both) == earlier.vectors([str(earlier_ids[node]) for node in both]), axis=1)
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
