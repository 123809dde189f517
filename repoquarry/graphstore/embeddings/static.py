"""The default embedder: a table of token vectors, summed with learned weights. numpy only.

A text becomes a bag of tokens (`vocabulary`); its vector is the sum of the tokens' vectors, each weighted by what the
token says in a query or in a document and by its place in the text, brought to length 1. Nothing in it is sequential, so
that tens of thousands of definitions are embedded in seconds on one core and a query in microseconds.

The weights are made by `scripts/train_static_model.py`; `weights/MODEL_CARD.md` says from what.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from repoquarry.graphstore.embeddings.embedder import Vectors, normalised
from repoquarry.graphstore.embeddings.settings import EmbeddingSettings
from repoquarry.graphstore.embeddings.vocabulary import Bags, Vocabulary
from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.words import abi
from repoquarry.graphstore.words.library import library, require

FORMAT: Final = "repoquarry-static-1"
"""Written into the file's metadata; a file of another format is refused, not guessed at."""

SHIPPED_WEIGHTS: Final = Path(__file__).parent / "weights" / "static.safetensors"

MAX_TOKENS: Final = 256
"""Distinct tokens of a text that count; the model was trained with the same cut."""

_BATCH_TEXTS: Final = 512
Role = Literal["query", "document"]


@dataclass(frozen=True)
class StaticModel:
    """The weights as they lie in the file. V tokens, d dimensions, P position buckets."""

    tokens: tuple[str, ...]
    vectors: NDArray[np.int8]
    """(V, d), times `scales` the token vectors."""
    scales: NDArray[np.float32]
    """(V,)"""
    token_weights: dict[Role, NDArray[np.float32]]
    """(V,) each"""
    position_weights: dict[Role, NDArray[np.float32]]
    """(P,) each, indexed by `position_bucket`"""


def position_bucket(positions: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """Return the bucket of each 0-based position: one each for the first 8, then 3 for every doubling."""
    later = 8 + np.floor(np.log2(np.maximum(positions, 8) / 8) * 3).astype(np.int64)
    return np.minimum(np.where(positions < 8, positions, later), buckets - 1)


class StaticEmbedder:
    """Embeds by the `StaticModel` of a file, which is read when something is embedded first. Safe to share between threads."""

    name = "static"

    def __init__(self, path: Path, revision: str, dimension: int) -> None:
        self.revision = revision
        self.dimension = dimension
        self._path = path
        self._reading = Lock()
        self._read: _Embedding | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._model().embed(texts, "document")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._model().embed(texts, "query")

    def _model(self) -> _Embedding:
        with self._reading:
            if self._read is None:
                with _translated(self._path):
                    self._read = _Embedding(read_model(self._path))
            return self._read


class _Embedding:
    """A model, laid out for embedding."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._dimension = int(model.vectors.shape[1])
        self._vocabulary = Vocabulary(model.tokens)
        self._weights = {role: model.scales * weights for role, weights in model.token_weights.items()}
        every = np.arange(MAX_TOKENS)
        self._positions = {
            role: weights[position_bucket(every, len(weights))] for role, weights in model.position_weights.items()
        }

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for start in range(0, len(texts), _BATCH_TEXTS):
            batch = texts[start : start + _BATCH_TEXTS]
            vectors[start : start + len(batch)] = self._pooled(self._vocabulary.bags(batch, MAX_TOKENS), role)
        return normalised(vectors)

    def _pooled(self, bags: Bags, role: Role) -> Vectors:
        # Not BLAS, whose threads take more processor time to wait for each other than these small sums take, and whose
        # sums depend on what else is in the batch: a text has the same vector whatever it is embedded with.
        table, weights, positions = self._model.vectors, self._weights[role], self._positions[role]
        pooled = np.empty((len(bags), self._dimension), np.float32)
        given = abi.Summed(
            abi.VERSION,
            bags.tokens.ctypes.data,
            bags.offsets.ctypes.data,
            len(bags),
            table.ctypes.data,
            self._dimension,
            weights.ctypes.data,
            len(table),
            positions.ctypes.data,
            len(positions),
        )
        require(library().repoquarry_sums(ctypes.byref(given), ctypes.c_void_p(pooled.ctypes.data)))
        return pooled


def load(path: Path = SHIPPED_WEIGHTS) -> StaticEmbedder:
    """The embedder of a weights file.

    Raises:
        NotFoundError: no such file.
        StoreCorruptError: the file is not of this format.
    """
    with _translated(path):
        revision = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        with _opened(path) as file:
            return StaticEmbedder(path, f"{FORMAT}:{revision}", file.get_slice("vectors").get_shape()[1])


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Raises: as `load`."""
    try:
        yield
    except FileNotFoundError as exc:
        raise NotFoundError(f"no weights file {path}", kind="model", value=str(path)) from exc
    except (OSError, SafetensorError, KeyError, ValueError) as exc:
        raise StoreCorruptError(f"{path} is not a weights file of format {FORMAT}: {exc}; build one anew") from exc


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    with safe_open(path, framework="numpy") as file:
        found = (file.metadata() or {}).get("format")
        if found != FORMAT:
            raise ValueError(f"format {found!r}")
        yield file


def read_model(path: Path) -> StaticModel:
    """Read the weights alone. Raises FileNotFoundError, OSError, SafetensorError, KeyError or ValueError: see `load`."""
    with _opened(path) as file:
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (not a mapping)
    single = {key: value.astype(np.float32) for key, value in tensors.items() if value.dtype == np.float16}
    return StaticModel(
        tokens=tuple(json.loads(tensors["tokens"].tobytes())),
        vectors=tensors["vectors"],
        scales=single["scales"],
        token_weights={"query": single["query_weights"], "document": single["document_weights"]},
        position_weights={"query": single["query_positions"], "document": single["document_positions"]},
    )


def create(settings: EmbeddingSettings) -> StaticEmbedder:
    """Factory named in `embedder.EMBEDDERS`."""
    return load(Path(settings.model)) if settings.model else load()
