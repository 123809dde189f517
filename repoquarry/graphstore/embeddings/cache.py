"""Vectors that were computed before, by the text and the model that made them.

Embedding with a large model takes hours on a large repository. Every batch is committed as soon as it is there, so an
interrupted run goes on where it stopped, and a changed file costs only its own definitions. Keyed by content, so that
repositories which share code share vectors.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Self

import numpy as np

from repoquarry.graphstore.embeddings.embedder import Embedder, Vectors, normalised
from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.folder.disk import is_damage, sqlite_problem, writing

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
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(path, timeout=60)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(_SCHEMA)
            self._db.commit()
        except sqlite3.DatabaseError as exc:
            if not is_damage(exc):
                raise sqlite_problem(path, exc) from exc
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
