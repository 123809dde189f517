"""What an indexing run is given: a tree that is ready to be read, and the settings that decide what is made of it."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.base import Checkout


@dataclass(frozen=True)
class Inputs:
    """A tree and its settings: together with the version of the indexer all that a graph follows from."""

    checkout: Checkout
    settings: IngestSettings

    @property
    def repository(self) -> str:
        """The id that the repository is stored under."""
        return self.checkout.name
