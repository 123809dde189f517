"""What a server may be asked to index: folders below its roots, and hosts of its list."""

from __future__ import annotations

from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.ingest.sources import EVERYWHERE, Reach, Source
from repoquarry.ingest.sources.reach import reach_of
from repoquarry.server.settings.sections import ServerSettings


class Admission:
    """The permission to read a source. `serving`: others ask; else a person at this machine does, who may fetch from anywhere."""

    def __init__(self, settings: ServerSettings, *, serving: bool) -> None:
        self._roots = tuple(root.resolve() for root in settings.source_roots)
        self.reach: Reach = reach_of(settings.source_hosts) if serving else EVERYWHERE

    def check(self, source: Source) -> None:
        """Raises: SourceRejectedError."""
        path = source.path
        if path is not None and self._roots and not any(path.resolve().is_relative_to(root) for root in self._roots):
            raise SourceRejectedError(
                f"{source.shown!r} is not in a folder that this server may read (server.source_roots)",
                source=source.shown,
            )
        address = source.address
        if address is not None:
            self.reach.admit(address)
