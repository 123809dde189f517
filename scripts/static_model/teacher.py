"""Where the token vectors start from: what a sentence model makes of each token alone.

It gives rare tokens a meaning that pairs of docstring and code could not teach them, and it is what the model keeps of
its teacher: every vector is trained further.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

_SPREAD: Final = 0.1
"""Standard deviation of the numbers of the first vectors; Adam's steps are sized for it."""


def first_vectors(tokens: Sequence[str], model: str, dimension: int) -> NDArray[np.float32]:
    """Return (V, dimension) vectors: the teacher's, centred and turned onto their main axes."""
    encoded = SentenceTransformer(model).encode([token.replace("_", " ") for token in tokens], batch_size=512)
    centred = np.asarray(encoded, np.float64) - np.mean(encoded, axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    reduced = centred @ axes[:, ::-1][:, :dimension]
    return (reduced * (_SPREAD / reduced.std())).astype(np.float32)
