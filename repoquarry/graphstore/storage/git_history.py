"""Git history of a repository as stored with its texts: commits, last change and owners of files.

Ingestion reads the log once; importance, localization and file views use the history. It is not part of the graph, because most of its
files no longer exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import msgspec

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.storage.compression import compress, decompress

ARTIFACT = "history"  # Name of the artifact in the source store.
NOT_TRACKED = "not a git working tree"
"""Missing part of the history of a folder outside git."""
UNREADABLE = "git cannot read the commits"
"""Begin of the reason why a repository with a commit has no history."""
_YEAR = 365 * 86_400
_SWEEPING = 200
"""Number of files above which a commit (reformatting, moves) is ignored for co-changes and ownership."""


def format_day(seconds: int) -> str:
    """Format a time, in seconds since 1970, as its day in UTC, such as `2026-01-31`."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


class Commit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    hash: str
    time: int
    """Committer time, seconds since 1970."""
    subject: str
    files: tuple[int, ...]
    """Indices into `GitHistory.paths`, ascending."""
    author: str = ""
    """Author name by git's mailmap; empty in histories stored by older versions."""


@dataclass(frozen=True)
class FileOwner:
    name: str
    commits: int
    share: float
    """Share of the work on the files, 0 to 1: the weight of a commit halves for each year before the newest one."""

    last_time: int
    """Committer time of the newest of the commits, seconds since 1970."""


class GitHistory(msgspec.Struct, array_like=True, dict=True):
    """Commits, newest first. `missing` describes the parts that were not read, with the reason; empty if complete."""

    paths: list[str]
    commits: list[Commit]
    missing: str = ""

    @classmethod
    def decode(cls, data: bytes) -> GitHistory:
        """Decode the data that `encode` returns. Raises: StoreCorruptError."""
        try:
            return msgspec.msgpack.decode(decompress(data), type=cls)
        except msgspec.MsgspecError as exc:
            raise StoreCorruptError(f"a stored git history is damaged ({exc}); re-index the repository") from exc

    def encode(self) -> bytes:
        """Encode and compress the history, deterministically."""
        return compress(msgspec.msgpack.encode(self))

    @cached_property
    def newest_time(self) -> int:
        """Return the time of the newest commit, 0 without commits. Recency is relative to it, so that results do not depend on the current date."""
        return max((commit.time for commit in self.commits), default=0)

    def commits_of(self, path: str) -> list[Commit]:
        """Return the commits that touched a file, newest first."""
        return [self.commits[number] for number in self._by_path.get(path, ())]

    def last_changed(self, path: str) -> str | None:
        """Return the day of the newest commit that touched a file; None without commits."""
        return max((format_day(commit.time) for commit in self.commits_of(path)), default=None)

    def owners(self, paths: Iterable[str]) -> list[FileOwner]:
        """Return the authors of these files, most work first; commits with many files are ignored."""
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
    def _by_path(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, commit in enumerate(self.commits):
            for file in commit.files:
                found[self.paths[file]].append(number)
        return found
