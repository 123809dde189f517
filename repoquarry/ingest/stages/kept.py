"""What a run keeps of its making beside a repository's texts, for the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from repoquarry.graphstore.errors import NotFoundError

if TYPE_CHECKING:
    from repoquarry.graphstore.folder.sources import SourceStore

_T = TypeVar("_T")


def read_kept(
    sources: SourceStore, repository: str, name: str, kind: type[_T], revision: str | None = None
) -> _T | None:
    """What is kept under a name for a revision, without one for the published one; None when nothing is that can be read."""
    try:
        data = sources.artifact(repository, name, revision) if sources.current(repository) is not None else None
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    except (msgspec.MsgspecError, NotFoundError):  # texts that were lost are being stored anew
        return None
