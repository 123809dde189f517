"""Whether a repository's source has moved on since it was indexed, as a message of the contract."""

from __future__ import annotations

from repoquarry.v1 import basis_pb2 as pb

from server.application.host import Host


def look_at_source(host: Host, repository: str) -> pb.Freshness:
    """Look at the source of a repository."""
    source = host.store.repository(repository).get("source")
    return pb.Freshness(state=pb.Freshness.STATE_UNKNOWN, note=f"{source} is not compared yet")
