"""Neo4j engine: entry points."""

from __future__ import annotations

from repoquarry.graphstore.engines.neo4j.engine import Neo4jEngine
from repoquarry.graphstore.settings import StoreSettings


def open_engine(settings: StoreSettings, *, writable: bool) -> Neo4jEngine:
    """Connect; when `writable`, also bring the database's schema up to date and remove what killed writes left.

    Raises: EngineUnavailableError when the server does not answer or refuses the user; StoreNewerError when a newer version
    wrote the database.
    """
    return Neo4jEngine(settings, writable=writable)
