"""`Embedder`: protocol, table of embedders, vector cache, concatenation.

Ingestion embeds definitions and files, search embeds queries; both hold an `Embedder` and never ask which one. Queries
and documents are embedded by separate methods because the better models treat them differently (instruction prefixes,
or weights of their own), and a caller that mixes them up loses quality without any error to show for it.

A general sentence model knows more of the language, the static model more of code; together they find clearly more than
either (docs/benchmarks.md), and everything downstream still sees one vector and one index.

Embedding with a large model takes hours on a large repository. Every batch is committed as soon as it is there, so an
interrupted run goes on where it stopped, and a changed file costs only its own definitions. Keyed by content, so that
repositories which share code share vectors.
"""

from __future__ import annotations

import hashlib
import importlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, Self, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.errors import EmbedderConfigurationError, NotFoundError, StoreCorruptError
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.graphstore.storage.sqlite_database import is_damage, translate_sqlite_error, translate_write_errors

Vectors: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors whose inner product is their similarity."""

    @property
    def name(self) -> str:
        """Name in `EMBEDDERS`, with the model behind it where there is a choice (`sentence_transformers:all-MiniLM-L6-v2`)."""

    @property
    def revision(self) -> str:
        """Changes whenever the vectors of the same text would: vectors of two revisions must never be compared."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed documents: (n, dimension) float32, each row of length 1, or all 0 where a text has nothing to embed."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Embed queries into the same space, same form as `embed`."""


def document_text(path: str, qualname: str, source: str) -> str:
    """Return what is embedded for a definition or a file: its place, its name, then its source.

    `path` is relative with forward slashes, `qualname` empty for a whole file. The shipped model has learned how much
    the words at each position of exactly this layout count.
    """
    return f"{path} {qualname}\n{source}"


def normalised(vectors: Vectors) -> Vectors:
    """Scale rows to length 1 in place; rows of zeros stay. Returns `vectors`."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    vectors /= lengths
    return vectors


class ConcatenatedEmbedder:
    """Inner products are `1 - share` times those of `first` plus `share` times those of `second`."""

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
    "sentence_transformers": "repoquarry.graphstore.search.embeddings.sentence_transformers:create",
    "openai_compatible": "repoquarry.graphstore.search.embeddings.openai_compatible:create",
}
"""Name of a variant -> where its factory is. A variant is imported when it is chosen."""


def create(settings: EmbeddingSettings | None = None) -> Embedder:
    """Return the embedder that the settings name, ready to use.

    Raises:
        NotFoundError: no variant has that name (the message lists those that exist), or the model does not exist.
        EmbedderConfigurationError: its package is not installed, or the endpoint refuses model or key.
        EmbedderUnavailableError: its endpoint does not answer.
    """
    settings = settings or EmbeddingSettings()
    target = EMBEDDERS.get(settings.embedder)
    if target is None:
        known = ", ".join(sorted(EMBEDDERS))
        raise NotFoundError(
            f"no embedder is called {settings.embedder!r}; there are: {known}", kind="embedder", value=settings.embedder
        )
    module, factory = target.split(":")
    make = cast(Callable[[EmbeddingSettings], Embedder], getattr(importlib.import_module(module), factory))
    chosen = make(settings)
    if settings.embedder == "static" or settings.static_share == 0:
        return chosen
    if not 0 < settings.static_share < 1:
        raise EmbedderConfigurationError(f"static_share is {settings.static_share}, and must be at least 0 and below 1")
    return ConcatenatedEmbedder(chosen, create(EmbeddingSettings()), settings.static_share)


_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vectors (
    revision TEXT NOT NULL,  -- of the embedder
    digest BLOB NOT NULL,    -- of the text, BLAKE2b, 16 bytes
    vector BLOB NOT NULL,    -- float16, little-endian
    PRIMARY KEY (revision, digest)
) WITHOUT ROWID
"""

COMMIT_TEXTS: Final = 2048
"""Texts embedded between two commits: what an interruption can cost."""

_LOOKUP: Final = 500  # bound parameters per statement


class VectorCache:
    """A SQLite file of vectors. One object belongs to one thread; several processes may share the file."""

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            StoreCorruptError: it is not a SQLite file. Deleting it loses nothing but time.
            StoreFullError, StoreUnwritableError, StoreBusyError.
        """
        with translate_write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(path, timeout=60)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(_SCHEMA)
            self._db.commit()
        except sqlite3.DatabaseError as exc:
            if not is_damage(exc):
                raise translate_sqlite_error(path, exc) from exc
            raise StoreCorruptError(f"{path} cannot be used as a vector cache: {exc}; delete it to start anew") from exc

    def embed(
        self, embedder: Embedder, texts: Sequence[str], progress: Callable[[int, int], None] | None = None
    ) -> Vectors:
        """Return the documents' vectors, computing only those that are not stored; (n, d) as from `Embedder.embed`.

        Vectors are rounded to float16 whether they were stored or not, so that a resumed run gives what an unbroken one
        gives. `progress` is called with the number of texts done and their total.
        """
        digests = [_digest(text) for text in texts]
        known = self._stored(embedder.revision, digests)
        missing = list({digest: at for at, digest in enumerate(digests) if digest not in known}.items())
        for start in range(0, len(missing), COMMIT_TEXTS):
            if progress:
                progress(len(texts) - len(missing) + start, len(texts))
            chunk = missing[start : start + COMMIT_TEXTS]
            made = embedder.embed([texts[at] for _, at in chunk]).astype("<f2")
            rows = [(embedder.revision, digest, row.tobytes()) for (digest, _), row in zip(chunk, made, strict=True)]
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            known.update((digest, blob) for _, digest, blob in rows)
        if progress:
            progress(len(texts), len(texts))
        joined = b"".join([known[digest] for digest in digests])
        vectors = np.frombuffer(joined, "<f2").reshape(len(texts), embedder.dimension).astype(np.float32)
        return normalised(vectors)

    def forget(self, *, keep_revision: str) -> int:
        """Delete the vectors of every other model; returns how many there were."""
        with self._db:
            return self._db.execute("DELETE FROM vectors WHERE revision <> ?", (keep_revision,)).rowcount

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


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
