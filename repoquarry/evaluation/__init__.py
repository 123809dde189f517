"""Evaluation of agents and their results on published benchmarks: GitTaskBench, SWE-PolyBench and MLE-R.

Source: Rashid et al., SWE-PolyBench: A multi-language benchmark for repository level evaluation of coding agents, 2025.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_tables(name: str) -> Mapping[str, Any]:
    """Read a file of the folder `data`."""
    return tomllib.loads((files(__name__) / "data" / f"{name}.toml").read_text(encoding="utf-8"))
