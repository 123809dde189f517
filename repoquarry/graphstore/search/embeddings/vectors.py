"""FAISS index of one repository's vectors.

The index is exact up to `EXACT_LIMIT` vectors (a search of those takes milliseconds), with inverted lists above. Vectors are
float16, which halves memory and disk without a relevant change of ranks. An index is a cache keyed by the revision of the model; a stale
one is rebuilt.
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
from repoquarry.graphstore.search.embeddings.embedder import VECTOR_FILE, Vectors

faiss: Any = _typed_faiss  # The package's type stubs lack half of its functions.

EXACT_LIMIT: Final = 100_000
"""Vectors above which inverted lists are used."""

_PROBED_SHARE: Final = 8
"""One in this many lists is searched: at 120,000 vectors recall@10 is .998 at an eighth of the work."""

_ADDED_AT_ONCE: Final = 8_192
"""Vectors in memory as float32 while an index is built."""

_CLUSTERING_ROUNDS: Final = 10
"""Rounds of k-means for the lists; more cost seconds without better recall."""


class VectorIndex:
    """Vectors by number, from 0. Thread-safe."""

    def __init__(self, index: Any, revision: str) -> None:
        self._index = index
        self.revision = revision

    @classmethod
    def build(cls, vectors: Vectors | NDArray[np.float16], *, revision: str) -> VectorIndex:
        """Build from (n, d) unit vectors; `revision` is that of the embedder."""
        index = _empty_index(vectors)
        for start in range(0, len(vectors), _ADDED_AT_ONCE):
            some = np.ascontiguousarray(vectors[start : start + _ADDED_AT_ONCE], np.float32)
            index.add_with_ids(some, np.arange(start, start + len(some)))
        return cls(index, revision)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def search(self, query: Vectors, k: int, allowed: Sequence[int] | None = None) -> tuple[NDArray[np.int64], Vectors]:
        """Return the numbers of the `k` vectors nearest to a (1, d) query, best first, and their inner products with it.

        With `allowed`, only those numbers are found.
        """
        k = min(k, len(self if allowed is None else allowed))
        if k < 1:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        scores, found = self._index.search(np.ascontiguousarray(query, np.float32), k, params=self._parameters(allowed))
        return found[found >= 0], scores[found >= 0]

    def vectors(self, numbers: Sequence[int]) -> Vectors:
        """Return the stored vectors of some numbers, (n, d), to float16 precision."""
        if not len(numbers):
            return np.zeros((0, self._index.d), np.float32)
        found: Vectors = self._index.reconstruct_batch(np.array(numbers, np.int64))
        return found

    def all_halves(self) -> NDArray[np.float16]:
        """Return all vectors in their stored precision, without a copy at twice the size."""
        if not _is_inverted(self._index):
            codes = faiss.vector_to_array(faiss.downcast_index(self._index.index).codes)
            return np.asarray(codes).view(np.float16).reshape(len(self), self._index.d)
        starts = range(0, len(self), _ADDED_AT_ONCE)
        parts = (self.vectors(range(start, min(start + _ADDED_AT_ONCE, len(self)))) for start in starts)
        return np.concatenate([part.astype(np.float16) for part in parts])

    def save(self, folder: Path) -> None:
        """Write the index into `folder` as a safetensors file."""
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
                return cls(_probing(faiss.deserialize_index(file.get_tensor("index"))), revision)
        except (OSError, SafetensorError, ValueError, RuntimeError) as exc:
            raise StoreCorruptError(f"{path} cannot be read: {exc}; it is rebuilt by indexing again") from exc

    def _parameters(self, allowed: Sequence[int] | None) -> Any:
        selector = None if allowed is None else faiss.IDSelectorBatch(np.array(allowed, np.int64))
        if _is_inverted(self._index):
            # A filter leaves few candidates per list: searching all lists is still less work.
            probes = self._index.nprobe if selector is None else self._index.nlist
            return faiss.SearchParametersIVF(sel=selector, nprobe=probes)
        return None if selector is None else faiss.SearchParameters(sel=selector)


def _header(revision: str, size: int) -> bytes:
    """Return the header of a safetensors file with an index of this many bytes."""
    index = {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}
    return json.dumps({"__metadata__": {"revision": revision}, "index": index}).encode()


def _is_inverted(index: Any) -> bool:
    return isinstance(index, faiss.IndexIVF)


def _empty_index(vectors: Vectors | NDArray[np.float16]) -> Any:
    count, dimension = vectors.shape
    if count <= EXACT_LIMIT:
        exact = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
        return faiss.IndexIDMap2(exact)
    index = faiss.index_factory(dimension, f"IVF{int(2 * np.sqrt(count))},SQfp16", faiss.METRIC_INNER_PRODUCT)
    index.cp.niter = _CLUSTERING_ROUNDS
    index.train(np.ascontiguousarray(vectors, np.float32))
    return _probing(index)


def _probing(index: Any) -> Any:
    if _is_inverted(index):
        index.nprobe = max(8, index.nlist // _PROBED_SHARE)
        index.set_direct_map_type(faiss.DirectMap.Hashtable)
    return index
