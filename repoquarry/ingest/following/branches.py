"""Branches of git addresses, asked again and again whether they moved: one `git ls-remote` each time, and nothing is fetched.

Hosts are asked one after the other, never more often than every interval, and one that does not answer less and less often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from repoquarry.ingest.errors import IngestError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import Reach, Source
from repoquarry.ingest.sources.git import COMMIT, remote_tip

LEAST_SECONDS = 10.0
"""Least interval between two questions to another machine."""

_MOST_SKIPPED = 63
"""Rounds that a source which fails is left alone at most."""


@dataclass
class _Followed:
    source: Source
    commit: str = ""
    """Where it was when it was last indexed; empty before."""
    failures: int = 0
    skip: int = 0
    """Rounds for which it is not asked."""


def follow_branches(
    sources: Sequence[Source],
    settings: IngestSettings,
    reach: Reach,
    *,
    moved: Callable[[Source, str, str], bool],
    failed: Callable[[Source, IngestError, int], None],
    wait: Callable[[], bool],
) -> None:
    """Ask all sources, round after round, until `wait` says to end.

    `moved` is told the commit before (empty at first) and the commit now, and says whether it is dealt with: else it is told again in
    the next round. `failed` is told what went wrong and for how many rounds the source is then left alone.
    Raises: SourceRejectedError for a ref that cannot move.
    """
    for source in sources:
        if COMMIT.fullmatch(source.ref):
            raise SourceRejectedError(f"{source.ref} is a commit, which never moves: name a branch", ref=source.ref)
    followed = [_Followed(source) for source in sources]
    while True:
        for one in followed:
            _look(one, settings, reach, moved, failed)
        if not wait():
            return


def _look(
    one: _Followed,
    settings: IngestSettings,
    reach: Reach,
    moved: Callable[[Source, str, str], bool],
    failed: Callable[[Source, IngestError, int], None],
) -> None:
    if one.skip:
        one.skip -= 1
        return
    try:
        commit = remote_tip(one.source, settings, reach)
    except IngestError as exc:
        one.skip = min(2**one.failures - 1, _MOST_SKIPPED)
        one.failures += 1
        failed(one.source, exc, one.skip)
        return
    one.failures = 0
    if commit != one.commit and moved(one.source, one.commit, commit):
        one.commit = commit
