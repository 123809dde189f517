"""Whole trees of indexed revisions, kept in a folder: cloned or unpacked once, read by every task that needs them.

A tree appears under its name by one rename, so that a killed process leaves none that looks whole and two processes do no harm.
Trees that nobody reads give way when the folder grows over its limit, the longest unread first; an older revision gives way to
the next.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import Cancelled, Reach, Source
from repoquarry.ingest.sources.base import LeftOut
from repoquarry.ingest.sources.whole import Indexed, write_whole

_TREE, _NOTES = "tree", "notes.json"
_ABANDONED_SECONDS = 86_400.0


@dataclass(frozen=True)
class Tree:
    """The whole tree of one indexed revision. It is read-only and shared: copy it to change it."""

    repository: str
    revision: str
    root: Path
    commit: str
    """Full hash; empty outside git."""

    files: int
    bytes: int
    left_out: tuple[LeftOut, ...]
    """Links that leave the repository and the like."""


@dataclass(frozen=True)
class _Notes:
    """What is kept beside a tree."""

    commit: str
    files: int
    bytes: int
    left_out: tuple[LeftOut, ...]


class TreeCache:
    """The trees in one folder, which is this process's own. `most_bytes` bounds what nobody reads; 0: no limit."""

    def __init__(self, folder: Path, store: Store, settings: IngestSettings, reach: Reach, most_bytes: int = 0) -> None:
        self._folder = folder
        self._store = store
        self._settings = settings
        self._reach = reach
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._readers: Counter[Path] = Counter()

    @contextmanager
    def open(self, repository: str, cancelled: Cancelled, source: Source | None = None) -> Iterator[Tree]:
        """The tree of a repository's indexed revision, kept while the block runs.

        `source` says where to get it, where that is more than the graph tells. Raises: NotFoundError; SourceNotFoundError,
        SourceRejectedError when the source no longer has the revision; IngestCancelledError.
        """
        properties = self._store.repository(repository)
        revision = str(properties["revision"])
        place = self._folder / repository / revision
        with self._lock:
            making = self._making.setdefault(repository, threading.Lock())
            self._readers[place] += 1
        try:
            with making:
                if not (place / _TREE).is_dir():
                    indexed = Indexed.of(properties, self._store.sources.files(repository, revision), source)
                    self._make(place, indexed, cancelled)
            os.utime(place)
            yield _read(repository, revision, place)
        finally:
            with self._lock:
                self._readers[place] -= 1
            self._make_room()

    def _make(self, place: Path, indexed: Indexed, cancelled: Cancelled) -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=self._folder))
        except OSError as exc:
            raise SourceRejectedError(f"no tree can be kept in {self._folder}: {exc.strerror}") from exc
        try:
            copied = write_whole(indexed, unfinished / _TREE, self._settings, cancelled, self._reach)
            notes = _Notes(indexed.commit, copied.files, copied.bytes, copied.left_out)
            (unfinished / _NOTES).write_bytes(msgspec.json.encode(notes))
            with contextlib.suppress(FileExistsError):  # another process was quicker
                unfinished.rename(place)
        except OSError as exc:
            raise SourceRejectedError(f"the tree cannot be kept in {self._folder}: {exc.strerror}") from exc
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def _make_room(self) -> None:
        """Remove trees of other revisions, of repositories that are gone, and the longest unread ones over the limit."""
        now, stored = time.time(), set(self._store.repositories())
        with self._lock:
            for unfinished in self._folder.glob(".unfinished-*"):
                if now - unfinished.stat().st_mtime > _ABANDONED_SECONDS:
                    shutil.rmtree(unfinished, ignore_errors=True)
            kept: list[tuple[float, int, Path]] = []
            for place in self._folder.glob("[!.]*/*"):
                if self._readers[place]:
                    continue
                if place.parent.name not in stored or place.name != self._revision(place.parent.name):
                    shutil.rmtree(place, ignore_errors=True)
                    continue
                with contextlib.suppress(OSError, msgspec.MsgspecError):
                    size = msgspec.json.decode((place / _NOTES).read_bytes(), type=_Notes).bytes
                    kept.append((place.stat().st_mtime, size, place))
            over = sum(size for _, size, _ in kept) - self._most_bytes if self._most_bytes else 0
            for _, size, place in sorted(kept):
                if over <= 0:
                    return
                shutil.rmtree(place, ignore_errors=True)
                over -= size

    def _revision(self, repository: str) -> str:
        return str(self._store.repository(repository)["revision"])


def _read(repository: str, revision: str, place: Path) -> Tree:
    notes = msgspec.json.decode((place / _NOTES).read_bytes(), type=_Notes)
    return Tree(repository, revision, place / _TREE, notes.commit, notes.files, notes.bytes, notes.left_out)
