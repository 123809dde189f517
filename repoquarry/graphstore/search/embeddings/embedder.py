"""Interface and registry of text embedding models (embedders), combination of two of them, and an SQLite cache of their vectors.

Ingestion embeds definitions and files, search embeds queries; both use an `Embedder` without knowing its kind. Queries and documents are
embedded by separate methods because the better models treat them differently (instruction prefixes, or separate weights); confusing them
reduces quality without an error.

A general sentence model knows more of natural language, the static model more of code. Together they retrieve clearly more than either
(docs/explanation/benchmarks.md), and all other modules still see one vector and one index.

Embedding with a large model takes hours on a large repository. Every batch is committed immediately, so an interrupted run resumes where
it stopped, and a changed file costs only its own definitions. Vectors are keyed by content, so that repositories that share code share
vectors.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, Self, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.graphstore.storage.sqlite_database import is_damage, translate_sqlite_error, translate_write_errors

Vectors: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Interface that maps texts to unit vectors whose inner product is their similarity."""

    @property
    def name(self) -> str:
        """Return the name in `EMBEDDERS`, with the model if there is a choice (`sentence_transformers:all-MiniLM-L6-v2`)."""

    @property
    def revision(self) -> str:
        """Return an identifier that changes whenever the vectors of the same text would; vectors of two revisions are not comparable."""

    @property
    def dimension(self) -> int:
        """Return the length of each vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed documents: (n, dimension) float32, each row of length 1, or all 0 where a text has nothing to embed."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Embed queries into the same space, in the form of `embed`."""


def document_text(path: str, qualname: str, source: str) -> str:
    """Return the embedded text of a definition or a file: its path, its name, then its source.

    `path` is relative with forward slashes, `qualname` empty for a complete file. The shipped model learned the weights of word positions
    for exactly this layout.
    """
    return f"{path} {qualname}\n{source}"


def normalised(vectors: Vectors) -> Vectors:
    """Scale rows to length 1 in place; rows of zeros stay. Return `vectors`."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    vectors /= lengths
    return vectors


class ConcatenatedEmbedder:
    """Embedder whose inner products are `1 - share` times those of `first` plus `share` times those of `second`."""

    def __init__(self, first: Embedder, second: Embedder, share: float) -> None:
        self.name = f"{first.name}+{second.name}"
        self.revision = f"{first.revision}+{share:g}*{second.revision}"
        self.dimension = first.dimension + second.dimension
        self._first, self._second = first, second
        self._lengths = np.float32(np.sqrt(1 - share)), np.float32(np.sqrt(share))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._join(self._first.embed(texts), self._second.embed(texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._join(self._first.embed_queries(texts), self._second.embed_queries(texts))

    def _join(self, first: Vectors, second: Vectors) -> Vectors:
        return normalised(np.concatenate([first * self._lengths[0], second * self._lengths[1]], axis=1))


EMBEDDERS: Final = {
    "static": "repoquarry.graphstore.search.embeddings.static:create",
    "sentence_transformers": "repoquarry.graphstore.search.embeddings.model_embedders:create_sentence_transformer",
    "openai_compatible": "repoquarry.graphstore.search.embeddings.model_embedders:create_openai_compatible",
}
"""Variant name -> location of its factory, which is imported when the variant is chosen."""


def create(settings: EmbeddingSettings | None = None) -> Embedder:
    """Return the embedder of the settings, ready to use.

    Raises: NotFoundError for an unknown variant (with the known ones) or a missing model; EmbedderConfigurationError if its package is
    not installed, or the endpoint rejects model or key; EmbedderUnavailableError if its endpoint does not respond.
    """
    settings = settings or EmbeddingSettings()
    target = EMBEDDERS.get(settings.embedder)
    if target is None:
        known = ", ".join(sorted(EMBEDDERS))
        raise NotFoundError(
            f"unknown embedder {settings.embedder!r}; known: {known}", kind="embedder", value=settings.embedder
        )
    module, factory = target.split(":")
    make = cast(Callable[[EmbeddingSettings], Embedder], getattr(importlib.import_module(module), factory))
    chosen = make(settings)
    if settings.embedder == "static" or settings.static_share == 0:
        return chosen
    if not 0 < settings.static_share < 1:
        raise EmbedderConfigurationError(
            f"invalid static_share {settings.static_share}; expected at least 0 and less than 1"
        )
    return ConcatenatedEmbedder(chosen, create(EmbeddingSettings()), settings.static_share)


_log = logging.getLogger(__name__)

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vectors (
    revision TEXT NOT NULL,  -- of the embedder
    digest BLOB NOT NULL,    -- of the text, BLAKE2b, 16 bytes
    vector BLOB NOT NULL,    -- float16, little-endian
    PRIMARY KEY (revision, digest)
) WITHOUT ROWID
"""

COMMIT_TEXTS: Final = 2048
"""Texts embedded between two commits, which an interruption may lose."""

_LOOKUP: Final = 500  # Bound parameters per statement.


class VectorCache:
    """SQLite file of vectors. An object belongs to one thread; several processes may share the file."""

    def __init__(self, path: Path) -> None:
        """Open or create the file; a damaged one is replaced, which costs only time.

        Raises: StoreFullError, StoreUnwritableError, StoreBusyError.
        """
        self._path = path
        with translate_write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = self._connect()
        except sqlite3.DatabaseError as exc:
            self._replace_damaged(exc)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=60)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        connection.commit()
        return connection

    def _replace_damaged(self, error: sqlite3.DatabaseError) -> None:
        """Replace a damaged file. Raises: GraphStoreError for any other error."""
        if not is_damage(error):
            raise translate_sqlite_error(self._path, error) from error
        _log.warning("vector_cache_dropped path=%s error=%s", self._path, error)
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._db = self._connect()

    def embed(self, embedder: Embedder, texts: Sequence[str]) -> Vectors:
        """Return the documents' vectors, computing only those that are not cached; (n, d) as from `Embedder.embed`.

        Vectors are always rounded to float16, so that a resumed run gives the same result as an uninterrupted one.
        """
        try:
            return self._embed(embedder, texts)
        except sqlite3.DatabaseError as exc:
            self._db.close()
            self._replace_damaged(exc)
            return self._embed(embedder, texts)

    def _embed(self, embedder: Embedder, texts: Sequence[str]) -> Vectors:
        digests = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        size = 2 * embedder.dimension
        stored = self._stored(embedder.revision, digests)
        known = {digest: vector for digest, vector in stored.items() if len(vector) == size}
        missing = list({digest: at for at, digest in enumerate(digests) if digest not in known}.items())
        for start in range(0, len(missing), COMMIT_TEXTS):
            chunk = missing[start : start + COMMIT_TEXTS]
            made = embedder.embed([texts[at] for _, at in chunk]).astype("<f2")
            rows = [(embedder.revision, digest, row.tobytes()) for (digest, _), row in zip(chunk, made, strict=True)]
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            known.update((digest, blob) for _, digest, blob in rows)
        joined = b"".join([known[digest] for digest in digests])
        vectors = np.frombuffer(joined, "<f2").reshape(len(texts), embedder.dimension).astype(np.float32)
        return normalised(vectors)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _stored(self, revision: str, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(digests), _LOOKUP):
            chunk = digests[start : start + _LOOKUP]
            marks = ",".join("?" * len(chunk))
            found.update(
                self._db.execute(
                    f"SELECT digest, vector FROM vectors WHERE revision = ? AND digest IN ({marks})",  # noqa: S608 (marks only)
                    (revision, *chunk),
                )
            )
        return found
