"""Settings of the graph store and of its embedder.

Nothing here reads the environment or a file: that is `repoquarry.server.settings`' business, so that a store opened by a test, a
notebook or the service behaves the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.query.result_buffer import ResultBufferSettings


@dataclass(frozen=True)
class EmbeddingSettings:
    """Which embedder, and how it runs. The defaults need no network, no accelerator and no further package."""

    embedder: str = "static"
    """Name of the variant, one of `EMBEDDERS`."""

    model: str = ""
    """static: a weights file, empty for the shipped one; sentence_transformers: model name or folder; openai_compatible: model name."""

    batch_size: int = 64
    """Texts per forward pass or request. At least 1. The static embedder ignores it."""

    device: str = ""
    """sentence_transformers: `cpu`, `cuda`, `cuda:1`, `mps`; empty lets the library choose."""

    query_prefix: str = ""
    """Put before every query, as the model's card asks (`query: `); the static embedder ignores it."""

    document_prefix: str = ""
    """Put before every document, as the model's card asks (`passage: `); the static embedder ignores it."""

    static_share: float = 0.3
    """Share that the shipped static model has in the similarity beside another embedder, below 1; 0 leaves it out."""

    endpoint: str = ""
    """openai_compatible: address up to and including the version, for example `http://127.0.0.1:8080/v1`."""

    api_key: str = field(default="", repr=False)
    """openai_compatible: sent as bearer token; empty sends none. Never logged or printed."""

    timeout_seconds: float = 60.0
    """openai_compatible: time of one request. At least 1."""

    attempts: int = 4
    """openai_compatible: tries of one request that fails in a way that may pass (connection, 429, 5xx); at least 1."""


@dataclass(frozen=True)
class StoreSettings:
    """Where a store lies and what its queries may use."""

    folder: Path
    """Data folder of the store (see docs/architecture.md); made when it does not exist and the store is opened for writing."""

    engine: str = "kglite"
    """Name of the engine, one of `repoquarry.graphstore.engines.ENGINES`."""

    neo4j_uri: str = "bolt://127.0.0.1:7687"
    """Address of the server, any scheme that the official driver knows."""

    neo4j_user: str = "neo4j"
    """User name; empty means that the server asks for no authentication."""

    neo4j_password: str = field(default="", repr=False)
    """Password; never logged or printed."""

    neo4j_database: str = "neo4j"
    """Name of the database; empty means the server's default."""

    neo4j_connect_seconds: float = 10.0
    """Seconds to wait for a connection, and for retries of a write that the server asks to repeat; 0 means no retry."""

    neo4j_transaction_rows: int = 20_000
    """Nodes and relationships that one write changes in a single transaction; a larger write is prepared beside the stored graph
    and exchanged, for which the server's transaction memory must hold about 2 KiB a node. 0 prepares every write."""

    neo4j_batch_bytes: int = 2 * 1024 * 1024
    """Bytes of the rows that one statement of a write carries, at most 5,000 rows; a larger row goes alone. At least 1."""

    neo4j_wait_seconds: float = 600.0
    """Seconds that a write waits for another one of the same repository, and that one of its transactions may take, with its turn to
    publish. Above 0."""

    neo4j_queries: int = 8
    """Queries from outside that run on the server at once and take longer; one client has half of them at most. At least 1."""

    neo4j_quick_queries: int = 4
    """Queries from outside that may begin on the server besides those; see `quick_seconds`. At least 1."""

    limits: QueryLimits = field(default_factory=QueryLimits)
    """What one query from outside may use when the caller does not say."""

    embedding: EmbeddingSettings | None = field(default_factory=EmbeddingSettings)
    """Model for semantic search; None means none, and search is by keyword."""

    query_workers: int = 2
    """Places for queries from outside that take longer; on the embedded engine each is a child process with the graph in memory.
    One client holds half of them at most. At least 1."""

    quick_workers: int = 1
    """Places that only quick queries from outside hold, besides `query_workers`. At least 1."""

    quick_seconds: float = 0.2
    """Time in seconds after which a query from outside counts as slow: without a free place among `query_workers` it is stopped and
    waits for one; a quarter of it while another client waits. Above 0."""

    max_queued_queries: int = 32
    """Queries of one client that may wait for a place; a further one is refused. 0 refuses all that would have to wait."""

    results: ResultBufferSettings = field(default_factory=ResultBufferSettings)
    """What results of queries from outside may hold while they are read."""
