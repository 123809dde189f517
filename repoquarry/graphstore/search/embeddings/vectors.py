"""FAISS index of one repository's vectors.

The index is exact up to `EXACT_LIMIT` vectors (a search of those takes milliseconds), with inverted lists above. HNSW is unsuitable: it
cannot delete, and re-indexing a file deletes. Vectors are float16, which halves memory and disk without a relevant change of ranks. An
index is a cache keyed by the revision of the model; a stale one is rebuilt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Neighbour:
    """Search result; `score` is the inner product, 1 for the same direction."""

    id: str
    score: float


class VectorIndex:
    """String ids and their vectors. Searches are thread-safe; changes need exclusive access."""

    def __init__(self, index: Any, ids: dict[int, str], revision: str) -> None:
        self._index = index
        self._ids = ids
        self._numbers = {name: number for number, name in ids.items()}
        self.revision = revision

    @classmethod
    def build(cls, ids: Sequence[str], vectors: Vectors | NDArray[np.float16], *, revision: str) -> VectorIndex:
        """Build from unique `ids` and their (n, d) unit vectors; `revision` is that of the embedder.

        Raises: ValueError if the numbers of ids and vectors differ, or an id occurs twice.
        """
        if len(ids) != len(vectors) or len(set(ids)) != len(ids):
            raise ValueError(f"{len(set(ids))} distinct ids of {len(ids)} for {len(vectors)} vectors")
        index = _empty_index(vectors)
        for start in range(0, len(ids), _ADDED_AT_ONCE):
            some = np.ascontiguousarray(vectors[start : start + _ADDED_AT_ONCE], np.float32)
            index.add_with_ids(some, np.arange(start, start + len(some)))
        return cls(index, dict(enumerate(ids)), revision)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    def search(self, queries: Vectors, k: int, allowed: Collection[str] | None = None) -> list[list[Neighbour]]:
        """Return the `k` best results for each of the (n, d) queries, best first; with `allowed`, only those ids."""
        if allowed is not None:
            numbers = np.array([self._numbers[name] for name in allowed if name in self._numbers], np.int64)
            k = min(k, len(numbers))
        else:
            numbers = None
            k = min(k, len(self))
        if k < 1 or not len(queries):
            return [[] for _ in queries]
        found = self._index.search(np.ascontiguousarray(queries, np.float32), k, params=self._parameters(numbers))
        return [
            [Neighbour(self._ids[int(n)], float(s)) for s, n in zip(scores, row, strict=True) if n >= 0]
            for scores, row in zip(*found, strict=True)
        ]

    def update(self, ids: Sequence[str], vectors: Vectors, removed: Iterable[str] = ()) -> VectorIndex:
        """Return the index without `removed` and with `ids` added or replaced.

        The result is this changed object, unless growth requires another kind of index: use the returned one.
        """
        gone = {*removed, *ids} & self._numbers.keys()
        if len(self) - len(gone) + len(ids) > EXACT_LIMIT and not _is_inverted(self._index):
            return self._rebuilt(ids, vectors, gone)
        if gone:
            numbers = np.array([self._numbers.pop(name) for name in gone], np.int64)
            self._index.remove_ids(numbers)
            for number in numbers.tolist():
                del self._ids[number]
        first = max(self._ids, default=-1) + 1
        added = np.arange(first, first + len(ids))
        if len(ids):
            self._index.add_with_ids(np.ascontiguousarray(vectors, np.float32), added)
        self._ids.update(zip(added.tolist(), ids, strict=True))
        self._numbers.update(zip(ids, added.tolist(), strict=True))
        return self

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the stored vectors of `ids`, (n, d), to float16 precision. Raises KeyError for an unknown id."""
        numbers = np.array([self._numbers[name] for name in ids], np.int64)
        found: Vectors = (
            self._index.reconstruct_batch(numbers) if len(ids) else np.zeros((0, self.dimension), np.float32)
        )
        return found

    def halves(self, ids: Sequence[str]) -> NDArray[np.float16]:
        """Return the vectors of `ids` in their stored precision, without a copy at twice the size."""
        parts = [self.vectors(ids[start : start + _ADDED_AT_ONCE]) for start in range(0, len(ids), _ADDED_AT_ONCE)]
        return np.concatenate([np.zeros((0, self.dimension), np.float16), *(part.astype(np.float16) for part in parts)])

    def all_halves(self) -> NDArray[np.float16]:
        """Return the vectors of all ids in their original order; an exact index reads them in one step."""
        if _is_inverted(self._index) or list(self._ids) != list(range(len(self))):
            return self.halves(list(self._ids.values()))
        codes = faiss.vector_to_array(faiss.downcast_index(self._index.index).codes)
        return np.asarray(codes).view(np.float16).reshape(len(self), self.dimension)

    def save(self, folder: Path) -> None:
        """Write the index into `folder` atomically: a reader sees the old or the new one."""
        folder.mkdir(parents=True, exist_ok=True)
        numbers = np.fromiter(self._ids, np.int64, len(self._ids))
        names = np.frombuffer(json.dumps(list(self._ids.values())).encode(), np.uint8)
        partial = folder / f"{VECTOR_FILE}.{os.getpid()}.partial"
        with partial.open("wb") as file:
            file.write(self._header(numbers, names))
            file.write(numbers.data)
            # In pieces: safetensors' own functions would need two more copies of the index.
            faiss.write_index(self._index, faiss.PyCallbackIOWriter(file.write))
            file.write(names.data)
        partial.replace(folder / VECTOR_FILE)

    def _header(self, numbers: NDArray[np.int64], names: NDArray[np.uint8]) -> bytes:
        """Return the header of a safetensors file: the position of each array."""
        header: dict[str, object] = {"__metadata__": {"revision": self.revision}}
        start, written = 0, _written_bytes(self._index)
        for name, kind, shape, size in (
            ("numbers", "I64", len(numbers), numbers.nbytes),
            ("index", "U8", written, written),
            ("names", "U8", len(names), names.nbytes),
        ):
            header[name] = {"dtype": kind, "shape": [shape], "data_offsets": [start, start + size]}
            start += size
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        return len(text).to_bytes(8, "little") + text

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
                index = _probing(faiss.deserialize_index(file.get_tensor("index")))
                names = json.loads(file.get_tensor("names").tobytes())
                ids = dict(zip(file.get_tensor("numbers").tolist(), names, strict=True))
        except (OSError, SafetensorError, ValueError, RuntimeError) as exc:
            raise StoreCorruptError(f"{path} cannot be read: {exc}; it is rebuilt by indexing again") from exc
        return cls(index, ids, revision)

    def _parameters(self, numbers: NDArray[np.int64] | None) -> Any:
        selector = None if numbers is None else faiss.IDSelectorBatch(numbers)
        if _is_inverted(self._index):
            # A filter leaves few candidates per list: searching all lists is still less work.
            probes = self._index.nprobe if selector is None else self._index.nlist
            return faiss.SearchParametersIVF(sel=selector, nprobe=probes)
        return None if selector is None else faiss.SearchParameters(sel=selector)

    def _rebuilt(self, ids: Sequence[str], vectors: Vectors, gone: Collection[str]) -> VectorIndex:
        kept = [name for name in self._ids.values() if name not in gone]
        return VectorIndex.build([*kept, *ids], np.concatenate([self.vectors(kept), vectors]), revision=self.revision)


def _written_bytes(index: Any) -> int:
    """Return the size of a written index in bytes."""
    sizes: list[int] = []
    faiss.write_index(index, faiss.PyCallbackIOWriter(lambda piece: sizes.append(len(piece))))
    return sum(sizes)


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
