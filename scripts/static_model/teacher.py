"""Initial token vectors: the embedding of each single token by a sentence model.

Rare tokens get a meaning that pairs of docstring and code cannot provide. Nothing else of the teacher is used: every vector is trained
further.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

_SPREAD: Final = 0.1
"""Standard deviation of the initial vectors, suited to the step size of Adam."""


def first_vectors(tokens: Sequence[str], model: str, dimension: int) -> NDArray[np.float32]:
    """Return (V, dimension) vectors: those of the teacher, centered and rotated to their principal axes."""
    encoded = SentenceTransformer(model).encode([token.replace("_", " ") for token in tokens], batch_size=512)
    centred = np.asarray(encoded, np.float64) - np.mean(encoded, axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    reduced = centred @ axes[:, ::-1][:, :dimension]
    return (reduced * (_SPREAD / reduced.std())).astype(np.float32)
