"""Default embedder, a static model: the vector of a text is the weighted sum of the trained vectors of its tokens.

A bag contains the distinct tokens of a text in the order of their first occurrence. Tokens are identifier parts (`queue`), frequent
compound identifiers (`get_queue`), and for rare parts the pieces in the vocabulary. Bags are computed natively
(`repoquarry.native.tokenizer_abi`); words with letters beyond ASCII are split here.

The weight of a token depends on its importance in a query or in a document and on its position in the text. The sum is scaled to
length 1. Nothing is sequential, so tens of thousands of definitions are embedded in seconds on one core and a query in microseconds.

`scripts/train_static_model.py` trains the weights; `weights/MODEL_CARD.md` describes the data.
"""

from __future__ import annotations

import ctypes
import json
import re
import weakref
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.embeddings.embedder import Vectors, normalised
from repoquarry.graphstore.search.text_analysis import identifier_parts, load_tokenizer, raise_for_status
from repoquarry.graphstore.settings import EmbeddingSettings
from repoquarry.graphstore.storage.vector_identity import SHIPPED_WEIGHTS, STATIC_FORMAT, static_revision
from repoquarry.native import tokenizer_abi

MAX_CHARACTERS: Final = 12_000
"""Maximum number of characters read: the bag is full long before."""

MIN_PIECE_CHARACTERS: Final = 3
"""Minimum length of a piece of a rare word; shorter ones are meaningless."""

_WORD = re.compile(r"[^\W\d]\w+")
"""Single letters and numbers are skipped: they are a fifth of all words in code and carry almost no information."""


@dataclass(frozen=True)
class TokenBags:
    """Concatenated bags of several texts: bag `i` is `tokens[offsets[i]:offsets[i + 1]]`."""

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    def positions(self) -> NDArray[np.int64]:
        """Return the rank of each token inside its bag, 0-based, aligned with `tokens`."""
        return np.arange(len(self.tokens)) - np.repeat(self.offsets[:-1], self.lengths)


class TokenVocabulary:
    """Tokens of a model in the order of their ids, and conversion of texts to bags."""

    def __init__(self, tokens: Sequence[str]) -> None:
        """Load the tokens. Raises: TokenizerError."""
        self.tokens = tuple(tokens)
        self._longest = max(map(len, self.tokens), default=0)
        self._made = ctypes.c_void_p()
        given = tokenizer_abi.TokenizerTexts.of(self.tokens)
        raise_for_status(
            load_tokenizer().repoquarry_vocabulary(
                ctypes.c_int64(tokenizer_abi.VERSION), ctypes.byref(given), ctypes.byref(self._made)
            )
        )
        weakref.finalize(self, load_tokenizer().repoquarry_vocabulary_free, self._made)

    def bags(self, texts: Sequence[str], limit: int) -> TokenBags:
        """Return the bags of `texts`, each of at most `limit` tokens. Raises: TokenizerError."""
        read = [text[:MAX_CHARACTERS] for text in texts]
        odd = _odd_words(read)
        ids = list(map(self.word_ids, odd))
        given = tokenizer_abi.BagBuffers(
            tokenizer_abi.VERSION,
            tokenizer_abi.TokenizerTexts.of(read),
            tokenizer_abi.LetterTable.of(*read),
            tokenizer_abi.TokenizerTexts.of(odd),
            array("i", chain.from_iterable(ids)).tobytes(),
            array("q", accumulate(map(len, ids), initial=0)).tobytes(),
            limit,
        )
        tokens = np.empty(len(read) * limit, np.int32)
        offsets = np.empty(len(read) + 1, np.int64)
        places = (ctypes.c_void_p(column.ctypes.data) for column in (tokens, offsets))
        raise_for_status(load_tokenizer().repoquarry_bags(self._made, ctypes.byref(given), *places))
        return TokenBags(tokens[: int(offsets[-1])].copy(), offsets)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens)}

    def word_ids(self, word: str) -> tuple[int, ...]:
        parts = identifier_parts(word)
        found: list[int] = []
        if len(parts) > 1 and (compound := self._ids.get("_".join(parts))) is not None:
            found.append(compound)
        for part in parts:
            number = self._ids.get(part)
            if number is None:
                found.extend(self._pieces(part))
            else:
                found.append(number)
        return tuple(found)

    def _pieces(self, part: str) -> list[int]:
        # Greedy from the left, longest known piece first; letters that start no known piece are skipped.
        found: list[int] = []
        start = 0
        while start + MIN_PIECE_CHARACTERS <= len(part):
            for end in range(min(len(part), start + self._longest), start + MIN_PIECE_CHARACTERS - 1, -1):
                number = self._ids.get(part[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                start += 1
        return found


def _odd_words(texts: Sequence[str]) -> list[str]:
    """Return the distinct words with a letter beyond ASCII."""
    found = (word for text in texts if not text.isascii() for word in _WORD.findall(text) if not word.isascii())
    return list(dict.fromkeys(found))


MAX_TOKENS: Final = 256
"""Maximum number of distinct tokens per text; the model was trained with the same limit."""

_BATCH_TEXTS: Final = 512
Role = Literal["query", "document"]


@dataclass(frozen=True)
class StaticModel:
    """Weights as stored in the file: V tokens, d dimensions, P position buckets."""

    tokens: tuple[str, ...]
    vectors: NDArray[np.int8]
    """(V, d), multiplied by `scales` the token vectors."""
    scales: NDArray[np.float32]
    """(V,)"""
    token_weights: dict[Role, NDArray[np.float32]]
    """(V,) each"""
    position_weights: dict[Role, NDArray[np.float32]]
    """(P,) each, indexed by `position_bucket`"""


def position_bucket(positions: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """Return the bucket of each 0-based position: one each for the first 8, then 3 per doubling."""
    later = 8 + np.floor(np.log2(np.maximum(positions, 8) / 8) * 3).astype(np.int64)
    return np.minimum(np.where(positions < 8, positions, later), buckets - 1)


class StaticEmbedder:
    """Embedder with the `StaticModel` of a file, which is read on first use. Thread-safe."""

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
    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._dimension = int(model.vectors.shape[1])
        self._vocabulary = TokenVocabulary(model.tokens)
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

    def _pooled(self, bags: TokenBags, role: Role) -> Vectors:
        # Not BLAS, whose threads spend more CPU time on synchronization than these small sums need, and whose sums
        # depend on the rest of the batch: here a text has the same vector in any batch.
        table, weights, positions = self._model.vectors, self._weights[role], self._positions[role]
        pooled = np.empty((len(bags), self._dimension), np.float32)
        given = tokenizer_abi.BagSums(
            tokenizer_abi.VERSION,
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
        raise_for_status(load_tokenizer().repoquarry_sums(ctypes.byref(given), ctypes.c_void_p(pooled.ctypes.data)))
        return pooled


def load(path: Path = SHIPPED_WEIGHTS) -> StaticEmbedder:
    """The embedder of a weights file.

    Raises:
        NotFoundError: no such file.
        StoreCorruptError: the file is not of this format.
    """
    with _translated(path):
        revision = static_revision(str(path))
        with _opened(path) as file:
            return StaticEmbedder(path, revision, file.get_slice("vectors").get_shape()[1])


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Raises: as `load`."""
    try:
        yield
    except FileNotFoundError as exc:
        raise NotFoundError(f"no weights file {path}", kind="model", value=str(path)) from exc
    except (OSError, SafetensorError, KeyError, ValueError) as exc:
        raise StoreCorruptError(
            f"{path} is not a weights file of format {STATIC_FORMAT}: {exc}; train a new one"
        ) from exc


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    with safe_open(path, framework="numpy") as file:
        found = (file.metadata() or {}).get("format")
        if found != STATIC_FORMAT:
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
