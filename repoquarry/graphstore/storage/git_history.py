"""Stored git history: commits by file, co-changed files, owners.

Made by ingestion in one pass over the log, kept in the source store beside the indexed text, and read by localisation. It is
no part of the graph because it is about the past of files, most of which exist no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import msgspec
import zstandard

#: name of the artifact in the source store
ARTIFACT = "history"
_MAX_BYTES = 1 << 30
_YEAR = 365 * 86_400
_SWEEPING = 200
"""Commits with more files than this (reformatting, moves) do not say that any two of them belong together."""


class Commit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One commit that touched files."""

    hash: str
    time: int
    """Committer's time, seconds since 1970."""
    subject: str
    files: tuple[int, ...]
    """Indices into `GitHistory.paths`, ascending."""
    author: str = ""
    """Author's name by git's mailmap; empty in histories that were stored before names were."""


@dataclass(frozen=True)
class FileOwner:
    """Somebody who worked on some files."""

    name: str
    commits: int
    share: float
    """Part of the work on the files, 0 to 1: each commit counts half as much for every year before the newest one."""

    last_time: int
    """Committer's time of the newest of the commits, seconds since 1970."""


class _Record(msgspec.Struct, array_like=True):
    paths: list[str]
    commits: list[Commit]
    missing: str


class GitHistory:
    """The commits that were read, newest first. `missing` says what was not read and why; empty when all was."""

    def __init__(self, paths: list[str], commits: list[Commit], missing: str = "") -> None:
        self.paths = paths
        self.commits = commits
        self.missing = missing

    @classmethod
    def decode(cls, data: bytes) -> GitHistory:
        """From what `encode` made."""
        raw = zstandard.ZstdDecompressor().decompress(data, max_output_size=_MAX_BYTES)
        record = msgspec.msgpack.decode(raw, type=_Record)
        return cls(record.paths, record.commits, record.missing)

    def encode(self) -> bytes:
        """Compressed, the same bytes for the same history."""
        raw = msgspec.msgpack.encode(_Record(self.paths, self.commits, self.missing))
        return zstandard.ZstdCompressor(level=3).compress(raw)

    @property
    def newest_time(self) -> int:
        """Time of the newest commit, 0 without commits: what recency is measured from, so that it never depends on today."""
        return max((commit.time for commit in self.commits), default=0)

    def commits_of(self, path: str) -> list[Commit]:
        """The commits that touched a file, newest first."""
        return [self.commits[number] for number in self._by_path.get(path, ())]

    def subjects(self, path: str) -> list[str]:
        """Subjects of the commits that touched a file, newest first."""
        return [commit.subject for commit in self.commits_of(path)]

    def owners(self, paths: Iterable[str]) -> list[FileOwner]:
        """Who worked on these files, most first; sweeping commits say nothing of who knows a file."""
        numbers = sorted({number for path in paths for number in self._by_path.get(path, ())})
        weight: dict[str, float] = defaultdict(float)
        count: dict[str, int] = defaultdict(int)
        last: dict[str, int] = {}
        for commit in (self.commits[number] for number in numbers):
            if not commit.author or len(commit.files) > _SWEEPING:
                continue
            weight[commit.author] += 0.5 ** ((self.newest_time - commit.time) / _YEAR)
            count[commit.author] += 1
            last[commit.author] = max(last.get(commit.author, 0), commit.time)
        total = sum(weight.values())
        found = [FileOwner(name, count[name], weight[name] / total, last[name]) for name in weight]
        return sorted(found, key=lambda owner: (-owner.share, owner.name))

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {path: number for number, path in enumerate(self.paths)}

    @cached_property
    def _by_path(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, commit in enumerate(self.commits):
            for file in commit.files:
                found[self.paths[file]].append(number)
        return found
