"""Quantization of trained weights to the format that `repoquarry.graphstore.search.embeddings.static` reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from repoquarry.graphstore.search.embeddings.static import FORMAT
from scripts.static_model.network import Weights


def write(path: Path, tokens: Sequence[str], weights: Weights, made: dict[str, str]) -> None:
    """Write one file: vectors as int8 with one scale each, weights as float16. `made` is added to its metadata."""
    scales = np.abs(weights.vectors).max(axis=1) / 127
    scales[scales == 0] = 1
    tensors = {
        "tokens": np.frombuffer(json.dumps(list(tokens), ensure_ascii=False, separators=(",", ":")).encode(), np.uint8),
        "vectors": np.round(weights.vectors / scales[:, None]).astype(np.int8),
        "scales": scales.astype(np.float16),
    }
    for role, values in weights.token_weights.items():
        tensors[f"{role}_weights"] = values.astype(np.float16)
    for role, values in weights.position_weights.items():
        tensors[f"{role}_positions"] = values.astype(np.float16)
    partial = path.with_suffix(".partial")
    save_file(tensors, partial, metadata={"format": FORMAT, **made})
    partial.replace(path)
    path.chmod(0o644)
