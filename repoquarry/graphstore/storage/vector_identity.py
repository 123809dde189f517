"""Identity of the embedder that made stored vectors, and of the shipped embedder, read without loading vectors or a model.

An index run without a change compares both, and must not load numpy.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

VECTOR_FILE: Final = "vectors.safetensors"
"""File of the vectors in the folder of a search index."""
STATIC_FORMAT: Final = "repoquarry-static-1"
"""Format of the weights of the static embedder."""
SHIPPED_WEIGHTS: Final = Path(__file__).parents[1] / "search" / "embeddings" / "weights" / "static.safetensors"
SHIPPED_DIGEST: Final = "070f0861ce60a2fc"
"""Start of the SHA-256 of the shipped weights: 13.7 MB are not read to compare identities."""
_MAX_HEADER_BYTES: Final = 1 << 20


def find_embedder(folder: Path) -> str | None:
    """Return the revision of the embedder whose vectors an index folder holds; None without readable vectors."""
    try:
        with (folder / VECTOR_FILE).open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(size, _MAX_HEADER_BYTES)))
        return str(header["__metadata__"]["revision"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def static_revision(weights: str) -> str:
    """Return the revision of the static embedder with this weights file; empty for the shipped one. Raises: OSError."""
    path = Path(weights) if weights else SHIPPED_WEIGHTS
    is_shipped = path == SHIPPED_WEIGHTS
    digest = SHIPPED_DIGEST if is_shipped else hashlib.sha256(path.read_bytes()).hexdigest()[: len(SHIPPED_DIGEST)]
    return f"{STATIC_FORMAT}:{digest}"
