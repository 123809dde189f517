"""FAISS nearest-neighbor index of the embeddings of one repository's files and definitions.

The index is exact: a search of 400,000 vectors takes a tenth of a second. Vectors are float16, which halves memory and disk without a
relevant change of ranks. An index is a cache keyed by the revision of the model; a stale one is rebuilt.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import faiss as _typed_faiss
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.embeddings.embedder import Vectors
from repoquarry.graphstore.storage.vector_identity import VECTOR_FILE

faiss: Any = _typed_faiss  # The package's type stubs lack half of its functions.

_ADDED_AT_ONCE: Final = 8_192
"""Vectors in memory as float32 while an index is built."""


class VectorIndex:
    """Vectors by number, from 0. Thread-safe."""

    def __init__(self, index: Any, revision: str) -> None:
        self._index = index
        self.revision = revision

    @classmethod
    def build(cls, vectors: Vectors | NDArray[np.float16], *, revision: str) -> VectorIndex:
        """Build from (n, d) unit vectors; `revision` is that of the embedder."""
        return cls(_build_exact(vectors), revision)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        return 2 * int(self._index.d) * len(self)

    def search(self, query: Vectors, k: int, allowed: Sequence[int] | None = None) -> tuple[NDArray[np.int64], Vectors]:
        """Return the numbers of the `k` vectors nearest to a (1, d) query, best first, and their inner products with it.

        With `allowed`, only those numbers are found.
        """
        k = min(k, len(self if allowed is None else allowed))
        if k < 1:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        selector = None if allowed is None else faiss.IDSelectorBatch(np.array(allowed, np.int64))
        parameters = None if selector is None else faiss.SearchParameters(sel=selector)
        scores, found = self._index.search(np.ascontiguousarray(query, np.float32), k, params=parameters)
        return found[found >= 0], scores[found >= 0]

    def vectors(self, numbers: Sequence[int]) -> Vectors:
        """Return the stored vectors of some numbers, (n, d), to float16 precision."""
        if not len(numbers):
            return np.zeros((0, self._index.d), np.float32)
        found: Vectors = self._index.reconstruct_batch(np.array(numbers, np.int64))
        return found

    def all_halves(self) -> NDArray[np.float16]:
        """Return all vectors in their stored precision, without a copy at twice the size."""
        codes = faiss.vector_to_array(faiss.downcast_index(self._index.index).codes)
        return np.asarray(codes).view(np.float16).reshape(len(self), self._index.d)

    def save(self, folder: Path) -> None:
        # In pieces, with the header last: safetensors' own functions would need two more copies of the index.
        room = -(-len(_header(self.revision, 1 << 62)) // 8) * 8
        with (folder / VECTOR_FILE).open("wb") as file:
            file.seek(8 + room)
            faiss.write_index(self._index, faiss.PyCallbackIOWriter(file.write))
            size = file.tell() - 8 - room
            file.seek(0)
            file.write(room.to_bytes(8, "little") + _header(self.revision, size).ljust(room))

    @classmethod
    def load(cls, folder: Path, *, revision: str) -> VectorIndex:
        """Read the index in `folder`, built with the embedder of that `revision`.

        Raises: NotFoundError if it is missing or belongs to another model, StoreCorruptError if it is unreadable; rebuild it in both
        cases.
        """
        path = folder / VECTOR_FILE
        if not path.exists():
            raise NotFoundError(f"no vector index in {folder}", kind="index", value=str(folder))
        try:
            with safe_open(path, framework="numpy") as file:
                made_by = (file.metadata() or {}).get("revision", "")
                if made_by != revision:
                    raise NotFoundError(
                        f"the vector index in {folder} belongs to model {made_by}, not {revision}",
                        kind="index",
                        value=str(folder),
                    )
                index = faiss.deserialize_index(file.get_tensor("index"))
                if isinstance(index, faiss.IndexIVF):  # Version 0.1.0 wrote inverted lists above 100,000 vectors.
                    index = _build_exact(index.reconstruct_n(0, index.ntotal))
                return cls(index, revision)
        except (OSError, SafetensorError, ValueError, RuntimeError) as exc:
            raise StoreCorruptError(f"{path} cannot be read: {exc}; it is rebuilt by indexing again") from exc


def _header(revision: str, size: int) -> bytes:
    index = {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}
    return json.dumps({"__metadata__": {"revision": revision}, "index": index}).encode()


def _build_exact(vectors: Vectors | NDArray[np.float16]) -> Any:
    dimension = vectors.shape[1]
    exact = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    index = faiss.IndexIDMap2(exact)
    for start in range(0, len(vectors), _ADDED_AT_ONCE):
        some = np.ascontiguousarray(vectors[start : start + _ADDED_AT_ONCE], np.float32)
        index.add_with_ids(some, np.arange(start, start + len(some)))
    return index
