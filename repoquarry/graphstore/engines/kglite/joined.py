"""The graph of all repositories in one file: a cache, which any process may keep and the next one reads."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from repoquarry.graphstore.engines.kglite import catalogue as catalogues
from repoquarry.graphstore.engines.kglite.files import SUFFIX, GraphFiles
from repoquarry.graphstore.errors import StoreCorruptError

JOINED: Final = "joined-"
"""Beginning of the names of its files."""


def save_joined(files: GraphFiles, graph: Any, parts: Mapping[str, str]) -> None:
    """Keep the graph of all repositories, which is a cache; `parts` are the files in it, by repository."""
    name = f"{JOINED}{secrets.token_hex(8)}"
    graph.save(str(files.path / f"{name}{SUFFIX}"), layout="compact", fsync=False)
    catalogues.put(files.path / f"{name}.parts", msgspec.msgpack.encode(dict(parts)))
    for file in files.path.glob(f"{JOINED}*"):
        if file.name.partition(".")[0] != name and ".tmp" not in file.name:
            file.unlink(missing_ok=True)


def read_joined(files: GraphFiles) -> tuple[Any, dict[str, str]] | None:
    """The graph that was kept last, and the files in it; None when there is none that can be read."""
    for parts in sorted(files.path.glob(f"{JOINED}*.parts"), key=lambda path: path.name):
        try:
            held = msgspec.msgpack.decode(parts.read_bytes(), type=dict[str, str])
            return files.load(f"{parts.stem}{SUFFIX}"), held
        except (FileNotFoundError, StoreCorruptError, msgspec.DecodeError):
            continue
    return None
