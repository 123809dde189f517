"""Settings classes of the graph store: folder, engines, query limits, embedder, context texts, truncation of tool results.

This module reads neither the environment nor files (`repoquarry.server.settings` does), so that tests, notebooks and the service open
equal stores.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.query.result_buffer import ResultBufferSettings


@dataclass(frozen=True)
class EmbeddingSettings:
    """Settings of the embedder. The defaults need no network, no accelerator and no further package."""

    embedder: str = "static"
    """Name of the variant, one of `EMBEDDERS`."""

    model: str = ""
    """static: a weights file, empty for the shipped one; sentence_transformers: model name or folder; openai_compatible: model name."""

    batch_size: int = 64
    """Texts per forward pass or request. At least 1. The static embedder ignores it."""

    device: str = ""
    """sentence_transformers: `cpu`, `cuda`, `cuda:1`, `mps`; empty lets the library choose."""

    query_prefix: str = ""
    """Prefix of every query, as required by the model's card (`query: `); the static embedder ignores it."""

    document_prefix: str = ""
    """Prefix of every document, as required by the model's card (`passage: `); the static embedder ignores it."""

    static_share: float = 0.3
    """Weight of the shipped static model in the similarity next to another embedder, below 1; 0 disables it."""

    endpoint: str = ""
    """openai_compatible: address up to and including the version, for example `http://127.0.0.1:11434/v1`."""

    api_key: str = field(default="", repr=False)
    """openai_compatible: bearer token; empty sends none. Never logged or printed."""

    timeout_seconds: float = 60.0
    """openai_compatible: timeout of one request. At least 1."""

    attempts: int = 4
    """openai_compatible: maximum attempts of one request with a temporary failure (connection, 429, 5xx); at least 1."""


@dataclass(frozen=True)
class ContextSettings:
    """Contents of the launchpad text of a repository. Source of the defaults: RepoMaster (arXiv 2505.21577), section 4.2."""

    tokens: int = 8_000
    """Length of a text for which the request names none, in tokens. At least 1."""

    modules: int = 20
    """Maximum number of modules with a line of their own. 0 means none."""

    readme_share: float = 0.4
    """Maximum share of the README; a longer one is reduced to usage, installation and its beginning. From 0 to 1."""

    task_readme_share: float = 0.25
    """Maximum share of the README in a text for a task. From 0 to 1."""


@dataclass(frozen=True)
class SelectionSettings:
    """Limits of the texts that a reader of tool results is shown."""

    view_tokens: int = 8_000
    """Tokens of all results of one step together; they are cut to the parts that mention the subject. 0 means no limit."""

    chunk_tokens: int = 1_000
    """Tokens of one chunk of a document. At least 1."""

    chunks: int = 4
    """Best chunks of a document that stay. At least 1."""

    by_relevance: bool = True
    """True if a long view is reduced to the parts that matter for the task; otherwise its end is cut off."""


@dataclass(frozen=True)
class StoreSettings:
    """Location of a store, and limits of its queries."""

    folder: Path
    """Data folder of the store (see docs/explanation/architecture.md); created if missing and the store is opened for writing."""

    engine: str = "kglite"
    """Name of the engine, one of `repoquarry.graphstore.engines.ENGINES`."""

    neo4j_uri: str = "bolt://127.0.0.1:7687"
    """Address of the server: `bolt://` or `neo4j://`, with TLS `+s` (a trusted certificate) or `+ssc` (any certificate)."""

    neo4j_user: str = "neo4j"
    """User name; empty means no authentication."""

    neo4j_password: str = field(default="", repr=False)
    """Password; never logged or printed."""

    neo4j_database: str = "neo4j"
    """Name of the database; empty means the server's default."""

    neo4j_connect_seconds: float = 10.0
    """Seconds to wait for a connection, and for retries of a write that the server requests; 0 means no retry."""

    neo4j_transaction_rows: int = 20_000
    """Maximum nodes and relationships that one write changes in a single transaction. A larger write is prepared next to the stored
    graph and exchanged with it, for which the server's transaction memory must hold about 2 KiB a node. 0 prepares every write."""

    neo4j_batch_bytes: int = 2 * 1024 * 1024
    """Maximum bytes of the rows of one write statement, with at most 5,000 rows; a larger row is sent by itself. At least 1."""

    neo4j_wait_seconds: float = 600.0
    """Maximum seconds that a write waits for another write of the same repository, and limit of each of its transactions. Above 0."""

    neo4j_embeddings: bool = False
    """Store the vectors of nodes as the property `embedding`, with vector indexes; the search procedures of Cypher then use the
    indexes of the server."""

    neo4j_queries: int = 8
    """Maximum number of slow untrusted queries running on the server; one client gets at most half of them. At least 1."""

    neo4j_quick_queries: int = 4
    """Maximum number of quick untrusted queries in addition to those; see `quick_seconds`. At least 1."""

    query_folder: Path | None = None
    """Folder with named queries of your own (`*.cypher`), next to the shipped ones; None means none."""

    limits: QueryLimits = field(default_factory=QueryLimits)
    """Default limits of one untrusted query."""

    embedding: EmbeddingSettings | None = field(default_factory=EmbeddingSettings)
    """Model for semantic search; None disables it, and search uses keywords only."""

    context: ContextSettings = field(default_factory=ContextSettings)
    """Launchpad texts."""

    query_workers: int = 2
    """Slots for slow untrusted queries; on the embedded engine each is a child process with the graph in memory. One client gets at
    most half of them. At least 1."""

    quick_workers: int = 1
    """Slots for quick untrusted queries only, in addition to `query_workers`. At least 1."""

    quick_seconds: float = 0.2
    """Time in seconds after which an untrusted query counts as slow. Without a free slot among `query_workers` it is stopped and
    queued; a quarter of this time applies while another client waits. Above 0."""

    max_queued_queries: int = 32
    """Maximum number of queued queries of one client; further ones are rejected. 0 rejects all that would have to wait."""

    results: ResultBufferSettings = field(default_factory=ResultBufferSettings)
    """Limits of results of untrusted queries while they are read."""
