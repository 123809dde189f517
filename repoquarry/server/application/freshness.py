"""Whether a repository's source has moved on since it was indexed, as a message of the contract."""

from __future__ import annotations

from repoquarry.graphstore.errors import StoreCorruptError, StoreUnwritableError
from repoquarry.ingest.following.freshness import Freshness, freshness
from repoquarry.server.application.host import Host
from repoquarry.v1 import basis_pb2 as pb


def look_at_source(host: Host, repository: str) -> pb.Freshness:
    """Look at the source of a repository."""
    properties = host.store.repository(repository)
    try:
        found = freshness(properties, host.store.sources, host.settings.ingest)
    except (StoreCorruptError, StoreUnwritableError) as exc:  # an answer that needs no texts is no worse for it
        found = Freshness(None, note=str(exc))
    state = {True: pb.Freshness.STATE_MOVED_ON, False: pb.Freshness.STATE_CURRENT, None: pb.Freshness.STATE_UNKNOWN}
    return pb.Freshness(
        state=state[found.moved_on],
        current_commit=found.current_commit or "",
        commits=found.commits_behind,
        files=found.files_changed,
        note=found.note,
    )
