"""What a run keeps of its making beside a repository's texts, for the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from repoquarry.graphstore.folder.sources import SourceStore

_T = TypeVar("_T")


def read_kept(sources: SourceStore, repository: str, name: str, kind: type[_T]) -> _T | None:
    """What is kept under a name for the published revision; None when nothing is that can be read."""
    data = sources.artifact(repository, name) if sources.current(repository) is not None else None
    try:
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    except msgspec.MsgspecError:
        return None
