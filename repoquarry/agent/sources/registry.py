"""The sources that the settings name, and what they offer beside the store."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.sources.base import Offer, Source
from repoquarry.agent.sources.catalogue import CatalogueSource
from repoquarry.agent.sources.github import GitHubSource


def offers(settings: AgentSettings, task: str, indexed: Collection[str]) -> list[Offer]:
    """Repositories for a task that are not indexed, best first; `indexed` are the addresses of those that are. Raises: ToolError."""
    known = {_plain(address) for address in indexed}
    found = {_plain(offer.address): offer for source in _sources(settings) for offer in source.find(task)}
    return [offer for address, offer in found.items() if address not in known]


def _sources(settings: AgentSettings) -> Iterator[Source]:
    if settings.catalogue is not None:
        yield CatalogueSource(settings.catalogue)
    if settings.search.token:
        yield GitHubSource(settings.search)


def _plain(address: str) -> str:
    """An address without what may be left out of it."""
    return address.rstrip("/").removesuffix(".git")
