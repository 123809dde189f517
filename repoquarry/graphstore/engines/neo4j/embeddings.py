"""Embeddings in the graph: a vector property of nodes, its indexes, and searches of the server's own indexes.

Vectors follow the graph in transactions of their own. The Repository node names the index that they come from, last: a write that was
interrupted is repeated. Nodes that were created again lack their vector, which is how they are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import neo4j

from repoquarry.graphstore.engines.neo4j.change_writer import BatchLimits, consume
from repoquarry.graphstore.engines.neo4j.claims import Transactions
from repoquarry.graphstore.graph_engine import EmbeddingState, NodeEmbeddings
from repoquarry.graphstore.model.schema import SEARCH_INDEXES

VECTOR_SEARCH = (  # More candidates than nodes: the approximate search of few misses a fifth of them.
    "CALL db.index.vector.queryNodes($index, 4 * $count + 100, $query) YIELD node, score "
    "RETURN node.id, score ORDER BY score DESC, node.id LIMIT $count"
)
TEXT_SEARCH = (
    "CALL db.index.fulltext.queryNodes($index, $query, {limit: $count}) YIELD node, score RETURN node.id, score"
)
LABELS = [labels[0] for labels in SEARCH_INDEXES.values() if len(labels) == 1]
_SET = "MATCH (n:%s {id: row[0]}) CALL db.create.setNodeVectorProperty(n, 'embedding', row[1])"
_STATE = "MATCH (r:Repository {id: $id}) RETURN r.embedding_version, r.embedding_index"
_RECORD = (
    "MATCH (r:Repository {id: $id}) SET r.embedding_model = $model, r.embedding_version = $version, "
    "r.embedding_dimension = $dimension, r.embedding_index = $index"
)


def plain_words(text: str) -> str:
    """Return the words of a text without the operators of Lucene, whose wildcards and expressions have no time limit."""
    return " ".join(re.findall(r"\w+", text.lower())) or '""'


def read_state(session: neo4j.Session, repository: str) -> EmbeddingState:
    found = session.run(_STATE, {"id": repository}).single()
    missing: set[str] = set()
    for label in LABELS:
        text = f"MATCH (n:{label}) WHERE n.repository = $id AND n.embedding IS NULL RETURN n.id"
        missing.update(session.run(text, {"id": repository}).value())
    version, index = found or (None, None)
    return EmbeddingState(version, index, frozenset(missing))


def write(session: neo4j.Session, transactions: Transactions, limits: BatchLimits, embeddings: NodeEmbeddings) -> None:
    """Create the indexes where they are missing, and set the vectors of the given nodes."""
    for label in LABELS:
        _require_index(session, label, embeddings.dimension)
        text = f"CYPHER 5 UNWIND $rows AS row {_SET % label}"
        for batch in limits.split(_rows(embeddings, label)):
            transactions.write(session, lambda tx, text=text, batch=batch: consume(tx, text, rows=batch))  # type: ignore[misc]
    given = {"model": embeddings.model, "version": embeddings.version, "index": embeddings.index}
    transactions.write(
        session,
        lambda tx: consume(tx, _RECORD, id=embeddings.repository, dimension=embeddings.dimension, **given),
    )


def _rows(embeddings: NodeEmbeddings, label: str) -> Iterator[list[Any]]:
    ids: Sequence[str] = embeddings.ids_by_label.get(label, ())
    for start in range(0, len(ids), limit := 1_000):
        some = ids[start : start + limit]
        yield from map(list, zip(some, embeddings.read(some), strict=True))


def _require_index(session: neo4j.Session, label: str, dimension: int) -> None:
    """Create the vector index of a label; one of another dimension is replaced, since it ignores these vectors."""
    name = f"{label}_embedding"
    shown = session.run("SHOW VECTOR INDEXES YIELD name, options WHERE name = $name RETURN options", {"name": name})
    stored = [row[0]["indexConfig"].get("vector.dimensions") for row in shown]
    if stored and stored != [dimension]:
        session.run(f"DROP INDEX {name} IF EXISTS").consume()
    session.run(
        f"CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.embedding) OPTIONS {{indexConfig: "
        f"{{`vector.dimensions`: {dimension}, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}}}"
    ).consume()
